"""Attention on four tokens, worked with NumPy alone."""

import numpy as np

ORDER = ["pick", "up", "the", "cube"]
rng = np.random.default_rng(28)


def draw(spread):
    """Draw a matrix of four by four; + 0.0 turns -0.0 into 0.0."""
    return rng.normal(0, spread, (4, 4)).round(1) + 0.0


def attend(queries, keys, values, allowed):
    """Return weights and mixtures: sections 3, 6 and 4."""
    head_size = keys.shape[1]
    scores = queries @ keys.T / np.sqrt(head_size)
    scores = np.where(allowed, scores, -np.inf)
    raised = np.exp(scores - scores.max(axis=1, keepdims=True))
    weights = raised / raised.sum(axis=1, keepdims=True)
    return weights, weights @ values


def show(title, matrix, form):
    """Print a title, then a named row for each token."""
    print(title)
    for name, row in zip(ORDER, matrix, strict=True):
        print(f"{name:>6}", *(format(x, form) for x in row))


X = draw(0.9)  # section 1: a token in every row
W_q, W_k, W_v, W_o = (draw(0.6) for _ in range(4))
Q, K, V = (X @ W for W in (W_q, W_k, W_v))  # section 2

allowed = np.ones((4, 4), dtype=bool)  # section 6: all may attend
weights, output = attend(Q, K, V, allowed)
show("weights", weights, ".3f")
show("row sums", weights.sum(axis=1, keepdims=True), ".3f")
show("output", output, "+.2f")

halves = [np.hsplit(rows, 2) for rows in (Q, K, V)]  # section 5
heads = zip(*halves, strict=True)
joined = np.hstack([attend(*head, allowed)[1] for head in heads])
show("two heads, side by side", joined, "+.2f")
show("two heads, after W_o", joined @ W_o, "+.2f")
