"""Pictures of section 3: the score between one query and every key."""

import numpy as np

from scripts import example
from scripts.draw import style
from scripts.draw.canvas import Canvas, picture
from scripts.draw.words import between, place, quoted, rows
from scripts.numbers import listing, show


@picture("dot-product-by-hand")
def dot_product_by_hand(query, key, products, asking=example.ORDER[-1], looked_at=example.ORDER[0]):
    """Draw a query over a key, their products below, and the total.

    Parameters
    ----------
    query, key, products : ndarray of shape (d,)
        The products are those of the two vectors, number by number.
    asking, looked_at : str
        Whose query and whose key they are.

    Returns
    -------
    Picture
    """
    sheet = Canvas(2.78, "Multiply number by number, then add")
    left, pitch = 1.78, 3.9 / len(query)
    rows = (
        ("query", query, "query", "+.2f", "tint", 0.48),
        ("key", key, "key", "+.2f", "tint", 1.08),
        ("products", products, "muted", "+.4f", "score", 1.68),
    )
    words = {"query": f"query of “{asking}”", "key": f"key of “{looked_at}”", "products": "products"}
    for name, values, role, form, fill, y in rows:
        grid = sheet.grid(
            values[None, :],
            left,
            y,
            name=name,
            role=role,
            form=form,
            fill=fill,
            limit=np.abs(products).max() or 1.0,
            cell=(pitch, 0.36),
        )
        ink = "ink" if name == "products" else role
        sheet.text(left - 0.12, y + 0.18, words[name], ha="right", role=ink)
        if name != "products":
            for j in range(len(query)):
                x = grid.cell(0, j)[0]
                sheet.text(x, y + 0.48, "×" if name == "query" else "=", role="muted")
    sheet.brace(left, grid.right, grid.bottom + 0.15)
    total = products.sum()
    middle = grid.middle[0]
    sheet.text(middle - 0.62, 2.5, "raw score", ha="right")
    sheet.box(middle - 0.52, 2.32, 1.04, 0.36, role="ink", line=1.6)
    sheet.number(middle, 2.5, total, "+.4f", bold=True, gid="number:total:0:0")
    pairs = " ".join(
        f"{place(i)} pair: {show(q, '+.2f')} times {show(k, '+.2f')} is {show(p, '+.4f')}."
        for i, (q, k, p) in enumerate(zip(query, key, products, strict=True))
    )
    return sheet.done(
        caption=f"The raw score of the query of “{asking}” with the key of “{looked_at}”: "
        "every pair of numbers is multiplied, and the products are added up.",
        alt=f"The query of “{asking}” and the key of “{looked_at}” make the raw score "
        f"{show(total, '+.4f')}. They stand one above the other, with a product under each pair. {pairs} "
        f"All {show(len(products), 'd')} products together: {show(total, '+.4f')}.",
    )


