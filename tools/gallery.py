"""Which values each picture of the course is drawn from.

Drawing functions take values; this is the one place that says which.  A
notebook calls the same functions with the values that its own cells worked
out, and a test compares the two byte for byte.
"""

import numpy as np

from scripts import cost, draw, example, experiments, measure
from scripts import pitfalls as mistakes
from scripts.attention import causal_mask, neighbour_weights, padding_mask, softmax
from scripts.draw.canvas import PICTURES


def section1():
    """Pictures of section 1."""
    return {
        "embedding-blind": lambda: draw.embedding_blind(example.TOKENS[3]),
        "four-tokens": lambda: draw.four_tokens(example.TOKENS, example.ORDER),
        "cube-arrows": lambda: draw.cube_arrows(example.WEIGHTS[3], example.ORDER),
        "before-after": lambda: draw.before_after(
            example.TOKENS,
            example.OUTPUT,
            np.abs(example.OUTPUT - example.TOKENS).mean(axis=1),
            example.ORDER,
        ),
        "convolution": lambda: draw.convolution(
            neighbour_weights(len(example.ORDER), *example.KERNEL), example.WEIGHTS, example.ORDER
        ),
    }


def section2():
    """Pictures of section 2."""
    cube = example.TOKENS[3]
    return {
        "one-pair": lambda: draw.one_pair(
            example.QUERIES[3],
            example.KEYS[0],
            example.SCORES[3, 0],
            example.WEIGHTS[3, 0],
            example.VALUES[0],
            example.WEIGHTS[3, 0] * example.VALUES[0],
        ),
        "three-matrices": lambda: draw.three_matrices(example.W_QUERY, example.W_KEY, example.W_VALUE),
        "query-by-hand": lambda: draw.query_by_hand(
            cube, example.W_QUERY, cube[:, None] * example.W_QUERY, example.QUERIES[3]
        ),
        "qkv-grids": lambda: draw.qkv_grids(
            example.TOKENS, example.QUERIES, example.KEYS, example.VALUES, example.ORDER
        ),
    }


def section3():
    """Pictures of section 3."""
    queries, keys, names = example.QUERIES, example.KEYS, example.ORDER
    angles = np.arange(0, 181, 5)
    turn = np.deg2rad(angles)
    turned = 2 * np.column_stack([np.cos(turn), np.sin(turn)])

    def score_spread():
        spread = experiments.score_spread()
        return draw.score_spread(spread.sizes, spread.raw, spread.scaled, np.sqrt(spread.sizes))

    def winner_share():
        winner = experiments.winner_share()
        return draw.winner_share(winner.sizes, winner.raw, winner.scaled)

    return {
        "dot-product-by-hand": lambda: draw.dot_product_by_hand(queries[3], keys[0], queries[3] * keys[0]),
        "dot-product-angle": lambda: draw.dot_product_angle(angles, turned @ np.array([2, 0])),
        "raw-scores": lambda: draw.raw_scores(example.RAW, names),
        "scaled-scores": lambda: draw.scaled_scores(
            example.RAW, example.SCORES, names, np.sqrt(queries.shape[1])
        ),
        "score-spread": score_spread,
        "winner-share": winner_share,
    }


def section4():
    """Pictures of section 4."""
    scores, weights = example.SCORES[3], example.WEIGHTS[3]
    leads = np.linspace(0, 6, 61)
    pairs = np.column_stack([leads, np.zeros(len(leads))])
    return {
        "softmax-table": lambda: draw.softmax_table(scores, np.exp(scores), weights, example.ORDER),
        "lead-share": lambda: draw.lead_share(leads, softmax(pairs)),
        "weight-grid": lambda: draw.weight_grid(example.WEIGHTS, example.ORDER),
        "mix-values": lambda: draw.mix_values(
            weights, example.VALUES, weights[:, None] * example.VALUES, example.OUTPUT[3], example.ORDER
        ),
        "as-matrices": lambda: draw.as_matrices(
            example.TOKENS,
            (example.W_QUERY, example.W_KEY, example.W_VALUE),
            (example.QUERIES, example.KEYS, example.VALUES),
            example.SCORES,
            example.WEIGHTS,
            example.OUTPUT,
        ),
        "real-sizes": lambda: draw.real_sizes(
            512,
            cost.WIDTH,
            cost.HEADS,
            512 * cost.WIDTH,
            cost.grid_numbers(512),
            cost.grid_numbers(512, cost.HEADS),
        ),
    }


