# SPDX-License-Identifier: BSD-3-Clause
"""Makes a picture from the traces of the processes: they compute outside of MPI calls and of the wrapper's code.

The time that the wrapper takes to format its text is not known from the traces, and counts as computing.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from hypermon._model.result import Result
from hypermon.monitors.hdtrace.timeline import timeline

if TYPE_CHECKING:
    from hypermon.judging import Activity, Picture

PS_PER_US = 1e6
_RANK = re.compile(r"rank (\d+)")


def picture(result: Result, activity: Activity) -> Picture | None:
    """Makes the picture from the run's project. None: it is missing, or has no trace of a process.

    After a loss, the time after a node's last call is a hole. Earlier losses do not show in traces.
    """
    import numpy as np

    from hypermon.judging import Curve, NodePicture, Picture
    from hypermon.judging.curves import curve_from_pieces, curve_from_slopes, merged
    from hypermon.judging.picture import NO_HOLES

    line = timeline(result)
    in_mpi: dict[int, list[Curve]] = {}
    begins: dict[int, int] = {}
    lasts: dict[int, int] = {}
    lost = result["ledger"]["lost_total"]["events"] > 0
    looks, writes = (round(result["spec"]["hdtrace"][name] * PS_PER_US) for name in ("enter_us", "leave_us"))
    for track in line.states if line is not None else ():
        found = _RANK.fullmatch(track.path[-1])
        if found is None or not len(track.begin_ps) or int(found[1]) >= len(activity.ranks):
            continue
        node = activity.ranks[int(found[1])].node
        begins[node] = min(begins.get(node, int(track.begin_ps[0])), int(track.begin_ps[0]))
        lasts[node] = min(lasts.get(node, activity.end_ps), int(track.end_ps.max()))
        until = np.maximum.accumulate(track.end_ps)  # calls inside a call are within it
        outer = np.append(True, (track.begin_ps[1:] >= until[:-1]) & (track.end_ps[1:] > until[:-1]))
        last = np.append(np.flatnonzero(outer)[1:] - 1, len(until) - 1)
        states = np.diff(last, prepend=-1)  # states of the call and of calls inside it
        begin = np.maximum(track.begin_ps[outer] - looks, np.append(0, until[last][:-1]))
        end = np.minimum(until[last] + writes * states, np.append(begin[1:], max(activity.end_ps, until[-1])))
        in_mpi.setdefault(node, []).append(curve_from_pieces(begin, end))
    if not in_mpi:
        return None
    nodes: list[NodePicture | None] = [None] * activity.nodes
    for node, curves in in_mpi.items():
        ranks = activity.ranks_of(node)
        edges = merged([np.array([begins[node], activity.end_ps]), *(one.times_ps for one in curves)])
        passed = np.diff(edges)
        inside = np.sum([np.diff(one.at(edges)) for one in curves], axis=0) / passed
        curve = curve_from_slopes(edges, ranks - inside * (ranks / len(curves)))
        holes = np.array([[lasts[node], activity.end_ps]], np.int64) if lost else NO_HOLES
        nodes[node] = NodePicture(curve, holes)
    return Picture("traces", nodes, in_hindsight=False)
