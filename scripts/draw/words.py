"""Words that the alternative texts share, made from the numbers that are drawn.

An alternative text opens with the title of its picture, goes on with the point
and the layout, and then has one sentence for each row, which begins with the
name of the row.  So it can be cut between sentences: the site reads out the
opening, and lists the rest sentence by sentence.
"""

import re
from collections.abc import Iterable

from scripts.draw.canvas import Grid, Names
from scripts.numbers import listing, show, shows

ORDINALS = ("1st", "2nd", "3rd", "4th")
OPENING = 250  # letters that a reader hears in one go
ROW = re.compile(r"^[^:]+: .*\d")  # numbers behind a name: the row of a grid, a point of a plot


def ordinal(index):
    """Name a row or column that has no name of its own, counted from zero."""
    return ORDINALS[index] if index < len(ORDINALS) else f"{index + 1}th"


def quoted(names: Iterable[str]):
    """Tokens in a sentence: a word such as "the" must not be taken for part of it."""
    return listing(f"“{name}”" for name in names)


def by_rows(names: Iterable[str], grid: Grid, form):
    """Say a grid of numbers row by row, a sentence each."""
    return " ".join(f"{name}: {shows(row, form)}." for name, row in zip(names, grid, strict=True))


def foremost(names: Iterable[str], values, form, best=max):
    """Names of the largest value (``best=min``: of the smallest), by the digits that are drawn."""
    values = list(values)
    top = show(best(values), form)
    return [name for name, value in zip(names, values, strict=True) if show(value, form) == top]


def leanings(asking: Names, leaders: Names):
    """Say who puts most on whom, given the largest column of each row: rows with one leader go together."""
    groups = {}
    for name, leader in zip(asking, leaders, strict=True):
        groups.setdefault(leader, []).append(name)
    return "; ".join(
        f"{quoted(group)} put{'s' * (len(group) == 1)} most on “{leader}”" for leader, group in groups.items()
    )


def compared(one, other, smaller="smaller than", same="as large as", larger="larger than"):
    """Choose the words for how one number stands to another."""
    return smaller if one < other else larger if one > other else same


def between(values, form):
    """Where values lie, by the digits that are drawn: "at 1.00", "between 1.00 and 1.02"."""
    low, high = show(min(values), form), show(max(values), form)
    return f"at {low}" if low == high else f"between {low} and {high}"


def sentences(text):
    """Cut a text behind each full stop or question mark that a space follows."""
    return re.split(r"(?<=[.?]) ", text)


def opening(text, room=OPENING) -> tuple[str, list[str]]:
    """Cut an alternative text into what is read out at once and the sentences that follow.

    The opening has `room` letters at most, but its first sentence stays whole;
    rows are left together unless all of them fit.
    """
    if len(text) <= room:
        return text, []
    first, *rest = sentences(text)
    while rest and len(first) + 1 + len(rest[0]) <= room and not ROW.search(rest[0]):
        first += " " + rest.pop(0)
    return first, rest
