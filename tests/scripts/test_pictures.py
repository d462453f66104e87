"""What holds of every picture: colours, type, words, and the file that is kept of it."""

import functools
import re

import matplotlib
import numpy as np
import pytest
from drawn import assert_legible
from matplotlib.colors import to_hex

from scripts import draw, example
from scripts.draw import style
from scripts.draw.canvas import PICTURES, Canvas
from scripts.draw.svg import parse, rename, simplify, unparse
from tools import notebooks
from tools.cells import draw_picture
from tools.notebooks import check_figures, stored_pictures

STORED = {stored.id: stored for stored in stored_pictures()}  # a picture that is added is tested too
EVERY = list(STORED)


@functools.cache
def drawn(identity):
    """The picture and its SVG, written once for all tests."""
    picture = draw_picture(identity)
    return picture, picture.svg()


def test_every_picture_is_shown_once_and_has_its_file():
    assert {name for name in PICTURES if not name.startswith("slider-")} == set(EVERY)
    assert check_figures() == []


@pytest.mark.slow
@pytest.mark.parametrize("identity", EVERY)
def test_the_stored_picture_is_what_is_drawn_today(identity):
    same = STORED[identity].svg == drawn(identity)[1]  # pytest's own diff of two such strings takes minutes
    assert same, "make refresh stores it again; git diff figures/ shows what changed"


def test_a_file_too_many_and_a_picture_shown_twice_are_told(monkeypatch, tmp_path):
    (tmp_path / "old.svg").write_text("<svg/>", encoding="utf-8")
    monkeypatch.setattr(notebooks, "FIGURES", tmp_path)
    monkeypatch.setattr(notebooks, "stored_pictures", lambda: [STORED["join"]] * 2)
    told = ["figures/old.svg belongs to no picture: run make refresh", "join is shown 2 times"]
    assert notebooks.check_figures() == told


@pytest.mark.parametrize("identity", EVERY)
def test_only_reserved_colours_are_used(identity):
    used = set(re.findall(r"#[0-9a-fA-F]{6}\b", STORED[identity].svg))
    assert used <= set(style.COLOURS.values()), used - set(style.COLOURS.values())


# ---- the form of the SVG ------------------------------------------------------


@pytest.mark.parametrize("identity", EVERY)
def test_every_program_can_read_it(identity):
    """Colours and lines are attributes, which all programs know; a style may not know its variable."""
    svg = STORED[identity].svg
    assert not re.search(r"\bstyle=|<style|var\(|class=", svg)
    assert re.findall(r' (fill|stroke)="(?!#[0-9a-f]{6}"|none"|url)', svg) == []


@pytest.mark.parametrize("identity", EVERY)
def test_nothing_is_in_it_that_nobody_needs(identity):
    svg = STORED[identity].svg
    assert svg.count("\n") == 1 and svg.endswith("</svg>\n"), "one line"
    ids = re.findall(r'\sid="([^"]+)"', svg)
    assert len(ids) == len(set(ids))
    assert set(ids) == {a or b for a, b in re.findall(r'href="#([^"]+)"|url\(#([^)]+)\)', svg)}
    assert svg.count("<defs>") == 1 and "<g/>" not in svg
    numbers = re.sub(r'aria-label="[^"]*"|[\w-]*opacity="[^"]*"|scale\([^)]*\)', "", svg)
    assert re.findall(r"\d\.\d{3,}", numbers) == [], "two decimals of a point"


def test_what_matplotlib_writes_is_simplified():
    written = """<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg" version="1.1" viewBox="0 0 9 9"
        xmlns:xlink="http://www.w3.org/1999/xlink"><defs><style>*{fill: red}</style></defs>
        <g id="figure_1"><g id="patch_1"><path d="M 1.23456 -0.001
        L 2 3
        z
        " style="fill: #fefefd; fill-opacity: 0.68321"/></g>
        <g id="axes_1"><g id="text_1"><defs><path id="A-1" d="M 0 0" transform="scale(0.015625)"/></defs>
        <use xlink:href="#A-1" transform="translate(1.005 2.9999) scale(0.1125 -0.1125)"/></g>
        <g id="line" clip-path="url(#clip)"><path d="M 0 0"/></g></g></g>
        <defs><clipPath id="clip"><rect x="0" width="8.7654"/></clipPath></defs></svg>"""
    root = simplify(written)
    assert unparse(root) == (
        '<svg viewBox="0 0 9 9" stroke-linejoin="round"><defs>'
        '<clipPath id="clip"><rect x="0" width="8.77"/></clipPath>'
        '<path id="A-1" d="M0 0" transform="scale(0.015625)"/></defs>'
        '<path d="M1.23 0L2 3z" fill="#fefefd" fill-opacity="0.683"/>'
        '<g><use href="#A-1" transform="translate(1 3) scale(0.1125 -0.1125)"/>'
        '<g clip-path="url(#clip)"><path d="M0 0"/></g></g></svg>'
    )
    rename(root, lambda name: f"p-{name}")
    assert 'id="p-A-1"' in unparse(root) and 'href="#p-A-1"' in unparse(root)
    assert 'id="p-clip"' in unparse(root) and 'clip-path="url(#p-clip)"' in unparse(root)


