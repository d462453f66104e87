"""Pictures of section 5: several small heads instead of one big one."""

import numpy as np

from scripts.draw import style
from scripts.draw.canvas import Canvas, picture
from scripts.draw.words import between, place, quoted, rows
from scripts.numbers import listing, show, shows

CUT = 0.16  # inches left open where vectors are cut in two; less where there are more cuts


def _head(h):
    """Name of a head, counted from zero."""
    words = ("one", "two", "three", "four")
    return f"head {words[h]}" if h < len(words) else f"head {h + 1}"


def _cut(sheet, values, heads, x, y, *, name, role, title, rows=(), **how):
    """Draw a grid in `heads` pieces side by side, each under its head's name."""
    size = values.shape[1] // heads
    gap = CUT if heads <= 2 else CUT / 2
    pieces = []
    for h in range(heads):
        piece = sheet.grid(
            values[:, h * size : (h + 1) * size],
            x,
            y,
            name=f"{name}-{h}",
            role=role,
            rows=rows if h == 0 else (),
            **how,
        )
        if heads > 1:
            label = _head(h) if heads <= 2 else show(h + 1, "d")
            sheet.text(piece.middle[0], y - 0.19, label, role=role)
        pieces.append(piece)
        x = piece.right + gap
    middle = (pieces[0].x + pieces[-1].right) / 2
    sheet.text(middle, y - (0.46 if heads > 1 else 0.2), title, role=role, bold=True)
    for piece in pieces[1:]:
        at = piece.x - gap / 2
        sheet.line([at, at], [y - 0.07, piece.bottom + 0.07], role="ink", width=1.3, dashed=True)
    return pieces


@picture("cut-query")
def cut_query(w_query, queries, names, heads=2):
    """Draw the query matrix, and with it the queries, cut into heads.

    Parameters
    ----------
    w_query : ndarray of shape (w, w)
    queries : ndarray of shape (n, w)
    names : sequence of str, length n
    heads : int
        Must divide w.

    Returns
    -------
    Picture
    """
    size = queries.shape[1] // heads
    title = "Heads are made by cutting columns" if heads > 1 else "One head keeps every column"
    sheet = Canvas(2.85, title)
    left = _cut(
        sheet,
        w_query,
        heads,
        0.1,
        0.98,
        name="w-query",
        role="query",
        title="query matrix",
        form="+.1f",
        cell=(0.5, 0.36),
    )
    right = _cut(
        sheet,
        queries,
        heads,
        3.18,
        0.98,
        name="queries",
        role="query",
        title="queries",
        form="+.2f",
        cell=(0.58, 0.36),
        rows=names,
    )
    y = left[0].middle[1]
    sheet.arrow((left[-1].right + 0.1, y), (left[-1].right + 0.36, y), role="muted")
    unit = "number" if size == 1 else "numbers"
    sheet.text(
        right[-1].right,
        2.64,
        f"each head: {show(size, 'd')} {unit} of every query",
        role="muted",
        size=style.SMALL,
        ha="right",
    )
    tokens, matrix = (
        " ".join(
            f"{name}: "
            + listing(f"{shows(row[h * size : (h + 1) * size], form)} in {_head(h)}" for h in range(heads))
            + "."
            for name, row in zip(called, grid, strict=True)
        )
        for called, grid, form in (
            (names, queries, "+.2f"),
            ([f"{place(i)} row" for i in range(len(w_query))], w_query, "+.1f"),
        )
    )
    return sheet.done(
        caption="The columns of the query matrix are cut between the heads, and the queries are "
        "cut in the same place. Every head keeps a row for every token.",
        alt=f"Two grids, both cut down between their columns into {show(heads, 'd')} "
        f"{'pieces' if heads > 1 else 'piece'}, {listing(map(_head, range(heads)))}: left the query "
        f"matrix, right the queries. Every head keeps {show(size, 'd')} {unit} of every row. "
        f"Query matrix. {matrix} Queries. {tokens}",
    )


