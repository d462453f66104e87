"""The last page: a query and a key that turn with their places."""

import numpy as np

from scripts import position
from scripts.draw.position import draw_turn
from scripts.numbers import show
from scripts.widgets._slider import slider


@slider(handle="place of the key", start="1", second=("distance", "2"))
def rotary(query=(1.5, 0.5), key=(0.6, 1.4), places=range(5), apart=(0, 1, 2)):
    """Move a query and a key along, and change how far apart they stand.

    Parameters
    ----------
    query, key : pair of float
        Before the turn.
    places : sequence of int
        Of the key.
    apart : sequence of int
        How many places the query stands behind the key.
    """
    for between in apart:
        for place in places:
            there = place + between, place
            (q,), (k,) = (position.turned([row], [at]) for row, at in zip((query, key), there, strict=True))
            score = float(q @ k / np.sqrt(len(q)))
            yield show(place, "d"), draw_turn(q, k, there, score), show(between, "d")
