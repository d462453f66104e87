"""Pictures of section 6: self-attention, cross-attention, and the mask."""

import numpy as np

from scripts.draw.canvas import Canvas, Counts, Grid, Mask, Names, Picture, Row, on_paper, picture
from scripts.draw.softmax import steps_above_bars
from scripts.draw.style import MEASURE, SMALL
from scripts.draw.words import foremost, quoted
from scripts.numbers import listing, show, shows


@picture("self-cross")
def self_cross(self_weights: Grid, cross_weights: Grid, names: Names, robot: Names) -> Picture:
    """Draw the weights of the words over the words beside those of the robot tokens over the words."""
    tall = max(len(self_weights), len(cross_weights) + 2)
    sheet = Canvas(1.56 + 0.36 * tall, "One set attends to itself; one set reads another")
    look, told = {"fill": "weight", "cell": (0.52, 0.36)}, {}
    for name, weights, asking, source, x in (
        ("self", self_weights, names, "the words", 0.6),
        ("cross", cross_weights, robot, "the robot", 3.5),
    ):
        grid = sheet.pairs(weights, x, 1.42, asking, names, name=name, **look)
        rows, columns = weights.shape
        sheet.text(x, 0.56, f"{name}-attention, {rows} by {columns}", bold=True, ha="left")
        sheet.note(x, 0.8, f"queries from {source}", role="query", ha="left")
        sheet.note(x, 1.02, "keys, values from the words", role="key", ha="left")
        told[name] = " ".join(
            f"{word}: {shows(row, '.3f')}, most on {quoted(foremost(names, row, '.3f'))}."
            for word, row in zip(asking, weights, strict=True)
        )
    sheet.text(grid.x, grid.bottom + 0.25, "The words never", ha="left", role="muted")
    sheet.text(grid.x, grid.bottom + 0.47, "attend back.", ha="left", role="muted")
    return sheet.done(
        caption="Self-attention has a row and a column for each word; cross-attention has a row "
        "for each robot token and a column for each word.",
        alt=f"Both matrices have a column for each word, {quoted(names)}. Left, self-attention, {len(names)} by "
        f"{len(names)}, has the words ask as well. Right, cross-attention, {len(robot)} by {len(names)}, "
        "has the robot ask, and the words never attend back. "
        f"Self-attention. {told['self']} Cross-attention. {told['cross']}",
    )


def _masked(title, caption, scores, weights, allowed, names, limit=3.0):
    """Draw masked scores beside the weights that come of them, and say so."""
    sheet = Canvas(1.16 + 0.38 * len(scores), title)
    cell = (0.52, 0.38)
    look = {"fill": "score", "limit": limit, "allowed": allowed}
    left = sheet.pairs(scores, 0.82, 0.98, names, names, name="scores", cell=cell, **look)
    sheet.minus_infinity(left, "scores", allowed)
    x = left.right + 0.16
    right = sheet.pairs(weights, x, 0.98, (), names, name="weights", fill="weight", cell=cell)
    sheet.text(left.middle[0], 0.56, "scores after the mask", bold=True)
    sheet.text(right.middle[0], 0.56, "weights", bold=True)
    sheet.text(0.16, left.middle[1], "asking", role="query", rotation=90)
    sheet.text(right.right + 0.33, 0.84, "sum", role="muted")
    sheet.totals(weights, right, right.right + 0.33)
    return sheet.done(caption=caption, alt=_masked_words(scores, weights, allowed, names))


def _forbidden(allowed, names):
    """Say what a mask forbids."""
    shut = [name for name, column in zip(names, allowed.T, strict=True) if not column.any()]
    said = []
    if np.array_equal(allowed, np.tril(np.ones_like(allowed))):
        said.append("Everything above the diagonal is forbidden.")
    elif shut:
        said.append(f"No token may attend to {quoted(shut)}.")
    deaf = [name for name, row in zip(names, allowed, strict=True) if not row.any()]
    if deaf:
        have = "has" if len(deaf) == 1 else "have"
        said.append(f"{quoted(deaf)} may attend to nothing and {have} no answer.")
    return " ".join(said)


def _masked_words(scores, weights, allowed, names):
    """Say in words what `_masked` draws."""
    left, right = [], []
    for name, row, shares, may in zip(names, scores, weights, allowed, strict=True):
        if not may.any():
            left.append(f"{name}: minus infinity everywhere.")
            right.append(f"{name}: no answer.")
            continue
        kept = listing(f"{show(s, '+.2f')} for “{n}”" for n, s, m in zip(names, row, may, strict=True) if m)
        gone = [n for n, m in zip(names, may, strict=True) if not m]
        left.append(f"{name}: {kept}{f'; minus infinity for {quoted(gone)}' if gone else ''}.")
        right.append(f"{name}: {shows(shares, '.3f')}, sum {show(shares.sum(), '.3f')}.")
    return (
        f"{_forbidden(allowed, names)} Two matrices, a row for each token that asks and a column for each "
        f"token that it might attend to, {quoted(names)}. Left, the scores after the mask, forbidden ones hatched. "
        f"{' '.join(left)} Right, the weights. {' '.join(right)}"
    ).strip()


