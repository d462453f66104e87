"""The arithmetic against slow loops, exact values and the properties that it must have."""

import math
import re
from fractions import Fraction

import numpy as np
import pytest
import slow

from scripts import attention as at

# Every size differs from every other, so that no exchange of axes can hide.
N_Q, N_K, SIZE, SIZE_V, WIDTH = 3, 5, 4, 6, 7


@pytest.fixture(params=range(5))
def qkv(request):
    rng = np.random.default_rng(request.param)
    return tuple(rng.normal(0, 2, shape) for shape in ((N_Q, SIZE), (N_K, SIZE), (N_K, SIZE_V)))


@pytest.fixture
def mask():
    allowed = np.random.default_rng(1).random((N_Q, N_K)) < 0.5
    allowed[:, 2] = True
    return allowed


# ---- against loops ---------------------------------------------------------


def test_project_is_rows_by_columns():
    rng = np.random.default_rng(0)
    tokens, matrix = rng.normal(size=(N_Q, WIDTH)), rng.normal(size=(WIDTH, SIZE))
    np.testing.assert_allclose(at.project(tokens, matrix), slow.project(tokens, matrix), rtol=1e-13)


def test_every_step_equals_the_loops(qkv):
    run = at.attention(*qkv)
    raw, scaled, weights, outputs = slow.attention(*(a.tolist() for a in qkv))
    np.testing.assert_allclose(run.raw, raw, rtol=1e-12)
    np.testing.assert_allclose(run.scores, scaled, rtol=1e-12)
    np.testing.assert_allclose(run.weights, weights, rtol=1e-12)
    np.testing.assert_allclose(run.output, outputs, rtol=1e-12, atol=1e-14)


def test_masked_attention_equals_the_loops(qkv, mask):
    run = at.attention(*qkv, mask)
    _, _, weights, outputs = slow.attention(*(a.tolist() for a in qkv), mask.tolist())
    np.testing.assert_allclose(run.weights, weights, rtol=1e-12)
    np.testing.assert_allclose(run.output, outputs, rtol=1e-12, atol=1e-14)


@pytest.mark.parametrize("heads", [1, 2, 3, 6])
def test_heads_equal_the_loops(heads):
    rng = np.random.default_rng(heads)
    q, k, v = (rng.normal(size=(n, 6)) for n in (N_Q, N_K, N_K))
    w_out = rng.normal(size=(6, WIDTH))
    run = at.multi_head_attention(q, k, v, heads, w_out)
    joined = slow.multi_head(q.tolist(), k.tolist(), v.tolist(), heads)
    np.testing.assert_allclose(run.joined, joined, rtol=1e-12, atol=1e-14)
    np.testing.assert_allclose(run.output, slow.project(joined, w_out), rtol=1e-12, atol=1e-13)
    assert len(run.heads) == heads
    assert at.multi_head_attention(q, k, v, heads).output.shape == (N_Q, 6)


def test_a_mask_holds_in_every_head():
    rng = np.random.default_rng(3)
    x = rng.normal(size=(5, 6))
    run = at.multi_head_attention(x, x, x, 3, mask=at.causal_mask(5))
    for head in run.heads:
        assert (head.weights[np.triu_indices(5, 1)] == 0).all()


def test_self_and_cross_attention_project_the_right_side():
    rng = np.random.default_rng(4)
    asking, read = rng.normal(size=(N_Q, WIDTH)), rng.normal(size=(N_K, WIDTH))
    w_q, w_k = rng.normal(size=(2, WIDTH, SIZE))
    w_v = rng.normal(size=(WIDTH, SIZE_V))
    run = at.cross_attention(asking, read, w_q, w_k, w_v)
    q, k, v = (slow.project(a, w) for a, w in ((asking, w_q), (read, w_k), (read, w_v)))
    np.testing.assert_allclose(run.output, slow.attention(q, k, v)[3], rtol=1e-12, atol=1e-13)
    assert run.weights.shape == (N_Q, N_K)
    alone = at.self_attention(read, w_q, w_k, w_v)
    np.testing.assert_array_equal(alone.output, at.cross_attention(read, read, w_q, w_k, w_v).output)


# ---- exact values ----------------------------------------------------------


