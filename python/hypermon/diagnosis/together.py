# SPDX-License-Identifier: BSD-3-Clause
"""Joint activity of all processes: at each time some processes compute, more or less evenly, or none does.

The elapsed time has three parts: the mean computing time of the processes, the excess of the busiest one over the mean,
and the time in which all processes are in MPI. Within a sampling interval processes may compute in turn. This appears
as even computing; shorter intervals show more.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from hypermon._model import series

if TYPE_CHECKING:
    import pandas as pd


class Together(NamedTuple):
    """A run's time in three parts, s.

    Attributes:
        computing_s: Mean time of the processes outside MPI.
        uneven_s: Excess over the mean of the process with the most time outside MPI, summed over the intervals.
        nobody_s: Time in which all processes are in MPI.
    """

    computing_s: float
    uneven_s: float
    nobody_s: float


def of_levels(in_mpi: pd.DataFrame, elapsed_s: float, end_s: float) -> Together:
    """Computes the parts from samples of the time in MPI. Unsampled time is assumed to be like the sampled time.

    Args:
        in_mpi: Rows with `node`, `part`, `time_s` (s) and `value` (ps), one for each sample.
        elapsed_s: Length of the run, s.
        end_s: Its end, on the same clock.
    """
    import numpy as np

    curves = [
        (own["time_s"].to_numpy(), own["value"].to_numpy() / series.PS_PER_S)
        for _, own in in_mpi.groupby(["node", "part"], observed=True, sort=True)
    ]
    begin = max(times[0] for times, _ in curves)
    grid = curves[0][0]
    grid = grid[(grid >= begin) & (grid <= end_s)]
    passed = np.diff(grid)
    outside = np.array([passed - np.diff(np.interp(grid, *curve)) for curve in curves]).clip(0)
    most = outside.max(axis=0, initial=0)
    mean = outside.mean(axis=0)
    seen = passed.sum()
    scale = elapsed_s / seen if seen > 0 else 0.0
    return Together(
        float(mean.sum() * scale), float((most - mean).sum() * scale), float((passed - most).clip(0).sum() * scale)
    )
