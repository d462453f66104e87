"""Section 7: which part of the work takes over as a text grows longer."""

import numpy as np

from scripts import cost
from scripts.draw import style
from scripts.draw.canvas import Canvas
from scripts.draw.words import compared
from scripts.numbers import show, show_bytes
from scripts.widgets._slider import slider


@slider(handle="tokens", start="1,024", second=("dimension", show(cost.WIDTH, ",d")))
def window(ns=cost.WINDOWS, widths=cost.WIDTHS):
    """Let the text grow and see which part of the work takes over.

    Parameters
    ----------
    ns : sequence of int
        Numbers of tokens.
    widths : sequence of int
    """
    for width in widths:
        projections = np.array([cost.projection_steps(n, width) for n in ns])
        grids = np.array([cost.grid_steps(n, width) for n in ns])
        for i, n in enumerate(ns):
            share, memory = cost.grid_share(n, width), show_bytes(cost.grid_bytes(n))
            picture = _draw(np.array(ns), projections, grids, i, width, share, memory)
            yield show(n, ",d"), picture, show(width, ",d")


def _draw(ns, projections, grids, chosen, width, share, memory):
    """Draw both costs against the number of tokens, and mark the chosen one."""
    sheet = Canvas(3.3, f"MACs of one layer, model dimension {show(width, ',d')}")
    axes = sheet.plot(0.75, 0.6, 3.0, 2.05, xscale="log", yscale="log")
    axes.set(xlim=(ns[0], ns[-1]), ylim=(1e4, 1e15))
    ticks = [10, 100, 1000, 10_000, 100_000]
    axes.set_xticks(ticks)
    axes.set_xticklabels([show(n, ",d") for n in ticks], size=style.SMALL)
    axes.set_yticks([1e6, 1e9, 1e12, 1e15])
    axes.set_yticklabels(["million", "billion", "trillion", "10¹⁵"], size=style.SMALL)
    axes.grid()
    n, ink, muted = ns[chosen], style.COLOURS["ink"], style.COLOURS["muted"]
    for steps, role, word, dash in (
        (projections, "token", "projections", (4, 2)),
        (grids, "ink", "pairs", ()),
    ):
        colour = style.COLOURS[role]
        axes.plot(ns, steps, color=colour, dashes=dash, gid=f"line:{word}")
        dot = {"ms": 8, "color": colour, "markeredgecolor": ink, "gid": f"point:{word}", "clip_on": False}
        axes.plot([n], [steps[chosen]], "o", **dot)
    # Beside the lines, whatever the width: over the one, under the other.
    look = {"fontsize": style.SMALL, "fontweight": "bold"}
    look["bbox"] = {"facecolor": style.COLOURS["paper"], "edgecolor": "none", "pad": 0.5}
    axes.text(ns[0] * 1.5, projections[0] * 150, "projections", color=style.COLOURS["token"], **look)
    axes.text(ns[0] * 20, grids[0] * 60, "pairs", color=ink, **look)
    axes.axvline(n, color=muted, lw=1, gid="mark")
    sheet.text(2.25, 3.1, "tokens", size=style.SMALL, role="muted")
    x = 4.0
    bar = x, 1.38
    small = {"ha": "left", "size": style.SMALL, "role": "muted"}
    large = {"ha": "left", "bold": True}
    sheet.text(x, 0.78, "tokens", **small)
    sheet.number(x, 0.99, n, ",d", gid="number:n:0:0", **large)
    sheet.text(x, 1.27, "the pairs’ share", **small)
    sheet.box(*bar, 1.6, 0.22, role=None, fill="token")
    sheet.box(*bar, 1.6 * share, 0.22, role=None, fill="positive-mark", opacity=0.8, gid="bar:share:0")
    sheet.box(*bar, 1.6, 0.22, role="muted", line=0.8)
    sheet.text(x, 1.76, f"{show(100 * share, '.1f')} per cent", gid="number:share:0:0", **large)
    sheet.text(x, 2.06, "twelve score matrices", **small)
    sheet.text(x, 2.28, memory, gid="number:memory:0:0", **large)
    more = compared(projections[chosen], grids[chosen], "cost less", "cost the same", "cost more")
    return sheet.done(
        caption="Both costs against the number of tokens.",
        alt=f"{show(n, ',d')} tokens at model dimension {show(width, ',d')}: the projections {more}, and the pairs take "
        f"{show(100 * share, '.1f')} per cent of the work. Projections {_billions(projections[chosen])} "
        f"billion MACs, pairs {_billions(grids[chosen])} billion. Stored whole, twelve score matrices would "
        f"take {memory}.",
        titled=False,
    )


def _billions(steps):
    """Write a number of MACs in billions, to three digits or to the whole billion."""
    billions = steps / 1e9
    return show(billions, ",.0f" if billions >= 100 else ".3g" if billions >= 0.001 else ".6f")
