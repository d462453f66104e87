"""Pictures of section 1: what one token needs from the others."""

import numpy as np
from matplotlib.textpath import TextPath

from scripts import example
from scripts.draw import style
from scripts.draw.canvas import Canvas, picture
from scripts.draw.words import PLACES, foremost, quoted, rows
from scripts.numbers import listing, show, shows

THICKEST = 0.6  # inches: the arrow of a weight of one


def _wide(word, size=style.LABEL):
    """Width of a word in inches."""
    return TextPath((0, 0), word, size=size).get_extents().width / 72


@picture("embedding-blind")
def embedding_blind(vector, token=example.ORDER[-1], sentences=example.SENTENCES):
    """Draw one token in several sentences, each time with the vector that the table returns.

    Parameters
    ----------
    vector : ndarray of shape (w,)
        The token's row of the embedding table.
    token : str
    sentences : sequence of str
        Each must hold the token as a word.

    Returns
    -------
    Picture
    """
    pad, gap = 0.2, 0.07
    sentences = [sentence.split() for sentence in sentences]
    starts = [sentence.index(token) for sentence in sentences]
    lead = max(
        sum(_wide(word) + pad + gap for word in sentence[:start])
        for sentence, start in zip(sentences, starts, strict=True)
    )
    left = 0.12 + lead  # where every “cube” begins, one under the other
    middle = left + (_wide(token) + pad) / 2
    cell = (0.58, 0.36)
    sheet = Canvas(0.42 + 1.32 * len(sentences), f"Two sentences, two meanings, one “{token}”")
    for k, (sentence, start) in enumerate(zip(sentences, starts, strict=True)):
        y = 0.5 + 1.32 * k
        x = left - sum(_wide(word) + pad + gap for word in sentence[:start])
        for place, word in enumerate(sentence):
            width = _wide(word) + pad
            here = place == start
            sheet.box(
                x,
                y,
                width,
                0.34,
                role="token" if here else "faint",
                fill="token" if here else None,
                opacity=0.3,
                line=1.8 if here else 1.0,
            )
            sheet.text(x + width / 2, y + 0.22, word, bold=here, va="baseline")
            x += width + gap
        sheet.arrow((middle, y + 0.38), (middle, y + 0.6), role="token", width=1.4)
        grid = sheet.grid(
            [vector],
            middle - len(vector) * cell[0] / 2,
            y + 0.64,
            name=f"vector{k}",
            role="token",
            form="+.1f",
            cell=cell,
        )
        words = f"the vector that the table\nreturns for “{token}”" if k == 0 else "the same vector again"
        sheet.text(
            grid.right + 0.14, grid.middle[1], words, ha="left", size=style.SMALL, role="muted", va="center"
        )
    told = " and ".join(f"“{' '.join(sentence)}”" for sentence in sentences)
    return sheet.done(
        caption=f"The token “{token}” in two sentences. The embedding table looks at the token "
        "alone, so it returns the same vector both times.",
        alt=f"Under each sentence an arrow leads from “{token}” down to the same row of numbers: "
        f"{shows(vector, '+.1f')}. The sentences are {told}.",
    )


@picture("four-tokens")
def four_tokens(tokens, names):
    """Draw the grid of the tokens' own vectors.

    Parameters
    ----------
    tokens : ndarray of shape (n, w)
    names : sequence of str, length n

    Returns
    -------
    Picture
    """
    count, width = tokens.shape
    sheet = Canvas(0.95 + 0.4 * count, f"The order “{' '.join(names)}” as numbers")
    grid = sheet.grid(
        tokens,
        0.95,
        0.8,
        name="tokens",
        role="token",
        form="+.1f",
        cell=(0.7, 0.4),
        rows=names,
        columns=PLACES[:width],
        column_role="muted",
    )
    x = grid.right + 0.12
    sheet.arrow((x + 0.42, grid.cell(0, 0)[1]), (x, grid.cell(0, 0)[1]), role="muted")
    sheet.text(
        x + 0.5,
        grid.cell(0, 0)[1] + 0.15,
        f"one row is one\ntoken: the vector\nof “{names[0]}”",
        ha="left",
        va="center",
        role="muted",
    )
    sheet.text(grid.x - 0.1, 0.71, "token", ha="right", role="muted", va="baseline")
    return sheet.done(
        caption="The four tokens before attention, one row each. Every row was looked up by its token alone.",
        alt=f"A grid with a row for each token; its columns are called {listing(PLACES[:width])}. "
        + rows(names, tokens, "+.1f"),
    )


def _from(givers, how, asking):
    """Say where the thickest arrow, or the thinnest, comes from."""
    told = listing(f"“{name}”{' itself' if name == asking else ''}" for name in givers)
    return f"the {how} comes from {told}" if len(givers) == 1 else f"the {how} come from {told}"


