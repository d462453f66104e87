"""Pictures of section 3: the score between one query and every key."""

import numpy as np

from scripts.draw.canvas import Canvas, Counts, Grid, Names, Picture, Row, beside, on_paper, picture
from scripts.draw.style import COLOURS, MEASURE, SMALL
from scripts.draw.words import between, by_rows, ordinal, quoted
from scripts.numbers import listing, show


@picture("dot-product-by-hand")
def dot_product_by_hand(query: Row, key: Row, products: Row, *, asking: str, looked_at: str) -> Picture:
    """Draw a query over a key, their products below, and the sum."""
    sheet = Canvas(2.78, "Multiply entry by entry, then add")
    left, pitch = 1.78, 3.9 / len(query)
    limit = np.abs(products).max() or 1.0
    for values, name, role, words, sign, y, how in (
        (query, "query", "query", f"query of “{asking}”", "×", 0.48, {}),
        (key, "key", "key", f"key of “{looked_at}”", "=", 1.08, {}),
        (
            products,
            "products",
            "muted",
            "products",
            "",
            1.68,
            {"form": "+.4f", "fill": "score", "limit": limit},
        ),
    ):
        grid = sheet.grid([values], left, y, name=name, role=role, cell=(pitch, 0.36), **how)
        sheet.text(left - 0.12, y + 0.18, words, ha="right", role=role if sign else "ink")
        for j in range(len(query) if sign else 0):
            sheet.text(grid.cell(0, j)[0], y + 0.48, sign, role="muted")
    sheet.brace(left, grid.right, grid.bottom + 0.15)
    total = products.sum()
    middle = grid.middle[0]
    sheet.text(middle - 0.62, 2.5, "raw score", ha="right")
    sheet.box(middle - 0.52, 2.32, 1.04, 0.36, role="ink", line=1.6)
    sheet.number(middle, 2.5, total, "+.4f", bold=True, gid="number:total:0:0")
    pairs = " ".join(
        f"{ordinal(i)} pair: {show(q, '+.2f')} times {show(k, '+.2f')} is {show(p, '+.4f')}."
        for i, (q, k, p) in enumerate(zip(query, key, products, strict=True))
    )
    return sheet.done(
        caption=f"The raw score of the query of “{asking}” with the key of “{looked_at}”: "
        "each pair of entries is multiplied, and the products are added up.",
        alt=f"The query of “{asking}” and the key of “{looked_at}” make the raw score "
        f"{show(total, '+.4f')}. They stand one above the other, with a product under each pair. {pairs} "
        f"All {show(len(products), 'd')} products together: {show(total, '+.4f')}.",
    )


