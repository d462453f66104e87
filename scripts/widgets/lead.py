"""Section 4: how far one of two keys is ahead in the score, and what it takes of the mix."""

import numpy as np

from scripts.attention import softmax
from scripts.draw import style
from scripts.draw.canvas import Canvas
from scripts.numbers import show
from scripts.widgets._curve import curve
from scripts.widgets._slider import slider


@slider(handle="lead", start="+1.00")
def lead(leads=None):
    """Let one of two keys be ahead in the score, and see what it takes of the mix.

    Parameters
    ----------
    leads : sequence of float, optional
        -6 to 6 by 0.25 if not given.
    """
    leads = np.arange(-6, 6.01, 0.25) if leads is None else np.asarray(leads, dtype=float)
    shares = softmax(np.column_stack([leads, np.zeros_like(leads)]))  # (m, 2)
    for here, pair in zip(leads.tolist(), shares, strict=True):
        yield show(here, "+.2f"), _draw(leads, shares[:, 0], here, pair)


def _draw(leads, firsts, lead, shares):
    """Draw two weights as bars, and where they lie on the curve of the first one's at all leads."""
    sheet = Canvas(2.75, "Two keys share one mix")
    full, ground = 1.55, 2.25
    keys = ("first key", "key", 0.55), ("second key", "token", 1.4)
    for i, ((word, role, x), share) in enumerate(zip(keys, shares, strict=True)):
        bar = {"x": x - 0.3, "width": 0.6}
        sheet.box(y=ground - full, height=full, role="faint", **bar)
        filled = {"fill": role, "opacity": 0.55, "gid": f"bar:share:{i}"}
        sheet.box(y=ground - full * share, height=full * share, role=None, **bar, **filled)
        sheet.number(x, ground - full - 0.13, share, ".3f", bold=True, gid=f"number:shares:0:{i}")
        sheet.text(x, ground + 0.17, word, size=style.SMALL, role=role)
    low, high = min(leads), max(leads)
    curve(
        sheet,
        (2.6, 0.7, 2.95, 1.45),
        leads,
        firsts,
        (lead, shares[0]),
        role="key",
        name="share",
        xlabel="lead of the first key in the score",
        xticks=[-6, -4, -2, 0, 2, 4, 6] if (low, high) == (-6, 6) else [low, 0, high],
        yticks=[0, 0.5, 1],
    )
    sheet.text(2.6, 0.5, "weight of the first key", role="key", ha="left", size=style.SMALL)
    alt = f"Lead {show(lead, '+.2f')}: the first key takes {show(shares[0], '.3f')} of the mix, "
    alt += f"the second {show(shares[1], '.3f')}."
    if lead and 0 in leads:
        (level,) = firsts[leads == 0]
        alt += f" Without a lead the first takes {show(level, '.3f')}."
    caption = "The weight of each of two keys against the lead of the first."
    return sheet.done(caption=caption, alt=alt, titled=False)
