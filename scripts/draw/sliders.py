"""The frames of the sliders: one function a slider, one call a frame.

As everywhere in ``draw``, numbers come in computed.  All frames of a slider
have one size and keep everything that does not change in one place.
"""

import numpy as np

from scripts.draw import style
from scripts.draw.canvas import Canvas, picture
from scripts.draw.words import compared, foremost, quoted
from scripts.numbers import show, shows


def _curve(sheet, place, xs, ys, point, *, role, name, xlabel, xticks, yticks):
    """Draw a curve on axes of its own, with one point on it."""
    axes = sheet.plot(*place, xlim=(min(xs), max(xs)), xticks=xticks, yticks=yticks)
    low, high = min(yticks), max(yticks)
    axes.set_ylim(low - 0.06 * (high - low), high + 0.06 * (high - low))
    axes.grid(axis="y")
    axes.plot(xs, ys, color=style.COLOURS[role], gid=f"line:{name}")
    axes.plot([point[0]] * 2, [axes.get_ylim()[0], point[1]], color=style.COLOURS["muted"], lw=1)
    axes.plot(
        *[[c] for c in point], "o", ms=9, color=style.COLOURS["ink"], gid=f"point:{name}", clip_on=False
    )
    axes.set_xlabel(xlabel)
    axes.set_xticklabels([show(x, "g") for x in xticks])
    axes.set_yticklabels([show(y, "g") for y in yticks])
    return axes


@picture("slider-lead")
def slider_lead(leads, curve, lead, shares):
    """Draw two shares as bars, and where they lie on the curve of all leads.

    Parameters
    ----------
    leads : ndarray of shape (m,)
        The range of the slider.
    curve : ndarray of shape (m,)
        Share of the leading key at each.
    lead : float
        The one of this frame.
    shares : ndarray of shape (2,)
        Of the key that is ahead and of the other.

    Returns
    -------
    Picture
    """
    sheet = Canvas(2.75, "Two keys share one mix")
    full, ground = 1.55, 2.25
    for i, (x, share, word, role) in enumerate(
        zip((0.55, 1.4), shares, ("first key", "second key"), ("key", "token"), strict=True)
    ):
        sheet.box(x - 0.3, ground - full, 0.6, full, role="faint")
        sheet.box(
            x - 0.3,
            ground - full * share,
            0.6,
            full * share,
            role=None,
            fill=role,
            opacity=0.55,
            gid=f"bar:share:{i}",
        )
        sheet.number(x, ground - full - 0.13, share, ".3f", bold=True, gid=f"number:shares:0:{i}")
        sheet.text(x, ground + 0.17, word, size=style.SMALL, role=role)
    _curve(
        sheet,
        (2.6, 0.7, 2.95, 1.45),
        leads,
        curve,
        (lead, shares[0]),
        role="key",
        name="share",
        xlabel="lead of the first key in the score",
        xticks=[-6, -4, -2, 0, 2, 4, 6]
        if max(leads) == 6 and min(leads) == -6
        else [min(leads), 0, max(leads)],
        yticks=[0, 0.5, 1],
    )
    sheet.text(2.6, 0.5, "share of the first key", role="key", ha="left", size=style.SMALL)
    ahead = f"Lead {show(lead, '+.2f')}: the first key takes {show(shares[0], '.3f')} of the mix"
    (even,) = np.nonzero(np.asarray(leads) == 0)
    level = f" Without a lead the first takes {show(curve[even[0]], '.3f')}." if len(even) and lead else ""
    return sheet.done(
        caption="The share of each of two keys against the lead of the first.",
        alt=f"{ahead}, the second {show(shares[1], '.3f')}.{level}",
        titled=False,
    )


