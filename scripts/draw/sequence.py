"""Pictures of models that read one token after another: arcs over a sequence, curves, next words."""

from collections.abc import Sequence

import numpy as np
from matplotlib.patches import PathPatch
from matplotlib.path import Path
from matplotlib.ticker import FixedLocator, NullLocator

from scripts.draw.canvas import Canvas, Grid, Names, Picture, Row, beside, on_paper, picture
from scripts.draw.style import COLOURS, LABEL, MEASURE, SMALL
from scripts.numbers import listing, show

LINE = 0.24  # inches from one token of a column to the next
THICK = 5.0  # points: width of an arc whose weight is one
SEEN = 0.08  # weights below this are left out
TICK_ROOM = 0.62  # inches left of a plot, for its numbers


# --------------------------------------------------------------------------
# Arcs: who attends to whom, in two heads
# --------------------------------------------------------------------------


def _arc(sheet: Canvas, x, way, above, below, weight, gid):
    """Join two places of a column by an arc to the left (way -1) or to the right (1)."""
    reach = x + way * (0.25 + 0.5 * (below - above) ** 0.75)
    path = Path([(x, below), (reach, below), (reach, above), (x, above)], [Path.MOVETO, *[Path.CURVE4] * 3])
    look = {"edgecolor": COLOURS["weight-mark"], "linewidth": THICK * float(weight), "capstyle": "butt"}
    arc = sheet._add(PathPatch(path, facecolor="none", clip_on=False, gid=gid, **look))
    arc.set_zorder(1)
    return (x + 3 * reach) / 4  # how far it comes


def _column(sheet: Canvas, words: Names, heads: Sequence[tuple[Grid, Sequence[int]]], top):
    """Draw tokens under one another, and arcs of one head on either side; write what the last one gives most to."""
    middle = MEASURE / 2
    ys = top + LINE * (np.arange(len(words)) + 0.5)
    room = 0.45
    for y, word in zip(ys, words, strict=True):
        sheet.text(middle, y, word, bold=y == ys[-1], role="query" if y == ys[-1] else "ink")
    for side, (weights, asking) in enumerate(heads):
        way, x = (-1, middle - room) if side == 0 else (1, middle + room)
        for i in asking:
            for j in np.flatnonzero(weights[i] >= SEEN):
                if j == i:
                    continue
                far = _arc(sheet, x, way, ys[j], ys[i], weights[i, j], f"arc:{side}:{i}:{j}")
                if i == len(words) - 1 and j == weights[i].argmax():
                    place = far + way * 0.1, (ys[i] + ys[j]) / 2
                    how = {"ha": "left" if way > 0 else "right", "gid": f"most:{side}"}
                    sheet.text(*place, show(weights[i, j], ".2f"), **how).set_bbox(on_paper(0.5))
    return ys


def _most(words: Names, weights: Grid, i: int, what="the") -> str:
    """What a token gives most to, in words."""
    j = int(weights[i].argmax())
    return f"“{words[j]}” in place {show(j + 1, 'd')} gets {show(weights[i, j], '.2f')}"


def _letters(letters: str, first: Grid, second: Grid, title: str | None) -> Canvas:
    sheet = Canvas(0.95 + LINE * len(letters) + 0.12, title)
    sheet.text(MEASURE / 2 - 0.5, 0.58, "first layer", ha="right", bold=True)
    sheet.text(MEASURE / 2 + 0.5, 0.58, "second layer", ha="left", bold=True)
    sheet.note(MEASURE / 2 - 0.5, 0.8, "which letter was before?", ha="right")
    sheet.note(MEASURE / 2 + 0.5, 0.8, "who was told of mine?", ha="left")
    half = len(letters) // 2
    _column(sheet, letters, [(first, range(1, len(letters))), (second, range(half, len(letters)))], 0.95)
    return sheet


def _two_heads(letters, first, second) -> str:
    """Both heads in words: the last letter, then row by row."""
    last = len(letters) - 1
    rows = " ".join(
        f"“{letter}” in place {show(i + 1, 'd')}: first layer {_most(letters, first, i)}, "
        f"second layer {_most(letters, second, i)}."
        for i, letter in enumerate(letters)
        if i >= len(letters) // 2
    )
    return (
        f"The last “{letters[last]}” asks. In the first layer {_most(letters, first, last)}, "
        f"in the second {_most(letters, second, last)}. {rows}"
    )


