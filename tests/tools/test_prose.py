"""The prose of the course, and the check that keeps it in step."""

import json
import re
from pathlib import Path

import numpy as np
import pytest

from scripts import example
from tools import prose
from tools.notebooks import ROOT

FILES = prose.prose_files(ROOT)
# What the page that this course rebuilds prints; golden values, typed from there.
GOLDEN = json.loads(Path(__file__).with_name("golden.json").read_text(encoding="utf-8"))
NAMES = {"w": np.array([0.6831, 0.1, -0.25]), "n": 3, "word": "cube", "grid": np.array([[1, 2], [1536, 4]])}


@pytest.mark.checked
@pytest.mark.parametrize("path", FILES, ids=[path.name for path in FILES])
def test_prose_is_in_step(path):
    problems, numerals, _ = prose.check_file(path, drawing=True, sliders=False)
    assert not problems, "\n".join(map(str, problems))
    if path.suffix == ".ipynb":
        assert numerals > 0


@pytest.mark.checked
def test_the_course_binds_many_numerals_and_equations():
    counts = [prose.check_file(path)[1:] for path in FILES]
    assert sum(numerals for numerals, _ in counts) > 300
    assert sum(equations for _, equations in counts) > 20


@pytest.mark.parametrize(
    "text",
    [
        "takes 0.683<!-- =w[0]:.3f --> of it",
        "0.68, 0.10 and −0.25<!-- =w:.2f -->",
        "0.68, 0.10 and -0.25<!-- =w[0]:.2f; w[1]:.2f; w[2]:.2f -->",
        "0.68 and 0.10<!-- =w[:2]:.2f -->, 0.78<!-- =(w[0] + w[1]):.2f -->",
        "half of it<!-- ?w[0] > 0.5 --> and 0.68<!-- =w[0]:.2f -->",
        "a gain of +0.68<!-- =w[0]:+.2f -->",
        "$0.1\\times(-0.25)$<!-- =w[1]:.1f; w[2]:.2f -->",
        "$$x_1 = 0.1$$\n<!-- =w[1]:.1f -->",
        "$0.1\\times-0.25$<!-- =w[1]:.1f; w[2]:.2f -->",
        "$1{,}536$<!-- =grid[1, 0]:,d --> and 1536<!-- =grid[1, 0] -->",
        "three<!-- a comment with 3 --> things in section 3 and sections 4, 5 and 6",
        "`0.5` and [a link](4-there.html) and\n```python\nx = 3\n```\nmore",
        "GPT-2<!-- ~name --> in 2017<!-- ~year -->",
        "1 to 2<!-- ~2 hypothetical -->",
        "$n^2 d_1 e^{-1}$",
    ],
)
def test_what_is_bound_passes(text):
    assert prose.check_numerals(text, "text", NAMES) == []


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("takes 0.684<!-- =w[0]:.3f -->", "printed 0.684, computed 0.683 (w[0])"),
        ("$2\\times0.5$", "0.5 is bound to nothing"),
        ("takes 0.683", "0.683 is bound to nothing"),
        ("first 4, then 0.683<!-- =w[0]:.3f -->", "4 is bound to nothing"),
        ("0.683<!-- =w[0]:.3f --> then 4", "4 is bound to nothing"),
        ("0.25<!-- =w[2]:.2f -->", "printed 0.25, computed −0.25"),
        ("$a+0.25$<!-- =w[2]:.2f -->", "printed 0.25, computed −0.25"),
        ("0.7<!-- =q[0]:.1f -->", "NameError: name 'q' is not defined"),
        ("0.7<!-- =w[9]:.1f -->", "IndexError"),
        ("0.7<!-- =w[0] -->", "must say how it is rounded"),
        ("less than half<!-- ?w[0] < 0.5 -->", "no longer true: w[0] < 0.5"),
        ("less<!-- ?q < 0.5 -->", "NameError: name 'q' is not defined"),
        ("none<!-- =n -->", "binds 1 numerals, but 0 stand before it"),
        ("1<!-- ~because -->", "is no reason"),
        ("1<!-- ~be\ncause -->", "is no reason"),
        ("1<!-- =word -->", "gives no numbers"),
        ("1 and 2<!-- ~hypothetical -->", "1 is bound to nothing"),
        ("text 3\n<!-- =n --> and more", "may not begin with a marker"),
        ("1.536<!-- =grid[1, 0]:,d -->", "printed 1.536, computed 1,536"),
    ],
)
def test_what_is_not_in_step_is_named(text, said):
    problems = prose.check_numerals(text, "book 1", NAMES)
    assert any(said in str(problem) for problem in problems), problems
    assert all(problem.where == "book 1" and problem.sentence for problem in problems)


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        ("takes 0.5<!-- =w[0]:.3f --> of it", "takes 0.683<!-- =w[0]:.3f --> of it"),
        ("0.1, 2 and 3<!-- =w:.2f -->", "0.68, 0.10 and −0.25<!-- =w:.2f -->"),
        ("$1{,}537$<!-- =grid[1, 0]:,d --> and 3", "$1{,}536$<!-- =grid[1, 0]:,d --> and 3"),
        ("$2\\times(-0.2)$<!-- =grid[0, 1]; w[2]:.2f -->", "$2\\times(−0.25)$<!-- =grid[0, 1]; w[2]:.2f -->"),
    ],
)
def test_the_right_digits_can_be_written(wrong, right):
    assert prose.fix(wrong, NAMES) == right.replace("(−", "(-" if "$" in right else "(−")
    assert prose.fix(right, NAMES) == right


