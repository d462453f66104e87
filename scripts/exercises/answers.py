"""Read a reader's answer, run a reader's function, and say what is wrong in a sentence."""

import copy
from collections.abc import Callable, Mapping, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray


class Wrong(Exception):
    """The answer is not right; the text says in what way."""


class Stopped(Wrong):
    """The reader's function raised an error, which is the cause of this one."""


class NotYet(Exception):
    """There is no answer to judge."""


# --------------------------------------------------------------------------
# Answers that are numbers
# --------------------------------------------------------------------------


def _leaves(answer):
    if isinstance(answer, dict):
        answer = list(answer.values())
    if isinstance(answer, (list, tuple)):
        return [leaf for part in answer for leaf in _leaves(part)]
    return [answer]


def nothing_yet(answer: object) -> bool:
    """Whether an answer is None, or a list, tuple or dict of nothing but None."""
    leaves = _leaves(answer)
    return bool(leaves) and all(leaf is None for leaf in leaves)


def _complete(answer, what):
    if any(leaf is None for leaf in _leaves(answer)):
        raise Wrong(f"{what} is not complete: a None is left in it.")


def numbers(
    answer: object, shape: Sequence[int], what="the answer", *, strict=False, nan: str | None = None
) -> NDArray[np.float64]:
    """Return an answer, in lists, tuples or arrays, as floats of the given shape, or raise `Wrong`.

    Axes of length one that are too many are forgiven unless `strict`.  `what` is the
    subject of the message, in the singular; `nan` is the one for NaN and infinity.
    """
    _complete(answer, what)
    if callable(answer):
        raise Wrong(f"{what} is a function; the numbers themselves are wanted.")
    if np.ma.isMaskedArray(answer) and np.ma.is_masked(answer):
        raise Wrong(f"{what} has places without a value.")
    try:
        plain = np.asarray(answer)
        if plain.dtype.kind in "USmM":
            raise Wrong(f"{what} is text; numbers are wanted, without quotation marks.")
        if plain.dtype.kind == "b":
            raise Wrong(f"{what} holds True and False; numbers are wanted.")
        if plain.dtype.kind == "c":
            raise TypeError
        if plain.dtype.kind == "O" and any(isinstance(part, (str, bool)) for part in plain.flat):
            raise Wrong(f"{what} holds something that is not a number.")
        array = plain.astype(float)
    except Wrong:
        raise
    except Exception:
        raise Wrong(
            f"{what} cannot be read as numbers (rows of unequal length, or something else among them)."
        ) from None
    shape = tuple(shape)
    if array.shape != shape and not strict:
        squeezed = tuple(n for n in array.shape if n != 1)
        if squeezed == tuple(n for n in shape if n != 1):
            array = array.reshape(shape)
    if not shape and array.size == 1 and array.shape:
        raise Wrong(f"{what} is an array that holds one number; the number itself is wanted.")
    if array.shape != shape:
        turned = array.ndim == 2 and array.shape == shape[::-1]
        raise Wrong(
            f"{what} has {_form(array.shape)}; {_form(shape)} {_verb(shape)} wanted."
            + " Rows and columns seem to have changed places." * turned
        )
    if not np.isfinite(array).all():
        raise Wrong(nan or f"{what} holds NaN or infinity.")
    return array


def _form(shape):
    if not shape:
        return "one number"
    if len(shape) == 1:
        return f"{shape[0]} number{'s' * (shape[0] != 1)}"
    if len(shape) == 2:
        rows, columns = shape
        return f"{rows} row{'s' * (rows != 1)} of {columns}"
    return f"shape {tuple(shape)}"


def _verb(shape):
    return "is" if not shape or len(shape) > 2 or shape[0] == 1 else "are"


def number(answer: object, what="the answer") -> float:
    """Return an answer that is one number as a float, or raise `Wrong`."""
    return float(numbers(answer, (), what))


def booleans(answer: object, shape: Sequence[int], what="the answer") -> NDArray[np.bool_]:
    """Return an answer as an array of booleans of the given shape, or raise `Wrong`."""
    _complete(answer, what)
    try:
        array = np.asarray(answer)
    except Exception:
        raise Wrong(f"{what} cannot be read as a grid of True and False.") from None
    if array.dtype != bool:
        raise Wrong(f"{what} does not hold booleans; True and False are wanted.")
    if array.shape != tuple(shape):
        raise Wrong(f"{what} has {_form(array.shape)}; {_form(tuple(shape))} {_verb(shape)} wanted.")
    return array


