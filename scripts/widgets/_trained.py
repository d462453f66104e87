"""Sections 1 to 5: a picture of the running example with its random numbers, and with trained ones."""

from typing import NamedTuple

import numpy as np

from scripts import example, twin
from scripts.draw.canvas import PICTURES
from scripts.draw.words import foremost, quoted, sentences
from scripts.numbers import show, shows
from scripts.widgets._slider import SLIDERS, slider


class Numbers(NamedTuple):
    """A picture's values, and what they say in one sentence."""

    values: tuple
    said: str


def _takes(of) -> str:
    weights = of.WEIGHTS[3]
    most = quoted(foremost(of.ORDER, weights, ".3f"))
    return f"“{of.ORDER[3]}” takes most from {most}, {show(weights.max(), '.3f')}"


def _arrows(of):
    return Numbers((of.WEIGHTS[3], of.ORDER), _takes(of))


def _matrices(of):
    matrices = of.W_QUERY, of.W_KEY, of.W_VALUE
    counts = [show((matrix != 0).sum(), "d") for matrix in matrices]
    said = "the query matrix has {} other than zero, the key matrix {}, the value matrix {}"
    return Numbers(matrices, said.format(*counts))


def _grids(of):
    said = f"the query of “{of.ORDER[3]}” is {shows(of.QUERIES[3], '+.2f')}"
    return Numbers((of.TOKENS, of.QUERIES, of.KEYS, of.VALUES, of.ORDER), said)


def _scores(of):
    said = f"scaled, the scores go from {show(of.SCORES.min(), '+.2f')} to {show(of.SCORES.max(), '+.2f')}"
    return Numbers((of.RAW, of.SCORES, of.ORDER, np.sqrt(of.QUERIES.shape[1])), said)


def _weights(of):
    return Numbers((of.WEIGHTS, of.ORDER), _takes(of))


def _mix(of):
    products = of.WEIGHTS[3][:, None] * of.VALUES
    return Numbers((of.WEIGHTS[3], of.VALUES, products, of.OUTPUT[3], of.ORDER), _takes(of))


def _heads(of):
    heads = [head.weights for head in of.TWO_HEADS.heads]
    most = [
        f"{show(row.max(), '.3f')} to {quoted(foremost(of.ORDER, row, '.3f'))}"
        for row in (weights[3] for weights in heads)
    ]
    return Numbers((heads, of.ORDER), f"“{of.ORDER[3]}” gives {most[0]} in head one, {most[1]} in head two")


NUMBERS = {
    "cube-arrows": _arrows,
    "three-matrices": _matrices,
    "qkv-grids": _grids,
    "scaled-scores": _scores,
    "weight-grid": _weights,
    "mix-values": _mix,
    "two-heads": _heads,
}


def _register(identity, numbers):
    def places():
        for word, of in (("random", example), ("trained", twin)):
            values, said = numbers(of)
            drawn = PICTURES[identity](*values)
            _title, *rest = sentences(drawn.alt)
            drawn.alt = f"{word.capitalize()} numbers: {said}. {' '.join(rest)}"
            yield word, drawn

    places.__name__ = f"trained-{identity}"
    slider(handle="numbers", start="trained")(places)


for _identity, _numbers in NUMBERS.items():
    _register(_identity, _numbers)


def trained(picture):
    """One picture of the running example, with random numbers at one end and trained ones at the other.

    Parameters
    ----------
    picture : str
        Its id, such as "weight-grid": one of those in `NUMBERS`.

    Raises
    ------
    ValueError
        If there is no such picture.
    """
    if picture not in NUMBERS:
        raise ValueError(f"picture must be one of {', '.join(NUMBERS)}; got {picture!r}")
    return SLIDERS[f"trained-{picture}"]()
