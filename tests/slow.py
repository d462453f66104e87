"""Attention the slow way: explicit loops over plain numbers, written apart from the course's code."""

import math


def project(tokens, matrix):
    width, size = len(matrix), len(matrix[0])
    return [[sum(token[k] * matrix[k][j] for k in range(width)) for j in range(size)] for token in tokens]


def attention(queries, keys, values, allowed=None):
    """Return raw scores, scaled scores, weights and outputs as nested lists."""
    size = len(queries[0])
    raw, scaled, weights, outputs = [], [], [], []
    for i, query in enumerate(queries):
        dots = [sum(a * b for a, b in zip(query, key, strict=True)) for key in keys]
        scores = [dot / math.sqrt(size) for dot in dots]
        may = [allowed is None or bool(allowed[i][j]) for j in range(len(keys))]
        powers = [math.exp(s) if ok else 0.0 for s, ok in zip(scores, may, strict=True)]
        shares = [power / sum(powers) for power in powers]
        mixed = [
            sum(share * value[c] for share, value in zip(shares, values, strict=True))
            for c in range(len(values[0]))
        ]
        raw.append(dots)
        scaled.append(scores)
        weights.append(shares)
        outputs.append(mixed)
    return raw, scaled, weights, outputs


def multi_head(queries, keys, values, heads, output_matrix=None):
    """Cut columns, attend, write side by side, project."""
    size, size_v = len(queries[0]) // heads, len(values[0]) // heads
    joined = [[] for _ in queries]
    for h in range(heads):
        q = [row[h * size : (h + 1) * size] for row in queries]
        k = [row[h * size : (h + 1) * size] for row in keys]
        v = [row[h * size_v : (h + 1) * size_v] for row in values]
        for i, row in enumerate(attention(q, k, v)[3]):
            joined[i] += row
    return joined if output_matrix is None else project(joined, output_matrix)
