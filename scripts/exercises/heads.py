"""Checks of the exercises of section 5: several heads."""

import numpy as np

from scripts import cost
from scripts.attention import join_heads, raw_scores, scaled_scores, softmax, split_heads
from scripts.exercises import exercise
from scripts.exercises.tools import Wrong, call, compare, number, numbers, parts

# 5.1: a model whose numbers come out on paper
WIDTH, HEADS, TOKENS = 1024, 16, 100
SIZE = cost.head_size(WIDTH, HEADS)
DIVISOR = np.sqrt(SIZE)
PARAMETERS = cost.parameters(WIDTH, HEADS)
SCORES = cost.grid_numbers(TOKENS, HEADS)

# 5.2: one query and two keys of eight numbers, cut into two heads
QUERY = np.array([[1, 2, 0, -1, 3, 1, 0, 2]])
KEYS = np.array([[2, 1, 5, 0, -1, 1, 4, 1], [0, -1, 3, 2, 2, 2, -5, 0]])
PAIR = 2


def two_heads(divisor=None):
    """Scores of exercise 5.2: a row a head, a column a key; over `divisor`, or the right one."""
    query, keys = split_heads(QUERY, PAIR), split_heads(KEYS, PAIR)
    if divisor is None:
        return np.array([scaled_scores(q, k)[0] for q, k in zip(query, keys, strict=True)])
    return np.array([raw_scores(q, k)[0] for q, k in zip(query, keys, strict=True)]) / divisor


@exercise("5.1")
def count_by_hand(answer):
    """Head size, divisor, parameters and scores."""
    size, divisor, parameters, scores = (
        number(part, name)
        for part, name in zip(
            parts(answer, ["head size", "divisor", "parameters", "scores"]),
            ["the head size", "the divisor", "the number of parameters", "the number of scores"],
            strict=True,
        )
    )
    compare(
        size,
        SIZE,
        "the head size",
        mistakes={
            "the head size is what one head has of a query, not how many heads there are.": HEADS,
            "the head size is what one head has of a query, not the whole width.": WIDTH,
        },
    )
    compare(
        divisor,
        DIVISOR,
        "the divisor",
        decimals=3,
        mistakes={
            "the divisor is a root, but not that of the whole width: how many products does one head add up?": np.sqrt(
                WIDTH
            ),
            "the divisor is not the head size itself.": SIZE,
            "the divisor has nothing to do with the number of tokens.": np.sqrt(TOKENS),
            "the divisor has nothing to do with the number of heads.": np.sqrt(HEADS),
        },
    )
    compare(
        parameters,
        PARAMETERS,
        "the number of parameters",
        mistakes={
            "the number of parameters was multiplied by the heads; but the heads share the columns of the "
            "same matrices.": HEADS * PARAMETERS,
            "the number of parameters leaves out a matrix: count the output projection as well.": PARAMETERS
            * 3
            // 4,
            "the number of parameters is that of one matrix only.": PARAMETERS // 4,
            "the number of parameters is that of one head only.": PARAMETERS // HEADS,
        },
    )
    compare(
        scores,
        SCORES,
        "the number of scores",
        mistakes={
            "the number of scores is that of one head only.": TOKENS**2,
            "the number of scores counts each pair once for both directions; a token asks and is asked.": HEADS
            * TOKENS
            * (TOKENS + 1)
            // 2,
            "the number of scores grows with the square of the tokens.": HEADS * TOKENS,
        },
    )


@exercise("5.2")
def scores_by_hand(answer):
    """Two heads, two keys."""
    got = numbers(answer, (PAIR, len(KEYS)), "the answer", strict=True)
    right = two_heads()
    woven = np.array([scaled_scores(QUERY[:, h::PAIR], KEYS[:, h::PAIR])[0] for h in range(PAIR)])
    compare(
        got,
        right,
        "the grid of scores",
        decimals=2,
        mistakes={
            "rows and columns are exchanged: a row belongs to a head, a column to a key.": right.T,
            "these are the raw scores: they still have to be divided.": two_heads(1),
            "the scores were divided by the root of the full width; each head adds up fewer products.": two_heads(
                np.sqrt(QUERY.shape[1])
            ),
            "the scores were divided by the head size, where its root belongs.": two_heads(
                QUERY.shape[1] // PAIR
            ),
            "the scores were divided by the root of the number of heads.": two_heads(np.sqrt(PAIR)),
            "every second number was given to a head; a head has columns that stand side by side.": woven,
            "the two heads are exchanged: head one has the left half.": right[::-1],
        },
    )
    return "Head one prefers the first key, head two the second; one big head would see no difference."


