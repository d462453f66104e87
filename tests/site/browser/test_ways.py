"""Folds, the three ways through the course, what has been read, and the way back."""

import re

import pytest
from book_pages import NOTEBOOKS, PAGES, notebook_cells
from playwright.sync_api import expect

PAGE = next(name for name in NOTEBOOKS if "/6-" in name)
FOLDS = "article details.fold"


def marked(name: str, mark: str) -> int:
    """How many headings of a notebook bear a mark."""
    text = "\n".join("".join(cell["source"]) for cell in notebook_cells(name))
    return len(re.findall(rf"^#+ .*<!-- {mark} -->$", text, flags=re.M))


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_folds_are_closed_and_marks_are_seen_nowhere(day_reader, name):
    page = day_reader.look_at(name).page
    assert page.locator(FOLDS).count() == marked(name, "fold")
    assert "<details open" not in page.request.get(page.url).text()
    assert page.locator("section.beyond").count() == marked(name, "beyond")
    assert not re.search("[\ue001\ue002]|<!-- (fold|beyond)", page.content())


def test_a_link_opens_the_fold_it_leads_to(reader):
    page = reader.visit(PAGE, opening=False).page
    place = page.locator("section.fold").last
    page.goto(f"{page.url}#{place.get_attribute('id')}")
    expect(place.locator("> details")).to_have_attribute("open", "")
    assert page.locator(f"{FOLDS}[open]").count() == 1


def test_a_way_is_kept_to_from_page_to_page(reader):
    page = reader.visit(PAGE, opening=False).page
    left_out = page.locator("section.beyond > p").first
    expect(left_out).to_be_visible()
    page.get_by_role("radio", name="Ninety minutes").check()
    expect(left_out).to_be_hidden()
    expect(page.locator("section.practice > .show-part").first).to_be_visible()
    expect(page.locator("section > blockquote").last).to_be_visible()
    page.reload()
    expect(page.get_by_role("radio", name="Ninety minutes")).to_be_checked()
    expect(left_out).to_be_hidden()
    page.locator("section.beyond > .show-part").first.click()
    expect(left_out).to_be_visible()
    page.get_by_role("radio", name="Code first").check()
    assert (
        page.locator(".for-code > details[open]").count() == page.locator(".for-code > details").count() > 0
    )
    page.get_by_role("radio", name="Everything").check()
    for part in page.locator("section:is(.beyond, .practice) > p").all():
        expect(part).to_be_visible()
    assert page.locator(".show-part:visible").count() == 0


def test_without_a_script_everything_is_there(browser, address):
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{address}/{PAGE}.html")
    expect(page.locator("section.beyond > p").first).to_be_visible()
    expect(page.locator("form.ways")).to_be_hidden()
    page.locator(f"{FOLDS} > summary").first.click()
    expect(page.locator(f"{FOLDS} > p").first).to_be_visible()
    context.close()


def test_what_was_read_is_ticked_and_the_front_leads_back(reader):
    page = reader.visit(PAGE, opening=False).page
    heading = page.locator("article h2").nth(1)
    page.locator(".prev-next").scroll_into_view_if_needed()
    expect(page.locator(".contents a.read")).to_have_count(1)
    heading.scroll_into_view_if_needed()
    page.goto(f"{reader.address}/{PAGES[0]}.html")
    link = page.locator(".way-back a")
    expect(link).to_be_visible()
    link.click()
    page.wait_for_url(f"**/{PAGE}.html*")
    page.goto(f"{reader.address}/{PAGES[0]}.html")
    page.get_by_role("button", name="Forget that").click()
    expect(page.locator(".way-back")).to_be_hidden()
    expect(page.locator(".contents a.read")).to_have_count(0)
    assert page.evaluate("localStorage.length") == 0
