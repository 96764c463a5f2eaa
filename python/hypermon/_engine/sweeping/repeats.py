# SPDX-License-Identifier: BSD-3-Clause
"""Statistics over the repeats of a point: the mean and its confidence interval."""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pandas as pd

CONFIDENCE = 0.95
_NORMAL = 1.959963984540054  # the two-sided 95 % quantile of the normal distribution
_MOST_SUMMED = 1000  # (chosen) degrees of freedom above which the expansion is used, which is then as exact as the sum


@functools.cache
def student(degrees: int) -> float:
    """Returns the two-sided 95 % quantile of Student's t distribution. Infinite for zero degrees of freedom."""
    if degrees < 1:
        return math.inf
    if degrees > _MOST_SUMMED:
        return _expanded(degrees)
    low, high = 0.0, math.pi / 2
    while low < (middle := (low + high) / 2) < high:
        if _within(middle, degrees) < CONFIDENCE:
            low = middle
        else:
            high = middle
    return math.sqrt(degrees) * math.tan(high)


def _within(angle: float, degrees: int) -> float:
    """Returns P(|t| <= sqrt(degrees) tan(angle)) as a finite sum (Abramowitz and Stegun, 26.7.3 and 26.7.4)."""
    sine, cosine = math.sin(angle), math.cos(angle)
    odd = degrees % 2
    term = cosine if odd else 1.0
    total = 0.0
    for power in range(odd, degrees - 1, 2):
        total += term
        term *= cosine * cosine * (power + 1) / (power + 2)
    return 2 / math.pi * (angle + sine * total) if odd else sine * total


def _expanded(degrees: int) -> float:
    """Returns the quantile by an expansion around that of the normal distribution (Abramowitz and Stegun, 26.7.5)."""
    z, n = _NORMAL, float(degrees)
    terms = (
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160,
    )
    return z + sum(term / n ** (i + 1) for i, term in enumerate(terms))


def combine_repeats(frame: pd.DataFrame, varied: Sequence[str], metrics: Sequence[str]) -> pd.DataFrame:
    """Returns a row for every point, in order, with its repeats combined.

    A row has the varied parameters, the number of `repeats` with a result, the mean of each metric and, as `METRIC ±`,
    half of the mean's 95 % confidence interval. The interval assumes normally distributed repeats (Student's t); it is
    NaN for fewer than two repeats. `frame`: the sweep's table, with a row for each repeat. Failed repeats are left out.
    """
    import pandas as pd

    finished = frame[frame["status"] == "ok"]
    keys = list(varied) if varied else [pd.Series(0, index=finished.index)]
    groups = finished.groupby(keys, sort=False, dropna=False)
    size = groups.size()
    columns: dict[str, pd.Series[float]] = {}
    for metric in metrics:
        values = groups[metric].agg(lambda series: series.astype(float).mean())
        spread = groups[metric].agg(lambda series: series.astype(float).std())
        known = groups[metric].count()
        columns[metric] = values
        columns[f"{metric} ±"] = known.map(lambda n: student(n - 1)) * spread / known**0.5
    made = pd.DataFrame({"repeats": size, **columns})
    return made.reset_index() if varied else made.reset_index(drop=True)
