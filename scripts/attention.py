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
it.  A
mask is an array of booleans in which True means "may look".
"""

from dataclasses import dataclass

import numpy as np

__all__ = [
    "Attention",
    "attention",
    "block_mask",
    "blockwise_attention",
    "causal_mask",
    "cross_attention",
    "join_heads",
    "merge_masks",
    "mix",
    "multi_head_attention",
    "neighbour_weights",
    "padding_mask",
    "project",
    "raw_scores",
    "running_softmax",
    "scaled_scores",
    "self_attention",
    "softmax",
    "softmax_steps",
    "split_heads",
]


# --------------------------------------------------------------------------
# What comes in is checked once, here, and named in the error
# --------------------------------------------------------------------------


def _grid(name, array):
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


def _mask(mask, shape):
    """Return `mask` as booleans of the given shape; None allows every pair."""
    if mask is None:
        return np.ones(shape, dtype=bool)
    allowed = np.asarray(mask)
    if allowed.dtype != bool:
        raise ValueError(f"mask must hold booleans (True = may look); got numbers of type {allowed.dtype}")
    if allowed.shape != shape:
        raise ValueError(f"mask must have the shape of the scores, {shape}; got {allowed.shape}")
    return allowed


def whole_number(name, number):
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


def project(tokens, matrix):
    """Run every token through one learned matrix.

    Parameters
    ----------
    tokens : array_like of shape (n, w)
        One row a token.
    matrix : array_like of shape (w, d)
        The learned numbers; the same for every token.

    Returns
    -------
    ndarray of shape (n, d)
        One new vector a token.

    Raises
    ------
    ValueError
        If either is not a grid of finite numbers, or the widths differ.
    """
    tokens = _grid("tokens", tokens)
    matrix = _grid("matrix", matrix)
    _same("width", "tokens", tokens.shape[1], "the rows of matrix", matrix.shape[0])
    return tokens @ matrix  # (n, w) @ (w, d) -> (n, d)


# --------------------------------------------------------------------------
# Section 3: scores
# --------------------------------------------------------------------------


def raw_scores(queries, keys):
    """Dot product of every query with every key.

    Parameters
    ----------
    queries : array_like of shape (n_q, d)
    keys : array_like of shape (n_k, d)

    Returns
    -------
    ndarray of shape (n_q, n_k)
        Row i holds the scores of query i along all keys.

    Raises
    ------
    ValueError
        If either is not a grid of finite numbers, or the head sizes differ.
    """
    queries = _grid("queries", queries)
    keys = _grid("keys", keys)
    _same("head size", "queries", queries.shape[1], "keys", keys.shape[1])
    return queries @ keys.T  # (n_q, d) @ (d, n_k) -> (n_q, n_k)


def scaled_scores(queries, keys):
    """Raw scores over the square root of the head size.

    Parameters
    ----------
    queries : array_like of shape (n_q, d)
    keys : array_like of shape (n_k, d)

    Returns
    -------
    ndarray of shape (n_q, n_k)

    Raises
    ------
    ValueError
        As `raw_scores`.
    """
    return _scaled(raw_scores(queries, keys), np.shape(queries)[1])


def _scaled(raw, head_size):
    """Divide raw scores by the root of d: not the width, not the number of tokens."""
    return raw / np.sqrt(head_size)  # (n_q, n_k)


# --------------------------------------------------------------------------
# Section 4: softmax and the mix
# --------------------------------------------------------------------------


def softmax_steps(scores, mask=None, *, no_answer="raise"):
    """Softmax along every row, with the steps between.

    Parameters
    ----------
    scores : array_like of shape (n_q, n_k)
    mask : array_like of bool, shape (n_q, n_k), optional
        True where the query of the row may look at the key of the column.
    no_answer : {"raise", "report"}
        What to do with a query that may look at nothing.  Its weights would be
        zero divided by zero.  "raise" raises; "report" returns masked
        arrays in which that row has no value at all, so that no number can be
        mistaken for an answer.

    Returns
    -------
    raised : ndarray of shape (n_q, n_k)
        e to the power of each score, with the largest allowed score of the row
        subtracted first so that no power can overflow.  Forbidden pairs are 0.
    totals : ndarray of shape (n_q, 1)
        The total of each row of `raised`.
    weights : ndarray of shape (n_q, n_k)
        `raised` divided by `totals`.

    Raises
    ------
    ValueError
        If scores are not a grid of finite numbers, the mask is not one of
        booleans of the same shape, or a query may look at nothing and
        `no_answer` is "raise".
    """
    scores = _grid("scores", scores)
    allowed = _mask(mask, scores.shape)
    if no_answer not in ("raise", "report"):
        raise ValueError(f'no_answer must be "raise" or "report"; got {no_answer!r}')
    empty = ~allowed.any(axis=1)  # (n_q,): queries that may look at nothing
    if empty.any() and no_answer == "raise":
        rows = ", ".join(str(row) for row in np.flatnonzero(empty))
        raise ValueError(
            f"mask forbids every key for query {rows}: weights that must total one "
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


def softmax(scores, mask=None, *, no_answer="raise"):
    """Turn every row of scores into weights that are never negative and total one.

    Parameters
    ----------
    scores : array_like of shape (n_q, n_k)
    mask : array_like of bool, shape (n_q, n_k), optional
        True = may look.
    no_answer : {"raise", "report"}
        See `softmax_steps`.

    Returns
    -------
    ndarray of shape (n_q, n_k)

    Raises
    ------
    ValueError
        As `softmax_steps`.
    """
    return softmax_steps(scores, mask, no_answer=no_answer)[2]


def mix(weights, values):
    """Mix the values in the proportions of every row of weights: a weighted sum.

    Parameters
    ----------
    weights : array_like of shape (n_q, n_k)
        Rows without an answer (see `softmax_steps`) stay without one.
    values : array_like of shape (n_k, d_v)

    Returns
    -------
    ndarray of shape (n_q, d_v)

    Raises
    ------
    ValueError
        If either is not a grid of finite numbers, or there is not one value a key.
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
    """Every step of one run of attention.

    Attributes
    ----------
    raw : ndarray of shape (n_q, n_k)
        Dot products.
    scores : ndarray of shape (n_q, n_k)
        `raw` over the square root of the head size.
    weights : ndarray of shape (n_q, n_k)
        Each row never negative and of total one.
    output : ndarray of shape (n_q, d_v)
        One new vector a query.
    """

    raw: np.ndarray
    scores: np.ndarray
    weights: np.ndarray
    output: np.ndarray


