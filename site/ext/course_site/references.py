"""`[Figure 3.1](#fig-…)` is written by hand, so that JupyterLab shows it too: check the number."""

from __future__ import annotations

import re
from collections.abc import Iterator

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.util import logging

logger = logging.getLogger(__name__)

NUMBERED = re.compile(r"(Figure|Table) (\d+(?:\.\d+)*)")


def numbers_of(env: BuildEnvironment, anchor: str) -> Iterator[str]:
    for kinds in env.toc_fignumbers.values():
        for figures in kinds.values():
            if anchor in figures:
                yield ".".join(map(str, figures[anchor]))


def check_numbers(app: Sphinx, doctree: nodes.document, docname: str) -> None:
    for reference in doctree.findall(nodes.reference):
        written = NUMBERED.search(reference.astext())
        anchor = reference.get("refid") or reference.get("refuri", "").partition("#")[2]
        for number in numbers_of(app.env, anchor) if written else ():
            if number != written[2]:
                logger.warning(
                    "%r points to %s, which is number %s",
                    reference.astext(), anchor, number,
                    location=docname,
                )  # fmt: skip


def setup(app: Sphinx) -> None:
    app.connect("doctree-resolved", check_numbers)
