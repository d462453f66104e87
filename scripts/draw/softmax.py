"""Pictures of section 4: softmax, the mix, and the whole thing as matrices."""

import numpy as np

from scripts.draw import style
from scripts.draw.canvas import Canvas, picture
from scripts.draw.words import compared, foremost, leanings, quoted
from scripts.numbers import show, shows


@picture("softmax-table")
def softmax_table(scores, raised, shares, names, asking=-1, limit=3.0):
    """Draw one row of scores on its way to shares, with bars under the shares.

    Parameters
    ----------
    scores, raised, shares : ndarray of shape (n,)
        The asking token's scores, e to the power of each, and its weights.
    names : sequence of str, length n
        The tokens, in order.
    asking : int
        Which token asks.
    limit : float
        The score that is drawn at full opacity.

    Returns
    -------
    Picture
    """
    left, wide, high = 1.55, 0.78, 0.38
    sheet = Canvas(4.0, f"From scores to shares: the row of “{names[asking]}”")
    rows = (
        ("score", "score", scores, "+.3f", {"fill": "score", "limit": limit}),
        ("raised", "e to the score", raised, ".3f", {"fill": "tint", "role": "muted"}),
        ("share", "share of total", shares, ".3f", {"fill": "weight"}),
    )
    for k, (name, label, values, form, look) in enumerate(rows):
        grid = sheet.grid(
            values[None, :],
            left,
            0.82 + k * 0.56,
            name=name,
            form=form,
            cell=(wide, high),
            columns=names if k == 0 else (),
            column_role="key",
            **look,
        )
        middle = grid.middle[1]
        sheet.text(left - 0.12, middle, label, ha="right")
        if k:
            sheet.text(grid.right + 0.16, middle, "total", ha="left", role="muted")
            sheet.number(grid.right + 0.6, middle, values.sum(), ".3f", ha="left", gid=f"number:total:{name}")
    sheet.text(left - 0.12, 0.68, "looked at", ha="right", role="key")
    # Bars stand under their own columns; a share of one would reach the top line.
    base, tall = 3.8, 1.3
    for level, label in ((0.0, "0"), (0.5, "0.5"), (1.0, "1")):
        y = base - level * tall
        sheet.line((left, grid.right), (y, y), role="faint", width=0.8).set_zorder(0.5)
        sheet.text(left - 0.12, y, label, ha="right", role="muted", size=style.SMALL)
    for j, share in enumerate(shares):
        sheet.box(
            grid.cell(0, j)[0] - 0.2,
            base - share * tall,
            0.4,
            share * tall,
            role="ink",
            fill="weight-mark",
            opacity=0.75,
            line=0.8,
            gid=f"bar:share:{j}",
        )
    sheet.line((left, grid.right), (base, base), role="muted")
    columns = " ".join(
        f"{name}: score {show(s, '+.3f')}, e to the score {show(r, '.3f')}, share {show(w, '.3f')}."
        for name, s, r, w in zip(names, scores, raised, shares, strict=True)
    )
    return sheet.done(
        caption=f"Softmax on the row of “{names[asking]}”, read downwards: the score, e to the power "
        "of the score, and that result as a share of the row's total. The bars draw the shares.",
        alt=f"{quoted(foremost(names, shares, '.3f'))} has the largest share, {show(shares.max(), '.3f')}. "
        f"A table with a column for each token that “{names[asking]}” looks at; under each a bar as high "
        f"as its share. {columns} In total {show(raised.sum(), '.3f')} raised, "
        f"{show(shares.sum(), '.3f')} as shares.",
    )