# ---- words and type -----------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("identity", EVERY)
def test_words_say_what_is_shown(identity):
    picture, svg = drawn(identity)
    assert 20 <= len(picture.caption) <= 330
    assert 60 <= len(picture.alt) <= 1800
    assert picture.caption.endswith(".") and picture.alt.endswith(".")
    assert "nan" not in picture.alt.lower().split()
    assert parse(svg).get("aria-label") == picture.alt
    assert picture.get_figwidth() == style.MEASURE


@pytest.mark.slow
@pytest.mark.parametrize("identity", EVERY)
def test_text_is_large_enough_and_stands_clear(identity):
    """No text is too small, leaves the sheet, or lies on another text."""
    picture, _ = drawn(identity)
    assert_legible(picture)


@pytest.mark.slow
@pytest.mark.parametrize("identity", EVERY[::6])  # every sixth: the stored files test the rest
def test_the_same_picture_twice_is_the_same_file(identity):
    assert draw_picture(identity).svg() == drawn(identity)[1]


# ---- the atoms --------------------------------------------------------------


def test_a_grid_draws_what_it_is_given():
    sheet = Canvas(2.0)
    values = np.array([[0.1, -0.25], [0.5, 1.0]])
    sheet.grid(values, 1, 0.5, name="w", form=".2f", fill="tint", rows="ab", columns="cd")
    texts = {t.get_gid(): t.get_text() for t in sheet.axes.texts if t.get_gid()}
    assert texts["number:w:0:1"] == "−0.25" and texts["number:w:1:1"] == "1.00"
    sheet = Canvas(2.0)
    sheet.grid(values, 1, 0.5, name="s", fill="score", limit=0.5)
    cells = {p.get_gid(): p.get_facecolor() for p in sheet.axes.patches if p.get_gid()}
    assert to_hex(cells["cell:s:0:1"]) == style.COLOURS["negative"]
    assert cells["cell:s:0:1"][3] == 0.5 and cells["cell:s:1:1"][3] == 1.0
    assert to_hex(cells["cell:s:0:0"]) == style.COLOURS["positive"]


def test_a_row_without_an_answer_shows_no_number():
    sheet = Canvas(2.0)
    values = np.ma.array([[0.1, 0.9], [0.0, 0.0]], mask=[[0, 0], [1, 1]])
    sheet.grid(values, 1, 0.5, name="w", form=".2f", fill="weight")
    texts = [t.get_text() for t in sheet.axes.texts]
    assert texts.count("no answer") == 1 and "0.00" not in texts


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda s: s.grid([1, 2], 0, 0, name="x"), "two axes"),
        (lambda s: s.grid([[1.0]], 0, 0, name="x", fill="score"), "needs limit"),
        (lambda s: s.grid([[1.0]], 0, 0, name="x", fill="rainbow"), "fill must be"),
        (lambda s: s.grid([[np.nan]], 0, 0, name="x"), "finite number"),
    ],
)
def test_bad_drawing_is_named(call, said):
    with pytest.raises(ValueError, match=said):
        call(Canvas(1.0))


def test_a_picture_shows_itself_in_a_notebook():
    picture = draw.weight_grid(example.WEIGHTS, example.ORDER)
    data, metadata = picture._repr_mimebundle_()
    assert data["text/plain"] == picture.alt
    assert data["image/svg+xml"].startswith("<svg ")
    assert metadata["course"]["id"] == "weight-grid"
    assert "style type" not in data["image/svg+xml"], (
        "matplotlib's style, which would hold for the page, is gone"
    )
    assert matplotlib.rcParams["svg.hashsalt"] is None, "drawing leaves the settings alone"
