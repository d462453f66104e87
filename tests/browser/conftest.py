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
from book_pages import SITE
from playwright.sync_api import Browser, BrowserContext, Page, Response, sync_playwright

CHROMIUM = ("chromium", "chromium-browser", "google-chrome")
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
    """Somebody with a screen of some width and a taste in colours."""

    def __init__(self, context: BrowserContext, address: str) -> None:
        self.context, self.address = context, address

    def visit(self, name: str, width: int = 1280) -> Visit:
        visit = Visit(self.context.new_page())
        visit.page.set_viewport_size({"width": width, "height": 900})
        visit.listen()
        visit.page.goto(f"{self.address}/{name}.html", wait_until="load")
        visit.page.evaluate("document.fonts.ready")
        return visit


@pytest.fixture
def reader(browser: Browser, address: str) -> Iterator[Reader]:
    context = browser.new_context(color_scheme="light")
    yield Reader(context, address)
    context.close()


@pytest.fixture
def night_reader(browser: Browser, address: str) -> Iterator[Reader]:
    context = browser.new_context(color_scheme="dark")
    yield Reader(context, address)
    context.close()
