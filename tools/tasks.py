"""What the Makefile's targets do, for machines with ``make`` and without.

Only the standard library is imported here, because the first of these to run
makes the environment: ``.venv/``, with what one of the requirements files pins.
It is made, or brought up to date, by whichever task needs it.
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


UNIT_TESTS = (
    "tests/scripts",
    "tests/tools",
    "tests/site",
    "--ignore=tests/site/browser",
    "--ignore=tests/site/live",
)

# Plug-ins that unit tests do without, and that take their time to start.
QUIET = ("-p", "no:xdist", "-p", "no:nbval", "-p", "no:playwright", "-p", "no:cacheprovider")

# The newest for which the comparison was seen to hold.  From PyPI it is a build for
# graphics cards on Linux; any build of it will do.
TORCH = "torch==2.13.0"


class TaskError(Exception):
    """What the reader is told, in one sentence."""


# --------------------------------------------------------------------------
# The environment
# --------------------------------------------------------------------------


def _normal(name):
    return re.sub(r"[-_.]+", "-", name).lower()


def pins(which):
    """Name and version of every package that one requirements file pins on all machines."""
    path = ROOT / f"requirements{which}.txt"
    text = path.read_text(encoding="utf-8") if path.exists() else ""
    return {_normal(name): version for name, version, _ in PIN.findall(text)}


def installed(folders):
    """Name and version of every package that lies in folders of packages."""
    found = {}
    for folder in folders:
        for path in Path(folder).glob("*.dist-info"):
            name, _, version = path.stem.partition("-")
            found[_normal(name)] = version
    return found


def _holds(folders, which):
    return pins(which).items() <= installed(folders).items()


def _own_folders():
    if WINDOWS:
        return [VENV / "Lib" / "site-packages"]
    return sorted(VENV.glob("lib/python3.*/site-packages"))


def _program(name):
    """Path of a program in our own environment."""
    return VENV / ("Scripts" if WINDOWS else "bin") / (f"{name}.exe" if WINDOWS else name)


def runs_here(which=""):
    """Whether the interpreter that runs this is of an environment with all that is pinned."""
    if not PINNED:
        return Path(sys.prefix).resolve() == VENV
    folders = {sysconfig.get_path("purelib"), sysconfig.get_path("platlib")}
    return sys.prefix != sys.base_prefix and _holds(folders, which)


@functools.lru_cache
def python(which=""):
    """Interpreter of an environment that holds what one requirements file pins.

    Parameters
    ----------
    which : {"", "-test", "-lab", "-upkeep"}

    Returns
    -------
    pathlib.Path
        The running one if it is of such an environment, or else that of
        ``.venv/``, which is made and filled where it has to be.
    """
    if runs_here(which):
        return Path(sys.executable)
    own = _program("python")
    if not own.exists():
        _make_environment(own)
    if not PINNED:
        _install(own, "--upgrade", "-r", f"requirements{which}.in", "-e", ".")
    elif not _holds(_own_folders(), which):
        _install(own, "-r", f"requirements{which}.txt")
        # With the setuptools that is pinned, not with one fetched for the occasion.
        _install(own, "--no-deps", "--no-build-isolation", "-e", ".")
        if not _holds(_own_folders(), which):
            raise TaskError(f"{VENV.name}/ does not hold what it should: delete it and try again")
    return own


def _make_environment(own):
    if not OLDEST <= sys.version_info[:2] <= NEWEST:
        raise TaskError(
            "Python {}.{} to {}.{} is needed, and this is {}.{}.  Name another:  "
            "make book PYTHON=python{}.{}".format(*OLDEST, *NEWEST, *sys.version_info[:2], *NEWEST)
        )
    venv.create(VENV, clear=True, with_pip=True)
    # A kernel's word of advice on each start is nobody's news.
    settings = VENV / "etc" / "ipython"
    settings.mkdir(parents=True)
    (settings / "ipython_kernel_config.py").write_text(
        'c.IPKernelApp.log_level = "ERROR"\n', encoding="utf-8"
    )


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


def run(*command, **more):
    """Say and run one command in the checkout; a command that fails ends the task."""
    words = [str(word) for word in command]
    print("+", shlex.join(words), flush=True)
    done = subprocess.run(words, cwd=ROOT, env={**environment(), **more}, check=False)
    if done.returncode:
        raise TaskError(f"{Path(words[0]).name} {' '.join(words[1:4])} … ended with {done.returncode}")


def run_together(*commands):
    """Run several commands at once and print what each says, in their order."""

    def in_short(words):
        return shlex.join(words[:8]) + (" …" if len(words) > 8 else "")

    at_work = []
    for command in commands:
        words = [str(word) for word in command]
        done = subprocess.Popen(
            words,
            cwd=ROOT,
            env=environment(),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
        )
        at_work.append((words, done))
    failed = []
    for words, process in at_work:
        print("+", in_short(words), flush=True)
        said, _ = process.communicate()
        print(said, end="", flush=True)
        if process.returncode:
            failed.append(f"{' '.join(words[1:4])} … ended with {process.returncode}")
    if failed:
        raise TaskError("; ".join(failed))


# --------------------------------------------------------------------------
# The tasks
# --------------------------------------------------------------------------


def book():
    """Build the website into _build/html/."""
    interpreter = python()
    for folder in (SITE, BUILD / ".doctrees", BUILD / "jupyter_execute"):
        shutil.rmtree(folder, ignore_errors=True)
    run(interpreter, *JUPYTER_BOOK, "build", ".", "--all", "-W", "-n", "--keep-going", "-q")


def serve():
    """Build the site, then serve it on this machine only."""
    book()
    port = os.environ.get("PORT") or "8000"
    run(python(), "-m", "http.server", port, "--bind", "127.0.0.1", "--directory", SITE)


def pdf():
    """Print the built site as one PDF, into _build/."""
    if not (SITE / "index.html").exists():
        book()
    run(python("-test"), "-m", "tools.pdf")


def check():
    """In seconds: code style, prose and pictures against the arithmetic, unit tests."""
    interpreter = python("-test")
    # Side by side, in parts that take about as long.  Tests marked `checked` say what the
    # comparison says.
    unit = ROOT / "tests" / "scripts"
    drawing = [*sorted(unit.glob("test_draw_*.py")), unit / "test_alt_texts.py", unit / "test_pictures.py"]
    drawing = [path.relative_to(ROOT) for path in drawing]
    rest = [f"--ignore={path}" for path in drawing]
    quick = [interpreter, "-m", "pytest", "-q", *QUIET, "-m", "not slow and not checked"]
    run_together(
        [interpreter, "-m", "ruff", "check", "."],
        [interpreter, "-m", "tools", "compare"],
        [*quick, *drawing],
        [*quick, *rest, *UNIT_TESTS],
    )


def test():
    """All that this machine can check: every output of every notebook, and the site in a browser."""
    interpreter = python("-test")
    _lint_and_compare()
    jobs = os.environ.get("JOBS") or "2"
    run(interpreter, "-m", "pytest", *UNIT_TESTS, "-n", jobs, "--dist", "loadfile")
    # Notebooks are compared in their own run: nbval's plug-in collects nothing
    # else, and a kernel that hangs fails after two minutes, not half an hour.
    run(
        interpreter, "-m", "pytest", "--nbval", "--nbval-cell-timeout=120",
        "-n", jobs, "--dist", "loadfile", "book",
    )  # fmt: skip
    try:
        live()
    except TaskError as error:
        # a machine that cannot fetch builds the course without live cells, and skips their tests
        print(error, flush=True)
    book()
    for tests in (
        "site/browser",
        "site/live",
        "thorough/test_another_example.py",
        "thorough/test_same_site.py",
    ):
        run(interpreter, "-m", "pytest", f"tests/{tests}")


def _lint_and_compare():
    interpreter = python("-test")
    run(interpreter, "-m", "ruff", "check", ".")
    run(interpreter, "-m", "tools", "compare")


def lab():
    """Open the notebooks in JupyterLab."""
    run(python("-lab"), "-m", "jupyterlab", "book")


def load():
    """Let three hundred readers open every page of the built site, served by nginx."""
    if not (SITE / "index.html").exists():
        book()
    run(python("-test"), "-m", "pytest", "-s", "tests/thorough/load")


def links():
    """Ask every address that the course names whether it still answers."""
    run(python(), *JUPYTER_BOOK, "build", ".", "--all", "--builder", "linkcheck", "-q")


def pins_():
    """Pin the newest packages that fit, with their hashes; then run the tests."""
    interpreter = python("-upkeep")
    for which in SETS:
        lock(interpreter, which, "--upgrade")
    python.cache_clear()
    test()


def lock(interpreter, which, *more):
    """Write one requirements file from its list of what is wanted."""
    if which in ("-test", "-lab"):
        more = (*more, "--constraint", "requirements.txt")
    run(
        interpreter, "-m", "uv", "pip", "compile", f"requirements{which}.in", "--quiet", *more,
        "--universal", "--python-version", f"{OLDEST[0]}.{OLDEST[1]}",
        "--generate-hashes", "--no-emit-index-url", "--no-annotate",
        "--custom-compile-command", "make pins", "--output-file", f"requirements{which}.txt",
    )  # fmt: skip


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


def live():
    """Fetch and prepare, once, what cells that run in the page need."""
    run(python(), "-m", "course_live", PYTHONPATH=os.pathsep.join([str(ROOT), str(ROOT / "site" / "ext")]))


def torch():
    """Install PyTorch into the environment, for the tests that compare with it."""
    interpreter = python("-test")
    found = subprocess.run([interpreter, "-c", "import torch"], capture_output=True, check=False)
    if found.returncode:
        _install(interpreter, TORCH)


def mutate():
    """Change the code and the prose in a thousand places, and see that a check goes red each time."""
    run(python("-test"), "-m", "tools.mutation")


def clean():
    """Delete what was built; the environment stays."""
    for name in ("_build", ".pytest_cache", ".ruff_cache"):
        shutil.rmtree(ROOT / name, ignore_errors=True)


TASKS = {
    "book": book,
    "serve": serve,
    "pdf": pdf,
    "check": check,
    "test": test,
    "lab": lab,
    "live": live,
    "load": load,
    "mutate": mutate,
    "torch": torch,
    "links": links,
    "pins": pins_,
    "audit": audit,
    "clean": clean,
}
