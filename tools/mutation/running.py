"""Run changed code in processes of their own, on a copy of the tree."""

import compileall
import contextlib
import importlib
import importlib.abc
import importlib.machinery
import importlib.util
import json
import os
import resource
import shutil
import sys
import tempfile
import traceback
import warnings
from dataclasses import asdict, dataclass
from pathlib import Path

LEFT_OUT = (".*", "_build", "node_modules", "__pycache__", "*.egg-info", "vendor")
SECONDS = 120  # of processor time, for one change; it can make a loop endless
AT_MOST = 1200  # for a task of many changes
MEMORY = 6 * 1024**3


@dataclass(frozen=True)
class Outcome:
    """What became of one change.

    Attributes
    ----------
    kind : str
        What sort of thing was changed.
    place : str
        Where.
    change : str
        From what to what.
    killed_by : str
        The check that went red; empty if none did.
    trouble : str
        Why the change could not be made or judged; empty if it was.
    """

    kind: str
    place: str
    change: str
    killed_by: str = ""
    trouble: str = ""


@dataclass(frozen=True)
class Task:
    """Something to do in a process of its own.

    Attributes
    ----------
    kind, place : str
        What `list` shows.
    work : callable
        Makes one change or several, and returns a list of `Outcome`.
    one : bool
        Whether it is one change: then a loop without end is a check gone red.
    """

    kind: str
    place: str
    work: object
    one: bool = False


@contextlib.contextmanager
def copy_of(root):
    """Copy the tree, so that nothing that is changed while this runs can matter."""
    with tempfile.TemporaryDirectory(prefix="course-") as folder:
        copy = Path(folder) / "course"
        shutil.copytree(root, copy, ignore=shutil.ignore_patterns(*LEFT_OUT))
        compileall.compile_dir(copy, quiet=2)
        yield copy


# --------------------------------------------------------------------------
# One process a task
# --------------------------------------------------------------------------


def warm_up():
    """Import once, before any fork, what every task needs and no change touches."""
    import matplotlib

    matplotlib.use("agg")
    for name in (
        "numpy",
        "pytest",
        "matplotlib.figure",
        "matplotlib.textpath",
        "matplotlib.pyplot",
        "matplotlib.backends.backend_svg",
        "ipywidgets",
        "ipywidgets.embed",
        "nbformat",
    ):
        importlib.import_module(name)


def settle(copy):
    """Make this process see the copy, and no module of the course from elsewhere."""
    for name in [
        n
        for n in sys.modules
        if n.partition(".")[0] in ("scripts", "tools") and not n.startswith("tools.mutation")
    ]:
        del sys.modules[name]
    os.chdir(copy)
    sys.path[:0] = [str(copy), *(str(copy / "tests" / part) for part in ("", "scripts", "tools", "site"))]
    sys.dont_write_bytecode = True


def _child(task, copy, pipe, log):
    for stream in (1, 2):
        os.dup2(log, stream)
    limit = SECONDS if task.one else AT_MOST
    resource.setrlimit(resource.RLIMIT_CPU, (limit, limit))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    try:
        settle(copy)
        found = task.work()
    except BaseException:
        found = [Outcome(task.kind, task.place, "", trouble=traceback.format_exc()[-1500:])]
    with os.fdopen(pipe, "w", encoding="utf-8") as out:
        json.dump([asdict(one) for one in found], out)


