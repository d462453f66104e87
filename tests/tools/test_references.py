"""The papers of section 8 against the bibliography file."""

import re

from scripts.draw.reading import TOPICS
from tools.notebooks import BOOK, markdown


def prose(name):
    """The Markdown of a notebook without its markers."""
    return re.sub(r"<!--.*?-->", "", "\n\n".join(markdown(BOOK / name)), flags=re.S)


def entries():
    """The bibliography: one dict of fields an entry, in its order."""
    text = (BOOK / "references.bib").read_text(encoding="utf-8")
    found = re.findall(r"^@\w+\{(\w+),\n(.*?)\n\}", text, re.S | re.M)
    assert len(found) == text.count("\n@")
    return {key: dict(re.findall(r"(\w+)\s*=\s*\{(.*)\},?$", body, re.M)) for key, body in found}


LINK = re.compile(r"\[([^]]+)\]\((https?://[^)]+)\)")


def test_section_8_sends_to_each_paper_once_and_calls_it_by_its_name():
    paragraphs = prose("8-where-next.ipynb").splitlines()
    for key, entry in entries().items():
        (found,) = [
            (text, line) for line in paragraphs for text, url in LINK.findall(line) if url == entry["url"]
        ]
        text, line = found
        first, *others = [person.split(",")[0] for person in entry["author"].split(" and ")]
        authors = f"{first} and {others[0] if len(others) == 1 and others != ['others'] else 'others'}"
        assert text in (entry["title"], entry["title"].split(":")[0], authors), key
        assert first in line, key


def test_every_paper_has_an_identifier_that_its_address_holds():
    for key, entry in entries().items():
        identifier = entry.get("eprint") or entry["doi"].split("/v1/")[-1]
        assert identifier in entry["url"], key
        assert entry["url"].startswith("https://"), key
        assert key.endswith(entry["year"]), key
    assert len({entry["url"] for entry in entries().values()}) == len(entries())


def test_every_link_to_a_paper_is_in_the_bibliography():
    known = {entry["url"] for entry in entries().values()}
    linked = {url for name in ("8-where-next", "5-heads") for _, url in LINK.findall(prose(f"{name}.ipynb"))}
    assert linked <= known


def test_each_of_the_six_directions_names_a_paper():
    directions = [line for line in prose("8-where-next.ipynb").splitlines() if line.startswith("- **")]
    assert len(directions) == len(TOPICS) == 6
    for direction in directions:
        assert 1 <= len(LINK.findall(direction)) <= 3
