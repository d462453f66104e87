"""Pictures of a vector that moves: tokens of two numbers, places in a plane."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np
from matplotlib.patches import Polygon

from scripts.draw.canvas import Canvas, Grid, Picture, picture
from scripts.draw.style import COLOURS, LABEL, MEASURE, SMALL, TINT
from scripts.draw.tokens import wide
from scripts.draw.words import foremost, quoted
from scripts.numbers import listing, show, shows
from scripts.plane import FILLERS, SENSES, SENTENCES, TELLING, THING, WORDS, Reading, read

MARGIN = 0.45  # around all that is drawn, in units of the plane
NAMED = 0.5  # inches: an arrow that is longer has the name of its word
HEAD = 0.16  # inches: an arrow that is shorter is drawn without a head


# --------------------------------------------------------------------------
# The plane
# --------------------------------------------------------------------------


def path(reading: Reading) -> Grid:
    """Places on the way of "cube": where it stood, and after each move."""
    return reading.stood + np.vstack([np.zeros(2), reading.moves.cumsum(axis=0)])  # (n + 1, 2)


def region(readout: Grid, sense: int, reach) -> Grid:
    """Corners of the part of a rectangle in which the score of one sense is the largest."""
    left, right, bottom, top = reach
    corners = np.array([[left, bottom], [right, bottom], [right, top], [left, top]])
    for other in range(readout.shape[1]):
        lead = corners @ (readout[:, sense] - readout[:, other])  # how far the sense is ahead, at each corner
        kept = []
        for i in range(len(corners)):
            j = (i + 1) % len(corners)
            if lead[i] >= 0:
                kept.append(corners[i])
            if lead[i] * lead[j] < 0:
                kept.append(corners[i] + (corners[j] - corners[i]) * lead[i] / (lead[i] - lead[j]))
        corners = np.array(kept).reshape(-1, 2)
    return corners


def free_place(corners: Grid, taken: Grid, flat=0.35) -> Grid:
    """The place in a region that lies farthest from its edges and from all that is drawn there.

    Words are wide: a distance sideways counts only so much of one up or down.
    """
    corners, taken = corners * (flat, 1), taken * (flat, 1)
    ends = zip(corners.min(axis=0), corners.max(axis=0), strict=True)
    axes = [np.linspace(low, high, 45)[1:-1] for low, high in ends]
    places = np.stack(np.meshgrid(*axes), axis=-1).reshape(-1, 2)
    sides = np.roll(corners, -1, axis=0) - corners
    gaps = places[:, None] - corners  # (places, corners, 2)
    inside = (sides[:, 0] * gaps[..., 1] - sides[:, 1] * gaps[..., 0]) / np.hypot(*sides.T)
    away = np.hypot(*(places[:, None] - taken).transpose(2, 0, 1)).min(axis=1)
    return places[np.minimum(inside.min(axis=1), away).argmax()] / (flat, 1)


def reach_of(readings: Sequence[Reading]):
    """A rectangle with room for all words and all ways: left, right, bottom, top."""
    places = np.vstack([readings[0].parameters["table"], *(path(reading) for reading in readings)])
    (left, bottom), (right, top) = places.min(axis=0) - MARGIN, places.max(axis=0) + MARGIN
    return left, right, bottom, top


@dataclass(frozen=True)
class Plane:
    """A rectangle of the plane on a sheet, to one scale both ways."""

    sheet: Canvas
    x: float
    y: float
    scale: float  # inches a unit
    reach: tuple[float, float, float, float]
    written: list = field(default_factory=list)  # where words stand: left, right, top, bottom, in inches

    def at(self, place):
        """Where a place of the plane lies on the sheet."""
        left, _, _, top = self.reach
        return self.x + (place[0] - left) * self.scale, self.y + (top - place[1]) * self.scale

    @classmethod
    def on(cls, sheet: Canvas, y, height, reach):
        """The largest that fits between y and y + height, in the middle of the sheet."""
        left, right, bottom, top = reach
        scale = min((MEASURE - 0.2) / (right - left), height / (top - bottom))
        return cls(sheet, (MEASURE - scale * (right - left)) / 2, y, scale, reach)

    def ground(self, readout: Grid, chosen=()):
        """Draw the regions, those of the chosen senses with a tint, and the two axes."""
        left, right, bottom, top = self.reach
        for k, sense in enumerate(SENSES):
            corners = region(readout, k, self.reach)
            if len(corners) < 3:
                continue
            face = (COLOURS["output"], TINT) if sense in chosen else "none"
            outline = {"edgecolor": COLOURS["muted"], "linewidth": 1.0, "clip_on": False, "zorder": 0.5}
            points = [self.at(corner) for corner in corners]
            self.sheet.axes.add_artist(
                Polygon(points, closed=True, facecolor=face, gid=f"region:{sense}", **outline)
            )
        for ends in (((left, 0), (right, 0)), ((0, bottom), (0, top))):
            xs, ys = zip(*(self.at(end) for end in ends), strict=True)
            self.sheet.line(xs, ys, role="faint", width=0.8).set_zorder(0.6)

    def dot(self, place, *, role, hollow=False, size=7, gid=None):
        """Draw a place as a dot."""
        x, y = self.at(place)
        face = COLOURS["paper"] if hollow else COLOURS[role]
        look = {"color": COLOURS[role], "markerfacecolor": face, "markeredgewidth": 1.6, "clip_on": False}
        self.sheet.axes.plot([x], [y], "o", ms=size, gid=gid, zorder=5, **look)

    def move(self, start, end, *, role="value", width=2.0, gid=None):
        """Draw an arrow from place to place; a short one without its head."""
        a, b = self.at(start), self.at(end)
        if np.hypot(b[0] - a[0], b[1] - a[1]) < HEAD:
            self.sheet.line(*zip(a, b, strict=True), role=role, width=width, gid=gid).set_zorder(3)
        else:
            self.sheet.arrow(a, b, role=role, width=width, gid=gid).set_zorder(3)

    def label(self, place, words, *shifts, size=SMALL, role="muted", **how):
        """Write words near a place, where no others stand.

        Parameters
        ----------
        place
            In the plane.
        words : str
        shifts : tuple of (float, float, str)
            Inches to the right and down, and how the words lie there: "left", "center" or "right".  The
            first that is free is taken, or, where none is, the first.
        """
        x, y = self.at(place)
        width, half = wide(words, size) * (1.2 if how.get("bold") else 1.02), 0.65 * size / 72

        def box(across, down, ha):
            left = x + across - width * {"left": 0, "center": 0.5, "right": 1}[ha]
            return left, left + width, y + down - half, y + down + half

        def free(shift):
            left, right, top, bottom = box(*shift)
            level = (one for one in self.written if one[2] < bottom and top < one[3])
            return (
                left > 0.1 and right < MEASURE - 0.1 and all(one[0] > right or left > one[1] for one in level)
            )

        shift = next(filter(free, shifts), shifts[0])
        self.written.append(box(*shift))
        text = self.sheet.text(x + shift[0], y + shift[1], words, role=role, size=size, ha=shift[2], **how)
        text.set_zorder(6)

    def kinds(self, table: Grid):
        """Name of each kind of word, the middle of the places where they stand, and the side of its label."""
        for name, words in {
            "other words": FILLERS,
            **{f"words of {k}": v for k, v in TELLING.items()},
        }.items():
            place = np.mean([table[WORDS.index(word)] for word in words], axis=0)
            yield name, place, -1 if place[0] < -0.3 else 1

    def words(self, table: Grid):
        """Draw every word as a dot where it stands, and name each kind of word once."""
        for i, place in enumerate(np.unique(table[1:], axis=0)):
            self.dot(place, role="token", size=5, gid=f"dot:words:{i}")
        for name, place, side in self.kinds(table):
            shift = (0.1 * side, 0, "left" if side > 0 else "right")
            self.label(place, name, shift, gid=f"label:{name}")

    def ring(self, place, *shifts):
        """Draw where "cube" stands before it moves."""
        self.dot(place, role="token", size=9, hollow=True, gid="stood")
        self.label(place, THING, *shifts, role="ink", size=LABEL, bold=True)

    def taken(self, table: Grid, readings: Sequence[Reading]) -> Grid:
        """Places that dots, names and ways of these readings cover."""
        ways = [step for reading in readings for step in path(reading)]
        halves = [(a + b) / 2 for reading in readings for a, b in pairwise(path(reading))]
        names = [
            place + np.array([side * inches / self.scale, 0])
            for _, place, side in self.kinds(table)
            for inches in (0.3, 0.7, 1.1)
        ]
        return np.vstack([table, ways, halves, names])

    def way(self, reading: Reading, new: str, name=""):
        """Draw the moves of "cube" head to tail, a line from where it stood to where it lands, and its new name.

        The words of long arrows stand on one side of the line, the new name on the other.
        """
        places, whole = path(reading), reading.landed - reading.stood
        steep = abs(whole[1]) > abs(whole[0])
        above, below, right, left = (
            (0, -0.19, "center"),
            (0, 0.2, "center"),
            (0.12, 0, "left"),
            (-0.12, 0, "right"),
        )
        over = True  # whether the line lies over the arrows
        for i, (start, end) in enumerate(pairwise(places)):
            self.move(start, end, gid=f"move:{name}{i}")
            if self.scale * np.hypot(*(end - start)) > NAMED:
                here = start + 0.6 * (end - start)
                line = reading.stood + whole * np.dot(here - reading.stood, whole) / np.dot(whole, whole)
                over = line[1] > here[1]
                beside = (0, 0.15, "center") if over else (0, -0.12, "center")
                sides = (right, left) if steep else (beside, above, below)
                self.label(here, reading.words[i], *sides, role="ink")
        xs, ys = zip(self.at(reading.stood), self.at(reading.landed), strict=True)
        line = self.sheet.line(xs, ys, role="output", width=1.6, dashed=True, gid=f"mixture:{name}")
        line.set_zorder(2)
        self.dot(reading.landed, role="output", size=9, gid=f"landed:{name}")
        first = (whole[1] > 0) if steep else over
        beyond, back = (above, below) if first else (below, above)
        x, half = self.at(reading.landed)[0], wide(new) / 2 + 0.2
        clear = min(max(x, half), MEASURE - half) - x  # so that it stays on the sheet
        beyond, back = ((clear, down, ha) for _, down, ha in (beyond, back))
        self.label(reading.landed, new, beyond, left, right, back, role="ink", bold=True)


def room(word: str) -> float:
    """Width in inches that a word and its weight take."""
    return max(wide(word), 0.34) + 0.16


def lines_of(words: Sequence[str]) -> list[list[int]]:
    """Cut a sentence into lines that fit the sheet: numbers of the words in each."""
    lines, used = [[]], 0.0
    for i, word in enumerate(words):
        if used + room(word) > MEASURE - 0.2:
            lines.append([])
            used = 0.0
        lines[-1].append(i)
        used += room(word)
    return lines


def sentence(sheet: Canvas, reading: Reading, y, pitch=0.62) -> float:
    """Write a sentence, each word over its weight, the "cube" that asks in bold; return where it ends."""
    for line in lines_of(reading.words):
        x = (MEASURE - sum(room(reading.words[i]) for i in line)) / 2
        for i in line:
            word, weight, width = reading.words[i], float(reading.weights[i]), room(reading.words[i])
            here = i == reading.place
            middle = x + width / 2
            sheet.text(middle, y + 0.1, word, bold=here, va="baseline", role="query" if here else "key")
            box = (x + 0.02, y + 0.17, width - 0.04, 0.3)
            sheet.box(*box, fill="weight", opacity=weight, gid=f"cell:weights:0:{i}")
            sheet.number(middle, y + 0.33, weight, ".2f", size=SMALL, gid=f"number:weights:0:{i}")
            x += width
        y += pitch
    return y


def decided(reading: Reading) -> bool:
    """Whether one sense is more likely than all others together."""
    return bool(reading.chances.max() > 0.5)


def _in_words(reading: Reading) -> str:
    """Where a sentence carries "cube", for the alternative text."""
    said, (best, *_) = " ".join(reading.words), foremost(SENSES, reading.chances, ".9f")
    if not decided(reading):
        return f"“{said}” leaves “{THING}” near where the regions meet."
    unasked = "" if reading.telling else ", though no word tells"
    return f"“{said}” carries “{THING}” into the region of {best}{unasked}."


def _weights_in_words(reading: Reading) -> str:
    """Which words get most, for the alternative text."""
    each = show(reading.weights.max(), ".2f")
    if show(reading.weights.min(), ".2f") == each:
        return f"Every word gets the same, {each}."
    best = list(dict.fromkeys(foremost(reading.words, reading.weights, ".2f")))
    return f"Most goes to {quoted(best)}, {each}{' each' * (len(best) > 1)}."


def _each(reading: Reading) -> str:
    """Every word with its weight."""
    pairs = zip(reading.words, reading.weights, strict=True)
    return listing(f"{word} {show(weight, '.2f')}" for word, weight in pairs)


def draw_moves(reading: Reading, among: Sequence[Reading] = (), full=False) -> Picture:
    """Draw how one sentence carries "cube" through the plane; without an id, for sliders too.

    Parameters
    ----------
    reading
        What `scripts.plane.read` returns.
    among
        There is room for all of these; if not given, for the sentences of `scripts.plane` and this one.
    full
        Whether the alternative text has the title and every weight; a slider's has not.
    """
    top, height = 0.54 + 0.62 * len(lines_of(reading.words)), 3.85
    among = among or [read(one, reading.parameters) for one in (*SENTENCES, " ".join(reading.words))]
    table, readout = reading.parameters["table"], reading.parameters["read"]
    reach = reach_of(among)
    sheet = Canvas(top + height + 0.1, f"A sentence moves “{THING}” through the plane")
    sentence(sheet, reading, 0.52)
    plane = Plane.on(sheet, top, height, reach)
    plane.ground(readout, [reading.sense] if decided(reading) else ())
    taken = plane.taken(table, among)
    for k, (sense, chance) in enumerate(zip(SENSES, reading.chances, strict=True)):
        corners = region(readout, k, reach)
        if len(corners) > 2:
            words = f"{sense} {show(chance, '.2f')}"
            how = {"role": "ink", "bold": True, "gid": f"number:chances:{k}"}
            plane.label(free_place(corners, taken), words, (0, 0, "center"), **how)
    plane.words(table)
    plane.ring(reading.stood, (-0.1, 0.17, "right"), (0.1, 0.17, "left"), (0, -0.2, "center"))
    plane.way(reading, f"new “{THING}”")
    return sheet.done(
        caption=f"Tokens of two entries are points in a plane, and the word “{THING}” begins at the ring. The arrows, "
        "head to tail, are the values of all words, each times its weight. They are added to the point where it "
        "began, and the region in which it lands says what it means.",
        alt=f"{_in_words(reading)} {_weights_in_words(reading)} From {shows(reading.stood, '+.1f')} it moves to "
        f"{shows(reading.landed, '+.2f')}. Chances: "
        + listing(f"{s} {show(c, '.2f')}" for s, c in zip(SENSES, reading.chances, strict=True))
        + "."
        + f" Weights: {_each(reading)}." * full,
        titled=full,
    )


@picture("cube-moves")
def cube_moves(reading: Reading) -> Picture:
    """Draw how one sentence carries "cube" through the plane: what `scripts.plane.read` returns."""
    return draw_moves(reading, full=True)


@picture("cube-carried")
def cube_carried(readings: Sequence[Reading]) -> Picture:
    """Draw where several sentences carry one and the same "cube"."""
    top, height = 0.45 + 0.3 * len(readings), 2.9
    table = readings[0].parameters["table"]
    ways = np.vstack([np.zeros(2), *(path(reading) for reading in readings)])
    (left, bottom), (right, highest) = (
        ways.min(axis=0) - np.array([0.8, 1.5]),
        ways.max(axis=0) + np.array([0.8, 1.0]),
    )
    reach = left, right, bottom, highest
    sheet = Canvas(top + height + 0.1, f"One word “{THING}”, carried to its sense by its sentence")
    for k, reading in enumerate(readings):
        words = f"“{' '.join(reading.words)}”: {reading.sense}"
        sheet.text(0.12, 0.56 + 0.3 * k, words, ha="left", va="baseline", gid=f"sentence:{k}")
    plane = Plane.on(sheet, top, height, reach)
    readout = readings[0].parameters["read"]
    plane.ground(readout, [reading.sense for reading in readings])
    plane.ring(readings[0].stood, (0, 0.2, "center"))
    for k, reading in enumerate(readings):
        plane.way(reading, f"{THING} of {reading.sense}", f"{k}:")
    taken = np.vstack([table, *(path(reading) for reading in readings)])
    for k in sorted({*range(len(SENSES))} - {SENSES.index(reading.sense) for reading in readings}):
        corners = region(readout, k, reach)
        if len(corners) > 2:
            how = {"size": LABEL, "gid": f"region-name:{k}"}
            plane.label(free_place(corners, taken), SENSES[k], (0, 0, "center"), **how)
    return sheet.done(
        caption=f"Each token has two entries, and so is a point in the plane. Whatever the sentence, the word "
        f"“{THING}” begins at the ring. Every word gives it a push, which is weight times value, and the "
        "region in which it ends says what it means.",
        alt=f"A plane with {show(len(SENSES), 'd')} regions, {listing(SENSES)}. The ring of “{THING}” stands at "
        f"{shows(readings[0].stood, '+.1f')}. From there arrows, head to tail, lead to where it ends. "
        + " ".join(
            f"“{' '.join(one.words)}”: it ends in the region of {one.sense}, at "
            f"{shows(one.landed, '+.2f')}. {_weights_in_words(one)}"
            for one in readings
        ),
    )


@picture("equally-right")
def equally_right(readings: Sequence[Reading], names: Sequence[str]) -> Picture:
    """Draw the weights of one sentence in heads that were trained from different starts.

    Parameters
    ----------
    readings
        The same sentence, read by each head.
    names
        Of the heads.
    """
    first = readings[0]
    left, right, high = 0.86, 1.0, 0.4
    agreed = len({reading.sense for reading in readings}) == 1
    title = "One answer, and weights that differ" if agreed else "One sentence, and answers that differ"
    cell = ((MEASURE - left - right - 0.1) / len(first.words), high)
    sheet = Canvas(1.3 + high * len(readings), title)
    grid = sheet.pairs(
        np.array([reading.weights for reading in readings]),
        left,
        0.98,
        names,
        first.words,
        name="weights",
        form=".2f",
        fill="weight",
        cell=cell,
        size=SMALL,
    )
    sheet.text(left - 0.1, 0.84, "start", role="query", ha="right")
    sheet.text(grid.right + 0.14, 0.84, "lands in", ha="left", role="muted")
    for i, reading in enumerate(readings):
        words = f"{reading.sense} {show(reading.chances.max(), '.2f')}"
        sheet.text(
            grid.right + 0.14, grid.cell(i, 0)[1], words, ha="left", bold=True, gid=f"number:chance:{i}"
        )
    return sheet.done(
        caption=f"What “{THING}” takes from each word of one sentence, in heads that were trained alike from "
        "different random starts, and the region in which it lands, with its chance.",
        alt=f"{f'All end in the region of {first.sense}. ' if agreed else ''}A matrix with a row for each head and a column for each word, {quoted(first.words)}. "
        + " ".join(
            f"Start {name}: {_each(one)}; it lands in {one.sense}, {show(one.chances.max(), '.2f')}."
            for name, one in zip(names, readings, strict=True)
        ),
    )
