"""How a number is written."""

import numpy as np
import pytest

from scripts.numbers import listing, show, show_bytes, shows


@pytest.mark.parametrize(
    ("value", "form", "written"),
    [
        (-0.17, "+.2f", "−0.17"),
        (2.36, "+.2f", "+2.36"),
        (-0.001, "+.2f", "0.00"),
        (0.0, "+.1f", "0.0"),
        (393216, ",d", "393,216"),
        (np.int64(4), "d", "4"),
        (4.0, "d", "4"),
    ],
)
def test_numbers_are_written_one_way(value, form, written):
    assert show(value, form) == written


@pytest.mark.parametrize("value", [np.nan, np.inf, np.ma.masked])
def test_what_is_no_number_is_not_written_as_one(value):
    with pytest.raises(ValueError, match="finite number"):
        show(value)


def test_fractions_are_not_written_as_whole_numbers():
    with pytest.raises(ValueError, match="whole number"):
        show(2.5, "d")


def test_lists_read_as_english():
    assert listing(["a"]) == "a"
    assert listing(["a", "b", "c"]) == "a, b and c"
    assert shows([1, -2.5], ".1f") == "1.0 and −2.5"


@pytest.mark.parametrize(
    ("count", "written"),
    [
        (384, "384 bytes"),
        (1023, "1023 bytes"),
        (1024, "1 KiB"),
        (1536, "1.5 KiB"),
        (6 * 1024**2, "6 MiB"),
        (24 * 1024**3, "24 GiB"),
        (2048 * 1024**3, "2,048 GiB"),
    ],
)
def test_bytes_are_written_in_the_unit_that_suits_them(count, written):
    assert show_bytes(count) == written
