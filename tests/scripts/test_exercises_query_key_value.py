"""Exercises of section 2: what is right passes, and every known mistake is named."""

import numpy as np
import pytest

from scripts import example
from scripts.exercises import verdict
from tools.facts import facts


def by_loops(X, W):
    new = np.zeros((X.shape[0], W.shape[1]))
    for i in range(X.shape[0]):
        for j in range(W.shape[1]):
            for c in range(X.shape[1]):
                new[i, j] += X[i, c] * W[c, j]
    return new


def overwritten(X, W):
    new = np.zeros((X.shape[0], W.shape[1]))
    for i in range(X.shape[0]):
        for j in range(W.shape[1]):
            for c in range(X.shape[1]):
                new[i, j] = X[i, c] * W[c, j]
    return new


def never_reset(X, W):
    new, total = np.zeros((X.shape[0], W.shape[1])), 0
    for i in range(X.shape[0]):
        for j in range(W.shape[1]):
            for c in range(X.shape[1]):
                total += X[i, c] * W[c, j]
            new[i, j] = total
    return new


def whole_numbers(X, W):
    return (X @ W).astype(X.dtype)


def spoils(X, W):
    result = X @ W
    W *= 2
    return result


EYE = np.eye(2)
ONE_WAY = [[0, 1], [0, 0]]
RIGHT = [
    ("2.1", [-2, 8]),
    ("2.1", np.array([-2.0, 8.0])),
    ("2.2", (0.47, 0.29)),
    ("2.2", example.VALUES[2, :2]),
    ("2.3", by_loops),
    ("2.3", lambda X, W: [[sum(x * w for x, w in zip(r, c, strict=True)) for c in W.T] for r in X]),
    ("2.4", [ONE_WAY, EYE]),
    ("2.4", (EYE, [[0, 0], [1, 0]])),
    ("2.4", [np.array([[2, 4], [0, 0]]), np.array([[2, -1], [0.5, 0]])]),
]
WRONG = [
    ("2.1", [-1, 10], "along the rows"),
    ("2.1", [6, 4], "minus sign"),
    ("2.1", [-2, 4], "minus signs make a plus"),
    ("2.1", [8, -2], "changed places"),
    ("2.1", [[2, 6], [-4, 2]], "2 rows of 2"),
    ("2.1", [-2, 8.5], "1 of its 2"),
    ("2.2", example.QUERIES[2, :2], "query"),
    ("2.2", example.KEYS[2, :2], "key"),
    ("2.2", example.VALUES[3, :2], '"cube"'),
    ("2.2", [0.29, 0.47], "changed places"),
    ("2.2", (example.W_VALUE @ example.TOKENS[2])[:2], "along rows"),
    ("2.2", [0.5, 0.3], "differs"),
    ("2.3", lambda X, W: X * W, "cell was multiplied"),
    ("2.3", lambda X, W: X @ W.T, "along the rows"),
    ("2.3", lambda X, W: W @ X, "have changed places"),
    ("2.3", lambda X, W: (X @ W).T, "have changed places"),
    ("2.3", overwritten, "last product"),
    ("2.3", never_reset, "begin each at zero"),
    ("2.3", whole_numbers, "differs"),
    ("2.3", spoils, "work on a copy"),
    ("2.3", lambda X, W: X @ W if len(X) == len(W) else X @ W + 1, "differs"),
    ("2.4", [EYE, EYE], "finds itself"),
    ("2.4", [EYE, [[0, 1], [1, 0]]], "both directions"),
    ("2.4", [[[0, 0], [1, 0]], EYE], "wrong way round"),
    ("2.4", [[[0, 2], [0, 0]], EYE], "does not score one"),
    ("2.4", [[[0, 1], [3, 0]], EYE], "does not score zero"),
    ("2.4", [ONE_WAY, None], "None"),
    ("2.4", ONE_WAY, "ask has 2 numbers"),
    ("2.4", [[0, 1, 0, 0], EYE], "2 rows of 2"),
]


@pytest.mark.parametrize(("identity", "answer"), RIGHT)
def test_right_answers_pass(identity, answer):
    assert verdict(identity, answer)[0] is True


@pytest.mark.parametrize(("identity", "answer", "told"), WRONG)
def test_mistakes_are_named(identity, answer, told):
    ok, message = verdict(identity, answer)
    assert ok is False and told in message, message


@pytest.mark.parametrize("nothing", [("2.3", lambda X, W: None), ("2.4", [None, None])])
def test_a_stub_is_no_answer_yet(nothing):
    assert verdict(*nothing)[0] is None


def test_printed_numbers_come_from_the_exercises():
    known = facts()
    assert known["query-task-query"].tolist() == [-2, 8]
    np.testing.assert_allclose(known["the-value-products"].sum(axis=0), example.VALUES[2])
