"""Pictures of section 1: what one token needs from the others."""

import numpy as np
from matplotlib.textpath import TextPath

from scripts.draw.canvas import Canvas, Grid, Names, Picture, Row, picture
from scripts.draw.style import COLOURS, LABEL, MEASURE, SMALL
from scripts.draw.words import ORDINALS, by_rows, foremost, quoted
from scripts.numbers import listing, show, shows

THICKEST = 0.6  # inches: the arrow of a weight of one


def wide(word, size=LABEL):
    """Width of a word in inches."""
    return TextPath((0, 0), word, size=size).get_extents().width / 72


@picture("embedding-blind")
def embedding_blind(vector: Row, *, token: str, sentences: Names) -> Picture:
    """Draw one token in sentences that hold it as a word, and each time its vector from the table."""
    pad, gap = 0.2, 0.07
    sentences = [sentence.split() for sentence in sentences]
    leads = [
        sum(wide(word) + pad + gap for word in sentence[: sentence.index(token)]) for sentence in sentences
    ]
    left = 0.12 + max(leads)  # where every “cube” begins, one under the other
    middle = left + (wide(token) + pad) / 2
    cell = (0.58, 0.36)
    sheet = Canvas(0.42 + 1.32 * len(sentences), f"Two sentences, two meanings, one “{token}”")
    for k, (sentence, lead) in enumerate(zip(sentences, leads, strict=True)):
        x, y = left - lead, 0.5 + 1.32 * k
        here = sentence.index(token)
        for place, word in enumerate(sentence):
            width = wide(word) + pad
            look = {"role": "token", "fill": "token", "line": 1.8} if place == here else {}
            sheet.box(x, y, width, 0.34, opacity=0.3, **look)
            sheet.text(x + width / 2, y + 0.22, word, bold=place == here, va="baseline")
            x += width + gap
        sheet.arrow((middle, y + 0.38), (middle, y + 0.6), role="token", width=1.4)
        x = middle - len(vector) * cell[0] / 2
        grid = sheet.grid([vector], x, y + 0.64, name=f"vector{k}", role="token", cell=cell)
        words = f"the vector that the table\nreturns for “{token}”" if k == 0 else "the same vector again"
        sheet.note(grid.right + 0.14, grid.middle[1], words, ha="left", va="center")
    told = " and ".join(f"“{' '.join(sentence)}”" for sentence in sentences)
    return sheet.done(
        caption=f"The token “{token}” in two sentences. The embedding table looks at the token "
        "alone, so it returns the same vector both times.",
        alt=f"Under each sentence an arrow leads from “{token}” down to the same row of numbers: "
        f"{shows(vector, '+.1f')}. The sentences are {told}.",
    )


@picture("four-tokens")
def four_tokens(tokens: Grid, names: Names) -> Picture:
    """Draw the matrix of the tokens' own vectors."""
    count, width = tokens.shape
    sheet = Canvas(0.95 + 0.4 * count, f"The instruction “{' '.join(names)}” as numbers")
    how = {"rows": names, "columns": ORDINALS[:width], "column_role": "muted"}
    grid = sheet.grid(tokens, 0.95, 0.8, name="tokens", role="token", cell=(0.7, 0.4), **how)
    x, y = grid.right + 0.12, grid.cell(0, 0)[1]
    sheet.arrow((x + 0.42, y), (x, y), role="muted")
    words = f"one row is one\ntoken: the vector\nof “{names[0]}”"
    sheet.text(x + 0.5, y + 0.15, words, ha="left", va="center", role="muted")
    sheet.text(grid.x - 0.1, 0.71, "token", ha="right", role="muted", va="baseline")
    return sheet.done(
        caption="The four tokens before attention, one row each. Every row was looked up by its token alone.",
        alt=f"A matrix with a row for each token; its columns are called {listing(ORDINALS[:width])}. "
        + by_rows(names, tokens, "+.1f"),
    )


def _from(givers, how, asking):
    """Say where the thickest arrow, or the thinnest, comes from."""
    told = listing(f"“{name}”{' itself' if name == asking else ''}" for name in givers)
    return f"the {how} comes from {told}" if len(givers) == 1 else f"the {how} come from {told}"


