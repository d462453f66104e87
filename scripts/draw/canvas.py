"""The few atoms of which every picture is made.

A `Canvas` is a sheet measured in inches from its top left corner, so that a
picture is laid out as one would on paper.  It draws what it is given and
computes nothing.
"""

import functools
import io
import re
from collections.abc import Sequence
from dataclasses import dataclass

import matplotlib
import numpy as np
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.figure import Figure
from matplotlib.patches import FancyArrowPatch, PathPatch, Polygon, Rectangle
from matplotlib.path import Path
from numpy.typing import NDArray

from scripts.draw import style
from scripts.draw.svg import as_file, simplify
from scripts.numbers import MINUS, show

MIME = "image/svg+xml"
STYLE = dict(matplotlib.rc_params_from_file(style.STYLE, use_default_template=False))
PICTURES = {}  # id -> drawing function, filled by @picture

# What drawings take; a comment or docstring says more where the name does not.
Grid = NDArray[np.float64]  # two axes, as most often (tokens, numbers of each)
Row = NDArray[np.float64]  # one axis
Mask = NDArray[np.bool_]  # two axes, (queries, keys); True = may attend
Names = Sequence[str]
Counts = Sequence[int]
# Always the same: `asking` is the place of the token that asks, `names` are those of
# the tokens looked at, and a score of `limit` is drawn at full opacity.


class Picture(Figure):
    """A matplotlib figure that also says in words what it shows."""

    id = ""  # the name of its file, and of its anchor on the site
    caption = ""  # one or two sentences to stand under it
    alt = ""  # what it shows, for somebody who cannot see it; made from the same values

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
        PICTURES[identity] = draw
        return draw

    return register


def on_paper(pad=1.5):
    """Return the ground behind a word that stands on lines, for ``text.set_bbox``."""
    return {"facecolor": style.COLOURS["paper"], "edgecolor": "none", "pad": pad}


def shade(value, fill, role="ink", limit=None):
    """Return (role of the colour, opacity) with which the cell of a number is filled.

    "tint" is a constant tint of the role; "weight" has the opacity of the weight;
    "score" the colour of the sign, at full opacity from `limit` on.
    """
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


def beside(axes, x, y, words, shift, *, role="ink", size=style.LABEL, bold=False, va="center", **how):
    """Write beside a point of a plot, shifted by so many points of type."""
    look = {"color": style.COLOURS[role], "fontsize": size, "fontweight": "bold" if bold else "normal"}
    how = {"ha": "left", "annotation_clip": False, "textcoords": "offset points"} | how
    axes.annotate(words, (x, y), xytext=shift, va=va, **look, **how)


