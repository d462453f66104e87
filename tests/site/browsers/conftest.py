"""The built site in Firefox and in WebKit, from a plain server and under the headers of site/nginx.conf."""

import functools
import io
import json
import os
import sys
import threading
from pathlib import Path

import pytest
from driver import Firefox, WebKit

from tools.serve import AsNginx, Handler, Server
from tools.tasks import ROOT

sys.path.append(str(Path(__file__).parents[1] / "browser"))  # book_pages
from book_pages import SITE

LISTEN = Path(__file__).with_name("listen.js")


def cannot(why):
    """Where nobody looks on, a test that cannot run is a failure."""
    if os.environ.get("CI"):
        pytest.fail(why)
    pytest.skip(why)


class Host:
    """The site on a server of its own, and what was asked there in vain."""

    def __init__(self, kind):
        self.in_vain = in_vain = []

        class Noting(kind):
            def send_head(self):
                path = Path(self.translate_path(self.path))
                if self.path == "/listen.js":
                    return self.send(LISTEN.read_bytes(), "text/javascript")
                if path.suffix == ".html" and path.is_file() and "/lite/" not in self.path:
                    heard = b'<head><script src="/listen.js"></script>'
                    return self.send(path.read_bytes().replace(b"<head>", heard, 1), "text/html")
                return super().send_head()

            def send(self, content, kind):
                self.packed = None
                self.send_response(200)
                self.send_header("Content-Type", f"{kind}; charset=utf-8")
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                return io.BytesIO(content)

            def log_error(self, *_):
                pass

            def send_error(self, code, *words):
                if self.path != "/favicon.ico":  # WebKit asks for it before it has read a page
                    in_vain.append(f"{code}: {self.path}")
                super().send_error(code, *words)

        self.server = Server(SITE, 0, Noting)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.address = f"http://127.0.0.1:{self.server.server_port}"


@functools.cache
def host_of(kind):
    assert (SITE / "index.html").exists(), "there is no built site: run `make book` first"
    return Host(kind)


@pytest.fixture(params=[Handler, AsNginx], ids=["plain", "nginx"])
def host(request):
    return host_of(request.param)


@pytest.fixture
def plain():
    return host_of(Handler)


@pytest.fixture
def live():
    """Asked for by tests of what runs Python."""
    if not (SITE / "live" / "settings.json").exists():
        cannot("the site was built without live cells: run `make live`, then `make book`")


@pytest.fixture(
    scope="session",
    # those of one browser go to one process, which starts it once
    params=[pytest.param(kind, marks=pytest.mark.xdist_group(kind.name)) for kind in (Firefox, WebKit)],
    ids=lambda kind: kind.name,
)
def browser(request, tmp_path_factory):
    kind = request.param
    if kind.find() is None:
        cannot(f"no {kind.name} here: get it with `{kind.how_to_get}`, on Debian and Ubuntu")
    browser = kind(tmp_path_factory.mktemp(kind.name))
    browser.open("about:blank")
    yield browser
    browser.close()


@functools.cache
def sliders():
    """(Page, which of its sliders) by the slider's name, from the notebooks."""
    found = {}
    for path in sorted((ROOT / "book").glob("*.ipynb")):
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        names = [cell["metadata"]["slider"] for cell in cells if "slider" in cell["metadata"]]
        found |= {name: (f"book/{path.stem}", place) for place, name in enumerate(names)}
    return found


def pytest_generate_tests(metafunc):
    if "slider" in metafunc.fixturenames:
        metafunc.parametrize("slider", sliders())