@picture("dot-product-angle")
def dot_product_angle(angles: Row, products: Row, length=2.0, shown=7) -> Picture:
    """Draw a query turning away from a key of the same length, above their dot product at each angle.

    The angles, in degrees, go from zero to half a turn; at `shown` of them, evenly
    spread, the pair itself is drawn.
    """
    sheet = Canvas(3.7, "The wider the angle, the smaller the dot product")
    left, width, top, height = 0.8, 4.36, 1.36, 1.84
    limit = np.abs(products).max()
    limits = {"xlim": (angles[0], angles[-1]), "ylim": (-1.12 * limit, 1.12 * limit)}
    axes = sheet.plot(left, top, width, height, **limits)
    axes.spines[["left", "bottom"]].set_visible(False)
    chosen = np.linspace(0, len(angles) - 1, shown).round().astype(int)
    axes.set_xticks(angles[chosen], [show(a, ".0f") + "°" for a in angles[chosen]])
    levels = (-limit, 0, limit)
    axes.set_yticks(levels, [show(v, "+.0f") for v in levels])
    axes.tick_params(length=0, pad=7)
    axes.grid(axis="x")
    axes.axhline(0, color=COLOURS["muted"], lw=0.8)
    look = {"color": COLOURS["ink"], "clip_on": False}
    axes.plot(angles, products, lw=1.6, gid="line:products", **look)
    axes.plot(angles[chosen], products[chosen], "o", ms=6, gid="points:products", **look)
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
        words, gid = show(product, "+.2f"), f"number:products:{index}"
        beside(axes, angle, product, words, (7, 4), va="bottom", gid=gid)
    sheet.note(0.08, 0.5, "the query turns,", ha="left", role="query")
    sheet.note(1.36, 0.5, "the key stays", ha="left", role="key")
    sheet.note(0.08, top + 0.4, "dot", ha="left")
    sheet.note(0.08, top + 0.59, "product", ha="left")
    sheet.note(left + width / 2, 3.55, "angle between the two")
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
def raw_scores(raw: Grid, names: Names, worked=(-1, 0)) -> Picture:
    """Draw the matrix of raw scores, a row for each query; outlined is the score that was `worked` by hand."""
    row, column = worked[0] % len(raw), worked[1] % len(raw[0])
    sheet = Canvas(2.85, "One score for every pair of query and key")
    how = {"fill": "score", "limit": np.abs(raw).max(), "cell": (0.72, 0.36), "marked": [(row, column)]}
    grid = sheet.pairs(raw, 1.25, 0.95, names, names, name="raw", **how)
    sheet.text(grid.middle[0], 0.54, "keys", role="key", bold=True)
    sheet.text(0.22, grid.middle[1], "queries", role="query", bold=True, rotation=90)
    largest, smallest = (np.unravel_index(at, raw.shape) for at in (raw.argmax(), raw.argmin()))
    apart = 0.12 if largest[0] == smallest[0] else 0  # two notes beside one row
    for (i, j), word, shift in ((largest, "largest", -apart), (smallest, "smallest", apart)):
        y, words = grid.cell(i, j)[1] + shift, f"{word}: {show(raw[i, j], '+.2f')}"
        sheet.text(grid.right + 0.14, y, words, ha="left", gid=f"note:{word}")
    x = grid.cell(row, column)[0] - grid.cell_width / 2
    sheet.text(x, grid.bottom + 0.2, "outlined: worked by hand", ha="left", role="muted")
    low = [name for name, values in zip(names, raw, strict=True) if values.max() <= 0]
    never = f" Nothing in the rows of {quoted(low)} is above zero." if low else ""
    return sheet.done(
        caption="The raw scores. Each row is one query, each column one key; the deeper the colour, "
        "the further from zero.",
        alt=f"The largest is {show(raw.max(), '+.2f')}, the query of “{names[largest[0]]}” with the key of "
        f"“{names[largest[1]]}”; the smallest is {show(raw.min(), '+.2f')}, “{names[smallest[0]]}” with "
        f"“{names[smallest[1]]}”. A grid with a row for each query and a column for each key, "
        f"{quoted(names)}. {by_rows(names, raw, '+.2f')}{never} Outlined, because it was worked by hand, is "
        f"the query of “{names[row]}” with the key of “{names[column]}”: {show(raw[row, column], '+.2f')}.",
    )


@picture("scaled-scores")
def scaled_scores(raw: Grid, scaled: Grid, names: Names, divisor=2.0) -> Picture:
    """Draw the raw scores beside the same divided by `divisor`, both on one scale of colour."""
    by = show(divisor, ".0f" if float(divisor).is_integer() else ".2f")
    sheet = Canvas(2.5, f"Dividing by {by} shrinks every gap alike")
    how = {"fill": "score", "limit": np.abs(raw).max(), "cell": (2.36 / len(names), 0.36)}
    left = sheet.pairs(raw, 0.6, 0.97, names, names, name="raw", title="raw scores", **how)
    right = sheet.pairs(scaled, 3.38, 0.97, (), names, name="scaled", title="scaled scores", **how)
    y = left.middle[1]
    sheet.arrow((left.right + 0.06, y), (right.x - 0.06, y), role="muted", width=1.4)
    sheet.note((left.right + right.x) / 2, y - 0.17, f"÷ {by}", role="ink")
    return sheet.done(
        caption=f"The raw scores, and the scaled scores that dividing by {by} makes of them. Both are coloured by "
        "one scale, so the right one is paler throughout.",
        alt=f"The largest, {show(raw.max(), '+.2f')}, becomes {show(scaled.max(), '+.2f')}; the smallest, "
        f"{show(raw.min(), '+.2f')}, becomes {show(scaled.min(), '+.2f')}. Left the raw scores, right "
        f"the same divided by {by}, a row for each query and a column for each key, {quoted(names)}. "
        f"Raw scores. {by_rows(names, raw, '+.2f')} Scaled scores. {by_rows(names, scaled, '+.2f')}",
    )


