"""The built site as a strict host would serve it: under a sub-path, with a content
security policy, every other host blocked."""

import functools
import http.server
import json
import os
import re
import shutil
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from importlib import metadata
from pathlib import Path
from typing import ClassVar

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

ROOT = Path(__file__).parents[3]
SITE = Path(os.environ.get("COURSE_SITE", ROOT / "_build" / "html"))
NOTEBOOKS = [
    f"book/{path.stem}"
    for path in sorted((ROOT / "book").glob("*.ipynb"), key=lambda path: int(path.stem.partition("-")[0]))
]
SUB_PATH = "/some/course"

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
# the one under which site/nginx.conf serves the pages
NGINX = (ROOT / "site" / "nginx.conf").read_text(encoding="utf-8")
(POLICY,) = re.findall(r'default "(default-src [^"]+)";', NGINX)
ISOLATION = {"Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Embedder-Policy": "require-corp"}


def code_cells(name: str) -> list[dict]:
    cells = json.loads((ROOT / f"{name}.ipynb").read_text(encoding="utf-8"))["cells"]
    return [cell for cell in cells if cell["cell_type"] == "code"]


class Host(http.server.SimpleHTTPRequestHandler):
    extra_headers: ClassVar[dict[str, str]] = {}
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
        for name, value in self.extra_headers.items():
            self.send_header(name, value)
        super().end_headers()

    def log_message(self, *_: object) -> None:
        pass


def missing(what: str) -> None:
    """Where nobody looks on, a test that cannot run is a failure."""
    if os.environ.get("CI"):
        pytest.fail(what)
    pytest.skip(what)


@pytest.fixture(scope="session")
def site() -> Path:
    assert (SITE / "index.html").exists(), "there is no built site: run `make book` first"
    if not (SITE / "live" / "settings.json").exists():
        missing("the site was built without live cells: run `make live`, then `make book`")
    return SITE


def serve(site: Path, headers: dict[str, str]) -> Iterator[str]:
    kind = type("Host", (Host,), {"extra_headers": headers})
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
    path = next(filter(None, map(shutil.which, CHROMIUM)), None)
    if path is None:
        missing("no Chromium here: get it with `apt-get install chromium`, or install Chrome")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
        yield browser
        browser.close()


@dataclass
class LivePage:
    """A page of the course, and what a reader does on it."""

    page: Page
    complaints: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.page.on("pageerror", lambda error: self.complaints.append(f"error: {error}"))
        self.page.on("requestfailed", lambda request: self.complaints.append(f"not loaded: {request.url}"))
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.page.on(
            "console", lambda message: message.type == "error" and self.complaints.append(message.text)
        )

    @property
    def status(self) -> str:
        return self.page.locator(".live-status").inner_text()

    def cell(self, number: int):
        return self.page.locator("article .cell").nth(number - 1)

    def note(self, number: int) -> str:
        return self.cell(number).locator(".live-note").inner_text()

    def output(self, number: int) -> str:
        return self.cell(number).locator(".cell_output").inner_text()

    def press(self, number: int, button: str) -> None:
        self.cell(number).locator(f".live-{button}").click()

    def until_note(self, number: int, *beginnings: str, seconds: float = 120) -> str:
        """Wait until the note beside a cell begins so, and return it."""
        self.page.wait_for_function(
            """([number, beginnings]) => {
                const cell = document.querySelectorAll("article .cell")[number - 1];
                const note = cell.querySelector(".live-note").textContent;
                return beginnings.some(beginning => note.startsWith(beginning));
            }""",
            arg=[number, list(beginnings)],
            timeout=seconds * 1000,
        )
        return self.note(number)

    def run(self, number: int, seconds: float = 120) -> str:
        self.press(number, "run")
        return self.until_note(number, "Ran", "Ended", seconds=seconds)

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
    def __init__(self, context: BrowserContext, address: str) -> None:
        self.context, self.address = context, address

    def open(self, name: str, width: int = 1280) -> LivePage:
        live = LivePage(self.context.new_page())
        live.page.set_viewport_size({"width": width, "height": 900})
        live.page.goto(f"{self.address}/{name}.html", wait_until="load")
        return live


@pytest.fixture
def reader(browser: Browser, address: str) -> Iterator[Reader]:
    context = browser.new_context(color_scheme="light")
    yield Reader(context, address)
    context.close()


@pytest.fixture
def isolated_reader(browser: Browser, isolated_address: str) -> Iterator[Reader]:
    context = browser.new_context()
    yield Reader(context, isolated_address)
    context.close()


@pytest.fixture(scope="session")
def axe():
    """Call with a page: what axe-core finds wrong with it."""
    (file,) = (f for f in metadata.files("axe-playwright-python") if f.name == "axe.min.js")
    script = file.read_text(encoding="utf-8")

    def look(page: Page) -> list:
        page.evaluate(script)
        found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")["violations"]
        return [(rule["id"], [node["html"][:120] for node in rule["nodes"][:3]]) for rule in found]

    return look
