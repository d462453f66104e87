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
    assert not [word for word in COLOURS if word in re.findall(r"\w+", low)]
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


# --------------------------------------------------------------------------
# The words they share
# --------------------------------------------------------------------------


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


# --------------------------------------------------------------------------
# Claims, which change with the numbers
# --------------------------------------------------------------------------


@pytest.mark.published_example
def test_the_thickest_arrow_is_that_of_the_largest_weight():
    alt = draw_picture("cube-arrows").alt
    assert "the thickest comes from “pick”, the thinnest comes from “cube” itself" in alt
    other = draw.cube_arrows(np.array([0.1, 0.45, 0.1, 0.35]), NAMES).alt
    assert "the thickest comes from “up”, the thinnest come from “pick” and “the”" in other
    own = draw.cube_arrows(np.array([0.1, 0.2, 0.15, 0.55]), NAMES).alt
    assert "the thickest comes from “cube” itself" in own


@pytest.mark.published_example
def test_who_moves_farthest():
    assert "“pick” moves farthest, by 0.84, and “the” least, by 0.41." in draw_picture("before-after").alt
    other = draw.before_after(example.TOKENS, example.OUTPUT, np.array([0.1, 0.2, 0.9, 0.3]), NAMES)
    assert "“the” moves farthest, by 0.90, and “pick” least, by 0.10." in other.alt


@pytest.mark.published_example
def test_rows_of_a_convolution_repeat():
    repeats, unlike = "every row has the same weights, one place further along", "no two rows are alike"
    alt = draw_picture("convolution").alt
    assert repeats in alt and unlike in alt
    other = draw.convolution(example.WEIGHTS, np.full((4, 4), 0.25), NAMES).alt
    assert repeats not in other and unlike not in other


def test_the_shape_of_the_curve_of_angles():
    said = "The curve falls all the way, flat at both ends and steepest at 90 degrees."
    assert said in draw_picture("dot-product-angle").alt
    angles = np.arange(0, 181, 5)
    assert "falls" not in draw.dot_product_angle(angles, 4 * np.sin(np.deg2rad(angles))).alt
    half = np.cos(np.deg2rad(angles / 2))
    assert "flat at both ends" not in draw.dot_product_angle(angles, half).alt


@pytest.mark.published_example
def test_extremes_of_the_scores():
    alt = draw_picture("raw-scores").alt
    assert "The largest is +5.92, the query of “up” with the key of “cube”" in alt
    assert "the smallest is −5.68, “cube” with “cube”" in alt
    assert "Nothing in the rows of “the” and “cube” is above zero." in alt
    turned = draw.raw_scores(-example.RAW, NAMES).alt
    assert "The largest is +5.68, the query of “cube” with the key of “cube”" in turned
    assert "Nothing in the rows" not in turned
    divided = draw_picture("scaled-scores").alt
    assert "The largest, +5.92, becomes +2.96; the smallest, −5.68, becomes −2.84." in divided


def test_what_stays_and_what_grows_with_the_head():
    alt = draw_picture("score-spread").alt
    assert "from 2.04 at a head size of 4 to 31.85 at 1,024; divided, it stays between 1.00 and 1.02" in alt
    law = np.array([2.0, 4.0])
    assert "stays at 1.00" in draw.score_spread(np.array([4, 16]), law, np.ones(2), law).alt
    alt = draw_picture("winner-share").alt
    assert "takes 0.293 at a head size of 4 and 0.941 at 1,024; divided, it stays between 0.107" in alt


@pytest.mark.published_example
def test_leaders_of_the_weights():
    alt = draw_picture("weight-grid").alt
    assert "“pick” and “up” put most on “cube”; “the” and “cube” put most on “pick”." in alt
    assert (
        "“pick”, “up”, “the” and “cube” put most on “up”."
        in draw.weight_grid(np.tile([0.1, 0.6, 0.1, 0.2], (4, 1)), NAMES).alt
    )
    assert "“pick” has the largest share, 0.683." in draw_picture("softmax-table").alt
    row = np.array([0.1, 0.2, 0.3, 0.4])
    assert "“cube” has the largest share, 0.400." in draw.softmax_table(row, row, row, NAMES).alt
    assert "robot 2: 0.136, 0.035, 0.422 and 0.407, most on “the”." in draw_picture("self-cross").alt


def test_sizes_of_the_grids_are_compared():
    alt = draw_picture("real-sizes").alt
    assert "One score grid is smaller than the grid of the tokens; all 12 of them together are larger" in alt
    long = draw.real_sizes(2048, 768, 2, 2048 * 768, 2048**2, 2 * 2048**2).alt
    assert "One score grid is larger than the grid of the tokens" in long


def test_parameters_stay_or_do_not():
    alt = draw_picture("head-counts").alt
    assert "grow from 262,144 to 6,291,456 numbers, while the parameters" in alt
    assert "of the four matrices stay 2,359,296 in every row." in alt
    other = draw.head_counts([1, 2], [4, 2], [64, 65], [16, 32]).alt
    assert "lie between 64 and 65" in other and "usual" not in other


