"""The commands: each is one function, ``make NAME`` or ``python -m tools NAME``.

(Those that take arguments are in ``tools/__main__.py``.)  Only the standard
library is imported here, because the first command to run makes the environment
(``tools/environment.py``).
"""

import os
import shutil
import socket
import subprocess

from tools import OLDEST, messages
from tools import words as lengths
from tools.environment import (
    BUILD,
    ROOT,
    SETS,
    WINDOWS,
    environment,
    install,
    need_room,
    python,
    run,
    run_server,
    run_together,
    started,
    writable,
)
from tools.messages import TaskError

SITE = BUILD / "html"
MEGABYTES = 150  # of a built site, with cells that run
# Ctrl-C ends it at once, wherever it is, and not by a traceback.
QUIETLY = "import signal; signal.signal(signal.SIGINT, signal.SIG_DFL); "
JUPYTER_BOOK = ("-c", f"{QUIETLY}from jupyter_book.cli.main import main; main()")
ON_PATH = os.pathsep.join([str(ROOT), str(ROOT / "site" / "ext")])  # for `python -m course_live`

# The newest for which the comparison was seen to hold.  From PyPI it is a build for
# graphics cards on Linux; any build of it will do.
TORCH = "torch==2.13.0"

TASKS = {}  # the commands of this file, by name


def command(function):
    """Make a function a command of its name."""
    TASKS[function.__name__] = function
    return function


# --------------------------------------------------------------------------
# To read
# --------------------------------------------------------------------------


@command
def book():
    """Run every notebook and build the website into _build/html/; any warning is an error."""
    interpreter = python()
    need_room(MEGABYTES)
    _clear(SITE, BUILD / ".doctrees", BUILD / "jupyter_execute")
    lacking = _fetch(interpreter)
    run(interpreter, *JUPYTER_BOOK, "build", ".", "--all", "-W", "-n", "--keep-going", "-q")
    print(lacking, end="", flush=True)


def _clear(*folders):
    """Delete what an earlier build has made."""
    if not writable(BUILD):
        raise TaskError(messages.READ_ONLY.format(folder=BUILD))
    for folder in folders:
        shutil.rmtree(folder, ignore_errors=True)
        if folder.exists():
            raise TaskError(messages.NOT_CLEARED.format(folder=folder))


def _fetch(interpreter):
    """Fetch what the site needs from elsewhere; return, in words, what it will have to do without."""
    words = [interpreter, "-m", "course_live"]
    with started(words, {**environment(), "PYTHONPATH": ON_PATH}, stderr=subprocess.PIPE) as process:
        lacking = process.stderr.read()
        process.wait()
    if process.returncode:
        raise TaskError(lacking)
    return lacking


def _built():
    """The built site, built if it is not there."""
    if not (SITE / "index.html").exists():
        book()
    return SITE


@command
def serve():
    """Build the site, then serve it on this machine only."""
    port = _free_port(os.environ.get("PORT") or "8000")
    book()
    run_server(python(), "-m", "tools.serve", SITE, port)


def _free_port(wanted):
    """Return the number of a port that is free, or say which one is."""
    if not (wanted.isascii() and wanted.isdigit() and int(wanted) < 2**16):
        raise TaskError(messages.NO_PORT.format(port=wanted))
    number = int(wanted)
    if problem := _trouble_with(number):
        nearby = range(max(number + 1, 8001), 2**16)
        other = next((port for port in nearby if not _trouble_with(port)), 0)
        raise TaskError(problem.format(port=number, other=other))
    return number


def _trouble_with(port):
    with socket.socket() as probe:
        if not WINDOWS:  # where this would take a port away from another program
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except PermissionError:
            return messages.PORT_NOT_ALLOWED
        except OSError:
            return messages.PORT_IN_USE
    return None


@command
def live():
    """Fetch what `make book` would fetch, and build nothing."""
    if lacking := _fetch(python()):
        raise TaskError(lacking)


@command
def lab():
    """Open the notebooks in JupyterLab."""
    as_root = hasattr(os, "geteuid") and os.geteuid() == 0
    run_server(python("-lab"), "-m", "jupyterlab", "book", *(["--allow-root"] if as_root else []))


@command
def pdf():
    """Print the built site as one PDF, into _build/."""
    _built()
    run(python("-test"), "-m", "tools.pdf")


# --------------------------------------------------------------------------
# To test
# --------------------------------------------------------------------------

