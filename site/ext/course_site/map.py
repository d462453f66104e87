"""The map: the whole mechanism in one small picture, for the head of each section.

Tokens become queries, keys and values; queries and keys give scores; a mask hides
some; softmax makes weights, and the weights mix the values; the heads' outputs are
joined; and what went in is added again.  Each part leads to the section about it,
and that of the present page is lit.

It is drawn like every other picture (see ``scripts/draw/svg.py``): colours are
attributes, those of the light theme, which the site's `palette.css` swaps for the
dark one.  Its text stays text, since 360 pixels of it are read on a phone, and
search engines and screen readers read it too.  Nothing in it has an id.
"""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any, NamedTuple

from scripts.draw.style import COLOURS, TINT

if TYPE_CHECKING:
    from sphinx.application import Sphinx

WIDTH, HEIGHT = 640, 134
LETTERS = 18  # ten pixels on a screen of 360
FACE = "system-ui, sans-serif"
LINE = 58  # the height at which the mechanism is read from left to right
TRACK = 104  # the height at which the values go by

# Where a page asks for the whole map, with no part lit: the summary does.
PLACE = '<div class="map-of-all"></div>'

# What a section is about, as its link says it.
PARTS = {
    1: "what one token needs",
    2: "queries, keys and values",
    3: "the scores",
    4: "weights and the mix",
    5: "heads and their output",
    6: "the mask",
    7: "the cost",
    8: "the residual connection, and what is built around it",
    9: "all of it in Python",
}
IN_WORDS = (
    "Map of the mechanism. Tokens become queries, keys and values. Queries and keys give scores; "
    "where the mask allows it, scores become weights, and the weights mix the values. "
    "Several heads do this side by side and make one output, to which the residual connection "
    "adds what went in."
)


class Box(NamedTuple):
    """A word in a frame: where it begins and ends, and whose colour it has."""

    word: str
    left: int
    right: int
    role: str
    middle: int = LINE
    high: int = 32


TOKENS = Box("tokens", 2, 74, "token")
Q = Box("Q", 96, 124, "query", 45, 25)
K = Box("K", 96, 124, "key", 73, 25)
V = Box("V", 96, 124, "value", TRACK, 25)
SCORES = Box("scores", 144, 214, "positive-mark")
MASK = Box("mask", 230, 290, "hatch")
WEIGHTS = Box("weights", 306, 386, "weight-mark")
MIX = Box("mix", 402, 450, "output")
OUTPUT = Box("output", 522, 594, "output")
FRAME = (86, 26, 410, 92)  # of one head: left, top, width, height
PLUS = 614  # where what went in is added
RESIDUAL = 13  # the height of the way around


def the_map(present: int, links: dict[int, str]) -> str:
    """Return the map as an SVG that can stand in a page.

    The part of section `present` is lit (none, where it is not one of the nine; in
    section 9 all of it), and each part that `links` has an address for leads there.
    """
    here = f" You are at {PARTS[present]}, section {present}." if present in PARTS else ""
    drawn = "".join(
        _linked(section, links.get(section), _part(section, present in (section, 9)), present == section)
        for section in (5, 1, 2, 3, 6, 4, 7, 8, 9)  # the frame lies behind what stands in it
    )
    return (
        f'<svg class="mechanism" viewBox="0 0 {WIDTH} {HEIGHT}" role="group" aria-label="{IN_WORDS}{here}" '
        f'font-family="{FACE}" font-size="{LETTERS}" text-anchor="middle" '
        f'stroke-linejoin="round" fill="none">{drawn}</svg>'
    )


def _linked(section: int, address: str | None, drawing: str, present: bool) -> str:
    """Make a part of the map a link, and say where it leads."""
    if address is None:
        return f"<g>{drawing}</g>"
    name = escape(f"Section {section}: {PARTS[section]}")
    current = ' aria-current="page"' if present else ""
    return (
        f'<a href="{escape(address)}" aria-label="{name}"{current}><title>{name}</title>'
        f'<g pointer-events="all">{drawing}</g></a>'
    )


