"""The law behind the simulations, over many generators: no found seed is leant on."""

from math import comb

import numpy as np
import pytest

from scripts import experiments

SEEDS = range(200)
PAIRS = 250
SIZES = (4, 16, 64)


@pytest.fixture(scope="module")
def spreads():
    """Raw spread by generator (rows) and head size (columns)."""
    return np.array([experiments.score_spread(seed, SIZES, PAIRS).raw for seed in SEEDS])


def sampling_error(size):
    """Relative standard error of a variance from PAIRS scores of this head size.

    One product of two independent normals has kurtosis 9; a total of `size` of
    them has 3 + 6 / size.
    """
    return np.sqrt((2 + 6 / size) / PAIRS)


@pytest.mark.parametrize("column", range(len(SIZES)))
def test_the_spread_is_the_square_root_of_the_head_size(spreads, column):
    size = SIZES[column]
    off = (spreads[:, column] ** 2 / size - 1) / sampling_error(size)  # in standard errors
    assert abs(off.mean()) < 4 / np.sqrt(len(SEEDS)), "right on average"
    assert 0.8 < off.std() < 1.2, "and as far off as a sample of this many pairs should be"


def test_scaled_is_raw_over_the_root():
    spread = experiments.score_spread(3, SIZES, PAIRS)
    np.testing.assert_array_equal(spread.scaled, spread.raw / [2, 4, 8])
    np.testing.assert_array_equal(spread.sizes, SIZES)


def test_the_found_seed_is_an_ordinary_one():
    spread = experiments.score_spread()
    errors = np.sqrt((2 + 6 / spread.sizes) / 2000)
    assert (abs(spread.scaled**2 - 1) < 3 * errors).all()


def test_one_generator_serves_all_sizes_queries_before_keys():
    generator = np.random.default_rng(11)
    for size, raw in zip((3, 5), experiments.score_spread(11, (3, 5), 40).raw, strict=True):
        queries = generator.standard_normal((40, size))
        keys = generator.standard_normal((40, size))
        assert raw == pytest.approx(np.einsum("ij,ij->i", queries, keys).std())


def test_what_is_measured_unless_told_otherwise():
    for measured, told in zip(
        experiments.slope_totals(sizes=(4,)),
        experiments.slope_totals(experiments.WINNER_SEED, (4,), n_queries=512, n_keys=64),
        strict=True,
    ):
        np.testing.assert_array_equal(measured, told)


# ---- the winner -------------------------------------------------------------


@pytest.fixture(scope="module")
def winners():
    runs = [experiments.winner_share(seed, SIZES, n_queries=100, n_keys=64) for seed in range(25)]
    return np.array([[run.raw, run.scaled] for run in runs])  # (seed, 2, size)


def test_undivided_the_winner_takes_more_with_every_size(winners):
    assert (np.diff(winners[:, 0], axis=1) > 0).all()


def test_divided_the_winner_takes_the_same_at_every_size(winners):
    scaled = winners[:, 1].mean(axis=0)
    assert scaled.max() - scaled.min() < 0.01
    assert scaled.min() > 0.1
    assert scaled.max() < 0.12


def test_the_winner_is_the_largest_weight_by_a_slow_loop():
    generator = np.random.default_rng(5)
    queries, keys = generator.standard_normal((6, 3)), generator.standard_normal((4, 3))
    wanted = []
    for divisor in (1.0, 3**0.5):
        shares = []
        for query in queries:
            raised = [np.exp(sum(a * b for a, b in zip(query, key, strict=True)) / divisor) for key in keys]
            shares.append(max(raised) / sum(raised))
        wanted.append(sum(shares) / len(shares))
    winner = experiments.winner_share(5, (3,), n_queries=6, n_keys=4)
    assert [winner.raw[0], winner.scaled[0]] == pytest.approx(wanted)


def test_slopes_are_those_of_softmax():
    """The total slope against small steps of one score after another."""
    generator = np.random.default_rng(5)
    queries, keys = generator.standard_normal((6, 3)), generator.standard_normal((4, 3))
    step = 1e-6
    means = experiments.slope_totals(5, (3,), 6, 4)
    medians = experiments.slope_totals(5, (3,), 6, 4, summary=np.median)
    for divisor, mean, median in zip((1.0, 3**0.5), means, medians, strict=True):
        scores = queries @ keys.T  # raw: what is nudged, in either case
        measured = np.zeros(6)
        for j in range(4):
            change = []
            for sign in (1, -1):
                moved = scores.copy()
                moved[:, j] += sign * step
                raised = np.exp(moved / divisor)
                change.append(raised[:, j] / raised.sum(axis=1))
            measured += (change[0] - change[1]) / (2 * step)
        assert mean[0] == pytest.approx(measured.mean(), rel=1e-6)
        assert median[0] == pytest.approx(np.median(measured), rel=1e-6)


def tenths(sums):
    return np.quantile(sums, (0.1, 0.5, 0.9))


@pytest.mark.parametrize("seed", range(6))
def test_in_large_heads_most_queries_are_left_out_unless_scores_are_scaled(seed):
    sizes = np.array(experiments.HEAD_SIZES)
    raw, scaled = experiments.slope_totals(seed, sizes, summary=tenths)
    assert (np.diff(raw[:, 1]) < 0).all()
    # What the text admits: in small heads the typical query responds more without scaling.
    assert (raw[:3, 1] > scaled[:3, 1]).all()
    assert (raw[3:, 1] < scaled[3:, 1]).all()
    assert raw[4, 1] < scaled[4, 1] / 10
    # Scaled, all queries respond alike; unscaled, a few respond far more than the others.
    assert (scaled[1:, 2] < 1.1 * scaled[1:, 0]).all()
    assert (raw[4, 2] > 5 * scaled[4, 2]).all()
    np.testing.assert_allclose(scaled[:, 1] * np.sqrt(sizes), 0.965, atol=0.01)


def test_on_average_queries_respond_more_unscaled():
    raw, scaled = experiments.slope_totals(7, n_queries=100)
    assert (raw > scaled).all()


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: experiments.score_spread(sizes=(4, 0)), "sizes must be .* got 0"),
        (lambda: experiments.score_spread(pairs=0), "pairs must be .* got 0"),
        (lambda: experiments.winner_share(n_keys=0), "n_keys must be .* got 0"),
        (lambda: experiments.winner_share(sizes=(2.5,)), "sizes must be .* got 2.5"),
        (lambda: experiments.slope_totals(sizes=(0,)), "sizes must be .* got 0"),
        (lambda: experiments.slope_totals(n_keys=0), "n_keys must be .* got 0"),
    ],
)
def test_bad_counts_are_named(call, said):
    with pytest.raises(ValueError, match=said):
        call()


@pytest.mark.parametrize("size", [1, 2, 4, 9, 16])
def test_coins_are_counted_and_their_spread_is_exactly_the_root(size):
    coins = experiments.coin_totals(size)
    assert coins.totals.tolist() == list(range(size, -size - 1, -2))
    assert coins.ways.tolist() == [comb(size, tails) for tails in range(size + 1)]
    assert (coins.ways * coins.totals**2).sum() == size * 2**size


@pytest.mark.parametrize("size", [0, 17, 2.5])
def test_coins_that_cannot_be_counted_are_refused(size):
    with pytest.raises(ValueError, match="size"):
        experiments.coin_totals(size)
