"""The whole model: its gradient, its parts by hand, its cache, and what it refuses."""

import itertools

import numpy as np
import pytest
import slow

from scripts import gradients, model

KINDS = {
    "attention alone": {"layers": 2, "most": 6},
    "no position": {"layers": 1},
    "all parts": {"layers": 2, "most": 5, "hidden": 7, "norm": True},
    "norm without feed-forward": {"layers": 1, "most": 5, "norm": True},
}
EVERY_KIND = pytest.mark.parametrize("kind", KINDS)


def made(kind, seed=0):
    """Parameters in which no gain is one and no shift zero, and texts."""
    generator = np.random.default_rng(seed)
    parameters = model.start(generator, vocabulary=5, width=4, **KINDS[kind])
    for name, grid in parameters.items():
        if grid.ndim == 1:
            parameters[name] = grid + generator.normal(0, 0.3, grid.shape)
    return parameters, generator.integers(0, 5, (3, 5))


def test_what_a_model_begins_with():
    """Norms that neither stretch nor shift, no biases, and only the parts that were asked for."""
    for how in KINDS.values():
        parameters = model.start(np.random.default_rng(0), vocabulary=5, width=4, **how)
        for name, grid in parameters.items():
            if grid.ndim == 1:
                assert set(grid) == {1.0 if "gain" in name else 0.0}
        own = model.of_layer(parameters, 0)
        assert ("w_in" in own) == ("b_out" in own) == ("hidden" in how)
        assert ("gain_1" in own) == ("gain" in parameters) == ("norm" in how)
        assert ("gain_2" in own) == ("norm" in how and "hidden" in how)
        assert ("positions" in parameters) == ("most" in how)


@EVERY_KIND
@pytest.mark.parametrize("heads", [1, 2])
def test_gradient_of_every_number(kind, heads):
    parameters, tokens = made(kind)
    targets, share = np.roll(tokens, 1, axis=0), np.random.default_rng(1).random(tokens.shape)
    loss, found = model.slopes(parameters, tokens, targets, heads, share)
    logits = model.forward(parameters, tokens, heads).logits
    assert loss == gradients.cross_entropy(logits, targets, share)[0]
    assert list(found) == list(parameters)
    for name, grid in parameters.items():
        for place in itertools.islice(np.ndindex(grid.shape), 0, None, 3):
            slope = gradients.finite_difference(
                lambda p: model.slopes(p, tokens, targets, heads, share)[0], parameters, name, place
            )
            assert found[name][place] == pytest.approx(slope, abs=1e-7), (name, place)


@pytest.mark.parametrize("heads", [1, 2])
def test_one_block_by_explicit_loops(heads):
    parameters, tokens = made("all parts")
    own = {name: grid.tolist() for name, grid in model.of_layer(parameters, 0).items()}
    run = model.forward(parameters, tokens, heads)
    stream = (parameters["table"][tokens[1]] + parameters["positions"]).tolist()

    def norm(row, which):
        mean = sum(row) / 4
        spread = (sum((x - mean) ** 2 for x in row) / 4 + 1e-5) ** 0.5
        gain, shift = own[f"gain_{which}"], own[f"shift_{which}"]
        return [g * (x - mean) / spread + s for x, g, s in zip(row, gain, shift, strict=True)]

    asked = [norm(row, 1) for row in stream]
    rows = [slow.project(asked, own[name]) for name in ("w_query", "w_key", "w_value")]
    joined = [[] for _ in stream]
    causal = [[j <= i for j in range(5)] for i in range(5)]
    size = 4 // heads
    for h in range(heads):
        cut = [[row[h * size : (h + 1) * size] for row in part] for part in rows]
        for row, mixed in zip(joined, slow.attention(*cut, causal)[3], strict=True):
            row += mixed
    middle = [
        [a + b for a, b in zip(*pair, strict=True)]
        for pair in zip(stream, slow.project(joined, own["w_output"]), strict=True)
    ]
    after = []
    for row in middle:
        (hidden,) = slow.project([norm(row, 2)], own["w_in"])
        bent = [max(0, x + b) for x, b in zip(hidden, own["b_in"], strict=True)]
        (out,) = slow.project([bent], own["w_out"])
        after.append([a + b + c for a, b, c in zip(row, out, own["b_out"], strict=True)])
    np.testing.assert_allclose(run.blocks[0].middle[1], middle)
    np.testing.assert_allclose(run.blocks[0].after[1], after)
    np.testing.assert_array_equal(run.blocks[1].before, run.blocks[0].after)
    last = model.layer_norm(run.blocks[1].after, parameters["gain"], parameters["shift"])
    np.testing.assert_allclose(run.logits, last @ parameters["read"])