@picture("dot-product-angle")
def dot_product_angle(angles, products, length=2.0, shown=7):
    """Draw a query turning away from a key, above their dot product.

    Parameters
    ----------
    angles : ndarray of shape (n,)
        Angles between the two in degrees, from zero to half a turn.
    products : ndarray of shape (n,)
        Dot product at each angle.
    length : float
        Length of both vectors.
    shown : int
        At how many of the angles, evenly spread, the pair itself is drawn.

    Returns
    -------
    Picture
    """
    sheet = Canvas(3.7, "The wider the angle, the smaller the dot product")
    left, width, top, height = 0.8, 4.36, 1.36, 1.84
    limit = np.abs(products).max()
    axes = sheet.plot(
        left, top, width, height, xlim=(angles[0], angles[-1]), ylim=(-1.12 * limit, 1.12 * limit)
    )
    axes.spines[["left", "bottom"]].set_visible(False)
    chosen = np.linspace(0, len(angles) - 1, shown).round().astype(int)
    axes.set_xticks(angles[chosen], [show(a, ".0f") + "°" for a in angles[chosen]])
    levels = (-limit, 0, limit)
    axes.set_yticks(levels, [show(v, "+.0f") for v in levels])
    axes.tick_params(length=0, pad=7)
    axes.grid(axis="x")
    axes.axhline(0, color=style.COLOURS["muted"], lw=0.8)
    axes.plot(angles, products, color=style.COLOURS["ink"], lw=1.6, gid="line:products", clip_on=False)
    axes.plot(
        angles[chosen],
        products[chosen],
        "o",
        color=style.COLOURS["ink"],
        ms=6,
        gid="points:products",
        clip_on=False,
    )
    arm = 0.34
    for index in chosen:
        angle, product = angles[index], products[index]
        x = left + width * (angle - angles[0]) / (angles[-1] - angles[0])
        y, turn = 1.06, np.deg2rad(angle)
        apart = 0.045 if angle < 10 else 0.0
        arc = np.linspace(0, turn, 25)
        if not apart:
            sheet.line(x + 0.13 * np.cos(arc), y - 0.13 * np.sin(arc), role="muted", width=0.9)
        sheet.arrow((x, y + apart), (x + arm, y + apart), role="key", width=2.0, gid=f"arrow:key:{index}")
        tip = (x + arm * np.cos(turn), y - apart - arm * np.sin(turn))
        sheet.arrow((x, y - apart), tip, role="query", width=2.0, gid=f"arrow:query:{index}")
        axes.annotate(
            show(product, "+.2f"),
            (angle, product),
            xytext=(7, 4),
            textcoords="offset points",
            ha="left",
            va="bottom",
            fontsize=style.NUMBER,
            color=style.COLOURS["ink"],
            gid=f"number:products:{index}",
            annotation_clip=False,
        )
    sheet.text(0.08, 0.5, "the query turns,", ha="left", role="query", size=style.SMALL)
    sheet.text(1.36, 0.5, "the key stays", ha="left", role="key", size=style.SMALL)
    sheet.text(0.08, top + 0.4, "dot", ha="left", size=style.SMALL, role="muted")
    sheet.text(0.08, top + 0.59, "product", ha="left", size=style.SMALL, role="muted")
    sheet.text(left + width / 2, 3.55, "angle between the two", size=style.SMALL, role="muted")
    pairs = listing(f"{show(products[i], '+.2f')} at {show(angles[i], '.0f')} degrees" for i in chosen)
    slopes = np.gradient(products, angles)
    shape = ""
    if (np.diff(products) < 0).all():
        steepest = angles[slopes.argmin()]
        flat = min(abs(slopes[[0, -1]])) == min(abs(slopes)) and steepest not in angles[[0, -1]]
        shape = (
            f"The curve falls all the way{', flat at both ends and' if flat else ','} steepest at "
            f"{show(steepest, '.0f')} degrees. "
        )
    return sheet.done(
        caption=f"A query and a key, both of length {show(length, '.0f')}, are turned apart step by "
        "step. Below each pair stands its dot product.",
        alt=f"Under each of {shown} pairs of arrows, in which the key stays and the query turns away, stands "
        f"a point of a curve. {shape}The dot product is {pairs}.",
    )


@picture("raw-scores")
def raw_scores(raw, names, worked=(-1, 0)):
    """Draw the grid of raw scores, one row a query.

    Parameters
    ----------
    raw : ndarray of shape (n, n)
    names : sequence of str, length n
        The tokens, in order.
    worked : (int, int)
        Which score is outlined: the one that was worked by hand.

    Returns
    -------
    Picture
    """
    row, column = worked[0] % len(raw), worked[1] % len(raw[0])
    sheet = Canvas(2.85, "One score for every pair of query and key")
    grid = sheet.grid(
        raw,
        1.25,
        0.95,
        name="raw",
        fill="score",
        limit=np.abs(raw).max(),
        cell=(0.72, 0.36),
        rows=names,
        columns=names,
        row_role="query",
        column_role="key",
        marked=[(row, column)],
    )
    sheet.text(grid.middle[0], 0.54, "keys", role="key", bold=True)
    sheet.text(0.22, grid.middle[1], "queries", role="query", bold=True, rotation=90)
    largest = np.unravel_index(raw.argmax(), raw.shape)
    smallest = np.unravel_index(raw.argmin(), raw.shape)
    for (i, j), word, value in ((largest, "largest", raw.max()), (smallest, "smallest", raw.min())):
        together = largest[0] == smallest[0]
        shift = 0 if not together else (-0.12 if word == "largest" else 0.12)
        sheet.text(
            grid.right + 0.14,
            grid.cell(i, j)[1] + shift,
            f"{word}: {show(value, '+.2f')}",
            ha="left",
            size=style.LABEL,
            gid=f"note:{word}",
        )
    x = grid.cell(row, column)[0]
    left = x - grid.cell_width / 2
    sheet.text(left, grid.bottom + 0.2, "outlined: worked by hand", ha="left", role="muted")
    lines = rows(names, raw, "+.2f")
    low = [name for name, values in zip(names, raw, strict=True) if values.max() <= 0]
    never = f" Nothing in the rows of {quoted(low)} is above zero." if low else ""
    return sheet.done(
        caption="The raw scores. Each row is one query, each column one key; the deeper the colour, "
        "the further from zero.",
        alt=f"The largest is {show(raw.max(), '+.2f')}, the query of “{names[largest[0]]}” with the key of "
        f"“{names[largest[1]]}”; the smallest is {show(raw.min(), '+.2f')}, “{names[smallest[0]]}” with "
        f"“{names[smallest[1]]}”. A grid with a row for each query and a column for each key, "
        f"{quoted(names)}. {lines}{never} Outlined, because it was worked by hand, is the query of "
        f"“{names[row]}” with the key of “{names[column]}”: {show(raw[row, column], '+.2f')}.",
    )


