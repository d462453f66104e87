"""Pictures of section 4: softmax, the mix, and the whole thing as matrices."""

import numpy as np

from scripts.draw.canvas import Canvas, Grid, Names, Picture, Row, on_paper, picture
from scripts.draw.style import COLOURS, MEASURE, SMALL
from scripts.draw.words import compared, foremost, leanings, quoted
from scripts.numbers import show, shows


def steps_above_bars(sheet, steps, names: Names, pitch, base):
    """Draw a row of scores on its way to weights, line under line, and the weights as bars below.

    A step has a name, a label, its numbers, their sum (or None), and how its grid is
    drawn; the last are the weights.  `pitch`, from line to line, and `base`, where the
    bars stand, are inches.
    """
    left, tall = 1.55, 1.3
    for k, (name, label, numbers, total, look) in enumerate(steps):
        columns = names if k == 0 else ()
        how = {"cell": (0.78, 0.38), "columns": columns, "column_role": "key"} | look
        grid = sheet.grid([numbers], left, 0.82 + k * pitch, name=name, **how)
        y = grid.middle[1]
        sheet.text(left - 0.12, y, label, ha="right")
        if total is not None:
            word, digits = (
                (0.16, 0.6) if total < 100 else (0.08, 0.47)
            )  # so that three figures stay on the sheet
            sheet.text(grid.right + word, y, "sum", ha="left", role="muted")
            sheet.number(grid.right + digits, y, total, ".3f", ha="left", gid=f"number:total:{name}")
        if "allowed" in look:
            sheet.minus_infinity(grid, name, look["allowed"])
    sheet.text(left - 0.12, 0.68, "key of", ha="right", role="key")
    # Bars stand under their own columns; a share of one would reach the top line.
    for level, label in ((0.0, "0"), (0.5, "0.5"), (1.0, "1")):
        y = base - level * tall
        sheet.line((left, grid.right), (y, y), role="faint", width=0.8).set_zorder(0.5)
        sheet.note(left - 0.12, y, label, ha="right")
    look = {"role": "ink", "opacity": 0.75, "line": 0.8}
    for j, share in enumerate(numbers):
        sheet.bar(grid.cell(0, j)[0], base, 0.4, share * tall, gid=f"bar:share:{j}", **look)
    sheet.line((left, grid.right), (base, base), role="muted")


@picture("softmax-table")
def softmax_table(scores: Row, raised: Row, shares: Row, names: Names, asking=-1, limit=3.0) -> Picture:
    """Draw one row of scores, their exponentials and the weights, with bars under the weights."""
    sheet = Canvas(4.0, f"From scores to weights: the row of “{names[asking]}”")
    powers, weights = {"form": ".3f", "role": "muted"}, {"fill": "weight"}
    steps = (
        ("score", "score", scores, None, {"form": "+.3f", "fill": "score", "limit": limit}),
        ("raised", "exponential", raised, raised.sum(), powers),
        ("share", "weight", shares, shares.sum(), weights),
    )
    steps_above_bars(sheet, steps, names, pitch=0.56, base=3.8)
    columns = " ".join(
        f"{name}: score {show(s, '+.3f')}, exponential {show(r, '.3f')}, weight {show(w, '.3f')}."
        for name, s, r, w in zip(names, scores, raised, shares, strict=True)
    )
    return sheet.done(
        caption=f"Softmax on the row of “{names[asking]}”, read downwards: the score, its exponential, and "
        "the weight, which is the exponential's share of their sum. The bars draw the weights.",
        alt=f"{quoted(foremost(names, shares, '.3f'))} has the largest weight, {show(shares.max(), '.3f')}. "
        f"A table with a column for each token that “{names[asking]}” attends to; under each a bar as high "
        f"as its weight. {columns} The exponentials sum to {show(raised.sum(), '.3f')}, the weights to "
        f"{show(shares.sum(), '.3f')}.",
    )


