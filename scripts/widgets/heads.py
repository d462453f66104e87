"""Section 5: the same model dimension, split into more and more heads."""

import numpy as np

from scripts import cost, example
from scripts.attention import multi_head_attention
from scripts.draw import style
from scripts.draw.canvas import Canvas
from scripts.numbers import show, shows
from scripts.widgets._slider import slider


@slider(handle="heads", start="2 of 4")
def heads(
    queries=example.QUERIES,
    keys=example.KEYS,
    values=example.VALUES,
    names=example.ORDER,
    width=cost.WIDTH,
    n=512,
):
    """Split the example, and a real model dimension, into more and more heads.

    Parameters
    ----------
    queries, keys, values : array_like of shape (n_tokens, w)
    names : sequence of str
    width : int
        The real width.
    n : int
        Tokens for which the scores of the real width are counted.
    """
    small = np.shape(queries)[1]
    for wide, tokens in ((small, len(names)), (width, n)):
        for count in cost.divisors(wide):
            patterns = None
            if wide == small:
                patterns = [head.weights for head in multi_head_attention(queries, keys, values, count).heads]
            size, parameters = cost.head_size(wide, count), cost.parameters(wide, count)
            scores = cost.grid_numbers(tokens, count), cost.grid_numbers(tokens, 1)
            yield f"{count} of {wide}", _draw(wide, count, size, parameters, tokens, *scores, patterns)


def _draw(width, heads, size, parameters, n, scores, scores_of_one, patterns=None):
    """Draw a width split into heads, with the weights of each head where there are some."""
    sheet = Canvas(3.75, "The same vectors, split into heads")
    bar, left, top = 5.2, 0.3, 0.72
    dimension = f"model dimension {show(width, ',d')}"
    sheet.text(left, 0.56, dimension, ha="left", size=style.SMALL, gid="number:width:0:0")
    sheet.box(left, top, bar, 0.34, role="query", fill="query", line=1.6)
    cuts = left + bar * np.arange(1, heads) / heads
    gaps = np.full_like(cuts, np.nan)  # one line for all cuts, with a gap after each
    xs = np.column_stack([cuts, cuts, gaps]).ravel()
    ys = np.tile([top, top + 0.34, np.nan], len(cuts))
    sheet.line(xs, ys, role="query", width=1.4 if heads < 50 else 0.5, gid="cuts")
    rows = (
        ("heads", show(heads, ",d")),
        ("head size", show(size, ",d")),
        ("parameters of the four matrices", show(parameters, ",d")),
        (f"scores over all heads, {show(n, ',d')} tokens", show(scores, ",d")),
    )
    for i, (word, number) in enumerate(rows):
        y = 1.34 + 0.27 * i
        sheet.text(left, y, word, ha="left", gid=f"label:{i}")
        sheet.text(left + bar, y, number, ha="right", bold=True, gid=f"number:counts:{i}:0")
    if patterns is None:
        words = "a real model of this size has weights here"
        sheet.text(left + bar / 2, 3.1, words, role="muted", gid="label:none")
    else:
        cell = 0.225
        gap = (bar - len(patterns) * 4 * cell) / (len(patterns) + 1)
        for h, weights in enumerate(patterns):
            x = left + gap + h * (4 * cell + gap)
            for i, j in np.ndindex(weights.shape):
                look = {"fill": "weight", "opacity": float(weights[i, j]), "gid": f"cell:head{h}:{i}:{j}"}
                sheet.box(x + j * cell, 2.72 + i * cell, cell, cell, role="faint", **look)
            sheet.box(x, 2.72, 4 * cell, 4 * cell, role="ink", line=1.2)
            sheet.text(x + 2 * cell, 2.56, f"head {h + 1}", size=style.SMALL, role="query", gid=f"head:{h}")
    as_one = with_one = peaks = ""
    if heads > 1:
        as_one = ", as many as with one head"
        with_one = f"; with one head there are {show(scores_of_one, ',d')}"
    if patterns is not None:
        largest = [float(weights.max(axis=1).mean()) for weights in patterns]
        peaks = f" Average largest weight by head: {shows(largest, '.3f')}."
    return sheet.done(
        caption="A model dimension split into heads.",
        alt=f"Model dimension {show(width, ',d')} in {show(heads, ',d')} head{'s' * (heads > 1)} of size {size}: "
        f"{show(parameters, ',d')} parameters in four matrices{as_one}. There are {show(scores, ',d')} "
        f"scores for {show(n, ',d')} tokens{with_one}.{peaks}",
        titled=False,
    )
