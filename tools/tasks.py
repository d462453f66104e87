"""The commands: each is one function, ``make NAME`` or ``python -m tools NAME``.

(Those that take arguments are in ``tools/__main__.py``.)  Only the standard
library is imported here, because the first command to run makes the environment:
``.venv/``, with what one of the requirements files pins.
"""

import functools
import os
import re
import shlex
import shutil
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BUILD = ROOT / "_build"
SITE = BUILD / "html"
OLDEST, NEWEST = (3, 11), (3, 14)
WINDOWS = os.name == "nt"
JUPYTER_BOOK = ("-c", "from jupyter_book.cli.main import main; main()")

# `PINS=off` is for finding out what the newest packages would break.
PINNED = os.environ.get("PINS") != "off"
VENV = ROOT / (".venv" if PINNED else ".venv-newest")
SETS = ("", "-test", "-lab", "-upkeep")  # requirements.txt, requirements-test.txt, …
PIN = re.compile(r"^([A-Za-z0-9][\w.-]*)==([^\s;\\]+)\s*(\\?)$", re.M)

# The newest for which the comparison was seen to hold.  From PyPI it is a build for
# graphics cards on Linux; any build of it will do.
TORCH = "torch==2.13.0"

TASKS = {}  # the commands of this file, by name


class TaskError(Exception):
    """What the reader is told, in one sentence."""


def command(function):
    """Make a function a command of its name."""
    TASKS[function.__name__] = function
    return function


# --------------------------------------------------------------------------
# The environment
# --------------------------------------------------------------------------


def _normal(name):
    return re.sub(r"[-_.]+", "-", name).lower()


def pinned(which):
    """Name and version of every package that one requirements file pins on all machines."""
    path = ROOT / f"requirements{which}.txt"
    text = path.read_text(encoding="utf-8") if path.exists() else ""
    return {_normal(name): version for name, version, _ in PIN.findall(text)}


def installed(folders):
    """Name and version of every package that lies in folders of packages."""
    stems = (path.stem.partition("-") for folder in folders for path in Path(folder).glob("*.dist-info"))
    return {_normal(name): version for name, _, version in stems}


def _program(name):
    """Path of a program in our own environment."""
    return VENV / ("Scripts" if WINDOWS else "bin") / (f"{name}.exe" if WINDOWS else name)


def _own_environment_holds(which):
    folders = [VENV / "Lib" / "site-packages", *VENV.glob("lib/python3.*/site-packages")]
    return pinned(which).items() <= installed(folders).items()


def runs_here(which=""):
    """Whether the interpreter that runs this is of an environment with all that is pinned."""
    if not PINNED:
        return Path(sys.prefix).resolve() == VENV
    folders = {sysconfig.get_path("purelib"), sysconfig.get_path("platlib")}
    return sys.prefix != sys.base_prefix and pinned(which).items() <= installed(folders).items()


@functools.lru_cache
def python(which=""):
    """Interpreter of an environment that holds what one requirements file pins.

    It is the running one, if it is of such an environment, or else that of ``.venv/``,
    which is made and filled where it has to be.
    """
    if runs_here(which):
        return Path(sys.executable)
    own = _program("python")
    if not own.exists():
        _make_environment()
    if not PINNED:
        _install(own, "--upgrade", "-r", f"requirements{which}.in", "-e", ".")
    elif not _own_environment_holds(which):
        _install(own, "-r", f"requirements{which}.txt")
        # With the setuptools that is pinned, not with one fetched for the occasion.
        _install(own, "--no-deps", "--no-build-isolation", "-e", ".")
        if not _own_environment_holds(which):
            raise TaskError(f"{VENV.name}/ does not hold what it should: delete it and try again")
    return own


def _make_environment():
    if not OLDEST <= sys.version_info[:2] <= NEWEST:
        raise TaskError(
            "Python {}.{} to {}.{} is needed, and this is {}.{}.  Name another:  "
            "make book PYTHON=python{}.{}".format(*OLDEST, *NEWEST, *sys.version_info[:2], *NEWEST)
        )
    venv.create(VENV, clear=True, with_pip=True)
    # A kernel's word of advice on each start is nobody's news.
    settings = VENV / "etc" / "ipython" / "ipython_kernel_config.py"
    settings.parent.mkdir(parents=True)
    settings.write_text('c.IPKernelApp.log_level = "ERROR"\n', encoding="utf-8")


def _install(own, *what):
    run(own, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *what)


