"""The last page: two layers learn to go on with what they have read."""

from scripts import induction as model
from scripts.draw.sequence import draw_film
from scripts.numbers import show
from scripts.widgets._slider import slider


@slider(handle="steps of training", start="0")
def induction(letters="KCAFBHKCAFBH", stills=None):
    """Move through the training of the two layers.

    Parameters
    ----------
    letters : str
        What they read.
    stills : list of induction.Still, optional
        The course's own film if not given.
    """
    for still in stills or model.film():
        first, second = model.read(letters, still.parameters).weights
        yield show(still.step, ",d"), draw_film(letters, first, second, still.step, still.accuracy)
