"""Exercises of the page on learning: gradients, and what stops them."""

import numpy as np

from scripts import gradients
from scripts.exercises.answers import Wrong, parts
from scripts.exercises.exercise import Exercise

# 10.1: where the hand is, where it should be, and the weights of two things
HAND, TARGET = np.array([0.5, -0.25]), np.array([0.25, 0.5])
BALL_WEIGHT, CUP_WEIGHT = 0.2, 0.6

SLOPE = 2 * (HAND - TARGET)  # of the loss at the hand

Exercise(
    "10.1",
    want=BALL_WEIGHT * SLOPE,
    what="the pair of slopes",
    decimals=3,
    mistakes={
        "these are the slopes at the hand itself; only the ball's share of them reaches its value.": SLOPE,
        "the two of the square was lost: the slope of a square is twice the number.": BALL_WEIGHT * SLOPE / 2,
        "the signs are turned round: the slope belongs to hand minus target.": -BALL_WEIGHT * SLOPE,
        "this is the slope at the value of the cup: take the weight of the ball.": CUP_WEIGHT * SLOPE,
        "the weight was squared; it comes in once.": BALL_WEIGHT**2 * SLOPE,
    },
)


# --- 10.2: back through softmax ----------------------------------------------------


def through_softmax(weights, d_weights):
    """Gradient at the scores of one row, from its weights and the gradient at these: both of shape (n,)."""
    return weights * (d_weights - weights @ d_weights)


def _rows():
    generator = np.random.default_rng(102)
    for n in (4, 2, 7):
        yield gradients.softmax(generator.normal(size=n)), generator.normal(size=n)
    yield np.array([0.5, 0.5]), np.array([3.0, 3.0])


Exercise(
    "10.2",
    reference=through_softmax,
    cases=list(_rows()),
    name="through_softmax",
    what=lambda weights, d_weights: f"for {len(weights)} weights, what through_softmax returns",
    mistakes={
        "each weight was treated as if it had its score to itself; but a weight that grows takes from the "
        "others of its row.": lambda w, d: w * d,
        "this would be right for a single exponential's share, w times (1 - w), with no other score in the "
        "row.": lambda w, d: w * (1 - w) * d,
        "the mean was taken with equal parts; each slope counts as much as its weight.": lambda w, d: (
            w * (d - d.mean())
        ),
        "the factor of the weight itself is missing.": lambda w, d: d - w @ d,
        "the sign is turned round.": lambda w, d: w * (w @ d - d),
    },
    praise="The four slopes of a row always sum to zero: no score can win unless another loses.",
)


# --- 10.3: one of three gradients is wrong -------------------------------------------

POINT = {
    "w_query": np.array([[0.5, -1.0], [1.5, 0.5]]),
    "w_key": np.array([[1.0, 0.5], [-0.5, 1.0]]),
    "w_value": np.array([[0.5, 1.0], [-1.0, 0.5]]),
}
TOKENS = np.array([[1.0, -0.5], [0.5, 2.0], [-1.5, 1.0]])
GOAL = np.array([[0.5, 0.5], [-1.0, 0.0], [0.0, 1.0]])


def forward(parameters):
    """Attention of the three tokens, kept for the way back."""
    rows = (TOKENS @ parameters[name] for name in ("w_query", "w_key", "w_value"))
    return gradients.attend(*(row[None] for row in rows))


def loss(parameters) -> float:
    """Mean squared distance of the three outputs from three goals."""
    return gradients.squared_distance(forward(parameters).output[0], GOAL)[0]


def slopes(parameters):
    """Gradient of `loss` at each matrix. One of the three is wrong: find out which."""
    kept = forward(parameters)
    d_output = gradients.squared_distance(kept.output[0], GOAL)[1]
    found = dict(
        zip(
            ("w_query", "w_key", "w_value"),
            (TOKENS.T @ rows[0] for rows in gradients.attend_backward(d_output[None], kept)),
            strict=True,
        )
    )
    found["w_key"] = found["w_key"] / kept.scale  # the planted mistake: the root is forgotten
    return found


def one_of_three(answer):
    """Judge which matrix has the wrong gradient."""
    told = answer.strip() if isinstance(answer, str) else None
    if told not in POINT:
        raise Wrong(
            f"the answer is one of the three names {', '.join(map(repr, POINT))}, in quotation marks."
        )
    if told != "w_key":
        raise Wrong(
            f"the gradient of {told} agrees with finite differences; compare all four numbers of each matrix."
        )


Exercise(
    "10.3",
    judge=one_of_three,
    praise="Its numbers are too large by the root of two: somebody forgot the division on the way back.",
)


# --- 10.4: who stops learning? -------------------------------------------------------

CASES = ("a", "b", "c")
LEARNS = {"a": "", "b": "v", "c": "v"}  # which matrices change in each case
WHY = {
    "a": "with values of zero, the hand stays in the middle whatever the weights: what does a change of a "
    "score alter then?",
    "b": "a query of zero gives every thing the score zero. Does a change of W_k alter that? And a change of W_v?",
    "c": "nothing is frozen, but look at the slope of W_q: it is made with the keys. And that of W_k with the "
    "queries.",
}


def who_learns(answer):
    """Judge the three predictions."""
    for case, told in zip(CASES, parts(answer, CASES), strict=True):
        if not isinstance(told, str) or set(told.lower()) - set("qkv, "):
            raise Wrong(f'case {case} wants a text of the letters q, k and v, such as "kv", or "" for none.')
        if set(told.lower()) - set(", ") != set(LEARNS[case]):
            raise Wrong(f"case {case}: {WHY[case]}")


Exercise("10.4", judge=who_learns, praise="A zero can block the way of all the slopes behind it.")
