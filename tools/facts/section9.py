"""Facts of section 9, of the landing page and of the README."""

import numpy as np

from scripts import cost, example
from scripts.attention import causal_mask, multi_head_attention, project, self_attention, softmax_steps

REAL_TOKENS = 512
MATRICES = (example.W_QUERY, example.W_KEY, example.W_VALUE)

# The landing page's refreshers have small numbers of their own, to be worked on paper.
REFRESHER_ROW = (2, -1)
REFRESHER_MATRIX = ((3, 1, 0), (1, 4, -2))
REFRESHER_SCORES = (2, 1, 0)
LEARNING = {"given": 2, "wanted": 6, "start": 1.0, "rate": 0.1}


def facts():
    """Return the numbers of section 9, of the landing page and of the README by id."""
    raised = np.exp(example.SCORES)
    return {
        "seed": example.SEED,
        "robot-seed": example.ROBOT_SEED,
        "printed-weights": example.WEIGHTS,
        "printed-totals": example.WEIGHTS.sum(axis=1),
        "printed-outputs": example.OUTPUT,
        "printed-heads": example.TWO_HEADS.joined,
        "printed-projected": example.TWO_HEADS.output,
        **_masks(),
        "no-keepdims-totals": (raised / raised.sum(axis=1)).sum(axis=1),  # wrong on purpose
        "printed-cross": example.CROSS.weights,
        "cross-projected": _two_heads(example.ROBOT_TOKENS),
        "causal-projected": _two_heads(example.TOKENS, causal_mask(4)),
        "real-tokens": REAL_TOKENS,
        "real-head-size": cost.head_size(),
        "real-inner-steps": cost.grid_numbers(REAL_TOKENS) * cost.head_size(),
        "printed-token": example.TOKENS[3],
        **_refreshers(),
    }


def _two_heads(asking, mask=None):
    """Return what two heads make of the four words, after the output projection."""
    queries = project(asking, example.W_QUERY)
    keys, values = example.KEYS, example.VALUES
    return multi_head_attention(queries, keys, values, example.HEADS, example.W_OUTPUT, mask).output


def _masks():
    """Masks set right, and the ways in which a wrong one shows."""
    last_hidden = np.tile([True, True, True, False], (4, 1))
    causal = causal_mask(4)
    changed = example.TOKENS.copy()
    changed[-1] += 1
    padded = np.vstack([example.TOKENS[:-1], np.zeros((1, 4))])

    def moved(mask):
        before, after = (
            self_attention(tokens, *MATRICES, mask).output for tokens in (example.TOKENS, changed)
        )
        return np.abs(after - before).max(axis=1)

    hidden_weights = self_attention(example.TOKENS, *MATRICES, last_hidden).weights
    hidden = self_attention(padded, *MATRICES, last_hidden)
    looked_at = self_attention(padded, *MATRICES)
    return {
        "program-last-hidden": hidden_weights,
        "program-causal": self_attention(example.TOKENS, *MATRICES, causal).weights,
        "moved-causal": moved(causal),
        "moved-unmasked": moved(None),
        "padding-shares": looked_at.weights[:-1, -1],
        "padding-wrong-output": looked_at.output[:-1],
        "padding-right-output": hidden.output[:-1],
    }


def _refreshers():
    """The landing page's three refreshers."""
    row, matrix = np.array(REFRESHER_ROW), np.array(REFRESHER_MATRIX)
    scores = np.array(REFRESHER_SCORES)
    raised, shares = np.exp(scores), softmax_steps([REFRESHER_SCORES])[2][0]
    numbers, answers, errors, changes, close = _trained(**LEARNING)
    return {
        "refresher-row": row,
        "refresher-matrix": matrix,
        "refresher-products": matrix * row[:, None],
        "refresher-result": project([row], matrix)[0].round().astype(int),
        "refresher-scores": scores,
        "refresher-raised": raised,
        "refresher-raised-total": raised.sum(),
        "refresher-shares": shares,
        "refresher-shares-total": shares.sum(),
        "learning-given": LEARNING["given"],
        "learning-wanted": LEARNING["wanted"],
        "learning-rate": LEARNING["rate"],
        "learning-numbers": numbers,
        "learning-answers": answers,
        "learning-errors": errors,
        "learning-changes": changes,
        "learning-goal": LEARNING["wanted"] // LEARNING["given"],
        "learning-close": close,
    }


def _trained(given, wanted, start, rate, rows=4):
    """Train one number by its error; also say after how many changes it shows as the goal."""
    numbers = [start]
    answers, errors, changes = [], [], []
    while round(numbers[-1], 2) != round(wanted / given, 2) or len(numbers) <= rows:
        answers.append(numbers[-1] * given)
        errors.append(answers[-1] - wanted)
        changes.append(-rate * errors[-1] * given)
        numbers.append(numbers[-1] + changes[-1])
    return numbers[:rows], answers[:rows], errors[:rows], changes[:rows], len(numbers) - 1
