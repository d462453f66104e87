"""Checks of the exercises of section 6: where queries and keys come from, and masks."""

import numpy as np

from scripts.attention import attention, causal_mask, softmax
from scripts.exercises import exercise
from scripts.exercises.tools import NotYet, Wrong, booleans, call, compare, matches, numbers

# 6.1: a row whose powers are whole numbers; the last token is a filler
POWERS = np.array([1, 2, 5, 12])
REAL = np.array([True, True, True, False])

# 6.2: a stream of three kinds; each looks at itself and at the kinds before it
KINDS = np.array([5, 3, 2])
MAY = np.tri(3, dtype=int)


def masked_row():
    """Weights of exercise 6.1."""
    return softmax(np.log(POWERS)[None, :], REAL[None, :])[0]


def looks():
    """How many keys a token of each kind in exercise 6.2 may look at."""
    return MAY @ KINDS


@exercise("6.1")
def mask_by_hand(answer):
    """One row under a padding mask."""
    if np.shape(answer) == (REAL.sum(),):
        raise Wrong("a mask leaves no token out of the row: the forbidden one keeps its place.")
    got = numbers(answer, POWERS.shape, "the row of weights")
    late = np.where(REAL, POWERS / POWERS.sum(), 0)
    zero = np.where(REAL, POWERS, 1)
    compare(
        got,
        masked_row(),
        "the row of weights",
        decimals=3,
        mistakes={
            "the filler still has a share: these are the weights without a mask.": POWERS / POWERS.sum(),
            "the row does not total one: the share of the filler was taken away and given to nobody.": late,
            "the score of the filler was set to zero; but e to the power of zero is not zero.": zero
            / zero.sum(),
            "the mask is the wrong way round: only the filler is looked at.": ~REAL,
            "these are the powers; they still have to be divided by their total.": np.where(REAL, POWERS, 0),
            "the share of the filler was dealt out in equal parts; it goes to the others in proportion.": np.where(
                REAL, late + (1 - late.sum()) / REAL.sum(), 0
            ),
        },
    )


@exercise("6.2")
def pairs_by_hand(answer):
    """Allowed pairs of a block mask, by the kind that asks."""
    got = numbers(answer, KINDS.shape, "the answer")
    compare(
        got,
        KINDS * looks(),
        "the answer",
        mistakes={
            "these are the keys of one token of each kind; how many such tokens ask?": looks(),
            "these are kinds that may be looked at; count tokens.": MAY.sum(axis=1),
            "the pairs were counted by the kind that is looked at; the rows of the rule ask.": KINDS
            * (MAY.T @ KINDS),
            "a token may look at itself as well.": KINDS * (looks() - 1),
            "a token may look at the others of its own kind as well.": KINDS * (looks() - KINDS),
            "these are the forbidden pairs.": KINDS * (KINDS.sum() - looks()),
            "these are all the pairs; some of them are forbidden.": KINDS * KINDS.sum(),
        },
    )


@exercise("6.3")
def write_causal(function):
    """A causal mask for fewer queries than keys."""
    for n_q, n_k in ((4, 4), (2, 5), (1, 6), (3, 4), (1, 1)):
        result = call(function, n_q, n_k, what="make_causal")
        right = causal_mask(n_q, n_k)
        case = f"for {n_q} quer{'y' if n_q == 1 else 'ies'} and {n_k} key{'s' * (n_k > 1)}"
        if np.shape(result) == right.T.shape != right.shape:
            raise Wrong(f"{case}, rows and columns are exchanged: queries have the rows.")
        got = booleans(result, right.shape, f"{case}, what make_causal returns")
        if np.array_equal(got, right):
            continue
        start = np.tri(n_q, n_k, dtype=bool)
        strict = np.tri(n_q, n_k, n_k - n_q - 1, dtype=bool)
        for told, wrong in {
            "True should mean that a query may look; here it means the opposite.": ~right,
            "the queries are counted from the beginning of the text, but they are its last tokens.": start,
            "a token may not look at itself here, which leaves the first one with nothing to look at.": strict,
            "a token looks at what comes after it.": right[::-1, ::-1],
            "every pair is allowed.": np.ones_like(right),
        }.items():
            if np.array_equal(got, wrong):
                raise Wrong(f"{case}: {told}")
        ahead = (got & ~right).any(axis=1)
        if ahead.any():
            raise Wrong(f"{case}, a query may look at a token that comes after it.")
        raise Wrong(f"{case}, a query may not look at everything that came before it.")
    return "With one query and many keys, which is how a model writes, everything is allowed."


