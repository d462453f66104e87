"""Pictures of section 7: what attention costs as the window grows."""

import numpy as np
from matplotlib.ticker import FixedLocator, NullLocator

from scripts.draw import style
from scripts.draw.canvas import Canvas, picture
from scripts.numbers import listing, show

KIB, MIB, GIB = 1024, 1024**2, 1024**3
CORES = {1: "one-core", 2: "two-core", 4: "four-core", 8: "eight-core"}


@picture("grids-grow")
def grids_grow(sizes):
    """Draw the score grids of a few numbers of tokens, all to one scale.

    Parameters
    ----------
    sizes : sequence of int
        Numbers of tokens, from few to many.

    Returns
    -------
    Picture
    """
    side = 2.3 / max(sizes)  # inches a cell
    gap, bottom = 0.62, 2.8
    sheet = Canvas(3.4, "Twice the tokens, four times the scores")
    x = (style.MEASURE - side * sum(sizes) - gap * (len(sizes) - 1)) / 2
    for i, n in enumerate(sizes):
        length, top = n * side, bottom - n * side
        sheet.box(x, top, length, length, fill="positive-mark", opacity=0.35, gid=f"square:scores:{i}")
        for k in range(1, n):
            at = k * side
            sheet.line(
                [x + at] * 2, [top, bottom], role="muted", width=0.6, gid=f"line:scores:{i}:column:{k}"
            )
            sheet.line(
                [x, x + length], [top + at] * 2, role="muted", width=0.6, gid=f"line:scores:{i}:row:{k}"
            )
        sheet.box(x, top, length, length, role="ink", line=1.4)
        middle = x + length / 2
        sheet.text(middle, bottom + 0.2, f"{show(n, 'd')} tokens")
        sheet.text(middle, bottom + 0.43, f"{show(n * n, ',d')} scores", bold=True, gid=f"number:scores:{i}")
        x += length + gap
    return sheet.done(
        caption="The score grids of one head, drawn to one scale: a row for each query, a column "
        "for each key.",
        alt="Square grids of cells of one size stand side by side, with a row for each query and a column "
        "for each key. They hold "
        + listing(f"{show(n * n, ',d')} scores for {show(n, 'd')} tokens" for n in sizes)
        + ".",
    )


def _log_axes(sheet, place, lengths, limits, ticks):
    """Return axes on which doubling takes the same room everywhere; `ticks` maps value to label."""
    axes = sheet.plot(
        *place, xscale="log", yscale="log", ylim=limits, xlim=(lengths[0] / 1.25, lengths[-1] * 1.25)
    )
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_minor_locator(NullLocator())
    # Every second length is named, the last one always.
    named = lengths[(len(lengths) - 1) % 2 :: 2] if len(lengths) > 3 else lengths
    axes.xaxis.set_major_locator(FixedLocator(named))
    axes.set_xticklabels([show(n, ",d") for n in named])
    inside = {value: word for value, word in ticks.items() if limits[0] <= value <= limits[1]}
    axes.yaxis.set_major_locator(FixedLocator(list(inside)))
    axes.set_yticklabels(inside.values())
    axes.grid(True)
    return axes


def _beside(axes, x, y, words, shift, *, role="ink", bold=False, ha="left", gid=None):
    """Write beside a point of the data, shifted by so many points of type."""
    axes.annotate(
        words,
        (x, y),
        xytext=shift,
        textcoords="offset points",
        color=style.COLOURS[role],
        fontsize=style.LABEL,
        fontweight="bold" if bold else "normal",
        ha=ha,
        va="center",
        annotation_clip=False,
        gid=gid,
    )


def _steps(count):
    """Write a large count of steps in millions or billions."""
    if count < 1e9:
        return f"{show(count / 1e6, ',.1f')} million"
    return f"{show(count / 1e9, ',.1f')} billion"


STEP_TICKS = {
    1e3: "1 thousand",
    1e4: "10 thousand",
    1e5: "100 thousand",
    1e6: "1 million",
    1e7: "10 million",
    1e8: "100 million",
    1e9: "1 billion",
    1e10: "10 billion",
    1e11: "100 billion",
    1e12: "1,000 billion",
    1e13: "10,000 billion",
}


