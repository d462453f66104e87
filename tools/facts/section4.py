"""Facts of section 4: softmax, the mix, and the whole thing as matrices."""

import numpy as np

from scripts import cost, example
from scripts.attention import self_attention, softmax, softmax_steps
from scripts.exercises import softmax as exercises

CUBE = 3  # the token that asks: the last of the order
LEADS = np.arange(5)
LARGE = np.array([[1000, 1001]])
REAL_TOKENS = 512


def lead_shares(leads):
    """Return the shares of two keys of which the first is ahead by each lead.

    Parameters
    ----------
    leads : array_like of shape (n,)

    Returns
    -------
    ndarray of shape (n, 2)
        The leading key's share, then the other's.
    """
    leads = np.asarray(leads, dtype=float)
    return softmax(np.column_stack([leads, np.zeros(len(leads))]))


TINY = np.eye(2, dtype=int)  # the tokens, the offers and the values of a model that means something
ASKS = np.array([[0, 6], [0, 0]])


def _tiny():
    """Two tokens, of which one looks for the other."""
    found = self_attention(TINY, ASKS, TINY, TINY)
    products = TINY @ ASKS @ TINY.T
    return {
        "tiny-tokens": TINY,
        "tiny-asks": ASKS,
        "tiny-size": TINY.shape[1],
        "tiny-products": products[0, ::-1],
        "tiny-score": found.scores[0, 1],
        "tiny-raised": np.exp(found.scores[0, 1]),
        "tiny-weights": found.weights,
        "tiny-output": found.output,
    }


def facts():
    """Return the section's numbers by id."""
    parts = (_softmax, _lead, _largest_first, _rows, _mix, _real, _riddle, _tiny, _tasks)
    return {name: value for part in parts for name, value in part().items()}


def _softmax():
    """The row of "cube" by hand, at full precision and from printed digits."""
    scores = example.SCORES[CUBE]
    raised = np.exp(scores)
    printed = raised.round(3)
    return {
        "tokens": example.TOKENS,
        "scores": example.SCORES,
        "cube-scaled": scores,
        "cube-scaled-total": scores.sum(),
        # What plain division by the total would give.
        "cube-plain-shares": scores / scores.sum(),
        "cube-exp": raised,
        "cube-exp-total": raised.sum(),
        "cube-exp-printed": printed,
        "cube-exp-printed-total": printed.sum(),
        "cube-exp-rounded-up": printed - raised,
        "cube-exp-rounded-up-total": printed.sum() - raised.sum(),
        # Shares worked from the printed raised values and the printed total.
        "cube-printed-shares": printed / raised.sum().round(3),
        "cube-weights": example.WEIGHTS[CUBE],
        "cube-weights-total": example.WEIGHTS[CUBE].sum(),
        "exp-ratio": np.e,
        "exp-of-zero": np.exp(0.0),
        "exp-of-minus-one": np.exp(-1.0),
    }


def _lead():
    """Two keys, one of them ahead."""
    shares = lead_shares(LEADS)
    found = {f"lead-{lead}": share for lead, (share, _) in zip(LEADS, shares, strict=True)}
    found |= {
        "leads": LEADS,
        "lead-shares": shares[:, 0],
        "lead-1-other": shares[1, 1],
        "lead-1-total": np.e + 1,
        "lead-4-raised": np.exp(4.0),
        "lead-4-total": np.exp(4.0) + 1,
        "lead-4-other": shares[4, 1],
    }
    scores, weights = example.SCORES[CUBE], example.WEIGHTS[CUBE]
    # How far "pick" is ahead of "the" in the row of "cube", as a gap and as a ratio.
    found["cube-gap"] = scores[0] - scores[2]
    found["cube-ratio"] = weights[0] / weights[2]
    return found


def _largest_first():
    """What subtracting the largest score changes, and what it does not."""
    raised, total, _ = softmax_steps(example.SCORES[[CUBE]])
    largest = np.finfo(float).max
    exponent = int(np.floor(np.log10(largest)))
    return {
        "cube-largest": example.SCORES[CUBE].max(),
        "cube-lowered": example.SCORES[CUBE] - example.SCORES[CUBE].max(),
        "cube-lowered-exp": raised[0],
        "cube-lowered-total": total[0, 0],
        "large-scores": LARGE[0],
        "large-lowered": LARGE[0] - LARGE.max(),
        "large-lowered-exp": np.exp(LARGE[0] - LARGE.max()),
        "large-lowered-total": np.exp(LARGE[0] - LARGE.max()).sum(),
        "large-weights": softmax(LARGE)[0],
        "largest-float-digits": exponent + 1,
        "largest-power": np.log(largest),
    }


