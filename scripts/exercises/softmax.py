"""Exercises of section 4: softmax, the mix (a weighted sum), and all of attention."""

import numpy as np

from scripts import pitfalls
from scripts.attention import attention, softmax
from scripts.exercises.exercise import Edge, Exercise

# 4.1: the exponentials of three scores, and the values of their tokens
RAISED = np.array([1, 3, 4])
VALUES = np.array([8, 4, -2])
WEIGHTS = RAISED / RAISED.sum()

# 4.2: the weights of two keys
PAIR = np.array([0.75, 0.25])
SQUARED = PAIR**2 / (PAIR**2).sum()


Exercise(
    "4.1",
    want={"weights": WEIGHTS, "mixture": WEIGHTS @ VALUES},
    what={"weights": "the row of weights", "mixture": "the mixture"},
    decimals={"weights": 3, "mixture": 2},
    mistakes={
        "the exponential was taken a second time.": {"weights": softmax(RAISED[None])[0]},
        "the exponentials were divided by the largest of them, not by their sum.": {
            "weights": RAISED / RAISED.max()
        },
        "the exponentials were divided by how many there are, not by their sum.": {
            "weights": RAISED / len(RAISED)
        },
        "the weights are in the wrong order.": {"weights": WEIGHTS[::-1]},
        "the mixture is the plain average of the values; the weights play no part in it.": {
            "mixture": VALUES.mean()
        },
        "the values were multiplied by numbers that do not sum to one.": {"mixture": RAISED @ VALUES},
        "the weights were handed to the values in the wrong order.": {"mixture": WEIGHTS[::-1] @ VALUES},
        "the products have to be added, not averaged.": {"mixture": WEIGHTS @ VALUES / len(VALUES)},
        "a minus sign was lost on the way.": {"mixture": WEIGHTS @ np.abs(VALUES)},
    },
)

Exercise(
    "4.2",
    want={"doubled": SQUARED, "five more": PAIR, "signs turned": PAIR[::-1]},
    what={name: f'the pair for "{name}"' for name in ("doubled", "five more", "signs turned")},
    decimals=3,
    mistakes={
        'the pair for "doubled": the weights were doubled; the scores were to be.': {"doubled": 2 * PAIR},
        'the pair for "doubled": doubled scores have a doubled lead, which cannot leave the weights as '
        "they are.": {"doubled": PAIR},
        'the pair for "doubled": the ratio of the weights was doubled; what does a doubled lead do to an exponential?': {
            "doubled": np.array([6, 1]) / 7
        },
        'the pair for "doubled": the squares still have to be divided by their sum.': {"doubled": PAIR**2},
        'the pair for "five more": adding the same number to both scores does not change the lead.': {
            "five more": SQUARED
        },
        'the pair for "five more": five was to be added to the scores, not to the weights.': {
            "five more": PAIR + 5
        },
        'the pair for "signs turned": a weight is never negative, whatever the sign of the score.': {
            "signs turned": -PAIR
        },
        'the pair for "signs turned": with turned signs, the other key is ahead.': {"signs turned": PAIR},
    },
)


def _scores():
    generator = np.random.default_rng(43)
    # Square first: there the commonest slips give a grid of the right shape, and can be named.
    for shape in ((4, 4), (3, 5), (6, 2), (1, 7), (4, 1)):
        yield (generator.normal(size=shape) * 2,)
    yield (np.array([[0, 0, 0], [1, 2, 3]]),)  # whole numbers go in


def _totals_without_keepdims(scores):
    return pitfalls.totals_without_keepdims(scores - scores.max(axis=1, keepdims=True))


Exercise(
    "4.3",
    reference=softmax,
    cases=list(_scores()),
    edges=[
        Edge(
            (np.array([[1000.0, 1001.0, 998.0], [1003.0, 1000.0, 1002.0]]),),
            "scores of a thousand give NaN or infinity: no exponential may overflow.",
        ),
        Edge(
            (np.array([[-1000.0, -1001.0], [-1002.0, -999.0]]),),
            "scores of minus a thousand give NaN: every exponential became zero.",
        ),
        Edge(
            (np.array([[1000.0, 999.0], [-1000.0, -1002.0]]),),
            "where one row is high and another low, the low one gives NaN: "
            "each row has a largest score of its own.",
        ),
        Edge(
            (np.array([[20000.0, -20000.0, 0.0], [0.0, 20000.0, 19999.0]]),),
            "scores far apart in one row give NaN or infinity: which score has to be taken off?",
        ),
    ],
    what="the matrix of weights",
    mistakes={
        "the columns sum to one, not the rows.": pitfalls.softmax_down_the_columns,
        "a row was not divided by its own sum: the sums have to stay a column.": _totals_without_keepdims,
        "the whole matrix sums to one; every row should.": lambda scores: (
            np.exp(scores) / np.exp(scores).sum()
        ),
        "the exponentials are not divided by their sum.": np.exp,
        "the scores are lowered and their exponentials taken, but not divided by their sum.": lambda scores: (
            np.exp(scores - scores.max(axis=1, keepdims=True))
        ),
        "the scores themselves were divided by their sum, without exponentials.": lambda scores: (
            scores / scores.sum(axis=1, keepdims=True)
        ),
        "these are powers of two, where powers of e should be.": lambda scores: softmax(scores * np.log(2)),
    },
)


def _runs():
    generator = np.random.default_rng(44)

    def run(n_q, n_k, d, d_v, size=1.0):
        return (
            size * generator.normal(size=(n_q, d)),
            generator.normal(size=(n_k, d)),
            generator.normal(size=(n_k, d_v)),
        )

    sizes = ((5, 5, 3, 2), (3, 5, 4, 2), (6, 2, 9, 7), (1, 4, 2, 3), (4, 1, 3, 5))
    whole_numbers = (np.array([[1, 0]]), np.array([[1, 2], [3, 1], [0, 0]]), np.array([[3], [1], [2]]))
    return [*(run(*size) for size in sizes), whole_numbers], run(3, 6, 4, 2, size=2000.0)


_CASES, _STEEP = _runs()


Exercise(
    "4.4",
    reference=lambda q, k, v: attention(q, k, v).output,
    cases=_CASES,
    edges=[Edge(_STEEP, "large scores give NaN or infinity: no exponential may overflow.")],
    what="the output",
    mistakes={
        "the scores are not scaled.": pitfalls.attention_with(pitfalls.scores_undivided),
        "the divisor is not the head size itself.": pitfalls.attention_with(
            pitfalls.scores_over_the_head_size
        ),
        "the divisor came from the number of keys.": pitfalls.attention_with(
            pitfalls.scores_over_the_root_of_keys
        ),
        "the divisor came from the values.": lambda q, k, v: softmax(q @ k.T / np.sqrt(v.shape[1])) @ v,
        "the divisor is always two: it must be read off the queries that are given.": pitfalls.attention_with(
            pitfalls.scores_over_two
        ),
        "the scaling came after softmax.": lambda q, k, v: pitfalls.scale_after_softmax(q, k) @ v,
        "softmax ran down the columns.": pitfalls.attention_with(weigh=pitfalls.softmax_down_the_columns),
        "a row was not divided by its own sum.": pitfalls.attention_with(weigh=_totals_without_keepdims),
        "the scores mix the values without softmax.": pitfalls.attention_with(weigh=lambda scores: scores),
        "the weights were transposed before the mix.": pitfalls.attention_with(
            weigh=lambda scores: softmax(scores).T
        ),
        "keys ask and queries answer.": lambda q, k, v: attention(k, q, v).output,
    },
)
