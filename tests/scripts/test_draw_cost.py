"""Pictures and facts of section 7: what is drawn is what was computed."""

import numpy as np
import pytest

from scripts import cost, draw, measure
from scripts.attention import attention, blockwise_attention, running_softmax
from scripts.numbers import show
from tools.facts.section7 import LENGTHS, facts


@pytest.fixture(scope="module")
def known():
    return facts()


def artists(picture, start):
    """Everything in a picture whose gid begins so, by gid."""
    found = picture.findobj(lambda artist: (artist.get_gid() or "").startswith(start))
    return {artist.get_gid(): artist for artist in found}


def test_grids_have_a_cell_for_each_pair_and_one_scale():
    picture = draw.grids_grow((4, 8, 16))
    squares = artists(picture, "square:scores:")
    scale = squares["square:scores:0"].get_width() / 4
    for i, n in enumerate((4, 8, 16)):
        square = squares[f"square:scores:{i}"]
        columns = artists(picture, f"line:scores:{i}:column:")
        rows = artists(picture, f"line:scores:{i}:row:")
        assert (len(rows) + 1) * (len(columns) + 1) == n * n
        assert square.get_width() == pytest.approx(scale * n)
        assert square.get_height() == pytest.approx(scale * n)
        label = artists(picture, f"number:scores:{i}")[f"number:scores:{i}"]
        assert label.get_text() == f"{n * n} scores"


def test_cost_lines_hold_the_steps_and_meet_at_the_crossing():
    tokens = 2 ** np.arange(7, 16)
    projections = [cost.projection_steps(n) for n in tokens]
    grid = [cost.grid_steps(n) for n in tokens]
    picture = draw.cost_crossing(tokens, projections, grid, cost.crossing())
    lines = artists(picture, "line:")
    assert lines["line:projections"].get_xydata() == pytest.approx(np.column_stack([tokens, projections]))
    assert lines["line:grid"].get_xydata() == pytest.approx(np.column_stack([tokens, grid]))
    ((x, y),) = artists(picture, "point:")["point:crossing"].get_xydata()
    assert (x, y) == pytest.approx((1536, cost.grid_steps(1536)))
    assert y == pytest.approx(cost.projection_steps(1536))
    assert "1,536" in artists(picture, "number:")["number:crossing"].get_text()


def test_cost_without_a_crossing_in_sight_draws_none():
    picture = draw.cost_crossing([2, 4], [8, 16], [8, 32], 1)
    assert not artists(picture, "point:") and not artists(picture, "span:")


def test_bars_are_as_long_as_the_shares():
    shares = [cost.grid_share(n) for n in LENGTHS]
    picture = draw.grid_share(LENGTHS, shares)
    for i, share in enumerate(shares):
        part = artists(picture, f"bar:share:{i}")[f"bar:share:{i}"]
        whole = artists(picture, f"bar:all:{i}")[f"bar:all:{i}"]
        assert part.get_width() / whole.get_width() == pytest.approx(share)
        label = artists(picture, f"number:share:{i}")[f"number:share:{i}"]
        assert label.get_text() == f"{show(100 * share, '.1f')} %"


def test_squares_have_areas_in_proportion_to_memory():
    sizes = [cost.grid_bytes(n) for n in LENGTHS[1:]]
    picture = draw.grid_memory(LENGTHS[1:], sizes)
    squares = artists(picture, "square:memory:")
    areas = [squares[f"square:memory:{i}"].get_width() ** 2 for i in range(len(sizes))]
    assert np.divide(areas, areas[0]) == pytest.approx(np.divide(sizes, sizes[0]))
    labels = artists(picture, "number:memory:")
    told = [labels[f"number:memory:{i}"].get_text() for i in range(len(sizes))]
    assert told == ["6 MiB", "96 MiB", "1.5 GiB", "24 GiB"]


def test_measurements_are_drawn_as_recorded():
    run = measure.recorded()
    lines = artists(draw.blockwise(run), "line:")
    for name, values in (
        ("memory:full", run.full_bytes),
        ("memory:block", run.block_bytes),
        ("time:full", run.full_seconds),
        ("time:block", run.block_seconds),
    ):
        drawn = lines[f"line:{name}"].get_xydata()
        assert drawn == pytest.approx(np.column_stack([run.lengths, values]))
    assert "Recorded once on a two-core machine" in draw.blockwise(run).caption


