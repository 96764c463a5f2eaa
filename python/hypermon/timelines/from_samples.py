# SPDX-License-Identifier: BSD-3-Clause
"""A monitor's samples as statistics of a time line, by node and counter."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

import numpy as np

from hypermon._model import series
from hypermon.errors import UserError
from hypermon.timelines.tracks import Statistic, TimeLine

if TYPE_CHECKING:
    from hypermon._model.result import Result


def statistics(result: Result) -> TimeLine:
    """Returns the samples as statistics over true time.

    Growing counters are shown by their rate, as in `hypermon plot counters`. Other values are valid until the next
    sample.

    Raises:
        UserError: There are no samples, or too few of every counter.
    """
    found: list[Statistic] = []
    for counter, about in series.kinds(result).items():
        with contextlib.suppress(UserError):  # too few samples for a rate, or none
            for one in series.of_run(result, [counter], clock="true"):
                times = np.round(one.time_s * series.PS_PER_S).astype(np.int64)
                path = (f"node {one.node}", counter)
                grows = about["kind"] in series.GROWING
                found.append(Statistic(path, one.unit, times, np.asarray(one.value, np.float64), exact=not grows))
    if not found:
        raise UserError(f"{result.path}: has no time line: no counter was sampled twice on a node")
    nodes = sorted(found, key=lambda one: int(one.path[0].rpartition(" ")[2]))
    return TimeLine((), tuple(nodes), 0, max(int(one.times_ps[-1]) for one in nodes))
