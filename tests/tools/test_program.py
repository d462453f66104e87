"""Section 9's program: it runs with NumPy alone, and prints the course's numbers."""

import inspect
import re
import runpy
import subprocess
import sys

import numpy as np
import pytest

from scripts import example
from scripts.attention import attention, causal_mask, multi_head_attention
from scripts.numbers import MINUS, show
from tools import crosscheck, notebooks, quantities

PROGRAM = notebooks.BOOK / "attention_by_hand.py"
NOTEBOOK = notebooks.BOOK / "9-in-python.ipynb"
CODE = ["".join(cell["source"]) for cell in notebooks.cells(NOTEBOOK) if cell["cell_type"] == "code"]

# Runs a file as a program in which nothing but the standard library and NumPy can be imported.
NUMPY_ALONE = """
import runpy, sys

class Refuse:
    def find_spec(self, name, path=None, target=None):
        top = name.partition(".")[0]
        if top != "numpy" and top not in sys.stdlib_module_names:
            raise ImportError(f"{name} is not NumPy")

sys.meta_path.insert(0, Refuse())
runpy.run_path(sys.argv[1], run_name="__main__")
"""


def run_alone(path, folder):
    return subprocess.run(
        [sys.executable, "-I", "-c", NUMPY_ALONE, str(path)],
        cwd=folder, capture_output=True, text=True, encoding="utf-8", timeout=60,
    )  # fmt: skip


@pytest.fixture(scope="module")
def printed(tmp_path_factory):
    """What the program prints: a dict from each title to its rows of words."""
    done = run_alone(PROGRAM, tmp_path_factory.mktemp("elsewhere"))
    assert done.returncode == 0, done.stderr
    assert not done.stderr
    blocks = {}
    for title, rows in re.findall(r"^(\w.*)\n((?: .*\n)+)", done.stdout, flags=re.M):
        blocks[title] = [row.split() for row in rows.splitlines()]
    return blocks


@pytest.mark.parametrize(
    ("title", "wanted", "form"),
    [
        ("weights", example.WEIGHTS, ".3f"),
        ("row sums", np.ones((4, 1)), ".3f"),
        ("output", example.OUTPUT, "+.2f"),
        ("two heads, side by side", example.TWO_HEADS.joined, "+.2f"),
        ("two heads, after W_o", example.TWO_HEADS.output, "+.2f"),
    ],
)
def test_program_prints_the_numbers_of_the_course(printed, title, wanted, form):
    rows = [
        [name, *(show(number, form).replace(MINUS, "-") for number in row)]
        for name, row in zip(example.ORDER, wanted, strict=True)
    ]
    # Python writes a rounded zero as +0.00 or -0.00, the course as 0.00.
    found = [[re.sub(r"^[+-](?=0\.0+$)", "", word) for word in row] for row in printed[title]]
    assert found == rows


def test_program_attends_as_the_course_does(capsys):
    attend = runpy.run_path(str(PROGRAM))["attend"]
    assert capsys.readouterr().out
    queries, keys, values = np.random.default_rng(0).normal(0, 60, (3, 5, 4))
    for mask in (np.ones((5, 5), bool), causal_mask(5)):
        with np.errstate(over="raise", invalid="raise"):
            weights, output = attend(queries, keys, values, mask)
        run = attention(queries, keys, values, mask)
        np.testing.assert_allclose(weights, run.weights, rtol=1e-12)
        np.testing.assert_allclose(output, run.output, rtol=1e-12)


def test_program_prints_nothing_else(printed):
    assert len(printed) == 5
    assert all(len(rows) == len(example.ORDER) for rows in printed.values())


def test_only_numpy_can_be_imported_in_that_run(tmp_path):
    greedy = tmp_path / "greedy.py"
    greedy.write_text("import matplotlib\n", encoding="utf-8")
    assert "matplotlib is not NumPy" in run_alone(greedy, tmp_path).stderr


def test_program_fits_on_a_page():
    assert len(PROGRAM.read_text(encoding="utf-8").splitlines()) <= 45


def test_notebook_shows_the_file_and_the_loops_that_are_proved():
    assert CODE[0] == PROGRAM.read_text(encoding="utf-8").rstrip("\n")
    assert any(inspect.getsource(crosscheck.attend_by_loops) in source for source in CODE)


@pytest.mark.published_example
def test_what_pytorch_is_said_to_print_is_the_course_s():
    told = re.findall(r"^```text\n(.*?)^```$", "\n".join(notebooks.markdown(NOTEBOOK)), flags=re.M | re.S)
    causal = causal_mask(len(example.ORDER))
    weights = attention(example.QUERIES, example.KEYS, example.VALUES, causal).weights
    wanted = [
        [example.OUTPUT.round(2)],
        [example.WEIGHTS.round(3)],
        [example.TWO_HEADS.output.round(2)],
        [two_heads(example.ROBOT_TOKENS).round(2)],
        [weights.round(3), two_heads(example.TOKENS, causal).round(2)],
    ]
    assert told == ["".join(f"{grid + 0.0}\n" for grid in group) for group in wanted]


def two_heads(asking, mask=None):
    """What two heads make of the four words, after the output projection."""
    queries = asking @ example.W_QUERY
    keys, values = example.KEYS, example.VALUES
    return multi_head_attention(queries, keys, values, example.HEADS, example.W_OUTPUT, mask).output


@pytest.mark.parametrize("name", crosscheck.cases())
def test_loops_and_numpy_agree_in_every_step(name):
    case = crosscheck.cases()[name]
    found = crosscheck.differences(crosscheck.numpy_steps(*case), crosscheck.loop_steps(*case))
    assert set(found) == set(crosscheck.STEPS)
    assert max(found.values()) < 1e-12


def test_differences_are_the_largest_of_each_step_in_the_same_shapes():
    ours = {"a": np.array([[1.0, 2.0]]), "b": np.zeros(2)}
    theirs = {"a": np.array([[1.25, 1.5]]), "b": np.zeros(2)}
    assert crosscheck.differences(ours, theirs) == {"a": 0.5, "b": 0.0}
    with pytest.raises(ValueError, match="same steps"):
        crosscheck.differences(ours, {**ours, "b": np.zeros(1)})


def test_refreshers_of_the_landing_page():
    refresher, learning = quantities.refresher, quantities.learning
    assert np.array_equal(refresher.products.sum(axis=0), refresher.result)
    assert refresher.shares.sum() == pytest.approx(1)
    assert np.allclose(np.diff(learning.numbers), learning.changes)
    assert np.all(np.abs(learning.errors[1:]) < np.abs(learning.errors[:-1]))
