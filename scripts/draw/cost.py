"""Pictures of section 7: what attention costs as the window grows."""

import numpy as np
from matplotlib.ticker import FixedLocator, NullLocator

from scripts.draw.canvas import Canvas, Counts, Picture, Row, beside, picture
from scripts.draw.style import COLOURS, MEASURE, TINT
from scripts.measure import Run
from scripts.numbers import listing, show, show_bytes

CORES = {1: "one-core", 2: "two-core", 4: "four-core", 8: "eight-core"}


@picture("grids-grow")
def grids_grow(sizes: Counts) -> Picture:
    """Draw the score matrices of a few numbers of tokens, from few to many, all to one scale."""
    side = 2.3 / max(sizes)  # inches a cell
    gap, bottom = 0.62, 2.8
    sheet = Canvas(3.4, "Twice the tokens, four times the scores")
    x = (MEASURE - side * sum(sizes) - gap * (len(sizes) - 1)) / 2
    thin = {"role": "muted", "width": 0.6}
    for i, n in enumerate(sizes):
        length, top, name = n * side, bottom - n * side, f"scores:{i}"
        sheet.box(x, top, length, length, fill="positive-mark", opacity=0.35, gid=f"square:{name}")
        for k in range(1, n):
            at = k * side
            sheet.line([x + at] * 2, [top, bottom], gid=f"line:{name}:column:{k}", **thin)
            sheet.line([x, x + length], [top + at] * 2, gid=f"line:{name}:row:{k}", **thin)
        sheet.box(x, top, length, length, role="ink", line=1.4)
        middle = x + length / 2
        sheet.text(middle, bottom + 0.2, f"{show(n, 'd')} tokens")
        sheet.text(middle, bottom + 0.43, f"{show(n * n, ',d')} scores", bold=True, gid=f"number:{name}")
        x += length + gap
    return sheet.done(
        caption="The score matrices of one head, drawn to one scale: a row for each query, a column "
        "for each key.",
        alt="Square matrices of cells of one size, side by side, with a row for each query and a column "
        "for each key. They hold "
        + listing(f"{show(n * n, ',d')} scores for {show(n, 'd')} tokens" for n in sizes)
        + ".",
    )


def _log_axes(sheet, place, lengths, values, margin, ticks):
    """Return axes on which doubling takes the same room everywhere; `ticks` maps value to label."""
    low, high = min(values) / margin, max(values) * margin
    axes = sheet.plot(*place, xscale="log", yscale="log", ylim=(low, high))
    axes.set_xlim(lengths[0] / 1.25, lengths[-1] * 1.25)
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_minor_locator(NullLocator())
    # Every second length is named, the last one always.
    named = lengths[(len(lengths) - 1) % 2 :: 2] if len(lengths) > 3 else lengths
    axes.xaxis.set_major_locator(FixedLocator(named))
    axes.set_xticklabels([show(n, ",d") for n in named])
    inside = {value: word for value, word in ticks.items() if low <= value <= high}
    axes.yaxis.set_major_locator(FixedLocator(list(inside)))
    axes.set_yticklabels(inside.values())
    axes.grid(True)
    return axes


def _steps(count):
    """Write a large count of MACs in millions or billions."""
    if count < 1e9:
        return f"{show(count / 1e6, ',.1f')} million"
    return f"{show(count / 1e9, ',.1f')} billion"


STEP_TICKS = {  # 1 thousand to 10,000 billion
    10**power: f"{show(10 ** (power - first), ',d')} {unit}"
    for first, end, unit in ((3, 6, "thousand"), (6, 9, "million"), (9, 14, "billion"))
    for power in range(first, end)
}


