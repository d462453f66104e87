"""The last page: how the next word is chosen."""

from scripts import smallworld
from scripts.draw.sequence import draw_next
from scripts.numbers import show
from scripts.widgets._slider import slider

TEMPERATURES = (0.25, 0.5, 1, 2, 4)
FEW = (2, 4, None)  # how many of the likeliest words are kept; all


@slider(handle="temperature", start="1", second=("words kept", "all"))
def temperature(text="the cup is", temperatures=TEMPERATURES, few=FEW):
    """Choose a temperature, and among how many words is drawn.

    Parameters
    ----------
    text : str
        Of words that the small world knows.
    temperatures : sequence of float
    few : sequence of int or None
        How many of the likeliest words are kept; None for all.
    """
    run = smallworld.read(text)
    for top in few:
        label = show(top, "d") if top else "all"
        for degree in temperatures:
            words, chances = zip(*smallworld.likeliest(smallworld.chances(run, degree, top), 8), strict=True)
            kept = f"with the {label} likeliest kept" if top else "with all words kept"
            yield show(degree, "g"), draw_next(text, words, chances, degree, kept), label
