"""The mutation run itself can fail: it tells what nothing notices, and what it could not change."""

import ast
import importlib
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow  # it starts interpreters of its own
TESTS = Path(__file__).resolve().parents[1]

SOURCE = '''
def half(number):
    """Half of a number."""
    if number < 0:
        raise ValueError(f"got {number + 1}")
    return number / 2
'''
CHECKS = """
from scripts.sums import half

def test_half():
    assert half(6) == 3
"""


@pytest.fixture
def part(monkeypatch):
    """Import one module of the mutation run."""
    monkeypatch.syspath_prepend(str(TESTS))
    return lambda name: importlib.import_module(f"mutation.{name}")


@pytest.fixture
def course(tmp_path):
    """A course of one function and one test, which does not ask about negative numbers."""
    for name, text in (
        ("scripts/__init__.py", ""),
        ("scripts/sums.py", SOURCE),
        ("tests/test_sums.py", CHECKS),
    ):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


def test_operators_and_constants_are_found_and_messages_left_alone(part):
    changes = [change for _, _, change, _ in part("operators").variants(ast.parse(SOURCE))]
    assert [change.partition("  in  ")[0] for change in changes] == [
        "number < 0 -> number <= 0",
        "0 -> 1",
        "0 -> -1",
        "number / 2 -> number * 2",
        "2 -> 3",
        "2 -> 1",
    ]
    assert "return number * 2" in ast.unparse(part("operators").changed(SOURCE, 3))


def test_what_no_test_notices_is_told(part, course):
    tasks = part("operators").tasks(course, {"scripts/sums.py": [["tests/test_sums.py"]]})
    outcomes = part("running").run(tasks, course, 2)
    assert not [one.trouble for one in outcomes if one.trouble]
    assert [bool(one.killed_by) for one in outcomes] == [False, False, False, True, True, True]


def test_a_mistake_must_find_its_place(part, course):
    sources = part("sources")
    checks = [["tests/test_sums.py"]]
    chosen = [
        sources.Mistake("noticed", "scripts/sums.py", (("number / 2", "number"),), checks),
        sources.Mistake("not there", "scripts/sums.py", (("number / 3", "number"),), checks),
        sources.Mistake("there twice", "scripts/sums.py", (("number)", "numbers)"), ("number", "n")), checks),
        sources.Mistake("no such name", "scripts/sums.py", (("number / 2", "zero / 2"),), checks),
        sources.Mistake("no such test", "scripts/sums.py", (("number / 2", "number"),), [["tests/no.py"]]),
    ]
    outcomes = part("running").run(sources.tasks(course, chosen), course, 2)
    assert [bool(one.killed_by) for one in outcomes] == [True, False, False, False, False]
    assert [one.trouble.partition(":")[0] for one in outcomes[1:]] == [
        "ValueError",
        "ValueError",
        "the change itself fails",
        "pytest ended with 4 on ['tests/no.py']",
    ]


def test_endless_loops_are_ended(part, course, monkeypatch):
    running = part("running")
    monkeypatch.setattr(running, "SECONDS", 1)

    def work():
        while True:
            pass

    monkeypatch.setattr(running, "AT_MOST", 1)
    tasks = [running.Task("loops", "here", work, one) for one in (True, False)]
    alone, several = running.run(tasks, course, 1)
    assert alone.killed_by.startswith("ended by signal") and not alone.trouble
    assert several.trouble.startswith("ended by signal") and not several.killed_by


@pytest.mark.parametrize(
    ("text", "changes"),
    [("0.99 and 1,536", ["1.99 and 1,536", "0.100 and 1,536", "0.99 and 2,536", "0.99 and 1,537"])],
)
def test_every_run_of_digits_is_changed(part, text, changes):
    words = part("words")
    assert [words.changed_at(text, match) for match in words.DIGITS.finditer(text)] == changes


def test_prose_that_nothing_binds_is_told(part):
    words = part("words")
    found = words.numerals("here", "`6`, see section 7; 8<!-- ~hypothetical -->")
    assert [(one.change, one.kind) for one in found] == [
        ("6", "left alone: code"),
        ("7", "left alone: section number"),
        ("8", "left alone: marked with a reason"),
    ]
    (outcome,) = words.numerals("here", "takes 5")
    assert "6 is bound to no fact" in outcome.killed_by


def test_a_survivor_ends_the_run_with_one(part, course, monkeypatch, capsys):
    mutation = importlib.import_module(part("running").__package__)
    plan = {"scripts/sums.py": [["tests/test_sums.py"]]}
    monkeypatch.setattr(mutation, "all_tasks", lambda root: part("operators").tasks(root, plan))
    assert mutation.main(root=course) == 1
    printed = capsys.readouterr().out
    assert printed.count("SURVIVED") == 3 and "3 of     6" in printed
    assert mutation.main(only=["no such kind"], root=course) == 1
