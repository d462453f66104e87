"""Picture of section 8: where to read next."""

import numpy as np
from matplotlib.patches import Circle, PathPatch
from matplotlib.path import Path

from scripts.draw.canvas import Canvas, Grid, Picture, picture
from scripts.draw.style import COLOURS, MEASURE, SMALL
from scripts.draw.words import foremost, quoted
from scripts.numbers import listing, show

# An idea of this course: its section, its name in two lines, and how its sign is drawn.
IDEAS = {
    "mixture": (1, "a mixture that", "tokens choose"),
    "vectors": (2, "queries, keys", "and values"),
    "weights": (4, "softmax and", "the weight grid"),
    "heads": (5, "several heads,", "joined again"),
    "sources": (6, "self-attention and", "cross-attention"),
    "mask": (6, "masks", ""),
    "cost": (7, "a cost that grows", "with the square"),
}
# What to read next, in the order of the text: its name, what it adds, and what it builds on.
TOPICS = (
    ("A transformer block", "the piece that is stacked", ("weights", "heads")),
    ("Training and running one", "next token, cache, choice", ("vectors", "weights", "mask")),
    ("Why the transformer won", "and cheaper attention", ("mixture", "cost")),
    ("Vision backbones", "patches as tokens", ("sources", "cost")),
    ("Vision-language-action", "words in, movement out", ("sources", "mask")),
    ("Language models", "a catalogue by size", ("heads", "cost")),
)


SIDE = 0.105  # inches: a cell of a sign


def _little_grid(sheet, x, y, weights, name, side=SIDE):
    """Draw a grid of weights so small that it holds no numbers; its centre is at (x, y)."""
    rows, columns = weights.shape
    left, top = x - columns * side / 2, y - rows * side / 2
    sheet.cells(weights, left, top, side, name=name, line=0.4)
    sheet.box(left, top, columns * side, rows * side, role="ink", line=0.9)


def _mixture(sheet, x, y, weights):
    """Four lines that run together, as thick as the weights of the last token."""
    for i, weight in enumerate(weights[-1]):
        start = x - 0.21 + 0.14 * i
        ends = [start, x + (start - x) * 0.35], [y - 0.2, y + 0.08]
        sheet.line(*ends, role="weight-mark", width=1 + 7 * weight, gid=f"line:mixture:{i}")
    sheet.box(x - 0.15, y + 0.08, 0.3, 0.13, role="output", fill="output", line=1.2)


def _vectors(sheet, x, y):
    """A query, a key and a value, without their numbers."""
    for i, role in enumerate(("query", "key", "value")):
        top = y - 0.21 + 0.15 * i
        sheet.box(x - 0.21, top, 0.42, 0.12, role=role, fill=role, line=1.2)
        for cut in (-0.105, 0, 0.105):
            sheet.line([x + cut, x + cut], [top, top + 0.12], role=role, width=0.6)


def _mask(sheet, x, y):
    """A causal mask of four tokens."""
    for i, j in np.ndindex(4, 4):
        look = {"fill": "weight", "opacity": 0.55} if j <= i else {"hatch": "//////"}
        sheet.box(x + (j - 2) * SIDE, y + (i - 2) * SIDE, SIDE, SIDE, line=0.4, **look)
    sheet.box(x - 2 * SIDE, y - 2 * SIDE, 4 * SIDE, 4 * SIDE, role="ink", line=0.9)


def _sign(sheet, idea, x, y, weights, head_weights, cross):
    """Draw the sign of an idea, centred at (x, y)."""
    if idea == "mixture":
        _mixture(sheet, x, y, weights)
    elif idea == "vectors":
        _vectors(sheet, x, y)
    elif idea == "heads":
        for h, grid in enumerate(head_weights):
            middle = x + 0.29 * (h - (len(head_weights) - 1) / 2)
            _little_grid(sheet, middle, y, grid, f"{idea}-{h}", side=0.062)
    elif idea == "mask":
        _mask(sheet, x, y)
    elif idea == "cost":
        look = {"role": "ink", "fill": "weight-mark", "opacity": 0.3, "line": 0.9}
        for side in (0.12, 0.24, 0.44):
            sheet.box(x - 0.22, y + 0.22 - side, side, side, **look)
    else:
        _little_grid(sheet, x, y, {"weights": weights, "sources": cross}[idea], idea)


def _strand(sheet, start, end, gid):
    """Draw a soft curve, with a margin of paper so that crossings read as over and under."""
    (x0, y0), (x1, y1) = start, end
    reach = 0.5 * (x1 - x0)
    path = Path(
        [(x0, y0), (x0 + reach, y0), (x1 - reach, y1), (x1, y1)],
        [Path.MOVETO, Path.CURVE4, Path.CURVE4, Path.CURVE4],
    )
    look = {"facecolor": "none", "capstyle": "butt", "clip_on": False}
    for role, width, name in (("paper", 5.0, None), ("muted", 1.6, gid)):
        sheet.axes.add_patch(PathPatch(path, edgecolor=COLOURS[role], linewidth=width, gid=name, **look))
    dot = {"facecolor": COLOURS["muted"], "edgecolor": "none", "clip_on": False}
    sheet.axes.add_patch(Circle(start, 0.035, **dot))


