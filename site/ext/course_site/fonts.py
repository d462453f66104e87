"""Fonts: Source Serif for the text and STIX Two Math for formulas, each cut to the signs that the book shows.

Both come in packages that requirements.txt pins.  Their licences let a changed font be
passed on under another name only.
"""

from __future__ import annotations

import base64
import html
import io
import re
import string
from importlib import metadata
from pathlib import Path

from fontTools import subset
from fontTools.pens.transformPen import TransformPen
from fontTools.pens.ttGlyphPen import TTGlyphPen
from fontTools.ttLib import TTFont

MATH = re.compile(r"<math\b.*?</math>", flags=re.DOTALL)
# Not set in the text face, or not by the reader's eyes
OTHER = re.compile(r"<(script|style|svg|math|pre|code)\b.*?</\1>", flags=re.DOTALL)
TAG = re.compile(r"<[^>]*>")
# Made up of what stretches, whether or not a page names it: the parts of
# brackets, roots and rules come with the glyphs that use them.
IN_FORMULAS = " ()[]{}|√−·×=+,./′"
# What a script may write into any page
IN_TEXT = string.ascii_letters + string.digits + string.punctuation + " –—‘’“”…−×"
FACES = {
    "Regular": (400, "normal"),
    "It": (400, "italic"),
    "Bold": (700, "normal"),
    "BoldIt": (700, "italic"),
}
# Kerning, ligatures, figures of one width in tables; not the small capitals and swashes
FEATURES = ["kern", "liga", "lnum", "tnum", "pnum", "ccmp", "locl", "mark"]
RULE = """@font-face {{
  font-family: "Course Serif";
  font-weight: {weight};
  font-style: {style};
  src: url(data:font/woff2;base64,{data}) format("woff2");
}}
"""


def write(site: Path) -> None:
    """Write the fonts of a built site into its `_static/`."""
    in_formulas, in_text = set(IN_FORMULAS), set(IN_TEXT)
    for path in site.rglob("*.html"):
        page = path.read_text(encoding="utf-8")
        for math in MATH.findall(page):
            in_formulas.update(html.unescape(TAG.sub("", math)))
        in_text.update(html.unescape(TAG.sub("", OTHER.sub("", page))))
    write_math_font(site, in_formulas)
    write_text_face(site, in_text)


def write_text_face(site: Path, signs: set[str]) -> None:
    """Cut Source Serif to the signs of the book's text.

    It goes into a style sheet, which a browser waits for: no line breaks twice, and a
    line is as long on every machine.  All four are smaller than one photograph.
    """
    rules = []
    for name, (weight, style) in FACES.items():
        font = TTFont(file_of("font-source-serif-pro", f"SourceSerifPro-{name}.ttf"), recalcTimestamp=False)
        lost = {sign for sign in signs if sign.isprintable() and ord(sign) not in font.getBestCmap()}
        if name == "Regular" and lost:
            raise RuntimeError(f"Source Serif does not have {' '.join(sorted(lost))}")
        cut(font, signs, "Course Serif", FEATURES)
        data = base64.b64encode(as_woff2(font)).decode("ascii")
        rules.append(RULE.format(weight=weight, style=style, data=data))
    (site / "_static" / "course-serif.css").write_text("".join(rules), encoding="utf-8")


def file_of(package: str, name: str) -> Path:
    """Path of a font that a package brings."""
    for file in metadata.files(package) or ():
        if file.name == name:
            return Path(str(file.locate()))
    raise RuntimeError(f"{package} no longer brings {name}: pin the version that did")


def cut(font: TTFont, signs: set[str], name: str, features: list[str]) -> None:
    """Leave of a font what some signs need, and give it another name."""
    options = subset.Options(layout_features=features, notdef_outline=True)
    options.drop_tables += ["DSIG"]
    options.hinting = False
    cutter = subset.Subsetter(options)
    cutter.populate(unicodes={ord(sign) for sign in signs})
    cutter.subset(font)
    for record in font["name"].names:
        if record.nameID in (1, 3, 4, 6, 16):
            record.string = name.replace(" ", "") if record.nameID == 6 else name


def as_woff2(font: TTFont) -> bytes:
    font.flavor = "woff2"
    packed = io.BytesIO()
    font.save(packed)
    return packed.getvalue()


def write_math_font(site: Path, signs: set[str]) -> None:
    """Cut STIX Two Math, which comes inside the package ziamath, to the signs of the book's formulas."""
    font = TTFont(file_of("ziamath", "STIXTwoMath-Regular.ttf"), recalcTimestamp=False)
    # letters of a formula in a browser's own text become slanted ones of the font
    cut(font, signs | slanted(signs), "Course Math", ["*"])
    even_out_roots(font)
    (site / "_static" / "course-math.woff2").write_bytes(as_woff2(font))


def even_out_roots(font: TTFont) -> None:
    """Make taller root signs as wide as the plain one.

    Chromium sets every root in a box for the widest of its signs, which leaves
    a gap of half a letter behind √4.
    """
    variants = font["MATH"].table.MathVariants
    plain = font.getBestCmap()[ord("√")]
    construction = variants.VertGlyphConstruction[variants.VertGlyphCoverage.glyphs.index(plain)]
    taller = {record.VariantGlyph for record in construction.MathGlyphVariantRecord}
    taller |= {part.glyph for part in construction.GlyphAssembly.PartRecords}
    glyphs, metrics = font.getGlyphSet(), font["hmtx"].metrics
    width = metrics[plain][0]
    for name in taller - {plain}:
        scale = width / metrics[name][0]
        pen = TTGlyphPen(glyphs)
        glyphs[name].draw(TransformPen(pen, (scale, 0, 0, 1, 0, 0)))
        font["glyf"][name] = pen.glyph()
        metrics[name] = (width, round(metrics[name][1] * scale))


def slanted(signs: set[str]) -> set[str]:
    """A single letter in a formula is shown in mathematical italics."""
    found = set()
    for sign in signs:
        if "a" <= sign <= "z":
            # italic h was taken before the others were given their block
            found.add("ℎ" if sign == "h" else chr(0x1D44E + ord(sign) - ord("a")))
        elif "A" <= sign <= "Z":
            found.add(chr(0x1D434 + ord(sign) - ord("A")))
        elif "α" <= sign <= "ω":
            found.add(chr(0x1D6FC + ord(sign) - ord("α")))
    return found
