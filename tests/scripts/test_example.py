"""The running example, number for number as the page that this course rebuilds prints it."""

import runpy
from pathlib import Path

import numpy as np
import pytest
import slow

from scripts import cost, example

TOKENS = [[-1.1, 0.1, -0.2, -0.5], [0.3, 0.8, 0.0, -1.1], [0.4, -0.4, 0.9, -0.3], [0.6, -1.0, 1.5, -0.7]]
WEIGHTS = [
    [0.061, 0.064, 0.301, 0.574],
    [0.022, 0.115, 0.182, 0.681],
    [0.503, 0.185, 0.210, 0.102],
    [0.683, 0.103, 0.168, 0.046],
]


@pytest.mark.published_example
def test_tokens_and_weights_are_the_printed_ones():
    np.testing.assert_array_equal(example.TOKENS, TOKENS)
    assert not np.signbit(example.TOKENS[1, 2])
    np.testing.assert_array_equal(example.WEIGHTS.round(3), WEIGHTS)


def test_an_order_of_five_words_is_refused(tmp_path):
    source = Path(example.__file__).read_text(encoding="utf-8")
    other = tmp_path / "example.py"
    other.write_text(source.replace("ORDER = (", 'ORDER = ("please", ', 1), encoding="utf-8")
    with pytest.raises(ValueError, match="ORDER has four words"):
        runpy.run_path(str(other))


def test_every_step_follows_from_the_tokens_by_explicit_loops():
    tokens, w_q, w_k, w_v = (
        a.tolist() for a in (example.TOKENS, example.W_QUERY, example.W_KEY, example.W_VALUE)
    )
    q, k, v = (slow.project(tokens, w) for w in (w_q, w_k, w_v))
    np.testing.assert_allclose(example.QUERIES, q, atol=1e-14)
    np.testing.assert_allclose(example.KEYS, k, atol=1e-14)
    np.testing.assert_allclose(example.VALUES, v, atol=1e-14)
    steps = slow.attention(q, k, v)
    names = (example.RAW, example.SCORES, example.WEIGHTS, example.OUTPUT)
    for got, want in zip(names, steps, strict=True):
        np.testing.assert_allclose(got, want, rtol=1e-12)
    joined = slow.multi_head(q, k, v, 2)
    np.testing.assert_allclose(example.TWO_HEADS.joined, joined, rtol=1e-12)
    np.testing.assert_allclose(
        example.TWO_HEADS.output, slow.project(joined, example.W_OUTPUT.tolist()), rtol=1e-11
    )
    robots = slow.project(example.ROBOT_TOKENS.tolist(), w_q)
    np.testing.assert_allclose(example.CROSS.weights, slow.attention(robots, k, v)[2], rtol=1e-12)


def test_one_generator_draws_the_tokens_and_then_the_four_matrices():
    generator = np.random.default_rng(example.SEED)
    matrices = example.W_QUERY, example.W_KEY, example.W_VALUE, example.W_OUTPUT
    for spread, array in ((0.9, example.TOKENS), *((0.6, matrix) for matrix in matrices)):
        np.testing.assert_array_equal(np.round(generator.normal(0, spread, (4, 4)), 1) + 0.0, array)


def test_the_example_cannot_be_changed_by_accident():
    for name in ("TOKENS", "W_QUERY", "QUERIES", "RAW", "WEIGHTS", "OUTPUT", "ROBOT_TOKENS"):
        with pytest.raises(ValueError, match="read-only"):
            getattr(example, name)[0, 0] = 1
    with pytest.raises(ValueError, match="read-only"):
        cost.STREAM_ALLOWED[0, 0] = False


# ---- what attention costs ---------------------------------------------------


@pytest.mark.parametrize(("n", "width"), [(3, 4), (5, 2), (7, 6)])
def test_steps_count_the_multiplications_of_the_loops(n, width):
    """Count, one by one, the multiply-and-adds that the definitions ask for."""
    projections = sum(1 for _ in range(4) for _ in range(n) for _ in range(width) for _ in range(width))
    scores = sum(1 for _ in range(n) for _ in range(n) for _ in range(width))
    mix = sum(1 for _ in range(n) for _ in range(width) for _ in range(n))
    assert cost.projection_steps(n, width) == projections
    assert cost.grid_steps(n, width) == scores + mix
    assert cost.grid_share(n, width) == pytest.approx((scores + mix) / (scores + mix + projections))


@pytest.mark.parametrize("width", [1, 4, 768])
def test_the_costs_cross_at_twice_the_width(width):
    n = cost.crossing(width)
    assert cost.grid_steps(n, width) == cost.projection_steps(n, width)
    assert cost.grid_steps(n + 1, width) > cost.projection_steps(n + 1, width)
    assert cost.grid_share(n, width) == 0.5


def test_heads_cost_grids_but_no_parameters():
    assert {cost.parameters(768, h) for h in cost.divisors(768)} == {4 * 768 * 768}
    assert cost.divisors(12) == [1, 2, 3, 4, 6, 12]
    assert [cost.head_size(12, h) for h in cost.divisors(12)] == [12, 6, 4, 3, 2, 1]
    assert cost.grid_numbers(5, 3) == 75
    assert cost.grid_numbers(2, n_keys=4) == 8
    assert cost.grid_bytes(5, 3, 2) == 150
    assert (cost.MIB, cost.GIB) == (1048576, 1024 * 1048576)


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: cost.projection_steps(0), "n must be a whole number of at least 1; got 0"),
        (lambda: cost.grid_steps(4, -1), "width must be .* got -1"),
        (lambda: cost.grid_steps(4.5), "n must be .* got 4.5"),
        (lambda: cost.crossing("x"), "width must be .* got 'x'"),
        (lambda: cost.grid_bytes(4, 0), "heads must be .* got 0"),
        (lambda: cost.grid_bytes(4, 1, 0), "bytes_a_number must be .* got 0"),
        (lambda: cost.head_size(768, 5), "heads must divide the width 768 .* got 5"),
        (lambda: cost.parameters(768, 5), "heads must divide the width 768 .* got 5"),
        (lambda: cost.divisors(0), "width must be .* got 0"),
    ],
)
def test_bad_sizes_are_named(call, said):
    with pytest.raises(ValueError, match=said):
        call()
