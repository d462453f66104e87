"""A cell of a notebook changed together with what it stores: a sentence has to tell.

Every operator of every code cell is changed, and the notebook runs from its
first cell to its last.  No check here compares what a cell prints with what it
stores: it is as if both had been changed, as `make refresh` would do.  What can
tell is the text alone.

A change that alters nothing that any cell shows is none; one that raises an
error or a warning would be stored as such, and is told of by that.  Pictures
are not drawn here: what they show is for their own tests.  A cell of which no
change is told by a sentence is read by none, and is listed apart.
"""

import ast
import functools
import itertools
import re
import signal
import sys
import warnings
from pathlib import Path

import numpy as np

from tools import cells, notebooks, prose
from tools.mutation.operators import changed, variants
from tools.mutation.running import Outcome, Task, equivalents, outdated

SECONDS = 10  # for one run of a notebook
KIND = "cells changed with what they store"
UNREAD = "left alone: cells that no sentence reads"
NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:e[+-]\d+)?|True|False|nan|inf")


def tasks(root: Path) -> list[Task]:
    """One task a notebook."""
    paths = sorted(root.glob("book/[0-9]*.ipynb"))
    return [Task(KIND, path.name, functools.partial(change_all, path)) for path in paths]


def change_all(path):
    """Change every operator of every cell of a notebook."""
    file, found, made = f"book/{path.name}", [], set()
    same, before = equivalents(file), list(shown(path))
    if isinstance(before[-1], str):
        return [Outcome(KIND, file, "", trouble=f"red before any change: {before[-1]}")]
    signal.signal(signal.SIGALRM, late)
    for step in list(cells.walk(path)):
        source, identity = "".join(step.cell["source"]), step.cell["id"]
        if step.cell["cell_type"] == "code" and "exercises.check(" not in source:  # blanks for the reader
            changes = list(enumerate(variants(ast.parse(source))))
            made |= {(identity, one.change) for _, one in changes}
            kept = [
                (number, one)
                for number, one in changes
                if one.change not in same.get(identity, {}) and not only_rounds(one)
            ]
            found += cell(path, f"{file} cell {identity}", identity, source, kept, before)
    return found + outdated(KIND, file, made)


def only_rounds(one):
    """Whether a change is of how many decimals are shown: that is form, and the text has its own."""
    return bool(re.search(rf"round\((?:.*, )?{re.escape(one.change.split(' -> ')[0])}\)", one.context))


def cell(path, place, identity, source, changes, before):
    """Change one cell again and again."""
    found, read = [], False
    for number, one in changes:
        new = ast.unparse(changed(source, number))
        problem, error, moved = tried(
            path, lambda name, old, new=new: new if name == identity else old, before
        )
        read |= bool(problem)
        if problem or error or moved:
            told = f"{one.change}   in   {one.context}{moved}"
            found.append(Outcome(KIND, place, told, problem or error))
    if read:
        return found
    # Where all that could be told of is an error, the cell shows nothing but a picture.
    return [Outcome(UNREAD, place, source, "-") for one in found if not one.killed_by][:1]


def tried(path, change, before):
    """What a sentence says of a change, or else the error, or else the cell that shows something new."""
    moved = ""
    signal.alarm(SECONDS)
    try:
        for got, was in itertools.zip_longest(shown(path, change), before):
            if isinstance(got, str):
                return got, "", ""
            if not moved and not alike(was[1], got[1]):
                moved = f", which cell {got[0]} shows"
    except (TimeoutError, cells.CellError) as error:
        return "", str(error).splitlines()[0], ""
    finally:
        signal.alarm(0)
    return "", "", moved


def late(*_):
    raise TimeoutError("does not end")


def shown(path, change=None):
    """Yield what each code cell shows, and the first problem of the text, which ends it."""
    with warnings.catch_warnings():
        warnings.simplefilter("error", RuntimeWarning)
        for step in cells.walk(path, change=change):
            if step.cell["cell_type"] == "code":
                output = step.printed + in_full(step.value)
                for what, pattern in notebooks.UNSTABLE.items():
                    if pattern.search(output):
                        raise cells.CellError(f"cell {step.cell['id']} stores {what}")
                if not output:
                    raise cells.CellError(f"cell {step.cell['id']} has no output that could be compared")
                yield step.cell["id"], output
            elif problems := prose.check_numerals("".join(step.cell["source"]), path.name, step.names):
                yield str(problems[0]).replace("\n", " ")
                return


def in_full(value):
    """What a cell's last line shows, to the last digit; of a picture no more than that it is one."""
    if value is None:
        return ""
    with np.printoptions(precision=17, threshold=sys.maxsize, suppress=True):
        return "a picture" if isinstance(value, cells.Undrawn) else repr(value)


def alike(old, new):
    """Whether two outputs have the same numbers, to the last place that the old one shows, and truths."""
    old, new = NUMBER.findall(old), NUMBER.findall(new)
    places = max((len(number.partition(".")[2]) for number in old), default=0)
    if len(old) != len(new):
        return False
    for one, other in zip(old, new, strict=True):
        numbers = one[-1].isdigit() and other[-1].isdigit()
        if one != other and not (numbers and abs(float(one) - float(other)) <= 0.51 / 10**places):
            return False
    return True
