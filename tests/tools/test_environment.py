"""Commands on machines of all kinds: what a user can mend is said in a sentence, or does not matter."""

import ast
import errno
import importlib.util
import io
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tools import environment, messages
from tools.__main__ import main
from tools.messages import TaskError

ROOT = environment.ROOT


@pytest.fixture(autouse=True)
def nothing_remembered():
    """A function that looks at the machine once only looks at each test's own."""
    remembering = (environment.home, environment.pip_environment, environment.python)
    for function in remembering:
        function.cache_clear()
    yield
    for function in remembering:
        function.cache_clear()


# ---- Python ---------------------------------------------------------------------


def test_starts_without_any_package():
    """`-S` leaves out every installed package: the first command must run before there are any."""
    code = "import tools.__main__ as m; m.build_parser(); import sys; assert 'numpy' not in sys.modules"
    subprocess.run([sys.executable, "-S", "-E", "-c", code], cwd=ROOT, check=True)


@pytest.mark.parametrize("version", [(3, 9, 0), (3, 15, 0)])
def test_another_python_is_told(monkeypatch, version):
    monkeypatch.setattr(sys, "version_info", version)
    wanted = rf"Python 3\.11 to 3\.14 is needed, and this is 3\.{version[1]}\."
    with pytest.raises(TaskError, match=wanted):
        environment.make_environment()


@pytest.mark.parametrize("name", ["__init__", "messages"])
def test_any_python_can_read_which_one_is_needed(name):
    text = (ROOT / "tools" / f"{name}.py").read_text(encoding="utf-8")
    assert text.isascii()
    too_new = (ast.JoinedStr, ast.AnnAssign, ast.NamedExpr, ast.Match)
    assert [node for node in ast.walk(ast.parse(text)) if isinstance(node, too_new)] == []


@pytest.mark.parametrize("module", ["venv", "ensurepip"])
def test_debian_without_its_package_for_environments(monkeypatch, tmp_path, module):
    """The folder of the module may be there, and empty."""
    (tmp_path / module).mkdir()
    monkeypatch.setattr(environment, "VENV", tmp_path / ".venv")
    monkeypatch.setattr(environment, "MEGABYTES", 0)
    monkeypatch.setattr(sys, "path", [str(tmp_path)])
    monkeypatch.delitem(sys.modules, module, raising=False)
    monkeypatch.setattr(sys, "path_importer_cache", {})
    real = importlib.util.find_spec
    monkeypatch.setattr(
        importlib.util, "find_spec", lambda name: real(name) if name == module else real("tools")
    )
    with pytest.raises(TaskError, match=f"module {module} is missing.*apt install python3-venv"):
        environment.make_environment()
    assert not (tmp_path / ".venv").exists()


def test_one_module_knows_where_windows_puts_programs(monkeypatch):
    monkeypatch.setattr(environment, "WINDOWS", True)
    assert environment.program("python") == environment.VENV / "Scripts" / "python.exe"
    monkeypatch.setattr(environment, "WINDOWS", False)
    assert environment.program("python") == environment.VENV / "bin" / "python"


# ---- the environment's folder ---------------------------------------------------


def test_environment_is_looked_over_before_it_is_used(tmp_path):
    for name in ("numpy-2.4.6", "PyYAML-6.0.4", "sphinx_book_theme-1.3.0"):
        (tmp_path / f"{name}.dist-info").mkdir()
    assert environment.installed([tmp_path]) == {
        "numpy": "2.4.6",
        "pyyaml": "6.0.4",
        "sphinx-book-theme": "1.3.0",
    }
    assert not environment.holds([tmp_path], "")


@pytest.fixture
def made(monkeypatch, tmp_path):
    """An environment as it is when it has just been made."""
    monkeypatch.setattr(environment, "VENV", tmp_path)
    monkeypatch.setattr(environment, "UNFINISHED", tmp_path / "unfinished")
    monkeypatch.setattr(environment, "WINDOWS", False)
    folder = tmp_path / "lib" / "python{}.{}".format(*sys.version_info) / "site-packages"
    (folder / "pip-26.0.dist-info").mkdir(parents=True)
    (folder / "pip-26.0.dist-info" / "RECORD").touch()
    (tmp_path / "pyvenv.cfg").touch()
    assert environment.packages_of(sys.executable) == folder
    return folder


def test_an_environment_that_was_cut_short_is_not_used(made):
    (environment.VENV / "unfinished").touch()
    assert environment.packages_of(sys.executable) is None


def test_an_environment_without_pip_is_not_used(made):
    (made / "pip-26.0.dist-info" / "RECORD").unlink()
    assert environment.packages_of(sys.executable) is None