@picture("cost-crossing")
def cost_crossing(lengths, projections, grids, crossing):
    """Draw the steps of both parts against the number of tokens, on log axes.

    Parameters
    ----------
    lengths : sequence of int
        Numbers of tokens, each twice the one before.
    projections, grids : sequence of int
        Steps of the four projections, and of the scores and the mixing.
    crossing : int
        The number of tokens at which both cost the same.

    Returns
    -------
    Picture
    """
    lengths = np.asarray(lengths)
    projections, grids = np.asarray(projections, float), np.asarray(grids, float)
    limits = (min(projections[0], grids[0]) / 2.5, max(projections[-1], grids[-1]) * 2.5)
    sheet = Canvas(3.9, "Above the crossing, the grid costs more")
    axes = _log_axes(sheet, (1.32, 0.66, 4.25, 2.66), lengths, limits, STEP_TICKS)
    sheet.text(1.2, 0.49, "steps", role="muted", ha="right", size=style.SMALL)
    sheet.text(3.45, 3.74, "number of tokens", role="muted", size=style.SMALL)
    axes.plot(lengths, projections, color=style.COLOURS["token"], ls=(0, (5, 1.5)), gid="line:projections")
    axes.plot(lengths, grids, color=style.COLOURS["ink"], gid="line:grid")
    _beside(axes, lengths[-1], grids[-1], "scores and mixing", (-34, 3), bold=True, ha="right")
    _beside(
        axes, lengths[-1], projections[-1], "four projections", (2, -37), role="muted", bold=True, ha="right"
    )
    if lengths[0] <= crossing <= lengths[-1]:
        # Straight lines on log axes: read the height between two points off their logarithms.
        level = np.exp(np.interp(np.log(crossing), np.log(lengths), np.log(projections)))
        axes.axvspan(
            crossing,
            axes.get_xlim()[1],
            facecolor=style.COLOURS["positive-mark"],
            alpha=style.TINT,
            edgecolor="none",
            gid="span:grid-costs-more",
        )
        axes.plot([crossing], [level], "o", color=style.COLOURS["ink"], gid="point:crossing")
        told = f"equal at\n{show(crossing, ',d')} tokens"
        if crossing >= 4 * lengths[0]:
            _beside(axes, crossing, level, told, (-12, 24), ha="right", gid="number:crossing")
        else:  # no room on the left: beside the point, in one line under both
            told = told.replace("\n", " ")
            _beside(axes, crossing, level, told, (14, -3), gid="number:crossing")
    told = " ".join(
        f"At {show(n, ',d')} tokens: {_steps(p)} steps for the projections, {_steps(g)} for scores and "
        "mixing."
        for n, p, g in list(zip(lengths, projections, grids, strict=True))[:: len(lengths) - 1]
    )
    steep = meet = ""
    if np.allclose(grids / grids[0], (projections / projections[0]) ** 2, rtol=1e-6):
        steep = "The line of scores and mixing is twice as steep as that of the four projections. "
    if lengths[0] <= crossing <= lengths[-1]:
        meet = (
            f"They meet at {show(crossing, ',d')} tokens. Before that the four projections cost more, "
            "beyond it scores and mixing. "
        )
    return sheet.done(
        caption="Multiply-and-add steps of one layer, on log axes: equal distances multiply by the "
        "same factor. Where it is tinted, scores and mixing cost more than the projections.",
        alt=f"Two straight rising lines, steps against tokens, on log axes. {meet}{steep}{told}",
    )


