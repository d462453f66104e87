"""A curve with one point on it, which several sliders share."""

from scripts.draw import style
from scripts.numbers import show


def curve(sheet, place, xs, ys, point, *, role, name, xlabel, xticks, yticks):
    """Draw a curve on axes of its own, with the point at which the handle stands."""
    axes = sheet.plot(*place, xlim=(min(xs), max(xs)), xticks=xticks, yticks=yticks)
    low, high = min(yticks), max(yticks)
    axes.set_ylim(low - 0.06 * (high - low), high + 0.06 * (high - low))
    axes.grid(axis="y")
    axes.plot(xs, ys, color=style.COLOURS[role], gid=f"line:{name}")
    axes.plot([point[0]] * 2, [axes.get_ylim()[0], point[1]], color=style.COLOURS["muted"], lw=1)
    ink = style.COLOURS["ink"]
    axes.plot([point[0]], [point[1]], "o", ms=9, color=ink, gid=f"point:{name}", clip_on=False)
    axes.set_xlabel(xlabel)
    axes.set_xticklabels([show(x, "g") for x in xticks])
    axes.set_yticklabels([show(y, "g") for y in yticks])
