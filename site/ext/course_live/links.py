"""Buttons that open a page's notebook elsewhere.

JupyterLite is part of the site.  Binder and Colab fetch the notebook from the
course's public repository: their buttons are there only if `_config.yml` gives
its address.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote, urlsplit

from sphinx.application import Sphinx


@dataclass(frozen=True)
class Link:
    text: str
    address: str


def elsewhere(app: Sphinx, pagename: str) -> Iterator[Link]:
    """The buttons of a page that is made from a notebook."""
    repository = app.config.course_repository.rstrip("/")
    if repository:
        path = app.env.doc2path(pagename, base=False)
        yield Link("Open in Binder", binder(repository, app.config.course_branch, str(path)))
        if colab_can(repository):
            yield Link("Open in Colab", colab(repository, app.config.course_branch, str(path)))


def binder(repository: str, branch: str, path: str) -> str:
    """Address that makes Binder build the repository and open a notebook in JupyterLab."""
    host = urlsplit(repository).hostname or ""
    if host == "github.com":
        source = f"gh/{slug(repository)}"
    elif host == "gitlab.com":
        source = f"gl/{quote(slug(repository), safe='')}"
    else:
        source = f"git/{quote(repository, safe='')}"
    return f"https://mybinder.org/v2/{source}/{quote(branch, safe='')}?urlpath={quote(f'lab/tree/{path}', safe='')}"


def colab(repository: str, branch: str, path: str) -> str:
    """Address that makes Colab open a notebook of a GitHub repository."""
    return f"https://colab.research.google.com/github/{slug(repository)}/blob/{quote(branch)}/{quote(path)}"


def colab_can(repository: str) -> bool:
    """Colab reads from GitHub only."""
    return urlsplit(repository).hostname == "github.com"


def slug(repository: str) -> str:
    """`owner/name` of a repository's address."""
    return urlsplit(repository).path.strip("/").removesuffix(".git")


def setup(app: Sphinx) -> Any:
    app.add_config_value("course_repository", "", "html", str)
    app.add_config_value("course_branch", "main", "html", str)
