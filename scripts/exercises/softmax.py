"""Checks of section 4: softmax, the mix, and all of attention."""

import numpy as np

from scripts.attention import attention, softmax
from scripts.exercises import exercise
from scripts.exercises.tools import Wrong, call, compare, number, numbers, parts, trials

# Exercise 4.1: three scores already raised, and the values of their tokens.
RAISED = np.array([1, 3, 4])
VALUES = np.array([8, 4, -2])

# Exercise 4.2: the weights of two keys.
PAIR = np.array([0.75, 0.25])


@exercise("4.1")
def _(answer):
    found, mixture = parts(answer, ("weights", "mixture"))
    weights = RAISED / RAISED.sum()
    found = numbers(found, (3,), "the row of weights")
    again = np.exp(RAISED) / np.exp(RAISED).sum()
    compare(
        found,
        weights,
        "the row of weights",
        decimals=3,
        mistakes={
            "the numbers were raised a second time.": again,
            "the numbers were divided by the largest of them, not by their total.": RAISED / RAISED.max(),
            "the numbers were divided by how many they are, not by their total.": RAISED / len(RAISED),
            "the weights stand in the wrong order.": weights[::-1],
        },
    )
    compare(
        number(mixture, "the mixture"),
        weights @ VALUES,
        "the mixture",
        decimals=2,
        mistakes={
            "the mixture is the plain average of the values; the weights play no part in it.": VALUES.mean(),
            "the values were multiplied by numbers that do not total one.": RAISED @ VALUES,
            "the weights were handed to the values in the wrong order.": weights[::-1] @ VALUES,
            "the products have to be added, not averaged.": weights @ VALUES / 3,
            "a minus sign was lost on the way.": weights @ np.abs(VALUES),
        },
    )


@exercise("4.2")
def _(answer):
    names = ("doubled", "five more", "signs turned")
    squared = PAIR**2 / (PAIR**2).sum()
    wanted = {"doubled": squared, "five more": PAIR, "signs turned": PAIR[::-1]}
    slips = {
        "doubled": {
            "the weights were doubled; the scores were to be.": 2 * PAIR,
            "doubled scores have a doubled lead, which cannot leave the weights as they are.": PAIR,
            "the ratio of the weights was doubled; what does doubling a power of e do?": np.array([6, 1]) / 7,
            "the squares still have to be divided by their total.": PAIR**2,
        },
        "five more": {
            "adding the same number to both scores does not change the lead.": squared,
            "weights are shares: five cannot be added to them.": PAIR + 5,
        },
        "signs turned": {
            "a weight is never negative, whatever the sign of the score.": -PAIR,
            "with turned signs, the other key is ahead.": PAIR,
        },
    }
    for name, part in zip(names, parts(answer, names), strict=True):
        told = f'the pair for "{name}"'
        mistakes = {f"{told}: {sentence}": wrong for sentence, wrong in slips[name].items()}
        got = numbers(part, (2,), told)
        compare(got, wanted[name], told, decimals=3, mistakes=mistakes)


def _columns(scores):
    return softmax(scores.T).T


def _flat_totals(scores):
    raised = np.exp(scores - scores.max(axis=1, keepdims=True))
    return raised / raised.sum(axis=1)


def _whole_grid(scores):
    raised = np.exp(scores - scores.max())
    return raised / raised.sum()


def _two_to_the_power(scores):
    return softmax(scores * np.log(2))


SOFTMAX_SLIPS = {
    "the columns total one, not the rows.": _columns,
    "a row was not divided by its own total: the totals have to stay a column.": _flat_totals,
    "the whole grid totals one; every row should.": _whole_grid,
    "the scores are raised, but not divided by their total.": np.exp,
    "the scores are lowered and raised, but not divided by their total.": lambda scores: np.exp(
        scores - scores.max(axis=1, keepdims=True)
    ),
    "the scores were divided by their total without being raised.": lambda scores: (
        scores / scores.sum(axis=1, keepdims=True)
    ),
    "two is raised, where e should be.": _two_to_the_power,
}


