"""The pictures of the arm: what stands where, and how thick, is what was computed."""

import numpy as np
import pytest
from drawn import artists
from matplotlib.patches import FancyArrowPatch

from scripts import arm, draw
from scripts.numbers import show

pytestmark = pytest.mark.slow

BEFORE, AFTER = arm.reach("box", parameters=arm.STUCK), arm.reach("box")


def at(artist):
    """Where a dot, or the middle of a ring, stands on the sheet."""
    if hasattr(artist, "center"):
        return np.array(artist.center)
    return np.column_stack(artist.get_data())[0]


def assert_table(found, reach, name):
    """One scale turns places on the table into places on the sheet, for the things and the hand alike."""
    marks = [f"thing:{name}{i}" for i in range(4)] + [f"hand:{name}"]
    shown = np.array([at(found[mark]) for mark in marks])
    wanted = np.vstack([reach.places, reach.hand]) * (1, -1)
    scale = np.ptp(shown[:, 0]) / np.ptp(wanted[:, 0])
    np.testing.assert_allclose(shown - shown[0], scale * (wanted - wanted[0]), atol=1e-9)
    asked = arm.THINGS.index(reach.word)
    np.testing.assert_allclose(at(found[f"asked:{name}"]), shown[asked])
    widths = np.array([found[f"line:{name}{i}"].get_linewidth() for i in range(4)])
    np.testing.assert_allclose(widths / widths.sum(), reach.weights)
    for i, (thing, weight) in enumerate(zip(arm.THINGS, reach.weights, strict=True)):
        assert found[f"number:{name}weights:{i}"].get_text() == f"{thing} {show(weight, '.2f')}"
        np.testing.assert_allclose(np.column_stack(found[f"line:{name}{i}"].get_data()), [shown[4], shown[i]])


@pytest.mark.parametrize("picture", [draw.arm_reaches, draw.arm_own])
def test_tables(picture):
    drawn = picture(BEFORE, AFTER)
    found = artists(drawn)
    for k, reach in enumerate((BEFORE, AFTER)):
        assert_table(found, reach, f"{k}:")
        far = show(np.hypot(*(reach.hand - reach.places[3])), ".2f")
        assert found[f"number:distance:{k}"].get_text() == f"{far} from the box"
        assert f"{far} from the box" in drawn.alt


def test_arrows_have_one_scale():
    queries = arm.PARAMETERS["words"] @ arm.PARAMETERS["w_query"]
    keys = arm.PARAMETERS["looks"] @ arm.PARAMETERS["w_key"][:4]
    found = artists(draw.arm_arrows(queries, keys))
    drawn = []
    for role in ("query", "key"):
        arrows = [found[f"arrow:{role}:{i}"] for i in range(4)]
        assert all(isinstance(arrow, FancyArrowPatch) for arrow in arrows)
        drawn += [np.diff(np.array(arrow._posA_posB), axis=0)[0] * (1, -1) for arrow in arrows]
    wanted = np.vstack([queries, keys])
    scale = np.abs(drawn).sum() / np.abs(wanted).sum()
    np.testing.assert_allclose(drawn, scale * wanted, atol=1e-9)


def test_starts_in_rising_order():
    distances = [0.3, 0.02, 0.05, 0.01]
    picture = draw.arm_starts(distances, 0.7)
    found = artists(picture)
    np.testing.assert_array_equal(
        found["points:distance"].get_xydata(), list(zip([1, 2, 3, 4], sorted(distances), strict=True))
    )
    np.testing.assert_array_equal(found["line:never"].get_ydata(), [0.7, 0.7])
    assert picture.alt.startswith("3 of 4 starts arrive")
    assert "0.010 and 0.050, the others at 0.30 to 0.30" in picture.alt


def test_head_sizes_with_and_without_the_division():
    sizes = (4, 64)
    divided = [[0.1, 0.3, 0.2], [0.2, 0.4, 0.3]]
    undivided = [[0.1, 0.2, 0.15], [0.5, float("inf"), 0.7]]
    picture = draw.root_in_training(sizes, divided, undivided, 0.76)
    lines = artists(picture)
    np.testing.assert_allclose(lines["line:divided"].get_xydata(), [(4, 0.2), (64, 0.3)])
    np.testing.assert_allclose(lines["line:undivided"].get_xydata(), [(4, 0.15), (64, 0.7)])
    top = lines["line:divided"].axes.get_ylim()[1]
    for name, grid in (("divided", divided), ("undivided", undivided)):
        kept, shown = np.isfinite(grid).ravel(), lines[f"points:{name}"].get_ydata()
        np.testing.assert_array_equal(shown[kept], np.ravel(grid)[kept])
        assert ((shown[~kept] > 0.9) & (shown[~kept] < top)).all()
    assert "64: divided 0.30, undivided 0.70." in picture.alt and "1 of the starts ran away." in picture.alt
