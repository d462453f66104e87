"""The pictures: one value handed to a drawing changed, or one thing drawn changed.

A value is changed by one unit in the last place that the picture shows of it,
found by trying; one that is shown as a length or a tint alone, by a twentieth.
Then the tests of the section, which compare what is drawn with what was
computed, must go red; the stored file, which is compared byte for byte, is
asked apart.  For sliders one frame is changed, in the middle.
"""

import ast
import dataclasses
import inspect
import re

import numpy as np

from mutation.running import Outcome, Task, tests

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
    heights[middle] += 0.02 * (np.ptp(heights) or abs(heights[middle]) or 1.0)
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
        self.file = f"tests/unit/test_{'widgets' if self.slider else 'draw_' + section}.py"
        self.original = getattr(draw, name)
        self.signature = inspect.signature(self.original)
        self.calls, self.current, self.drew = [], "", {}
        self.spoil = self.alter = None
        self.chosen = None
        setattr(draw, name, self)

    def __call__(self, *args, **kwargs):
        given = self.signature.bind(*args, **kwargs).arguments
        if self.chosen is None:
            self.calls.append(given)
            return self.original(*args, **kwargs)
        if plain(given) != self.chosen:
            return self.original(*args, **kwargs)
        self.drew.setdefault(self.current)
        if self.spoil:
            given = self.spoil(given)
        picture = self.original(**given)
        if self.alter:
            gid, change = self.alter
            (artist,) = picture.findobj(lambda one: one.get_gid() == gid)
            change(artist)
        return picture

    def pytest_runtest_setup(self, item):
        self.current = item.nodeid

    # ---- what is tried ----

    def outcomes(self):
        """Spoil every value and every family of artists, one at a time."""
        given = self.first_call()
        self.chosen = plain(given)
        self.original(**given)
        selection = [self.file]
        if self.slider:
            selection += ["-k", f"test_{self.identity.removeprefix('slider-').replace('-', '_')}"]
        code, witness = self.run(*selection)
        if code or not self.drew:
            told = witness.seen or "no test draws it"
            return [Outcome("pictures", self.identity, "", trouble=f"before any change: {told}")]
        nodes = [node for node in self.drew if node]
        found = []
        picture = self.original(**given)
        words = self.words(picture)
        before = picture.svg()
        for path, array in leaves(dict_as_list(given)):
            flat = int(np.flatnonzero(~np.ma.getmaskarray(array))[array.size // 2 % array.count()])
            spoil, told = self.one_unit(given, path, flat, words)
            if spoil is None:
                continue
            self.spoil = spoil
            found += self.judged("values handed to drawings", told, nodes, before, spoil(given))
            self.spoil = None
        for gid, what, change in alterations(picture):
            self.alter = gid, change
            found += self.judged("things drawn", f"{what} of {gid}", nodes, before, given)
            self.alter = None
        return found

    def first_call(self):
        """The values that the course itself hands to this drawing."""
        if self.slider:
            from scripts import widgets

            widgets.SLIDERS[self.identity.removeprefix("slider-")]()
            return self.calls[len(self.calls) * 2 // 5]
        from scripts.gallery import gallery

        gallery()[self.identity]()
        return self.calls[0]

    def one_unit(self, given, path, flat, words):
        """The smallest change of a value that the picture's words show, else a twentieth."""
        names, values = list(given), list(given.values())

        def spoiler(change):
            return lambda _: dict(zip(names, put(values, path, flat, change), strict=True))

        where = ".".join([names[path[0]], *map(str, path[1:]), str(flat)])
        for unit in UNITS:
            spoil = spoiler(one_more(unit))
            try:
                drawn = self.original(**spoil(given))
            except Exception as error:
                return spoil, f"{where} by {unit:g}, which {type(error).__name__} refuses"
            if self.words(drawn) != words:
                return spoil, f"{where} by {unit:g}"
        spoil = spoiler(lambda number: number * 1.05 if number else 0.05)
        drawn = self.original(**spoil(given))
        return spoil, f"{where} by a twentieth"

    @staticmethod
    def words(picture):
        """All that a picture writes, and says of itself."""
        return [text.get_text() for axes in picture.axes for text in axes.texts] + [
            picture.alt, picture.caption,
        ]

    def judged(self, kind, told, nodes, before, given):
        """Whether the tests tell, and whether the stored file would."""
        code, witness = self.run(*nodes)
        if code not in (0, 1, 2):
            return [Outcome(kind, self.identity, told, trouble=f"pytest ended with {code}")]
        killed = f"{witness.seen} ({witness.error})" if code else ""
        found = [Outcome(f"{kind}: against what was computed", self.identity, told, killed)]
        if not self.slider:
            try:
                picture = self.original(**given)
                if self.alter:
                    gid, change = self.alter
                    (artist,) = picture.findobj(lambda one: one.get_gid() == gid)
                    change(artist)
                differs = picture.svg() != before
            except Exception:
                differs = True
            told_by = f"figures/{self.identity}.svg" if differs else ""
            found.append(Outcome(f"{kind}: against the stored file", self.identity, told, told_by))
        return found

    def run(self, *selection):
        """Run tests afresh: nothing that a test module keeps is kept."""
        import sys

        for name in [n for n in sys.modules if n.startswith("test_")]:
            del sys.modules[name]
        return tests(*selection, plugins=[self])


def dict_as_list(given):
    """The values of a call, in their order."""
    return list(given.values())
