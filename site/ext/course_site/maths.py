"""Formulas as MathML, made while the book is built.

latex2mathml writes what it does not understand into the page and carries on.
Here that is an error, so that no reader is the first to see it.
"""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from itertools import zip_longest
from typing import Any

from docutils import nodes
from latex2mathml.converter import convert
from sphinx.application import Sphinx
from sphinx.errors import SphinxError
from sphinx.writers.html5 import HTML5Translator

XMLNS = "http://www.w3.org/1998/Math/MathML"
MINUS, COMMA, INFINITY = "\u2212", ",", "\u221e"
# After one of these a minus is a sign, not a subtraction.
OPENING = set("([{|=,;:<>·×/+−≈≠≤≥→←↦⋅∣‖")
# A letter that has the colour of its role in every picture has it in a formula too.
ROLES = {"q": "query", "k": "key", "v": "value", "o": "output"}
ROWS = {"math", "mrow", "mtd", "mstyle", "msqrt", "mpadded"}


class FormulaError(SphinxError):
    category = "Formula not understood"


def to_mathml(tex: str, *, display: bool) -> str:
    """Return one `<math>` element for a formula in TeX, or raise FormulaError."""
    # what latex2mathml calls by another name
    source = re.sub(r"\\(begin|end)\{aligned\}", r"\\\1{split}", tex.strip())
    try:
        markup = convert(source, display="block" if display else "inline")
        math = ET.fromstring(markup.replace(f' xmlns="{XMLNS}"', ""))
    except Exception as error:
        raise FormulaError(f"{tex} ({error})") from error
    for element in math.iter():
        refuse_leftovers(element, tex)
        if element.tag == "mfrac":
            # the font's own rule is drawn one pixel thick here and two there
            element.attrib.setdefault("linethickness", "1px")
    mend_rows(math)
    tell_roles(math)
    return ET.tostring(math, encoding="unicode", short_empty_elements=False)


def refuse_leftovers(element: ET.Element, tex: str) -> None:
    text = element.text or ""
    if element.tag in {"mi", "mo", "mn"} and (text.startswith("\\") or text == "&"):
        raise FormulaError(f"{text} in {tex}")
    if "mathvariant" in element.attrib:
        # it comes letter by letter, and of its kinds browsers know `normal` alone
        raise FormulaError(f"{text} in {tex}: letters of another style; a word goes into \\text")


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
    element[:] = join_thousands(list(element))
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


def tell_roles(element: ET.Element) -> None:
    """Give queries, keys, values and outputs, and the matrices that make them, the class of their role.

    A letter below another, as in d_k, counts only where that is a W.
    """
    children = list(element)
    if element.tag in {"msub", "msup", "msubsup"}:
        base, scripts = children[0], {(part.text or "").lower() for s in children[1:] for part in s.iter("mi")}
        found = scripts & ROLES.keys() if base.text == "W" else {(base.text or "").lower()} & ROLES.keys()
        if found:
            element.set("class", ROLES[found.pop()])
            return
        children = [base]
    for child, after in zip_longest(children, children[1:]):
        role = ROLES.get((child.text or "").lower()) if child.tag == "mi" else None
        if role and not (after is not None and after.text == "("):  # O(n) says how fast something grows
            child.set("class", role)
        tell_roles(child)


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
    if node["number"]:
        raise FormulaError(f"{tex}: formulas have no numbers here")
    if r"\\" in tex and r"\begin" not in tex:
        tex = rf"\begin{{aligned}}{tex}\end{{aligned}}"
    self.body.append(self.starttag(node, "div", CLASS="math"))
    self.body.append(to_mathml(tex, display=True))
    self.body.append("</div>\n")
    raise nodes.SkipNode


def setup(app: Sphinx) -> None:
    nothing: Any = None
    app.add_html_math_renderer("mathml", (visit_math, nothing), (visit_math_block, nothing))