@picture("reading-map")
def reading_map(weights: Grid, head_weights: list[Grid], cross: Grid) -> Picture:
    """Draw which idea of this course each next topic builds on.

    The weights of the example, those of its two heads and those of cross-attention
    are drawn, small, as signs of the ideas.
    """
    top, step = 0.98, 0.66
    sheet = Canvas(top + step * len(IDEAS) - 0.18, "What each next topic builds on")
    left, right = 2.28, 3.4
    sheet.note(0.08, 0.5, "section of this course", ha="left")
    sheet.note(right, 0.5, "to read next", ha="left")
    heights = {idea: top + step * i for i, idea in enumerate(IDEAS)}
    spread = step * (len(IDEAS) - 1) / (len(TOPICS) - 1)
    leaving = {idea: [t for t, topic in enumerate(TOPICS) if idea in topic[2]] for idea in IDEAS}
    for t, (_, _, built_on) in enumerate(TOPICS):
        for k, idea in enumerate(sorted(built_on, key=heights.get)):
            out = 0.12 * (leaving[idea].index(t) - (len(leaving[idea]) - 1) / 2)
            into = 0.13 * (k - (len(built_on) - 1) / 2)
            ends = (left, heights[idea] + out), (right, top + spread * t + into)
            _strand(sheet, *ends, f"strand:{idea}:{t}")
    for idea, (number, first, second) in IDEAS.items():
        y = heights[idea]
        sheet.note(0.13, y, show(number, "d"), bold=True)
        _sign(sheet, idea, 0.57, y, weights, head_weights, cross)
        sheet.text(0.92, y - (0.1 if second else 0), first, ha="left", size=SMALL)
        sheet.text(0.92, y + 0.1, second, ha="left", size=SMALL)
    for t, (name, adds, _) in enumerate(TOPICS):
        y = top + spread * t
        sheet.box(right, y - 0.27, MEASURE - right - 0.06, 0.54, role="ink", fill="paper", opacity=1)
        sheet.text(right + 0.1, y - 0.1, name, ha="left", bold=True, size=SMALL)
        sheet.note(right + 0.1, y + 0.11, adds, ha="left")
    names = {idea: f"{first} {second}".strip() for idea, (_, first, second) in IDEAS.items()}
    lines = [len(leaving[idea]) for idea in IDEAS]
    busy = foremost(names.values(), lines, "d")
    return sheet.done(
        caption="Left, seven ideas of this course; right, six topics to read next. A line says "
        "that a topic builds on an idea.",
        alt=f"Lines lead from {show(len(IDEAS), 'd')} ideas of this course, at the left, to "
        f"{show(len(TOPICS), 'd')} topics to read next, at the right. The most lines, "
        f"{show(max(lines), 'd')}, {'leave' if len(busy) == 1 else 'leave each of'} {quoted(busy)}. "
        + " ".join(
            f"{name} ({adds}) builds on "
            + listing(f"“{names[idea]}” (section {show(IDEAS[idea][0], 'd')})" for idea in built_on)
            + "."
            for name, adds, built_on in TOPICS
        ),
    )


@picture("block")
def block(dimension: int, inside: int, attention: int, feed_forward: int) -> Picture:
    """Draw a transformer block: one line that the tokens travel on, and two branches that add to it.

    `dimension` is that of the model and `inside` that between the two matrices of the
    feed-forward network; `attention` and `feed_forward` are how many parameters each part has.
    """
    sheet = Canvas(2.9, "A transformer block adds twice to what comes in")
    stream = 2.35  # the height at which the tokens travel
    sheet.arrow((0.62, stream), (MEASURE - 0.62, stream), width=2.4)
    for x, words in ((0.34, "tokens\nin"), (MEASURE - 0.34, "tokens\nout")):
        sheet.text(x, stream, words, va="center", size=SMALL)
    parts = (
        (0.75, "attention", "mixes the tokens", "output", attention),
        (2.95, "feed-forward network", "one token at a time", "token", feed_forward),
    )
    for left, name, does, role, count in parts:
        right, norm = left + 1.95, left + 0.1
        sheet.line([norm, norm], [stream, 1.86])
        sheet.box(norm - 0.1, 1.56, 1.0, 0.3, role="muted", fill="token")
        sheet.text(norm + 0.4, 1.71, "layer norm", size=SMALL)
        sheet.arrow((norm + 0.4, 1.56), (norm + 0.4, 1.3))
        sheet.box(left, 0.5, right - left, 0.8, role=role, fill=role, line=1.6)
        sheet.text((left + right) / 2, 0.68, name, bold=True, size=SMALL)
        sheet.note((left + right) / 2, 0.9, does)
        sheet.text((left + right) / 2, 1.12, f"{show(count, ',d')} parameters", size=SMALL)
        plus = right - 0.1
        sheet.arrow((plus, 1.3), (plus, stream - 0.13))
        ring = {"facecolor": COLOURS["paper"], "edgecolor": COLOURS["ink"], "clip_on": False, "zorder": 3}
        sheet.axes.add_patch(Circle((plus, stream), 0.13, linewidth=1.4, gid=f"plus:{name}", **ring))
        for xs, ys in (
            ([plus - 0.07, plus + 0.07], [stream] * 2),
            ([plus] * 2, [stream - 0.07, stream + 0.07]),
        ):
            sheet.line(xs, ys, width=1.4).set_zorder(4)
    sheet.note(
        MEASURE / 2, stream + 0.33, "residual connection: what comes in goes on, and each part is added"
    )
    return sheet.done(
        caption="A transformer block. The tokens go straight through; attention and the feed-forward "
        "network each read them and add what they have made.",
        alt=f"Tokens, vectors of dimension {show(dimension, 'd')}, travel along a line from left to right, the "
        f"residual connection. Two branches leave it, and what they make is added to it again. "
        f"First branch: layer normalisation, then attention, which mixes tokens and has four matrices with "
        f"{show(attention, ',d')} parameters. Second branch: layer normalisation, then the feed-forward network, "
        f"which takes one token at a time through two matrices, up to {show(inside, ',d')} dimensions and back, "
        f"with {show(feed_forward, ',d')} parameters.",
    )
