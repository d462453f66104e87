"""Facts of section 3: the score between one query and every key."""

import numpy as np

from scripts import cost, example, experiments
from scripts.exercises import score as exercises

TOKENS = 512  # how many a sentence of the usual model holds


def facts():
    """Return the section's numbers by id."""
    parts = (by_hand, grids, wrong_roots, coins, simulations, slopes, limits, tasks)
    return {name: value for part in parts for name, value in part().items()}


def by_hand():
    """One query, one key, and the angle between them."""
    query, key = example.QUERIES[3], example.KEYS[0]
    products = query * key
    lengths = np.linalg.norm(query), np.linalg.norm(key)
    angles = np.arange(0, 181, 30)
    turn = np.deg2rad(angles)
    return {
        "cube-query": query,
        "pick-key": key,
        "cube-pick-products": products,
        "cube-pick-raw": example.RAW[3, 0],
        "cube-pick-running": products.cumsum(),
        "cube-query-length": lengths[0],
        "pick-key-length": lengths[1],
        "cube-pick-angle": np.rad2deg(np.arccos(products.sum() / (lengths[0] * lengths[1]))),
        "turned-length": 2,
        "turned-angles": angles,
        "turned-cosines": np.cos(turn),
        "turned-products": 2 * 2 * np.cos(turn),
        "cube-double-pick": 2 * products.sum(),
        "cosine-range": np.array([1, 0, -1]),
    }


def grids():
    """The sixteen scores, raw and divided."""
    raw, scaled = example.RAW, example.SCORES
    size = example.QUERIES.shape[1]
    root = float(np.sqrt(size))
    leader, second = np.sort(raw[1])[[-1, -2]]
    return {
        "raw-scores": raw,
        "scores": scaled,
        "raw-corner": raw[-1, 0],
        "raw-largest": raw.max(),
        "raw-smallest": raw.min(),
        "scaled-largest": scaled.max(),
        "scaled-smallest": scaled.min(),
        "score-count": raw.size,
        "score-steps": raw.size * size,
        "head-size": np.array([size, int(root) if root.is_integer() else root]),
        "pick-cube-raw": raw[0, 3],
        # What each row of weights would total if the division came after softmax.
        "late-division-total": 1 / root,
        "up-second": second,
        "up-gap": leader - second,
        "up-gap-scaled": (leader - second) / root,
        "example-spread": raw.std(),
    }


def wrong_roots():
    """What other divisors would do to a usual model."""
    head_size = cost.WIDTH // cost.HEADS
    return {
        "divisor-width": cost.WIDTH,
        "divisor-heads": cost.HEADS,
        "divisor-tokens": TOKENS,
        "divisor-head-size": head_size,
        "divisor-root": np.sqrt(head_size),
        "divisor-right": np.sqrt(head_size) / np.sqrt(head_size),
        "root-of-width": np.sqrt(cost.WIDTH),
        "root-of-tokens": np.sqrt(TOKENS),
        "spread-by-width": np.sqrt(head_size) / np.sqrt(cost.WIDTH),
        "spread-by-tokens": np.sqrt(head_size) / np.sqrt(TOKENS),
        "small-divisor": np.sqrt(2),
    }


def coins():
    """The law where everything can be counted: each product is a coin."""
    size, more = example.QUERIES.shape[1], 9
    few, many = experiments.coin_totals(size), experiments.coin_totals(more)
    squares = few.totals**2
    variance = (few.ways * squares).sum() / few.ways.sum()
    return {
        "coin-count": size,
        "coin-totals": few.totals,
        "coin-ways": few.ways,
        "coin-ways-total": few.ways.sum(),
        "coin-squares": squares,
        "coin-shares": few.ways * squares,
        "coin-shares-total": (few.ways * squares).sum(),
        "coin-variance": variance,
        "coin-spread": np.sqrt(variance),
        "coin-extremes": few.totals.max(),
        "more-coins": more,
        "more-coins-ways": many.ways.sum(),
        "more-coins-spread": np.sqrt((many.ways * many.totals**2).sum() / many.ways.sum()),
    }


