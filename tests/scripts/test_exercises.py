"""The machinery of the exercises: verdicts never raise, and each known mistake is named by its own sentence."""

from fractions import Fraction

import numpy as np
import pytest

from scripts import exercises
from scripts.exercises import answers, verdict
from scripts.exercises.answers import NotYet, Stopped, Wrong
from scripts.exercises.exercise import EXERCISES, Exercise

# --- every exercise ---------------------------------------------------------


MISTAKES = [
    pytest.param(
        exercise,
        sentence,
        id=f"{identity}-{sentence[:40]}",
        # The numbers of 2.2 are the example's: in another one, two mistakes may come to the same.
        marks=pytest.mark.published_example if identity == "2.2" else (),
    )
    for identity, exercise in EXERCISES.items()
    for sentence in exercise.mistakes
]


@pytest.mark.parametrize(("exercise", "sentence"), MISTAKES)
def test_every_mistake_is_named_by_its_sentence(exercise, sentence):
    answer = exercise.mistakes[sentence]
    if isinstance(answer, dict):
        answer = {**exercise.want, **answer}
    ok, message = verdict(exercise.identity, answer)
    assert ok is False and message.endswith(sentence), message


@pytest.mark.parametrize("identity", EXERCISES)
def test_nothing_is_no_answer_yet(identity):
    want = EXERCISES[identity].want
    parts = dict.fromkeys(want) if isinstance(want, dict) else [None, None]
    for nothing in (None, (None,), parts, {"a": None, "b": [None]}):
        assert verdict(identity, nothing) == (None, exercises.NO_ANSWER)


@pytest.mark.parametrize(
    "strange",
    ["text", 7, True, [], {}, object(), [[1, 2], [3]], np.array([np.nan]), lambda: 1, lambda *a: a,
     lambda *a: 1 / 0, [1, None], {"weights": 1}, 1j, np.ma.masked, np.zeros((2, 2, 2)), "3", b"x",
     float("inf"), [["a"]], range(3), iter([1]), {1, 2}, type, lambda *a: "text"],
    ids=lambda strange: type(strange).__name__,
)  # fmt: skip
def test_strange_answers_get_a_sentence(strange):
    for identity in EXERCISES:
        ok, message = verdict(identity, strange)
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
        verdict(identity, 1)


@pytest.mark.parametrize("identity", ["1.1", "first"])
def test_an_exercise_has_a_number_of_its_own(identity):
    with pytest.raises(ValueError, match="and once"):
        Exercise(identity, want=1)


# --- reading answers --------------------------------------------------------


@pytest.mark.parametrize(
    "answer", [[1, 2.5], (1, 2.5), np.array([[1, 2.5]]), [Fraction(1), Fraction(5, 2)], np.float32([1, 2.5])]
)
def test_numbers_come_in_many_forms(answer):
    np.testing.assert_allclose(answers.numbers(answer, (2,)), [1, 2.5])


@pytest.mark.parametrize(
    ("answer", "told"),
    [("12", "text"), (["1", "2"], "text"), ([True, False], "True and False"), ([1, None], "None"),
     ([1, 2, 3], "3 numbers; 2 numbers are wanted"), ([[1, 2], [3]], "cannot be read"),
     ([1, np.nan], "NaN"), (np.sum, "function"), (np.ma.array([1, 2], mask=[0, 1]), "without a value")],
)  # fmt: skip
def test_what_is_no_row_of_numbers_is_named(answer, told):
    with pytest.raises(Wrong, match=told):
        answers.numbers(answer, (2,))


def test_a_grid_on_its_side_is_named():
    with pytest.raises(Wrong, match="changed places"):
        answers.numbers(np.zeros((3, 2)), (2, 3))
    with pytest.raises(Wrong, match="1 row of 2"):
        answers.numbers(np.zeros((1, 2)), (2,), strict=True)


def test_booleans_and_parts():
    assert answers.booleans([[True, False]], (1, 2)).tolist() == [[True, False]]
    for wrong in ([[1, 0]], [[True]], None, [[True], [True, False]]):
        with pytest.raises(Wrong):
            answers.booleans(wrong, (1, 2))
    assert answers.parts({"b": 2, "a": 1}, ["a", "b"]) == answers.parts((1, 2), ["a", "b"]) == [1, 2]
    for wrong in ({"a": 1}, [1], 5, "ab", [1, None]):
        with pytest.raises(Wrong):
            answers.parts(wrong, ["a", "b"])


def test_comparing_forgives_rounding_and_nothing_else():
    assert answers.matches(0.67, 2 / 3, 2) and answers.matches(2 / 3, 2 / 3, 2)
    assert not answers.matches(0.66, 2 / 3, 2) and not answers.matches([1], [1, 1])
    assert not answers.matches(np.nan, 1) and not answers.matches(1, np.inf)
    with pytest.raises(Wrong, match="turned"):
        answers.compare([2, 1], [1, 2], mistakes={"turned": [2, 1]})
    with pytest.raises(Wrong, match="1 of its 2 numbers"):
        answers.compare([1, 1], [1, 2])
    with pytest.raises(Wrong, match="too small"):
        answers.compare(1, 2)


# --- running functions ------------------------------------------------------


def _spoil(array):
    array += 1
    return array


def test_a_function_is_run_on_copies_and_must_leave_them_alone():
    given = np.ones(3)
    with pytest.raises(Wrong, match="changes the numbers"):
        answers.call(_spoil, given)
    assert (given == 1).all()
    with pytest.raises(NotYet):
        answers.call(lambda array: None, given)
    with pytest.raises(Stopped, match="ZeroDivisionError"):
        answers.call(lambda array: 1 / 0, given)
    with pytest.raises(Wrong, match="without brackets"):
        answers.call(np.ones(3), given)


def test_a_mistake_that_fails_on_a_case_is_passed_over():
    mistakes = {"fails": lambda x: np.ones(2) @ np.ones(3), "halved": lambda x: x / 2}
    doubled, given = np.array([2.0, 4.0]), np.array([1.0, 2.0])
    answers.compare(2 * given, doubled, mistakes=mistakes, arguments=(given,))
    with pytest.raises(Wrong, match=r"^when small: halved$"):
        answers.compare(given / 2, doubled, "it", mistakes, (given,), when="when small: ")
    with pytest.raises(Wrong, match="it differs"):
        answers.compare(given, doubled, "it", mistakes, (given,))