def section5():
    """Pictures of section 5."""
    run, names = example.TWO_HEADS, example.ORDER
    counts = cost.divisors()[:9]
    return {
        "cut-query": lambda: draw.cut_query(example.W_QUERY, example.QUERIES, names),
        "two-heads": lambda: draw.two_heads([head.weights for head in run.heads], names),
        "join": lambda: draw.join([head.output for head in run.heads], example.W_OUTPUT, run.output, names),
        "head-counts": lambda: draw.head_counts(
            counts,
            [cost.head_size(heads=h) for h in counts],
            [cost.parameters(heads=h) for h in counts],
            [cost.grid_numbers(512, h) for h in counts],
        ),
    }


def section6():
    """Pictures of section 6."""
    scores, names = example.SCORES, example.ORDER
    real = np.array([True, True, True, False])
    padding, causal = padding_mask(real), causal_mask(len(names))
    padded = softmax(scores, padding, no_answer="report")
    raised = np.where(padding[1], np.exp(scores[1]), 0.0)
    return {
        "self-cross": lambda: draw.self_cross(example.WEIGHTS, example.CROSS.weights, names, example.ROBOT),
        "padding-mask": lambda: draw.padding_mask(scores, padded, padding, names),
        "masked-row": lambda: draw.masked_row(
            scores[1], raised, raised.sum(), raised / raised.sum(), padding[1], names, names[1]
        ),
        "causal-mask": lambda: draw.causal_mask(scores, softmax(scores, causal), causal, names),
        "mixed-stream": lambda: draw.mixed_stream(cost.STREAM_KINDS, cost.STREAM_COUNTS, cost.STREAM_ALLOWED),
    }


def section7():
    """Pictures of section 7."""
    tokens = 2 ** np.arange(7, 16)
    some = (128, 512, 2048, 8192, 32768)
    return {
        "grids-grow": lambda: draw.grids_grow((4, 8, 16)),
        "cost-crossing": lambda: draw.cost_crossing(
            tokens,
            [cost.projection_steps(n) for n in tokens],
            [cost.grid_steps(n) for n in tokens],
            cost.crossing(),
        ),
        "grid-share": lambda: draw.grid_share(some, [cost.grid_share(n) for n in some]),
        "grid-memory": lambda: draw.grid_memory(some[1:], [cost.grid_bytes(n) for n in some[1:]]),
        "blockwise": lambda: draw.blockwise(measure.recorded()),
    }


def section8():
    """Pictures of section 8."""
    heads = [head.weights for head in example.TWO_HEADS.heads]
    return {"reading-map": lambda: draw.reading_map(example.WEIGHTS, heads, example.CROSS.weights)}


def pitfalls():
    """Pictures of the page on mistakes."""
    scores, names = example.SCORES, example.ORDER
    last = scores[2:]
    corners = (mistakes.causal_from_the_top(2, len(names)), causal_mask(2, len(names)))
    return {
        "pitfall-no-answer": lambda: draw.pitfall_no_answer(
            *mistakes.replies(scores, mistakes.real_pairs()), names
        ),
        "pitfall-corner": lambda: draw.pitfall_corner(
            *(softmax(last, may) for may in corners), names[2:], names
        ),
    }


SECTIONS = (section1, section2, section3, section4, section5, section6, section7, section8, pitfalls)


def gallery():
    """Return every picture's id with a function of no arguments that draws it."""
    return {name: make for section in SECTIONS for name, make in section().items()}


def draw_picture(identity):
    """Draw one picture of the course.

    Parameters
    ----------
    identity : str

    Returns
    -------
    scripts.draw.canvas.Picture

    Raises
    ------
    ValueError
        If there is no picture of that id.
    """
    makers = gallery()
    if identity not in makers:
        raise ValueError(f"no picture is called {identity!r}; there are {', '.join(sorted(makers))}")
    picture = makers[identity]()
    assert picture.id == identity and identity in PICTURES
    return picture