@picture("lead-share")
def lead_share(leads, shares, marked=(0, 1, 2, 4)):
    """Draw the shares of two keys against the lead of one of them.

    Parameters
    ----------
    leads : ndarray of shape (n,)
        How far the first key's score is ahead; rising.
    shares : ndarray of shape (n, 2)
        The leading key's share and the other's at each lead.
    marked : sequence of float
        Leads whose share is written beside the curve.

    Returns
    -------
    Picture
    """
    sheet = Canvas(3.4, "A small lead in score is a large lead in share")
    x0, y0, wide, tall = 0.78, 0.62, 4.75, 2.2
    reach = leads[-1]
    axes = sheet.plot(
        x0,
        y0,
        wide,
        tall,
        xlim=(leads[0], reach),
        ylim=(0, 1),
        yticks=(0, 0.25, 0.5, 0.75, 1),
        yticklabels=("0", "0.25", "0.5", "0.75", "1"),
        xticks=np.arange(np.ceil(leads[0]), reach + 0.5),
    )
    axes.grid(True)
    axes.set_zorder(-1)  # under the labels
    axes.tick_params(length=0, pad=9)
    ink = style.COLOURS
    axes.plot(leads, shares[:, 1], color=ink["muted"], ls=(0, (4, 2)), gid="line:other", clip_on=False)
    axes.plot(leads, shares[:, 0], color=ink["key"], gid="line:leader", clip_on=False)
    sheet.text(x0 + wide / 2, 3.22, "lead of one score over the other", role="muted", size=style.SMALL)
    sheet.text(x0 - 0.62, 0.45, "share", ha="left", role="muted", size=style.SMALL)

    def place(lead, share):
        return x0 + (lead - leads[0]) / (reach - leads[0]) * wide, y0 + (1 - share) * tall

    told = []
    for lead in marked:
        at = int(np.argmin(np.abs(leads - lead)))
        x, y = place(leads[at], shares[at, 0])
        axes.plot(leads[at], shares[at, 0], "o", color=ink["key"], gid=f"dot:leader:{at}", clip_on=False)
        # Where the two curves meet there is room to the right only.
        aside = (0.28, 0.0) if np.isclose(*shares[at]) else (0.12, 0.2)
        label = sheet.number(
            x + aside[0], y + aside[1], shares[at, 0], ".3f", ha="left", gid=f"number:leader:{at}"
        )
        label.set_bbox({"facecolor": style.COLOURS["paper"], "edgecolor": "none", "pad": 1})
        told.append(f"{show(shares[at, 0], '.3f')} at a lead of {show(leads[at], '.0f')}")
    for k, (words, role) in enumerate((("the leading key", "key"), ("the other key", "muted"))):
        x, y = place(reach, shares[-1, k])
        sheet.text(x, y - 0.19, words, ha="right", role=role)
    return sheet.done(
        caption="Shares of two keys against the lead in score of one over the other. "
        "The two shares always total 1.",
        alt="The share of the leading key rises steeply, then flattens. The other key has what is left; its "
        f"curve, dashed, falls from {show(shares[0, 1], '.3f')} to {show(shares[-1, 1], '.3f')}. Both "
        f"stand against a lead from {show(leads[0], '.0f')} to {show(reach, '.0f')}. Leading key: "
        f"{', '.join(told)}.",
    )


@picture("weight-grid")
def weight_grid(weights, names):
    """Draw the grid of weights with the total of every row.

    Parameters
    ----------
    weights : ndarray of shape (n, n)
    names : sequence of str, length n
        The tokens, in order.

    Returns
    -------
    Picture
    """
    totals = weights.sum(axis=1)
    leaders = weights.argmax(axis=1)
    sheet = Canvas(1.1 + 0.4 * len(names), "Every row of weights totals one")
    grid = sheet.grid(
        weights,
        1.2,
        0.95,
        name="weights",
        form=".3f",
        fill="weight",
        cell=(3.4 / len(names), 0.4),
        rows=names,
        columns=names,
        row_role="query",
        column_role="key",
        marked=[(i, leader) for i, leader in enumerate(leaders)],
    )
    sheet.text(grid.middle[0], 0.55, "looked at", role="key")
    sheet.text(0.22, grid.middle[1], "asking", role="query", rotation=90)
    for i, total in enumerate(totals):
        y = grid.cell(i, 0)[1]
        sheet.text(grid.right + 0.24, y, "=", role="muted")
        sheet.number(grid.right + 0.62, y, total, ".3f", gid=f"number:totals:{i}:0")
    sheet.text(grid.right + 0.62, 0.81, "total", role="muted")
    return sheet.done(
        caption="The weights of all four tokens. Each row belongs to one asking token and totals 1. "
        "The heavy outline marks the largest weight of each row.",
        alt=f"{leanings(names, [names[leader] for leader in leaders])}. A grid with a row for each asking "
        f"token and a column for each token looked at, {quoted(names)}. "
        + " ".join(
            f"{name}: {shows(row, '.3f')}, most on “{names[leader]}”, total {show(total, '.3f')}."
            for name, row, leader, total in zip(names, weights, leaders, totals, strict=True)
        ),
    )


