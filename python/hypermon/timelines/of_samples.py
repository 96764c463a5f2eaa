"""A monitor's samples as statistics of a time line, by the node and the counter."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from hypermon.timelines.tracks import Statistic, TimeLine

if TYPE_CHECKING:
    from hypermon._model.result import Result


def statistics(result: Result) -> TimeLine:
    """By true time; a value holds from when it was sampled to the next sample. A UserError if there are no samples."""
    frame = result.samples.to_pandas()
    parted = set(frame["counter"][frame["part"] > 0])  # counters of several processes or processors of a node
    found = []
    for _, own in frame.groupby(["node", "counter", "part", "item"], sort=True, observed=True):
        rows = own.sort_values("true_ps", kind="stable")
        node, counter, part, item, unit = rows[["node", "counter", "part", "item", "unit"]].iloc[0]
        name = ":".join(text for text in (str(counter), str(item)) if text)
        path = (f"node {node}", name, str(part)) if counter in parted else (f"node {node}", name)
        times, values = rows["true_ps"].to_numpy(np.int64), rows["value"].to_numpy(np.float64)
        last = np.append(np.diff(times) > 0, True)  # of several at once
        found.append(Statistic(path, str(unit), times[last], values[last], exact=True))
    ends = [int(one.times_ps[-1]) for one in found]
    return TimeLine((), tuple(found), 0, max([1, round(float(result["elapsed_s"]) * 1e12), *ends]))
