"""The sliders of the course.

Each is an ipywidgets slider linked in the browser to a stack of frames that
are drawn beforehand, so that it moves with no kernel and no network, and is
the same in JupyterLab.  The numbers come from ``attention``, ``experiments``
and ``cost``, the pictures from ``draw``: a slider owns no mathematics.

With a kernel every slider takes values of the reader's own: ``lead([0, 10])``,
``mask(X @ W_q, X @ W_k)``, ``head_size(seed=1)``, and so on.
"""

from dataclasses import dataclass
from html import escape
from itertools import combinations

import ipywidgets
import numpy as np

from scripts import cost, draw, example, experiments
from scripts.attention import (
    attention,
    causal_mask,
    multi_head_attention,
    padding_mask,
    raw_scores,
    scaled_scores,
    softmax,
    softmax_steps,
)
from scripts.draw.canvas import MIME
from scripts.draw.layers import take_apart
from scripts.numbers import listing, show

CSS = """
.course-slider{width:100%;max-width:40rem;margin:0 auto;overflow:visible}
.course-slider .sheet{display:grid;width:100%;overflow:visible;margin:0}
.course-slider .sheet>*{grid-area:1/1;margin:0;width:100%;height:auto;overflow:visible}
.course-slider .sheet>*:nth-child(n+2){pointer-events:none}
.course-slider .widget-html-content{width:100%;height:auto;line-height:1.5;overflow:visible}
.course-slider .widget-html,.course-slider .widget-stack,.course-slider .jupyter-widget-stack
{width:100%;height:auto;margin:0;overflow:visible}
.course-slider svg{display:block;width:100%;height:auto}
.course-slider .said{margin:.5em 0 0;color:inherit;font-size:.95em;min-height:calc(1.5em*var(--wide))}
@media(max-width:520px){.course-slider .said{min-height:calc(1.5em*var(--narrow))}}
.course-slider .widget-hslider{width:100%;height:auto;min-height:44px;align-items:center}
.course-slider .widget-hslider .widget-label
{width:auto;max-width:50%;color:inherit;line-height:44px;height:44px}
.course-slider .widget-hslider .slider-container{flex:1 1 8rem;margin:0 18px;min-width:6rem}
.course-slider .widget-hslider .widget-readout
{color:inherit;min-width:4.5em;max-width:11em;white-space:normal}
@media(max-width:360px){.course-slider .widget-hslider .slider-container{min-width:3.5rem;margin:0 14px}}
"""


@dataclass(frozen=True)
class Frame:
    """One place of a slider.

    Attributes
    ----------
    label : str
        What the slider reads out there.
    numbers : dict
        What was computed for it, by name; tests compare the drawn text with it.
    picture : scripts.draw.canvas.Picture
    """

    label: str
    numbers: dict
    picture: object


class Slider(ipywidgets.VBox):
    """A slider over frames, and the one that is shown where nothing moves.

    Attributes
    ----------
    name : str
    frames : list of list of Frame
        Rows are places of the second handle (one row where there is none).
    still : Frame
        The chosen frame for paper, and for pages without a script.
    """

    def _repr_mimebundle_(self, **kwargs):
        shown = super()._repr_mimebundle_(**kwargs)
        data, metadata = shown if isinstance(shown, tuple) else (shown, {})
        data = {**data, MIME: self.still.picture.svg(), "text/plain": self.still.picture.alt}
        return data, {**metadata, "course": {"slider": self.name, "id": self.still.picture.id}}


def slider(name, description, frames, start, *, second=None):
    """Put frames under a handle.

    Parameters
    ----------
    name : str
        Id of the slider.
    description : str
        Name of the handle.
    frames : list of Frame, or list of list of Frame
        In order; several rows where there is a second handle.
    start : int
        Where the handle stands at first, and the frame that is printed.
    second : (str, list of str, int), optional
        Name, labels and start of a second handle that chooses the row.

    Returns
    -------
    Slider
    """
    rows = frames if second else [frames]
    flat = [frame.picture for row in rows for frame in row]
    under, over, own = take_apart(flat, f"{name}-")
    layout = ipywidgets.Layout()
    style = ipywidgets.HTML().style

    # Room for the longest text at any width, so that nothing below ever moves.
    longest = max(len(picture.alt) for picture in flat)
    room = f"--wide:{1 + longest // 60};--narrow:{1 + longest // 30}"

    def html(text):
        return ipywidgets.HTML(text, layout=layout, style=style)

    def handle(words, labels, index):
        return ipywidgets.SelectionSlider(
            options=labels,
            index=index,
            description=words,
            continuous_update=True,
            style={"description_width": "initial"},
            layout=ipywidgets.Layout(width="100%"),
        )

    main = handle(description, [frame.label for frame in rows[0]], start)
    stacks, position = [], 0
    for row in rows:
        children = []
        for frame in row:
            words = f'<p class="said" style="{room}">{escape(frame.picture.alt)}</p>'
            children.append(html(own[position] + words))
            position += 1
        stack = ipywidgets.Stack(children=children, selected_index=start, layout=layout)
        ipywidgets.jslink((main, "index"), (stack, "selected_index"))
        stacks.append(stack)
    handles, frames_box = [main], stacks[0]
    still = rows[0][start]
    if second:
        words, labels, index = second
        handles.append(handle(words, labels, index))
        frames_box = ipywidgets.Stack(children=stacks, selected_index=index, layout=layout)
        ipywidgets.jslink((handles[1], "index"), (frames_box, "selected_index"))
        still = rows[index][start]
    sheet = ipywidgets.Box([html(under), frames_box, html(over)])
    sheet.add_class("sheet")
    made = Slider([html(f"<style>{CSS}</style>"), *handles, sheet])
    made.add_class("course-slider")
    made.name, made.frames, made.still = name, rows, still
    return made


