"""The same numbers three ways: explicit loops, NumPy, and PyTorch.

Run ``python -m tools.crosscheck`` where PyTorch is installed.  Nothing else in
the course needs it: it is imported only when one of the functions that
compare with it is called.
"""

import math

import numpy as np

from scripts import example
from scripts.attention import (
    attention,
    causal_mask,
    merge_masks,
    multi_head_attention,
    padding_mask,
    project,
    split_heads,
)

MATRICES = (example.W_QUERY, example.W_KEY, example.W_VALUE)


def cases():
    """Return the arrangements that are compared.

    Returns
    -------
    dict of str to (asking, read, mask)
        Two sets of tokens, and a mask or None.  Where a mask is given, every
        query may look at something.
    """
    tokens, robots = example.TOKENS, example.ROBOT_TOKENS
    all_ask = np.ones(len(tokens), dtype=bool)
    real = np.arange(len(tokens)) < len(tokens) - 1  # the last place is only filled up
    causal, padding = causal_mask(len(tokens)), padding_mask(all_ask, real)
    return {
        "self": (tokens, tokens, None),
        "cross": (robots, tokens, None),
        "causal": (tokens, tokens, causal),
        "padding": (tokens, tokens, padding),
        "causal and padding": (tokens, tokens, merge_masks(causal, padding)),
        "cross and padding": (robots, tokens, padding_mask(all_ask[: len(robots)], real)),
    }


# --------------------------------------------------------------------------
# Loops: the notebook of section 9 shows `attend_by_loops` word for word
# --------------------------------------------------------------------------


def attend_by_loops(queries, keys, values, allowed):
    """Do what `attend` does, one number at a time."""
    all_weights, mixtures = [], []
    for query, may_look in zip(queries, allowed, strict=True):
        scores = []
        for key, may in zip(keys, may_look, strict=True):
            fit = 0.0
            for q, k in zip(query, key, strict=True):
                fit += q * k
            fit = fit / math.sqrt(len(query))
            scores.append(fit if may else -math.inf)
        raised = [math.exp(s - max(scores)) for s in scores]
        weights = [number / sum(raised) for number in raised]
        mixture = [0.0] * len(values[0])
        for weight, value in zip(weights, values, strict=True):
            for place, number in enumerate(value):
                mixture[place] += weight * number
        all_weights.append(weights)
        mixtures.append(mixture)
    return all_weights, mixtures


def _multiply_by_loops(rows, matrix):
    return [
        [sum(a * b for a, b in zip(row, column, strict=True)) for column in zip(*matrix, strict=True)]
        for row in rows
    ]


def loop_steps(asking, read, mask=None):
    """Work every step of one head with loops over single numbers.

    Parameters
    ----------
    asking : ndarray of shape (n_q, w)
    read : ndarray of shape (n_k, w)
    mask : ndarray of bool, shape (n_q, n_k), optional
        True = may look.

    Returns
    -------
    dict of str to ndarray
        queries, keys, values, raw, scores, weights, output.
    """
    w_query, w_key, w_value = (matrix.tolist() for matrix in MATRICES)
    queries = _multiply_by_loops(asking.tolist(), w_query)
    keys = _multiply_by_loops(read.tolist(), w_key)
    values = _multiply_by_loops(read.tolist(), w_value)
    raw = _multiply_by_loops(queries, list(zip(*keys, strict=True)))
    scores = [[number / math.sqrt(len(keys[0])) for number in row] for row in raw]
    allowed = [[True] * len(keys)] * len(queries) if mask is None else mask.tolist()
    weights, output = attend_by_loops(queries, keys, values, allowed)
    return _named(queries, keys, values, raw, scores, weights, output)


def numpy_steps(asking, read, mask=None):
    """Work every step of one head with `scripts.attention`; see `loop_steps`."""
    queries, keys, values = (
        project(tokens, matrix) for tokens, matrix in zip((asking, read, read), MATRICES, strict=True)
    )
    run = attention(queries, keys, values, mask)
    return _named(queries, keys, values, run.raw, run.scores, run.weights, run.output)


def _named(*steps):
    names = ("queries", "keys", "values", "raw", "scores", "weights", "output")
    return dict(zip(names, map(np.asarray, steps), strict=True))


# --------------------------------------------------------------------------
# PyTorch
# --------------------------------------------------------------------------


def tensor(array, dtype=None):
    """Copy an array into a PyTorch tensor, in double precision unless told otherwise."""
    import torch

    array = np.array(array)
    if array.dtype == bool:
        return torch.tensor(array)
    return torch.tensor(array, dtype=dtype or torch.float64)