@picture("induction-arcs")
def induction_arcs(letters: str, first: Grid, second: Grid) -> Picture:
    """Draw letters under one another, what the first head attends to on the left and the second on the right.

    Parameters
    ----------
    letters : str
    first, second : ndarray of shape (n, n)
        Weights of the two heads; of the second, those of the later half of the letters are drawn.
    """
    return _letters(letters, first, second, "Two heads find the place to go on").done(
        caption="Letters are read downwards. An arc joins a letter to an earlier one that it attends to, as thick as "
        "the weight: in the first layer on the left, in the second on the right.",
        alt=_two_heads(letters, first, second),
    )


def draw_film(letters: str, first: Grid, second: Grid, step: int, accuracy: float) -> Picture:
    """Draw the same after some steps of training; for a slider."""
    sheet = _letters(letters, first, second, "Two layers learn to go on")
    foretold = f"{show(100 * accuracy, '.0f')} per cent of the letters are foretold"
    return sheet.done(
        titled=False,
        caption="An arc joins a letter to an earlier one that it attends to: in the first layer on the left, in the "
        "second on the right.",
        alt=f"After {show(step, ',d')} steps {foretold}. {_two_heads(letters, first, second)}",
    )


@picture("story-arcs")
def story_arcs(words: Names, knows: Grid, finds: Grid, asking: Sequence[int]) -> Picture:
    """Draw a story word under word; on the left whose colour it is, on the right which colour is found.

    Parameters
    ----------
    words : sequence of str
        The last is the one that answers.
    knows, finds : ndarray of shape (n, n)
        Weights of a head of the first layer, and of one of the second.
    asking : sequence of int
        Which words ask in the first; in the second the last does.
    """
    last = len(words) - 1
    sheet = Canvas(0.95 + LINE * len(words) + 0.12, f"How “{words[last]}” finds its answer")
    sheet.text(MEASURE / 2 - 0.5, 0.58, "first layer", ha="right", bold=True)
    sheet.text(MEASURE / 2 + 0.5, 0.58, "second layer", ha="left", bold=True)
    sheet.note(MEASURE / 2 - 0.5, 0.8, "which thing is it about?", ha="right")
    sheet.note(MEASURE / 2 + 0.5, 0.8, "which colour is about it?", ha="left")
    _column(sheet, words, [(knows, asking), (finds, [last])], 0.95)
    told = " ".join(
        f"In the first layer, of “{words[i]}” in place {show(i + 1, 'd')}, {_most(words, knows, i)}."
        for i in asking
    )
    return sheet.done(
        caption="A story, read downwards, up to the word whose answer is wanted. On the left each colour looks for its "
        "thing, and the last word for the thing that was taken; on the right the last word finds the colour that "
        "looked at the same thing.",
        alt=f"In the second layer, of the last word, {_most(words, finds, last)}. {told}",
    )


# --------------------------------------------------------------------------
# Learning
# --------------------------------------------------------------------------


@picture("sudden-change")
def sudden_change(steps: Sequence[int], one: Grid, two: Grid) -> Picture:
    """Draw how many letters are foretold during training, with one layer and with two.

    Parameters
    ----------
    steps
        At which the models were looked at.
    one, two
        A row for each random start, with the share foretold at each of the steps.
    """
    one, two = np.asarray(one, float), np.asarray(two, float)
    sheet = Canvas(3.5, "One layer creeps, two layers leap")
    axes = sheet.plot(TICK_ROOM, 0.68, MEASURE - TICK_ROOM - 0.2, 2.2, ylim=(0, 1.06))
    axes.set_xlim(0, steps[-1])
    axes.xaxis.set_major_locator(FixedLocator([0, 100, 200, 300, 400, 500, 600]))
    axes.xaxis.set_minor_locator(NullLocator())
    axes.yaxis.set_major_locator(FixedLocator(np.arange(0, 1.01, 0.2)))
    axes.yaxis.set_major_formatter(lambda value, _: show(value, ".1f"))
    axes.grid(True, axis="y")
    looks = (("two", two, "output", "-"), ("one", one, "ink", (0, (5, 1.5))))
    for name, rows, role, dash in looks:
        for k, row in enumerate(rows):
            axes.plot(steps, row, color=COLOURS[role], lw=0.8, alpha=0.45, gid=f"line:{name}:{k}")
        axes.plot(steps, np.median(rows, axis=0), color=COLOURS[role], lw=2.4, ls=dash, gid=f"line:{name}")
    beside(
        axes, steps[-1], np.median(two[:, -1]), "two layers", (-4, -12), role="output", bold=True, ha="right"
    )
    beside(axes, steps[-1], np.median(one[:, -1]), "one layer", (-4, 12), bold=True, ha="right")
    sheet.note(0.1, 0.5, "share of letters foretold", ha="left")
    sheet.note(TICK_ROOM + (MEASURE - TICK_ROOM) / 2, 3.3, "steps of training")
    middle = {name: np.median(rows, axis=0) for name, rows, *_ in looks}
    told = " ".join(
        f"After {show(step, ',d')}: two {show(b, '.2f')}, one {show(a, '.2f')}."
        for step, a, b in zip(steps, middle["one"], middle["two"], strict=True)
    )
    return sheet.done(
        caption=f"The share of letters foretold, of those that can be, from {show(len(two), 'd')} random starts with "
        "each model; thick lines are medians.",
        alt=f"Medians by steps of training. {told}",
    )


