"""A class of three hundred: nginx on this machine, with site/nginx.conf, and every reader opens every page.

    make load          (or: READERS=50 make load)

Prints percentiles; a single wrong answer is a failure.  It is no part of
`make test`, because it says as much about the machine as about the site.
"""

import asyncio
import gzip
import json
import os
import random
import re
import shutil
import socket
import subprocess
import time
from collections import Counter, defaultdict
from pathlib import Path
from urllib.parse import urljoin

import pytest

from tools import tasks

READERS = int(os.environ.get("READERS", "300"))
ARRIVE_WITHIN = 10  # seconds
AT_MOST = 400  # seconds, for all of it
COMPRESSED = {".html", ".css", ".js", ".mjs", ".json", ".svg", ".wasm", ".ipynb", ".py", ".txt"}
ASSET = re.compile(r'<(?:script|link)\b[^>]*?\s(?:src|href)="([^"#?]+\.(?:js|css|svg|woff2))["?#]')
# A reader's Python: what site/live/worker.mjs asks for before the first cell runs.
PYTHON = (
    "live/launcher.js", "live/cells.mjs", "live/python.mjs", "live/worker.mjs", "live/settings.json",
    "live/runner.py", "live/live_backend.py", "live/pyodide/pyodide.mjs", "live/pyodide/pyodide.asm.mjs",
    "live/pyodide/pyodide.asm.wasm", "live/pyodide/python_stdlib.zip", "live/pyodide/pyodide-lock.json",
)  # fmt: skip
TYPES = {
    ".html": "text/html", ".css": "text/css", ".js": "application/javascript", ".mjs": "text/javascript",
    ".wasm": "application/wasm", ".svg": "image/svg+xml", ".json": "application/json",
}  # fmt: skip
MIME_TYPES = tuple(f"{place}/nginx/mime.types" for place in ("/etc", "/usr/local/etc", "/opt/homebrew/etc"))


# ---- the server ---------------------------------------------------------------


