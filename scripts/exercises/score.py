"""Checks of section 3: the score."""

import numpy as np

from scripts.attention import scaled_scores
from scripts.exercises import exercise
from scripts.exercises.tools import Wrong, call, compare, number, numbers, parts, trials

# Exercise 3.1: one pair, in a model whose counts all differ.
QUERY = np.array([2, -1, 3, 1])
KEY = np.array([4, 1, 0, -1])
WIDTH, TOKENS = 9, 25

# Exercise 3.2: a head size, and how much larger the queries become.
SIZE, LARGER = 100, 3

# Exercise 3.4: two vectors that a reader can try out by hand.
FLAT = np.array([[3, 0], [2, 2]])


@exercise("3.1")
def _(answer):
    raw, size = QUERY @ KEY, len(QUERY)
    compare(
        number(answer, "the score"),
        raw / np.sqrt(size),
        "the score",
        decimals=2,
        mistakes={
            "this is the raw score; a division is still to come.": raw,
            "the divisor is not the head size itself.": raw / size,
            "the divisor came from the width, how many numbers a token holds.": raw / np.sqrt(WIDTH),
            "the divisor came from the number of tokens.": raw / np.sqrt(TOKENS),
            "it was multiplied where it should be divided.": raw * np.sqrt(size),
            "a minus sign was lost on the way.": np.abs(QUERY) @ np.abs(KEY) / np.sqrt(size),
        },
    )


@exercise("3.2")
def _(answer):
    names = ("independent", "queries times three", "repeated")
    found = parts(answer, names)
    root = np.sqrt(SIZE)
    undivided = np.array([root, LARGER * root, SIZE])
    slips = {
        "independent": {
            "the division by the head size itself shrinks too much.": root / SIZE,
            "this is a variance without division; a spread is its root.": SIZE,
        },
        "queries times three": {
            "only the queries are larger, not the keys as well.": LARGER**2,
            "the division does not take out the larger entries.": 1,
            "the entries are larger, not smaller.": 1 / LARGER,
        },
        "repeated": {"nothing cancels here: the products of a pair are all equal.": 1},
    }
    for name, part, spread in zip(names, found, undivided, strict=True):
        told = f'the spread of "{name}"'
        mistakes = {f"{told} is the one before the division.": spread}
        mistakes |= {f"{told}: {sentence}": wrong for sentence, wrong in slips[name].items()}
        compare(number(part, told), spread / root, told, decimals=2, mistakes=mistakes)


@exercise("3.3")
def _(answer):
    generator = np.random.default_rng(33)
    sizes = ((2, 5, 3), (6, 4, 9), (2, 3, 1), (1, 7, 16), (5, 5, 3))
    cases = [(generator.normal(size=(n_q, d)), generator.normal(size=(n_k, d))) for n_q, n_k, d in sizes]
    cases.append((np.array([[1, 2, 3]]), np.array([[0, 1, 1], [2, 2, 5]])))  # whole numbers go in
    trials(
        answer,
        cases,
        scaled_scores,
        "the grid of scores",
        {
            "the scores are not divided.": lambda q, k: q @ k.T,
            "the divisor is not the head size itself.": lambda q, k: q @ k.T / q.shape[1],
            "the divisor came from the number of queries.": lambda q, k: q @ k.T / np.sqrt(len(q)),
            "the divisor came from the number of keys.": lambda q, k: q @ k.T / np.sqrt(len(k)),
            "the divisor is always two: it must be read off the queries that are given.": lambda q, k: (
                q @ k.T / 2
            ),
            "the scores were multiplied by the root where they should be divided.": lambda q, k: (
                q @ k.T * np.sqrt(q.shape[1])
            ),
            "rows and columns have changed places: a row belongs to a query.": lambda q, k: (
                k @ q.T / np.sqrt(q.shape[1])
            ),
            "each vector was brought to length one; length counts in a score.": _cosines,
        },
    )


def _cosines(queries, keys):
    lengths = np.linalg.norm(queries, axis=1)[:, None] * np.linalg.norm(keys, axis=1)
    return queries @ keys.T / lengths


def _angle(query, key):
    cosine = query @ key / np.linalg.norm(query) / np.linalg.norm(key)
    return np.rad2deg(np.arccos(np.clip(cosine, -1, 1)))


def _parallel(generator, sign):
    """Vectors along one line, chosen so that rounding carries their cosine past one."""
    for _ in range(1000):
        query = generator.normal(size=5)
        key = sign * 3 * query
        ways = (
            query @ key / np.sqrt((query @ query) * (key @ key)),
            query @ key / (np.linalg.norm(query) * np.linalg.norm(key)),
            query @ key / np.linalg.norm(query) / np.linalg.norm(key),
        )
        if all(abs(way) > 1 for way in ways):
            break
    return query, key


@exercise("3.4")
def _(answer):
    generator = np.random.default_rng(34)
    cases = [tuple(generator.normal(size=(2, d))) for d in (2, 3, 7, 16)]
    cases += [
        (np.array([1.0, 0.0]), np.array([0.0, 5.0])),
        (FLAT[0], FLAT[1]),  # whole numbers go in
    ]
    slips = {
        "the angle is not in degrees.": lambda q, k: np.deg2rad(_angle(q, k)),
        "this is the cosine; the angle itself is asked for.": lambda q, k: np.cos(np.deg2rad(_angle(q, k))),
        "only one of the two lengths was divided out.": lambda q, k: np.rad2deg(
            np.arccos(q @ k / np.linalg.norm(q))
        ),
        "the lengths were left out of account.": lambda q, k: np.rad2deg(np.arccos(np.clip(q @ k, -1, 1))),
        "the sign of the dot product was left out of account.": lambda q, k: min(
            _angle(q, k), 180 - _angle(q, k)
        ),
    }
    for query, key in cases:
        found = call(answer, query, key)
        if np.ndim(found) == 0 and isinstance(found, (float, np.floating)) and not np.isfinite(found):
            raise Wrong(
                "for some pair it gives NaN: only numbers from minus one to one are cosines. "
                "What has to be divided out of the dot product?"
            )
        trials(answer, [(query, key)], _angle, "the angle", slips)
    for query, key in (_parallel(generator, 1), _parallel(generator, -1)):
        want = 0 if query @ key > 0 else 180
        found = call(answer, query, key)
        if np.ndim(found) == 0 and isinstance(found, (float, np.floating)) and np.isnan(found):
            raise Wrong("two vectors along one line give NaN: rounding carries their cosine a hair past one.")
        # Near the ends the cosine is flat: a rounding of the last digit is a millionth of a degree.
        compare(numbers(found, (), "the angle"), want, "the angle of two vectors along one line", decimals=4)
