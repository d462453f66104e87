"""Exercises of section 3: the score (a scaled dot product)."""

import numpy as np

from scripts import pitfalls
from scripts.attention import scaled_scores
from scripts.exercises.exercise import Edge, Exercise

# 3.1: one pair, in a model whose counts all differ
QUERY = np.array([2, -1, 3, 1])
KEY = np.array([4, 1, 0, -1])
WIDTH, TOKENS = 9, 25
RAW = QUERY @ KEY

# 3.2: a head size, and how much larger the queries become
SIZE, LARGER = 100, 3

# 3.4: two vectors that a reader can try out by hand
FLAT = np.array([[3, 0], [2, 2]])


Exercise(
    "3.1",
    want=RAW / np.sqrt(len(QUERY)),
    what="the score",
    decimals=2,
    mistakes={
        "this is the raw score; it still has to be scaled.": RAW,
        "the divisor is not the head size itself.": RAW / len(QUERY),
        "the divisor came from the model dimension, the length of a token's vector.": RAW / np.sqrt(WIDTH),
        "the divisor came from the number of tokens.": RAW / np.sqrt(TOKENS),
        "it was multiplied where it should be divided.": RAW * np.sqrt(len(QUERY)),
        "a minus sign was lost on the way.": np.abs(QUERY) @ np.abs(KEY) / np.sqrt(len(QUERY)),
    },
)


UNSCALED = {"independent": np.sqrt(SIZE), "queries times three": LARGER * np.sqrt(SIZE), "repeated": SIZE}

Exercise(
    "3.2",
    want={name: spread / np.sqrt(SIZE) for name, spread in UNSCALED.items()},
    what={name: f'the standard deviation of "{name}"' for name in UNSCALED},
    decimals=2,
    mistakes={
        **{
            f'the standard deviation of "{name}" is the one before scaling.': {name: spread}
            for name, spread in UNSCALED.items()
        },
        'the standard deviation of "independent": dividing by the head size itself shrinks too much.': {
            "independent": 1 / np.sqrt(SIZE)
        },
        'the standard deviation of "independent": this is the variance of unscaled scores.': {
            "independent": SIZE
        },
        'the standard deviation of "queries times three": only the queries are larger, not the keys as well.': {
            "queries times three": LARGER**2
        },
        'the standard deviation of "queries times three": scaling does not take out the larger entries.': {
            "queries times three": 1
        },
        'the standard deviation of "queries times three": the entries are larger, not smaller.': {
            "queries times three": 1 / LARGER
        },
        'the standard deviation of "repeated": nothing cancels here: the products of a pair are all equal.': {
            "repeated": 1
        },
    },
)


def _pairs():
    generator = np.random.default_rng(33)
    for n_q, n_k, d in ((2, 5, 3), (6, 4, 9), (2, 3, 1), (1, 7, 16), (5, 5, 3)):
        yield generator.normal(size=(n_q, d)), generator.normal(size=(n_k, d))
    yield np.array([[1, 2, 3]]), np.array([[0, 1, 1], [2, 2, 5]])  # whole numbers go in


def cosines(queries, keys):
    """Dot products of vectors that were brought to length one (cosine similarity)."""
    lengths = np.linalg.norm(queries, axis=1)[:, None] * np.linalg.norm(keys, axis=1)
    return queries @ keys.T / lengths


Exercise(
    "3.3",
    reference=scaled_scores,
    cases=list(_pairs()),
    what="the matrix of scores",
    mistakes={
        "the scores are not scaled.": pitfalls.scores_undivided,
        "the divisor is not the head size itself.": pitfalls.scores_over_the_head_size,
        "the divisor came from the number of queries.": pitfalls.scores_over_the_root_of_queries,
        "the divisor came from the number of keys.": pitfalls.scores_over_the_root_of_keys,
        "the divisor is always two: it must be read off the queries that are given.": pitfalls.scores_over_two,
        "the scores were multiplied by the square root where they should be divided.": lambda q, k: (
            q @ k.T * np.sqrt(q.shape[1])
        ),
        "each vector was brought to length one; length counts in a score.": cosines,
    },
)


def angle(query, key):
    """The angle between two vectors, in degrees."""
    return np.rad2deg(np.arccos(np.clip(cosines(query[None], key[None]), -1, 1)))[0, 0]


def _with_cosine(cosine):
    return lambda q, k: np.rad2deg(np.arccos(np.clip(cosine(q, k), -1, 1)))


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
    return Edge(
        (query, key),
        "two vectors along one line give NaN: rounding carries their cosine a hair past one.",
        "the angle of two vectors along one line",
        # Near the ends the cosine is flat: a rounding of the last digit is a millionth of a degree.
        decimals=4,
    )


_GENERATOR = np.random.default_rng(34)
Exercise(
    "3.4",
    reference=angle,
    cases=[
        *(tuple(_GENERATOR.normal(size=(2, d))) for d in (2, 3, 7, 16)),
        (np.array([1.0, 0.0]), np.array([0.0, 5.0])),
        (FLAT[0], FLAT[1]),  # whole numbers go in
    ],
    edges=[_parallel(_GENERATOR, 1), _parallel(_GENERATOR, -1)],
    what="the angle",
    nan="for some pair it gives NaN: only numbers from minus one to one are cosines. "
    "What has to be divided out of the dot product?",
    mistakes={
        "the angle is not in degrees.": lambda q, k: np.deg2rad(angle(q, k)),
        "this is the cosine; the angle itself is asked for.": lambda q, k: np.cos(np.deg2rad(angle(q, k))),
        "only one of the two lengths was divided out.": _with_cosine(lambda q, k: q @ k / np.linalg.norm(q)),
        "the lengths were left out of account.": _with_cosine(lambda q, k: q @ k),
        "the sign of the dot product was left out of account.": _with_cosine(
            lambda q, k: abs(cosines(q[None], k[None])[0, 0])
        ),
    },
)
