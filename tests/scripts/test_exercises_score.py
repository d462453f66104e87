"""Exercises of section 3: what is right passes, and every known mistake is named."""

import numpy as np
import pytest

from scripts.attention import scaled_scores
from scripts.exercises import verdict
from tools.facts import facts


def by(divisor):
    return lambda q, k: q @ k.T / divisor(q, k)


def spoils(queries, keys):
    queries = queries.astype(float, copy=False)
    queries /= np.sqrt(queries.shape[1])
    return queries @ keys.T


def unclipped(q, k):
    return np.rad2deg(np.arccos(q @ k / np.linalg.norm(q) / np.linalg.norm(k)))


def angle(q, k):
    cosine = q @ k / np.sqrt((q @ q) * (k @ k))
    return np.rad2deg(np.arccos(np.clip(cosine, -1, 1)))


def half_angle(q, k):
    q, k = q / np.linalg.norm(q), k / np.linalg.norm(k)
    return np.rad2deg(2 * np.arctan2(np.linalg.norm(q - k), np.linalg.norm(q + k)))


SPREADS = {"independent": 1, "queries times three": 3, "repeated": 10}
RIGHT = [
    ("3.1", 3),
    ("3.1", np.array([3.0])),
    ("3.2", SPREADS),
    ("3.2", [1.0, 3.0, 10.0]),
    ("3.3", scaled_scores),
    ("3.3", lambda q, k: (q / q.shape[1] ** 0.25) @ (k / k.shape[1] ** 0.25).T),  # two fourth roots
    ("3.4", angle),
    ("3.4", half_angle),
]
WRONG = [
    ("3.1", 6, "raw score"),
    ("3.1", 1.5, "head size itself"),
    ("3.1", 2, "width"),
    ("3.1", 1.2, "number of tokens"),
    ("3.1", 12, "multiplied"),
    ("3.1", 5, "minus sign"),
    ("3.1", 3.1, "too large"),
    ("3.2", [10, 30, 100], '"independent" is the one before'),
    ("3.2", [0.1, 3, 10], "shrinks too much"),
    ("3.2", [1, 9, 10], "only the queries"),
    ("3.2", [1, 1, 10], "larger entries"),
    ("3.2", [1, 3, 1], "nothing cancels"),
    ("3.2", [1, 3, 100], '"repeated" is the one before'),
    ("3.2", {**SPREADS, "repeated": None}, "still None"),
    ("3.3", by(lambda q, k: 1), "not divided"),
    ("3.3", by(lambda q, k: q.shape[1]), "head size itself"),
    ("3.3", by(lambda q, k: np.sqrt(len(q))), "number of queries"),
    ("3.3", by(lambda q, k: np.sqrt(len(k))), "number of keys"),
    ("3.3", by(lambda q, k: 2), "always two"),
    ("3.3", by(lambda q, k: 1 / np.sqrt(q.shape[1])), "multiplied by the root"),
    ("3.3", lambda q, k: scaled_scores(k, q), "changed places"),
    ("3.3", lambda q, k: q @ k / np.sqrt(q.shape[1]), "stopped with ValueError"),
    ("3.3", lambda q, k: scaled_scores(q, k).sum(axis=1), "2 numbers; 2 rows of 5"),
    ("3.3", spoils, "work on a copy"),
    ("3.4", lambda q, k: np.deg2rad(angle(q, k)), "not in degrees"),
    ("3.4", lambda q, k: np.cos(np.deg2rad(angle(q, k))), "the cosine"),
    ("3.4", lambda q, k: np.rad2deg(np.arccos(q @ k / 1e-3)), "divided out of the dot"),
    ("3.4", unclipped, "one line give NaN"),
    ("3.4", lambda q, k: np.rad2deg(np.arccos(np.clip(q @ k, -1, 1))), "lengths were left out"),
    ("3.4", lambda q, k: np.rad2deg(np.arccos(q @ k)), "lengths were left out"),
    ("3.4", lambda q, k: np.nan_to_num(unclipped(q, k)), "along one line is too small"),
    ("3.4", lambda q, k: min(angle(q, k), 180 - angle(q, k)), "sign"),
]


@pytest.mark.parametrize(("identity", "answer"), RIGHT)
def test_right_answers_pass(identity, answer):
    assert verdict(identity, answer)[0] is True


@pytest.mark.parametrize(("identity", "answer", "told"), WRONG)
def test_mistakes_are_named(identity, answer, told):
    ok, message = verdict(identity, answer)
    assert ok is False and told in message, message


@pytest.mark.parametrize(
    "nothing", [("3.2", dict.fromkeys(SPREADS)), ("3.3", lambda q, k: None), ("3.4", lambda q, k: None)]
)
def test_a_stub_is_no_answer_yet(nothing):
    assert verdict(*nothing)[0] is None


def test_printed_numbers_come_from_the_exercises():
    known = facts()
    assert known["score-task-score"] == 3
    assert known["spread-task-divided"].tolist() == [1, 3, 10]
    assert known["flat-task-angle"] == pytest.approx(45)


def test_the_law_of_the_spreads_holds_in_a_simulation():
    generator = np.random.default_rng(0)
    q, k = generator.standard_normal((2, 4000, 100))
    cases = [q * k, 3 * q * k, q[:, :1] * k[:, :1] * np.ones(100)]
    spreads = [products.sum(axis=1).std() / np.sqrt(100) for products in cases]
    # The last case has heavy tails: its variance is an average of 4000 squares of spread root 8.
    np.testing.assert_allclose(spreads, [1, 3, 10], rtol=0.1)