@picture("lead-share")
def lead_share(leads: Row, shares: Grid, marked=(0, 1, 2, 4)) -> Picture:
    """Draw the weights of two keys, a row of `shares` for each lead of the first in score.

    At the leads that are `marked` the weight is written beside the curve.
    """
    sheet = Canvas(3.4, "A small lead in score is a large lead in weight")
    x0, y0, wide, tall = 0.78, 0.62, 4.75, 2.2
    reach = leads[-1]
    axes = sheet.plot(x0, y0, wide, tall, xlim=(leads[0], reach), ylim=(0, 1))
    axes.set_xticks(np.arange(np.ceil(leads[0]), reach + 0.5))
    axes.set_yticks((0, 0.25, 0.5, 0.75, 1), ("0", "0.25", "0.5", "0.75", "1"))
    axes.grid(True)
    axes.set_zorder(-1)  # under the labels
    axes.tick_params(length=0, pad=9)
    muted, key = COLOURS["muted"], COLOURS["key"]
    axes.plot(leads, shares[:, 1], color=muted, ls=(0, (4, 2)), gid="line:other", clip_on=False)
    axes.plot(leads, shares[:, 0], color=key, gid="line:leader", clip_on=False)
    sheet.note(x0 + wide / 2, 3.22, "lead of one score over the other")
    sheet.note(x0 - 0.62, 0.45, "weight", ha="left")

    def place(lead, share):
        return x0 + (lead - leads[0]) / (reach - leads[0]) * wide, y0 + (1 - share) * tall

    told = []
    for lead in marked:
        at = int(np.argmin(np.abs(leads - lead)))
        x, y = place(leads[at], shares[at, 0])
        axes.plot(leads[at], shares[at, 0], "o", color=key, gid=f"dot:leader:{at}", clip_on=False)
        # Where the two curves meet there is room to the right only.
        right, down = (0.28, 0.0) if np.isclose(*shares[at]) else (0.12, 0.2)
        gid = f"number:leader:{at}"
        sheet.number(x + right, y + down, shares[at, 0], ".3f", ha="left", gid=gid).set_bbox(on_paper(1))
        told.append(f"{show(shares[at, 0], '.3f')} at a lead of {show(leads[at], '.0f')}")
    for k, (words, role) in enumerate((("the leading key", "key"), ("the other key", "muted"))):
        x, y = place(reach, shares[-1, k])
        sheet.text(x, y - 0.19, words, ha="right", role=role)
    return sheet.done(
        caption="Weights of two keys against the lead in score of one over the other. "
        "The two always sum to 1.",
        alt="The weight of the leading key rises steeply, then flattens. The other key has what is left; its "
        f"curve, dashed, falls from {show(shares[0, 1], '.3f')} to {show(shares[-1, 1], '.3f')}. Both "
        f"stand against a lead from {show(leads[0], '.0f')} to {show(reach, '.0f')}. Leading key: "
        f"{', '.join(told)}.",
    )


@picture("weight-grid")
def weight_grid(weights: Grid, names: Names) -> Picture:
    """Draw the matrix of weights with the sum of every row, the largest of each outlined."""
    totals = weights.sum(axis=1)
    leaders = weights.argmax(axis=1)
    sheet = Canvas(1.1 + 0.4 * len(names), "Every row of weights sums to one")
    how = {"fill": "weight", "cell": (3.4 / len(names), 0.4), "marked": list(enumerate(leaders))}
    grid = sheet.pairs(weights, 1.2, 0.95, names, names, name="weights", **how)
    sheet.text(grid.middle[0], 0.55, "attended to", role="key")
    sheet.text(0.22, grid.middle[1], "asking", role="query", rotation=90)
    for i, total in enumerate(totals):
        y = grid.cell(i, 0)[1]
        sheet.text(grid.right + 0.24, y, "=", role="muted")
        sheet.number(grid.right + 0.62, y, total, ".3f", gid=f"number:totals:{i}:0")
    sheet.text(grid.right + 0.62, 0.81, "sum", role="muted")
    return sheet.done(
        caption="The weights of all four tokens. Each row belongs to one asking token and sums to 1. "
        "The heavy outline marks the largest weight of each row.",
        alt=f"{leanings(names, [names[leader] for leader in leaders])}. A grid with a row for each asking "
        f"token and a column for each token attended to, {quoted(names)}. "
        + " ".join(
            f"{name}: {shows(row, '.3f')}, most on “{names[leader]}”, sum {show(total, '.3f')}."
            for name, row, leader, total in zip(names, weights, leaders, totals, strict=True)
        ),
    )


@picture("mix-values")
def mix_values(weights: Row, values: Grid, products: Grid, output: Row, names: Names, asking=-1) -> Picture:
    """Draw one row of weights mixing the values: the columns of the products add up to the new vector."""
    top, high = 0.88, 0.37
    bottom = top + high * len(names)
    sheet = Canvas(bottom + 0.98, f"“{names[asking]}” mixes the values into its new vector")
    look = {"fill": "weight", "cell": (0.54, high), "rows": names, "row_role": "key", "size": SMALL}
    share = sheet.grid(weights[:, None], 0.54, top, name="weights", title="weights", **look)
    look = {"role": "value", "cell": (2.08 / values.shape[1], high), "size": SMALL}
    given = sheet.grid(values, share.right + 0.24, top, name="values", title="values V", **look)
    part = sheet.grid(products, given.right + 0.24, top, name="products", title="weight × value", **look)
    for i in range(len(names)):
        y = share.cell(i, 0)[1]
        sheet.text(share.right + 0.12, y, "×", role="muted")
        sheet.text(given.right + 0.12, y, "=", role="muted")
    new = sheet.grid([output], part.x, bottom + 0.42, name="output", **look | {"role": "output"})
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
        "values and the grid of their products; under the products, the sum of each column. "
        f"{rows} Sums down the columns: {shows(output, '+.2f')}.",
    )


