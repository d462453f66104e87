"""The search page: words and numbers, as they are written and as people type them."""

from urllib.parse import quote

import pytest
from playwright.sync_api import expect


@pytest.mark.parametrize(
    ("typed", "instead", "place"),
    [
        ("0.683", "", "The weights mix the values"),
        (".683", "", "The weights mix the values"),
        ("0,683", "", "The weights mix the values"),
        ("0.6834", "0.683", "The weights mix the values"),  # of more digits than are printed
        ("2048", "", "Memory runs out before time"),  # printed 2,048
        ("W_q", "", "One row down four columns"),
        ("softmaks", "softmax", "Softmax"),
        ("attenton mask", "attention", "mask"),
    ],
)
def test_what_is_typed_is_found(reader, typed, instead, place):
    visit = reader.visit("search")
    visit.page.goto(f"{visit.page.url}?q={quote(typed)}")
    visit.page.wait_for_selector("#search-results li")
    said = visit.page.locator("#search-progress").inner_text()
    assert (f"“{instead}”" in said) == bool(instead), said
    links = visit.page.locator("#search-results li a")
    assert any(place in title for title in links.all_inner_texts())
    link = links.filter(has_text=place).first
    has_anchor = "#" in link.get_attribute("href")
    link.click()
    visit.page.wait_for_url("**/book/**")
    expect(visit.page.locator(":target")).to_have_count(int(has_anchor))


def test_what_is_nowhere_is_said(reader):
    visit = reader.visit("search")
    visit.page.goto(f"{visit.page.url}?q=xyzzyq")
    visit.page.locator("#search-progress").filter(has_text="No page holds").wait_for()
    assert visit.page.locator("#search-results li").count() == 0
