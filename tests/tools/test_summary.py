"""The pages beside the sections: the phrase book, and the summary whose code and masks are those of the course."""

import re

import numpy as np
import pytest

from scripts import example
from tools.notebooks import BOOK

PHRASES, SUMMARY, GLOSSARY = (
    (BOOK / f"{name}.md").read_text(encoding="utf-8") for name in ("phrase-book", "summary", "glossary")
)


def entries():
    """Anchors of the glossary's entries."""
    return {
        re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-")
        for heading in re.findall(r"^### (.+)$", GLOSSARY, re.M)
    }


def test_the_phrase_book_has_every_term_of_the_glossary_that_papers_use():
    linked = set(re.findall(r"\]\(glossary\.md#([\w-]+)\)", PHRASES))
    # of NumPy or of the school, and the same there as here
    own = {"identity-matrix", "masked-array", "simulation"}
    assert linked == entries() - own


def test_every_row_of_the_phrase_book_has_four_cells():
    rows = [line for line in PHRASES.splitlines() if line.startswith("|")]
    assert len(rows) > 70
    for row in rows:
        cells = [cell.strip() for cell in row.strip("|").split("|")]
        assert len(cells) == 4 and all(cells), row


@pytest.mark.parametrize("allowed", [np.ones((4, 4), bool), np.tril(np.ones((4, 4), bool))])
def test_the_code_of_the_summary_gives_the_output_of_the_course(allowed):
    (code,) = re.findall(r"```python\n(.*?)```", SUMMARY, re.S)
    names = {
        "np": np, "X": example.TOKENS, "allowed": allowed,
        "W_q": example.W_QUERY, "W_k": example.W_KEY, "W_v": example.W_VALUE,
    }  # fmt: skip
    exec(code, names)
    scores = np.where(allowed, example.SCORES, -np.inf)
    weights = np.exp(scores) / np.exp(scores).sum(axis=1, keepdims=True)
    assert np.allclose(names["A"], weights, rtol=0, atol=1e-12)
    assert np.allclose(names["output"], weights @ example.VALUES, rtol=0, atol=1e-12)


def test_the_masks_of_the_summary_are_what_they_are_called():
    (drawn,) = re.findall(r"```text\n(.*?)```", SUMMARY, re.S)
    cells = np.array([line.split() for line in drawn.splitlines()[1:]]) == "■"
    assert np.array_equal(cells[:, :4], np.tril(np.ones((4, 4), bool)))
    assert np.array_equal(cells[:, 4:], np.broadcast_to([True, True, True, False], (4, 4)))
