"""Live cells in the site: controls on the pages, and a folder live/ with all that they load."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx

from . import bundle, downloads, fetch, links, pins, wheel

LITE_KERNEL = {"name": "python", "display_name": "Python (Pyodide)", "language": "python"}
MOMENT = "2020-01-01T00:00:00Z"
CODE_CELL = 'class="cell_input'


def look_for_kit(app: Sphinx) -> None:
    app.course_kit = bundle.find_kit()


def tell_template(app: Sphinx, pagename: str, template: str, context: dict[str, Any], doctree: Any) -> None:
    """Which controls a page may have: `live` is empty where there is nothing to run."""
    context["live"] = {}
    if CODE_CELL in (context.get("body") or ""):
        context["live"] = {
            "cells": app.course_kit is not None,
            "elsewhere": list(links.elsewhere(app, pagename)),
        }


def bring_live_folder(app: Sphinx, error: Exception | None) -> None:
    if error or app.builder.format != "html" or app.course_kit is None:
        return
    folder = Path(app.outdir, "live")
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(fetch.SOURCES / "page", folder, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(app.course_kit / "pyodide", folder / "pyodide")
    shutil.copytree(app.course_kit / "bundles", folder / "bundles")
    own = wheel.write_wheel(folder / "pyodide")
    packages = add_to_lock(folder / "pyodide", own)
    (folder / "settings.json").write_text(json.dumps(settings(folder, packages)), encoding="utf-8")
    bring_lite(app)


def bring_lite(app: Sphinx) -> None:
    """JupyterLite, with the course's notebooks as its files."""
    folder = Path(app.outdir, "lite")
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(app.course_kit / "lite", folder)
    edition, entries = links.edition(app), []
    (folder / "files" / edition).mkdir(parents=True)
    for name in sorted(app.env.found_docs):
        path = Path(app.env.doc2path(name))
        if path.suffix != ".ipynb":
            continue
        notebook = json.loads(path.read_text(encoding="utf-8"))
        notebook["metadata"]["kernelspec"] = LITE_KERNEL
        text = json.dumps(notebook, ensure_ascii=False)
        (folder / "files" / edition / path.name).write_text(text, encoding="utf-8")
        entries.append(contents_entry(f"{edition}/{path.name}", "notebook", "json", len(text.encode())))
    inside = contents_entry(edition, "directory", "json", None)
    listings = {"": [inside], edition: entries}
    for path, content in listings.items():
        listing = contents_entry(path, "directory", "json", None) | {"content": content}
        (folder / "api" / "contents" / path).mkdir(parents=True, exist_ok=True)
        (folder / "api" / "contents" / path / "all.json").write_text(json.dumps(listing), encoding="utf-8")


def contents_entry(path: str, kind: str, form: str, size: int | None) -> dict[str, Any]:
    """A file as Jupyter's contents service describes it."""
    return {
        "name": path.rpartition("/")[2], "path": path, "type": kind, "format": form, "size": size, "mimetype": None,
        "content": None, "writable": True, "created": MOMENT, "last_modified": MOMENT,
    }  # fmt: skip


def add_to_lock(folder: Path, own: Path) -> dict[str, dict]:
    """JupyterLite loads what the list names when a cell imports it: name ours too."""
    path = folder / bundle.LOCK
    lock = json.loads(path.read_text(encoding="utf-8"))
    entry = bundle.describe(own)
    entry |= {"sha256": fetch.digest(own), "depends": list(wheel.NEEDS)}
    lock["packages"][wheel.NAME] = entry
    path.write_text(json.dumps(lock), encoding="utf-8")
    return lock["packages"]


def settings(folder: Path, packages: dict[str, dict]) -> dict[str, Any]:
    """What cells.mjs has to know: what to load, and how many bytes that is."""
    at_start = [{"package": name, "name": packages[name]["file_name"]} for name in pins.AT_START]
    fetched = [folder / "pyodide" / file["name"] for file in at_start]
    always = ("pyodide.asm.wasm", bundle.STANDARD_LIBRARY, bundle.LOCK, wheel.FILE)
    fetched += [folder / "pyodide" / name for name in always]
    fetched += [folder / "runner.py", folder / "live_backend.py"]
    return {
        "packages": at_start,
        "wheels": [wheel.FILE],
        "onDemand": [packages[name]["file_name"] for name in pins.FOR_WIDGETS],
        "bytes": sum(path.stat().st_size for path in fetched),
    }


def setup(app: Sphinx) -> None:
    links.setup(app)
    downloads.setup(app)
    app.connect("builder-inited", look_for_kit)
    # before the body is looked over for what is not used, after it is made
    app.connect("html-page-context", tell_template, priority=800)
    # after the other extension has removed what no page asks for
    app.connect("build-finished", bring_live_folder, priority=950)
