"""Pictures of section 5: what is drawn is what was computed."""

import numpy as np
import pytest

from scripts import cost, draw, example
from scripts.attention import join_heads, multi_head_attention, split_heads
from scripts.numbers import show, shows
from tools.cells import draw_picture
from tools.facts import facts

HEADS = example.TWO_HEADS.heads


def by_gid(picture):
    """Artists by their gid; each gid once."""
    found = [artist for artist in picture.findobj() if artist.get_gid()]
    gids = [artist.get_gid() for artist in found]
    assert len(set(gids)) == len(gids)
    return dict(zip(gids, found, strict=True))


def printed(artists, name, shape):
    """The texts of a grid, as a grid."""
    return [[artists[f"number:{name}:{i}:{j}"].get_text() for j in range(shape[1])] for i in range(shape[0])]


def as_shown(grid, form):
    return [[show(value, form) for value in row] for row in grid]


@pytest.mark.parametrize("heads", [1, 2, 4])
def test_the_cut_keeps_every_row_and_shares_out_the_columns(heads):
    drawn = by_gid(draw.cut_query(example.W_QUERY, example.QUERIES, example.ORDER, heads))
    for name, grid, form in (("w-query", example.W_QUERY, "+.1f"), ("queries", example.QUERIES, "+.2f")):
        lefts = []
        for h, piece in enumerate(split_heads(grid, heads)):
            assert printed(drawn, f"{name}-{h}", piece.shape) == as_shown(piece, form)
            lefts.append(drawn[f"cell:{name}-{h}:0:0"].get_x())
        assert lefts == sorted(lefts)


def test_the_words_of_the_cut_hold_every_query():
    picture = draw_picture("cut-query")
    for name, query in zip(example.ORDER, example.QUERIES, strict=True):
        first, second = shows(query[:2], "+.2f"), shows(query[2:], "+.2f")
        assert f"{name}: {first} in head one and {second} in head two." in picture.alt


def test_the_two_heads_are_their_weights():
    picture = draw_picture("two-heads")
    drawn = by_gid(picture)
    for h, run in enumerate(HEADS):
        assert printed(drawn, f"weights-{h}", (4, 4)) == as_shown(run.weights, ".3f")
        for (i, j), weight in np.ndenumerate(run.weights):
            assert drawn[f"cell:weights-{h}:{i}:{j}"].get_facecolor()[3] == pytest.approx(weight)
            outlined = f"marked:weights-{h}:{i}:{j}" in drawn
            assert outlined == (j == run.weights[i].argmax())
        mean = show(run.weights.max(axis=1).mean(), ".3f")
        assert drawn[f"number:sharpness:{h}:0"].get_text() == mean
        assert f"average outlined weight {mean}." in picture.alt
        assert all(shows(row, ".3f") in picture.alt for row in run.weights)


def test_the_join_is_a_row_times_a_column():
    picture = draw_picture("join")
    drawn = by_gid(picture)
    result = example.TWO_HEADS.joined @ example.W_OUTPUT
    for h, run in enumerate(HEADS):
        assert printed(drawn, f"outputs-{h}", (4, 2)) == as_shown(run.output, "+.2f")
        rows = example.W_OUTPUT[2 * h : 2 * h + 2]
        assert printed(drawn, f"w-output-{h}", (2, 4)) == as_shown(rows, "+.1f")
    assert printed(drawn, "result", (4, 4)) == as_shown(result, "+.2f")
    assert all(shows(row, "+.2f") in picture.alt for row in result)
    # The outlined row, column and number are in line with one another.
    assert drawn["marked:outputs-1:3:0"].get_y() == drawn["marked:result:3:0"].get_y()
    assert drawn["marked:w-output-1:1:0"].get_x() == drawn["marked:result:3:0"].get_x()
    assert drawn["marked:w-output-0:0:0"].get_y() < drawn["marked:w-output-1:0:0"].get_y()


def test_the_bars_of_the_head_counts_are_in_proportion():
    picture = draw_picture("head-counts")
    drawn = by_gid(picture)
    counts = [1, 2, 3, 4, 6, 8, 12, 16, 24]
    columns = {
        "head-size": [cost.WIDTH // h for h in counts],
        "parameters": [4 * cost.WIDTH**2] * len(counts),
        "score-grids": [h * 512 * 512 for h in counts],
    }
    for name, values in columns.items():
        widths = [drawn[f"bar:{name}:{i}"].get_width() for i in range(len(counts))]
        np.testing.assert_allclose(np.array(widths) / max(widths), np.array(values) / max(values))
        texts = [drawn[f"number:{name}:{i}"].get_text() for i in range(len(counts))]
        assert texts == [show(value, ",d") for value in values]
    assert [drawn[f"number:heads:{i}"].get_text() for i in range(len(counts))] == [
        show(h, "d") for h in counts
    ]
    # The outline is round the usual row.
    box, bar = drawn["usual"], drawn[f"bar:head-size:{counts.index(12)}"]
    assert box.get_y() < bar.get_y() < box.get_y() + box.get_height()
    assert "12 heads: size 64, score grids 3,145,728" in picture.alt


def test_a_bare_reshape_leaves_two_tokens_deaf_to_the_last():
    known = facts()
    assert (known["other-cube-moved"] > 0.5).all()
    np.testing.assert_array_equal(known["other-cube-moved-mixed"] > 0, [False, False, True, True])
    np.testing.assert_allclose(known["mixed-totals"], 1)
    # The rows of the first "head" are the halves of the first two tokens.
    halves = example.QUERIES[:2].reshape(4, 2)
    np.testing.assert_array_equal(known["mixed-queries"][0], halves)


def test_the_raw_scores_of_the_heads_add_up_to_that_of_one_head():
    known = facts()
    assert known["head-cube-raw"].sum() == pytest.approx(known["raw-scores"][3, 0])
    assert known["join-halves"].sum() == pytest.approx(known["join-number"])
    assert known["two-head-root"] ** 2 == pytest.approx(known["two-head-divisor"])


def test_what_the_notebook_does_by_hand_is_what_the_function_does():
    right = example.QUERIES.reshape(4, 2, 2).transpose(1, 0, 2)
    np.testing.assert_array_equal(right, split_heads(example.QUERIES, 2))
    run = multi_head_attention(example.QUERIES, example.KEYS, example.VALUES, 2, example.W_OUTPUT)
    np.testing.assert_array_equal(join_heads([head.output for head in run.heads]), run.joined)
