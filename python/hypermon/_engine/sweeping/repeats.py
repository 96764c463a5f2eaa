# SPDX-License-Identifier: BSD-3-Clause
"""Repeats of a point taken together: their mean, and where the mean of ever more of them would be."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pandas as pd

CONFIDENCE = 0.95
# Student's t for 95 % by degrees of freedom, 1 to 30; the normal distribution's beyond, with the next terms.
_T = (
    12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228,
    2.201, 2.179, 2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086,
    2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042,
)  # fmt: skip
_NORMAL = 1.959964


def student(degrees: int) -> float:
    """The two-sided 95 % quantile of Student's t distribution (to 0.001); infinite without any degree of freedom."""
    if degrees < 1:
        return math.inf
    if degrees <= len(_T):
        return _T[degrees - 1]
    z, n = _NORMAL, degrees
    return z + (z**3 + z) / (4 * n) + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * n**2)


def together(frame: pd.DataFrame, varied: Sequence[str], metrics: Sequence[str]) -> pd.DataFrame:
    """A row for every point, in order: the varied parameters, `repeats` that have a result, and for each metric its
    mean under its own name and, under `METRIC ±`, half of the mean's 95 % confidence interval.

    Student's t, which assumes that repeats scatter about normally; NaN of fewer than two repeats. `frame`: a sweep's
    table, a row a repeat; failed ones are left out.
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
