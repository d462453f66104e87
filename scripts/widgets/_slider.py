"""What all sliders are made of: the decorator that registers one, and the widget that it becomes."""

import functools
from html import escape
from typing import NamedTuple

import ipywidgets
import matplotlib

from scripts.draw.canvas import MIME, STYLE, Picture
from scripts.draw.layers import take_apart
from scripts.draw.words import OPENING

SLIDERS = {}  # name -> function that makes the slider, filled by @slider

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
.course-slider .said .rest{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
.course-slider .widget-hslider{width:100%;height:auto;min-height:44px;align-items:center}
.course-slider .widget-hslider .widget-label
{width:auto;max-width:50%;color:inherit;line-height:44px;height:44px}
.course-slider .widget-hslider .slider-container{flex:1 1 8rem;margin:0 18px;min-width:6rem}
.course-slider .widget-hslider .widget-readout
{color:inherit;min-width:4.5em;max-width:11em;white-space:normal}
@media(max-width:360px){.course-slider .widget-hslider .slider-container{min-width:3.5rem;margin:0 14px}}
"""


class Frame(NamedTuple):
    """One place of a slider: what the handle reads out there, and what is drawn."""

    label: str
    picture: Picture


def seen(alt):
    """What of the words of a place everybody sees: all, or of long ones the first sentence.

    The rest, numbers that stand in the picture, is for those who do not see it.
    """
    return alt if len(alt) <= OPENING else alt[: alt.index(". ") + 1]


class Slider(ipywidgets.VBox):
    """A handle over frames, and the frame that is shown where nothing moves.

    Attributes
    ----------
    name : str
    frames : list of list of Frame
        Rows are places of the second handle (one row where there is none).
    still : Frame
        The one at which the handles stand first: for paper, and for pages without a script.
    """

    def __init__(self, name, rows, handles):
        """Link handles, (words, label of the start), to what they move: lists of frames, by row."""
        frames = list(rows.values())
        pictures = [frame.picture for row in frames for frame in row]
        under, over, own = take_apart(pictures, f"{name}-")
        layout, style = ipywidgets.Layout(), ipywidgets.HTML().style

        # Room for the longest text at any width, so that nothing below ever moves.
        longest = max(len(seen(picture.alt)) for picture in pictures)
        room = f"--wide:{1 + longest // 60};--narrow:{1 + longest // 30}"

        def html(text):
            return ipywidgets.HTML(text, layout=layout, style=style)

        def handle(words, start, labels):
            return ipywidgets.SelectionSlider(
                options=labels,
                index=labels.index(start) if start in labels else 0,
                description=words,
                continuous_update=True,
                style={"description_width": "initial"},
                layout=ipywidgets.Layout(width="100%"),
            )

        def stack(children, mover):
            made = ipywidgets.Stack(children=children, selected_index=mover.index, layout=layout)
            ipywidgets.jslink((mover, "index"), (made, "selected_index"))
            return made

        labels = [frame.label for frame in frames[0]], list(rows)
        movers = [handle(*words, names) for words, names in zip(handles, labels, strict=False)]

        def said(alt):
            first, rest = escape(seen(alt)), escape(alt[len(seen(alt)) :])
            hidden = f'<span class="rest">{rest}</span>' if rest else ""
            return f'<p class="said" style="{room}">{first}{hidden}</p>'

        shown = (html(mine + said(picture.alt)) for mine, picture in zip(own, pictures, strict=True))
        changing = [stack([next(shown) for _ in row], movers[0]) for row in frames]
        changing = stack(changing, movers[1]) if len(movers) > 1 else changing[0]
        sheet = ipywidgets.Box([html(under), changing, html(over)])
        sheet.add_class("sheet")
        super().__init__([html(f"<style>{CSS}</style>"), *movers, sheet])
        self.add_class("course-slider")
        self.name, self.frames = name, frames
        self.still = frames[movers[1].index if len(movers) > 1 else 0][movers[0].index]

    def _repr_mimebundle_(self, **kwargs):
        shown = super()._repr_mimebundle_(**kwargs)
        data, metadata = shown if isinstance(shown, tuple) else (shown, {})
        data = {**data, MIME: self.still.picture.svg(), "text/plain": self.still.picture.alt}
        return data, {**metadata, "course": {"slider": self.name, "id": self.still.picture.id}}


def slider(handle, start, second=None):
    """Register a generator of places as the slider of its name.

    For each place the generator yields what the handle reads out there, and a picture.
    With a second handle, which chooses among rows of places, it yields a third: what that
    one reads out.  All pictures have one size and end with ``sheet.done(..., titled=False)``,
    since the words of a place stand in the page, under the title.

    Parameters
    ----------
    handle : str
        Words beside the handle.
    start : str
        What it reads out at first; where no place is called so, it stands at the first.
    second : (str, str), optional
        Words and start of a second handle.
    """

    def register(places):
        name = places.__name__.replace("_", "-")
        handles = [(handle, start)] + ([second] if second else [])

        @functools.wraps(places)
        def make(*args, **kwargs):
            rows = {}
            with matplotlib.rc_context(STYLE):
                for label, picture, *row in places(*args, **kwargs):
                    picture.id = f"slider-{name}"
                    rows.setdefault(row[0] if row else "", []).append(Frame(label, picture))
            return Slider(name, rows, handles)

        make.handles, make.places = handles, places  # for tests
        SLIDERS[name] = make
        return make

    return register