# --------------------------------------------------------------------------
# Section 3
# --------------------------------------------------------------------------


def angle(angles=None, length=2.0):
    """Turn one vector away from another of the same length.

    Parameters
    ----------
    angles : sequence of float, optional
        Degrees; 0 to 180 by 5 if not given.
    length : float
        Of both vectors.

    Returns
    -------
    Slider
    """
    angles = np.arange(0, 181, 5) if angles is None else np.asarray(angles)
    fixed = np.array([length, 0.0])
    turned = length * np.column_stack([np.cos(np.radians(angles)), np.sin(np.radians(angles))])
    products = raw_scores([fixed], turned)[0]  # (m,)
    frames = [
        Frame(
            f"{show(a, 'g')}°",
            {"angle": a, "product": p},
            draw.slider_angle(angles, products, a, fixed, t, p),
        )
        for a, t, p in zip(angles.tolist(), turned, products, strict=True)
    ]
    return slider("angle", "angle", frames, len(frames) // 4)


def head_size(sizes=None, seed=experiments.SPREAD_SEED, winner_seed=experiments.WINNER_SEED):
    """Watch scores scatter as the head size grows.

    Parameters
    ----------
    sizes : sequence of int, optional
        Powers of two from 1 to 1024 if not given.
    seed, winner_seed : int
        Starting values of the generators, one for each of the two simulations.

    Returns
    -------
    Slider
    """
    sizes = [2**k for k in range(11)] if sizes is None else list(sizes)
    winners = experiments.winner_share(winner_seed, sizes)
    generator = np.random.default_rng(seed)
    edges = np.linspace(-96, 96, 97)
    frames = []
    for i, size in enumerate(sizes):
        raw = experiments.score_samples(size, 2000, generator)
        scaled = raw / np.sqrt(size)
        parts = [np.histogram(s, edges)[0] / len(s) for s in (raw, scaled)]
        spreads = raw.std(), scaled.std()
        shares = winners.raw[i], winners.scaled[i]
        frames.append(
            Frame(
                show(size, ",d"),
                {"size": size, "spread": np.array([spreads]).T, "winner": np.array([shares])},
                draw.slider_head_size(size, edges, *parts, spreads, shares),
            )
        )
    return slider("head-size", "head size", frames, 6 * len(frames) // 11)


# --------------------------------------------------------------------------
# Section 4
# --------------------------------------------------------------------------


def lead(leads=None):
    """Let one of two keys be ahead in the score, and see what it takes of the mix.

    Parameters
    ----------
    leads : sequence of float, optional
        -6 to 6 by 0.25 if not given.

    Returns
    -------
    Slider
    """
    leads = np.arange(-6, 6.01, 0.25) if leads is None else np.asarray(leads, dtype=float)
    shares = softmax(np.column_stack([leads, np.zeros_like(leads)]))  # (m, 2)
    frames = [
        Frame(show(x, "+.2f"), {"lead": x, "shares": s[None]}, draw.slider_lead(leads, shares[:, 0], x, s))
        for x, s in zip(leads.tolist(), shares, strict=True)
    ]
    return slider("lead", "lead", frames, int(np.argmin(abs(leads - 1))))


def token(queries=example.QUERIES, keys=example.KEYS, values=example.VALUES, names=example.ORDER):
    """Choose the asking token and follow its row to its new vector.

    Parameters
    ----------
    queries, keys, values : array_like of shape (n, d)
    names : sequence of str, length n

    Returns
    -------
    Slider
    """
    run = attention(queries, keys, values)
    raised = np.exp(run.scores)
    frames = [
        Frame(
            name,
            {
                "scores": run.scores[i][None],
                "raised": raised[i][None],
                "weights": run.weights[i][None],
                "output": run.output[i][None],
            },
            draw.slider_token(
                names, i, run.scores[i], raised[i], run.weights[i], np.asarray(values), run.output[i]
            ),
        )
        for i, name in enumerate(names)
    ]
    return slider("token", "asking token", frames, len(frames) - 1)


# --------------------------------------------------------------------------
# Section 5
# --------------------------------------------------------------------------


def heads(
    queries=example.QUERIES,
    keys=example.KEYS,
    values=example.VALUES,
    names=example.ORDER,
    width=cost.WIDTH,
    n=512,
):
    """Cut the example, and a real width, into more and more heads.

    Parameters
    ----------
    queries, keys, values : array_like of shape (n_tokens, w)
    names : sequence of str
    width : int
        The real width.
    n : int
        Tokens for which the scores of the real width are counted.

    Returns
    -------
    Slider
    """
    frames = []
    small = np.shape(queries)[1]
    choices = [(small, h) for h in cost.divisors(small)] + [(width, h) for h in cost.divisors(width)]
    for wide, count in choices:
        own = wide == small
        tokens = len(names) if own else n
        runs = multi_head_attention(queries, keys, values, count).heads if own else None
        numbers = {
            "counts": np.array(
                [
                    [count],
                    [cost.head_size(wide, count)],
                    [cost.parameters(wide, count)],
                    [cost.grid_numbers(tokens, count)],
                ]
            )
        }
        picture = draw.slider_heads(
            names,
            wide,
            count,
            *(int(x) for x in numbers["counts"][1:, 0]),
            tokens,
            None if runs is None else [run.weights for run in runs],
            (cost.parameters(wide, 1), cost.grid_numbers(tokens, 1)),
        )
        frames.append(Frame(f"{count} of {wide}", numbers, picture))
    return slider("heads", "heads", frames, min(1, len(frames) - 1))


# --------------------------------------------------------------------------
# Section 6
# --------------------------------------------------------------------------


def masks(n, names):
    """Every choice of left-out tokens, and the causal pattern.

    Parameters
    ----------
    n : int
    names : sequence of str, length n

    Returns
    -------
    list of (str, ndarray of bool, shape (n, n))
        What is forbidden in words, and the mask (True = may look).
    """
    found = []
    for count in range(n + 1):
        for gone in combinations(range(n), count):
            real = np.array([i not in gone for i in range(n)])
            words = listing(names[i] for i in gone) or "nothing"
            found.append((words, padding_mask(real)))
    return [*found, ("the future", causal_mask(n))]


def mask(queries=example.QUERIES, keys=example.KEYS, names=example.ORDER):
    """Forbid tokens, or the future, and see what each row makes of the rest.

    Parameters
    ----------
    queries, keys : array_like of shape (n, d)
    names : sequence of str, length n

    Returns
    -------
    Slider
    """
    scores = scaled_scores(queries, keys)
    frames = []
    for words, allowed in masks(len(names), names):
        _, _, weights = softmax_steps(scores, allowed, no_answer="report")
        choice = f"Forbidden: {words}"
        frames.append(
            Frame(
                words,
                {"weights": weights, "allowed": allowed},
                draw.slider_mask(names, choice, scores, allowed, weights),
            )
        )
    return slider("mask", "forbidden", frames, len(names))


# --------------------------------------------------------------------------
# Section 7
# --------------------------------------------------------------------------


def memory(size):
    """Say a number of bytes in the unit that suits it.

    Parameters
    ----------
    size : int
        Bytes.

    Returns
    -------
    str
    """
    for unit, bytes_each in (("GiB", cost.GIB), ("MiB", cost.MIB), ("KiB", 1024)):
        if size >= bytes_each:
            whole = size / bytes_each
            return f"{show(whole, ',d' if whole == int(whole) else ',.1f')} {unit}"
    return f"{show(size, 'd')} bytes"


def window(ns=cost.WINDOWS, widths=cost.WIDTHS):
    """Let the window grow and see which part of the work takes over.

    Parameters
    ----------
    ns : sequence of int, optional
        Numbers of tokens.
    widths : sequence of int

    Returns
    -------
    Slider
    """
    rows = []
    for width in widths:
        projections = np.array([cost.projection_steps(n, width) for n in ns])
        grids = np.array([cost.grid_steps(n, width) for n in ns])
        row = []
        for i, n in enumerate(ns):
            share, size = cost.grid_share(n, width), memory(cost.grid_bytes(n))
            picture = draw.slider_window(np.array(ns), projections, grids, i, width, share, size)
            row.append(Frame(show(n, ",d"), {"n": n, "share": 100 * share, "memory": size}, picture))
        rows.append(row)
    labels = [show(width, ",d") for width in widths]
    start = int(np.argmin([abs(n - 1024) for n in ns]))
    return slider("window", "tokens", rows, start, second=("width", labels, len(widths) // 2))


SLIDERS = {
    "angle": angle,
    "head-size": head_size,
    "lead": lead,
    "token": token,
    "heads": heads,
    "mask": mask,
    "window": window,
}
