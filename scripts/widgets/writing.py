"""The last page: a story that is written word by word."""

from scripts import cost, smallworld
from scripts.draw.sequence import draw_writing
from scripts.numbers import show
from scripts.widgets._slider import slider

BEGINNING = "the cup is green . the book is"


@slider(handle="words written", start="0")
def writing(text=BEGINNING, count=20):
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
    lengths = range(begun, begun + len(written))  # of what is read, for each word
    without = [cost.grid_numbers(n) for n in lengths]
    kept = [cost.grid_numbers(begun), *(cost.grid_numbers(1, n_keys=n) for n in lengths[1:])]
    for k in range(len(written) + 1):
        pairs = sum(without[:k]), sum(kept[:k])
        yield show(k, "d"), draw_writing([*words, *written[:k]], begun, *pairs, sum(without))