def find_nginx() -> str:
    path = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin:/usr/local/sbin")
    if path is None:
        pytest.skip("no nginx here: get it with `apt-get install nginx`")
    return path


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the built site with FILE.gz beside FILE, as docs/serving.md has it."""
    assert (tasks.SITE / "index.html").exists(), "there is no built site: run `make book` first"
    copy = tmp_path_factory.mktemp("class") / "site"
    shutil.copytree(tasks.SITE, copy)
    for path in sorted(copy.rglob("*")):
        if path.is_file() and path.suffix in COMPRESSED:
            Path(f"{path}.gz").write_bytes(gzip.compress(path.read_bytes(), 6, mtime=0))
    return copy


@pytest.fixture(scope="module")
def port(folder: Path):
    nginx = find_nginx()
    home, port = folder.parent, free_port()
    text = (tasks.ROOT / "site" / "nginx.conf").read_text(encoding="utf-8")
    text, listens = re.subn(r"listen \d+;", f"listen 127.0.0.1:{port} backlog=1024;", text)
    text, roots = re.subn(r"root [^;]+;", f"root {folder};", text)
    assert (listens, roots) == (1, 1)
    (home / "course.conf").write_text(text, encoding="utf-8")
    kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    kept = "".join(f"    {kind}_temp_path {home}/{kind};\n" for kind in kinds)
    user = "user root;\n" if hasattr(os, "geteuid") and os.geteuid() == 0 else ""
    types = next(path for path in MIME_TYPES if Path(path).exists())
    (home / "nginx.conf").write_text(
        f"{user}daemon off;\nmaster_process on;\nworker_processes 2;\npid {home}/pid;\n"
        f"error_log {home}/error.log warn;\nevents {{ worker_connections 2048; }}\nhttp {{\n"
        f"    include {types};\n    default_type application/octet-stream;\n    access_log off;\n{kept}"
        f"    include {home}/course.conf;\n}}\n",
        encoding="utf-8",
    )
    command = [nginx, "-p", str(home), "-c", str(home / "nginx.conf"), "-e", str(home / "error.log")]
    subprocess.run([*command, "-t", "-q"], check=True)
    server = subprocess.Popen(command)
    try:
        for _ in range(100):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.05)
        yield port
    finally:
        server.terminate()
        server.wait(20)
    complaints = (home / "error.log").read_text(encoding="utf-8")
    assert complaints == ""


# ---- a reader -----------------------------------------------------------------


class WrongAnswer(Exception):
    pass


class Reader:
    """One connection, kept open; what was fetched once is asked for again by its tag, as a browser does."""

    def __init__(self, port: int, record) -> None:
        self.port, self.record = port, record
        self.tags: dict[str, str] = {}

    async def arrive(self) -> None:
        self.incoming, self.outgoing = await asyncio.open_connection("127.0.0.1", self.port, limit=1 << 20)

    async def get(self, path: str, kind: str) -> None:
        tag = f"If-None-Match: {self.tags[path]}\r\n" if path in self.tags else ""
        start = time.perf_counter()
        self.outgoing.write(
            f"GET /{path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept-Encoding: gzip\r\n{tag}\r\n".encode()
        )
        head = (await self.incoming.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        status = int(head[0].split()[1])
        lines = (line.partition(":") for line in head[1:])
        headers = {name.lower(): value.strip() for name, _, value in lines}
        size = left = int(headers.get("content-length", 0)) if status != 304 else 0
        while left:
            piece = await self.incoming.read(min(left, 1 << 18))
            if not piece:
                raise WrongAnswer(f"{path}: cut off")
            left -= len(piece)
        if status != (304 if tag else 200) or "chunked" in headers.get("transfer-encoding", ""):
            raise WrongAnswer(f"{path}: {head[0]}")
        if not tag:
            wanted = TYPES.get(Path(path).suffix)
            if wanted and not headers["content-type"].startswith(wanted):
                raise WrongAnswer(f"{path}: sent as {headers['content-type']}")
            if "default-src 'none'" not in headers["content-security-policy"]:
                raise WrongAnswer(f"{path}: without its policy")
            self.tags[path] = headers["etag"]
        self.record("asked again" if tag else kind, time.perf_counter() - start, size)

    async def read_everything(self, pages: dict[str, list[str]], python: list[str]) -> None:
        await asyncio.sleep(random.Random(id(self)).uniform(0, ARRIVE_WITHIN))
        await self.arrive()
        for page, assets in pages.items():
            start = time.perf_counter()
            await self.get(page, "page alone")
            for asset in assets:
                await self.get(asset, "style, script or font")
            self.record("page with all it needs", time.perf_counter() - start, 0)
        if python:
            start = time.perf_counter()
            for path in python:
                await self.get(path, "a file of Python")
            self.record("Python, all of it", time.perf_counter() - start, 0)
        self.outgoing.close()


def pages_of(folder: Path) -> dict[str, list[str]]:
    found = {}
    for path in sorted(folder.rglob("*.html")):
        name = path.relative_to(folder).as_posix()
        if name.startswith("lite/"):
            continue
        assets = {
            urljoin(f"http://site/{name}", asset).removeprefix("http://site/")
            for asset in ASSET.findall(path.read_text(encoding="utf-8"))
        }
        found[name] = sorted(asset for asset in assets if (folder / asset).exists())
    return found


def python_of(folder: Path) -> list[str]:
    if not (folder / "live").exists():
        return []
    settings = json.loads((folder / "live" / "settings.json").read_text(encoding="utf-8"))
    # those of a slider with Python behind it included
    first = [package["name"] for package in settings["packages"]]
    wheels = [*first, *settings["wheels"], *settings["onDemand"]]
    return [*PYTHON, *(f"live/pyodide/{name}" for name in wheels)]


def test_three_hundred_readers(folder, port, capsys):
    pages, python = pages_of(folder), python_of(folder)
    seconds, sizes, wrong = defaultdict(list), Counter(), []

    def record(kind, duration, size):
        seconds[kind].append(duration)
        sizes[kind] += size

    async def one():
        try:
            await Reader(port, record).read_everything(pages, python)
        except (WrongAnswer, OSError, asyncio.IncompleteReadError) as error:
            wrong.append(repr(error))

    async def everybody():
        async with asyncio.timeout(AT_MOST):
            await asyncio.gather(*(one() for _ in range(READERS)))

    start = time.perf_counter()
    asyncio.run(everybody())
    took = time.perf_counter() - start

    with capsys.disabled():
        print(f"\n{READERS} readers, {len(pages)} pages each, within {took:.0f} s; milliseconds:")
        print(f"{'':24}{'count':>8}{'MB sent':>9}{'median':>9}{'90 %':>9}{'99 %':>9}{'most':>9}")
        for kind, times in sorted(seconds.items()):
            times.sort()
            places = [times[min(len(times) - 1, int(len(times) * share))] for share in (0.5, 0.9, 0.99, 1)]
            shown = "".join(f"{1000 * place:9.1f}" for place in places)
            print(f"{kind:24}{len(times):8}{sizes[kind] / 1e6:9.0f}{shown}")
        if not python:
            print("without Python: there is no live/ in this site")
        print(f"{len(wrong)} wrong answers")
    assert wrong == []
    assert len(seconds["page with all it needs"]) == READERS * len(pages)
    assert len(seconds["Python, all of it"]) == (READERS if python else 0)
