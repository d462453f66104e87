"""What the pictures of section 2 draw is what the arithmetic gives."""

import numpy as np
import pytest

from scripts import example
from scripts.numbers import show
from tools.cells import draw_picture
from tools.facts.section2 import facts


def artist(picture, gid):
    (found,) = picture.findobj(lambda one: one.get_gid() == gid)
    return found


def same_numbers(picture, name, values, form):
    for at in np.ndindex(values.shape):
        gid = ":".join(["number", name, *map(str, at)])
        assert artist(picture, gid).get_text() == show(values[at], form), gid


def test_one_pair():
    picture = draw_picture("one-pair")
    same_numbers(picture, "query", example.QUERIES[3:], "+.2f")
    same_numbers(picture, "key", example.KEYS[:1], "+.2f")
    same_numbers(picture, "value", example.VALUES[:1], "+.2f")
    same_numbers(picture, "score", example.SCORES[3:, :1], ".3f")
    same_numbers(picture, "weight", example.WEIGHTS[3:, :1], ".3f")
    same_numbers(picture, "share", example.WEIGHTS[3, 0] * example.VALUES[:1], "+.2f")
    opacity = artist(picture, "cell:weight:0:0").get_facecolor()[3]
    assert opacity == pytest.approx(example.WEIGHTS[3, 0])


def test_three_matrices():
    picture = draw_picture("three-matrices")
    same_numbers(picture, "w-query", example.W_QUERY, "+.1f")
    same_numbers(picture, "w-key", example.W_KEY, "+.1f")
    same_numbers(picture, "w-value", example.W_VALUE, "+.1f")


def test_query_by_hand_is_true_cell_by_cell():
    picture = draw_picture("query-by-hand")
    same_numbers(picture, "row", example.TOKENS[3][:, None], "+.1f")
    for j in range(4):
        same_numbers(picture, f"w-query-column{j}", example.W_QUERY[:, j : j + 1], "+.1f")
        total = 0.0
        for i in range(4):
            product = example.TOKENS[3, i] * example.W_QUERY[i, j]
            total += product
            shown = artist(picture, f"number:products:{i}:{j}").get_text()
            assert shown == show(product, "+.2f")
        assert artist(picture, f"number:query:0:{j}").get_text() == show(total, "+.2f")


def test_three_grids():
    picture = draw_picture("qkv-grids")
    same_numbers(picture, "tokens", example.TOKENS, "+.1f")
    for name, grid in (("queries", example.QUERIES), ("keys", example.KEYS), ("values", example.VALUES)):
        same_numbers(picture, name, grid, "+.2f")


def test_products_of_the_prose_add_up():
    found = facts()
    for name in ("query", "key", "value"):
        np.testing.assert_allclose(found[f"cube-{name}-products"].sum(axis=1), found[f"cube-{name}"])
    assert found["the-query-first-products"].sum() == pytest.approx(example.QUERIES[2, 0])


def test_direct_comparison_is_mutual_and_mostly_finds_itself():
    direct = facts()["direct-scores"]
    np.testing.assert_array_equal(direct, direct.T)
    assert facts()["direct-leaders"].tolist() == [0, 1, 3, 3]
    assert not np.allclose(example.RAW, example.RAW.T)