def test_scores_are_exact_on_whole_numbers():
    queries = np.array([[1, 2, 3, 4], [0, -1, 2, 5]])
    keys = np.array([[2, 0, 1, -1], [1, 1, 1, 1], [3, -2, 0, 4]])
    np.testing.assert_array_equal(at.raw_scores(queries, keys), [[1, 10, 15], [-3, 6, 22]])
    np.testing.assert_array_equal(  # the square root of four numbers is two
        at.scaled_scores(queries, keys), [[0.5, 5, 7.5], [-1.5, 3, 11]]
    )


def test_softmax_against_exact_fractions():
    """Scores that are logarithms of whole numbers give weights that are fractions."""
    parts = [[1, 2, 3, 4], [8, 1, 1, 6]]
    weights = at.softmax(np.log(parts))
    for row, whole in zip(weights, parts, strict=True):
        for weight, part in zip(row, whole, strict=True):
            assert weight == pytest.approx(float(Fraction(part, sum(whole))), rel=1e-14)


def test_softmax_of_large_scores_does_not_overflow():
    with np.errstate(all="raise"):
        weights = at.softmax([[1000.0, 1001.0], [-1e6, -1e6]])
    e = math.e
    np.testing.assert_allclose(weights, [[1 / (1 + e), e / (1 + e)], [0.5, 0.5]], rtol=1e-13)


def test_softmax_steps_belong_together():
    scores = np.random.default_rng(0).normal(size=(N_Q, N_K))
    raised, totals, weights = at.softmax_steps(scores)
    np.testing.assert_allclose(raised, np.exp(scores - scores.max(axis=1, keepdims=True)))
    assert totals.shape == (N_Q, 1)
    np.testing.assert_allclose(weights * totals, raised)


# ---- properties ------------------------------------------------------------


def test_rows_total_one_and_columns_do_not(qkv):
    weights = at.attention(*qkv).weights
    assert (weights >= 0).all()
    np.testing.assert_allclose(weights.sum(axis=1), 1, rtol=1e-14)
    assert abs(weights.sum(axis=0) - 1).max() > 0.1


def test_adding_a_number_to_a_row_changes_no_weight():
    scores = np.random.default_rng(0).normal(size=(N_Q, N_K))
    shifted = scores + np.array([[-700.0], [3.0], [700.0]])
    np.testing.assert_allclose(at.softmax(shifted), at.softmax(scores), rtol=1e-10)


def test_permuting_tokens_permutes_rows_and_nothing_else(qkv):
    queries, keys, values = qkv
    run = at.attention(*qkv)
    order = np.array([2, 0, 1])
    np.testing.assert_allclose(at.attention(queries[order], keys, values).output, run.output[order])
    order = np.array([4, 2, 0, 1, 3])
    shuffled = at.attention(queries, keys[order], values[order])
    np.testing.assert_allclose(shuffled.output, run.output, rtol=1e-12, atol=1e-14)
    np.testing.assert_allclose(shuffled.weights, run.weights[:, order], rtol=1e-12)


# ---- masks -----------------------------------------------------------------


def test_a_forbidden_token_changes_nothing(qkv, mask):
    queries, keys, values = qkv
    run = at.attention(*qkv, mask)
    assert (run.weights[~mask] == 0).all() and (run.weights[mask] > 0).all()
    np.testing.assert_allclose(run.weights.sum(axis=1), 1, rtol=1e-14)
    for j in range(N_K):
        keys_j, values_j = keys.copy(), values.copy()
        keys_j[j] += 3.0
        values_j[j] += 100.0
        moved = at.attention(queries, keys_j, values_j, mask).output
        blind = ~mask[:, j]
        np.testing.assert_array_equal(moved[blind], run.output[blind])
        assert (abs(moved[~blind] - run.output[~blind]).max(axis=1) > 1e-3).all()


def test_causal_mask():
    np.testing.assert_array_equal(at.causal_mask(3), np.tril(np.ones((3, 3), bool)))
    # Two new tokens after three old ones: the first of them sees four, the second all five.
    np.testing.assert_array_equal(at.causal_mask(2, 5).sum(axis=1), [4, 5])
    np.testing.assert_array_equal(at.causal_mask(2, 5), at.causal_mask(5)[-2:])


def test_no_output_moves_when_a_later_token_does():
    rng = np.random.default_rng(6)
    x, w_q, w_k, w_v = rng.normal(size=(4, 4, 4))
    before = at.self_attention(x, w_q, w_k, w_v, at.causal_mask(4)).output
    x[3] += 10
    after = at.self_attention(x, w_q, w_k, w_v, at.causal_mask(4)).output
    np.testing.assert_array_equal(after[:3], before[:3])
    assert abs(after[3] - before[3]).max() > 0.1


