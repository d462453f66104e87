"""Section 6: what each mask forbids, and what every row makes of the rest."""

from itertools import combinations

import numpy as np

from scripts import example
from scripts.attention import causal_mask, padding_mask, scaled_scores, softmax_steps
from scripts.draw import style
from scripts.draw.canvas import Canvas
from scripts.draw.words import quoted
from scripts.numbers import listing, show, shows
from scripts.widgets._slider import slider


@slider(handle="forbidden", start=example.ORDER[-1])
def mask(queries=example.QUERIES, keys=example.KEYS, names=example.ORDER):
    """Forbid tokens, or the future, and see what each row makes of the rest.

    Parameters
    ----------
    queries, keys : array_like of shape (n, d)
    names : sequence of str, length n
    """
    scores = scaled_scores(queries, keys)
    for forbidden, allowed in _masks(names):
        _, _, weights = softmax_steps(scores, allowed, no_answer="report")
        yield forbidden, _draw(names, forbidden, scores, allowed, weights)


def _masks(names):
    """Every choice of left-out tokens, and the causal pattern: what is forbidden, and the mask."""
    n = len(names)
    for count in range(n + 1):
        for gone in combinations(range(n), count):
            real = np.array([i not in gone for i in range(n)])
            yield listing(names[i] for i in gone) or "nothing", padding_mask(real)
    yield "the future", causal_mask(n)


def _draw(names, forbidden, scores, allowed, weights):
    """Draw scores, weights and their sums under one mask; rows without an answer are masked."""
    sheet = Canvas(2.5, "What a mask forbids, and what is left")
    weights = np.ma.asarray(weights)
    answered = ~np.ma.getmaskarray(weights).all(axis=1)
    how = {"size": style.SMALL, "columns": names, "column_role": "key"}
    sheet.grid(
        scores,
        0.62,
        0.98,
        name="scores",
        title="scores",
        form="+.2f",
        fill="score",
        limit=float(abs(scores).max()),
        cell=(0.52, 0.34),
        rows=names,
        row_role="query",
        allowed=allowed,
        **how,
    )
    grid = sheet.grid(
        weights,
        2.95,
        0.98,
        name="weights",
        title="weights",
        form=".3f",
        fill="weight",
        cell=(0.54, 0.34),
        **how,
    )
    x = grid.right + 0.36
    sheet.text(x, 0.84, "sum", role="muted")
    told = []
    for i, name in enumerate(names):
        y = grid.cell(i, 0)[1]
        if answered[i]:
            sheet.number(x, y, weights[i].sum(), ".3f", size=style.SMALL, gid=f"number:totals:{i}:0")
            told.append(f"{name}: {shows(weights[i], '.3f')}.")
        else:
            sheet.text(x, y, "none", role="muted", size=style.SMALL, gid=f"none:totals:{i}")
            told.append(f"{name}: no answer.")
    some = f"{show(answered.sum(), 'd')} of {show(len(names), 'd')} rows have"
    count = {len(names): "every row has", 0: "no row has"}.get(answered.sum(), some)
    return sheet.done(
        caption="Scores and weights under a mask.",
        alt=f"Forbidden: {forbidden}; {count} an answer. Weights on {quoted(names)}. {' '.join(told)}",
        titled=False,
    )
