"""The checks behind the exercises: what a reader runs in place.

A check is a function of one argument, the reader's answer.  It raises `Wrong`
with a sentence that names the kind of mistake, or `NotYet` where there is no
answer; if it returns, the answer is right, and what it returns (a sentence or
None) is told with the good news::

    @exercise("3.1")
    def _(answer):
        got = number(answer, "the score")
        compare(got, 1.25, decimals=2, mistakes={"…": 2.5})
        return "It is the largest of the row."

One module a subject; the tools that read an answer and run a
reader's function are in ``tools.py``.
"""

import importlib
import pkgutil
import re
import warnings

import numpy as np

from scripts.exercises.tools import NotYet, Wrong, nothing_yet

__all__ = ["check", "exercise", "identities", "verdict"]

NO_ANSWER = "no answer yet. Put yours in place of None and run the cell."

_CHECKS = {}


def exercise(identity):
    """Register a function as the check of one exercise.

    Parameters
    ----------
    identity : str
        Section and number, such as ``"3.1"``.

    Raises
    ------
    ValueError
        If the identity has another form, or another function has it.
    """
    if not re.fullmatch(r"\d+\.\d+", identity):
        raise ValueError(f'an exercise is named like "3.1"; got {identity!r}')

    def register(function):
        known = _CHECKS.get(identity)
        if known is not None and known.__module__ != function.__module__:
            raise ValueError(f"exercise {identity} has two checks")
        _CHECKS[identity] = function
        return function

    return register


def _load():
    """Import every module of this package: each registers its exercises."""
    for module in pkgutil.iter_modules(__path__, f"{__name__}."):
        importlib.import_module(module.name)


def _find(identity):
    """Return the check of one exercise, importing its section's module."""
    if not isinstance(identity, str) or not re.fullmatch(r"\d+\.\d+", identity):
        raise ValueError(f'an exercise is named like "3.1"; got {identity!r}')
    _load()
    if identity not in _CHECKS:
        raise ValueError(f"no exercise is numbered {identity}")
    return _CHECKS[identity]


def identities(section):
    """Return the numbers of all exercises of a section, in order, such as ``["3.1", "3.2"]``."""
    _load()
    own = [identity for identity in _CHECKS if identity.startswith(f"{section}.")]
    return sorted(own, key=lambda identity: int(identity.split(".")[1]))


def verdict(identity, answer):
    """Judge an answer.

    Parameters
    ----------
    identity : str
        Section and number of the exercise, such as ``"3.1"``.
    answer : object
        Whatever the reader made.

    Returns
    -------
    ok : bool or None
        None where there is no answer yet.
    message : str
        A sentence, without the number of the exercise.

    Raises
    ------
    ValueError
        If there is no such exercise.  A wrong answer never raises.
    """
    judge = _find(identity)
    if nothing_yet(answer):
        return None, NO_ANSWER
    try:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            praise = judge(answer)
    except NotYet:
        return None, NO_ANSWER
    except Wrong as wrong:
        return False, f"not right yet: {wrong}"
    except Exception as error:  # whatever the reader made, the check answers with a sentence
        return False, (
            f"not right yet: the check could not read this answer ({type(error).__name__}); "
            "look again at the form that the task asks for."
        )
    return True, f"right. {praise}" if praise else "right."


def check(identity, answer):
    """Judge an answer and print the verdict as one line.

    Parameters
    ----------
    identity : str
        Section and number of the exercise, such as ``"3.1"``.
    answer : object
        Whatever the reader made; None if nothing yet.
    """
    print(f"Exercise {identity}: {verdict(identity, answer)[1]}")
