"""The built site in headless Chromium, as a strict host would serve it: below a sub-path,
under the policy of site/nginx.conf, with every other host blocked.

Tests wait for states, never for times.  What does not come within `PATIENCE` is a fault,
on a busy machine too.
"""

import functools
import http.server
import os
import re
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from importlib import metadata
from pathlib import Path
from typing import ClassVar

import pytest
from book_pages import POLICY, SITE
from playwright.sync_api import Browser, Locator, Page, Response, expect, sync_playwright
from xdist.scheduler import LoadScopeScheduling

from tools.pdf import NO_CHROMIUM, find_chromium

PATIENCE = 180_000  # milliseconds
expect.set_options(timeout=PATIENCE)
SUB_PATH = "/some/course"
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1",
]
ISOLATION = {"Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Embedder-Policy": "require-corp"}


class OnePageOneProcess(LoadScopeScheduling):
    """Where tests run side by side: a page is opened in one process, and the PDF is printed in one."""

    def _split_scope(self, nodeid: str) -> str:
        found = re.search(r"\[(book/[\w-]+|search)|test_paper", nodeid)
        return found[0] if found else nodeid


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    return OnePageOneProcess(config, log)


# --------------------------------------------------------------------------
# The site and its host
# --------------------------------------------------------------------------


def cannot(why: str) -> None:
    """Where nobody looks on, a test that cannot run is a failure."""
    if os.environ.get("CI"):
        pytest.fail(why)
    pytest.skip(why)


@pytest.fixture(scope="session")
def site() -> Path:
    assert (SITE / "index.html").exists(), "there is no built site: run `make book` first"
    return SITE


@pytest.fixture(scope="session")
def live_site(site: Path) -> Path:
    if not (site / "live" / "settings.json").exists():
        cannot("the site was built without live cells: `make book` says why")
    return site


class Host(http.server.SimpleHTTPRequestHandler):
    """Serves under the policy: what breaks it is a complaint of the page."""

    more_headers: ClassVar[dict[str, str]] = {}
    extensions_map: ClassVar[dict[str, str]] = {
        **http.server.SimpleHTTPRequestHandler.extensions_map,
        ".mjs": "text/javascript",
        ".wasm": "application/wasm",
    }

    def translate_path(self, path: str) -> str:
        # what is not below the sub-path is not there
        path = path.removeprefix(SUB_PATH) if path.startswith(f"{SUB_PATH}/") else "/nowhere"
        return super().translate_path(path)

    def end_headers(self) -> None:
        if not self.path.startswith(f"{SUB_PATH}/lite/"):
            self.send_header("Content-Security-Policy", POLICY)
        for name, value in self.more_headers.items():
            self.send_header(name, value)
        super().end_headers()

    def log_message(self, *_: object) -> None:
        pass


def serve(site: Path, headers: dict[str, str]) -> Iterator[str]:
    kind = type("Host", (Host,), {"more_headers": headers})
    handler = functools.partial(kind, directory=str(site))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}{SUB_PATH}"
        server.shutdown()


@pytest.fixture(scope="session")
def address(site: Path) -> Iterator[str]:
    yield from serve(site, {})


@pytest.fixture(scope="session")
def isolated_address(site: Path) -> Iterator[str]:
    """A host that lets a running cell be interrupted."""
    yield from serve(site, ISOLATION)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    path = find_chromium()
    if path is None:
        cannot(NO_CHROMIUM)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
        yield browser
        browser.close()


# --------------------------------------------------------------------------
# Somebody who reads
# --------------------------------------------------------------------------


