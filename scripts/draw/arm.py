"""Pictures of the arm that learns to reach: section 6 and the page on learning."""

from collections.abc import Sequence

import numpy as np
from matplotlib.patches import Circle
from matplotlib.ticker import FixedLocator, NullLocator

from scripts.arm import ARRIVED, THINGS, Reach, Still
from scripts.draw.canvas import Canvas, Counts, Grid, Picture, Row, beside, on_paper, picture
from scripts.draw.style import COLOURS, MEASURE, SMALL
from scripts.numbers import listing, show, shows

RIBBON = 0.16  # inches: width of a line to a thing whose weight is one
TICK_ROOM = 0.62  # inches left of a plot, for its numbers


# --------------------------------------------------------------------------
# The table
# --------------------------------------------------------------------------


def _table(sheet: Canvas, x, y, side, one: Reach, name="", span=1.0):
    """Draw a table seen from above: things, their weights, and the hand where the mixture puts it.

    A hand may leave the table: `span` says how far the square of `side` inches reaches from its middle,
    where the edge of the table lies at one.
    """

    def at(place):
        return x + side * (1 + place[0] / span) / 2, y + side * (1 - place[1] / span) / 2

    edge = side * (1 - 1 / span) / 2
    sheet.box(x + edge, y + edge, side / span, side / span, role="faint", line=1.4)
    hand = at(one.hand)
    for i, (thing, place, weight) in enumerate(zip(THINGS, one.places, one.weights, strict=True)):
        here = at(place)
        points = zip(hand, here, strict=True)
        line = sheet.line(
            *points, role="weight-mark", width=72 * RIBBON * float(weight), gid=f"line:{name}{i}"
        )
        line.set_zorder(1)
        _dot(sheet, here, "value", 7, gid=f"thing:{name}{i}")
        asked = thing == one.word
        if asked:
            ring = {"facecolor": "none", "edgecolor": COLOURS["query"], "linewidth": 1.8, "clip_on": False}
            sheet.axes.add_artist(Circle(here, 0.13, gid=f"asked:{name}", **ring))
        words = f"{thing} {show(weight, '.2f')}"
        text = sheet.text(
            here[0],
            here[1] - 0.25,
            words,
            bold=asked,
            role="query" if asked else "ink",
            size=SMALL,
            gid=f"number:{name}weights:{i}",
        )
        text.set_bbox(on_paper(0.2))
        text.set_zorder(4)
    _dot(sheet, hand, "output", 11, gid=f"hand:{name}")


def _dot(sheet, place, role, size, gid=None):
    look = {"color": COLOURS[role], "markeredgecolor": COLOURS["paper"], "clip_on": False}
    sheet.axes.plot(*([one] for one in place), "o", ms=size, gid=gid, zorder=5, **look)


def _hand_in_words(one: Reach) -> str:
    """Where the hand is and what it gives to whom."""
    given = listing(f"{thing} {show(w, '.2f')}" for thing, w in zip(THINGS, one.weights, strict=True))
    return (
        f"Weights: {given}. The hand is at {shows(one.hand, '+.2f')}, "
        f"{show(one.distance, '.2f')} from the {one.word}."
    )


def _twice(before: Reach, after: Reach) -> Picture:
    side, gap, top = 2.6, 0.34, 0.78
    sheet = Canvas(top + side + 0.62, f"“{before.word}” asks, and the hand goes where the mixture lies")
    x = (MEASURE - 2 * side - gap) / 2
    span = max(1.0, *(abs(number) for one in (before, after) for number in one.hand))
    for k, (title, one) in enumerate((("random numbers", before), ("trained numbers", after))):
        left = x + k * (side + gap)
        sheet.text(left + side / 2, top - 0.2, title, bold=True)
        _table(sheet, left, top, side, one, f"{k}:", span)
        told = f"{show(one.distance, '.2f')} from the {one.word}"
        sheet.text(left + side / 2, top + side + 0.22, told, gid=f"number:distance:{k}")
    sheet.note(MEASURE / 2, top + side + 0.47, "large dot: the hand; thick line: large weight")
    return sheet.done(
        caption="A table seen from above. Each value is the place of a thing, and so the mixture of the values is a "
        "place as well: it is where the hand goes.",
        alt="A table with four things, drawn twice. Places: "
        + listing(f"{t} {shows(p, '+.1f')}" for t, p in zip(THINGS, before.places, strict=True))
        + f". Before training: {_hand_in_words(before)} After training: {_hand_in_words(after)}",
    )


@picture("arm-reaches")
def arm_reaches(before: Reach, after: Reach) -> Picture:
    """Draw one table twice: where the hand goes before training, and after it."""
    return _twice(before, after)


@picture("arm-own")
def arm_own(before: Reach, after: Reach) -> Picture:
    """Draw the same of the arm that the reader trained."""
    return _twice(before, after)


# --------------------------------------------------------------------------
# Queries and keys as arrows
# --------------------------------------------------------------------------


