"""Pictures of section 3: what is drawn is what was computed."""

import numpy as np
import pytest
from matplotlib.colors import to_rgba
from matplotlib.text import Text

from scripts import draw, example, experiments
from scripts.draw import style
from scripts.numbers import show
from tools.cells import draw_picture
from tools.facts import facts


def by_gid(picture):
    """Artists by their gid; each gid once."""
    found = [artist for artist in picture.findobj() if artist.get_gid()]
    gids = [artist.get_gid() for artist in found]
    assert len(set(gids)) == len(gids)
    return dict(zip(gids, found, strict=True))


def numbers(artists, name):
    return [a.get_text() for gid, a in artists.items() if gid.startswith(f"number:{name}:")]


def test_the_dot_product_by_hand():
    query, key = example.QUERIES[3], example.KEYS[0]
    picture = draw_picture("dot-product-by-hand")
    drawn = by_gid(picture)
    assert numbers(drawn, "query") == [show(v, "+.2f") for v in query]
    assert numbers(drawn, "key") == [show(v, "+.2f") for v in key]
    assert numbers(drawn, "products") == [show(a * b, "+.4f") for a, b in zip(query, key, strict=True)]
    assert drawn["number:total:0:0"].get_text() == show(example.RAW[3, 0], "+.4f")
    assert show(example.RAW[3, 0], "+.4f") in picture.alt


def test_the_turning_query():
    picture = draw_picture("dot-product-angle")
    drawn = by_gid(picture)
    angles, products = drawn["line:products"].get_data()
    np.testing.assert_allclose(products, 4 * np.cos(np.deg2rad(angles)), atol=1e-12)
    at, marked = drawn["points:products"].get_data()
    np.testing.assert_array_equal(at, np.arange(0, 181, 30))
    np.testing.assert_allclose(marked, facts()["turned-products"], atol=1e-12)
    assert numbers(drawn, "products") == [show(v, "+.2f") for v in marked]
    for index, angle in zip(range(0, 37, 6), at, strict=True):
        (x0, y0), (x1, y1) = drawn[f"arrow:query:{index}"]._posA_posB
        assert np.rad2deg(np.arctan2(y0 - y1, x1 - x0)) == pytest.approx(angle, abs=1e-9)
        (x0, y0), (x1, y1) = drawn[f"arrow:key:{index}"]._posA_posB
        assert y0 == y1 and x1 > x0


@pytest.mark.parametrize(
    ("identity", "grids"),
    [("raw-scores", {"raw": example.RAW}), ("scaled-scores", {"raw": example.RAW, "scaled": example.SCORES})],
)
def test_grids_of_scores(identity, grids):
    drawn = by_gid(draw_picture(identity))
    limit = np.abs(example.RAW).max()
    for name, values in grids.items():
        assert numbers(drawn, name) == [show(v, "+.2f") for v in values.ravel()]
        for (i, j), value in np.ndenumerate(values):
            role = "negative" if value < 0 else "positive"
            want = to_rgba(style.COLOURS[role], abs(value) / limit)
            assert drawn[f"cell:{name}:{i}:{j}"].get_facecolor() == pytest.approx(want)


def test_the_score_worked_by_hand_is_outlined():
    drawn = by_gid(draw_picture("raw-scores"))
    assert [gid for gid in drawn if gid.startswith("marked:")] == ["marked:raw:3:0"]
    assert drawn["note:largest"].get_text() == "largest: +5.92"
    assert drawn["note:smallest"].get_text() == "smallest: −5.68"


def test_largest_and_smallest_in_one_row_do_not_collide():
    drawn = by_gid(draw.raw_scores(np.array([[1.0, -2.0], [0.5, 0.0]]), ["a", "b"]))
    assert drawn["note:largest"].get_position() != drawn["note:smallest"].get_position()


def test_a_divisor_that_is_no_whole_number_is_shown_rounded():
    raw = example.RAW[:2, :2]
    picture = draw.scaled_scores(raw, raw / np.sqrt(2), ["a", "b"], np.sqrt(2))
    assert "divided by 1.41" in picture.alt
    assert any("÷ 1.41" in text.get_text() for text in picture.findobj(Text))


def test_the_spread_of_scores():
    spread = experiments.score_spread()
    drawn = by_gid(draw_picture("score-spread"))
    for gid, values in {
        "points:raw": spread.raw,
        "points:scaled": spread.scaled,
        "line:scaled": spread.scaled,
        "line:law": [2, 4, 8, 16, 32],
    }.items():
        np.testing.assert_array_equal(drawn[gid].get_xdata(), spread.sizes)
        np.testing.assert_array_equal(drawn[gid].get_ydata(), values)
    assert numbers(drawn, "raw") == [show(v, ".2f") for v in spread.raw]
    assert numbers(drawn, "scaled") == [show(v, ".2f") for v in spread.scaled]


def test_the_winners_share():
    winner = experiments.winner_share()
    drawn = by_gid(draw_picture("winner-share"))
    for name, shares in {"raw": winner.raw, "scaled": winner.scaled}.items():
        assert numbers(drawn, name) == [show(v, ".3f") for v in shares]
        heights = [drawn[f"bar:{name}:{i}"].get_height() for i in range(len(shares))]
        np.testing.assert_allclose(np.array(heights) / heights[0], shares / shares[0])
    raw, scaled = (drawn[f"bar:{name}:0"].get_height() for name in ("raw", "scaled"))
    assert raw / scaled == pytest.approx(winner.raw[0] / winner.scaled[0])


# ---- facts beyond those of the page -----------------------------------------


def test_the_angle_between_cube_and_pick():
    known = facts()
    turn = np.deg2rad(known["cube-pick-angle"])
    lengths = known["cube-query-length"] * known["pick-key-length"]
    assert lengths * np.cos(turn) == pytest.approx(example.RAW[3, 0])


def test_slopes_are_worked_from_the_measured_shares():
    known = facts()
    for way in ("raw", "scaled"):
        shares = known[f"winner-{way}-by-size"]
        np.testing.assert_allclose(known[f"slope-{way}"], shares - shares**2)
    assert known["slope-total-raw"][-1] < 0.11 * known["slope-total-raw"][0]
    assert known["slope-median-raw"][-1] < 0.001 and (known["slope-median-scaled"] > 0.96).all()


def test_wrong_divisors_overshoot():
    known = facts()
    assert known["divisor-head-size"] == 64 and known["divisor-root"] == 8
    assert known["spread-by-width"] == pytest.approx(1 / np.sqrt(known["divisor-heads"]))
    assert known["spread-by-tokens"] == pytest.approx(np.sqrt(64 / 512))
