"""Run a notebook's cells in this process: no kernel, the same values.

The text check evaluates its markers in the names that the cells above them
have made; the tests look at the pictures that a reader sees.  Both walk
through the notebook here.
"""

import ast
import contextlib
import functools
import io
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from tools import notebooks

NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:e[+-]\d+)?")


class CellError(Exception):
    """A cell that failed: which one, and what it said."""


class Undrawn:
    """Stands in for a module of pictures or sliders where nobody looks at them."""

    def __getattr__(self, name):
        return lambda *args, **kwargs: self


@dataclass
class Step:
    """One cell, after it ran."""

    cell: dict  # as the notebook stores it
    # What the cells so far have made; `_` is what the nearest of them shows, pictures left
    # out: the value of its last line, or the printed numbers.
    names: dict
    value: object = None  # of the last line of a code cell
    printed: str = ""


def walk(path, drawing=False, change=None, sliders=True) -> Iterator[Step]:
    """Run a notebook's code cells in order and stop at every cell.

    Without `drawing`, pictures are left out, and all ten notebooks take a third of a
    second; of what is drawn, sliders take most of the time.  `change` is given the id and
    the source of a code cell and returns the source to run instead.
    """
    from scripts import draw, widgets

    names = {"__name__": "__main__"}
    with np.printoptions():
        for cell in notebooks.cells(path):
            source = "".join(cell["source"])
            if cell["cell_type"] != "code":
                yield Step(cell, names)
                continue
            if change:
                source = change(cell["id"], source)
            printed = io.StringIO()
            with contextlib.redirect_stdout(printed):
                try:
                    value = run(source, names)
                except Exception as error:
                    said = f"cell {cell['id']}: {type(error).__name__}: {error}"
                    raise CellError(f"{Path(path).name} {said}") from error
            for name, module, drawn in (("draw", draw, drawing), ("widgets", widgets, drawing and sliders)):
                if not drawn and names.get(name) is module:
                    names[name] = Undrawn()
            is_picture = isinstance(value, Undrawn) or hasattr(value, "_repr_mimebundle_")
            if value is not None and not is_picture:
                names["_"] = value
            elif numbers := NUMBER.findall(printed.getvalue()):
                names["_"] = np.array([float(number) for number in numbers])
            yield Step(cell, names, value, printed.getvalue())


def run(source, names):
    """Run the source of a cell and return the value of its last line, None if it has none."""
    tree = ast.parse(source)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, "cell", "exec"), names)
    if last is not None:
        return eval(compile(ast.Expression(last.value), "cell", "eval"), names)
    return None


@functools.cache
def pictures(path, sliders=True):
    """Return what a notebook draws, by id: every `Picture` and every `Slider`, as the reader sees it."""
    from scripts.draw.canvas import Picture
    from scripts.widgets import Slider

    found = {}
    for step in walk(path, drawing=True, sliders=sliders):
        if isinstance(step.value, Picture):
            found[step.value.id] = step.value
        elif isinstance(step.value, Slider):
            found[f"slider-{step.value.name}"] = step.value
    return found


def draw_picture(identity):
    """Return one picture of the course, as the cell of its notebook draws it."""
    return pictures(_places()[identity], sliders=False)[identity]


@functools.cache
def _places():
    return {stored.id: stored.path for stored in notebooks.stored_pictures()}
