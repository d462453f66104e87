"""Exercises of section 1: mixtures (weighted sums), weights by position or by content, a word that moves."""

import numpy as np

from scripts import plane
from scripts.attention import neighbour_weights, self_attention
from scripts.exercises.answers import Wrong, numbers
from scripts.exercises.exercise import Exercise

# 1.1: three vectors and their weights
MIX_WEIGHTS = np.array([0.5, 0.25, 0.25])
MIX_VECTORS = np.array([[4, -2], [0, 8], [2, 4]])

# 1.2: two vectors, and a mixture of them whose weights are asked for
FOUND_WEIGHTS = np.array([0.75, 0.25])
FOUND_VECTORS = np.array([[2, 6], [10, -2]])

# 1.5: where a word begins in the plane, and the values that its mixture is made of
STOOD = np.array([2, -1])
MOVE_WEIGHTS = np.array([0.5, 0.25, 0.25])
MOVE_VALUES = np.array([[4, 0], [-2, 6], [0, 2]])

# 1.6: one sentence with the word that tells, and without it
WITH, WITHOUT = "put the wooden cube on the table", "put the cube on the table"


Exercise(
    "1.1",
    want=MIX_WEIGHTS @ MIX_VECTORS,
    what="the mixture",
    decimals=2,
    mistakes={
        "every vector got the same weight; each has one of its own.": MIX_VECTORS.mean(axis=0),
        "the vectors were added without their weights.": MIX_VECTORS.sum(axis=0),
        "the weights were handed out in the wrong order.": MIX_WEIGHTS[::-1] @ MIX_VECTORS,
        "a minus sign was lost on the way.": MIX_WEIGHTS @ np.abs(MIX_VECTORS),
        "the products are right, but they still have to be added, not averaged.": (
            MIX_WEIGHTS @ MIX_VECTORS / len(MIX_WEIGHTS)
        ),
    },
)


def two_weights(answer):
    """Read the answer to 1.2, which must be weights at all."""
    got = numbers(answer, (2,))
    if (got < 0).any():
        raise Wrong("a weight is never negative.")
    if abs(got.sum() - 1) > 1e-6:
        raise Wrong("the two weights do not sum to one.")
    return got


Exercise(
    "1.2",
    want=FOUND_WEIGHTS,
    read=two_weights,
    decimals=3,
    mistakes={
        "the two weights have changed places: the mixture lies closer to the vector "
        "with the larger weight.": FOUND_WEIGHTS[::-1]
    },
)


def fixed_mix(vectors, before, itself, after):
    """Mix each vector with its neighbours by weights that are the same everywhere (a convolution)."""
    return neighbour_weights(len(vectors), before, itself, after) @ vectors


def _around(vectors, before, itself, after):
    return before * np.roll(vectors, 1, axis=0) + itself * vectors + after * np.roll(vectors, -1, axis=0)


def _one_after_another(vectors, before, itself, after):
    new = np.array(vectors, dtype=float)
    for i in range(len(new)):
        old = [*new[: i + 1], *vectors[i + 1 :]]
        new[i] = neighbour_weights(len(new), before, itself, after)[i] @ old
    return new


def _topped_up(vectors, before, itself, after):
    weights = neighbour_weights(len(vectors), before, itself, after)
    return weights / weights.sum(axis=1, keepdims=True) @ vectors


def _grids():
    generator = np.random.default_rng(13)
    for n, width in ((5, 3), (2, 6), (1, 4), (7, 1)):
        yield generator.normal(size=(n, width)), *generator.uniform(0.1, 0.9, 3)
    yield np.array([[4, 8], [0, 2], [6, 1]]), 0.25, 0.5, 0.25  # whole numbers go in