@picture("padding-mask")
def padding_mask(
    scores: Grid,
    weights: Grid,
    allowed: Mask,
    names: Names,
    title="A padding token is kept out of every mixture",
) -> Picture:
    """Draw masked scores and the weights that come of them.

    The scores are divided, and not yet masked; a masked row of weights has no answer.
    """
    caption = "Left: the scores, with each forbidden one replaced by minus infinity. Right: the weights. "
    caption += "A row in which everything is forbidden has no answer."
    return _masked(title, caption, scores, weights, allowed, names)


@picture("causal-mask")
def causal_mask(
    scores: Grid,
    weights: Grid,
    allowed: Mask,
    names: Names,
    title="Each token attends to itself and to what came before",
) -> Picture:
    """Draw the causal mask on the scores and the weights that come of it, as `padding_mask` does."""
    caption = "The causal mask: everything above the diagonal is forbidden, the diagonal itself is allowed. "
    caption += "Each row of weights still sums to 1."
    return _masked(title, caption, scores, weights, allowed, names)


@picture("masked-row")
def masked_row(
    scores: Row, raised: Row, total: float, weights: Row, allowed, names: Names, asking: str, limit=3.0
) -> Picture:
    """Draw the softmax of one masked row, step by step.

    The scores are those before the mask; `raised` is 0 where a score is forbidden.
    """
    sheet = Canvas(4.5, f"The row of “{asking}”, worked with the mask")
    score = {"form": "+.3f", "fill": "score", "limit": limit}
    powers, shares = {"form": ".3f", "role": "muted"}, {"fill": "weight"}
    steps = (
        ("score", "score", scores, None, score),
        ("kept", "after the mask", scores, None, score | {"allowed": allowed[None, :]}),
        ("raised", "exponential", raised, total, powers),
        ("share", "weight", weights, weights.sum(), shares),
    )
    steps_above_bars(sheet, steps, names, pitch=0.54, base=4.3)
    columns = " ".join(
        f"{name}: score {show(s, '+.3f')}, {'kept' if may else 'minus infinity after the mask'}, "
        f"exponential {show(r, '.3f')}, weight {show(w, '.3f')}."
        for name, s, may, r, w in zip(names, scores, allowed, raised, weights, strict=True)
    )
    first, largest = int(np.argmax(scores)), ""
    if not allowed[first]:
        largest = (
            f"The largest score, {show(scores[first], '+.3f')} for “{names[first]}”, is forbidden and "
            f"gets the weight {show(weights[first], '.3f')}. "
        )
    return sheet.done(
        caption="The forbidden score becomes minus infinity, and its exponential is exactly zero; "
        "the others are divided by their own sum.",
        alt=f"{largest}A table with a column for each token, and under each a bar as high as its weight. "
        f"{columns} The exponentials sum to {show(total, '.3f')}, the weights to "
        f"{show(weights.sum(), '.3f')}.",
    )


def _stream(sheet, allowed, counts, x, y, unit, name, line=0.0, first=0):
    """Draw a mask as one rectangle for each pair of types: filled = may attend, hatched = forbidden.

    The rectangles are to scale, as high and wide as there are tokens of each type;
    `unit` is the size of one pair in inches, `line` the width of the lines around
    rectangles, `first` the first type that is drawn.
    """
    starts = np.cumsum(counts) - counts
    starts = starts - starts[first]
    for (i, j), may in np.ndenumerate(allowed):
        if min(i, j) < first:
            continue
        at = (x + starts[j] * unit[0], y + starts[i] * unit[1], counts[j] * unit[0], counts[i] * unit[1])
        if may:
            look = {"role": "paper" if line else None, "fill": "token", "opacity": 0.24, "line": line}
            sheet.box(*at, gid=f"allowed:{name}:{i}:{j}", **look)
        else:
            sheet.box(*at, hatch="////", line=line or 0.4, gid=f"forbidden:{name}:{i}:{j}")


