"""Attention that learns: what a change of each number does to the error.

`attend` is attention for a whole batch; `attend_backward` carries the gradient
of the loss back through it, step by step, in the order of the forward pass
turned round.  `cross_entropy` and `squared_distance` are the two losses of the
course, `Adam` and `descend` the two ways of taking a step.  All of it is plain
NumPy, and every gradient is tested against finite differences.

Batches come first: b is their size, n the number of tokens, d the head size.
"""

import base64
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Parameters = dict[str, Array]


def softmax(logits: Array) -> Array:
    """Softmax along the last axis; -inf stands for what may not be looked at."""
    raised = np.exp(logits - logits.max(axis=-1, keepdims=True))
    return raised / raised.sum(axis=-1, keepdims=True)


@dataclass(frozen=True)
class Attended:
    """What `attend` computed, kept for the way back.

    Attributes
    ----------
    queries : ndarray of shape (b, heads, n_q, d)
    keys : ndarray of shape (b, heads, n_k, d)
    values : ndarray of shape (b, heads, n_k, d_v)
    weights : ndarray of shape (b, heads, n_q, n_k)
    scale : float
        By which the dot products were multiplied: one over the root of d, or 1.
    output : ndarray of shape (b, n_q, heads * d_v)
    """

    queries: Array
    keys: Array
    values: Array
    weights: Array
    scale: float
    output: Array


