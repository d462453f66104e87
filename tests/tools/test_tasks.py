"""Commands whose trouble is said before the work, and what a book may have to do without."""

import socket

import pytest

from tools import messages, tasks
from tools.messages import TaskError


@pytest.fixture
def said(monkeypatch):
    """What the commands would run, in place of running it."""
    commands = []
    for run in ("run", "run_server"):
        monkeypatch.setattr(tasks, run, lambda *words, **_: commands.append([str(word) for word in words]))
    monkeypatch.setattr(tasks, "python", lambda which="": "python")
    monkeypatch.setattr(tasks, "_fetch", lambda _: "")
    return commands


@pytest.fixture
def taken():
    """A port that another program listens to."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield server.getsockname()[1]


def test_a_port_in_use_is_told_before_anything_is_built(monkeypatch, said, taken):
    monkeypatch.setenv("PORT", str(taken))
    with pytest.raises(TaskError, match=rf"Port {taken} is in use\..*make serve PORT=\d+") as error:
        tasks.serve()
    assert said == []
    other = int(str(error.value).rpartition("=")[2])
    with socket.create_server(("127.0.0.1", other)):
        assert other != taken


@pytest.mark.parametrize("port", ["http", "-1", "65536", "8000.5", "８０００"])
def test_what_is_no_port_is_told(monkeypatch, said, port):
    monkeypatch.setenv("PORT", port)
    with pytest.raises(TaskError, match=f"PORT={port} is no port"):
        tasks.serve()
    assert said == []


@pytest.mark.parametrize(("user", "more"), [(0, ["--allow-root"]), (1000, [])])
def test_jupyterlab_opens_for_root_too(monkeypatch, said, user, more):
    monkeypatch.setattr(tasks.os, "geteuid", lambda: user, raising=False)
    tasks.lab()
    assert said == [["python", "-m", "jupyterlab", "book", *more]]


def test_a_book_that_lacks_something_is_built_and_says_so(monkeypatch, said, tmp_path, capsys):
    monkeypatch.setattr(tasks, "SITE", tmp_path / "html")
    monkeypatch.setattr(tasks, "BUILD", tmp_path)
    monkeypatch.setattr(tasks, "_fetch", lambda _: messages.NO_LIVE + "\n")
    tasks.book()
    assert len(said) == 1 and "build" in said[0]
    assert capsys.readouterr().out == messages.NO_LIVE + "\n"


def test_a_full_disk_is_told_before_anything_is_deleted(monkeypatch, said):
    monkeypatch.setattr(tasks, "MEGABYTES", 10**9)
    monkeypatch.setattr(tasks, "_clear", said.append)
    with pytest.raises(TaskError, match="not enough room on the disk"):
        tasks.book()
    assert said == []


def test_an_old_build_that_cannot_be_deleted_is_told(monkeypatch, said, tmp_path):
    monkeypatch.setattr(tasks, "SITE", tmp_path)
    monkeypatch.setattr(tasks, "BUILD", tmp_path)
    monkeypatch.setattr(tasks.shutil, "rmtree", lambda *_, **__: None)
    with pytest.raises(TaskError, match="cannot be deleted to make room"):
        tasks.book()
    assert said == []
