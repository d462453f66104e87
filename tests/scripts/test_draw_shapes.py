"""What pictures say by where things stand: outlines, areas, hatches, rows in line with columns."""

import numpy as np
import pytest
from drawn import artists
from matplotlib.text import Text

from scripts import cost, draw, example
from scripts.attention import attention, block_mask, causal_mask, padding_mask, project, softmax, split_heads
from scripts.draw.reading import IDEAS, TOPICS
from scripts.draw.tokens import THICKEST
from scripts.numbers import show
from tools.cells import draw_picture

pytestmark = pytest.mark.slow  # they draw the pictures of the course

NAMES = example.ORDER


def named(found, start):
    return {name for name in found if name.startswith(start)}


def text_of(found, *names):
    return [found[name].get_text() for name in names]


# ---- which cell is outlined --------------------------------------------------


@pytest.mark.parametrize(
    ("identity", "grid", "weights"),
    [
        ("weight-grid", "weights", example.WEIGHTS),
        *(("two-heads", f"weights-{h}", head.weights) for h, head in enumerate(example.TWO_HEADS.heads)),
    ],
)
def test_the_largest_weight_of_each_row_is_outlined(identity, grid, weights):
    outlined = {f"marked:{grid}:{i}:{max(range(4), key=row.__getitem__)}" for i, row in enumerate(weights)}
    assert named(artists(draw_picture(identity)), f"marked:{grid}:") == outlined


def test_the_score_worked_by_hand_is_outlined():
    found = artists(draw_picture("raw-scores"))
    assert named(found, "marked:") == {"marked:raw:3:0"}
    for word, value in (("largest", example.RAW.max()), ("smallest", example.RAW.min())):
        assert text_of(found, f"note:{word}") == [f"{word}: {show(value, '+.2f')}"]


def test_the_join_is_a_row_times_a_column():
    found = artists(draw_picture("join"))
    row, column, number = (found[f"marked:{at}"] for at in ("outputs-1:3:0", "w-output-1:1:0", "result:3:0"))
    assert row.get_y() == number.get_y()
    assert column.get_x() == number.get_x()
    assert found["marked:w-output-0:0:0"].get_y() < column.get_y()


def test_one_row_is_followed_through_the_matrices():
    outlined = ("tokens", "Q", "queries", "scores", "weights", "weights-again", "output")
    assert named(artists(draw_picture("as-matrices")), "marked:") == {f"marked:{name}" for name in outlined}


def test_the_usual_number_of_heads_is_outlined():
    found = artists(draw_picture("head-counts"))
    box, bar = found["usual"], found["bar:head-size:6"]  # of twelve heads
    assert text_of(found, "number:heads:6") == ["12"]
    assert box.get_y() < bar.get_y() < box.get_y() + box.get_height()


# ---- to scale ------------------------------------------------------------------


def test_an_arrow_of_a_weight_of_one_is_the_thickest():
    thick = artists(draw.cube_arrows(np.array([1.0, 0, 0, 0]), NAMES))["arrow:weights:0"]
    assert thick.get_linewidth() == 72 * THICKEST


def test_bars_of_different_rows_compare():
    """The bars have one scale, whichever row is drawn; they stand on one line."""
    for i, weights in enumerate(example.WEIGHTS):
        row = example.SCORES[i], np.exp(example.SCORES[i]), weights
        found = artists(draw.softmax_table(*row, NAMES, asking=i))
        bars = [found[f"bar:share:{j}"] for j in range(4)]
        np.testing.assert_allclose([bar.get_height() for bar in bars], 1.3 * weights)
        np.testing.assert_allclose(
            [bar.get_y() + bar.get_height() for bar in bars], bars[0].get_y() + bars[0].get_height()
        )


def test_totals_of_the_steps_of_softmax():
    for identity, raised in (
        ("softmax-table", np.exp(example.SCORES[3])),
        ("masked-row", np.exp(example.SCORES[1, :3])),
    ):
        found = artists(draw_picture(identity))
        assert text_of(found, "number:total:raised", "number:total:share") == [
            show(raised.sum(), ".3f"),
            "1.000",
        ]


def test_a_wrong_total_is_drawn_as_it_is():
    down = softmax(example.SCORES.T).T
    found = artists(draw.weight_grid(down, NAMES))
    assert text_of(found, *(f"number:totals:{i}:0" for i in range(4))) == [
        show(row.sum(), ".3f") for row in down
    ]


