"""Pictures of section 5: several small heads instead of one big one."""

import numpy as np

from scripts.draw.canvas import Canvas, Counts, Grid, Names, Picture, Row, picture
from scripts.draw.style import MEASURE, SMALL
from scripts.draw.words import between, by_rows, foremost, ordinal, quoted
from scripts.numbers import listing, show, shows


def _head(h):
    """Name of a head, counted from zero."""
    words = ("one", "two", "three", "four")
    return f"head {words[h]}" if h < len(words) else f"head {h + 1}"


def _above(h, heads):
    """What stands above what belongs to a head: where there are many, its number alone."""
    return _head(h) if heads <= 2 else show(h + 1, "d")


def _cut(sheet, values, heads, x, y, *, name, title, rows=(), **how):
    """Draw a grid in `heads` pieces side by side, each under its head's name."""
    size = values.shape[1] // heads
    gap = 0.16 if heads <= 2 else 0.08  # inches left open where vectors are cut
    left, pieces = x, []
    for h in range(heads):
        part = values[:, h * size : (h + 1) * size]
        piece = sheet.grid(part, x, y, name=f"{name}-{h}", role="query", rows=() if h else rows, **how)
        if heads > 1:
            sheet.text(piece.middle[0], y - 0.19, _above(h, heads), role="query")
        pieces.append(piece)
        x = piece.right + gap
    lift = 0.46 if heads > 1 else 0.2
    sheet.text((left + piece.right) / 2, y - lift, title, role="query", bold=True)
    for piece in pieces[1:]:
        at = piece.x - gap / 2
        sheet.line([at, at], [y - 0.07, piece.bottom + 0.07], width=1.3, dashed=True)
    return pieces[-1]


@picture("cut-query")
def cut_query(w_query: Grid, queries: Grid, names: Names, heads=2) -> Picture:
    """Draw the query matrix, and with it the queries, split into heads; `heads` must divide the width."""
    size = queries.shape[1] // heads
    title = "Heads are made by splitting columns" if heads > 1 else "One head keeps every column"
    sheet = Canvas(2.85, title)
    look = {"form": "+.1f", "cell": (0.5, 0.36)}
    matrix = _cut(sheet, w_query, heads, 0.1, 0.98, name="w-query", title="query matrix", **look)
    look = {"rows": names, "cell": (0.58, 0.36)}
    made = _cut(sheet, queries, heads, 3.18, 0.98, name="queries", title="queries", **look)
    y = matrix.middle[1]
    sheet.arrow((matrix.right + 0.1, y), (matrix.right + 0.36, y), role="muted")
    unit = "column" if size == 1 else "columns"
    sheet.note(made.right, 2.64, f"each head: {show(size, 'd')} {unit}, and every row", ha="right")

    def told(called, grid, form):
        return " ".join(
            f"{name}: "
            + listing(f"{shows(row[h * size : (h + 1) * size], form)} in {_head(h)}" for h in range(heads))
            + "."
            for name, row in zip(called, grid, strict=True)
        )

    numbered = [f"{ordinal(i)} row" for i in range(len(w_query))]
    return sheet.done(
        caption="The query matrix is split between its columns, and with it the queries. Every head has "
        "a query for every token, made from the whole of that token.",
        alt=f"Two matrices, both split between their columns into {show(heads, 'd')} "
        f"{'pieces' if heads > 1 else 'piece'}, {listing(map(_head, range(heads)))}: left the query "
        f"matrix, right the queries. Every head keeps {show(size, 'd')} {unit} and every row. "
        f"Query matrix. {told(numbered, w_query, '+.1f')} Queries. {told(names, queries, '+.2f')}",
    )


@picture("split-row")
def split_row(one: Row, two: list[Row], names: Names, asking: str) -> Picture:
    """Draw the weights of one token that has two questions: in a single head, and in each of two."""
    sheet = Canvas(2.78, f"“{asking}” has two questions: one head, and two")
    look = {"fill": "weight", "cell": (0.76, 0.4), "row_role": "query", "column_role": "key"}
    left, told = 1.1, []
    alone = sheet.grid([one], left, 0.98, name="alone", rows=["one head"], columns=names, **look)
    pair = sheet.grid(two, left, 1.76, name="shared", rows=["head one", "head two"], **look)
    sheet.text(0.08, 0.56, f"weights of “{asking}”", ha="left", bold=True)
    sheet.note(alone.right + 0.14, alone.middle[1], "one row,\nboth questions", ha="left", va="center")
    sheet.note(pair.right + 0.14, pair.middle[1], "two rows, one\nquestion each", ha="left", va="center")
    for called, row in (("One head", one), ("Head one", two[0]), ("Head two", two[1])):
        level = foremost(names, row, ".3f")
        told.append(f"{called}: {shows(row, '.3f')}, most on {quoted(level)}.")
    return sheet.done(
        caption=f"The weights of “{asking}” after training on two questions. A single head shares out one "
        "row between them; each of two heads keeps a row for itself.",
        alt=f"Three rows of weights over {quoted(names)}. The single head gives its largest weight as "
        f"{show(max(one), '.3f')}; of the two heads, one gives {show(max(two[0]), '.3f')} and the other "
        f"{show(max(two[1]), '.3f')}. {' '.join(told)}",
    )


