"""The prose of the course, and the check that keeps it in step."""

import numpy as np
import pytest

from tools import prose
from tools.notebooks import ROOT

FILES = prose.prose_files(ROOT)
KNOWN = {"w": np.array([0.6831, 0.1, -0.25]), "n": np.array(3), "grid": np.array([[1, 2], [1536, 4]])}


@pytest.mark.checked
@pytest.mark.parametrize("path", FILES, ids=[path.name for path in FILES])
def test_prose_is_in_step(path):
    problems, counts = prose.check_files([path])
    assert not problems, "\n".join(map(str, problems))
    if path.suffix == ".ipynb":
        assert counts["numerals"] > 0


@pytest.mark.checked
def test_the_course_binds_many_numerals_and_equations():
    _, counts = prose.check_files(FILES)
    assert counts["numerals"] > 300 and counts["equations"] > 20


@pytest.mark.parametrize(
    "text",
    [
        "takes 0.683<!-- =w.0:.3f --> of it",
        "0.68, 0.10 and −0.25<!-- =w:.2f -->",
        "0.68, 0.10 and -0.25<!-- =w.0:.2f; w.1:.2f; w.2:.2f -->",
        "a gain of +0.68<!-- =w.0:+.2f -->",
        "$0.1\\times(-0.25)$<!-- =w.1:.1f; w.2:.2f -->",
        "$$x_1 = 0.1$$\n<!-- =w.1:.1f -->",
        "$0.1\\times-0.25$<!-- =w.1:.1f; w.2:.2f -->",
        "$1{,}536$<!-- =grid.1.0:,d --> and 1536<!-- =grid.1.0 -->",
        "three<!-- a comment with 3 --> things in section 3 and sections 4, 5 and 6",
        "`0.5` and [a link](4-there.html) and\n```python\nx = 3\n```\nmore",
        "GPT-2<!-- ~name --> in 2017<!-- ~year -->",
        "1 to 2<!-- ~2 hypothetical -->",
        "$n^2 d_1 e^{-1}$",
    ],
)
def test_what_is_bound_passes(text):
    assert prose.check_numerals(text, known=KNOWN) == []


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("takes 0.684<!-- =w.0:.3f -->", "printed 0.684, computed 0.683 (w.0)"),
        ("$2\\times0.5$", "0.5 is bound to no fact"),
        ("takes 0.683", "0.683 is bound to no fact"),
        ("first 4, then 0.683<!-- =w.0:.3f -->", "4 is bound to no fact"),
        ("0.683<!-- =w.0:.3f --> then 4", "4 is bound to no fact"),
        ("0.25<!-- =w.2:.2f -->", "printed 0.25, computed −0.25"),
        ("$a+0.25$<!-- =w.2:.2f -->", "printed 0.25, computed −0.25"),
        ("0.7<!-- =q.0:.1f -->", "no fact is called 'q'"),
        ("0.7<!-- =w.9:.1f -->", "has no place 9"),
        ("0.7<!-- =w.0 -->", "must say how it is rounded"),
        ("none<!-- =n -->", "binds 1 numerals (n), but 0 stand before it"),
        ("1<!-- ~because -->", "is no reason"),
        ("1 and 2<!-- ~hypothetical -->", "1 is bound to no fact"),
        ("text 3\n<!-- =n --> and more", "may not begin with a marker"),
        ("1.536<!-- =grid.1.0:,d -->", "printed 1.536, computed 1,536"),
    ],
)
def test_what_is_not_in_step_is_named(text, said):
    problems = prose.check_numerals(text, "book 1", KNOWN)
    assert any(said in str(problem) for problem in problems), problems
    assert all(problem.where == "book 1" and problem.sentence for problem in problems)


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
        ("so 3 × 4 = 12 in all", True),
        ("so 3 × 4 = 13 in all", False),
        ("so 3 − 5 = −2 in all", True),
        ("so 3 − 5 = −3 in all", False),
    ],
)
def test_printed_equations_are_recomputed_from_their_digits(text, right):
    problems, count = prose.check_equations(text)
    assert count >= 1
    assert (not problems) is right, problems