@picture("slider-angle")
def slider_angle(angles, curve, angle, fixed, turned, product):
    """Draw two arrows of one length, and their dot product on the curve of all angles.

    Parameters
    ----------
    angles : ndarray of shape (m,)
        Degrees; the range of the slider.
    curve : ndarray of shape (m,)
        The dot product at each.
    angle : float
        Degrees; the one of this frame.
    fixed, turned : ndarray of shape (2,)
        The two vectors.
    product : float
        Their dot product.

    Returns
    -------
    Picture
    """
    sheet = Canvas(2.75, "Turn the key away from the query")
    length = float(np.hypot(*fixed))
    scale, centre = 1.0 / length, np.array([1.5, 2.05])
    flip = np.array([scale, -scale])
    sheet.line(
        centre[0] + np.cos(np.radians(np.arange(0, 181, 5))),
        centre[1] - np.sin(np.radians(np.arange(0, 181, 5))),
        role="faint",
        dashed=True,
    )
    sheet.arrow(centre, centre + flip * fixed, role="query", width=3)
    sheet.arrow(centre, centre + flip * turned, role="key", width=3, gid="arrow:turned")
    sheet.text(centre[0] + 0.62, centre[1] + 0.2, "query", role="query")
    sheet.text(
        *(centre + flip * turned * (0.5 if angle < 12 else 1.19) - (0, 0.16 if angle < 12 else 0)),
        "key",
        role="key",
        gid="label:key",
    )
    _curve(
        sheet,
        (3.15, 0.7, 2.45, 1.45),
        angles,
        curve,
        (angle, product),
        role="ink",
        name="product",
        xlabel="angle in degrees",
        xticks=[0, 45, 90, 135, 180],
        yticks=[-(length**2), 0, length**2],
    )
    sheet.text(3.15, 0.5, "dot product", ha="left", size=style.SMALL)
    sheet.number(5.6, 0.5, product, "+.2f", bold=True, ha="right", gid="number:product:0:0")
    fit = (
        "they point the same way"
        if angle == 0
        else (
            "they are at right angles"
            if angle == 90
            else "they point in opposite ways"
            if angle == 180
            else "they still fit a little"
            if angle < 90
            else "they point apart"
        )
    )
    return sheet.done(
        caption="Two vectors of equal length and their dot product.",
        alt=f"Angle {show(angle, 'g')} degrees: the dot product is {show(product, '+.2f')}, of "
        f"{show(max(curve), '+.2f')} at most; {fit}.",
        titled=False,
    )


@picture("slider-head-size")
def slider_head_size(size, edges, raw, scaled, spreads, winners):
    """Draw how scores scatter at one head size, and what the winning key takes.

    Parameters
    ----------
    size : int
        Head size of this frame.
    edges : ndarray of shape (b + 1,)
        Edges of the bins, the same for every frame.
    raw, scaled : ndarray of shape (b,)
        Part of all scores in each bin, before and after division.
    spreads : (float, float)
        Standard deviation before and after division.
    winners : (float, float)
        Largest of many weights, before and after division.

    Returns
    -------
    Picture
    """
    sheet = Canvas(3.3, "Scores scatter more as the head grows")
    names = ("as they are", "divided")
    middles = (edges[:-1] + edges[1:]) / 2
    for row, (parts, spread, word) in enumerate(zip((raw, scaled), spreads, names, strict=True)):
        top = 0.62 + 1.22 * row
        axes = sheet.plot(0.3, top + 0.05, 3.3, 0.85, xlim=(edges[0], edges[-1]), ylim=(0, 1.05), yticks=[])
        axes.spines["left"].set_visible(False)
        axes.set_xticks([-90, -60, -30, 0, 30, 60, 90])
        axes.set_xticklabels([show(x, "g") if row else "" for x in (-90, -60, -30, 0, 30, 60, 90)])
        tallest = max(parts)
        for b, part in enumerate(parts):
            if part:
                axes.bar(
                    edges[b],
                    part / tallest,
                    edges[b + 1] - edges[b],
                    align="edge",
                    color=style.COLOURS["negative-mark" if middles[b] < 0 else "positive-mark"],
                    gid=f"bar:{word}:{b}",
                )
        sheet.text(0.3, top + 0.02, f"scores {word}", ha="left", size=style.SMALL)
        sheet.text(
            3.6,
            top + 0.02,
            f"spread {show(spread, '.2f')}",
            ha="right",
            bold=True,
            gid=f"number:spread:{row}:0",
        )
    sheet.text(1.95, 3.14, "score", role="muted", size=style.SMALL)
    full, ground = 1.75, 2.72
    sheet.text(4.85, 0.62, "share of the winner", size=style.SMALL)
    for i, (x, winner, word) in enumerate(zip((4.4, 5.3), winners, names, strict=True)):
        sheet.box(
            x - 0.28,
            ground - full * winner,
            0.56,
            full * winner,
            role=None,
            fill="weight-mark",
            opacity=1,
            gid=f"bar:winner:{i}",
        )
        sheet.box(x - 0.28, ground - full, 0.56, full, role="muted", line=0.8)
        sheet.number(x, 0.83, winner, ".3f", bold=True, gid=f"number:winner:0:{i}")
        sheet.text(x, ground + 0.17, word, size=style.SMALL)
    return sheet.done(
        caption="Scores of random queries and keys, and the share of the winning key.",
        alt=f"Head size {show(size, ',d')}: the spread of the scores is {show(spreads[0], '.2f')} as they "
        f"are, {show(spreads[1], '.2f')} divided. The winning key takes {show(winners[0], '.3f')} of the "
        f"mix as they are, {show(winners[1], '.3f')} divided.",
        titled=False,
    )


