"""The stored notebooks: nothing cleared, skipped, unstable or out of date."""

import asyncio
import json
import re

import pytest

from scripts import example, widgets
from tools import language, notebooks

PATHS = notebooks.paths()
EVERY_NOTEBOOK = pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)
# of the page that this course rebuilds
TITLES = [
    "What one token needs from the others",
    "Query, key and value: three learned projections",
    "The score between one query and every key",
    "Softmax, the mix, and the whole thing as matrices",
    "Several small heads instead of one big one",
    "Self-attention, cross-attention, and the mask",
    "What attention costs as the window grows",
    "Where to read next",
    "Using it in Python",
]


def test_the_nine_sections_come_first_and_all_are_in_the_contents():
    assert [notebooks.markdown(path)[0].splitlines()[0] for path in PATHS[:9]] == [
        f"# {title}" for title in TITLES
    ]
    contents = (notebooks.ROOT / "_toc.yml").read_text(encoding="utf-8")
    assert re.findall(r"file: book/(\d\S+)", contents) == [path.stem for path in PATHS]


@pytest.mark.checked
@EVERY_NOTEBOOK
def test_everything_stored_can_be_compared(path):
    assert notebooks.check_notebook(path) == []


@EVERY_NOTEBOOK
def test_shape_of_a_section(path):
    found = notebooks.markdown(path)
    assert found[0].startswith("# ")
    assert re.search(rf"^> \*\*(?:{language.ANSWERS})\*\*", found[0], flags=re.M)
    assert re.search(rf"^> \*\*(?:{language.CARRY_ON})\*\*", found[-1], flags=re.M)
    whole = "\n".join(found)
    assert ":::" not in whole and "{ref}" not in whole and "```{" not in whole
    assert sum(line.startswith("# ") for text in found for line in text.splitlines()) == 1


@EVERY_NOTEBOOK
def test_code_fits_the_page(path):
    # of a longer line a reader sees the end by scrolling only, even on a wide screen
    for cell in notebooks.cells(path):
        source = "".join(cell["source"])
        fenced = re.findall(r"```python[^\n]*\n(.*?)```", source, re.S)
        for line in "\n".join([source] if cell["cell_type"] == "code" else fenced).splitlines():
            assert len(line) <= 84, f"{cell['id']}: {line}"


def test_every_slider_is_shown_once_and_described_by_what_it_shows():
    found = []
    for path in PATHS:
        for cell in notebooks.cells(path):
            if "slider" in cell["metadata"]:
                (output,) = cell["outputs"]
                described = cell["metadata"]["mystnb"]["image"]["alt"]
                assert described == "".join(output["data"]["text/plain"]), cell["id"]
                found.append(cell["metadata"]["slider"])
    assert sorted(found) == sorted(widgets.SLIDERS)


# ---- the check itself can fail ----------------------------------------------


@pytest.fixture
def good():
    cells = notebooks.cells(notebooks.BOOK / "4-softmax-and-mix.ipynb")
    code = enumerate((cell for cell in cells if cell["cell_type"] == "code"), start=1)
    return next((cell, count) for count, cell in code if "figure" in cell["metadata"].get("mystnb", {}))


def troubles(cell, count):
    return " ".join(notebooks._check_cell(cell, count))


def test_a_good_cell_passes(good):
    assert troubles(*good) == ""


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (lambda c: c.update(execution_count=None), "execution count is None"),
        (lambda c: c.update(outputs=[]), "no output"),
        (lambda c: c["source"].append("\n# NBVAL_IGNORE_OUTPUT"), "not compared"),
        (lambda c: c["metadata"].update(tags=["nbval-skip"]), "not compared"),
        (lambda c: c["metadata"].update(tags=["raises-exception"]), "not compared"),
        (lambda c: c["metadata"].pop("mystnb"), "no name"),
        (lambda c: c["metadata"]["mystnb"]["image"].update(alt="a cat"), "not the picture's own"),
        (lambda c: c["metadata"]["mystnb"]["figure"].update(name="fig-no"), "has no file"),
        (lambda c: c["outputs"][0]["data"]["image/svg+xml"].append(" "), "is not the one in"),
        (lambda c: c["outputs"].append({"output_type": "error"}), "error or a warning"),
    ],
)
def test_a_bad_cell_is_named(good, spoil, said):
    cell, count = good
    spoil(cell)
    assert said in troubles(cell, count)


