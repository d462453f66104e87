"""Read a reader's answer, run a reader's function, and say what is wrong in a sentence."""

import copy

import numpy as np

__all__ = [
    "NotYet",
    "Wrong",
    "booleans",
    "call",
    "choice",
    "compare",
    "matches",
    "nothing_yet",
    "number",
    "numbers",
    "parts",
    "trials",
]


class Wrong(Exception):
    """The answer is not right; the text says in what way."""


class NotYet(Exception):
    """There is no answer to judge."""


# --------------------------------------------------------------------------
# Answers that are numbers or words
# --------------------------------------------------------------------------


def nothing_yet(answer):
    """Whether an answer is None, or a list, tuple or dict of nothing but None."""
    if isinstance(answer, dict):
        answer = list(answer.values())
    if isinstance(answer, (list, tuple)) and answer:
        return all(nothing_yet(part) for part in answer)
    return answer is None


def _holds_none(answer):
    if isinstance(answer, dict):
        answer = list(answer.values())
    if isinstance(answer, (list, tuple)):
        return any(_holds_none(part) for part in answer)
    return answer is None


def numbers(answer, shape, what="the answer", *, strict=False):
    """Return an answer as an array of floats of the given shape.

    Parameters
    ----------
    answer : object
        Numbers, lists, tuples or arrays.
    shape : tuple of int
    what : str
        What the message calls it; the subject of a sentence in the singular.
    strict : bool
        Axes of length one that are too many are forgiven unless strict.

    Returns
    -------
    ndarray

    Raises
    ------
    Wrong
        If it holds no numbers, other than finite ones, or has another shape.
    """
    if _holds_none(answer):
        raise Wrong(f"{what} is not complete: a None is left in it.")
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
    if array.shape != shape:
        turned = array.ndim == 2 and array.shape == shape[::-1]
        raise Wrong(
            f"{what} has {_form(array.shape)}; {_form(shape)} {_verb(shape)} wanted."
            + " Rows and columns seem to have changed places." * turned
        )
    if not np.isfinite(array).all():
        raise Wrong(f"{what} holds NaN or infinity.")
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


def number(answer, what="the answer"):
    """Return an answer that is one number as a float, or raise `Wrong`."""
    return float(numbers(answer, (), what))


def booleans(answer, shape, what="the answer"):
    """Return an answer as an array of booleans of the given shape, or raise `Wrong`."""
    if _holds_none(answer):
        raise Wrong(f"{what} is not complete: a None is left in it.")
    try:
        array = np.asarray(answer)
    except Exception:
        raise Wrong(f"{what} cannot be read as a grid of True and False.") from None
    if array.dtype != bool:
        raise Wrong(f"{what} does not hold booleans; True and False are wanted.")
    if array.shape != tuple(shape):
        raise Wrong(f"{what} has {_form(array.shape)}; {_form(tuple(shape))} {_verb(shape)} wanted.")
    return array


def choice(answer, options, what="the answer"):
    """Return an answer that is one word of several, in the spelling of `options`, or raise `Wrong`."""
    if not isinstance(answer, str):
        raise Wrong(f"{what} should be a word in quotation marks, one of: {', '.join(options)}.")
    for option in options:
        if answer.strip().casefold() == option.casefold():
            return option
    raise Wrong(f"{what} should be one of: {', '.join(options)}.")


def parts(answer, names, what="the answer"):
    """Return the parts of an answer that has several, in order.

    Parameters
    ----------
    answer : object
        A dict with these names, or a list, tuple or array in this order.
    names : sequence of str
    what : str

    Returns
    -------
    list

    Raises
    ------
    Wrong
        If there are more, fewer or other parts, or one is still None.
    """
    wanted = ", ".join(names)
    if isinstance(answer, dict):
        if set(answer) != set(names):
            raise Wrong(f"{what} should have the parts {wanted}.")
        found = [answer[name] for name in names]
    elif isinstance(answer, (list, tuple)) or (isinstance(answer, np.ndarray) and answer.ndim):
        found = list(answer)
    else:
        raise Wrong(f"{what} should have {len(names)} parts: {wanted}.")
    if len(found) != len(names):
        raise Wrong(f"{what} has {len(found)} parts; these are wanted: {wanted}.")
    for name, part in zip(names, found, strict=True):
        if part is None:
            raise Wrong(f"{what} is not complete: {name} is still None.")
    return found