def _split(rows: Array, heads: int) -> Array:
    batch, n, width = rows.shape
    return rows.reshape(batch, n, heads, width // heads).transpose(0, 2, 1, 3)


def _concatenate(pieces: Array) -> Array:
    batch, heads, n, size = pieces.shape
    return pieces.transpose(0, 2, 1, 3).reshape(batch, n, heads * size)


def attend(queries, keys, values, *, heads=1, mask=None, divide=True) -> Attended:
    """Scaled dot-product attention for a batch, in several heads.

    Parameters
    ----------
    queries : ndarray of shape (b, n_q, d * heads)
    keys : ndarray of shape (b, n_k, d * heads)
    values : ndarray of shape (b, n_k, d_v * heads)
    heads : int
        Must divide all three widths.
    mask : ndarray of bool, shape (n_q, n_k) or (b, 1, n_q, n_k), optional
        True where a query may attend; every row needs one True.
    divide : bool
        Whether scores are divided by the root of the head size.

    Returns
    -------
    Attended

    Raises
    ------
    ValueError
        If heads does not divide a width, or a query may attend to nothing.
    """
    for name, rows in (("queries", queries), ("keys", keys), ("values", values)):
        if rows.shape[-1] % heads:
            raise ValueError(f"heads must divide the width of {name}, {rows.shape[-1]}; got {heads}")
    q, k, v = (_split(rows, heads) for rows in (queries, keys, values))
    scale = 1 / np.sqrt(q.shape[-1]) if divide else 1.0
    scores = scale * (q @ k.swapaxes(-1, -2))  # (b, heads, n_q, n_k)
    if mask is not None:
        if not np.asarray(mask).any(axis=-1).all():
            raise ValueError("every query must be allowed to look at one key at least")
        scores = np.where(mask, scores, -np.inf)
    weights = softmax(scores)
    return Attended(q, k, v, weights, scale, _concatenate(weights @ v))


def attend_backward(d_output: Array, kept: Attended) -> tuple[Array, Array, Array]:
    """Carry the gradient of the loss from the output of `attend` to its inputs.

    Parameters
    ----------
    d_output : ndarray of shape (b, n_q, heads * d_v)
        How the loss changes with each number of the output.
    kept : Attended

    Returns
    -------
    d_queries, d_keys, d_values : ndarray
        How it changes with each number of queries, keys and values, in their shapes.
    """
    weights = kept.weights
    d_mix = _split(d_output, weights.shape[1])  # (b, heads, n_q, d_v)
    d_values = weights.swapaxes(-1, -2) @ d_mix  # each value went into every mix, by its weight
    d_weights = d_mix @ kept.values.swapaxes(-1, -2)  # (b, heads, n_q, n_k)
    # A weight that grows takes from the others of its row: only what is above the row's mean counts.
    d_scores = weights * (d_weights - (weights * d_weights).sum(axis=-1, keepdims=True))
    d_queries = kept.scale * (d_scores @ kept.keys)
    d_keys = kept.scale * (d_scores.swapaxes(-1, -2) @ kept.queries)
    return _concatenate(d_queries), _concatenate(d_keys), _concatenate(d_values)


def through_matrix(rows: Array, d_result: Array) -> Array:
    """Gradient of a matrix from what went into it, (…, a), and the gradient of what came out, (…, b)."""
    return rows.reshape(-1, rows.shape[-1]).T @ d_result.reshape(-1, d_result.shape[-1])


def into_table(table: Array, tokens: NDArray[np.integer], d_rows: Array) -> Array:
    """Gradient of an embedding table: each row collects from every place where its token stands."""
    gradient = np.zeros_like(table)
    np.add.at(gradient, tokens, d_rows)
    return gradient


def cross_entropy(logits, targets, share=None) -> tuple[float, Array]:
    """Loss of a prediction: minus the logarithm of the probability that the right answer gets.

    Parameters
    ----------
    logits : ndarray of shape (…, c)
    targets : ndarray of int, shape (…)
    share : ndarray of shape (…), optional
        How much each prediction counts; all alike if not given.  They are made to sum to one.

    Returns
    -------
    loss : float
    d_logits : ndarray of shape (…, c)
    """
    probability = softmax(logits)
    share = np.ones(targets.shape) if share is None else np.broadcast_to(share, targets.shape)
    share = share / share.sum()
    right = np.take_along_axis(probability, targets[..., None], -1)
    loss = -(share * np.log(right[..., 0] + 1e-300)).sum()
    d_logits = probability.copy()
    np.put_along_axis(d_logits, targets[..., None], right - 1, -1)
    return float(loss), d_logits * share[..., None]


def squared_distance(output, target) -> tuple[float, Array]:
    """Mean over the batch of the squared distance between two points, and its gradient."""
    error = output - target
    count = error.size // error.shape[-1]
    return float((error**2).sum() / count), 2 * error / count


class Adam:
    """Steps that are about equally long for every number, whatever the size of its gradient.

    Parameters
    ----------
    parameters : dict of str to ndarray
    rate : float
        Length of a step.
    memory : (float, float)
        How much of the past the running means of the gradient and of its square keep.

    Notes
    -----
    Kingma and Ba, "Adam: A Method for Stochastic Optimization", 2015.
    """

    def __init__(self, parameters: Parameters, rate: float, memory=(0.9, 0.99)):
        self.rate, self.memory, self.count = rate, memory, 0
        self.mean = {name: np.zeros_like(value) for name, value in parameters.items()}
        self.square = {name: np.zeros_like(value) for name, value in parameters.items()}

    def step(self, parameters: Parameters, gradients: Parameters) -> None:
        """Change the parameters in place."""
        self.count += 1
        first, second = self.memory
        for name, gradient in gradients.items():
            self.mean[name] = first * self.mean[name] + (1 - first) * gradient
            self.square[name] = second * self.square[name] + (1 - second) * gradient**2
            mean = self.mean[name] / (1 - first**self.count)
            square = self.square[name] / (1 - second**self.count)
            parameters[name] -= self.rate * mean / (np.sqrt(square) + 1e-8)


def descend(parameters: Parameters, gradients: Parameters, rate: float) -> None:
    """Take one plain step down the gradient, in place."""
    for name, gradient in gradients.items():
        parameters[name] -= rate * gradient


def training(
    parameters: Parameters,
    slopes: Callable[[Parameters], tuple[float, Parameters]],
    *,
    steps: int,
    rate: float,
    decay: dict[str, float] | float = 0.0,
    sparse: dict[str, float] | float = 0.0,
) -> Iterator[tuple[int, float]]:
    """Train in place with `Adam`; the rate falls in a straight line, to nothing after the last step.

    Parameters
    ----------
    parameters : dict of str to ndarray
    slopes : callable
        Of the parameters; returns the loss and its gradient.
    steps : int
    rate : float
        Length of the first step.
    decay : float or dict of str to float
        Pulls a number toward zero, the harder the larger it is (half the sum of squares, times this,
        is added to the loss).  A dict has one strength a parameter; those that it lacks are left alone.
    sparse : float or dict of str to float
        Pulls a number toward zero, equally hard whatever its size (the sum of absolute values, times
        this, is added to the loss): what is not worth its price becomes zero.

    Yields
    ------
    step, loss : int, float
        After each step, counted from one; the loss is that before it, without what was added.
    """
    adam = Adam(parameters, rate)
    pulls = [p if isinstance(p, dict) else dict.fromkeys(parameters, p) for p in (decay, sparse)]
    for step in range(1, steps + 1):
        loss, gradients = slopes(parameters)
        for name, value in parameters.items():
            pull = pulls[0].get(name, 0.0) * value + pulls[1].get(name, 0.0) * np.sign(value)
            gradients[name] = gradients[name] + pull
        adam.rate = rate * (1 - (step - 1) / steps)
        adam.step(parameters, gradients)
        yield step, loss


def rounded(parameters: Parameters, decimals=1) -> Parameters:
    """Parameters as they are printed; without negative zeros."""
    return {name: value.round(decimals) + 0.0 for name, value in parameters.items()}


def finite_difference(loss, parameters: Parameters, name: str, place, nudge=1e-5) -> float:
    """Slope of the loss at one number, found by nudging it up and down.

    Parameters
    ----------
    loss : callable
        Of the parameters; returns a float.
    parameters : dict of str to ndarray
        Left as they are.
    name, place : str, tuple of int
        Which number.
    nudge : float
    """
    above, below = ({**parameters, name: parameters[name].copy()} for _ in range(2))
    above[name][place] += nudge
    below[name][place] -= nudge
    return (loss(above) - loss(below)) / (2 * nudge)


def coarse(parameters: Parameters) -> Parameters:
    """Parameters as `packed` keeps them: every number one of 255 steps between minus and plus the largest."""
    return {name: unpacked(packed(grid)) for name, grid in parameters.items()}


def packed(grid: Array) -> dict:
    """A grid as whole numbers of one byte, and the largest number, which is 127 of them."""
    largest = float(np.abs(grid).max())
    steps = np.round(grid / (largest / 127 or 1.0)).astype(np.int8)
    return {"shape": grid.shape, "largest": largest, "bytes": base64.b64encode(steps.tobytes()).decode()}


def unpacked(kept: dict) -> Array:
    """The grid that `packed` was given, nearly."""
    steps = np.frombuffer(base64.b64decode(kept["bytes"]), dtype=np.int8).reshape(kept["shape"])
    return steps * (kept["largest"] / 127)


def store(path: Path, trained: dict[str, Parameters], study: dict[str, list], small: bool = False) -> None:
    """Write what was trained, and what many generators gave, as JSON: a line for each grid and each list.

    With `small` the grids are written as `packed` makes them, which is for those that nobody reads.
    """
    written = packed if small else np.ndarray.tolist
    parts = {name: {key: written(grid) for key, grid in grids.items()} for name, grids in trained.items()}
    texts = []
    for name, part in (*parts.items(), ("study", study)):
        lines = ",\n".join(f'  "{key}": {json.dumps(value)}' for key, value in part.items())
        texts.append(f'"{name}": {{\n{lines}\n}}')
    path.write_text("{\n" + ",\n".join(texts) + "\n}\n", encoding="utf-8")


def stored(path: Path) -> tuple[dict[str, Parameters], dict[str, list]]:
    """Read what `store` wrote; the grids cannot be changed by accident."""
    parts = json.loads(path.read_text(encoding="utf-8"))
    study = parts.pop("study")
    trained = {
        name: {
            key: unpacked(kept) if isinstance(kept, dict) else np.array(kept) for key, kept in part.items()
        }
        for name, part in parts.items()
    }
    for grids in trained.values():
        for grid in grids.values():
            grid.setflags(write=False)
    return trained, study
