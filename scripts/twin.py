"""The trained twin: a head of the running example's shape whose numbers were learned.

Thirteen words, each a token of four numbers; one head; matrices of four by four.
They make 96 commands of four words, such as "pick up the cube".  Each word has to
tell, from its mixture alone, what it lacks: a verb its thing, a particle its verb,
an article its thing, a thing its verb.  Nobody tells it where to look.

A second question makes a second head worth while.  Of a thing is asked besides
whether a certain one is meant: "the" or "a".  `TWO_HEADS` was trained on both
questions with two heads, `ONE_HEAD` with one.

Everything was trained with all its decimals and rounded to one at the end.
``python -m scripts.twin`` trains it again and stores it in twin.json.

The generators were chosen.  2 is the only one of the first forty in which a single
number is left in W_q and a single one in W_k, so that one can read what they do;
all forty are right about every command.  Of twenty with two heads, eight share out the
work clearly, and 19 is one of them; of twenty with one head and both questions, 10 is one whose
"cube" is near the median.
"""

import itertools
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from scripts import gradients
from scripts.attention import MultiHead, attention, multi_head_attention, project
from scripts.gradients import Array, Attended, Parameters

VERBS = ("pick", "push", "put", "pull")
PARTICLES = ("up", "down", "away")
ARTICLES = ("the", "a")
THINGS = ("cube", "ball", "cup", "box")
WORDS = VERBS + PARTICLES + ARTICLES + THINGS
ORDER = ("pick", "up", "the", "cube")
WIDTH = 4
PLACE_OF_VERB, PLACE_OF_ARTICLE, PLACE_OF_THING = 0, 2, 3
PARTNER = (3, 0, 3, 0)  # where the word stands that each of the four has to tell

SEED, ONE_HEAD_SEED, TWO_HEADS_SEED = 2, 10, 19
STEPS, RATE = 2_000, 0.02
STORED = Path(__file__).with_suffix(".json")

Tokens = NDArray[np.integer]


def numbered(words: Sequence[str]) -> Tokens:
    """Which rows of the table words are.

    Raises
    ------
    ValueError
        If a word is none of the thirteen.
    """
    unknown = [word for word in words if word not in WORDS]
    if unknown:
        raise ValueError(f"the words of the twin are {', '.join(WORDS)}; got {', '.join(unknown)}")
    return np.array([WORDS.index(word) for word in words])


COMMANDS = np.array([numbered(words) for words in itertools.product(VERBS, PARTICLES, ARTICLES, THINGS)])


# --------------------------------------------------------------------------
# Training
# --------------------------------------------------------------------------


def start(seed: int, article: bool = False) -> Parameters:
    """Random numbers to begin with.

    Parameters
    ----------
    seed : int
    article : bool
        Whether the second question is asked: it has a read-out of its own.
    """
    draw = np.random.default_rng(seed).normal
    parameters = {"table": draw(0, 0.7, (len(WORDS), WIDTH))}
    for name in ("w_query", "w_key", "w_value"):
        parameters[name] = draw(0, 0.6, (WIDTH, WIDTH))
    parameters["read_word"] = draw(0, 0.6, (WIDTH, len(WORDS)))
    if article:
        parameters["read_article"] = draw(0, 0.6, (WIDTH, len(ARTICLES)))
    return parameters


def questions(commands: Tokens) -> dict[str, tuple[Tokens, Array]]:
    """The right answer of each word to each read-out, and how much it counts."""
    article = commands[:, [PLACE_OF_ARTICLE] * 4] - WORDS.index(ARTICLES[0])
    only_things = np.eye(4)[PLACE_OF_THING]
    return {"read_word": (commands[:, PARTNER], np.ones(4)), "read_article": (article, only_things)}