def test_as_matrices_has_the_shape_of_every_grid():
    """Tokens, width and head size that differ are drawn as they are."""
    generator = np.random.default_rng(0)
    n, w, d = 5, 4, 3
    tokens, *matrices = (generator.normal(size=shape) for shape in ((n, w), (w, d), (w, d), (w, d)))
    projected = [project(tokens, matrix) for matrix in matrices]
    run = attention(*projected)
    found = artists(draw.as_matrices(tokens, matrices, projected, run.scores, run.weights, run.output))
    shapes = {"tokens": (n, w), "keys-turned": (d, n)}
    shapes |= dict.fromkeys(("w-query", "w-key", "w-value"), (w, d))
    shapes |= dict.fromkeys(("Q", "K", "V", "queries", "values", "output"), (n, d))
    shapes |= dict.fromkeys(("scores", "weights", "weights-again"), (n, n))
    unit = found["cell:weights:0:0"].get_width()
    for name, shape in shapes.items():
        frame = found[f"frame:{name}"]
        np.testing.assert_allclose((frame.get_height() / unit, frame.get_width() / unit), shape)
    assert named(found, "frame:") == {f"frame:{name}" for name in shapes}


def test_real_sizes_is_to_scale():
    found = artists(draw_picture("real-sizes"))
    inch = found["rectangle:tokens"].get_width() / 768
    for name in ("tokens", "queries", "keys", "values", "output"):
        grid = found[f"rectangle:{name}"]
        np.testing.assert_allclose((grid.get_height(), grid.get_width()), (512 * inch, 768 * inch))
        assert text_of(found, f"number:{name}") == ["393,216"]
    assert len(named(found, "rectangle:scores:")) == 12
    for k in range(12):
        grid = found[f"rectangle:scores:{k}"]
        np.testing.assert_allclose((grid.get_height(), grid.get_width()), 512 * inch)
        assert text_of(found, f"name:scores:{k}") == [f"{k + 1}"]
    assert "262,144 in all; together 3,145,728" in found["number:scores:all"].get_text()


def test_grids_have_a_cell_for_each_pair_and_one_scale():
    found = artists(draw_picture("grids-grow"))
    scale = found["square:scores:0"].get_width() / 4
    for i, n in enumerate((4, 8, 16)):
        square = found[f"square:scores:{i}"]
        assert (square.get_width(), square.get_height()) == pytest.approx((scale * n, scale * n))
        for kind in ("column", "row"):
            assert len(named(found, f"line:scores:{i}:{kind}:")) == n - 1
        assert text_of(found, f"number:scores:{i}") == [f"{n * n} scores"]


def test_bars_are_as_long_as_the_shares():
    found = artists(draw_picture("grid-share"))
    for i, n in enumerate((128, 512, 2048, 8192, 32768)):
        share = n / (n + 2 * 768)
        part, whole = found[f"bar:share:{i}"], found[f"bar:all:{i}"]
        assert part.get_width() / whole.get_width() == pytest.approx(share)
        assert text_of(found, f"number:share:{i}") == [f"{show(100 * share, '.1f')} %"]


def test_squares_have_areas_in_proportion_to_memory():
    found = artists(draw_picture("grid-memory"))
    areas = [
        found[f"square:memory:{i}"].get_width() * found[f"square:memory:{i}"].get_height() for i in range(4)
    ]
    assert np.divide(areas, areas[0]) == pytest.approx([1, 16, 256, 4096])
    told = text_of(found, *(f"number:memory:{i}" for i in range(4)))
    assert told == ["6 MiB", "96 MiB", "1.5 GiB", "24 GiB"]


def test_the_crossing_is_named_where_it_is_in_sight():
    assert "1,536" in artists(draw_picture("cost-crossing"))["number:crossing"].get_text()
    found = artists(draw.cost_crossing([2, 4], [8, 16], [8, 32], 1))
    assert not named(found, "point:") and not named(found, "span:")


def test_the_query_turns_and_the_key_stays():
    found = artists(draw_picture("dot-product-angle"))
    for index, angle in zip(range(0, 37, 6), range(0, 181, 30), strict=True):
        (x0, y0), (x1, y1) = found[f"arrow:query:{index}"]._posA_posB
        assert np.rad2deg(np.arctan2(y0 - y1, x1 - x0)) == pytest.approx(angle, abs=1e-9)
        (x0, y0), (x1, y1) = found[f"arrow:key:{index}"]._posA_posB
        assert y0 == y1 and x1 > x0


def test_the_lines_of_the_mixture_are_as_thick_as_the_weights():
    found = artists(draw_picture("reading-map"))
    widths = np.array([found[f"line:mixture:{i}"].get_linewidth() - 1 for i in range(4)])
    np.testing.assert_allclose(widths / widths.sum(), example.WEIGHTS[3])


# ---- masks -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("identity", "grid", "allowed"),
    [
        ("padding-mask", "scores", padding_mask([True, True, True, False])),
        ("causal-mask", "scores", causal_mask(4)),
        ("masked-row", "kept", np.array([[True, True, True, False]])),
    ],
)
def test_forbidden_scores_are_minus_infinity(identity, grid, allowed):
    wanted = {f"minus-infinity:{grid}:{i}:{j}" for i, j in np.argwhere(~allowed)}
    assert named(artists(draw_picture(identity)), "minus-infinity:") == wanted


