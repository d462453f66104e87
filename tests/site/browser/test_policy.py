"""The site keeps the content security policy under which site/nginx.conf serves it.

Every page of every other test here is served under it, and what the browser
refuses is a complaint of the page: see `Host`.
"""

import re

import pytest
from book_pages import PAGES, POLICY, SITE

SCRIPT = re.compile(r"<script\b([^>]*)>(.*?)</script>", re.S)
HANDLER = re.compile(r"<[a-z][^>]*\s(on[a-z]+)=", re.I)
ELSEWHERE = re.compile(r"""<(?:script|link|img|iframe|source)\b[^>]*\s(?:src|href)="(?:https?:)?//""", re.I)
DATA = ("application/vnd.jupyter.widget-", "application/json")


def test_policy_lets_in_nothing_from_elsewhere():
    rules = dict(rule.strip().partition(" ")[::2] for rule in POLICY.split(";"))
    assert rules.pop("default-src") == "'none'"
    # whatever is not named falls back on 'none', but for these three
    assert {"base-uri", "form-action", "frame-ancestors"} <= rules.keys()
    sources = {source for value in rules.values() for source in value.split()}
    assert sources == {"'self'", "'none'", "data:", "'unsafe-inline'", "'wasm-unsafe-eval'"}
    assert [name for name, value in rules.items() if "'unsafe-inline'" in value] == ["style-src"]
    assert [name for name, value in rules.items() if "eval" in value] == ["script-src"]


@pytest.mark.parametrize("name", [*PAGES, "search", "index"])
def test_no_script_in_the_page_itself(name):
    html = (SITE / f"{name}.html").read_text(encoding="utf-8")
    for attributes, body in SCRIPT.findall(html):
        if not any(f'type="{kind}' in attributes for kind in DATA):
            assert "src=" in attributes, body[:200]
            assert body.strip() == ""
    assert HANDLER.search(re.sub(SCRIPT, "", html)) is None
    assert "javascript:" not in html
    assert ELSEWHERE.search(html) is None


def test_refuses_what_somebody_slips_in(reader):
    page = reader.visit(PAGES[1]).page
    refused = page.evaluate("""
        () => new Promise(resolve => {
            document.addEventListener("securitypolicyviolation", event => resolve(event.violatedDirective));
            const script = document.createElement("script");
            script.textContent = "window.slippedIn = true";
            document.body.append(script);
            setTimeout(() => resolve("nothing"), 60_000);
        })
    """)
    assert refused == "script-src-elem"
    assert page.evaluate("window.slippedIn") is None


def test_sliders_move_and_search_finds_under_it(reader):
    visit = reader.visit(next(name for name in PAGES if "/3-" in name))
    visit.page.locator(".slider-still").first.evaluate("still => still.parentElement.scrollIntoView()")
    handle = visit.page.locator(".noUi-handle").first
    handle.wait_for()
    before = handle.get_attribute("aria-valuenow")
    handle.focus()
    visit.page.keyboard.press("ArrowRight")
    visit.page.wait_for_function(
        "before => document.querySelector('.noUi-handle').getAttribute('aria-valuenow') !== before",
        arg=before,
    )
    field = visit.page.locator(".bar input[name=q]")
    field.fill("softmax")
    field.press("Enter")
    visit.page.wait_for_selector("#search-results li")
    assert visit.complaints == []
