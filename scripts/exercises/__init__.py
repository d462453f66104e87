"""The checks behind the exercises: what a reader runs in place.

An exercise is data: what is right, and what each known mistake leads to, under
the sentence that names it (`exercise.py`).  One module a subject holds the
exercises of a section and the numbers of their tasks, as `score.QUERY`;
`answers.py` reads an answer and runs a reader's function.  Wrong versions that
the page on mistakes has too come from `scripts.pitfalls`.
"""

import importlib
import pkgutil
import re
import warnings

import numpy as np

from scripts.exercises.answers import NotYet, Wrong, nothing_yet
from scripts.exercises.exercise import EXERCISES

for _file in pkgutil.iter_modules(__path__):
    importlib.import_module(f"{__name__}.{_file.name}")

NO_ANSWER = "no answer yet. Put yours in place of None and run the cell."


def verdict(identity: str, answer: object) -> tuple[bool | None, str]:
    """Judge whatever a reader made for an exercise, such as ``"3.1"``: whether it is right, and a sentence.

    Where there is no answer yet, the first is None.  A wrong answer never raises; an
    exercise that does not exist is a `ValueError`.
    """
    if not isinstance(identity, str) or not re.fullmatch(r"\d+\.\d+", identity):
        raise ValueError(f'an exercise is named like "3.1"; got {identity!r}')
    if identity not in EXERCISES:
        raise ValueError(f"no exercise is numbered {identity}")
    exercise = EXERCISES[identity]
    if nothing_yet(answer):
        return None, NO_ANSWER
    try:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            exercise.examine(answer)
    except NotYet:
        return None, NO_ANSWER
    except Wrong as wrong:
        return False, f"not right yet: {wrong}"
    except Exception as error:  # whatever the reader made, the check answers with a sentence
        return False, (
            f"not right yet: the check could not read this answer ({type(error).__name__}); "
            "look again at the form that the task asks for."
        )
    return True, f"right. {exercise.praise}" if exercise.praise else "right."


def check(identity: str, answer: object) -> None:
    """Judge an answer and print the verdict as one line."""
    print(f"Exercise {identity}: {verdict(identity, answer)[1]}")