NOTEBOOK = {
    "cells": [
        {"cell_type": "markdown", "id": "a", "source": ["Not yet: 1<!-- =n -->"]},
        {"cell_type": "code", "id": "b", "source": ["n = 2\n", "total = n + 1\n", "total"]},
        {"cell_type": "markdown", "id": "c", "source": ["It shows 3<!-- =_ -->, with 2<!-- =n -->."]},
        {"cell_type": "code", "id": "d", "source": ["n = 5\n", "print(n, -0.5)"]},
        {
            "cell_type": "markdown",
            "id": "e",
            "source": ["It prints 5 and −0.5<!-- =_:g --> of 5<!-- =n -->."],
        },
    ]
}


def test_a_marker_sees_what_the_cells_above_it_have_made(tmp_path):
    path = tmp_path / "1-test.ipynb"
    path.write_text(json.dumps(NOTEBOOK), encoding="utf-8")
    problems, numerals, _ = prose.check_file(path)
    assert [problem.where for problem in problems] == ["1-test.ipynb cell a"]
    assert "NameError" in problems[0].message and numerals == 6
    bound = prose.bound_numbers([path])
    assert bound["1-test.ipynb cell c"][0] == {"expression": "_", "value": 3, "printed": ["3"]}

    def change(identity, source):
        return source.replace("n + 1", "n - 1") if identity == "b" else source

    changed, _, _ = prose.check_file(path, change=change)
    assert [problem.message for problem in changed[1:]] == ["printed 3, computed 1 (_)"]


def test_the_right_digits_are_written_into_a_notebook(tmp_path):
    path = tmp_path / "1-test.ipynb"
    path.write_text(json.dumps(NOTEBOOK).replace("shows 3", "shows 4"), encoding="utf-8")
    assert prose.fix_file(path) == 1
    assert "It shows 3<!--" in path.read_text(encoding="utf-8")


def test_words_of_a_picture_that_are_not_todays_are_told(tmp_path):
    text = (ROOT / "book" / "8-where-next.ipynb").read_text(encoding="utf-8")
    book = json.loads(text)
    words = next(cell["metadata"]["mystnb"] for cell in book["cells"] if "mystnb" in cell["metadata"])
    words["figure"]["caption"] += " And more."
    words["image"]["alt"] = words["image"]["alt"].replace("a", "b", 1)
    path = tmp_path / "8-where-next.ipynb"
    path.write_text(json.dumps(book), encoding="utf-8")
    told = [str(problem) for problem in prose.check_file(path, drawing=True)[0]]
    assert len(told) == 2 and "the stored caption of block is not today's" in told[0]
    assert "the stored alternative text of block is not today's" in told[1]
    assert all(problem.startswith("8-where-next.ipynb") for problem in told)
    # and where nothing is stored beside the picture
    for kept in (words, next(cell["metadata"] for cell in book["cells"] if "mystnb" in cell["metadata"])):
        kept.clear()
        path.write_text(json.dumps(book), encoding="utf-8")
        assert len(prose.check_file(path, drawing=True)[0]) == 2


