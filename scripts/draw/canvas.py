"""The few atoms of which every picture is made.

A `Canvas` is a sheet measured in inches from its top left corner, so that a
picture is laid out as one would on paper.  It draws what it is given and
computes nothing.
"""

import functools
import inspect
import io
import re
from dataclasses import dataclass

import matplotlib
import numpy as np
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.figure import Figure
from matplotlib.patches import FancyArrowPatch, PathPatch, Polygon, Rectangle
from matplotlib.path import Path

from scripts.draw import style
from scripts.draw.svg import as_file, simplify
from scripts.numbers import show

MIME = "image/svg+xml"
STYLE = dict(matplotlib.rc_params_from_file(style.STYLE, use_default_template=False))
PICTURES = {}  # id -> drawing function, filled by @picture


class Picture(Figure):
    """A matplotlib figure that also says in words what it shows.

    Attributes
    ----------
    id : str
        The name of its file, and of its anchor on the site.
    caption : str
        One or two sentences to stand under it.
    alt : str
        What it shows, for somebody who cannot see it; made from the same values.
    """

    id = caption = alt = ""

    def tree(self):
        """Return the picture as elements of SVG, in the form that `scripts.draw.svg` describes."""
        if not isinstance(self.canvas, FigureCanvasSVG):
            FigureCanvasSVG(self)
        buffer = io.StringIO()
        with matplotlib.rc_context(STYLE | {"svg.hashsalt": self.id}):
            metadata = dict.fromkeys(("Creator", "Date", "Format", "Type"))
            self.savefig(buffer, format="svg", metadata=metadata)
        return simplify(buffer.getvalue())

    def svg(self):
        """Return the picture as the text of one SVG, the same bytes every time."""
        return as_file(self.tree(), self.alt)

    def _repr_mimebundle_(self, include=None, exclude=None):
        note = {"id": self.id, "caption": self.caption}
        return {MIME: self.svg(), "text/plain": self.alt}, {"course": note}


def picture(identity):
    """Register a drawing function under the id of its picture.

    The function makes a `Canvas`, draws, and returns ``canvas.done(...)``.
    """

    def register(function):
        @functools.wraps(function)
        def draw(*args, **kwargs):
            with matplotlib.rc_context(STYLE):
                drawn = function(*args, **kwargs)
            drawn.id = identity
            return drawn

        if identity in PICTURES:
            raise ValueError(f"two pictures share the id {identity!r}")
        if not inspect.getdoc(function):
            raise ValueError(f"picture {identity!r} needs a docstring")
        PICTURES[identity] = draw
        return draw

    return register


@dataclass(frozen=True)
class Grid:
    """Where a drawn grid stands, for whatever is to be attached to it."""

    x: float
    y: float
    cell_width: float
    cell_height: float
    rows: int
    columns: int

    @property
    def right(self):
        return self.x + self.columns * self.cell_width

    @property
    def bottom(self):
        return self.y + self.rows * self.cell_height

    @property
    def middle(self):
        return (self.x + self.right) / 2, (self.y + self.bottom) / 2

    def cell(self, row, column):
        """Centre of a cell."""
        return (self.x + (column + 0.5) * self.cell_width, self.y + (row + 0.5) * self.cell_height)


