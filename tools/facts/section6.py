"""Facts of section 6."""

import numpy as np

from scripts import cost, example
from scripts.attention import attention as attend
from scripts.attention import block_mask, causal_mask, merge_masks, padding_mask, softmax, softmax_steps
from scripts.exercises import masks as tasks

FILLER = 3  # the token that plays the filler
ROW = 1  # the row of "up", worked by hand
LARGE = 1e9  # what some libraries subtract in place of infinity
JOLT = 10.0  # by how much the probe moves the filler


def facts():
    """Return the section's numbers by id."""
    return {**_two_sets(), **_padding(), **_no_answer(), **_causal(), **_stream(), **_wrong(), **_exercises()}


def _two_sets():
    cross = example.CROSS
    powers = np.exp(cross.scores[0])
    return {
        "tokens": example.TOKENS,
        "scores": example.SCORES,
        "weights": example.WEIGHTS,
        "values": example.VALUES,
        "euler": np.exp(1.0),
        "robot-seed": example.ROBOT_SEED,
        "robot-tokens": example.ROBOT_TOKENS,
        "robot-scores": cross.scores,
        "robot-powers": powers,
        "robot-powers-total": powers.sum(),
        "robot-weights": cross.weights,
        "robot-outputs": cross.output,
        "robot-first": cross.weights[0, 0],
        "self-shape": np.array(example.WEIGHTS.shape),
        "cross-shape": np.array(cross.weights.shape),
        "cross-pairs": cross.weights.size,
        "self-pairs": example.WEIGHTS.size,
    }


def _padding():
    allowed = _filler_out()
    real = [i for i in range(len(example.ORDER)) if i != FILLER]
    raised = np.where(allowed[ROW], np.exp(example.SCORES[ROW]), 0.0)
    weights = softmax(example.SCORES[real], allowed[real])
    row = weights[ROW]
    late = np.where(allowed, example.WEIGHTS, 0.0)[real]  # masked after softmax, the wrong place
    return {
        "masked-weights": weights,
        "masked-weight": weights[:, FILLER].max(),
        "masked-total": weights.sum(axis=1),
        "masked-scores-row": example.SCORES[ROW],
        "masked-exp": raised[real],
        "masked-exp-total": raised.sum(),
        "masked-row": row[real],
        "masked-row-printed-total": np.round(row[real], 3).sum(),
        "masked-row-total": row.sum(),
        "forbidden-exp": raised[FILLER],
        "filler-share": example.WEIGHTS[real, FILLER],
        "late-totals": late.sum(axis=1),
        "late-row": late[ROW][real],
        "filler-pairs": int((~allowed).sum()),
    }


def _no_answer():
    allowed = _filler_out()
    raised, _, _ = softmax_steps(example.SCORES, allowed, no_answer="report")
    flat = softmax(np.where(allowed, example.SCORES, -LARGE))
    return {
        "no-answer-powers": raised.data[FILLER],
        "no-answer-total": raised.data[FILLER].sum(),
        "flat-row": flat[FILLER],
        "flat-first": flat[ROW],
        "flat-output": flat[FILLER] @ example.VALUES,
    }


def _causal():
    weights = softmax(example.SCORES, causal_mask(len(example.ORDER)))
    powers = np.exp(example.SCORES[ROW, : ROW + 1])
    return {
        "causal-weights": weights,
        "causal-powers": powers,
        "causal-powers-total": powers.sum(),
        "causal-pairs": int(causal_mask(len(example.ORDER)).sum()),
    }


def _stream():
    counts = np.array(cost.STREAM_COUNTS)
    allowed = block_mask(cost.STREAM_COUNTS, cost.STREAM_ALLOWED)
    pairs, may = int(allowed.size), int(allowed.sum())
    picture, action = cost.STREAM_COUNTS[0], cost.STREAM_COUNTS[-1]
    return {
        "stream": counts,
        "stream-total": int(counts.sum()),
        "stream-pairs": pairs,
        "stream-allowed": may,
        "stream-forbidden": pairs - may,
        "stream-share": 100 * may / pairs,
        "decoder-pairs": cost.grid_numbers(action, n_keys=picture),
        "picture-pairs": cost.grid_numbers(picture),
        "stream-looks": cost.STREAM_ALLOWED @ counts,  # keys for one token of each kind
        "stream-looks-kinds": counts * (cost.STREAM_ALLOWED @ counts),  # pairs of each kind
    }


def _wrong():
    names = len(example.ORDER)
    columns = np.ones((names, names), dtype=bool)
    columns[:, FILLER] = False
    q, k, v = example.QUERIES, example.KEYS, example.VALUES
    inverted = attend(q, k, v, ~columns)
    moved = example.TOKENS.copy()
    moved[FILLER] += JOLT
    moves = {}
    for name, mask in (("right", columns), ("wrong", ~columns)):
        before = _outputs(example.TOKENS, mask)[:FILLER]
        moves[name] = abs(_outputs(moved, mask)[:FILLER] - before).max()
    return {
        "columns-weights": softmax(example.SCORES, columns),
        "inverted-weights": inverted.weights,
        "inverted-total": inverted.weights.sum(axis=1),
        "inverted-output": inverted.output,
        "probe-jolt": JOLT,
        "probe-right": moves["right"],
        "probe-wrong": moves["wrong"],
        "both-masks-pairs": int(merge_masks(columns, causal_mask(names)).sum()),
    }


def _exercises():
    """What the exercises give and what comes out of them."""
    pairs = tasks.KINDS * tasks.looks()
    return {
        "row-task-powers": tasks.POWERS,
        "row-task-total": tasks.POWERS[tasks.REAL].sum(),
        "row-task-weights": tasks.masked_row(),
        "kinds-task-counts": tasks.KINDS,
        "kinds-task-looks": tasks.looks(),
        "kinds-task-pairs": pairs,
        "kinds-task-allowed": pairs.sum(),
        "kinds-task-all": tasks.KINDS.sum() ** 2,
    }


def _outputs(tokens, mask):
    """Outputs of self-attention with the example's matrices."""
    w_query, w_key, w_value = example.W_QUERY, example.W_KEY, example.W_VALUE
    return attend(tokens @ w_query, tokens @ w_key, tokens @ w_value, mask).output


def _filler_out():
    """The mask that forbids every pair of the filler."""
    return padding_mask(np.arange(len(example.ORDER)) != FILLER)