def _rows():
    """The weight grid, and the grids that two common slips give instead."""
    scores = example.SCORES
    columns = softmax(scores.T).T
    raised, totals, _ = softmax_steps(scores)
    return {
        "weights": example.WEIGHTS,
        "weight-totals": example.WEIGHTS.sum(axis=1),
        "weight-column-totals": example.WEIGHTS.sum(axis=0),
        # Every score doubled: the same order, a sharper choice.
        "doubled-cube-weights": softmax(2 * scores)[CUBE],
        "row-leaders": example.WEIGHTS.max(axis=1),
        "down-columns": columns,
        "down-columns-row-totals": columns.sum(axis=1),
        "down-columns-column-totals": columns.sum(axis=0),
        # The totals lie along the wrong axis, so that column j is divided by the total of row j.
        "flat-totals-row-totals": (raised / totals[:, 0]).sum(axis=1),
    }


def _mix():
    """The new vector of "cube", at full precision and from printed digits."""
    weights, values = example.WEIGHTS[CUBE], example.VALUES
    printed = weights.round(3) * values[:, 0].round(2)
    return {
        "w-query": example.W_QUERY,
        "w-key": example.W_KEY,
        "w-value": example.W_VALUE,
        "queries": example.QUERIES,
        "keys": example.KEYS,
        "values": values,
        "outputs": example.OUTPUT,
        "cube-products": weights[:, None] * values,
        "cube-first-products": weights * values[:, 0],
        "cube-first-output": example.OUTPUT[CUBE, 0],
        "cube-first-printed-products": printed,
        "cube-first-printed-output": printed.sum(),
        "cube-first-gap": printed.sum() - example.OUTPUT[CUBE, 0],
        "cube-output": example.OUTPUT[CUBE],
        # Any mixture lies between the smallest and the largest of what it mixes.
        "first-value-range": np.array([values[:, 0].min(), values[:, 0].max()]),
    }


def _real():
    """The grids of one layer of a small language model."""
    size = cost.head_size()
    return {
        "small-model-tokens": REAL_TOKENS,
        "small-model-width": cost.WIDTH,
        "small-model-heads": cost.HEADS,
        "small-model-head-size": size,
        "real-token-grid": REAL_TOKENS * cost.WIDTH,
        "real-score-grid": cost.grid_numbers(REAL_TOKENS),
        "real-score-grids": cost.grid_numbers(REAL_TOKENS, cost.HEADS),
        "real-grids-ratio": cost.grid_numbers(REAL_TOKENS, cost.HEADS) // (REAL_TOKENS * cost.WIDTH),
    }


def _riddle():
    """The riddle of section 1: "pick" holds nothing but zeros."""
    wiped = example.TOKENS.copy()
    wiped[0] = 0
    run = self_attention(wiped, example.W_QUERY, example.W_KEY, example.W_VALUE)
    raised = np.exp(run.scores[CUBE])
    return {
        "wiped-scores": run.scores,
        "wiped-weights": run.weights,
        "wiped-cube-exp": raised,
        "wiped-cube-total": raised.sum(),
        "wiped-cube-others": raised[1:].sum(),
    }


def _tasks():
    """What the exercises give, and what comes out."""
    weights = exercises.RAISED / exercises.RAISED.sum()
    squares = exercises.PAIR**2
    return {
        "shares-task-raised": exercises.RAISED,
        "shares-task-total": exercises.RAISED.sum(),
        "shares-task-weights": weights,
        "shares-task-values": exercises.VALUES,
        "shares-task-products": weights * exercises.VALUES,
        "shares-task-mixture": (weights * exercises.VALUES).sum(),
        "lead-task-weights": exercises.PAIR,
        "lead-task-ratio": exercises.PAIR[0] / exercises.PAIR[1],
        "lead-task-square": (exercises.PAIR[0] / exercises.PAIR[1]) ** 2,
        "lead-task-square-total": (exercises.PAIR[0] / exercises.PAIR[1]) ** 2 + 1,
        "lead-task-doubled": squares / squares.sum(),
        "large-task-scores": np.array([1000, -1000]),
    }