@picture("cube-arrows")
def cube_arrows(weights: Row, names: Names, asking=-1) -> Picture:
    """Draw an arrow from every token into the asking one, as thick as its weight."""
    own = range(len(names))[asking]
    sheet = Canvas(3.12, f"How much “{names[asking]}” takes from each token")
    step = (MEASURE - 1.7) / max(1, len(names) - 1)
    # The arrows land side by side, each with room for its head.
    room = [THICKEST * weight + 0.45 for weight in weights]
    land = MEASURE / 2 - sum(room) / 2
    sheet.box(land - 0.14, 2.6, sum(room) + 0.28, 0.42, role="output", fill="output", line=1.6)
    sheet.text(MEASURE / 2, 2.81, f"new vector of “{names[asking]}”")
    for i, (name, weight) in enumerate(zip(names, weights, strict=True)):
        x = 0.85 + i * step
        sheet.box(x - 0.56, 0.5, 1.12, 0.38, role="token", fill="token", line=1.4)
        sheet.text(x, 0.74, f"{name} (itself)" if i == own else name, va="baseline")
        sheet.number(x, 1.06, weight, ".3f", bold=True, gid=f"number:weights:0:{i}")
        sheet.ribbon((x, 1.24), (land + room[i] / 2, 2.57), THICKEST * weight, gid=f"arrow:weights:{i}")
        land += room[i]
    parts = listing(f"{show(w, '.3f')} from “{n}”" for w, n in zip(weights, names, strict=True))
    most, least = foremost(names, weights, ".3f"), foremost(names, weights, ".3f", min)
    return sheet.done(
        caption=f"The weights with which “{names[asking]}” mixes the four tokens. "
        "An arrow is as thick as its weight is large.",
        alt=f"From each token, in a row above, an arrow leads down to the new vector of “{names[own]}”, as "
        f"thick as its weight is large: {_from(most, 'thickest', names[own])}, "
        f"{_from(least, 'thinnest', names[own])}. The weights: {parts}.",
    )


@picture("before-after")
def before_after(tokens: Grid, outputs: Grid, moved: Row, names: Names) -> Picture:
    """Draw the tokens before attention, their mixtures, and how far each one moved: its mean change."""
    narrow, wide = (0.44, 0.4), (0.53, 0.4)  # cells
    sheet = Canvas(1.02 + 0.4 * len(names), "The same four tokens before and after attention")
    before = sheet.grid(
        tokens, 0.58, 0.8, name="tokens", role="token", rows=names, title="before", cell=narrow, size=SMALL
    )
    x = before.right + 0.4
    after = sheet.grid(outputs, x, 0.8, name="outputs", role="output", title="after", cell=wide, size=SMALL)
    x = after.right + 0.14
    scale = (MEASURE - 0.08 - x) / max(moved)
    sheet.text(x, 0.63, "moved", ha="left", bold=True, size=SMALL)
    for i, size in enumerate(moved):
        y = before.cell(i, 0)[1]
        sheet.arrow((before.right + 0.07, y), (after.x - 0.07, y), role="muted")
        sheet.number(x, y - 0.05, size, ".2f", ha="left", gid=f"number:moved:{i}:0")
        bar = (x, y + 0.08, scale * size, 0.06)
        sheet.box(*bar, role=None, fill="muted", opacity=0.75, gid=f"bar:moved:{i}")
    far, near = foremost(names, moved, ".2f"), foremost(names, moved, ".2f", min)
    each = listing(f"{name} {show(size, '.2f')}" for name, size in zip(names, moved, strict=True))
    return sheet.done(
        caption="Each token's own vector, the mixture that attention makes for it, and how far apart "
        "the two are: the average size of the changes of its entries.",
        alt=f"{quoted(far)} moves farthest, by {show(max(moved), '.2f')}, and {quoted(near)} least, by "
        f"{show(min(moved), '.2f')}. Two matrices with a row for each token, and a bar for how far it "
        f"moved. Left, before. {by_rows(names, tokens, '+.1f')} Right, after. "
        f"{by_rows(names, outputs, '+.2f')} Moved by: {each}.",
    )


@picture("convolution")
def convolution(fixed: Grid, weights: Grid, names: Names) -> Picture:
    """Draw the weights of a convolution, fixed by position, beside those of attention."""
    wide, high = cell = (0.52, 0.4)
    sheet = Canvas(1.3 + high * len(names), "Weights by position, and weights by content")
    how = {"fill": "weight", "cell": cell, "rows": names, "columns": names, "size": SMALL}
    left = sheet.grid(fixed, 0.6, 1.12, name="fixed", **how)
    right = sheet.grid(weights, MEASURE - 0.1 - 4 * wide, 1.12, name="weights", **how)
    zeros = {f"number:fixed:{i}:{j}" for i, j in np.argwhere(fixed == 0)}
    for text in sheet.axes.texts:
        if text.get_gid() in zeros:
            text.set_color(COLOURS["muted"])
    for place, title, note in (
        (left, "convolution", "chosen before any word was seen"),
        (right, "attention", "made from these tokens"),
    ):
        sheet.text(place.middle[0], 0.5, title, bold=True)
        sheet.note(place.middle[0], 0.71, note)
    repeats = distinct = ""
    if np.array_equal(fixed[1:, 1:], fixed[:-1, :-1]):
        repeats = "In the convolution every row has the same weights, one column further along. "
    if len({shows(row, ".3f") for row in weights}) == len(names):
        distinct = "In attention no two rows are alike. "
    return sheet.done(
        caption="Who takes how much from whom: a row is the token that mixes, a column the token "
        "it takes from. Left, a convolution over the token before, itself and the token after; right, "
        "attention.",
        alt="Two matrices of weights, a row for each token that mixes, a column for each that it takes "
        f"from: {quoted(names)}. {repeats}{distinct}"
        f"Left, convolution. {by_rows(names, fixed, '.3f')} "
        f"Right, attention. {by_rows(names, weights, '.3f')}",
    )
