"""The built site in headless Chromium, with every other host blocked."""

import functools
import http.server
import os
import shutil
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from book_pages import SITE, policy
from playwright.sync_api import Browser, Page, Response, sync_playwright

CHROMIUM = (
    "chromium", "chromium-browser", "google-chrome",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    r"C:\Program Files\Google\Chrome\Application\chrome.exe",
)  # fmt: skip
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


class QuietHandler(http.server.SimpleHTTPRequestHandler):
    """Serves under the policy of site/nginx.conf: what breaks it is a complaint of the page."""

    def end_headers(self) -> None:
        self.send_header("Content-Security-Policy", policy())
        super().end_headers()

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture(scope="session")
def site() -> Path:
    assert (SITE / "index.html").exists(), "there is no built site: run `make book` first"
    return SITE


@pytest.fixture(scope="session")
def address(site: Path) -> Iterator[str]:
    handler = functools.partial(QuietHandler, directory=str(site))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    path = next(filter(None, map(shutil.which, CHROMIUM)), None)
    if path is None:
        message = "no Chromium here: get it with `apt-get install chromium`, or install Chrome"
        if os.environ.get("CI"):
            pytest.fail(message)
        pytest.skip(message)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
        yield browser
        browser.close()


@dataclass
class Visit:
    """A page that was opened, and all that it asked for and complained of."""

    page: Page
    complaints: list[str] = field(default_factory=list)
    responses: list[Response] = field(default_factory=list)

    def listen(self) -> None:
        self.page.on("console", lambda said: said.type == "error" and self.complaints.append(said.text))
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("requestfailed", lambda request: self.complaints.append(f"failed: {request.url}"))
        self.page.on("response", self.note)

    def note(self, response: Response) -> None:
        self.responses.append(response)
        if response.status >= 400:
            self.complaints.append(f"{response.status}: {response.url}")


class Reader:
    """Somebody with a taste in colours, and a screen of some width."""

    def __init__(self, browser: Browser, address: str, scheme: str) -> None:
        self.context = browser.new_context(color_scheme=scheme)
        self.address, self.scheme = address, scheme
        self.opened: dict[str, Visit] = {}

    def visit(self, name: str, width: int = 1280) -> Visit:
        """Open a page afresh."""
        visit = Visit(self.context.new_page())
        visit.page.set_viewport_size({"width": width, "height": 900})
        visit.listen()
        visit.page.goto(f"{self.address}/{name}.html", wait_until="load")
        visit.page.evaluate("document.fonts.ready")
        return visit

    def look_at(self, name: str) -> Visit:
        """Return a page that may be looked at but not changed: it is opened once for all tests."""
        if name not in self.opened:
            self.opened[name] = self.visit(name)
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
    reader = Reader(browser, address, "light")
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
    reader = Reader(browser, address, "light")
    yield reader
    reader.context.close()
