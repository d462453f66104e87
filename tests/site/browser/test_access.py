"""For readers with a keyboard, a screen reader, or eyes that need contrast."""

import shutil
import subprocess
from itertools import pairwise

import pytest
from book_pages import EVERY_PAGE, PAGES, notebook_cells
from course_live.fetch import from_npm


def settle(page):
    """Wait until the sliders of a page are there and have names."""
    page.wait_for_function(
        "() => !document.querySelector('.slider-still') || document.documentElement.matches('.sliders-move')"
    )


def put_on(page, theme):
    page.bring_to_front()  # a tab behind another is told of nothing
    page.emulate_media(color_scheme=theme)
    page.wait_for_function("theme => document.documentElement.dataset.theme === theme", arg=theme)


@EVERY_PAGE
def test_axe_finds_nothing_in_either_theme(day_reader, axe, name):
    page = day_reader.look_at(name).page
    settle(page)
    for theme in ("dark", "light"):
        put_on(page, theme)
        assert axe(page) == []


@EVERY_PAGE
def test_headings_are_in_order(day_reader, name):
    levels = (
        day_reader.look_at(name)
        .page.locator("h1, h2, h3, h4, h5, h6")
        .evaluate_all("all => all.map(heading => +heading.tagName[1])")
    )
    assert levels[0] == 1
    assert all(deeper - level <= 1 for level, deeper in pairwise(levels))


def test_a_picture_is_a_short_label_and_a_list_of_rows(day_reader):
    """What a screen reader is told: everything once, and in pieces that it can walk through."""
    page = day_reader.look_at("book/4-softmax-and-mix").page
    alts = {
        cell["metadata"]["mystnb"]["image"]["alt"]
        for cell in notebook_cells("book/4-softmax-and-mix")
        if "image" in cell["metadata"].get("mystnb", {}) and "figure" in cell["metadata"]["mystnb"]
    }
    session = page.context.new_cdp_session(page)
    tree = session.send("Accessibility.getFullAXTree")["nodes"]
    nodes = {node["nodeId"]: node for node in tree}

    def said(node):
        """Names and texts below a node, with the role of each."""
        role, name = node["role"]["value"], node.get("name", {}).get("value", "")
        if not node.get("ignored") and role in ("image", "StaticText"):
            yield role, name
        if role not in ("image", "StaticText", "ListMarker"):
            for child in node.get("childIds", ()):
                yield from said(nodes[child])

    figures = [list(said(node)) for node in tree if node["role"]["value"] == "figure"]
    told = set()
    for (role, label), *rest in figures:
        assert role == "image" and len(label) <= 250
        end = next(i for i, (_, name) in enumerate(rest) if name.startswith("Figure "))
        rows = [name for _, name in rest[:end]]
        told.add(" ".join([label, *rows]))
        assert all(name not in label for name in rows)
    assert told == alts
    session.detach()


# For every text of every picture: its colour, and all that is painted under its first,
# middle and last letter, composed. A slider is several drawings, one over the other.
CONTRASTS = """() => {
    const numbers = colour => colour.match(/[\\d.]+/g).map(Number);
    const luminance = rgb => {
        const [r, g, b] = rgb.map(c => (c /= 255) <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const paper = numbers(getComputedStyle(document.body).backgroundColor);
    const found = [];
    for (const sheet of document.querySelectorAll("article svg.picture, article .sheet")) {
        if (!sheet.checkVisibility()) continue;
        const drawn = [...sheet.querySelectorAll("path, g:has(> use:not([fill], [stroke]))")]
            .filter(element => !element.closest("defs") && element.checkVisibility());
        const shapes = [];
        for (const element of drawn) {
            const style = getComputedStyle(element);
            if (element.matches("path")) {
                const opacity = style.fillOpacity * style.opacity;
                if (style.fill.startsWith("rgb") && opacity) {
                    const box = element.getBoundingClientRect();
                    const back = element.getScreenCTM().inverse();
                    shapes.push({element, box, back, opacity, fill: numbers(style.fill)});
                }
                continue;
            }
            // what has a colour of its own is the marker of a plot
            const ink = numbers(style.fill), letters = element.querySelectorAll(":scope > use:not([fill], [stroke])");
            for (const place of [0, letters.length >> 1, letters.length - 1]) {
                const {x, y, width, height} = letters[place].getBoundingClientRect();
                const point = new DOMPoint(x + width / 2, y + height / 2);
                let ground = paper;
                for (const {element, box, back, opacity, fill} of shapes) {
                    if (point.x < box.left || point.x > box.right || point.y < box.top) continue;
                    if (point.y > box.bottom || !element.isPointInFill(point.matrixTransform(back))) continue;
                    ground = ground.map((part, i) => opacity * fill[i] + (1 - opacity) * part);
                }
                const [low, high] = [luminance(ink), luminance(ground)].sort((a, b) => a - b);
                found.push([(high + 0.05) / (low + 0.05), style.fill, ground.map(Math.round).join()]);
            }
        }
    }
    return found;
}"""


