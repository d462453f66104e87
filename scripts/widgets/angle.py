"""Section 3: two arrows of one length, and their dot product as one of them turns."""

import numpy as np

from scripts.attention import raw_scores
from scripts.draw import style
from scripts.draw.canvas import Canvas
from scripts.numbers import show
from scripts.widgets._curve import curve
from scripts.widgets._slider import slider


@slider(handle="angle", start="45°")
def angle(angles=None, length=2.0):
    """Turn one vector away from another of the same length.

    Parameters
    ----------
    angles : sequence of float, optional
        Degrees; 0 to 180 by 5 if not given.
    length : float
        Of both vectors.
    """
    angles = np.arange(0, 181, 5) if angles is None else np.asarray(angles)
    fixed = np.array([length, 0.0])
    turned = length * np.column_stack([np.cos(np.radians(angles)), np.sin(np.radians(angles))])
    products = raw_scores([fixed], turned)[0]  # (m,)
    for here, vector, product in zip(angles.tolist(), turned, products, strict=True):
        yield f"{show(here, 'g')}°", _draw(angles, products, here, fixed, vector, product)


def _draw(angles, products, angle, fixed, turned, product):
    """Draw both vectors, and their dot product on the curve of all angles."""
    sheet = Canvas(2.75, "Turn the key away from the query")
    length = float(np.hypot(*fixed))
    scale, centre = 1.0 / length, np.array([1.5, 2.05])
    flip = np.array([scale, -scale])
    arc = np.radians(np.arange(0, 181, 5))
    sheet.line(centre[0] + np.cos(arc), centre[1] - np.sin(arc), role="faint", dashed=True)
    sheet.arrow(centre, centre + flip * fixed, role="query", width=3)
    sheet.arrow(centre, centre + flip * turned, role="key", width=3, gid="arrow:turned")
    sheet.text(centre[0] + 0.62, centre[1] + 0.2, "query", role="query")
    out, lift = (0.5, 0.16) if angle < 12 else (1.19, 0)  # beyond its tip "key" would leave the sheet
    sheet.text(*(centre + flip * turned * out - (0, lift)), "key", role="key", gid="label:key")
    curve(
        sheet,
        (3.15, 0.7, 2.45, 1.45),
        angles,
        products,
        (angle, product),
        role="ink",
        name="product",
        xlabel="angle in degrees",
        xticks=[0, 45, 90, 135, 180],
        yticks=[-(length**2), 0, length**2],
    )
    sheet.text(3.15, 0.5, "dot product", ha="left", size=style.SMALL)
    sheet.number(5.6, 0.5, product, "+.2f", bold=True, ha="right", gid="number:product:0:0")
    exactly = {
        0: "they point the same way",
        90: "they are at a right angle",
        180: "they point in opposite directions",
    }
    match = exactly.get(angle, "they still match a little" if angle < 90 else "they point apart")
    return sheet.done(
        caption="Two vectors of equal length and their dot product.",
        alt=f"Angle {show(angle, 'g')} degrees: the dot product is {show(product, '+.2f')}, of "
        f"{show(max(products), '+.2f')} at most; {match}.",
        titled=False,
    )