# --------------------------------------------------------------------------
# Comparing
# --------------------------------------------------------------------------


def matches(got, want, decimals=None):
    """Whether numbers agree.

    Parameters
    ----------
    got, want : array_like
    decimals : int, optional
        Agree when rounded to so many decimals (either way at a tie); without
        it, to a millionth of the largest number.

    Returns
    -------
    bool
        False too where the shapes differ; NaN and infinity agree with nothing.
    """
    got, want = np.asarray(got, dtype=float), np.asarray(want, dtype=float)
    if got.shape != want.shape or not (np.isfinite(got).all() and np.isfinite(want).all()):
        return False
    if decimals is None:
        room = 1e-6 * max(1.0, np.abs(want).max(initial=0.0))
    else:
        room = 0.5 * 10.0**-decimals * 1.0001
    return bool((np.abs(got - want) <= room).all())


def compare(got, want, what="the answer", *, decimals=None, mistakes=None):
    """Return quietly if numbers agree; else raise `Wrong`, naming the mistake if it is known.

    Parameters
    ----------
    got, want : array_like
        Of equal shape (see `numbers`).
    what : str
        What the message calls it.
    decimals : int, optional
        As `matches`.
    mistakes : dict of str to array_like, optional
        Sentences and the numbers that each of these mistakes leads to.

    Raises
    ------
    Wrong
    """
    if matches(got, want, decimals):
        return
    for sentence, wrong in (mistakes or {}).items():
        if matches(got, wrong, decimals):
            raise Wrong(sentence)
    got, want = np.asarray(got, dtype=float), np.asarray(want, dtype=float)
    if got.ndim == 0:
        raise Wrong(f"{what} is {'too large' if got > want else 'too small'}.")
    if got.shape != want.shape:
        raise Wrong(f"{what} has {_form(got.shape)}; {_form(want.shape)} {_verb(want.shape)} wanted.")
    off = sum(not matches(g, w, decimals) for g, w in zip(got.flat, want.flat, strict=True))
    raise Wrong(f"{what} differs from what comes out in {off} of its {want.size} numbers.")


# --------------------------------------------------------------------------
# Answers that are functions
# --------------------------------------------------------------------------


def call(function, *arguments, what="your function", **named):
    """Run a reader's function on copies, and see that it left them alone.

    Parameters
    ----------
    function : callable
    *arguments, **named : object
        What it is given; arrays are copied first.
    what : str
        What the message calls it.

    Returns
    -------
    object
        Whatever the function returned.

    Raises
    ------
    NotYet
        If it returned None.
    Wrong
        If it is no function, raised an error, or changed what it was given.
    """
    if not callable(function):
        raise Wrong(f"{what} is wanted itself, not what it returns: give its name, without brackets.")
    given, also = copy.deepcopy(arguments), copy.deepcopy(named)
    try:
        result = function(*given, **also)
    except (NotYet, Wrong):
        raise
    except Exception as error:
        told = " ".join(str(error).split())[:120]
        raise Wrong(f"{what} stopped with {type(error).__name__}: {told}") from None
    before = [*arguments, *named.values()]
    after = [*given, *also.values()]
    for old, new in zip(before, after, strict=True):
        if isinstance(old, np.ndarray) and not (
            old.shape == new.shape and np.array_equal(old, new, equal_nan=old.dtype.kind == "f")
        ):
            raise Wrong(f"{what} changes the numbers that it is given; work on a copy.")
    if result is None:
        raise NotYet
    return result


def trials(function, cases, reference, what="the result", slips=None):
    """Run a reader's function on several inputs and compare each result.

    Parameters
    ----------
    function : callable
        The reader's.
    cases : iterable of tuple
        Arguments, one tuple a run.
    reference : callable
        Gives the right result as an array.
    what : str
        What messages call a result.
    slips : dict of str to callable, optional
        Sentences, and functions that make the mistake which the sentence names.
        One that fails on a case (for want of a fitting shape) is passed over.

    Raises
    ------
    NotYet, Wrong
    """
    for arguments in cases:
        want = np.asarray(reference(*arguments), dtype=float)
        got = numbers(call(function, *arguments), want.shape, what, strict=True)
        if matches(got, want):
            continue
        for sentence, slip in (slips or {}).items():
            try:
                slipped = matches(got, slip(*copy.deepcopy(arguments)))
            except (ValueError, IndexError):
                continue
            if slipped:
                raise Wrong(sentence)
        compare(got, want, what)
