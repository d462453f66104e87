"""Facts of section 1."""

import numpy as np

from scripts import example
from scripts.attention import neighbour_weights, self_attention
from scripts.exercises import tokens as exercises

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
        **exercise_numbers(),
    }


def exercise_numbers():
    """What the exercises give, and what comes out."""
    shares = exercises.MIX_WEIGHTS[:, None] * exercises.MIX_VECTORS
    found = exercises.FOUND_WEIGHTS[:, None] * exercises.FOUND_VECTORS
    return {
        "mix-task-weights": exercises.MIX_WEIGHTS,
        "mix-task-vectors": exercises.MIX_VECTORS,
        "mix-task-shares": shares,
        "mix-task-mixture": shares.sum(axis=0),
        "found-task-vectors": exercises.FOUND_VECTORS,
        "found-task-weights": exercises.FOUND_WEIGHTS,
        "found-task-shares": found,
        "found-task-total": exercises.FOUND_WEIGHTS.sum(),
        "found-task-mixture": found.sum(axis=0),
        # How far apart the first numbers are, and how far the mixture has come.
        "found-task-step": exercises.FOUND_VECTORS[1, 0] - exercises.FOUND_VECTORS[0, 0],
        "found-task-rest": exercises.FOUND_VECTORS[1, 0] - found.sum(axis=0)[0],
    }
