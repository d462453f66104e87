"""The arithmetic of attention, in NumPy alone.

Every function takes plain arrays and returns new ones.  A shape is written
beside each line that makes one, with these letters:

====  ==========================================================
n_q   number of queries (tokens that ask)
n_k   number of keys (tokens that are looked at); one value each
d     head size, d_k in papers: how many numbers a query and a key hold
d_v   how many numbers a value holds
w     width, d_model in papers: how many numbers a token holds
====  ==========================================================

*Scores* are the numbers before softmax (logits), *weights* the numbers after
it.  A mask is an array of booleans of shape (n_q, n_k) in which True means "may
attend"; without one, every query may attend to every key.

A query that may attend to nothing has no answer: its weights would be zero divided
by zero.  With ``no_answer="raise"`` that is an error.  With ``"report"`` masked
arrays are returned in which its row has no value at all, so that no number can be
mistaken for an answer.

What cannot be used raises `ValueError`, which names the argument: a grid that has
not two axes, or is empty, or holds anything but finite numbers; sizes that do not
agree; a mask of another shape, or of numbers; a count that is no whole number of
at least 1.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

Grid = NDArray[np.float64]  # two axes
Mask = NDArray[np.bool_]  # (n_q, n_k); True = may attend


# --------------------------------------------------------------------------
# What comes in is checked once, here, and named in the error
# --------------------------------------------------------------------------


def _grid(name, array) -> Grid:
    """Return `array` as a float grid, or say what is wrong with it."""
    try:
        grid = np.asarray(array, dtype=float)
    except (TypeError, ValueError) as error:
        raise ValueError(f"{name} must be a grid of numbers; got {array!r}") from error
    if grid.ndim != 2:
        raise ValueError(
            f"{name} must have two axes (rows, columns); got {grid.ndim} with shape {grid.shape}"
        )
    if 0 in grid.shape:
        raise ValueError(f"{name} needs at least one row and one column; got shape {grid.shape}")
    if not np.isfinite(grid).all():
        raise ValueError(f"{name} must hold finite numbers only; it contains NaN or infinity")
    return grid


def _mask(mask, shape) -> Mask:
    """Return `mask` as booleans of the given shape; None allows every pair."""
    if mask is None:
        return np.ones(shape, dtype=bool)
    allowed = np.asarray(mask)
    if allowed.dtype != bool:
        raise ValueError(f"mask must hold booleans (True = may attend); got numbers of type {allowed.dtype}")
    if allowed.shape != shape:
        raise ValueError(f"mask must have the shape of the scores, {shape}; got {allowed.shape}")
    return allowed


def whole_number(name: str, number: int) -> int:
    """Return `number` as an int of at least one."""
    whole = isinstance(number, (int, np.integer)) and not isinstance(number, (bool, np.bool_))
    if not whole or number < 1:
        raise ValueError(f"{name} must be a whole number of at least 1; got {number!r}")
    return int(number)


def _same(what, name_a, a, name_b, b):
    """Raise where two counts that must agree do not."""
    if a != b:
        raise ValueError(f"{name_a} and {name_b} must agree in {what}; got {a} and {b}")


# --------------------------------------------------------------------------
# Section 2: three projections
# --------------------------------------------------------------------------


def project(tokens: ArrayLike, matrix: ArrayLike) -> Grid:
    """Run every token through one learned matrix.

    Parameters
    ----------
    tokens : of shape (n, w)
        One row a token.
    matrix : of shape (w, d)
        The learned numbers; the same for every token.

    Returns
    -------
    of shape (n, d)
        One new vector a token.
    """
    tokens = _grid("tokens", tokens)
    matrix = _grid("matrix", matrix)
    _same("width", "tokens", tokens.shape[1], "the rows of matrix", matrix.shape[0])
    return tokens @ matrix  # (n, w) @ (w, d) -> (n, d)


# --------------------------------------------------------------------------
# Section 3: scores
# --------------------------------------------------------------------------


def raw_scores(queries: ArrayLike, keys: ArrayLike) -> Grid:
    """Dot product of every query with every key.

    Parameters
    ----------
    queries : of shape (n_q, d)
    keys : of shape (n_k, d)

    Returns
    -------
    of shape (n_q, n_k)
        Row i holds the scores of query i along all keys.
    """
    queries = _grid("queries", queries)
    keys = _grid("keys", keys)
    _same("head size", "queries", queries.shape[1], "keys", keys.shape[1])
    return queries @ keys.T  # (n_q, d) @ (d, n_k) -> (n_q, n_k)


def scaled_scores(queries: ArrayLike, keys: ArrayLike) -> Grid:
    """Raw scores, shapes as in `raw_scores`, over the square root of the head size."""
    return _scaled(raw_scores(queries, keys), np.shape(queries)[1])


def _scaled(raw: Grid, head_size: int) -> Grid:
    """Divide raw scores by the root of d: not the width, not the number of tokens."""
    return raw / np.sqrt(head_size)  # (n_q, n_k)


# --------------------------------------------------------------------------
# Section 4: softmax and the mix
# --------------------------------------------------------------------------


def softmax_steps(
    scores: ArrayLike, mask: ArrayLike | None = None, *, no_answer: str = "raise"
) -> tuple[Grid, Grid, Grid]:
    """Softmax along every row, with the steps between.

    Parameters
    ----------
    scores, mask : of shape (n_q, n_k)

    Returns
    -------
    raised : of shape (n_q, n_k)
        e to the power of each score, with the largest allowed score of the row
        subtracted first so that no power can overflow.  Forbidden pairs are 0.
    totals : of shape (n_q, 1)
        The total of each row of `raised`.
    weights : of shape (n_q, n_k)
        `raised` divided by `totals`.
    """
    scores = _grid("scores", scores)
    allowed = _mask(mask, scores.shape)
    if no_answer not in ("raise", "report"):
        raise ValueError(f'no_answer must be "raise" or "report"; got {no_answer!r}')
    empty = ~allowed.any(axis=1)  # (n_q,): queries that may attend to nothing
    if empty.any() and no_answer == "raise":
        rows = ", ".join(str(row) for row in np.flatnonzero(empty))
        raise ValueError(
            f"mask forbids every key for query {rows}: weights that must sum to one "
            "cannot be shared among nothing; each query needs at least one key"
        )
    if mask is not None:
        scores = np.where(allowed, scores, -np.inf)
    largest = np.where(empty, 0.0, scores.max(axis=1))[:, None]  # (n_q, 1)
    raised = np.exp(scores - largest)  # (n_q, n_k); e to minus infinity is exactly 0
    totals = raised.sum(axis=1, keepdims=True)  # (n_q, 1)
    if not empty.any():
        return raised, totals, raised / totals
    hidden = np.broadcast_to(empty[:, None], scores.shape)
    weights = raised / np.where(empty[:, None], 1.0, totals)
    return (
        np.ma.array(raised, mask=hidden),
        np.ma.array(totals, mask=empty[:, None]),
        np.ma.array(weights, mask=hidden),
    )


def softmax(scores: ArrayLike, mask: ArrayLike | None = None, *, no_answer: str = "raise") -> Grid:
    """Turn every row of scores, (n_q, n_k), into weights that are never negative and total one."""
    return softmax_steps(scores, mask, no_answer=no_answer)[2]


def mix(weights: ArrayLike, values: ArrayLike) -> Grid:
    """Mix the values in the proportions of every row of weights: a weighted sum.

    Parameters
    ----------
    weights : of shape (n_q, n_k)
        Rows without an answer stay without one.
    values : of shape (n_k, d_v)

    Returns
    -------
    of shape (n_q, d_v)
    """
    empty = np.ma.getmaskarray(weights).any(axis=1) if np.ma.isMaskedArray(weights) else None
    shares = _grid("weights", np.ma.filled(weights, 0.0))
    values = _grid("values", values)
    _same("number of keys", "the columns of weights", shares.shape[1], "values", values.shape[0])
    output = shares @ values  # (n_q, n_k) @ (n_k, d_v) -> (n_q, d_v)
    if empty is None or not empty.any():
        return output
    return np.ma.array(output, mask=np.broadcast_to(empty[:, None], output.shape))


@dataclass(frozen=True)
class Attention:
    """Every step of one run of attention."""

    raw: Grid  # (n_q, n_k); dot products
    scores: Grid  # (n_q, n_k); `raw` over the square root of the head size
    weights: Grid  # (n_q, n_k); each row never negative and of total one
    output: Grid  # (n_q, d_v); one new vector a query


def attention(
    queries: ArrayLike,
    keys: ArrayLike,
    values: ArrayLike,
    mask: ArrayLike | None = None,
    *,
    no_answer: str = "raise",
) -> Attention:
    """The whole of attention for one head: scaled dot-product attention.

    Parameters
    ----------
    queries : of shape (n_q, d)
    keys : of shape (n_k, d)
    values : of shape (n_k, d_v)
    mask : of shape (n_q, n_k)
    """
    raw = raw_scores(queries, keys)  # (n_q, n_k)
    scores = _scaled(raw, np.shape(queries)[1])  # (n_q, n_k)
    weights = softmax(scores, mask, no_answer=no_answer)  # (n_q, n_k)
    output = mix(weights, values)  # (n_q, d_v)
    return Attention(raw, scores, weights, output)


# --------------------------------------------------------------------------
# Section 5: several heads
# --------------------------------------------------------------------------


def split_heads(vectors: ArrayLike, heads: int) -> NDArray[np.float64]:
    """Cut every vector into `heads` pieces of equal size, side by side.

    Parameters
    ----------
    vectors : of shape (n, w)
    heads
        Must divide w.

    Returns
    -------
    of shape (heads, n, w / heads)
        Piece h holds columns h * size up to (h + 1) * size of every token.
    """
    vectors = _grid("vectors", vectors)
    heads = whole_number("heads", heads)
    n, width = vectors.shape
    if width % heads:
        raise ValueError(f"heads must divide the width {width} without remainder; got {heads}")
    pieces = vectors.reshape(n, heads, width // heads)  # (n, heads, size): cut each row
    return pieces.transpose(1, 0, 2)  # (heads, n, size): one grid a head


def join_heads(pieces: ArrayLike) -> Grid:
    """Concatenate the heads: write their grids side by side, the reverse of `split_heads`.

    Pieces of shape (heads, n, size) become (n, heads * size).
    """
    pieces = np.asarray(pieces, dtype=float)
    if pieces.ndim != 3 or 0 in pieces.shape:
        raise ValueError(
            f"pieces must have three axes (head, token, number), none empty; got shape {pieces.shape}"
        )
    heads, n, size = pieces.shape
    return pieces.transpose(1, 0, 2).reshape(n, heads * size)  # (n, heads * size)


@dataclass(frozen=True)
class MultiHead:
    """Every step of attention with several heads."""

    heads: tuple[Attention, ...]  # one run a head
    joined: Grid  # (n_q, d_v); the heads' outputs side by side
    output: Grid  # (n_q, w); `joined` after the output projection; `joined` itself where there is none


def multi_head_attention(
    queries: ArrayLike,
    keys: ArrayLike,
    values: ArrayLike,
    heads: int,
    output_matrix: ArrayLike | None = None,
    mask: ArrayLike | None = None,
) -> MultiHead:
    """Attention run once on each of `heads` slices of the same vectors, all under one mask.

    Parameters
    ----------
    queries : of shape (n_q, w)
    keys : of shape (n_k, w)
    values : of shape (n_k, w_v)
    heads
        Must divide w and w_v.
    output_matrix : of shape (w_v, w_out)
        The output projection.
    """
    pieces = zip(
        split_heads(queries, heads),  # each (n_q, w / heads)
        split_heads(keys, heads),  # each (n_k, w / heads)
        split_heads(values, heads),  # each (n_k, w_v / heads)
        strict=True,
    )
    # Each head divides by the root of its own head size: `attention` reads it off the piece.
    runs = tuple(attention(q, k, v, mask) for q, k, v in pieces)
    joined = join_heads([run.output for run in runs])  # (n_q, w_v)
    output = joined if output_matrix is None else project(joined, output_matrix)
    return MultiHead(runs, joined, output)


# --------------------------------------------------------------------------
# Section 6: where queries, keys and values come from, and masks
# --------------------------------------------------------------------------


def self_attention(
    tokens: ArrayLike,
    w_query: ArrayLike,
    w_key: ArrayLike,
    w_value: ArrayLike,
    mask: ArrayLike | None = None,
    *,
    no_answer: str = "raise",
) -> Attention:
    """One set of tokens, (n, w), looks at itself; the rest is as in `cross_attention`."""
    return cross_attention(tokens, tokens, w_query, w_key, w_value, mask, no_answer=no_answer)


def cross_attention(
    asking: ArrayLike,
    read: ArrayLike,
    w_query: ArrayLike,
    w_key: ArrayLike,
    w_value: ArrayLike,
    mask: ArrayLike | None = None,
    *,
    no_answer: str = "raise",
) -> Attention:
    """One set of tokens reads another, which does not read back.

    Parameters
    ----------
    asking : of shape (n_q, w)
        These give the queries.
    read : of shape (n_k, w)
        These give the keys and the values.
    w_query, w_key : of shape (w, d)
    w_value : of shape (w, d_v)
    """
    queries = project(asking, w_query)  # (n_q, d)
    keys = project(read, w_key)  # (n_k, d)
    values = project(read, w_value)  # (n_k, d_v)
    return attention(queries, keys, values, mask, no_answer=no_answer)


def causal_mask(n_queries: int, n_keys: int | None = None) -> Mask:
    """Each token may attend to itself and at what came before it.

    Where there are more keys than queries, the queries are the *last* tokens
    of the sequence, as when a model continues a text that it has read.  Fewer
    keys are refused: the first queries would have nothing to look at.
    """
    n_queries = whole_number("n_queries", n_queries)
    n_keys = n_queries if n_keys is None else whole_number("n_keys", n_keys)
    if n_keys < n_queries:
        raise ValueError(f"n_keys must be at least n_queries ({n_queries}); got {n_keys}")
    own_place = np.arange(n_queries)[:, None] + (n_keys - n_queries)  # (n_q, 1)
    return np.arange(n_keys)[None, :] <= own_place  # (n_q, n_k)


def padding_mask(real_queries: ArrayLike, real_keys: ArrayLike | None = None) -> Mask:
    """Allow the pairs in which both tokens are real, and no other.

    Parameters
    ----------
    real_queries : booleans of shape (n_q,)
        False where a place was only filled up.  Its row of the mask is False
        throughout: it has no answer.
    real_keys : booleans of shape (n_k,)
        The same as the queries if not given.
    """
    real_keys = real_queries if real_keys is None else real_keys
    rows, columns = np.asarray(real_queries), np.asarray(real_keys)
    for name, real in (("real_queries", rows), ("real_keys", columns)):
        if real.ndim != 1 or real.size == 0 or real.dtype != bool:
            raise ValueError(
                f"{name} must be a list of booleans, one a token; got {real.dtype} of shape {real.shape}"
            )
    return rows[:, None] & columns[None, :]


def block_mask(counts: Sequence[int], allowed: ArrayLike) -> Mask:
    """Spread a small grid of kinds over all the tokens of those kinds.

    Parameters
    ----------
    counts : of length k
        How many tokens there are of each kind; n in all.
    allowed : booleans of shape (k, k)
        True where tokens of the row's kind may attend to those of the column's.

    Returns
    -------
    of shape (n, n)
    """
    counts = [whole_number("counts", count) for count in counts]
    allowed = _mask(allowed, (len(counts), len(counts)))
    return allowed.repeat(counts, axis=0).repeat(counts, axis=1)


def merge_masks(*masks: ArrayLike) -> Mask:
    """Allow the pairs that every one of the masks, all of one shape, allows."""
    if not masks:
        raise ValueError("merge_masks needs at least one mask; got none")
    shape = np.shape(masks[0])
    return np.logical_and.reduce([_mask(mask, shape) for mask in masks])


# --------------------------------------------------------------------------
# Section 7: the same result without ever holding the grid
# --------------------------------------------------------------------------


@dataclass(frozen=True)
class RunningSoftmax:
    """What a running softmax carries from one block of keys to the next."""

    largest: Grid  # (n_q, 1); the largest allowed score so far; minus infinity before there is one
    shrink: Grid  # (n_q, 1); what the total and the mix before this block were multiplied by
    total: Grid  # (n_q, 1); the total of the raised scores so far
    # (n_q, d_v); the values so far, each times its raised score.  Divided by `total` after
    # the last block, it is the output.
    mixed: Grid


def _nothing_yet(n_queries, value_size):
    """A running softmax before the first block."""
    return RunningSoftmax(
        np.full((n_queries, 1), -np.inf),
        np.zeros((n_queries, 1)),
        np.zeros((n_queries, 1)),
        np.zeros((n_queries, value_size)),
    )


def _take_block(before, scores, values):
    """Take one more block of scores (n_q, b) and values (b, d_v) into a running softmax.

    The scores are overwritten: a block is made, used once and thrown away.
    """
    largest = np.maximum(before.largest, scores.max(axis=1, keepdims=True))  # (n_q, 1)
    # A query that has met no allowed key yet has nothing to scale, and raises nothing.
    anchor = np.where(np.isfinite(largest), largest, 0.0)
    shrink = np.exp(before.largest - anchor)  # (n_q, 1); 0 before the first allowed key
    scores -= anchor
    raised = np.exp(scores, out=scores)  # (n_q, b), in the place of the scores
    total = before.total * shrink + raised.sum(axis=1, keepdims=True)
    mixed = before.mixed * shrink  # (n_q, d_v)
    mixed += raised @ values
    return RunningSoftmax(largest, shrink, total, mixed)


def running_softmax(scores: ArrayLike, values: ArrayLike, block: int) -> tuple[RunningSoftmax, ...]:
    """Online softmax: softmax and mix in one pass over blocks of keys, with every step kept.

    Parameters
    ----------
    scores : of shape (n_q, n_k)
    values : of shape (n_k, d_v)
    block
        How many keys are taken at a time.

    Returns
    -------
    One step a block.  The last one's `mixed` divided by its `total` is what
    softmax followed by the mix would give.
    """
    scores = _grid("scores", scores)
    values = _grid("values", values)
    block = whole_number("block", block)
    _same("number of keys", "the columns of scores", scores.shape[1], "values", len(values))
    steps = [_nothing_yet(len(scores), values.shape[1])]
    for left in range(0, len(values), block):
        columns = slice(left, left + block)
        steps.append(_take_block(steps[-1], scores[:, columns].copy(), values[columns]))
    return tuple(steps[1:])


def blockwise_attention(
    queries: ArrayLike, keys: ArrayLike, values: ArrayLike, mask: ArrayLike | None = None, *, block: int = 128
) -> Grid:
    """Attention through blocks of the grid, with an online (running) softmax, as FlashAttention does.

    No more than `block` by `block` scores exist at any moment.  For each query
    three things are carried from block to block: the largest score so far, the
    total of the raised scores so far, and the mix so far.  When a block brings
    a larger score, what was gathered before is scaled down to match.

    Arguments are those of `attention`, and so, up to rounding, is what comes out:
    its output, (n_q, d_v).

    Notes
    -----
    The running softmax is that of Milakov and Gimelshein (2018,
    arXiv:1805.02867); its use in blocks that never leave fast memory is that
    of Dao, Fu, Ermon, Rudra and Re (2022, arXiv:2205.14135).
    """
    queries = _grid("queries", queries)
    keys = _grid("keys", keys)
    values = _grid("values", values)
    block = whole_number("block", block)
    _same("head size", "queries", queries.shape[1], "keys", keys.shape[1])
    _same("number of rows", "keys", len(keys), "values", len(values))
    allowed = None if mask is None else _mask(mask, (len(queries), len(keys)))
    if allowed is not None and not allowed.any(axis=1).all():
        row = int(np.flatnonzero(~allowed.any(axis=1))[0])
        raise ValueError(f"mask forbids every key for query {row}; each query needs at least one key")

    output = np.empty((len(queries), values.shape[1]))  # (n_q, d_v)
    for top in range(0, len(queries), block):
        rows = slice(top, top + block)
        asking = _scaled(queries[rows], queries.shape[1])  # (b_q, d), once for all blocks
        running = _nothing_yet(len(asking), values.shape[1])
        for left in range(0, len(keys), block):
            columns = slice(left, left + block)
            scores = asking @ keys[columns].T  # (b_q, b_k)
            if allowed is not None:
                scores = np.where(allowed[rows, columns], scores, -np.inf)
            running = _take_block(running, scores, values[columns])
        output[rows] = running.mixed / running.total
    return output


# --------------------------------------------------------------------------
# Section 1: what attention is not
# --------------------------------------------------------------------------


def neighbour_weights(n: int, before: float, itself: float, after: float) -> Grid:
    """Weights of a layer that mixes each token with its two neighbours by place alone.

    Such a layer is a convolution.  Beyond the first and the last token there is
    nothing to take from, so those two rows lack a number.  Row i of the (n, n)
    holds what token i takes from each token.
    """
    n = whole_number("n", n)
    before, itself, after = _grid("before, itself and after", [[before, itself, after]])[0]
    return before * np.eye(n, k=-1) + itself * np.eye(n) + after * np.eye(n, k=1)
