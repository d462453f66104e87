"""The glossary: every term once, in order, and linked from the sections that use it."""

import re

import pytest

from tools.notebooks import BOOK, markdown, paths

TEXT = (BOOK / "glossary.md").read_text(encoding="utf-8")
TERMS = re.findall(r"^### (.+)$", TEXT, re.M)
BODIES = re.split(r"^### .+\n", re.sub(r"^## .\n", "", TEXT, flags=re.M), flags=re.M)[1:]
ENTRIES = dict(zip(TERMS, BODIES, strict=True))


def anchor(heading):
    """What a heading is linked to by, here and on code hosts."""
    return re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-")


def links(path):
    """Terms that a notebook links to, by their anchors, in order."""
    return re.findall(r"\]\(glossary\.md#([\w-]+)\)", "\n\n".join(markdown(path)))


def test_terms_are_in_order_and_explained_once():
    assert len(TERMS) >= 60
    assert sorted(TERMS, key=str.lower) == TERMS
    assert len({anchor(term) for term in TERMS}) == len(TERMS)
    letters = re.findall(r"^## (.)$", TEXT, re.M)
    assert letters == sorted({term[0].upper() for term in TERMS})
    assert " ".join(f"[{letter}](#{letter.lower()})" for letter in letters) in TEXT.splitlines()


@pytest.mark.parametrize("term", TERMS)
def test_an_entry_says_something_and_where_more_is_said(term):
    entry = ENTRIES[term].strip()
    assert len(entry.split()) >= 6
    for target, fragment in re.findall(r"\]\(([^)#]*)#?([^)]*)\)", entry):
        assert not target or (BOOK / target).exists(), target
        assert not fragment or fragment in map(anchor, TERMS), fragment


@pytest.mark.parametrize("path", paths(), ids=lambda path: path.stem)
def test_links_lead_to_entries_and_each_is_given_once(path):
    found = links(path)
    assert set(found) <= {anchor(term) for term in TERMS}
    assert len(found) == len(set(found)), "only the first use is linked"
    assert len(found) >= 10, "a section links at least ten of its words to the glossary"


# Terms that the section which explains them does not link yet.
WAITING = {
    "Exponential",
    "FlashAttention",
    "Logit",
    "Positional encoding",
    "Residual connection",
    "Saturation",
    "Scaled dot-product attention",
    "Temperature",
}


def test_every_term_is_linked_from_the_section_that_explains_it():
    by_file = {path.name: set(links(path)) for path in paths()}
    missing = set()
    for term, entry in ENTRIES.items():
        for name in re.findall(r"\(\[section \d\]\(([^)]+)\)\)", entry):
            if anchor(term) not in by_file[name]:
                missing.add(term)
    assert missing <= WAITING, "not linked from the section that explains them"
