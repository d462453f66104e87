"""What surrounds the course: commands, pins, workflows, versions and links agree with one another."""

import os
import re
import shutil
import subprocess
import tomllib

import pytest
import yaml

from tools import NEWEST, OLDEST, environment, tasks
from tools.__main__ import build_parser, main

ROOT = environment.ROOT
DOCS = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md", *sorted(ROOT.glob("docs/*.md"))]
WORKFLOWS = sorted(ROOT.glob(".github/workflows/*.yml"))
NAMING_COMMANDS = [*DOCS, *WORKFLOWS, ROOT / "Dockerfile", ROOT / ".ci" / "run"]
VERSION = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
COMMANDS = {*tasks.TASKS, "facts", "compare", "refresh"}


def read(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


# ---- commands -------------------------------------------------------------------


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_every_command_says_what_it_does(name):
    assert build_parser().parse_args([name]).name == name
    assert len((build_parser().parse_args([name]).run.__doc__ or "").splitlines()[0]) > 10


@pytest.mark.skipif(shutil.which("make") is None, reason="no make here")
def test_make_hands_every_name_on():
    """Those of folders too, and the first of the README where none is given."""
    command = ["make", "--dry-run", "--no-print-directory", "PYTHON=python3"]
    said = [
        subprocess.check_output([*command, *names], cwd=ROOT, text=True) for names in ([], ["tests", "pdf"])
    ]
    assert said == ["python3 -m tools book\n", "python3 -m tools tests\npython3 -m tools pdf\n"]


def test_readme_explains_every_command_once():
    rows = [row.split("|")[1] for row in re.findall(r"^\|.*\|$", read("README.md"), flags=re.M)]
    told = re.findall(r"`make (\w+)`", "\n".join(rows))
    assert sorted(told) == sorted(COMMANDS - {"facts", "compare"})


@pytest.mark.parametrize(
    ("command", "told"),
    [
        ("compare book/none.ipynb", "there is no file book/none.ipynb"),
        ("refresh none", "no notebook is called none"),
    ],
)
def test_what_does_not_exist_is_said_in_one_line(command, told, capsys, monkeypatch):
    monkeypatch.setattr("tools.__main__.runs_here", lambda: True)
    monkeypatch.setattr(os, "environ", dict(os.environ))
    assert main(command.split()) == 1
    assert capsys.readouterr().err == told + "\n"


@pytest.mark.parametrize("path", NAMING_COMMANDS, ids=lambda path: path.name)
def test_only_commands_that_exist_are_named(path):
    text = path.read_text(encoding="utf-8")
    assert set(re.findall(r"(?:`|run: |^)make (\w+)", text, flags=re.M)) <= COMMANDS
    assert set(re.findall(r"-m tools (\w+)", text)) <= COMMANDS


# ---- pins -----------------------------------------------------------------------


@pytest.mark.parametrize("which", environment.SETS)
def test_everything_is_pinned_with_hashes(which):
    text = read(f"requirements{which}.txt")
    entries = re.split(r"\n(?=[a-z0-9])", re.sub(r"^#.*\n", "", text, flags=re.M).strip())
    for entry in entries:
        assert re.match(r"[\w.-]+==[^\s;]+", entry), entry
        assert "--hash=sha256:" in entry, entry
    assert not re.search(r"\btorch\b|://|^--", text, flags=re.M)


@pytest.mark.parametrize("which", ["-test", "-lab"])
def test_sets_agree(which):
    assert environment.pinned("").items() <= environment.pinned(which).items()


@pytest.mark.parametrize("which", environment.SETS)
def test_all_that_is_wanted_is_pinned(which):
    wanted = re.findall(r"^([a-z][\w-]*)", read(f"requirements{which}.in"), flags=re.M | re.I)
    pinned = set(re.findall(r"^([\w.-]+)==", read(f"requirements{which}.txt"), flags=re.M))
    assert {environment.normal(name) for name in wanted} <= {environment.normal(name) for name in pinned}


def test_pythons_agree():
    oldest, newest = (".".join(map(str, version)) for version in (OLDEST, NEWEST))
    project = tomllib.loads(read("pyproject.toml"))["project"]
    assert project["requires-python"] == f">={oldest},<3.{NEWEST[1] + 1}"
    matrix = yaml.safe_load(read(".github/workflows/test.yml"))["jobs"]["test"]["strategy"]["matrix"]
    assert matrix["python"] == [f"3.{minor}" for minor in range(OLDEST[1], NEWEST[1] + 1)]
    assert {system.partition("-")[0] for system in matrix["system"]} == {"ubuntu", "macos", "windows"}
    assert f"Python {oldest} to {newest}" in read("README.md")
    runtime = read("binder/runtime.txt").strip().removeprefix("python-")
    assert f"FROM python:{runtime}-slim" in read("Dockerfile")


# ---- workflows and set-ups ------------------------------------------------------


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_workflows_ask_for_little_and_pin_what_they_use(path):
    workflow = yaml.safe_load(path.read_text(encoding="utf-8"))
    assert workflow["permissions"] == {"contents": "read"}
    for job in workflow["jobs"].values():
        for step in job["steps"]:
            if "uses" in step:
                assert re.fullmatch(r"actions/[\w-]+@[0-9a-f]{40}", step["uses"])
                if "checkout" in step["uses"]:
                    assert step["with"]["persist-credentials"] is False


def test_one_server_setting_for_all():
    assert "COPY site/nginx.conf" in read("Dockerfile")
    (policy,) = re.findall(r'default "(default-src [^"]+)";', read("site/nginx.conf"))
    (told,) = re.findall(r"^default-src.*?(?=```)", read("docs/serving.md"), flags=re.M | re.S)
    assert " ".join(told.split()) == policy


def test_nginx_adds_headers_in_one_place_only():
    """A location that adds one of its own would lose the policy."""
    settings = re.sub(r"#.*", "", read("site/nginx.conf"))
    locations = re.findall(r"\blocation [^{]*\{(?:[^{}]|\{[^{}]*\})*\}", settings)
    assert len(locations) >= 4
    assert not any("add_header" in location for location in locations)


def test_binder_takes_the_pins():
    lines = read("binder/requirements.txt").splitlines()
    assert [line for line in lines if not line.startswith("#")] == ["-r ../requirements-lab.txt"]
    build = ROOT / "binder" / "postBuild"
    assert build.stat().st_mode & 0o100 and build.read_text(encoding="utf-8").startswith("#!")
    assert "--no-build-isolation" in read("binder/postBuild") and "--editable ." in read("binder/postBuild")


# ---- versions, links --------------------------------------------------


def test_versions_agree():
    assert yaml.safe_load(read("CITATION.cff"))["version"] == VERSION
    assert re.findall(r"^## (\S+) ", read("CHANGELOG.md"), flags=re.M)[0] == VERSION


@pytest.mark.parametrize("path", DOCS, ids=lambda path: path.name)
def test_links_lead_somewhere(path):
    text = re.sub(r"^```.*?^```|`[^`\n]+`", "", path.read_text(encoding="utf-8"), flags=re.M | re.S)
    for target in re.findall(r"\]\(([^)#]+)[^)]*\)", text):
        if not target.startswith(("http", "#")):
            assert (path.parent / target).exists(), target


@pytest.mark.parametrize("path", [*DOCS[:2], *DOCS[3:]], ids=lambda path: path.name)
def test_places_that_are_named_exist(path):
    pattern = r"`((?:scripts|tools|site|tests|docs|book|binder|figures|\.github)/[\w./-]+)`"
    named = re.findall(pattern, path.read_text(encoding="utf-8"))
    made_by_recipes = {"book/13-added.ipynb", "scripts/draw/added.py"}
    assert [name for name in named if not (ROOT / name).exists() and name not in made_by_recipes] == []


IMPORT = re.compile(r"^\s*(?:from ([\w.]+) import (\([^)]*\)|.*)|import (.*))$", re.M)


def imported(path):
    """Every (module, name) that a file imports."""
    for module, names, modules in IMPORT.findall(path.read_text(encoding="utf-8")):
        for name in re.findall(r"[\w.]+", names or modules):
            yield (module, name) if module else (name, "")


def test_the_library_knows_nothing_of_the_workshop():
    modules = {
        module.partition(".")[0] for path in ROOT.glob("scripts/**/*.py") for module, _ in imported(path)
    }
    ours = {"tools", "site", "tests", "course_site", "course_live"}
    assert "scripts" in modules and not modules & ours


def test_nothing_needs_a_private_name_of_another_module():
    found = []
    for folder in ("scripts", "tools", "site", "tests"):
        for path in ROOT.glob(f"{folder}/**/*.py"):
            package = ".".join(path.relative_to(ROOT).with_suffix("").parts[:-1])
            for module, name in imported(path):
                private = [part for part in (*module.split("."), name) if re.match(r"_[^_]", part)]
                if private and module.startswith(("scripts", "tools")) and not module.startswith(package):
                    found.append(f"{path.name}: {module} {name}")
    assert found == []