@picture("mix-values")
def mix_values(weights, values, products, output, names, asking=-1):
    """Draw one row of weights mixing the values into a new vector.

    Parameters
    ----------
    weights : ndarray of shape (n,)
        The asking token's weights.
    values : ndarray of shape (n, d)
    products : ndarray of shape (n, d)
        Each value times its weight.
    output : ndarray of shape (d,)
        The column totals of `products`: the new vector.
    names : sequence of str, length n
        The tokens, in order.
    asking : int
        Which token asks.

    Returns
    -------
    Picture
    """
    top, high, small = 0.88, 0.37, style.SMALL
    bottom = top + high * len(names)
    sheet = Canvas(bottom + 0.98, f"“{names[asking]}” mixes the values into its new vector")
    share = sheet.grid(
        weights[:, None],
        0.54,
        top,
        name="weights",
        form=".3f",
        fill="weight",
        rows=names,
        row_role="key",
        cell=(0.54, high),
        size=small,
        title="weights",
    )
    wide = 2.08 / values.shape[1]
    given = sheet.grid(
        values,
        share.right + 0.24,
        top,
        name="values",
        role="value",
        cell=(wide, high),
        size=small,
        title="values V",
    )
    part = sheet.grid(
        products,
        given.right + 0.24,
        top,
        name="products",
        role="value",
        cell=(wide, high),
        size=small,
        title="weight × value",
    )
    for i in range(len(names)):
        y = share.cell(i, 0)[1]
        sheet.text(share.right + 0.12, y, "×", role="muted")
        sheet.text(given.right + 0.12, y, "=", role="muted")
    new = sheet.grid(
        output[None, :], part.x, bottom + 0.42, name="output", role="output", cell=(wide, high), size=small
    )
    for j in range(values.shape[1]):
        x = part.cell(0, j)[0]
        sheet.arrow((x, bottom + 0.06), (x, new.y - 0.05), role="muted")
    sheet.text(part.x - 0.12, bottom + 0.23, "add down each column", ha="right", role="muted")
    sheet.text(part.x - 0.12, new.middle[1], f"new “{names[asking]}”", ha="right", role="output", bold=True)
    rows = " ".join(
        f"{name}: weight {show(weight, '.3f')}, times the value {shows(value, '+.2f')}, "
        f"is {shows(product, '+.2f')}."
        for name, weight, value, product in zip(names, weights, values, products, strict=True)
    )
    return sheet.done(
        caption=f"The weights of “{names[asking]}”, each times the value of its token. The four rows "
        f"of products, added down each column, are the new vector of “{names[asking]}”.",
        alt=f"It is {shows(output, '+.2f')}. From left to right stand a column of weights, the grid of "
        "values and the grid of their products; under the products, the total of each column. "
        f"{rows} Totals down the columns: {shows(output, '+.2f')}.",
    )


