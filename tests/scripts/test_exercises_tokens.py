"""Exercises of section 1: what is right passes, and every known mistake is named."""

import numpy as np
import pytest

from scripts.attention import neighbour_weights
from scripts.exercises import verdict
from tools.facts import facts


def shifted(X, before, itself, after):
    new = itself * X
    new[1:] += before * X[:-1]
    new[:-1] += after * X[1:]
    return new


def around(X, before, itself, after):
    return before * np.roll(X, 1, axis=0) + itself * X + after * np.roll(X, -1, axis=0)


def in_place(X, before, itself, after):
    X[:] = shifted(X, before, itself, after)
    return X


def finished_neighbours(X, before, itself, after):
    new = np.array(X, dtype=float)
    for i in range(len(new)):
        new[i] *= itself
        if i:
            new[i] += before * new[i - 1]
        if i + 1 < len(new):
            new[i] += after * new[i + 1]
    return new


def whole_numbers(X, before, itself, after):
    new = np.zeros_like(X)
    for i in range(len(X)):
        new[i] = itself * X[i]
        if i > 0:
            new[i] += np.asarray(before * X[i - 1], X.dtype)
        if i + 1 < len(X):
            new[i] += np.asarray(after * X[i + 1], X.dtype)
    return new


def topped_up(X, before, itself, after):
    weights = neighbour_weights(len(X), before, itself, after)
    return weights / weights.sum(axis=1, keepdims=True) @ X


RIGHT = [
    ("1.1", [2.5, 2]),
    ("1.1", np.array([[2.5, 2.0]])),
    ("1.2", (0.75, 0.25)),
    ("1.2", np.array([0.75, 0.25])),
    ("1.3", shifted),
    ("1.3", lambda X, b, i, a: (neighbour_weights(len(X), b, i, a) @ X).tolist()),
    ("1.4", lambda weights, order: weights[order][:, order]),
    ("1.4", lambda weights, order: weights[np.ix_(order, order)]),
]
WRONG = [
    ("1.1", [2, 10 / 3], "same share"),
    ("1.1", [6, 10], "without their weights"),
    ("1.1", [2, 3.5], "wrong order"),
    ("1.1", [2.5, 4], "minus sign"),
    ("1.1", [2.5, 2.01], "1 of its 2"),
    ("1.1", [1, 4, 3], "3 numbers; 2 numbers"),
    ("1.2", [0.25, 0.75], "changed places"),
    ("1.2", [0.75, 0.75], "total one"),
    ("1.2", [1.5, -0.5], "never negative"),
    ("1.2", [0.5, 0.5], "differs"),
    ("1.2", [75, 25], "total one"),
    ("1.3", around, "round the ends"),
    ("1.3", in_place, "work on a copy"),
    ("1.3", finished_neighbours, "still be the old"),
    ("1.3", topped_up, "total one"),
    ("1.3", whole_numbers, "differs"),
    ("1.3", lambda X, b, i, a: shifted(X, a, i, b), "before and after"),
    ("1.3", lambda X, b, i, a: i * X, "stayed as they were"),
    ("1.3", lambda X, b, i, a: shifted(X, b, i, a).T, "changed places"),
    ("1.3", lambda X, b, i, a: neighbour_weights(4, b, i, a) @ X, "stopped with ValueError"),
    ("1.3", np.ones((4, 4)), "without brackets"),
    ("1.4", lambda w, order: w[order], "not those that are looked at"),
    ("1.4", lambda w, order: w[:, order], "not those that ask"),
    ("1.4", lambda w, order: w, "nothing moved"),
    ("1.4", lambda w, order: w[np.argsort(order)][:, np.argsort(order)], "wrong way"),
    ("1.4", lambda w, order: w[order, order], "5 numbers; 5 rows of 5"),
    ("1.4", lambda w, order: w[order][:, order].T, "differs"),
]


@pytest.mark.parametrize(("identity", "answer"), RIGHT)
def test_right_answers_pass(identity, answer):
    assert verdict(identity, answer)[0] is True


@pytest.mark.parametrize(("identity", "answer", "told"), WRONG)
def test_mistakes_are_named(identity, answer, told):
    ok, message = verdict(identity, answer)
    assert ok is False and told in message, message


@pytest.mark.parametrize("identity", ["1.3", "1.4"])
def test_a_stub_is_no_answer_yet(identity):
    assert verdict(identity, lambda *given: None)[0] is None


def test_printed_numbers_come_from_the_exercises():
    known = facts()
    assert known["mix-task-mixture"].tolist() == [2.5, 2]
    assert known["found-task-mixture"].tolist() == [4, 4]