@EVERY_KIND
def test_the_cache_changes_no_number(kind):
    parameters, tokens = made(kind)
    whole = model.forward(parameters, tokens, 2)
    past, pieces = None, []
    for piece in (tokens[:, :2], tokens[:, 2:3], tokens[:, 3:]):
        past = model.forward(parameters, piece, 2, past=past)
        pieces.append(past.logits)
    np.testing.assert_allclose(np.concatenate(pieces, axis=1), whole.logits)


def test_what_comes_later_changes_nothing_before():
    parameters, tokens = made("all parts")
    other = tokens.copy()
    other[:, 3:] = (other[:, 3:] + 1) % 5
    same = model.forward(parameters, tokens, 2).logits == model.forward(parameters, other, 2).logits
    assert same[:, :3].all() and not same[:, 3:].any()


def test_writing_on_with_the_cache_and_without():
    parameters, tokens = made("all parts")
    ways = [
        list(itertools.islice(model.writing(parameters, tokens[0, :2], 2, cache=cache), 4))
        for cache in (True, False)
    ]
    said = [[token for token, _ in way] for way in ways]
    assert said[0] == said[1]
    assert [run.logits.shape[1] for _, run in ways[0]] == [2, 1, 1, 1]
    assert [run.logits.shape[1] for _, run in ways[1]] == [2, 3, 4, 5]
    whole = model.forward(parameters, [[*tokens[0, :2], *said[0][:3]]], 2).logits
    assert said[0] == whole[0, 1:].argmax(axis=-1).tolist()


def test_a_head_that_is_switched_off_or_given_other_words():
    parameters, tokens = made("attention alone")
    run, off = (model.forward(parameters, tokens, 2, handed=h) for h in (None, {(0, 1): 0.0}))
    assert not off.blocks[0].joined[..., 2:].any()
    np.testing.assert_array_equal(off.blocks[0].joined[..., :2], run.blocks[0].joined[..., :2])
    other = model.forward(parameters, tokens[::-1], 2)
    every = {
        (layer, head): other.blocks[layer].joined[..., 2 * head : 2 * head + 2]
        for layer in (0, 1)
        for head in (0, 1)
    }
    patched = model.forward(parameters, tokens, 2, handed=every)
    np.testing.assert_allclose(patched.blocks[1].joined, other.blocks[1].joined)


def test_norm_and_feed_forward_alone():
    rows = np.array([[1.0, 2.0, 3.0, 6.0], [2.0, 2.0, 2.0, 2.0]])
    found = model.layer_norm(rows)
    np.testing.assert_allclose(found[0], (rows[0] - 3) / np.sqrt(3.5), atol=1e-5)
    assert found[1].tolist() == [0, 0, 0, 0], "a level row has no spread to divide by"
    bent = model.feed_forward(
        np.array([[2.0, -1.0]]), np.eye(2), np.array([0.0, 0.5]), 3 * np.eye(2), np.ones(2)
    )
    assert bent.tolist() == [[7, 1]]


def test_temperature_and_the_few_likeliest():
    logits = np.log([[0.5, 0.3, 0.2]])
    np.testing.assert_allclose(model.probabilities(logits), [[0.5, 0.3, 0.2]])
    cold = np.array([0.5, 0.3, 0.2]) ** 2
    np.testing.assert_allclose(model.probabilities(logits, 0.5), [cold / cold.sum()])
    np.testing.assert_allclose(model.probabilities(logits, top=2), [[0.625, 0.375, 0]])
    rows = np.log([[0.2, 0.5, 0.3], [0.1, 0.1, 0.8]])
    np.testing.assert_allclose(model.probabilities(rows, top=1), [[0, 1, 0], [0, 0, 1]])
    with pytest.raises(ValueError, match="more than zero; got 0"):
        model.probabilities(logits, 0)


@pytest.mark.parametrize("tokens", [[0, 1], [[0, 5]], [[-1, 0]], [[]]])
def test_tokens_that_are_none_are_refused(tokens):
    parameters, _ = made("all parts")
    with pytest.raises(ValueError, match=r"rows of the table, 0 to 4, of shape \(b, n\); got"):
        model.forward(parameters, tokens)


def test_too_many_tokens_and_no_such_head_are_refused():
    parameters, tokens = made("all parts")
    with pytest.raises(ValueError, match="positions for 5 tokens; got 6"):
        model.forward(parameters, tokens[:, :1], past=model.forward(parameters, tokens))
    for head in ((2, 0), (0, 2), (-1, 0)):
        with pytest.raises(ValueError, match="2 layers of 2 heads, counted from 0; got"):
            model.forward(parameters, tokens, 2, handed={head: 0.0})
