"""What the alternative texts promise: the title, every number drawn, claims that follow the numbers."""

import re

import numpy as np
import pytest

from scripts import draw, example, measure
from scripts.attention import causal_mask, softmax
from scripts.draw import style
from scripts.draw.canvas import PICTURES, Canvas
from scripts.draw.words import (
    OPENING,
    between,
    by_rows,
    compared,
    foremost,
    leanings,
    opening,
    ordinal,
    quoted,
    sentences,
)
from tools.cells import draw_picture

pytestmark = pytest.mark.slow  # they draw the pictures of the course

NAMES = example.ORDER
EVERY = sorted(identity for identity in PICTURES if not identity.startswith("slider-"))
NUMBER = re.compile(r"[+−]?\d+(?:,\d{3})*(?:\.\d+)?")
COLOURS = ("grey", "blue", "red", "green", "purple", "orange", "colour", "tint", "paler", "darker")


@pytest.fixture(scope="module", params=EVERY)
def picture(request):
    return draw_picture(request.param)


def test_opens_with_the_title_as_it_is_drawn(picture):
    title = next(text.get_text() for text in picture.axes[0].texts if text.get_fontsize() == style.TITLE)
    title = re.sub(r"\$_\\mathregular\{(\w)\}\$", r"_\1", title)  # a subscript
    assert picture.alt.startswith(title)
    assert picture.alt[len(title) : len(title) + 2] in (". ", " " + picture.alt[len(title) + 1])
    assert picture.alt.count(title) == 1, "nothing is read twice"


def test_every_number_that_is_drawn_is_said(picture):
    said = set(NUMBER.findall(picture.alt))
    for text in (text for axes in picture.axes for text in axes.texts):
        if (text.get_gid() or "").startswith("number:"):
            for number in NUMBER.findall(text.get_text()):
                assert number in said, (text.get_gid(), text.get_text())


def test_is_plain_to_hear(picture):
    for told in (picture.alt, *sentences(picture.alt)):
        assert told == told.strip() and "  " not in told and ".." not in told
    low = picture.alt.lower()
    assert not re.search(r"\b(image|picture) of\b|\bshows\b|\bshown\b", low)
    own = re.sub(r"“.*?”", "", low)  # a token may be any word
    assert not [word for word in COLOURS if word in re.findall(r"\w+", own)]
    assert not re.search(r"[-–—]\d", picture.alt), "a minus is a minus sign"
    assert not re.search(r"[×÷√∞=<>|_](?!q|k|v)", picture.alt), "signs that are read out badly"
    assert "ms" not in picture.alt.split(), "units of time in full"


def test_no_run_of_numbers_is_longer_than_one_can_hold(picture):
    run = re.compile(rf"(?:{NUMBER.pattern}(?:, | and ))+{NUMBER.pattern}")
    for found in run.finditer(picture.alt):
        assert len(re.split(r", | and ", found[0])) <= 4, found[0]


def test_opening_is_short_and_nothing_is_lost(picture):
    first, rest = opening(picture.alt)
    assert len(sentences(first)) >= 2, "the title, and something of the point"
    assert len(first) <= OPENING
    assert " ".join([first, *rest]) == picture.alt
    assert max(map(len, rest), default=0) <= 220


# ---- The words they share ----------------------------------------------------


def test_the_opening_stops_before_the_rows_and_before_it_is_too_long():
    assert opening("A title. Short. pick: 1 and 2.") == ("A title. Short. pick: 1 and 2.", [])
    assert opening("A title. Short. pick: 1 and 2. More.", room=30) == (
        "A title. Short.",
        ["pick: 1 and 2.", "More."],
    )
    assert opening("Why? Because it is so.", room=6) == ("Why?", ["Because it is so."])
    assert opening("A. pick: −0.5. A thing: words.", room=20) == ("A.", ["pick: −0.5.", "A thing: words."])
    assert opening("A. Thing: words. pick: −0.5. Longer still.", room=30) == (
        "A. Thing: words.",
        ["pick: −0.5.", "Longer still."],
    )
    assert sentences("It is 0.5. Is it? W_q. End.") == ["It is 0.5.", "Is it?", "W_q.", "End."]


