"""The same numbers three ways: explicit loops, NumPy, and PyTorch.

Run ``python -m tools.crosscheck`` where PyTorch is installed.  Nothing else in
the course needs it: it is imported only when one of the functions that
compare with it is called.  Those whose names end in ``steps`` take what one of
`cases` holds, and return each step by its name.
"""

import math

import numpy as np

from scripts import example
from scripts.attention import attention, causal_mask, merge_masks, multi_head_attention, padding_mask, project

MATRICES = (example.W_QUERY, example.W_KEY, example.W_VALUE)
STEPS = ("queries", "keys", "values", "raw", "scores", "weights", "output")


def cases():
    """Return what is compared by name: (asking, read, mask or None); every query may attend to something."""
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
    for query, may_attend in zip(queries, allowed, strict=True):
        scores = []
        for key, may in zip(keys, may_attend, strict=True):
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
    """Work every step of one head with loops over single numbers."""
    queries, keys, values = (
        _multiply_by_loops(tokens.tolist(), matrix.tolist())
        for tokens, matrix in zip((asking, read, read), MATRICES, strict=True)
    )
    raw = _multiply_by_loops(queries, list(zip(*keys, strict=True)))
    scores = [[number / math.sqrt(len(keys[0])) for number in row] for row in raw]
    allowed = [[True] * len(keys)] * len(queries) if mask is None else mask.tolist()
    steps = (queries, keys, values, raw, scores, *attend_by_loops(queries, keys, values, allowed))
    return dict(zip(STEPS, map(np.asarray, steps), strict=True))


def numpy_steps(asking, read, mask=None):
    """Work every step of one head with `scripts.attention`."""
    queries, keys, values = (
        project(tokens, matrix) for tokens, matrix in zip((asking, read, read), MATRICES, strict=True)
    )
    run = attention(queries, keys, values, mask)
    steps = (queries, keys, values, run.raw, run.scores, run.weights, run.output)
    return dict(zip(STEPS, steps, strict=True))


def numpy_head_steps(asking, read, mask=None, heads=example.HEADS):
    """Work several heads with `scripts.attention`: weights of shape (heads, n_q, n_k), joined, output."""
    queries, keys, values, *_ = numpy_steps(asking, read).values()
    run = multi_head_attention(queries, keys, values, heads, example.W_OUTPUT, mask)
    weights = np.stack([head.weights for head in run.heads])
    return {"weights": weights, "joined": run.joined, "output": run.output}


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
    """Work every step of one head with PyTorch.

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
    allowed = None if mask is None else tensor(mask)  # here True = may attend, as in this course
    weights, output = (
        scaled_dot_product_attention(queries, keys, given, attn_mask=allowed)
        for given in (torch.eye(len(keys), dtype=keys.dtype), values)
    )
    steps = (queries, keys, values, raw, scores, weights, output)
    return {name: step.numpy() for name, step in zip(STEPS, steps, strict=True)}


def torch_layer(heads=example.HEADS, output_matrix=example.W_OUTPUT):
    """Return PyTorch's layer holding the course's four matrices.

    Its linear layers multiply by the transpose of what they hold, so every
    matrix is turned over on the way in; queries, keys and values are stacked.
    """
    import torch

    how = {"bias": False, "batch_first": True, "dtype": torch.float64}
    layer = torch.nn.MultiheadAttention(len(example.W_QUERY), heads, **how)
    with torch.no_grad():
        layer.in_proj_weight.copy_(tensor(np.vstack([matrix.T for matrix in MATRICES])))
        layer.out_proj.weight.copy_(tensor(output_matrix.T))
    return layer.eval()


def torch_head_steps(asking, read, mask=None, heads=example.HEADS):
    """Work several heads with PyTorch's layer, as `numpy_head_steps` does.

    The joined heads come out of a second layer, whose output matrix changes nothing.
    """
    import torch

    ask, look = tensor(asking), tensor(read)
    how = {"attn_mask": None if mask is None else ~tensor(mask)}  # here True = may NOT look
    plain = torch_layer(heads, np.eye(len(example.W_OUTPUT)))
    with torch.no_grad():
        output, weights = torch_layer(heads)(ask, look, look, average_attn_weights=False, **how)
        joined, _ = plain(ask, look, look, **how)
    return {"weights": weights.numpy(), "joined": joined.numpy(), "output": output.numpy()}


# --------------------------------------------------------------------------
# All of it
# --------------------------------------------------------------------------


def differences(reference, other):
    """Return the largest absolute difference of each step; both must hold the same, in the same shapes."""
    shapes, others = ({name: step.shape for name, step in steps.items()} for steps in (reference, other))
    if shapes != others:
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