def _part(section: int, lit: bool) -> str:
    """Draw what a section is about.  The empty rectangles are there for a thumb."""
    match section:
        case 1:
            way = _arrow((TOKENS.right, LINE), (FRAME[0] - 1, LINE), lit)
            return _room(0, 26, 84, 92) + _box(TOKENS, lit) + way
        case 2:
            return _room(88, 30, 42, 86) + "".join(_box(box, lit) for box in (Q, K, V))
        case 3:
            ways = (_arrow((box.right, box.middle), (SCORES.left, LINE), lit) for box in (Q, K))
            return _room(132, 28, 90, 47) + "".join(ways) + _box(SCORES, lit)
        case 4:
            ways = (
                _arrow((MASK.right, LINE), (WEIGHTS.left, LINE), lit)
                + _arrow((WEIGHTS.right, LINE), (MIX.left, LINE), lit)
                + _arrow((V.right, TRACK), (_centre(MIX), TRACK), lit, (_centre(MIX), LINE + 16))
            )
            return _room(298, 28, 156, 47) + ways + _box(WEIGHTS, lit) + _box(MIX, lit)
        case 5:
            left, top, width, height = FRAME
            stack = "".join(
                _rectangle(left + shift, top + shift, width, height, "ink" if lit else "muted", lit)
                for shift in (8, 4, 0)
            )
            ways = _arrow((MIX.right, LINE), (OUTPUT.left, LINE), lit)
            return (
                _room(456, 28, 142, 47) + stack + ways + _word("heads", 462, TRACK, lit) + _box(OUTPUT, lit)
            )
        case 6:
            way = _arrow((SCORES.right, LINE), (MASK.left, LINE), lit)
            return _room(224, 28, 72, 47) + way + _box(MASK, lit)
        case 7:
            left, right, top = SCORES.left, WEIGHTS.right, LINE + 20
            brace = f"M{left} {top}v5H{right}v-5"
            middle = (left + right) // 2
            return (
                _room(left, top - 2, right - left, 24)
                + _line(brace, lit)
                + _word("cost", middle, top + 13, lit)
            )
        case 8:
            around = _arrow((_centre(TOKENS), LINE - 16), (_centre(TOKENS), RESIDUAL), lit,
                            (PLUS, RESIDUAL), (PLUS, LINE - 10))  # fmt: skip
            sign = f"M{PLUS - 5} {LINE}h10M{PLUS} {LINE - 5}v10"
            return (
                _room(598, 0, 42, 76)
                + around
                + f'<rect x="222" y="0" width="208" height="24" fill="{COLOURS["paper"]}"/>'
                + _word("residual connection", 326, RESIDUAL, lit)
                + _arrow((OUTPUT.right, LINE), (PLUS - 10, LINE), lit)
                + f'<circle cx="{PLUS}" cy="{LINE}" r="10" fill="{COLOURS["paper"]}" {_stroke(lit)}/>'
                + _line(sign, lit)
                + _arrow((PLUS + 10, LINE), (WIDTH - 2, LINE), lit)
            )
    return _room(520, 82, 120, 50) + _word("in Python", 576, TRACK, lit)


# --------------------------------------------------------------------------
# Where it is put
# --------------------------------------------------------------------------


def section_links(app: Sphinx, pagename: str) -> dict[int, str]:
    """Return, for a page, the addresses of the sections by their numbers."""
    env = app.env
    links = {}
    for name in env.toctree_includes.get(app.config.root_doc, []):
        number = env.toc_secnumbers.get(name, {}).get("")
        if number and number[0] in PARTS:
            links[number[0]] = app.builder.get_relative_uri(pagename, name)
    return links


def put_map(app: Sphinx, pagename: str, template: str, context: dict[str, Any], doctree: Any) -> None:
    body, links = context.get("body") or "", section_links(app, pagename)
    if PLACE in body:
        context["body"] = body.replace(PLACE, the_map(0, links))
    number = app.env.toc_secnumbers.get(pagename, {}).get("", (0,))[0]
    if number in PARTS:
        # under the title, where the page says which part of the whole it is about
        context["body"] = body.replace("</h1>", f"</h1>\n{the_map(number, links)}", 1)


def setup(app: Sphinx) -> None:
    app.connect("html-page-context", put_map)


# --------------------------------------------------------------------------
# What the parts are made of
# --------------------------------------------------------------------------


def _centre(box: Box) -> int:
    return (box.left + box.right) // 2


def _stroke(lit: bool, role: str = "muted") -> str:
    return (
        f'stroke="{COLOURS["ink" if lit and role == "muted" else role]}" stroke-width="{2.6 if lit else 1.4}"'
    )


def _room(left: int, top: int, width: int, height: int) -> str:
    return f'<rect x="{left}" y="{top}" width="{width}" height="{height}"/>'


def _rectangle(left: int, top: int, width: int, height: int, role: str, lit: bool, tint: float = 0) -> str:
    place = f'x="{left}" y="{top}" width="{width}" height="{height}" rx="6"'
    ground = f'<rect {place} fill="{COLOURS["paper"]}" {_stroke(lit, role)}/>'
    return ground + (f'<rect {place} fill="{COLOURS[role]}" fill-opacity="{tint}"/>' if tint else "")


def _box(box: Box, lit: bool) -> str:
    top = box.middle - box.high / 2
    frame = _rectangle(box.left, top, box.right - box.left, box.high, box.role, lit, 1.5 * TINT if lit else 0)
    return frame + _word(box.word, _centre(box), box.middle, lit)


def _word(word: str, x: int, middle: int, lit: bool) -> str:
    weight = ' font-weight="700"' if lit else ""
    return f'<text x="{x}" y="{middle + 6}" fill="{COLOURS["ink" if lit else "muted"]}"{weight}>{word}</text>'


def _line(path: str, lit: bool) -> str:
    return f'<path d="{path}" {_stroke(lit)}/>'


def _arrow(start: tuple[int, int], then: tuple[int, int], lit: bool, *more: tuple[int, int]) -> str:
    """A line through the given places, with a head at the last of them."""
    places = [start, then, *more]
    (x, y), (tip_x, tip_y) = places[-2:]
    length = max(((tip_x - x) ** 2 + (tip_y - y) ** 2) ** 0.5, 1)
    ahead, aside = (tip_x - x) / length, (tip_y - y) / length
    back = (tip_x - 8 * ahead, tip_y - 8 * aside)
    head = " ".join(
        f"{back[0] - sign * 4.5 * aside:.1f},{back[1] + sign * 4.5 * ahead:.1f}" for sign in (1, -1)
    )
    path = "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in [*places[:-1], back])
    colour = COLOURS["ink" if lit else "muted"]
    return f'{_line(path, lit)}<polygon points="{tip_x},{tip_y} {head}" fill="{colour}"/>'