@picture("as-matrices")
def as_matrices(
    tokens: Grid, matrices, projected, scores: Grid, weights: Grid, output: Grid, asking=-1, limit=3.0
) -> Picture:
    """Draw the whole of attention as matrix multiplications, with the shape of every matrix.

    The three matrices, (w, d), are those of queries, keys and values, w being the model
    dimension; `projected`, (n, d), is what they make of the tokens.  The row of the asking token is outlined
    wherever it stands.
    """
    queries, keys, values = projected
    n, width = np.shape(tokens)
    size = np.shape(queries)[1]
    row = asking % n
    side = 0.6
    unit = side / max(n, width, size)
    sheet = Canvas(5.18, "The whole of attention, as matrices")

    model, size_of_key = r"d$_\mathregular{model}$", r"d$_\mathregular{k}$"

    def block(grid, x, y, name, shape, label, role, mark=False, fill=None):
        """Draw a grid without numbers, its name and shape under it; return its right edge."""
        rows, columns = grid.shape
        high, wide = rows * unit, columns * unit
        if fill:
            sheet.cells(grid, x, y, unit, name=name, fill=fill, limit=limit)
        xs, ys = [], []  # the lines between the cells, in one stroke that is lifted after each
        for i in range(1, rows):
            xs += [x, x + wide, np.nan]
            ys += [y + i * unit, y + i * unit, np.nan]
        for j in range(1, columns):
            xs += [x + j * unit, x + j * unit, np.nan]
            ys += [y, y + high, np.nan]
        if xs:
            sheet.line(xs, ys, role="faint", width=0.7).set_zorder(1)
        sheet.box(x, y, wide, high, role=role, fill=None if fill else role, line=1.6, gid=f"frame:{name}")
        if mark:
            sheet.box(x, y + row * unit, wide, unit, role="ink", line=2.0, gid=f"marked:{name}")
        sheet.text(x + wide / 2, y + side + 0.16, label, role=role, bold=True)
        if shape:
            sheet.note(x + wide / 2, y + side + 0.37, shape)
        return x + wide

    def sign(x, y, words):
        sheet.text(x, y + side / 2, words, size=13)

    def head(y, number, words):
        sheet.text(0.08, y, number, ha="left", bold=True)
        sheet.text(0.3, y, words, ha="left")

    roles = ("query", "key", "value")
    head(0.62, "1", "The tokens times three matrices")
    y = 0.82
    x = block(tokens, 0.14, y, "tokens", f"n × {model}", "X", "token", mark=True)
    sign(x + 0.18, y, "×")
    x += 0.36
    for matrix, role in zip(matrices, roles, strict=True):
        shape = f"each {model} × {size_of_key}" if role == "key" else ""  # there is room for one
        x = block(matrix, x, y, f"w-{role}", shape, f"W_{role[0]}", role) + 0.12
    sign(x + 0.1, y, "=")
    x += 0.33
    for name, grid, role in zip("QKV", projected, roles, strict=True):
        x = block(grid, x, y, name, f"n × {size_of_key}", name, role, mark=name == "Q") + 0.12
    sheet.line((0.08, MEASURE - 0.08), (2.02, 2.02), role="faint", width=0.8)

    head(2.24, "2", "Queries times transposed keys; softmax along each row")
    y = 2.44
    x = block(queries, 0.14, y, "queries", f"n × {size_of_key}", "Q", "query", mark=True)
    sign(x + 0.18, y, "×")
    x = block(keys.T, x + 0.36, y, "keys-turned", f"{size_of_key} × n", "Kᵀ", "key")
    sign(x + 0.34, y, f"÷ √{size_of_key}")
    sign(x + 0.76, y, "=")
    x = block(scores, x + 0.95, y, "scores", "n × n", "scores", "ink", mark=True, fill="score")
    sheet.arrow((x + 0.12, y + side / 2 + 0.1), (x + 0.78, y + side / 2 + 0.1), width=1.4)
    sheet.note(x + 0.44, y + side / 2 - 0.1, "softmax", role="ink")
    block(weights, x + 0.9, y, "weights", "n × n", "weights", "ink", mark=True, fill="weight")
    sheet.line((0.08, MEASURE - 0.08), (3.62, 3.62), role="faint", width=0.8)

    head(3.84, "3", "Weights times values")
    y = 4.04
    x = block(weights, 0.14, y, "weights-again", "n × n", "weights", "ink", mark=True, fill="weight")
    sign(x + 0.18, y, "×")
    x = block(values, x + 0.36, y, "values", f"n × {size_of_key}", "V", "value")
    sign(x + 0.18, y, "=")
    x = block(output, x + 0.36, y, "output", f"n × {size_of_key}", "output", "output", mark=True)
    here = (
        f"Here n = {show(n, 'd')} tokens,\n{model} = {show(width, 'd')}, {size_of_key} = {show(size, 'd')}."
    )
    sheet.note(x + 0.4, y + 0.3, here, ha="left", va="center")
    return sheet.done(
        caption="Attention in five matrix multiplications and one softmax. The heavy outline follows one "
        "asking token from its own row to its new vector.",
        alt=f"Three lines of grids without numbers. Row {show(row + 1, 'd')}, that of one asking token, is "
        "outlined in X, Q, scores, weights and output. First line: X, with a row for each of n "
        "tokens, times each of W_q, W_k and W_v gives Q, K and V, of n by d_k. Second line: Q times K "
        "transposed, d_k by n, divided by the square root of d_k, gives the scores, n by n; softmax along "
        "each row gives the weights, n by n. Third line: the weights, n by n, times V, n by d_k, give the "
        f"output, n by d_k. Here n is {show(n, 'd')}, the model dimension {show(width, 'd')} and d_k, the "
        f"head size, {show(size, 'd')}.",
    )