def test_a_notebook_in_another_form_is_named(tmp_path):
    path = tmp_path / "1-short.ipynb"
    cells = [{"cell_type": "markdown", "source": "one\ntwo"}] * 2
    saved = {**notebooks.KERNEL, "language_info": {"name": "python", "version": "3.11.7"}}
    path.write_text(json.dumps({"cells": cells, "metadata": saved}), encoding="utf-8")
    told = " ".join(notebooks.check_notebook(path))
    assert "cells need ids of their own" in told and "not stored line by line" in told
    assert "1-short.ipynb: is as a notebook program saves it: run make refresh" in told


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("<Figure at 0x7f00aabbcc>", "an address"),
        ("/home/me/x", "a path"),
        ("2026-11-30", "a date"),
        ("RuntimeWarning: x", "a warning"),
        ("[nan, 1.0]", "NaN"),
        ("np.float64(2.0)", "the name of a type"),
    ],
)
def test_unstable_output_is_named(text, said):
    cell = {
        "execution_count": 1,
        "metadata": {},
        "source": ["x"],
        "outputs": [{"output_type": "stream", "name": "stdout", "text": [text]}],
    }
    assert f"stores {said}" in troubles(cell, 1)


# ---- running them --------------------------------------------------------------


def run(path, source):
    """Run a notebook of one paragraph of two lines and one cell of code."""
    empty = {"nbformat": 4, "nbformat_minor": 5, "metadata": {}}
    words = {"id": "a", "cell_type": "markdown", "metadata": {"x": 1}, "source": "one\ntwo"}
    code = {
        "id": "b", "cell_type": "code", "metadata": {}, "source": source, "outputs": [],
        "execution_count": None,
    }  # fmt: skip
    path.write_text(json.dumps({**empty, "cells": [words, code]}), encoding="utf-8")
    asyncio.run(notebooks._execute(path, asyncio.Semaphore(1)))
    return notebooks.cells(path)


@pytest.mark.slow  # starts a kernel
def test_every_cell_is_stored_line_by_line(tmp_path):
    words, code = run(tmp_path / "1-short.ipynb", "a = 1\na + 1")
    assert words["source"] == ["one\n", "two"] and words["metadata"] == {}
    assert code["source"] == ["a = 1\n", "a + 1"]
    assert code["outputs"][0]["data"]["text/plain"] == ["2"]


@pytest.mark.slow  # starts a kernel
def test_a_picture_is_stored_whole_and_written_into_its_file(tmp_path, monkeypatch):
    monkeypatch.setattr(notebooks, "FIGURES", tmp_path)
    source = "from scripts import draw, example\ndraw.weight_grid(example.WEIGHTS, example.ORDER)"
    _, code = run(tmp_path / "1-short.ipynb", source)
    (svg,) = code["outputs"][0]["data"]["image/svg+xml"]
    assert (tmp_path / "weight-grid.svg").read_text(encoding="utf-8") == svg
    assert code["metadata"]["mystnb"]["figure"]["name"] == "fig-weight-grid"


@pytest.mark.slow  # starts a kernel
def test_a_cell_that_fails_is_shown_with_the_name_of_its_notebook(tmp_path):
    with pytest.raises(notebooks.CellError, match=r"book/1-short\.ipynb does not run .*\n.*\n1 / 0\n"):
        run(tmp_path / "1-short.ipynb", "1 / 0")


def test_the_program_alone_is_given_the_example(monkeypatch, tmp_path):
    for name in ("attention_by_hand.py", "9-in-python.ipynb"):
        (tmp_path / name).write_bytes((notebooks.BOOK / name).read_bytes())
    monkeypatch.setattr(notebooks, "BOOK", tmp_path)
    monkeypatch.setattr(example, "ORDER", ("pick", "up", "the", "cube"))
    monkeypatch.setattr(example, "SEED", 28)
    notebooks.copy_example()
    program = tmp_path / "attention_by_hand.py"
    before = program.read_text(encoding="utf-8")
    monkeypatch.setattr(example, "ORDER", ("open", "the", "red", "box"))
    monkeypatch.setattr(example, "SEED", 7)
    notebooks.copy_example()
    wanted = before.replace('["pick", "up", "the", "cube"]', '["open", "the", "red", "box"]')
    wanted = wanted.replace("default_rng(28)", "default_rng(7)")
    assert program.read_text(encoding="utf-8") == wanted != before
    cells = json.loads((tmp_path / "9-in-python.ipynb").read_text(encoding="utf-8"))["cells"]
    (cell,) = ["".join(c["source"]) for c in cells if "\nORDER = [" in "".join(c["source"])]
    assert '["open", "the", "red", "box"]' in cell and "default_rng(7)" in cell
