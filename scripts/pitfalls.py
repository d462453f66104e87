"""Mistakes that raise no error: the wrong versions, and the checks that find them.

First come the mistakes, one short function each, named for what was done.
They are wrong on purpose: use `scripts.attention` for work.  Then come the
checks.  A check takes what a program made, or the program itself, returns
nothing, and raises `AssertionError` with a sentence where something is wrong.
`PITFALLS` brings the two together on the four tokens of the running example.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from scripts import example
from scripts.attention import causal_mask, join_heads, padding_mask, scaled_scores, softmax, split_heads

BILLION = 1e9  # what is often written where minus infinity is meant
FILLER = len(example.ORDER) - 1  # the token that plays the filler
SEED = 10  # for the checks that try a program on random numbers
TINY = 1e-9
TOLERANCE = 1e-6  # for sums, in single and in double precision
SINGLE, HALF = np.float32, np.float16


# --------------------------------------------------------------------------
# Mistakes at the divisor
# --------------------------------------------------------------------------


def scores_undivided(queries, keys):
    """Leave the division out."""
    return queries @ keys.T


def scores_over_the_head_size(queries, keys):
    """Divide by the head size (d_k), and not by its root."""
    return queries @ keys.T / queries.shape[1]


def scores_over_the_root_of_queries(queries, keys):
    """Divide by the root of the number of queries."""
    return queries @ keys.T / np.sqrt(len(queries))


def scores_over_the_root_of_keys(queries, keys):
    """Divide by the root of the number of keys."""
    return queries @ keys.T / np.sqrt(len(keys))


def scores_over_two(queries, keys):
    """Divide by the two that one example had, whatever the head size."""
    return queries @ keys.T / 2


def root_of_the_width(queries, keys, width):
    """Divide by the square root of the model dimension (d_model), whatever the head size."""
    return softmax(queries @ keys.T / np.sqrt(width))


def root_of_the_count(queries, keys):
    """Divide by the root of the number of tokens."""
    return softmax(scores_over_the_root_of_queries(queries, keys))


def scale_after_softmax(queries, keys):
    """Divide the weights, not the scores."""
    return softmax(queries @ keys.T) / np.sqrt(queries.shape[1])


# --------------------------------------------------------------------------
# Mistakes in softmax
# --------------------------------------------------------------------------


def softmax_down_the_columns(scores):
    """Divide each raised score by the total of its column."""
    raised = np.exp(scores - scores.max(axis=0))
    return raised / raised.sum(axis=0)


def totals_without_keepdims(scores):
    """Divide by the row totals laid out as a row: each column gets one of them."""
    raised = np.exp(scores)
    return raised / raised.sum(axis=1)


def largest_without_keepdims(scores):
    """Subtract the row maxima laid out as a row, then do everything else right."""
    raised = np.exp(scores - scores.max(axis=1))
    return raised / raised.sum(axis=1, keepdims=True)


def keep_the_largest(scores, kind=SINGLE):
    """Raise scores to powers of e as they come."""
    with np.errstate(all="ignore"):
        raised = np.exp(scores.astype(kind))
        return raised / raised.sum(axis=1, keepdims=True)


# --------------------------------------------------------------------------
# Mistakes with masks
# --------------------------------------------------------------------------


def mask_after_softmax(scores, allowed):
    """Set weights to zero when their shares are given out already."""
    return np.where(allowed, softmax(scores), 0.0)


def add_minus_a_billion(scores, allowed, kind):
    """Add minus a billion times "forbidden" to the scores, in one kind of number."""
    with np.errstate(all="ignore"):
        penalty = (~allowed).astype(kind) * kind(-BILLION)
        masked = scores.astype(kind) + penalty
        raised = np.exp(masked - masked.max(axis=1, keepdims=True))
        return raised / raised.sum(axis=1, keepdims=True)


def put_minus_a_billion(scores, allowed):
    """Put minus a billion in place of a forbidden score."""
    return softmax(np.where(allowed, scores, -BILLION))


def put_minus_infinity(scores, allowed):
    """Put minus infinity in place of a forbidden score, and look no further."""
    masked = np.where(allowed, scores, -np.inf)
    with np.errstate(all="ignore"):
        raised = np.exp(masked - masked.max(axis=1, keepdims=True))
        return raised / raised.sum(axis=1, keepdims=True)


def zeros_for_no_answer(scores, allowed):
    """As `put_minus_infinity`, with zeros written over what has no number."""
    return np.nan_to_num(put_minus_infinity(scores, allowed), nan=0.0)


def replies(scores, allowed):
    """What six programs give to the last query, which may attend to nothing: their names, and a row of each.

    A number is NaN where a program gives none, and masked where it says so.
    """
    ways = {
        "minus infinity": put_minus_infinity(scores, allowed),
        "zeros written over that": zeros_for_no_answer(scores, allowed),
        "minus a billion put in": put_minus_a_billion(scores, allowed),
        "added, single precision": add_minus_a_billion(scores, allowed, SINGLE),
        "added, double precision": add_minus_a_billion(scores, allowed, float),
        "this course": softmax(scores, allowed, no_answer="report"),
    }
    return tuple(ways), np.ma.stack([np.ma.asarray(weights)[-1] for weights in ways.values()])


def zero_for_minus_infinity(scores, allowed):
    """Put zero in place of a forbidden score, though e to the power of zero is one."""
    return softmax(np.where(allowed, scores, 0.0))


def mix_without_clearing(weights, values):
    """Trust that a weight of zero keeps a value out, whatever the value is."""
    return weights @ values


def mask_turned_round(scores, forbidden):
    """Hand a mask that says "forbidden" to a function that takes it for "allowed"."""
    return put_minus_infinity(scores, forbidden)


def causal_from_the_top(n_queries, n_keys):
    """Begin the staircase of the causal mask in the top left corner."""
    return np.tril(np.ones((n_queries, n_keys), dtype=bool))


def masks_in_the_wrong_order(masks, heads):
    """Repeat each sentence's mask, where the stack runs through all sentences once a head."""
    return np.repeat(masks, heads, axis=0)