class Canvas:
    """A sheet of paper of the common measure.

    Parameters
    ----------
    height : float
        Inches.
    title : str, optional
        One line at the top left that says the point of the picture.
    width : float, optional
        Inches; leave it at the common measure.
    """

    def __init__(self, height, title=None, width=style.MEASURE):
        self.width, self.height = width, height
        self.figure = Picture(figsize=(width, height))
        self.axes = self.figure.add_axes((0, 0, 1, 1))
        self.axes.set(xlim=(0, width), ylim=(height, 0), xticks=(), yticks=())
        self.axes.set_axis_off()
        self.title = title
        if title:
            self.text(0.08, 0.2, title, size=style.TITLE, bold=True, ha="left")

    def _add(self, patch):
        """Add a patch as it is: matplotlib need not look how far it reaches."""
        self.axes.add_artist(patch)
        return patch

    # ---- text and lines -------------------------------------------------

    def text(
        self,
        x,
        y,
        words,
        *,
        role="ink",
        size=style.LABEL,
        bold=False,
        ha="center",
        va="center_baseline",
        gid=None,
        rotation=0,
    ):
        """Write words at a place.

        The default centres the line on its digits and capitals, so that "up"
        and "the" stand on one line side by side.
        """
        if va == "center_baseline" and not rotation and "\n" not in words:
            y, va = y + 0.365 * size / 72, "baseline"  # matplotlib's own differs from word to word
        words = re.sub(r"\bW_([a-z])\b", r"W$_\\mathregular{\1}$", words)  # as formulas have it
        return self.axes.text(
            x,
            y,
            words,
            color=style.COLOURS[role],
            fontsize=size,
            ha=ha,
            va=va,
            gid=gid,
            fontweight="bold" if bold else "normal",
            rotation=rotation,
            rotation_mode="anchor",
            linespacing=1.35,
            clip_on=False,
        )

    def number(self, x, y, value, form, **how):
        """Write a number as prose would."""
        how.setdefault("size", style.NUMBER)
        return self.text(x, y, show(value, form), **how)

    def line(self, xs, ys, *, role="ink", width=1.2, dashed=False, gid=None):
        """Draw a line through points."""
        (drawn,) = self.axes.plot(
            xs,
            ys,
            color=style.COLOURS[role],
            lw=width,
            ls=(0, (3, 2)) if dashed else "-",
            solid_capstyle="butt",
            gid=gid,
            clip_on=False,
        )
        return drawn

    def box(
        self,
        x,
        y,
        width,
        height,
        *,
        role="faint",
        fill=None,
        opacity=style.TINT,
        line=1.0,
        hatch=None,
        gid=None,
    ):
        """Draw a rectangle: outlined in `role` (None for no outline), filled with `fill`."""
        face = (*matplotlib.colors.to_rgb(style.COLOURS[fill]), opacity) if fill else "none"
        frame = {"edgecolor": style.COLOURS[role] if role else "none", "linewidth": line if role else 0}
        if hatch:
            # On its own, since a hatch has the colour of its edge: matplotlib 3.10, which the
            # reader's browser runs, knows no other.
            hatched = Rectangle(
                (x, y),
                width,
                height,
                facecolor=face,
                edgecolor=style.COLOURS["hatch"],
                linewidth=0,
                hatch=hatch,
                gid=gid,
                clip_on=False,
            )
            self._add(hatched)
            if role:
                self._add(Rectangle((x, y), width, height, facecolor="none", clip_on=False, **frame))
            return hatched
        patch = Rectangle((x, y), width, height, facecolor=face, gid=gid, clip_on=False, **frame)
        return self._add(patch)

    def arrow(self, start, end, *, role="ink", width=1.2, bend=0.0, gid=None):
        """Draw a thin arrow of the given line width in points; `bend` curves it."""
        patch = FancyArrowPatch(
            start,
            end,
            arrowstyle="-|>,head_length=4.5,head_width=2.4",
            mutation_scale=1,
            connectionstyle=f"arc3,rad={bend}",
            linewidth=width,
            color=style.COLOURS[role],
            shrinkA=0,
            shrinkB=0,
            capstyle="butt",
            joinstyle="miter",
            gid=gid,
            clip_on=False,
        )
        return self._add(patch)

    def flow(self, start, end, thickness, *, role="weight-mark", gid=None):
        """Draw a straight arrow whose shaft has exactly this thickness in inches."""
        start, end = np.asarray(start, float), np.asarray(end, float)
        length = np.hypot(*(end - start))
        along = (end - start) / length
        across = np.array([-along[1], along[0]])
        half, barb = thickness / 2, thickness / 2 + 0.06
        neck = end - along * min(0.9 * length, barb * 1.25)
        corners = [
            start + across * half,
            neck + across * half,
            neck + across * barb,
            end,
            neck - across * barb,
            neck - across * half,
            start - across * half,
        ]
        patch = Polygon(
            corners, closed=True, facecolor=style.COLOURS[role], edgecolor="none", gid=gid, clip_on=False
        )
        return self._add(patch)

    def ribbon(self, start, end, thickness, *, role="weight-mark", gid=None):
        """Draw an arrow that leaves and lands upright, of exactly this thickness throughout."""
        (x0, y0), (x1, y1) = start, end
        half = thickness / 2 + 0.06
        neck = y1 - min(1.25 * half, 0.4 * (y1 - y0))
        bend = (y0 + neck) / 2
        path = Path(
            [(x0, y0), (x0, y0 + 0.06), (x0, bend), (x1, bend), (x1, neck - 0.06), (x1, neck)],
            [Path.MOVETO, Path.LINETO, Path.CURVE4, Path.CURVE4, Path.CURVE4, Path.LINETO],
        )
        shaft = PathPatch(
            path,
            facecolor="none",
            edgecolor=style.COLOURS[role],
            linewidth=72 * thickness,
            capstyle="butt",
            gid=gid,
            clip_on=False,
        )
        head = Polygon(
            [(x1 - half, neck - 0.015), (x1 + half, neck - 0.015), (x1, y1)],
            closed=True,
            facecolor=style.COLOURS[role],
            edgecolor="none",
            clip_on=False,
        )
        self._add(head)
        return self._add(shaft)

    def brace(self, x0, x1, y, *, depth=0.09, role="muted", up=False):
        """Draw a flat bracket under (or over) a stretch."""
        tip = y - depth if not up else y + depth
        path = Path([(x0, tip), (x0, y), (x1, y), (x1, tip)])
        return self._add(
            PathPatch(path, facecolor="none", edgecolor=style.COLOURS[role], linewidth=1.0, clip_on=False)
        )

    # ---- grids ----------------------------------------------------------

    def grid(
        self,
        values,
        x,
        y,
        *,
        name,
        role="ink",
        form="+.2f",
        fill="tint",
        limit=None,
        rows=(),
        columns=(),
        title=None,
        cell=(0.56, 0.34),
        size=style.NUMBER,
        marked=(),
        allowed=None,
        row_role="ink",
        column_role="ink",
    ):
        """Draw a grid of numbers.

        Parameters
        ----------
        values : array_like of shape (r, c)
            Rows that are masked (no answer) say so in words.
        x, y : float
            Top left corner of the first cell, in inches.
        name : str
            Unique in the picture: artists are found by ``cell:name:i:j``
            (fills) and ``number:name:i:j`` (texts).
        role : str
            Colour of the frame and of the title.
        form : str
            How a number is written.
        fill : {"tint", "weight", "score", None}
            A constant tint of the role; opacity = weight; or the colour of the
            sign with opacity = size / limit.
        limit : float, optional
            The score that is drawn at full opacity; needed for "score".
        rows, columns : sequence of str
            Names beside the rows and above the columns.
        title : str, optional
            Above it all.
        cell : (float, float)
            Width and height of a cell in inches.
        marked : sequence of (int, int)
            Cells with a heavy outline.
        allowed : array_like of bool, shape (r, c), optional
            Cells that are False are hatched and hold no number.
        row_role, column_role : str
            Colours of the names.

        Returns
        -------
        Grid
        """
        values = np.ma.asarray(values)
        if values.ndim != 2:
            raise ValueError(f"values of grid {name!r} must have two axes; got {values.shape}")
        width, height = cell
        place = Grid(x, y, width, height, *values.shape)
        hidden = np.ma.getmaskarray(values).all(axis=1)
        for i, j in np.ndindex(values.shape):
            corner = (x + j * width, y + i * height)
            if hidden[i] or (allowed is not None and not allowed[i, j]):
                self.box(*corner, width, height, role="faint", hatch="////", gid=f"forbidden:{name}:{i}:{j}")
                continue
            colour, opacity = self._fill(values[i, j], fill, role, limit)
            self.box(
                *corner,
                width,
                height,
                role="faint",
                fill=colour,
                opacity=opacity,
                line=0.8,
                gid=f"cell:{name}:{i}:{j}",
            )
            self.number(*place.cell(i, j), values[i, j], form, size=size, gid=f"number:{name}:{i}:{j}")
        for i in np.flatnonzero(hidden):
            middle = place.middle[0], y + (i + 0.5) * height
            label = self.text(*middle, "no answer", role="ink", gid=f"no-answer:{name}:{i}")
            label.set_bbox({"facecolor": style.COLOURS["paper"], "edgecolor": "none", "pad": 1.5})
        self.box(x, y, place.right - x, place.bottom - y, role=role, line=1.6)
        for i, j in marked:
            self.box(
                x + j * width,
                y + i * height,
                width,
                height,
                role="ink",
                line=2.2,
                gid=f"marked:{name}:{i}:{j}",
            )
        for i, word in enumerate(rows):
            self.text(x - 0.1, place.cell(i, 0)[1], word, ha="right", role=row_role)
        for j, word in enumerate(columns):
            self.text(place.cell(0, j)[0], y - 0.14, word, role=column_role)
        if title:
            lift = 0.38 if len(columns) else 0.17
            self.text(place.middle[0], y - lift, title, role=role, bold=True)
        return place

    @staticmethod
    def _fill(value, fill, role, limit):
        if fill is None:
            return None, 0
        if fill == "tint":
            return role, style.TINT
        if fill == "weight":
            return "weight", float(value)
        if fill == "score":
            if limit is None:
                raise ValueError('fill="score" needs limit, the score at full opacity')
            return ("negative" if value < 0 else "positive"), min(1.0, abs(float(value)) / limit)
        raise ValueError(f'fill must be "tint", "weight", "score" or None; got {fill!r}')

    # ---- plots ----------------------------------------------------------

    def plot(self, x, y, width, height, **settings):
        """Return matplotlib axes whose plotting area has this top left corner and size."""
        box = (x / self.width, 1 - (y + height) / self.height, width / self.width, height / self.height)
        axes = self.figure.add_axes(box)
        axes.set(**settings)
        return axes

    # ---- the end --------------------------------------------------------

    def done(self, *, caption, alt, titled=True):
        """Return the picture with its words; `alt` follows the title, which is drawn too.

        A slider's frames leave the title out (``titled=False``): their words
        stand in the page, under the title, and change at every step.
        """
        if self.title and titled:
            alt = f"{self.title}{'' if self.title.endswith('?') else '.'} {alt}"
        self.figure.caption, self.figure.alt = caption, alt
        return self.figure
