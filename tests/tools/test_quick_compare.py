"""`compare --quick` draws again whenever anything changed that a picture depends on."""

import pytest

from tools import __main__ as command
from tools import notebooks, tasks


@pytest.fixture
def tree(tmp_path, monkeypatch):
    """A little checkout: a script, a style, a stored picture, and captions."""
    for name in ("scripts/draw/a.py", "scripts/draw/look.mplstyle", "figures/a.svg", "README.md"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(name, encoding="utf-8")
    monkeypatch.setattr(command, "ROOT", tmp_path)
    monkeypatch.setattr(command, "FIGURES", tmp_path / "figures")
    monkeypatch.setattr(tasks, "BUILD", tmp_path / "_build")
    monkeypatch.setattr(notebooks, "captions", lambda: {"a": "A caption."})
    return tmp_path


@pytest.mark.parametrize("name", ["scripts/draw/a.py", "scripts/draw/look.mplstyle", "figures/a.svg"])
def test_what_a_picture_depends_on_changes_the_key(tree, name):
    before = command.drawing_key()
    assert command.drawing_key() == before
    (tree / name).write_text("changed", encoding="utf-8")
    assert command.drawing_key() != before


def test_so_do_new_files_captions_and_versions(tree, monkeypatch):
    keys = [command.drawing_key()]
    (tree / "scripts" / "b.json").write_text("[]", encoding="utf-8")
    keys.append(command.drawing_key())
    monkeypatch.setattr(notebooks, "captions", lambda: {"a": "Another."})
    keys.append(command.drawing_key())
    monkeypatch.setattr(command.metadata, "version", lambda package: "0")
    keys.append(command.drawing_key())
    assert len(set(keys)) == len(keys)


def test_what_a_picture_does_not_depend_on_does_not(tree):
    before = command.drawing_key()
    (tree / "README.md").write_text("changed", encoding="utf-8")
    assert command.drawing_key() == before


def test_it_looks_again_after_a_change_and_as_long_as_something_is_wrong(tree, monkeypatch):
    looked, wrong = [], ["figures/a.svg is not what is drawn today"]
    monkeypatch.setattr(command, "stale_figures", lambda: looked.append(1) or list(wrong))
    assert command.stale_figures_since() == command.stale_figures_since() == wrong
    assert len(looked) == 2
    wrong.clear()
    assert command.stale_figures_since() == command.stale_figures_since() == []
    assert len(looked) == 3
    (tree / "figures" / "a.svg").write_text("changed", encoding="utf-8")
    assert command.stale_figures_since() == []
    assert len(looked) == 4
