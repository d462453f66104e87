"""What every command runs in: a Python of our own in ``.venv/``, and nothing of the machine's settings.

Only the standard library is imported here, because the first command makes the
environment, with what one of the requirements files pins.  It is made, or
brought up to date, by whichever command needs it.
"""

import ast
import contextlib
import functools
import importlib.util
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path

from tools import NEWEST, OLDEST, messages
from tools.messages import TaskError
from tools.progress import Progress

ROOT = Path(__file__).resolve().parent.parent
BUILD = ROOT / "_build"
WINDOWS = os.name == "nt"

# `PINS=off` is for finding out what the newest packages would break.
PINNED = os.environ.get("PINS") != "off"
VENV = ROOT / (".venv" if PINNED else ".venv-newest")
SETS = ("", "-test", "-lab", "-upkeep")  # requirements.txt, requirements-test.txt, …
PIN = re.compile(r"^([A-Za-z0-9][\w.-]*)==([^\s;\\]+)\s*(\\?)$", re.M)
SIZE = re.compile(r"^ *(?:Downloading|Using cached) \S+ \(([\d.]+) ([kM])B\)")
MEGABYTES = 700  # in .venv/, with the packages of all tests
# Stands in .venv/ while packages are put into it: what was cut short is made again.
UNFINISHED = VENV / "unfinished"

# Of the reader's settings for pip only these count: where the packages are, and how to get there.
WAY_TO_PACKAGES = {
    "PIP_INDEX_URL", "PIP_EXTRA_INDEX_URL", "PIP_FIND_LINKS", "PIP_NO_INDEX", "PIP_TRUSTED_HOST",
    "PIP_PROXY", "PIP_CERT", "PIP_CLIENT_CERT", "PIP_KEYRING_PROVIDER", "PIP_TIMEOUT",
    "PIP_DEFAULT_TIMEOUT", "PIP_RETRIES", "PIP_CACHE_DIR",
}  # fmt: skip
# And of those for Python only these: others, such as PYTHONHOME, would change what it does.
FOR_PYTHON = {"PYTHONHASHSEED", "PYTHONPYCACHEPREFIX", "PYTHONUNBUFFERED"}
PATIENCE = 10  # seconds that a command has to end when it is stopped


class Stopped(KeyboardInterrupt):
    """Somebody ends this process, and this process alone."""


# --------------------------------------------------------------------------
# The environment
# --------------------------------------------------------------------------


def normal(name):
    """Name of a package as all of its spellings share it."""
    return re.sub(r"[-_.]+", "-", name).lower()


def pinned(which):
    """Name and version of every package that one requirements file pins on all machines."""
    path = ROOT / f"requirements{which}.txt"
    text = path.read_text(encoding="utf-8") if path.exists() else ""
    return {normal(name): version for name, version, _ in PIN.findall(text)}


def installed(folders):
    """Name and version of every package that lies in folders of packages."""
    stems = (path.stem.partition("-") for folder in folders for path in Path(folder).glob("*.dist-info"))
    return {normal(name): version for name, _, version in stems}


def holds(folders, which):
    """Whether folders of packages have all that one requirements file pins."""
    return pinned(which).items() <= installed(folders).items()


def program(name):
    """Path of a program in our own environment."""
    return VENV / ("Scripts" if WINDOWS else "bin") / (f"{name}.exe" if WINDOWS else name)


def runs_here(which=""):
    """Whether the interpreter that runs this is of an environment with all that is pinned."""
    if not PINNED:
        return Path(sys.prefix).resolve() == VENV
    folders = {sysconfig.get_path("purelib"), sysconfig.get_path("platlib")}
    return sys.prefix != sys.base_prefix and holds(folders, which)


