"""What the pictures of section 4 draw is what was computed, and its facts hold."""

import numpy as np
import pytest
from matplotlib.colors import to_rgba

from scripts import cost, draw, example
from scripts.attention import attention, project, softmax
from scripts.draw import style
from scripts.numbers import show
from tools.cells import draw_picture
from tools.facts.section4 import facts

SCORES, WEIGHTS, VALUES = example.SCORES[3], example.WEIGHTS[3], example.VALUES


def by_id(picture):
    """Every named artist of a picture."""
    found = {}
    for artist in picture.findobj(lambda a: a.get_gid() is not None):
        assert artist.get_gid() not in found, f"two artists are called {artist.get_gid()}"
        found[artist.get_gid()] = artist
    return found


def assert_grid(artists, name, values, form):
    values = np.atleast_2d(values)
    for (i, j), value in np.ndenumerate(values):
        assert artists[f"number:{name}:{i}:{j}"].get_text() == show(value, form)
    numbers = [gid for gid in artists if gid.startswith(f"number:{name}:")]
    assert len(numbers) == values.size


def assert_fills(artists, name, values, limit=None):
    """Weights are as opaque as they are large; so are scores, with a colour for each sign."""
    for (i, j), value in np.ndenumerate(np.atleast_2d(values)):
        role = "weight" if limit is None else "negative" if value < 0 else "positive"
        opacity = value if limit is None else abs(value) / limit
        face = artists[f"cell:{name}:{i}:{j}"].get_facecolor()
        assert face == pytest.approx(to_rgba(style.COLOURS[role], opacity))


def test_softmax_table():
    artists = by_id(draw_picture("softmax-table"))
    raised = np.exp(SCORES)
    assert_grid(artists, "score", SCORES, "+.3f")
    assert_grid(artists, "raised", raised, ".3f")
    assert_grid(artists, "share", raised / raised.sum(), ".3f")
    assert_fills(artists, "score", SCORES, limit=3.0)
    assert_fills(artists, "share", WEIGHTS)
    assert artists["number:total:raised"].get_text() == "1.272"
    assert artists["number:total:share"].get_text() == "1.000"
    bars = [artists[f"bar:share:{j}"] for j in range(4)]
    heights = np.array([bar.get_height() for bar in bars])
    np.testing.assert_allclose(heights / heights.sum(), WEIGHTS)
    feet = [bar.get_y() + bar.get_height() for bar in bars]
    np.testing.assert_allclose(feet, feet[0])


def test_softmax_table_bars_of_different_rows_compare():
    """The bars have one scale, whichever row is drawn."""
    raised = np.exp(example.SCORES)
    tall = [
        by_id(draw.softmax_table(example.SCORES[i], raised[i], example.WEIGHTS[i], example.ORDER, asking=i))
        for i in range(4)
    ]
    heights = [[row[f"bar:share:{j}"].get_height() for j in range(4)] for row in tall]
    ratio = np.array(heights) / example.WEIGHTS
    np.testing.assert_allclose(ratio, ratio[0, 0])


def test_lead_share():
    artists = by_id(draw_picture("lead-share"))
    leads = np.linspace(0, 6, 61)
    leader = 1 / (1 + np.exp(-leads))
    for name, shares in (("leader", leader), ("other", 1 - leader)):
        line = artists[f"line:{name}"]
        np.testing.assert_allclose(line.get_xdata(), leads)
        np.testing.assert_allclose(line.get_ydata(), shares, atol=1e-12)
    for at, lead in ((0, 0), (10, 1), (20, 2), (40, 4)):
        assert artists[f"number:leader:{at}"].get_text() == show(1 / (1 + np.exp(-lead)), ".3f")
        assert artists[f"dot:leader:{at}"].get_xdata()[0] == pytest.approx(lead)
        assert artists[f"dot:leader:{at}"].get_ydata()[0] == pytest.approx(leader[at])


def test_weight_grid():
    artists = by_id(draw_picture("weight-grid"))
    assert_grid(artists, "weights", example.WEIGHTS, ".3f")
    assert_fills(artists, "weights", example.WEIGHTS)
    assert [artists[f"number:totals:{i}:0"].get_text() for i in range(4)] == ["1.000"] * 4
    marked = {gid for gid in artists if gid.startswith("marked:")}
    assert marked == {f"marked:weights:{i}:{j}" for i, j in ((0, 3), (1, 3), (2, 0), (3, 0))}


def test_weight_grid_shows_a_wrong_total():
    """A row that totals something else is drawn as it is."""
    down = softmax(example.SCORES.T).T
    artists = by_id(draw.weight_grid(down, example.ORDER))
    assert [artists[f"number:totals:{i}:0"].get_text() for i in range(4)] == [
        "0.822",
        "2.361",
        "0.472",
        "0.345",
    ]


def test_mix_values():
    artists = by_id(draw_picture("mix-values"))
    assert_grid(artists, "weights", WEIGHTS[:, None], ".3f")
    assert_fills(artists, "weights", WEIGHTS[:, None])
    assert_grid(artists, "values", VALUES, "+.2f")
    products = np.array([[w * v for v in row] for w, row in zip(WEIGHTS, VALUES, strict=True)])
    assert_grid(artists, "products", products, "+.2f")
    assert_grid(artists, "output", products.sum(axis=0), "+.2f")