@picture("arm-arrows")
def arm_arrows(queries: Grid, keys: Grid) -> Picture:
    """Draw the queries of the four words and the keys of the four things, each an arrow in the plane."""
    side, gap, top = 2.6, 0.34, 0.78
    reach_of = 1.22 * max(np.abs(queries).max(), np.abs(keys).max())
    sheet = Canvas(top + side + 0.1, "What words ask for, and what things answer to")
    x = (MEASURE - 2 * side - gap) / 2
    for k, (role, title, arrows) in enumerate(
        (("query", "queries of the words", queries), ("key", "keys of the things", keys))
    ):
        left = x + k * (side + gap)
        sheet.text(left + side / 2, top - 0.2, title, role=role, bold=True)
        sheet.box(left, top, side, side, role="faint")
        middle = np.array([left + side / 2, top + side / 2])
        for ends in (([left, left + side], [middle[1]] * 2), ([middle[0]] * 2, [top, top + side])):
            sheet.line(*ends, role="faint", width=0.8).set_zorder(0.5)
        for i, (thing, arrow) in enumerate(zip(THINGS, arrows, strict=True)):
            end = middle + arrow * (1, -1) * side / 2 / reach_of
            sheet.arrow(middle, end, role=role, width=2.2, gid=f"arrow:{role}:{i}")
            along = arrow / np.hypot(*arrow) * (1, -1)
            place = end + along * (0.1 + 0.16 * abs(along[0]))
            sheet.text(*place, thing, role=role).set_bbox(on_paper(0.5))
    return sheet.done(
        caption="With a head size of two, queries and keys are arrows in a plane. The longer two arrows are and the "
        "better they agree in direction, the larger is their score.",
        alt="Two planes with four arrows each. "
        + " ".join(
            f"{name}: "
            + listing(f"{t} {shows(arrow, '+.1f')}" for t, arrow in zip(THINGS, arrows, strict=True))
            + "."
            for name, arrows in (("Queries", queries), ("Keys", keys))
        ),
    )


# --------------------------------------------------------------------------
# Training
# --------------------------------------------------------------------------


def draw_still(stills: Sequence[Still], now: int, one: Reach) -> Picture:
    """Draw the arm after some steps of training, and how far it has come; for a slider."""
    still = stills[now]
    side, top = 2.6, 0.72
    sheet = Canvas(top + side + 0.52, "The arm learns to reach")
    sheet.text(0.15 + side / 2, top - 0.2, f"“{one.word}” asks", role="query", bold=True)
    _table(sheet, 0.15, top, side, one)
    steps, far = [s.step for s in stills], [s.distance for s in stills]
    x, width = 0.15 + side + TICK_ROOM, MEASURE - 0.2 - (0.15 + side + TICK_ROOM)
    sheet.text(x - 0.3, top - 0.2, "mean distance", ha="left", bold=True)
    axes = sheet.plot(x, top, width, side, ylim=(0, 1.05 * max(far)))
    axes.set_xscale("symlog", linthresh=10, linscale=0.4)
    axes.set_xlim(0, steps[-1] * 1.3)
    axes.xaxis.set_major_locator(FixedLocator([0, 10, 100, 1000]))
    axes.xaxis.set_minor_locator(NullLocator())
    axes.set_xticklabels([show(n, ",d") for n in (0, 10, 100, 1000)])
    axes.yaxis.set_major_locator(FixedLocator(np.arange(0, 1.05 * max(far), 0.2)))
    axes.yaxis.set_major_formatter(lambda value, _: show(value, ".1f"))
    axes.grid(True)
    axes.plot(steps, far, color=COLOURS["muted"], gid="line:distance")
    axes.plot([still.step], [still.distance], "o", ms=9, color=COLOURS["output"], gid="point:distance")
    sheet.note(x + width / 2, top + side + 0.4, "steps of training")
    return sheet.done(
        titled=False,
        caption="On the left, where the hand goes at one table; on the right, how far it ends from its thing on "
        "average over a thousand new tables.",
        alt=f"After {show(still.step, ',d')} steps the mean distance is {show(still.distance, '.2f')}. "
        + _hand_in_words(one),
    )


