"""Facts of section 1."""

import numpy as np

from scripts import example
from scripts.attention import neighbour_weights, self_attention

MARKS = np.array([8.0, 4.0])  # an examination and the homework
MARK_WEIGHTS = np.array([0.75, 0.25])


def apart(vectors, first, second):
    """Mean size of the difference between two rows."""
    return np.abs(vectors[first] - vectors[second]).mean()


def facts():
    """Return the section's numbers by id."""
    changes = np.abs(example.OUTPUT - example.TOKENS)
    moved = changes.mean(axis=1)
    fixed = neighbour_weights(len(example.ORDER), *example.KERNEL)
    wiped = example.TOKENS.copy()
    wiped[0] = 0  # the exercise at the end
    products = MARK_WEIGHTS * MARKS
    return {
        "tokens": example.TOKENS,
        "weights": example.WEIGHTS,
        "values": example.VALUES,
        "outputs": example.OUTPUT,
        "cube-weights": example.WEIGHTS[3],
        "cube-weights-total": example.WEIGHTS[3].sum(),
        "moved": moved,
        "moved-third": moved[2],
        "moved-first": moved[0],
        "moved-extremes": np.array([moved.argmin(), moved.argmax()]),
        "the-changes": changes[2],
        "the-changes-total": changes[2].sum(),
        "cube-change-sizes": changes[3],
        "pick-up-apart-before": apart(example.TOKENS, 0, 1),
        "pick-up-apart": apart(example.OUTPUT, 0, 1),
        "the-cube-apart-before": apart(example.TOKENS, 2, 3),
        "the-cube-apart": apart(example.OUTPUT, 2, 3),
        "mark-weights": MARK_WEIGHTS,
        "marks": MARKS,
        "mark-products": products,
        "mark-average": products.sum(),
        "kernel": np.array(example.KERNEL),
        "fixed-weights": fixed,
        "fixed-totals": fixed.sum(axis=1),
        "wiped-weights": self_attention(wiped, example.W_QUERY, example.W_KEY, example.W_VALUE).weights,
        "numbers-per-token": example.TOKENS.shape[1],
        "token-count": len(example.ORDER),
    }