# --------------------------------------------------------------------------
# The next word
# --------------------------------------------------------------------------


def draw_next(text: str, words: Names, chances: Row, temperature: float, kept: str) -> Picture:
    """Draw the chances of the likeliest next words; for a slider."""
    sheet = Canvas(0.62 + 0.29 * len(words) + 0.1, "What comes next?")
    sheet.note(0.08, 0.42, f"chances of the likeliest words after “{text}”", ha="left")
    for i, (word, chance) in enumerate(zip(words, chances, strict=True)):
        y = 0.62 + 0.29 * (i + 0.5)
        sheet.text(0.85, y, word, ha="right", bold=i == 0)
        length = 3.9 * float(chance)
        sheet.box(0.98, y - 0.1, length, 0.2, role=None, fill="weight-mark", opacity=1, gid=f"bar:chance:{i}")
        sheet.text(0.98 + length + 0.08, y, show(chance, ".3f"), ha="left", gid=f"number:chance:{i}")
    return sheet.done(
        titled=False,
        caption="How likely each word is to be written next.",
        alt=f"At temperature {show(temperature, 'g')}, {kept}, “{words[0]}” has {show(chances[0], '.3f')}. "
        + "Then "
        + listing(
            f"“{word}” {show(chance, '.3f')}" for word, chance in list(zip(words, chances, strict=True))[1:4]
        )
        + ".",
    )


def _lines(words: Names, width=MEASURE - 0.3):
    """Where each word of a text stands, in inches: x, line, and its width."""
    x, line, places = 0.0, 0, []
    for word in words:
        needs = 0.087 * len(word) + 0.12
        if x + needs > width:
            x, line = 0.0, line + 1
        places.append((x, line, needs))
        x += needs + 0.05
    return places


def draw_writing(words: Names, begun: int, without: int, with_cache: int, most: int) -> Picture:
    """Draw a text that is being written, and which rows are computed for its last word; for a slider.

    Parameters
    ----------
    words
        The text so far.
    begun
        How many of them were given.
    without, with_cache
        Pairs of query and key so far, in one head, without the cache and with it.
    most
        Pairs at the end, without: the length of the longest bar.
    """
    sheet = Canvas(3.9, "Written word by word, with the cache and without")
    now = len(words) - 1 if len(words) > begun else len(words)  # the last word is what came out
    for k, (name, total) in enumerate((("without the cache", without), ("with the cache", with_cache))):
        top = 0.5 + 1.72 * k
        first = len(words) == begun or not k
        again = range(now) if first else range(now - 1, now)
        sheet.text(0.08, top, name, ha="left", bold=True)
        for i, (word, (x, line, wide)) in enumerate(zip(words, _lines(words), strict=True)):
            y = top + 0.3 + 0.27 * line
            if i in again:
                sheet.box(
                    0.1 + x, y - 0.12, wide, 0.24, role=None, fill="query", opacity=0.2, gid=f"row:{k}:{i}"
                )
            look = {"bold": i >= begun, "role": "output" if i >= begun else "ink"}
            sheet.text(0.1 + x + wide / 2, y, word, size=LABEL, gid=f"word:{k}:{i}", **look)
        y = top + 1.32
        length = 3.6 * total / most
        sheet.box(
            0.1,
            y - 0.09,
            max(length, 0.01),
            0.18,
            role=None,
            fill="weight-mark",
            opacity=1,
            gid=f"bar:pairs:{k}",
        )
        sheet.text(
            0.1 + length + 0.1,
            y,
            f"{show(total, ',d')} pairs",
            ha="left",
            size=SMALL,
            gid=f"number:pairs:{k}",
        )
    written = len(words) - begun
    return sheet.done(
        titled=False,
        caption="Tinted words are those whose rows are computed for the last word; the bars count pairs of query and "
        "key so far, in one head.",
        alt=f"After {show(written, 'd')} written words there were {show(without, ',d')} pairs without the cache and "
        f"{show(with_cache, ',d')} with it. The text: {' '.join(words)}",
    )
