"""What the search page looks through: the text of every section, as its page shows it.

Sphinx's own index knows words and pages.  A reader of this course looks for numbers as
well, and wants the place; `search.js` finds both in the text itself.
"""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from pathlib import Path

from sphinx.application import Sphinx

INDEX = "search-index.js"
# Of a formula: W and q set lower are written W_q, as in code.
SUBSCRIPT = re.compile(r"<msub><m[ion]\b[^>]*>([^<]*)</m[ion]><m[ion]\b[^>]*>([^<]*)</m[ion]></msub>")
HEADINGS = {"h1", "h2", "h3", "h4"}
UNREAD = {"script", "style", "button", "svg"}
# Text goes on through these: "<b>0</b>.683" is one number.
WITHIN_A_WORD = {"a", "abbr", "b", "code", "em", "i", "kbd", "span", "strong", "sub", "sup", "wbr"}


class Sections(HTMLParser):
    """The text of a page by its sections, each under the heading that a link can lead to."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.found: list[dict[str, str]] = []
        self.inside = False  # the article
        self.anchor = ""
        self.skipping: list[str] = []  # open elements whose text nobody reads
        self.in_heading = False

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        told = {name: value or "" for name, value in attributes}
        if tag == "article":
            self.inside = True
        if self.skipping:
            if tag == self.skipping[-1]:
                self.skipping.append(tag)
            return
        if tag == "svg":
            self.write(f" {told.get('aria-label', '')} ")
        if tag in UNREAD or "headerlink" in told.get("class", ""):
            self.skipping.append(tag)
        elif tag == "section":
            self.anchor = told.get("id", "")
        elif tag in HEADINGS:
            self.found.append({"anchor": self.anchor, "title": "", "text": ""})
            self.in_heading = True
        elif tag not in WITHIN_A_WORD:
            self.write(" ")

    def handle_endtag(self, tag: str) -> None:
        if self.skipping:
            if tag == self.skipping[-1]:
                self.skipping.pop()
        elif tag == "article":
            self.inside = False
        elif tag in HEADINGS:
            self.in_heading = False
        elif tag not in WITHIN_A_WORD:
            self.write(" ")

    def handle_data(self, data: str) -> None:
        if not self.skipping:
            self.write(data)

    def write(self, text: str) -> None:
        if self.inside and self.found:
            self.found[-1]["title" if self.in_heading else "text"] += text


def sections(page: str) -> list[dict[str, str]]:
    """Return anchor, title and text of every section of a page's HTML, in its order."""
    parser = Sections()
    parser.feed(SUBSCRIPT.sub(r" \1_\2 ", page))
    parser.close()
    return [{name: " ".join(value.split()) for name, value in part.items()} for part in parser.found]


def leave_out_sphinx_s(app: Sphinx) -> None:
    """No index of Sphinx's; the page is one of ours."""
    if app.builder.format == "html":
        app.builder.search = False
        app.config.html_additional_pages = {"search": "search.html", **app.config.html_additional_pages}


def write_index(app: Sphinx, error: Exception | None) -> None:
    if error or app.builder.format != "html":
        return
    root = app.config.root_doc
    places = []
    for name in (root, *app.env.toctree_includes.get(root, [])):
        link = app.builder.get_target_uri(name)
        parts = sections(Path(app.outdir, link).read_text(encoding="utf-8"))
        for place in parts:
            anchor = f"#{place['anchor']}" if place is not parts[0] else ""
            titles = [parts[0]["title"], place["title"]] if anchor else [place["title"]]
            places.append([link + anchor, titles, place["text"]])
    text = json.dumps(places, ensure_ascii=False, separators=(",", ":"))
    # a script, not data that is asked for: a page opened from the disk may ask for none
    Path(app.outdir, "_static", INDEX).write_text(f"const places = {text};\n", encoding="utf-8")


def setup(app: Sphinx) -> None:
    app.connect("builder-inited", leave_out_sphinx_s)
    # before `assets` looks for what no page asks for
    app.connect("build-finished", write_index, priority=850)
