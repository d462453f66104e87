"""Exercises of section 5: what is right passes, and every known mistake is named."""

import numpy as np
import pytest

from scripts.attention import join_heads, softmax, split_heads
from scripts.exercises import heads as section5
from scripts.exercises import verdict
from scripts.exercises.heads import many_heads

RIGHT_COUNTS = {"head size": 64, "divisor": 8, "parameters": 4_194_304, "scores": 160_000}
RIGHT_SCORES = [[2, -2], [0, 4]]


def cut(vectors, heads):
    n, width = vectors.shape
    pieces = vectors.reshape(n, heads, width // heads)
    return pieces.transpose(1, 0, 2)


def refilled(vectors, heads):
    return vectors.reshape(heads, len(vectors), -1)


def glued(pieces):
    return pieces.reshape(pieces.shape[1], -1)


def by_the_solution(queries, keys, values, heads):
    pieces = [split_heads(vectors, heads) for vectors in (queries, keys, values)]
    outputs = []
    for q, k, v in zip(*pieces, strict=True):
        size = q.shape[1]
        outputs.append(softmax(q @ k.T / np.sqrt(size)) @ v)
    return join_heads(outputs)


def naive(scores):
    return np.exp(scores) / np.exp(scores).sum(axis=1, keepdims=True)


def overflowing(queries, keys, values, heads):
    pieces = zip(*(split_heads(a, heads) for a in (queries, keys, values)), strict=True)
    return join_heads([naive(q @ k.T / np.sqrt(q.shape[1])) @ v for q, k, v in pieces])


def altered(**how):
    return lambda queries, keys, values, heads: many_heads(queries, keys, values, heads, **how)


def spoils_its_input(queries, keys, values, heads):
    queries /= np.sqrt(queries.shape[1] // heads)
    return many_heads(queries, keys, values, heads, divisor=1)


@pytest.mark.parametrize(
    ("identity", "answer"),
    [
        ("5.1", RIGHT_COUNTS),
        ("5.1", list(RIGHT_COUNTS.values())),
        ("5.1", np.array(list(RIGHT_COUNTS.values()))),
        ("5.2", RIGHT_SCORES),
        ("5.2", np.array(RIGHT_SCORES, dtype=float)),
        ("5.2", ((2, -2), (0.0, 4))),
        ("5.3", cut),
        ("5.3", split_heads),
        ("5.3", lambda vectors, heads: np.split(vectors, heads, axis=1)),
        ("5.4", by_the_solution),
        ("5.4", many_heads),
    ],
)
def test_right_answers_pass(identity, answer):
    ok, message = verdict(identity, answer)
    assert ok, message


@pytest.mark.parametrize(
    ("identity", "answer"),
    [
        ("5.1", None),
        ("5.1", dict.fromkeys(RIGHT_COUNTS)),
        ("5.2", None),
        ("5.3", lambda vectors, heads: None),
        ("5.4", lambda queries, keys, values, heads: None),
    ],
)
def test_nothing_yet(identity, answer):
    ok, message = verdict(identity, answer)
    assert ok is None and message.startswith("no answer yet")


WRONG = [
    ("5.1", {**RIGHT_COUNTS, "head size": 16}, "not how many heads there are"),
    ("5.1", {**RIGHT_COUNTS, "divisor": 32}, "not that of the whole width"),
    ("5.1", {**RIGHT_COUNTS, "divisor": 64}, "not the head size itself"),
    ("5.1", {**RIGHT_COUNTS, "divisor": 10}, "number of tokens"),
    ("5.1", {**RIGHT_COUNTS, "parameters": 16 * 4_194_304}, "multiplied by the heads"),
    ("5.1", {**RIGHT_COUNTS, "parameters": 3 * 1024 * 1024}, "leaves out a matrix"),
    ("5.1", {**RIGHT_COUNTS, "scores": 10_000}, "one head only"),
    ("5.1", {**RIGHT_COUNTS, "scores": None}, "not complete"),
    ("5.1", "64, 8", "4 parts"),
    ("5.2", [[4, -4], [0, 8]], "raw scores"),
    ("5.2", (np.array([[4, -4], [0, 8]]) / np.sqrt(8)).round(2), "root of the full width"),
    ("5.2", [[1, -1], [0, 2]], "where its root belongs"),
    ("5.2", [[2, 0], [-2, 4]], "rows and columns are exchanged"),
    ("5.2", [[-0.5, 3], [2.5, -1]], "every second number"),
    ("5.2", [[0, 4], [2, -2]], "the two heads are exchanged"),
    ("5.2", [[2, -2], [0, 5]], "in 1 of its 4 numbers"),
    ("5.2", [4, 4], "2 rows of 2"),
    ("5.3", refilled, "one after the other"),
    ("5.3", lambda v, heads: v.reshape(len(v), -1, heads).transpose(2, 0, 1), "side by side"),
    ("5.3", lambda v, heads: v.reshape(len(v), heads, -1), "wrong order"),
    ("5.3", lambda v, heads: v.T.reshape(heads, len(v), -1), "piece of one token"),
    ("5.3", lambda v, heads: cut(v, 2), ""),
    ("5.3", lambda v, heads: cut(v, heads).round(2), ""),
    ("5.3", lambda v: v, "stopped with TypeError"),
    ("5.3", np.zeros((2, 4, 2)), "itself"),
    ("5.4", lambda q, k, v, h: many_heads(q, k, v, h, divisor=np.sqrt(q.shape[1])), "whole width"),
    ("5.4", lambda q, k, v, h: many_heads(q, k, v, h, divisor=q.shape[1] // h), "where its root"),
    ("5.4", lambda q, k, v, h: many_heads(q, k, v, h, divisor=np.sqrt(len(k))), "number of tokens"),
    ("5.4", altered(divisor=1), "not divided at all"),
    ("5.4", altered(axis=0), "down the columns"),
    ("5.4", altered(late=True), "after softmax"),
    ("5.4", altered(split=refilled), "cut mixes tokens with heads"),
    ("5.4", altered(join=glued), "joined with the axes in the wrong order"),
    ("5.4", altered(split=refilled, join=glued), "both mix"),
    ("5.4", lambda q, k, v, h: many_heads(q, k, v, 1), "makes no difference"),
    ("5.4", overflowing, "overflow"),
    ("5.4", spoils_its_input, "changes the numbers"),
]


@pytest.mark.parametrize(("identity", "answer", "said"), WRONG)
def test_wrong_answers_are_told_why(identity, answer, said):
    ok, message = verdict(identity, answer)
    assert ok is False
    assert said in message
    assert "64" not in message or identity != "5.1"  # what is right is not given away


def test_every_head_matters_in_the_paper_exercise():
    assert section5.two_heads(1).sum(axis=0).tolist() == [4, 4]