@picture("scaled-scores")
def scaled_scores(raw, scaled, names, divisor=2.0):
    """Draw the raw scores beside the divided ones, both on one scale of colour.

    Parameters
    ----------
    raw, scaled : ndarray of shape (n, n)
    names : sequence of str, length n
        The tokens, in order.
    divisor : float
        What the scores were divided by.

    Returns
    -------
    Picture
    """
    by = show(divisor, ".0f" if float(divisor).is_integer() else ".2f")
    sheet = Canvas(2.5, f"Dividing by {by} shrinks every gap alike")
    limit = np.abs(raw).max()
    pitch = 2.36 / len(names)
    grids = []
    for values, x, name, title in (
        (raw, 0.6, "raw", "raw scores"),
        (scaled, 3.38, "scaled", f"raw scores ÷ {by}"),
    ):
        grids.append(
            sheet.grid(
                values,
                x,
                0.97,
                name=name,
                fill="score",
                limit=limit,
                cell=(pitch, 0.36),
                rows=names if name == "raw" else (),
                columns=names,
                title=title,
                row_role="query",
                column_role="key",
            )
        )
    left, right = grids
    y = left.middle[1]
    sheet.arrow((left.right + 0.06, y), (right.x - 0.06, y), role="muted", width=1.4)
    sheet.text((left.right + right.x) / 2, y - 0.17, f"÷ {by}", role="ink", size=style.SMALL)
    return sheet.done(
        caption=f"The raw scores and the same scores divided by {by}. Both grids use one scale of "
        "colour, so the right one is paler throughout.",
        alt=f"The largest, {show(raw.max(), '+.2f')}, becomes {show(scaled.max(), '+.2f')}; the smallest, "
        f"{show(raw.min(), '+.2f')}, becomes {show(scaled.min(), '+.2f')}. Left the raw scores, right "
        f"the same divided by {by}, a row for each query and a column for each key, {quoted(names)}. "
        f"Raw scores. {rows(names, raw, '+.2f')} Divided by {by}. {rows(names, scaled, '+.2f')}",
    )


@picture("score-spread")
def score_spread(sizes, raw, scaled, law):
    """Draw the spread of scores against the head size, on doubling axes.

    Parameters
    ----------
    sizes : ndarray of int, shape (s,)
        Head sizes.
    raw, scaled : ndarray of shape (s,)
        Measured spread of the scores, undivided and divided.
    law : ndarray of shape (s,)
        The spread that the argument of the text predicts.

    Returns
    -------
    Picture
    """
    sheet = Canvas(3.65, "Undivided scores spread out as the head grows")
    left, top, width, height = 0.62, 0.78, 4.1, 2.42
    axes = sheet.plot(left, top, width, height, xscale="log", yscale="log")
    low, high = min(scaled.min(), 1.0), max(raw.max(), law.max())
    axes.set(xlim=(sizes[0] / 2.6, sizes[-1] * 1.25), ylim=(low / 1.7, high * 1.35))
    levels = 2.0 ** np.arange(0, np.ceil(np.log2(high)) + 1)
    axes.set_xticks(sizes, [show(size, ",d") for size in sizes])
    axes.set_yticks(levels, [show(level, ",d") for level in levels])
    axes.minorticks_off()
    axes.tick_params(length=0)
    axes.grid(axis="y")
    ink, paper, muted = (style.COLOURS[role] for role in ("ink", "paper", "muted"))
    axes.plot(sizes, law, color=muted, lw=1.4, ls=(0, (4, 3)), gid="line:law")
    axes.plot(sizes, raw, "s", color=ink, ms=7.5, gid="points:raw")
    axes.plot(sizes, scaled, color=ink, lw=1.2, gid="line:scaled", zorder=2)
    axes.plot(sizes, scaled, "o", color=ink, mfc=paper, mew=1.6, ms=7.5, gid="points:scaled", zorder=3)
    for name, values, offset, corner in (
        ("raw", raw, (-8, 5), ("right", "bottom")),
        ("scaled", scaled, (0, 7), ("center", "bottom")),
    ):
        for i, (size, value) in enumerate(zip(sizes, values, strict=True)):
            axes.annotate(
                show(value, ".2f"),
                (size, value),
                xytext=offset,
                textcoords="offset points",
                ha=corner[0],
                va=corner[1],
                fontsize=style.NUMBER,
                color=ink,
                gid=f"number:{name}:{i}",
            )

    def level(value):
        bottom, peak = np.log(axes.get_ylim())
        return top + height * (1 - (np.log(value) - bottom) / (peak - bottom))

    sheet.text(left + width + 0.02, level(raw[-1]), "undivided", ha="left", bold=True)
    sheet.text(left + width + 0.02, level(scaled[-1]), "divided", ha="left", bold=True)
    sheet.text(0.08, 0.54, "spread of the scores", ha="left", role="muted", size=style.SMALL)
    sheet.text(left + width / 2, 3.5, "head size", role="muted", size=style.SMALL)
    middle = len(sizes) // 2
    axes.annotate(
        "dashed: square root\nof the head size",
        (sizes[middle], law[middle]),
        xytext=(20, -6),
        textcoords="offset points",
        ha="left",
        va="top",
        fontsize=style.SMALL,
        color=muted,
        linespacing=1.35,
        bbox={"facecolor": style.COLOURS["paper"], "edgecolor": "none", "pad": 1},
    )
    listed = " ".join(
        f"Head size {show(size, ',d')}: {show(a, '.2f')} undivided, {show(b, '.2f')} divided, "
        f"{show(c, '.0f')} on the dashed line."
        for size, a, b, c in zip(sizes, raw, scaled, law, strict=True)
    )
    return sheet.done(
        caption="Measured spread of random scores. Each step to the right makes the head four times "
        "as large; each step up doubles the spread.",
        alt=f"Undivided, the spread goes from {show(raw[0], '.2f')} at a head size of {show(sizes[0], ',d')} "
        f"to {show(raw[-1], '.2f')} at {show(sizes[-1], ',d')}; divided, it stays "
        f"{between(scaled, '.2f')}. A chart of the spread against the head size, on scales where "
        "doubling takes the same room everywhere. A dashed line, the square root of the head size, "
        f"runs beside the undivided scores. {listed}",
    )


