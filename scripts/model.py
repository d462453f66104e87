"""A whole small model: tokens go in, and logits for the token after each come out.

It is the transformer of the course's last page, as short as it can be said.  A model is a
dictionary of parameters, and what stands in it decides what the model has:

=================================  ======================================================
table (v, w)                       a vector for each token of the vocabulary
positions (most, w)                one for each place; none: a model without position
L.w_query, L.w_key, L.w_value,     attention of layer L, all of shape (w, w)
L.w_output
L.w_in (w, f), L.b_in,             feed-forward part of layer L; none: attention alone
L.w_out (f, w), L.b_out
L.gain_1, L.shift_1, L.gain_2,     layer norm before attention and before the feed-forward
L.shift_2, gain, shift: (w,)       part, and at the end; none: no norm
read (w, v)                        from a vector to a logit for each token
=================================  ======================================================

Other letters: b the number of texts, n of tokens, h of heads, d = w / h their size.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scripts import gradients
from scripts.attention import causal_mask
from scripts.gradients import Array, Attended, Parameters

Tokens = NDArray[np.integer]
Head = tuple[int, int]  # layer and head, both counted from 0
EPSILON = 1e-5  # keeps a row whose numbers are all alike from a division by zero; that of GPT-2

# --------------------------------------------------------------------------
# The parts
# --------------------------------------------------------------------------


def layer_norm(rows: Array, gain: Array | float = 1.0, shift: Array | float = 0.0) -> Array:
    """Bring every row, (…, w), to mean 0 and variance 1; then stretch and shift each number."""
    centred = rows - rows.mean(axis=-1, keepdims=True)
    variance = (centred**2).mean(axis=-1, keepdims=True)
    return gain * centred / np.sqrt(variance + EPSILON) + shift


def feed_forward(rows: Array, w_in: Array, b_in: Array, w_out: Array, b_out: Array) -> Array:
    """Two matrices with a bend between them, for each row, (…, w), by itself; GPT-2 has GELU for ReLU."""
    return np.maximum(rows @ w_in + b_in, 0) @ w_out + b_out


@dataclass(frozen=True)
class Block:
    """What one layer computed.

    Attributes
    ----------
    before, middle, after : ndarray of shape (b, n, w)
        The residual stream: as it came, with attention added, and with the feed-forward part added.
    asked : ndarray of shape (b, n, w)
        What queries, keys and values were made of: `before`, normalised.
    keys, values : ndarray of shape (b, n_k, w)
        For the cache: those of all tokens so far.
    attended : Attended
        Weights, of shape (b, h, n, n_k), and what each head handed over.
    joined : ndarray of shape (b, n, w)
        That, side by side, as it went into w_output.
    """

    before: Array
    asked: Array
    keys: Array
    values: Array
    attended: Attended
    joined: Array
    middle: Array
    after: Array


@dataclass(frozen=True)
class Run:
    """What a model computed: every block, and logits of shape (b, n, v)."""

    blocks: list[Block]
    logits: Array


# --------------------------------------------------------------------------
# The model
# --------------------------------------------------------------------------


def of_layer(parameters: Parameters, layer: int) -> Parameters:
    """Parameters of one layer, under their short names; none if there is no such layer."""
    start = f"{layer}."
    return {name.removeprefix(start): p for name, p in parameters.items() if name.startswith(start)}


def _norm(rows, own, which=""):
    return layer_norm(rows, own["gain" + which], own["shift" + which]) if "gain" + which in own else rows


def block(
    own: Parameters, stream: Array, heads: int, past: tuple[Array, Array] | None = None, handed=None
) -> Block:
    """One layer: attention is added to the stream, and then the feed-forward part.

    Parameters
    ----------
    own : dict of str to ndarray
        What `of_layer` returns.
    stream : ndarray of shape (b, n, w)
    heads : int
    past : (keys, values), optional
        Of the tokens before these, of shape (b, n_past, w).
    handed : dict of int to ndarray of shape (b, n, d), or 0, optional
        What a head hands over instead of its mixture.
    """
    asked = _norm(stream, own, "_1")
    queries, keys, values = (asked @ own[name] for name in ("w_query", "w_key", "w_value"))
    if past is not None:
        keys, values = (np.concatenate(pair, axis=1) for pair in zip(past, (keys, values), strict=True))
    mask = causal_mask(queries.shape[1], keys.shape[1])
    attended = gradients.attend(queries, keys, values, heads=heads, mask=mask)
    joined, size = attended.output.copy(), stream.shape[-1] // heads
    for head, rows in (handed or {}).items():
        joined[..., head * size : (head + 1) * size] = rows
    middle = stream + joined @ own["w_output"]
    after = middle
    if "w_in" in own:
        after = middle + feed_forward(
            _norm(middle, own, "_2"), own["w_in"], own["b_in"], own["w_out"], own["b_out"]
        )
    return Block(stream, asked, keys, values, attended, joined, middle, after)


def forward(
    parameters: Parameters,
    tokens: Tokens,
    heads: int = 1,
    *,
    past: Run | None = None,
    handed: Mapping[Head, Array | float] | None = None,
) -> Run:
    """Run a model.

    Parameters
    ----------
    parameters : dict of str to ndarray
    tokens : ndarray of int, shape (b, n)
        Rows of the table.
    heads : int
        Of every layer.
    past : Run, optional
        What the model computed for the tokens before these: its keys and values are the KV cache.
    handed : dict of (layer, head) to ndarray of shape (b, n, d), or 0, optional
        What heads hand over instead of their mixtures.  With 0 a head is switched off.

    Raises
    ------
    ValueError
        If tokens have not two axes, are not in the table, or are more than there are positions; or if
        there is no such head.
    """
    tokens = np.asarray(tokens)
    if tokens.ndim != 2 or not tokens.size or tokens.min() < 0 or tokens.max() >= len(parameters["table"]):
        raise ValueError(
            f"tokens must be rows of the table, 0 to {len(parameters['table']) - 1}, of shape (b, n); "
            f"got {tokens.tolist()}"
        )
    layers = [own for i in range(len(parameters)) if (own := of_layer(parameters, i))]
    handed = handed or {}
    if wrong := [head for head in handed if not (0 <= head[0] < len(layers) and 0 <= head[1] < heads)]:
        raise ValueError(f"there are {len(layers)} layers of {heads} heads, counted from 0; got {wrong}")
    seen = past.blocks[0].keys.shape[1] if past else 0
    stream = parameters["table"][tokens]  # (b, n, w)
    if "positions" in parameters:
        if seen + tokens.shape[1] > len(parameters["positions"]):
            most = len(parameters["positions"])
            raise ValueError(f"there are positions for {most} tokens; got {seen + tokens.shape[1]}")
        stream = stream + parameters["positions"][seen : seen + tokens.shape[1]]
    blocks = []
    for i, own in enumerate(layers):
        before = (past.blocks[i].keys, past.blocks[i].values) if past else None
        patches = {head: rows for (layer, head), rows in handed.items() if layer == i}
        blocks.append(block(own, stream, heads, before, patches))
        stream = blocks[-1].after
    return Run(blocks, _norm(stream, parameters) @ parameters["read"])


def probabilities(logits: Array, temperature: float = 1.0, top: int | None = None) -> Array:
    """Chance of each token, (…, v): softmax of the logits over the temperature, among the `top` largest."""
    if not temperature > 0:
        raise ValueError(f"temperature must be more than zero; got {temperature!r}")
    if top is not None:
        least = np.sort(logits, axis=-1)[..., -top, None]
        logits = np.where(logits >= least, logits, -np.inf)
    return gradients.softmax(logits / temperature)


def writing(
    parameters: Parameters, tokens: Tokens, heads: int = 1, *, cache: bool = True
) -> Iterator[tuple[int, Run]]:
    """Write on, each time with the likeliest token; yield the token and the run that gave it.

    Parameters
    ----------
    parameters : dict of str to ndarray
    tokens : ndarray of int, shape (n,)
        The beginning.
    heads : int
    cache : bool
        Whether keys and values are kept, so that a run is for the new tokens alone.
    """
    text, past, new = list(tokens), None, list(tokens)
    while True:
        run = forward(parameters, np.array([new]), heads, past=past)
        text.append(int(run.logits[0, -1].argmax()))
        yield text[-1], run
        past, new = (run, text[-1:]) if cache else (None, text)


# --------------------------------------------------------------------------
# Training
# --------------------------------------------------------------------------


def start(
    generator: np.random.Generator,
    *,
    vocabulary: int,
    width: int,
    layers: int,
    most: int = 0,
    hidden: int = 0,
    norm: bool = False,
) -> Parameters:
    """Random numbers to begin with.

    Parameters
    ----------
    generator : numpy.random.Generator
    vocabulary, width, layers : int
    most : int
        For how many places there are positions; 0 for a model without.
    hidden : int
        Numbers between the two matrices of the feed-forward part; 0 for a model without.
    norm : bool
    """

    def draw(*shape):
        return generator.normal(0, shape[0] ** -0.5, shape)

    parameters = {"table": generator.normal(0, 0.5, (vocabulary, width))}
    if most:
        parameters["positions"] = generator.normal(0, 0.5, (most, width))
    for i in range(layers):
        for name in ("w_query", "w_key", "w_value", "w_output"):
            parameters[f"{i}.{name}"] = draw(width, width)
        if hidden:
            parameters |= {f"{i}.w_in": draw(width, hidden), f"{i}.b_in": np.zeros(hidden)}
            parameters |= {f"{i}.w_out": draw(hidden, width), f"{i}.b_out": np.zeros(width)}
        for which in ("1", "2") if norm and hidden else ("1",) if norm else ():
            parameters |= {f"{i}.gain_{which}": np.ones(width), f"{i}.shift_{which}": np.zeros(width)}
    if norm:
        parameters |= {"gain": np.ones(width), "shift": np.zeros(width)}
    return parameters | {"read": draw(width, vocabulary)}


def slopes(
    parameters: Parameters, tokens: Tokens, targets: Tokens, heads: int = 1, share: Array | None = None
) -> tuple[float, Parameters]:
    """Loss, the cross-entropy of what is foretold at each place, and its gradient.

    Parameters
    ----------
    parameters : dict of str to ndarray
    tokens, targets : ndarray of int, shape (b, n)
        What the model reads, and what comes next.
    heads : int
    share : ndarray of shape (b, n), optional
        How much each place counts.
    """
    run = forward(parameters, tokens, heads)
    loss, d_logits = gradients.cross_entropy(run.logits, targets, share)
    last = run.blocks[-1].after
    found = {"read": gradients.through_matrix(_norm(last, parameters), d_logits)}
    d_stream = _norm_backward(d_logits @ parameters["read"].T, last, parameters, found)
    for i in reversed(range(len(run.blocks))):
        d_stream, own = _block_backward(d_stream, run.blocks[i], of_layer(parameters, i))
        found |= {f"{i}.{name}": gradient for name, gradient in own.items()}
    if "positions" in parameters:
        found["positions"] = np.zeros_like(parameters["positions"])
        found["positions"][: tokens.shape[1]] = d_stream.sum(axis=0)
    found["table"] = gradients.into_table(parameters["table"], tokens, d_stream)
    return loss, {name: found[name] for name in parameters}


def _norm_backward(d_result, rows, own, found, which=""):
    """Carry a gradient back through a layer norm, if there is one; put those of gain and shift into `found`."""
    if "gain" + which not in own:
        return d_result
    centred = rows - rows.mean(axis=-1, keepdims=True)
    spread = np.sqrt((centred**2).mean(axis=-1, keepdims=True) + EPSILON)
    unit = centred / spread
    axes = tuple(range(rows.ndim - 1))
    found["gain" + which] = (d_result * unit).sum(axis=axes)
    found["shift" + which] = d_result.sum(axis=axes)
    d_unit = d_result * own["gain" + which]
    # What all numbers of a row do alike, and what only stretches the row, is taken out again.
    level, stretch = d_unit.mean(axis=-1, keepdims=True), (d_unit * unit).mean(axis=-1, keepdims=True)
    return (d_unit - level - unit * stretch) / spread


def _block_backward(d_after, kept: Block, own: Parameters) -> tuple[Array, Parameters]:
    """Gradient of the stream that came into a layer, and of the layer's parameters."""
    found, d_middle = {}, d_after
    if "w_in" in own:
        rows = _norm(kept.middle, own, "_2")
        hidden = np.maximum(rows @ own["w_in"] + own["b_in"], 0)
        d_hidden = (d_after @ own["w_out"].T) * (hidden > 0)
        found["w_out"], found["b_out"] = gradients.through_matrix(hidden, d_after), d_after.sum(axis=(0, 1))
        found["w_in"], found["b_in"] = gradients.through_matrix(rows, d_hidden), d_hidden.sum(axis=(0, 1))
        d_middle = d_after + _norm_backward(d_hidden @ own["w_in"].T, kept.middle, own, found, "_2")
    found["w_output"] = gradients.through_matrix(kept.joined, d_middle)
    d_asked = 0.0
    back = gradients.attend_backward(d_middle @ own["w_output"].T, kept.attended)
    for name, d_rows in zip(("w_query", "w_key", "w_value"), back, strict=True):
        found[name] = gradients.through_matrix(kept.asked, d_rows)
        d_asked = d_asked + d_rows @ own[name].T
    return d_middle + _norm_backward(d_asked, kept.before, own, found, "_1"), found
