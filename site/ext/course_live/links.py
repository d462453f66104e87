"""Buttons that open a page's notebook elsewhere.

JupyterLite is part of the site.  Binder and Colab fetch the notebook from the
course's public repository: their buttons are there only if `_config.yml` gives
its address, under `repository:` and `url:`.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote, urlsplit

import yaml
from sphinx.application import Sphinx
from sphinx.util.osutil import relative_uri


@dataclass(frozen=True)
class Link:
    text: str
    address: str


@dataclass(frozen=True)
class Repository:
    """Where the course is published as source, and in which folder of it."""

    url: str
    branch: str = "main"
    folder: str = ""

    @property
    def host(self) -> str:
        return urlsplit(self.url).hostname or ""

    @property
    def slug(self) -> str:
        """`owner/name`."""
        return urlsplit(self.url).path.strip("/").removesuffix(".git")

    def path(self, name: str) -> str:
        return f"{self.folder.strip('/')}/{name}".lstrip("/")


def repository_of(config: Path) -> Repository | None:
    """What `_config.yml` says, and not what Jupyter Book makes of its silence."""
    said = (yaml.safe_load(config.read_text(encoding="utf-8")) or {}).get("repository") or {}
    url = (said.get("url") or "").rstrip("/")
    if not url:
        return None
    return Repository(url, said.get("branch") or "main", said.get("path_to_book") or "")


def binder(repository: Repository, path: str) -> str:
    """Address that makes Binder build the repository and open a notebook in JupyterLab."""
    if repository.host == "github.com":
        source = f"gh/{repository.slug}"
    elif repository.host == "gitlab.com":
        source = f"gl/{quote(repository.slug, safe='')}"
    else:
        source = f"git/{quote(repository.url, safe='')}"
    where = quote(f"lab/tree/{repository.path(path)}", safe="")
    return f"https://mybinder.org/v2/{source}/{quote(repository.branch, safe='')}?urlpath={where}"


def colab(repository: Repository, path: str) -> str | None:
    """Address that makes Colab open a notebook; it reads from GitHub only."""
    if repository.host != "github.com":
        return None
    where = f"{repository.slug}/blob/{quote(repository.branch)}/{quote(repository.path(path))}"
    return f"https://colab.research.google.com/github/{where}"


def colab_copy(notebook: dict, repository: Repository) -> dict:
    """A notebook as Colab needs it: nothing stored, and a first cell that gets `scripts`."""
    part = f"#subdirectory={repository.folder.strip('/')}" if repository.folder.strip("/") else ""
    first = {
        "cell_type": "code", "id": "get-scripts", "metadata": {}, "execution_count": None, "outputs": [],
        "source": [f"%pip install --quiet git+{repository.url}@{repository.branch}{part}"],
    }  # fmt: skip
    cells = [dict(cell) for cell in notebook["cells"]]
    for cell in cells:
        cell["metadata"] = {}
        if cell["cell_type"] == "code":
            cell |= {"outputs": [], "execution_count": None}
    return {**notebook, "cells": [first, *cells]}


def write_colab_copies(app: Sphinx) -> None:
    """Beside book/, for the author to publish with the rest; only where the address is known."""
    repository = app.course_repository
    if repository is None or colab(repository, "") is None:
        return
    folder = Path(app.srcdir, "colab")
    folder.mkdir(exist_ok=True)
    for path in sorted(Path(app.srcdir, "book").glob("*.ipynb")):
        copy = colab_copy(json.loads(path.read_text(encoding="utf-8")), repository)
        text = json.dumps(copy, indent=1, ensure_ascii=False, sort_keys=True) + "\n"
        target = folder / path.name
        if not target.exists() or target.read_text(encoding="utf-8") != text:
            target.write_text(text, encoding="utf-8", newline="\n")


def edition(app: Sphinx) -> str:
    """Folder of the notebooks in JupyterLite: another one as soon as one of them changes.

    JupyterLite keeps what a reader has saved, and shows that from then on in place of
    the file of the same name; so a new edition has new names.
    """
    paths = sorted(Path(app.env.doc2path(name)) for name in app.env.found_docs)
    texts = b"".join(path.read_bytes() for path in paths if path.suffix == ".ipynb")
    return f"edition-{hashlib.sha256(texts).hexdigest()[:8]}"


def elsewhere(app: Sphinx, pagename: str) -> Iterator[Link]:
    """The buttons of a page that is made from a notebook."""
    file = Path(app.env.doc2path(pagename)).name
    if app.course_kit is not None:
        up = relative_uri(app.builder.get_target_uri(pagename), "lite/notebooks/index.html")
        yield Link("Open in JupyterLite", f"{up}?path={quote(f'{edition(app)}/{file}')}")
    if (repository := app.course_repository) is not None:
        yield Link("Open in Binder", binder(repository, f"book/{file}"))
        if address := colab(repository, f"colab/{file}"):
            yield Link("Open in Colab", address)


def look_for_repository(app: Sphinx) -> None:
    app.course_repository = repository_of(Path(app.srcdir, "_config.yml"))
    write_colab_copies(app)


def setup(app: Sphinx) -> None:
    app.connect("builder-inited", look_for_repository)
