"""Folds, and three ways through the course: ninety minutes, everything, code first.

A heading that ends in ``<!-- fold -->`` makes of its section a ``<details>`` that is closed;
what stands under one that ends in ``<!-- beyond -->`` is left out of the ninety minutes, and so
are exercises and questions.  Classes of the sections say so, and course.css and course.js do the
rest: without a script everything is there.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx

from tools import language, words

# A mark in a notebook as it is stored, or in a file of Markdown
MARK = re.compile(r"^(\s*\"?#{2,6} .*?) *<!-- *(fold|beyond) *-->", flags=re.M)
# It is carried through the reading of the text, and into no anchor, by a sign that no text has.
SIGNS = {"fold": "\ue001", "beyond": "\ue002"}
PRACTICE = words.SET_APART
OPENED = '<details class="fold"><summary>'
# A link within what opens a fold could not be reached by key: the fold's address is its section's.
LINK = re.compile(rf'({OPENED}(?:(?!</summary>).)*)<a class="headerlink".*?</a>', flags=re.S)


def carry_marks(app: Sphinx, name: str, source: list[str]) -> None:
    source[0] = MARK.sub(lambda found: found[1] + SIGNS[found[2]], source[0])


def class_sections(app: Sphinx, doctree: nodes.document) -> None:
    """Give each section the classes by which it is left out, and take the marks from its title."""
    for section in doctree.findall(nodes.section):
        title = section.next_node(nodes.title)
        for text in list(title.findall(nodes.Text)):
            for mark, sign in SIGNS.items():
                if sign in text:
                    section["classes"].append(mark)
                    plain = nodes.Text(text.replace(sign, ""))
                    text.parent.replace(text, plain)
                    text = plain
        if PRACTICE.match(title.astext()):
            section["classes"].append("practice")
        if title.astext().startswith(language.FOR_CODE):
            section["classes"].append("for-code")
        if not any(part.get("nb_element") == "cell_code" for part in section.findall(nodes.container)):
            section["classes"].append("words-only")


def close_folds(app: Sphinx, doctree: nodes.document, name: str) -> None:
    """Put what a fold holds into a `<details>`, whose summary is its heading."""
    if app.builder.format != "html":
        return
    for section in list(doctree.findall(nodes.section)):
        if "fold" in section["classes"]:
            place = section.first_child_matching_class(nodes.title)
            section.insert(place + 1, nodes.raw("", "</summary>", format="html"))
            section.insert(place, nodes.raw("", OPENED, format="html"))
            section.append(nodes.raw("", "</details>", format="html"))


def tell_page(app: Sphinx, pagename: str, template: str, context: dict[str, Any], doctree: Any) -> None:
    """How many minutes a page takes, on each way; on the landing page, the whole course."""
    context["body"] = LINK.sub(r"\1", context.get("body") or "")
    context["minutes"] = {}
    notebooks = [app.env.doc2path(name) for name in app.env.toctree_includes.get(app.config.root_doc, [])]
    sections = [words.read(Path(path)) for path in notebooks if path.endswith(".ipynb")]
    if pagename == app.config.root_doc:
        pages = [page for page in sections if page.number in words.SECTIONS]
    else:
        pages = [page for page in sections if page.name == pagename.rpartition("/")[2]]
    if pages:
        told = {"quick": "core", "everything": "everything", "code": "main"}
        context["minutes"] = {
            way: max(1, round(sum(getattr(page, part).minutes for page in pages)))
            for way, part in told.items()
        }


def setup(app: Sphinx) -> None:
    app.connect("source-read", carry_marks)
    app.connect("doctree-read", class_sections, priority=100)  # before titles are collected
    app.connect("doctree-resolved", close_folds)
    app.connect("html-page-context", tell_page)