# --------------------------------------------------------------------------
# Mistakes with heads
# --------------------------------------------------------------------------


def reshape_for_transpose(vectors, heads):
    """Ask for the final shape at once."""
    return vectors.reshape(heads, len(vectors), -1)


def deal_the_columns_out(vectors, heads):
    """Give each head every so-many-th column, and not columns side by side."""
    return vectors.reshape(len(vectors), -1, heads).transpose(2, 0, 1)


def join_without_permuting(pieces):
    """Write the heads' grids out in the order in which they lie, which concatenates tokens."""
    heads, n, size = pieces.shape
    return pieces.reshape(n, heads * size)


# --------------------------------------------------------------------------
# All of attention, with one step replaced
# --------------------------------------------------------------------------


def attention_with(scores=scaled_scores, weigh=softmax):
    """Return attention with other scores or other weights than the right ones."""
    return lambda queries, keys, values: weigh(scores(queries, keys)) @ values


def heads_with(attend=None, *, cut=split_heads, join=join_heads):
    """Return attention with several heads, with another attention in each, another cut or another join."""
    attend = attend or attention_with()

    def run(queries, keys, values, heads):
        pieces = zip(*(cut(vectors, heads) for vectors in (queries, keys, values)), strict=True)
        return join(np.array([attend(*piece) for piece in pieces]))

    return run


# --------------------------------------------------------------------------
# Mistakes in counting and in reading
# --------------------------------------------------------------------------


def steps_called_flops(n_queries, n_keys, size):
    """Count one operation for a multiplication and an addition."""
    return n_queries * n_keys * size


def most_to_itself(weights):
    """Say which token each token takes most from, without looking at the weights."""
    return np.arange(len(weights))


# --------------------------------------------------------------------------
# Checks: what a reader can carry into other code
# --------------------------------------------------------------------------


def rows_total_one(weights):
    """Each row of weights sums to one, as nearly as its kind of number allows, and no weight is negative."""
    weights = np.asarray(weights)
    kind = weights.dtype if weights.dtype.kind == "f" else np.dtype(float)
    room = max(TOLERANCE, 4 * float(np.finfo(kind).eps) * np.sqrt(weights.shape[-1]))
    sums = weights.astype(float).sum(axis=-1)
    assert np.allclose(sums, 1, rtol=0, atol=room), f"the rows do not sum to one: {in_words(sums, '.4f')}"
    assert np.min(weights) >= 0, "a weight is negative"


