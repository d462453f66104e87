"""A notebook that leaves the site gets the course's package by its first cell."""

import sys

import pytest
from course_live import wheel
from course_live.downloads import to_take_away
from IPython.core.interactiveshell import InteractiveShell

NOTEBOOK = {
    "cells": [{"cell_type": "code", "source": ["import numpy as np\n", "from scripts import example"]}]
}


@pytest.fixture
def run(monkeypatch):
    """Run the first cell of a notebook; return what it asked pip for, or the error."""

    def outcome(notebook, missing):
        shell, asked = InteractiveShell(), []
        shell.register_magic_function(asked.append, "line", "pip")
        with monkeypatch.context() as patch:
            if missing:
                patch.setitem(sys.modules, "scripts.attention", None)
            result = shell.run_cell("".join(notebook["cells"][0]["source"]), silent=True)
        return asked, result.error_in_exec

    return outcome


def test_what_is_missing_is_fetched_from_the_site(run):
    notebook = to_take_away(NOTEBOOK, "https://school.example/course/")
    asked, error = run(notebook, missing=True)
    assert error is None
    assert asked == [f"install --quiet https://school.example/course/downloads/{wheel.FILE}"]
    assert notebook["cells"][1:] == NOTEBOOK["cells"]


def test_what_is_there_is_not_fetched(run):
    assert run(to_take_away(NOTEBOOK), missing=False) == ([], None)


def test_a_notebook_that_knows_no_site_says_so(run):
    asked, error = run(to_take_away(NOTEBOOK), missing=True)
    assert asked == []
    assert "write the address" in str(error)


def test_what_needs_no_package_stays_as_it_is():
    notebook = {"cells": [{"cell_type": "code", "source": ["import numpy as np"]}]}
    assert to_take_away(notebook) is notebook
