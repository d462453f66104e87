"""Pictures of section 6: self-attention, cross-attention, and the mask."""

import numpy as np

from scripts.draw import style
from scripts.draw.canvas import Canvas, picture
from scripts.draw.words import foremost, quoted
from scripts.numbers import MINUS, listing, show, shows

MINUS_INFINITY = MINUS + "\N{INFINITY}"
CLEAR = {"facecolor": style.COLOURS["paper"], "edgecolor": "none", "pad": 1.5}  # behind a word


@picture("self-cross")
def self_cross(self_weights, cross_weights, names, robot):
    """Draw the weights of self-attention beside those of cross-attention.

    Parameters
    ----------
    self_weights : ndarray of shape (n, n)
        The words' weights over the words.
    cross_weights : ndarray of shape (m, n)
        The robot tokens' weights over the words.
    names : sequence of str, length n
        The words.
    robot : sequence of str, length m
        The robot tokens.

    Returns
    -------
    Picture
    """
    tall = max(len(self_weights), len(cross_weights) + 2)
    sheet = Canvas(1.56 + 0.36 * tall, "One set looks at itself; one set reads another")
    sides = (
        ("self", "self-attention", self_weights, names, "the words", 0.6),
        ("cross", "cross-attention", cross_weights, robot, "the robot", 3.5),
    )
    places = {}
    for name, kind, weights, asking, source, x in sides:
        grid = sheet.grid(
            weights,
            x,
            1.42,
            name=name,
            form=".3f",
            fill="weight",
            cell=(0.52, 0.36),
            rows=asking,
            columns=names,
            row_role="query",
            column_role="key",
        )
        places[name] = grid
        rows, columns = weights.shape
        sheet.text(x, 0.56, f"{kind}, {rows} by {columns}", bold=True, ha="left")
        for y, words, role in (
            (0.8, f"queries from {source}", "query"),
            (1.02, "keys, values from the words", "key"),
        ):
            sheet.text(x, y, words, role=role, ha="left", size=style.SMALL)
    grid = places["cross"]
    for below, words in ((0.25, "The words do not"), (0.47, "look back.")):
        sheet.text(grid.x, grid.bottom + below, words, ha="left", role="muted")
    told = [
        f"{name}: {shows(row, '.3f')}, most on {quoted(foremost(names, row, '.3f'))}."
        for weights, asking in ((self_weights, names), (cross_weights, robot))
        for name, row in zip(asking, weights, strict=True)
    ]
    return sheet.done(
        caption="Self-attention has a row and a column for each word; cross-attention has a row "
        "for each robot token and a column for each word.",
        alt=f"Both grids have a column for each word, {quoted(names)}. Left, self-attention, {len(names)} by "
        f"{len(names)}, has the words ask as well. Right, cross-attention, {len(robot)} by {len(names)}, "
        "has the robot ask, and the words do not look back. "
        f"Self-attention. {' '.join(told[: len(names)])} Cross-attention. {' '.join(told[len(names) :])}",
    )


def _minus_infinity(sheet, place, gid):
    """Write minus infinity into a hatched cell."""
    mark = sheet.text(*place, MINUS_INFINITY, gid=gid)
    mark.set_bbox(CLEAR)


def _masked_pair(title, scores, weights, allowed, names, limit=3.0):
    """Draw masked scores beside the weights that come of them."""
    sheet = Canvas(1.16 + 0.38 * len(scores), title)
    how = {"cell": (0.52, 0.38), "column_role": "key", "columns": names}
    left = sheet.grid(
        scores,
        0.82,
        0.98,
        name="scores",
        fill="score",
        limit=limit,
        form="+.2f",
        allowed=allowed,
        rows=names,
        row_role="query",
        **how,
    )
    for i, j in np.argwhere(~allowed):
        _minus_infinity(sheet, left.cell(i, j), f"minus-infinity:scores:{i}:{j}")
    right = sheet.grid(weights, left.right + 0.16, 0.98, name="weights", fill="weight", form=".3f", **how)
    sheet.text(left.middle[0], 0.56, "scores after the mask", bold=True)
    sheet.text(right.middle[0], 0.56, "weights", bold=True)
    sheet.text(0.16, left.middle[1], "asking", role="query", rotation=90)
    place = right.right + 0.33
    sheet.text(place, 0.84, "total", role="muted")
    for i, row in enumerate(weights):
        y = right.cell(i, 0)[1]
        if np.ma.is_masked(row):
            sheet.text(place, y, "none", role="muted", gid=f"no-total:{i}")
        else:
            sheet.number(place, y, row.sum(), ".3f", gid=f"number:totals:{i}:0")
    return sheet


