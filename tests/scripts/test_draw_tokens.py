"""What the pictures of section 1 draw is what the arithmetic gives."""

import numpy as np
import pytest

from scripts import example
from scripts.attention import neighbour_weights, self_attention
from scripts.draw.tokens import THICKEST
from scripts.numbers import show
from tools.cells import draw_picture
from tools.facts.section1 import facts


def artist(picture, gid):
    (found,) = picture.findobj(lambda one: one.get_gid() == gid)
    return found


def same_numbers(picture, name, values, form):
    for at in np.ndindex(values.shape):
        gid = ":".join(["number", name, *map(str, at)])
        assert artist(picture, gid).get_text() == show(values[at], form), gid


@pytest.mark.parametrize("sentence", [0, 1])
def test_both_sentences_hold_the_vector_of_cube(sentence):
    picture = draw_picture("embedding-blind")
    same_numbers(picture, f"vector{sentence}", example.TOKENS[3:], "+.1f")


def test_tokens_are_drawn():
    same_numbers(draw_picture("four-tokens"), "tokens", example.TOKENS, "+.1f")


def test_arrows_are_as_thick_as_the_weights():
    picture = draw_picture("cube-arrows")
    thick = [artist(picture, f"arrow:weights:{i}").get_linewidth() / 72 for i in range(4)]
    np.testing.assert_allclose(np.array(thick) / THICKEST, example.WEIGHTS[3])
    same_numbers(picture, "weights", example.WEIGHTS[3:], ".3f")


def test_before_after_and_bars():
    picture = draw_picture("before-after")
    moved = np.array([sum(abs(example.OUTPUT[i] - example.TOKENS[i])) / 4 for i in range(4)])
    same_numbers(picture, "tokens", example.TOKENS, "+.1f")
    same_numbers(picture, "outputs", example.OUTPUT, "+.2f")
    same_numbers(picture, "moved", moved[:, None], ".2f")
    long = np.array([artist(picture, f"bar:moved:{i}").get_width() for i in range(4)])
    np.testing.assert_allclose(long / long.max(), moved / moved.max())


def test_convolution_beside_attention():
    picture = draw_picture("convolution")
    fixed = np.array([[2, 1, 0, 0], [1, 2, 1, 0], [0, 1, 2, 1], [0, 0, 1, 2]]) / 4
    same_numbers(picture, "fixed", fixed, ".3f")
    same_numbers(picture, "weights", example.WEIGHTS, ".3f")
    for name, weights in (("fixed", fixed), ("weights", example.WEIGHTS)):
        for i, j in np.ndindex(4, 4):
            opacity = artist(picture, f"cell:{name}:{i}:{j}").get_facecolor()[3]
            assert opacity == pytest.approx(weights[i, j])


def test_neighbour_weights_tell_before_from_after():
    assert neighbour_weights(3, 0.1, 0.7, 0.2).tolist() == [[0.7, 0.2, 0.0], [0.1, 0.7, 0.2], [0.0, 0.1, 0.7]]
    assert neighbour_weights(1, 0.1, 0.7, 0.2).tolist() == [[0.7]]


@pytest.mark.parametrize("bad", [(0, 1, 1, 1), (2.5, 1, 1, 1), (3, np.nan, 1, 1), (3, 1, "x", 1)])
def test_neighbour_weights_refuses(bad):
    with pytest.raises(ValueError, match="must"):
        neighbour_weights(*bad)


def test_claims_of_the_prose():
    found = facts()
    # "pick" and "up" end nearest of all pairs, and lean on the same token.
    gaps = {(i, j): np.abs(example.OUTPUT[i] - example.OUTPUT[j]).mean() for i in range(4) for j in range(i)}
    assert min(gaps, key=gaps.get) == (1, 0)
    assert found["pick-up-apart"] == gaps[1, 0] and found["the-cube-apart"] == gaps[3, 2]
    assert example.WEIGHTS.argmax(axis=1).tolist() == [3, 3, 0, 0]
    # An average lies between the smallest and the largest of what went in.
    above, below = example.VALUES.max(axis=0), example.VALUES.min(axis=0)
    assert all((below <= row).all() and (row <= above).all() for row in example.OUTPUT)
    # The large weight follows "pick" to its new place.
    order = [2, 1, 0, 3]
    matrices = (example.W_QUERY, example.W_KEY, example.W_VALUE)
    again = self_attention(example.TOKENS[order], *matrices)
    np.testing.assert_allclose(again.weights[3], example.WEIGHTS[3][order], atol=1e-15)
    # A token of zeros asks nothing in particular, so it takes from all alike.
    np.testing.assert_allclose(found["wiped-weights"][0], 0.25)
    assert found["wiped-weights"][3, 0] > example.WEIGHTS[3, 0]
