"""What sentences claim beyond the numbers that they print; the numbers are bound to the cells."""

from itertools import combinations

import numpy as np
import pytest

from scripts import cost, example
from scripts.attention import self_attention


@pytest.mark.published_example
def test_pick_and_up_end_nearest_and_lean_on_the_same_token():
    gaps = {
        pair: np.abs(np.subtract(*example.OUTPUT[list(pair)])).mean() for pair in combinations(range(4), 2)
    }
    assert min(gaps, key=gaps.get) == (0, 1)
    assert example.WEIGHTS.argmax(axis=1).tolist() == [3, 3, 0, 0]


@pytest.mark.published_example
def test_a_token_of_zeros_takes_from_all_alike_and_gets_more():
    wiped = example.TOKENS.copy()
    wiped[0] = 0
    run = self_attention(wiped, example.W_QUERY, example.W_KEY, example.W_VALUE)
    np.testing.assert_allclose(run.weights[0], 0.25)
    assert run.weights[3, 0] > example.WEIGHTS[3, 0]
    # The riddle of section 1, solved in section 4: its scores are zero, and e to the power of zero is not.
    assert not run.scores[0].any() and not run.scores[:, 0].any()
    np.testing.assert_array_equal(run.scores[1:, 1:], example.SCORES[1:, 1:])
    assert (run.scores[3, 1:] < 0).all() and example.SCORES[3, 0] < 0
    assert run.weights[3, 0] == pytest.approx(1 / np.exp(run.scores[3]).sum())


@pytest.mark.published_example
def test_direct_comparison_is_mutual_and_mostly_finds_itself():
    direct = example.TOKENS @ example.TOKENS.T
    np.testing.assert_array_equal(direct, direct.T)
    assert direct.argmax(axis=1).tolist() == [0, 1, 3, 3]
    assert not np.allclose(example.RAW, example.RAW.T)


@pytest.mark.published_example
def test_mix_values_printed_products_add_up():
    """The products as printed total the new vector as printed, in every column."""
    products = (example.WEIGHTS[3][:, None] * example.VALUES).round(2)
    np.testing.assert_allclose(products.sum(axis=0), example.OUTPUT[3].round(2))


def test_stream_lets_nothing_leak_through_a_second_layer():
    may = cost.STREAM_ALLOWED
    np.testing.assert_array_equal(may @ may, may)


@pytest.mark.published_example
def test_the_second_block_brings_the_larger_score():
    first, second = example.SCORES[0, :2], example.SCORES[0, 2:]
    assert second.max() > first.max()