def test_a_row_without_an_answer_is_never_drawn_as_numbers():
    found = artists(draw_picture("padding-mask"))
    assert {"no-answer:weights:3", "no-total:3"} <= set(found)
    nothing = np.zeros((4, 4), dtype=bool)
    weights = softmax(example.SCORES, nothing, no_answer="report")
    assert not named(artists(draw.padding_mask(example.SCORES, weights, nothing, NAMES)), "number:")


def test_no_number_and_no_answer_are_two_replies():
    found = artists(draw_picture("pitfall-no-answer"))
    assert text_of(found, "no-answer:weights:0", "no-answer:weights:5") == ["no number", "no answer"]


@pytest.mark.parametrize(("grid", "first"), [("kind", 0), ("block", 0), ("corner", 1)])
def test_mixed_stream_fills_what_is_allowed_to_scale(grid, first):
    found = artists(draw_picture("mixed-stream"))
    counts = np.ones(4) if grid == "kind" else np.array(cost.STREAM_COUNTS)
    starts = np.cumsum(counts) - counts - counts[:first].sum()
    x, y = found[f"allowed:{grid}:{first}:{first}"].get_xy()
    last = found[f"allowed:{grid}:3:3"]
    wide, high = last.get_width() / counts[3], last.get_height() / counts[3]
    drawn = set()
    for (i, j), may in np.ndenumerate(cost.STREAM_ALLOWED):
        if min(i, j) < first:
            continue
        name = f"{'allowed' if may else 'forbidden'}:{grid}:{i}:{j}"
        drawn.add(name)
        box = (x + starts[j] * wide, y + starts[i] * high, counts[j] * wide, counts[i] * high)
        assert found[name].get_bbox().bounds == pytest.approx(box)
        if grid == "kind":
            assert text_of(found, f"word:kind:{i}:{j}") == ["yes" if may else "no"]
    assert named(found, f"allowed:{grid}:") | named(found, f"forbidden:{grid}:") == drawn


def test_mixed_stream_counts_every_pair():
    found, allowed = (
        artists(draw_picture("mixed-stream")),
        block_mask(cost.STREAM_COUNTS, cost.STREAM_ALLOWED),
    )
    assert text_of(found, "number:allowed", "number:share") == [
        f"{allowed.sum():,d} of {allowed.size:,d} pairs",
        f"allowed: {100 * allowed.mean():.1f} per cent",
    ]


# ---- what follows a change -----------------------------------------------------


@pytest.mark.parametrize("heads", [1, 2, 4])
def test_the_cut_keeps_every_row_and_shares_out_the_columns(heads):
    found = artists(draw.cut_query(example.W_QUERY, example.QUERIES, NAMES, heads))
    for name, grid, form in (("w-query", example.W_QUERY, "+.1f"), ("queries", example.QUERIES, "+.2f")):
        for h, piece in enumerate(split_heads(grid, heads)):
            for (i, j), value in np.ndenumerate(piece):
                assert text_of(found, f"number:{name}-{h}:{i}:{j}") == [show(value, form)]
        lefts = [found[f"cell:{name}-{h}:0:0"].get_x() for h in range(heads)]
        assert lefts == sorted(lefts)


def test_largest_and_smallest_in_one_row_do_not_collide():
    found = artists(draw.raw_scores(np.array([[1.0, -2.0], [0.5, 0.0]]), ["a", "b"]))
    assert found["note:largest"].get_position() != found["note:smallest"].get_position()


def test_a_divisor_that_is_no_whole_number_is_shown_rounded():
    raw = example.RAW[:2, :2]
    drawn = draw.scaled_scores(raw, raw / np.sqrt(2), ["a", "b"], np.sqrt(2))
    assert "divided by 1.41" in drawn.alt
    assert any("÷ 1.41" in text.get_text() for text in drawn.findobj(Text))


# ---- the map of section 8 ------------------------------------------------------


def test_a_line_of_the_map_for_each_idea_that_a_topic_builds_on():
    found = artists(draw_picture("reading-map"))
    wanted = {f"strand:{idea}:{t}" for t, topic in enumerate(TOPICS) for idea in topic[2]}
    assert named(found, "strand:") == wanted
    assert {idea for _, _, built_on in TOPICS for idea in built_on} == set(IDEAS)
    # They end in the order of the topics.
    ends = sorted((found[name].get_path().vertices[-1][1], int(name.split(":")[2])) for name in wanted)
    assert [topic for _, topic in ends] == sorted(topic for _, topic in ends)
