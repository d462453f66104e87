"""What the pictures of section 6 draw is what was computed."""

import numpy as np
import pytest
from matplotlib.colors import to_rgba

from scripts import attention, cost, draw, example
from scripts.draw import style
from scripts.numbers import show
from tools.cells import draw_picture
from tools.facts.section6 import facts

REAL = np.array([True, True, True, False])


def by_id(picture):
    """Every named artist of a picture."""
    found = {}
    for artist in picture.findobj(lambda a: a.get_gid() is not None):
        assert artist.get_gid() not in found, f"two artists are called {artist.get_gid()}"
        found[artist.get_gid()] = artist
    return found


def assert_grid(artists, name, values, form):
    for (i, j), value in np.ndenumerate(values):
        assert artists[f"number:{name}:{i}:{j}"].get_text() == show(value, form)


def assert_weight_fills(artists, name, values):
    for (i, j), value in np.ndenumerate(values):
        face = artists[f"cell:{name}:{i}:{j}"].get_facecolor()
        assert face == pytest.approx(to_rgba(style.COLOURS["weight"], value))


def test_self_cross():
    artists = by_id(draw_picture("self-cross"))
    for name, values in (("self", example.WEIGHTS), ("cross", example.CROSS.weights)):
        assert_grid(artists, name, values, ".3f")
        assert_weight_fills(artists, name, values)
    assert "number:cross:2:0" not in artists
    assert "number:cross:0:4" not in artists


@pytest.mark.parametrize(
    ("identity", "mask"),
    [("padding-mask", attention.padding_mask(REAL)), ("causal-mask", attention.causal_mask(4))],
)
def test_masked_pairs(identity, mask):
    artists = by_id(draw_picture(identity))
    for (i, j), may in np.ndenumerate(mask):
        assert (f"number:scores:{i}:{j}" in artists) == may
        assert (f"minus-infinity:scores:{i}:{j}" in artists) == (not may)
        assert (f"forbidden:scores:{i}:{j}" in artists) == (not may)
        if may:
            text = artists[f"number:scores:{i}:{j}"].get_text()
            assert text == show(example.SCORES[i, j], "+.2f")
    for i, row in enumerate(mask):
        if not row.any():
            assert f"no-answer:weights:{i}" in artists
            assert f"no-total:{i}" in artists
            assert not any(gid.startswith(f"number:weights:{i}:") for gid in artists)
            assert f"number:totals:{i}:0" not in artists
            continue
        powers = [np.exp(s) if may else 0.0 for s, may in zip(example.SCORES[i], row, strict=True)]
        for j, power in enumerate(powers):
            assert artists[f"number:weights:{i}:{j}"].get_text() == show(power / sum(powers), ".3f")
        assert artists[f"number:totals:{i}:0"].get_text() == "1.000"


def test_alt_says_that_there_is_no_answer():
    alt = draw_picture("padding-mask").alt
    assert "cube: minus infinity everywhere." in alt and "cube: no answer." in alt
    assert "no answer" not in draw_picture("causal-mask").alt


def test_masked_row():
    artists, found = by_id(draw_picture("masked-row")), facts()
    assert_grid(artists, "score", example.SCORES[1:2], "+.3f")
    assert_grid(artists, "kept", example.SCORES[1:2, :3], "+.3f")
    assert "number:kept:0:3" not in artists
    assert "minus-infinity:kept:0:3" in artists
    assert_grid(artists, "raised", np.append(found["masked-exp"], 0.0)[None, :], ".3f")
    weights = np.append(found["masked-row"], 0.0)
    assert_grid(artists, "share", weights[None, :], ".3f")
    assert artists["number:total:raised"].get_text() == show(found["masked-exp-total"], ".3f")
    bars = [artists[f"bar:share:{j}"].get_height() for j in range(4)]
    np.testing.assert_allclose(np.array(bars) / sum(bars), weights, atol=1e-12)


@pytest.mark.parametrize("grid", ["kind", "block", "corner"])
def test_mixed_stream_fills_what_is_allowed(grid):
    artists = by_id(draw_picture("mixed-stream"))
    for (i, j), may in np.ndenumerate(cost.STREAM_ALLOWED):
        if grid == "corner" and not (i and j):
            continue
        assert (f"allowed:{grid}:{i}:{j}" in artists) == may
        assert (f"forbidden:{grid}:{i}:{j}" in artists) == (not may)
        if grid == "kind":
            assert artists[f"word:kind:{i}:{j}"].get_text() == ("yes" if may else "no")


@pytest.mark.parametrize(("grid", "first"), [("block", 0), ("corner", 1)])
def test_mixed_stream_is_to_scale(grid, first):
    artists = by_id(draw_picture("mixed-stream"))
    counts = np.array(cost.STREAM_COUNTS)
    unit = artists[f"allowed:{grid}:3:3"].get_width() / counts[3]
    origin = artists[f"allowed:{grid}:{first}:{first}"].get_xy()
    starts = np.cumsum(counts) - counts - counts[:first].sum()
    for (i, j), may in np.ndenumerate(cost.STREAM_ALLOWED):
        if min(i, j) >= first:
            box = artists[f"{'allowed' if may else 'forbidden'}:{grid}:{i}:{j}"]
            assert box.get_width() == pytest.approx(counts[j] * unit)
            assert box.get_height() == pytest.approx(counts[i] * unit)
            assert box.get_x() == pytest.approx(origin[0] + starts[j] * unit)
            assert box.get_y() == pytest.approx(origin[1] + starts[i] * unit)


def test_a_row_without_an_answer_is_never_drawn_as_numbers():
    nothing = np.zeros((4, 4), dtype=bool)
    weights = attention.softmax(example.SCORES, nothing, no_answer="report")
    artists = by_id(draw.padding_mask(example.SCORES, weights, nothing, example.ORDER))
    assert not any(gid.startswith("number:") for gid in artists)


def test_stream_counted_one_pair_at_a_time():
    kinds = np.repeat(np.arange(4), cost.STREAM_COUNTS)
    allowed = 0
    for asking in kinds.tolist():
        allowed += int(cost.STREAM_ALLOWED[asking][kinds].sum())
    found = facts()
    assert found["stream-allowed"] == allowed
    assert found["stream-looks-kinds"].sum() == allowed
    assert found["stream-pairs"] == len(kinds) ** 2
    assert found["stream-forbidden"] + allowed == found["stream-pairs"]


def test_stream_lets_nothing_leak_through_a_second_layer():
    two_steps = cost.STREAM_ALLOWED.astype(int) @ cost.STREAM_ALLOWED.astype(int) > 0
    np.testing.assert_array_equal(two_steps, cost.STREAM_ALLOWED)


def test_probe_tells_a_right_mask_from_an_inverted_one():
    found = facts()
    assert found["probe-right"] == 0
    assert found["probe-wrong"] > 1
    np.testing.assert_array_equal(found["inverted-weights"], np.eye(4)[[3, 3, 3, 3]])
    np.testing.assert_allclose(found["inverted-output"], example.VALUES[[3, 3, 3, 3]])


def test_wrong_place_and_large_negative_number():
    found = facts()
    np.testing.assert_allclose(found["late-totals"] + found["filler-share"], 1)
    np.testing.assert_array_equal(found["flat-row"], np.full(4, 0.25))
    assert found["no-answer-total"] == 0