@picture("mixed-stream")
def mixed_stream(kinds: Names, counts: Counts, allowed: Mask) -> Picture:
    """Draw who may attend to whom, by token type and, to scale, for all tokens of the types."""
    counts = np.asarray(counts)
    starts = np.cumsum(counts) - counts
    n = int(counts.sum())
    pairs, open_pairs = n * n, int(counts @ allowed @ counts)
    sheet = Canvas(4.3, "In a mixed stream, the type settles who may attend")

    # By type.
    x, y, wide, high = 0.88, 0.98, 0.53, 0.34
    sheet.text(x - 0.8, 0.52, "by type of token", bold=True, ha="left")
    _stream(sheet, allowed, np.ones_like(counts), x, y, (wide, high), "kind", line=0.8)
    for i, kind in enumerate(kinds):
        sheet.text(x - 0.1, y + (i + 0.5) * high, kind, role="query", ha="right")
        sheet.note(x + (i + 0.5) * wide, y - 0.14, kind, role="key")
        for j, may in enumerate(allowed[i]):
            at, gid = (x + j * wide + wide / 2, y + i * high + high / 2), f"word:kind:{i}:{j}"
            word = sheet.text(*at, "yes" if may else "no", gid=gid)
            if not may:
                word.set_bbox(on_paper())
    sheet.box(x, y, len(kinds) * wide, len(kinds) * high, role="ink", line=1.4)

    # All tokens, to scale.
    side = 2.5
    left, top, unit = MEASURE - 0.1 - side, 0.98, side / n
    middle = left + side / 2
    sheet.text(left, 0.52, "every token, to scale", bold=True, ha="left")
    sheet.note(middle, top - 0.14, f"{show(n, ',d')} by {show(n, ',d')} cells", size=SMALL + 0.5)
    _stream(sheet, allowed, counts, left, top, (unit, unit), "block")
    sheet.box(left, top, side, side, role="ink", line=1.2)
    largest = int(counts.argmax())
    most, count = kinds[largest], show(counts[largest], ",d")
    at = (starts[largest] + counts[largest] / 2) * unit
    sheet.text(left + at, top + at - 0.12, f"{most} attends to {most}")
    sheet.text(left + at, top + at + 0.12, f"{count} × {count} pairs")
    part, per_cent = (
        f"{show(open_pairs, ',d')} of {show(pairs, ',d')} pairs",
        show(100 * open_pairs / pairs, ".1f"),
    )
    sheet.text(middle, top + side + 0.42, part, gid="number:allowed")
    sheet.text(middle, top + side + 0.65, f"allowed: {per_cent} per cent", gid="number:share")

    # The corner of all types but the first, enlarged: one state token is too thin to see above.
    few = n - int(starts[1])
    size = 1.26
    y, big = 2.94, size / few
    sheet.text(x - 0.8, 2.6, "its last corner, enlarged", bold=True, ha="left")
    _stream(sheet, allowed, counts, x, y, (big, big), "corner", line=0.8, first=1)
    for i, kind in list(enumerate(kinds))[1:]:
        at = (starts[i] - starts[1] + counts[i] / 2) * big
        words = f"{kind}: {show(counts[i], 'd')}"
        sheet.note(x - 0.1, y + at, words, role="query", ha="right", size=SMALL + 0.5)
        sheet.number(x + at, y - 0.12, counts[i], "d", role="key", size=SMALL + 0.5)
    sheet.box(x, y, size, size, role="ink", line=1.2)
    corner, drop = (n - few) * unit, top + side + 0.16
    sheet.box(left + corner, top + corner, few * unit, few * unit, role="ink", line=1.2)
    at = left + side - few * unit / 2
    sheet.line((at, at, x + size + 0.25), (top + side, drop, drop), role="muted", width=1)
    sheet.arrow((x + size + 0.26, drop), (x + size + 0.04, drop), role="muted", width=1)

    rules = " ".join(
        f"{kind.capitalize()} tokens may attend to "
        f"{listing(name for name, may in zip(kinds, row, strict=True) if may) or 'nothing'}."
        for kind, row in zip(kinds, allowed, strict=True)
    )
    sizes = [f"{show(count, 'd')} {kind}" for count, kind in zip(counts, kinds, strict=True)]
    scale = f"to scale for {listing(sizes)} tokens, {show(n, 'd')} by {show(n, 'd')} cells"
    shut = np.flatnonzero(~allowed.all(axis=0))
    if len(shut):
        scale += f", where everything forbidden lies in the last {show(n - starts[shut[0]], 'd')} columns"
    biggest = ""
    if 2 * counts[largest] ** 2 > pairs:
        biggest = f"The block in which {most} attends to {most}, {count} by {count}, fills most of it. "
    return sheet.done(
        caption="Left: the rule for each token type. Right: the same rule for all "
        f"{show(n, 'd')} tokens, as rectangles drawn to scale, with the last corner enlarged. "
        "Hatched = forbidden.",
        alt=f"{show(open_pairs, ',d')} of {show(pairs, ',d')} pairs are allowed, {per_cent} per cent. Left, "
        f"a grid with a row and a column for each type. {rules} Right, the same rule {scale}. {biggest}"
        f"Below, its last corner is enlarged, for {listing(sizes[1:])} tokens.",
    )
