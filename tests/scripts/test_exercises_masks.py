"""Exercises of section 6: what is right passes, and every known mistake is named."""

import numpy as np
import pytest

from scripts.attention import causal_mask, self_attention, softmax
from scripts.exercises import verdict

# ---- the solutions that the notebook prints ----------------------------------


def causal(n_queries, n_keys):
    place_of_query = np.arange(n_queries)[:, None] + (n_keys - n_queries)
    place_of_key = np.arange(n_keys)[None, :]
    return place_of_key <= place_of_query


def masked_softmax(scores, allowed):
    if not allowed.any(axis=1).all():
        raise ValueError("each query needs at least one key to look at")
    masked = np.where(allowed, scores, -np.inf)
    raised = np.exp(masked - masked.max(axis=1, keepdims=True))
    return raised / raised.sum(axis=1, keepdims=True)


def who_sees(attend, tokens):
    before = attend(tokens)
    moves = np.zeros((len(tokens), len(tokens)), dtype=bool)
    for j in range(len(tokens)):
        changed = tokens.copy()
        changed[j] += 10
        moves[:, j] = (abs(attend(changed) - before) > 1e-9).any(axis=1)
    return moves


# ---- softmax with a mask, each with one mistake --------------------------------


def _raise_or(scores, allowed):
    if not allowed.any(axis=1).all():
        raise ValueError("nothing allowed")


def forgets_mask(scores, allowed):
    return softmax(scores)


def mask_after(scores, allowed):
    _raise_or(scores, allowed)
    return softmax(scores) * allowed


def inverted(scores, allowed):
    return masked_softmax(scores, ~allowed)


def set_to_zero(scores, allowed):
    _raise_or(scores, allowed)
    return softmax(np.where(allowed, scores, 0))


def replaced_by_a_large_number(scores, allowed):
    return softmax(np.where(allowed, scores, -1e9))


def large_number_refusing(scores, allowed):
    _raise_or(scores, allowed)
    return softmax(np.where(allowed, scores, -1e9))


def added_large_number(scores, allowed):
    return softmax(scores + np.where(allowed, 0, -1e6))


def added_too_small_a_number(scores, allowed):
    _raise_or(scores, allowed)
    return softmax(scores + np.where(allowed, 0, -15.0))


def down_the_columns(scores, allowed):
    _raise_or(scores, allowed)
    raised = np.where(allowed, np.exp(scores), 0)
    return raised / np.maximum(raised.sum(axis=0), 1e-300)


def follows_the_formula(scores, allowed):
    masked = np.where(allowed, scores, -np.inf)
    raised = np.exp(masked - masked.max(axis=1, keepdims=True))
    return raised / raised.sum(axis=1, keepdims=True)


def gives_zeros(scores, allowed):
    return np.nan_to_num(follows_the_formula(scores, allowed))


def largest_of_all(scores, allowed):
    _raise_or(scores, allowed)
    raised = np.where(allowed, np.exp(scores - scores.max(axis=1, keepdims=True)), 0)
    return raised / raised.sum(axis=1, keepdims=True)


def no_largest(scores, allowed):
    _raise_or(scores, allowed)
    raised = np.where(allowed, np.exp(scores), 0)
    return raised / raised.sum(axis=1, keepdims=True)


def multiplies_by_the_mask(scores, allowed):
    _raise_or(scores, allowed)
    masked = np.where(allowed, scores, -np.inf)
    raised = np.exp(scores - masked.max(axis=1, keepdims=True)) * allowed
    return raised / raised.sum(axis=1, keepdims=True)


def spoils_its_input(scores, allowed):
    _raise_or(scores, allowed)
    scores[~allowed] = -np.inf
    return masked_softmax(scores, allowed)


# ---- probes, each with one mistake ---------------------------------------------


def never_resets(attend, tokens):
    before, changed, columns = attend(tokens), tokens.copy(), []
    for j in range(len(tokens)):
        changed[j] += 10
        columns.append((abs(attend(changed) - before) > 1e-9).any(axis=1))
    return np.array(columns).T


def changes_all(attend, tokens):
    moved = (abs(attend(tokens + 10) - attend(tokens)) > 1e-9).any(axis=1)
    return np.tile(moved, (len(tokens), 1))


def spoils_tokens(attend, tokens):
    before = attend(tokens)
    columns = []
    for j in range(len(tokens)):
        tokens[j] += 10
        columns.append((abs(attend(tokens) - before) > 1e-9).any(axis=1))
    return np.array(columns).T


def changes_nothing(attend, tokens):
    before = attend(tokens)
    return np.array([(attend(tokens) != before).any(axis=1) for _ in tokens]).T


def leaves_itself_out(attend, tokens):
    return who_sees(attend, tokens) & ~np.eye(len(tokens), dtype=bool)