def torch_steps(asking, read, mask=None, dtype=None):
    """Work every step of one head with PyTorch; see `loop_steps`.

    Its one call for attention returns the mixtures only.  Given the identity
    matrix for values, what it returns is the weights themselves.
    """
    import torch
    from torch.nn.functional import linear, scaled_dot_product_attention

    queries, keys, values = (
        linear(tensor(tokens, dtype), tensor(matrix.T, dtype))  # multiplies by the transpose
        for tokens, matrix in zip((asking, read, read), MATRICES, strict=True)
    )
    raw = queries @ keys.transpose(-2, -1)
    scores = raw / math.sqrt(keys.shape[-1])
    allowed = None if mask is None else tensor(mask)  # here True = may look, as in this course
    identity = torch.eye(len(keys), dtype=keys.dtype)
    weights = scaled_dot_product_attention(queries, keys, identity, attn_mask=allowed)
    output = scaled_dot_product_attention(queries, keys, values, attn_mask=allowed)
    steps = (queries, keys, values, raw, scores, weights, output)
    return _named(*(step.numpy() for step in steps))


def torch_layer(heads=example.HEADS, output_matrix=example.W_OUTPUT, dtype=None):
    """Return PyTorch's layer holding the course's four matrices.

    Its linear layers multiply by the transpose of what they hold, so every
    matrix is turned over on the way in; queries, keys and values are stacked.
    """
    import torch

    dtype = dtype or torch.float64
    layer = torch.nn.MultiheadAttention(
        len(example.W_QUERY), heads, bias=False, batch_first=True, dtype=dtype
    )
    with torch.no_grad():
        layer.in_proj_weight.copy_(tensor(np.vstack([matrix.T for matrix in MATRICES]), dtype))
        layer.out_proj.weight.copy_(tensor(output_matrix.T, dtype))
    return layer.eval()


def numpy_head_steps(asking, read, mask=None, heads=example.HEADS):
    """Work every step of several heads with `scripts.attention`.

    Returns
    -------
    dict of str to ndarray
        weights of shape (heads, n_q, n_k); joined and output of shape (n_q, w).
    """
    steps = numpy_steps(asking, read)
    run = multi_head_attention(
        steps["queries"], steps["keys"], steps["values"], heads, example.W_OUTPUT, mask
    )
    weights = np.stack([head.weights for head in run.heads])
    return {"weights": weights, "joined": run.joined, "output": run.output}


def torch_head_steps(asking, read, mask=None, heads=example.HEADS, dtype=None):
    """Work every step of several heads with PyTorch's layer; see `numpy_head_steps`.

    The joined heads come out of a second layer, whose output matrix changes nothing.
    """
    import torch

    ask, look = tensor(asking, dtype), tensor(read, dtype)
    forbidden = None if mask is None else ~tensor(mask)  # here True = may NOT look
    plain = torch_layer(heads, np.eye(len(example.W_OUTPUT)), dtype)
    with torch.no_grad():
        output, weights = torch_layer(heads, dtype=dtype)(
            ask, look, look, attn_mask=forbidden, average_attn_weights=False
        )
        joined, _ = plain(ask, look, look, attn_mask=forbidden)
    return {"weights": weights.numpy(), "joined": joined.numpy(), "output": output.numpy()}


def torch_heads_by_hand(asking, read, mask=None, heads=example.HEADS):
    """Return the heads' outputs from the one call, cut as `split_heads` cuts: (heads, n_q, d)."""
    from torch.nn.functional import scaled_dot_product_attention

    steps = numpy_steps(asking, read)
    pieces = (tensor(split_heads(steps[name], heads)) for name in ("queries", "keys", "values"))
    allowed = None if mask is None else tensor(mask)
    return scaled_dot_product_attention(*pieces, attn_mask=allowed).numpy()


# --------------------------------------------------------------------------
# All of it
# --------------------------------------------------------------------------


def differences(reference, other):
    """Return the largest absolute difference of each step.

    Raises
    ------
    ValueError
        If a step is missing, or has another shape.
    """
    if {name: step.shape for name, step in reference.items()} != {
        name: step.shape for name, step in other.items()
    }:
        raise ValueError("both must hold the same steps, in the same shapes")
    return {name: float(np.abs(other[name] - step).max()) for name, step in reference.items()}


def main():
    """Print the largest difference of every step from NumPy's, in every arrangement."""
    for name, case in cases().items():
        rows = {
            "loops": differences(numpy_steps(*case), loop_steps(*case)),
            "PyTorch": differences(numpy_steps(*case), torch_steps(*case)),
            "PyTorch's layer": differences(numpy_head_steps(*case), torch_head_steps(*case)),
        }
        print(name)
        for way, found in rows.items():
            print(f"  {way}: " + ", ".join(f"{step} {much:.0e}" for step, much in found.items()))


if __name__ == "__main__":
    main()
