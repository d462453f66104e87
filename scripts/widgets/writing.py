"""The last page: a story that is written word by word."""

from scripts import cost, smallworld
from scripts.draw.sequence import draw_writing
from scripts.numbers import show
from scripts.widgets._slider import slider


@slider(handle="words written", start="0")
def writing(text=smallworld.BEGINNING, count=smallworld.WRITTEN):
    """Write on, and see what is computed for each word.

    Parameters
    ----------
    text : str
        Of words that the small world knows.
    count : int
        How many words are written, at most.
    """
    words = text.split()
    begun = len(words)
    written = [word for word, _ in smallworld.write(text, count)]
    most = cost.writing_pairs(begun, len(written))
    for k in range(len(written) + 1):
        pairs = (cost.writing_pairs(begun, k, cache=cache) for cache in (False, True))
        yield show(k, "d"), draw_writing([*words, *written[:k]], begun, *pairs, most)