@pytest.mark.parametrize(
    ("identity", "answer"),
    [
        ("6.1", [0.125, 0.25, 0.625, 0]),
        ("6.1", np.array([[0.125, 0.25, 0.625, 0.0]])),
        ("6.1", (1 / 8, 2 / 8, 5 / 8, 0)),
        ("6.2", (25, 24, 20)),
        ("6.2", np.array([25.0, 24.0, 20.0])),
        ("6.3", causal),
        ("6.3", causal_mask),
        ("6.3", lambda q, k: np.tri(q, k, k - q, dtype=bool)),
        ("6.3", lambda q, k: causal(q, k).tolist()),
        ("6.4", masked_softmax),
        ("6.4", softmax),
        ("6.5", who_sees),
    ],
)
def test_right_answers_pass(identity, answer):
    ok, message = verdict(identity, answer)
    assert ok, message


@pytest.mark.parametrize(
    ("identity", "answer"),
    [
        ("6.1", None),
        ("6.2", None),
        ("6.2", [None, None, None]),
        ("6.3", lambda n_queries, n_keys: None),
        ("6.4", lambda scores, allowed: None),
        ("6.5", lambda attend, tokens: None),
    ],
)
def test_nothing_yet(identity, answer):
    ok, message = verdict(identity, answer)
    assert ok is None and message.startswith("no answer yet")


WRONG = [
    ("6.1", [0.05, 0.1, 0.25, 0.6], "still has a share"),
    ("6.1", [0.05, 0.1, 0.25, 0], "given to nobody"),
    ("6.1", [0.111, 0.222, 0.556, 0.111], "not zero"),
    ("6.1", [0, 0, 0, 1], "wrong way round"),
    ("6.1", [1, 2, 5, 0], "divided by their total"),
    ("6.1", [0.25, 0.3, 0.45, 0], "in proportion"),
    ("6.1", [0.125, 0.25, 0.625], "keeps its place"),
    ("6.1", [0.13, 0.25, 0.63, 0], "in 2 of its 4 numbers"),
    ("6.2", (5, 8, 10), "how many such tokens ask"),
    ("6.2", (50, 15, 4), "the rows of the rule ask"),
    ("6.2", (20, 21, 18), "itself as well"),
    ("6.2", (0, 15, 16), "others of its own kind"),
    ("6.2", (25, 6, 0), "forbidden pairs"),
    ("6.2", (50, 30, 20), "some of them are forbidden"),
    ("6.2", (1, 2, 3), "count tokens"),
    ("6.2", 69, "3 numbers"),
    ("6.3", lambda q, k: np.tri(q, k, dtype=bool), "counted from the beginning"),
    ("6.3", lambda q, k: ~causal(q, k), "the opposite"),
    ("6.3", lambda q, k: np.tri(q, k, k - q - 1, dtype=bool), "may not look at itself"),
    ("6.3", lambda q, k: np.ones((q, k), dtype=bool), "every pair is allowed"),
    ("6.3", lambda q, k: causal(q, k)[::-1, ::-1], "comes after"),
    ("6.3", lambda q, k: causal(q, k).astype(float), "booleans"),
    ("6.3", lambda q, k: np.where(causal(q, k), 0, -np.inf), "booleans"),
    ("6.3", lambda q, k: np.ones((k, q), dtype=bool), ""),
    ("6.3", lambda q: causal(q, q), "stopped with TypeError"),
    ("6.4", forgets_mask, "no difference"),
    ("6.4", mask_after, "after softmax"),
    ("6.4", inverted, "the opposite"),
    ("6.4", set_to_zero, "e to the power of zero"),
    ("6.4", replaced_by_a_large_number, "equal weights"),
    ("6.4", large_number_refusing, "not minus infinity"),
    ("6.4", added_large_number, "should be refused"),
    ("6.4", added_too_small_a_number, "not zero"),
    ("6.4", down_the_columns, "down the columns"),
    ("6.4", follows_the_formula, "gets NaN"),
    ("6.4", gives_zeros, "gets zeros"),
    ("6.4", largest_of_all, "among those that are allowed"),
    ("6.4", no_largest, "large scores give NaN"),
    ("6.4", multiplies_by_the_mask, "forbidden"),
    ("6.4", spoils_its_input, "changes the numbers"),
    ("6.5", lambda attend, tokens: who_sees(attend, tokens).T, "rows and columns are exchanged"),
    ("6.5", lambda attend, tokens: ~who_sees(attend, tokens), "where none does"),
    ("6.5", lambda attend, tokens: np.tri(len(tokens), dtype=bool), "never called"),
    ("6.5", never_resets, "start from the old tokens"),
    ("6.5", changes_all, "one token at a time"),
    ("6.5", spoils_tokens, "changes the numbers"),
    ("6.5", changes_nothing, "no output seems to move"),
    ("6.5", leaves_itself_out, "own output"),
    ("6.5", lambda attend, tokens: attend(tokens[:1]), "all 4 tokens at once"),
]


@pytest.mark.parametrize(("identity", "answer", "said"), WRONG)
def test_wrong_answers_are_told_why(identity, answer, said):
    ok, message = verdict(identity, answer)
    assert ok is False
    assert said in message


def test_the_probe_finds_the_staircase():
    generator = np.random.default_rng(6)
    tokens, *matrices = generator.normal(size=(4, 4, 4))
    found = who_sees(lambda T: self_attention(T, *matrices, causal_mask(len(T))).output, tokens)
    assert np.array_equal(found, causal_mask(4))