def forward(parameters: Parameters, commands: Tokens, heads: int = 1) -> tuple[Array, Attended]:
    """Tokens of many commands at once, and attention over each."""
    tokens = parameters["table"][commands]  # (b, 4, 4)
    matrices = (parameters[name] for name in ("w_query", "w_key", "w_value"))
    return tokens, gradients.attend(*(tokens @ matrix for matrix in matrices), heads=heads)


def slopes(parameters: Parameters, commands: Tokens, heads: int = 1) -> tuple[float, Parameters]:
    """Loss, the sum over all questions that have a read-out, and its gradient."""
    tokens, kept = forward(parameters, commands, heads)
    total, d_output, found = 0.0, np.zeros_like(kept.output), {}
    for name, (answers, share) in questions(commands).items():
        if name in parameters:
            logits = kept.output @ parameters[name]
            loss, d_logits = gradients.cross_entropy(logits, answers, share)
            total += loss
            found[name] = gradients.through_matrix(kept.output, d_logits)
            d_output += d_logits @ parameters[name].T
    d_tokens = np.zeros_like(tokens)
    matrices = ("w_query", "w_key", "w_value")
    for name, d_rows in zip(matrices, gradients.attend_backward(d_output, kept), strict=True):
        found[name] = gradients.through_matrix(tokens, d_rows)
        d_tokens += d_rows @ parameters[name].T
    found["table"] = gradients.into_table(parameters["table"], commands, d_tokens)
    return total, found


def training(
    parameters: Parameters, commands: Tokens = COMMANDS, heads: int = 1, steps: int = STEPS
) -> Iterator[tuple[int, float]]:
    """Train in place, all commands at each step; yield step and loss (see `gradients.training`).

    Every number has a price, so that what is not needed becomes zero; the read-outs alone are free.
    """
    priced = {name: 3e-4 for name in parameters if not name.startswith("read")}
    return gradients.training(
        parameters, lambda p: slopes(p, commands, heads), steps=steps, rate=RATE, decay=1e-4, sparse=priced
    )


def train(seed: int, commands: Tokens = COMMANDS, *, heads: int = 1, article: bool = False) -> Parameters:
    """Train from a random start; return numbers with one decimal."""
    parameters = start(seed, article)
    for _ in training(parameters, commands, heads):
        pass
    return gradients.rounded(parameters)


def accuracy(parameters: Parameters, commands: Tokens = COMMANDS, heads: int = 1) -> dict[str, float]:
    """Share of right answers, for each question that has a read-out."""
    output = forward(parameters, commands, heads)[1].output
    right = {}
    for name, (answers, share) in questions(commands).items():
        if name in parameters:
            hits = (output @ parameters[name]).argmax(axis=-1) == answers
            right[name] = float(hits[:, share > 0].mean())
    return right


# --------------------------------------------------------------------------
# What many generators give
# --------------------------------------------------------------------------


def withheld(seed: int, pairs: bool = False) -> tuple[Tokens, Tokens]:
    """Cut the commands in those to train on and those to ask about afterwards.

    Parameters
    ----------
    seed : int
    pairs : bool
        If True, what is withheld is every command with one of five pairs of verb and thing, among
        them "pick" and "cube".  If not, it is a third of all commands, drawn with the seed.
    """
    if pairs:
        verb, thing = commands_of_pairs()
        kept_back = (verb == thing) | ((verb == 0) & (thing == 2))
    else:
        kept_back = np.random.default_rng([seed, 1]).permutation(len(COMMANDS)) < len(COMMANDS) // 3
    return COMMANDS[~kept_back], COMMANDS[kept_back]


def commands_of_pairs() -> tuple[Tokens, Tokens]:
    """Which of the four verbs and which of the four things each command has."""
    return COMMANDS[:, PLACE_OF_VERB], COMMANDS[:, PLACE_OF_THING] - WORDS.index(THINGS[0])


def own_weights(parameters: Parameters, heads: int = 1) -> Array:
    """Weights of the four words of `ORDER`, of shape (heads, 4, 4)."""
    return forward(parameters, numbered(ORDER)[None], heads)[1].weights[0]