@pytest.mark.published_example
def test_what_a_mask_forbids_is_said():
    padding, causal = draw_picture("padding-mask").alt, draw_picture("causal-mask").alt
    assert "No token may look at “cube”. “cube” may look at nothing and has no answer." in padding
    assert "Everything above the diagonal is forbidden." in causal
    assert "cube: minus infinity everywhere." in padding and "cube: no answer." in padding
    assert "no answer" not in causal and "above the diagonal" not in padding
    real = np.array([True, False, True, False])
    two = np.outer(real, real)
    weights = softmax(example.SCORES, two, no_answer="report")
    alt = draw.padding_mask(example.SCORES, weights, two, NAMES).alt
    assert "No token may look at “up” and “cube”. “up” and “cube” may look at nothing and have" in alt
    assert "pick: −0.63 for “pick” and +0.97 for “the”; minus infinity for “up” and “cube”." in alt
    free = np.ones((4, 4), dtype=bool)
    open_alt = draw.padding_mask(example.SCORES, example.WEIGHTS, free, NAMES, title="Open").alt
    assert open_alt.startswith("Open. Two grids") and "infinity" not in open_alt


@pytest.mark.published_example
def test_the_largest_score_may_be_the_forbidden_one():
    alt = draw_picture("masked-row").alt
    assert "The largest score, +2.962 for “cube”, is forbidden and gets the share 0.000." in alt
    allowed = np.array([False, True, True, True])
    row = np.array([-1.0, 0.0, 1.0, 2.0])
    powers = np.where(allowed, np.exp(row), 0)
    alt = draw.masked_row(row, powers, powers.sum(), powers / powers.sum(), allowed, NAMES, "up").alt
    assert "The largest score" not in alt
    assert "pick: score −1.000, minus infinity after the mask, e to that 0.000, share 0.000." in alt


def test_where_the_forbidden_pairs_of_a_stream_lie():
    alt = draw_picture("mixed-stream").alt
    assert "everything forbidden lies in the last 9 columns" in alt
    assert "The block in which picture looks at picture, 256 by 256, fills most of it." in alt
    kinds, counts = ("a", "b"), (3, 3)
    free = draw.mixed_stream(kinds, counts, np.ones((2, 2), dtype=bool)).alt
    assert "forbidden" not in free and "fills most" not in free
    deaf = draw.mixed_stream(kinds, counts, np.array([[False, False], [True, True]])).alt
    assert "A tokens may look at nothing." in deaf and "in the last 6 columns" in deaf


def test_costs_meet_and_shares_pass_the_half():
    alt = draw_picture("cost-crossing").alt
    assert "They meet at 1,536 tokens." in alt and "is twice as steep" in alt
    level = draw.cost_crossing([128, 256], [10, 20], [1, 2], 10_000).alt
    assert "meet" not in level and "steep" not in level
    assert "for the first time at 2,048 tokens" in draw_picture("grid-share").alt
    assert "for the first time" not in draw.grid_share([1, 2], [0.1, 0.2]).alt
    assert "for the first time" not in draw.grid_share([1, 2], [0.6, 0.7]).alt
    assert "the largest is 64 times that of the smallest" in draw_picture("grid-memory").alt
    assert "the largest is 3 times that of the smallest" in draw.grid_memory([1, 3], [1024, 9 * 1024]).alt


def test_blocks_say_both_ends_first():
    run = measure.recorded()
    first, _ = opening(draw.blockwise(run).alt)
    assert f"From {run.lengths[0]} to {run.lengths[-1]:,d} tokens memory goes from" in first
    assert draw.blockwise(run).alt.count(" tokens: ") == len(run.lengths)


def test_the_busiest_idea_of_the_map():
    assert "The most lines, 3, leave “a cost that grows with the square”." in draw_picture("reading-map").alt


@pytest.mark.published_example
def test_rows_that_total_one_are_counted():
    alt = draw_picture("pitfall-no-answer").alt
    assert "3 of the 6 rows total 1.000, as if nothing were wrong." in alt
    assert "minus a billion put in: 0.250 on each, total 1.000." in alt
    other = draw.pitfall_no_answer(["one"], np.array([[0.5, 0.1, 0.1, 0.1]]), NAMES).alt
    assert "0 of the 1 rows total 1.000" in other
    assert "one: 0.500, 0.100, 0.100 and 0.100, total 0.800." in other


def test_who_may_not_look_at_itself():
    told = f"Left, {quoted(NAMES[2:])} may not look at themselves. Right, every query may look at itself."
    assert told in draw_picture("pitfall-corner").alt
    right = softmax(example.SCORES[2:], causal_mask(2, 4))
    assert "Left, every query may look at itself." in draw.pitfall_corner(right, right, NAMES[2:], NAMES).alt