def test_an_environment_of_another_python_is_not_used(made):
    made.parent.rename(made.parent.with_name("python3.4"))
    assert environment.packages_of(sys.executable) is None


def test_an_environment_whose_python_is_gone_is_not_used(made):
    assert environment.packages_of(made / "python") is None


def test_a_small_disk_is_told_before_anything_is_fetched(monkeypatch, made):
    monkeypatch.setattr(environment, "MEGABYTES", 10**9)
    with pytest.raises(TaskError, match=r"not enough room on the disk: 1000000000 MB are needed"):
        environment.make_environment()


# ---- settings -------------------------------------------------------------------


def test_settings_of_python_and_pytest_do_not_count(monkeypatch):
    for name in ("PYTHONHOME", "PYTHONOPTIMIZE", "PYTHONWARNINGS", "PYTHONINSPECT", "PYTEST_ADDOPTS"):
        monkeypatch.setenv(name, "1")
    monkeypatch.setenv("PYTHONPATH", "elsewhere")
    monkeypatch.setenv("PYTHONHASHSEED", "7")
    found = environment.environment()
    assert {name for name in found if name.startswith(("PYTHON", "PYTEST"))} == {
        "PYTHONDONTWRITEBYTECODE", "PYTHONHASHSEED", "PYTHONIOENCODING", "PYTHONPATH", "PYTHONUTF8",
        *(set(os.environ) & environment.FOR_PYTHON),
    }  # fmt: skip
    assert found["PYTHONPATH"] == str(ROOT)


LISTED = """\
global.index-url='https://mirror.example/simple'
global.require-hashes='true'
global.no-index='true'
global.target='/nowhere'
install.trusted-host='mirror.example\\nother.example'
install.user='true'
list.format='columns'
"""


def test_of_the_settings_for_pip_only_the_way_to_the_packages_counts():
    variables = {"PIP_USER": "1", "PIP_REQUIRE_VIRTUALENV": "1", "PIP_PROXY": "http://proxy", "PATH": "/bin"}
    assert environment.way_to_packages(LISTED, variables) == {
        "PIP_INDEX_URL": "https://mirror.example/simple",
        "PIP_TRUSTED_HOST": "mirror.example\nother.example",
        "PIP_PROXY": "http://proxy",
    }


def test_packages_from_a_folder_alone():
    found = environment.way_to_packages(
        LISTED, {"PIP_FIND_LINKS": "/wheels", "PIP_INDEX_URL": "https://a.example"}
    )
    assert found["PIP_NO_INDEX"] == "true"
    assert found["PIP_FIND_LINKS"] == "/wheels"
    assert found["PIP_INDEX_URL"] == "https://a.example"  # a variable goes before a file


