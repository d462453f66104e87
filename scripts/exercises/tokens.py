"""Exercises of section 1: mixtures (weighted sums), and weights by place or by content."""

import numpy as np

from scripts.attention import neighbour_weights, self_attention
from scripts.exercises.answers import Wrong, numbers
from scripts.exercises.exercise import Exercise

# 1.1: three vectors and their weights
MIX_WEIGHTS = np.array([0.5, 0.25, 0.25])
MIX_VECTORS = np.array([[4, -2], [0, 8], [2, 4]])

# 1.2: two vectors, and a mixture of them whose weights are asked for
FOUND_WEIGHTS = np.array([0.75, 0.25])
FOUND_VECTORS = np.array([[2, 6], [10, -2]])


Exercise(
    "1.1",
    want=MIX_WEIGHTS @ MIX_VECTORS,
    what="the mixture",
    decimals=2,
    mistakes={
        "every vector got the same share; each has a weight of its own.": MIX_VECTORS.mean(axis=0),
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
        raise Wrong("the two weights do not total one.")
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
        "at the ends the weights were made to total one; here they stay as they are.": _topped_up,
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
    what="the grid",
    mistakes={
        "the tokens that ask moved, but not those that are looked at.": lambda w, order: w[order],
        "the tokens that are looked at moved, but not those that ask.": lambda w, order: w[:, order],
        "nothing moved.": lambda w, order: w,
        "the tokens moved the wrong way: place i of the new sentence holds old token "
        "order[i].": lambda w, order: w[np.ix_(np.argsort(order), np.argsort(order))],
    },
)
