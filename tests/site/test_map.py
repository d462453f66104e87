"""The map at the head of a section: every part drawn, one of them lit, each a link that says where to."""

import importlib.util
import re
import xml.etree.ElementTree as ET

import pytest

from scripts.draw.style import COLOURS
from tools.notebooks import ROOT

# By its file: its package brings Sphinx, which takes its time.
spec = importlib.util.spec_from_file_location("the_map", ROOT / "site" / "ext" / "course_site" / "map.py")
module = importlib.util.module_from_spec(spec)
spec.loader.exec_module(module)
HEIGHT, PARTS, WIDTH, the_map = module.HEIGHT, module.PARTS, module.WIDTH, module.the_map

LINKS = {section: f"{section}-page.html" for section in PARTS}
WORDS = {
    1: {"tokens"}, 2: {"Q", "K", "V"}, 3: {"scores"}, 4: {"weights", "mix"}, 5: {"heads", "output"},
    6: {"mask"}, 7: {"cost"}, 8: {"residual connection"}, 9: {"in Python"},
}  # fmt: skip


def drawn(present, links=LINKS):
    return ET.fromstring(the_map(present, links))


def bold(root):
    return {text.text for text in root.iter("text") if text.get("font-weight")}


@pytest.mark.parametrize("section", PARTS)
def test_each_part_leads_to_its_section_and_says_so(section):
    (link,) = (a for a in drawn(0).iter("a") if a.get("href") == LINKS[section])
    assert {text.text for text in link.iter("text")} == WORDS[section]
    assert link.get("aria-label").startswith(f"Section {section}: ")
    assert link.find("title").text == link.get("aria-label")


@pytest.mark.parametrize("section", range(1, 9))
def test_the_present_part_alone_is_lit(section):
    root = drawn(section)
    assert bold(root) == WORDS[section]
    (here,) = (a for a in root.iter("a") if a.get("aria-current") == "page")
    assert here.get("href") == LINKS[section]
    assert f"section {section}." in root.get("aria-label")


def test_the_last_section_has_all_of_it_and_other_pages_nothing():
    assert bold(drawn(9)) == set().union(*WORDS.values())
    for page in (0, 10, 11):
        assert not bold(drawn(page))
        assert not [a for a in drawn(page).iter("a") if a.get("aria-current")]


def test_a_part_without_an_address_is_drawn_and_is_no_link():
    root = drawn(2, {})
    assert not list(root.iter("a"))
    assert {text.text for text in root.iter("text")} == set().union(*WORDS.values())


def test_every_colour_has_a_counterpart_in_the_dark_and_nothing_has_an_id():
    svg = the_map(4, LINKS)
    assert set(re.findall(r"#[0-9a-f]{6}", svg)) <= set(COLOURS.values())
    assert not re.search(r"\s(id|style)=", svg)


def test_nothing_leaves_the_sheet():
    for element in drawn(9).iter("rect"):
        x, y, width, height = (float(element.get(name)) for name in ("x", "y", "width", "height"))
        assert x >= 0 <= y and x + width <= WIDTH and y + height <= HEIGHT


def test_an_address_is_escaped():
    root = drawn(1, {1: 'a"b&c.html'})
    assert next(root.iter("a")).get("href") == 'a"b&c.html'
