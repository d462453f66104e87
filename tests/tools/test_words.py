"""How long the course is: what is counted, and what it may come to."""

import pytest

from tools import words
from tools.notebooks import paths

NINE = [words.read(path) for path in paths() if int(path.name.split("-")[0]) in words.SECTIONS]


def text(source):
    return {"cell_type": "markdown", "source": source.splitlines(True), "metadata": {}}


def code(**metadata):
    return {"cell_type": "code", "source": ["1 + 1"], "metadata": metadata}


def lengths(*cells):
    page = words.count("1-short", list(cells))
    return page.core.words, page.beyond.words, page.folds.words, page.exercises.words


def test_a_heading_says_where_what_follows_is_counted():
    page = [
        text("# A title\n\nFive words are in here.\n\n## Further on <!-- beyond -->\n\nThree more words."),
        text("### For the doubtful <!-- fold -->\n\nA proof.\n\n#### Its end\n\nDone."),
        text("### Open\n\nBeyond still.\n\n## Of the main line\n\nBack."),
        text("## Exercises\n\nDo this.\n\n### Exercise 1.1 — Sum\n\nAdd."),
        text("## Test yourself\n\nWhat is it?"),
    ]
    # with the headings: A title, Of the main line; Further on, Open; For the doubtful, Its end
    assert lengths(*page) == (2 + 5 + 4 + 1, 2 + 3 + 1 + 2, 3 + 2 + 2 + 1, 1 + 2 + 3 + 1 + 2 + 3)


def test_what_is_not_read_is_not_counted():
    assert lengths(text("One 0.683<!-- =weights[3, 0]:.3f --> two.<!-- ?1 < 2 -->")) == (3, 0, 0, 0)
    assert lengths(
        text("One\n\n```python\n# no heading\na = 1\n```\n\n$$a + b$$\n\n| a | — |\n|---|---:|")
    ) == (2, 0, 0, 0)
    assert lengths(text("The `head size` is $d_k + 1$ [here](6-masks.ipynb#two-words).")) == (5, 0, 0, 0)
    assert lengths(text("See.\n\n<details><summary>Hint</summary>\n\nNot read.\n\n</details>\n\nOn.")) == (
        2,
        0,
        0,
        0,
    )
    assert lengths(text("```python\n## Fold <!-- fold -->\n```\n\nOpen.")) == (1, 0, 0, 0)


def test_what_is_shown_is_counted_by_kind_and_takes_its_time():
    page = words.count("1-short", [
        text("Look.\n\n$$a$$"),
        code(mystnb={"figure": {"name": "fig-a"}}),
        code(slider="a"),
        text("### By hand <!-- fold -->"),
        code(),
    ])  # fmt: skip
    assert page.core.shown == {"picture": 1, "slider": 1, "code": 0, "formula": 1}
    assert page.folds.shown == {"picture": 0, "slider": 0, "code": 1, "formula": 0}
    seconds = words.SECONDS
    looking = (seconds["picture"] + seconds["slider"] + seconds["formula"]) / 60
    assert page.main.minutes == pytest.approx(looking + 1 / words.WORDS_A_MINUTE)
    assert page.everything.minutes > page.main.minutes


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("One. Two, e.g. three! \"Four.\" Five?", ["One.", "Two, e.g. three!", '"Four."', "Five?"]),
        ("Look at 1.5 of it:\n\n$$a$$\n\nand more.", ["Look at 1.5 of it:", "and more."]),
        ("# No sentence\n\n| a. | B. |\n\n- One item.\n- Another\n  of two lines.", ["One item.", "Another of two lines."]),
        ("> **Aside.** A note. `x` is one.", ["A note.", "X is one."]),
        ("> **This section answers:** What? How?", ["What?", "How?"]),
    ],
)  # fmt: skip
def test_a_sentence_ends_where_it_does(source, found):
    assert words.sentences(source) == found


def test_short_sentences_in_a_row_are_counted():
    assert words.Part(sentences=[3, 12, 8, 4, 9, 1]).run == 2
    assert words.Part().run == 0


def test_the_table_has_a_row_for_every_page():
    rows = words.report().splitlines()
    for path in paths():
        number = path.name.split("-")[0]
        assert sum(row.split()[:1] == [number] and row.split()[1:2] != ["to"] for row in rows) == 1
    assert any(row.split()[:3] == ["1", "to", "9"] for row in rows)


@pytest.mark.parametrize(
    ("part", "most"), [("main", words.MOST_WORDS["main"]), ("core", words.MOST_WORDS["quick"])]
)
def test_the_nine_sections_are_no_longer_than_promised(part, most):
    assert sum(getattr(page, part).words for page in NINE) <= most


@pytest.mark.parametrize("page", [pytest.param(page, id=page.name) for page in NINE])
def test_sentences_are_neither_clipped_nor_endless(page):
    shortest, longest = words.SENTENCE
    assert shortest <= sum(page.main.sentences) / len(page.main.sentences) <= longest
    assert page.main.run <= words.RUN


def test_the_quick_path_takes_ninety_minutes():
    assert sum(page.core.minutes for page in NINE) <= 90
