"""The page on learning: the arm at several steps of its training."""

from scripts import arm
from scripts.draw.arm import draw_still
from scripts.numbers import show
from scripts.widgets._slider import slider


@slider(handle="steps of training", start="0", second=("the word", "cube"))
def training(stills=None):
    """Move through the training of the arm, a word at a time.

    Parameters
    ----------
    stills : list of arm.Still, optional
        The course's own film if not given.
    """
    stills = stills or arm.film()
    for word in arm.THINGS:
        for now, still in enumerate(stills):
            one = arm.reach(word, parameters=still.parameters)
            yield show(still.step, ",d"), draw_still(stills, now, one), word