@picture("as-matrices")
def as_matrices(tokens, matrices, projected, scores, weights, output, asking=-1, limit=3.0):
    """Draw the whole of attention as matrix multiplies, with the shape of every grid.

    Parameters
    ----------
    tokens : ndarray of shape (n, w)
    matrices : (ndarray, ndarray, ndarray), each of shape (w, d)
        The query, key and value matrices.
    projected : (ndarray, ndarray, ndarray), each of shape (n, d)
        Queries, keys and values.
    scores, weights : ndarray of shape (n, n)
        Divided scores, and the weights that softmax makes of them.
    output : ndarray of shape (n, d)
    asking : int
        The token whose row is outlined wherever it stands.
    limit : float
        The score that is drawn at full opacity.

    Returns
    -------
    Picture
    """
    queries, keys, values = projected
    row = asking % len(tokens)
    side = 0.6
    unit = side / max(*np.shape(tokens), *np.shape(queries))
    sheet = Canvas(5.18, "The whole of attention, as matrices")

    def block(grid, x, y, name, shape, label, role, mark=None, fill=None):
        """Draw a grid without numbers, its name and shape under it; return its right edge."""
        rows, columns = grid.shape
        high, wide = rows * unit, columns * unit
        if fill:
            for i, j in np.ndindex(rows, columns):
                colour, opacity = sheet._fill(grid[i, j], fill, role, limit)
                sheet.box(
                    x + j * unit,
                    y + i * unit,
                    unit,
                    unit,
                    role=None,
                    fill=colour,
                    opacity=opacity,
                    gid=f"cell:{name}:{i}:{j}",
                )
        # The lines between the cells, in one stroke.
        cuts = [((x, x + wide), (y + i * unit,) * 2) for i in range(1, rows)]
        cuts += [((x + j * unit,) * 2, (y, y + high)) for j in range(1, columns)]
        if cuts:
            xs, ys = np.swapaxes(np.insert(cuts, 2, np.nan, axis=2), 0, 1).reshape(2, -1)
            sheet.line(xs, ys, role="faint", width=0.7).set_zorder(1)
        sheet.box(x, y, wide, high, role=role, fill=None if fill else role, line=1.6, gid=f"frame:{name}")
        if mark == "row":
            sheet.box(x, y + row * unit, columns * unit, unit, role="ink", line=2.0, gid=f"marked:{name}")
        middle, under = x + columns * unit / 2, y + side
        sheet.text(middle, under + 0.16, label, role=role, bold=True)
        sheet.text(middle, under + 0.37, shape, role="muted", size=style.SMALL)
        return x + columns * unit

    def sign(x, y, words):
        sheet.text(x, y + side / 2, words, size=13)

    def head(y, number, words):
        sheet.text(0.08, y, number, ha="left", bold=True)
        sheet.text(0.3, y, words, ha="left")

    roles = ("query", "key", "value")
    head(0.62, "1", "The tokens times three matrices")
    y = 0.82
    x = block(tokens, 0.14, y, "tokens", "n × w", "X", "token", mark="row")
    sign(x + 0.18, y, "×")
    x += 0.36
    for matrix, role in zip(matrices, roles, strict=True):
        x = block(matrix, x, y, f"w-{role}", "w × d", f"W_{role[0]}", role) + 0.12
    sign(x + 0.1, y, "=")
    x += 0.33
    for name, grid, role in zip("QKV", projected, roles, strict=True):
        mark = "row" if name == "Q" else None
        x = block(grid, x, y, name, "n × d", name, role, mark=mark) + 0.12
    sheet.line((0.08, style.MEASURE - 0.08), (2.02, 2.02), role="faint", width=0.8)

    head(2.24, "2", "Queries times keys turned on their side; softmax along each row")
    y = 2.44
    x = block(queries, 0.14, y, "queries", "n × d", "Q", "query", mark="row")
    sign(x + 0.18, y, "×")
    x = block(keys.T, x + 0.36, y, "keys-turned", "d × n", "Kᵀ", "key")
    sign(x + 0.34, y, "÷ √d")
    sign(x + 0.76, y, "=")
    x = block(scores, x + 0.95, y, "scores", "n × n", "scores", "ink", mark="row", fill="score")
    sheet.arrow((x + 0.12, y + side / 2 + 0.1), (x + 0.78, y + side / 2 + 0.1), width=1.4)
    sheet.text(x + 0.44, y + side / 2 - 0.1, "softmax", size=style.SMALL)
    block(weights, x + 0.9, y, "weights", "n × n", "weights", "ink", mark="row", fill="weight")
    sheet.line((0.08, style.MEASURE - 0.08), (3.62, 3.62), role="faint", width=0.8)

    head(3.84, "3", "Weights times values")
    y = 4.04
    x = block(weights, 0.14, y, "weights-again", "n × n", "weights", "ink", mark="row", fill="weight")
    sign(x + 0.18, y, "×")
    x = block(values, x + 0.36, y, "values", "n × d", "V", "value")
    sign(x + 0.18, y, "=")
    x = block(output, x + 0.36, y, "output", "n × d", "output", "output", mark="row")
    n, width = np.shape(tokens)
    size = np.shape(queries)[1]
    here = f"Here n = {show(n, 'd')} tokens,\nwidth w = {show(width, 'd')},\nhead size d = {show(size, 'd')}."
    sheet.text(x + 0.4, y + 0.3, here, ha="left", va="center", role="muted", size=style.SMALL)
    return sheet.done(
        caption="Attention in five matrix multiplies and one softmax. The heavy outline follows one "
        "asking token from its own row to its new vector.",
        alt=f"Three lines of grids without numbers. Row {show(row + 1, 'd')}, that of one asking token, is "
        "outlined in X, Q, scores, weights and output. First line: X, of n rows and w columns, times "
        "each of W_q, W_k and W_v, of w by d, gives Q, K and V, of n by d. Second line: Q times K turned "
        "on its side, d by n, divided by the root of d, gives the scores, n by n; softmax along each "
        "row gives the weights, n by n. Third line: the weights, n by n, times V, n by d, give the "
        f"output, n by d. Here n is {show(n, 'd')} tokens, the width w {show(width, 'd')} and the head "
        f"size d {show(size, 'd')}.",
    )


