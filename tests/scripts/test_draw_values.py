"""Every picture draws what was computed: its numbers digit by digit, its fills, lengths and curves to scale."""

import re

import numpy as np
import pytest
from drawn import artists
from matplotlib.colors import to_rgba

from scripts import cost, example, experiments, measure, model, one_block, pitfalls, plane, twin
from scripts.attention import causal_mask, padding_mask, softmax, split_heads
from scripts.draw import style
from scripts.draw.canvas import PICTURES
from scripts.numbers import show
from tools.cells import draw_picture

pytestmark = pytest.mark.slow  # they draw the pictures of the course

EVERY = [identity for identity in PICTURES if not identity.startswith("slider-")]
TOKENS, QUERIES, KEYS, VALUES = example.TOKENS, example.QUERIES, example.KEYS, example.VALUES
W_QUERY, W_KEY, W_VALUE, W_OUTPUT = example.W_QUERY, example.W_KEY, example.W_VALUE, example.W_OUTPUT
RAW, SCORES, WEIGHTS, OUTPUT = example.RAW, example.SCORES, example.WEIGHTS, example.OUTPUT
HEADS = example.TWO_HEADS.heads

LIMIT, RAISED = abs(RAW).max(), np.exp(SCORES)
PRODUCTS = TOKENS[3][:, None] * W_QUERY  # of the last token with the query matrix
PAIR = QUERIES[3] * KEYS[0]
MIXED = WEIGHTS[3][:, None] * VALUES
FIXED = np.array([[2, 1, 0, 0], [1, 2, 1, 0], [0, 1, 2, 1], [0, 0, 1, 2]]) / 4
MOVED = abs(OUTPUT - TOKENS).mean(axis=1)
ANGLES = np.arange(0, 181, 30)
SPREAD, WINNER = experiments.score_spread(), experiments.winner_share()
LEADS = np.linspace(0, 6, 61)
COUNTS = [1, 2, 3, 4, 6, 8, 12, 16, 24]
HEAD_COUNTS = {
    "head-size": [cost.WIDTH // h for h in COUNTS],
    "parameters": [4 * cost.WIDTH**2] * len(COUNTS),
    "scores": [h * 512 * 512 for h in COUNTS],
}
PADDING, CAUSAL = padding_mask([True, True, True, False]), causal_mask(4)
KEPT = np.where(PADDING[1], RAISED[1], 0)  # the powers of one masked row
_, REPLIES = pitfalls.replies(SCORES, pitfalls.real_pairs())
CORNERS = pitfalls.causal_from_the_top(2, 4), causal_mask(2, 4)
RUN = measure.recorded()
TYPED = plane.read("stir it and the cube melts")
THROUGH = one_block.BLOCK
THREE = [plane.read(plane.SENTENCES[0], head) for head in plane.HEADS.values()]


def shares(allowed):
    """Softmax of the scores under a mask, one power at a time; a row without an answer is masked."""
    powers = np.where(allowed, RAISED, 0)
    totals = np.ma.masked_equal(powers.sum(axis=1, keepdims=True), 0)
    return np.ma.divide(powers, totals)


def without(grid, allowed):
    return np.ma.array(grid, mask=~allowed)


# Picture, then grid: its numbers, how they are written, and what fills the cells if not the tint of a
# role: "weight", or the score at full opacity.  A row of numbers stands at 0, 1, 2, …, in any steps.
GRIDS = {
    "cube-moves": {"weights": (TYPED.weights[None], ".2f", "weight")},
    "equally-right": {"weights": (np.array([head.weights for head in THREE]), ".2f", "weight")},
    "embedding-blind": {"vector0": (TOKENS[3:], "+.1f"), "vector1": (TOKENS[3:], "+.1f")},
    "four-tokens": {"tokens": (TOKENS, "+.1f")},
    "cube-arrows": {"weights": (WEIGHTS[3:], ".3f")},
    "block-numbers": {
        "before": (THROUGH.before[0, 3:], "+.2f"),
        "first-norm": (THROUGH.asked[0, 3:], "+.2f"),
        "second-norm": (model.layer_norm(THROUGH.middle)[0, 3:], "+.2f"),
        "attention": ((THROUGH.middle - THROUGH.before)[0, 3:], "+.2f"),
        "middle": (THROUGH.middle[0, 3:], "+.2f"),
        "feed-forward": ((THROUGH.after - THROUGH.middle)[0, 3:], "+.2f"),
        "after": (THROUGH.after[0, 3:], "+.2f"),
    },
    "before-after": {
        "tokens": (TOKENS, "+.1f"),
        "outputs": (OUTPUT, "+.2f"),
        "moved": (MOVED[:, None], ".2f"),
    },
    "convolution": {"fixed": (FIXED, ".3f", "weight"), "weights": (WEIGHTS, ".3f", "weight")},
    "one-pair": {
        "query": (QUERIES[3:], "+.2f"),
        "key": (KEYS[:1], "+.2f"),
        "value": (VALUES[:1], "+.2f"),
        "score": (SCORES[3:, :1], ".3f"),
        "weight": (WEIGHTS[3:, :1], ".3f", "weight"),
        "share": (MIXED[:1], "+.2f"),
    },
    "three-matrices": {"w-query": (W_QUERY, "+.1f"), "w-key": (W_KEY, "+.1f"), "w-value": (W_VALUE, "+.1f")},
    "query-by-hand": {
        "row": (TOKENS[3][:, None], "+.1f"),
        "products": (PRODUCTS, "+.2f"),
        "query": (PRODUCTS.sum(axis=0)[None], "+.2f"),
        **{f"w-query-column{j}": (W_QUERY[:, j : j + 1], "+.1f") for j in range(4)},
    },
    "qkv-grids": {
        "tokens": (TOKENS, "+.1f"),
        "queries": (QUERIES, "+.2f"),
        "keys": (KEYS, "+.2f"),
        "values": (VALUES, "+.2f"),
    },
    "dot-product-by-hand": {
        "query": (QUERIES[3:], "+.2f"),
        "key": (KEYS[:1], "+.2f"),
        "products": (PAIR[None], "+.4f", abs(PAIR).max()),
        "total": (RAW[3:, :1], "+.4f"),
    },
    "dot-product-angle": {"products": (4 * np.cos(np.deg2rad(ANGLES)), "+.2f")},
    "raw-scores": {"raw": (RAW, "+.2f", LIMIT)},
    "scaled-scores": {"raw": (RAW, "+.2f", LIMIT), "scaled": (SCORES, "+.2f", LIMIT)},
    "score-spread": {"raw": (SPREAD.raw, ".2f"), "scaled": (SPREAD.scaled, ".2f")},
    "winner-share": {"raw": (WINNER.raw, ".3f"), "scaled": (WINNER.scaled, ".3f")},
    "softmax-table": {
        "score": (SCORES[3:], "+.3f", 3.0),
        "raised": (RAISED[3:], ".3f"),
        "share": (RAISED[3:] / RAISED[3].sum(), ".3f", "weight"),
    },
    "lead-share": {"leader": (1 / (1 + np.exp([0, -1, -2, -4])), ".3f")},
    "weight-grid": {
        "weights": (WEIGHTS, ".3f", "weight"),
        "totals": (WEIGHTS.sum(axis=1, keepdims=True), ".3f"),
    },
    "mix-values": {
        "weights": (WEIGHTS[3][:, None], ".3f", "weight"),
        "values": (VALUES, "+.2f"),
        "products": (MIXED, "+.2f"),
        "output": (MIXED.sum(axis=0)[None], "+.2f"),
    },
    "cut-query": {
        f"{name}-{h}": (piece, form)
        for name, grid, form in (("w-query", W_QUERY, "+.1f"), ("queries", QUERIES, "+.2f"))
        for h, piece in enumerate(split_heads(grid, 2))
    },
    "split-row": {
        "alone": (twin.ONE_HEAD.heads[0].weights[3:], ".3f", "weight"),
        "shared": (np.array([head.weights[3] for head in twin.TWO_HEADS.heads]), ".3f", "weight"),
    },
    "two-heads": {
        "sharpness": (np.array([[head.weights.max(axis=1).mean()] for head in HEADS]), ".3f"),
        **{f"weights-{h}": (head.weights, ".3f", "weight") for h, head in enumerate(HEADS)},
    },
    "join": {
        "result": (np.hstack([head.output for head in HEADS]) @ W_OUTPUT, "+.2f"),
        **{f"outputs-{h}": (head.output, "+.2f") for h, head in enumerate(HEADS)},
        **{f"w-output-{h}": (W_OUTPUT[2 * h : 2 * h + 2], "+.1f") for h in range(2)},
    },
    "head-counts": {"heads": (COUNTS, "d"), **{name: (row, ",d") for name, row in HEAD_COUNTS.items()}},
    "self-cross": {"self": (WEIGHTS, ".3f", "weight"), "cross": (example.CROSS.weights, ".3f", "weight")},
    "padding-mask": {
        "scores": (without(SCORES, PADDING), "+.2f", 3.0),
        "weights": (shares(PADDING), ".3f", "weight"),
        "totals": (shares(PADDING).sum(axis=1, keepdims=True), ".3f"),
    },
    "causal-mask": {
        "scores": (without(SCORES, CAUSAL), "+.2f", 3.0),
        "weights": (shares(CAUSAL), ".3f", "weight"),
        "totals": (shares(CAUSAL).sum(axis=1, keepdims=True), ".3f"),
    },
    "masked-row": {
        "score": (SCORES[1:2], "+.3f", 3.0),
        "kept": (without(SCORES[1:2], PADDING[1:2]), "+.3f", 3.0),
        "raised": (KEPT[None], ".3f"),
        "share": (KEPT[None] / KEPT.sum(), ".3f", "weight"),
    },
    "pitfall-no-answer": {
        "weights": (np.ma.masked_invalid(REPLIES), ".3f", "weight"),
        "totals": (np.ma.masked_invalid(REPLIES).sum(axis=1, keepdims=True), ".3f"),
    },
    "pitfall-corner": {
        name: (without(softmax(SCORES[2:], may), may), ".3f", "weight")
        for name, may in zip(("top", "bottom"), CORNERS, strict=True)
    },
}
# Grids without numbers.
SMALL = {
    "as-matrices": {
        "scores": (SCORES, 3.0),
        "weights": (WEIGHTS, "weight"),
        "weights-again": (WEIGHTS, "weight"),
    },
    "reading-map": {
        "weights": (WEIGHTS, "weight"),
        "sources": (example.CROSS.weights, "weight"),
        **{f"heads-{h}": (head.weights, "weight") for h, head in enumerate(HEADS)},
    },
}
# Picture, what is measured of which artists, and the values to which they are proportional.
LENGTHS = [
    ("cube-arrows", "linewidth", "arrow:weights:", WEIGHTS[3]),
    ("before-after", "width", "bar:moved:", MOVED),
    ("winner-share", "height", "bar:", np.column_stack([WINNER.raw, WINNER.scaled]).ravel()),
    ("softmax-table", "height", "bar:share:", WEIGHTS[3]),
    *(("head-counts", "width", f"bar:{name}:", row) for name, row in HEAD_COUNTS.items()),
    ("masked-row", "height", "bar:share:", KEPT),
]
# Picture, curve, and where its points lie.
TOKEN_COUNTS = 2 ** np.arange(7, 16)
CURVES = [
    (
        "dot-product-angle",
        "line:products",
        np.arange(0, 181, 5),
        4 * np.cos(np.deg2rad(np.arange(0, 181, 5))),
    ),
    ("dot-product-angle", "points:products", ANGLES, 4 * np.cos(np.deg2rad(ANGLES))),
    ("score-spread", "points:raw", SPREAD.sizes, SPREAD.raw),
    ("score-spread", "points:scaled", SPREAD.sizes, SPREAD.scaled),
    ("score-spread", "line:scaled", SPREAD.sizes, SPREAD.scaled),
    ("score-spread", "line:law", SPREAD.sizes, [2, 4, 8, 16, 32]),
    ("lead-share", "line:leader", LEADS, 1 / (1 + np.exp(-LEADS))),
    ("lead-share", "line:other", LEADS, 1 / (1 + np.exp(LEADS))),
    *(("lead-share", f"dot:leader:{10 * lead}", [lead], [1 / (1 + np.exp(-lead))]) for lead in (0, 1, 2, 4)),
    ("cost-crossing", "line:projections", TOKEN_COUNTS, [4 * n * 768**2 for n in TOKEN_COUNTS.tolist()]),
    ("cost-crossing", "line:grid", TOKEN_COUNTS, [2 * n**2 * 768 for n in TOKEN_COUNTS.tolist()]),
    ("cost-crossing", "point:crossing", [1536], [2 * 1536**2 * 768]),
    ("blockwise", "line:memory:full", RUN.lengths, RUN.full_bytes),
    ("blockwise", "line:memory:block", RUN.lengths, RUN.block_bytes),
    ("blockwise", "line:time:full", RUN.lengths, RUN.full_seconds),
    ("blockwise", "line:time:block", RUN.lengths, RUN.block_seconds),
]


def starting(found, start):
    """Artists whose names begin so, in the order of the numbers in their names."""
    names = [name for name in found if re.fullmatch(rf"{start}[\w:-]*\d", name)]
    return {
        name: found[name] for name in sorted(names, key=lambda name: [*map(int, re.findall(r":(\d+)", name))])
    }


@pytest.mark.parametrize(("identity", "grid"), [(i, grid) for i, grids in GRIDS.items() for grid in grids])
def test_numbers(identity, grid):
    values, form, *_ = GRIDS[identity][grid]
    values = np.ma.asarray(values)
    written = starting(artists(draw_picture(identity)), f"number:{grid}:")
    assert [text.get_text() for text in written.values()] == [show(v, form) for v in values.compressed()]
    if values.ndim == 2:
        there = np.argwhere(~np.ma.getmaskarray(values)).tolist()
        assert list(written) == [f"number:{grid}:{i}:{j}" for i, j in there]


FILLED = [
    (identity, grid, values, fill)
    for table in (GRIDS, SMALL)
    for identity, grids in table.items()
    for grid, (values, *_, fill) in grids.items()
    if fill == "weight" or isinstance(fill, float)
]


@pytest.mark.parametrize(("identity", "grid", "values", "fill"), FILLED, ids=lambda part: str(part)[:20])
def test_fills(identity, grid, values, fill):
    """A weight is as opaque as it is large; so is a score, with a colour for each sign; what is forbidden is hatched."""
    found = artists(draw_picture(identity))
    cells, hatched = starting(found, f"cell:{grid}:"), starting(found, f"forbidden:{grid}:")
    assert len(cells) == np.ma.count(values)
    assert list(hatched) == [f"forbidden:{grid}:{i}:{j}" for i, j in np.argwhere(np.ma.getmaskarray(values))]
    for cell, value in zip(cells.values(), np.ma.compressed(values), strict=True):
        role = "weight" if fill == "weight" else "negative" if value < 0 else "positive"
        opacity = value if fill == "weight" else abs(value) / fill
        assert cell.get_facecolor() == pytest.approx(to_rgba(style.COLOURS[role], opacity))


@pytest.mark.parametrize(("identity", "measure", "start", "values"), LENGTHS)
def test_lengths_are_to_scale(identity, measure, start, values):
    marks = starting(artists(draw_picture(identity)), start).values()
    sizes = np.array([getattr(mark, f"get_{measure}")() for mark in marks])
    np.testing.assert_allclose(sizes / sizes.max(), np.array(values) / np.max(values), atol=1e-12)


@pytest.mark.parametrize(("identity", "curve", "xs", "ys"), CURVES)
def test_curves(identity, curve, xs, ys):
    line = artists(draw_picture(identity))[curve]
    np.testing.assert_allclose(line.get_xdata(), xs)
    np.testing.assert_allclose(line.get_ydata(), ys, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("identity", EVERY)
def test_the_tables_name_every_grid(identity):
    """Numerals alone, and cells with a name: what stands among words is looked at elsewhere."""
    found = artists(draw_picture(identity))
    numbers = {name: text for name, text in found.items() if re.fullmatch(r"number:[\w-]+(:\d+)+", name)}
    written = {
        name.split(":")[1] for name, text in numbers.items() if re.fullmatch(r"[+−\d.,]+", text.get_text())
    }
    assert written == set(GRIDS.get(identity, ()))
    cells = {name.split(":")[1] for name in found if name.startswith("cell:")}
    assert cells <= written | set(SMALL.get(identity, ()))
