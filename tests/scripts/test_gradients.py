"""Every gradient against finite differences, at many shapes."""

import numpy as np
import pytest

from scripts import gradients as g
from scripts.attention import attention, causal_mask, multi_head_attention

SHAPES = [(1, 1, 1, 1, 1, 1), (2, 3, 5, 1, 2, 3), (3, 4, 4, 2, 3, 1), (1, 2, 6, 4, 1, 2), (2, 5, 5, 1, 8, 8)]


def problem(shape, seed=0):
    b, n_q, n_k, heads, d, d_v = shape
    rng = np.random.default_rng(seed)
    return {
        "queries": rng.normal(size=(b, n_q, heads * d)),
        "keys": rng.normal(size=(b, n_k, heads * d)),
        "values": rng.normal(size=(b, n_k, heads * d_v)),
    }, rng.normal(size=(b, n_q, heads * d_v))


def everywhere(loss, parameters, name):
    found = np.zeros_like(parameters[name])
    for place in np.ndindex(found.shape):
        found[place] = g.finite_difference(loss, parameters, name, place)
    return found


@pytest.mark.parametrize("masked", [False, True])
@pytest.mark.parametrize("divide", [True, False])
@pytest.mark.parametrize("shape", SHAPES)
def test_attention_carries_the_gradient_back(shape, divide, masked):
    rows, toward = problem(shape)
    how = {"heads": shape[3], "divide": divide, "mask": causal_mask(shape[1], shape[2]) if masked else None}

    def loss(p):
        return (g.attend(p["queries"], p["keys"], p["values"], **how).output * toward).sum()

    kept = g.attend(rows["queries"], rows["keys"], rows["values"], **how)
    for name, found in zip(rows, g.attend_backward(toward, kept), strict=True):
        np.testing.assert_allclose(found, everywhere(loss, rows, name), atol=1e-6)


def test_the_forward_pass_is_that_of_the_course():
    rows, _ = problem((2, 4, 4, 2, 2, 2))
    found = g.attend(*rows.values(), heads=2)
    one = g.attend(*rows.values(), divide=False)
    for i in range(2):
        of_course = multi_head_attention(*(part[i] for part in rows.values()), 2)
        np.testing.assert_allclose(found.output[i], of_course.joined)
        np.testing.assert_allclose(found.weights[i], [head.weights for head in of_course.heads])
        scaled = attention(2 * rows["queries"][i], rows["keys"][i], rows["values"][i])  # the root of 4 is 2
        np.testing.assert_allclose(one.output[i], scaled.output)


def test_large_logits_and_a_probability_of_zero_stay_finite():
    rows = np.array([[[1_000.0, 999.0], [-1_000.0, -1_000.0]]])
    np.testing.assert_allclose(g.softmax(rows)[0], [[1 / (1 + np.exp(-1)), 1 / (1 + np.exp(1))], [0.5, 0.5]])
    loss, found = g.cross_entropy(np.array([[0.0, 2_000.0]]), np.array([0]))
    assert 600 < loss < 800 and found.tolist() == [[-1, 1]]


def test_a_mask_takes_pairs_away():
    rows, _ = problem((2, 3, 3, 1, 2, 2))
    kept = g.attend(*rows.values(), mask=causal_mask(3))
    for i in range(2):
        of_course = attention(*(part[i] for part in rows.values()), causal_mask(3))
        np.testing.assert_allclose(kept.weights[i, 0], of_course.weights)


def test_bad_input_is_refused():
    rows, _ = problem((1, 2, 2, 2, 2, 2))
    with pytest.raises(ValueError, match="heads must divide the width of queries, 4; got 3"):
        g.attend(*rows.values(), heads=3)
    with pytest.raises(ValueError, match="one key at least"):
        g.attend(*rows.values(), mask=np.array([[True, False], [False, False]]))


@pytest.mark.parametrize("share", [None, np.array([[1.0, 0.0, 3.0], [0.5, 2.0, 1.0]])])
def test_cross_entropy(share):
    rng = np.random.default_rng(1)
    targets = rng.integers(0, 4, (2, 3))
    p = {"logits": rng.normal(size=(2, 3, 4))}
    loss, found = g.cross_entropy(p["logits"], targets, share)
    np.testing.assert_allclose(
        found, everywhere(lambda q: g.cross_entropy(q["logits"], targets, share)[0], p, "logits"), atol=1e-8
    )
    chances = np.exp(p["logits"]) / np.exp(p["logits"]).sum(axis=-1, keepdims=True)
    each = -np.log(np.take_along_axis(chances, targets[..., None], -1)[..., 0])
    assert loss == pytest.approx(np.average(each, weights=share))