@picture("score-spread")
def score_spread(sizes: Counts, raw: Row, scaled: Row, law: Row) -> Picture:
    """Draw the standard deviation of scores, unscaled and scaled, against the head size, on doubling axes.

    Beside what was measured runs the `law` that the argument of the text predicts.
    """
    sheet = Canvas(3.65, "Unscaled scores grow wilder as the head grows")
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
    ink, paper, muted = (COLOURS[role] for role in ("ink", "paper", "muted"))
    axes.plot(sizes, law, color=muted, lw=1.4, ls=(0, (4, 3)), gid="line:law")
    axes.plot(sizes, raw, "s", color=ink, ms=7.5, gid="points:raw")
    axes.plot(sizes, scaled, color=ink, lw=1.2, gid="line:scaled", zorder=2)
    axes.plot(sizes, scaled, "o", color=ink, mfc=paper, mew=1.6, ms=7.5, gid="points:scaled", zorder=3)
    for name, values, shift, ha in (("raw", raw, (-8, 5), "right"), ("scaled", scaled, (0, 7), "center")):
        for i, (size, value) in enumerate(zip(sizes, values, strict=True)):
            words, gid = show(value, ".2f"), f"number:{name}:{i}"
            beside(axes, size, value, words, shift, ha=ha, va="bottom", gid=gid)

    def level(value):
        bottom, peak = np.log(axes.get_ylim())
        return top + height * (1 - (np.log(value) - bottom) / (peak - bottom))

    sheet.text(left + width + 0.02, level(raw[-1]), "unscaled", ha="left", bold=True)
    sheet.text(left + width + 0.02, level(scaled[-1]), "scaled", ha="left", bold=True)
    sheet.note(0.08, 0.54, "standard deviation of the scores", ha="left")
    sheet.note(left + width / 2, 3.5, "head size")
    middle, words = len(sizes) // 2, "dashed: square root\nof the head size"
    how = {"role": "muted", "size": SMALL, "va": "top", "linespacing": 1.35, "bbox": on_paper(1)}
    beside(axes, sizes[middle], law[middle], words, (20, -6), **how)
    listed = " ".join(
        f"Head size {show(size, ',d')}: {show(a, '.2f')} unscaled, {show(b, '.2f')} scaled, "
        f"{show(c, '.0f')} on the dashed line."
        for size, a, b, c in zip(sizes, raw, scaled, law, strict=True)
    )
    return sheet.done(
        caption="Measured standard deviation of random scores. Each step to the right makes the head four times "
        "as large; each step up doubles the standard deviation.",
        alt=f"Unscaled, their standard deviation goes from {show(raw[0], '.2f')} at a head size of {show(sizes[0], ',d')} "
        f"to {show(raw[-1], '.2f')} at {show(sizes[-1], ',d')}; scaled, it stays "
        f"{between(scaled, '.2f')}. A chart of the standard deviation against the head size, on scales where "
        "doubling takes the same room everywhere. A dashed line, the square root of the head size, "
        f"runs beside the unscaled scores. {listed}",
    )


@picture("winner-share")
def winner_share(sizes: Counts, raw: Row, scaled: Row, n_keys=64) -> Picture:
    """Draw how much of the mixture the winning one of `n_keys` takes at each head size.

    These are mean largest weights, of unscaled scores and of scaled ones.
    """
    sheet = Canvas(3.55, "Unscaled, one key takes nearly the whole mixture")
    words = f"filled: the winning key; empty: the other {show(n_keys - 1, ',d')} keys"
    sheet.note(0.08, 0.5, words, ha="left")
    top, height, width = 1.22, 1.8, 2.5
    base = top + height
    for level, label in ((0, "none"), (0.5, "half"), (1, "all")):
        y = base - level * height
        rule = sheet.line((0.56, MEASURE - 0.06), (y, y), role="faint", width=0.7)
        rule.set_zorder(0)  # behind the bars
        sheet.note(0.5, y, label, ha="right")
    for name, title, shares, left in (
        ("raw", "unscaled scores", raw, 0.6),
        ("scaled", "scaled scores", scaled, 3.24),
    ):
        pitch = width / len(sizes)
        sheet.text(left + width / 2, 0.78, title, bold=True)
        for i, (size, share) in enumerate(zip(sizes, shares, strict=True)):
            x = left + (i + 0.5) * pitch
            sheet.bar(x, base, 0.34, height, fill="paper")
            sheet.bar(x, base, 0.34, share * height, gid=f"bar:{name}:{i}")
            sheet.bar(x, base, 0.34, height, role="muted", fill=None, line=0.8)
            sheet.number(x, top - 0.15, share, ".3f", gid=f"number:{name}:{i}", size=SMALL)
            sheet.note(x, base + 0.17, show(size, ",d"))
        sheet.note(left + width / 2, base + 0.4, "head size")
    listed = " ".join(
        f"Head size {show(size, ',d')}: {show(a, '.3f')} unscaled, {show(b, '.3f')} scaled."
        for size, a, b in zip(sizes, raw, scaled, strict=True)
    )
    return sheet.done(
        caption=f"The largest of {show(n_keys, ',d')} weights at five head sizes, averaged over many "
        "random queries.",
        alt=f"Unscaled, the winner among {show(n_keys, ',d')} keys takes {show(raw[0], '.3f')} at a head "
        f"size of {show(sizes[0], ',d')} and {show(raw[-1], '.3f')} at {show(sizes[-1], ',d')}; scaled, "
        f"it stays {between(scaled, '.3f')}. Two groups of bars, scores undivided and divided; a whole "
        f"bar is the mixture, its filled part the winning key. {listed}",
    )
