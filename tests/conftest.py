"""Tests marked `published_example` rest while the example is another one.

Change the example in scripts/example.py, and these have nothing to say until
the text is written for it and `WRITTEN_FOR` in tools/prose.py says so.  Then
they, and golden.json, are to be rewritten like the text.
"""

import gc

import pytest

from tools import prose

# Figures are full of cycles; looking for them less often takes a sixth off `make check`.
gc.set_threshold(200_000)


def pytest_unconfigure():
    gc.freeze()  # the process ends: nobody need sort out its figures


def pytest_collection_modifyitems(items):
    if not prose.written_for():
        return
    rests = pytest.mark.skip(reason="says what holds of the published example, and the example is another")
    for item in items:
        if item.get_closest_marker("published_example"):
            item.add_marker(rests)
