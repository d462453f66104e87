"""Facts of section 2."""

import numpy as np

from scripts import example
from scripts.exercises import query_key_value as exercises


def facts():
    """Return the section's numbers by id."""
    matrices = (example.W_QUERY, example.W_KEY, example.W_VALUE)
    cube = example.TOKENS[3]
    # Row j holds the four products of number j of the new vector.
    query, key, value = (cube * matrix.T for matrix in matrices)
    direct = example.TOKENS @ example.TOKENS.T
    return {
        "tokens": example.TOKENS,
        "w-query": example.W_QUERY,
        "w-key": example.W_KEY,
        "w-value": example.W_VALUE,
        "queries": example.QUERIES,
        "keys": example.KEYS,
        "values": example.VALUES,
        "raw-scores": example.RAW,
        "scores": example.SCORES,
        "weights": example.WEIGHTS,
        "cube-row": cube,
        "cube-query": example.QUERIES[3],
        "cube-key": example.KEYS[3],
        "cube-value": example.VALUES[3],
        "cube-query-products": query,
        "cube-key-products": key,
        "cube-value-products": value,
        "cube-query-first-products": query[0],
        "the-query-first-products": example.TOKENS[2] * example.W_QUERY[:, 0],
        "pick-share": example.WEIGHTS[3, 0] * example.VALUES[0],
        "numbers-per-matrix": example.W_QUERY.size,
        "numbers-in-three": sum(matrix.size for matrix in matrices),
        "numbers-saved": example.W_KEY.size + example.W_VALUE.size,
        "products-per-grid": example.TOKENS.shape[0] * example.W_QUERY.size,
        "direct-scores": direct,
        "direct-leaders": direct.argmax(axis=1),
        **exercise_numbers(),
    }


def exercise_numbers():
    """What the exercises give, and what comes out."""
    return {
        "query-task-token": exercises.TOKEN,
        "query-task-matrix": exercises.MATRIX,
        "query-task-products": exercises.TOKEN[:, None] * exercises.MATRIX,
        "query-task-query": exercises.TOKEN @ exercises.MATRIX,
        # Row i: what number i of the token "the" gives to each number of its value.
        "the-value-products": example.TOKENS[2][:, None] * example.W_VALUE,
        "one-way-tokens": np.eye(2, dtype=int),
        "one-way-query-matrix": exercises.ONE_WAY,
        "one-way-key-matrix": np.eye(2, dtype=int),
    }