def test_padding_mask_allows_pairs_of_real_tokens():
    mask = at.padding_mask([True, False, True])
    np.testing.assert_array_equal(mask, [[True, False, True], [False, False, False], [True, False, True]])
    assert at.padding_mask([True, True], [True, False, True]).tolist() == [[True, False, True]] * 2


def test_block_mask_spreads_kinds_over_tokens():
    mask = at.block_mask([2, 1], [[True, False], [True, True]])
    np.testing.assert_array_equal(mask, [[True, True, False], [True, True, False], [True, True, True]])


def test_merged_masks_allow_what_all_allow():
    merged = at.merge_masks(at.causal_mask(3), at.padding_mask([True, True, False]))
    np.testing.assert_array_equal(merged, [[True, False, False], [True, True, False], [False, False, False]])


# ---- a query that may attend to nothing --------------------------------------


@pytest.fixture
def blind():
    allowed = np.ones((N_Q, N_K), bool)
    allowed[1] = False
    return allowed


def test_a_query_without_a_key_is_refused(qkv, blind):
    with pytest.raises(ValueError, match="forbids every key for query 1"):
        at.attention(*qkv, blind)
    with pytest.raises(ValueError, match="forbids every key for query 1"):
        at.blockwise_attention(*qkv, blind)
    with pytest.raises(ValueError, match="no_answer"):
        at.softmax([[1.0]], no_answer="zeros")


def test_a_query_without_a_key_is_reported_without_a_number(qkv, blind):
    with np.errstate(all="raise"):
        run = at.attention(*qkv, blind, no_answer="report")
    full = at.attention(*qkv)
    for got, want in ((run.weights, full.weights), (run.output, full.output)):
        assert np.ma.getmaskarray(got)[1].all()
        assert not np.ma.getmaskarray(got)[[0, 2]].any()
        assert np.isfinite(got.data).all()
        np.testing.assert_allclose(got[[0, 2]].data, want[[0, 2]], rtol=1e-13)
    raised, totals, _ = at.softmax_steps(full.scores, blind, no_answer="report")
    assert np.ma.getmaskarray(raised)[1].all() and np.ma.getmaskarray(totals)[1].all()
    assert not np.ma.isMaskedArray(at.attention(*qkv, no_answer="report").weights)


def test_a_query_without_a_key_is_reported_through_the_projections_too():
    tokens = np.eye(2)
    matrices, mask = (tokens, tokens, tokens), [[True, True], [False, False]]
    for run in (
        at.self_attention(tokens, *matrices, mask, no_answer="report"),
        at.cross_attention(tokens, tokens, *matrices, mask, no_answer="report"),
    ):
        assert np.ma.getmaskarray(run.output).tolist() == [[False, False], [True, True]]


def test_the_first_query_without_a_key_is_the_one_that_is_named():
    allowed = [[True, False], [False, False], [False, False]]
    with pytest.raises(ValueError, match="for query 1;"):
        at.blockwise_attention(np.ones((3, 2)), np.ones((2, 2)), np.ones((2, 2)), allowed)


def test_a_row_of_weights_with_a_gap_has_no_mixture():
    weights = np.ma.array([[0.5, 0.5], [1.0, 0.0]], mask=[[False, True], [False, False]])
    mixed = at.mix(weights, [[1.0], [2.0]])
    assert np.ma.getmaskarray(mixed).tolist() == [[True], [False]]
    assert mixed[1, 0] == 1.0


def test_a_forbidden_key_takes_nothing_however_scores_lie():
    mask = [[True, False], [False, True]]
    scores = [[-1e15, 1e15], [700.0, -700.0]]
    with np.errstate(all="raise"):
        np.testing.assert_array_equal(at.softmax(scores, mask), [[1, 0], [0, 1]])


# ---- heads -----------------------------------------------------------------


def test_heads_are_cut_by_columns():
    vectors = np.arange(12).reshape(2, 6)
    np.testing.assert_array_equal(
        at.split_heads(vectors, 3), [[[0, 1], [6, 7]], [[2, 3], [8, 9]], [[4, 5], [10, 11]]]
    )


