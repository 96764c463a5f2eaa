# SPDX-License-Identifier: BSD-3-Clause
"""Makes a picture from profiles of the program's routines that were written while the program ran.

The computing time of a process between two profiles is the growth of the time in routines that are no MPI functions.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from hypermon._model.routines import ARRIVED
from hypermon.judging.curves import Curve, curve_from_levels, merged
from hypermon.judging.picture import NO_HOLES, NodePicture, Picture, sort_arrivals

if TYPE_CHECKING:
    import pandas as pd

    from hypermon._model.activity import Activity

MPI = "MPI_"
PS_PER_S = 1e12


def picture(profiles: pd.DataFrame, activity: Activity) -> Picture | None:
    """Makes the picture from a frame with the columns `hypermon._model.routines.COLUMNS`. `process` is the rank.

    None: the frame is empty.
    """
    if profiles.empty:
        return None
    outside = ~profiles["routine"].astype(str).str.startswith(MPI)
    seconds = profiles["exclusive_s"].where(outside, 0.0)
    levels = seconds.groupby([profiles["process"], profiles["time_s"]], observed=True, sort=True).sum()
    of: dict[int, list[Curve]] = {}
    last: dict[int, int] = {}
    for process, own in levels.groupby(level=0, sort=True):
        rank = int(str(process))
        if not 0 <= rank < len(activity.ranks):
            continue
        node = activity.ranks[rank].node
        times = np.rint(own.index.get_level_values(1).to_numpy(float) * PS_PER_S).astype(np.int64)
        shown = own.to_numpy(float) * PS_PER_S
        if times[0] > 0:  # begin of the processes
            times, shown = np.append(0, times), np.append(0.0, shown)
        last[node] = min(last.get(node, int(times[-1])), int(times[-1]))
        if times[-1] < activity.end_ps and len(times) > 1:  # continues with the last slope
            pace = (shown[-1] - shown[-2]) / (times[-1] - times[-2])
            shown = np.append(shown, shown[-1] + pace * (activity.end_ps - times[-1]))
            times = np.append(times, activity.end_ps)
        of.setdefault(node, []).append(curve_from_levels(times, shown))
    nodes = [_seen(of.get(n, []), last.get(n, 0), activity, n) for n in range(activity.nodes)]
    if ARRIVED in profiles:
        nodes = _told(nodes, profiles, activity)
    return Picture("profiles", nodes, in_hindsight=True) if any(node is not None for node in nodes) else None


def _told(nodes: list[NodePicture | None], profiles: pd.DataFrame, activity: Activity) -> list[NodePicture | None]:
    """Adds the times of arrival."""
    each = profiles.drop_duplicates(["process", "time_s"])
    node = np.array([rank.node for rank in activity.ranks])[each["process"].to_numpy(int)]
    times = np.rint(each["time_s"].to_numpy(float) * PS_PER_S).astype(np.int64)
    ages = np.rint((each[ARRIVED] - each["time_s"]).to_numpy(float) * PS_PER_S).astype(np.int64)
    return [
        None if seen is None else replace(seen, arrivals=sort_arrivals(times[node == n], ages[node == n]))
        for n, seen in enumerate(nodes)
    ]


def _seen(curves: list[Curve], last_ps: int, activity: Activity, node: int) -> NodePicture | None:
    """Combines the ranks of a node. Ranks without a profile are assumed to behave like the others of their node."""
    if not curves:
        return None
    edges = merged([curve.times_ps for curve in curves])
    level = np.sum([curve.at(edges) for curve in curves], axis=0) * (activity.ranks_of(node) / len(curves))
    missing = last_ps < activity.end_ps
    holes = np.array([[last_ps, activity.end_ps]], np.int64) if missing else NO_HOLES
    return NodePicture(curve_from_levels(edges, level), holes)