@picture("grid-share")
def grid_share(lengths, shares):
    """Draw which part of a layer's steps the grid takes at several lengths.

    Parameters
    ----------
    lengths : sequence of int
        Numbers of tokens.
    shares : sequence of float
        The part of all steps that the grid takes, from 0 to 1.

    Returns
    -------
    Picture
    """
    full, left, height, pitch, top = 3.55, 1.3, 0.3, 0.44, 0.74
    sheet = Canvas(top + pitch * len(lengths) + 0.1, "The longer the window, the larger the grid’s share")
    sheet.text(left - 0.12, 0.53, "tokens", ha="right", role="muted")
    sheet.text(left, 0.53, "scores and mixing", ha="left", bold=True)
    sheet.text(left + full, 0.53, "projections", ha="right", bold=True, role="token")
    for i, (n, share) in enumerate(zip(lengths, shares, strict=True)):
        y = top + i * pitch
        sheet.text(left - 0.12, y + height / 2, show(n, ",d"), ha="right")
        sheet.box(left, y, full, height, role=None, fill="token", opacity=style.TINT, gid=f"bar:all:{i}")
        sheet.box(
            left, y, full * share, height, role=None, fill="positive-mark", opacity=0.75, gid=f"bar:share:{i}"
        )
        sheet.box(left, y, full, height, role="muted", line=0.8)
        sheet.text(
            left + full + 0.1,
            y + height / 2,
            f"{show(100 * share, '.1f')} %",
            ha="left",
            gid=f"number:share:{i}",
        )
    over = [s > 0.5 for s in shares]
    half = ""
    if True in over[1:] and not over[0]:
        first = over.index(True)
        half = f"More than half is filled for the first time at {show(lengths[first], ',d')} tokens. "
    return sheet.done(
        caption="Of all multiply-and-add steps in one attention layer, the part that is spent on "
        "scores and mixing.",
        alt=f"{half}One bar for each number of tokens; its filled part is scores and mixing, the rest the "
        "projections. Filled: "
        + listing(
            f"{show(100 * s, '.1f')} per cent at {show(n, ',d')} tokens"
            for n, s in zip(lengths, shares, strict=True)
        )
        + ".",
    )


def _bytes(count):
    """Write a number of bytes in the unit that suits it."""
    for unit, size in (("GiB", GIB), ("MiB", MIB), ("KiB", KIB)):
        if count >= size:
            value = count / size
            return f"{show(value, '.0f' if value == round(value) else '.1f')} {unit}"
    return f"{show(count, 'd')} bytes"


@picture("grid-memory")
def grid_memory(lengths, sizes):
    """Draw the memory of a layer's score grids as squares whose area is to scale.

    Parameters
    ----------
    lengths : sequence of int
        Numbers of tokens, from few to many.
    sizes : sequence of int
        Bytes that the score grids take at each.

    Returns
    -------
    Picture
    """
    largest, left, bottom = 2.7, 0.3, 3.24
    right, column = left + largest, left + largest + 0.42
    sheet = Canvas(3.4, "Four times the tokens, sixteen times the memory")
    sides = [largest * np.sqrt(size / max(sizes)) for size in sizes]
    label = bottom + 0.24
    for i in reversed(range(len(sizes))):
        sheet.box(
            right - sides[i],
            bottom - sides[i],
            sides[i],
            sides[i],
            role="ink",
            fill="positive-mark",
            opacity=0.18 + 0.16 * (len(sizes) - 1 - i),
            line=1.0,
            gid=f"square:memory:{i}",
        )
    for i, (n, size, side) in enumerate(zip(lengths, sizes, sides, strict=True)):
        edge = bottom - 0.7 * side  # where the square's right side is not yet a smaller one's
        label = min(edge, label - 0.34)
        sheet.line([right, right + 0.16, column - 0.06], [edge, label, label], role="muted", width=0.9)
        sheet.text(column, label, f"{show(n, ',d')} tokens", ha="left")
        sheet.text(style.MEASURE - 0.12, label, _bytes(size), ha="right", bold=True, gid=f"number:memory:{i}")
    return sheet.done(
        caption="Memory for the score grids of one layer, all heads together, if they are stored "
        "whole. The area of a square is its memory.",
        alt="Squares lie one inside the other from a common corner, lower right; their areas are to scale, "
        f"and the side of the largest is {show(max(sides) / min(sides), '.0f')} times that of the smallest. "
        "Memory: "
        + listing(f"{_bytes(s)} at {show(n, ',d')} tokens" for n, s in zip(lengths, sizes, strict=True))
        + ".",
    )


