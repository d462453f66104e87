"""Exercises of section 5: several heads."""

import numpy as np

from scripts import cost, pitfalls
from scripts.attention import attention, multi_head_attention, raw_scores, split_heads
from scripts.exercises.answers import Wrong, numbers
from scripts.exercises.exercise import Edge, Exercise

# 5.1: a model whose numbers come out on paper
WIDTH, HEADS, TOKENS = 1024, 16, 100
SIZE = cost.head_size(WIDTH, HEADS)
DIVISOR = np.sqrt(SIZE)
PARAMETERS = cost.parameters(WIDTH, HEADS)
SCORES = cost.grid_numbers(TOKENS, HEADS)

# 5.2: one query and two keys of eight entries, split into two heads
QUERY = np.array([[1, 2, 0, -1, 3, 1, 0, 2]])
KEYS = np.array([[2, 1, 5, 0, -1, 1, 4, 1], [0, -1, 3, 2, 2, 2, -5, 0]])
PAIR = 2


Exercise(
    "5.1",
    want={"head size": SIZE, "divisor": DIVISOR, "parameters": PARAMETERS, "scores": SCORES},
    what={
        "head size": "the head size",
        "divisor": "the divisor",
        "parameters": "the number of parameters",
        "scores": "the number of scores",
    },
    decimals={"divisor": 3},
    mistakes={
        "the head size is what one head has of a query, not how many heads there are.": {"head size": HEADS},
        "the head size is what one head has of a query, not the whole model dimension.": {"head size": WIDTH},
        "the divisor is a square root, but not that of the whole model dimension: how many products does "
        "one head add up?": {"divisor": np.sqrt(WIDTH)},
        "the divisor is not the head size itself.": {"divisor": SIZE},
        "the divisor has nothing to do with the number of tokens.": {"divisor": np.sqrt(TOKENS)},
        "the divisor has nothing to do with the number of heads.": {"divisor": np.sqrt(HEADS)},
        "the number of parameters was multiplied by the heads; but the heads divide the columns "
        "of the same matrices between them.": {"parameters": HEADS * PARAMETERS},
        "the number of parameters leaves out a matrix: count the output projection as well.": {
            "parameters": PARAMETERS * 3 // 4
        },
        "the number of parameters is that of one matrix only.": {"parameters": PARAMETERS // 4},
        "the number of parameters is that of one head only.": {"parameters": PARAMETERS // HEADS},
        "the number of scores is that of one head only.": {"scores": TOKENS**2},
        "the number of scores counts each pair once for both directions; a token asks and is asked.": {
            "scores": HEADS * TOKENS * (TOKENS + 1) // 2
        },
        "the number of scores grows with the square of the tokens.": {"scores": HEADS * TOKENS},
    },
)


def two_heads(divisor=None, cut=split_heads):
    """Scores of 5.2: one row per head, one column per key; over `divisor`, or the right one."""
    pieces = zip(cut(QUERY, PAIR), cut(KEYS, PAIR), strict=True)
    divisor = np.sqrt(QUERY.shape[1] // PAIR) if divisor is None else divisor
    return np.array([raw_scores(q, k)[0] for q, k in pieces]) / divisor


Exercise(
    "5.2",
    want=two_heads(),
    what="the matrix of scores",
    read=lambda answer: numbers(answer, (PAIR, len(KEYS)), strict=True),
    decimals=2,
    mistakes={
        "rows and columns are exchanged: a row belongs to a head, a column to a key.": two_heads().T,
        "these are the raw scores: they still have to be divided.": two_heads(1),
        "the scores were divided by the square root of the model dimension; each head adds up fewer products.": two_heads(
            np.sqrt(QUERY.shape[1])
        ),
        "the scores were divided by the head size, where its square root belongs.": two_heads(
            QUERY.shape[1] // PAIR
        ),
        "the scores were divided by the square root of the number of heads.": two_heads(np.sqrt(PAIR)),
        "every second column went to a head; a head has neighbouring columns.": two_heads(
            cut=pitfalls.deal_the_columns_out
        ),
        "the two heads are exchanged: head one has the left half.": two_heads()[::-1],
    },
    praise="Head one prefers the first key, head two the second; one big head would see no difference.",
)


def _vectors():
    generator = np.random.default_rng(53)
    for n, heads, size in ((5, 3, 2), (6, 2, 4), (4, 1, 3), (1, 4, 2), (8, 4, 3)):
        yield generator.normal(size=(n, heads * size)), heads


def _cut_told(vectors, heads):
    return f"for {len(vectors)} tokens and {heads} heads, what into_heads returns"


def read_pieces(result, vectors, heads):
    """Read the result of 5.3; what was not transposed gets a sentence of its own."""
    wanted = (heads, len(vectors), vectors.shape[1] // heads)
    if np.shape(result) == (wanted[1], wanted[0], wanted[2]) != wanted:
        raise Wrong(
            "the rows are split, but token and head are in the wrong order: the first axis should "
            "be the head."
        )
    return numbers(result, wanted, _cut_told(vectors, heads), strict=True)


Exercise(
    "5.3",
    reference=split_heads,
    cases=list(_vectors()),
    name="into_heads",
    what=_cut_told,
    read=read_pieces,
    mistakes={
        "the shape is right, and the numbers are in the wrong places: they were filled in one after "
        "the other, so a head holds only some of the tokens.": pitfalls.reshape_for_transpose,
        "a head got columns that are not neighbours.": pitfalls.deal_the_columns_out,
        "within a head, several tokens are mixed up in one row: each row should be a piece of one "
        "token's vector.": lambda vectors, heads: vectors.T.reshape(heads, len(vectors), -1),
        "the heads are in reverse order.": lambda vectors, heads: split_heads(vectors, heads)[::-1],
    },
)


def _runs():
    generator = np.random.default_rng(54)
    for n_q, n_k, width, value_width, heads in ((5, 7, 6, 9, 3), (4, 3, 10, 6, 2), (3, 8, 5, 4, 1)):
        shapes = ((n_q, width), (n_k, width), (n_k, value_width))
        yield *(generator.normal(size=shape) for shape in shapes), heads
    yield *(40 * generator.normal(size=(3, 4, 6))), 2


*_CASES, _LARGE = _runs()

Exercise(
    "5.4",
    reference=lambda queries, keys, values, heads: multi_head_attention(queries, keys, values, heads).joined,
    cases=_CASES,
    edges=[
        Edge(
            _LARGE,
            "large scores give NaN: their exponentials overflow unless the largest is subtracted first.",
            "for large scores, the result",
        )
    ],
    name="many_heads",
    what=lambda queries, keys, values, heads: (
        f"with {len(queries)} queries, {len(keys)} keys and {heads} head{'s' * (heads > 1)}, "
        "what many_heads returns"
    ),
    mistakes={
        "the scores were divided by the square root of the whole model dimension; a head adds up fewer "
        "products.": (
            lambda queries, keys, values, heads: pitfalls.heads_with(
                lambda q, k, v: pitfalls.root_of_the_width(q, k, queries.shape[1]) @ v
            )(queries, keys, values, heads)
        ),
        "the scores were divided by the head size, where its square root belongs.": pitfalls.heads_with(
            pitfalls.attention_with(pitfalls.scores_over_the_head_size)
        ),
        "the scores were not divided at all.": pitfalls.heads_with(
            pitfalls.attention_with(pitfalls.scores_undivided)
        ),
        "the scores were divided by a square root that has to do with the number of tokens.": pitfalls.heads_with(
            pitfalls.attention_with(pitfalls.scores_over_the_root_of_keys)
        ),
        "softmax ran down the columns: the weights of a query should sum to one.": pitfalls.heads_with(
            pitfalls.attention_with(weigh=pitfalls.softmax_down_the_columns)
        ),
        "the division came after softmax, so the weights no longer sum to one.": pitfalls.heads_with(
            lambda q, k, v: pitfalls.scale_after_softmax(q, k) @ v
        ),
        "the split mixes tokens with heads: a reshape alone fills the new shape in reading "
        "order.": pitfalls.heads_with(cut=pitfalls.reshape_for_transpose),
        "the outputs were concatenated with the axes in the wrong order, so a row holds several "
        "tokens.": pitfalls.heads_with(join=pitfalls.join_without_permuting),
        "splitting and concatenating both mix tokens with heads; each hides the mistake of the "
        "other.": pitfalls.heads_with(
            cut=pitfalls.reshape_for_transpose, join=pitfalls.join_without_permuting
        ),
        "a head got columns that are not neighbours.": pitfalls.heads_with(cut=pitfalls.deal_the_columns_out),
        "the number of heads makes no difference to your result; was anything split?": (
            lambda queries, keys, values, heads: attention(queries, keys, values).output
        ),
    },
)
