"""The machinery of the exercises: verdicts never raise, and every exercise is complete."""

import json
import re
from fractions import Fraction
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from scripts import exercises
from scripts.exercises import tools
from scripts.exercises.tools import NotYet, Wrong
from tools import language

BOOK = Path(__file__).resolve().parents[2] / "book"
SECTIONS = range(1, 8)


# --- verdict and check ------------------------------------------------------


@pytest.mark.parametrize("nothing", [None, [None, None], (None,), {"a": None, "b": [None]}])
def test_none_is_no_answer_yet(nothing):
    ok, message = exercises.verdict("1.1", nothing)
    assert ok is None and message == exercises.NO_ANSWER


@pytest.mark.parametrize("section", SECTIONS)
@pytest.mark.parametrize(
    "strange",
    ["text", 7, True, [], {}, object(), [[1, 2], [3]], np.array([np.nan]), lambda: 1, lambda *a: a,
     lambda *a: 1 / 0, [1, None], {"weights": 1}, 1j, np.ma.masked, np.zeros((2, 2, 2)), "3", b"x",
     float("inf"), [["a"]], range(3), iter([1]), {1, 2}, type, lambda *a: "text"],
    ids=lambda strange: type(strange).__name__,
)  # fmt: skip
def test_strange_answers_get_a_sentence(section, strange):
    for identity in exercises.identities(section):
        ok, message = exercises.verdict(identity, strange)
        assert ok is False and message.startswith("not right yet: "), (identity, message)


def test_check_prints_one_line(capsys):
    exercises.check("1.1", None)
    exercises.check("1.1", [2.5, 2])
    exercises.check("1.1", [0, 0])
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == f"Exercise 1.1: {exercises.NO_ANSWER}"
    assert lines[1].startswith("Exercise 1.1: right.")
    assert lines[2].startswith("Exercise 1.1: not right yet:") and len(lines) == 3


@pytest.mark.parametrize("identity", ["1.99", "99.1", "one", 1.1, None, "1"])
def test_unknown_exercises_are_named(identity):
    with pytest.raises(ValueError, match="exercise"):
        exercises.verdict(identity, 1)


def test_an_exercise_has_one_check():
    exercises.identities(1)
    with pytest.raises(ValueError, match="two checks"):
        exercises.exercise("1.1")(lambda answer: None)
    with pytest.raises(ValueError, match="named like"):
        exercises.exercise("first")


# --- reading answers --------------------------------------------------------


@pytest.mark.parametrize(
    "answer", [[1, 2.5], (1, 2.5), np.array([[1, 2.5]]), [Fraction(1), Fraction(5, 2)], np.float32([1, 2.5])]
)
def test_numbers_come_in_many_forms(answer):
    np.testing.assert_allclose(tools.numbers(answer, (2,)), [1, 2.5])


@pytest.mark.parametrize(
    ("answer", "told"),
    [("12", "text"), (["1", "2"], "text"), ([True, False], "True and False"), ([1, None], "None"),
     ([1, 2, 3], "3 numbers; 2 numbers are wanted"), ([[1, 2], [3]], "cannot be read"),
     ([1, np.nan], "NaN"), (np.sum, "function"), (np.ma.array([1, 2], mask=[0, 1]), "without a value")],
)  # fmt: skip
def test_what_is_no_row_of_numbers_is_named(answer, told):
    with pytest.raises(Wrong, match=told):
        tools.numbers(answer, (2,))


def test_a_grid_on_its_side_is_named():
    with pytest.raises(Wrong, match="changed places"):
        tools.numbers(np.zeros((3, 2)), (2, 3))
    with pytest.raises(Wrong, match="1 row of 2"):
        tools.numbers(np.zeros((1, 2)), (2,), strict=True)


def test_booleans_choice_and_parts():
    assert tools.booleans([[True, False]], (1, 2)).tolist() == [[True, False]]
    for wrong in ([[1, 0]], [[True]], None, [[True], [True, False]]):
        with pytest.raises(Wrong):
            tools.booleans(wrong, (1, 2))
    assert tools.choice(" Rows ", ["rows", "columns"]) == "rows"
    for wrong in ("row", 1, None):
        with pytest.raises(Wrong, match="rows, columns"):
            tools.choice(wrong, ["rows", "columns"])
    assert tools.parts({"b": 2, "a": 1}, ["a", "b"]) == tools.parts((1, 2), ["a", "b"]) == [1, 2]
    for wrong in ({"a": 1}, [1], 5, "ab", [1, None]):
        with pytest.raises(Wrong):
            tools.parts(wrong, ["a", "b"])


def test_comparing_forgives_rounding_and_nothing_else():
    assert tools.matches(0.67, 2 / 3, 2) and tools.matches(2 / 3, 2 / 3, 2)
    assert not tools.matches(0.66, 2 / 3, 2) and not tools.matches([1], [1, 1])
    assert not tools.matches(np.nan, 1) and not tools.matches(1, np.inf)
    with pytest.raises(Wrong, match="turned"):
        tools.compare([2, 1], [1, 2], mistakes={"turned": [2, 1]})
    with pytest.raises(Wrong, match="1 of its 2 numbers"):
        tools.compare([1, 1], [1, 2])
    with pytest.raises(Wrong, match="too small"):
        tools.compare(1, 2)