UNIT_TESTS = ("tests", "--ignore-glob=tests/site/browser*", "--ignore=tests/thorough")
# Plug-ins that quick tests do without, and that take their time to start.
QUIET = ("-p", "no:xdist", "-p", "no:nbval", "-p", "no:playwright", "-p", "no:cacheprovider")


def _pytest(*words):
    return [python("-test"), "-m", "pytest", *words]


def _side_by_side(how):
    return "-n", os.environ.get("JOBS") or "2", "--dist", how


@command
def check():
    """In seconds: code style, prose and pictures against the arithmetic, quick tests."""
    # Side by side.  Tests marked `checked` say what the comparison says.
    quick = _pytest("-q", *QUIET, "-m", "not slow and not checked")
    run_together(
        [python("-test"), "-m", "ruff", "check", "--no-cache", "."],
        [python("-test"), "-m", "tools", "compare"],
        [*quick, "tests/scripts", "--ignore-glob=*/test_draw_*"],  # all of them slow
        [*quick, *UNIT_TESTS, "--ignore=tests/scripts"],
    )


@command
def test():
    """All that this machine can check in minutes: every test, every stored output, the site in a browser."""
    run_together(
        [python("-test"), "-m", "ruff", "check", "--no-cache", "."],
        [python("-test"), "-m", "tools", "compare"],
        [python("-test"), "-m", "tools", "book"],
        _pytest(*UNIT_TESTS, *_side_by_side("loadfile")),
    )
    # with what the notebooks store, which is compared with what the build has run
    run(*_pytest("tests/site/browser", *_side_by_side("loadscope")))


@command
def browsers():
    """The essentials of the site in Firefox and in WebKit, from a plain server and under nginx's headers."""
    _built()
    run(*_pytest("tests/site/browsers", *_side_by_side("loadgroup")))


@command
def thorough():
    """What is left out of `make test` for its length: the site built twice, another example, more."""
    book()
    run(*_pytest("tests", "--ignore=tests/site/browsers", "-m", "thorough", *_side_by_side("loadfile")))
    # A kernel that hangs fails after two minutes, not half an hour.
    run(*_pytest("--nbval", "--nbval-cell-timeout=120", *_side_by_side("loadfile"), "book"))


@command
def measure():
    """Print how long things take on this machine: a slider's move, the first picture of a cell that runs."""
    _built()
    run(*_pytest("tests/site/browser", "-s", "-m", "measure"))


@command
def words():
    """Print how long each page is: words and minutes by path, and the lengths of its sentences."""
    print(lengths.report())


@command
def mutate():
    """Change the code and the prose in a thousand places, and see that a check goes red each time."""
    run(python("-test"), "-m", "tools.mutation")


@command
def torch():
    """Install PyTorch into the environment, for the tests that compare with it."""
    interpreter = python("-test")
    found = subprocess.run([interpreter, "-c", "import torch"], capture_output=True, check=False)
    if found.returncode:
        install(interpreter, TORCH)


# --------------------------------------------------------------------------
# To look after
# --------------------------------------------------------------------------


@command
def links():
    """Ask every address that the course names whether it still answers."""
    run(python(), *JUPYTER_BOOK, "build", ".", "--all", "--builder", "linkcheck", "-q")


@command
def pins():
    """Pin the newest packages that fit, with their hashes; then run the tests."""
    interpreter = python("-upkeep")
    for which in SETS:
        subset = ("--constraint", "requirements.txt") if which in ("-test", "-lab") else ()
        run(
            interpreter, "-m", "uv", "pip", "compile", f"requirements{which}.in", "--quiet", "--upgrade",
            *subset, "--universal", "--python-version", f"{OLDEST[0]}.{OLDEST[1]}",
            "--generate-hashes", "--no-emit-index-url", "--no-annotate",
            "--custom-compile-command", "make pins", "--output-file", f"requirements{which}.txt",
        )  # fmt: skip
    python.cache_clear()
    test()


@command
def audit():
    """Ask whether a pinned package has a known weakness."""
    interpreter = python("-upkeep")
    for which in SETS:
        run(
            interpreter, "-m", "pip_audit", "--requirement", f"requirements{which}.txt",
            "--require-hashes", "--disable-pip", "--strict", "--progress-spinner=off",
        )  # fmt: skip
    npm = shutil.which("npm", path=environment()["PATH"])
    if npm is None:
        raise TaskError("npm is needed to ask about what comes from there")
    run(npm, "audit", "--prefix", "site/live", "--package-lock-only")


@command
def clean():
    """Delete what was built; the environment stays."""
    for name in ("_build", ".pytest_cache", ".ruff_cache"):
        shutil.rmtree(ROOT / name, ignore_errors=True)