@dataclass
class Visit:
    """A page that was opened, and all that it asked for and complained of."""

    page: Page
    complaints: list[str] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)
    responses: list[Response] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.page.on("request", lambda request: self.asked.append(request.url))
        self.page.on("console", lambda said: said.type == "error" and self.complaints.append(said.text))
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("requestfailed", lambda request: self.complaints.append(f"failed: {request.url}"))
        self.page.on("response", self.note_response)

    def note_response(self, response: Response) -> None:
        self.responses.append(response)
        if response.status >= 400:
            self.complaints.append(f"{response.status}: {response.url}")

    # ---- cells that run on the page, counted from one ----

    @property
    def status(self) -> str:
        return self.page.locator(".live-status").inner_text()

    def cell(self, number: int) -> Locator:
        return self.page.locator("article .cell").nth(number - 1)

    def note(self, number: int) -> str:
        return self.cell(number).locator(".live-note").inner_text()

    def output(self, number: int) -> str:
        return self.cell(number).locator(".cell_output").inner_text()

    def press(self, number: int, button: str) -> None:
        self.cell(number).locator(f".live-{button}").click()

    def until_note(self, number: int, *beginnings: str) -> str:
        """Wait until the note beside a cell begins so, and return it."""
        self.page.wait_for_function(
            """([number, beginnings]) => {
                const cell = document.querySelectorAll("article .cell")[number - 1];
                const note = cell.querySelector(".live-note").textContent;
                return beginnings.some(beginning => note.startsWith(beginning));
            }""",
            arg=[number, list(beginnings)],
        )
        return self.note(number)

    def run(self, number: int) -> str:
        self.press(number, "run")
        return self.until_note(number, "Ran", "Ended")

    def write(self, number: int, text: str) -> None:
        """Replace the text of a cell, as a reader would."""
        self.press(number, "edit")
        editor = self.cell(number).locator(".cm-content")
        editor.wait_for()
        editor.focus()
        self.page.keyboard.press("ControlOrMeta+a")
        self.page.keyboard.press("Delete")
        self.page.keyboard.insert_text(text)


class Reader:
    """Somebody with a taste in colours, and a screen of some width."""

    def __init__(self, browser: Browser, address: str, scheme: str = "light") -> None:
        self.context = browser.new_context(color_scheme=scheme)
        self.context.set_default_timeout(PATIENCE)
        self.address, self.scheme = address, scheme
        self.opened: dict[str, Visit] = {}

    def visit(self, name: str, width: int = 1280, opening: bool = True) -> Visit:
        """Open a page afresh, and its folds, so that nothing on it stays untried."""
        visit = Visit(self.context.new_page())
        visit.page.set_viewport_size({"width": width, "height": 900})
        visit.page.goto(f"{self.address}/{name}.html", wait_until="load")
        visit.page.evaluate("document.fonts.ready")
        if opening:
            visit.page.evaluate(
                "document.querySelectorAll('details.fold').forEach(fold => (fold.open = true))"
            )
        return visit

    def look_at(self, name: str) -> Visit:
        """Return a page that may be looked at but not changed: it is opened once for all tests."""
        if name not in self.opened:
            self.opened[name] = self.visit(name)
            # one that crashed fails the test that met it, and is opened anew for the others
            self.opened[name].page.on("crash", lambda _: self.opened.pop(name, None))
        visit = self.opened[name]
        visit.page.set_viewport_size({"width": 1280, "height": 900})
        # an earlier test may have tried the other theme, or another tab been in front
        visit.page.bring_to_front()
        visit.page.emulate_media(color_scheme=self.scheme, media="screen", reduced_motion="no-preference")
        visit.page.wait_for_function(
            "scheme => document.documentElement.dataset.theme === scheme", arg=self.scheme
        )
        return visit


@pytest.fixture(scope="session")
def day_reader(browser: Browser, address: str) -> Iterator[Reader]:
    reader = Reader(browser, address)
    yield reader
    reader.context.close()


@pytest.fixture(scope="session")
def night_reader(browser: Browser, address: str) -> Iterator[Reader]:
    reader = Reader(browser, address, "dark")
    yield reader
    reader.context.close()


@pytest.fixture
def reader(browser: Browser, address: str) -> Iterator[Reader]:
    """Somebody new, who changes what is remembered."""
    reader = Reader(browser, address)
    yield reader
    reader.context.close()


@pytest.fixture
def isolated_reader(browser: Browser, isolated_address: str) -> Iterator[Reader]:
    reader = Reader(browser, isolated_address)
    yield reader
    reader.context.close()


@pytest.fixture(scope="session")
def axe() -> Callable[[Page], list]:
    """Call with a page: what axe-core finds wrong with it."""
    (file,) = (f for f in metadata.files("axe-playwright-python") if f.name == "axe.min.js")
    script = file.read_text(encoding="utf-8")

    def look(page: Page) -> list:
        page.evaluate(script)
        return page.evaluate("""() => axe.run({resultTypes: ["violations"]}).then(({violations}) =>
            violations.map(({id, nodes}) => [id, nodes.slice(0, 3).map(node => node.html.slice(0, 120))]))""")

    return look