@picture("two-heads")
def two_heads(weights: list[Grid], names: Names) -> Picture:
    """Draw the weights of every head side by side, the largest of each row outlined."""
    weights = np.asarray(weights)
    heads = len(weights)
    means = weights.max(axis=2).mean(axis=1)
    band = 2.42  # height of one row of heads
    title = "Each head attends in its own way" if heads > 1 else "One head attends in one way"
    sheet = Canvas(0.42 + band * -(-heads // 2), title)
    look, told = {"fill": "weight", "cell": (0.56, 0.34)}, []
    for h, (of_head, mean) in enumerate(zip(weights, means, strict=True)):
        row, column = divmod(h, 2)
        x, y = 0.62 + column * 2.86 if heads > 1 else 1.78, 0.98 + band * row
        leaders = [
            foremost(range(len(names)), row, ".3f") for row in of_head
        ]  # more than one where they are level
        marked = [(i, j) for i, level in enumerate(leaders) for j in level]
        grid = sheet.pairs(of_head, x, y, names, names, name=f"weights-{h}", marked=marked, **look)
        sheet.text(grid.middle[0], y - 0.4, _head(h), bold=True)
        x, y, gid = grid.right, grid.bottom + 0.2, f"number:sharpness:{h}:0"
        sheet.note(x - 0.58, y, "average outlined weight", ha="right")
        sheet.number(x - 0.04, y, mean, ".3f", ha="right", bold=True, gid=gid)
        told.append(f"{_head(h).capitalize()}, average outlined weight {show(mean, '.3f')}.")
        for name, row, level in zip(names, of_head, leaders, strict=True):
            told.append(f"{name}: {shows(row, '.3f')}, most on {quoted(names[j] for j in level)}.")
    many = "the two heads" if heads == 2 else f"{show(heads, 'd')} head" + "s" * (heads > 1)
    return sheet.done(
        caption=f"The weights of {many}, from the same four tokens. A row belongs to the token that "
        "asks; its largest weight is outlined.",
        alt="The largest weight of each row is outlined; these average "
        + listing(f"{show(mean, '.3f')} in {_head(h)}" for h, mean in enumerate(means))
        + f". The weights of {many}, one matrix each, with a row for each token that asks and a column "
        f"for each token that it may attend to, {quoted(names)}. {' '.join(told)}",
    )


@picture("join")
def join(outputs: list[Grid], w_output: Grid, result: Grid, names: Names, asking=-1, number=0) -> Picture:
    """Draw the outputs of the heads side by side, times the output projection.

    Followed back is the entry of the result in row `asking` and column `number`.
    """
    outputs = np.asarray(outputs)
    heads, n, size = outputs.shape
    asking = asking % n
    gap = 0.12 if heads <= 2 else 0.05
    look = {"role": "output", "cell": (0.55, 0.34)}
    sheet = Canvas(
        1.52 + (len(w_output) + n) * 0.34 + (heads - 1) * gap, "The output projection lets the heads meet"
    )
    # The matrix stands over the result, so that a row from the left meets a column from above.
    top, left, right = 0.74, 0.62, 3.38
    column = [(i, number) for i in range(size)]
    for h in range(heads):
        part, y = w_output[h * size : (h + 1) * size], top + h * (size * 0.34 + gap)
        piece = sheet.grid(part, right, y, name=f"w-output-{h}", form="+.1f", marked=column, **look)
        sheet.text(right - 0.12, piece.middle[1], f"rows for {_head(h)}", ha="right", role="output")
    sheet.text(piece.middle[0], top - 0.2, "output projection", role="output", bold=True)
    x, y = left, piece.bottom + 0.66
    row = [(asking, j) for j in range(size)]
    for h in range(heads):
        rows = names if h == 0 else ()
        piece = sheet.grid(outputs[h], x, y, name=f"outputs-{h}", rows=rows, marked=row, **look)
        sheet.text(piece.middle[0], y - 0.19, _above(h, heads), role="output")
        x = piece.right + gap
    sheet.text((left + piece.right) / 2, y - 0.46, "heads concatenated", role="output", bold=True)
    made = sheet.grid(result, right, y, name="result", marked=[(asking, number)], **look)
    sheet.text(made.middle[0], y - 0.19, "result", role="output", bold=True)
    along = made.cell(asking, number)
    sheet.arrow((piece.right + 0.04, along[1]), (right - 0.04, along[1]), width=1.4)
    sheet.arrow((along[0], y - 0.61), (along[0], y - 0.04), width=1.4)
    joined = np.concatenate(list(outputs), axis=1)
    many = "both heads" if heads == 2 else f"all {show(heads, 'd')} heads"
    return sheet.done(
        caption="The outputs of the heads are concatenated and multiplied by the output projection. "
        f"Outlined: one row meets one column, and the entry that they give draws on {many}.",
        alt=f"Outlined, the row of “{names[asking]}” at the left meets a column from above, and they give "
        f"{show(result[asking, number], '+.2f')}, which draws on {many}. The row is "
        f"{shows(joined[asking], '+.2f')}, the column {shows(w_output[:, number], '+.1f')}. "
        "Lower left, the heads concatenated. "
        + " ".join(
            f"{name}: "
            + listing(f"{shows(outputs[h, i], '+.2f')} from {_head(h)}" for h in range(heads))
            + "."
            for i, name in enumerate(names)
        )
        + " Upper right, the output projection, its rows divided between the heads. "
        + " ".join(
            f"{ordinal(i)} row, for {_head(i // size)}: {shows(row, '+.1f')}."
            for i, row in enumerate(w_output)
        )
        + f" Lower right, the result. {by_rows(names, result, '+.2f')}",
    )


@picture("head-counts")
def head_counts(
    counts: Counts, sizes: Counts, parameters: Counts, grid_numbers: Counts, usual=12, tokens=512
) -> Picture:
    """Draw what each number of heads does to head size, parameters and scores of a layer.

    The row of the `usual` number is marked; the input has so many tokens.
    """
    step, top = 0.3, 1.08
    width = sizes[0] * counts[0]
    bottom = top + step * len(counts)
    middles = [top + (i + 0.5) * step for i in range(len(counts))]
    sheet = Canvas(bottom + 0.42, "More heads: same parameters, more scores")
    if usual in counts:
        y = top + step * list(counts).index(usual)
        sheet.box(0.06, y + 0.01, MEASURE - 0.12, step - 0.02, role="ink", gid="usual")
    sheet.text(0.6, 0.65, "heads", bold=True, ha="right", va="baseline")
    grids_note = f"at {show(tokens, ',d')} tokens"
    for name, note, values, x, digits, room, look in (  # room: of digits, and of the longest bar
        ("head size", "entries per query", sizes, 0.86, 0.42, 0.8, {"fill": "query", "opacity": 0.6}),
        ("parameters", "four matrices", parameters, 2.3, 0.86, 0.62, {"fill": "token", "opacity": 0.6}),
        ("scores", grids_note, grid_numbers, 3.94, 0.86, 0.72, {"fill": "positive-mark", "opacity": 1}),
    ):
        slug = name.replace(" ", "-")
        sheet.text(x, 0.65, name, bold=True, ha="left", va="baseline")
        sheet.note(x, 0.87, note, ha="left", va="baseline")
        for i, (y, value) in enumerate(zip(middles, values, strict=True)):
            sheet.number(x + digits, y, value, ",d", ha="right", size=SMALL, gid=f"number:{slug}:{i}")
            bar = (x + digits + 0.08, y - 0.08, room * value / max(values), 0.16)
            sheet.box(*bar, role=None, gid=f"bar:{slug}:{i}", **look)
    for i, (y, count) in enumerate(zip(middles, counts, strict=True)):
        sheet.number(0.6, y, count, "d", ha="right", bold=count == usual, gid=f"number:heads:{i}")
    sheet.note(MEASURE / 2, bottom + 0.19, f"… and on to {show(width, 'd')} heads of size one")
    rows_told = " ".join(
        f"{show(count, 'd')} head{'s' * (count > 1)}: size {show(size, 'd')}, {show(scores, ',d')} scores."
        for count, size, scores in zip(counts, sizes, grid_numbers, strict=True)
    )
    note = f" The usual choice, {show(usual, 'd')} heads, is outlined." if usual in counts else ""
    still = (
        f"stay {show(parameters[0], ',d')} in every row"
        if len(set(parameters)) == 1
        else f"lie {between(parameters, ',d')}"
    )
    return sheet.done(
        caption=f"A model dimension of {show(width, 'd')} split into more and more heads. The parameters "
        f"stay the same; the scores multiply, since every head needs its own.{note}",
        alt=f"From {show(counts[0], 'd')} to {show(counts[-1], 'd')} heads the scores grow from "
        f"{show(grid_numbers[0], ',d')} to {show(grid_numbers[-1], ',d')}, while the parameters "
        f"of the four matrices {still}. A table with bars for the head size, the parameters "
        f"and the scores of a layer at {show(tokens, ',d')} tokens. {rows_told}{note} It goes on to "
        f"{show(width, 'd')} heads of size one.",
    )