@picture("real-sizes")
def real_sizes(tokens, width, heads, token_grid, score_grid, score_grids):
    """Draw the grids of one real layer to one scale, each with its count.

    Parameters
    ----------
    tokens, width, heads : int
        How many tokens, numbers a token, and heads.
    token_grid : int
        Numbers in a grid of tokens by width.
    score_grid, score_grids : int
        Numbers in one head's score grid, and in those of all heads.

    Returns
    -------
    Picture
    """
    a_row = 6
    inch = min(0.98 / width, 0.74 / tokens)  # one scale for everything
    across, down = width * inch, tokens * inch
    lines = -(-heads // a_row)
    top, left = 0.88, 0.7
    scores_top = top + down + 0.82
    aside = (style.MEASURE - 0.1 - left - down) / (a_row - 1)
    sheet = Canvas(scores_top + lines * (down + 0.12) + 0.28, "One layer of a small language model, to scale")
    grids = (
        ("tokens", "token"),
        ("queries", "query"),
        ("keys", "key"),
        ("values", "value"),
        ("output", "output"),
    )
    step = across + (style.MEASURE - 0.1 - left - len(grids) * across) / (len(grids) - 1)
    for k, (name, role) in enumerate(grids):
        x = left + k * step
        sheet.box(x, top, across, down, role=role, fill=role, line=1.6, gid=f"rectangle:{name}")
        sheet.text(x + across / 2, top - 0.1, name, role=role, bold=True, va="baseline")
        sheet.number(x + across / 2, top + down / 2, token_grid, ",d", gid=f"number:{name}")
    high = f"{show(tokens, ',d')}\ntokens"
    for y in (top, scores_top):
        sheet.text(left - 0.34, y + down / 2, high, role="muted", size=style.SMALL, va="center")
    sheet.text(
        left,
        top + down + 0.18,
        f"each {show(width, ',d')} numbers wide",
        ha="left",
        role="muted",
        size=style.SMALL,
    )
    sheet.text(
        left,
        scores_top - 0.16,
        f"score grids of heads {show(1, 'd')} to {show(heads, 'd')}",
        ha="left",
        bold=True,
    )
    for k in range(heads):
        i, j = divmod(k, a_row)
        x, y = left + j * aside, scores_top + i * (down + 0.12)
        sheet.box(
            x, y, down, down, role="ink", fill="weight", opacity=0.35, line=1.2, gid=f"rectangle:scores:{k}"
        )
        sheet.text(x + down / 2, y + down / 2, show(k + 1, "d"), gid=f"name:scores:{k}")
    sheet.text(
        left,
        scores_top + lines * (down + 0.12) + 0.08,
        f"each {show(tokens, ',d')} numbers wide, {show(score_grid, ',d')} in all; together "
        f"{show(score_grids, ',d')}",
        ha="left",
        role="muted",
        size=style.SMALL,
        gid="number:scores:all",
    )
    return sheet.done(
        caption=f"The grids of one layer with {show(tokens, ',d')} tokens, a width of {show(width, ',d')} "
        f"and {show(heads, 'd')} heads, all drawn to one scale.",
        alt=f"One score grid is {compared(score_grid, token_grid)} the grid of the tokens; all "
        f"{show(heads, 'd')} of them together are {compared(score_grids, token_grid)} it. Above, five "
        "rectangles: tokens, queries, keys, values and output. Each is "
        f"{show(tokens, ',d')} tokens high and {show(width, ',d')} numbers wide, which is "
        f"{show(token_grid, ',d')} numbers. Below, {show(heads, 'd')} square score grids, one a "
        f"head. Each is {show(tokens, ',d')} by {show(tokens, ',d')}, which is {show(score_grid, ',d')} "
        f"numbers; together {show(score_grids, ',d')}.",
    )
