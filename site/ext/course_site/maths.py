"""Formulas as MathML, made while the book is built.

latex2mathml writes what it does not understand into the page and carries on.
Here that is an error, so that no reader is the first to see it.
"""

from __future__ import annotations

import html
import re
import xml.etree.ElementTree as ET
from typing import Any

from docutils import nodes
from latex2mathml.converter import convert
from sphinx.application import Sphinx
from sphinx.errors import SphinxError
from sphinx.util.math import get_node_equation_number
from sphinx.writers.html5 import HTML5Translator

# What latex2mathml lacks, in terms of what it has.
ENVIRONMENTS = {
    "align": "align*",
    "aligned": "split",
    "alignedat": "split",
    "equation": "equation*",
    "gather": "gather*",
    "gathered": "gather*",
}
MACROS = {r"\arg": r"\operatorname{arg}", r"\lVert": r"\|", r"\rVert": r"\|"}
# Numbering is Sphinx's business, not the converter's.
NUMBERING = re.compile(r"\\(?:label|tag)\{[^}]*\}|\\(?:nonumber|notag)\b")

XMLNS = "http://www.w3.org/1998/Math/MathML"
MINUS, COMMA, INFINITY = "\u2212", ",", "\u221e"
# After one of these a minus is a sign, not a subtraction.
OPENING = set("([{|=,;:<>·×/+−≈≠≤≥→←↦⋅∣‖")
ROWS = {"math", "mrow", "mtd", "mstyle", "msqrt", "mphantom", "mpadded"}
BOLD_ITALIC = {"a": 0x1D482, "A": 0x1D468}


class FormulaError(SphinxError):
    category = "Formula not understood"


def to_mathml(tex: str, *, display: bool) -> str:
    """Return one `<math>` element for a formula in TeX, or raise FormulaError."""
    source = NUMBERING.sub("", tex.strip())
    source = re.sub(
        r"\\(begin|end)\{([a-z*]+)\}",
        lambda found: rf"\{found[1]}{{{ENVIRONMENTS.get(found[2], found[2])}}}",
        source,
    )
    for macro, known in MACROS.items():
        source = re.sub(re.escape(macro) + r"(?![A-Za-z])", lambda _, known=known: known, source)

    try:
        markup = convert(source, display="block" if display else "inline")
        math = ET.fromstring(markup.replace(f' xmlns="{XMLNS}"', ""))
    except Exception as error:
        raise FormulaError(f"{tex} ({error})") from error
    for element in math.iter():
        refuse_leftovers(element, tex)
        mend_letters(element)
        if element.tag == "mfrac":
            # the font's own rule is drawn one pixel thick here and two there
            element.attrib.setdefault("linethickness", "1px")
    mend_rows(math)
    return ET.tostring(math, encoding="unicode", short_empty_elements=False)


def refuse_leftovers(element: ET.Element, tex: str) -> None:
    text = element.text or ""
    if element.tag in {"mi", "mo", "mn"} and (text.startswith("\\") or text == "&"):
        raise FormulaError(f"{text} in {tex}")


def mend_letters(element: ET.Element) -> None:
    """Browsers know no `mathvariant` but normal: use Unicode's letters, or CSS in text."""
    variant = element.get("mathvariant")
    if variant in (None, "normal"):
        return
    del element.attrib["mathvariant"]
    if element.tag == "mtext" and variant in {"bold", "italic"}:
        element.set("style", f"font-{'weight' if variant == 'bold' else 'style'}:{variant}")
    elif variant == "bold-italic" and re.fullmatch("[A-Za-z]", element.text or ""):
        first = "a" if element.text.islower() else "A"
        element.text = chr(BOLD_ITALIC[first] + ord(element.text) - ord(first))
    elif not (element.text or "").isdigit():
        raise FormulaError(f"mathvariant {variant} of {element.text!r}")


def mend_rows(element: ET.Element) -> None:
    """Give a row the spacing that TeX would give it, and drop wrappers around one thing."""
    for child in element:
        mend_rows(child)
    for index, child in enumerate(element):
        if child.tag == "mrow" and len(child) == 1 and not child.attrib:
            element[index] = child[0]
            if child[0].text == COMMA:
                # written {,}: inside a number, not between two
                child[0].set("separator", "false")
    if element.tag not in ROWS:
        return
    if element.tag != "mphantom" or len(element) > 1:
        element[:] = join_letters(join_thousands(list(element)))
    before = None
    for child in element:
        name = child.text or ""
        if child.tag == "mo" and name == INFINITY:
            child.tag = "mi"
        elif child.tag == "mo" and name in {MINUS, "+"}:
            if before is not None and before.tag == "mo" and (before.text or "") in OPENING:
                child.set("form", "prefix")
        elif child.tag == "mo" and name.isalpha() and len(name) > 1:
            # an operator's name: a browser would set it apart like a relation
            child.set("lspace", "0.167em")
            child.set("rspace", "0")
        if child.tag != "mspace":
            before = child


def join_letters(row: list[ET.Element]) -> list[ET.Element]:
    r"""`\mathrm{softmax}` comes as seven letters: make it one word."""
    joined: list[ET.Element] = []
    for child in row:
        upright = child.tag == "mi" and child.get("mathvariant") == "normal"
        last = joined[-1] if joined else None
        if upright and last is not None and last.get("data-word"):
            last.text = (last.text or "") + (child.text or "")
            last.attrib.pop("mathvariant", None)
            continue
        if upright:
            child.set("data-word", "1")
        joined.append(child)
    for child in joined:
        child.attrib.pop("data-word", None)
    return joined


def join_thousands(row: list[ET.Element]) -> list[ET.Element]:
    """`10{,}000` comes as two numbers and a comma: make it one number."""
    joined: list[ET.Element] = []
    for child in row:
        if (
            child.tag == "mn"
            and re.match(r"\d{3}(?!\d)", child.text or "")
            and len(joined) >= 2
            and joined[-1].get("separator")
            and joined[-2].tag == "mn"
        ):
            joined.pop()
            joined[-1].text = f"{joined[-1].text}{COMMA}{child.text}"
        else:
            joined.append(child)
    return joined


def visit_math(self: HTML5Translator, node: nodes.math) -> None:
    self.body.append(to_mathml(node.astext(), display=False))
    raise nodes.SkipNode


def visit_math_block(self: HTML5Translator, node: nodes.math_block) -> None:
    tex = node.astext()
    if r"\\" in tex and r"\begin" not in tex:
        tex = rf"\begin{{aligned}}{tex}\end{{aligned}}"
    self.body.append(self.starttag(node, "div", CLASS="math"))
    self.body.append(to_mathml(tex, display=True))
    if node["number"]:
        number = html.escape(str(get_node_equation_number(self, node)))
        self.body.append(f'<span class="eqno">({number})')
        self.add_permalink_ref(node, "Link to this equation")
        self.body.append("</span>")
    self.body.append("</div>\n")
    raise nodes.SkipNode


def setup(app: Sphinx) -> None:
    nothing: Any = None
    app.add_html_math_renderer("mathml", (visit_math, nothing), (visit_math_block, nothing))
