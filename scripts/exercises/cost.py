"""Checks of the exercises of section 7: what attention costs."""

import math

import numpy as np

from scripts import cost
from scripts.attention import running_softmax, softmax
from scripts.exercises import exercise
from scripts.exercises.tools import Wrong, call, compare, matches, number, parts

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


def running():
    """The two steps of exercise 7.2."""
    return running_softmax(np.log(POWERS)[None, :], VALUES[:, None].astype(float), BLOCK)


def longest_window(memory, heads, bytes_a_number):
    """Most tokens whose score grids fit into so many bytes."""
    return math.isqrt(memory // (heads * bytes_a_number))


@exercise("7.1")
def count_by_hand(answer):
    """Steps of the projections and the grid, and the share of the grid."""
    names = ["projections", "grid", "share"]
    projections, grid, share = (
        number(part, f"the number for {name}") for part, name in zip(parts(answer, names), names, strict=True)
    )
    if projections == 2 * PROJECTIONS and grid == 2 * GRID:
        raise Wrong("these are FLOPs; one multiply-and-add is one step here.")
    compare(
        projections,
        PROJECTIONS,
        "the number for projections",
        mistakes={
            "the projections leave a matrix out: there is one at the end as well.": PROJECTIONS * 3 // 4,
            "these are the steps of one projection only.": PROJECTIONS // 4,
            "these are the parameters; every token goes through the matrices.": PROJECTIONS // TOKENS,
            "the tokens meet the matrices one by one, and not in pairs.": 4 * TOKENS**2 * WIDTH,
        },
    )
    compare(
        grid,
        GRID,
        "the number for grid",
        mistakes={
            "the grid is used twice: once to make the scores, once for the mix.": GRID // 2,
            "these are the scores; how many steps does each of them take?": TOKENS**2,
            "every query meets every key: the tokens come in twice.": 2 * TOKENS * WIDTH,
        },
    )
    compare(
        share,
        SHARE,
        "the share",
        decimals=1,
        mistakes={
            "the share is wanted in per cent.": SHARE / 100,
            "the grid was compared with the projections; the share is of both together.": 100
            * GRID
            / PROJECTIONS,
            "this is the share of the projections.": 100 - SHARE,
        },
    )
    return "At twice the width the two would be equal."


@exercise("7.2")
def running_by_hand(answer):
    """A running softmax in two blocks."""
    names = ["factor", "total", "mix", "output"]
    factor, total, mix, output = (
        number(part, f"the {name}") for part, name in zip(parts(answer, names), names, strict=True)
    )
    first, second = running()
    shrink = second.shrink[0, 0]
    old_total, old_mix = first.total[0, 0], first.mixed[0, 0]
    new_total, new_mix = second.total[0, 0], second.mixed[0, 0]
    plain_total, plain_mix = POWERS.sum(), POWERS @ VALUES
    right_output = plain_mix / plain_total
    if matches([total, mix], [plain_total, plain_mix]):
        raise Wrong(
            "total and mix are those of the whole row at once; measure every power against the largest "
            "so far."
        )
    compare(
        factor,
        shrink,
        "the factor",
        decimals=3,
        mistakes={
            "the factor is upside down: what was gathered must shrink when a larger score appears.": 1
            / shrink,
            "the factor comes from the two largest scores, not from the totals.": old_total / new_total,
            "a larger score has appeared, so something must be rescaled.": 1,
        },
    )
    compare(
        total,
        new_total,
        "the total",
        decimals=3,
        mistakes={
            "the old total was not rescaled.": new_total + old_total * (1 - shrink),
            "this is the total of the second block alone.": new_total - old_total * shrink,
            "this is the total after the first block.": old_total,
        },
    )
    compare(
        mix,
        new_mix,
        "the mix",
        decimals=3,
        mistakes={
            "the total was rescaled, but the old mix was not.": new_mix + old_mix * (1 - shrink),
            "this is the mix of the second block alone.": new_mix - old_mix * shrink,
            "this is the mix after the first block.": old_mix,
        },
    )
    compare(
        output,
        right_output,
        "the output",
        decimals=3,
        mistakes={
            "the mix was not divided.": new_mix,
            "the mix was divided by the total of the undiminished powers.": new_mix / plain_total,
        },
    )
    return "The whole row at once gives the same output; divide 36 by 9 to see it."


@exercise("7.3")
def write_longest_window(function):
    """The longest window that fits into memory."""
    cases = (
        (MEMORY, HEADS, BYTES),
        (24 * cost.GIB, 12, 2),
        (1000, 1, 4),
        (cost.MIB, 3, 2),
        (10**9, 5, 8),
        (3, 2, 2),
    )
    for memory, heads, size in cases:
        got = number(
            call(function, memory, heads, size, what="longest_window"), "what longest_window returns"
        )
        right = longest_window(memory, heads, size)
        root = math.sqrt(memory / (heads * size))
        if got != int(got) and matches(got, root):
            raise Wrong("a window holds a whole number of tokens, and it must fit.")
        case = f"for {memory:,} bytes, {heads} heads and {size} bytes a number, what longest_window returns"
        compare(
            got,
            right,
            case,
            mistakes={
                "every head has a grid of its own.": math.isqrt(memory // size),
                "a number takes more than one byte.": math.isqrt(memory // heads),
                "the grid grows with the square of the tokens.": memory // (heads * size),
                "a window of that length does not fit: round down.": math.ceil(root),
                "this many tokens would need twice the memory: half the grid is stored too.": math.isqrt(
                    2 * memory // (heads * size)
                ),
            },
        )
    return "Four times the memory buys a window twice as long, and no more."


def take_block(largest, total, mixed, scores, values, *, keep=(True, True), power=1, own=False, divide=False):
    """One step of a running softmax, right or with one of the mistakes that are known."""
    block = scores.max(axis=1, keepdims=True)
    higher = block if own else np.maximum(largest, block)
    anchor = np.where(np.isfinite(higher), higher, 0.0)
    shrink = np.exp(power * (largest - anchor))
    raised = np.exp(scores - anchor)
    total = total * (shrink if keep[0] else 1) + raised.sum(axis=1, keepdims=True)
    mixed = mixed * (shrink if keep[1] else 1) + raised @ values
    return higher, total, mixed / total if divide else mixed


def _run(function, scores, values, sizes, state):
    """Hand the blocks to a function one after the other; return what it carries at the end."""
    left = 0
    for size in sizes:
        here = slice(left, left + size)
        state = function(*state, scores[:, here], values[here])
        left += size
    return state


@exercise("7.4")
def write_take_block(function):
    """One step of a running softmax, for all queries at once."""
    generator = np.random.default_rng(74)
    n_q, sizes, value_size = 5, (3, 2, 4), 6
    n_k = sum(sizes)

    def step(*given):
        return _state(call(function, *given, what="take_block"), n_q, value_size)

    def judge(scores, what):
        state = _run(step, scores, values, sizes, start)
        if any(np.isnan(part).any() for part in state):
            raise Wrong(f"{what}: NaN comes out; look at the differences in which minus infinity takes part.")
        right = _run(take_block, scores, values, sizes, start)
        with np.errstate(all="ignore"):
            got = state[2] / state[1]
        allowed = np.isfinite(scores)
        want = softmax(np.where(allowed, scores, 0.0), allowed) @ values
        wrong = {
            "the total is not rescaled when a larger score appears.": {"keep": (False, True)},
            "the mix is not rescaled when a larger score appears.": {"keep": (True, False)},
            "neither total nor mix is rescaled when a larger score appears.": {"keep": (False, False)},
            "the factor is upside down.": {"power": -1},
            "the mix is divided in every block; it should be divided once, after the last.": {"divide": True},
        }
        outputs = {}
        for told, how in wrong.items():
            _, total, mixed = _run(
                lambda *given, how=how: take_block(*given, **how), scores, values, sizes, start
            )
            outputs[f"{what}: {told}"] = mixed / total
        outputs[f"{what}: only the last block is left in the result."] = (
            softmax(scores[:, -sizes[-1] :]) @ values[-sizes[-1] :]
            if allowed[:, -sizes[-1] :].all()
            else np.full_like(want, np.nan)
        )
        if not matches(got, want):
            compare(got, want, f"{what}: the mix over the total", mistakes=outputs)
        compare(
            state[0],
            right[0],
            f"{what}: the largest",
            mistakes={
                f"{what}: the largest is that of the last block; the largest so far is wanted.": scores[
                    :, -sizes[-1] :
                ].max(axis=1, keepdims=True),
                f"{what}: the largest is that of all queries together; each row has its own.": np.full(
                    (n_q, 1), scores.max()
                ),
            },
        )
        compare(state[1], right[1], f"{what}: the total")

    start = (np.full((n_q, 1), -np.inf), np.zeros((n_q, 1)), np.zeros((n_q, value_size)))
    values = generator.normal(size=(n_k, value_size))
    scores = generator.normal(size=(n_q, n_k))
    judge(scores + np.linspace(0, 4, n_k), "with the larger scores in later blocks")
    judge(scores - np.linspace(0, 4, n_k), "with the larger scores in the first block")
    judge(scores + np.linspace(700, 1500, n_k), "with very large scores")
    judge(scores - np.linspace(700, 1500, n_k), "with very negative scores")
    masked = scores.copy()
    masked[1, :3] = -np.inf
    masked[2, 3:] = -np.inf
    masked[4, :5] = -np.inf
    judge(masked, "with a block in which a query may look at nothing")


def _state(result, n_q, value_size):
    """Return largest, total and mix as arrays, or say what is wrong with their form."""
    if not isinstance(result, (tuple, list)) or len(result) != 3:
        raise Wrong("take_block should return three things: the largest, the total and the mix.")
    found = []
    for name, part, width in zip(("largest", "total", "mix"), result, (1, 1, value_size), strict=True):
        array = np.asarray(part, dtype=float)
        if array.shape == (n_q,) and width == 1:
            raise Wrong(f"the {name} has lost an axis: one column, a row for each query, is wanted.")
        if array.shape != (n_q, width):
            raise Wrong(
                f"the {name} has shape {array.shape}; for {n_q} queries and values of {value_size} numbers "
                f"it should be {(n_q, width)}."
            )
        found.append(array)
    return tuple(found)