def _seconds(value):
    """Write a time in the unit that suits it, to two digits that count."""
    if value < 1:
        value *= 1000
        return f"{show(value, '.2f' if value < 1 else '.1f' if value < 10 else '.0f')} ms"
    return f"{show(value, '.1f')} s"


def _spoken(value):
    """Write a time as `_seconds` does, with its unit in full."""
    number, unit = _seconds(value).split(" ")
    return f"{number} {'milliseconds' if unit == 'ms' else 'seconds'}"


BYTE_TICKS = {
    16 * KIB: "16 KiB",
    128 * KIB: "128 KiB",
    MIB: "1 MiB",
    8 * MIB: "8 MiB",
    64 * MIB: "64 MiB",
    512 * MIB: "512 MiB",
    4 * GIB: "4 GiB",
    32 * GIB: "32 GiB",
}
SECOND_TICKS = {
    1e-5: "0.01 ms",
    1e-4: "0.1 ms",
    1e-3: "1 ms",
    1e-2: "10 ms",
    1e-1: "0.1 s",
    1e0: "1 s",
    1e1: "10 s",
    1e2: "100 s",
}


@picture("blockwise")
def blockwise(run):
    """Draw measured memory and time of the whole grid and of the blocks, on log axes.

    Parameters
    ----------
    run : scripts.measure.Run
        One run of measurements.

    Returns
    -------
    Picture
    """
    lengths = np.asarray(run.lengths)
    sheet = Canvas(3.6, "Blocks save memory; the steps remain")
    panels = (
        ("memory", "peak memory", 0.86, run.full_bytes, run.block_bytes, BYTE_TICKS, (4, 17)),
        ("time", "time", 3.62, run.full_seconds, run.block_seconds, SECOND_TICKS, (4, -68)),
    )
    for name, title, x, full, block, ticks, away in panels:
        both = [*full, *block]
        limits = (min(both) / 2.2, max(both) * 2.2)
        axes = _log_axes(sheet, (x, 0.78, 2.02, 2.25), lengths, limits, ticks)
        sheet.text(x + 1.01, 0.58, title, bold=True)
        sheet.text(x + 1.01, 3.44, "number of tokens", role="muted", size=style.SMALL)
        axes.plot(
            lengths,
            full,
            "s-",
            color=style.COLOURS["ink"],
            ms=6,
            lw=1.6,
            mfc=style.COLOURS["positive-mark"],
            gid=f"line:{name}:full",
        )
        axes.plot(
            lengths,
            block,
            "o--",
            color=style.COLOURS["token"],
            ms=6,
            lw=1.6,
            mfc=style.COLOURS["paper"],
            gid=f"line:{name}:block",
        )
        _beside(axes, lengths[-2], full[-2], "whole grid", (-8, 8), ha="right", bold=True)
        _beside(axes, lengths[-1], block[-1], "in blocks", away, ha="right", bold=True, role="token")
    where = (
        f"Recorded once on a {CORES.get(run.cores, 'larger')} machine; run the cell with your own "
        "measurements to see yours."
        if run.recorded
        else "Measured on this machine."
    )
    told = " ".join(
        f"{show(run.lengths[i], ',d')} tokens: {_bytes(run.full_bytes[i])} and "
        f"{_spoken(run.full_seconds[i])} with the whole grid, {_bytes(run.block_bytes[i])} and "
        f"{_spoken(run.block_seconds[i])} in blocks."
        for i in range(len(lengths))
    )
    gains = [
        f"{say(full[0])} to {say(full[-1])} with the whole grid, "
        f"{say(block[0])} to {say(block[-1])} in blocks"
        for say, full, block in (
            (_bytes, run.full_bytes, run.block_bytes),
            (_spoken, run.full_seconds, run.block_seconds),
        )
    ]
    ends = f"From {show(run.lengths[0], ',d')} to {show(run.lengths[-1], ',d')} tokens"
    return sheet.done(
        caption="Measured peak memory and time of one head of attention, with the whole grid and "
        f"in blocks, on log axes. {where}",
        alt=f"{ends} memory goes from {gains[0]}. Time goes from {gains[1]}. Two plots against the number of "
        "tokens, on log axes: left peak memory, right time; the whole grid solid, blocks dashed. "
        f"{told}",
    )