def _forbidden(allowed, names):
    """Say what a mask forbids."""
    shut = [name for name, column in zip(names, allowed.T, strict=True) if not column.any()]
    said = []
    if np.array_equal(allowed, np.tril(np.ones_like(allowed))):
        said.append("Everything above the diagonal is forbidden.")
    elif shut:
        said.append(f"No token may look at {quoted(shut)}.")
    deaf = [name for name, row in zip(names, allowed, strict=True) if not row.any()]
    if deaf:
        have = "has" if len(deaf) == 1 else "have"
        said.append(f"{quoted(deaf)} may look at nothing and {have} no answer.")
    return " ".join(said)


def _masked_words(scores, weights, allowed, names):
    """Say in words what `_masked_pair` draws."""
    left, right = [], []
    for name, row, shares, may in zip(names, scores, weights, allowed, strict=True):
        if not may.any():
            left.append(f"{name}: minus infinity everywhere.")
            right.append(f"{name}: no answer.")
            continue
        kept = listing(f"{show(s, '+.2f')} for “{n}”" for n, s, m in zip(names, row, may, strict=True) if m)
        gone = [n for n, m in zip(names, may, strict=True) if not m]
        left.append(f"{name}: {kept}{f'; minus infinity for {quoted(gone)}' if gone else ''}.")
        right.append(f"{name}: {shows(shares, '.3f')}, total {show(shares.sum(), '.3f')}.")
    return (
        f"{_forbidden(allowed, names)} Two grids, a row for each asking token and a column for each "
        f"token looked at, {quoted(names)}. Left, the scores after the mask, forbidden ones hatched. "
        f"{' '.join(left)} Right, the weights. {' '.join(right)}"
    ).strip()


@picture("padding-mask")
def padding_mask(scores, weights, allowed, names, title="A filler is kept out of every mixture"):
    """Draw masked scores and the weights that come of them.

    Parameters
    ----------
    scores : ndarray of shape (n, n)
        Divided by the root of the head size, before the mask.
    weights : ndarray of shape (n, n)
        After the mask; a masked row has no answer.
    allowed : ndarray of bool, shape (n, n)
        True = may look.
    names : sequence of str, length n
    title : str, optional

    Returns
    -------
    Picture
    """
    sheet = _masked_pair(title, scores, weights, allowed, names)
    return sheet.done(
        caption="Left: the scores, with each forbidden one replaced by minus infinity. Right: the "
        "weights. A row in which everything is forbidden has no answer.",
        alt=_masked_words(scores, weights, allowed, names),
    )


@picture("causal-mask")
def causal_mask(scores, weights, allowed, names, title="Each token sees itself and what came before"):
    """Draw the causal mask on the scores and the weights that come of it.

    Parameters
    ----------
    scores : ndarray of shape (n, n)
        Divided by the root of the head size, before the mask.
    weights : ndarray of shape (n, n)
        After the mask.
    allowed : ndarray of bool, shape (n, n)
        True = may look.
    names : sequence of str, length n
    title : str, optional

    Returns
    -------
    Picture
    """
    sheet = _masked_pair(title, scores, weights, allowed, names)
    return sheet.done(
        caption="The causal mask: everything above the diagonal is forbidden, the diagonal itself "
        "is allowed. Each row of weights still totals 1.",
        alt=_masked_words(scores, weights, allowed, names),
    )


