"""The pictures: one value handed to a drawing changed, or one thing drawn changed.

A value is changed by one unit in the last place that the picture shows of it,
found by trying; one that is shown as a length or a tint alone, by a twentieth;
one that changes nothing that is drawn or said is no drawn value.  The tests of
the section, which compare what is drawn with what was computed, must tell, or
else the stored file and caption, which are compared letter by letter.  Sliders
are stored nowhere whole: of them one frame is changed, and the tests must tell.
"""

import ast
import dataclasses
import inspect
import re
import sys
from pathlib import Path

import numpy as np

from tools.mutation.running import Outcome, Task, ask

FIGURES = Path("figures")

UNITS = (0.0001, 0.001, 0.01, 0.1, 1.0)


def tasks(root):
    """One task a picture, one a slider."""
    found = []
    for path in sorted(root.glob("scripts/draw/*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef):
                for mark in node.decorator_list:
                    if isinstance(mark, ast.Call) and getattr(mark.func, "id", "") == "picture":
                        identity = mark.args[0].value
                        section = path.stem

                        def work(identity=identity, section=section):
                            return Spoiler(identity, section).outcomes()

                        found.append(Task("pictures", identity, work))
    return sorted(found, key=lambda task: not task.place.startswith("slider-"))  # the slowest first


# --------------------------------------------------------------------------
# Values within values
# --------------------------------------------------------------------------


def leaves(value, path=()):
    """Yield (path, array) for everything within a value that holds numbers."""
    if dataclasses.is_dataclass(value):
        for field in dataclasses.fields(value):
            yield from leaves(getattr(value, field.name), (*path, field.name))
    elif isinstance(value, (bool, int, float, np.number, np.bool_, np.ndarray)):
        if np.asarray(value).dtype.kind in "bif" and np.size(value):
            yield path, np.ma.asarray(value)
    elif isinstance(value, (list, tuple, range)) and len(value):
        if all(isinstance(one, (bool, int, float, np.number, np.bool_)) for one in value):
            yield path, np.ma.asarray(value)
        else:
            for i, one in enumerate(value):
                yield from leaves(one, (*path, i))


def put(value, path, flat, change):
    """A copy of a value in which one number, found by path and flat index, is changed."""
    if path:
        head, *rest = path
        if dataclasses.is_dataclass(value):
            return dataclasses.replace(value, **{head: put(getattr(value, head), rest, flat, change)})
        new = list(value)
        new[head] = put(value[head], rest, flat, change)
        return type(value)(new)
    if isinstance(value, np.ndarray):
        new = value.copy()
        new.flat[flat] = change(new.flat[flat])
        return new
    if isinstance(value, (list, tuple, range)):
        new = list(value)
        new[flat] = change(new[flat])
        return new if isinstance(value, range) else type(value)(new)
    return change(value)


def plain(value):
    """Something by which two values can be told to be the same."""
    if dataclasses.is_dataclass(value):
        return plain(dataclasses.asdict(value))
    if isinstance(value, dict):
        return {name: plain(one) for name, one in value.items()}
    if isinstance(value, np.ndarray):
        return np.ma.getmaskarray(value).tolist(), np.ma.getdata(value).tolist()
    if isinstance(value, (list, tuple)):
        return [plain(one) for one in value]
    return repr(value)


def one_more(unit):
    """A change by one unit; of a truth, to its opposite; of a whole number, by one."""

    def change(number):
        if isinstance(number, (bool, np.bool_)):
            return not number
        if isinstance(number, (int, np.integer)):
            return number + 1
        return number + unit

    return change


# --------------------------------------------------------------------------
# Things drawn
# --------------------------------------------------------------------------


def families(picture):
    """Named artists by what they are: ``number:weights``, ``bar:moved``, and so on."""
    found = {}
    for artist in picture.findobj(lambda one: bool(one.get_gid())):
        parts = artist.get_gid().split(":")
        name = ":".join(part for part in parts if not part.isdigit())
        found.setdefault(name, []).append(artist)
    return found


def alterations(picture):
    """Yield (gid, what, alter) for one artist of every family; `alter` changes that artist."""
    for artists in families(picture).values():
        middle = artists[len(artists) // 2]
        if hasattr(middle, "get_text"):
            numeral = next((a for a in artists[len(artists) // 2 :] if re.search(r"\d", a.get_text())), None)
            if numeral is not None:
                yield numeral.get_gid(), "last digit", _last_digit
        elif hasattr(middle, "get_ydata"):
            if np.size(middle.get_ydata()) > 2 or not middle.get_gid().startswith("line:scores"):
                yield middle.get_gid(), "height of a point", _point
        else:
            yield from _patch(middle, artists)


def _patch(middle, artists):
    gid = middle.get_gid()

    def differ(read):
        return len({round(float(read(one)), 6) for one in artists}) > 1

    if gid.startswith("marked:"):
        yield gid, "outline taken away", lambda one: one.remove()
    if gid.startswith(("cell:", "square:cell")) and differ(lambda one: one.get_facecolor()[3]):
        chosen = next(one for one in artists if 0.05 < one.get_facecolor()[3] < 0.9)
        yield chosen.get_gid(), "tint", _tint
    if gid.startswith(("bar:", "rectangle:", "square:")) and hasattr(middle, "set_width"):
        alone = len(artists) == 1
        chosen = max(artists, key=lambda one: one.get_width() * one.get_height())
        if alone or differ(lambda one: one.get_width()):
            yield chosen.get_gid(), "width", lambda one: one.set_width(1.03 * one.get_width())
        if alone or differ(lambda one: one.get_height()):
            yield chosen.get_gid(), "height", lambda one: one.set_height(1.03 * one.get_height())
    if gid.startswith(("arrow:", "line:")) and differ(lambda one: one.get_linewidth()):
        yield gid, "thickness", lambda one: one.set_linewidth(1.05 * one.get_linewidth())


def _last_digit(text):
    words = text.get_text()
    at = max(i for i, letter in enumerate(words) if letter.isdigit())
    text.set_text(words[:at] + str((int(words[at]) + 1) % 10) + words[at + 1 :])


def _point(line):
    heights = np.array(line.get_ydata(), float)
    middle = len(heights) // 2
    middle -= int(np.isnan(heights[middle]))
    heights[middle] += 0.02 * (np.nanmax(heights) - np.nanmin(heights) or abs(heights[middle]) or 1.0)
    line.set_ydata(heights)


def _tint(patch):
    *colour, opacity = patch.get_facecolor()
    patch.set_facecolor((*colour, min(1.0, opacity + 0.05)))


# --------------------------------------------------------------------------
# A drawing function that can be told to draw something else
# --------------------------------------------------------------------------


class Spoiler:
    """Stands in the place of one drawing function and spoils what it is given or what it draws."""

    def __init__(self, identity, section):
        from scripts import draw

        self.identity, self.slider = identity, identity.startswith("slider-")
        name = identity.replace("-", "_")
        stems = ("widgets",) if self.slider else (f"draw_{section}", section)
        files = [Path(f"tests/unit/test_{stem}.py") for stem in stems]
        self.file = next(str(file) for file in files if file.exists())
        self.original = getattr(draw, name)
        self.signature = inspect.signature(self.original)
        self.calls, self.current, self.drew = [], "", {}
        self.spoil = self.alter = None
        self.chosen, self.kept = None, {}
        setattr(draw, name, self)

    def __call__(self, *args, **kwargs):
        bound = self.signature.bind(*args, **kwargs)
        bound.apply_defaults()
        given = bound.arguments
        if self.chosen is None:
            self.calls.append(given)
            return self.original(*args, **kwargs)
        if (told := repr(plain(given))) != self.chosen:  # as text: NaN is not equal to itself
            return self.kept_picture(told, given)
        self.drew.setdefault(self.current)
        if self.spoil:
            given = self.spoil(given)
        picture = self.original(**given)
        if self.alter:
            gid, change = self.alter
            (artist,) = picture.findobj(lambda one: one.get_gid() == gid)
            change(artist)
        return picture

    def kept_picture(self, told, given):
        """The other frames of a slider are drawn once for all changes of one."""
        if not self.slider:
            return self.original(**given)
        if told not in self.kept:
            self.kept[told] = self.original(**given)
        return self.kept[told]

    def pytest_runtest_setup(self, item):
        self.current = item.nodeid

    # ---- what is tried ----

    def outcomes(self):
        """Spoil every value and every family of artists, one at a time."""
        given = self.first_call()
        self.chosen = repr(plain(given))
        self.original(**given)
        selection = [self.file]
        if self.slider:
            selection += ["-k", f"test_{self.identity.removeprefix('slider-').replace('-', '_')}"]
        code, witness = self.run(*selection)
        if code:
            return [Outcome("pictures", self.identity, "", trouble=f"before any change: {witness.seen}")]
        nodes = [node for node in self.drew if node]
        picture = self.original(**given)
        before = self.stored(picture)
        if not self.slider and before != self.on_file(picture):
            return [Outcome("pictures", self.identity, "", trouble="the stored file is not what is drawn")]
        found = []
        for name, value in given.items():
            for path, array in leaves(value):
                if not array.count():
                    continue
                present = np.flatnonzero(~np.ma.getmaskarray(array))
                flat = int(present[len(present) // 2])
                spoil, told = self.one_unit(given, (name, *path), flat, before)
                if spoil:
                    self.spoil = spoil
                    found.append(self.judged("values handed to drawings", told, nodes, before, given))
                    self.spoil = None
        for gid, what, change in alterations(picture):
            self.alter = gid, change
            found.append(self.judged("things drawn", f"{what} of {gid}", nodes, before, given))
            self.alter = None
        return found

    def first_call(self):
        """The values that the course itself hands to this drawing."""
        if self.slider:
            from scripts import widgets

            # How frames are taken apart for the page has tests of its own.
            widgets.take_apart = lambda pictures, prefix: ("", "", [""] * len(pictures))
            widgets.SLIDERS[self.identity.removeprefix("slider-")]()
            return self.calls[len(self.calls) * 2 // 5]
        from tools.gallery import gallery

        gallery()[self.identity]()
        return self.calls[0]

    def one_unit(self, given, path, flat, before):
        """The smallest change of a value that the picture's words show, else a twentieth."""
        name, *rest = path

        def spoiler(change):
            return lambda values: {**values, name: put(values[name], rest, flat, change)}

        where = ".".join(map(str, [*path, flat]))
        for unit in UNITS:
            spoil = spoiler(one_more(unit))
            try:
                drawn = self.original(**spoil(given))
            except Exception as error:
                return spoil, f"{where} by {unit:g}, which {type(error).__name__} refuses"
            if self.words(drawn) != before[1:]:
                return spoil, f"{where} by {unit:g}"
        spoil = spoiler(lambda number: number * 1.05 if number else 0.05)
        if self.stored(self.original(**spoil(given))) == before:
            return None, "not drawn"
        return spoil, f"{where} by a twentieth"

    @staticmethod
    def words(picture):
        """All that a picture writes, and says of itself."""
        written = [text.get_text() for axes in picture.axes for text in axes.texts]
        return written, picture.alt, picture.caption

    def stored(self, picture):
        """All of a picture that could be told from another."""
        return picture.svg(), *self.words(picture)

    def on_file(self, picture):
        """The same, with the drawing read from its file."""
        return (FIGURES / f"{self.identity}.svg").read_text(encoding="utf-8"), *self.words(picture)

    def judged(self, kind, told, nodes, before, given):
        """Which test tells, or else whether the stored file does."""
        code, witness = self.run(*nodes) if nodes else (0, None)
        if code in (1, 2):
            return Outcome(kind, self.identity, told, f"{witness.seen} ({witness.error})")
        if code:
            return Outcome(kind, self.identity, told, trouble=f"pytest ended with {code}")
        if self.slider:
            return Outcome(kind, self.identity, told)
        try:
            differs = self.stored(self(**given)) != before
        except Exception as error:
            return Outcome(kind, self.identity, told, f"{type(error).__name__} when drawn")
        return Outcome(kind, self.identity, told, f"figures/{self.identity}.svg" if differs else "")

    def run(self, *selection):
        """Run tests afresh: nothing that a test module keeps is kept."""
        for name in [n for n in sys.modules if n.startswith("test_")]:
            del sys.modules[name]
        return ask(*selection, plugins=[self])
