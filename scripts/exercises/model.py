"""Exercises of the page on a whole model: layer norm, the two heads, temperature, the cache."""

import numpy as np

from scripts import cost, model
from scripts.exercises.exercise import Exercise

# 11.1: a row whose spread is easy to find
ROW = np.array([1.0, 3.0, 3.0, 5.0])
_CENTRED = ROW - ROW.mean()
VARIANCE = float((_CENTRED**2).mean())

Exercise(
    "11.1",
    want=model.layer_norm(ROW),
    what="the row",
    decimals=2,
    mistakes={
        "this row has mean zero, but its variance is not yet one: divide by the standard deviation.": _CENTRED,
        "this was divided by the variance; its root is wanted.": _CENTRED / VARIANCE,
        "the variance was taken with one number fewer; layer norm divides by all of them.": _CENTRED
        / np.sqrt(VARIANCE * 4 / 3),
        "the mean was not taken off.": ROW / np.sqrt(VARIANCE),
        "this is a softmax; here nothing is made positive.": np.exp(ROW) / np.exp(ROW).sum(),
    },
)


# --- 11.2: what the two heads do, without any ---------------------------------------


def _places(tokens, letter):
    return [i for i, token in enumerate(tokens) if token == letter]


def go_on(tokens):
    """The token after the latest earlier copy of the last one; -1 if it is new."""
    earlier = _places(tokens[:-1], tokens[-1])
    return tokens[earlier[-1] + 1] if earlier else -1


def _after_the_first(tokens):
    earlier = _places(tokens[:-1], tokens[-1])
    return tokens[earlier[0] + 1] if earlier else -1


def _before_the_copy(tokens):
    earlier = _places(tokens[:-1], tokens[-1])
    return tokens[earlier[-1] - 1] if earlier else -1


def _place_of_it(tokens):
    earlier = _places(tokens[:-1], tokens[-1])
    return earlier[-1] + 1 if earlier else -1


Exercise(
    "11.2",
    reference=go_on,
    cases=[([3, 7, 5, 9, 7],), ([4, 8, 4, 6, 3, 4],), ([5, 5],), ([1, 2, 3],), ([6],), ([3, 1, 2, 3, 1],)],
    name="go_on",
    what=lambda tokens: f"for {tokens}, what go_on returns",
    mistakes={
        "a token that was not there before has no copy: -1 is wanted.": lambda tokens: (
            go_on(tokens) if tokens[-1] in tokens[:-1] else tokens[-1]
        ),
        "this is the last token itself; what came after its earlier copy?": lambda tokens: tokens[-1],
        "this is what came after the first copy; the latest is wanted.": _after_the_first,
        "this token stands before the copy, and not behind it.": _before_the_copy,
        "this is a place; the token there is wanted.": _place_of_it,
    },
    praise="Four lines of Python. The two layers had to find them out by themselves.",
)


# --- 11.3: temperature ----------------------------------------------------------------

LOGITS = np.array([3.0, 1.0])
TEMPERATURES = {"one": 1.0, "two": 2.0, "half": 0.5}
_GAP = float(LOGITS[0] - LOGITS[1])
ODDS = {name: float(np.exp(_GAP / t)) for name, t in TEMPERATURES.items()}

Exercise(
    "11.3",
    want=ODDS,
    what={name: f"how many times at temperature {name}" for name in TEMPERATURES},
    decimals=1,
    mistakes={
        "the logits were multiplied by the temperature; they are divided by it.": {
            "two": np.exp(_GAP * 2),
            "half": np.exp(_GAP / 2),
        },
        "these are the logits, one over the other; softmax looks at their difference.": {
            "one": LOGITS[0] / LOGITS[1]
        },
        "this is the difference of the logits; e must be raised to it.": {"one": _GAP},
        "the chances were divided by the temperature; the logits are.": {
            "two": np.exp(_GAP) / 2,
            "half": 2 * np.exp(_GAP),
        },
        "this is a chance; how many times that of the other is it?": {"one": 1 / (1 + np.exp(-_GAP))},
    },
    praise="Twice the temperature is the square root of the odds.",
)


# --- 11.4: the cache -------------------------------------------------------------------

READ, WRITTEN = 5, 3
WITHOUT, WITH = (cost.writing_pairs(READ, WRITTEN, cache=cache) for cache in (False, True))

Exercise(
    "11.4",
    want={"without": WITHOUT, "with": WITH},
    what={"without": "the number without the cache", "with": "the number with it"},
    mistakes={
        "the first word costs a whole run over what was given, with the cache too.": {
            "with": WITH - cost.grid_numbers(READ) + READ
        },
        "the last word that is written is never read, so it asks nobody.": {
            "without": WITHOUT + cost.grid_numbers(READ + WRITTEN)
        },
        "for each word the model reads everything once more, not only at the end.": {
            "without": cost.grid_numbers(READ + WRITTEN - 1)
        },
        "only half of the pairs are allowed by the mask, but all of them are computed.": {
            "without": sum(n * (n + 1) // 2 for n in range(READ, READ + WRITTEN))
        },
        "with the cache only the new word asks; the others have asked already.": {"with": WITHOUT},
    },
)