@picture("masked-row")
def masked_row(scores, raised, total, weights, allowed, names, asking, limit=3.0):
    """Draw the softmax of one masked row, step by step.

    Parameters
    ----------
    scores : ndarray of shape (n,)
        The row before the mask.
    raised : ndarray of shape (n,)
        e to the power of each score, 0 where forbidden.
    total : float
        Of `raised`.
    weights : ndarray of shape (n,)
    allowed : ndarray of bool, shape (n,)
    names : sequence of str, length n
        The tokens looked at.
    asking : str
        The token whose row it is.
    limit : float
        The score that is drawn at full opacity.

    Returns
    -------
    Picture
    """
    # The same form as the table of section 4, with one line more for the mask.
    left, wide, high = 1.55, 0.78, 0.38
    sheet = Canvas(4.5, f"The row of “{asking}”, worked with the mask")
    steps = (
        ("score", "score", scores, "+.3f", {"fill": "score", "limit": limit}, None),
        ("kept", "after the mask", scores, "+.3f", {"fill": "score", "limit": limit}, None),
        ("raised", "e to that", raised, ".3f", {"fill": "tint", "role": "muted"}, total),
        ("share", "share of total", weights, ".3f", {"fill": "weight"}, weights.sum()),
    )
    for k, (name, label, row, form, look, row_total) in enumerate(steps):
        grid = sheet.grid(
            row[None, :],
            left,
            0.82 + k * 0.54,
            name=name,
            form=form,
            cell=(wide, high),
            columns=names if k == 0 else (),
            column_role="key",
            allowed=allowed[None, :] if name == "kept" else None,
            **look,
        )
        middle = grid.middle[1]
        sheet.text(left - 0.12, middle, label, ha="right")
        if row_total is not None:
            sheet.text(grid.right + 0.16, middle, "total", ha="left", role="muted")
            sheet.number(grid.right + 0.6, middle, row_total, ".3f", ha="left", gid=f"number:total:{name}")
        if name == "kept":
            for j in np.flatnonzero(~allowed):
                _minus_infinity(sheet, grid.cell(0, j), f"minus-infinity:kept:0:{j}")
    sheet.text(left - 0.12, 0.68, "looked at", ha="right", role="key")
    # Bars stand under their own columns; a share of one would reach the top line.
    base, tall = 4.3, 1.3
    for level, label in ((0.0, "0"), (0.5, "0.5"), (1.0, "1")):
        y = base - level * tall
        sheet.line((left, grid.right), (y, y), role="faint", width=0.8).set_zorder(0.5)
        sheet.text(left - 0.12, y, label, ha="right", role="muted", size=style.SMALL)
    for j, weight in enumerate(weights):
        sheet.box(
            grid.cell(0, j)[0] - 0.2,
            base - weight * tall,
            0.4,
            weight * tall,
            role="ink",
            fill="weight-mark",
            opacity=0.75,
            line=0.8,
            gid=f"bar:share:{j}",
        )
    sheet.line((left, grid.right), (base, base), role="muted")
    columns = " ".join(
        f"{name}: score {show(s, '+.3f')}, {'kept' if may else 'minus infinity after the mask'}, e to that "
        f"{show(r, '.3f')}, share {show(w, '.3f')}."
        for name, s, may, r, w in zip(names, scores, allowed, raised, weights, strict=True)
    )
    first, largest = int(np.argmax(scores)), ""
    if not allowed[first]:
        largest = (
            f"The largest score, {show(scores[first], '+.3f')} for “{names[first]}”, is forbidden and "
            f"gets the share {show(weights[first], '.3f')}. "
        )
    return sheet.done(
        caption="The forbidden score becomes minus infinity and e to that is exactly zero; "
        "the other powers are divided by their own total.",
        alt=f"{largest}A table with a column for each token, and under each a bar as high as its share. "
        f"{columns} In total {show(total, '.3f')} for the powers, {show(weights.sum(), '.3f')} for the "
        "shares.",
    )