@picture("two-heads")
def two_heads(weights, names):
    """Draw the weights of every head side by side, the largest of each row outlined.

    Parameters
    ----------
    weights : ndarray of shape (heads, n, n)
    names : sequence of str, length n
        The tokens, in order.

    Returns
    -------
    Picture
    """
    weights = np.asarray(weights)
    heads = len(weights)
    leaders = weights.argmax(axis=2)
    means = weights.max(axis=2).mean(axis=1)
    band = 2.42  # height of one row of heads
    across = min(heads, 2)
    title = "Each head mixes in its own way" if heads > 1 else "One head mixes in one way"
    sheet = Canvas(0.42 + band * -(-heads // 2), title)
    for h, (grid_of, mean) in enumerate(zip(weights, means, strict=True)):
        column, row = h % 2, h // 2
        x = 0.62 + column * 2.86 if across == 2 else 1.78
        grid = sheet.grid(
            grid_of,
            x,
            0.98 + band * row,
            name=f"weights-{h}",
            form=".3f",
            fill="weight",
            cell=(0.56, 0.34),
            rows=names,
            columns=names,
            row_role="query",
            column_role="key",
            marked=[(i, leaders[h, i]) for i in range(len(names))],
        )
        sheet.text(grid.middle[0], grid.y - 0.4, _head(h), bold=True)
        sheet.text(
            grid.right - 0.58,
            grid.bottom + 0.2,
            "average outlined weight",
            role="muted",
            ha="right",
            size=style.SMALL,
        )
        sheet.number(
            grid.right - 0.04,
            grid.bottom + 0.2,
            mean,
            ".3f",
            ha="right",
            bold=True,
            gid=f"number:sharpness:{h}:0",
        )
    many = "the two heads" if heads == 2 else f"{show(heads, 'd')} head" + "s" * (heads > 1)
    text = " ".join(
        f"{_head(h).capitalize()}, average outlined weight {show(means[h], '.3f')}. "
        + " ".join(
            f"{name}: {shows(row, '.3f')}, most on “{names[leader]}”."
            for name, row, leader in zip(names, weights[h], leaders[h], strict=True)
        )
        for h in range(heads)
    )
    return sheet.done(
        caption=f"The weights of {many}, from the same four tokens. A row is one asking token; "
        "its largest weight is outlined.",
        alt="The largest weight of each row is outlined; these average "
        + listing(f"{show(mean, '.3f')} in {_head(h)}" for h, mean in enumerate(means))
        + f". The weights of {many}, one grid each, with a row for each asking token and a column "
        f"for each token looked at, {quoted(names)}. {text}",
    )


@picture("join")
def join(outputs, w_output, result, names, asking=-1, number=0):
    """Draw the heads' outputs side by side, times the output projection.

    Parameters
    ----------
    outputs : ndarray of shape (heads, n, size)
    w_output : ndarray of shape (heads * size, w)
    result : ndarray of shape (n, w)
    names : sequence of str, length n
    asking, number : int
        Which number of the result is followed back: row and column.

    Returns
    -------
    Picture
    """
    outputs = np.asarray(outputs)
    heads, n, size = outputs.shape
    asking = asking % n
    gap = 0.12 if heads <= 2 else 0.05
    cell = (0.55, 0.34)
    height = 1.52 + (len(w_output) + n) * cell[1] + (heads - 1) * gap
    sheet = Canvas(height, "The output projection lets the heads meet")
    # The matrix stands over the result, so that a row from the left meets a column from above.
    top, right = 0.74, 3.38
    for h in range(heads):
        y = top + h * (size * cell[1] + gap)
        piece = sheet.grid(
            w_output[h * size : (h + 1) * size],
            right,
            y,
            name=f"w-output-{h}",
            role="output",
            form="+.1f",
            cell=cell,
            marked=[(i, number) for i in range(size)],
        )
        sheet.text(right - 0.12, piece.middle[1], f"rows for {_head(h)}", ha="right", role="output")
    sheet.text(piece.middle[0], top - 0.2, "output projection", role="output", bold=True)
    y = piece.bottom + 0.66
    x = 0.62
    for h in range(heads):
        piece = sheet.grid(
            outputs[h],
            x,
            y,
            name=f"outputs-{h}",
            role="output",
            cell=cell,
            rows=names if h == 0 else (),
            marked=[(asking, j) for j in range(size)],
        )
        label = _head(h) if heads <= 2 else show(h + 1, "d")
        sheet.text(piece.middle[0], y - 0.19, label, role="output")
        x = piece.right + gap
    sheet.text((0.62 + piece.right) / 2, y - 0.46, "heads side by side", role="output", bold=True)
    made = sheet.grid(result, right, y, name="result", role="output", cell=cell, marked=[(asking, number)])
    sheet.text(made.middle[0], y - 0.19, "result", role="output", bold=True)
    along = made.cell(asking, number)
    sheet.arrow((piece.right + 0.04, along[1]), (right - 0.04, along[1]), width=1.4)
    sheet.arrow((along[0], y - 0.61), (along[0], y - 0.04), width=1.4)
    joined = np.concatenate(list(outputs), axis=1)
    many = "both heads" if heads == 2 else f"all {show(heads, 'd')} heads"
    return sheet.done(
        caption="The outputs of the heads stand side by side and are multiplied by the output "
        "projection. Outlined: one row meets one column, and the number that they give draws "
        f"on {many}.",
        alt=f"Outlined, the row of “{names[asking]}” at the left meets a column from above, and they give "
        f"{show(result[asking, number], '+.2f')}, which draws on {many}. The row is "
        f"{shows(joined[asking], '+.2f')}, the column {shows(w_output[:, number], '+.1f')}. "
        "Lower left, the heads side by side. "
        + " ".join(
            f"{name}: "
            + listing(f"{shows(outputs[h, i], '+.2f')} from {_head(h)}" for h in range(heads))
            + "."
            for i, name in enumerate(names)
        )
        + " Upper right, the output projection, its rows shared out between the heads. "
        + " ".join(
            f"{place(i)} row, for {_head(i // size)}: {shows(row, '+.1f')}." for i, row in enumerate(w_output)
        )
        + f" Lower right, the result. {rows(names, result, '+.2f')}",
    )


@picture("head-counts")
def head_counts(counts, sizes, parameters, grid_numbers, usual=12, tokens=512):
    """Draw what each number of heads does to size, parameters and score grids.

    Parameters
    ----------
    counts : sequence of int, length k
        Numbers of heads.
    sizes, parameters, grid_numbers : sequence of int, length k
        Head size, numbers in the four matrices, scores in one layer.
    usual : int
        The number of heads whose row is marked.
    tokens : int
        How long the input is.

    Returns
    -------
    Picture
    """
    step, top = 0.3, 1.08
    width = sizes[0] * counts[0]
    bottom = top + step * len(counts)
    sheet = Canvas(bottom + 0.42, "More heads: same parameters, more scores")
    columns = (  # title, its second line, values, role, left edge, room for the longest bar
        ("head size", "numbers a query", sizes, "query", 0.86, 0.8),
        ("parameters", "four matrices", parameters, "token", 2.3, 0.62),
        ("score grids", f"numbers at {show(tokens, ',d')} tokens", grid_numbers, "positive-mark", 3.94, 0.72),
    )
    if usual in counts:
        y = top + step * list(counts).index(usual)
        sheet.box(0.06, y + 0.01, style.MEASURE - 0.12, step - 0.02, role="ink", gid="usual")
    sheet.text(0.6, 0.65, "heads", bold=True, ha="right", va="baseline")
    for name, note, values, role, x, room in columns:
        longest = max(values)
        digits = 0.42 if name == "head size" else 0.86
        sheet.text(x, 0.65, name, bold=True, ha="left", va="baseline")
        sheet.text(x, 0.87, note, role="muted", ha="left", size=style.SMALL, va="baseline")
        for i, value in enumerate(values):
            y = top + (i + 0.5) * step
            slug = name.replace(" ", "-")
            sheet.number(x + digits, y, value, ",d", ha="right", size=style.SMALL, gid=f"number:{slug}:{i}")
            sheet.box(
                x + digits + 0.08,
                y - 0.08,
                room * value / longest,
                0.16,
                role=None,
                fill=role,
                opacity=1.0 if role.endswith("mark") else 0.6,
                gid=f"bar:{slug}:{i}",
            )
    for i, count in enumerate(counts):
        y = top + (i + 0.5) * step
        sheet.number(0.6, y, count, "d", ha="right", bold=count == usual, gid=f"number:heads:{i}")
    sheet.text(
        style.MEASURE / 2,
        bottom + 0.19,
        f"… and on to {show(width, 'd')} heads with one number each",
        role="muted",
        size=style.SMALL,
    )
    rows_told = " ".join(
        f"{show(count, 'd')} head{'s' * (count > 1)}: size {show(size, 'd')}, score grids "
        f"{show(scores, ',d')}."
        for count, size, scores in zip(counts, sizes, grid_numbers, strict=True)
    )
    note = f" The usual choice, {show(usual, 'd')} heads, is outlined." if usual in counts else ""
    still = (
        f"stay {show(parameters[0], ',d')} in every row"
        if len(set(parameters)) == 1
        else f"lie {between(parameters, ',d')}"
    )
    return sheet.done(
        caption=f"A width of {show(width, 'd')} cut into more and more heads. The parameters stay "
        f"the same; the score grids grow, one for each head.{note}",
        alt=f"From {show(counts[0], 'd')} to {show(counts[-1], 'd')} heads the score grids grow from "
        f"{show(grid_numbers[0], ',d')} to {show(grid_numbers[-1], ',d')} numbers, while the parameters "
        f"of the four matrices {still}. A table with bars for the head size, the parameters "
        f"and the score grids of a layer at {show(tokens, ',d')} tokens. {rows_told}{note} It goes on to "
        f"{show(width, 'd')} heads with one number each.",
    )
