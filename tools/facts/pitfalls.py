"""Facts of the page on mistakes."""

import numpy as np

from scripts import cost, example, pitfalls
from scripts.attention import attention, causal_mask, softmax, split_heads

STRETCH = 50  # by how much the scores are multiplied to make them overflow
TOKENS = 512
TWO = 2  # queries that continue the text


def facts():
    """Return the page's numbers by id."""
    return {**_divisors(), **_softmax(), **_masks(), **_heads(), **_counts()}


def _divisors():
    queries, keys, values = example.QUERIES, example.KEYS, example.VALUES
    pieces = split_heads(queries, example.HEADS), split_heads(keys, example.HEADS)
    by_width = [
        pitfalls.root_of_the_width(q, k, example.TOKENS.shape[1]) for q, k in zip(*pieces, strict=True)
    ]
    three = attention(queries[:3], keys[:3], values[:3])
    return {
        "head-weights": np.array([head.weights for head in example.TWO_HEADS.heads]),
        "pitfall-width": example.TOKENS.shape[1],
        "pitfall-head-size": pieces[0].shape[2],
        "pitfall-by-width": by_width[0][3],
        "pitfall-by-count": pitfalls.root_of_the_count(queries[:3], keys[:3])[1],
        "pitfall-three-tokens": three.weights[1],
        "pitfall-late-scale-totals": pitfalls.scale_after_softmax(queries, keys).sum(axis=1),
        "pitfall-late-scale-total": pitfalls.scale_after_softmax(queries, keys)[3].sum(),
    }


def _softmax():
    scores = example.SCORES
    down = pitfalls.softmax_down_the_columns(scores)
    largest = pitfalls.largest_without_keepdims(scores)
    stretched = pitfalls.keep_the_largest(STRETCH * scores)
    return {
        "weights": example.WEIGHTS,
        "pitfall-down-totals": down.sum(axis=1),
        "pitfall-down-column-total": down[:, 0].sum(),
        "pitfall-keepdims": pitfalls.totals_without_keepdims(scores)[0],
        "pitfall-keepdims-totals": pitfalls.totals_without_keepdims(scores).sum(axis=1),
        "pitfall-largest": largest[3],
        "pitfall-largest-total": largest[3].sum(),
        "pitfall-stretch": STRETCH,
        "pitfall-stretched-score": STRETCH * scores.max(),
        "pitfall-single-limit": np.log(float(np.finfo(np.float32).max)),
        "pitfall-half-limit": np.log(float(np.finfo(np.float16).max)),
        "pitfall-half-largest": int(np.finfo(np.float16).max),
        "pitfall-overflow-lost": int((~np.isfinite(stretched)).sum()),
        "pitfall-overflow-right": softmax(STRETCH * scores)[1],
    }


def _masks():
    scores, real = example.SCORES, pitfalls.real_pairs()
    words = slice(0, pitfalls.FILLER)
    causal, last = causal_mask(len(scores)), scores[-TWO:]
    fine = softmax(scores, pitfalls.hidden_filler())
    spoilt = example.VALUES.copy()
    spoilt[pitfalls.FILLER] = np.nan
    return {
        "pitfall-late-mask-totals": pitfalls.mask_after_softmax(scores, real)[words].sum(axis=1),
        "pitfall-half-lost": int(np.isnan(pitfalls.add_minus_a_billion(scores, real, pitfalls.HALF)).sum()),
        "pitfall-single-row": pitfalls.add_minus_a_billion(scores, real, pitfalls.SINGLE)[3],
        "pitfall-double-row": pitfalls.add_minus_a_billion(scores, real, float)[3],
        "pitfall-single-step": int(np.spacing(np.float32(pitfalls.BILLION))),
        "pitfall-spoilt-lost": int(np.isnan(fine @ spoilt).sum()),
        "pitfall-hidden-output": fine @ example.VALUES,
        "pitfall-turned": pitfalls.mask_turned_round(scores, ~causal)[:-1],
        "causal-weights": softmax(scores, causal),
        "pitfall-top-corner": softmax(last, pitfalls.causal_from_the_top(TWO, len(scores))),
        "pitfall-bottom-corner": softmax(last, causal_mask(TWO, len(scores))),
        "pitfall-order-filler": example.TWO_HEADS.heads[0].weights[words, pitfalls.FILLER],
    }


def _heads():
    heads = np.array([head.output for head in example.TWO_HEADS.heads])
    cut = pitfalls.reshape_for_transpose(example.QUERIES, example.HEADS)
    return {
        "queries": example.QUERIES,
        "pitfall-cut": cut[0],
        "pitfall-joined": pitfalls.join_without_permuting(heads),
        "two-heads-joined": example.TWO_HEADS.joined,
    }


def _counts():
    n, size = example.QUERIES.shape
    steps = cost.grid_steps(TOKENS)
    return {
        "pitfall-steps": pitfalls.steps_called_flops(n, n, size),
        "pitfall-flops": 2 * pitfalls.steps_called_flops(n, n, size),
        "pitfall-tokens": TOKENS,
        "pitfall-model-width": cost.WIDTH,
        "pitfall-model-steps": steps,
        "pitfall-model-flops": 2 * steps,
        "pitfall-to-itself": np.diag(example.WEIGHTS),
        "pitfall-most": example.WEIGHTS.max(axis=1),
        "pitfall-mistakes": len(pitfalls.PITFALLS),
    }
