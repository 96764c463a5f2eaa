# SPDX-License-Identifier: BSD-3-Clause
"""The growth law of times is recognised where it is known."""

from __future__ import annotations

import math
from collections.abc import Callable

import pytest

from hypermon_studies.growth import fit, powers

NODES = [8, 64, 512, 4096]
LAWS: dict[str, Callable[[int], float]] = {"n": lambda n: 2.0 + 0.5 * n, "log2 n": lambda n: 2.0 + 3.0 * math.log2(n)}


@pytest.mark.parametrize("law", LAWS)
def test_the_law_that_made_the_times_fits_them_and_the_other_does_not(law: str) -> None:
    times = [LAWS[law](n) for n in NODES]
    found = {shape: fit(NODES, times, shape) for shape in LAWS}
    (other,) = LAWS.keys() - {law}
    assert found[law].rms == pytest.approx(0, abs=1e-9)
    assert found[law].at(100) == pytest.approx(LAWS[law](100))
    assert found[other].rms > 0.1
    assert abs(found[other].worst) > found[other].rms


def test_a_power_is_told_between_each_number_of_nodes_and_the_next() -> None:
    assert powers([10, 100, 1000], [1.0, 10.0, 1000.0]) == pytest.approx([1, 2])


@pytest.mark.parametrize(("nodes", "times"), [([8, 16], [1.0, 2.0]), ([8, 16, 32], [1.0, 0.0, 2.0])])
def test_what_cannot_be_fitted_is_refused(nodes: list[int], times: list[float]) -> None:
    with pytest.raises(ValueError, match="three or more"):
        fit(nodes, times, "n")
