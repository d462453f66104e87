"""Position: how a model is told where a token stands.

Attention is blind to order; two cures are worked out here.  `sines` are added to the tokens, as in
"Attention Is All You Need" (Vaswani et al., 2017).  `turned` turns queries and keys by an angle that
grows with their place, as in RoFormer (Su et al., 2021).

What position is good for is shown by a race: a text such as "ana bo first" asks who came first, and
the answer is "ana".  A layer without position gives "ana bo first" and "bo ana first" the same answer, so that
it can be right in half of the races at most.
"""

import itertools

import numpy as np
from numpy.typing import ArrayLike

from scripts import gradients, model
from scripts.attention import whole_number
from scripts.gradients import Array, Parameters

BASE = 10_000  # of the papers: the slowest wave takes this many places for about six
NAMES = ("ana", "bo", "cy", "dee")
RACE_WORDS = (*NAMES, "first", "last")
WIDTH, STEPS, RATE = 8, 300, 0.03


def speeds(width: int) -> Array:
    """Angle from one place to the next, for every pair of numbers, of shape (width / 2,).

    Raises
    ------
    ValueError
        If the width is odd.
    """
    if whole_number("width", width) % 2:
        raise ValueError(f"sines come in pairs, so the width must be even; got {width}")
    return float(BASE) ** (-np.arange(0, width, 2) / width)


def sines(n: int, width: int) -> Array:
    """Sine and cosine of every angle at the first n places, of shape (n, width): a vector for each place."""
    angles = np.arange(whole_number("n", n))[:, None] * speeds(width)  # (n, width / 2)
    return np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(n, width)


def turned(rows: ArrayLike, places: ArrayLike) -> Array:
    """Turn every pair of numbers of each row by its speed times the row's place.

    Parameters
    ----------
    rows : of shape (n, width)
        Queries or keys.
    places : of shape (n,)
        Where they stand; any numbers.

    Raises
    ------
    ValueError
        If there is not one place a row, or the width is odd.
    """
    rows, places = np.asarray(rows, float), np.asarray(places, float)
    if rows.ndim != 2 or places.shape != rows.shape[:1]:
        raise ValueError(f"each row needs a place; got rows of shape {rows.shape}, places of {places.shape}")
    angles = places[:, None] * speeds(rows.shape[1])  # (n, width / 2)
    x, y = rows[:, 0::2], rows[:, 1::2]
    pairs = x * np.cos(angles) - y * np.sin(angles), x * np.sin(angles) + y * np.cos(angles)
    return np.stack(pairs, axis=-1).reshape(rows.shape)


# --------------------------------------------------------------------------
# The race
# --------------------------------------------------------------------------

_RACES = [
    (*pair, question, pair[question == "last"])
    for pair in itertools.permutations(NAMES, 2)
    for question in ("first", "last")
]
RACES = np.array([[RACE_WORDS.index(word) for word in race] for race in _RACES])  # (24, 4): text, answer


def train(with_position: bool, seed: int = 0, steps: int = STEPS) -> Parameters:
    """Train one layer of one head on all races, with a vector for each place or without."""
    parameters = model.start(
        np.random.default_rng(seed),
        vocabulary=len(RACE_WORDS),
        width=WIDTH,
        layers=1,
        most=3 if with_position else 0,
    )
    asked = np.array([0.0, 0.0, 1.0])  # only the word after the question counts

    def slopes(now):
        return model.slopes(now, RACES[:, :3], RACES[:, 1:], share=asked)

    for _ in gradients.training(parameters, slopes, steps=steps, rate=RATE):
        pass
    return parameters


def accuracy(parameters: Parameters) -> float:
    """Share of races that are answered right."""
    logits = model.forward(parameters, RACES[:, :3]).logits[:, -1]
    return float((logits.argmax(axis=-1) == RACES[:, 3]).mean())
