"""The arm: cross-attention with a job, trained by plain steps down the gradient.

On a table lie a cube, a ball, a cup and a box.  Each is a token of six numbers: four for
what it looks like, two for where it lies.  A word asks for one of them, and is a token of four
numbers.  The word makes the query, the things make keys and values; a value has two numbers,
so that the mixture is a point on the table: where the hand goes.  The loss is the squared distance
from the thing that was asked for.

What things look like and what the words are is drawn once and never trained; the three matrices are.
They begin and end with one decimal.  ``python -m scripts.arm`` trains them again and stores them in
arm.json, with what many generators gave.

Generator 35 was chosen because the arrows of its keys are easy to tell apart, 8 because it is the
first of the forty to get stuck.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from scripts import gradients
from scripts.attention import attention, project
from scripts.gradients import Array, Attended, Parameters

THINGS = ("cube", "ball", "cup", "box")  # what lies on the table, and the words that ask for it
LOOK, PLACE = 4, 2  # numbers of a token for what a thing looks like, and for where it lies
MATRICES = ("w_query", "w_key", "w_value")
TABLE = np.array([[-0.6, 0.5], [0.7, 0.6], [-0.5, -0.7], [0.6, -0.3]])  # one table, for pictures and text

SEED, STUCK_SEED = 35, 8
STEPS, RATE, BATCH = 3_000, 0.2, 64
FILM = (0, 10, 30, 60, 100, 150, 200, 300, 500, 1_000, 3_000)  # steps at which it is looked at

GENERATORS = 40
SIZES = (4, 16, 64, 256, 1_024)  # head sizes with and without the division
RATES = (0.002, 0.01, 0.05, 0.2, 0.8)  # step sizes at the largest of them
SHORT, FEW = 1_000, 9  # steps and generators for those
ARRIVED = 0.1  # mean distance up to which an arm counts as one that reaches
LOST = 50.0  # a loss from which no run comes back


# --------------------------------------------------------------------------
# Training
# --------------------------------------------------------------------------


@dataclass(frozen=True)
class Scenes:
    """Many tables with four things each, and what is asked for at each.

    Attributes
    ----------
    things : ndarray of int, shape (b, 4)
        Which thing each token is: all four, in any order.
    places : ndarray of shape (b, 4, 2)
        Where they lie; both numbers between -1 and 1.
    asked : ndarray of int, shape (b,)
        Which of the four tokens is asked for.
    """

    things: NDArray[np.integer]
    places: Array
    asked: NDArray[np.integer]

    @property
    def targets(self) -> Array:
        """Where the hand should go, of shape (b, 2)."""
        return self.places[np.arange(len(self.asked)), self.asked]

    @property
    def words(self) -> NDArray[np.integer]:
        """Which word asks, of shape (b,)."""
        return self.things[np.arange(len(self.asked)), self.asked]


def scenes(generator: np.random.Generator, count: int) -> Scenes:
    """Lay tables at random."""
    things = generator.random((count, len(THINGS))).argsort()
    places = generator.uniform(-1, 1, (count, len(THINGS), PLACE))
    return Scenes(things, places, generator.integers(0, len(THINGS), count))


def start(generator: np.random.Generator, size: int = 2, seen: float = 0.5) -> Parameters:
    """Random numbers to begin with, of one decimal.

    Parameters
    ----------
    generator : numpy.random.Generator
    size : int
        Head size: numbers of a query and of a key.
    seen : float
        Spread of the two rows of W_k for the place; at 0, keys begin by telling nothing of it, and
        queries and keys have a variance of 1, as the law of section 3 supposes.
    """
    looks, words = generator.normal(0, 1, (2, len(THINGS), LOOK))
    w_query, w_key = generator.normal(0, 0.5, (LOOK, size)), generator.normal(0, 0.5, (LOOK + PLACE, size))
    w_key[LOOK:] *= seen / 0.5
    w_value = generator.normal(0, 0.5, (LOOK + PLACE, PLACE))
    return gradients.rounded(
        {"looks": looks, "words": words, "w_query": w_query, "w_key": w_key, "w_value": w_value}
    )


def forward(parameters: Parameters, scenes: Scenes, divide: bool = True) -> tuple[Array, Array, Attended]:
    """Words (b, 1, 4), things (b, 4, 6), and attention of the one over the others."""
    words = parameters["words"][scenes.words][:, None]
    things = np.concatenate([parameters["looks"][scenes.things], scenes.places], axis=-1)
    queries = words @ parameters["w_query"]
    keys, values = things @ parameters["w_key"], things @ parameters["w_value"]
    return words, things, gradients.attend(queries, keys, values, divide=divide)


def slopes(
    parameters: Parameters, scenes: Scenes, divide: bool = True, targets: Array | None = None
) -> tuple[float, Parameters]:
    """Loss, the mean squared distance, and its gradient at the three matrices.

    `targets` are those of the scenes if not given: with others one can teach it nonsense.
    """
    words, things, kept = forward(parameters, scenes, divide)
    goal = scenes.targets if targets is None else targets
    loss, d_output = gradients.squared_distance(kept.output, goal[:, None])
    d_queries, d_keys, d_values = gradients.attend_backward(d_output, kept)
    return loss, {
        "w_query": gradients.through_matrix(words, d_queries),
        "w_key": gradients.through_matrix(things, d_keys),
        "w_value": gradients.through_matrix(things, d_values),
    }


def training(
    parameters: Parameters,
    generator: np.random.Generator,
    *,
    steps: int = STEPS,
    rate: float = RATE,
    divide: bool = True,
    shuffled: bool = False,
    frozen: tuple[str, ...] = (),
) -> Iterator[tuple[int, float]]:
    """Train in place with new tables at each step; yield step, counted from one, and the loss before it.

    Parameters
    ----------
    parameters : dict of str to ndarray
    generator : numpy.random.Generator
    steps, rate : int, float
    divide : bool
        Whether scores are divided by the root of the head size.
    shuffled : bool
        Whether each word is taught the place that another table's word asked for.
    frozen : tuple of str
        Matrices that stay as they are.

    Raises
    ------
    ValueError
        If there is no matrix of a name that is to be frozen.
    """
    unknown = set(frozen) - set(MATRICES)
    if unknown:
        raise ValueError(f"the matrices are {', '.join(MATRICES)}; got {', '.join(sorted(unknown))}")
    for step in range(1, steps + 1):
        tables = scenes(generator, BATCH)
        targets = generator.permutation(tables.targets) if shuffled else None
        loss, found = slopes(parameters, tables, divide, targets)
        gradients.descend(parameters, {n: g for n, g in found.items() if n not in frozen}, rate)
        yield step, loss


def distance(parameters: Parameters, divide: bool = True, seed: int = 99, count: int = 1_000) -> float:
    """Mean distance of the hand from the thing that was asked for, on new tables."""
    tables = scenes(np.random.default_rng(seed), count)
    output = forward(parameters, tables, divide)[2].output[:, 0]
    return float(np.hypot(*(output - tables.targets).T).mean())


def never_moving(seed: int = 99, count: int = 1_000) -> float:
    """Mean distance of a hand that stays over the middle of the table."""
    return float(np.hypot(*scenes(np.random.default_rng(seed), count).targets.T).mean())


def train(seed: int, **how) -> Parameters:
    """Train from a random start; return numbers with one decimal.  `how` is for `training`."""
    generator = np.random.default_rng(seed)
    parameters = start(generator)
    for _ in training(parameters, generator, **how):
        pass
    return gradients.rounded(parameters)


@dataclass(frozen=True)
class Still:
    """One picture of the film: how far training is, and what the arm does then."""

    step: int
    distance: float
    parameters: Parameters


def film(seed: int = SEED, at: tuple[int, ...] = FILM) -> list[Still]:
    """Train, and look at the arm after some of the steps."""
    generator = np.random.default_rng(seed)
    parameters = start(generator)
    shots = []

    def look(step):
        now = {name: grid.copy() for name, grid in parameters.items()}
        shots.append(Still(step, distance(now), now))

    if 0 in at:
        look(0)
    for step, _ in training(parameters, generator, steps=max(at)):
        if step in at:
            look(step)
    return shots


# --------------------------------------------------------------------------
# One word at one table
# --------------------------------------------------------------------------


@dataclass(frozen=True)
class Reach:
    """What happens when a word asks at one table.

    Attributes
    ----------
    word : str
    places : ndarray of shape (4, 2)
        Where the things lie, in the order of `THINGS`.
    query : ndarray of shape (d,)
    keys : ndarray of shape (4, d)
    values : ndarray of shape (4, 2)
    scores, weights : ndarray of shape (4,)
    hand : ndarray of shape (2,)
        The mixture: where the hand goes.
    """

    word: str
    places: Array
    query: Array
    keys: Array
    values: Array
    scores: Array
    weights: Array
    hand: Array

    @property
    def target(self) -> Array:
        """Where the thing lies that was asked for."""
        return self.places[THINGS.index(self.word)]

    @property
    def distance(self) -> float:
        """How far the hand stays from it."""
        return float(np.hypot(*(self.hand - self.target)))


def things_on(places: Array, parameters: Parameters | None = None) -> Array:
    """Tokens of the four things where they lie, of shape (4, 6): what each looks like, then its place.

    Raises
    ------
    ValueError
        If there are not four places of two numbers.
    """
    places = np.asarray(places)
    if places.shape != (len(THINGS), PLACE):
        raise ValueError(f"each of {', '.join(THINGS)} needs a place of two numbers; got {places.shape}")
    return np.hstack([(PARAMETERS if parameters is None else parameters)["looks"], places])


def reach(word: str, places: Array = TABLE, parameters: Parameters | None = None) -> Reach:
    """Let a word ask for its thing at one table.

    Parameters
    ----------
    word : str
        One of `THINGS`.
    places : ndarray of shape (4, 2)
        Where they lie, in that order.
    parameters : dict of str to ndarray, optional
        `PARAMETERS` if not given; `START`, or what `train` returns.

    Raises
    ------
    ValueError
        If the word is none of the four, or places have another shape.
    """
    if word not in THINGS:
        raise ValueError(f"the arm knows the words {', '.join(THINGS)}; got {word!r}")
    parameters = PARAMETERS if parameters is None else parameters
    things = things_on(places, parameters)
    asking = parameters["words"][THINGS.index(word)]
    queries = project(asking[None], parameters["w_query"])  # (1, d)
    keys, values = project(things, parameters["w_key"]), project(things, parameters["w_value"])
    run = attention(queries, keys, values)
    rows = (run.scores[0], run.weights[0], run.output[0])
    return Reach(word, things[:, LOOK:], queries[0], keys, values, *rows)


# --------------------------------------------------------------------------
# What many generators give, and what was stored
# --------------------------------------------------------------------------


def outcome(seed: int, size: int, divide: bool, rate: float = RATE, steps: int = SHORT) -> float:
    """Distance at the end for one generator and head size; infinite where the loss ran away."""
    generator = np.random.default_rng(seed)
    parameters = start(generator, size, seen=0)
    with np.errstate(over="ignore", invalid="ignore"):
        for _, loss in training(parameters, generator, steps=steps, rate=rate, divide=divide):
            if not loss < LOST:
                return float("inf")
        return distance(parameters, divide)


def study(generators: int = GENERATORS, few: int = FEW) -> dict[str, list]:
    """Train many generators, from 0 on.

    Returns
    -------
    dict of str to list
        distance, rounded : of each generator after training, before and after rounding
        shuffled : of the first few, taught nonsense
        divided, undivided : a list for each of `SIZES`, with a distance for each of a few generators
        rates_divided, rates_undivided : the same for each of `RATES`, at the largest head size
    """
    found = {name: [] for name in ("distance", "rounded", "shuffled")}
    for seed in range(generators):
        generator = np.random.default_rng(seed)
        parameters = start(generator)
        for _ in training(parameters, generator):
            pass
        found["distance"].append(distance(parameters))
        found["rounded"].append(distance(gradients.rounded(parameters)))
    found["shuffled"] = [distance(train(seed, shuffled=True)) for seed in range(few)]
    for name, divide in (("divided", True), ("undivided", False)):
        found[name] = [[outcome(seed, size, divide) for seed in range(few)] for size in SIZES]
        found[f"rates_{name}"] = [
            [outcome(seed, SIZES[-1], divide, rate) for seed in range(few)] for rate in RATES
        ]
    return {name: np.round(values, 3).tolist() for name, values in found.items()}


STORED = Path(__file__).with_suffix(".json")


def main() -> None:
    """Train everything again and store it."""
    trained = {str(seed): train(seed) for seed in (SEED, STUCK_SEED)}
    gradients.store(STORED, trained, study())


if __name__ == "__main__":
    main()

TRAINED, STUDY = gradients.stored(STORED)
PARAMETERS, STUCK = TRAINED[str(SEED)], TRAINED[str(STUCK_SEED)]
START = start(np.random.default_rng(SEED))  # what PARAMETERS were before training