@picture("real-sizes")
def real_sizes(
    tokens: int, width: int, heads: int, token_grid: int, score_grid: int, score_grids: int
) -> Picture:
    """Draw the matrices of one real layer to one scale, each with how many entries it has."""
    a_row = 6
    inch = min(0.98 / width, 0.74 / tokens)  # one scale for everything
    across, down = width * inch, tokens * inch
    lines = -(-heads // a_row)
    top, left = 0.88, 0.7
    scores_top = top + down + 0.82
    aside = (MEASURE - 0.1 - left - down) / (a_row - 1)
    sheet = Canvas(scores_top + lines * (down + 0.12) + 0.28, "One layer of a small language model, to scale")
    names = ("tokens", "queries", "keys", "values", "output")
    step = across + (MEASURE - 0.1 - left - len(names) * across) / (len(names) - 1)
    for k, (name, role) in enumerate(zip(names, ("token", "query", "key", "value", "output"), strict=True)):
        x = left + k * step
        sheet.box(x, top, across, down, role=role, fill=role, line=1.6, gid=f"rectangle:{name}")
        sheet.text(x + across / 2, top - 0.1, name, role=role, bold=True, va="baseline")
        sheet.number(x + across / 2, top + down / 2, token_grid, ",d", gid=f"number:{name}")
    for y in (top, scores_top):
        sheet.note(left - 0.34, y + down / 2, f"{show(tokens, ',d')}\ntokens", va="center")
    sheet.note(left, top + down + 0.18, f"each {show(width, ',d')} entries wide", ha="left")
    words = f"score matrices of heads {show(1, 'd')} to {show(heads, 'd')}"
    sheet.text(left, scores_top - 0.16, words, ha="left", bold=True)
    look = {"role": "ink", "fill": "weight", "opacity": 0.35, "line": 1.2}
    for k in range(heads):
        i, j = divmod(k, a_row)
        x, y = left + j * aside, scores_top + i * (down + 0.12)
        sheet.box(x, y, down, down, gid=f"rectangle:scores:{k}", **look)
        sheet.text(x + down / 2, y + down / 2, show(k + 1, "d"), gid=f"name:scores:{k}")
    words = f"each {show(tokens, ',d')} entries wide, {show(score_grid, ',d')} in all; together "
    words += show(score_grids, ",d")
    y = scores_top + lines * (down + 0.12) + 0.08
    sheet.note(left, y, words, ha="left", gid="number:scores:all")
    return sheet.done(
        caption=f"One layer with {show(tokens, ',d')} tokens, a model dimension of {show(width, ',d')} "
        f"and {show(heads, 'd')} heads, all drawn to one scale.",
        alt=f"One score matrix is {compared(score_grid, token_grid)} the matrix of the tokens; all "
        f"{show(heads, 'd')} of them together are {compared(score_grids, token_grid)} it. Above, five "
        "rectangles: tokens, queries, keys, values and output. Each is "
        f"{show(tokens, ',d')} tokens high and {show(width, ',d')} entries wide, "
        f"{show(token_grid, ',d')} in all. Below, {show(heads, 'd')} square score matrices, one for each "
        f"head. Each is {show(tokens, ',d')} by {show(tokens, ',d')}, which makes {show(score_grid, ',d')} "
        f"entries; together {show(score_grids, ',d')}.",
    )
