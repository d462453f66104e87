"""The sliders on the built page, with no kernel and no network."""

import functools
import re
import statistics

import pytest
from book_pages import NOTEBOOKS, notebook_cells
from playwright.sync_api import expect

from scripts import example, widgets
from scripts.numbers import listing

SHOWN = {}  # slider -> its page, and which of the sliders there it is
for page in NOTEBOOKS:
    there = [cell["metadata"]["slider"] for cell in notebook_cells(page) if "slider" in cell["metadata"]]
    SHOWN |= {name: (page, place) for place, name in enumerate(there)}
EVERY_SLIDER = pytest.mark.parametrize("name", SHOWN)


@functools.cache
def places(name):
    """What a slider reads out and says at each place of its first handle."""
    make = widgets.SLIDERS[name]
    row = [start for _, start in make.handles[1:]]
    return [(label, picture.alt) for label, picture, *of in make.places() if of == row]


def come_near(page):
    """Scroll to the first slider: on a phone, only then is the widget manager fetched."""
    page.locator(".slider-still").first.evaluate("still => still.parentElement.scrollIntoView()")
    page.wait_for_selector(".course-slider .noUi-handle")


class Slider:
    """One slider of an open page."""

    def __init__(self, page, place):
        self.page = page
        come_near(page)
        self.box = page.locator(".course-slider").nth(place)
        self.box.scroll_into_view_if_needed()
        self.handle = self.box.locator(".noUi-handle").first
        page.wait_for_function(
            "handle => handle.getAttribute('aria-valuetext')", arg=self.handle.element_handle()
        )

    def press(self, key):
        self.handle.focus()
        self.page.keyboard.press(key)

    def is_at(self, place):
        """Wait until the page reads out and says what belongs to a place."""
        label, said = place
        expect(self.box.locator(".widget-readout").first).to_have_text(label)
        expect(self.box.locator(".said:visible")).to_have_text(said)

    @property
    def said(self):
        return self.box.locator(".said:visible").inner_text()

    @property
    def readout(self):
        return self.box.locator(".widget-readout").first.inner_text().strip()

    @property
    def frame(self):
        """The changing part of the picture, as it stands in the page."""
        return self.box.locator(".said:visible").evaluate("said => said.previousElementSibling.outerHTML")


def opened(reader, name, **how):
    """Open the page of a slider, and find it there."""
    page, place = SHOWN[name]
    visit = reader.visit(page, **how)
    return visit, Slider(visit.page, place)


def test_a_move_is_told_once_it_has_come_to_rest(day_reader):
    visit, slider = opened(day_reader, "lead")
    news = slider.box.locator(".slider-news")
    assert news.get_attribute("role") == "status"
    assert news.text_content() == "", "nothing is said before anything moves"
    # both moves in one turn, so that no machine is too slow for them to be one
    news.evaluate("""news => {
        window.told = [];
        new MutationObserver(() => news.textContent && told.push(news.textContent))
            .observe(news, {childList: true, characterData: true, subtree: true});
    }""")
    slider.handle.focus()
    slider.handle.evaluate("""handle => [1, 2].forEach(() => handle.dispatchEvent(
        new KeyboardEvent("keydown", {key: "ArrowRight", bubbles: true, cancelable: true})))""")
    slider.is_at(places("lead")[30])
    first = slider.said.partition(". ")[0] + "."
    visit.page.wait_for_function("news => news.textContent", arg=news.element_handle())
    assert visit.page.evaluate("told") == [first] and len(first) <= 125, "not at every step"
    visit.page.keyboard.press("Tab")
    visit.page.keyboard.press("Tab")
    assert news.text_content() == "", "read once"
    visit.page.close()


@EVERY_SLIDER
def test_moves_by_key_and_drag_from_end_to_end(day_reader, name):
    visit, slider = opened(day_reader, name)
    assert slider.handle.get_attribute("aria-label") == widgets.SLIDERS[name].handles[0][0]
    headings = visit.page.locator("article h2")
    tops = headings.evaluate_all("all => all.map(h => h.getBoundingClientRect().top + scrollY)")
    height = slider.box.bounding_box()["height"]

    frames = set()
    first = places(name)[:4]
    for key, place in zip(("Home", *["ArrowRight"] * (len(first) - 1)), first, strict=True):
        slider.press(key)
        slider.is_at(place)
        frames.add(slider.frame)
    assert len(frames) == len(first) > 1, "each move gives another picture"
    slider.press("End")
    slider.is_at(places(name)[-1])
    expect(slider.handle).to_have_attribute("aria-valuetext", places(name)[-1][0])

    # drag from the right end to the left
    bar, grip = slider.box.locator(".noUi-target").first.bounding_box(), slider.handle.bounding_box()
    middle = grip["x"] + grip["width"] / 2, grip["y"] + grip["height"] / 2
    visit.page.mouse.move(*middle)
    visit.page.mouse.down()
    visit.page.mouse.move(bar["x"] - 60, middle[1] + 4, steps=12)
    visit.page.mouse.up()
    slider.is_at(places(name)[0])

    assert slider.box.bounding_box()["height"] == pytest.approx(height, abs=0.5)
    moved = headings.evaluate_all("all => all.map(h => h.getBoundingClientRect().top + scrollY)")
    assert moved == pytest.approx(tops, abs=0.5), "the page does not jump"
    assert visit.complaints == []
    visit.page.close()


