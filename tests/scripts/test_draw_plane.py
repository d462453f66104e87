"""The pictures of the cube in the plane: what stands where is what was computed."""

from itertools import pairwise

import numpy as np
import pytest
from drawn import artists, assert_legible
from matplotlib.patches import FancyArrowPatch

from scripts import draw, plane
from scripts.draw.plane import draw_moves, path, region
from scripts.numbers import show

pytestmark = pytest.mark.slow  # draws dozens of pictures


def ends(artist):
    """First and last point of an arrow or of a line on the sheet."""
    if isinstance(artist, FancyArrowPatch):
        return np.array(artist._posA_posB)
    return np.column_stack(artist.get_data())[[0, -1]]


@pytest.mark.parametrize("sentence", plane.SENTENCES)
def test_arrows_lie_head_to_tail_from_where_the_cube_stood_to_where_it_lands(sentence):
    reading = plane.read(sentence)
    found = artists(draw_moves(reading))
    moves = [ends(found[f"move:{i}"]) for i in range(len(reading.words))]
    for (_, head), (tail, _) in pairwise(moves):
        np.testing.assert_allclose(head, tail)
    (ring,), (dot,) = (np.column_stack(found[name].get_data()) for name in ("stood", "landed:"))
    np.testing.assert_allclose(moves[0][0], ring)
    np.testing.assert_allclose(moves[-1][1], dot)
    np.testing.assert_allclose(ends(found["mixture:"]), [ring, dot])
    # one scale both ways, found from the way as a whole
    drawn, wanted = np.diff(moves, axis=1)[:, 0] * (1, -1), reading.moves
    scale = np.abs(drawn).sum() / np.abs(wanted).sum()
    np.testing.assert_allclose(drawn, scale * wanted, atol=1e-9)
    np.testing.assert_allclose(path(reading)[[0, -1]], [reading.stood, reading.landed], atol=1e-12)


@pytest.mark.parametrize("sentence", plane.SENTENCES)
def test_the_region_in_which_it_lands_is_filled(sentence):
    reading = plane.read(sentence)
    found = artists(draw_moves(reading))
    (dot,) = np.column_stack(found["landed:"].get_data())
    for k, sense in enumerate(plane.SENSES):
        area = found[f"region:{sense}"]
        assert area.get_path().contains_point(dot, radius=1e-6) == (sense == reading.sense)
        filled = area.get_facecolor()[3] > 0
        assert filled == (reading.chances[k] > 0.5)
        assert found[f"number:chances:{k}"].get_text() == f"{sense} {show(reading.chances[k], '.2f')}"
    for i, weight in enumerate(reading.weights):
        assert found[f"number:weights:0:{i}"].get_text() == show(weight, ".2f")
        assert found[f"cell:weights:0:{i}"].get_facecolor()[3] == pytest.approx(weight)


@pytest.mark.parametrize(
    "sentence",
    [
        "cube",
        "the wooden toy and the cube of sugar melts in my cold tea with ice and it is sweet",
        "carve a cube",
        *plane.SENTENCES,
    ],
)
def test_a_sentence_of_any_length_can_be_read(sentence):
    assert_legible(draw.cube_moves(plane.read(sentence)))


def test_each_sentence_of_the_landing_page_has_its_way():
    readings = [plane.read(sentence) for sentence in plane.SENTENCES[:2]]
    picture = draw.cube_carried(readings)
    found = artists(picture)
    for k, reading in enumerate(readings):
        (dot,) = np.column_stack(found[f"landed:{k}:"].get_data())
        assert found[f"region:{reading.sense}"].get_path().contains_point(dot)
        assert f"“{' '.join(reading.words)}”" in picture.alt
    assert "region-name:2" in found and "region-name:0" not in found, "sugar alone is named as a region"


def test_heads_that_disagree_are_not_said_to_agree():
    readings = [plane.read(sentence) for sentence in ("carve a cube", "sweet a cube")]
    picture = draw.equally_right(readings, ["a", "b"])
    assert "All end" not in picture.alt and "One answer" not in picture.alt
    readings = [plane.read(plane.SENTENCES[0], head) for head in plane.HEADS.values()]
    found = artists(draw.equally_right(readings, [str(start) for start in plane.HEADS]))
    for i, head in enumerate(plane.HEADS.values()):
        reading = plane.read(plane.SENTENCES[0], head)
        assert found[f"number:chance:{i}"].get_text() == f"wood {show(reading.chances.max(), '.2f')}"
        for j, weight in enumerate(reading.weights):
            assert found[f"number:weights:{i}:{j}"].get_text() == show(weight, ".2f")


def test_a_sentence_in_which_every_word_gets_the_same_says_so():
    reading = plane.read(plane.SENTENCES[0], plane.OTHERS[1])
    assert "Every word gets the same, 0.14." in draw_moves(reading).alt


def test_what_is_said_of_where_it_lands_follows_the_chances():
    silent, bare = "put the cube on the table", "cube"
    assert "leaves “cube” near where the regions meet." in draw_moves(plane.read(silent)).alt
    for reading in (plane.read(silent, plane.OTHERS[3]), plane.read(bare)):
        assert "into the region of wood, though no word tells." in draw_moves(reading).alt


# ---- the regions ------------------------------------------------------------------------


@pytest.mark.parametrize("seed", plane.HEADS)
def test_regions_share_out_the_rectangle(seed):
    read, reach = plane.HEADS[seed]["read"], (-3.0, 4.0, -2.0, 2.5)

    def area(corners):
        x, y = corners.T
        return abs(np.dot(x, np.roll(y, 1)) - np.dot(y, np.roll(x, 1))) / 2

    regions = [region(read, k, reach) for k in range(3)]
    assert sum(map(area, regions)) == pytest.approx(7 * 4.5)
    for k, corners in enumerate(regions):
        inside = corners.mean(axis=0)
        assert (inside @ read).argmax() == k
        scores = corners @ read
        assert (scores[:, k] >= scores.max(axis=1) - 1e-9).all()