@EVERY_PAGE
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_text_in_pictures_stands_out(day_reader, name, theme):
    page = day_reader.look_at(name).page
    put_on(page, theme)
    found = page.evaluate(CONTRASTS)
    if page.locator("article svg.picture").count():
        assert len(found) > 20
    assert not [one for one in found if one[0] < 4.5]


def test_where_the_keyboard_is_can_be_seen(reader):
    for name in (PAGES[0], PAGES[3], "search"):
        page = reader.visit(name).page
        settle(page)
        for _ in range(60):
            page.keyboard.press("Tab")
            outline = page.evaluate("""() => {
                const here = document.activeElement, style = getComputedStyle(here);
                return here === document.body ? null
                    : [here.outerHTML.slice(0, 80), style.outlineStyle, parseFloat(style.outlineWidth)];
            }""")
            if outline is None:
                break
            assert outline[1] != "none" and outline[2] >= 2, outline


def test_nothing_moves_for_those_who_ask_for_that(reader):
    for name in PAGES:
        page = reader.visit(name).page
        page.emulate_media(reduced_motion="reduce")
        moving = page.evaluate("""() => [...document.querySelectorAll("*")].filter(element => {
            const style = getComputedStyle(element);
            return style.scrollBehavior === "smooth" || style.animationName !== "none"
                || style.transitionDuration.split(", ").some(time => parseFloat(time));
        }).map(element => element.outerHTML.slice(0, 100))""")
        assert moving == []


def test_the_html_is_valid(site, tmp_path):
    """By the checker that the W3C runs; it needs Java."""
    if not shutil.which("java"):
        pytest.skip("no Java here")
    pages = [str(path) for path in sorted(site.glob("*.html")) + sorted(site.glob("book/*.html"))]
    checker = tmp_path / "vnu.jar"
    checker.write_bytes(from_npm("vnu-jar", "package/build/dist/vnu.jar"))
    command = ["java", "-jar", str(checker), "--errors-only", "--format", "gnu", *pages]
    checked = subprocess.run(command, capture_output=True, text=True, check=False)
    assert len(pages) > len(PAGES)
    assert checked.stderr.strip() == "" and checked.returncode == 0, checked.stderr[:3000]


def test_keyboard_reaches_the_text_and_sees_where_it_is(reader):
    page = reader.visit(PAGES[1]).page
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Skip to the text"
    page.keyboard.press("Enter")
    assert page.url.endswith("#main")
    page.keyboard.press("Tab")
    outline = page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
    assert outline == "solid"


def test_what_scrolls_can_be_reached_with_the_keyboard(day_reader):
    for name in PAGES[1:]:
        page = day_reader.look_at(name).page
        page.set_viewport_size({"width": 390, "height": 900})
        # the page looks again once it has been resized
        page.wait_for_function(
            """() => [...document.querySelectorAll("article :is(div.math, pre, [class*=scrollable])")]
                .every(box => box.scrollWidth <= box.clientWidth || box.tabIndex === 0)"""
        )
