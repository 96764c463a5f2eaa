# SPDX-License-Identifier: BSD-3-Clause
"""Makes a picture from events that begin and end calls and waiting.

According to the events that arrived, a rank computes unless it is in an MPI call or a system call, or waits in one.
Events do not name their rank. The picture counts the ranks in calls and clamps the number to 0 and the node's ranks.

The configuration of the node determines how long it is busy with an event before and after the timestamp. During this
time the rank is not drawn as computing: a rank returns from a call after the event is emitted, and an interrupted rank
continues then.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from hypermon._files import arrow, memory
from hypermon._model import activity as activities
from hypermon._model import catalogues, monitors
from hypermon._model.schema import flat
from hypermon.judging.curves import curve_from_pieces, slower
from hypermon.judging.picture import NEVER, NO_HOLES, NodePicture, Picture, node_picture_from_states, sort_arrivals

if TYPE_CHECKING:
    import pyarrow as pa

    from hypermon._model.activity import Activity
    from hypermon._model.catalogues import Event
    from hypermon._model.result import Result
    from hypermon._model.schema import Value

BEGINS = {"nx2.syscall_entry": "call", "nx2.switch_out": "wait"}
ENDS = {"nx2.syscall_exit": "call", "nx2.switch_in": "wait"}
START_OF_PROCESS, END_OF_PROCESS = "nx2.process_start", "nx2.process_end"
APPLICATION = "user"
INTERRUPTS = {
    f"nx2.{point}"
    for point in ("tick", "message_arrived", "request_arrived", "grant_sent", "grant_received", "dma_done", "data_done")
}
"""Points of the operating system at which events may be emitted while the program computes."""
KINDS = ("call", "wait", "mpi")
NOTHING: Mapping[str, Emission] = MappingProxyType({})
PS_PER_US = 1e6
BYTES_OF_AN_EVENT = 150  # (measured) memory per event while a picture is made


class Emission(NamedTuple):
    """Time for which a node is busy with an event, ps: before and after the timestamp."""

    before: int
    behind: int


class HasEmission(Protocol):
    def emission(self) -> Callable[[Mapping[str, Value], Event], tuple[float, float]] | None: ...


def emissions(result: Result) -> Mapping[str, Emission]:
    """Returns the emission times of each point, from the run's configuration."""
    values = flat(result["spec"])
    own = monitors.part(monitors.find(values["monitor"]), HasEmission.emission)
    found = {}
    for row in catalogues.events(str(values.get(catalogues.PARAMETER, catalogues.BUILT_IN))):
        before, behind = own(values, row) if own is not None else (0.0, 0.0)
        found[row.point] = Emission(round(before * PS_PER_US), round((behind + row.cost_us) * PS_PER_US))
    return found


def of_run(result: Result, activity: Activity) -> Picture | None:
    """Makes the picture from the events in a run directory.

    Raises:
        UserError: It needs more memory than the host has.
    """
    events = activities.events(result.folder)
    memory.require(len(events) * BYTES_OF_AN_EVENT, f"{result.folder}: a picture from {len(events)} events")
    return picture(events, activity, emissions(result))


