"""Every page: whole, readable at any width, and asking nobody for anything."""

import gzip
import re

from book_pages import EVERY_NOTEBOOK, EVERY_PAGE, LANGUAGE, NOTEBOOKS, PAGES, ROOT, SITE, notebook_cells

from tools import language


def is_picture(output: dict) -> bool:
    kinds = output.get("data", {})
    return "image/svg+xml" in kinds and "application/vnd.jupyter.widget-view+json" not in kinds


def pictures_of(name: str) -> int:
    outputs = [
        output
        for cell in notebook_cells(name)
        if "slider" not in cell["metadata"]  # its picture is for paper only
        for output in cell.get("outputs", [])
    ]
    return sum(map(is_picture, outputs))


def test_every_section_is_there(site):
    assert sorted(NOTEBOOKS) == sorted(f"book/{path.stem}" for path in ROOT.glob("book/*.ipynb"))
    assert [name for name in PAGES if not (site / f"{name}.html").exists()] == []


@EVERY_PAGE
def test_loads_without_complaint_and_from_one_host(day_reader, name):
    visit = day_reader.look_at(name)
    assert visit.complaints == []
    assert [r.url for r in visit.responses if not r.url.startswith(day_reader.address)] == []


def test_opens_from_the_disk(browser, site):
    page = browser.new_page()
    complaints = []
    page.on("requestfailed", lambda request: complaints.append(request.url))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.goto((site / f"{PAGES[1]}.html").as_uri())
    assert complaints == []
    assert page.evaluate("getComputedStyle(document.querySelector('.bar')).position") == "sticky"
    page.goto((site / "index.html").as_uri())
    page.wait_for_url("**/book/index.html")
    assert page.locator("article h1").is_visible()
    page.close()


@EVERY_NOTEBOOK
def test_every_picture_is_there_described_and_numbered(day_reader, name):
    page = day_reader.look_at(name).page
    figures = page.locator("article figure:has(> svg)").evaluate_all("""
        figures => figures.map(figure => {
            const svg = figure.querySelector("svg");
            const {width, height} = svg.getBoundingClientRect();
            return {
                width, height,
                role: svg.getAttribute("role"),
                alt: svg.getAttribute("aria-label"),
                shapes: svg.querySelectorAll("path, use, rect").length,
                number: figure.querySelector(".caption-number")?.textContent.trim(),
                caption: figure.querySelector(".caption-text")?.textContent.trim(),
            };
        })
    """)
    assert len(figures) == pictures_of(name) == page.locator("article figure svg.picture").count()
    section = name.rpartition("/")[2].partition("-")[0]
    for count, figure in enumerate(figures, start=1):
        assert 200 <= figure["width"] <= 640, figure
        assert 60 <= figure["height"] <= 1200, figure
        assert figure["shapes"] > 3, figure
        assert figure["role"] == "img"
        assert len(figure["alt"].split()) >= 5, "the alt text says too little"
        assert figure["number"] == f"Figure {section}.{count}"
        assert figure["caption"]


@EVERY_PAGE
def test_nothing_sticks_out_at_any_width(day_reader, name):
    page = day_reader.look_at(name).page
    for width in (320, 390, 640, 768, 1024, 1280, 1920):  # 640: 1,280 at twice the size
        page.set_viewport_size({"width": width, "height": 900})
        assert page.evaluate("document.documentElement.scrollWidth") <= width, f"at {width} px"


@EVERY_PAGE
def test_light_on_the_wire(day_reader, site, name):
    visit = day_reader.look_at(name)
    html = (site / f"{name}.html").read_bytes()
    if visit.page.locator("script[data-widgets-src]").count():
        # a page with sliders: the widget manager alone is 1.9 MB
        assert len(html) < 800_000
        assert len(gzip.compress(html)) < 100_000
        return
    bodies = [response.body() for response in visit.responses]
    assert len(html) < 400_000
    assert sum(map(len, bodies)) < 700_000
    assert sum(len(gzip.compress(body)) for body in bodies) < 190_000


@EVERY_NOTEBOOK
def test_formulas_are_drawn_in_the_book_s_font(day_reader, name):
    page = day_reader.look_at(name).page
    if page.locator("article math:visible").count():
        loaded = page.evaluate("[...document.fonts].filter(f => f.status === 'loaded').map(f => f.family)")
        assert "Course Math" in loaded and set(loaded) <= {"Course Math", "Course Serif"}
    sizes = page.locator("article math:visible").evaluate_all(
        "all => all.map(math => math.getBoundingClientRect().width)"
    )
    assert all(width > 2 for width in sizes)
    text = page.locator("article").inner_text()
    assert not re.search(r"\$\$|\\(?:frac|sqrt|begin|mathrm|text)\b", text), "a formula is left as typed"
    assert page.locator("article merror").count() == 0


