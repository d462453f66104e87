"""Memory and time, as recorded and as measured here."""

import numpy as np
import pytest

from scripts import draw, measure


def test_recorded_run_bears_out_what_the_text_says():
    run = measure.recorded()
    assert run.lengths == (256, 512, 1024, 2048, 4096, 8192)
    assert run.block_bytes[-1] * 50 < run.full_bytes[-1]
    assert run.block_seconds[-1] <= run.full_seconds[-1]
    # What a doubling of the tokens does, in doublings: twice is 1, four times is 2.
    whole, blocks = (np.diff(np.log2(column)) for column in (run.full_bytes, run.block_bytes))
    assert whole[-3:] == pytest.approx(2, abs=0.01)
    assert (np.diff(blocks) > 0).all() and 0.85 < blocks[-1] < 1
    for seconds in (run.full_seconds, run.block_seconds):
        assert np.diff(np.log2(seconds))[-3:].mean() == pytest.approx(2, abs=0.25)
    # In blocks, what grows is the result alone: a vector of numbers of eight bytes for each token.
    grown = (run.block_bytes[-1] - run.block_bytes[-2]) / (run.lengths[-1] - run.lengths[-2])
    assert grown == 8 * measure.HEAD_SIZE
    assert "Recorded once on a two-core machine" in draw.blockwise(run).caption


@pytest.mark.slow
def test_memory_measured_here_is_the_memory_recorded():
    here, stored = measure.measure(1024, shortest=512, repeats=1), measure.recorded()
    assert not here.recorded and here.lengths == stored.lengths[1:3]
    assert here.full_bytes == pytest.approx(stored.full_bytes[1:3], rel=0.05)
    assert here.block_bytes == pytest.approx(stored.block_bytes[1:3], rel=0.05)
    assert min(here.full_seconds + here.block_seconds) > 0
    assert "Measured on this machine" in draw.blockwise(here).caption


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        ({"longest": 300}, "longest"),
        ({"longest": 2.5}, "longest"),
        ({"longest": 512, "shortest": 0}, "shortest"),
        ({"longest": 4, "shortest": 2, "repeats": 0}, "repeats"),
    ],
)
def test_measure_says_what_it_cannot_do(arguments, named):
    with pytest.raises(ValueError, match=named):
        measure.measure(**arguments)
