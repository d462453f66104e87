"""Exercises of section 4: what is right passes, and every known mistake is named."""

import numpy as np
import pytest

from scripts import example
from scripts.attention import attention, softmax
from scripts.exercises import verdict
from tools.facts import facts


def naive(scores, axis=1):
    raised = np.exp(scores)
    return raised / raised.sum(axis=axis, keepdims=True)


def flat_totals(scores):
    raised = np.exp(scores - scores.max(axis=1, keepdims=True))
    return raised / raised.sum(axis=1)


def whole_largest(scores):
    return naive(scores - scores.max())


def row_largest_forgotten_keepdims(scores):
    return naive(scores - scores.max(axis=1))


def spoils(scores):
    scores -= scores.max(axis=1, keepdims=True)
    return naive(scores)


def single_precision(scores):
    return softmax(np.asarray(scores, dtype=np.float32)).astype(np.float32)


def by(divisor, shares=softmax):
    return lambda q, k, v: shares(q @ k.T / divisor(q, k, v)) @ v


def root(q, k, v):
    return np.sqrt(q.shape[1])


def by_solution(queries, keys, values):
    scores = queries @ keys.T / np.sqrt(keys.shape[1])
    raised = np.exp(scores - scores.max(axis=1, keepdims=True))
    weights = raised / raised.sum(axis=1, keepdims=True)
    return weights @ values


def by_loops(queries, keys, values):
    new = np.zeros((len(queries), values.shape[1]))
    for i, q in enumerate(queries):
        scores = np.array([q @ k for k in keys]) / np.sqrt(len(q))
        raised = np.exp(scores - scores.max())
        for share, value in zip(raised / raised.sum(), values, strict=True):
            new[i] += share * value
    return new


