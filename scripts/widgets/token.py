"""Section 4: the row of one asking token, from its scores to its new vector."""

import numpy as np

from scripts import example
from scripts.attention import attention
from scripts.draw import style
from scripts.draw.canvas import Canvas
from scripts.draw.words import foremost, quoted
from scripts.numbers import show, shows
from scripts.widgets._slider import slider


@slider(handle="asking token", start=example.ORDER[-1])
def token(queries=example.QUERIES, keys=example.KEYS, values=example.VALUES, names=example.ORDER):
    """Choose the asking token and follow its row to its new vector.

    Parameters
    ----------
    queries, keys, values : array_like of shape (n, d)
    names : sequence of str, length n
    """
    run = attention(queries, keys, values)
    for i, name in enumerate(names):
        raised = np.exp(run.scores[i])
        yield (
            name,
            _draw(names, name, run.scores[i], raised, run.weights[i], np.asarray(values), run.output[i]),
        )


def _draw(names, asking, scores, raised, weights, values, output):
    """Draw scores, exponentials and weights of one row, and the mix that they make of the values."""
    sheet = Canvas(4.0, "One row, from its scores to its new vector")
    left, narrow, wide = 0.85, (0.66, 0.32), (0.72, 0.32)
    for j, name in enumerate(names):
        sheet.text(left + (j + 0.5) * narrow[0], 0.58, name, role="key")
    how = {"cell": narrow, "role": "muted"}
    for word, row, top, form, fill in (
        ("score", scores, 0.72, "+.2f", "score"),
        ("exponential", raised, 1.14, ".3f", None),
        ("weight", weights, 1.56, ".3f", "weight"),
    ):
        grid = sheet.grid(row[None], left, top, name=word, form=form, fill=fill, limit=3.0, **how)
        sheet.text(left - 0.1, grid.middle[1], word, ha="right", size=style.SMALL)
    for total, y, gid in ((raised.sum(), 1.3, "number:total:0:0"), (weights.sum(), 1.72, None)):
        said = f"sum {show(total, '.3f')}"
        sheet.text(grid.right + 0.1, y, said, ha="left", size=style.SMALL, gid=gid)
    shares = sheet.grid(
        weights[:, None],
        left,
        2.25,
        name="share",
        form=".3f",
        fill="weight",
        rows=names,
        row_role="key",
        **how,
    )
    sheet.text(shares.right + 0.16, shares.middle[1], "×", size=13)
    grid = sheet.grid(values, shares.right + 0.32, 2.25, name="values", role="value", cell=wide)
    sheet.text(grid.right + 0.08, grid.middle[1], "values", ha="left", role="value")
    new = sheet.grid(output[None], grid.x, grid.bottom + 0.12, name="output", role="output", cell=wide)
    sheet.text(grid.x - 0.12, new.middle[1], f"new “{asking}”", ha="right", role="output", gid="label:new")
    return sheet.done(
        caption="Scores, weights and the mix of one asking token.",
        alt=f"“{asking}” asks: {quoted(foremost(names, weights, '.3f'))} gets most, "
        f"{show(weights.max(), '.3f')}. For {quoted(names)}: scores {shows(scores, '+.2f')}; exponentials "
        f"{shows(raised, '.3f')}, sum {show(raised.sum(), '.3f')}; weights {shows(weights, '.3f')}. "
        f"New vector: {shows(output, '+.2f')}.",
        titled=False,
    )