def test_squared_distance():
    rng = np.random.default_rng(2)
    p, target = {"output": rng.normal(size=(5, 2))}, rng.normal(size=(5, 2))
    loss, found = g.squared_distance(p["output"], target)
    assert loss == pytest.approx(np.mean([np.hypot(*row) ** 2 for row in p["output"] - target]))
    assert found == pytest.approx(
        everywhere(lambda q: g.squared_distance(q["output"], target)[0], p, "output")
    )


def test_matrices_and_tables():
    rng = np.random.default_rng(3)
    tokens = np.array([[0, 2, 2], [1, 2, 0]])
    p = {"table": rng.normal(size=(4, 3)), "matrix": rng.normal(size=(3, 2))}
    toward = rng.normal(size=(2, 3, 2))

    def loss(q):
        return (q["table"][tokens] @ q["matrix"] * toward).sum()

    rows = p["table"][tokens]
    assert g.through_matrix(rows, toward) == pytest.approx(everywhere(loss, p, "matrix"))
    assert g.into_table(p["table"], tokens, toward @ p["matrix"].T) == pytest.approx(
        everywhere(loss, p, "table")
    )


def test_steps_lead_down():
    for take in ("adam", "plain"):
        p = {"x": np.array([3.0, -2.0])}
        adam = g.Adam(p, 0.1)
        for _ in range(300):
            gradient = {"x": 2 * p["x"]}
            adam.step(p, gradient) if take == "adam" else g.descend(p, gradient, 0.1)
        assert np.abs(p["x"]).max() < 1e-2
    first = {"x": np.array([1.0, 1.0])}
    g.Adam(first, 0.5).step(first, {"x": np.array([1e-3, -40.0])})
    assert first["x"] == pytest.approx([0.5, 1.5], abs=1e-4)  # a first step is as long as the rate


def test_rounding_leaves_no_negative_zero():
    assert str(g.rounded({"x": np.array([-0.04, 0.26])})["x"]) == "[0.  0.3]"


def test_training_slows_down_in_a_straight_line_and_pulls_toward_zero():
    slope = {"x": np.array([1.0]), "free": np.array([1.0])}
    p = {"x": np.array([5.0]), "free": np.array([5.0])}
    places = [5.0]
    for step, loss in g.training(p, lambda q: (q["x"].sum(), dict(slope)), steps=4, rate=0.4):
        places.append(p["x"][0])
        assert loss == pytest.approx(places[step - 1]), "that before the step"
    np.testing.assert_allclose(-np.diff(places), [0.4, 0.3, 0.2, 0.1])
    assert list(slope) == ["x", "free"] and slope["x"] == 1, "what the slopes returned is left alone"


@pytest.mark.parametrize("pull", [{"decay": 0.5}, {"sparse": 0.5}])
def test_a_price_makes_what_is_not_needed_zero(pull):
    """The minimum of (x - 2)^2 / 2 with the price is at 2 / 1.5, or at 2 - 0.5; what has no other use goes to zero."""
    p = {"needed": np.array([3.0]), "idle": np.array([-1.0]), "free": np.array([0.7])}
    priced = {name: {"needed": 0.5, "idle": 0.5} for name in pull}

    def slopes(q):
        return 0.0, {"needed": q["needed"] - 2, "idle": np.zeros(1), "free": np.zeros(1)}

    for _ in g.training(p, slopes, steps=800, rate=0.05, **priced):
        pass
    assert p["needed"][0] == pytest.approx(2 / 1.5 if "decay" in pull else 1.5, abs=1e-3)
    assert p["idle"][0] == pytest.approx(0, abs=1e-3) and p["free"][0] == 0.7
    q = {"idle": np.array([1.0])}
    assert len(list(g.training(q, lambda r: (0.0, {"idle": np.zeros(1)}), steps=3, rate=0.1, **pull))) == 3
    assert q["idle"][0] < 1, "one strength for all"
    q = {"idle": np.zeros(1)}
    list(g.training(q, lambda r: (0.0, {"idle": np.zeros(1)}), steps=3, rate=0.1, **pull))
    assert q["idle"][0] == 0, "what is zero stays so"


def test_what_is_stored_is_read_again(tmp_path):
    trained = {"a": {"x": np.array([[0.1, -2.0]]), "y": np.array([3.5])}, "b": {"z": np.zeros((2, 2))}}
    g.store(tmp_path / "some.json", trained, {"right": [1.0, [0.5, 2]]})
    found, study = g.stored(tmp_path / "some.json")
    assert (
        study == {"right": [1.0, [0.5, 2]]} and list(found) == ["a", "b"] and list(found["a"]) == ["x", "y"]
    )
    for name, grids in trained.items():
        for key, grid in grids.items():
            np.testing.assert_array_equal(found[name][key], grid)
            with pytest.raises(ValueError, match="read-only"):
                found[name][key][0] = 1
