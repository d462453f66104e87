"""The pictures of the last page: arcs, curves, bars and rows are what was computed."""

import numpy as np
import pytest
from drawn import artists

from scripts import cost, draw, induction, model, one_block, smallworld
from scripts.draw.sequence import SEEN, THICK
from scripts.numbers import show, shows

pytestmark = pytest.mark.slow


def assert_arcs(found, side, weights, asking):
    """Of the rows that ask every weight that is not tiny has its arc, as thick as it is; no other row has one."""
    arcs = {name: artist for name, artist in found.items() if name.startswith(f"arc:{side}:")}
    wanted = {f"arc:{side}:{i}:{j}": weights[i, j] for i in asking for j in range(i) if weights[i, j] >= SEEN}
    assert arcs.keys() == wanted.keys()
    for name, weight in wanted.items():
        assert arcs[name].get_linewidth() == pytest.approx(THICK * weight)
        (x0, y0), *_, (x1, y1) = arcs[name].get_path().vertices
        i, j = (int(part) for part in name.split(":")[2:])
        assert x0 == x1 and (y0 - y1) / (i - j) == pytest.approx(0.24)
    last = len(weights) - 1
    if last in asking:
        assert found[f"most:{side}"].get_text() == show(weights[last, :last].max(), ".2f")


def test_arcs_over_letters():
    reading = induction.read("KCAFBHKCAFBH")
    picture = draw.induction_arcs(reading.letters, *reading.weights)
    for side, asking in enumerate((range(1, 12), range(6, 12))):
        assert_arcs(artists(picture), side, reading.weights[side], asking)
    first, second = reading.weights
    told = f"In the first layer “B” in place 11 gets {show(first[11, 10], '.2f')}"
    assert told in picture.alt and f"second “K” in place 7 gets {show(second[11, 6], '.2f')}" in picture.alt


def test_arcs_over_a_story():
    run, words = smallworld.read(smallworld.STORY), smallworld.STORY.split()
    knows, finds = run.blocks[0].attended.weights[0, 0], run.blocks[1].attended.weights[0, 1]
    picture = draw.story_arcs(words, knows, finds, [3, 16])
    assert_arcs(artists(picture), 0, knows, [3, 16])
    assert_arcs(artists(picture), 1, finds, [16])
    assert f"“green” in place 4 gets {show(finds[16, 3], '.2f')}" in picture.alt
    assert f"of “is” in place 17, “cup” in place 14 gets {show(knows[16, 13], '.2f')}" in picture.alt


def test_curves_and_their_medians():
    steps, one, two = (0, 10, 600), [[0.1, 0.2, 0.3], [0.1, 0.3, 0.4]], [[0.1, 0.5, 0.9]] * 3
    picture = draw.sudden_change(steps, one, two)
    found = artists(picture)
    for name, rows in (("one", one), ("two", two)):
        for k, row in enumerate(rows):
            np.testing.assert_array_equal(
                found[f"line:{name}:{k}"].get_xydata(), np.column_stack([steps, row])
            )
        np.testing.assert_allclose(found[f"line:{name}"].get_ydata(), np.median(rows, axis=0))
    assert "After 600: two 0.90, one 0.35." in picture.alt


def test_a_token_on_its_way_through_the_block():
    block = one_block.BLOCK
    rows = {
        "before": block.before[0, 1],
        "first-norm": block.asked[0, 1],
        "attention": (block.middle - block.before)[0, 1],
        "middle": block.middle[0, 1],
        "second-norm": model.layer_norm(block.middle)[0, 1],
        "feed-forward": (block.after - block.middle)[0, 1],
        "after": block.after[0, 1],
    }
    picture = draw.block_numbers("up", rows)
    found = artists(picture)
    for name, row in rows.items():
        for j, value in enumerate(row):
            assert found[f"number:{name}:0:{j}"].get_text() == show(value, "+.2f")
        assert shows(row, "+.2f") in picture.alt
    # the sums stand beside the places where they are drawn
    for part, below in (("attention", "middle"), ("feed-forward", "after")):
        x, y = found[f"plus:{part}"].center
        assert y < found[f"cell:{below}:0:0"].get_y() and x < found[f"cell:{part}:0:0"].get_x()


def test_parameters_as_bars():
    parts = cost.model_parameters(50_257, 1_024)
    picture = draw.model_parameters(parts)
    found = artists(picture)
    lengths = np.array([found[f"bar:count:{i}"].get_width() for i in range(5)])
    np.testing.assert_allclose(lengths / lengths.sum(), np.array(list(parts.values())) / sum(parts.values()))
    for i, (name, count) in enumerate(parts.items()):
        assert found[f"count:{i}"].get_text() == show(count, ",d")
        assert f"{name} {show(count, ',d')}" in picture.alt
    assert "124,439,808" in picture.alt and "The feed-forward has most" in picture.alt
