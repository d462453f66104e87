"""Section 3: scores scatter more as the head grows, unless they are scaled."""

import numpy as np

from scripts import experiments
from scripts.draw import style
from scripts.draw.canvas import Canvas
from scripts.numbers import show
from scripts.widgets._slider import slider


@slider(handle="head size", start="64")
def head_size(sizes=None, seed=experiments.SPREAD_SEED, winner_seed=experiments.WINNER_SEED):
    """Watch scores scatter as the head size grows.

    Parameters
    ----------
    sizes : sequence of int, optional
        Powers of two from 1 to 1024 if not given.
    seed, winner_seed : int
        Starting values of the generators, one for each of the two simulations.
    """
    sizes = [2**k for k in range(11)] if sizes is None else list(sizes)
    winners = experiments.winner_share(winner_seed, sizes)
    generator = np.random.default_rng(seed)
    for size, *shares in zip(sizes, winners.raw, winners.scaled, strict=True):
        raw = experiments.score_samples(size, 2000, generator)
        yield show(size, ",d"), _draw(size, (raw, raw / np.sqrt(size)), shares)


def _draw(size, scores, winners):
    """Draw how scores lie unscaled and scaled, and the weight of the winning key in each."""
    sheet = Canvas(3.3, "Scores scatter more as the head grows")
    names = ("unscaled", "scaled")
    spreads = [values.std() for values in scores]
    edges, ticks = np.linspace(-96, 96, 97), [-90, -60, -30, 0, 30, 60, 90]
    for row, (values, spread, word) in enumerate(zip(scores, spreads, names, strict=True)):
        top = 0.62 + 1.22 * row
        axes = sheet.plot(0.3, top + 0.05, 3.3, 0.85, xlim=(edges[0], edges[-1]), ylim=(0, 1.05), yticks=[])
        axes.spines["left"].set_visible(False)
        axes.set_xticks(ticks)
        axes.set_xticklabels([show(x, "g") if row else "" for x in ticks])
        counts = np.histogram(values, edges)[0]
        for b in np.flatnonzero(counts):
            sign = "negative-mark" if edges[b] < 0 else "positive-mark"
            look = {"color": style.COLOURS[sign], "align": "edge", "gid": f"bar:{word}:{b}"}
            axes.bar(edges[b], counts[b] / max(counts), edges[b + 1] - edges[b], **look)
        sheet.text(0.3, top + 0.02, f"{word} scores", ha="left", size=style.SMALL)
        said = f"standard deviation {show(spread, '.2f')}"
        sheet.text(3.6, top + 0.02, said, ha="right", bold=True, gid=f"number:spread:{row}:0")
    sheet.text(1.95, 3.14, "score", role="muted", size=style.SMALL)
    full, ground = 1.75, 2.72
    sheet.text(4.85, 0.62, "weight of the winner", size=style.SMALL)
    for i, (x, winner, word) in enumerate(zip((4.4, 5.3), winners, names, strict=True)):
        bar = {"x": x - 0.28, "width": 0.56}
        filled = {"fill": "weight-mark", "opacity": 1, "gid": f"bar:winner:{i}"}
        sheet.box(y=ground - full * winner, height=full * winner, role=None, **bar, **filled)
        sheet.box(y=ground - full, height=full, role="muted", line=0.8, **bar)
        sheet.number(x, 0.83, winner, ".3f", bold=True, gid=f"number:winner:0:{i}")
        sheet.text(x, ground + 0.17, word, size=style.SMALL)
    return sheet.done(
        caption="Scores of random queries and keys, and the weight of the winning key.",
        alt=f"Head size {show(size, ',d')}: the standard deviation of the scores is {show(spreads[0], '.2f')} "
        f"unscaled, {show(spreads[1], '.2f')} scaled. The winning key takes {show(winners[0], '.3f')} of the "
        f"mixture unscaled, {show(winners[1], '.3f')} scaled.",
        titled=False,
    )