@pytest.mark.parametrize("heads", [1, 2, 3, 6])
def test_join_undoes_split(heads):
    vectors = np.random.default_rng(0).normal(size=(5, 6))
    np.testing.assert_array_equal(at.join_heads(at.split_heads(vectors, heads)), vectors)


# ---- fixed weights ---------------------------------------------------------


def test_neighbour_weights_tell_before_from_after():
    weights = at.neighbour_weights(3, 0.1, 0.7, 0.2)
    assert weights.tolist() == [[0.7, 0.2, 0.0], [0.1, 0.7, 0.2], [0.0, 0.1, 0.7]]
    assert at.neighbour_weights(1, 0.1, 0.7, 0.2).tolist() == [[0.7]]


# ---- blocks ----------------------------------------------------------------


@pytest.mark.parametrize("block", [1, 2, 3, 5, 64])
def test_running_softmax_in_blocks_of_any_size(block):
    generator = np.random.default_rng(block)
    scores, values = generator.normal(0, 30, (6, 5)), generator.normal(size=(5, 3))
    before = scores.copy()
    last = at.running_softmax(scores, values, block)[-1]
    raised = np.exp(scores - scores.max(axis=1, keepdims=True))
    expected = raised / raised.sum(axis=1, keepdims=True) @ values
    assert last.mixed / last.total == pytest.approx(expected, abs=1e-12)
    assert np.array_equal(scores, before)


@pytest.mark.parametrize("block", [1, 2, 3, 4, 50])
def test_blockwise_equals_the_whole_grid(qkv, mask, block):
    np.testing.assert_allclose(
        at.blockwise_attention(*qkv, block=block), at.attention(*qkv).output, atol=1e-12
    )
    np.testing.assert_allclose(
        at.blockwise_attention(*qkv, mask, block=block), at.attention(*qkv, mask).output, atol=1e-12
    )


def test_blockwise_survives_large_scores_and_late_keys():
    rng = np.random.default_rng(7)
    q, k, v = 60 * rng.normal(size=(3, 9, 4))
    mask = at.causal_mask(9)[:, ::-1][::-1]  # the first block is forbidden to the last queries
    assert not mask[-1, :4].any()
    with np.errstate(over="raise", invalid="raise", divide="raise"):
        got = at.blockwise_attention(q, k, v, mask, block=2)
    np.testing.assert_allclose(got, at.attention(q, k, v, mask).output, atol=1e-12)


# ---- bad input -------------------------------------------------------------

GOOD = np.ones((2, 3))
NAN, INF = np.array([[1.0, np.nan, 0.0]]), np.array([[1.0, np.inf, 0.0]])
MASK = np.ones((2, 2), bool)