@picture("cube-arrows")
def cube_arrows(weights, names, asking=-1):
    """Draw an arrow from every token into the asking one, as thick as its weight.

    Parameters
    ----------
    weights : ndarray of shape (n,)
        The asking token's weights over all tokens.
    names : sequence of str, length n
    asking : int
        Which token asks.

    Returns
    -------
    Picture
    """
    own = range(len(names))[asking]
    sheet = Canvas(3.12, f"How much “{names[asking]}” takes from each token")
    step = (style.MEASURE - 1.7) / max(1, len(names) - 1)
    # The arrows land side by side, each with room for its head.
    room = [THICKEST * weight + 0.45 for weight in weights]
    land = style.MEASURE / 2 - sum(room) / 2
    sheet.box(land - 0.14, 2.6, sum(room) + 0.28, 0.42, role="output", fill="output", line=1.6)
    sheet.text(style.MEASURE / 2, 2.81, f"new vector of “{names[asking]}”")
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
def before_after(tokens, outputs, moved, names):
    """Draw the tokens before attention, after it, and how far each one moved.

    Parameters
    ----------
    tokens, outputs : ndarray of shape (n, w)
    moved : ndarray of shape (n,)
        Mean size of the change of each token.
    names : sequence of str, length n

    Returns
    -------
    Picture
    """
    height = 0.4
    sheet = Canvas(1.02 + height * len(names), "The same four tokens before and after attention")
    before = sheet.grid(
        tokens,
        0.58,
        0.8,
        name="tokens",
        role="token",
        form="+.1f",
        cell=(0.44, height),
        rows=names,
        title="before",
        size=style.SMALL,
    )
    after = sheet.grid(
        outputs,
        before.right + 0.4,
        0.8,
        name="outputs",
        role="output",
        form="+.2f",
        cell=(0.53, height),
        title="after",
        size=style.SMALL,
    )
    x = after.right + 0.14
    scale = (style.MEASURE - 0.08 - x) / max(moved)
    sheet.text(x, 0.63, "moved", ha="left", bold=True, size=style.SMALL)
    for i, size in enumerate(moved):
        y = before.cell(i, 0)[1]
        sheet.arrow((before.right + 0.07, y), (after.x - 0.07, y), role="muted")
        sheet.number(x, y - 0.05, size, ".2f", ha="left", gid=f"number:moved:{i}:0")
        sheet.box(
            x, y + 0.08, scale * size, 0.06, role=None, fill="muted", opacity=0.75, gid=f"bar:moved:{i}"
        )
    far, near = foremost(names, moved, ".2f"), foremost(names, moved, ".2f", min)
    return sheet.done(
        caption="Each token's vector before attention, the mixture that replaces it, and how far "
        "the token moved: the average size of the changes of its numbers.",
        alt=f"{quoted(far)} moves farthest, by {show(max(moved), '.2f')}, and {quoted(near)} least, by "
        f"{show(min(moved), '.2f')}. Two grids with a row for each token, and a bar for how far it "
        f"moved. Left, before. {rows(names, tokens, '+.1f')} Right, after. "
        f"{rows(names, outputs, '+.2f')} Moved by: "
        + listing(f"{name} {show(size, '.2f')}" for name, size in zip(names, moved, strict=True))
        + ".",
    )


@picture("convolution")
def convolution(fixed, weights, names):
    """Draw the weights of a convolution beside those of attention.

    Parameters
    ----------
    fixed, weights : ndarray of shape (n, n)
        Weights fixed by place, and weights worked out from the tokens.
    names : sequence of str, length n

    Returns
    -------
    Picture
    """
    cell = (0.52, 0.4)
    sheet = Canvas(1.3 + cell[1] * len(names), "Weights by place, and weights by content")
    left = sheet.grid(
        fixed,
        0.6,
        1.12,
        name="fixed",
        form=".3f",
        fill="weight",
        cell=cell,
        rows=names,
        columns=names,
        size=style.SMALL,
    )
    right = sheet.grid(
        weights,
        style.MEASURE - 0.1 - 4 * cell[0],
        1.12,
        name="weights",
        form=".3f",
        fill="weight",
        cell=cell,
        rows=names,
        columns=names,
        size=style.SMALL,
    )
    for i, j in np.argwhere(fixed == 0):
        (zero,) = sheet.axes.findobj(lambda artist, gid=f"number:fixed:{i}:{j}": artist.get_gid() == gid)
        zero.set_color(style.COLOURS["muted"])
    for place, title, note in (
        (left, "convolution", "chosen before any word was seen"),
        (right, "attention", "made from these tokens"),
    ):
        sheet.text(place.middle[0], 0.5, title, bold=True)
        sheet.text(place.middle[0], 0.71, note, role="muted", size=style.SMALL)
    repeats = distinct = ""
    if np.array_equal(fixed[1:, 1:], fixed[:-1, :-1]):
        repeats = "In the convolution every row has the same weights, one place further along. "
    if len({shows(row, ".3f") for row in weights}) == len(names):
        distinct = "In attention no two rows are alike. "
    return sheet.done(
        caption="Who takes how much from whom: a row is the token that mixes, a column the token "
        "it takes from. Left, a convolution over one token before, itself and one after; right, "
        "attention.",
        alt="Two grids of weights, a row for each token that mixes, a column for each that it takes "
        f"from: {quoted(names)}. {repeats}{distinct}"
        f"Left, convolution. {rows(names, fixed, '.3f')} "
        f"Right, attention. {rows(names, weights, '.3f')}",
    )
