"""Pictures written into the page, so that one SVG serves the light and the dark theme.

`scripts/draw` draws in a few reserved colours, one a role.  `palette.css`, made
here from the same table, has a CSS variable for each, with its value in both
themes, and draws in the variable whatever has the colour.  The pictures
themselves stay ordinary light ones.
"""

from __future__ import annotations

import html
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.config import Config
from sphinx.util import logging

from scripts.draw.style import PALETTE
from scripts.draw.svg import parse, rename, unparse
from scripts.draw.words import opening

logger = logging.getLogger(__name__)


def in_page(svg: str, prefix: str, label: str, glyphs: dict[str, str]) -> str:
    """Return a picture as it can stand in a page beside others.

    `glyphs` are the letters that the page's earlier pictures have brought, by
    what they look like: a letter is in the page once, whichever pictures use it.
    """
    root = parse(svg)
    shared = share_glyphs(root, glyphs)
    rename(root, lambda name: shared.get(name, f"{prefix}-{name}"))
    root.set("class", "picture")
    root.set("aria-label", label)
    return unparse(root)


def share_glyphs(root: ET.Element, glyphs: dict[str, str]) -> dict[str, str]:
    """Leave out the letters that the page already has; return their ids there by those here."""
    shared: dict[str, str] = {}
    (definitions,) = root.findall("defs")
    for path in definitions.findall("path"):
        name = path.attrib.pop("id")
        look = unparse(path)
        path.set("id", name)
        if look in glyphs:
            definitions.remove(path)
        shared[name] = glyphs.setdefault(look, f"glyph{len(glyphs)}")
    return shared


class InWords(nodes.Element):
    """What an alternative text says after its opening; the search knows as little of it."""


def say_in_words(translator: Any, node: InWords) -> None:
    """Write a list, unseen, of the sentences.

    Screen readers read a label in one go; a list can be walked through row by row.
    """
    items = "".join(f"<li>{html.escape(sentence)}</li>" for sentence in node["sentences"])
    translator.body.append(f'<ul class="in-words" aria-label="The picture in words">{items}</ul>')
    raise nodes.SkipNode


def inline_pictures(app: Sphinx, doctree: nodes.document, docname: str) -> None:
    """Replace each image of an SVG file by the picture itself."""
    if app.builder.format != "html":
        return
    images = [
        node
        for node in doctree.findall(nodes.image)
        # Sphinx has said which files are missing
        if node["uri"].endswith(".svg") and Path(app.srcdir, node["uri"]).exists()
    ]
    glyphs: dict[str, str] = {}
    for count, image in enumerate(images, start=1):
        alt = image.get("alt", "").strip()
        if not alt:
            logger.warning("picture %d has no alt text", count, location=docname)
        svg = Path(app.srcdir, image["uri"]).read_text(encoding="utf-8")
        first, rest = opening(alt)
        shown: list[nodes.Node] = [nodes.raw("", in_page(svg, f"p{count}", first, glyphs), format="html")]
        if rest:
            shown.append(InWords("", sentences=rest))
        image.replace_self(shown)


# The site's own colours, beside those of the pictures.
SITE = {
    "link": ("#1d5a96", "#8cc2f0"),
    "edge": ("#8a97a3", "#6b7885"),  # of buttons and fields: 3 to 1 on paper
    "tint": ("#f3f4f3", "#1d232a"),  # ground of code and notes
    "code-word": ("#6b3f93", "#cfaef0"),
    "code-string": ("#2a6b3d", "#93d3a6"),
    "code-number": ("#1d5a96", "#8cc2f0"),
    "code-name": ("#8a4312", "#f0b98a"),
}


def palette_css() -> str:
    """All colours in both themes; paper is printed light whatever the screen shows."""
    light, dark = (
        "".join(f"--{role.lower()}:{pair[index]};" for role, pair in {**PALETTE, **SITE}.items())
        for index in (0, 1)
    )
    pictures = "".join(
        f'[{kind}="{colour}"]{{{kind}:var(--{role})}}'
        for role, (colour, _) in PALETTE.items()
        for kind in ("fill", "stroke")
    )
    return f""":root{{color-scheme:light;{light}}}
@media screen{{html[data-theme="dark"]{{color-scheme:dark;{dark}}}}}
/* without scripts */
@media screen and (prefers-color-scheme:dark){{html:not([data-theme]){{color-scheme:dark;{dark}}}}}
/* a picture's attributes are those of the light theme; a style goes before an attribute */
{pictures}
"""


def generated_folder(app: Sphinx) -> Path:
    """Where static files lie that the build itself makes or fetches."""
    return Path(app.outdir).parent / "generated"


def write_palette(app: Sphinx, config: Config) -> None:
    folder = generated_folder(app)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "palette.css").write_text(palette_css(), encoding="utf-8")
    config.html_static_path.append(str(folder))


def setup(app: Sphinx) -> Any:
    app.add_node(InWords, html=(say_in_words, None))
    app.connect("config-inited", write_palette)
    # after everything else has looked for images
    app.connect("doctree-resolved", inline_pictures, priority=900)
