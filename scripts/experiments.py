"""What is measured rather than derived: two simulations and their summaries.

The page that this course rebuilds prints the results of both without saying
how its random numbers were made.  The two starting values below were found by
search: they are the ones whose results agree with every printed figure.  That
makes the figures reproducible, not special.  ``tests`` check the law itself
over many other generators.
"""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scripts.attention import softmax, whole_number

HEAD_SIZES = (4, 16, 64, 256, 1024)
SPREAD_SEED = 36036
WINNER_SEED = 1798


Array = NDArray[np.float64]
Whole = NDArray[np.integer]


@dataclass(frozen=True)
class Measured:
    """What was measured at each head size, with scores that are not divided by its root, and divided."""

    sizes: Whole  # (s,)
    raw: Array  # (s,)
    scaled: Array  # (s,)


@dataclass(frozen=True)
class Coins:
    """Every way in which d coins fall, each +1 or -1, counted by their total."""

    totals: Whole  # (d + 1,), from the largest to the smallest
    ways: Whole  # (d + 1,), how many of the 2**d ways give each


def coin_totals(size: int) -> Coins:
    """Count in how many ways `size` coins, at most 16, give each total: one by one."""
    size = whole_number("size", size)
    if size > 16:
        raise ValueError(f"size: {size} coins fall in too many ways to count them all; at most 16")
    falls = np.array(list(itertools.product([1, -1], repeat=size)))  # (2**d, d)
    totals = size - 2 * np.arange(size + 1)  # (d + 1,)
    ways = (falls.sum(axis=1) == totals[:, None]).sum(axis=1)  # (d + 1,)
    return Coins(totals, ways)


def score_samples(size: int, pairs: int, generator: np.random.Generator) -> Array:
    """Dot products of `pairs` random queries and keys of a head size, entries standard normal.

    Queries are drawn before keys.
    """
    size, pairs = whole_number("size", size), whole_number("pairs", pairs)
    queries = generator.standard_normal((pairs, size))  # (pairs, d)
    keys = generator.standard_normal((pairs, size))  # (pairs, d)
    return (queries * keys).sum(axis=1)  # (pairs,)


def score_spread(seed: int = SPREAD_SEED, sizes: Sequence[int] = HEAD_SIZES, pairs: int = 2000) -> Measured:
    """Measure how far apart scores lie at each head size: their standard deviation.

    One generator, started from `seed`, serves all sizes in turn.
    """
    generator = np.random.default_rng(seed)
    sizes = np.array([whole_number("sizes", size) for size in sizes])
    raw = np.array([score_samples(size, pairs, generator).std() for size in sizes.tolist()])
    return Measured(sizes, raw, raw / np.sqrt(sizes))


def _undivided_scores(seed, sizes, n_queries, n_keys):
    """Yield the dot products, (n_q, n_k), of random queries and keys at each head size in turn."""
    generator = np.random.default_rng(seed)
    n_queries, n_keys = whole_number("n_queries", n_queries), whole_number("n_keys", n_keys)
    for size in [whole_number("sizes", size) for size in sizes]:
        queries = generator.standard_normal((n_queries, size))  # (n_q, d)
        keys = generator.standard_normal((n_keys, size))  # (n_k, d)
        yield size, queries @ keys.T  # (n_q, n_k)


def winner_share(
    seed: int = WINNER_SEED, sizes: Sequence[int] = HEAD_SIZES, n_queries: int = 512, n_keys: int = 64
) -> Measured:
    """Measure the share that the single winning key takes: the mean over queries of the largest weight.

    Every query chooses among the same keys.  One generator, started from
    `seed`, serves all sizes in turn; queries are drawn first.
    """
    raw, scaled = [], []
    for size, scores in _undivided_scores(seed, sizes, n_queries, n_keys):
        raw.append(softmax(scores).max(axis=1).mean())
        scaled.append(softmax(scores / np.sqrt(size)).max(axis=1).mean())
    return Measured(np.array(sizes), np.array(raw), np.array(scaled))


def slope_totals(
    seed: int = WINNER_SEED,
    sizes: Sequence[int] = HEAD_SIZES,
    n_queries: int = 512,
    n_keys: int = 64,
    summary=np.mean,
) -> tuple[Array, Array]:
    """Measure how far the weights still respond to raw scores at each head size, unscaled and scaled.

    The derivative of one weight w by its own score is w (1 - w).  By its raw score it is
    that over the square root of the head size where scores are scaled, so that both are of
    one kind.  The derivatives of all keys of a query are added up, and `summary` says what
    is told of the queries: their mean, or ``np.median``, or several quantiles.  The same
    arguments give the same queries and keys as `winner_share`.
    """
    raw, scaled = [], []
    for size, scores in _undivided_scores(seed, sizes, n_queries, n_keys):
        for found, divisor in ((raw, 1.0), (scaled, np.sqrt(size))):
            w = softmax(scores / divisor)
            found.append(summary((w * (1 - w)).sum(axis=1) / divisor))
    return np.array(raw), np.array(scaled)
