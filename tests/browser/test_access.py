"""For readers with a keyboard, a screen reader, or eyes that need contrast."""

import json
from importlib import metadata
from itertools import pairwise

import pytest
from book_pages import PAGES

EVERY_PAGE = pytest.mark.parametrize("name", [*PAGES, "search"])


@pytest.fixture(scope="session")
def axe() -> str:
    (script,) = (f for f in metadata.files("axe-playwright-python") if f.name == "axe.min.js")
    return script.read_text(encoding="utf-8")


@EVERY_PAGE
def test_axe_finds_nothing_in_either_theme(day_reader, axe, name):
    page = day_reader.look_at(name).page
    page.evaluate(axe)
    # the themes differ in colours alone
    for theme, rules in (("dark", "{runOnly: ['color-contrast']}"), ("light", "{}")):
        page.emulate_media(color_scheme=theme)
        found = page.evaluate(f"axe.run(document, {rules})")["violations"]
        assert not found, json.dumps(
            [(rule["id"], [node["html"][:120] for node in rule["nodes"][:3]]) for rule in found], indent=1
        )


@EVERY_PAGE
def test_headings_are_in_order(day_reader, name):
    levels = (
        day_reader.look_at(name)
        .page.locator("h1, h2, h3, h4, h5, h6")
        .evaluate_all("all => all.map(heading => +heading.tagName[1])")
    )
    assert levels[0] == 1
    assert all(deeper - level <= 1 for level, deeper in pairwise(levels))


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
                .every(box => box.scrollWidth <= box.clientWidth || box.tabIndex === 0)""",
            timeout=10_000,
        )