SHARES = {"weights": [0.125, 0.375, 0.5], "mixture": 1.5}
CHANGES = {"doubled": [0.9, 0.1], "five more": [0.75, 0.25], "signs turned": [0.25, 0.75]}
RIGHT = [
    ("4.1", SHARES),
    ("4.1", (np.array([0.125, 0.375, 0.5]), 1.5)),
    ("4.2", CHANGES),
    ("4.2", [[0.9, 0.1], [0.75, 0.25], [0.25, 0.75]]),
    ("4.3", softmax),
    ("4.3", single_precision),
    ("4.4", by_solution),
    ("4.4", by_loops),
    ("4.4", lambda q, k, v: attention(q, k, v).output),
]
WRONG = [
    ("4.1", {**SHARES, "weights": [0.25, 0.75, 1]}, "largest"),
    ("4.1", {**SHARES, "weights": [1 / 3, 1, 4 / 3]}, "how many"),
    ("4.1", {**SHARES, "weights": naive(np.array([[1, 3, 4]]))[0]}, "second time"),
    ("4.1", {**SHARES, "weights": [0.5, 0.375, 0.125]}, "wrong order"),
    ("4.1", {**SHARES, "mixture": 10 / 3}, "plain average"),
    ("4.1", {**SHARES, "mixture": 12}, "do not total one"),
    ("4.1", {**SHARES, "mixture": 3.5}, "minus sign"),
    ("4.1", {**SHARES, "mixture": 5.25}, "wrong order"),
    ("4.1", {**SHARES, "mixture": None}, "still None"),
    ("4.2", {**CHANGES, "doubled": [1.5, 0.5]}, "weights were doubled"),
    ("4.2", {**CHANGES, "doubled": [0.75, 0.25]}, "as they are"),
    ("4.2", {**CHANGES, "doubled": [0.857, 0.143]}, "ratio"),
    ("4.2", {**CHANGES, "doubled": [0.5625, 0.0625]}, "divided by their total"),
    ("4.2", {**CHANGES, "five more": [5.75, 5.25]}, "five cannot be added"),
    ("4.2", {**CHANGES, "five more": [0.9, 0.1]}, "does not change the lead"),
    ("4.2", {**CHANGES, "signs turned": [-0.75, -0.25]}, "never negative"),
    ("4.2", {**CHANGES, "signs turned": [0.75, 0.25]}, "other key is ahead"),
    ("4.3", naive, "thousand give NaN"),
    ("4.3", lambda s: naive(s, axis=0), "columns total one"),
    ("4.3", lambda s: softmax(s.T).T, "columns total one"),
    ("4.3", flat_totals, "have to stay a column"),
    ("4.3", row_largest_forgotten_keepdims, "differs"),
    ("4.3", whole_largest, "largest score of its own"),
    ("4.3", lambda s: naive(np.clip(s, -700, 700)), "differs"),
    ("4.3", lambda s: softmax(s.reshape(1, -1)).reshape(s.shape), "whole grid"),
    ("4.3", np.exp, "not divided by their total"),
    ("4.3", lambda s: s / s.sum(axis=1, keepdims=True), "without being raised"),
    ("4.3", lambda s: softmax(s * np.log(2)), "two is raised"),
    ("4.3", lambda s: softmax(s).round(3), "differs"),
    ("4.3", spoils, "work on a copy"),
    ("4.4", by(lambda q, k, v: 1), "not divided"),
    ("4.4", by(lambda q, k, v: q.shape[1]), "head size itself"),
    ("4.4", by(lambda q, k, v: np.sqrt(len(k))), "number of keys"),
    ("4.4", by(lambda q, k, v: np.sqrt(v.shape[1])), "from the values"),
    ("4.4", by(lambda q, k, v: 2), "always two"),
    ("4.4", lambda q, k, v: softmax(q @ k.T) / root(q, k, v) @ v, "after softmax"),
    ("4.4", by(root, lambda s: softmax(s.T).T), "down the columns"),
    ("4.4", by(root, flat_totals), "own total"),
    ("4.4", by(root, lambda s: s), "without softmax"),
    ("4.4", by(root, naive), "no power may overflow"),
    ("4.4", lambda q, k, v: softmax(q @ k.T / root(q, k, v)) @ k, "rows of 2 are wanted"),
    ("4.4", lambda q, k, v: attention(k, q, v).output, "keys ask"),
    ("4.4", lambda q, k, v: attention(q, k, v), "cannot be read"),
    ("4.4", lambda q, k, v: attention(q, k, v).weights, "rows of 2 are wanted"),
    ("4.4", lambda q, k, v: attention(q, k, v).output if len(q) == len(k) else q @ k.T @ v, "differs"),
]


@pytest.mark.parametrize(("identity", "answer"), RIGHT)
def test_right_answers_pass(identity, answer):
    assert verdict(identity, answer)[0] is True


@pytest.mark.parametrize(("identity", "answer", "told"), WRONG)
def test_mistakes_are_named(identity, answer, told):
    ok, message = verdict(identity, answer)
    assert ok is False and told in message, message


@pytest.mark.parametrize(
    "nothing",
    [("4.1", dict.fromkeys(SHARES)), ("4.2", dict.fromkeys(CHANGES)),
     ("4.3", lambda scores: None), ("4.4", lambda q, k, v: None)],
)  # fmt: skip
def test_a_stub_is_no_answer_yet(nothing):
    assert verdict(*nothing)[0] is None


def test_printed_numbers_come_from_the_exercises():
    known = facts()
    assert known["shares-task-mixture"] == 1.5
    lead = np.log(known["lead-task-ratio"])
    np.testing.assert_allclose(known["lead-task-doubled"], softmax([[2 * lead, 0]])[0])
    np.testing.assert_allclose(softmax([[-lead, 0]])[0], known["lead-task-weights"][::-1])


def test_the_riddle_is_explained_by_the_scores():
    known = facts()
    scores, before = known["wiped-scores"], example.SCORES
    assert not scores[0].any() and not scores[:, 0].any()
    np.testing.assert_array_equal(scores[1:, 1:], before[1:, 1:])
    assert (scores[3, 1:] < 0).all() and before[3, 0] < 0
    assert known["wiped-weights"][3, 0] == pytest.approx(1 / known["wiped-cube-total"])
