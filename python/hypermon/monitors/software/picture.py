# SPDX-License-Identifier: BSD-3-Clause
"""Computing times of the program according to the traces, for processes (outside MPI calls) and for nodes."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from hypermon._model import activity as activities
from hypermon._model.result import Result
from hypermon.monitors.software import traces

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from hypermon.judging import Activity, Picture

ENTER, LEAVE, FLUSH = (traces.KINDS.index(kind) for kind in ("enter", "leave", "flush"))


def picture(result: Result, activity: Activity) -> Picture | None:
    """Makes the picture from the run's traces. None: no trace was kept."""
    from hypermon.judging import from_events

    if result.has_file(traces.FILE):
        records = traces.read(result.folder)
        return _of_processes(records, activity, not result["monitor"]["overrun"], traces.costs_ps(result))
    if result.has_file(activities.EVENTS):
        return from_events.of_run(result, activity)
    return None


class _Pieces(NamedTuple):
    """Computing intervals of a process, the end of its data, and the stamps and latencies of its records, ps."""

    begins: NDArray[np.int64]
    ends: NDArray[np.int64]
    told_until: int
    stamps: NDArray[np.int64]
    ages: NDArray[np.int64]


def _of_processes(
    rows: NDArray[np.void], activity: Activity, whole: bool, costs_ps: NDArray[np.int64]
) -> Picture | None:
    """`whole`: True if nothing was lost."""
    import numpy as np

    from hypermon.judging import NodePicture, Picture
    from hypermon.judging.curves import curve_from_pieces
    from hypermon.judging.picture import NO_HOLES, sort_arrivals

    kept = rows[rows["rank"] < len(activity.ranks)]
    order = np.argsort(kept["rank"], kind="stable")
    bounds = np.searchsorted(kept["rank"][order], np.arange(len(activity.ranks) + 1))
    of_nodes: list[list[_Pieces]] = [[] for _ in range(activity.nodes)]
    for rank, span in enumerate(activity.ranks):
        own = kept[order[bounds[rank] : bounds[rank + 1]]]
        if len(own):
            of_nodes[span.node].append(_of_process(own, activity.end_ps, costs_ps))
    nodes: list[NodePicture | None] = []
    for processes in of_nodes:
        if not processes:
            nodes.append(None)
            continue
        begins, ends, until, stamps, ages = zip(*processes, strict=True)
        holes = NO_HOLES if whole else np.array([(min(until), max(activity.end_ps, *until))], np.int64)
        curve = curve_from_pieces(np.concatenate(begins), np.concatenate(ends))
        nodes.append(NodePicture(curve, holes, sort_arrivals(np.concatenate(stamps), np.concatenate(ages))))
    return Picture("traces", nodes, in_hindsight=False) if any(nodes) else None


def _of_process(own: NDArray[np.void], end_ps: int, costs_ps: NDArray[np.int64]) -> _Pieces:
    """A process computes from the return of a call to the next call, except while it makes records or flushes. After
    its last record it stays in the last state.
    """
    import numpy as np

    from hypermon.judging.picture import NEVER

    stamp = np.asarray(own["stamp_ps"])
    kind = np.asarray(own["kind"])
    last_call = np.maximum.accumulate(np.where(np.isin(kind, (ENTER, LEAVE)), np.arange(len(own)), 0))
    computes = kind[last_call] == LEAVE
    since = stamp + np.where(kind == FLUSH, own["of"], 0).astype(np.int64) + costs_ps[kind]
    until = np.append(stamp[1:], max(end_ps, int(since[-1])))
    pieces = computes & (until > since)
    late = (own["arrived_ps"] < 0) | (own["arrived_ps"] >= end_ps)  # records that are written at MPI_Finalize
    ages = np.where(late, NEVER, own["arrived_ps"] - own["made_ps"])
    return _Pieces(since[pieces], until[pieces], int(since[-1]), stamp, ages)
