"""The glossary: every term once, in order, and linked from the sections that use it."""

import functools
import itertools
import re

import pytest

from tools import words
from tools.notebooks import BOOK, cells, markdown, paths

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


def sections(term):
    """Files of the sections that an entry names; the first is where the term is explained first."""
    return re.findall(r"\[section \d\]\(([^)]+)\)", ENTRIES[term])


def test_every_term_is_linked_from_the_sections_that_explain_it():
    by_file = {path.name: set(links(path)) for path in paths()}
    missing = {term for term in TERMS for name in sections(term) if anchor(term) not in by_file[name]}
    assert missing == set(), "not linked from a section that explains them"


# The field's own words, by how they are written in a sentence.  Others, such as "score", are
# plain words too, and stand in sentences before they are terms.
STANDARD = {
    "Autoregressive": "autoregressive",
    "Concatenate": "concatenat",
    "Context length": "context length",
    "Exponential": "exponential",
    "FlashAttention": "FlashAttention",
    "Gradient": "gradient",
    "KV cache": "KV cache",
    "Logit": "logit",
    "Low rank": "low.rank",
    "MAC": "MACs?",
    "Model dimension": "model dimension",
    "Multi-head attention": "multi-head attention",
    "Online softmax": "online softmax",
    "Padding token": "padding token",
    "Permutation-equivariant": "permutation-equivarian",
    "Positional encoding": "positional encoding",
    "Residual connection": "residual connection",
    "Saturation": "saturat",
    "Scaled dot-product attention": "scaled dot-product attention",
    "Standard deviation": "standard deviation",
    "Temperature": "temperature",
    "Weighted sum": "weighted sum",
}


@functools.cache
def open_sentences(path):
    """Sentences that stand open on a page, without what is asked and answered at its end."""
    texts = [
        text
        for where, kind, text in words.walk(cells(path))
        if kind == "text" and where in ("core", "beyond")
    ]
    return [sentence for text in texts for sentence in words.sentences(text)]


@pytest.mark.parametrize("term", STANDARD)
def test_the_first_use_of_a_term_is_its_definition(term):
    home = sections(term)[0]
    written = STANDARD[term]
    word = re.compile(rf"(?<!\w){written}", re.I if written.islower() else 0)
    # a sentence before that may look ahead: in italics, or saying where to
    ahead = re.compile(rf"section {home[0]}\b|(?<!\*)\*(?!\*)[^*]*{written}", re.I)
    for path in itertools.takewhile(lambda path: path.name != home, paths()):
        said = [sentence for sentence in open_sentences(path) if word.search(sentence)]
        assert [sentence for sentence in said if not ahead.search(sentence)] == [], path.name
    link = rf"\]\(glossary\.md#{re.escape(anchor(term))}\)"
    whole = "\n\n".join(markdown(BOOK / home))
    bold = re.search(rf"\*\*[^*]*\[[^]*]*{link}|\[\*\*[^]]*{link}", whole)
    assert bold, f"{home} explains it first, and has it neither in bold nor linked there"
