"""Every number that prose, captions and labels print, by id.

One module a section; each returns a dict from an id to a number, or to an
array of numbers.  Nothing is typed here that could be computed.
"""

from functools import cache

import numpy as np

from tools.facts import (
    pitfalls,
    section1,
    section2,
    section3,
    section4,
    section5,
    section6,
    section7,
    section8,
    section9,
)

SECTIONS = (
    section1,
    section2,
    section3,
    section4,
    section5,
    section6,
    section7,
    section8,
    section9,
    pitfalls,
)


@cache
def facts():
    """Return every fact: a dict from its id to a number or an array.

    Raises
    ------
    ValueError
        If two sections give an id different values, or a value is not a finite number.
    """
    found = {}
    for section in SECTIONS:
        for identity, value in section.facts().items():
            value = np.asarray(value)
            if value.dtype == object or not np.isfinite(value).all():
                raise ValueError(f"fact {identity!r} must hold finite numbers; got {value!r}")
            if identity in found and not np.array_equal(found[identity], value):
                raise ValueError(f"fact {identity!r} has two values: {found[identity]}, {value}")
            found[identity] = value
    return found


def plain():
    """Return the facts as plain numbers and nested lists, ready for JSON."""
    return {identity: value.tolist() for identity, value in facts().items()}
