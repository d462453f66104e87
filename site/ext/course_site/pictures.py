"""Pictures written into the page, so that one SVG serves the light and the dark theme.

`scripts/draw` draws in a few reserved colours, one a role.  On the page each
becomes a CSS variable; `palette.css`, made here from the same table, gives the
variables their values in both themes.  The files themselves stay ordinary
light pictures.
"""

from __future__ import annotations

import html
import re
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.config import Config
from sphinx.util import logging

from scripts.draw.style import PALETTE
from scripts.draw.words import opening

logger = logging.getLogger(__name__)

REFERENCE = re.compile(r"(?:url\(#|^#)([^)]+)")
NUMBER = re.compile(r"-?\d+\.\d{3,}")
COLOUR = re.compile("|".join(re.escape(light) for light, _ in PALETTE.values()), flags=re.IGNORECASE)
VARIABLES = {light.lower(): f"var(--{role.lower()})" for role, (light, _) in PALETTE.items()}


FALLBACK = re.compile(r"var\((--[\w-]+),\s*var\(\1\)\)")


def follow_theme(markup: str) -> str:
    """Replace the reserved colours by their CSS variables."""
    variables = COLOUR.sub(lambda found: VARIABLES[found[0].lower()], markup)
    # a slider's frames name the variable already, with the colour for want of it
    return FALLBACK.sub(r"var(\1)", variables)


def tidy(svg: str, prefix: str, alt: str, glyphs: dict[tuple[str, str], str]) -> str:
    """Return a file's `<svg>` as it can stand in a page beside others of its kind.

    `glyphs` are the letters that the page's earlier pictures have brought, by
    outline: a letter is in the page once, whichever pictures use it.
    """
    svg = svg[svg.index("<svg") :].replace("xlink:href", "href")
    svg = re.sub(r'\sxmlns(?::\w+)?="[^"]*"', "", svg)
    svg = re.sub(r"<metadata>.*?</metadata>", "", svg, flags=re.DOTALL)
    root = ET.fromstring(svg)

    for parent in root.iter():
        for child in list(parent):
            # matplotlib's style sheet says `* { … }`, which in a page means the page
            if child.tag == "style":
                parent.remove(child)
    root.set("stroke-linejoin", "round")
    root.set("stroke-linecap", "butt")

    for element in root.iter():
        shorten(element)
    rename_ids(root, prefix, share_glyphs(root, glyphs))
    unwrap_groups(root)

    root.attrib.pop("version", None)
    root.set("class", "picture")
    root.set("role", "img")
    root.set("aria-label", alt)
    return follow_theme(ET.tostring(root, encoding="unicode"))


def share_glyphs(root: ET.Element, glyphs: dict[tuple[str, str], str]) -> dict[str, str]:
    """Leave out the letters that the page already has; return their ids there by those here."""
    shared: dict[str, str] = {}
    for defs in root.iter("defs"):
        for path in defs.findall("path[@id]"):
            outline = (path.get("d", ""), path.get("transform", ""))
            if outline in glyphs:
                defs.remove(path)
            else:
                glyphs[outline] = f"glyph{len(glyphs)}"
            shared[path.get("id", "")] = glyphs[outline]
    return shared


def rename_ids(root: ET.Element, prefix: str, shared: dict[str, str]) -> None:
    """Keep only the ids that are referred to, and make all but the shared this picture's own."""

    def new(name: str) -> str:
        return shared.get(name, f"{prefix}-{name}")

    used = {
        name
        for element in root.iter()
        for value in element.attrib.values()
        for name in REFERENCE.findall(value)
    }
    for element in root.iter():
        if (name := element.attrib.pop("id", None)) in used | shared.keys():
            element.set("id", new(name))
        for key, value in element.attrib.items():
            if "#" in value and key != "id":
                element.set(key, REFERENCE.sub(lambda f: f[0].replace(f"#{f[1]}", f"#{new(f[1])}"), value))


def shorten(element: ET.Element) -> None:
    """Two decimals of a point are finer than any screen; white space says nothing."""
    for key in ("d", "x", "y", "points", "width", "height"):
        if value := element.get(key):
            rounded = NUMBER.sub(lambda found: f"{float(found[0]):.2f}", value)
            element.set(key, re.sub(r"\s+", " ", rounded).strip())
    if "translate" in (transform := element.get("transform", "")):
        element.set("transform", NUMBER.sub(keep_scale, transform))
    if style := element.get("style"):
        element.set("style", style.replace(": ", ":").replace("; ", ";"))
    if not (element.text or "").strip():
        element.text = None
    element.tail = None


def keep_scale(found: re.Match[str]) -> str:
    # a scale of 0.015625 must not become 0.02
    return found[0] if abs(float(found[0])) < 1 else f"{float(found[0]):.2f}"


def unwrap_groups(element: ET.Element) -> None:
    """Groups that say nothing, once their ids are gone, go too."""
    children: list[ET.Element] = []
    for child in element:
        unwrap_groups(child)
        if child.tag in {"g", "defs"} and not child.attrib and (child.tag == "g" or not len(child)):
            children.extend(child)
        else:
            children.append(child)
    element[:] = children


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
    glyphs: dict[tuple[str, str], str] = {}
    for count, image in enumerate(images, start=1):
        alt = image.get("alt", "").strip()
        if not alt:
            logger.warning("picture %d has no alt text", count, location=docname)
        svg = Path(app.srcdir, image["uri"]).read_text(encoding="utf-8")
        first, rest = opening(alt)
        shown: list[nodes.Node] = [nodes.raw("", tidy(svg, f"p{count}", first, glyphs), format="html")]
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
    return f""":root{{color-scheme:light;{light}}}
@media screen{{html[data-theme="dark"]{{color-scheme:dark;{dark}}}}}
/* without scripts */
@media screen and (prefers-color-scheme:dark){{html:not([data-theme]){{color-scheme:dark;{dark}}}}}
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