def picture(events: pa.Table, activity: Activity, emissions: Mapping[str, Emission] = NOTHING) -> Picture | None:
    """Makes the picture from a table with the columns `hypermon._model.activity.EVENT_COLUMNS`.

    None: no event begins a state. `emissions`: the emission times of each point. Other points take no time.
    """
    points = events["point"].combine_chunks()
    words = [str(word) for word in points.dictionary.to_pylist()]
    code = arrow.view(points.indices)
    change = np.array([_change(word) for word in words], np.int64).reshape(-1, len(KINDS))
    ends = np.array([word == END_OF_PROCESS for word in words], bool)
    states = change.any(axis=1) | ends | np.array([word == START_OF_PROCESS for word in words], bool)
    if not len(code) or not change[code].any():
        return None
    node, true = arrow.view(events["node"]), arrow.view(events["true_ps"])
    stamped, arrival = (arrow.filled(events[name], -1) for name in ("stamped_ps", "arrival_ps"))
    arrived = stamped != -1  # -1 stands for a missing timestamp
    before, behind = np.array([emissions.get(word, Emission(0, 0)) for word in words], np.int64).reshape(-1, 2).T
    begun, takes = stamped - before[code], before + behind
    order = np.argsort(node, kind="stable")
    bounds = np.searchsorted(node[order], np.arange(activity.nodes + 1))
    found: list[NodePicture | None] = []
    for n in range(activity.nodes):
        own, ranks = order[bounds[n] : bounds[n + 1]], activity.ranks_of(n)
        came, own = own[arrived[own]], own[states[code[own]]]
        told = came[states[code[came]]]
        if not len(told):
            found.append(None)
            continue
        told = told[np.argsort(begun[told], kind="stable")]
        holes = _holes(true[own], arrived[own], activity.end_ps)
        computing = _computing(change[code[told]], ends[code[told]], ranks)
        seen = node_picture_from_states(begun[told], computing, activity.end_ps, holes)
        stopped = np.array([_stops(word, ranks) for word in words], np.int64)
        stop = came[(takes * stopped)[code[came]] > 0]
        lasts = takes[code[stop]]
        busy = curve_from_pieces(begun[stop], begun[stop] + lasts, lasts * stopped[code[stop]])
        ages = np.where(arrival[told] < 0, NEVER, arrival[told] - true[told])
        found.append(replace(seen, curve=slower(seen.curve, busy), arrivals=sort_arrivals(begun[told], ages)))
    return Picture("events", found, in_hindsight=False)


def _stops(point: str, ranks: int) -> int:
    """Returns the number of computing ranks that wait while the event is emitted, at most all ranks of the node.

    This is the rank that returns from a call or is in its own code, or the ranks that are interrupted.
    """
    if point == START_OF_PROCESS or point.startswith(APPLICATION) or any(one < 0 for one in _change(point)):
        return 1
    return ranks if point in INTERRUPTS else 0


def _change(point: str) -> list[int]:
    """Returns the change of the number of ranks in a call, for each of KINDS."""
    kind = BEGINS.get(point) or ENDS.get(point)
    sign = 1 if point in BEGINS else -1
    if point.startswith("mpi."):
        kind, sign = "mpi", 1 if point.endswith(".enter") else -1
    return [sign if kind == one else 0 for one in KINDS]


def _computing(change: NDArray[np.int64], ends: NDArray[np.bool_], ranks: int) -> NDArray[np.int64]:
    """Returns the number of computing ranks after each event."""
    inside = np.zeros(len(change), np.int64)
    for kind in range(change.shape[1]):
        inside = np.maximum(inside, _bounded(change[:, kind], ranks))
    return np.asarray(np.clip(ranks - np.cumsum(ends) - inside, 0, ranks))


def _bounded(change: NDArray[np.int64], most: int) -> NDArray[np.int64]:
    """Returns the cumulative sum, clamped to 0 and `most`. It would leave this range only after a lost event."""
    if most == 1:  # the last change determines the state
        last = np.maximum.accumulate(np.where(change != 0, np.arange(len(change)), -1))
        return np.where((last >= 0) & (change[last] > 0), 1, 0)
    level = np.cumsum(change)
    if not len(level) or (level.min() >= 0 and level.max() <= most):
        return level
    return np.fromiter(_steps(change.tolist(), most), np.int64, len(change))


def _steps(change: list[int], most: int) -> Iterable[int]:
    level = 0
    for one in change:
        level = min(max(level + one, 0), most)
        yield level


def _holes(true_ps: NDArray[np.int64], arrived: NDArray[np.bool_], end_ps: int) -> NDArray[np.int64]:
    """Returns the holes: from the last event that arrived before a lost one to the next event that arrived."""
    if arrived.all():
        return NO_HOLES
    order = np.argsort(true_ps, kind="stable")
    times, came = true_ps[order], arrived[order]
    lost = ~came
    first = np.flatnonzero(lost & ~np.concatenate([[False], lost[:-1]]))
    last = np.flatnonzero(lost & ~np.concatenate([lost[1:], [False]]))
    begins = times[np.maximum(first - 1, 0)]
    following = np.minimum(last + 1, len(times) - 1)
    ends = np.where(last + 1 < len(times), times[following], max(end_ps, int(times[-1])))
    return np.stack([begins, ends], axis=1)