@picture("slider-token")
def slider_token(names, asking, scores, raised, weights, values, output):
    """Follow the row of one asking token from its scores to its new vector.

    Parameters
    ----------
    names : sequence of str, length n
    asking : int
    scores, raised, weights : ndarray of shape (n,)
        `raised` is e to the power of each score.
    values : ndarray of shape (n, d)
    output : ndarray of shape (d,)

    Returns
    -------
    Picture
    """
    sheet = Canvas(4.0, "One row, from its scores to its new vector")
    cell, limit = (0.66, 0.32), 3.0
    left = 0.85
    for j, name in enumerate(names):
        sheet.text(left + (j + 0.5) * cell[0], 0.58, name, role="key")
    for row, (word, line, fill) in enumerate(
        (("score", scores, "score"), ("e to it", raised, None), ("weight", weights, "weight"))
    ):
        grid = sheet.grid(
            line[None],
            left,
            0.72 + row * 0.42,
            name=word,
            form="+.2f" if fill == "score" else ".3f",
            fill=fill,
            limit=limit,
            cell=cell,
            role="muted",
        )
        sheet.text(left - 0.1, grid.middle[1], word, ha="right", size=style.SMALL)
    total = f"total {show(raised.sum(), '.3f')}"
    sheet.text(
        grid.right + 0.1, 0.72 + 0.42 + 0.16, total, ha="left", size=style.SMALL, gid="number:total:0:0"
    )
    sheet.text(
        grid.right + 0.1,
        0.72 + 0.84 + 0.16,
        f"total {show(weights.sum(), '.3f')}",
        ha="left",
        size=style.SMALL,
    )
    top = 2.25
    column = sheet.grid(
        weights[:, None],
        left,
        top,
        name="share",
        form=".3f",
        fill="weight",
        cell=(0.66, 0.32),
        rows=names,
        role="muted",
        row_role="key",
    )
    sheet.text(column.right + 0.16, column.middle[1], "×", size=13)
    grid = sheet.grid(values, column.right + 0.32, top, name="values", role="value", cell=(0.72, 0.32))
    sheet.text(grid.right + 0.08, grid.middle[1], "values", ha="left", role="value")
    new = sheet.grid(
        output[None], grid.x, grid.bottom + 0.12, name="output", role="output", cell=(0.72, 0.32)
    )
    sheet.text(
        grid.x - 0.12, new.middle[1], f"new “{names[asking]}”", ha="right", role="output", gid="label:new"
    )
    return sheet.done(
        caption="Scores, weights and the mix of one asking token.",
        alt=f"“{names[asking]}” asks: {quoted(foremost(names, weights, '.3f'))} gets most, "
        f"{show(weights.max(), '.3f')}. For {quoted(names)}: scores {shows(scores, '+.2f')}; e to each "
        f"{shows(raised, '.3f')}, total {show(raised.sum(), '.3f')}; weights {shows(weights, '.3f')}. "
        f"New vector: {shows(output, '+.2f')}.",
        titled=False,
    )


