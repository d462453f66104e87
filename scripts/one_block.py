"""One transformer block for the four tokens of the running example, every number of it.

Attention is that of section 5: two heads, and the output projection.  The feed-forward part goes from four
numbers to eight and back; its matrices are random, with one decimal, like all of the example.  Layer
norm neither stretches nor shifts, as before training.
"""

import numpy as np

from scripts import example, model

INSIDE, SEED = 8, 1

_draw = np.random.default_rng(SEED).normal


def _rounded(spread, *shape):
    return np.round(_draw(0, spread, shape), 1) + 0.0


PARAMETERS = {
    "w_query": example.W_QUERY,
    "w_key": example.W_KEY,
    "w_value": example.W_VALUE,
    "w_output": example.W_OUTPUT,
    "gain_1": np.ones(4),
    "shift_1": np.zeros(4),
    "gain_2": np.ones(4),
    "shift_2": np.zeros(4),
    "w_in": _rounded(0.6, 4, INSIDE),
    "b_in": _rounded(0.3, INSIDE),
    "w_out": _rounded(0.6, INSIDE, 4),
    "b_out": _rounded(0.3, 4),
}
for _grid in PARAMETERS.values():
    _grid.setflags(write=False)

BLOCK = model.block(PARAMETERS, example.TOKENS[None], example.HEADS)