@dataclass(frozen=True)
class Placed:
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
    """A sheet of paper, in inches; its title, one line at the top left, says the point of the picture."""

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

    def text(self, x, y, words, *, role="ink", size=style.LABEL, bold=False, va="center_baseline", **how):
        """Write words at a place, centred sideways unless `ha` says otherwise.

        The default centres the line on its digits and capitals, so that "up"
        and "the" stand on one line side by side.
        """
        if va == "center_baseline" and "rotation" not in how and "\n" not in words:
            y, va = y + 0.365 * size / 72, "baseline"  # matplotlib's own differs from word to word
        words = re.sub(r"\bW_([a-z])\b", r"W$_\\mathregular{\1}$", words)  # as formulas have it
        look = {"color": style.COLOURS[role], "fontsize": size, "fontweight": "bold" if bold else "normal"}
        how = {"ha": "center", "rotation_mode": "anchor", "linespacing": 1.35, "clip_on": False} | how
        return self.axes.text(x, y, words, va=va, **look, **how)

    def note(self, x, y, words, *, role="muted", size=style.SMALL, **how):
        """Write small words in the second voice."""
        return self.text(x, y, words, role=role, size=size, **how)

    def number(self, x, y, value, form, *, size=style.NUMBER, **how):
        """Write a number as prose would."""
        return self.text(x, y, show(value, form), size=size, **how)

    def line(self, xs, ys, *, role="ink", width=1.2, dashed=False, gid=None):
        """Draw a line through points."""
        look = {"color": style.COLOURS[role], "lw": width, "ls": (0, (3, 2)) if dashed else "-"}
        (drawn,) = self.axes.plot(xs, ys, solid_capstyle="butt", gid=gid, clip_on=False, **look)
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
        place = {"xy": (x, y), "width": width, "height": height, "clip_on": False}
        if not hatch:
            return self._add(Rectangle(facecolor=face, gid=gid, **place, **frame))
        # A hatch has the colour of its edge in matplotlib 3.10, which the reader's browser
        # runs: it is a rectangle of its own, and the frame is another.
        lines = {"edgecolor": style.COLOURS["hatch"], "linewidth": 0, "hatch": hatch}
        hatched = self._add(Rectangle(facecolor=face, gid=gid, **place, **lines))
        if role:
            self._add(Rectangle(facecolor="none", **place, **frame))
        return hatched

    def bar(self, x, base, width, height, *, role=None, fill="weight-mark", opacity=1, **how):
        """Draw an upright bar that stands on `base`, its middle at x."""
        return self.box(
            x - width / 2, base - height, width, height, role=role, fill=fill, opacity=opacity, **how
        )

    def arrow(self, start, end, *, role="ink", width=1.2, gid=None):
        """Draw a thin arrow of the given line width in points."""
        head = {"arrowstyle": "-|>,head_length=4.5,head_width=2.4", "mutation_scale": 1, "joinstyle": "miter"}
        look = {"color": style.COLOURS[role], "linewidth": width, "capstyle": "butt", "clip_on": False}
        return self._add(FancyArrowPatch(start, end, shrinkA=0, shrinkB=0, gid=gid, **head, **look))

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
        colour = style.COLOURS[role]
        shaft = {"edgecolor": colour, "linewidth": 72 * thickness, "capstyle": "butt", "gid": gid}
        head = [(x1 - half, neck - 0.015), (x1 + half, neck - 0.015), (x1, y1)]
        self._add(Polygon(head, closed=True, facecolor=colour, edgecolor="none", clip_on=False))
        return self._add(PathPatch(path, facecolor="none", clip_on=False, **shaft))

    def brace(self, x0, x1, y, *, depth=0.09, role="muted", up=False):
        """Draw a flat bracket under (or over) a stretch."""
        tip = y - depth if not up else y + depth
        path = Path([(x0, tip), (x0, y), (x1, y), (x1, tip)])
        look = {"edgecolor": style.COLOURS[role], "linewidth": 1.0}
        return self._add(PathPatch(path, facecolor="none", clip_on=False, **look))

    # ---- grids ----------------------------------------------------------

    def cells(self, values, x, y, width, height=None, *, name, fill="weight", limit=None, line=0):
        """Draw the cells of a grid without numbers; `line` is the width of the hairlines between them."""
        height = height or width
        for (i, j), value in np.ndenumerate(values):
            colour, opacity = shade(value, fill, limit=limit)
            hair = {"role": "faint", "line": line} if line else {"role": None}
            at = (x + j * width, y + i * height, width, height)
            self.box(*at, fill=colour, opacity=opacity, gid=f"cell:{name}:{i}:{j}", **hair)

    def grid(
        self,
        values,
        x,
        y,
        *,
        name,
        role="ink",
        form=None,
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
    ) -> Placed:
        """Draw a grid of numbers whose first cell has its top left corner at (x, y), in inches.

        Masked rows (no answer) say so in words.  Artists are found by ``cell:name:i:j``
        (fills) and ``number:name:i:j`` (texts).

        Parameters
        ----------
        role
            Colour of the frame and of the title.
        form
            How a number is written; if not given: weights ``.3f``, tokens ``+.1f``, all else ``+.2f``.
        fill, limit
            As in `shade`.
        rows, columns
            Names beside the rows and above the columns, in colours of their own.
        cell
            Width and height of a cell in inches.
        marked : sequence of (int, int)
            Cells with a heavy outline.
        allowed
            Cells that are False are hatched and hold no number.
        """
        values = np.ma.asarray(values)
        if values.ndim != 2:
            raise ValueError(f"values of grid {name!r} must have two axes; got {values.shape}")
        form = form or {"weight": ".3f", "token": "+.1f"}.get(fill if fill == "weight" else role, "+.2f")
        width, height = cell
        place = Placed(x, y, width, height, *values.shape)
        hidden = np.ma.getmaskarray(values).all(axis=1)
        for i, j in np.ndindex(values.shape):
            at, here = (x + j * width, y + i * height, width, height), f"{name}:{i}:{j}"
            if hidden[i] or (allowed is not None and not allowed[i, j]):
                self.box(*at, hatch="////", gid=f"forbidden:{here}")
                continue
            colour, opacity = shade(values[i, j], fill, role, limit)
            self.box(*at, fill=colour, opacity=opacity, line=0.8, gid=f"cell:{here}")
            self.number(*place.cell(i, j), values[i, j], form, size=size, gid=f"number:{here}")
        for i in np.flatnonzero(hidden):
            middle = place.middle[0], y + (i + 0.5) * height
            self.text(*middle, "no answer", gid=f"no-answer:{name}:{i}").set_bbox(on_paper())
        self.box(x, y, place.right - x, place.bottom - y, role=role, line=1.6)
        for i, j in marked:
            at = (x + j * width, y + i * height, width, height)
            self.box(*at, role="ink", line=2.2, gid=f"marked:{name}:{i}:{j}")
        for i, word in enumerate(rows):
            self.text(x - 0.1, place.cell(i, 0)[1], word, ha="right", role=row_role)
        for j, word in enumerate(columns):
            self.text(place.cell(0, j)[0], y - 0.14, word, role=column_role)
        if title:
            lift = 0.38 if len(columns) else 0.17
            self.text(place.middle[0], y - lift, title, role=role, bold=True)
        return place

    def pairs(self, values, x, y, queries: Names, keys: Names, **how) -> Placed:
        """Draw a grid with a row for each query and a column for each key, their names in their colours."""
        roles = {"row_role": "query", "column_role": "key"}
        return self.grid(values, x, y, rows=queries, columns=keys, **roles, **how)

    def minus_infinity(self, grid: Placed, name, allowed):
        """Write minus infinity into the forbidden cells of a grid of scores."""
        for i, j in np.argwhere(~np.asarray(allowed)):
            gid = f"minus-infinity:{name}:{i}:{j}"
            self.text(*grid.cell(i, j), MINUS + "\N{INFINITY}", gid=gid).set_bbox(on_paper())

    def totals(self, weights, grid: Placed, x):
        """Write at x, beside a grid of weights, the total of each row, or that there is none."""
        for i, row in enumerate(weights):
            y = grid.cell(i, 0)[1]
            if np.ma.getmaskarray(row).all():
                self.text(x, y, "none", role="muted", gid=f"no-total:{i}")
            else:
                self.number(x, y, row.sum(), ".3f", gid=f"number:totals:{i}:0")

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
