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


def as_listed(entry):
    """An entry as section 8 prints it: up to four authors by name, else the first."""
    people = entry["author"].split(" and ")
    names = [" ".join(reversed(person.split(", "))) for person in people if person != "others"]
    if len(names) > 4 or "others" in people:
        names = [names[0], "others"]
    who = " and ".join([", ".join(names[:-1]), names[-1]])
    return f"- {who}: [{entry['title']}]({entry['url']}), {entry['year']}"


def test_section_8_lists_the_bibliography():
    listed = [line for line in prose("8-where-next.ipynb").splitlines() if line.startswith("- ")]
    assert listed == [as_listed(entry) for entry in entries().values()]


def test_every_paper_has_an_identifier_that_its_address_holds():
    for key, entry in entries().items():
        identifier = entry.get("eprint") or entry["doi"].split("/v1/")[-1]
        assert identifier in entry["url"], key
        assert entry["url"].startswith("https://"), key
        assert key.endswith(entry["year"]), key
    assert len({entry["url"] for entry in entries().values()}) == len(entries())


def test_every_link_of_sections_5_and_8_to_a_paper_is_in_the_bibliography():
    known = {entry["url"] for entry in entries().values()}
    body = prose("8-where-next.ipynb").split("## The papers in one list")[0]
    link = re.compile(r"\]\((https?://[^)]+)\)")
    assert set(link.findall(body + prose("5-heads.ipynb"))) <= known
    others = [prose(path.name) for path in BOOK.glob("[1-79]*.ipynb")]
    assert known <= set(link.findall("\n".join([body, *others]))), "a paper that nobody is sent to"


def test_each_of_the_six_directions_names_a_paper():
    parts = prose("8-where-next.ipynb").split("\n## ")[2:-1]
    assert len(parts) == len(TOPICS) == 6
    for part in parts:
        assert 1 <= len(re.findall(r"\]\(https?://", part)) <= 3