# --- running functions ------------------------------------------------------


def _spoil(array):
    array += 1
    return array


def test_a_function_is_run_on_copies_and_must_leave_them_alone():
    given = np.ones(3)
    with pytest.raises(Wrong, match="changes the numbers"):
        tools.call(_spoil, given)
    assert (given == 1).all()
    with pytest.raises(NotYet):
        tools.call(lambda array: None, given)
    with pytest.raises(Wrong, match="ZeroDivisionError"):
        tools.call(lambda array: 1 / 0, given)
    with pytest.raises(Wrong, match="without brackets"):
        tools.call(np.ones(3), given)


def test_trials_name_the_slip():
    cases = [(np.array([1.0, 2.0]),), (np.array([3.0, 4.0]),)]
    slips = {"fails": lambda x: np.ones(2) @ np.ones(3), "halved": lambda x: x / 2}
    tools.trials(lambda x: 2 * x, cases, lambda x: 2 * x)
    with pytest.raises(Wrong, match="halved"):
        tools.trials(lambda x: x / 2, cases, lambda x: 2 * x, slips=slips)
    with pytest.raises(Wrong, match="differs"):
        tools.trials(lambda x: np.array([2.0, 4.0]), cases, lambda x: 2 * x, slips=slips)


# --- the notebooks ----------------------------------------------------------

HEADING = re.compile(rf"^### (?:{language.EXERCISE}) (\d+\.\d+) — \S.*$", re.M)
GRADE = re.compile(rf"\*{language.GRADE}\*")
DETAILS = re.compile(r"<details><summary>(.*?)</summary>\n\n(.*?)\n\n</details>", re.S)
FENCE = re.compile(r"^```python.*?\n(.*?)^```", re.M | re.S)
IMPORT = re.compile(r"^(?:import|from) .+$", re.M)
CHECK = re.compile(r'^exercises\.check\("(\d+\.\d+)", (\w+)\)$', re.M)


def cells(section):
    (path,) = BOOK.glob(f"{section}-*.ipynb")
    return json.loads(path.read_text(encoding="utf-8"))["cells"]


def notebook_exercises(section):
    """Yield (identity, Markdown, code cell) of every exercise of a notebook."""
    found = cells(section)
    for cell, after in pairwise(found):
        text = "".join(cell["source"])
        if cell["cell_type"] == "markdown" and (heading := HEADING.search(text)):
            yield heading[1], text[heading.start() :], after


@pytest.mark.parametrize("section", SECTIONS)
def test_every_exercise_is_complete(section):
    shown = list(notebook_exercises(section))
    assert len(shown) >= 3
    assert [identity for identity, _, _ in shown] == exercises.identities(section)
    for identity, text, after in shown:
        assert GRADE.search(text), identity
        hint, solution = (title for title, _ in DETAILS.findall(text))
        assert re.fullmatch(language.HINT, hint) and re.fullmatch(language.SOLUTION, solution), identity
        source = "".join(after["source"])
        assert CHECK.search(source)[1] == identity and source.endswith(")")
        (output,) = after["outputs"]
        assert "".join(output["text"]) == f"Exercise {identity}: {exercises.NO_ANSWER}\n"


@pytest.mark.parametrize("section", SECTIONS)
def test_the_solutions_own_code_is_accepted(section):
    sources = ["".join(cell["source"]) for cell in cells(section) if cell["cell_type"] == "code"]
    imports = "\n".join(line for source in sources for line in IMPORT.findall(source))
    ran = 0
    for identity, text, after in notebook_exercises(section):
        (_, _), (_, solution) = DETAILS.findall(text)
        name = CHECK.search("".join(after["source"]))[2]
        if code := FENCE.search(solution):
            space = {}
            exec(f"{imports}\n{code[1]}", space)
            assert exercises.verdict(identity, space[name])[0] is True, identity
            ran += 1
    assert ran  # what is done by hand may end in a sentence


@pytest.mark.parametrize("section", SECTIONS)
def test_every_choice_of_the_self_test_is_explained(section):
    text = "\n\n".join("".join(c["source"]) for c in cells(section) if c["cell_type"] == "markdown")
    _, quiz = re.split(rf"^## (?:{language.QUIZ})$", text, flags=re.M)
    questions = re.split(r"^\*\*[^*]+\*\*$", quiz, flags=re.M)[1:]
    assert 2 <= len(questions) <= 4
    for question in questions:
        told = [explained.split()[0].strip(".,:") for _, explained in DETAILS.findall(question)]
        assert len(told) >= 3 and question.count("<details>") == len(told)
        assert told.count("Right") == 1 and told.count("No") == len(told) - 1, question