def attention(queries, keys, values, mask=None, *, no_answer="raise"):
    """The whole of attention for one head: scaled dot-product attention.

    Parameters
    ----------
    queries : array_like of shape (n_q, d)
    keys : array_like of shape (n_k, d)
    values : array_like of shape (n_k, d_v)
    mask : array_like of bool, shape (n_q, n_k), optional
        True = may look.
    no_answer : {"raise", "report"}
        See `softmax_steps`.

    Returns
    -------
    Attention

    Raises
    ------
    ValueError
        As `raw_scores`, `softmax` and `mix`.
    """
    raw = raw_scores(queries, keys)  # (n_q, n_k)
    scores = _scaled(raw, np.shape(queries)[1])  # (n_q, n_k)
    weights = softmax(scores, mask, no_answer=no_answer)  # (n_q, n_k)
    output = mix(weights, values)  # (n_q, d_v)
    return Attention(raw, scores, weights, output)


# --------------------------------------------------------------------------
# Section 5: several heads
# --------------------------------------------------------------------------


def split_heads(vectors, heads):
    """Cut every vector into `heads` pieces of equal size, side by side.

    Parameters
    ----------
    vectors : array_like of shape (n, w)
    heads : int
        Must divide w.

    Returns
    -------
    ndarray of shape (heads, n, w / heads)
        Piece h holds columns h * size up to (h + 1) * size of every token.

    Raises
    ------
    ValueError
        If vectors are not a grid of finite numbers, or heads is not a whole
        number of at least 1 that divides their width.
    """
    vectors = _grid("vectors", vectors)
    heads = whole_number("heads", heads)
    n, width = vectors.shape
    if width % heads:
        raise ValueError(f"heads must divide the width {width} without remainder; got {heads}")
    pieces = vectors.reshape(n, heads, width // heads)  # (n, heads, size): cut each row
    return pieces.transpose(1, 0, 2)  # (heads, n, size): one grid a head


def join_heads(pieces):
    """Concatenate the heads: write their grids side by side, the reverse of `split_heads`.

    Parameters
    ----------
    pieces : array_like of shape (heads, n, size)

    Returns
    -------
    ndarray of shape (n, heads * size)

    Raises
    ------
    ValueError
        If pieces do not have three axes of at least one.
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
    """Every step of attention with several heads.

    Attributes
    ----------
    heads : tuple of Attention
        One run a head.
    joined : ndarray of shape (n_q, d_v)
        The heads' outputs side by side.
    output : ndarray of shape (n_q, w)
        `joined` after the output projection; `joined` itself where there is none.
    """

    heads: tuple
    joined: np.ndarray
    output: np.ndarray


def multi_head_attention(queries, keys, values, heads, output_matrix=None, mask=None):
    """Attention run once on each of `heads` slices of the same vectors.

    Parameters
    ----------
    queries : array_like of shape (n_q, w)
    keys : array_like of shape (n_k, w)
    values : array_like of shape (n_k, w_v)
    heads : int
        Must divide w and w_v.
    output_matrix : array_like of shape (w_v, w_out), optional
        The output projection.
    mask : array_like of bool, shape (n_q, n_k), optional
        True = may look; the same for every head.

    Returns
    -------
    MultiHead

    Raises
    ------
    ValueError
        As `split_heads`, `attention` and `project`.
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


def self_attention(tokens, w_query, w_key, w_value, mask=None, *, no_answer="raise"):
    """One set of tokens looks at itself.

    Parameters
    ----------
    tokens : array_like of shape (n, w)
    w_query, w_key : array_like of shape (w, d)
    w_value : array_like of shape (w, d_v)
    mask : array_like of bool, shape (n, n), optional
    no_answer : {"raise", "report"}

    Returns
    -------
    Attention
        With n queries and n keys.

    Raises
    ------
    ValueError
        As `project` and `attention`.
    """
    return cross_attention(tokens, tokens, w_query, w_key, w_value, mask, no_answer=no_answer)


def cross_attention(asking, read, w_query, w_key, w_value, mask=None, *, no_answer="raise"):
    """One set of tokens reads another, which does not read back.

    Parameters
    ----------
    asking : array_like of shape (n_q, w)
        These give the queries.
    read : array_like of shape (n_k, w)
        These give the keys and the values.
    w_query, w_key : array_like of shape (w, d)
    w_value : array_like of shape (w, d_v)
    mask : array_like of bool, shape (n_q, n_k), optional
    no_answer : {"raise", "report"}

    Returns
    -------
    Attention

    Raises
    ------
    ValueError
        As `project` and `attention`.
    """
    queries = project(asking, w_query)  # (n_q, d)
    keys = project(read, w_key)  # (n_k, d)
    values = project(read, w_value)  # (n_k, d_v)
    return attention(queries, keys, values, mask, no_answer=no_answer)


def causal_mask(n_queries, n_keys=None):
    """Each token may look at itself and at what came before it.

    Where there are more keys than queries, the queries are the *last* tokens
    of the sequence, as when a model continues a text that it has read.

    Parameters
    ----------
    n_queries : int
    n_keys : int, optional
        As many as queries if not given; never fewer.

    Returns
    -------
    ndarray of bool, shape (n_queries, n_keys)
        True = may look.

    Raises
    ------
    ValueError
        If a size is not a whole number of at least 1, or keys are fewer than
        queries, which would leave the first queries nothing to look at.
    """
    n_queries = whole_number("n_queries", n_queries)
    n_keys = n_queries if n_keys is None else whole_number("n_keys", n_keys)
    if n_keys < n_queries:
        raise ValueError(f"n_keys must be at least n_queries ({n_queries}); got {n_keys}")
    own_place = np.arange(n_queries)[:, None] + (n_keys - n_queries)  # (n_q, 1)
    return np.arange(n_keys)[None, :] <= own_place  # (n_q, n_k)


def padding_mask(real_queries, real_keys=None):
    """Allow the pairs in which both tokens are real, and no other.

    Parameters
    ----------
    real_queries : array_like of bool, shape (n_q,)
        False where a place was only filled up.
    real_keys : array_like of bool, shape (n_k,), optional
        The same as the queries if not given.

    Returns
    -------
    ndarray of bool, shape (n_q, n_k)
        True = may look.  The row of a filled-up place is False throughout: it
        has no answer.

    Raises
    ------
    ValueError
        If either is not a list of booleans of at least one.
    """
    real_keys = real_queries if real_keys is None else real_keys
    rows, columns = np.asarray(real_queries), np.asarray(real_keys)
    for name, real in (("real_queries", rows), ("real_keys", columns)):
        if real.ndim != 1 or real.size == 0 or real.dtype != bool:
            raise ValueError(
                f"{name} must be a list of booleans, one a token; got {real.dtype} of shape {real.shape}"
            )
    return rows[:, None] & columns[None, :]


def block_mask(counts, allowed):
    """Spread a small grid of kinds over all the tokens of those kinds.

    Parameters
    ----------
    counts : sequence of int, length k
        How many tokens there are of each kind.
    allowed : array_like of bool, shape (k, k)
        True where tokens of the row's kind may look at those of the column's.

    Returns
    -------
    ndarray of bool, shape (n, n)
        n is the total of `counts`.

    Raises
    ------
    ValueError
        If a count is not a whole number of at least 1, or `allowed` is not a
        grid of booleans with a row and a column for each kind.
    """
    counts = [whole_number("counts", count) for count in counts]
    allowed = _mask(allowed, (len(counts), len(counts)))
    return allowed.repeat(counts, axis=0).repeat(counts, axis=1)


def merge_masks(*masks):
    """Allow the pairs that every one of the masks allows.

    Parameters
    ----------
    *masks : array_like of bool, all of one shape

    Returns
    -------
    ndarray of bool

    Raises
    ------
    ValueError
        If there is no mask, or the shapes differ.
    """
    if not masks:
        raise ValueError("merge_masks needs at least one mask; got none")
    shape = np.shape(masks[0])
    return np.logical_and.reduce([_mask(mask, shape) for mask in masks])


# --------------------------------------------------------------------------
# Section 7: the same result without ever holding the grid
# --------------------------------------------------------------------------


@dataclass(frozen=True)
class RunningSoftmax:
    """What a running softmax carries from one block of keys to the next.

    Attributes
    ----------
    largest : ndarray of shape (n_q, 1)
        The largest allowed score so far; minus infinity before there is one.
    shrink : ndarray of shape (n_q, 1)
        What the total and the mix before this block were multiplied by.
    total : ndarray of shape (n_q, 1)
        The total of the raised scores so far.
    mixed : ndarray of shape (n_q, d_v)
        The values so far, each times its raised score.  Divided by `total`
        after the last block, it is the output.
    """

    largest: np.ndarray
    shrink: np.ndarray
    total: np.ndarray
    mixed: np.ndarray


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


def running_softmax(scores, values, block):
    """Online softmax: softmax and mix in one pass over blocks of keys, with every step kept.

    Parameters
    ----------
    scores : array_like of shape (n_q, n_k)
    values : array_like of shape (n_k, d_v)
    block : int
        How many keys are taken at a time.

    Returns
    -------
    tuple of RunningSoftmax
        One a block.  The last one's `mixed` divided by its `total` is what
        softmax followed by the mix would give.

    Raises
    ------
    ValueError
        If scores or values are not grids of finite numbers, there is not one
        value a key, or block is not a whole number of at least 1.
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


def blockwise_attention(queries, keys, values, mask=None, *, block=128):
    """Attention through blocks of the grid, with an online (running) softmax, as FlashAttention does.

    No more than `block` by `block` scores exist at any moment.  For each query
    three things are carried from block to block: the largest score so far, the
    total of the raised scores so far, and the mix so far.  When a block brings
    a larger score, what was gathered before is scaled down to match.

    Parameters
    ----------
    queries : array_like of shape (n_q, d)
    keys : array_like of shape (n_k, d)
    values : array_like of shape (n_k, d_v)
    mask : array_like of bool, shape (n_q, n_k), optional
        True = may look.
    block : int
        How many queries and how many keys are taken at a time.

    Returns
    -------
    ndarray of shape (n_q, d_v)
        What `attention` returns as its output, up to rounding.

    Raises
    ------
    ValueError
        As `attention`; also if block is not a whole number of at least 1.

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


def neighbour_weights(n, before, itself, after):
    """Weights of a layer that mixes each token with its two neighbours by place alone.

    Such a layer is a convolution.  Beyond the first and the last token there is
    nothing to take from, so those two rows lack a number.

    Parameters
    ----------
    n : int
        How many tokens.
    before, itself, after : float
        The same three numbers for every token.

    Returns
    -------
    ndarray of shape (n, n)
        Row i holds what token i takes from each token.

    Raises
    ------
    ValueError
        If n is not a whole number of at least 1, or one of the three is not a
        finite number.
    """
    n = whole_number("n", n)
    before, itself, after = _grid("before, itself and after", [[before, itself, after]])[0]
    return before * np.eye(n, k=-1) + itself * np.eye(n) + after * np.eye(n, k=1)