@picture("mixed-stream")
def mixed_stream(kinds, counts, allowed):
    """Draw who may look at whom, by kind and for all tokens to scale.

    Parameters
    ----------
    kinds : sequence of str, length k
    counts : sequence of int, length k
        How many tokens there are of each kind.
    allowed : ndarray of bool, shape (k, k)
        Rows ask, columns are looked at.

    Returns
    -------
    Picture
    """
    counts = np.asarray(counts)
    starts = np.concatenate([[0], np.cumsum(counts)])
    n = int(starts[-1])
    pairs, open_pairs = n * n, int(counts @ allowed @ counts)
    sheet = Canvas(4.3, "In a mixed stream, the kind settles who may look")

    # By kind.
    x, y, wide, high = 0.88, 0.98, 0.53, 0.34
    sheet.text(x - 0.8, 0.52, "by kind of token", bold=True, ha="left")
    for i, kind in enumerate(kinds):
        sheet.text(x - 0.1, y + (i + 0.5) * high, kind, role="query", ha="right")
        sheet.text(x + (i + 0.5) * wide, y - 0.14, kind, role="key", size=style.SMALL)
        for j in range(len(kinds)):
            may, corner = allowed[i, j], (x + j * wide, y + i * high)
            _pair(sheet, *corner, wide, high, may, f"kind:{i}:{j}", 0.8)
            word = sheet.text(
                corner[0] + wide / 2, corner[1] + high / 2, "yes" if may else "no", gid=f"word:kind:{i}:{j}"
            )
            if not may:
                word.set_bbox(CLEAR)
    sheet.box(x, y, len(kinds) * wide, len(kinds) * high, role="ink", line=1.4)

    # All tokens, to scale.
    side = 2.5
    left, top, unit = style.MEASURE - 0.1 - side, 0.98, side / n
    sheet.text(left, 0.52, "every token, to scale", bold=True, ha="left")
    sheet.text(
        left + side / 2,
        top - 0.14,
        f"{show(n, ',d')} by {show(n, ',d')} cells",
        role="muted",
        size=style.SMALL + 0.5,
    )
    for i, j in np.ndindex(allowed.shape):
        _pair(
            sheet,
            left + starts[j] * unit,
            top + starts[i] * unit,
            counts[j] * unit,
            counts[i] * unit,
            allowed[i, j],
            f"block:{i}:{j}",
            0,
        )
    sheet.box(left, top, side, side, role="ink", line=1.2)
    largest = int(counts.argmax())
    at = (starts[largest] + counts[largest] / 2) * unit
    sheet.text(left + at, top + at - 0.12, f"{kinds[largest]} looks at {kinds[largest]}")
    sheet.text(
        left + at, top + at + 0.12, f"{show(counts[largest], ',d')} × {show(counts[largest], ',d')} pairs"
    )
    sheet.text(
        left + side / 2,
        top + side + 0.42,
        f"{show(open_pairs, ',d')} of {show(pairs, ',d')} pairs",
        gid="number:allowed",
    )
    sheet.text(
        left + side / 2,
        top + side + 0.65,
        f"allowed: {show(100 * open_pairs / pairs, '.1f')} per cent",
        gid="number:share",
    )

    # The corner of all kinds but the first, enlarged: one joint token is too thin to see above.
    first = int(starts[1])
    few = n - first
    size = 1.26
    big_x, big_y, big = x, 2.94, size / few
    sheet.text(x - 0.8, 2.6, "its last corner, enlarged", bold=True, ha="left")
    for i, j in np.ndindex(allowed.shape):
        if i and j:
            _pair(
                sheet,
                big_x + (starts[j] - first) * big,
                big_y + (starts[i] - first) * big,
                counts[j] * big,
                counts[i] * big,
                allowed[i, j],
                f"corner:{i}:{j}",
                0.8,
            )
    for i, kind in enumerate(kinds):
        if i:
            middle = big_y + (starts[i] - first + counts[i] / 2) * big
            sheet.text(
                big_x - 0.1,
                middle,
                f"{kind}: {show(counts[i], 'd')}",
                role="query",
                ha="right",
                size=style.SMALL + 0.5,
            )
            across = big_x + (starts[i] - first + counts[i] / 2) * big
            sheet.number(across, big_y - 0.12, counts[i], "d", role="key", size=style.SMALL + 0.5)
    sheet.box(big_x, big_y, size, size, role="ink", line=1.2)
    corner = left + first * unit, top + first * unit
    sheet.box(*corner, few * unit, few * unit, role="ink", line=1.2)
    drop = top + side + 0.16
    sheet.line(
        (left + side - few * unit / 2, left + side - few * unit / 2, big_x + size + 0.25),
        (top + side, drop, drop),
        role="muted",
        width=1,
    )
    sheet.arrow((big_x + size + 0.26, drop), (big_x + size + 0.04, drop), role="muted", width=1)

    def names(row):
        return listing(kind for kind, may in zip(kinds, row, strict=True) if may)

    rules = " ".join(
        f"{kind.capitalize()} tokens may look at {names(row) or 'nothing'}."
        for kind, row in zip(kinds, allowed, strict=True)
    )
    sizes = [
        listing(f"{show(count, 'd')} {kind}" for count, kind in list(zip(counts, kinds, strict=True))[skip:])
        for skip in (0, 1)
    ]
    place = f"Right, the same rule to scale for {sizes[0]} tokens, {show(n, 'd')} by {show(n, 'd')} cells."
    shut = np.flatnonzero(~allowed.all(axis=0))
    if len(shut):
        place = (
            f"{place[:-1]}, where everything forbidden lies in the last {show(n - starts[shut[0]], 'd')} "
            "columns."
        )
    block = f"{show(counts[largest], ',d')} by {show(counts[largest], ',d')}"
    biggest = (
        f"The block in which {kinds[largest]} looks at {kinds[largest]}, {block}, fills most of it. "
        if 2 * counts[largest] ** 2 > pairs
        else ""
    )
    return sheet.done(
        caption="Left: the rule for each kind. Right: the same rule for all "
        f"{show(n, 'd')} tokens, as rectangles drawn to scale, with the last corner enlarged. "
        "Hatched = forbidden.",
        alt=f"{show(open_pairs, ',d')} of {show(pairs, ',d')} pairs are allowed, "
        f"{show(100 * open_pairs / pairs, '.1f')} per cent. Left, a grid with a row and a column for each "
        f"kind. {rules} {place} {biggest}Below, its last corner is enlarged, for {sizes[1]} tokens.",
    )


def _pair(sheet, x, y, width, height, may, name, line):
    """Draw one rectangle of a mask: filled = may look, hatched = forbidden."""
    if may:
        sheet.box(
            x,
            y,
            width,
            height,
            role="paper" if line else None,
            fill="token",
            opacity=0.24,
            line=line,
            gid=f"allowed:{name}",
        )
    else:
        sheet.box(x, y, width, height, hatch="////", line=line or 0.4, gid=f"forbidden:{name}")
