"""What many generators gave, once more for the first of them: too long for every change."""

import numpy as np
import pytest

from scripts import arm

pytestmark = pytest.mark.thorough


def test_the_study_of_the_arm():
    small = arm.study(2, 1)
    for name in ("distance", "rounded"):
        np.testing.assert_allclose(small[name], arm.STUDY[name][:2], atol=0.002)
    np.testing.assert_allclose(small["shuffled"], arm.STUDY["shuffled"][:1], atol=0.002)
    for name in ("divided", "undivided", "rates_divided", "rates_undivided"):
        np.testing.assert_allclose(small[name], [row[:1] for row in arm.STUDY[name]], atol=0.02)
