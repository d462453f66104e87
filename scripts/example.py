"""The running example: an order of four words, worked from end to end.

Change the order, the seed or the robot tokens here and nowhere else.  Every
array is read-only; a notebook that wants to change one takes a copy.
"""

import numpy as np

from scripts.attention import attention, cross_attention, multi_head_attention, project

ORDER = ("pick", "up", "the", "cube")
SEED = 28
ROBOT_SEED = 55
ROBOT = ("robot 1", "robot 2")
HEADS = 2
# section 1: one word, one row of the table, whatever the sentence
SENTENCES = (f"put the wooden {ORDER[-1]} on the table", f"drop a {ORDER[-1]} of ice in the glass")
KERNEL = (0.25, 0.5, 0.25)  # section 1: one token before, itself, one after

if len(ORDER) != 4:
    raise ValueError(f"ORDER has four words, for every section works with four tokens; here are {len(ORDER)}")


def _rounded(generator, spread, shape):
    """Normal numbers of the given spread, one decimal each, with no negative zero."""
    return np.round(generator.normal(0, spread, shape), 1) + 0.0


def _frozen(array):
    array.setflags(write=False)
    return array


_generator = np.random.default_rng(SEED)
TOKENS = _frozen(_rounded(_generator, 0.9, (len(ORDER), 4)))
# The output projection comes last, so that it changes none of the numbers before it.
W_QUERY, W_KEY, W_VALUE, W_OUTPUT = (_frozen(_rounded(_generator, 0.6, (4, 4))) for _ in range(4))
ROBOT_TOKENS = _frozen(_rounded(np.random.default_rng(ROBOT_SEED), 0.9, (2, 4)))

QUERIES = _frozen(project(TOKENS, W_QUERY))
KEYS = _frozen(project(TOKENS, W_KEY))
VALUES = _frozen(project(TOKENS, W_VALUE))

RUN = attention(QUERIES, KEYS, VALUES)
RAW, SCORES, WEIGHTS, OUTPUT = (_frozen(a) for a in (RUN.raw, RUN.scores, RUN.weights, RUN.output))

TWO_HEADS = multi_head_attention(QUERIES, KEYS, VALUES, HEADS, W_OUTPUT)
CROSS = cross_attention(ROBOT_TOKENS, TOKENS, W_QUERY, W_KEY, W_VALUE)
