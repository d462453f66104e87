"""Exercises of section 7: what is right passes, and every known mistake is named."""

from math import ceil, isqrt, sqrt

import numpy as np
import pytest

from scripts.exercises import cost as section7
from scripts.exercises import verdict

RIGHT_COUNTS = {"projections": 2_000_000, "grid": 500_000, "share": 20}
RIGHT_ROW = {"factor": 0.5, "total": 2.25, "mix": 9, "output": 4}

# ---- the solutions that the notebook prints ----------------------------------


def longest_window(memory, heads, bytes_a_number):
    return isqrt(memory // (heads * bytes_a_number))


def take_block(largest, total, mixed, scores, values):
    higher = np.maximum(largest, scores.max(axis=1, keepdims=True))
    anchor = np.where(higher == -np.inf, 0, higher)
    factor = np.exp(largest - anchor)
    raised = np.exp(scores - anchor)
    total = total * factor + raised.sum(axis=1, keepdims=True)
    mixed = mixed * factor + raised @ values
    return higher, total, mixed


# ---- one step of a running softmax, each with one mistake ----------------------


def altered(**how):
    return lambda *given: section7.take_block(*given, **how)


def no_largest(largest, total, mixed, scores, values):
    raised = np.exp(scores)
    higher = np.maximum(largest, scores.max(axis=1, keepdims=True))
    return higher, total + raised.sum(axis=1, keepdims=True), mixed + raised @ values


def no_anchor(largest, total, mixed, scores, values):
    higher = np.maximum(largest, scores.max(axis=1, keepdims=True))
    factor, raised = np.exp(largest - higher), np.exp(scores - higher)
    return higher, total * factor + raised.sum(axis=1, keepdims=True), mixed * factor + raised @ values


def forgets_the_past(largest, total, mixed, scores, values):
    return take_block(np.full_like(largest, -np.inf), 0 * total, 0 * mixed, scores, values)


def one_largest_for_all(largest, total, mixed, scores, values):
    higher = np.maximum(largest, scores.max())
    factor, raised = np.exp(largest - higher), np.exp(scores - higher)
    return higher, total * factor + raised.sum(axis=1, keepdims=True), mixed * factor + raised @ values


def loses_an_axis(largest, total, mixed, scores, values):
    higher, total, mixed = take_block(largest, total, mixed, scores, values)
    return higher[:, 0], total, mixed


def spoils_its_input(largest, total, mixed, scores, values):
    result = take_block(largest, total, mixed, scores, values)
    scores -= 1
    return result


@pytest.mark.parametrize(
    ("identity", "answer"),
    [
        ("7.1", RIGHT_COUNTS),
        ("7.1", (2e6, 5e5, 20.0)),
        ("7.2", RIGHT_ROW),
        ("7.2", np.array(list(RIGHT_ROW.values()))),
        ("7.3", longest_window),
        ("7.3", lambda memory, heads, size: np.floor(np.sqrt(memory / heads / size))),
        ("7.4", take_block),
        ("7.4", section7.take_block),
    ],
)
def test_right_answers_pass(identity, answer):
    ok, message = verdict(identity, answer)
    assert ok, message


@pytest.mark.parametrize(
    ("identity", "answer"),
    [
        ("7.1", dict.fromkeys(RIGHT_COUNTS)),
        ("7.2", dict.fromkeys(RIGHT_ROW)),
        ("7.2", None),
        ("7.3", lambda memory, heads, bytes_a_number: None),
        ("7.4", lambda largest, total, mixed, scores, values: None),
    ],
)
def test_nothing_yet(identity, answer):
    ok, message = verdict(identity, answer)
    assert ok is None and message.startswith("no answer yet")


WRONG = [
    ("7.1", (4e6, 1e6, 20), "FLOPs"),
    ("7.1", {**RIGHT_COUNTS, "projections": 1_500_000}, "leave a matrix out"),
    ("7.1", {**RIGHT_COUNTS, "projections": 40_000}, "parameters"),
    ("7.1", {**RIGHT_COUNTS, "projections": 1_000_000}, "not in pairs"),
    ("7.1", {**RIGHT_COUNTS, "grid": 250_000}, "used twice"),
    ("7.1", {**RIGHT_COUNTS, "grid": 2_500}, "these are the scores"),
    ("7.1", {**RIGHT_COUNTS, "grid": 10_000}, "the tokens come in twice"),
    ("7.1", {**RIGHT_COUNTS, "share": 25}, "of both together"),
    ("7.1", {**RIGHT_COUNTS, "share": 0.2}, "in per cent"),
    ("7.1", {**RIGHT_COUNTS, "share": 80}, "of the projections"),
    ("7.1", {**RIGHT_COUNTS, "share": "20%"}, "text"),
    ("7.2", (0.5, 3.0, 9, 3), "old total was not rescaled"),
    ("7.2", (0.5, 2.25, 13, 5.78), "old mix was not"),
    ("7.2", (2, 4.5, 21, 4.67), "upside down"),
    ("7.2", (1, 3, 13, 4.33), "something must be rescaled"),
    ("7.2", (1, 9, 36, 4), "whole row at once"),
    ("7.2", (0.5, 1.5, 5, 3.33), "second block alone"),
    ("7.2", (0.5, 2.25, 9, 9), "not divided"),
    ("7.2", (0.5, 2.25, 9), "3 parts"),
    ("7.3", lambda memory, heads, size: isqrt(memory // size), "every head"),
    ("7.3", lambda memory, heads, size: isqrt(memory // heads), "more than one byte"),
    ("7.3", lambda memory, heads, size: memory // (heads * size), "square of the tokens"),
    ("7.3", lambda memory, heads, size: ceil(sqrt(memory / (heads * size))), "round down"),
    ("7.3", lambda memory, heads, size: sqrt(memory / (heads * size)), "a whole number"),
    ("7.3", lambda memory, heads, size: 8192, "too"),
    ("7.3", 8192, "itself"),
    ("7.4", altered(keep=(True, False)), "the mix is not rescaled"),
    ("7.4", altered(keep=(False, True)), "the total is not rescaled"),
    ("7.4", altered(keep=(False, False)), "neither total nor mix"),
    ("7.4", altered(power=-1), "minus infinity takes part"),
    ("7.4", altered(divide=True), "divided once"),
    ("7.4", altered(own=True), "the largest so far"),
    ("7.4", no_largest, ""),
    ("7.4", no_anchor, "may look at nothing"),
    ("7.4", forgets_the_past, "only the last block"),
    ("7.4", one_largest_for_all, "each row has its own"),
    ("7.4", loses_an_axis, "lost an axis"),
    ("7.4", spoils_its_input, "changes the numbers"),
    ("7.4", lambda largest, total, mixed, scores, values: mixed / total, "three things"),
]


@pytest.mark.parametrize(("identity", "answer", "said"), WRONG)
def test_wrong_answers_are_told_why(identity, answer, said):
    ok, message = verdict(identity, answer)
    assert ok is False
    assert said in message


def test_two_blocks_make_the_whole_row():
    whole = section7.POWERS @ section7.VALUES / section7.POWERS.sum()
    last = section7.running()[-1]
    assert (last.mixed / last.total).item() == pytest.approx(whole)