def test_words_for_how_numbers_stand():
    assert [compared(a, 2) for a in (1, 2, 3)] == ["smaller than", "as large as", "larger than"]
    assert between([1.0, 1.004], ".2f") == "at 1.00"
    assert between([2, 1.0, 1.5], ".1f") == "between 1.0 and 2.0"
    assert foremost("abc", [1, 3, 2], "d") == ["b"]
    assert foremost("abc", [3.001, 3, 2], ".1f") == ["a", "b"], "as far as one can see"
    assert foremost("abc", [3.001, 3, 2], ".1f", min) == ["c"]
    assert leanings("abc", "xxy") == "“a” and “b” put most on “x”; “c” puts most on “y”"
    assert quoted(["the"]) == "“the”"
    assert by_rows("ab", [[1, 2], [3, 4]], "d") == "a: 1 and 2. b: 3 and 4."
    assert [ordinal(i) for i in (0, 3, 4)] == ["1st", "4th", "5th"]


@pytest.mark.parametrize(
    ("title", "told"), [("A point", "A point. Rest."), ("Why?", "Why? Rest."), (None, "Rest.")]
)
def test_the_title_is_put_before_the_rest(title, told):
    assert Canvas(1, title).done(caption="C.", alt="Rest.").alt == told
    assert Canvas(1, title).done(caption="C.", alt="Rest.", titled=False).alt == "Rest."


# ---- Claims, which change with the numbers -----------------------------------


ANGLES, LAW = np.arange(0, 181, 5), np.array([2.0, 4.0])
ROW = np.array([-1.0, 0.0, 1.0, 2.0])
POWERS = np.where(ROW >= 0, np.exp(ROW), 0)
SCORES = np.tile(ROW, (4, 1))
TWO = np.outer([True, False, True, False], [True, False, True, False])

