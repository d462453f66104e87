"""Once the pages are written: one style sheet, one mathematics font, nothing else.

The book's theme and extensions copy some four megabytes of scripts, styles and
icons that our pages never ask for.
"""

from __future__ import annotations

import html
import re
from importlib import metadata
from pathlib import Path

from fontTools import subset
from fontTools.pens.transformPen import TransformPen
from fontTools.pens.ttGlyphPen import TTGlyphPen
from fontTools.ttLib import TTFont
from sphinx.application import Sphinx

from course_site.card import draw_card

REFERENCE = re.compile(r"""(?:src|href)="([^"#?]+)|url\(["']?([^"')#?]+)""")
MATH = re.compile(r"<math\b.*?</math>", flags=re.DOTALL)
TAG = re.compile(r"<[^>]*>")
# Made up of what stretches, whether or not a page names it: the parts of
# brackets, roots and rules come with the glyphs that use them.
ALWAYS = " ()[]{}|√−·×=+,./′"
FONT_NAME = "Course Math"


def finish(app: Sphinx, error: Exception | None) -> None:
    if error or app.builder.format != "html":
        return
    site = Path(app.outdir)
    write_math_font(site)
    remove_unreferenced(site)
    write_front_door(site, app)
    (site / ".nojekyll").touch()  # GitHub Pages would leave out what begins with "_"
    draw_card(app.config.html_title).savefig(site / "_static" / "card.png", metadata={"Software": None})


def write_math_font(site: Path) -> None:
    """Cut STIX Two Math, which comes inside the package ziamath, to the book's formulas.

    Its licence lets a changed font be passed on under another name only.
    """
    used = set(ALWAYS)
    for path in site.rglob("*.html"):
        for math in MATH.findall(path.read_text(encoding="utf-8")):
            used.update(html.unescape(TAG.sub("", math)))
    font = TTFont(math_font_file(), recalcTimestamp=False)
    options = subset.Options(layout_features=["*"], flavor="woff2", notdef_outline=True)
    options.drop_tables += ["DSIG"]
    options.hinting = False
    cutter = subset.Subsetter(options)
    # letters of a formula in a browser's own text become slanted ones of the font
    cutter.populate(unicodes={ord(sign) for sign in used | slanted(used)})
    cutter.subset(font)
    even_out_roots(font)
    for record in font["name"].names:
        if record.nameID in (1, 3, 4, 6, 16):
            record.string = FONT_NAME.replace(" ", "") if record.nameID == 6 else FONT_NAME
    font.flavor = "woff2"
    font.save(site / "_static" / "course-math.woff2")


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


def math_font_file() -> Path:
    for file in metadata.files("ziamath") or ():
        if file.name == "STIXTwoMath-Regular.ttf":
            return Path(str(file.locate()))
    raise RuntimeError("ziamath no longer brings STIX Two Math: pin the version that did")


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


def remove_unreferenced(site: Path) -> None:
    static = site / "_static"
    wanted = {
        (source.parent / (in_page or in_style)).resolve()
        for source in [*site.rglob("*.html"), *static.glob("*.css")]
        for in_page, in_style in REFERENCE.findall(source.read_text(encoding="utf-8"))
    }
    for path in sorted(static.rglob("*"), reverse=True):
        if path.is_dir():
            if not any(path.iterdir()):
                path.rmdir()
        elif path.resolve() not in wanted:
            path.unlink()


def write_front_door(site: Path, app: Sphinx) -> None:
    """`index.html`, for whoever opens the folder: Jupyter Book's own is no whole page."""
    config = app.config
    told = {"language": config.language, "title": config.html_title, "first": f"{config.root_doc}.html"}
    page = app.builder.templates.render("front.html", told)
    (site / "index.html").write_text(page + "\n", encoding="utf-8")


def setup(app: Sphinx) -> None:
    app.connect("build-finished", finish, priority=900)