Exercise(
    "1.3",
    reference=fixed_mix,
    cases=list(_grids()),
    what="the mixture",
    mistakes={
        "the first token took from the last, or the last from the first: nothing goes round "
        "the ends.": _around,
        "the weights for before and after have changed places.": lambda x, before, itself, after: fixed_mix(
            x, after, itself, before
        ),
        "a token mixed its neighbour's new vector; all neighbours must still be the old "
        "ones.": _one_after_another,
        "at the ends the weights were made to sum to one; here they stay as they are.": _topped_up,
        "the tokens stayed as they were, up to one common factor.": lambda x, before, itself, after: (
            itself * x
        ),
    },
)


def _orders():
    generator = np.random.default_rng(14)
    for n in (5, 4, 7):
        tokens = generator.normal(size=(n, 3))
        matrices = generator.normal(size=(3, 3, 2))
        # An order that is not its own reverse, so that going back differs from going forth.
        order = np.roll(generator.permutation(n), 1)
        while (order[order] == np.arange(n)).all():
            order = generator.permutation(n)
        yield self_attention(tokens, *matrices).weights, order


Exercise(
    "1.4",
    reference=lambda weights, order: weights[np.ix_(order, order)],
    cases=list(_orders()),
    what="the matrix",
    mistakes={
        "the tokens that ask moved, but not those that are attended to.": lambda w, order: w[order],
        "the tokens that are attended to moved, but not those that ask.": lambda w, order: w[:, order],
        "nothing moved.": lambda w, order: w,
        "the tokens moved the wrong way: position i of the new sentence has old token "
        "order[i].": lambda w, order: w[np.ix_(np.argsort(order), np.argsort(order))],
    },
)


Exercise(
    "1.5",
    want=STOOD + MOVE_WEIGHTS @ MOVE_VALUES,
    what="the point",
    decimals=2,
    mistakes={
        "this is the mixture alone; it is added to the point where the word began.": MOVE_WEIGHTS
        @ MOVE_VALUES,
        "the arrows were laid end to end at full length; each is first multiplied by its weight.": STOOD
        + MOVE_VALUES.sum(axis=0),
        "every arrow got the same weight; each has one of its own.": STOOD + MOVE_VALUES.mean(axis=0),
        "the weights were handed out in the wrong order.": STOOD + MOVE_WEIGHTS[::-1] @ MOVE_VALUES,
        "the mixture was subtracted from where the word began; it is added.": (
            STOOD - MOVE_WEIGHTS @ MOVE_VALUES
        ),
        "this lies half way between where the word began and the mixture; the two are added, not averaged.": (
            STOOD + MOVE_WEIGHTS @ MOVE_VALUES
        )
        / 2,
    },
    praise="Half of one arrow and a quarter of each of the others, laid head to tail.",
)


def _by_start(number):
    """One number for each head, under the name of its start, from the readings with and without the word."""
    return {
        f"start {start}": float(number(plane.read(WITH, head), plane.read(WITHOUT, head)))
        for start, head in plane.HEADS.items()
    }


Exercise(
    "1.6",
    want=_by_start(lambda told, silent: np.linalg.norm(told.landed - silent.landed)),
    what={f"start {start}": f"the distance for start {start}" for start in plane.HEADS},
    decimals=2,
    mistakes={
        'this is how far "cube" moves in the sentence with the word; asked is how far apart the two '
        "sentences put it.": _by_start(lambda told, silent: np.linalg.norm(told.landed - told.stood)),
        "the square root was left out.": _by_start(
            lambda told, silent: ((told.landed - silent.landed) ** 2).sum()
        ),
        "the sizes of the two changes were added; a distance is the square root of the sum of their "
        "squares.": _by_start(lambda told, silent: np.abs(told.landed - silent.landed).sum()),
        'these are the weights of "wooden"; asked is what the word does.': _by_start(
            lambda told, silent: told.weights[told.words.index("wooden")]
        ),
    },
    praise="Where the word makes no difference, wood is what comes out if no word speaks against it. And a word "
    "with the weight that all words have can make one: its value does it.",
)
