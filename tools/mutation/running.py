"""Run changed code in processes of their own, on a copy of the tree."""

import ast
import compileall
import contextlib
import importlib
import importlib.abc
import importlib.machinery
import importlib.util
import json
import os
import re
import resource
import shlex
import shutil
import sys
import tempfile
import tomllib
import traceback
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

LEFT_OUT = (".*", "_build", "node_modules", "__pycache__", "*.egg-info", "vendor")
SECONDS = 40  # of processor time, for one change; it can make a loop endless
AT_MOST = 1200  # for a task of many changes
MEMORY = 3 * 1024**3


@dataclass(frozen=True)
class Outcome:
    """What became of one change."""

    kind: str  # what sort of thing was changed
    place: str
    change: str  # from what to what
    killed_by: str = ""  # the check that went red, if one did
    trouble: str = ""  # why the change could not be made or judged, if it could not


@dataclass(frozen=True)
class Task:
    """Something to do in a process of its own: one change, or several.

    With `one`, a process that had to be ended is a check gone red: the change
    made a loop endless.
    """

    kind: str
    place: str
    work: Callable[[], list[Outcome]]
    one: bool = False


@contextlib.contextmanager
def copy_of(root: Path) -> Iterator[Path]:
    """Copy the tree, so that nothing that is changed while this runs can matter."""
    with tempfile.TemporaryDirectory(prefix="course-") as folder:
        copy = Path(folder) / "course"
        shutil.copytree(root, copy, ignore=shutil.ignore_patterns(*LEFT_OUT))
        compileall.compile_dir(copy, quiet=2)
        yield copy


def equivalents(file: str) -> dict[str, dict[str, str]]:
    """Changes of a file that change nothing that could be told: reasons, by function or cell, and change."""
    text = Path(__file__).with_name("equivalents.toml").read_text(encoding="utf-8")
    return tomllib.loads(text).get(file, {})


def outdated(kind: str, file: str, made: set[tuple[str, str]]) -> list[Outcome]:
    """What is wrong with the equivalents of a file: those that are none of the changes made today."""
    listed = {(place, change) for place, reasons in equivalents(file).items() for change in reasons}
    trouble = "stands in equivalents.toml, and is made nowhere today"
    return [Outcome(kind, f"{file} {place}", change, "", trouble) for place, change in sorted(listed - made)]


# --------------------------------------------------------------------------
# One process a task
# --------------------------------------------------------------------------


def warm_up() -> None:
    """Import once, before any fork, what every task needs and no change touches."""
    import matplotlib

    matplotlib.use("agg")
    for name in (
        "numpy",
        "pytest",
        "matplotlib.pyplot",
        "matplotlib.backends.backend_svg",
        "ipywidgets.embed",
    ):
        importlib.import_module(name)


def settle(copy: Path) -> None:
    """Make this process see the copy, and no module of the course from elsewhere."""
    for name in list(sys.modules):
        if name.partition(".")[0] in ("scripts", "tools") and not name.startswith("tools.mutation"):
            del sys.modules[name]
    os.chdir(copy)
    sys.path[:0] = [str(copy), *(str(copy / "tests" / part) for part in ("", "scripts", "tools", "site"))]
    sys.dont_write_bytecode = True


def _child(task, copy, pipe):
    for stream in (1, 2):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream)
    limit = SECONDS if task.one else AT_MOST
    resource.setrlimit(resource.RLIMIT_CPU, (limit, limit))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    try:
        settle(copy)
        found = task.work()
    except MemoryError:
        found = [Outcome(task.kind, task.place, "", "runs out of memory" if task.one else "")]
    except BaseException:
        found = [Outcome(task.kind, task.place, "", trouble=traceback.format_exc()[-1500:])]
    with os.fdopen(pipe, "w", encoding="utf-8") as out:
        json.dump([asdict(one) for one in found], out)


def run(tasks: Sequence[Task], copy: Path, jobs: int, said=None) -> list[Outcome]:
    """Do every task in a fork of this process, `jobs` at a time.

    `said` is told the outcomes of every task as it ends, and the seconds of
    processor time.
    """
    waiting, running, done = list(tasks)[::-1], {}, []
    while waiting or running:
        while waiting and len(running) < jobs:
            task = waiting.pop()
            # Outcomes go through a file: a pipe would fill up.
            out = tempfile.TemporaryFile()  # noqa: SIM115
            sys.stdout.flush()
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", DeprecationWarning)
                child = os.fork()
            if child == 0:
                try:
                    _child(task, copy, os.dup(out.fileno()))
                finally:
                    os._exit(0)
            running[child] = task, out
        child, status, used = os.wait4(-1, 0)
        if child not in running:
            continue
        task, out = running.pop(child)
        with out:
            out.seek(0)
            text = out.read().decode()
        if text:
            found = [Outcome(**one) for one in json.loads(text)]
        else:  # ended from outside: a loop without end, or too much memory
            told = f"ended by signal {status & 127}"
            found = [Outcome(task.kind, task.place, "", told if task.one else "", "" if task.one else told)]
        done += found
        if said:
            said(found, used.ru_utime + used.ru_stime)
    return done


# --------------------------------------------------------------------------
# A module with another text, and the tests that are asked about it
# --------------------------------------------------------------------------


class _Changed(importlib.abc.MetaPathFinder):
    """Finds one module, and compiles it from something other than its file."""

    def __init__(self, name, path, code):
        self.name, self.path, self.code = name, path, code

    def find_spec(self, name, path=None, target=None):
        if name != self.name:
            return None
        loader = importlib.machinery.SourceFileLoader(name, str(self.path))
        loader.get_code = lambda _: self.code
        return importlib.util.spec_from_file_location(name, self.path, loader=loader)


def change_module(path: str | Path, changed: str | ast.Module) -> None:
    """Let the module in file `path` be compiled from `changed`, a text or a syntax tree."""
    path = Path(path)
    code = compile(changed, str(path.resolve()), "exec", dont_inherit=True)
    sys.meta_path.insert(0, _Changed(".".join(path.with_suffix("").parts), path.resolve(), code))


class Witness:
    """A pytest plug-in that notes the first test that went red, and why."""

    seen = ""

    def pytest_collectreport(self, report):
        if report.failed and not self.seen:
            self.seen = f"{report.nodeid} (cannot be imported)"

    def pytest_exception_interact(self, node, call, report):
        if not self.seen:
            self.seen = f"{node.nodeid} ({call.excinfo.typename})"


def ask(selections: Sequence[str], plugins: Sequence[object] = ()) -> tuple[str, str]:
    """Run selections of tests in turn until one is red; return `killed_by` and `trouble` of an `Outcome`."""
    import pytest

    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    options = ("-x", "-q", "--tb=short", "--assert=plain", "-p", "no:cacheprovider", "-m", "")
    for selection in selections:
        witness = Witness()
        code = int(pytest.main([*options, *shlex.split(selection)], plugins=[witness, *plugins]))
        if code == 4 and Path(re.split(" |::", selection)[0]).exists():
            return "conftest.py (cannot be imported)", ""
        if code in (1, 2):
            return witness.seen, ""
        if code:
            return "", f"pytest ended with {code} on {selection}"
    return "", ""
