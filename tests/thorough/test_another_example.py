"""Another order and another seed: all is drawn and run anew, and only the text is left to rewrite."""

import os
import re
import shutil
import subprocess
import sys

import pytest

from tools import prose, tasks

pytestmark = pytest.mark.thorough
LEFT_OUT = shutil.ignore_patterns(".git", ".venv*", ".*_cache", "_build", "__pycache__", "*.egg-info")
ORDER, SEED = ("take", "down", "a", "lamp"), 41


@pytest.fixture(scope="module")
def other(tmp_path_factory):
    """A copy of the checkout with another example, after the command that CONTRIBUTING.md names."""
    copy = tmp_path_factory.mktemp("another example") / "copy"
    shutil.copytree(tasks.ROOT, copy, ignore=LEFT_OUT)
    path = copy / "scripts" / "example.py"
    text = path.read_text(encoding="utf-8")
    text, orders = re.subn(r"^ORDER = .*$", f"ORDER = {ORDER}", text, flags=re.M)
    text, seeds = re.subn(r"^SEED = .*$", f"SEED = {SEED}", text, flags=re.M)
    assert (orders, seeds) == (1, 1)
    path.write_text(text, encoding="utf-8")
    done = run(copy, "tools", "refresh")
    assert done.returncode == 0, done.stdout + done.stderr
    return copy


def run(folder, *words):
    return subprocess.run(
        [sys.executable, "-m", *words], cwd=folder, check=False, capture_output=True, encoding="utf-8",
        env={**os.environ, "PYTHONPATH": str(folder), "PYTHONUTF8": "1"},
    )  # fmt: skip


def test_no_picture_keeps_a_word_that_is_gone(other):
    gone = re.compile(rf"\b(?:{prose.WRITTEN_FOR['ORDER'][0]}|{prose.WRITTEN_FOR['ORDER'][-1]})\b")
    drawn = sorted((other / "figures").glob("*.svg"))
    assert drawn and [path.name for path in drawn if gone.search(path.read_text(encoding="utf-8"))] == []


def test_each_sentence_that_must_be_rewritten_is_listed_and_nothing_else(other):
    told = run(other, "tools", "compare").stdout.splitlines()
    about = [line for line in told if not line.startswith("    … ")]
    text = [line for line in about if ": printed " in line or ": no longer in the example: " in line]
    sums = [line for line in about if "not true as printed" in line or "not even nearly true" in line]
    claims = [line for line in about if ": no longer true: " in line]
    assert len(text) > 500
    rest = [line for line in about if line not in [*text, *sums, *claims]]
    assert rest[0].startswith("tools/prose.py: the text is written for ")
    assert re.match(r"\d+ problems; ", rest[1]) and len(rest) == 2, rest


def test_the_other_tests_hold(other):
    done = run(other, "pytest", "tests/scripts", "tests/tools", "-q", "-m", "not slow and not checked")
    assert done.returncode == 0, done.stdout[-5000:]