@picture("arm-starts")
def arm_starts(distances: Row, never: float) -> Picture:
    """Draw how far from its thing the hand ends, for many random starts, from the best to the worst."""
    distances = np.sort(distances)
    stuck = distances[distances > ARRIVED]
    arrived = distances[distances <= ARRIVED]
    title = f"{show(len(arrived), 'd')} of {show(len(distances), 'd')} starts arrive"
    sheet = Canvas(3.3, title)
    axes = sheet.plot(TICK_ROOM, 0.66, MEASURE - TICK_ROOM - 0.15, 2.2, ylim=(0, 1.15 * never))
    axes.set_xlim(0, len(distances) + 1)
    axes.xaxis.set_major_locator(NullLocator())
    axes.yaxis.set_major_locator(FixedLocator(np.arange(0, 1.1 * never, 0.2)))
    axes.yaxis.set_major_formatter(lambda value, _: show(value, ".1f"))
    axes.grid(True, axis="y")
    axes.axhline(never, color=COLOURS["ink"], ls=(0, (4, 2)), lw=1.2, gid="line:never")
    beside(axes, 1, never, f"a hand that never moves: {show(never, '.2f')}", (0, -10))
    places = np.arange(1, len(distances) + 1)
    axes.plot(places, distances, "o", ms=6, color=COLOURS["output"], gid="points:distance")
    sheet.note(0.1, 0.5, "mean distance", ha="left")
    sheet.note(TICK_ROOM + (MEASURE - TICK_ROOM) / 2, 3.08, "random starts, from the best to the worst")
    far = f"the others at {show(stuck[0], '.2f')} to {show(stuck[-1], '.2f')}" if len(stuck) else "no other"
    return sheet.done(
        caption="Each dot is one random start, trained alike. Most end close to the thing asked for; the rest have "
        "settled for a compromise that no small step improves.",
        alt=f"Dots in rising order. {show(len(arrived), 'd')} lie between {show(arrived[0], '.3f')} and "
        f"{show(arrived[-1], '.3f')}, {far}. A hand that never moves is {show(never, '.2f')} away.",
    )


@picture("root-in-training")
def root_in_training(sizes: Counts, divided: Grid, undivided: Grid, never: float) -> Picture:
    """Draw how well the arm learns at several head sizes, with the division and without.

    Parameters
    ----------
    sizes
        Head sizes, from small to large.
    divided, undivided
        A row for each head size, with the distance that each start came to; infinite where it ran away.
    never
        Distance of a hand that never moves.
    """
    divided, undivided = np.asarray(divided, float), np.asarray(undivided, float)
    top, high, ceiling = 0.68, 2.6, 1.02
    sheet = Canvas(top + high + 0.55, "The larger the head, the more it needs the division")
    axes = sheet.plot(TICK_ROOM, top, MEASURE - TICK_ROOM - 0.15, high, xscale="log", ylim=(0, ceiling))
    axes.set_xlim(sizes[0] / 1.9, sizes[-1] * 1.9)
    axes.xaxis.set_major_locator(FixedLocator(list(sizes)))
    axes.xaxis.set_minor_locator(NullLocator())
    axes.set_xticklabels([show(n, ",d") for n in sizes])
    axes.yaxis.set_major_locator(FixedLocator(np.arange(0, 1.01, 0.2)))
    axes.yaxis.set_major_formatter(lambda value, _: show(value, ".1f"))
    axes.grid(True, axis="y")
    axes.axhline(never, color=COLOURS["muted"], ls=(0, (4, 2)), lw=1.2, gid="line:never")
    beside(axes, sizes[0] / 1.8, never, "a hand that never moves", (0, 9), role="muted", size=SMALL)
    medians = {}
    looks = (
        ("divided", divided, 0.9, {"color": COLOURS["output"], "marker": "o"}),
        ("undivided", undivided, 1.11, {"color": COLOURS["ink"], "marker": "s", "markerfacecolor": "none"}),
    )
    for name, grid, aside, look in looks:
        medians[name] = np.median(grid, axis=1)
        places = np.repeat(np.asarray(sizes) * aside, grid.shape[1])
        shown = np.minimum(grid, 0.96).ravel()  # what ran away stands at the upper edge
        axes.plot(places, shown, ls="none", ms=5, alpha=0.75, gid=f"points:{name}", **look)
        settled = np.isfinite(medians[name])
        style = {"ls": "-" if name == "divided" else (0, (5, 1.5)), "lw": 2.2, "color": look["color"]}
        axes.plot(np.asarray(sizes)[settled], medians[name][settled], gid=f"line:{name}", **style)
    sheet.note(0.1, 0.5, "mean distance at the end", ha="left")
    sheet.text(3.9, 0.5, "● divided", role="output", bold=True)
    sheet.text(5.1, 0.5, "□ undivided", bold=True)
    sheet.note(TICK_ROOM + (MEASURE - TICK_ROOM) / 2, top + high + 0.42, "head size")
    lost = int(np.isinf(undivided).sum() + np.isinf(divided).sum())
    many = show(divided.shape[1], "d")

    def told(median):
        return show(median, ".2f") if np.isfinite(median) else "ran away"

    return sheet.done(
        caption=f"The arm, trained with and without the division by the root of the head size, from {many} random "
        "starts at each size. Marks are single starts and lines their medians; a mark at the upper edge is a start "
        "whose loss ran away.",
        alt="Median distance by head size. "
        + " ".join(
            f"{show(size, ',d')}: divided {told(ours)}, undivided {told(other)}."
            for size, ours, other in zip(sizes, medians["divided"], medians["undivided"], strict=True)
        )
        + f" A hand that never moves is {show(never, '.2f')} away."
        + (f" {show(lost, 'd')} of the starts ran away." if lost else ""),
    )
