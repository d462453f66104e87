"""Every picture of the running example in sections 1 to 5 can be drawn from the trained twin."""

import numpy as np
import pytest
from drawn import artists, assert_legible

from scripts import draw, example, twin
from scripts.attention import neighbour_weights
from scripts.numbers import show

ONE = twin.TRAINED["two_heads"]

pytestmark = pytest.mark.slow  # draws dozens of pictures


def drawings(of):
    """Pictures of a module of numbers: `example` or `twin`."""
    weights, values = of.WEIGHTS[3], of.VALUES
    root = np.sqrt(of.QUERIES.shape[1])
    moved = abs(of.OUTPUT - of.TOKENS).mean(axis=1)
    pair = (of.SCORES[3, 0], weights[0], values[0], weights[0] * values[0])
    matrices = (of.W_QUERY, of.W_KEY, of.W_VALUE)
    made = (of.QUERIES, of.KEYS, of.VALUES)
    products = of.TOKENS[3][:, None] * of.W_QUERY
    return {
        "embedding-blind": lambda: draw.embedding_blind(of.TOKENS[3]),
        "four-tokens": lambda: draw.four_tokens(of.TOKENS, of.ORDER),
        "cube-arrows": lambda: draw.cube_arrows(weights, of.ORDER),
        "before-after": lambda: draw.before_after(of.TOKENS, of.OUTPUT, moved, of.ORDER),
        "convolution": lambda: draw.convolution(neighbour_weights(4, 0.25, 0.5, 0.25), of.WEIGHTS, of.ORDER),
        "one-pair": lambda: draw.one_pair(of.QUERIES[3], of.KEYS[0], *pair),
        "three-matrices": lambda: draw.three_matrices(*matrices),
        "query-by-hand": lambda: draw.query_by_hand(of.TOKENS[3], of.W_QUERY, products, products.sum(axis=0)),
        "qkv-grids": lambda: draw.qkv_grids(of.TOKENS, *made, of.ORDER),
        "dot-product-by-hand": lambda: draw.dot_product_by_hand(
            of.QUERIES[3], of.KEYS[0], of.QUERIES[3] * of.KEYS[0]
        ),
        "raw-scores": lambda: draw.raw_scores(of.RAW, of.ORDER),
        "scaled-scores": lambda: draw.scaled_scores(of.RAW, of.SCORES, of.ORDER, root),
        "softmax-table": lambda: draw.softmax_table(of.SCORES[3], np.exp(of.SCORES[3]), weights, of.ORDER),
        "weight-grid": lambda: draw.weight_grid(of.WEIGHTS, of.ORDER),
        "mix-values": lambda: draw.mix_values(
            weights, values, weights[:, None] * values, of.OUTPUT[3], of.ORDER
        ),
        "as-matrices": lambda: draw.as_matrices(of.TOKENS, matrices, made, of.SCORES, of.WEIGHTS, of.OUTPUT),
        "cut-query": lambda: draw.cut_query(of.W_QUERY, of.QUERIES, of.ORDER),
        "two-heads": lambda: draw.two_heads([head.weights for head in of.TWO_HEADS.heads], of.ORDER),
    }


TRAINED = drawings(twin) | {
    "one head": lambda: draw.two_heads([head.weights for head in twin.ONE_HEAD.heads], twin.ORDER),
    "cut-query": lambda: draw.cut_query(
        ONE["w_query"], ONE["table"][twin.numbered(twin.ORDER)] @ ONE["w_query"], twin.ORDER
    ),
}


@pytest.mark.parametrize("name", TRAINED)
def test_text_stands_clear_and_words_are_there(name):
    picture = TRAINED[name]()
    assert_legible(picture)
    assert 60 <= len(picture.alt) <= 1800 and "nan" not in picture.alt and " none" not in picture.alt


@pytest.mark.parametrize("name", drawings(example))
def test_it_has_the_size_of_the_picture_with_random_numbers(name):
    random, trained = drawings(example)[name](), TRAINED[name]()
    assert tuple(random.get_size_inches()) == tuple(trained.get_size_inches())


def test_weights_that_are_level_are_all_outlined_and_named():
    """In the second of the two heads three words look at nothing in particular."""
    picture = TRAINED["two-heads"]()
    weights = twin.TWO_HEADS.heads[1].weights
    found = {name for name in artists(picture) if name.startswith("marked:weights-1:")}
    top = [[show(w, ".3f") == show(row.max(), ".3f") for w in row] for row in weights]
    assert found == {f"marked:weights-1:{i}:{j}" for i, j in np.argwhere(top)} and len(found) > 4
    assert "most on “pick”, “up” and “cube”." in picture.alt