@functools.lru_cache
def python(which=""):
    """Interpreter of an environment that holds what one requirements file pins.

    It is the running one, if it is of such an environment, or else that of ``.venv/``,
    which is made and filled where it has to be.
    """
    if runs_here(which):
        return Path(sys.executable)
    own = program("python")
    if packages_of(own) is None:
        make_environment()
    if not PINNED:
        install(own, "--upgrade", "-r", f"requirements{which}.in", "-e", ".")
    elif not holds([packages_of(own)], which):
        install(own, "-r", f"requirements{which}.txt", count=len(pinned(which)))
        # With the setuptools that is pinned, not with one fetched for the occasion.
        install(own, "--no-deps", "--no-build-isolation", "-e", ".")
        if not holds([packages_of(own)], which):
            raise TaskError(messages.NOT_WHOLE.format(venv=VENV.name))
    return own


def packages_of(own):
    """Folder of the packages of an environment's interpreter; None if it is not there, or not whole."""
    ask = [own, "-I", "-S", "-c", "import sys; print('%d.%d' % sys.version_info[:2])"]
    try:
        version = subprocess.run(ask, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return None
    folder = VENV / ("Lib/site-packages" if WINDOWS else f"lib/python{version}/site-packages")
    has_pip = any(folder.glob("pip-*.dist-info/RECORD"))
    return folder if has_pip and (VENV / "pyvenv.cfg").exists() and not UNFINISHED.exists() else None


def make_environment():
    if not OLDEST <= sys.version_info[:2] <= NEWEST:
        raise TaskError(messages.other_python(OLDEST, NEWEST))
    need_room(MEGABYTES)
    for module in ("venv", "ensurepip"):
        if not _is_there(module):
            this = "{}.{}".format(*sys.version_info[:2])
            raise TaskError(messages.NO_VENV.format(module=module, this=this))
    import venv  # not at the top: some systems leave it out

    if program("python").exists():
        print(messages.MADE_AGAIN.format(venv=VENV.name), flush=True)
    try:
        venv.EnvBuilder(clear=True, symlinks=not WINDOWS, with_pip=True).create(VENV.resolve())
    except subprocess.CalledProcessError as error:
        reason = last_words((error.output or b"").decode("utf-8", "replace")) or str(error)
        raise TaskError(messages.NO_ENVIRONMENT.format(venv=VENV.name, reason=reason)) from error
    except (OSError, ValueError) as error:  # a colon in the path, or a file where the folder should be
        if getattr(error, "errno", None) in messages.OF_THE_DISK:
            raise
        raise TaskError(messages.NO_ENVIRONMENT.format(venv=VENV.name, reason=error)) from error
    # A kernel gives advice on each start; nobody needs it.
    settings = VENV / "etc" / "ipython"
    settings.mkdir(parents=True)
    (settings / "ipython_kernel_config.py").write_text(
        'c.IPKernelApp.log_level = "CRITICAL"\n', encoding="utf-8"
    )


def need_room(megabytes):
    """End the task before it begins, if the disk has not enough room for it."""
    free = shutil.disk_usage(ROOT).free // 10**6
    if free < megabytes:
        raise TaskError(messages.NO_SPACE.format(needed=megabytes, free=free, folder=ROOT))


def _is_there(module):
    """Whether a module of the standard library is; an empty folder of its name does not count."""
    found = importlib.util.find_spec(module)
    return found is not None and found.origin is not None


def install(own, *what, count=0):
    """Let pip install something, saying how far it is.

    Parameters
    ----------
    own : Path
        Interpreter of the environment.
    what
        As behind ``pip install``.
    count : int
        How many packages that will be, if it is worth telling.
    """
    command = [own, "-m", "pip", "install", *what]
    progress = Progress("packages")
    fetched, megabytes, said = 0, 0.0, []
    say(command)
    with started(command, pip_environment(own), stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as process:
        for line in process.stdout:
            said.append(line)
            if line.startswith("Collecting "):
                fetched += 1
            elif size := SIZE.search(line):
                megabytes += float(size[1]) * {"k": 1e-3, "M": 1}[size[2]]
                if count:
                    progress.tell(f"{min(fetched, count)} of {count} fetched, {megabytes:.0f} MB")
            elif line.startswith("Installing collected packages"):
                UNFINISHED.touch()
                if count:
                    progress.end(f"all {count} fetched, {megabytes:.0f} MB; now they are installed")
        process.wait()
    if process.returncode:
        raise TaskError(messages.NOT_INSTALLED.format(reason=reason_of_pip("".join(said))))
    UNFINISHED.unlink(missing_ok=True)


def reason_of_pip(said):
    """Return, in a few words, why pip could not do what it should."""
    if "Errno 28" in said:
        return messages.DISK_FULL.format(folder=ROOT)
    if unreached := re.search(r"Retrying \(.*after connection broken by '(.*)': /", said):
        # such as: NewConnectionError('<… object at 0x…>: Failed to establish a new connection')
        return re.sub(r"^\w+\(['\"]?(?:<[^>]*>: )?|['\"]?,?\)$", "", unreached[1])
    return last_words(said)


def last_words(said):
    """Return the last warning and the last error of a program's output, or its last line."""
    lines = [line.strip() for line in said.splitlines() if line.strip()]
    warnings, errors = ([line for line in lines if line.startswith(kind)] for kind in ("WARNING", "ERROR"))
    return "\n".join([*warnings[-1:], *errors[-1:]] or lines[-1:])


# --------------------------------------------------------------------------
# Settings
# --------------------------------------------------------------------------


def environment():
    """What the commands find in their environment, whoever calls them."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("PYTHON", "PYTEST_")) or name in FOR_PYTHON
    }
    changed = {
        # Notebooks start kernels by name: let them find this environment's first, and
        # nobody's own settings.
        "JUPYTER_PREFER_ENV_PATH": "1",
        "IPYTHONDIR": str((VENV if VENV.exists() else Path(sys.prefix)) / "ipython"),
        "MPLBACKEND": "agg",
        # `make check` takes twice as long where no bytecode is kept
        "PYTHONDONTWRITEBYTECODE": "",
        "PYTHONPATH": str(ROOT),
        "PYTHONUTF8": "1",
        "PYTHONIOENCODING": "utf-8",
        "PATH": os.pathsep.join([str(program("python").parent), os.environ.get("PATH", "")]),
    }
    return {**kept, **changed, **home()}


@functools.lru_cache
def home():
    """A home in _build/, for programs that keep things there, where the reader's cannot be written to."""
    with contextlib.suppress(RuntimeError):  # who has no home at all
        own = Path.home()
        cache = Path(os.environ.get("XDG_CACHE_HOME") or own / ".cache", "attention-course")
        if own.is_dir() and writable(own) and writable(cache):
            return {}
    instead = BUILD / "home"
    if not writable(instead):
        raise TaskError(messages.READ_ONLY.format(folder=ROOT))
    print(messages.NO_HOME.format(folder=instead), flush=True)
    kinds = {"XDG_CACHE_HOME": ".cache", "XDG_CONFIG_HOME": ".config", "XDG_DATA_HOME": ".local/share"}
    return {
        **_settings_in_home(),
        "HOME": str(instead),
        "USERPROFILE": str(instead),
        **{name: str(instead / folder) for name, folder in kinds.items()},
    }


def _settings_in_home():
    """Say where pip's and npm's settings are, which may lead to the packages."""
    own = Path(os.path.expanduser("~"))
    files = {
        "PIP_CONFIG_FILE": (".config/pip/pip.conf", ".pip/pip.conf", "pip/pip.ini"),
        "NPM_CONFIG_USERCONFIG": (".npmrc",),
    }
    found = {
        setting: str(own / name)
        for setting, names in files.items()
        for name in names
        if os.access(own / name, os.R_OK)
    }
    return {setting: path for setting, path in found.items() if setting not in os.environ}


def writable(folder):
    """Whether a folder is there, or can be made, and takes a file."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return True
    except OSError:
        return False


@functools.lru_cache
def pip_environment(own):
    """Environment for pip: it finds the packages where the reader's pip would, and has no other settings."""
    found = environment()
    without = {name: value for name, value in found.items() if not name.startswith("PIP_")}
    files = {name: value for name, value in found.items() if name == "PIP_CONFIG_FILE"}
    listed = subprocess.run(
        [own, "-m", "pip", "config", "list"],
        env={**without, **files}, cwd=ROOT, check=False,
        capture_output=True, encoding="utf-8", errors="replace",
    ).stdout  # fmt: skip
    return {
        **without,
        "PIP_CONFIG_FILE": os.devnull,
        "PIP_DISABLE_PIP_VERSION_CHECK": "1",
        "PIP_NO_INPUT": "1",
        "PIP_RETRIES": "2",
        "PYTHONUNBUFFERED": "1",
        **way_to_packages(listed, found),
    }


def way_to_packages(listed, variables):
    """Return the settings for pip that lead to the packages, as variables.

    Parameters
    ----------
    listed : str
        What ``pip config list`` says of the reader's files.
    variables : dict
        The reader's environment, which goes before them.
    """
    found = {}
    for section in ("global", "install"):
        for name, value in re.findall(rf"^{section}\.([\w-]+)=(.*)$", listed, flags=re.M):
            found[f"PIP_{name.upper().replace('-', '_')}"] = ast.literal_eval(value)
    found |= {name: value for name, value in variables.items() if name.startswith("PIP_")}
    if "PIP_FIND_LINKS" not in found:
        found.pop("PIP_NO_INDEX", None)  # nothing could be found at all
    return {name: value for name, value in found.items() if name in WAY_TO_PACKAGES and value}


# --------------------------------------------------------------------------
# Running commands
# --------------------------------------------------------------------------


@contextlib.contextmanager
def started(words, settings=None, cwd=ROOT, patience=PATIENCE, **more):
    """Start one command; it has ended when the block has, whatever happens in it."""
    words = [str(word) for word in words]
    text = {"encoding": "utf-8", "errors": "replace"} if more else {}
    with subprocess.Popen(words, cwd=cwd, env=settings or environment(), **text, **more) as process:
        try:
            yield process
        except Stopped:
            process.terminate()
            raise
        finally:
            _end(process, patience)


def _end(process, patience):
    """See that a command ends: the Ctrl-C that ends us has reached it too, but it may not listen."""
    for tell in (lambda: None, process.terminate, process.kill):
        if process.poll() is None:
            tell()
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(patience)


def say(words):
    """Print a command that is about to run; of a long one, the beginning."""
    words = [str(word) for word in words]
    print("+", shlex.join(words[:8]) + (" …" if len(words) > 8 else ""), flush=True)


def run(*words, **more):
    """Say and run one command in the checkout; a command that fails ends the task."""
    say(words)
    with started(words, {**environment(), **more}) as process:
        process.wait()
    look_at(words, process.returncode)


def run_server(*words):
    """Say and run one command that goes on until the reader ends it; a Ctrl-C is for it alone."""
    say(words)
    with started(words) as process:
        while process.poll() is None:
            try:
                process.wait()
            except KeyboardInterrupt as error:
                if isinstance(error, Stopped):
                    raise
    look_at(words, process.returncode)


def run_together(*commands):
    """Run several commands at once and print what each says, in their order."""
    problems = []
    with contextlib.ExitStack() as stack:
        pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
        at_work = [(words, stack.enter_context(started(words, **pipes))) for words in commands]
        for words, process in at_work:
            say(words)
            print(process.communicate()[0], end="", flush=True)
            try:
                look_at(words, process.returncode)
            except TaskError as error:
                problems.append(str(error))
    if problems:
        raise TaskError("; ".join(problems))


def look_at(words, code):
    """End the task if a command has failed, with the cause if it is plain."""
    if code and shutil.disk_usage(ROOT).free < 10**6:
        raise TaskError(messages.DISK_FULL.format(folder=ROOT))
    if code:
        command = " ".join([Path(words[0]).name, *map(str, words[1:4])])
        raise TaskError(messages.FAILED.format(command=command, code=code))


def listen_to_signals():
    """Where this process is told to end, end what it has started too."""

    def stop(*_):
        raise Stopped

    for name in ("SIGTERM", "SIGHUP"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), stop)


def prepare_output():
    """Write what a console can show, and everything into a file."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            encoding = stream.encoding if stream.isatty() else "utf-8"
            stream.reconfigure(encoding=encoding, errors="backslashreplace")
