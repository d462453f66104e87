"""Numbers of the text that no cell of its page works out.

The landing page, README and teaching notes have no cells, and some sentences
ask "what if".  What takes more than a short expression has a name here.
"""

from types import SimpleNamespace

import numpy as np

from scripts import cost, example, experiments, measure, twin
from scripts.attention import blockwise_attention, project, running_softmax, self_attention, softmax
from scripts.exercises import cost as cost_tasks
from scripts.exercises import heads as heads_tasks
from scripts.exercises import masks as masks_tasks
from scripts.exercises import query_key_value as query_tasks  # noqa: F401, the text names it
from scripts.exercises import score as score_tasks
from scripts.exercises import softmax as softmax_tasks
from scripts.exercises import tokens as token_tasks
from tools import words  # noqa: F401, the text names it

# --------------------------------------------------------------------------
# The landing page: small numbers of its own, to be worked on paper
# --------------------------------------------------------------------------


def _refresher():
    row, matrix = np.array([2, -1]), np.array([[3, 1, 0], [1, 4, -2]])
    scores = np.array([2, 1, 0])
    return SimpleNamespace(
        row=row,
        matrix=matrix,
        products=matrix * row[:, None],
        result=project([row], matrix)[0].astype(int),
        scores=scores,
        shares=softmax([scores])[0],
    )


def _trained(given, wanted, start, rate):
    """Train one number by its error, until it shows as the goal to two decimals."""
    numbers, answers, errors, changes = [start], [], [], []
    while round(numbers[-1], 2) != round(wanted / given, 2):
        answers.append(numbers[-1] * given)
        errors.append(answers[-1] - wanted)
        changes.append(-rate * errors[-1] * given)
        numbers.append(numbers[-1] + changes[-1])
    return SimpleNamespace(
        given=given,
        wanted=wanted,
        rate=rate,
        numbers=numbers,
        answers=answers,
        errors=errors,
        changes=changes,
        close=len(changes),
    )


refresher = _refresher()
learning = _trained(given=2, wanted=6, start=1.0, rate=0.1)

# The phrase book: sizes of the first transformer, as its paper gives them.
vaswani = SimpleNamespace(layers=6, width=512, heads=8, inner=2048)

# --------------------------------------------------------------------------
# Sections 1 to 3: tokens and scores
# --------------------------------------------------------------------------

marks, mark_shares = np.array([8, 4]), np.array([0.75, 0.25])  # an examination and the homework
# The weights once "pick" holds nothing but zeros.
weights_without_pick = self_attention(
    example.TOKENS * (np.arange(len(example.ORDER)) > 0)[:, None],
    example.W_QUERY,
    example.W_KEY,
    example.W_VALUE,
).weights
mixture_task = token_tasks.MIX_WEIGHTS @ token_tasks.MIX_VECTORS
found_mixture = token_tasks.FOUND_WEIGHTS @ token_tasks.FOUND_VECTORS
move_task = token_tasks.STOOD + token_tasks.MOVE_WEIGHTS @ token_tasks.MOVE_VALUES

arrow_length = 2
coins, more_coins = experiments.coin_totals(example.QUERIES.shape[1]), experiments.coin_totals(9)
spread_pairs = experiments.score_spread.__defaults__[-1]
winner_queries, winner_keys = experiments.winner_share.__defaults__[-2:]
small_step = 0.01  # by which a score is raised, to see its slope
score_task = score_tasks.QUERY @ score_tasks.KEY / np.sqrt(len(score_tasks.QUERY))
# Before the division; the last from one number repeated.
spread_task = np.sqrt(score_tasks.SIZE) * np.array([1, score_tasks.LARGER, np.sqrt(score_tasks.SIZE)])
flat_cosine = np.prod(score_tasks.FLAT, axis=0).sum() / np.linalg.norm(score_tasks.FLAT, axis=1).prod()

# --------------------------------------------------------------------------
# Sections 4 to 6: softmax, heads and masks
# --------------------------------------------------------------------------

large_scores = np.array([1000, 1001])  # too large to be raised
tiny_asks = np.array([[0, 6], [0, 0]])  # query matrix of the model in which "it" looks for "cube"
shares_task_weights = softmax_tasks.RAISED / softmax_tasks.RAISED.sum()

# Runs in which one of two heads gives most to the verb and the other most to the article.
clear_divisions = sum(
    max(min(one[0], two[1]), min(one[1], two[0])) > 0.75 for one, two in twin.STUDY["two_heads"]
)
pair_task_size = heads_tasks.QUERY.shape[1] // heads_tasks.PAIR

masked_up = softmax(example.SCORES, np.tile(np.arange(4) < 3, (4, 1)))[1]  # with "cube" hidden
probe_jolt = 10  # by how much the probe changes the forbidden token
kinds_task_pairs = masks_tasks.KINDS * masks_tasks.looks()

# --------------------------------------------------------------------------
# Sections 7 and 9: what it costs
# --------------------------------------------------------------------------

real_tokens = 512  # of a sentence that a small model reads; sections 4 and 5 name it too
per_cent = 100

# Widths at which the grid equals the projections and a feed-forward network, which has two
# matrices four times as wide.
crossing_with_network = (cost.projection_steps(1, 1) + 2 * 4) / cost.grid_steps(1, 1)
# The row of "pick" in two blocks of two keys.
running_row = running_softmax(example.SCORES, example.VALUES, 2)
block_size = blockwise_attention.__kwdefaults__["block"]


def _measured_block_fixed():
    """Bytes that attention in blocks took beside its result, at the longest window."""
    run = measure.recorded()
    result = run.lengths[-1] * measure.HEAD_SIZE * example.TOKENS.itemsize
    return run.block_bytes[-1] - result


def _blocks_task():
    """Exercise 7.2, with powers in place of scores."""
    powers, size = cost_tasks.POWERS, cost_tasks.BLOCK
    first, second = cost_tasks.running()
    largest = np.array([powers[:size].max(), powers.max()])
    return SimpleNamespace(
        largest=largest,
        raised=powers / largest.repeat(size),
        factor=second.shrink,
        totals=np.ravel([first.total, second.total]),
        mixes=np.ravel([first.mixed, second.mixed]),
        output=second.mixed / second.total,
    )


measured_block_fixed = _measured_block_fixed()
blocks_task = _blocks_task()
longest_window_task, longest_window_doubled = (
    cost_tasks.longest_window(times * cost_tasks.MEMORY, cost_tasks.HEADS, cost_tasks.BYTES)
    for times in (1, 2)
)

# --------------------------------------------------------------------------
# Section 8: real models
# --------------------------------------------------------------------------

feed_forward = 2 * cost.WIDTH * (4 * cost.WIDTH)  # numbers of its two matrices
kept_numbers = 2 * cost.WIDTH * cost.LAYERS  # a key and a value in every layer
# Of the largest model that Brown and others (2020) describe, in their table of sizes.
large_width, large_heads = 12288, 96
# The pictures that Dosovitskiy and others (2021) begin with.
picture_side, patch_side = 224, 16

# --------------------------------------------------------------------------
# The page on mistakes
# --------------------------------------------------------------------------

overflow_stretch = 50  # by how much the scores are multiplied to make them overflow
