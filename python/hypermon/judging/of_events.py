# SPDX-License-Identifier: BSD-3-Clause
"""A picture from events: what begins and ends calls and waiting.

A node's ranks compute but for those that are in a call, as far as what arrived says: an MPI call or a system call, or
waiting in one. Events do not say of which rank they are: they are counted, and never less than none or more than all
ranks are in a call.

When a node has begun to emit an event, before its stamp, and how long it is busy with it behind that, is known from how
the node is configured. So nobody is drawn as computing meanwhile: who comes back from a call does so when that has been
told, and whom an interrupt stops goes on when it has.
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
from hypermon.judging.curves import of_pieces, slower
from hypermon.judging.picture import NEVER, NO_HOLES, Picture, Seen, of_states
from hypermon.judging.picture import told as in_order

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
"""What the system may emit while the program computes."""
KINDS = ("call", "wait", "mpi")
NOTHING: Mapping[str, Emission] = MappingProxyType({})
PS_PER_US = 1e6
BYTES_OF_AN_EVENT = 150  # (measured) while a picture is made


class Emission(NamedTuple):
    """How long a node is busy with an event, ps: before the instant that is stamped, and behind it."""

    before: int
    behind: int


class HasEmission(Protocol):
    def emission(self) -> Callable[[Mapping[str, Value], Event], tuple[float, float]] | None: ...


def emissions(result: Result) -> Mapping[str, Emission]:
    """By the point that emits it, as the run's configuration says."""
    values = flat(result["spec"])
    own = monitors.part(monitors.of(values["monitor"]), HasEmission.emission)
    found = {}
    for row in catalogues.events(str(values.get(catalogues.PARAMETER, catalogues.BUILT_IN))):
        before, behind = own(values, row) if own is not None else (0.0, 0.0)
        found[row.point] = Emission(round(before * PS_PER_US), round((behind + row.cost_us) * PS_PER_US))
    return found


def of_run(result: Result, activity: Activity) -> Picture | None:
    """The picture from the events that a run has kept.

    Raises:
        UserError: It needs more memory than the machine has.
    """
    events = activities.events(result.folder)
    memory.require(len(events) * BYTES_OF_AN_EVENT, f"{result.folder}: a picture from {len(events)} events")
    return picture(events, activity, emissions(result))


def picture(events: pa.Table, activity: Activity, emissions: Mapping[str, Emission] = NOTHING) -> Picture | None:
    """Of a table of `hypermon._model.activity.EVENT_COLUMNS`; None: it has nothing that begins a state.

    `emissions`: by point; what is not named takes no time.
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
    arrived = stamped != -1  # which no stamp is
    before, behind = np.array([emissions.get(word, Emission(0, 0)) for word in words], np.int64).reshape(-1, 2).T
    begun, takes = stamped - before[code], before + behind
    order = np.argsort(node, kind="stable")
    bounds = np.searchsorted(node[order], np.arange(activity.nodes + 1))
    found: list[Seen | None] = []
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
        seen = of_states(begun[told], computing, activity.end_ps, holes)
        stopped = np.array([_stops(word, ranks) for word in words], np.int64)
        stop = came[(takes * stopped)[code[came]] > 0]
        lasts = takes[code[stop]]
        busy = of_pieces(begun[stop], begun[stop] + lasts, lasts * stopped[code[stop]])
        ages = np.where(arrival[told] < 0, NEVER, arrival[told] - true[told])
        found.append(replace(seen, curve=slower(seen.curve, busy), told=in_order(begun[told], ages)))
    return Picture("events", found, in_hindsight=False)


def _stops(point: str, ranks: int) -> int:
    """How many ranks, of those that compute by what events say, wait while it is emitted: the one that comes back from
    a call or is in its own code, or whoever is interrupted. It is no more than there are."""
    if point == START_OF_PROCESS or point.startswith(APPLICATION) or any(one < 0 for one in _change(point)):
        return 1
    return ranks if point in INTERRUPTS else 0


def _change(point: str) -> list[int]:
    """By how many more ranks are in a call, of each of KINDS."""
    kind = BEGINS.get(point) or ENDS.get(point)
    sign = 1 if point in BEGINS else -1
    if point.startswith("mpi."):
        kind, sign = "mpi", 1 if point.endswith(".enter") else -1
    return [sign if kind == one else 0 for one in KINDS]


def _computing(change: NDArray[np.int64], ends: NDArray[np.bool_], ranks: int) -> NDArray[np.int64]:
    """From each event on."""
    inside = np.zeros(len(change), np.int64)
    for kind in range(change.shape[1]):
        inside = np.maximum(inside, _bounded(change[:, kind], ranks))
    return np.asarray(np.clip(ranks - np.cumsum(ends) - inside, 0, ranks))


def _bounded(change: NDArray[np.int64], most: int) -> NDArray[np.int64]:
    """The sum so far, which never leaves 0 to `most`: what would is of an event that was lost."""
    if most == 1:  # what came last
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
    """From the last event that arrived before one that was lost to the next one that did."""
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
