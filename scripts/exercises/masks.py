"""Exercises of section 6: where queries and keys come from, and masks."""

import numpy as np

from scripts import pitfalls
from scripts.attention import attention, causal_mask, softmax
from scripts.exercises.answers import NotYet, Stopped, Wrong, booleans, call, matches, name_mistake, numbers
from scripts.exercises.exercise import Edge, Exercise

# 6.1: a row whose exponentials are whole numbers; the last token is padding
POWERS = np.array([1, 2, 5, 12])
REAL = np.array([True, True, True, False])

# 6.2: a stream of three types; each attends to itself and to the types before it
KINDS = np.array([5, 3, 2])
MAY = np.tri(3, dtype=int)


def masked_row(weigh=softmax):
    """Weights of 6.1: the right ones, or those of another function of scores and mask."""
    return weigh(np.log(POWERS)[None, :], REAL[None, :])[0]


def looks():
    """How many keys a token of each type in 6.2 may attend to."""
    return MAY @ KINDS


def read_masked_row(answer):
    """Read the answer to 6.1, which has a place for the forbidden token too."""
    if np.shape(answer) == (REAL.sum(),):
        raise Wrong("a mask leaves no token out of the row: the forbidden one keeps its place.")
    return numbers(answer, POWERS.shape, "the row of weights")


_LATE = masked_row(pitfalls.mask_after_softmax)

Exercise(
    "6.1",
    want=masked_row(),
    what="the row of weights",
    read=read_masked_row,
    decimals=3,
    mistakes={
        "the padding token still has a weight: these are the weights without a mask.": POWERS / POWERS.sum(),
        "the row does not sum to one: the weight of the padding token was taken away and given to nobody.": _LATE,
        "the score of the padding token was set to zero; but the exponential of zero is not zero.": masked_row(
            pitfalls.zero_for_minus_infinity
        ),
        "the mask is the wrong way round: only the padding token is attended to.": np.where(REAL, 0, 1),
        "these are the exponentials; they still have to be divided by their sum.": np.where(REAL, POWERS, 0),
        "the weight of the padding token was dealt out in equal parts; it goes to the others in "
        "proportion.": np.where(REAL, _LATE + (1 - _LATE.sum()) / REAL.sum(), 0),
    },
)

Exercise(
    "6.2",
    want=KINDS * looks(),
    mistakes={
        "these are the keys of one token of each type; how many such tokens ask?": looks(),
        "these count types of token; count tokens.": MAY.sum(axis=1),
        "the pairs were counted by the type that is attended to; the rows of the rule ask.": (
            KINDS * (MAY.T @ KINDS)
        ),
        "a token may attend to itself as well.": KINDS * (looks() - 1),
        "a token may attend to the others of its own type as well.": KINDS * (looks() - KINDS),
        "these are the forbidden pairs.": KINDS * (KINDS.sum() - looks()),
        "these are all the pairs; some of them are forbidden.": KINDS * KINDS.sum(),
    },
)


CAUSAL_MISTAKES = {
    "True should mean that a query may attend; here it means the opposite.": lambda n_q, n_k: (
        ~causal_mask(n_q, n_k)
    ),
    "the queries are counted from the beginning of the text, but they are its last "
    "tokens.": pitfalls.causal_from_the_top,
    "a token may not attend to itself here, which leaves the first one with nothing to attend "
    "to.": lambda n_q, n_k: np.tri(n_q, n_k, n_k - n_q - 1, dtype=bool),
    "a token attends to what comes after it.": lambda n_q, n_k: causal_mask(n_q, n_k)[::-1, ::-1],
    "every pair is allowed.": lambda n_q, n_k: np.ones((n_q, n_k), dtype=bool),
}


def judge_causal(function):
    """Compare causal masks, some of them for fewer queries than keys."""
    for n_q, n_k in ((4, 4), (2, 5), (1, 6), (3, 4), (1, 1)):
        result = call(function, n_q, n_k, what="make_causal")
        right = causal_mask(n_q, n_k)
        case = f"for {n_q} quer{'y' if n_q == 1 else 'ies'} and {n_k} key{'s' * (n_k > 1)}"
        if np.shape(result) == right.T.shape != right.shape:
            raise Wrong(f"{case}, rows and columns are exchanged: queries have the rows.")
        got = booleans(result, right.shape, f"{case}, what make_causal returns")
        if np.array_equal(got, right):
            continue
        name_mistake(got, CAUSAL_MISTAKES, (n_q, n_k), when=f"{case}: ")
        if (got & ~right).any():
            raise Wrong(f"{case}, a query may attend to a token that comes after it.")
        raise Wrong(f"{case}, a query may not attend to everything that came before it.")


Exercise(
    "6.3",
    judge=judge_causal,
    mistakes=CAUSAL_MISTAKES,
    praise="With one query and many keys, which is how a model writes, everything is allowed.",
)


def _scores_and_masks():
    generator = np.random.default_rng(64)
    for n_q, n_k in ((3, 5), (6, 4), (1, 7)):
        scores = generator.normal(size=(n_q, n_k))
        allowed = generator.random((n_q, n_k)) < 0.6
        rows, place = np.arange(n_q), generator.integers(n_k, size=n_q)
        allowed[rows, place], allowed[rows, (place + 1) % n_k] = True, False  # some of each in every row
        yield scores, allowed


def forbidden_is_zero(function):
    """See that a forbidden weight is exactly zero, and not only small."""
    for scores, allowed in _scores_and_masks():
        if np.asarray(call(function, scores, allowed, what="masked_softmax"))[~allowed].any():
            raise Wrong("a forbidden weight is small, but not zero.")