@picture("cost-crossing")
def cost_crossing(lengths: Counts, projections: Counts, grids: Counts, crossing: int) -> Picture:
    """Draw the MACs of both parts against the number of tokens, on log axes.

    Each length is twice the one before; at the `crossing` both parts cost the same.
    """
    lengths = np.asarray(lengths)
    projections, grids = np.asarray(projections, float), np.asarray(grids, float)
    sheet = Canvas(3.9, "Beyond the crossing, the pairs cost more")
    both = [*projections, *grids]
    axes = _log_axes(sheet, (1.32, 0.66, 4.25, 2.66), lengths, both, 2.5, STEP_TICKS)
    sheet.note(1.2, 0.49, "MACs", ha="right")
    sheet.note(3.45, 3.74, "number of tokens")
    axes.plot(lengths, projections, color=COLOURS["token"], ls=(0, (5, 1.5)), gid="line:projections")
    axes.plot(lengths, grids, color=COLOURS["ink"], gid="line:grid")
    name = {"ha": "right", "bold": True}
    beside(axes, lengths[-1], grids[-1], "scores and mixing", (-34, 3), **name)
    beside(axes, lengths[-1], projections[-1], "four projections", (2, -37), role="muted", **name)
    steep = meet = ""
    if lengths[0] <= crossing <= lengths[-1]:
        # Straight lines on log axes: read the height between two points off their logarithms.
        level = np.exp(np.interp(np.log(crossing), np.log(lengths), np.log(projections)))
        tint = {"facecolor": COLOURS["positive-mark"], "alpha": TINT, "edgecolor": "none"}
        axes.axvspan(crossing, axes.get_xlim()[1], gid="span:grid-costs-more", **tint)
        axes.plot([crossing], [level], "o", color=COLOURS["ink"], gid="point:crossing")
        told, gid = f"equal at\n{show(crossing, ',d')} tokens", "number:crossing"
        if crossing >= 4 * lengths[0]:
            beside(axes, crossing, level, told, (-12, 24), ha="right", gid=gid)
        else:  # no room on the left: beside the point, in one line under both
            beside(axes, crossing, level, told.replace("\n", " "), (14, -3), gid=gid)
        meet = (
            f"They meet at {show(crossing, ',d')} tokens. Before that the four projections cost more, "
            "beyond it scores and mixing. "
        )
    if np.allclose(grids / grids[0], (projections / projections[0]) ** 2, rtol=1e-6):
        steep = "The line of scores and mixing is twice as steep as that of the four projections. "
    told = " ".join(
        f"At {show(lengths[i], ',d')} tokens: {_steps(projections[i])} MACs for the projections, "
        f"{_steps(grids[i])} for scores and mixing."
        for i in (0, -1)
    )
    return sheet.done(
        caption="MACs (multiply–accumulates) of one layer, on log axes: equal distances multiply by the "
        "same factor. Where it is tinted, scores and mixing cost more than the projections.",
        alt=f"Two straight rising lines, MACs against tokens, on log axes. {meet}{steep}{told}",
    )


@picture("grid-share")
def grid_share(lengths: Counts, shares: Row) -> Picture:
    """Draw which part of a layer's MACs, from 0 to 1, the pairs take at several numbers of tokens."""
    full, left, high, pitch, top = 3.55, 1.3, 0.3, 0.44, 0.74
    sheet = Canvas(top + pitch * len(lengths) + 0.1, "The longer the text, the larger the pairs’ share")
    sheet.text(left - 0.12, 0.53, "tokens", ha="right", role="muted")
    sheet.text(left, 0.53, "scores and mixing", ha="left", bold=True)
    sheet.text(left + full, 0.53, "projections", ha="right", bold=True, role="token")
    part = {"role": None, "fill": "positive-mark", "opacity": 0.75}
    for i, (n, share) in enumerate(zip(lengths, shares, strict=True)):
        y = top + i * pitch
        middle = y + high / 2
        sheet.text(left - 0.12, middle, show(n, ",d"), ha="right")
        sheet.box(left, y, full, high, role=None, fill="token", gid=f"bar:all:{i}")
        sheet.box(left, y, full * share, high, gid=f"bar:share:{i}", **part)
        sheet.box(left, y, full, high, role="muted", line=0.8)
        x, gid = left + full + 0.1, f"number:share:{i}"
        sheet.text(x, middle, f"{show(100 * share, '.1f')} %", ha="left", gid=gid)
    over = [s > 0.5 for s in shares]
    half = ""
    if True in over[1:] and not over[0]:
        first = over.index(True)
        half = f"More than half is filled for the first time at {show(lengths[first], ',d')} tokens. "
    filled = listing(
        f"{show(100 * s, '.1f')} per cent at {show(n, ',d')} tokens"
        for n, s in zip(lengths, shares, strict=True)
    )
    return sheet.done(
        caption="Of all MACs in one attention layer, the part that is spent on scores and mixing.",
        alt=f"{half}One bar for each number of tokens; its filled part is scores and mixing, the rest the "
        f"projections. Filled: {filled}.",
    )