@EVERY_SLIDER
def test_every_place_fits_a_phone_and_text_and_picture_agree(night_reader, name):
    visit, slider = opened(night_reader, name, width=390)
    slider.press("Home")
    heights = set()
    for place in places(name):
        slider.is_at(place)
        heights.add(round(slider.box.bounding_box()["height"]))
        slider.press("ArrowRight")
    slider.is_at(places(name)[-1])  # there is no place after the last
    assert len(heights) == 1, f"the widget changes its height: {heights}"
    assert visit.page.evaluate("document.documentElement.scrollWidth") <= 390
    grip = slider.handle.bounding_box()
    assert min(grip["width"], grip["height"]) >= 24, "a thumb needs something to hold"
    visit.page.close()


def test_the_model_dimension_can_be_chosen_too(day_reader):
    visit, slider = opened(day_reader, "window")
    second = slider.box.locator(".noUi-handle").nth(1)
    assert second.get_attribute("aria-label") == "dimension"
    second.focus()
    visit.page.keyboard.press("End")
    expect(slider.box.locator(".said:visible")).to_contain_text("1,024 tokens at model dimension 4,096")
    slider.press("End")
    expect(slider.box.locator(".said:visible")).to_contain_text("131,072 tokens at model dimension 4,096")
    visit.page.close()


def test_a_mask_that_forbids_everything_says_so_in_words(day_reader):
    visit, slider = opened(day_reader, "mask")
    slider.press("End")
    slider.press("ArrowLeft")
    slider.is_at(places("mask")[-2])
    assert slider.readout == listing(example.ORDER)
    assert slider.said.count("no answer") == 4
    assert not re.search(r"\d", slider.said)
    visit.page.close()


def test_frames_follow_the_theme(reader):
    visit, slider = opened(reader, "lead")
    ink = "box => getComputedStyle(box.querySelector(\".sheet g[fill='#1b2733']\")).fill"
    light = slider.box.evaluate(ink)
    visit.page.locator(".theme-switch-button").click()
    visit.page.locator(".theme-switch-button").click()
    assert visit.page.locator("html").get_attribute("data-theme") == "dark"
    assert slider.box.evaluate(ink) != light
    visit.page.close()


@pytest.mark.measure
@pytest.mark.parametrize(("slowed", "limit"), [(1, 35), (6, 120)])
def test_one_key_to_the_frame_on_screen(day_reader, slowed, limit, record_property):
    """In the median; twice the limit is a fault, since other things may run on the machine."""
    visit, slider = opened(day_reader, "lead")
    slider.press("Home")
    session = visit.page.context.new_cdp_session(visit.page)
    session.send("Emulation.setCPUThrottlingRate", {"rate": slowed})
    visit.page.evaluate(
        """place => {
        window.times = [];
        let start = 0;
        addEventListener("keydown", () => (start = performance.now()), true);
        const sheet = document.querySelectorAll(".course-slider")[place].querySelector(".sheet");
        new MutationObserver(() => {
            if (!start) return;
            const from = start;
            start = 0;
            requestAnimationFrame(() => {
                const channel = new MessageChannel();
                channel.port1.onmessage = () => times.push(performance.now() - from);
                channel.port2.postMessage(0);
            });
        }).observe(sheet, {childList: true, subtree: true});
    }""",
        SHOWN["lead"][1],
    )
    for _ in range(24):
        visit.page.keyboard.press("ArrowRight")
        visit.page.wait_for_timeout(60 * (1 if slowed == 1 else 4))
    times = visit.page.evaluate("times")
    session.send("Emulation.setCPUThrottlingRate", {"rate": 1})
    assert len(times) >= 20
    median = statistics.median(times)
    record_property("milliseconds", round(median, 1))
    print(f"one key to paint, slowed {slowed} times: {median:.1f} ms")
    assert median < 2 * limit
    visit.page.close()


@pytest.mark.measure
def test_movable_soon_after_the_page_has_loaded(day_reader):
    """Within half a second; twice that is a fault, since other things may run on the machine."""
    visit = day_reader.visit("book/4-softmax-and-mix")
    visit.page.wait_for_selector(".course-slider .noUi-handle")
    waited = visit.page.evaluate(
        "performance.now() - performance.getEntriesByType('navigation')[0].loadEventEnd"
    )
    print(f"movable at most {waited:.0f} ms after the load event")
    assert waited < 1000
    visit.page.close()


def test_a_phone_fetches_the_manager_when_a_slider_comes_near(day_reader):
    visit = day_reader.visit("book/7-cost", width=390)
    visit.page.wait_for_timeout(300)
    assert not [response for response in visit.responses if "embed.js" in response.url]
    assert visit.page.locator(".slider-still").first.is_visible()
    come_near(visit.page)
    assert [response for response in visit.responses if "embed.js" in response.url]
    assert not visit.page.locator(".slider-still").first.is_visible()
    visit.page.close()


def test_paper_and_pages_without_scripts_show_a_frame(browser, address):
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    here = [name for name, _ in SHOWN.values()]
    for name in sorted(set(here)):
        page.goto(f"{address}/{name}.html")
        stills = page.locator(".slider-still")
        assert stills.count() == here.count(name)
        for still in stills.all():
            assert still.is_visible() and still.locator("svg").bounding_box()["width"] > 200
            assert "it moves" in still.inner_text()
            assert len(still.locator("svg").get_attribute("aria-label").split()) > 8
    context.close()


def test_the_still_is_printed_and_the_slider_is_not(day_reader):
    visit = day_reader.visit("book/4-softmax-and-mix")
    Slider(visit.page, 0)
    assert not visit.page.locator(".slider-still").first.is_visible()
    visit.page.emulate_media(media="print")
    assert visit.page.locator(".slider-still").first.is_visible()
    assert not visit.page.locator(".course-slider").first.is_visible()
    visit.page.close()