def test_a_role_has_one_colour_in_formulas_and_words(day_reader):
    """That of the pictures: palette.css is made from their colours."""
    page = day_reader.look_at("book/phrase-book").page
    found = page.evaluate("""() => ["query", "key", "value", "output"].map(role => {
        const shown = selector => [...document.querySelectorAll(selector)].map(e => getComputedStyle(e).color);
        const probe = document.body.appendChild(document.createElement("i"));
        probe.style.color = `var(--${role})`;
        const wanted = getComputedStyle(probe).color;
        probe.remove();
        return [wanted, shown(`article math .${role}`), shown(`article a[href$="glossary.html#${role}"]`)];
    })""")
    assert len({wanted for wanted, *_ in found}) == 4
    for wanted, *shown in found:
        assert all(colours and set(colours) == {wanted} for colours in shown)
    below = page.locator("article math msub", has_text=re.compile("^dk$"))  # the size of a head is no key
    assert below.count() and below.locator(".key").count() == 0


@EVERY_NOTEBOOK
def test_measure_is_that_of_a_book(day_reader, name):
    """65 to 75 letters a line, on any machine: the text has a face of its own."""
    page = day_reader.look_at(name).page
    assert page.evaluate("document.fonts.check('1em \"Course Serif\"')")
    # of each line of a paragraph but the last, how many letters stand on it
    lines = page.locator("article section > p:not(:has(math, code))").evaluate_all("""all => all.flatMap(p => {
        const range = document.createRange(), lines = new Map();
        const walker = document.createTreeWalker(p, NodeFilter.SHOW_TEXT);
        while (walker.nextNode()) {
            for (let i = 0; i < walker.currentNode.length; i++) {
                range.setStart(walker.currentNode, i);
                range.setEnd(walker.currentNode, i + 1);
                const line = Math.round(range.getBoundingClientRect().bottom / 8);
                lines.set(line, (lines.get(line) ?? 0) + 1);
            }
        }
        return [...lines.values()].slice(0, -1);
    })""")
    assert len(lines) > 20
    assert 65 <= sum(lines) / len(lines) <= 75


@EVERY_NOTEBOOK
def test_asides_stand_in_the_margin_and_on_nothing_else(day_reader, name):
    page = day_reader.look_at(name).page
    text = "\n".join("".join(cell["source"]) for cell in notebook_cells(name))
    told = re.findall(rf"^> \*\*{language.ASIDE}\*\*", text, flags=re.M)
    for width in (1280, 1920):
        page.set_viewport_size({"width": width, "height": 900})
        # all at one moment: a slider that comes meanwhile moves what stands below it
        asides, others = page.evaluate("""() => {
            const boxes = selector => [...document.querySelectorAll(selector)]
                .filter(part => !part.matches(".aside *")).map(part => part.getBoundingClientRect().toJSON());
            return [boxes(".aside"), boxes("article :is(pre, .picture, table, math, p, li, .aside)")];
        }""")
        assert len(asides) == len(told)
        for box in asides:
            assert box["right"] <= width
            under = [
                other for other in others
                if other != box and other["width"] and other["left"] < box["right"]
                and other["right"] > box["left"] and other["top"] < box["bottom"]
                and other["bottom"] > box["top"]
            ]  # fmt: skip
            assert under == [], f"at {width} px"
    page.set_viewport_size({"width": 390, "height": 900})
    for left, right in page.locator(".aside").evaluate_all(
        "all => all.map(box => [box.getBoundingClientRect().left, box.getBoundingClientRect().right])"
    ):
        assert 0 <= left < right <= 390


@EVERY_PAGE
def test_ids_and_links_are_sound(day_reader, site, name):
    page = day_reader.look_at(name).page
    ids = page.locator("[id]").evaluate_all("all => all.map(element => element.id)")
    assert sorted(ids) == sorted(set(ids))
    letters = page.locator("svg use")  # a slider may arrive meanwhile: each is looked up at once
    lost = "all => all.map(use => use.getAttribute('href')).filter(name => !document.querySelector(name))"
    assert letters.evaluate_all(lost) == []
    # of a link in an SVG, `href` is no string
    addresses = "all => all.map(a => new URL(a.getAttribute('href'), document.baseURI).href)"
    for link in page.locator("a[href]").evaluate_all(addresses):
        if not link.startswith(day_reader.address):
            continue  # to another site: none of this test's business
        path, _, fragment = link.removeprefix(day_reader.address).partition("#")
        target = site / path.lstrip("/").partition("?")[0]
        assert target.is_file(), link
        if fragment:
            assert f'id="{fragment}"' in target.read_text(encoding="utf-8"), link


def test_pages_say_what_they_are(day_reader):
    seen = set()
    for name in PAGES:
        page = day_reader.look_at(name).page
        assert page.locator("html").get_attribute("lang") == LANGUAGE
        assert page.locator("article h1").count() == 1
        description = page.locator("meta[name=description]").get_attribute("content")
        assert 40 <= len(description) <= 170
        assert "<" not in description and "=" not in description
        seen.add((page.title(), description))
    assert len({title for title, _ in seen}) == len({text for _, text in seen}) == len(PAGES)


@EVERY_NOTEBOOK
def test_no_mark_or_role_is_left_in_the_page(name):
    html = (SITE / f"{name}.html").read_text(encoding="utf-8")
    assert "<!-- =" not in html
    assert not re.search(r"\{[a-z]+(?::[a-z]+)?\}<code|np\.float64|:::", html)