def parts(answer: object, names: Sequence[str]) -> list:
    """Return the parts of an answer, in order; raise `Wrong` if one is None, missing or too many.

    The answer is a dict with these names, or a list, tuple or array in this order.
    """
    wanted = ", ".join(names)
    if isinstance(answer, dict):
        if set(answer) != set(names):
            raise Wrong(f"the answer should have the parts {wanted}.")
        found = [answer[name] for name in names]
    elif isinstance(answer, (list, tuple)) or (isinstance(answer, np.ndarray) and answer.ndim):
        found = list(answer)
    else:
        raise Wrong(f"the answer should have {len(names)} parts: {wanted}.")
    if len(found) != len(names):
        raise Wrong(f"the answer has {len(found)} parts; these are wanted: {wanted}.")
    for name, part in zip(names, found, strict=True):
        if part is None:
            raise Wrong(f"the answer is not complete: {name} is still None.")
    return found


# --------------------------------------------------------------------------
# Comparing
# --------------------------------------------------------------------------


def matches(got: ArrayLike, want: ArrayLike, decimals: int | None = None) -> bool:
    """Whether numbers agree when rounded to so many decimals (either way at a tie).

    Without `decimals` they may differ by a millionth of the largest number.
    Other shapes do not agree, and NaN and infinity agree with nothing.
    """
    got, want = np.asarray(got, dtype=float), np.asarray(want, dtype=float)
    if got.shape != want.shape or not (np.isfinite(got).all() and np.isfinite(want).all()):
        return False
    if decimals is None:
        room = 1e-6 * max(1.0, np.abs(want).max(initial=0.0))
    else:
        room = 0.5 * 10.0**-decimals * 1.0001
    return bool((np.abs(got - want) <= room).all())


def name_mistake(
    got: ArrayLike,
    mistakes: Mapping[str, ArrayLike | Callable],
    arguments: tuple = (),
    *,
    decimals: int | None = None,
    when="",
) -> None:
    """Raise `Wrong` with the sentence of the mistake that leads to these numbers, if one does.

    A mistake that fails on the `arguments`, for want of a fitting shape, is passed over.
    `decimals` are those of `matches`; `when` begins the sentence.
    """
    for sentence, wrong in mistakes.items():
        try:
            known = matches(got, wrong(*copy.deepcopy(arguments)) if callable(wrong) else wrong, decimals)
        except (ValueError, IndexError):
            continue
        if known:
            raise Wrong(when + sentence)


def compare(
    got: ArrayLike,
    want: ArrayLike,
    what="the answer",
    mistakes: Mapping[str, ArrayLike | Callable] | None = None,
    arguments: tuple = (),
    *,
    decimals: int | None = None,
    when="",
) -> None:
    """Return quietly if numbers of equal shape agree; else raise `Wrong`, naming the mistake if it is known.

    What messages call the numbers is `what`; the rest is as in `name_mistake`.
    """
    if matches(got, want, decimals):
        return
    name_mistake(got, mistakes or {}, arguments, decimals=decimals, when=when)
    got, want = np.asarray(got, dtype=float), np.asarray(want, dtype=float)
    if got.ndim == 0:
        raise Wrong(f"{what} is {'too large' if got > want else 'too small'}.")
    off = sum(not matches(g, w, decimals) for g, w in zip(got.flat, want.flat, strict=True))
    raise Wrong(f"{what} differs from what comes out in {off} of its {want.size} numbers.")


# --------------------------------------------------------------------------
# Answers that are functions
# --------------------------------------------------------------------------


def call(function: object, *arguments: object, what="your function") -> object:
    """Run a reader's function on copies, and see that it left them alone.

    `Wrong` is raised if it is no function, raised an error (`Stopped`) or changed an array
    that it was given, `NotYet` if it returned None.
    """
    if not callable(function):
        raise Wrong(f"{what} is wanted itself, not what it returns: give its name, without brackets.")
    given = copy.deepcopy(arguments)
    try:
        result = function(*given)
    except Exception as error:
        told = " ".join(str(error).split())[:120]
        raise Stopped(f"{what} stopped with {type(error).__name__}: {told}") from error
    for old, new in zip(arguments, given, strict=True):
        if isinstance(old, np.ndarray) and not (
            old.shape == new.shape and np.array_equal(old, new, equal_nan=old.dtype.kind == "f")
        ):
            raise Wrong(f"{what} changes the numbers that it is given; work on a copy.")
    if result is None:
        raise NotYet
    return result