def only_numbers(array):
    """Nothing in an array is infinite or not a number."""
    missing = int((~np.isfinite(array)).sum())
    assert not missing, f"{missing} of {np.size(array)} entries are no number"


def agrees_with_one_pair_at_a_time(weigh):
    """`weigh(queries, keys)` gives what loops give, with all sizes different."""
    generator = np.random.default_rng(SEED)
    queries, keys = generator.normal(size=(3, 2)), generator.normal(size=(5, 2))
    expected = np.empty((3, 5))
    for i, query in enumerate(queries):
        raised = [np.exp(query @ key / np.sqrt(len(query))) for key in keys]
        expected[i] = [number / sum(raised) for number in raised]
    got = weigh(queries, keys)
    assert np.shape(got) == (3, 5), f"three queries and five keys gave the shape {np.shape(got)}"
    assert np.allclose(got, expected), "the weights differ from those worked out one pair at a time"


def same_when_scores_shift(weigh):
    """Adding a number to all scores of a row changes no weight, and scores far apart do no harm."""
    scores = np.array([[2.0, 1.0, 0.0], [-1.0, 0.5, 3.0], [0.0, 4.0, 1.0]])
    with np.errstate(all="ignore"):
        got = weigh(scores + np.array([[1000.0], [-1000.0], [0.0]]))
        assert np.allclose(got, weigh(scores)), "adding a number to a whole row changed its weights"
        far = weigh(np.array([[1000.0, -1000.0, 0.0], [0.0, 1000.0, -1000.0], [-1000.0, 0.0, 1000.0]]))
        assert np.allclose(far, np.eye(3)), "scores far apart in one row spoil its weights"


def empty_rows_give_no_weights(weigh):
    """`weigh(scores, allowed)` refuses a row with nothing allowed, or marks it as masked.

    That is the convention of this course; a library may document zeros or NaN instead.
    """
    allowed = np.array([[True, True, False], [False, False, False]])
    try:
        got = weigh(np.array([[1.0, 2.0, 3.0], [3.0, 2.0, 1.0]]), allowed)
    except ValueError:
        return
    rows_total_one(got[:1])
    marked = np.ma.getmaskarray(got)[1].all()
    assert marked, f"a row with nothing allowed came back as {in_words(got[1])}"


def hidden_tokens_move_nothing(run, tokens, allowed):
    """Change each token: the outputs of those that may not look at it stay as they were."""
    before = run(tokens)
    for j in range(len(tokens)):
        changed = tokens.copy()
        changed[j] += 10
        moved = np.abs(run(changed) - before).max(axis=1) > TINY
        leaks = np.flatnonzero(moved & ~allowed[:, j])
        assert not leaks.size, f"token {j} is hidden from token {leaks[0]}, and yet moves its output"


def hidden_values_do_not_matter(mix, weights, values):
    """A value of weight zero may be anything at all, even no number."""
    spoilt = np.where((weights == 0).all(axis=0)[:, None], np.nan, values)
    only_numbers(mix(weights, spoilt))


def every_token_counts(run, tokens):
    """Change each token: with no mask, every output moves."""
    before = run(tokens)
    for j in range(len(tokens)):
        changed = tokens.copy()
        changed[j] += 10
        deaf = np.flatnonzero(np.abs(run(changed) - before).max(axis=1) < TINY)
        assert not deaf.size, f"token {deaf[0]} takes no notice of token {j}"


def heads_keep_their_columns(join, pieces):
    """After joining, each head's output keeps columns of its own, side by side, in the order of the heads.

    That is the usual layout; another is as good if the output matrix expects it.
    """
    joined, size = join(pieces), pieces.shape[2]
    for h, piece in enumerate(pieces):
        stands = np.array_equal(joined[:, h * size : (h + 1) * size], piece)
        assert stands, f"head {h} is not in its own columns"