BAD = [
    (at.project, (np.ones(3), np.ones((3, 2))), "tokens must have two axes.*1 with shape (3,)"),
    (at.project, (np.ones((0, 3)), np.ones((3, 2))), "tokens needs at least one row.*(0, 3)"),
    (at.project, (GOOD, np.ones((4, 2))), "tokens and the rows of matrix.*width; got 3 and 4"),
    (at.project, (NAN, np.ones((3, 2))), "tokens must hold finite numbers"),
    (at.project, (GOOD, INF.T), "matrix must hold finite numbers"),
    (at.project, ([[1, "a"]], GOOD), "tokens must be a grid of numbers"),
    (at.project, ([[1], [1, 2]], GOOD), "tokens must be a grid of numbers"),
    (at.raw_scores, (GOOD, np.ones((2, 4))), "queries and keys.*head size; got 3 and 4"),
    (at.raw_scores, (np.ones((1, 2, 3)), GOOD), "queries must have two axes"),
    (at.raw_scores, (GOOD, np.ones((0, 3))), "keys needs at least one row"),
    (at.scaled_scores, (np.ones((2, 0)), np.ones((2, 0))), "queries needs at least one"),
    (at.softmax, (NAN,), "scores must hold finite numbers"),
    (at.softmax, (GOOD, np.ones((3, 2), bool)), "mask must have the shape.*(2, 3); got (3, 2)"),
    (at.softmax, (GOOD, np.ones((2, 3))), "mask must hold booleans.*float64"),
    (at.mix, (GOOD, np.ones((2, 5))), "columns of weights and values.*got 3 and 2"),
    (at.mix, (np.ones(3), GOOD), "weights must have two axes"),
    (at.attention, (GOOD, GOOD, np.ones((3, 2))), "values.*got 2 and 3"),
    (at.split_heads, (GOOD, 2), "heads must divide the width 3.*got 2"),
    (at.split_heads, (GOOD, 0), "heads must be a whole number of at least 1; got 0"),
    (at.split_heads, (GOOD, -3), "heads must be a whole number of at least 1; got -3"),
    (at.split_heads, (GOOD, 1.5), "heads must be a whole number of at least 1; got 1.5"),
    (at.split_heads, (GOOD, True), "heads must be a whole number of at least 1; got True"),
    (at.split_heads, (np.ones(6), 2), "vectors must have two axes"),
    (at.join_heads, (GOOD,), "pieces must have three axes.*got shape (2, 3)"),
    (at.join_heads, (np.ones((2, 0, 3)),), "pieces must have three axes.*none empty"),
    (at.multi_head_attention, (GOOD, GOOD, GOOD, 2), "heads must divide the width 3"),
    (at.multi_head_attention, (GOOD, GOOD, GOOD, 3, np.ones((2, 2))), "width; got 3 and 2"),
    (at.causal_mask, (0,), "n_queries must be a whole number"),
    (at.causal_mask, (2.0,), "n_queries must be a whole number"),
    (at.causal_mask, (3, 2), "n_keys must be at least n_queries (3); got 2"),
    (at.padding_mask, ([1, 0],), "real_queries must be a list of booleans"),
    (at.padding_mask, (MASK,), "real_queries must be a list of booleans"),
    (at.padding_mask, ([True], []), "real_keys must be a list of booleans"),
    (at.padding_mask, ([True], np.array([], bool)), "real_keys must be a list of booleans"),
    (at.block_mask, ([2, 0], MASK), "counts must be a whole number of at least 1; got 0"),
    (at.block_mask, ([2, 1, 1], MASK), "mask must have the shape.*(3, 3); got (2, 2)"),
    (at.merge_masks, (), "at least one mask"),
    (at.merge_masks, (MASK, np.ones((2, 3), bool)), "(2, 2); got (2, 3)"),
    (at.neighbour_weights, (0, 1, 1, 1), "n must be a whole number of at least 1; got 0"),
    (at.neighbour_weights, (2.5, 1, 1, 1), "n must be a whole number of at least 1; got 2.5"),
    (at.neighbour_weights, (3, np.nan, 1, 1), "before, itself and after must hold finite numbers"),
    (at.neighbour_weights, (3, 1, "x", 1), "before, itself and after must be a grid of numbers"),
    (at.running_softmax, ([1.0], [[1.0]], 1), "scores must have two axes"),
    (
        at.running_softmax,
        ([[1.0, 2.0]], [[1.0]], 1),
        "scores and values must agree in number of keys; got 2 and 1",
    ),
    (at.running_softmax, ([[1.0]], [[np.nan]], 1), "values must hold finite numbers"),
    (at.running_softmax, ([[1.0]], [[1.0]], 0), "block must be a whole number of at least 1; got 0"),
    (at.blockwise_attention, (GOOD, GOOD, np.ones((3, 2))), "keys and values.*got 2 and 3"),
    (at.blockwise_attention, (NAN, GOOD, GOOD), "queries must hold finite numbers"),
    (at.blockwise_attention, (GOOD, NAN, GOOD), "keys must hold finite numbers"),
    (at.blockwise_attention, (GOOD, GOOD, NAN), "values must hold finite numbers"),
    (at.blockwise_attention, (GOOD, np.ones((2, 2)), GOOD), "head size; got 3 and 2"),
]


@pytest.mark.parametrize(
    ("function", "given", "said"), BAD, ids=[f"{f.__name__}-{i}" for i, (f, _, _) in enumerate(BAD)]
)
def test_bad_input_is_named(function, given, said):
    pattern = ".*".join(re.escape(part) for part in said.split(".*"))
    with pytest.raises(ValueError, match=pattern):
        function(*given)


def test_bad_block_is_named():
    with pytest.raises(ValueError, match="block must be a whole number of at least 1; got 0"):
        at.blockwise_attention(GOOD, GOOD, GOOD, block=0)


def test_inputs_are_left_alone(qkv, mask):
    copies = [a.copy() for a in (*qkv, mask)]
    at.attention(*qkv, mask)
    at.blockwise_attention(*qkv, mask, block=2)
    for given, copy in zip((*qkv, mask), copies, strict=True):
        np.testing.assert_array_equal(given, copy)