# Drawn from other numbers than the course's, what the words of a picture say, and what they never say.
# What they say of the course's own is stored with the picture, and `make check` compares.
CLAIMS = {
    "the thickest and the thinnest of several": (
        lambda: draw.cube_arrows(np.array([0.1, 0.45, 0.1, 0.35]), NAMES),
        f"the thickest comes from “{NAMES[1]}”, the thinnest come from {quoted([NAMES[0], NAMES[2]])}",
    ),
    "most from itself": (
        lambda: draw.cube_arrows(np.array([0.1, 0.2, 0.15, 0.55]), NAMES),
        f"the thickest comes from “{NAMES[3]}” itself",
    ),
    "who moves": (
        lambda: draw.before_after(example.TOKENS, example.OUTPUT, np.array([0.1, 0.2, 0.9, 0.3]), NAMES),
        f"“{NAMES[2]}” moves farthest, by 0.90, and “{NAMES[0]}” least, by 0.10.",
    ),
    "rows that do not go on": (
        lambda: draw.convolution(example.WEIGHTS, np.full((4, 4), 0.25), NAMES),
        "-every row has the same weights, one place further along",
        "-no two rows are alike",
    ),
    "a curve that rises": (lambda: draw.dot_product_angle(ANGLES, 4 * np.sin(np.deg2rad(ANGLES))), "-falls"),
    "a curve that is steep at its end": (
        lambda: draw.dot_product_angle(ANGLES, np.cos(np.deg2rad(ANGLES / 2))),
        "-flat at both ends",
    ),
    "turned scores": (
        lambda: draw.raw_scores(np.array([[1.0, -2.0], [0.5, 0.0]]), "ab"),
        "The largest is +1.00, the query of “a” with the key of “a”",
        "the smallest is −2.00, “a” with “b”",
        "-Nothing in the rows",
    ),
    "rows below zero": (
        lambda: draw.raw_scores(np.array([[1.0, -2.0], [-0.5, 0.0]]), "ab"),
        "Nothing in the rows of “b” is above zero.",
    ),
    "a standard deviation that stays": (
        lambda: draw.score_spread(np.array([4, 16]), LAW, np.ones(2), LAW),
        "from 2.00 at a head size of 4 to 4.00 at 16; scaled, it stays at 1.00",
    ),
    "one leader": (
        lambda: draw.weight_grid(np.tile([0.1, 0.6, 0.1, 0.2], (4, 1)), NAMES),
        f"{quoted(NAMES)} put most on “{NAMES[1]}”.",
    ),
    "the largest weight": (
        lambda: draw.softmax_table(ROW, ROW, np.array([0.1, 0.2, 0.3, 0.4]), NAMES),
        f"“{NAMES[3]}” has the largest weight, 0.400.",
    ),
    "a long text": (
        lambda: draw.real_sizes(2048, 768, 2, 2048 * 768, 2048**2, 2 * 2048**2),
        "One score matrix is larger than the matrix of the tokens",
    ),
    "parameters that change": (
        lambda: draw.head_counts([1, 2], [4, 2], [64, 65], [16, 32]),
        "the scores grow from 16 to 32, ",
        "lie between 64 and 65",
        "-usual",
    ),
    "no crossing in sight": (
        lambda: draw.cost_crossing([128, 256], [10, 20], [1, 2], 10_000),
        "-meet",
        "-steep",
    ),
    "never half": (lambda: draw.grid_share([1, 2], [0.1, 0.2]), "-for the first time"),
    "always half": (lambda: draw.grid_share([1, 2], [0.6, 0.7]), "-for the first time"),
    "sides of squares": (
        lambda: draw.grid_memory([1, 3], [1024, 9 * 1024]),
        "the largest is 3 times that of the smallest",
    ),
    "two padding tokens": (
        lambda: draw.padding_mask(SCORES, softmax(SCORES, TWO, no_answer="report"), TWO, "abcd"),
        "No token may attend to “b” and “d”. “b” and “d” may attend to nothing and have",
        "a: −1.00 for “a” and +1.00 for “c”; minus infinity for “b” and “d”.",
    ),
    "no mask": (
        lambda: draw.padding_mask(SCORES, softmax(SCORES), TWO | True, NAMES, title="Open"),
        "Open. Two matrices",
        "-infinity",
    ),
    "the largest score is allowed": (
        lambda: draw.masked_row(ROW, POWERS, POWERS.sum(), POWERS / POWERS.sum(), ROW >= 0, "abcd", "b"),
        "a: score −1.000, minus infinity after the mask, exponential 0.000, weight 0.000.",
        "-The largest score",
    ),
    "a stream without a rule": (
        lambda: draw.mixed_stream(("a", "b"), (3, 3), np.ones((2, 2), dtype=bool)),
        "-forbidden",
        "-fills most",
    ),
    "a type that sees nothing": (
        lambda: draw.mixed_stream(("a", "b"), (3, 3), np.array([[False, False], [True, True]])),
        "A tokens may attend to nothing.",
        "in the last 6 columns",
    ),
    "a row that does not total one": (
        lambda: draw.pitfall_no_answer(["one"], np.array([[0.5, 0.1, 0.1, 0.1]]), NAMES),
        "0 of the 1 rows sum to 1.000",
        "one: 0.500, 0.100, 0.100 and 0.100; sum 0.800.",
    ),
    "every query sees itself": (
        lambda: draw.pitfall_corner(*[softmax(SCORES[2:], causal_mask(2, 4))] * 2, NAMES[2:], NAMES),
        "Left, every query may attend to itself.",
    ),
}


@pytest.mark.parametrize("name", CLAIMS)
def test_claims_follow_the_numbers(name):
    drawn, *said = CLAIMS[name]
    alt = drawn().alt
    assert [words for words in said if (words[0] != "-") != (words.removeprefix("-") in alt)] == []


def test_blocks_say_both_ends_first():
    first, _ = opening(draw_picture("blockwise").alt)
    lengths = measure.recorded().lengths
    assert f"From {lengths[0]} to {lengths[-1]:,d} tokens memory goes from" in first
