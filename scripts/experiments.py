"""What is measured rather than derived: two simulations and their summaries.

The page that this course rebuilds prints the results of both without saying
how its random numbers were made.  The two starting values below were found by
search: they are the ones whose results agree with every printed figure.  That
makes the figures reproducible, not special.  ``tests`` check the law itself
over many other generators.
"""

import itertools
from dataclasses import dataclass

import numpy as np

from scripts.attention import _whole, softmax

HEAD_SIZES = (4, 16, 64, 256, 1024)
SPREAD_SEED = 36036
WINNER_SEED = 1798


@dataclass(frozen=True)
class Spread:
    """Spread of scores against head size.

    Attributes
    ----------
    sizes : ndarray of int, shape (s,)
    raw : ndarray of shape (s,)
        Standard deviation of the dot products.
    scaled : ndarray of shape (s,)
        The same after division by the root of the head size.
    """

    sizes: np.ndarray
    raw: np.ndarray
    scaled: np.ndarray


@dataclass(frozen=True)
class Winner:
    """Largest weight among many keys against head size.

    Attributes
    ----------
    sizes : ndarray of int, shape (s,)
    raw : ndarray of shape (s,)
        Mean over queries of the largest weight, scores not divided.
    scaled : ndarray of shape (s,)
        The same with each score divided by the root of the head size.
    """

    sizes: np.ndarray
    raw: np.ndarray
    scaled: np.ndarray


@dataclass(frozen=True)
class Coins:
    """Every way in which coins fall, counted by their total.

    Attributes
    ----------
    totals : ndarray of int, shape (size + 1,)
        From the largest to the smallest; each coin counts +1 or -1.
    ways : ndarray of int, shape (size + 1,)
        How many of the 2**size ways give each total.
    """

    totals: np.ndarray
    ways: np.ndarray


def coin_totals(size):
    """Count in how many ways `size` coins give each total.

    Parameters
    ----------
    size : int
        Up to 16: the ways are counted one by one.

    Returns
    -------
    Coins

    Raises
    ------
    ValueError
        If `size` is not a whole number from 1 to 16.
    """
    size = _whole("size", size)
    if size > 16:
        raise ValueError(f"size: {size} coins fall in too many ways to count them all; at most 16")
    falls = np.array(list(itertools.product([1, -1], repeat=size)))  # (2**d, d)
    totals = size - 2 * np.arange(size + 1)  # (d + 1,)
    ways = (falls.sum(axis=1) == totals[:, None]).sum(axis=1)  # (d + 1,)
    return Coins(totals, ways)


def score_samples(size, pairs, generator):
    """Dot products of random queries and keys, one pair each.

    Parameters
    ----------
    size : int
        Head size.
    pairs : int
        How many (query, key) pairs.
    generator : numpy.random.Generator
        Queries are drawn before keys, entries standard normal.

    Returns
    -------
    ndarray of shape (pairs,)
    """
    size, pairs = _whole("size", size), _whole("pairs", pairs)
    queries = generator.standard_normal((pairs, size))  # (pairs, d)
    keys = generator.standard_normal((pairs, size))  # (pairs, d)
    return (queries * keys).sum(axis=1)  # (pairs,)


def score_spread(seed=SPREAD_SEED, sizes=HEAD_SIZES, pairs=2000):
    """Measure how far apart scores lie at each head size.

    Parameters
    ----------
    seed : int
        Starting value of the one generator that serves all sizes in turn.
    sizes : sequence of int
    pairs : int

    Returns
    -------
    Spread

    Raises
    ------
    ValueError
        If a size or `pairs` is not a whole number of at least 1.
    """
    generator = np.random.default_rng(seed)
    sizes = np.array([_whole("sizes", size) for size in sizes])
    raw = np.array([score_samples(size, pairs, generator).std() for size in sizes.tolist()])
    return Spread(sizes, raw, raw / np.sqrt(sizes))


def winner_share(seed=WINNER_SEED, sizes=HEAD_SIZES, n_queries=512, n_keys=64):
    """Measure the share that the single winning key takes at each head size.

    Parameters
    ----------
    seed : int
        Starting value of the one generator that serves all sizes in turn.
    sizes : sequence of int
    n_queries, n_keys : int
        Every query chooses among the same keys; queries are drawn first.

    Returns
    -------
    Winner

    Raises
    ------
    ValueError
        If a size or a count is not a whole number of at least 1.
    """
    generator = np.random.default_rng(seed)
    sizes = np.array([_whole("sizes", size) for size in sizes])
    n_queries, n_keys = _whole("n_queries", n_queries), _whole("n_keys", n_keys)
    raw, scaled = [], []
    for size in sizes.tolist():
        queries = generator.standard_normal((n_queries, size))  # (n_q, d)
        keys = generator.standard_normal((n_keys, size))  # (n_k, d)
        scores = queries @ keys.T  # (n_q, n_k)
        raw.append(softmax(scores).max(axis=1).mean())
        scaled.append(softmax(scores / np.sqrt(size)).max(axis=1).mean())
    return Winner(sizes, np.array(raw), np.array(scaled))


def slope_totals(seed=WINNER_SEED, sizes=HEAD_SIZES, n_queries=512, n_keys=64, summary=np.mean):
    """Measure how far softmax still answers to its scores at each head size.

    The slope of one weight w, as its own score grows, is w (1 - w).  The slopes
    of all keys of a query are added up, and averaged over the queries; with
    ``summary=np.median``, half of the queries have less.

    Parameters
    ----------
    seed, sizes, n_queries, n_keys
        As `winner_share`; the same arguments give the same queries and keys.
    summary : callable
        Makes one number of those of all queries.

    Returns
    -------
    raw, scaled : ndarray of shape (s,)
        Total slope with scores not divided, and divided.

    Raises
    ------
    ValueError
        As `winner_share`.
    """
    generator = np.random.default_rng(seed)
    sizes = [_whole("sizes", size) for size in sizes]
    n_queries, n_keys = _whole("n_queries", n_queries), _whole("n_keys", n_keys)
    totals = []
    for size in sizes:
        queries = generator.standard_normal((n_queries, size))  # (n_q, d)
        keys = generator.standard_normal((n_keys, size))  # (n_k, d)
        raw = queries @ keys.T  # (n_q, n_k)
        weights = [softmax(scores) for scores in (raw, raw / np.sqrt(size))]
        totals.append([summary((w * (1 - w)).sum(axis=1)) for w in weights])
    return tuple(np.array(totals).T)


def law_cases(seed=SPREAD_SEED, size=64, pairs=2000):
    """Measure scores where the square-root law holds, and where it does not.

    Parameters
    ----------
    seed : int
        Starting value of the generator.
    size : int
        Head size.
    pairs : int
        How many (query, key) pairs.

    Returns
    -------
    ndarray of shape (4, 2)
        Mean and standard deviation of the scores (columns) for independent
        entries; the same, every entry doubled; one number repeated along each
        vector; and every query with itself as its key (rows).

    Raises
    ------
    ValueError
        If `size` or `pairs` is not a whole number of at least 1.
    """
    size, pairs = _whole("size", size), _whole("pairs", pairs)
    q, k = np.random.default_rng(seed).standard_normal((2, pairs, size))  # each (pairs, d)
    cases = [q * k, 2 * q * 2 * k, q[:, :1] * k[:, :1] * np.ones(size), q * q]
    scores = np.array([products.sum(axis=1) for products in cases])  # (4, pairs)
    return np.column_stack([scores.mean(axis=1), scores.std(axis=1)])
