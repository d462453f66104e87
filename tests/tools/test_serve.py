"""`make serve` sends files as a real host does."""

import gzip
import http.client
import re
import threading

import pytest

from tools.serve import Server, nginx_headers


@pytest.fixture
def ask(tmp_path):
    """Call with a path and headers: (status, headers, body) of the answer."""
    (tmp_path / "index.html").write_text("<h1>The course</h1>" * 100, encoding="utf-8")
    (tmp_path / "python.mjs").write_text("export {};\n" * 100, encoding="utf-8")
    (tmp_path / "course.woff2").write_bytes(bytes(range(256)))
    with Server(tmp_path, 0) as running:
        threading.Thread(target=running.serve_forever, args=(0.01,), daemon=True).start()
        connection = http.client.HTTPConnection("127.0.0.1", running.server_port, timeout=10)

        def answer(path, **headers):
            connection.request("GET", path, headers={k.replace("_", "-"): v for k, v in headers.items()})
            response = connection.getresponse()
            return response.status, response.headers, response.read()

        yield answer
        connection.close()
        running.shutdown()


@pytest.mark.parametrize("path", ["/index.html", "/", "/python.mjs?again"])
def test_text_is_compressed_for_who_can_read_it(ask, path):
    status, headers, plain = ask(path)
    assert status == 200 and headers["Content-Encoding"] is None
    status, headers, packed = ask(path, Accept_Encoding="br, gzip")
    assert status == 200 and headers["Content-Encoding"] == "gzip" and headers["Vary"] == "Accept-Encoding"
    assert gzip.decompress(packed) == plain and len(packed) < len(plain) / 4


def test_what_is_compressed_already_is_sent_as_it_is(ask):
    _, headers, body = ask("/course.woff2", Accept_Encoding="gzip")
    assert headers["Content-Encoding"] is None and body == bytes(range(256))


def test_types_that_browsers_insist_on(ask):
    assert ask("/python.mjs")[1]["Content-Type"].startswith("text/javascript")
    assert ask("/course.woff2")[1]["Content-Type"] == "font/woff2"


def test_asked_again_it_answers_in_short_and_one_connection_serves_all(ask):
    _, headers, _ = ask("/", Accept_Encoding="gzip")
    assert headers["Cache-Control"] == "no-cache"
    status, headers, body = ask("/", Accept_Encoding="gzip", If_Modified_Since=headers["Last-Modified"])
    assert (status, body, headers["Content-Encoding"]) == (304, b"", None)
    status, headers, body = ask("/nowhere.html", Accept_Encoding="gzip")
    assert status == 404 and headers["Content-Encoding"] is None and b"404" in body
    assert ask("/", Accept_Encoding="gzip")[0] == 200


def test_a_page_built_anew_is_the_one_that_is_sent(ask, tmp_path):
    ask("/", Accept_Encoding="gzip")
    (tmp_path / "index.html").write_text("another", encoding="utf-8")
    assert gzip.decompress(ask("/", Accept_Encoding="gzip")[2]) == b"another"


def test_headers_of_nginx_are_read_as_nginx_reads_them():
    def sent(path):
        return {
            header: next(value for pattern, value in values if re.search(pattern, path))
            for header, values in nginx_headers()
        }

    page, lite = sent("/book/3-the-score.html"), sent("/course/lite/notebooks/index.html")
    assert page["Cross-Origin-Opener-Policy"] == "same-origin"
    assert page["Cross-Origin-Embedder-Policy"] == "require-corp"
    # with them JupyterLite leaves out cells of a run
    assert not lite["Cross-Origin-Opener-Policy"] and not lite["Cross-Origin-Embedder-Policy"]
    assert "'unsafe-inline'" in lite["Content-Security-Policy"]
    assert page["Content-Security-Policy"].startswith(
        "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'"
    )
    assert page["X-Content-Type-Options"] == lite["X-Content-Type-Options"] == "nosniff"
