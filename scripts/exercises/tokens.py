"""Checks of section 1: mixtures, and weights by place or by content."""

import numpy as np

from scripts.attention import neighbour_weights, self_attention
from scripts.exercises import exercise
from scripts.exercises.tools import Wrong, compare, numbers, trials

# Exercise 1.1: three vectors and their weights.
MIX_WEIGHTS = np.array([0.5, 0.25, 0.25])
MIX_VECTORS = np.array([[4, -2], [0, 8], [2, 4]])

# Exercise 1.2: two vectors, and a mixture of them whose weights are asked for.
FOUND_WEIGHTS = np.array([0.75, 0.25])
FOUND_VECTORS = np.array([[2, 6], [10, -2]])


@exercise("1.1")
def _(answer):
    got = numbers(answer, (2,), "the mixture")
    compare(
        got,
        MIX_WEIGHTS @ MIX_VECTORS,
        "the mixture",
        decimals=2,
        mistakes={
            "every vector got the same share; each has a weight of its own.": MIX_VECTORS.mean(axis=0),
            "the vectors were added without their weights.": MIX_VECTORS.sum(axis=0),
            "the weights were handed out in the wrong order.": MIX_WEIGHTS[::-1] @ MIX_VECTORS,
            "a minus sign was lost on the way.": MIX_WEIGHTS @ np.abs(MIX_VECTORS),
            "the products are right, but they still have to be added, not averaged.": MIX_WEIGHTS
            @ MIX_VECTORS
            / len(MIX_WEIGHTS),
        },
    )


@exercise("1.2")
def _(answer):
    got = numbers(answer, (2,), "the answer")
    if (got < 0).any():
        raise Wrong("a weight is never negative.")
    if abs(got.sum() - 1) > 1e-6:
        raise Wrong("the two weights do not total one.")
    compare(
        got,
        FOUND_WEIGHTS,
        decimals=3,
        mistakes={
            "the two weights have changed places: the mixture lies closer to the vector "
            "with the larger weight.": FOUND_WEIGHTS[::-1]
        },
    )


def _fixed(vectors, before, itself, after):
    return neighbour_weights(len(vectors), before, itself, after) @ vectors


def _around(vectors, before, itself, after):
    return before * np.roll(vectors, 1, axis=0) + itself * vectors + after * np.roll(vectors, -1, axis=0)


def _one_after_another(vectors, before, itself, after):
    new = np.array(vectors, dtype=float)
    for i in range(len(new)):
        total = itself * new[i]
        if i > 0:
            total = total + before * new[i - 1]
        if i + 1 < len(new):
            total = total + after * new[i + 1]
        new[i] = total
    return new


def _topped_up(vectors, before, itself, after):
    weights = neighbour_weights(len(vectors), before, itself, after)
    return weights / weights.sum(axis=1, keepdims=True) @ vectors


@exercise("1.3")
def _(answer):
    generator = np.random.default_rng(13)
    cases = [
        (generator.normal(size=(n, width)), *generator.uniform(0.1, 0.9, 3))
        for n, width in ((5, 3), (2, 6), (1, 4), (7, 1))
    ]
    cases.append((np.array([[4, 8], [0, 2], [6, 1]]), 0.25, 0.5, 0.25))  # whole numbers go in
    trials(
        answer,
        cases,
        _fixed,
        "the mixture",
        {
            "the first token took from the last, or the last from the first: nothing goes round "
            "the ends.": _around,
            "the weights for before and after have changed places.": lambda x, before, itself, after: _fixed(
                x, after, itself, before
            ),
            "a token mixed its neighbour's new vector; all neighbours must still be the old ones.": _one_after_another,
            "at the ends the weights were made to total one; here they stay as they are.": _topped_up,
            "the tokens stayed as they were, up to one common factor.": lambda x, before, itself, after: (
                itself * x
            ),
        },
    )


@exercise("1.4")
def _(answer):
    generator = np.random.default_rng(14)
    cases, reference = [], {}
    for n in (5, 4, 7):
        tokens = generator.normal(size=(n, 3))
        matrices = generator.normal(size=(3, 3, 2))
        # An order that is not its own reverse, so that going back differs from going forth.
        order = np.roll(generator.permutation(n), 1)
        while (order[order] == np.arange(n)).all():
            order = generator.permutation(n)
        cases.append((self_attention(tokens, *matrices).weights, order))
        reference[n] = self_attention(tokens[order], *matrices).weights

    def back(weights, order):
        return weights[np.ix_(np.argsort(order), np.argsort(order))]

    trials(
        answer,
        cases,
        lambda weights, order: reference[len(order)],
        "the grid",
        {
            "the tokens that ask moved, but not those that are looked at.": lambda w, order: w[order],
            "the tokens that are looked at moved, but not those that ask.": lambda w, order: w[:, order],
            "nothing moved.": lambda w, order: w,
            "the tokens moved the wrong way: place i of the new sentence holds old token order[i].": back,
        },
    )