def environment():
    """What the commands find in their environment, whoever calls them."""
    changed = {
        # Notebooks start kernels by name: let them find this environment's first, and
        # nobody's own settings.
        "JUPYTER_PREFER_ENV_PATH": "1",
        "IPYTHONDIR": str((VENV if VENV.exists() else Path(sys.prefix)) / "ipython"),
        "MPLBACKEND": "agg",
        "PYTHONDONTWRITEBYTECODE": "",  # whoever wants no caches waits twice as long for `make check`
        "PYTHONPATH": str(ROOT),
        "PYTHONUTF8": "1",
        "PATH": os.pathsep.join([str(_program("python").parent), os.environ.get("PATH", "")]),
    }
    return {**os.environ, **changed}


def run(*words, **more):
    """Say and run one command in the checkout; a command that fails ends the task."""
    words = [str(word) for word in words]
    print("+", shlex.join(words), flush=True)
    _look_at(words, subprocess.run(words, cwd=ROOT, env={**environment(), **more}, check=False).returncode)


def run_together(*commands):
    """Run several commands at once and print what each says, in their order."""
    at_work = []
    for words in ([str(word) for word in words] for words in commands):
        to_us = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "encoding": "utf-8"}
        at_work.append((words, subprocess.Popen(words, cwd=ROOT, env=environment(), **to_us)))
    failed = []
    for words, process in at_work:
        print("+", shlex.join(words[:8]) + (" …" if len(words) > 8 else ""), flush=True)
        print(process.communicate()[0], end="", flush=True)
        try:
            _look_at(words, process.returncode)
        except TaskError as error:
            failed.append(str(error))
    if failed:
        raise TaskError("; ".join(failed))


def _look_at(words, code):
    if code:
        raise TaskError(f"{Path(words[0]).name} {' '.join(words[1:4])} … ended with {code}")


# --------------------------------------------------------------------------
# To read
# --------------------------------------------------------------------------


@command
def book():
    """Run every notebook and build the website into _build/html/; any warning is an error."""
    interpreter = python()
    for folder in (SITE, BUILD / ".doctrees", BUILD / "jupyter_execute"):
        shutil.rmtree(folder, ignore_errors=True)
    run(interpreter, *JUPYTER_BOOK, "build", ".", "--all", "-W", "-n", "--keep-going", "-q")


def _built():
    """The built site, built if it is not there."""
    if not (SITE / "index.html").exists():
        book()
    return SITE


@command
def serve():
    """Build the site, then serve it on this machine only."""
    book()
    port = os.environ.get("PORT") or "8000"
    run(python(), "-m", "http.server", port, "--bind", "127.0.0.1", "--directory", SITE)


@command
def live():
    """Fetch and prepare, once, what cells that run in the page need."""
    run(python(), "-m", "course_live", PYTHONPATH=os.pathsep.join([str(ROOT), str(ROOT / "site" / "ext")]))


@command
def lab():
    """Open the notebooks in JupyterLab."""
    run(python("-lab"), "-m", "jupyterlab", "book")


@command
def pdf():
    """Print the built site as one PDF, into _build/."""
    _built()
    run(python("-test"), "-m", "tools.pdf")


# --------------------------------------------------------------------------
# To test
# --------------------------------------------------------------------------

UNIT_TESTS = ("tests", "--ignore=tests/site/browser", "--ignore=tests/thorough")
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
        [python("-test"), "-m", "ruff", "check", "."],
        [python("-test"), "-m", "tools", "compare"],
        [*quick, "tests/scripts", "--ignore-glob=*/test_draw_*"],  # all of them slow
        [*quick, *UNIT_TESTS, "--ignore=tests/scripts"],
    )


@command
def test():
    """All that this machine can check in minutes: every test, every stored output, the site in a browser."""
    try:
        live()
    except TaskError as error:
        # a machine that cannot fetch builds the course without live cells, and skips their tests
        print(error, flush=True)
    run_together(
        [python("-test"), "-m", "ruff", "check", "."],
        [python("-test"), "-m", "tools", "compare"],
        [python("-test"), "-m", "tools", "book"],
        _pytest(*UNIT_TESTS, *_side_by_side("loadfile")),
    )
    # with what the notebooks store, which is compared with what the build has run
    run(*_pytest("tests/site/browser", *_side_by_side("loadscope")))


@command
def thorough():
    """What is left out of `make test` for its length: the site built twice, another example, more."""
    book()
    run(*_pytest("tests", "-m", "thorough", *_side_by_side("loadfile")))
    # A kernel that hangs fails after two minutes, not half an hour.
    run(*_pytest("--nbval", "--nbval-cell-timeout=120", *_side_by_side("loadfile"), "book"))


@command
def measure():
    """Print how long things take on this machine: a slider's move, the first picture of a cell that runs."""
    _built()
    run(*_pytest("tests/site/browser", "-s", "-m", "measure"))


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
        _install(interpreter, TORCH)


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