@pytest.mark.slow
def test_pip_itself_follows_them(monkeypatch, tmp_path):
    """Settings with which nothing could be installed, and the one that shows the way."""
    settings = (
        "[global]\nindex-url = https://mirror.example/simple\ntarget = /nowhere\n[install]\nuser = true\n"
    )
    (tmp_path / "pip.conf").write_text(settings, encoding="utf-8")
    for name in [name for name in os.environ if name.startswith("PIP_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("PIP_CONFIG_FILE", str(tmp_path / "pip.conf"))
    monkeypatch.setenv("PIP_USER", "1")
    told = environment.pip_environment(sys.executable)
    ask = [sys.executable, "-m", "pip", "config", "list"]
    said = subprocess.run(ask, env=told, text=True, capture_output=True, check=True).stdout
    assert ":env:.index-url='https://mirror.example/simple'" in said
    assert "target" not in said and "user" not in said


def no_home(monkeypatch, tmp_path):
    monkeypatch.setenv("HOME", "/proc/nowhere")
    monkeypatch.setenv("USERPROFILE", "/proc/nowhere")
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setattr(environment, "BUILD", tmp_path / "_build")


def test_a_home_that_cannot_be_written_to(monkeypatch, tmp_path, capsys):
    no_home(monkeypatch, tmp_path)
    instead = tmp_path / "_build" / "home"
    assert environment.environment()["HOME"] == str(instead)
    assert environment.environment()["XDG_CACHE_HOME"] == str(instead / ".cache")
    assert capsys.readouterr().out == messages.NO_HOME.format(folder=instead) + "\n"


def test_a_cache_that_cannot_be_written_to(monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    (tmp_path / "file").touch()
    monkeypatch.setattr(environment, "BUILD", tmp_path / "_build")
    assert environment.environment()["XDG_CACHE_HOME"] == str(tmp_path / "_build" / "home" / ".cache")


def test_neither_home_nor_checkout_can_be_written_to(monkeypatch, tmp_path):
    no_home(monkeypatch, tmp_path)
    (tmp_path / "_build").touch()
    with pytest.raises(TaskError, match="copy the course into a folder of your own"):
        environment.environment()


# ---- what pip says --------------------------------------------------------------

REFUSED = (
    "WARNING: Retrying (Retry(total=0, connect=None)) after connection broken by 'NewConnectionError("
    "'<pip._vendor.urllib3.connection.HTTPSConnection object at 0x7f>: Failed to establish a new connection: "
    "[Errno 111] Connection refused')': /simple/numpy/\n"
    "ERROR: No matching distribution found for numpy==2.4.6\n"
)


@pytest.mark.parametrize(
    ("said", "meaning"),
    [
        (REFUSED, "Failed to establish a new connection: [Errno 111] Connection refused"),
        ("ERROR: Could not install: [Errno 28] No space left on device\n", "The disk is full: "),
        ("WARNING: a\nERROR: b\nERROR: c\n", "WARNING: a\nERROR: c"),
        ("Collecting numpy\nKilled\n", "Killed"),
    ],
)
def test_what_pip_could_not_do_is_said_in_short(said, meaning):
    assert environment.reason_of_pip(said).startswith(meaning)


# ---- output, errors and ends ----------------------------------------------------


@pytest.mark.parametrize("encoding", ["cp1252", "ascii", "cp437"])
def test_a_console_that_knows_few_signs(monkeypatch, encoding):
    """A file, and so a log, gets all of them; a console those that it knows."""
    for terminal, shown in ((False, "− ü".encode()), (True, "− ü".encode(encoding, "backslashreplace"))):
        stream = io.TextIOWrapper(io.BytesIO(), encoding=encoding)
        stream.isatty = lambda terminal=terminal: terminal
        monkeypatch.setattr(sys, "stdout", stream)
        environment.prepare_output()
        print("− ü", end="", flush=True)
        assert stream.buffer.getvalue() == shown


@pytest.mark.parametrize(
    ("number", "told"),
    [
        (errno.EROFS, "/a/b cannot be written to, and the commands need to"),
        (errno.EACCES, "/a/b cannot be written to, and the commands need to"),
        (errno.ENOSPC, "The disk is full: /a/b has no room left."),
    ],
)
def test_a_disk_that_takes_nothing_is_told_in_a_sentence(monkeypatch, capsys, number, told):
    def fails():
        raise OSError(number, "…", "/a/b")

    monkeypatch.setitem(main.__globals__["tasks"].TASKS, "clean", fails)
    assert main(["clean"]) == 1
    assert capsys.readouterr().err.startswith(told)


def test_a_command_that_fails_ends_the_task():
    with pytest.raises(TaskError, match=r"-c raise SystemExit\(3\) \.\.\. ended with 3"):
        environment.run(sys.executable, "-c", "raise SystemExit(3)")


def test_a_command_that_fails_on_a_full_disk(monkeypatch):
    monkeypatch.setattr(
        environment.shutil, "disk_usage", lambda _: environment.shutil._ntuple_diskusage(1, 1, 0)
    )
    with pytest.raises(TaskError, match="disk is full"):
        environment.run(sys.executable, "-c", "raise SystemExit(3)")


SLEEPER = "import os, time; print(os.getpid(), flush=True); time.sleep(60)"
OUTER = f"""
from tools import environment, tasks
from tools.__main__ import main
tasks.TASKS["clean"] = lambda: environment.run(environment.sys.executable, "-c", {SLEEPER!r})
environment.listen_to_signals()
environment.sys.exit(main(["clean"]))
"""


@pytest.mark.skipif(os.name == "nt", reason="Windows ends processes in another way")
@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_what_is_stopped_ends_quietly_and_leaves_nothing_running(how):
    """As in a terminal, Ctrl-C reaches the whole group; other signals reach one process."""
    process = subprocess.Popen(
        [sys.executable, "-c", OUTER], cwd=ROOT, text=True, start_new_session=True,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    process.stdout.readline()  # says what it runs
    started = int(process.stdout.readline())
    (os.killpg if how == signal.SIGINT else os.kill)(process.pid, how)
    _, said = process.communicate(timeout=20)
    assert process.returncode == 130
    assert "environment.py" not in said
    assert not Path(f"/proc/{started}").exists()
    with pytest.raises(ProcessLookupError):
        os.kill(started, 0)
