"""The form in which every picture leaves the drawing code, and the only code that gives it.

The same SVG stands in ``figures/``, in a stored notebook, in a page of the
site beside other pictures, and in a page whose reader ran the cell again.  So
that it is right in all of them, and nobody need rewrite it:

* Colours are attributes (``fill="#1b2733"``), neither styles nor CSS variables.
  Every program understands an attribute: a browser that shows the file, a code
  host that shows a notebook's outputs as images and strips what it does not
  know, JupyterLab, Inkscape, what turns SVG into PDF.  With
  ``var(--ink,#1b2733)`` five of five programs that are no browsers (librsvg,
  resvg, CairoSVG, MuPDF, svglib) drew black, drew nothing or stopped.  And the
  style sheet of a page goes before an attribute: the site has a rule for each
  colour, which sets that of the theme (``palette_css`` in
  ``site/ext/course_site/pictures.py``).
* Definitions (glyphs, markers, hatches) stand once, at the top.  Their ids say
  what they hold, so that two pictures of a page may both bring one.
* No id that nothing refers to, no group that groups nothing, no style sheet, which
  would hold for the whole page; two decimals of a point, which is finer than a screen.
* One line: a notebook stores an output line by line.
"""

import re
import xml.etree.ElementTree as ET
from collections.abc import Callable

NAMESPACES = {"xmlns": "http://www.w3.org/2000/svg", "xmlns:xlink": "http://www.w3.org/1999/xlink"}
REFERENCE = re.compile(r"(?<=url\(#)[^)]+")
LENGTHS = ("d", "x", "y", "width", "height", "stroke-width", "stroke-dasharray", "stroke-dashoffset")
OPACITIES = ("opacity", "fill-opacity", "stroke-opacity")
LONG = {places: re.compile(rf"-?\d+\.\d{{{places + 1},}}") for places in (2, 3)}


def parse(svg: str) -> ET.Element:
    """Read an SVG into elements whose names are those of a page: without namespaces."""
    return ET.fromstring(re.sub(r'\sxmlns(?::\w+)?="[^"]*"', "", svg).replace("xlink:href", "href"))


def unparse(element: ET.Element) -> str:
    """Write an element as it can stand in a page."""
    return ET.tostring(element, encoding="unicode").replace(" />", "/>")


def as_file(root: ET.Element, label: str) -> str:
    """Write a picture as it can stand alone, with what it shows in words."""
    head = {"role": "img", "aria-label": label, **NAMESPACES}
    root.attrib = {**head, **root.attrib}
    # not all programs know the name without its prefix
    return unparse(root).replace(' href="#', ' xlink:href="#') + "\n"


def simplify(svg: str) -> ET.Element:
    """Return what matplotlib wrote in the form that is described above.

    The ``<svg>`` holds the definitions, then the parts of the figure in drawing order:
    an artist of its own, or, in a ``<g>`` without attributes, those of one axes.
    """
    root = parse(svg[svg.index("<svg") :])
    definitions = ET.Element("defs")
    for parent in list(root.iter()):
        for child in parent.findall("defs"):
            definitions.extend(one for one in child if one.tag != "style")
            parent.remove(child)
    (figure,) = root.findall("g")
    root[:] = [definitions, *figure]
    used = set()
    for element in root.iter():
        element.text = element.tail = None
        for declaration in filter(None, element.attrib.pop("style", "").split(";")):
            name, _, value = declaration.partition(":")
            element.set(name.strip(), value.strip())
        _shorten(element)
        used.update(_references(element))
    for element in root.iter():
        if element.get("id") not in used:
            element.attrib.pop("id", None)
    _unwrap(root)
    del root.attrib["version"]
    root.set("stroke-linejoin", "round")  # matplotlib says so in its style sheet
    return root


def _shorten(element: ET.Element) -> None:
    for names, places in ((LENGTHS, 2), (OPACITIES, 3)):
        for name in names:
            if value := element.get(name):
                element.set(name, _rounded(value, places))
    if path := element.get("d"):
        element.set("d", re.sub(r"\s*([A-Za-z])\s*", r"\1", path).replace("\n", " "))
    if transform := element.get("transform"):
        # the scale of a glyph is small, and multiplied by thousands
        shifted = re.sub(r"translate\([^)]*\)", lambda found: _rounded(found[0], 2), transform)
        element.set("transform", shifted)


def _rounded(text: str, places: int) -> str:
    def short(found: re.Match[str]) -> str:
        number = f"{float(found[0]):.{places}f}".rstrip("0").rstrip(".")
        return "0" if number == "-0" else number

    return LONG[places].sub(short, text)


def _unwrap(element: ET.Element) -> None:
    """Put the only child of a group that says nothing in the place of the group."""
    children = []
    for child in element:
        _unwrap(child)
        bare = child.tag == "g" and not child.attrib and len(child) < 2
        children.extend(child if bare else [child])
    element[:] = children


def _references(element: ET.Element) -> list[str]:
    """Ids that the attributes of an element name."""
    found = [name for value in element.attrib.values() for name in REFERENCE.findall(value)]
    return [*found, element.get("href", "#")[1:]]


def rename(root: ET.Element, new: Callable[[str], str]) -> None:
    """Give every id a new name, and every reference to it."""
    for element in root.iter():
        for name, value in element.attrib.items():
            if name == "id":
                element.set(name, new(value))
            elif name == "href":
                element.set(name, f"#{new(value[1:])}")
            elif "url(#" in value:
                element.set(name, REFERENCE.sub(lambda found: new(found[0]), value))
