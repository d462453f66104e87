"""A small world in sentences, and a model of two layers that answers and writes on.

A story names the colours of two to four things, then somebody takes one of them, and at last its colour
is told again: "the cup is green . the book is black . dee takes the cup . it is green ."  So "it" has
to be understood, and the colour to be found again.

Two heads a layer, 24 numbers a token, no feed-forward part and no norm.  What counts in training is the last
colour; the other words count a little, so that the model can write whole stories.  One pair of colour
and thing in eight is never shown: whether the model knows it all the same tells whether it looks the
answer up or has learned pairs by heart.

``python -m scripts.smallworld`` trains it again and stores it in smallworld.json, with what several
generators gave.  Generator 2 is the first in which two of the four heads do all of the work: `KNOWS` tells a colour whose it is, and
the last "is" which thing was taken; `FINDS` brings the two together.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from scripts import gradients, model
from scripts.gradients import Array, Parameters
from scripts.model import Run, Tokens

NAMES = ("ana", "bo", "cy", "dee")
THINGS = ("cube", "ball", "cup", "box", "ring", "plate", "spoon", "book")
COLOURS = ("red", "blue", "green", "white", "black", "pink", "grey", "brown")
WORDS = ("the", "is", ".", "takes", "it", *NAMES, *COLOURS, *THINGS)
FEWEST, MOST = 2, 4  # things in a story
NEVER_SHOWN = tuple((i, (3 * i + 1) % len(THINGS)) for i in range(len(COLOURS)))  # pairs of colour and thing

WIDTH, LAYERS, HEADS = 24, 2, 2
LONGEST = 5 * MOST + 9  # words, up to the last colour and the stop behind it
SEED, STEPS, RATE, DECAY, BATCH = 2, 1_500, 0.01, 1e-4, 32
OTHER_WORDS = 0.03  # how much they count in training, where the last colour counts one
GENERATORS = 9
STORY = "the cup is green . the book is black . dee takes the cup . it is"
BEGINNING = "the cup is green . the book is"  # a story that is written on
WRITTEN = 12  # for so many words
KNOWS, FINDS = (0, 0), (1, 1)  # layer and head


def stories(generator: np.random.Generator, things: int, count: int, never_shown: bool = False) -> Tokens:
    """Random stories.

    Parameters
    ----------
    generator : numpy.random.Generator
    things : int
        How many each story has.
    count : int
    never_shown : bool
        Whether the thing that is taken is in a pair that training never shows.  If not, no thing is.

    Returns
    -------
    ndarray of int, shape (count, 5 * things + 9)
    """
    told = []
    while len(told) < count:
        kinds = generator.permutation(len(THINGS))[:things]
        colours = generator.permutation(len(COLOURS))[:things]
        taken, name = int(generator.integers(things)), NAMES[generator.integers(len(NAMES))]
        unknown = [pair in NEVER_SHOWN for pair in zip(colours, kinds, strict=True)]
        if unknown[taken] if never_shown else not any(unknown):
            pairs = [(COLOURS[c], THINGS[k]) for c, k in zip(colours, kinds, strict=True)]
            facts = [f"the {thing} is {colour} ." for colour, thing in pairs]
            colour, thing = pairs[taken]
            told.append(numbered(" ".join([*facts, f"{name} takes the {thing} . it is {colour} ."])))
    return np.array(told)


def numbered(text: str) -> Tokens:
    """Words as places in `WORDS`.

    Raises
    ------
    ValueError
        If the model does not know one of them, or if there are none or too many.
    """
    words = text.split()
    unknown = [word for word in words if word not in WORDS]
    if unknown or not 0 < len(words) <= LONGEST:
        raise ValueError(
            f"a text is 1 to {LONGEST} of the words {' '.join(WORDS)}; got "
            + (f"{', '.join(map(repr, unknown))}" if unknown else f"{len(words)} words")
        )
    return np.array([WORDS.index(word) for word in words])


def training(seed: int, steps: int = STEPS) -> Iterator[tuple[int, float, Parameters]]:
    """Train from a random start; yield step, loss, and the parameters, which go on changing."""
    generator = np.random.default_rng(seed)
    parameters = model.start(generator, vocabulary=len(WORDS), width=WIDTH, layers=LAYERS, most=LONGEST)

    def slopes(now):
        tokens = stories(generator, int(generator.integers(FEWEST, MOST + 1)), BATCH)
        share = np.full((BATCH, tokens.shape[1] - 1), OTHER_WORDS)
        share[:, -2] = 1
        return model.slopes(now, tokens[:, :-1], tokens[:, 1:], HEADS, share)

    for step, loss in gradients.training(parameters, slopes, steps=steps, rate=RATE, decay=DECAY):
        yield step, loss, parameters


def train(seed: int = SEED) -> Parameters:
    """What `training` ends with, in the coarse numbers in which it is stored."""
    *_, (_, _, parameters) = training(seed)
    return gradients.coarse(parameters)


def accuracy(
    parameters: Parameters, never_shown: bool = False, handed=None, seed: int = 99, count: int = 100
) -> float:
    """Share of last colours that are right, in as many new stories of each length; `handed` as in `model.forward`."""
    generator, right = np.random.default_rng(seed), []
    for things in range(FEWEST, MOST + 1):
        tokens = stories(generator, things, count, never_shown)
        logits = model.forward(parameters, tokens[:, :-2], HEADS, handed=handed).logits
        right.append(logits[:, -1].argmax(axis=-1) == tokens[:, -2])
    return float(np.mean(right))


def read(text: str, *, past: Run | None = None, handed=None) -> Run:
    """Let the trained model read a text."""
    return model.forward(PARAMETERS, numbered(text)[None], HEADS, past=past, handed=handed)


def write(text: str, count: int, *, cache: bool = True) -> Iterator[tuple[str, Run]]:
    """Write on, a word at a time, as `model.writing` does; stop where there are no more positions."""
    tokens = numbered(text)
    written = model.writing(PARAMETERS, tokens, HEADS, cache=cache)
    for _ in range(min(count, LONGEST - len(tokens) + 1)):
        token, run = next(written)
        yield WORDS[token], run


def chances(run: Run, temperature: float = 1.0, top: int | None = None) -> Array:
    """Probability of every word as the next, of shape (25,)."""
    return model.probabilities(run.logits[0, -1], temperature, top)


def likeliest(chances: Array, count: int) -> Sequence[tuple[str, float]]:
    """The likeliest words and their chances, the likeliest first."""
    order = np.argsort(-chances, kind="stable")[:count]
    return [(WORDS[i], float(chances[i])) for i in order]


def study(generators: int = GENERATORS) -> dict[str, list]:
    """Train several generators, from 0 on: share of right colours, in pairs shown and never shown."""
    found = {"shown": [], "never_shown": []}
    for seed in range(generators):
        parameters = train(seed)
        for name, held_back in (("shown", False), ("never_shown", True)):
            found[name].append(round(accuracy(parameters, held_back), 3))
    return found


STORED = Path(__file__).with_suffix(".json")


def main() -> None:
    """Train everything again and store it."""
    gradients.store(STORED, {"model": train()}, study(), small=True)


if __name__ == "__main__":
    main()

TRAINED, STUDY = gradients.stored(STORED)
PARAMETERS = TRAINED["model"]
