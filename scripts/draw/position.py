"""Pictures of position and of the block, for the last page."""

from collections.abc import Mapping

import numpy as np
from matplotlib.patches import Arc, Circle

from scripts.draw.canvas import Canvas, Picture, Row, picture
from scripts.draw.style import COLOURS, SMALL
from scripts.numbers import listing, show, shows


def draw_turn(query: Row, key: Row, places: tuple[int, int], score: float) -> Picture:
    """Draw a query and a key of two numbers, turned by their places; for a slider.

    Parameters
    ----------
    query, key : ndarray of shape (2,)
        After the turn.
    places : (int, int)
        Of the query and of the key.
    score : float
        Their dot product over the root of two.
    """
    side = 2.9
    sheet = Canvas(side + 0.75, "Both turn, and the score stays")
    left, top = 0.2, 0.55
    middle = np.array([left + side / 2, top + side / 2])
    scale = side / 2 / (1.15 * max(np.hypot(*query), np.hypot(*key)))
    sheet.box(left, top, side, side, role="faint")
    for ends in (([left, left + side], [middle[1]] * 2), ([middle[0]] * 2, [top, top + side])):
        sheet.line(*ends, role="faint", width=0.8).set_zorder(0.5)
    for role, arrow in (("query", query), ("key", key)):
        end = middle + scale * np.array(arrow) * (1, -1)
        sheet.arrow(middle, end, role=role, width=2.4, gid=f"arrow:{role}")
        ring = {"edgecolor": COLOURS["faint"], "facecolor": "none", "linewidth": 0.8, "clip_on": False}
        sheet.axes.add_artist(Circle(middle, scale * np.hypot(*arrow), zorder=0.4, **ring))
    angles = [np.degrees(np.arctan2(-arrow[1], arrow[0])) for arrow in (query, key)]
    turn = (angles[1] - angles[0] + 180) % 360 - 180
    begin = angles[0] if turn >= 0 else angles[1]
    look = {"edgecolor": COLOURS["ink"], "linewidth": 1.2}
    sheet.axes.add_artist(Arc(middle, 0.9, 0.9, theta1=begin, theta2=begin + abs(turn), gid="angle", **look))
    x = left + side + 0.3
    rows = (
        ("query", f"query in place {show(places[0], 'd')}", shows(query, "+.2f")),
        ("key", f"key in place {show(places[1], 'd')}", shows(key, "+.2f")),
        ("ink", "score", show(score, "+.2f")),
    )
    for k, (role, name, numbers) in enumerate(rows):
        sheet.text(x, top + 0.45 + 0.85 * k, name, role=role, bold=True, ha="left")
        sheet.text(x, top + 0.75 + 0.85 * k, numbers, ha="left", gid=f"number:{role}")
    return sheet.done(
        titled=False,
        caption="Each arrow has been turned by as many radians as its place. Move both by the same number of places and "
        "the angle between them stays.",
        alt=f"With the query in place {show(places[0], 'd')} and the key in place {show(places[1], 'd')}, the score is "
        f"{show(score, '+.2f')}. The query is {shows(query, '+.2f')}, the key {shows(key, '+.2f')}.",
    )


@picture("block-numbers")
def block_numbers(word: str, rows: Mapping[str, Row]) -> Picture:
    """Draw one token on its way through a block: the stream on the left, what is added on the right.

    Parameters
    ----------
    word : str
    rows : dict of str to ndarray of shape (w,)
        "before", "first-norm", "attention", "middle", "second-norm", "feed-forward" and "after".
    """
    cell, x_stream, x_branch = (0.6, 0.34), 0.3, 3.1
    sheet = Canvas(5.15, f"“{word}” on its way through a block")
    width = 4 * cell[0]
    heights = {"before": 0.8, "first-norm": 1.35, "attention": 2.1, "middle": 2.65, "second-norm": 3.2}
    heights |= {"feed-forward": 3.95, "after": 4.5}
    titles = {
        "before": "token",
        "first-norm": "layer norm",
        "attention": "attention",
        "middle": "with attention added",
        "second-norm": "layer norm",
        "feed-forward": "feed-forward",
        "after": "with feed-forward added",
    }
    for name, row in rows.items():
        stream = name in ("before", "middle", "after")
        role = "token" if stream else "output" if name == "attention" else "ink"
        x = x_stream if stream else x_branch
        sheet.grid(
            np.array([row]),
            x,
            heights[name],
            name=name,
            role=role,
            form="+.2f",
            title=titles[name],
            cell=cell,
        )
    down, right = x_stream + width / 2, x_branch + width / 2
    for above, below in (("before", "middle"), ("middle", "after")):
        sheet.arrow((down, heights[above] + cell[1]), (down, heights[below] - 0.31), width=2.4)
    for stream, norm, part in (
        ("before", "first-norm", "attention"),
        ("middle", "second-norm", "feed-forward"),
    ):
        y = heights[stream] + cell[1] / 2
        sheet.line([x_stream + width, right], [y, y])
        sheet.arrow((right, y), (right, heights[norm] - 0.31))
        sheet.arrow((right, heights[norm] + cell[1]), (right, heights[part] - 0.31))
        y, plus = heights[part] + cell[1] / 2, (down, heights[part] + cell[1] / 2)
        sheet.arrow((x_branch, y), (down + 0.13, y))
        ring = {"facecolor": COLOURS["paper"], "edgecolor": COLOURS["ink"], "clip_on": False, "zorder": 3}
        sheet.axes.add_patch(Circle(plus, 0.13, linewidth=1.4, gid=f"plus:{part}", **ring))
        sheet.text(*plus, "+", size=SMALL, bold=True).set_zorder(4)
    told = " ".join(f"{name.capitalize()}: {shows(row, '+.2f')}." for name, row in rows.items())
    return sheet.done(
        caption="The residual stream runs down on the left. Each branch reads it through a layer norm and adds what it "
        "has made.",
        alt=f"The stream begins with the token, {shows(rows['before'], '+.2f')}, and ends with "
        f"{shows(rows['after'], '+.2f')}; two branches have been added. {told}",
    )


@picture("model-parameters")
def model_parameters(parts: Mapping[str, int]) -> Picture:
    """Draw how many parameters each part of a model has, as bars."""
    total = sum(parts.values())
    sheet = Canvas(0.5 + 0.4 * len(parts) + 0.1, f"Where {show(total, ',d')} parameters are")
    longest = max(parts.values())
    for i, (name, count) in enumerate(parts.items()):
        y = 0.5 + 0.4 * (i + 0.5)
        sheet.text(1.5, y, name, ha="right")
        length = 2.9 * count / longest
        fill = {"role": None, "fill": "weight-mark", "opacity": 1}
        sheet.box(1.62, y - 0.12, length, 0.24, gid=f"bar:count:{i}", **fill)
        sheet.text(1.62 + length + 0.08, y, show(count, ",d"), ha="left", gid=f"count:{i}")
    largest = max(parts, key=parts.get)
    return sheet.done(
        caption="The parameters of GPT-2 small, by part.",
        alt=f"The {largest} has most. "
        + listing(f"{name} {show(count, ',d')}" for name, count in parts.items())
        + ".",
    )