@picture("grid-memory")
def grid_memory(lengths: Counts, sizes: Counts) -> Picture:
    """Draw the bytes of a layer's score matrices, from few tokens to many, as squares whose area is to scale."""
    largest, left, bottom = 2.7, 0.3, 3.24
    right, column = left + largest, left + largest + 0.42
    sheet = Canvas(3.4, "Four times the tokens, sixteen times the memory")
    sides = [largest * np.sqrt(size / max(sizes)) for size in sizes]
    for i, side in reversed(list(enumerate(sides))):
        look = {"role": "ink", "fill": "positive-mark", "opacity": 0.18 + 0.16 * (len(sizes) - 1 - i)}
        sheet.box(right - side, bottom - side, side, side, gid=f"square:memory:{i}", **look)
    label = bottom + 0.24
    for i, (n, size, side) in enumerate(zip(lengths, sizes, sides, strict=True)):
        edge = bottom - 0.7 * side  # where the square's right side is not yet a smaller one's
        label = min(edge, label - 0.34)
        sheet.line([right, right + 0.16, column - 0.06], [edge, label, label], role="muted", width=0.9)
        sheet.text(column, label, f"{show(n, ',d')} tokens", ha="left")
        x, gid = MEASURE - 0.12, f"number:memory:{i}"
        sheet.text(x, label, show_bytes(size), ha="right", bold=True, gid=gid)
    told = listing(f"{show_bytes(s)} at {show(n, ',d')} tokens" for n, s in zip(lengths, sizes, strict=True))
    return sheet.done(
        caption="Memory for the score matrices of one layer, all heads together, if they are stored "
        "whole. The area of a square is its memory.",
        alt="Squares lie one inside the other from a common corner, lower right; their areas are to scale, "
        f"and the side of the largest is {show(max(sides) / min(sides), '.0f')} times that of the smallest. "
        f"Memory: {told}.",
    )


def _seconds(value):
    """Write a time in the unit that suits it, to two digits that count."""
    if value < 1:
        value *= 1000
        return f"{show(value, '.2f' if value < 1 else '.1f' if value < 10 else '.0f')} milliseconds"
    return f"{show(value, '.1f')} seconds"


BYTE_TICKS = {2**power: show_bytes(2**power) for power in range(14, 36, 3)}  # 16 KiB to 32 GiB
SECOND_TICKS = {  # 0.01 ms to 100 s
    10.0**power: f"{10 ** (power + 3):g} ms" if power < -1 else f"{10.0**power:g} s" for power in range(-5, 3)
}


@picture("blockwise")
def blockwise(run: Run) -> Picture:
    """Draw measured memory and time of the whole matrix and of the blocks, on log axes."""
    lengths = np.asarray(run.lengths)
    sheet = Canvas(3.6, "Blocks save memory; the MACs remain")
    ink, token, paper, mark = (COLOURS[role] for role in ("ink", "token", "paper", "positive-mark"))
    look = {"ms": 6, "lw": 1.6}
    for name, title, x, full, block, ticks, away in (
        ("memory", "peak memory", 0.86, run.full_bytes, run.block_bytes, BYTE_TICKS, (4, 17)),
        ("time", "time", 3.62, run.full_seconds, run.block_seconds, SECOND_TICKS, (4, -68)),
    ):
        axes = _log_axes(sheet, (x, 0.78, 2.02, 2.25), lengths, [*full, *block], 2.2, ticks)
        sheet.text(x + 1.01, 0.58, title, bold=True)
        sheet.note(x + 1.01, 3.44, "number of tokens")
        axes.plot(lengths, full, "s-", color=ink, mfc=mark, gid=f"line:{name}:full", **look)
        axes.plot(lengths, block, "o--", color=token, mfc=paper, gid=f"line:{name}:block", **look)
        beside(axes, lengths[-2], full[-2], "whole matrix", (-8, 8), ha="right", bold=True)
        beside(axes, lengths[-1], block[-1], "in blocks", away, ha="right", bold=True, role="token")
    where = (
        f"Recorded once on a {CORES.get(run.cores, 'larger')} machine; run the cell with your own "
        "measurements to see yours."
        if run.recorded
        else "Measured on this machine."
    )
    memory, block_memory = (list(map(show_bytes, row)) for row in (run.full_bytes, run.block_bytes))
    time, block_time = (list(map(_seconds, row)) for row in (run.full_seconds, run.block_seconds))
    tokens = [show(n, ",d") for n in lengths]
    told = " ".join(
        f"{n} tokens: {m} and {t} with the whole matrix, {bm} and {bt} in blocks."
        for n, m, t, bm, bt in zip(tokens, memory, time, block_memory, block_time, strict=True)
    )

    def gain(whole, blocks):
        return f"{whole[0]} to {whole[-1]} with the whole matrix, {blocks[0]} to {blocks[-1]} in blocks"

    return sheet.done(
        caption="Measured peak memory and time of one head of attention, with the whole matrix and "
        f"in blocks, on log axes. {where}",
        alt=f"From {tokens[0]} to {tokens[-1]} tokens memory goes from {gain(memory, block_memory)}. "
        f"Time goes from {gain(time, block_time)}. Two plots against the number of tokens, on log axes: left "
        f"peak memory, right time; the whole matrix solid, blocks dashed. {told}",
    )