def empty_row_is_refused(function):
    """See that a query which may attend to nothing raises `ValueError`, and nothing else does."""
    generator = np.random.default_rng(640)
    for row in (0, 2):
        allowed = np.ones((3, 4), dtype=bool)
        allowed[row] = False
        try:
            result = call(function, generator.normal(size=(3, 4)), allowed, what="masked_softmax")
        except Stopped as stopped:
            if isinstance(stopped.__cause__, ValueError):
                continue
            raise Wrong(f"for a query that may attend to nothing: {stopped}") from None
        except NotYet:
            raise Wrong("a query that may attend to nothing gets None; a ValueError is wanted.") from None
        given = np.asarray(result, dtype=float)[row]
        if np.isnan(given).all():
            found = "NaN"
        elif matches(given, np.full(4, 0.25)):
            found = "equal weights, as if it might attend to everything"
        elif not given.any():
            found = "zeros, which do not sum to one"
        else:
            found = "weights"
        raise Wrong(f"a query that may attend to nothing gets {found}; it should be refused.")


def _down_the_columns(scores, allowed):
    raised = np.where(allowed, np.exp(scores), 0)
    return raised / np.maximum(raised.sum(axis=0, keepdims=True), 1e-300)


Exercise(
    "6.4",
    reference=softmax,
    cases=list(_scores_and_masks()),
    edges=[
        forbidden_is_zero,
        empty_row_is_refused,
        Edge(
            (
                np.array([[1000.0, 1001.0, 999.0], [-1000.0, -999.0, -1001.0], [1000.0, 0.0, -1000.0]]),
                np.array([[True, True, False], [False, True, True], [True, False, True]]),
            ),
            "large scores give NaN: their exponentials overflow, or all of them "
            "vanish, unless the largest is subtracted first.",
            "for large scores, the matrix of weights",
        ),
        Edge(
            (np.array([[1.0, 2000.0, 2.0]]), np.array([[True, False, True]])),
            "a forbidden score far above the others gives NaN: the largest "
            "must be sought among those that are allowed.",
            "with a forbidden score far above the others, the row",
        ),
        Edge(
            (np.array([[-3e10, 0.0, -3e10 + 16]]), np.array([[True, False, True]])),
            "very negative scores give NaN.",
            "for very negative scores, the row",
            mistakes={
                "a large negative number is not minus infinity: here a forbidden score wins against "
                "allowed ones that are lower still.": pitfalls.put_minus_a_billion
            },
        ),
    ],
    name="masked_softmax",
    what="the matrix of weights",
    mistakes={
        "the mask makes no difference to the weights.": lambda scores, allowed: softmax(scores),
        "the rows do not sum to one: the mask came after softmax, and what it took was given to "
        "nobody.": pitfalls.mask_after_softmax,
        "True should mean that a query may attend; here it means the opposite.": lambda scores, allowed: (
            pitfalls.mask_turned_round(scores, ~allowed)
        ),
        "the forbidden scores were set to zero, and the exponential of zero is not "
        "zero.": pitfalls.zero_for_minus_infinity,
        "softmax ran down the columns: the rows should sum to one.": _down_the_columns,
    },
)


def _hidden_masks():
    generator = np.random.default_rng(65)
    for n, width in ((4, 3), (6, 4), (5, 2)):
        tokens = generator.normal(size=(n, width))
        matrices = generator.normal(size=(3, width, width)) / width  # no weight too small to see
        allowed = generator.random((n, n)) < 0.5
        np.fill_diagonal(allowed, True)
        allowed[0, -1], allowed[-1, 0] = False, True
        if n == 6:  # all entries of an output but the last stay where they are, and that one may fall
            matrices[2, :, :-1] = 0
        if n == 5:  # and here it is the last that stays
            matrices[2, :, -1] = 0
        yield tokens, matrices, allowed


def judge_probe(function):
    """Hand out attention as a function, and see whether its mask is found out from outside."""
    for tokens, matrices, allowed in _hidden_masks():
        calls = []

        def attend(given, tokens=tokens, matrices=matrices, allowed=allowed, calls=calls):
            given = np.asarray(given, dtype=float)
            if given.shape != tokens.shape:
                raise ValueError(f"attend wants all {len(tokens)} tokens at once, whole")
            calls.append(1)
            return attention(*(given @ matrix for matrix in matrices), allowed).output

        result = call(function, attend, tokens, what="who_sees")
        got = booleans(result, allowed.shape, f"for {len(tokens)} tokens, what who_sees returns")
        if np.array_equal(got, allowed):
            continue
        if np.array_equal(got, allowed.T):
            raise Wrong("rows and columns are exchanged: the row belongs to the token whose output moves.")
        if np.array_equal(got, ~allowed):
            raise Wrong("True should stand where an output moves; here it stands where none does.")
        if not calls:
            raise Wrong("attend was never called, so nothing can have been found out.")
        if not got.any():
            raise Wrong(
                "no output seems to move at all: was the token changed before attend was called, and are "
                "all entries of the outputs compared?"
            )
        if got.all():
            raise Wrong("every output seems to move: change one token at a time, and start afresh each time.")
        if not got.diagonal().all():
            raise Wrong("a token's own output is said not to move: nothing in the task leaves that pair out.")
        if (got & ~allowed).any() and not (allowed & ~got).any():
            raise Wrong(
                "an output is said to move that does not: start from the old tokens each time, and compare "
                "the outputs with those before the change."
            )
        raise Wrong(
            "an output is said to stay that moves: look at all its entries, for rises and falls alike, and at all tokens."
        )


Exercise("6.5", judge=judge_probe, praise="Try it on your own masks: it needs to know nothing about them.")