def simulations():
    """Spread of scores and share of the winner, both measured."""
    spread, winner = experiments.score_spread(), experiments.winner_share()
    generator = np.random.default_rng(experiments.SPREAD_SEED)
    q, k = generator.standard_normal((2, 2000, experiments.HEAD_SIZES[0]))
    law = np.sqrt(spread.sizes)
    return {
        "head-sizes": spread.sizes,
        "spread-pairs": 2000,
        "spread-seed": experiments.SPREAD_SEED,
        "winner-seed": experiments.WINNER_SEED,
        "winner-queries": 512,
        "winner-keys": 64,
        "winner-losers": 64 - 1,
        "product-spread": (q * k).std(),
        "spread-law": law,
        "spread-raw-by-size": spread.raw,
        "spread-scaled-by-size": spread.scaled,
        "spread-raw-4": spread.raw[0],
        "spread-raw-1024": spread.raw[-1],
        "spread-scaled-4": spread.scaled[0],
        "spread-scaled-rest": spread.scaled[1:],
        "spread-by-size": spread.raw / spread.sizes,
        "winner-raw-by-size": winner.raw,
        "winner-raw-4": winner.raw[0],
        "winner-raw-1024": winner.raw[-1],
        "winner-scaled": winner.scaled.mean(),
        "winner-scaled-by-size": winner.scaled,
        "even-share": 1 / 64,
        "exp-ratio": np.e,
        "lead-ten": np.exp(10.0),
    }


def slopes():
    """How far a weight still answers to its own score."""
    winner = experiments.winner_share()
    raw, scaled = experiments.slope_totals()
    median_raw, median_scaled = experiments.slope_totals(summary=np.median)
    return {
        "slope-half": 0.5 * (1 - 0.5),
        "small-exponent": 0.01,
        "small-power": np.exp(0.01),
        "slope-raw": winner.raw * (1 - winner.raw),
        "slope-scaled": winner.scaled * (1 - winner.scaled),
        "slope-total-raw": raw,
        "slope-total-scaled": scaled,
        "slope-median-raw": median_raw,
        "slope-median-scaled": median_scaled,
    }


def limits():
    """Where the law fails."""
    size = 64
    return {
        "law-cases": experiments.law_cases(size=size),
        "law-doubled": 4 * np.sqrt(size),
        "law-repeated": size,
        "law-root": np.sqrt(size),
        "law-same-mean": size,
        "law-same-spread": np.sqrt(2 * size),
        "law-same-divided": size / np.sqrt(size),
    }


def tasks():
    """What the exercises give, and what comes out."""
    products = exercises.QUERY * exercises.KEY
    size = len(exercises.QUERY)
    root = np.sqrt(exercises.SIZE)
    lengths = np.linalg.norm(exercises.FLAT, axis=1)
    flat = exercises.FLAT[0] @ exercises.FLAT[1]
    return {
        "score-task-query": exercises.QUERY,
        "score-task-key": exercises.KEY,
        "score-task-width": exercises.WIDTH,
        "score-task-tokens": exercises.TOKENS,
        "score-task-size": size,
        "score-task-root": np.sqrt(size),
        "score-task-products": products,
        "score-task-raw": products.sum(),
        "score-task-score": products.sum() / np.sqrt(size),
        "spread-task-size": exercises.SIZE,
        "spread-task-root": root,
        "spread-task-larger": exercises.LARGER,
        "spread-task-undivided": np.array([root, exercises.LARGER * root, exercises.SIZE]),
        "spread-task-divided": np.array([root, exercises.LARGER * root, exercises.SIZE]) / root,
        "flat-task-vectors": exercises.FLAT,
        "flat-task-product": flat,
        "flat-task-lengths": lengths,
        "flat-task-cosine": flat / lengths.prod(),
        "flat-task-angle": np.rad2deg(np.arccos(flat / lengths.prod())),
    }
