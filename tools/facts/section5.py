"""Facts of section 5."""

import numpy as np

from scripts import cost, example
from scripts.attention import attention, join_heads, multi_head_attention, raw_scores, softmax, split_heads
from scripts.exercises import heads as tasks

COUNTS = (1, 2, 3, 4, 6, 8, 12, 16, 24)  # the cuts that the picture shows
TOKENS = 512
USUAL_SIZE = 64


def facts():
    """Return the section's numbers by id."""
    run = example.TWO_HEADS
    weights = np.array([head.weights for head in run.heads])
    queries, keys = (split_heads(a, example.HEADS) for a in (example.QUERIES, example.KEYS))
    products = queries[:, 3] * keys[:, 0]  # "cube" asks "pick", in each head
    raised = np.exp(run.heads[0].scores[3])
    four = multi_head_attention(example.QUERIES, example.KEYS, example.VALUES, 4)
    sharpness = weights.max(axis=2).mean(axis=1)
    # The same columns, but divided by the root of the width, as if there were one head.
    width_root = np.sqrt(example.QUERIES.shape[1])
    width_weights = np.array([softmax(head.raw / width_root) for head in run.heads])
    # What a reshape without a transpose hands to the heads, and what comes of it.
    mixed = [a.reshape(example.HEADS, len(a), -1) for a in (example.QUERIES, example.KEYS, example.VALUES)]
    mixed_run = [attention(q, k, v) for q, k, v in zip(*mixed, strict=True)]
    mixed_weights = np.array([head.weights for head in mixed_run])
    mixed_joined = np.array([head.output for head in mixed_run]).reshape(example.QUERIES.shape)
    changed = _with_other_cube()
    followed = run.joined[3] * example.W_OUTPUT[:, 0]
    return {
        "tokens": example.TOKENS,
        "w-query": example.W_QUERY,
        "queries": example.QUERIES,
        "keys": example.KEYS,
        "values": example.VALUES,
        "weights": example.WEIGHTS,
        "order-length": len(example.ORDER),
        "two-head-count": example.HEADS,
        "two-head-size": queries.shape[2],
        "one-head-size": example.QUERIES.shape[1],
        "two-head-divisor": queries.shape[2],  # every head divides by the root of this
        "two-head-root": np.sqrt(queries.shape[2]),
        "one-head-root": width_root,
        "head-queries": queries,
        "head-keys": keys,
        "head-cube-products": products,
        "head-cube-raw": products.sum(axis=1),
        "raw-scores": example.RAW,
        "head-cube-scores": run.heads[0].scores[3],
        "head-cube-raised": raised,
        "head-cube-raised-total": raised.sum(),
        "head-weights": weights,
        "head-largest": weights.max(axis=2),
        "head-sharpness": sharpness,
        "four-head-sharpness": np.array([head.weights.max(axis=1).mean() for head in four.heads]),
        "flat-weight": 1 / len(example.ORDER),
        "one-head-sharpness": example.WEIGHTS.max(axis=1).mean(),
        "wrong-root-sharpness": width_weights.max(axis=2).mean(axis=1),
        "head-outputs": np.array([head.output for head in run.heads]),
        "two-heads-joined": run.joined,
        "w-output": example.W_OUTPUT,
        "two-heads-result": run.output,
        "join-products": followed,
        "join-halves": followed.reshape(example.HEADS, -1).sum(axis=1),
        "join-number": run.output[3, 0],
        "mixed-queries": mixed[0],
        "mixed-weights": mixed_weights,
        "mixed-totals": mixed_weights.sum(axis=2),
        "mixed-joined": mixed_joined,
        "other-cube": changed["token"],
        "other-cube-moved": changed["right"],
        "other-cube-moved-mixed": changed["wrong"],
        "gpt-heads": cost.HEADS,
        "gpt-layers": cost.LAYERS,
        "gpt-patterns": cost.HEADS * cost.LAYERS,
        "width": cost.WIDTH,
        "four-matrices": cost.parameters(),
        "matrix-count": cost.parameters() // (cost.WIDTH * cost.WIDTH),
        "one-matrix": cost.WIDTH * cost.WIDTH,
        "usual-size": USUAL_SIZE,
        "usual-heads": cost.WIDTH // USUAL_SIZE,
        "count-heads": np.array(COUNTS),
        "count-sizes": np.array([cost.head_size(heads=h) for h in COUNTS]),
        "count-parameters": np.array([cost.parameters(heads=h) for h in COUNTS]),
        "count-tokens": TOKENS,
        "count-scores": np.array([cost.grid_numbers(TOKENS, h) for h in COUNTS]),
        "most-heads": cost.divisors()[-1],
        "most-scores": cost.grid_numbers(TOKENS, cost.divisors()[-1]),
        "number-of-cuts": len(cost.divisors()),
        **_exercises(),
    }


def _exercises():
    """What the exercises give and what comes out of them."""
    size = tasks.QUERY.shape[1] // tasks.PAIR
    return {
        "count-task-width": tasks.WIDTH,
        "count-task-heads": tasks.HEADS,
        "count-task-tokens": tasks.TOKENS,
        "count-task-size": tasks.SIZE,
        "count-task-divisor": tasks.DIVISOR,
        "count-task-matrix": tasks.WIDTH * tasks.WIDTH,
        "count-task-parameters": tasks.PARAMETERS,
        "count-task-scores": tasks.SCORES,
        "pair-task-query": tasks.QUERY[0],
        "pair-task-keys": tasks.KEYS,
        "pair-task-products": tasks.QUERY * tasks.KEYS,
        "pair-task-raw": tasks.two_heads(1),
        "pair-task-size": size,
        "pair-task-divisor": np.sqrt(size),
        "pair-task-scores": tasks.two_heads(),
        "pair-task-whole": raw_scores(tasks.QUERY, tasks.KEYS)[0],
    }


def _with_other_cube():
    """How far each token moves when the last one is turned round, both ways of cutting."""
    tokens = example.TOKENS.copy()
    tokens[3] = -tokens[3]
    made = [
        [t @ w for w in (example.W_QUERY, example.W_KEY, example.W_VALUE)] for t in (example.TOKENS, tokens)
    ]

    def mixed(vectors):
        pieces = [a.reshape(example.HEADS, len(a), -1) for a in vectors]
        outputs = [attention(*piece).output for piece in zip(*pieces, strict=True)]
        return np.array(outputs).reshape(vectors[0].shape)

    def right(vectors):
        pieces = [split_heads(a, example.HEADS) for a in vectors]
        return join_heads([attention(*piece).output for piece in zip(*pieces, strict=True)])

    moved = {
        name: np.abs(cut(made[1]) - cut(made[0])).mean(axis=1)
        for name, cut in (("right", right), ("wrong", mixed))
    }
    return {"token": tokens[3], **moved}
