"""Tests that say what holds of the published example, and rest while it is another one.

Change the example in scripts/example.py, and these have nothing to say until
the text is written for it and `WRITTEN_FOR` in tools/prose.py says so.  Then
they, and printed_facts.json, are to be rewritten like the text.
"""

import gc

import pytest

from tools import prose

# Figures are full of cycles; looking for them less often takes a sixth off `make check`.
gc.set_threshold(200_000)

OF_THE_EXAMPLE = {
    "test_alt_texts": [
        "test_the_thickest_arrow_is_that_of_the_largest_weight",
        "test_who_moves_farthest",
        "test_rows_of_a_convolution_repeat",
        "test_extremes_of_the_scores",
        "test_leaders_of_the_weights",
        "test_what_a_mask_forbids_is_said",
        "test_the_largest_score_may_be_the_forbidden_one",
        "test_rows_that_total_one_are_counted",
    ],
    "test_claims": [
        "test_pick_and_up_end_nearest_and_lean_on_the_same_token",
        "test_a_token_of_zeros_takes_from_all_alike_and_gets_more",
        "test_direct_comparison_is_mutual_and_mostly_finds_itself",
        "test_mix_values_printed_products_add_up",
        "test_the_second_block_brings_the_larger_score",
    ],
    "test_example": ["test_tokens_and_weights_are_the_printed_ones"],
    "test_pitfalls": [
        "test_the_largest_without_keepdims_puts_another_token_first",
        "test_only_the_row_that_overflows_is_lost",
    ],
    "test_program": ["test_masks_of_section_9", "test_what_pytorch_is_said_to_print_is_the_course_s"],
    "test_torch": ["test_shown_code_runs_and_prints_what_stands_under_it"],
}


def pytest_unconfigure():
    gc.freeze()  # the process ends: nobody need sort out its figures


def pytest_collection_modifyitems(items):
    if not prose.written_for():
        return
    rests = pytest.mark.skip(reason="says what holds of the published example, and the example is another")
    for item in items:
        named = getattr(item, "originalname", "") in OF_THE_EXAMPLE.get(item.path.stem, ())
        if named or item.get_closest_marker("published_example"):
            item.add_marker(rests)
