"""The page on mistakes: each one runs, gives what the page says, and meets a check that finds it."""

import re

import numpy as np
import pytest

from scripts import attention, example, pitfalls
from tools import notebooks

SCORES, WEIGHTS = example.SCORES, example.WEIGHTS
REAL = pitfalls.real_pairs()
PAGE = notebooks.BOOK / "12-pitfalls.ipynb"
PROSE = "\n".join(notebooks.markdown(PAGE))


def spoilt_values():
    values = example.VALUES.copy()
    values[pitfalls.FILLER] = np.nan
    return values


# What `wrong` is on the page, in its order, by the functions of scripts/pitfalls.py.
ON_THE_PAGE = [
    lambda: pitfalls.root_of_the_width(example.QUERIES[:, :2], example.KEYS[:, :2], 4),
    lambda: pitfalls.root_of_the_count(example.QUERIES[:3], example.KEYS[:3]),
    lambda: pitfalls.scale_after_softmax(example.QUERIES, example.KEYS),
    lambda: pitfalls.softmax_down_the_columns(SCORES),
    lambda: pitfalls.totals_without_keepdims(SCORES),
    lambda: pitfalls.largest_without_keepdims(SCORES),
    lambda: pitfalls.keep_the_largest(50 * SCORES),
    lambda: pitfalls.mask_after_softmax(SCORES, REAL),
    lambda: pitfalls.add_minus_a_billion(SCORES, REAL, np.float16),
    lambda: pitfalls.add_minus_a_billion(SCORES, REAL, np.float32),
    lambda: pitfalls.put_minus_infinity(SCORES, REAL),
    lambda: pitfalls.mix_without_clearing(
        attention.softmax(SCORES, pitfalls.hidden_filler()), spoilt_values()
    ),
    lambda: pitfalls.mask_turned_round(SCORES, ~attention.causal_mask(4)),
    lambda: pitfalls.causal_from_the_top(2, 4),
    lambda: pitfalls.masks_in_the_wrong_order(pitfalls.two_sentences(), 2),
    lambda: pitfalls.reshape_for_transpose(example.QUERIES, 2),
    lambda: pitfalls.join_without_permuting(np.array([head.output for head in example.TWO_HEADS.heads])),
    lambda: pitfalls.steps_called_flops(4, 4, 4),
    lambda: pitfalls.most_to_itself(WEIGHTS),
]


@pytest.mark.parametrize("name", pitfalls.PITFALLS)
def test_a_named_check_finds_the_mistake_and_passes_the_right_version(name):
    pitfall = pitfalls.PITFALLS[name]
    with pytest.raises(AssertionError):
        pitfall.check(pitfall.wrong, *pitfall.given)
    pitfall.check(pitfall.right, *pitfall.given)
    assert pitfall.finding()


def test_the_page_has_each_mistake_with_all_its_parts():
    headings = re.findall(r"^### (.+)$", PROSE, re.M)
    in_full = 0
    assert len(headings) == len(pitfalls.PITFALLS) == len(ON_THE_PAGE) >= 15
    for heading, part in zip(headings, re.split(r"^### .+$", PROSE, flags=re.M)[1:], strict=True):
        for label in ("What you see.", "Cure:", "Check:", "In public:"):
            assert part.count(f"**{label}**") == 1, (heading, label)
        in_full += part.count("**Why nothing complained:**")
        assert re.search(r"\*\*In public:\*\*.*\]\(https://", part), heading
        checks = re.findall(r"\*\*Check:\*\* (?:again )?`(\w+)`", part)
        assert len(checks) == 1 and callable(getattr(pitfalls, checks[0])), heading
    assert in_full == 5 == len(re.findall(r"^\| \[.+\| \*\*.+\*\* \|$", PROSE, re.M)), "the page says so"
    listed = re.findall(r"^\| \[(.+?)\]\(#(.+?)\)", PROSE, re.M)
    assert [name for name, _ in listed] == headings
    assert [slug for _, slug in listed] == [re.sub(",", "", h).lower().replace(" ", "-") for h in headings]


def test_the_page_names_the_check_that_finds_each_mistake():
    said = re.findall(r"\*\*Check:\*\* (?:again )?`(\w+)`", PROSE)
    assert said == [check for check, _ in pitfalls.findings().values()]
    assert said.count("rows_total_one") == 4, "the page says how often"
    table = re.findall(r"^\| `(\w+)` \|", PROSE, re.M)
    assert set(table) == set(said) and len(table) == len(set(table))