@pytest.mark.published_example
@pytest.mark.parametrize("binding", GOLDEN)
def test_numbers_of_the_page_that_the_course_rebuilds(binding):
    assert prose.evaluate(binding, {}).printed == GOLDEN[binding].split()


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("$0.6\\times(-0.3)=-0.18$", True),
        ("$0.6\\times(-0.3)=-0.19$", False),
        ("$-0.18-0.10+0.60-0.49=-0.17$", True),
        ("$-0.18-0.10+0.60-0.49=-0.16$", False),
        ("$\\sqrt{4}=2$", True),
        ("$2^3\\times 10^{-1}=0.8$", True),
        ("$2^3=6$", False),
        ("$\\sqrt{4}=4$", False),
        ("$e^{-0.141}\\approx 0.868$", True),
        ("$e^{-0.141}\\approx 0.859$", False),
        ("$\\frac{0.869}{1.272}\\approx 0.683$", True),
        ("$\\frac{0.869}{1.272}=0.683$", False),
        ("$$\\begin{aligned}1+2&=3\\\\ &=2+1\\end{aligned}$$", True),
        ("$$\\begin{aligned}1+2&=3\\\\ &=2+2\\end{aligned}$$", False),
        ("$1{,}536 = 2\\times 768$", True),
        ("$1{,}536 = 2\\times 769$", False),
        ("$\\left(1{,}000+1\\right)\\,\\text{steps}=1{,}002.$", False),
        ("so 1,000 + 1 = 1,002.", False),
        ("$\\frac{\\frac{6}{3}}{\\frac{4}{2}}=2$", False),
        ("$\\frac{1}{3}\\approx0.35$", False),
        ("$7/2\\approx6$", False),
        ("$7/2\\approx5$", True),
        ("$1+1=2$ and 3 × 4 = 13", False),
        ("3 × 4 = 13 and $1+1=2$", False),
        ("$1+1=2=3$", False),
        ("so 1 + 1 = 2 = 3", False),
        ("$$\\begin{aligned}1+2&\\approx3.1\\\\ &=3\\end{aligned}$$", False),
        ("so 3 × 4 = 12 in all", True),
        ("so 3 × 4 = 13 in all", False),
        ("so 3 − 5 = −2 in all", True),
        ("so 3 − 5 = −3 in all", False),
    ],
)
def test_printed_equations_are_recomputed_from_their_digits(text, right):
    problems, count = prose.check_equations(text)
    assert count == len(re.findall(r"=|\\approx", text))
    assert (not problems) is right, problems
    assert all(problem.where == "text" for problem in problems)


@pytest.mark.parametrize(
    "text", ["$f(2)=3$", "$exp=3$", "$\\sqrt{}=3$", "$exp(1)(2)=3$", "$2+=3$", "$1/0=3$", "$1+exp=3$"]
)
def test_what_is_no_arithmetic_is_passed_over(text):
    assert prose.check_equations(text) == ([], 0)


def test_words_that_are_gone_are_listed(monkeypatch):
    monkeypatch.setitem(prose.WRITTEN_FOR, "ORDER", ("pick", "up", "the", "cube"))
    text = (
        'The order is "pick up the cube". In it, "up" and “the” are short. '
        'Here "cube" takes from "pick", and "pick" from "cube". Of cubes there are two. Now pick one. '
        'One says "put it up the wall". It has `cube`.\n\n| pick | up | other |\n|---|---|---|\n'
    )
    assert prose.check_words(text, order=("pick", "up", "the", "cube")) == []
    found = prose.check_words(text, order=("open", "the", "red", "box"))
    assert [problem.message.partition(": ")[2] for problem in found] == [
        "pick, up, cube", "up", "cube, pick", "cube", "pick, up",
    ]  # fmt: skip
    found = prose.check_words(text, order=("pick", "up", "the", "box"))
    assert [problem.message.partition(": ")[2] for problem in found] == ["cube"] * 3


def test_another_example_is_told_until_the_text_is_written_for_it(monkeypatch):
    monkeypatch.setattr(prose, "WRITTEN_FOR", {"ORDER": example.ORDER, "SEED": example.SEED})
    assert prose.written_for() == []
    monkeypatch.setattr(example, "SEED", -7)
    (told,) = prose.written_for()
    assert "WRITTEN_FOR" not in told and "'SEED': -7" in told
