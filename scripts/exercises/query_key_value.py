"""Exercises of section 2: queries, keys and values."""

import numpy as np

from scripts import example
from scripts.exercises.answers import Wrong, matches, numbers, parts
from scripts.exercises.exercise import Exercise

# 2.1: a token and a matrix
TOKEN = np.array([2, -1])
MATRIX = np.array([[1, 3], [4, -2]])

# 2.4: what two tokens, (1, 0) and (0, 1), are to score with one another
ONE_WAY = np.array([[0, 1], [0, 0]])


Exercise(
    "2.1",
    want=TOKEN @ MATRIX,
    what="the query",
    decimals=2,
    mistakes={
        "the token was run along the rows of the matrix; run it down the columns.": MATRIX @ TOKEN,
        "a minus sign was lost on the way.": np.abs(TOKEN) @ MATRIX,
        "two minus signs make a plus.": TOKEN @ np.abs(MATRIX),
        "the columns of the matrix were added without the token.": MATRIX.sum(axis=0),
        "the two entries have changed places: the first column gives the first.": (TOKEN @ MATRIX)[::-1],
    },
)

Exercise(
    "2.2",
    want=example.VALUES[2, :2],
    decimals=2,
    mistakes={
        "these are entries of its query: another matrix makes the value.": example.QUERIES[2, :2],
        "these are entries of its key: another matrix makes the value.": example.KEYS[2, :2],
        "the row was run along rows of the matrix; run it down the columns.": (
            (example.W_VALUE @ example.TOKENS[2])[:2]
        ),
        "the two entries have changed places.": example.VALUES[2, 1::-1],
        "the signs were left out of account.": (np.abs(example.TOKENS[2]) @ np.abs(example.W_VALUE))[:2],
        **{f'these belong to "{example.ORDER[other]}".': example.VALUES[other, :2] for other in (0, 1, 3)},
    },
)


def _grids():
    generator = np.random.default_rng(23)
    # A square case first: there the commonest slips give a matrix of the right shape, and can be named.
    for n, width, size in ((3, 3, 3), (5, 3, 2), (2, 4, 6), (1, 1, 3), (4, 2, 1)):
        yield generator.normal(size=(n, width)), generator.normal(size=(width, size))
    yield np.array([[1, 2], [0, 3], [4, 1]]), np.array([[0.5, -0.25], [0.75, 1.5]])


Exercise(
    "2.3",
    reference=lambda tokens, matrix: tokens @ matrix,
    cases=list(_grids()),
    what="the matrix",
    mistakes={
        "entry was multiplied by entry, and nothing was added up.": lambda x, w: x * w,
        "each token was run along the rows of the matrix; run it down the columns.": lambda x, w: x @ w.T,
        "the matrix and the tokens have changed places.": lambda x, w: w @ x,
        "rows and columns of the result have changed places.": lambda x, w: (x @ w).T,
        "only the last product of each sum is there: add it to those before.": lambda x, w: np.outer(
            x[:, -1], w[-1]
        ),
        "the sum goes on from one entry to the next: begin each at zero.": lambda x, w: (
            (x @ w).ravel().cumsum().reshape(len(x), -1)
        ),
    },
)


def judge_two_matrices(answer):
    """Judge a matrix for queries and one for keys by what they make of the two tokens."""
    w_query, w_key = parts(answer, ("ask", "offer"))
    w_query = numbers(w_query, (2, 2), "ask", strict=True)
    w_key = numbers(w_key, (2, 2), "offer", strict=True)
    fits = w_query @ w_key.T  # the two tokens are (1, 0) and (0, 1): queries and keys are the rows
    if matches(fits, ONE_WAY):
        return
    if matches(fits, ONE_WAY.T):
        raise Wrong('the direction is the wrong way round: here "cube" finds "it".')
    if not matches(np.diag(fits), [0, 0]):
        raise Wrong("a token that asks finds itself: its own query and key do not give zero.")
    if matches(fits, fits.T):
        raise Wrong("both directions score the same, as they would without matrices.")
    if matches(fits[1, 0], 0):
        raise Wrong('"it" asking "cube" does not score one.')
    raise Wrong('"cube" asking "it" does not score zero.')


Exercise("2.4", judge=judge_two_matrices)
