"""A class of three hundred: nginx on this machine, with site/nginx.conf, and every reader opens every page.

    make load          (or: READERS=50 make load)

Prints percentiles, which say as much about the machine as about the site.  One
wrong answer ends it with code 1.
"""

import gzip
import http.client
import json
import os
import random
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections import defaultdict
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urljoin

ROOT = Path(__file__).resolve().parent.parent
READERS = int(os.environ.get("READERS", "300"))
ARRIVE_WITHIN = 10  # seconds
COMPRESSED = {".html", ".css", ".js", ".mjs", ".json", ".svg", ".wasm", ".ipynb", ".py", ".txt"}
ASSET = re.compile(r'<(?:script|link)\b[^>]*?\s(?:src|href)="([^"#?]+\.(?:js|css|svg|woff2))["?#]')
TYPES = {
    ".html": "text/html", ".css": "text/css", ".js": "application/javascript", ".mjs": "text/javascript",
    ".wasm": "application/wasm", ".svg": "image/svg+xml", ".json": "application/json",
}  # fmt: skip
MIME_TYPES = tuple(f"{place}/nginx/mime.types" for place in ("/etc", "/usr/local/etc", "/opt/homebrew/etc"))


@contextmanager
def nginx(site, home):
    """Serve a copy of the site, with FILE.gz beside FILE as docs/serving.md has it; yields the port."""
    program = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin:/usr/local/sbin")
    if program is None:
        sys.exit("no nginx here: get it with `apt-get install nginx`")
    folder = home / "site"
    shutil.copytree(site, folder)
    for path in sorted(folder.rglob("*")):
        if path.is_file() and path.suffix in COMPRESSED:
            Path(f"{path}.gz").write_bytes(gzip.compress(path.read_bytes(), 6, mtime=0))
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    text = (ROOT / "site" / "nginx.conf").read_text(encoding="utf-8")
    text = re.sub(r"listen \d+;", f"listen 127.0.0.1:{port} backlog=1024;", text)
    text = re.sub(r"root [^;]+;", f"root {folder};", text)
    kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    kept = "".join(f"    {kind}_temp_path {home}/{kind};\n" for kind in kinds)
    user = "user root;\n" if hasattr(os, "geteuid") and os.geteuid() == 0 else ""
    types = next(path for path in MIME_TYPES if Path(path).exists())
    (home / "nginx.conf").write_text(
        f"{user}daemon off;\nworker_processes 2;\npid {home}/pid;\nevents {{ worker_connections 2048; }}\n"
        f"http {{\n    include {types};\n    default_type application/octet-stream;\n    access_log off;\n"
        f"{kept}{text}\n}}\n",
        encoding="utf-8",
    )
    server = subprocess.Popen([program, "-p", home, "-c", home / "nginx.conf", "-e", home / "error.log"])
    try:
        while socket.socket().connect_ex(("127.0.0.1", port)):
            if server.poll() is not None:
                sys.exit((home / "error.log").read_text(encoding="utf-8"))
            time.sleep(0.05)
        yield port
    finally:
        server.terminate()
        server.wait()


def journeys(site):
    """What a reader asks for: the files of each page, and of Python, as lists by kind."""
    for path in sorted(site.rglob("*.html")):
        name = path.relative_to(site).as_posix()
        if not name.startswith("lite/"):
            found = {urljoin(name, asset) for asset in ASSET.findall(path.read_text(encoding="utf-8"))}
            yield "a page with all it needs", [name, *sorted(one for one in found if (site / one).exists())]
    live = site / "live"
    if live.exists():
        settings = json.loads((live / "settings.json").read_text(encoding="utf-8"))
        wheels = {*(one["name"] for one in settings["packages"]), *settings["wheels"], *settings["onDemand"]}
        files = [path for folder in (live, live / "pyodide") for path in folder.iterdir() if path.is_file()]
        wanted = [path for path in files if path.suffix != ".whl" or path.name in wheels]
        yield "Python, all of it", [path.relative_to(site).as_posix() for path in wanted]


class Reader(threading.Thread):
    """One connection, kept open; what was fetched once is asked for again by its tag, as a browser does."""

    def __init__(self, port, journeys):
        super().__init__()
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=400)
        self.journeys, self.tags, self.wrong = journeys, {}, []
        self.seconds, self.bytes = defaultdict(list), 0

    def run(self):
        time.sleep(random.uniform(0, ARRIVE_WITHIN))
        for kind, paths in self.journeys:
            start = time.perf_counter()
            for path in paths:
                self.get(path)
            self.seconds[kind].append(time.perf_counter() - start)
        self.connection.close()

    def get(self, path):
        start = time.perf_counter()
        again = {"If-None-Match": self.tags[path]} if path in self.tags else {}
        try:
            self.connection.request("GET", f"/{path}", headers={"Accept-Encoding": "gzip", **again})
            answer = self.connection.getresponse()
            self.bytes += len(answer.read())
        except (OSError, http.client.HTTPException) as error:
            self.wrong.append(f"{path}: {error!r}")
            self.connection.close()
            return
        self.seconds["asked again" if again else "a file"].append(time.perf_counter() - start)
        self.wrong += [f"{path}: {what}" for what in self.faults(path, answer, again)]
        self.tags[path] = answer.headers["ETag"]

    def faults(self, path, answer, again):
        if answer.status != (304 if again else 200):
            yield f"status {answer.status}"
        elif not again:
            if not answer.headers["Content-Type"].startswith(TYPES.get(Path(path).suffix, "")):
                yield f"sent as {answer.headers['Content-Type']}"
            if "default-src 'none'" not in answer.headers.get("Content-Security-Policy", ""):
                yield "without its policy"
            if "Content-Length" not in answer.headers:
                yield "compressed anew"


def main():
    """Let everybody read, and print how long it took."""
    site = ROOT / "_build" / "html"
    with tempfile.TemporaryDirectory() as home, nginx(site, Path(home)) as port:
        start = time.perf_counter()
        readers = [Reader(port, list(journeys(site))) for _ in range(READERS)]
        for reader in readers:
            reader.start()
        for reader in readers:
            reader.join()
        took = time.perf_counter() - start
        wrong = (Path(home) / "error.log").read_text(encoding="utf-8").splitlines()
    wrong += [fault for reader in readers for fault in reader.wrong]
    sent = sum(reader.bytes for reader in readers) / 1e6
    print(f"{READERS} readers within {took:.0f} s, {sent:,.0f} MB; milliseconds:")
    print(f"{'':24}{'count':>8}{'median':>9}{'90 %':>9}{'99 %':>9}{'most':>9}")
    for kind in sorted(readers[0].seconds):
        times = sorted(second for reader in readers for second in reader.seconds[kind])
        places = [times[int((len(times) - 1) * share)] for share in (0.5, 0.9, 0.99, 1)]
        print(f"{kind:24}{len(times):8}" + "".join(f"{1000 * place:9.1f}" for place in places))
    print(*wrong[:20], f"{len(wrong)} wrong answers", sep="\n")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
