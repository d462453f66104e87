"""Pictures of the page on mistakes."""

import numpy as np

from scripts.draw.canvas import Canvas, Grid, Names, Picture, picture
from scripts.draw.words import quoted
from scripts.numbers import listing, show, shows


@picture("pitfall-no-answer")
def pitfall_no_answer(ways: Names, rows: Grid, names: Names, asking=-1) -> Picture:
    """Draw what several programs give to a query that may attend to nothing.

    Each has a row of weights: NaN where it is no number, masked where the program
    says that there is no answer.
    """
    rows = np.ma.masked_invalid(np.ma.asarray(rows))
    hidden = np.ma.getmaskarray(rows).all(axis=1)
    refused = hidden & np.isfinite(rows.data).all(axis=1)
    sheet = Canvas(1.24 + 0.4 * len(rows), "One row without an answer, and six replies")
    look = {"fill": "weight", "cell": (0.64, 0.4), "column_role": "key"}
    grid = sheet.grid(rows, 2.35, 1.0, name="weights", rows=ways, columns=names, **look)
    sheet.text(2.25, 0.86, "what the program does", ha="right", role="muted")
    sheet.text(grid.middle[0], 0.58, f"weights of “{names[asking]}”, which may attend to nothing", bold=True)
    sheet.text(grid.right + 0.42, 0.86, "sum", role="muted")
    sheet.totals(rows, grid, grid.right + 0.42)
    words = {text.get_gid(): text for text in sheet.axes.texts if text.get_gid()}
    told = []
    for i, (way, row) in enumerate(zip(ways, rows, strict=True)):
        if hidden[i]:
            reply = "no answer" if refused[i] else "no number"
            words[f"no-answer:weights:{i}"].set_text(reply)
            told.append(f"{way}: {reply}.")
        else:
            drawn = {show(weight, ".3f") for weight in row}
            each = f"{drawn.pop()} on each" if len(drawn) == 1 else shows(row, ".3f")
            told.append(f"{way}: {each}; sum {show(row.sum(), '.3f')}.")
    right = sum("sum 1.000" in words for words in told)
    return sheet.done(
        caption="The same forbidden row in several programs. Where every row of weights sums to 1, "
        "the sums give nothing away.",
        alt=f"{show(right, 'd')} of the {show(len(rows), 'd')} rows sum to 1.000, as if nothing were wrong. A "
        f"table of the weights that “{names[asking]}” puts on {quoted(names)}, with a row for each "
        f"program. {' '.join(told)}",
    )


@picture("pitfall-corner")
def pitfall_corner(top_left: Grid, bottom_right: Grid, asking: Names, names: Names) -> Picture:
    """Draw the weights, 0 where forbidden, under two causal masks for the last queries of a text."""
    sheet = Canvas(2.08, "Two queries, four keys: where does the staircase end?")
    told = []
    for name, title, weights, queries, x in (
        ("top", "from the top left corner", top_left, asking, 0.72),
        ("bottom", "to the bottom right corner", bottom_right, (), 3.46),
    ):
        look = {"fill": "weight", "cell": (0.54, 0.42), "allowed": weights > 0}
        grid = sheet.pairs(weights, x, 1.0, queries, names, name=name, **look)
        sheet.text(grid.middle[0], 0.58, title, bold=True)
        rows = [
            f"{word}: "
            + listing(f"{show(w, '.3f')} on “{n}”" for w, n in zip(row, names, strict=True) if w > 0)
            + "."
            for word, row in zip(asking, weights, strict=True)
        ]
        told.append(" ".join(rows))
    own_places = range(len(names) - len(asking), len(names))  # the queries are the last tokens
    blind = [
        [word for word, row, own in zip(asking, grid, own_places, strict=True) if not row[own] > 0]
        for grid in (top_left, bottom_right)
    ]
    itself = " ".join(
        f"{side}, {quoted(words)} may not attend to {'itself' if len(words) == 1 else 'themselves'}."
        if words
        else f"{side}, every query may attend to itself."
        for side, words in zip(("Left", "Right"), blind, strict=True)
    )
    return sheet.done(
        caption="Weights under two causal masks of one shape; hatched = forbidden. Only on the "
        "right can each query attend to itself and to all that came before it.",
        alt=f"{itself} Two matrices of weights, a row for each of {quoted(asking)} and a column for each of "
        f"{quoted(names)}; forbidden pairs are hatched and hold no number. Left, the staircase starts "
        f"in the top left corner. {told[0]} Right, it ends in the bottom right corner. {told[1]}",
    )
