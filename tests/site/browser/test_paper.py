"""`make pdf`: the whole course on paper."""

import io
import re
import subprocess
import sys
from collections import Counter

import pytest
from book_pages import LANGUAGE, NOTEBOOKS, PAGES, ROOT, notebook_cells
from pypdf import PdfReader
from test_pages import pictures_of

from scripts import widgets
from tools import pdf


@pytest.fixture(scope="module")
def printed(browser, site, tmp_path_factory):
    # `browser` has said whether there is one; this opens its own, out of the way of the other
    target = tmp_path_factory.mktemp("paper") / "course.pdf"
    command = [sys.executable, "-m", "tools.pdf", str(site), str(target)]
    subprocess.run(command, cwd=ROOT, check=True)
    return PdfReader(target)


@pytest.fixture(scope="module")
def texts(printed):
    return [page.extract_text() for page in printed.pages]


def bookmarks(reader, entries=None, depth=0):
    for entry in reader.outline if entries is None else entries:
        if isinstance(entry, list):
            yield from bookmarks(reader, entry, depth + 1)
        else:
            yield depth, " ".join(entry.title.split()), reader.get_destination_page_number(entry)


def tags(reader):
    """Every element of the document's structure."""
    waiting = [reader.trailer["/Root"]["/StructTreeRoot"]]
    while waiting:
        element = waiting.pop().get_object()
        if isinstance(element, list):
            waiting += element
        elif isinstance(element, dict):
            yield element
            if "/K" in element:
                waiting.append(element["/K"])


def test_it_is_a_book_of_a_sensible_length(printed, texts):
    assert 100 <= len(printed.pages) <= 260
    sizes = {(round(page.mediabox.width), round(page.mediabox.height)) for page in printed.pages}
    assert sizes == {(595, 842)}, "A4"
    empty = [number for number, text in enumerate(texts, start=1) if len(text) < 15]
    assert empty == []


def test_everything_is_drawn_in_lines(printed):
    # a hatched cell printed as an image is blurred, and all of them weigh ten megabytes
    objects = (printed.get_object(number) for number in range(1, printed.trailer["/Size"]))
    assert not [one for one in objects if isinstance(one, dict) and one.get("/Subtype") == "/Image"]


def test_pages_are_numbered(texts):
    for number, text in enumerate(texts, start=1):
        lines = text.split("\n")
        assert str(number) in (lines[0].strip(), lines[-1].strip())


def test_bookmarks_are_the_headings_of_the_site(printed, day_reader):
    wanted = []
    for name in PAGES:
        wanted += (
            day_reader.look_at(name)
            .page.locator("article :is(h1, h2, h3, h4)")
            .evaluate_all(
                """all => all.map(heading => {
                const copy = heading.cloneNode(true);
                copy.querySelectorAll(".headerlink").forEach(link => link.remove());
                if (heading.matches("h3, h4")) copy.querySelector(".section-number")?.remove();
                return [+heading.tagName[1] - 1, copy.textContent.trim().replace(/\\s+/g, " ")];
            })"""
            )
        )
    found = list(bookmarks(printed))
    assert [[depth, title] for depth, title, _ in found] == wanted
    places = [place for _, _, place in found]
    assert places == sorted(places)
    starts = [place for depth, _, place in found if depth == 0]
    assert len(starts) == len(set(starts)) == len(PAGES), "each section begins on a page of its own"


def test_the_summary_is_one_sheet(printed, day_reader):
    page = day_reader.look_at("book/summary").page
    page.emulate_media(media="print")
    alone = page.pdf(prefer_css_page_size=True)
    assert len(PdfReader(io.BytesIO(alone)).pages) == 1
    starts = [place for depth, _, place in bookmarks(printed) if depth == 0]
    number = PAGES.index("book/summary")
    assert starts[number + 1] == starts[number] + 1


def test_every_picture_and_one_frame_of_every_slider_is_there(printed, texts, day_reader):
    described = Counter(tag["/Alt"] for tag in tags(printed) if tag.get("/S") == "/Figure" and "/Alt" in tag)
    sliders = sum("slider" in cell["metadata"] for name in NOTEBOOKS for cell in notebook_cells(name))
    pictures = sum(map(pictures_of, NOTEBOOKS))
    front = day_reader.look_at(PAGES[0]).page.locator("article svg.picture").count()
    assert sliders == len(widgets.SLIDERS)
    assert described.total() == pictures + sliders + front
    alts = {
        cell["metadata"]["mystnb"]["image"]["alt"]
        for name in NOTEBOOKS
        for cell in notebook_cells(name)
        if "figure" in cell["metadata"].get("mystnb", {})
    }
    assert len(alts) == pictures and alts <= set(described), "in full"
    text = "\n".join(texts)
    assert len(set(re.findall(r"Figure \d+\.\d+ ", text))) == pictures
    assert text.count("One place of a slider.") == sliders


def test_no_furniture_and_no_address_of_this_machine(printed, texts):
    text = "\n".join(texts)
    for furniture in ("Download notebook", "Skip to the text", "Copy\n", "Run all above", "Next\n"):
        assert furniture not in text
    links = [
        note.get_object().get("/A", {}).get("/URI", "")
        for page in printed.pages
        for note in page.get("/Annots", [])
    ]
    assert not [link for link in links if link and not link.startswith("http")]
    assert not [link for link in links if "127.0.0.1" in link or "course.invalid" in link]
    assert printed.trailer["/Root"]["/Lang"].startswith(LANGUAGE)
    assert printed.trailer["/Root"]["/MarkInfo"]["/Marked"]


def test_links_between_sections_lead_to_pages():
    assert pdf.page_names() == [f"{name}.html" for name in PAGES]