@picture("slider-heads")
def slider_heads(names, width, heads, size, parameters, grid_numbers, n, patterns=None, one=None):
    """Draw a width cut into heads, with their patterns where there are some.

    Parameters
    ----------
    names : sequence of str
        The tokens of the patterns.
    width, heads, size : int
    parameters : int
        Numbers in the four matrices.
    grid_numbers : int
        Scores over all heads.
    n : int
        Tokens from which these are counted.
    patterns : sequence of ndarray of shape (n, n), optional
        The weights of each head.
    one : (int, int), optional
        Parameters and scores with one head only, to compare with.

    Returns
    -------
    Picture
    """
    sheet = Canvas(3.75, "The same width, cut into heads")
    bar, left, top = 5.2, 0.3, 0.72
    sheet.text(left, 0.56, f"width {show(width, ',d')}", ha="left", size=style.SMALL, gid="number:width:0:0")
    sheet.box(left, top, bar, 0.34, role="query", fill="query", line=1.6)
    cuts = left + bar * np.arange(1, heads) / heads
    gaps = np.full_like(cuts, np.nan)  # one line for all cuts, with a gap after each
    xs = np.column_stack([cuts, cuts, gaps]).ravel()
    ys = np.tile([top, top + 0.34, np.nan], len(cuts))
    sheet.line(xs, ys, role="query", width=1.4 if heads < 50 else 0.5, gid="cuts")
    rows = (
        ("heads", show(heads, ",d")),
        ("head size", show(size, ",d")),
        ("numbers in the four matrices", show(parameters, ",d")),
        (f"scores over all heads, {show(n, ',d')} tokens", show(grid_numbers, ",d")),
    )
    for i, (word, number) in enumerate(rows):
        y = 1.34 + 0.27 * i
        sheet.text(left, y, word, ha="left", gid=f"label:{i}")
        sheet.text(left + bar, y, number, ha="right", bold=True, gid=f"number:counts:{i}:0")
    if patterns is not None:
        cell = 0.225
        gap = (bar - len(patterns) * 4 * cell) / (len(patterns) + 1)
        for h, weights in enumerate(patterns):
            x = left + gap + h * (4 * cell + gap)
            for i, j in np.ndindex(weights.shape):
                sheet.box(
                    x + j * cell,
                    2.72 + i * cell,
                    cell,
                    cell,
                    role="faint",
                    fill="weight",
                    opacity=float(weights[i, j]),
                    gid=f"cell:head{h}:{i}:{j}",
                )
            sheet.box(x, 2.72, 4 * cell, 4 * cell, role="ink", line=1.2)
            sheet.text(x + 2 * cell, 2.56, f"head {h + 1}", size=style.SMALL, role="query", gid=f"head:{h}")
    else:
        sheet.text(left + bar / 2, 3.1, "a trained model fills these grids", role="muted", gid="label:none")
    as_one = times = ""
    if one and heads > 1:
        as_one = f", {compared(parameters, one[0], 'fewer than', 'as many as', 'more than')} with one head"
        times = f"; with one head there are {show(one[1], ',d')}"
    said = f"Width {show(width, ',d')} in {show(heads, ',d')} head{'s' * (heads > 1)} of size {size}: "
    said += f"{show(parameters, ',d')} numbers in the four matrices{as_one}. There are "
    said += f"{show(grid_numbers, ',d')} scores for {show(n, ',d')} tokens{times}."
    if patterns is not None:
        peaks = [float(w.max(axis=1).mean()) for w in patterns]
        said += f" Average largest weight by head: {shows(peaks, '.3f')}."
    return sheet.done(caption="A width cut into heads.", alt=said, titled=False)


@picture("slider-mask")
def slider_mask(names, choice, scores, allowed, weights):
    """Draw scores, weights and row totals under one mask.

    Parameters
    ----------
    names : sequence of str, length n
    choice : str
        The mask in words.
    scores : ndarray of shape (n, n)
    allowed : ndarray of bool, shape (n, n)
    weights : ndarray or masked array of shape (n, n)
        Rows without an answer are masked.

    Returns
    -------
    Picture
    """
    sheet = Canvas(2.5, "What a mask forbids, and what is left")
    limit = float(abs(scores).max())
    weights = np.ma.asarray(weights)
    answered = ~np.ma.getmaskarray(weights).all(axis=1)
    sheet.grid(
        scores,
        0.62,
        0.98,
        name="scores",
        fill="score",
        limit=limit,
        cell=(0.52, 0.34),
        size=style.SMALL,
        rows=names,
        columns=names,
        row_role="query",
        column_role="key",
        title="scores",
        allowed=allowed,
        form="+.2f",
    )
    grid = sheet.grid(
        weights,
        2.95,
        0.98,
        name="weights",
        form=".3f",
        fill="weight",
        cell=(0.54, 0.34),
        size=style.SMALL,
        columns=names,
        column_role="key",
        title="weights",
    )
    sheet.text(grid.right + 0.36, 0.84, "total", role="muted")
    for i in range(len(names)):
        y = grid.cell(i, 0)[1]
        if answered[i]:
            sheet.number(
                grid.right + 0.36, y, weights[i].sum(), ".3f", size=style.SMALL, gid=f"number:totals:{i}:0"
            )
        else:
            sheet.text(grid.right + 0.36, y, "none", role="muted", gid=f"none:totals:{i}", size=style.SMALL)
    count = (
        "every row has"
        if answered.all()
        else "no row has"
        if not answered.any()
        else f"{show(answered.sum(), 'd')} of {show(len(names), 'd')} rows have"
    )
    parts = [
        f"{name}: {shows(np.ma.getdata(weights)[i], '.3f')}." if answered[i] else f"{name}: no answer."
        for i, name in enumerate(names)
    ]
    return sheet.done(
        caption="Scores and weights under a mask.",
        alt=f"{choice}; {count} an answer. Weights on {quoted(names)}. {' '.join(parts)}",
        titled=False,
    )


