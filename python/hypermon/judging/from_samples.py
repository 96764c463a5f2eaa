# SPDX-License-Identifier: BSD-3-Clause
"""Makes a picture from samples of counters.

Each of these counters gives an upper bound of the computing time of a node's ranks between two samples:

- `cpu.user`: CPU time of the program's processes, which includes polling;
- `process.cpu`, item `program`: the same for the whole node;
- `mpi.time`: the time outside of the sampled MPI functions;
- `timer.exclusive`: the time outside of the MPI functions among the routines;
- `cpu.busy`: CPU time of a node, minus `cpu.kernel` and `cpu.emission` if these were sampled.

The picture uses the least bound. Processes that were not sampled are assumed to behave like the others of their node.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from hypermon._model import series
from hypermon.judging.curves import Curve, curve_from_levels, merged
from hypermon.judging.picture import NO_HOLES, NodePicture, Picture, sort_arrivals

if TYPE_CHECKING:
    import pandas as pd

    from hypermon._model.activity import Activity
    from hypermon._model.result import Result

USER, BY_NAME, IN_MPI, ROUTINES, BUSY = "cpu.user", "process.cpu", "mpi.time", "timer.exclusive", "cpu.busy"
OTHERS = ("cpu.kernel", "cpu.emission")
"""The parts of `cpu.busy` that do not belong to programs."""
COUNTERS = (USER, BY_NAME, IN_MPI, ROUTINES, BUSY)
"""The counters, in the order of their names in a picture's `source`."""
GAP = 2.0
"""(chosen) A gap of more than this many usual intervals is a hole, except for its first interval."""


def picture(result: Result, activity: Activity) -> Picture | None:
    """Makes the picture from a run's samples. None: no sampled counter shows when the program computed."""
    clock = series.best_clock(result)
    frame = series.timed(result, [*COUNTERS, *OTHERS], clock)
    items = frame["item"].astype(str)
    frame = frame[
        ~((frame["counter"] == BY_NAME) & (items != "program"))
        & ~((frame["counter"] == ROUTINES) & ~items.str.startswith("MPI_"))
    ]
    used = [name for name in COUNTERS if (frame["counter"] == name).any()]
    if not used:
        return None
    by_node = {int(str(node)): own for node, own in frame.groupby("node", sort=True)}
    nodes = [_seen(by_node[n], activity, n) if n in by_node else None for n in range(activity.nodes)]
    if all(node is None for node in nodes):
        return None
    return Picture(", ".join(used), nodes, in_hindsight=True, clock=clock)


def _seen(frame: pd.DataFrame, activity: Activity, node: int) -> NodePicture | None:
    begin, end, ranks = activity.begin_ps, activity.end_ps, activity.ranks_of(node)
    times = np.rint(frame["time_s"].to_numpy() * series.PS_PER_S).astype(np.int64)
    columns = {name: frame[name].to_numpy() for name in ("part", "value")}
    item = frame["item"].astype(str).to_numpy()
    counter = frame["counter"].astype(str).to_numpy()

    def total(name: str) -> tuple[Curve, int]:
        own = counter == name
        return _total(times[own], columns["part"][own], item[own], columns["value"][own])

    limits = []
    for name, limit in LIMITS.items():
        if (counter == name).any():
            grown, parts = total(name)
            others = [total(other)[0] for other in OTHERS if name == BUSY and (counter == other).any()]
            limits.append(limit(grown, parts, ranks, others))
    limits = [limit for limit in limits if len(limit.times_ps) > 1]
    if not limits:
        return None
    edges = merged([limit.times_ps for limit in limits])
    edges = edges[edges <= min(int(limit.times_ps[-1]) for limit in limits)]
    least = np.min([np.diff(limit.at(edges)) for limit in limits], axis=0).clip(min=0)
    # The last interval's rate is assumed to continue until the end.
    if len(least) and edges[-1] < end:
        least = np.append(least, least[-1] / (edges[-1] - edges[-2]) * (end - edges[-1]))
        edges = np.append(edges, end)
    curve = curve_from_levels(edges, np.concatenate([[0.0], np.cumsum(least)]))
    ages = (frame["arrival_ps"] - frame["true_ps"]).to_numpy()
    return NodePicture(curve, _holes(merged([times]), begin, end), sort_arrivals(times, ages))


def _total(
    times: NDArray[np.int64],
    part: NDArray[np.int64],
    item: NDArray[np.str_],
    value: NDArray[np.int64],
) -> tuple[Curve, int]:
    """Returns the sum over all instances of a counter, and the number of their processes.

    Each instance starts at 0 when the processes begin, and grows linearly between its samples.
    """
    names, of = np.unique(item, return_inverse=True)
    instance = part.astype(np.int64) * len(names) + of
    order = np.lexsort((times, instance))
    times, value, instance = times[order], value[order].astype(np.float64), instance[order]
    edges = merged([np.append(times, 0)])
    first = np.flatnonzero(np.append(True, np.diff(instance) != 0))
    level = np.zeros(len(edges))
    for at, until in zip(first, np.append(first[1:], len(times)), strict=True):
        own, shown = times[at:until], value[at:until]
        if own[0] > 0:
            own, shown = np.append(0, own), np.append(0.0, shown)
        level += np.interp(edges, own, shown)
    return Curve(edges, np.maximum.accumulate(level)), len(np.unique(part))


Limit = Callable[[Curve, int, int, Sequence[Curve]], Curve]
"""Returns an upper bound of the ranks' computing time from a counter's sum and the numbers of processes and ranks."""


def _cpu_time(grown: Curve, parts: int, ranks: int, _: Sequence[Curve]) -> Curve:
    return Curve(grown.times_ps, grown.levels_ps * (ranks / parts))


def _of_node(grown: Curve, _parts: int, _ranks: int, others: Sequence[Curve]) -> Curve:
    less = sum((other.at(grown.times_ps) for other in others), np.zeros(len(grown.times_ps)))
    return Curve(grown.times_ps, grown.levels_ps - less)


def _outside(grown: Curve, parts: int, ranks: int, _: Sequence[Curve]) -> Curve:
    passed = (grown.times_ps - grown.times_ps[:1]).astype(np.float64)
    return Curve(grown.times_ps, (parts * passed - grown.levels_ps) * (ranks / parts))


LIMITS: Mapping[str, Limit] = {
    USER: _cpu_time,
    BY_NAME: _of_node,
    IN_MPI: _outside,
    ROUTINES: _outside,
    BUSY: _of_node,
}


def _holes(times: NDArray[np.int64], begin: int, end: int) -> NDArray[np.int64]:
    """Returns the intervals without samples that are longer than usual."""
    if len(times) < 2:
        return np.array([[begin, end]], np.int64)
    usual = int(np.median(np.diff(times)))
    marks = np.concatenate([[begin] if begin < times[0] else [], times, [end] if end > times[-1] else []])
    marks = marks.astype(np.int64)
    long = np.flatnonzero(np.diff(marks) > GAP * usual)
    return np.stack([marks[long] + usual, marks[long + 1]], axis=1) if len(long) else NO_HOLES
