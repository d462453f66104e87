"""Every fact against the figure that the page this course rebuilds prints."""

import json
import re
from pathlib import Path

import numpy as np
import pytest

from scripts.numbers import MINUS, listing, show, shows
from tools.facts import facts, plain

PRINTED = json.loads((Path(__file__).with_name("printed_facts.json")).read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def known():
    return facts()


def decimals(number):
    """How many digits a printed number has after its point."""
    return len(repr(number).partition(".")[2]) if isinstance(number, float) else 0


@pytest.mark.parametrize("identity", PRINTED)
def test_value(identity, known):
    assert identity in known, f"fact {identity!r} is computed nowhere"
    if "value" not in PRINTED[identity]:
        return
    want = np.array(PRINTED[identity]["value"], dtype=float)
    got = np.asarray(known[identity], dtype=float)
    assert got.shape == want.shape
    flat = np.ravel(PRINTED[identity]["value"]).tolist()
    places = max(decimals(number) for number in flat)
    np.testing.assert_allclose(got, want, atol=0.5 * 10.0**-places + 1e-9, rtol=0)


# The figures below are not the rounding of one number to what is printed.
WORDED = {"grid-memory"}
# Here the page prints one figure for several numbers that all round to it.
SHARED = {"spread-scaled-rest"}


@pytest.mark.parametrize("identity", [k for k, v in PRINTED.items() if "show" in v])
def test_show(identity, known):
    printed = PRINTED[identity]["show"]
    if identity in WORDED:
        assert printed == "6 MiB, 96 MiB, 1.5 GiB, 24 GiB"
        assert (np.asarray(known[identity]) / 2**20).tolist() == [6, 96, 1.5 * 1024, 24 * 1024]
        return
    numerals = re.findall(r"[+-]?\d[\d,]*(?:\.\d+)?", printed.replace(", ", " "))
    values = np.ravel(known[identity])
    if identity in SHARED:
        numerals = numerals * len(values)
    assert len(numerals) == len(values)
    for numeral, value in zip(numerals, values, strict=True):
        form = "+" if numeral[0] in "+-" and any(n[0] == "+" for n in numerals) else ""
        form += "," if "," in numeral else ""
        form += f".{len(numeral.partition('.')[2])}f"
        assert show(value, form) == numeral.replace("-", MINUS)


def test_the_simulations_settled_figures(known):
    assert [show(v, ".2f") for v in np.ravel(known["winner-scaled-by-size"])] == ["0.11"] * 5


def test_plain_facts_are_plain(known):
    text = json.dumps(plain(), allow_nan=False)
    assert json.loads(text).keys() == known.keys()


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