@exercise("5.3")
def cut_into_heads(function):
    """Split without the reshape trap."""
    generator = np.random.default_rng(53)
    for n, heads, size in ((5, 3, 2), (6, 2, 4), (4, 1, 3), (1, 4, 2), (8, 4, 3)):
        vectors = generator.normal(size=(n, heads * size))
        result = call(function, vectors, heads, what="into_heads")
        right = split_heads(vectors, heads)
        if np.shape(result) == (n, heads, size) != right.shape:
            raise Wrong(
                "the rows are cut, but token and head stand in the wrong order: the first axis should "
                "be the head."
            )
        got = numbers(
            result, right.shape, f"for {n} tokens and {heads} heads, what into_heads returns", strict=True
        )
        compare(
            got,
            right,
            f"for {n} tokens and {heads} heads, what into_heads returns",
            mistakes={
                "the shape is right, and the numbers are in the wrong places: they were filled in one after "
                "the other, so a head holds only some of the tokens.": vectors.reshape(heads, n, size),
                "a head got columns that do not stand side by side.": vectors.reshape(
                    n, size, heads
                ).transpose(2, 0, 1),
                "within a head, tokens and numbers are mixed up: each row of it should be a piece of one "
                "token.": vectors.T.reshape(heads, n, size),
                "the heads are in reverse order.": right[::-1],
            },
        )


def many_heads(
    queries, keys, values, heads, *, split=split_heads, join=join_heads, divisor=None, axis=1, late=False
):
    """Attention with several heads, right or with one of the mistakes that are known."""
    outputs = []
    for q, k, v in zip(*(split(a, heads) for a in (queries, keys, values)), strict=True):
        root = np.sqrt(q.shape[1]) if divisor is None else divisor
        scores = q @ k.T / (1 if late else root)
        weights = softmax(scores) if axis else softmax(scores.T).T
        outputs.append((weights / root if late else weights) @ v)
    return join(np.array(outputs))


def _refilled(vectors, heads):
    return vectors.reshape(heads, len(vectors), -1)


def _woven(vectors, heads):
    return vectors.reshape(len(vectors), -1, heads).transpose(2, 0, 1)


def _glued(pieces):
    return pieces.reshape(pieces.shape[1], -1)


@exercise("5.4")
def write_many_heads(function):
    """The whole of attention with several heads."""
    generator = np.random.default_rng(54)
    for n_q, n_k, width, value_width, heads in ((5, 7, 6, 9, 3), (4, 3, 10, 6, 2), (3, 8, 5, 4, 1)):
        given = tuple(
            generator.normal(size=shape) for shape in ((n_q, width), (n_k, width), (n_k, value_width))
        )
        case = f"with {n_q} queries, {n_k} keys and {heads} head{'s' * (heads > 1)}, what many_heads returns"
        got = numbers(call(function, *given, heads, what="many_heads"), (n_q, value_width), case, strict=True)
        mistakes = {
            "the scores were divided by the root of the whole width; a head adds up fewer products.": {
                "divisor": np.sqrt(width)
            },
            "the scores were divided by the head size, where its root belongs.": {"divisor": width / heads},
            "the scores were not divided at all.": {"divisor": 1},
            "the scores were divided by a root that has to do with the number of tokens.": {
                "divisor": np.sqrt(n_k)
            },
            "softmax ran down the columns: the weights of a query should total one.": {"axis": 0},
            "the division came after softmax, so the weights no longer total one.": {"late": True},
            "the cut mixes tokens with heads: a reshape alone fills the new shape in reading order.": {
                "split": _refilled
            },
            "the outputs were joined with the axes in the wrong order, so a row holds several tokens.": {
                "join": _glued
            },
            "the cut and the join both mix tokens with heads; each undoes the look of the other.": {
                "split": _refilled,
                "join": _glued,
            },
            "a head got columns that do not stand side by side.": {"split": _woven},
        }
        wrong = {told: _attempt(given, heads, how) for told, how in mistakes.items()}
        whole = many_heads(*given, 1)
        compare(
            got,
            many_heads(*given, heads),
            case,
            mistakes={
                **{told: result for told, result in wrong.items() if result is not None},
                "the number of heads makes no difference to your result; was anything cut?": whole,
            },
        )
    large = 40 * generator.normal(size=(3, 4, 6))
    got = call(function, *large, 2, what="many_heads")
    if not np.isfinite(got).all():
        raise Wrong("large scores give NaN: their powers overflow unless the largest is subtracted first.")
    compare(numbers(got, (4, 6), "the result"), many_heads(*large, 2), "for large scores, the result")


def _attempt(given, heads, how):
    """What a mistake leads to, or None where it cannot be made."""
    try:
        return many_heads(*given, heads, **how)
    except ValueError:
        return None