@exercise("6.4")
def write_masked_softmax(function):
    """Softmax with a mask, which refuses a query that may look at nothing."""

    def run(scores, allowed):
        return call(function, scores, allowed, what="masked_softmax")

    generator = np.random.default_rng(64)
    for n_q, n_k in ((3, 5), (6, 4), (1, 7)):
        scores = generator.normal(size=(n_q, n_k))
        allowed = generator.random((n_q, n_k)) < 0.6
        rows, place = np.arange(n_q), generator.integers(n_k, size=n_q)
        allowed[rows, place], allowed[rows, (place + 1) % n_k] = True, False  # some of each in every row
        got = numbers(run(scores, allowed), scores.shape, "the grid of weights", strict=True)
        _compare_weights(got, scores, allowed)
    _refuses(run, generator)
    scores = np.array([[1000.0, 1001.0, 999.0], [-1000.0, -999.0, -1001.0]])
    allowed = np.array([[True, True, False], [False, True, True]])
    got = _finite(
        run(scores, allowed),
        "large scores give NaN: their powers overflow, or all of them "
        "vanish, unless the largest is subtracted first.",
    )
    compare(got, softmax(scores, allowed), "for large scores, the grid of weights")
    scores = np.array([[1.0, 2000.0, 2.0]])
    allowed = np.array([[True, False, True]])
    got = _finite(
        run(scores, allowed),
        "a forbidden score far above the others gives NaN: the largest "
        "must be sought among those that are allowed.",
    )
    compare(got, softmax(scores, allowed), "with a forbidden score far above the others, the row")
    scores = np.array([[-3e10, 0.0, -3e10 + 16]])
    got = _finite(run(scores, allowed), "very negative scores give NaN.")
    compare(
        got,
        softmax(scores, allowed),
        "for very negative scores, the row",
        mistakes={
            "a large negative number is not minus infinity: here a forbidden score wins against allowed ones "
            "that are lower still.": np.array([[0.0, 1.0, 0.0]])
        },
    )
    scores = np.array([[0.5, np.nan, 0.5]])
    try:
        result = run(scores, allowed)
    except Wrong as wrong:
        if "stopped with ValueError" in str(wrong):
            return  # to refuse NaN is no mistake
        raise
    got = _finite(
        result,
        "a NaN at a forbidden place gets into the weights: put something in its place, "
        "do not add or multiply.",
    )
    compare(got, [[0.5, 0.0, 0.5]], "with NaN at a forbidden place, the row")


def _compare_weights(got, scores, allowed):
    right, plain = softmax(scores, allowed), softmax(scores)
    raised = np.where(allowed, np.exp(scores), 0)
    columns = raised / np.maximum(raised.sum(axis=0, keepdims=True), 1e-300)
    mistakes = {
        "the mask makes no difference to the weights.": plain,
        "the rows do not total one: the mask came after softmax, and what it took was given to nobody.": np.where(
            allowed, plain, 0
        ),
        "True should mean that a query may look; here it means the opposite.": softmax(scores, ~allowed),
        "the forbidden scores were set to zero, and e to the power of zero is not zero.": softmax(
            np.where(allowed, scores, 0)
        ),
        "softmax ran down the columns: the rows should total one.": columns,
    }
    compare(got, right, "the grid of weights", mistakes=mistakes)
    if got[~allowed].any():
        raise Wrong("a forbidden weight is small, but not zero.")


def _finite(result, told):
    """Return a result as numbers; NaN in it is explained."""
    array = np.asarray(result, dtype=float)
    if not np.isfinite(array).all():
        raise Wrong(told)
    return array


def _refuses(run, generator):
    """See that a query which may look at nothing raises ValueError, and nothing else does."""
    for row in (0, 2):
        scores = generator.normal(size=(3, 4))
        allowed = np.ones((3, 4), dtype=bool)
        allowed[row] = False
        try:
            result = run(scores, allowed)
        except Wrong as wrong:
            if "stopped with ValueError" in str(wrong):
                continue
            if "stopped with" in str(wrong):
                raise Wrong(f"for a query that may look at nothing: {wrong}") from None
            raise
        except NotYet:
            raise Wrong("a query that may look at nothing gets None; a ValueError is wanted.") from None
        given = np.asarray(result, dtype=float)[row]
        if np.isnan(given).all():
            found = "NaN"
        elif matches(given, np.full(4, 0.25)):
            found = "equal weights, as if it might look at everything"
        elif not given.any():
            found = "zeros, which do not total one"
        else:
            found = "weights"
        raise Wrong(f"a query that may look at nothing gets {found}; it should be refused.")


@exercise("6.5")
def write_probe(function):
    """Find out from outside who sees whom."""
    generator = np.random.default_rng(65)
    for n, width in ((4, 3), (6, 4), (5, 2)):
        tokens = generator.normal(size=(n, width))
        matrices = generator.normal(size=(3, width, width)) / width  # no weight too small to see
        allowed = generator.random((n, n)) < 0.5
        np.fill_diagonal(allowed, True)
        allowed[0, -1], allowed[-1, 0] = False, True
        calls = []

        def attend(given, tokens=tokens, matrices=matrices, allowed=allowed, calls=calls):
            given = np.asarray(given, dtype=float)
            if given.shape != tokens.shape:
                raise ValueError(f"attend wants all {len(tokens)} tokens at once, whole")
            calls.append(1)
            queries, keys, values = (given @ matrix for matrix in matrices)
            return attention(queries, keys, values, allowed).output

        result = call(function, attend, tokens, what="who_sees")
        got = booleans(result, (n, n), f"for {n} tokens, what who_sees returns")
        _judge_probe(got, allowed, bool(calls))
    return "Try it on your own masks: it needs to know nothing about them."


def _judge_probe(got, right, called):
    if np.array_equal(got, right):
        return
    if np.array_equal(got, right.T):
        raise Wrong("rows and columns are exchanged: the row belongs to the token whose output moves.")
    if np.array_equal(got, ~right):
        raise Wrong("True should stand where an output moves; here it stands where none does.")
    if not called:
        raise Wrong("attend was never called, so nothing can have been found out.")
    if not got.any():
        raise Wrong("no output seems to move at all: was the token changed, and before attend was called?")
    if got.all():
        raise Wrong("every output seems to move: change one token at a time, and start afresh each time.")
    if not got.diagonal().all():
        raise Wrong("a token's own output is said not to move: nothing in the task leaves that pair out.")
    if (got & ~right).any() and not (right & ~got).any():
        raise Wrong(
            "an output is said to move that does not: start from the old tokens each time, and compare "
            "the outputs with those before the change."
        )
    raise Wrong("an output is said to stay that moves: look at all its numbers, and at all tokens.")
