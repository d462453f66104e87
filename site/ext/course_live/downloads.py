"""Notebooks to take away: a folder downloads/ with each, the course's package, and a first cell that gets it.

`course.js` writes the site's address into that cell when a reader downloads one.  Where the
address is known while the site is built, it is there already.
"""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

from course_site.pages import whole_address
from sphinx.application import Sphinx

from . import wheel

FOLDER = "downloads"
FIRST = """\
# This notebook uses the course's own package. Where it is missing, it comes from the course's site.
site = "{site}"
try:
    import scripts.attention
except ModuleNotFoundError:
    if not site:
        raise RuntimeError("write the address of the course's site into this cell, and run it again") from None
    %pip install --quiet {{site}}{folder}/{wheel}"""
IMPORTS = re.compile(r"^(?:from|import) scripts\b", flags=re.M)


def to_take_away(notebook: dict, site: str = "") -> dict:
    """Return a notebook with a cell before its others that gets `scripts`, if it uses that."""
    sources = ["".join(cell["source"]) for cell in notebook["cells"] if cell["cell_type"] == "code"]
    if not any(map(IMPORTS.search, sources)):
        return notebook
    source = FIRST.format(site=site, folder=FOLDER, wheel=wheel.FILE)
    first = {
        "cell_type": "code", "id": "get-scripts", "metadata": {}, "execution_count": None, "outputs": [],
        "source": source.splitlines(True),
    }  # fmt: skip
    return {**notebook, "cells": [first, *notebook["cells"]]}


def write_downloads(app: Sphinx, error: Exception | None) -> None:
    if error or app.builder.format != "html":
        return
    folder = Path(app.outdir, FOLDER)
    wheel.write_wheel(folder)
    site = whole_address(os.environ.get("SITE_ADDRESS") or app.config.html_baseurl)
    for name in sorted(app.env.found_docs):
        path = Path(app.env.doc2path(name))
        if path.suffix == ".ipynb":
            notebook = to_take_away(json.loads(path.read_text(encoding="utf-8")), site)
            text = json.dumps(notebook, indent=1, ensure_ascii=False, sort_keys=True) + "\n"
            (folder / path.name).write_text(text, encoding="utf-8", newline="\n")


def setup(app: Sphinx) -> None:
    # after the other extension has removed what no page asks for
    app.connect("build-finished", write_downloads, priority=950)