def test_recorded_run_bears_out_what_the_text_says(known):
    run = measure.recorded()
    assert run.lengths == (256, 512, 1024, 2048, 4096, 8192)
    assert run.block_bytes[-1] * 50 < run.full_bytes[-1]
    assert run.block_seconds[-1] <= run.full_seconds[-1]
    whole, blocks = known["measured-memory-slopes"]
    assert whole[-3:] == pytest.approx(2, abs=0.01)
    assert (np.diff(blocks) > 0).all() and 0.85 < blocks[-1] < 1
    assert known["measured-time-slopes"] == pytest.approx(2, abs=0.25)
    assert known["measured-block-bytes-a-token"] == known["measured-output-bytes-a-token"]


@pytest.mark.slow
def test_memory_measured_here_is_the_memory_recorded():
    here, stored = measure.measure(1024, shortest=512, repeats=1), measure.recorded()
    assert not here.recorded and here.lengths == stored.lengths[1:3]
    assert here.full_bytes == pytest.approx(stored.full_bytes[1:3], rel=0.05)
    assert here.block_bytes == pytest.approx(stored.block_bytes[1:3], rel=0.05)
    assert min(here.full_seconds + here.block_seconds) > 0
    assert "Measured on this machine" in draw.blockwise(here).caption


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        ({"longest": 300}, "longest"),
        ({"longest": 2.5}, "longest"),
        ({"longest": 512, "shortest": 0}, "shortest"),
        ({"longest": 4, "shortest": 2, "repeats": 0}, "repeats"),
    ],
)
def test_measure_says_what_it_cannot_do(arguments, named):
    with pytest.raises(ValueError, match=named):
        measure.measure(**arguments)


def test_running_softmax_worked_by_hand_ends_where_attention_does(known):
    assert known["running-output"] == pytest.approx(known["running-same"], abs=1e-12)
    # The row must be one in which the second block brings the larger score.
    assert known["running-largest"][1] > known["running-largest"][0]
    assert 0 < known["running-shrink"] < 1
    total = known["running-total-kept"] + known["running-raised"][2:].sum()
    assert total == pytest.approx(known["running-totals"][1])
    mix = known["running-mix-kept"] + known["running-products"][2:].sum()
    assert mix == pytest.approx(known["running-mixed"][1, 0])


@pytest.mark.parametrize("block", [1, 2, 3, 5, 64])
def test_running_softmax_in_blocks_of_any_size(block):
    generator = np.random.default_rng(block)
    scores, values = generator.normal(0, 30, (6, 5)), generator.normal(size=(5, 3))
    before = scores.copy()
    last = running_softmax(scores, values, block)[-1]
    raised = np.exp(scores - scores.max(axis=1, keepdims=True))
    expected = raised / raised.sum(axis=1, keepdims=True) @ values
    assert last.mixed / last.total == pytest.approx(expected, abs=1e-12)
    assert np.array_equal(scores, before)


@pytest.mark.parametrize(
    ("scores", "values", "block", "named"),
    [
        ([1.0], [[1.0]], 1, "scores"),
        ([[1.0, 2.0]], [[1.0]], 1, "values"),
        ([[1.0]], [[np.nan]], 1, "values"),
        ([[1.0]], [[1.0]], 0, "block"),
    ],
)
def test_running_softmax_says_what_is_wrong(scores, values, block, named):
    with pytest.raises(ValueError, match=named):
        running_softmax(scores, values, block)


@pytest.mark.parametrize("block", [1, 7, 40, 128])
def test_blocks_give_what_the_whole_grid_gives_masks_included(block):
    generator = np.random.default_rng(block)
    queries, keys = generator.normal(0, 3, (41, 8)), generator.normal(0, 3, (53, 8))
    values = generator.normal(size=(53, 5))
    mask = generator.random((41, 53)) < 0.1
    mask[:, 50] = True  # many a first block has nothing to look at
    for allowed in (None, mask):
        whole = attention(queries, keys, values, allowed).output
        blocks = blockwise_attention(queries, keys, values, allowed, block=block)
        assert np.abs(whole - blocks).max() < 1e-12
