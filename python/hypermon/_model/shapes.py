# SPDX-License-Identifier: BSD-3-Clause
"""Numbers that describe the shape of a curve: its variation and its periodicity."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

MOST = 1000  # (chosen) most values of a curve whose autocorrelation is computed at every lag


def variation(values: Sequence[float]) -> float:
    """Coefficient of variation: the standard deviation of all values, in units of their mean."""
    mean = math.fsum(values) / len(values)
    return math.sqrt(math.fsum((value - mean) ** 2 for value in values) / len(values)) / abs(mean)


def autocorrelation(values: Sequence[float], lag: int) -> float:
    """Correlation of a curve with itself, shifted by `lag` values: 1 for an exact repetition, about 0 for none.

    Raises ValueError: the curve is no longer than the shift, or does not vary.
    """
    if not 0 <= lag < len(values):
        raise ValueError(f"a lag of {lag} in {len(values)} values: must be from 0 to {len(values) - 1}")
    mean = math.fsum(values) / len(values)
    apart = [value - mean for value in values]
    whole = math.fsum(value * value for value in apart)
    if whole == 0:
        raise ValueError("a curve that does not vary has no autocorrelation")
    return math.fsum(a * b for a, b in zip(apart, apart[lag:], strict=False)) / whole


def largest_autocorrelation_peak(values: Sequence[float]) -> float:
    """Largest peak of the autocorrelation at any lag up to half of the curve; 0 without a peak.

    A peak exceeds both of its neighbours. A slow trend, whose autocorrelation only falls, has none; nor has a constant.

    Raises ValueError: the curve has more than MOST values.
    """
    if len(values) > MOST:
        raise ValueError(f"{len(values)} values: must be at most {MOST}")
    if min(values) == max(values):
        return 0.0
    at = [autocorrelation(values, lag) for lag in range(len(values) // 2 + 2)]
    rises = [after > before for before, after in pairwise(at)]
    peaks = [at[i + 1] for i, (up, still) in enumerate(pairwise(rises)) if up and not still]
    return max(0.0, *peaks) if peaks else 0.0