def test_the_code_on_the_page_does_what_the_functions_do(capsys):
    names, found = {}, []
    for source in ("".join(cell["source"]) for cell in notebooks.cells(PAGE) if cell["cell_type"] == "code"):
        exec(source, names)
        if re.search(r"^\s*wrong = ", source, re.M):
            found.append(names["wrong"])
    assert len(found) == len(ON_THE_PAGE)
    for page, function in zip(found, ON_THE_PAGE, strict=True):
        np.testing.assert_allclose(
            np.asarray(page, dtype=float), np.asarray(function(), dtype=float), rtol=1e-6
        )
    assert "nan" not in capsys.readouterr().out.lower()


# ---- what the page says of each ----------------------------------------------


def test_equal_sizes_hide_the_number_of_tokens():
    np.testing.assert_allclose(pitfalls.root_of_the_count(example.QUERIES, example.KEYS), WEIGHTS, atol=1e-12)


def test_rows_that_total_one_prove_little():
    for healthy in (
        pitfalls.largest_without_keepdims(SCORES),
        pitfalls.put_minus_a_billion(SCORES, REAL),
        pitfalls.add_minus_a_billion(SCORES, REAL, np.float32),
        pitfalls.add_minus_a_billion(SCORES, REAL, float),
        pitfalls.root_of_the_width(example.QUERIES, example.KEYS, 9),
    ):
        pitfalls.rows_total_one(healthy)


@pytest.mark.published_example
def test_the_largest_without_keepdims_puts_another_token_first():
    assert pitfalls.largest_without_keepdims(SCORES)[3].argmax() == 2 != WEIGHTS[3].argmax()


@pytest.mark.published_example
def test_only_the_row_that_overflows_is_lost():
    lost = ~np.isfinite(pitfalls.keep_the_largest(50 * SCORES))
    assert np.argwhere(lost).tolist() == [[1, 3]]


def test_wrong_divisors_are_wrong_by_their_own_factor():
    queries, keys = example.QUERIES[:, :3], example.KEYS[:3, :3]
    raw = queries @ keys.T
    np.testing.assert_allclose(3 * pitfalls.scores_over_the_head_size(queries, keys), raw)
    np.testing.assert_allclose(2 * pitfalls.scores_over_the_root_of_queries(queries, keys), raw)
    np.testing.assert_allclose(3**0.5 * pitfalls.scores_over_the_root_of_keys(queries, keys), raw)
    np.testing.assert_allclose(2 * pitfalls.scores_over_two(queries, keys), raw)


def test_minus_a_billion_is_right_where_something_is_allowed_and_zero_is_not():
    right = attention.softmax(SCORES[:3], REAL[:3])
    np.testing.assert_allclose(pitfalls.put_minus_a_billion(SCORES, REAL)[:3], right)
    raised = np.exp(SCORES[:3] * REAL[:3])
    wrong = raised / raised.sum(axis=1, keepdims=True)
    np.testing.assert_allclose(pitfalls.zero_for_minus_infinity(SCORES, REAL)[:3], wrong)


def test_a_late_mask_renormalised_is_right():
    late = pitfalls.mask_after_softmax(SCORES, REAL)[:3]
    right = attention.softmax(SCORES[:3], REAL[:3])
    np.testing.assert_allclose(late / late.sum(axis=1, keepdims=True), right, atol=1e-12)


def test_a_forbidden_row_depends_on_the_precision():
    rows = {k: pitfalls.add_minus_a_billion(SCORES, REAL, k)[3] for k in (np.float16, np.float32, float)}
    assert np.isnan(rows[np.float16]).all()
    np.testing.assert_array_equal(rows[np.float32], 0.25)
    np.testing.assert_allclose(rows[float], WEIGHTS[3], atol=1e-6)


def test_replies_are_of_three_kinds_and_one_refusal():
    ways, rows = pitfalls.replies(SCORES, REAL)
    assert len(ways) == len(rows) == 6
    assert np.isnan(rows.data[0]).all() and rows.data[1].sum() == 0
    np.testing.assert_allclose(rows.data[2:5].sum(axis=1), 1)
    assert np.ma.getmaskarray(rows)[5].all()


def test_the_inverted_mask_shows_the_future_only():
    turned = pitfalls.mask_turned_round(SCORES, ~attention.causal_mask(4))
    assert np.tril(turned[:3]).sum() == 0
    pitfalls.rows_total_one(turned[:3])
    assert np.isnan(turned[3]).all()


def test_both_corners_agree_on_square_grids():
    np.testing.assert_array_equal(pitfalls.causal_from_the_top(4, 4), attention.causal_mask(4))


def test_the_opposite_reshape_undoes_the_wrong_cut():
    cut = pitfalls.reshape_for_transpose(example.QUERIES, 2)
    np.testing.assert_array_equal(cut.reshape(4, 4), example.QUERIES)


