"""Whole addresses, for those who show a link to the course elsewhere."""

import pytest

pytestmark = pytest.mark.slow  # Sphinx takes its time


@pytest.fixture(scope="module")
def pages():
    from course_site import pages

    return pages


@pytest.mark.parametrize("given", ["https://school.example/course", "https://school.example/course/"])
def test_an_address_is_a_folder(pages, given):
    assert pages.whole_address(given) == "https://school.example/course/"


def test_without_one_nothing_is_made_up(pages):
    assert pages.whole_address("") == ""


@pytest.mark.parametrize("given", ["school.example/course", "ftp://school.example", "https://two words"])
def test_what_is_no_address_is_refused(pages, given):
    with pytest.raises(Exception, match="must begin with https"):
        pages.whole_address(given)


def test_a_page_tells_its_whole_address(pages, monkeypatch):
    class Anything:
        def __getattr__(self, name):
            return Anything()

        def __call__(self, *_):
            return "book/3-the-score.html"

    app = Anything()
    app.config = type("Config", (), {"html_baseurl": "https://set.example", "root_doc": "index"})
    app.env = type("Env", (), {"toctree_includes": {}})
    monkeypatch.setenv("SITE_ADDRESS", "https://school.example/course")
    context = {"docstitle": "Attention", "pathto": lambda path, _: path}
    pages.tell_template(app, "book/3-the-score", "", context, None)
    assert context["address"] == "https://school.example/course/book/3-the-score.html"
    assert context["card"] == "https://school.example/course/_static/card.png"
    monkeypatch.delenv("SITE_ADDRESS")
    pages.tell_template(app, "book/3-the-score", "", context, None)
    assert context["address"].startswith("https://set.example/")
