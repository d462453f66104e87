"""A server for this machine: files as a real host sends them, compressed and with their types.

Nothing but the standard library, and for trying only: docs/serving.md has what a class needs.
"""

import functools
import gzip
import http.server
import re
import sys
from pathlib import Path
from typing import ClassVar

NGINX = Path(__file__).resolve().parent.parent / "site" / "nginx.conf"
COMPRESSED = {".html", ".css", ".js", ".mjs", ".json", ".svg", ".wasm", ".ipynb", ".py", ".txt", ".map"}


@functools.lru_cache(maxsize=256)
def compressed(path, changed):
    """Return a file's bytes compressed; `changed` is when it was last written, so that none is old."""
    return gzip.compress(path.read_bytes(), 6, mtime=0)


class Handler(http.server.SimpleHTTPRequestHandler):
    protocol_version = "HTTP/1.1"  # connections stay open, as everywhere
    extensions_map: ClassVar[dict[str, str]] = {
        **http.server.SimpleHTTPRequestHandler.extensions_map,
        ".ipynb": "application/x-ipynb+json",
        ".js": "text/javascript",
        ".mjs": "text/javascript",
        ".wasm": "application/wasm",
        ".woff2": "font/woff2",
    }
    packed = None  # what is sent in place of the file

    def send_head(self):
        path = Path(self.translate_path(self.path))
        if path.is_dir():
            path /= "index.html"
        accepted = "gzip" in self.headers.get("Accept-Encoding", "")
        if accepted and path.suffix in COMPRESSED and path.is_file():
            self.packed = compressed(path, path.stat().st_mtime_ns)
        else:
            self.packed = None
        return super().send_head()

    def send_response(self, code, message=None):
        if code != http.HTTPStatus.OK:
            self.packed = None  # a word of the server's own, or none
        super().send_response(code, message)

    def send_header(self, keyword, value):
        if keyword == "Content-Length" and self.packed is not None:
            super().send_header("Content-Encoding", "gzip")
            super().send_header("Vary", "Accept-Encoding")
            value = str(len(self.packed))
        super().send_header(keyword, value)

    def end_headers(self):
        self.send_header("Cache-Control", "no-cache")  # a page built anew is seen at once
        super().end_headers()

    def copyfile(self, source, outputfile):
        if self.packed is None:
            super().copyfile(source, outputfile)
        else:
            outputfile.write(self.packed)

    def log_message(self, *_):
        """Say nothing of what went well."""

    def log_error(self, form, *words):
        super().log_message(form, *words)


@functools.cache
def nginx_headers():
    """Return what site/nginx.conf adds to an answer: (header, [(pattern of the path, value), …]) for each."""
    text = re.sub(r"^\s*#.*\n", "", NGINX.read_text(encoding="utf-8"), flags=re.M)
    maps = {
        name: re.findall(r"^\s*(?:~(\S+)|default)\s+(?:\"([^\"]*)\"|([^\";]+));", body, flags=re.M)
        for name, body in re.findall(r"map \$uri (\$\w+) \{(.*?)\n\}", text, flags=re.S)
    }
    added = re.findall(r"add_header (\S+) (\S+) always;", text)
    return [
        (header, [(pattern, quoted or bare) for pattern, quoted, bare in maps.get(value, [("", "", value)])])
        for header, value in added
    ]


class AsNginx(Handler):
    """Sends the headers of site/nginx.conf: the policy, and what lets a running cell be stopped."""

    def end_headers(self):
        for header, values in nginx_headers():
            value = next(value for pattern, value in values if re.search(pattern, self.path))
            if value and header != "Cache-Control":
                self.send_header(header, value)
        super().end_headers()


class Server(http.server.ThreadingHTTPServer):
    """Of a folder, on this machine only; raises OSError where the port is in use."""

    def __init__(self, folder, port, handler=Handler):
        super().__init__(("127.0.0.1", int(port)), functools.partial(handler, directory=str(folder)))

    def handle_error(self, request, client_address):
        if not isinstance(sys.exception(), ConnectionError):  # a reader who has gone on to another page
            super().handle_error(request, client_address)


def serve(folder, port):
    """Serve a folder until Ctrl-C."""
    with Server(folder, port) as running:
        print(f"The course is at http://127.0.0.1:{running.server_port}/  (Ctrl-C ends it)", flush=True)
        try:
            running.serve_forever()
        except KeyboardInterrupt:
            print()


if __name__ == "__main__":
    serve(*sys.argv[1:])