def continues_the_text(make_mask, n):
    """A mask for the last queries of a text is the end of the mask for the whole text."""
    whole = make_mask(n, n)
    for last in range(1, n):
        part = make_mask(last, n)
        assert np.array_equal(part, whole[-last:]), f"the last {last} of {n} tokens see other keys"


def each_head_has_its_sentence(spread, masks, heads, head_by_head=True):
    """Each place of the stack of masks has the mask of its own sentence.

    The stack runs through all sentences, once for each head; or else, as in PyTorch's
    `MultiheadAttention`, through all heads, once for each sentence.
    """
    stack = spread(masks, heads)
    assert len(stack) == len(masks) * heads, f"{len(stack)} masks for {len(masks) * heads} places"
    for place, mask in enumerate(stack):
        belongs = masks[place % len(masks) if head_by_head else place // heads]
        assert np.array_equal(mask, belongs), f"place {place} of the stack has another sentence's mask"


def counted_one_at_a_time(count, n_queries=3, n_keys=5, size=2):
    """`count` agrees with a loop that counts every multiplication and every addition.

    Adding the first product to zero may be counted or not.
    """
    operations = 0
    for _ in range(n_queries * n_keys):
        for _ in range(size):
            operations += 1  # a product
            operations += 1  # added to what is there
    got = count(n_queries, n_keys, size)
    assert got in (operations, operations - n_queries * n_keys), f"{got} counted, {operations} done"


def read_off(claim, weights):
    """A claim about who takes most from whom is compared with the weights."""
    largest = np.asarray(weights).argmax(axis=1)
    wrong = np.flatnonzero(np.asarray(claim) != largest)
    assert not wrong.size, f"{wrong.size} of {len(largest)} tokens take most from another token"


def in_words(numbers, form=".3f") -> str:
    """Write an array of one or two axes as text, a line a row, with words for NaN, infinity and what is masked."""
    numbers = np.atleast_2d(np.ma.asarray(numbers, dtype=float))
    hidden = np.ma.getmaskarray(numbers)
    rows = [
        [
            "no answer" if masked else format(value, form) if np.isfinite(value) else "no number"
            for value, masked in zip(row, gone, strict=True)
        ]
        for row, gone in zip(numbers.data, hidden, strict=True)
    ]
    wide = max(len(word) for row in rows for word in row)
    return "\n".join("  ".join(word.rjust(wide) for word in row) for row in rows)


# --------------------------------------------------------------------------
# Both together, on the four tokens
# --------------------------------------------------------------------------


@dataclass(frozen=True)
class Pitfall:
    """A mistake, its right counterpart, and the check that tells them apart."""

    check: Callable  # one of the checks above
    wrong: object  # what it takes: a program, or what one made
    right: object
    given: tuple = ()  # what it takes besides

    def finding(self) -> str:
        """Return what the check says of the wrong version, or "" if it finds nothing."""
        try:
            self.check(self.wrong, *self.given)
        except AssertionError as objection:
            return str(objection).splitlines()[0]
        return ""


def real_pairs():
    """The mask in which the last token is a filler: no pair of it is allowed."""
    return padding_mask(np.arange(len(example.ORDER)) != FILLER)


def hidden_filler():
    """The mask that hides the filler from everybody and leaves its own row alone."""
    allowed = np.ones((len(example.ORDER),) * 2, dtype=bool)
    allowed[:, FILLER] = False
    return allowed


def two_sentences():
    """Masks of two sentences in one batch: a full one, and one with a filler at its end."""
    return np.array([np.ones_like(hidden_filler()), hidden_filler()])


def run_causal(weigh):
    """Return a program from tokens to outputs that weighs with a causal mask."""
    may = causal_mask(len(example.ORDER))

    def run(tokens):
        scores = scaled_scores(tokens @ example.W_QUERY, tokens @ example.W_KEY)
        weights = weigh(scores, may)
        return np.nan_to_num(weights) @ (tokens @ example.W_VALUE)

    return run


def run_in_heads(cut, join):
    """Return a program from tokens to the heads' outputs that cuts and joins heads in its own way."""

    def run(tokens):
        made = (tokens @ matrix for matrix in (example.W_QUERY, example.W_KEY, example.W_VALUE))
        return heads_with(cut=cut, join=join)(*made, example.HEADS)

    return run


def _pitfalls():
    """Pitfalls in the order and in the words of the page."""
    scores, weights, values = example.SCORES, example.WEIGHTS, example.VALUES
    queries, keys, tokens = example.QUERIES, example.KEYS, example.TOKENS
    n, width = tokens.shape
    real, causal = real_pairs(), causal_mask(n)
    words = slice(0, FILLER)  # the rows that have an answer
    fine = softmax(scores, hidden_filler())
    heads = np.array([head.output for head in example.TWO_HEADS.heads])

    def weigh(q, k):
        return softmax(scaled_scores(q, k))

    def report(s, allowed):
        return softmax(s, allowed, no_answer="report")

    def cleared(w, v):
        return w @ np.where((w == 0).all(axis=0)[:, None], 0.0, v)

    def tiled(masks, heads):
        return np.tile(masks, (heads, 1, 1))

    pair, masked = agrees_with_one_pair_at_a_time, report(scores, real)[words]
    late, half = mask_after_softmax(scores, real), add_minus_a_billion(scores, real, HALF)
    return {
        "square root of the model dimension": Pitfall(
            pair, lambda q, k: root_of_the_width(q, k, width), weigh
        ),
        "square root of the number of tokens": Pitfall(pair, root_of_the_count, weigh),
        "scaling after softmax": Pitfall(rows_total_one, scale_after_softmax(queries, keys), weights),
        "softmax down the columns": Pitfall(rows_total_one, softmax_down_the_columns(scores), weights),
        "keepdims forgotten": Pitfall(rows_total_one, totals_without_keepdims(scores), weights),
        "keepdims forgotten at the largest": Pitfall(
            same_when_scores_shift, largest_without_keepdims, softmax
        ),
        "overflow": Pitfall(same_when_scores_shift, keep_the_largest, softmax),
        "mask after softmax": Pitfall(rows_total_one, late[words], masked),
        "minus a billion in half precision": Pitfall(only_numbers, half[words], masked),
        "minus a billion, added": Pitfall(
            empty_rows_give_no_weights, lambda s, allowed: add_minus_a_billion(s, allowed, SINGLE), report
        ),
        "nothing to attend to": Pitfall(empty_rows_give_no_weights, put_minus_infinity, softmax),
        "no number behind a weight of zero": Pitfall(
            hidden_values_do_not_matter, mix_without_clearing, cleared, (fine, values)
        ),
        "a mask of the opposite meaning": Pitfall(
            hidden_tokens_move_nothing,
            run_causal(lambda s, allowed: mask_turned_round(s, ~allowed)),
            run_causal(softmax),
            (tokens, causal),
        ),
        "causal mask from the wrong corner": Pitfall(
            continues_the_text, causal_from_the_top, causal_mask, (n,)
        ),
        "masks repeated in the wrong order": Pitfall(
            each_head_has_its_sentence, masks_in_the_wrong_order, tiled, (two_sentences(), example.HEADS)
        ),
        "reshape for transpose": Pitfall(
            every_token_counts,
            # Each undoes the cut as its author would: a token's numbers go back into its own row.
            run_in_heads(reshape_for_transpose, join_without_permuting),
            run_in_heads(split_heads, join_heads),
            (tokens,),
        ),
        "heads concatenated without permuting": Pitfall(
            heads_keep_their_columns, join_without_permuting, join_heads, (heads,)
        ),
        "MACs called FLOPs": Pitfall(
            counted_one_at_a_time, steps_called_flops, lambda n_q, n_k, size: 2 * n_q * n_k * size
        ),
        "most to itself": Pitfall(read_off, most_to_itself(weights), weights.argmax(axis=1), (weights,)),
    }


PITFALLS = _pitfalls()


def findings() -> dict[str, tuple[str, str]]:
    """Return, for each mistake, the check that finds it and what the check says."""
    return {name: (pitfall.check.__name__, pitfall.finding()) for name, pitfall in PITFALLS.items()}