def test_mix_values_printed_products_add_up():
    """The products as printed total the new vector as printed, in every column."""
    products = (WEIGHTS[:, None] * VALUES).round(2)
    np.testing.assert_allclose(products.sum(axis=0), example.OUTPUT[3].round(2))


def as_matrices_of(tokens, w_query, w_key, w_value):
    projected = tuple(project(tokens, matrix) for matrix in (w_query, w_key, w_value))
    run = attention(*projected)
    return run, by_id(
        draw.as_matrices(tokens, (w_query, w_key, w_value), projected, run.scores, run.weights, run.output)
    )


def test_as_matrices():
    artists = by_id(draw_picture("as-matrices"))
    assert_fills(artists, "scores", example.SCORES, limit=3.0)
    for name in ("weights", "weights-again"):
        assert_fills(artists, name, example.WEIGHTS)
    marked = {gid for gid in artists if gid.startswith("marked:")}
    outlined = ("tokens", "Q", "queries", "scores", "weights", "weights-again", "output")
    assert marked == {f"marked:{name}" for name in outlined}


def test_as_matrices_has_the_shape_of_every_grid():
    """Tokens, width and head size that differ are drawn as they are."""
    generator = np.random.default_rng(0)
    n, w, d = 5, 4, 3
    _, artists = as_matrices_of(
        generator.normal(size=(n, w)), *(generator.normal(size=(w, d)) for _ in range(3))
    )
    unit = artists["cell:weights:0:0"].get_width()
    shapes = {
        "tokens": (n, w),
        "w-query": (w, d),
        "w-key": (w, d),
        "w-value": (w, d),
        "Q": (n, d),
        "K": (n, d),
        "V": (n, d),
        "queries": (n, d),
        "keys-turned": (d, n),
        "scores": (n, n),
        "weights": (n, n),
        "weights-again": (n, n),
        "values": (n, d),
        "output": (n, d),
    }
    for name, shape in shapes.items():
        frame = artists[f"frame:{name}"]
        np.testing.assert_allclose((frame.get_height() / unit, frame.get_width() / unit), shape)
    assert {gid for gid in artists if gid.startswith("frame:")} == {f"frame:{s}" for s in shapes}


def test_real_sizes_is_to_scale():
    artists = by_id(draw_picture("real-sizes"))
    inch = artists["rectangle:tokens"].get_width() / 768
    for name in ("tokens", "queries", "keys", "values", "output"):
        grid = artists[f"rectangle:{name}"]
        np.testing.assert_allclose((grid.get_height(), grid.get_width()), (512 * inch, 768 * inch))
        assert artists[f"number:{name}"].get_text() == "393,216"
    grids = [artist for gid, artist in artists.items() if gid.startswith("rectangle:scores:")]
    assert len(grids) == 12
    for grid in grids:
        np.testing.assert_allclose((grid.get_height(), grid.get_width()), 512 * inch)
    assert [artists[f"name:scores:{k}"].get_text() for k in range(12)] == [f"{k}" for k in range(1, 13)]
    assert "262,144 in all; together 3,145,728" in artists["number:scores:all"].get_text()


# ---- facts ------------------------------------------------------------------


def test_printed_digits_of_the_raised_scores_do_not_add_up():
    found = facts()
    assert found["cube-exp-printed-total"] == pytest.approx(0.869 + 0.132 + 0.214 + 0.059)
    assert round(float(found["cube-exp-printed-total"]), 3) == 1.274
    assert round(float(found["cube-exp-total"]), 4) == 1.2725
    assert found["cube-exp-rounded-up-total"] == pytest.approx(found["cube-exp-rounded-up"].sum())
    assert (found["cube-exp-rounded-up"] > 0).all()


def test_the_first_number_from_rounded_weights_differs():
    found = facts()
    assert round(float(found["cube-first-output"]), 4) == 0.5789
    assert round(float(found["cube-first-printed-output"]), 4) == 0.5792
    # The values are exact as printed, so the weights alone make the difference.
    np.testing.assert_allclose(VALUES, VALUES.round(2), atol=1e-12)


def test_lowering_every_score_changes_no_weight():
    found = facts()
    lowered = found["cube-lowered-exp"] / found["cube-lowered-total"]
    np.testing.assert_allclose(lowered, found["cube-weights"])
    np.testing.assert_allclose(found["large-weights"], [1 - found["lead-1"], found["lead-1"]])
    with np.errstate(over="ignore"):
        assert not np.isfinite(np.exp(found["large-scores"].astype(float))).any()
    assert np.isfinite(np.exp(found["largest-power"] - 1e-9))


def test_the_slips_keep_the_shape_and_lose_the_totals():
    found = facts()
    assert found["down-columns"].shape == found["weights"].shape
    np.testing.assert_allclose(found["down-columns-column-totals"], 1)
    for slip in ("down-columns-row-totals", "flat-totals-row-totals"):
        assert (abs(found[slip] - 1) > 0.04).all()


def test_real_counts():
    found = facts()
    assert found["real-token-grid"] == 512 * 768
    assert found["real-score-grids"] == 12 * 512 * 512 == 8 * found["real-token-grid"]
    assert isinstance(found["real-score-grid"], int) and cost.HEADS == 12
