"""What a page's template needs to know, and the page's HTML without what it does not use.

The templates in site/templates/ replace those of the book's theme whole, so
that a page loads two style sheets and one script of ours instead of half a
megabyte of the theme's.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from typing import Any
from urllib.parse import urljoin

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.errors import ConfigError
from sphinx.util import logging

from tools import language
from tools.cells import draw_picture

from .card import PICTURE
from .reproducible import name_models

logger = logging.getLogger(__name__)

WIDGET = "application/vnd.jupyter.widget-view+json"
WIDGET_STATE = "application/vnd.jupyter.widget-state+json"
THEBE = re.compile(
    r'<script type="text/x-thebe-config">.*?</script>\s*<script>kernelName = .*?</script>', flags=re.DOTALL
)
# Prose names the fact behind each number, for `tools/prose.py`: not for readers.
FACT_MARK = re.compile(r"<!--\s*[=~?].*?-->", flags=re.DOTALL)
# Markdown cannot write a table without a head, or with nothing in the corner:
# an empty head is announced as the name of its column.
EMPTY_HEADER = re.compile(r'<th class="head[^"]*">(?:<p></p>)?</th>')
EMPTY_HEAD = re.compile(r"<thead>\s*<tr[^>]*>(?:\s*<td></td>)+\s*</tr>\s*</thead>")
# What course.css has no style for: better said here than seen by a reader.  A
# `{dropdown}` is a <details>, and has one.
UNSTYLED = re.compile(
    r"<(?!details)\w+ class=\"(?:[^\"]* )?"
    r'(sd-tab-set|sd-card|sd-row|sd-btn|toggle|dropdown admonition)[ "]'
)
TABLE = re.compile(r"<table.*?</table>", flags=re.DOTALL)
CODE = re.compile(r'(<code class="docutils literal notranslate"><span class="pre">)([^<]*)')
# A line ends neither before a dash nor between a word and its number.
DASH = re.compile(r"(<h3>[^<]*?) — ")
COUNTED = re.compile(r">([Ss]ection|[Ff]igure|[Tt]able) (\d[\d.]*)<")
# The way in: a paragraph of the landing page that is one link and nothing else.
LONE_LINK = re.compile(r"^<p>(?=<a [^>]*>(?:(?!</a>).)*</a></p>$)", flags=re.MULTILINE)
# A quotation that begins with this word is plain text in JupyterLab, and an aside here.
ASIDE = re.compile(
    rf"<blockquote>\s*<div><p><strong>{language.ASIDE}</strong>\s*((?:(?!</p>).)*</p>)\s*</div></blockquote>",
    flags=re.DOTALL,
)
DESCRIPTION_LENGTH = 160


@dataclass(frozen=True)
class Entry:
    """A line of the contents."""

    number: str
    title: str
    link: str
    current: bool = False
    page: str = ""


def tell_template(app: Sphinx, pagename: str, template: str, context: dict[str, Any], doctree: Any) -> None:
    env = app.env
    context["chapters"] = [
        Entry(
            number=section_number(env, name, ""),
            title=env.titles[name].astext(),
            link=app.builder.get_relative_uri(pagename, name),
            current=name == pagename,
            page=name,
        )
        for name in env.toctree_includes.get(app.config.root_doc, [])
    ]
    context["headings"] = list(headings_of(env, pagename, doctree)) if doctree else []
    context["description"] = description_of(doctree) or context["docstitle"]
    # Whoever shows a link wants whole addresses; without one for the site, they are relative.
    base = whole_address(os.environ.get("SITE_ADDRESS") or app.config.html_baseurl)
    card = "_static/card.png"
    context["card_alt"] = draw_picture(PICTURE).alt
    context["card"] = urljoin(base, card) if base else context["pathto"](card, 1)
    context["address"] = urljoin(base, app.builder.get_target_uri(pagename)) if base else ""


def whole_address(base: str) -> str:
    """The site's address as a folder, so that a page's name is put behind it."""
    if base and not re.match(r"https?://\S+$", base):
        raise ConfigError(f"the address of the site must begin with https:// or http://; got {base!r}")
    return base.rstrip("/") + "/" if base else ""


def headings_of(env: BuildEnvironment, pagename: str, doctree: nodes.document) -> Any:
    """The page's own second-level headings."""
    for top in doctree.findall(nodes.section):
        for section in top.children:
            if isinstance(section, nodes.section):
                anchor = f"#{section['ids'][0]}"
                title = section.next_node(nodes.title)
                yield Entry(section_number(env, pagename, anchor), title.astext(), anchor)
        return


def section_number(env: BuildEnvironment, pagename: str, anchor: str) -> str:
    return ".".join(map(str, env.toc_secnumbers.get(pagename, {}).get(anchor) or ()))


def description_of(doctree: nodes.document | None) -> str:
    """The page's first paragraph, as search engines and shared links show it."""
    for paragraph in doctree.findall(nodes.paragraph) if doctree else ():
        if isinstance(paragraph.parent, nodes.section | nodes.document):
            parts = (
                text.astext()
                for text in paragraph.findall(nodes.Text)
                if not isinstance(text.parent, nodes.raw)
            )
            text = " ".join("".join(parts).split())
            if len(text) > DESCRIPTION_LENGTH:
                text = text[:DESCRIPTION_LENGTH].rpartition(" ")[0].rstrip(",;:.") + " …"
            return text
    return ""


def leave_out_unused(
    app: Sphinx, pagename: str, template: str, context: dict[str, Any], doctree: Any
) -> None:
    body = context.get("body") or ""
    if found := UNSTYLED.search(body):
        logger.warning("course.css has no style for %r", found[1], location=pagename)
    tables = EMPTY_HEAD.sub("", EMPTY_HEADER.sub("<td></td>", body))
    quotations = FACT_MARK.sub("", THEBE.sub("", tables))
    context["body"] = hold_together(ASIDE.sub(r'<div class="aside" role="note"><p>\1</div>', quotations))

    if pagename == app.config.root_doc:
        context["body"] = LONE_LINK.sub('<p class="begin">', context["body"])

    # Of the scripts that extensions put on every page, only the widget manager
    # does anything here, and only where there is a widget.
    context["widget_scripts"], context["widget_manager"] = [], ""
    if WIDGET not in body or not app.course_sliders:
        return
    for file in context["script_files"]:
        if file.attributes.get("type") == WIDGET_STATE:
            state = file.attributes["body"]
            file.attributes["body"], context["body"] = name_models(state, context["body"])
            context["widget_scripts"].append(file)
        elif str(file.filename).partition("?")[0].endswith("vendor/embed.js"):
            # fetched by course.js when a slider comes near
            (context["widget_manager"],) = re.findall(r'src="([^"]+)"', str(context["js_tag"](file)))


def hold_together(body: str) -> str:
    """Say where a line may end and where not."""

    def breakable(table: re.Match[str]) -> str:
        # long names in narrow columns
        return CODE.sub(lambda code: code[1] + code[2].replace("_", "_<wbr>"), table[0])

    body = DASH.sub("\\1\u00a0— ", body)
    return TABLE.sub(breakable, COUNTED.sub(">\\1\u00a0\\2<", body))


def setup(app: Sphinx) -> None:
    app.connect("html-page-context", tell_template)
    app.connect("html-page-context", leave_out_unused, priority=900)