def run(tasks, copy, jobs, said=None):
    """Do every task in a fork of this process, `jobs` at a time.

    Parameters
    ----------
    tasks : sequence of Task
    copy : Path
        The copied tree.
    jobs : int
    said : callable, optional
        Told the outcomes of every task as it ends, and the seconds of processor time.

    Returns
    -------
    list of Outcome
        In the order of the tasks.
    """
    waiting, running = list(enumerate(tasks))[::-1], {}
    done = [[] for _ in tasks]
    while waiting or running:
        while waiting and len(running) < jobs:
            number, task = waiting.pop()
            # Outcomes go through a file: a pipe would fill up.
            out, log = tempfile.TemporaryFile(), tempfile.TemporaryFile()  # noqa: SIM115
            sys.stdout.flush()
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", DeprecationWarning)
                child = os.fork()
            if child == 0:
                try:
                    _child(task, copy, os.dup(out.fileno()), log.fileno())
                finally:
                    os._exit(0)
            running[child] = number, task, out, log
        child, status, used = os.wait4(-1, 0)
        if child not in running:
            continue
        number, task, out, log = running.pop(child)
        out.seek(0)
        text = out.read().decode()
        if text:
            done[number] = [Outcome(**one) for one in json.loads(text)]
        else:  # ended from outside: a loop without end, or too much memory
            told = f"ended by signal {status & 127}"
            done[number] = [
                Outcome(task.kind, task.place, "", told if task.one else "", "" if task.one else told)
            ]
        out.close()
        log.close()
        if said:
            said(done[number], used.ru_utime + used.ru_stime)
    return [outcome for outcomes in done for outcome in outcomes]


# --------------------------------------------------------------------------
# A module with another text
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
        package = [str(self.path.parent)] if self.path.name == "__init__.py" else None
        return importlib.util.spec_from_file_location(
            name, self.path, loader=loader, submodule_search_locations=package
        )


def change_module(path, changed):
    """Let the module in file `path` be compiled from `changed`, a text or a syntax tree."""
    path = Path(path)
    parts = path.with_suffix("").parts
    name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
    code = compile(changed, str(path.resolve()), "exec", dont_inherit=True)
    sys.meta_path.insert(0, _Changed(name, path.resolve(), code))


# --------------------------------------------------------------------------
# Tests
# --------------------------------------------------------------------------


class Witness:
    """A pytest plug-in that notes the first test that went red, and why."""

    def __init__(self):
        self.seen = ""
        self.error = ""
        self.current = ""

    def pytest_runtest_setup(self, item):
        self.current = item.nodeid

    def pytest_collectreport(self, report):
        if report.failed and not self.seen:
            self.seen, self.error = report.nodeid, "cannot be imported"
            if "NameError" in str(report.longrepr):
                self.error = "NameError"

    def pytest_exception_interact(self, node, call, report):
        if not self.seen:
            self.seen = node.nodeid
            self.error = call.excinfo.typename


def ask(*selection, plugins=()):
    """Run some tests here until one is red.

    Returns
    -------
    code : int
        pytest's exit code.
    witness : Witness
    """
    import pytest

    witness = Witness()
    options = ("-x", "-q", "--tb=short", "--assert=plain", "-p", "no:cacheprovider", "-m", "")
    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    code = int(pytest.main([*options, *selection], plugins=[witness, *plugins]))
    if code == 4 and Path(selection[0].partition("::")[0]).exists():
        # Not a wrong selection: conftest.py could not be imported, and says so nowhere else.
        code, witness.seen, witness.error = 2, "conftest.py", "cannot be imported"
        try:
            importlib.import_module("tools.prose")
        except Exception as error:
            witness.error = type(error).__name__
    return code, witness


def judge(kind, place, change, selections, prepare=None):
    """Run selections of tests in turn until one is red, and say which.

    Parameters
    ----------
    kind, place, change : str
        Of the `Outcome`.
    selections : iterable of sequence of str
        Arguments for pytest, the likeliest to go red first.
    prepare : callable, optional
        Makes the change.

    Returns
    -------
    Outcome
    """
    try:
        if prepare:
            prepare()
    except Exception as error:
        return Outcome(kind, place, change, trouble=f"{type(error).__name__}: {error}")
    for selection in selections:
        code, witness = ask(*selection)
        if code in (1, 2):
            if witness.error in ("NameError", "UnboundLocalError", "SyntaxError"):
                return Outcome(kind, place, change, trouble=f"the change itself fails: {witness.error}")
            return Outcome(kind, place, change, killed_by=f"{witness.seen} ({witness.error})")
        if code:
            return Outcome(kind, place, change, trouble=f"pytest ended with {code} on {selection}")
    return Outcome(kind, place, change)