@picture("winner-share")
def winner_share(sizes, raw, scaled, n_keys=64):
    """Draw how much of the mixture the winning key takes at each head size.

    Parameters
    ----------
    sizes : ndarray of int, shape (s,)
        Head sizes.
    raw, scaled : ndarray of shape (s,)
        Mean largest weight, scores undivided and divided.
    n_keys : int
        Among how many keys each query chooses.

    Returns
    -------
    Picture
    """
    sheet = Canvas(3.55, "Undivided, one key takes nearly the whole mixture")
    sheet.text(
        0.08,
        0.5,
        f"filled: the winning key; empty: the other {show(n_keys - 1, ',d')} keys",
        ha="left",
        role="muted",
        size=style.SMALL,
    )
    top, height, width = 1.22, 1.8, 2.5
    base = top + height
    for level, label in ((0, "none"), (0.5, "half"), (1, "all")):
        y = base - level * height
        rule = sheet.line((0.56, style.MEASURE - 0.06), (y, y), role="faint", width=0.7)
        rule.set_zorder(0)  # behind the bars
        sheet.text(0.5, y, label, ha="right", role="muted", size=style.SMALL)
    for name, title, values, left in (
        ("raw", "scores undivided", raw, 0.6),
        ("scaled", "scores divided", scaled, 3.24),
    ):
        pitch = width / len(sizes)
        sheet.text(left + width / 2, 0.78, title, bold=True)
        for i, (size, share) in enumerate(zip(sizes, values, strict=True)):
            x = left + (i + 0.5) * pitch
            sheet.box(x - 0.17, top, 0.34, height, role=None, fill="paper", opacity=1)
            sheet.box(
                x - 0.17,
                base - share * height,
                0.34,
                share * height,
                role=None,
                fill="weight-mark",
                opacity=1,
                gid=f"bar:{name}:{i}",
            )
            sheet.box(x - 0.17, top, 0.34, height, role="muted", line=0.8)
            sheet.number(x, top - 0.15, share, ".3f", gid=f"number:{name}:{i}", size=style.SMALL)
            sheet.text(x, base + 0.17, show(size, ",d"), role="muted", size=style.SMALL)
        sheet.text(left + width / 2, base + 0.4, "head size", role="muted", size=style.SMALL)
    listed = " ".join(
        f"Head size {show(size, ',d')}: {show(a, '.3f')} undivided, {show(b, '.3f')} divided."
        for size, a, b in zip(sizes, raw, scaled, strict=True)
    )
    return sheet.done(
        caption=f"The largest of {show(n_keys, ',d')} weights at five head sizes, averaged over many "
        "random queries.",
        alt=f"Undivided, the winner among {show(n_keys, ',d')} keys takes {show(raw[0], '.3f')} at a head "
        f"size of {show(sizes[0], ',d')} and {show(raw[-1], '.3f')} at {show(sizes[-1], ',d')}; divided, "
        f"it stays {between(scaled, '.3f')}. Two groups of bars, scores undivided and divided; a whole "
        f"bar is the mixture, its filled part the winning key. {listed}",
    )