def _billions(steps):
    """Write a number of steps in billions, to three digits or to the whole billion."""
    billions = steps / 1e9
    return show(billions, ",.0f" if billions >= 100 else ".3g" if billions >= 0.001 else ".6f")


@picture("slider-window")
def slider_window(ns, projections, grids, chosen, width, share, memory):
    """Draw both costs against the number of tokens, and mark one.

    Parameters
    ----------
    ns : ndarray of int, shape (m,)
        The range of the slider.
    projections, grids : ndarray of shape (m,)
        Steps at each.
    chosen : int
        Index of this frame.
    width : int
    share : float
        Part of the steps that the grid takes, 0 to 1.
    memory : str
        What the score grids would take, in words.

    Returns
    -------
    Picture
    """
    sheet = Canvas(3.3, f"Steps of one layer as the window grows, width {show(width, ',d')}")
    axes = sheet.plot(0.75, 0.6, 3.0, 2.05, xscale="log", yscale="log")
    axes.set(xlim=(ns[0], ns[-1]), ylim=(1e4, 1e15))
    ticks = [10, 100, 1000, 10_000, 100_000]
    axes.set_xticks(ticks)
    axes.set_xticklabels(["10", "100", "1,000", "10,000", "100,000"], size=style.SMALL)
    axes.set_yticks([1e6, 1e9, 1e12, 1e15])
    axes.set_yticklabels(["million", "billion", "trillion", "10¹⁵"], size=style.SMALL)
    axes.grid()
    for line, role, word, dash in ((projections, "token", "projections", (4, 2)), (grids, "ink", "grid", ())):
        axes.plot(ns, line, color=style.COLOURS[role], dashes=dash, gid=f"line:{word}")
        axes.plot(
            [ns[chosen]],
            [line[chosen]],
            "o",
            ms=8,
            color=style.COLOURS[role],
            markeredgecolor=style.COLOURS["ink"],
            gid=f"point:{word}",
            clip_on=False,
        )
    # Beside the lines, whatever the width: over the one, under the other.
    for x, y, words, role in (
        (ns[0] * 1.5, projections[0] * 150, "projections", "token"),
        (ns[0] * 20, grids[0] * 60, "grid", "ink"),
    ):
        axes.text(
            x,
            y,
            words,
            color=style.COLOURS[role],
            fontsize=style.SMALL,
            fontweight="bold",
            bbox={"facecolor": style.COLOURS["paper"], "edgecolor": "none", "pad": 0.5},
        )
    axes.axvline(ns[chosen], color=style.COLOURS["muted"], lw=1, gid="mark")
    sheet.text(2.25, 3.1, "tokens", size=style.SMALL, role="muted")
    x = 4.0
    sheet.text(x, 0.78, "tokens", ha="left", size=style.SMALL, role="muted")
    sheet.number(x, 0.99, ns[chosen], ",d", ha="left", bold=True, gid="number:n:0:0")
    sheet.text(x, 1.27, "the grid’s share", ha="left", size=style.SMALL, role="muted")
    sheet.box(x, 1.38, 1.6, 0.22, role=None, fill="token")
    sheet.box(x, 1.38, 1.6 * share, 0.22, role=None, fill="positive-mark", opacity=0.8, gid="bar:share:0")
    sheet.box(x, 1.38, 1.6, 0.22, role="muted", line=0.8)
    sheet.text(x, 1.76, f"{show(100 * share, '.1f')} per cent", ha="left", bold=True, gid="number:share:0:0")
    sheet.text(x, 2.06, "twelve score grids", ha="left", size=style.SMALL, role="muted")
    sheet.text(x, 2.28, memory, ha="left", bold=True, gid="number:memory:0:0")
    more = "the projections " + compared(
        projections[chosen], grids[chosen], "cost less", "cost the same", "cost more"
    )
    return sheet.done(
        caption="Both costs against the number of tokens.",
        alt=f"{show(ns[chosen], ',d')} tokens at width {show(width, ',d')}: {more}, and the grid takes "
        f"{show(100 * share, '.1f')} per cent of the work. Projections {_billions(projections[chosen])} "
        f"billion steps, grid {_billions(grids[chosen])} billion. Stored whole, twelve score grids would "
        f"take {memory}.",
        titled=False,
    )