def test_one_sentence_hides_the_order_of_masks():
    one = pitfalls.two_sentences()[1:]
    pitfalls.each_head_has_its_sentence(pitfalls.masks_in_the_wrong_order, one, 2)


@pytest.mark.published_example
def test_numbers_that_the_page_tells_in_words():
    half = pitfalls.add_minus_a_billion(SCORES, REAL, np.float16)
    assert np.isnan(half).sum() == 16 and np.spacing(np.float32(pitfalls.BILLION)) == 64
    assert 2 * pitfalls.steps_called_flops(4, 4, 4) == 128
    itself = WEIGHTS[np.arange(4), pitfalls.most_to_itself(WEIGHTS)]
    assert (itself < WEIGHTS.max(axis=1)).all()


# ---- the checks themselves -----------------------------------------------------


def test_checks_find_more_than_the_one_mistake_they_stand_beside():
    with pytest.raises(AssertionError, match="differ"):
        pitfalls.agrees_with_one_pair_at_a_time(
            lambda q, k: pitfalls.softmax_down_the_columns(attention.scaled_scores(q, k))
        )
    causal = attention.causal_mask(4)
    with pytest.raises(AssertionError, match="hidden"):
        pitfalls.hidden_tokens_move_nothing(
            pitfalls.run_causal(pitfalls.mask_after_softmax), example.TOKENS, causal
        )
    for wrong in (pitfalls.put_minus_a_billion, pitfalls.zeros_for_no_answer):
        with pytest.raises(AssertionError, match="nothing allowed"):
            pitfalls.empty_rows_give_no_weights(wrong)
    with pytest.raises(AssertionError, match="negative"):
        pitfalls.rows_total_one([[1.5, -0.5]])


def test_one_number_is_enough_for_a_check_to_find_it():
    with pytest.raises(AssertionError, match="1 of 2 entries"):
        pitfalls.only_numbers([1, np.nan])
    # a row that does not total one; half a row without an answer
    for first, hidden in (([0.5, 0.4, 0.0], [True, True, True]), ([0.5, 0.5, 0.0], [True, False, False])):
        rows = np.ma.array([first, [0.0, 0.0, 1.0]], mask=[[False] * 3, hidden])
        with pytest.raises(AssertionError):
            pitfalls.empty_rows_give_no_weights(lambda scores, allowed, rows=rows: rows)
    tokens, causal = example.TOKENS, attention.causal_mask(4)
    with pytest.raises(AssertionError, match="token 1 is hidden from token 0"):
        pitfalls.hidden_tokens_move_nothing(lambda t: np.c_[t, np.roll(t[:, 0], -1)], tokens, causal)
    pitfalls.every_token_counts(lambda t: np.c_[np.full((4, 1), t[:, 0].sum()), np.zeros((4, 1))], tokens)


def test_right_programs_of_other_conventions_pass():
    softmax = attention.softmax
    pitfalls.rows_total_one(softmax(SCORES).astype(np.float16))
    pitfalls.rows_total_one(softmax(SCORES).astype(np.float32))
    pitfalls.rows_total_one([[1, 0], [0, 1]])
    with pytest.raises(AssertionError, match="sum to one"):
        pitfalls.rows_total_one((0.98 * softmax(SCORES)).astype(np.float16))
    pitfalls.counted_one_at_a_time(lambda n_q, n_k, size: n_q * n_k * (2 * size - 1))
    masks = pitfalls.two_sentences()
    pitfalls.each_head_has_its_sentence(pitfalls.masks_in_the_wrong_order, masks, 2, head_by_head=False)
    with pytest.raises(AssertionError, match="another sentence"):
        pitfalls.each_head_has_its_sentence(
            lambda masks, heads: np.tile(masks, (heads, 1, 1)), masks, 2, head_by_head=False
        )
    pitfalls.every_token_counts(lambda t: np.full((4, 1), t.sum()), np.zeros((4, 2)))  # a token of zeros
    with pytest.raises(AssertionError, match="far apart"):
        pitfalls.same_when_scores_shift(
            lambda s: pitfalls.keep_the_largest(s - s.min(axis=1, keepdims=True), float)
        )


def test_a_value_without_weight_in_one_row_may_matter_in_another():
    weights = np.array([[1.0, 0.0], [0.5, 0.5]])
    pitfalls.hidden_values_do_not_matter(pitfalls.mix_without_clearing, weights, np.eye(2))


def test_nan_and_what_is_masked_are_written_in_words():
    assert pitfalls.in_words([1.0, np.nan, np.inf]) == "    1.000  no number  no number"
    assert pitfalls.in_words(np.ma.array([[0.5, 0.1]], mask=[[0, 1]])) == "    0.500  no answer"
