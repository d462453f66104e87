"""The same commit gives the same site, byte for byte: built again elsewhere, and compared."""

import os
import shutil
import subprocess
import sys
from hashlib import sha256
from pathlib import Path

import pytest

from tools import tasks

pytestmark = pytest.mark.thorough
LEFT_OUT = shutil.ignore_patterns(".*", "_build", "__pycache__", "*.egg-info", "node_modules")


def contents(folder: Path) -> dict[str, str]:
    return {
        path.relative_to(folder).as_posix(): sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


@pytest.fixture(scope="session")
def first() -> dict[str, str]:
    assert (tasks.SITE / "index.html").exists(), "there is no built site: run `make book` first"
    return contents(tasks.SITE)


@pytest.fixture(scope="session")
def second(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The site of a copy of the checkout, under another name, hash seed, time zone and language."""
    copy = tmp_path_factory.mktemp("somewhere else") / "copy"
    shutil.copytree(tasks.ROOT, copy, ignore=LEFT_OUT)
    changed = {"PYTHONHASHSEED": "7", "TZ": "Pacific/Auckland", "LC_ALL": "C", "LANGUAGE": "", "JOBS": "1"}
    done = subprocess.run(
        [sys.executable, "-m", "tools", "book"], cwd=copy, check=False, env={**os.environ, **changed}
    )
    assert done.returncode == 0
    return contents(copy / "_build" / "html")


def test_the_same_files(first, second):
    assert sorted(first) == sorted(second)


def test_the_same_bytes(first, second):
    assert [name for name in first if first[name] != second.get(name)] == []


def test_nothing_says_where_or_by_whom_it_was_built():
    told = []
    for path in tasks.SITE.rglob("*"):
        if path.suffix in {".html", ".js", ".json", ".css", ".ipynb", ".py", ".mjs"}:
            text = path.read_text(encoding="utf-8")
            told += [path.name for place in (str(tasks.ROOT), str(Path.home()) + os.sep) if place in text]
    assert told == []
