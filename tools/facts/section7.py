"""Facts of section 7."""

import numpy as np

from scripts import cost, example, measure
from scripts.attention import blockwise_attention, running_softmax
from scripts.exercises import cost as tasks

FEW = (4, 8, 16)
LENGTHS = (128, 512, 2048, 8192, 32768)
STORED = LENGTHS[1:]  # the lengths whose memory is told
BLOCK = 2  # keys a block in the sum that is worked by hand


def facts():
    """Return the section's numbers by id."""
    return {**counted(), **worked(), **measured(), **exercises()}


def counted():
    """Steps, shares and bytes: derived, not measured."""
    width, heads = cost.WIDTH, cost.HEADS
    crossing = cost.crossing()
    n, example_width = example.TOKENS.shape
    memory = np.array([cost.grid_bytes(length) for length in STORED])
    grid_steps = np.array([cost.grid_steps(length) for length in LENGTHS])
    projection_steps = np.array([cost.projection_steps(length) for length in LENGTHS])
    last = LENGTHS[-1]
    return {
        "grid-cells": np.array([cost.grid_numbers(length) for length in FEW]),
        "few-tokens": np.array(FEW),
        "slider-longest": cost.WINDOWS[-1],
        "slider-widest": cost.WIDTHS[-1],
        "doubled-cells": cost.grid_numbers(2 * 2),
        "tripled-factor": cost.grid_numbers(3) // cost.grid_numbers(1),
        "projection-matrices": cost.projection_steps(1, 1),
        "grid-multiplies": cost.grid_steps(1, 1),
        "crossing-widths": crossing // width,
        "crossing": crossing,
        # where the grid equals the projections and a feed-forward network, of two matrices 4 times as wide
        "crossing-with-network": (cost.projection_steps(1, 1) + 2 * 4) / cost.grid_steps(1, 1),
        "projection-cost": cost.projection_steps(crossing),
        "grid-cost": cost.grid_steps(crossing),
        "crossing-billions": cost.grid_steps(crossing) / 1e9,
        "crossing-flops-billions": 2 * cost.grid_steps(crossing) / 1e9,
        "cost-width": width,
        "cost-heads": heads,
        "cost-head-size": cost.head_size(),
        "cost-score-steps": 2 * cost.head_size(),
        "cost-layers": cost.LAYERS,
        "cost-lengths": np.array(LENGTHS),
        "cost-lengths-growth": LENGTHS[1] // LENGTHS[0],
        "example-tokens": n,
        "example-width": example_width,
        "example-scores": cost.grid_numbers(n),
        "example-projection-steps": cost.projection_steps(n, example_width),
        "example-one-projection-steps": n * example_width * example_width,
        "example-grid-steps": cost.grid_steps(n, example_width),
        "example-half-grid-steps": cost.grid_steps(n, example_width) // 2,
        "example-crossing": cost.crossing(example_width),
        "grid-shares": np.array([100 * cost.grid_share(length) for length in LENGTHS]),
        "share-first": cost.grid_share(LENGTHS[0]),
        "share-at-crossing": 100 * cost.grid_share(crossing),
        "share-sum": np.array([length + crossing for length in LENGTHS]),
        "grid-steps": grid_steps[[0, -1]] / 1e9,
        "grid-millions": grid_steps[0] / 1e6,
        "projection-millions": projection_steps[0] / 1e6,
        "all-millions": (grid_steps[0] + projection_steps[0]) / 1e6,
        "projection-billions-last": projection_steps[-1] / 1e9,
        "step-growths": np.array(
            [grid_steps[-1] // grid_steps[0], projection_steps[-1] // projection_steps[0]]
        ),
        "cost-slopes": np.array([_slopes(LENGTHS, projection_steps)[-1], _slopes(LENGTHS, grid_steps)[-1]]),
        "bytes-a-number": cost.BYTES_A_NUMBER,
        "mib": cost.MIB,
        "mib-a-gib": cost.GIB // cost.MIB,
        "memory-lengths": np.array(STORED),
        "grid-memory": memory,
        "memory-mib": memory / cost.MIB,
        "memory-gib": memory / cost.GIB,
        "memory-growth": memory[1] // memory[0],
        "memory-side-growth": STORED[-1] // STORED[0],
        "memory-area-growth": memory[-1] // memory[0],
        "vectors-mib": last * width * cost.BYTES_A_NUMBER / cost.MIB,
        "matrices-mib": cost.parameters() * cost.BYTES_A_NUMBER / cost.MIB,
    }


def worked():
    """The running softmax of one row in two blocks, and the same row at once."""
    row = slice(0, 1)
    scores = example.SCORES[row]
    first, second = running_softmax(scores, example.VALUES, BLOCK)
    raised = np.concatenate(
        [np.exp(scores[:, :BLOCK] - first.largest), np.exp(scores[:, BLOCK:] - second.largest)], axis=1
    )[0]
    values = example.VALUES[:, 0]
    block = blockwise_attention.__kwdefaults__["block"]
    return {
        "running-scores": scores[0],
        "running-largest": np.array([first.largest[0, 0], second.largest[0, 0]]),
        "running-differences": np.array(
            [*(scores[0, :BLOCK] - first.largest[0]), *(scores[0, BLOCK:] - second.largest[0])]
        ),
        "running-gap": (first.largest - second.largest)[0, 0],
        "running-shrink": second.shrink[0, 0],
        "running-raised": raised,
        "running-totals": np.array([first.total[0, 0], second.total[0, 0]]),
        "running-total-kept": (first.total * second.shrink)[0, 0],
        "running-values": values,
        "running-products": raised * values,
        "running-mixed": np.array([first.mixed[0], second.mixed[0]]),
        "running-mix-kept": (first.mixed * second.shrink)[0, 0],
        "running-output": (second.mixed / second.total)[0],
        "running-same": example.OUTPUT[0],
        "running-block": BLOCK,
        "block-size": block,
        "block-cells": block * block,
    }


def measured():
    """What was measured, from the recorded run."""
    run = measure.recorded()
    lengths = np.array(run.lengths)
    full_bytes, block_bytes = np.array(run.full_bytes), np.array(run.block_bytes)
    full_seconds, block_seconds = np.array(run.full_seconds), np.array(run.block_seconds)
    number = np.dtype(float).itemsize
    memory_slopes = np.array([_slopes(lengths, full_bytes), _slopes(lengths, block_bytes)])
    return {
        "measured-lengths": lengths,
        "measured-head-size": measure.HEAD_SIZE,
        "measured-full-mib": full_bytes / cost.MIB,
        "measured-block-mib": block_bytes / cost.MIB,
        "measured-full-gib": full_bytes[-1] / cost.GIB,
        "measured-full-ms": 1000 * full_seconds,
        "measured-block-ms": 1000 * block_seconds,
        "measured-full-seconds": full_seconds[-1],
        "measured-block-seconds": block_seconds[-1],
        "measured-number-bytes": number,
        "measured-memory-ratio": full_bytes[-1] / block_bytes[-1],
        "measured-time-ratio": full_seconds[-1] / block_seconds[-1],
        "measured-full-grids": full_bytes[-1] / (number * lengths[-1] ** 2),
        "measured-block-bytes-a-token": (block_bytes[-1] - block_bytes[-2]) / (lengths[-1] - lengths[-2]),
        "measured-output-bytes-a-token": number * measure.HEAD_SIZE,
        "measured-block-fixed-mib": (block_bytes[-1] - number * measure.HEAD_SIZE * lengths[-1]) / cost.MIB,
        "measured-memory-slopes": memory_slopes,
        "measured-last-memory-slopes": memory_slopes[:, -1],
        "measured-time-slopes": np.array(
            [_slopes(lengths, full_seconds)[-3:].mean(), _slopes(lengths, block_seconds)[-3:].mean()]
        ),
    }


def exercises():
    """What the exercises give and what comes out of them."""
    first, second = tasks.running()
    raised = np.array(
        [
            *tasks.POWERS[: tasks.BLOCK] / tasks.POWERS[: tasks.BLOCK].max(),
            *tasks.POWERS[tasks.BLOCK :] / tasks.POWERS.max(),
        ]
    )
    return {
        "layer-task-width": tasks.WIDTH,
        "layer-task-tokens": tasks.TOKENS,
        "layer-task-projections": tasks.PROJECTIONS,
        "layer-task-grid": tasks.GRID,
        "layer-task-all": tasks.PROJECTIONS + tasks.GRID,
        "layer-task-hundred": 100,
        "layer-task-share": tasks.SHARE,
        "blocks-task-powers": tasks.POWERS,
        "blocks-task-values": tasks.VALUES,
        "blocks-task-largest": np.array([tasks.POWERS[: tasks.BLOCK].max(), tasks.POWERS.max()]),
        "blocks-task-raised": raised,
        "blocks-task-factor": second.shrink[0, 0],
        "blocks-task-totals": np.array([first.total[0, 0], second.total[0, 0]]),
        "blocks-task-mixes": np.array([first.mixed[0, 0], second.mixed[0, 0]]),
        "blocks-task-output": second.mixed[0, 0] / second.total[0, 0],
        "window-task-gib": tasks.MEMORY // cost.GIB,
        "window-task-gib-bytes": cost.GIB,
        "window-task-heads": tasks.HEADS,
        "window-task-bytes": tasks.BYTES,
        "window-task-scores": tasks.MEMORY // (tasks.HEADS * tasks.BYTES),
        "window-task-tokens": tasks.longest_window(tasks.MEMORY, tasks.HEADS, tasks.BYTES),
        "window-task-doubled": tasks.longest_window(2 * tasks.MEMORY, tasks.HEADS, tasks.BYTES),
    }


def _slopes(lengths, costs):
    """How many times the cost doubles when the length doubles once, step by step."""
    return np.diff(np.log2(costs)) / np.diff(np.log2(lengths))
