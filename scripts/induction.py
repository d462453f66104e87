"""Two layers learn what one cannot: to go on with what they have read before.

A text is a run of letters that repeats itself: a random word of 4 to 12 different letters, again and
again, 24 letters in all.  From its second round on every letter can be foretold, by somebody who finds
the place where the last letter stood before and looks at what came after it.

One head attends once; it would have to know where that place is before it has looked for it.  Two
layers with a head each share out the work.  The first tells every letter which one stands before it.
The second looks for a letter that was told of the present one: it stands behind the earlier copy.  Such a pair
is called an induction head.

The models have no feed-forward part and no norm.  ``python -m scripts.induction`` trains them again
and stores them in induction.json, with what several generators gave.  Generator 11 is the one of the first sixteen
in which the first head keeps most strictly to the previous letter.

Source: Olsson et al., "In-context Learning and Induction Heads", 2022.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from scripts import gradients, model
from scripts.gradients import Array, Parameters
from scripts.model import Tokens

LETTERS = "ABCDEFGHIJKLMNOP"
LENGTH, SHORTEST, LONGEST = 24, 4, 12  # letters of a text, and of what repeats in it
WIDTH, SEED = 16, 11
STEPS, RATE, BATCH = 600, 0.01, 32
MANY = 6_000  # steps for one layer, to give it every chance
GENERATORS = 9
FILM = (0, 25, 50, 75, 100, 125, 150, 200, 300, 600)  # steps at which it is looked at
FIRST, SECOND = (0, 0), (1, 0)  # the two heads: layer, and which head of it


def texts(generator: np.random.Generator, count: int) -> tuple[Tokens, Array]:
    """Random texts.

    Returns
    -------
    tokens : ndarray of int, shape (count, 24)
        Places in `LETTERS`.
    share : ndarray of shape (count, 23)
        One where the letter after this one can be foretold, zero elsewhere.
    """
    tokens, share = np.empty((count, LENGTH), int), np.zeros((count, LENGTH - 1))
    for row, known in zip(tokens, share, strict=True):
        period = int(generator.integers(SHORTEST, LONGEST + 1))
        row[:] = np.resize(generator.permutation(len(LETTERS))[:period], LENGTH)
        known[period:] = 1
    return tokens, share


def numbered(letters: str) -> Tokens:
    """Letters as places in `LETTERS`.

    Raises
    ------
    ValueError
        If one is not there, or if there are none or too many.
    """
    if set(letters) - set(LETTERS) or not 0 < len(letters) <= LENGTH:
        raise ValueError(
            f"a text is 1 to {LENGTH} of the letters {LETTERS[0]} to {LETTERS[-1]}; got {letters!r}"
        )
    return np.array([LETTERS.index(letter) for letter in letters])


def training(seed: int, layers: int = 2, steps: int = STEPS) -> Iterator[tuple[int, float, Parameters]]:
    """Train from a random start; yield step, loss, and the parameters, which go on changing."""
    generator = np.random.default_rng(seed)
    parameters = model.start(generator, vocabulary=len(LETTERS), width=WIDTH, layers=layers, most=LENGTH)

    def slopes(now):
        tokens, share = texts(generator, BATCH)
        return model.slopes(now, tokens[:, :-1], tokens[:, 1:], share=share)

    yield 0, float("nan"), parameters
    for step, loss in gradients.training(parameters, slopes, steps=steps, rate=RATE):
        yield step, loss, parameters


def train(seed: int, layers: int = 2, steps: int = STEPS) -> Parameters:
    """What `training` ends with, in the coarse numbers in which it is stored."""
    *_, (_, _, parameters) = training(seed, layers, steps)
    return gradients.coarse(parameters)


def accuracy(parameters: Parameters, handed=None, seed: int = 99, count: int = 300) -> float:
    """Share of letters foretold, on new texts, of those that can be; `handed` is for `model.forward`."""
    tokens, share = texts(np.random.default_rng(seed), count)
    logits = model.forward(parameters, tokens[:, :-1], handed=handed).logits
    return float((logits.argmax(axis=-1) == tokens[:, 1:])[share > 0].mean())


@dataclass(frozen=True)
class Reading:
    """What a model does with one text.

    Attributes
    ----------
    letters : str
    weights : list of ndarray of shape (n, n)
        One for each layer.
    foretold : str
        The letter that the model expects after each of the letters.
    chances : ndarray of shape (n, 16)
        Its probability for every letter.
    """

    letters: str
    weights: list[Array]
    foretold: str
    chances: Array


def read(letters: str, parameters: Parameters | None = None, handed=None) -> Reading:
    """Let a model read a text; the trained one with two layers if none is given."""
    run = model.forward(
        PARAMETERS if parameters is None else parameters, numbered(letters)[None], handed=handed
    )
    chances = model.probabilities(run.logits[0])
    weights = [block.attended.weights[0, 0] for block in run.blocks]
    return Reading(letters, weights, "".join(LETTERS[i] for i in chances.argmax(axis=1)), chances)


def to_previous(parameters: Parameters, seed: int = 99, count: int = 300) -> float:
    """Mean weight that the first head gives the letter before, in the part that may have to be found again."""
    tokens, _ = texts(np.random.default_rng(seed), count)
    weights = model.forward(parameters, tokens[:, :-1]).blocks[0].attended.weights[:, 0]
    places = np.arange(1, LONGEST)
    return float(weights[:, places, places - 1].mean())


def to_continuation(parameters: Parameters, seed: int = 99, count: int = 300) -> float:
    """Mean weight that the second head gives to letters that stand behind an earlier copy of the present one."""
    tokens, share = texts(np.random.default_rng(seed), count)
    weights = model.forward(parameters, tokens[:, :-1]).blocks[1].attended.weights[:, 0]
    asked = tokens[:, :-1]
    before = np.concatenate([np.full((count, 1), -1), asked[:, :-1]], axis=1)  # the letter before each
    behind = asked[:, :, None] == before[:, None, :]  # (count, asking, looked at)
    return float((weights * behind).sum(axis=-1)[share > 0].mean())


@dataclass(frozen=True)
class Still:
    """One picture of the film: how far training is, and a copy of the model then."""

    step: int
    accuracy: float
    parameters: Parameters


def film(seed: int = SEED, at: tuple[int, ...] = FILM) -> list[Still]:
    """Train two layers, and look at them after some of the steps."""
    shots = []
    for step, _, now in training(seed):
        if step in at:
            shots.append(Still(step, accuracy(now), {name: grid.copy() for name, grid in now.items()}))
        if len(shots) == len(at):
            break
    return shots


def study(generators: int = GENERATORS, many: int = MANY) -> dict[str, list]:
    """Train several generators, from 0 on.

    Returns
    -------
    dict of str to list
        one, two : for each generator, the accuracy after each of the steps of `FILM`, with one and two layers
        one_longer : with one layer, after many steps
    """
    found = {
        name: [
            [round(accuracy(now), 3) for step, _, now in training(seed, layers) if step in FILM]
            for seed in range(generators)
        ]
        for name, layers in (("one", 1), ("two", 2))
    }
    found["one_longer"] = [round(accuracy(train(seed, 1, many)), 3) for seed in range(generators)]
    return found


STORED = Path(__file__).with_suffix(".json")


def main() -> None:
    """Train everything again and store it."""
    gradients.store(STORED, {"one": train(SEED, 1), "two": train(SEED)}, study(), small=True)


if __name__ == "__main__":
    main()

TRAINED, STUDY = gradients.stored(STORED)
PARAMETERS = TRAINED["two"]
