"""Section 1: one word in many sentences, and where each of them carries it."""

from scripts import plane
from scripts.draw.plane import draw_moves
from scripts.numbers import listing
from scripts.widgets._slider import slider


@slider(handle="words that tell", start="wooden")
def sentence(sentences=plane.SENTENCES, parameters=None):
    """Choose the sentence, and see where it carries "cube".

    Parameters
    ----------
    sentences : sequence of str
        Of known words, each with "cube" in it.
    parameters : dict of str to ndarray, optional
        A trained head, such as one of ``plane.OTHERS``; the course's own if not given.
    """
    readings = [plane.read(one, parameters) for one in sentences]
    for reading in readings:
        yield listing(reading.telling) or "none", draw_moves(reading, readings)
