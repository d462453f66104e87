"""Exercises of section 7: what attention costs, in multiply-adds and memory."""

from functools import partial
from math import ceil, isqrt, sqrt

import numpy as np

from scripts import cost
from scripts.attention import running_softmax, softmax_steps
from scripts.exercises.answers import Wrong, call, compare, matches, number
from scripts.exercises.exercise import Exercise

# 7.1: a layer whose counts come out on paper
WIDTH, TOKENS = 100, 50
PROJECTIONS = cost.projection_steps(TOKENS, WIDTH)
GRID = cost.grid_steps(TOKENS, WIDTH)
SHARE = 100 * cost.grid_share(TOKENS, WIDTH)

# 7.2: a row in two blocks, told by its powers, and one number of each value
POWERS = np.array([1, 2, 4, 2])
VALUES = np.array([4, 6, 5, 0])
BLOCK = 2

# 7.3: what the task tells of a memory that is given
HEADS, BYTES, MEMORY = 8, 4, 2 * cost.GIB


Exercise(
    "7.1",
    want={"projections": PROJECTIONS, "grid": GRID, "share": SHARE},
    what={"projections": "the number for projections", "grid": "the number for grid", "share": "the share"},
    read=lambda got, name: number(got, f"the number for {name}"),
    decimals={"share": 1},
    mistakes={
        "these are FLOPs; one multiplication with its addition is one MAC.": {
            "projections": 2 * PROJECTIONS,
            "grid": 2 * GRID,
        },
        "the projections leave a matrix out: there is one at the end as well.": {
            "projections": PROJECTIONS * 3 // 4
        },
        "these are the MACs of one projection only.": {"projections": PROJECTIONS // 4},
        "these are the parameters; every token goes through the matrices.": {
            "projections": PROJECTIONS // TOKENS
        },
        "the tokens meet the matrices one by one, and not in pairs.": {"projections": 4 * TOKENS**2 * WIDTH},
        "the pairs cost twice: once for the scores, once for the weighted sum.": {"grid": GRID // 2},
        "these are the scores; how many MACs does each of them take?": {"grid": TOKENS**2},
        "every query meets every key: the tokens come in twice.": {"grid": 2 * TOKENS * WIDTH},
        "the share is wanted in per cent.": {"share": SHARE / 100},
        "the pairs were compared with the projections; the share is of both together.": {
            "share": 100 * GRID / PROJECTIONS
        },
        "this is the share of the projections.": {"share": 100 - SHARE},
    },
    praise="At twice the model dimension the two would be equal.",
)


def running():
    """The two steps of 7.2."""
    return running_softmax(np.log(POWERS)[None, :], VALUES[:, None].astype(float), BLOCK)


(_SHRINK, _OLD_TOTAL, _OLD_MIX), (FACTOR, TOTAL, MIX) = (
    [step.shrink.item(), step.total.item(), step.mixed.item()] for step in running()
)

Exercise(
    "7.2",
    want={"factor": FACTOR, "total": TOTAL, "mix": MIX, "output": POWERS @ VALUES / POWERS.sum()},
    what={name: f"the {name}" for name in ("factor", "total", "mix", "output")},
    decimals=3,
    mistakes={
        "total and mix are those of the whole row at once; measure every power against the largest so far.": {
            "total": POWERS.sum(),
            "mix": POWERS @ VALUES,
        },
        "the factor is upside down: what was gathered must shrink when a larger score appears.": {
            "factor": 1 / FACTOR
        },
        "the factor comes from the two largest scores, not from the totals.": {"factor": _OLD_TOTAL / TOTAL},
        "a larger score has appeared, so something must be rescaled.": {"factor": 1},
        "the old total was not rescaled.": {"total": TOTAL + _OLD_TOTAL * (1 - FACTOR)},
        "this is the total of the second block alone.": {"total": TOTAL - _OLD_TOTAL * FACTOR},
        "the total was rescaled, but the old mix was not.": {"mix": MIX + _OLD_MIX * (1 - FACTOR)},
        "this is the mix of the second block alone.": {"mix": MIX - _OLD_MIX * FACTOR},
        "this is the mix after the first block.": {"mix": _OLD_MIX},
        "the mix was not divided.": {"output": MIX},
        "the mix was divided by the total of the undiminished powers.": {"output": MIX / POWERS.sum()},
    },
    praise="The whole row at once gives the same output; divide 36 by 9 to see it.",
)


def longest_window(memory, heads, bytes_a_number):
    """Most tokens whose score grids fit into so many bytes."""
    return isqrt(memory // (heads * bytes_a_number))


def read_window(result, memory, heads, bytes_a_number):
    """Read the result of 7.3, which must be a whole number."""
    got = number(result, "what longest_window returns")
    if got != int(got) and matches(got, sqrt(memory / (heads * bytes_a_number))):
        raise Wrong("a text has a whole number of tokens, and it must fit.")
    return got


Exercise(
    "7.3",
    reference=longest_window,
    cases=[
        (MEMORY, HEADS, BYTES),
        (24 * cost.GIB, 12, 2),
        (1000, 1, 4),
        (cost.MIB, 3, 2),
        (10**9, 5, 8),
        (3, 2, 2),
    ],
    name="longest_window",
    what=lambda memory, heads, size: (
        f"for {memory:,} bytes, {heads} heads and {size} bytes a number, what longest_window returns"
    ),
    read=read_window,
    mistakes={
        "every head has a score matrix of its own.": lambda memory, heads, size: isqrt(memory // size),
        "a number takes more than one byte.": lambda memory, heads, size: isqrt(memory // heads),
        "the scores grow with the square of the tokens.": lambda memory, heads, size: (
            memory // (heads * size)
        ),
        "a text of that length does not fit: round down.": lambda memory, heads, size: ceil(
            sqrt(memory / (heads * size))
        ),
        "this many tokens would need twice the memory: half the matrix is stored too.": (
            lambda memory, heads, size: isqrt(2 * memory // (heads * size))
        ),
    },
    praise="Four times the memory buys a text twice as long, and no more.",
)


def take_block(
    largest, total, mixed, scores, values, *, higher=np.maximum, keep=(True, True), power=1, divide=False
):
    """One step of an online softmax, right or with one of the mistakes that are known."""
    largest, old = higher(largest, scores.max(axis=1, keepdims=True)), largest
    anchor = np.where(np.isfinite(largest), largest, 0.0)
    shrink = np.where(np.isfinite(old), np.exp(power * (old - anchor)), 0.0)
    raised = np.exp(scores - anchor)
    total = total * (shrink if keep[0] else 1) + raised.sum(axis=1, keepdims=True)
    mixed = mixed * (shrink if keep[1] else 1) + raised @ values
    return largest, total, mixed / total if divide else mixed


def _forget(largest, total, mixed, scores, values):
    return take_block(np.full_like(largest, -np.inf), 0 * total, 0 * mixed, scores, values)


BLOCK_MISTAKES = {
    "the total is not rescaled when a larger score appears.": partial(take_block, keep=(False, True)),
    "the mix is not rescaled when a larger score appears.": partial(take_block, keep=(True, False)),
    "neither total nor mix is rescaled when a larger score appears.": partial(
        take_block, keep=(False, False)
    ),
    "the factor is upside down.": partial(take_block, power=-1),
    "the mix is divided in every block; it should be divided once, after the last.": partial(
        take_block, divide=True
    ),
    "the largest is that of the last block; the largest so far is wanted.": partial(
        take_block, higher=lambda largest, here: here
    ),
    "the largest is that of all queries together; each row has its own.": partial(
        take_block, higher=lambda largest, here: np.maximum(largest, here.max())
    ),
    "only the last block is left in the result.": _forget,
}

_QUERIES, _BLOCKS, _VALUE_SIZE = 5, (3, 2, 4), 6
_GENERATOR = np.random.default_rng(74)
_VALUES = _GENERATOR.normal(size=(sum(_BLOCKS), _VALUE_SIZE))


def _rows():
    """Yield scores for three blocks, and what is special about them."""
    scores = _GENERATOR.normal(size=(_QUERIES, sum(_BLOCKS)))
    small, large = np.linspace(0, 4, sum(_BLOCKS)), np.linspace(700, 1500, sum(_BLOCKS))
    yield "with the larger scores in later blocks", scores + small
    yield "with the larger scores in the first block", scores - small
    yield "with very large scores", scores + large
    yield "with very negative scores", scores - large
    # far below zero, so that zero cannot pass for the largest; exact in single precision too
    masked = np.round(64 * scores) / 64 - 1500
    masked[1, :3] = -np.inf
    masked[2, 3:] = -np.inf
    masked[4, :5] = -np.inf
    yield "with a block in which a query may attend to nothing", masked


_ROWS = list(_rows())


def _run(step, scores):
    """Hand the blocks to a function one after the other; return what it carries at the end."""
    state = np.full((_QUERIES, 1), -np.inf), np.zeros((_QUERIES, 1)), np.zeros((_QUERIES, _VALUE_SIZE))
    for end, size in zip(np.cumsum(_BLOCKS), _BLOCKS, strict=True):
        state = step(*state, scores[:, end - size : end], _VALUES[end - size : end])
    return state


def _state(result):
    """Return largest, total and mix as arrays, or say what is wrong with their form."""
    if not isinstance(result, (tuple, list)) or len(result) != 3:
        raise Wrong("take_block should return three things: the largest, the total and the mix.")
    found = [np.asarray(part, dtype=float) for part in result]
    for name, array, width in zip(("largest", "total", "mix"), found, (1, 1, _VALUE_SIZE), strict=True):
        if array.shape == (_QUERIES,) and width == 1:
            raise Wrong(f"the {name} has lost an axis: one column, a row for each query, is wanted.")
        if array.shape != (_QUERIES, width):
            raise Wrong(
                f"the {name} has shape {array.shape}; for {_QUERIES} queries and values of {_VALUE_SIZE} "
                f"numbers it should be {(_QUERIES, width)}."
            )
    return found


def judge_take_block(function):
    """Run several blocks, and compare what is carried at the end with the softmax of the whole row."""
    for case, scores in _ROWS:
        got = _run(lambda *given: _state(call(function, *given, what="take_block")), scores)
        if any(np.isnan(part).any() for part in got):
            raise Wrong(f"{case}: NaN comes out; look at the differences in which minus infinity takes part.")
        if ((got[0] == 0) & (scores.max(axis=1, keepdims=True) < 0)).any():
            raise Wrong(
                f"{case}: the largest comes out as zero; hand on the true largest, not what you subtracted "
                "in its place."
            )
        allowed = np.isfinite(scores)
        _, total, weights = softmax_steps(np.where(allowed, scores, 0.0), allowed)
        wrong = {sentence: _run(step, scores) for sentence, step in BLOCK_MISTAKES.items()}
        compare(
            got[2] / got[1],
            weights @ _VALUES,
            f"{case}: the mix over the total",
            {sentence: mixed / total for sentence, (_, total, mixed) in wrong.items()},
            when=f"{case}: ",
        )
        compare(
            got[0],
            scores.max(axis=1, keepdims=True),
            f"{case}: the largest",
            {sentence: largest for sentence, (largest, _, _) in wrong.items()},
            when=f"{case}: ",
        )
        compare(got[1], total, f"{case}: the total")


Exercise("7.4", judge=judge_take_block, mistakes=BLOCK_MISTAKES)
