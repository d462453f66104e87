"""What a reader does: turn pages, search, copy code, switch the theme, print."""

import json
import re
from itertools import pairwise

from book_pages import EVERY_NOTEBOOK, PAGES, code_cells, notebook_cells

from scripts.draw.style import PALETTE


def rgb(colour: str) -> str:
    return f"rgb({', '.join(str(int(colour[i : i + 2], 16)) for i in (1, 3, 5))})"


def ink_of(page) -> str:
    return page.evaluate("getComputedStyle(document.body).color")


def picture_inks(page) -> set[str]:
    """The colours in which the shapes of the page's pictures are filled and drawn."""
    return set(
        page.locator("article svg.picture :is(path, use, g)").evaluate_all(
            "all => all.flatMap(e => [getComputedStyle(e).fill, getComputedStyle(e).stroke])"
        )
    )


def test_next_leads_through_the_book_and_previous_back(reader):
    page = reader.visit(PAGES[0]).page
    for direction, pages in ((".right-next", PAGES), (".left-prev", PAGES[::-1])):
        for here, following in pairwise(pages):
            assert page.url.endswith(f"/{here}.html")
            page.locator(direction).click()
            page.wait_for_url(f"**/{following}.html")
        assert page.locator(direction).count() == 0


def test_contents_lead_to_every_section(reader):
    page = reader.visit(PAGES[0]).page
    links = page.locator("#contents > ol > li > a")
    assert links.count() == len(PAGES) - 1
    for index, name in enumerate(PAGES[1:]):
        page.locator("#contents > ol > li > a").nth(index).click()
        page.wait_for_url(f"**/{name}.html")
        assert page.locator("#contents [aria-current=page]").count() == 1


def test_contents_on_a_phone(reader):
    page = reader.visit(PAGES[3], width=390).page
    assert not page.locator("#contents").is_visible()
    page.get_by_role("button", name="Contents").click()
    page.locator("#contents > ol > li > a").last.click()
    page.wait_for_url(f"**/{PAGES[-1]}.html")


def test_the_landing_page_has_one_way_in(reader):
    page = reader.visit(PAGES[0]).page
    way_in = page.locator(".begin a")
    assert way_in.count() == 1 and page.locator("table .begin").count() == 0
    way_in.click()
    page.wait_for_url(f"**/{PAGES[1]}.html")


def test_search_finds_a_word_that_is_there_and_no_other(reader):
    page = reader.visit(PAGES[0]).page
    assert page.locator("input[type=search]").count() == 1
    page.get_by_role("searchbox").fill("softmax")
    page.keyboard.press("Enter")
    page.wait_for_url("**/search.html?q=softmax")
    results = page.locator("#search-results li a")
    results.first.wait_for()
    page.get_by_text(re.compile(r"^Places that hold these words: \d+$")).wait_for()
    results.first.click()
    page.wait_for_url(re.compile("/book/"))
    assert "softmax" in page.locator("article").inner_text().lower()

    page.goto(f"{reader.address}/search.html?q=zyzzogeton")
    page.get_by_text("No page holds all of these words.").wait_for()
    assert page.locator("#search-results li").count() == 0


@EVERY_NOTEBOOK
def test_copy_buttons_copy_the_cell(day_reader, name):
    day_reader.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page = day_reader.look_at(name).page
    page.bring_to_front()
    sources = ["".join(cell["source"]) for cell in code_cells(name)]
    copied = page.evaluate("""async () => {
        const texts = [];
        for (const button of document.querySelectorAll(".cell_input .copybtn")) {
            await navigator.clipboard.writeText("");
            button.click();
            let text = "";
            while (!text) text = await navigator.clipboard.readText();
            texts.push(text);
        }
        return texts;
    }""")
    assert copied == [source.rstrip("\n") for source in sources]
    for source in copied:
        if not re.search(r"^[%!]", source, flags=re.MULTILINE):
            compile(source, name, "exec")


@EVERY_NOTEBOOK
def test_download_is_the_notebook_and_knows_where_the_package_is(day_reader, name):
    page = day_reader.look_at(name).page
    with page.expect_download() as waiting:
        page.get_by_role("link", name="Download notebook").click()
    assert waiting.value.suggested_filename == f"{name.split('/')[-1]}.ipynb"
    cells = json.loads(waiting.value.path().read_text(encoding="utf-8"))["cells"]
    if cells[0]["id"] == "get-scripts":
        first = "".join(cells.pop(0)["source"])
        site = re.search(r'^site = "(.+)"$', first, flags=re.M)[1]
        assert page.url.startswith(f"{site}book/")
        wheel = re.search(r"install --quiet \{site\}(\S+)$", first)[1]
        assert page.request.get(site + wheel).ok
    else:
        assert not any("from scripts import" in "".join(cell["source"]) for cell in cells)
    assert cells == notebook_cells(name)


@EVERY_NOTEBOOK
def test_pictures_follow_the_system_s_theme(day_reader, night_reader, name):
    for somebody, theme in ((day_reader, 0), (night_reader, 1)):
        page = somebody.look_at(name).page
        ink, paper = (rgb(PALETTE[role][theme]) for role in ("ink", "paper"))
        assert ink_of(page) == ink
        assert page.evaluate("getComputedStyle(document.body).backgroundColor") == paper
        if page.locator("svg.picture").count():
            assert ink in picture_inks(page)
        other_theme = {rgb(pair[1 - theme]) for pair in PALETTE.values()}
        assert picture_inks(page).isdisjoint(other_theme)


def test_the_switch_changes_the_theme_and_is_remembered(reader):
    page = reader.visit(PAGES[1]).page
    light, dark = (rgb(colour) for colour in PALETTE["ink"])
    switch = page.locator(".theme-switch-button")
    inks = []
    for _ in range(3):
        switch.click()
        inks.append((page.locator("html").get_attribute("data-mode"), ink_of(page)))
    assert inks == [("light", light), ("dark", dark), ("auto", light)]
    switch.click()
    switch.click()
    page.goto(f"{reader.address}/{PAGES[2]}.html")
    assert ink_of(page) == dark


def test_paper_is_light_and_carries_no_navigation(night_reader):
    page = night_reader.visit(PAGES[1]).page
    page.emulate_media(media="print")
    assert ink_of(page) == rgb(PALETTE["ink"][0])
    for furniture in (".bar", "#contents", ".map", ".prev-next"):
        assert not page.locator(furniture).is_visible()
    assert page.locator("article h1").is_visible()