def _finite(result, sentence):
    """Raise `Wrong` with the sentence if a grid of numbers holds NaN or infinity."""
    try:
        sound = np.isfinite(np.asarray(result, dtype=float)).all()
    except (TypeError, ValueError):
        return  # no numbers at all: said elsewhere
    if not sound:
        raise Wrong(sentence)


@exercise("4.3")
def _(answer):
    generator = np.random.default_rng(43)
    # Square first: there the commonest slips give a grid of the right shape, and can be named.
    cases = [(generator.normal(size=shape) * 2,) for shape in ((4, 4), (3, 5), (6, 2), (1, 7), (4, 1))]
    cases.append((np.array([[0, 0, 0], [1, 2, 3]]),))  # whole numbers go in
    trials(answer, cases, softmax, "the grid of weights", SOFTMAX_SLIPS)
    large = np.array([[1000.0, 1001.0, 998.0], [1003.0, 1000.0, 1002.0]])
    _finite(call(answer, large), "scores of a thousand give NaN or infinity: no power may overflow.")
    low = np.array([[-1000.0, -1001.0], [-1002.0, -999.0]])
    _finite(call(answer, low), "scores of minus a thousand give NaN: every raised score became zero.")
    far = np.array([[1000.0, 999.0], [-1000.0, -1002.0]])
    _finite(
        call(answer, far),
        "where one row is high and another low, the low one gives NaN: "
        "each row has a largest score of its own.",
    )
    trials(answer, [(large,), (low,), (far,)], softmax, "the grid of weights", SOFTMAX_SLIPS)


def _with_divisor(divisor):
    return lambda q, k, v: softmax(q @ k.T / divisor(q, k, v)) @ v


@exercise("4.4")
def _(answer):
    generator = np.random.default_rng(44)

    def case(n_q, n_k, d, d_v, size=1.0):
        return (
            size * generator.normal(size=(n_q, d)),
            generator.normal(size=(n_k, d)),
            generator.normal(size=(n_k, d_v)),
        )

    sizes = ((5, 5, 3, 2), (3, 5, 4, 2), (6, 2, 9, 7), (1, 4, 2, 3), (4, 1, 3, 5))
    slips = {
        "the scores are not divided.": _with_divisor(lambda q, k, v: 1),
        "the divisor is not the head size itself.": _with_divisor(lambda q, k, v: q.shape[1]),
        "the divisor came from the number of keys.": _with_divisor(lambda q, k, v: np.sqrt(len(k))),
        "the divisor came from the number of queries.": _with_divisor(lambda q, k, v: np.sqrt(len(q))),
        "the divisor came from the values.": _with_divisor(lambda q, k, v: np.sqrt(v.shape[1])),
        "the divisor is always two: it must be read off the queries that are given.": _with_divisor(
            lambda q, k, v: 2
        ),
        "the division came after softmax.": lambda q, k, v: softmax(q @ k.T) / np.sqrt(q.shape[1]) @ v,
        "softmax ran down the columns.": lambda q, k, v: _columns(q @ k.T / np.sqrt(q.shape[1])) @ v,
        "a row was not divided by its own total.": lambda q, k, v: (
            _flat_totals(q @ k.T / np.sqrt(q.shape[1])) @ v
        ),
        "the scores mix the values without softmax.": lambda q, k, v: q @ k.T / np.sqrt(q.shape[1]) @ v,
        "the weights were turned on their side before the mix.": lambda q, k, v: (
            softmax(q @ k.T / np.sqrt(q.shape[1])).T @ v
        ),
        "keys ask and queries answer.": lambda q, k, v: softmax(k @ q.T / np.sqrt(q.shape[1])) @ v,
        "the keys were mixed, not the values.": lambda q, k, v: softmax(q @ k.T / np.sqrt(q.shape[1])) @ k,
    }
    cases = [case(*size) for size in sizes]
    cases.append((np.array([[1, 0]]), np.array([[1, 2], [3, 1], [0, 0]]), np.array([[3], [1], [2]])))
    trials(answer, cases, lambda q, k, v: attention(q, k, v).output, "the output", slips)
    steep = case(3, 6, 4, 2, size=2000.0)
    _finite(call(answer, *steep), "large scores give NaN or infinity: no power may overflow.")
    trials(answer, [steep], lambda q, k, v: attention(q, k, v).output, "the output", slips)