def study(one: int = 40, others: int = 20) -> dict[str, list]:
    """Train many generators, from 0 on; one entry a generator in each list.

    Returns
    -------
    dict of str to list
        right, withheld, withheld_pairs : share of right answers
        to_partner : what each word of `ORDER` gives to the one that it has to tell
        entries : how many numbers other than zero W_q and W_k have
        one_head, two_heads : median over the commands of what the thing gives verb and article, a head
        one_head_right, two_heads_right : share of right answers to the two questions
    """
    found = {name: [] for name in ("right", "to_partner", "entries", "withheld", "withheld_pairs")}
    for seed in range(one):
        parameters = train(seed)
        found["right"].append(accuracy(parameters)["read_word"])
        given = own_weights(parameters)[0, range(4), PARTNER]
        found["to_partner"].append(given.round(3).tolist())
        found["entries"].append([int((parameters[name] != 0).sum()) for name in ("w_query", "w_key")])
    for seed in range(others):
        for name, pairs in (("withheld", False), ("withheld_pairs", True)):
            seen, unseen = withheld(seed, pairs)
            found[name].append(round(accuracy(train(seed, seen), unseen)["read_word"], 3))
    for heads, name in ((1, "one_head"), (2, "two_heads")):
        found[name], found[name + "_right"] = [], []
        for seed in range(others):
            parameters = train(seed, heads=heads, article=True)
            weights = forward(parameters, COMMANDS, heads)[1].weights[:, :, PLACE_OF_THING]
            given = np.median(weights[..., [PLACE_OF_VERB, PLACE_OF_ARTICLE]], axis=0)  # (heads, 2)
            found[name].append(given.round(3).tolist())
            found[name + "_right"].append(list(accuracy(parameters, COMMANDS, heads).values()))
    return found


# --------------------------------------------------------------------------
# What was stored, ready to use, under the names of scripts/example.py
# --------------------------------------------------------------------------


def train_again(name: str) -> Parameters:
    """Train one of those that are stored: "twin", "one_head" or "two_heads"."""
    seed, heads = {"twin": (SEED, 1), "one_head": (ONE_HEAD_SEED, 1), "two_heads": (TWO_HEADS_SEED, 2)}[name]
    return train(seed, heads=heads, article=name != "twin")


def _frozen(array):
    array.setflags(write=False)
    return array


def guesses(parameters: Parameters, output: Array) -> Array:
    """Probability of each of the thirteen words, read from each row of an output."""
    return gradients.softmax(output @ parameters["read_word"])


def _in_heads(parameters: Parameters, heads: int) -> MultiHead:
    """The course's own multi-head attention on the words of `ORDER`."""
    tokens = parameters["table"][numbered(ORDER)]
    matrices = (parameters[name] for name in ("w_query", "w_key", "w_value"))
    return multi_head_attention(*(project(tokens, matrix) for matrix in matrices), heads)


TRAINED, STUDY = gradients.stored(STORED)
TABLE, W_QUERY, W_KEY, W_VALUE, READ = TRAINED["twin"].values()
TOKENS = _frozen(TABLE[numbered(ORDER)])
QUERIES = _frozen(project(TOKENS, W_QUERY))
KEYS = _frozen(project(TOKENS, W_KEY))
VALUES = _frozen(project(TOKENS, W_VALUE))
RUN = attention(QUERIES, KEYS, VALUES)
RAW, SCORES, WEIGHTS, OUTPUT = (_frozen(a) for a in (RUN.raw, RUN.scores, RUN.weights, RUN.output))
GUESSES = _frozen(guesses(TRAINED["twin"], OUTPUT))
ONE_HEAD = _in_heads(TRAINED["one_head"], 1)
TWO_HEADS = _in_heads(TRAINED["two_heads"], 2)


def main() -> None:
    """Train everything again and store it."""
    gradients.store(STORED, {name: train_again(name) for name in TRAINED}, study())


if __name__ == "__main__":
    main()
