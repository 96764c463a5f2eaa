"""A picture from events: what begins and ends calls and waiting.

A node's ranks compute but for those that are in a call, as far as what arrived says: an MPI call or a system call, or
waiting in one. Events do not say of which rank they are: they are counted, and never less than none or more than all
ranks are in a call.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from hypermon.judging.picture import NO_HOLES, Picture, Seen, of_states

if TYPE_CHECKING:
    import pyarrow as pa

    from hypermon._model.activity import Activity

BEGINS = {"nx2.syscall_entry": "call", "nx2.switch_out": "wait"}
ENDS = {"nx2.syscall_exit": "call", "nx2.switch_in": "wait"}
END_OF_PROCESS = "nx2.process_end"
KINDS = ("call", "wait", "mpi")


def picture(events: pa.Table, activity: Activity) -> Picture | None:
    """Of a table of `hypermon._model.activity.EVENT_COLUMNS`; None: it has nothing that begins a state."""
    points = events["point"].combine_chunks()
    words = [str(word) for word in points.dictionary.to_pylist()]
    code = np.asarray(points.indices.to_numpy(zero_copy_only=False))
    change = np.array([_change(word) for word in words], np.int64).reshape(-1, len(KINDS))
    ends = np.array([word == END_OF_PROCESS for word in words], bool)
    if not len(code) or not change[code].any():
        return None
    node = np.asarray(events["node"].to_numpy())
    true = np.asarray(events["true_ps"].to_numpy())
    arrived = np.asarray(events["stamped_ps"].is_valid().to_numpy(zero_copy_only=False))
    stamped = np.asarray(events["stamped_ps"].fill_null(-1).to_numpy())
    order = np.argsort(node, kind="stable")
    bounds = np.searchsorted(node[order], np.arange(activity.nodes + 1))
    found: list[Seen | None] = []
    for n in range(activity.nodes):
        own = order[bounds[n] : bounds[n + 1]]
        came = own[arrived[own]]
        came = came[np.argsort(stamped[came], kind="stable")]
        holes = _holes(true[own], arrived[own], activity.end_ps)
        computing = _computing(change[code[came]], ends[code[came]], activity.ranks_of(n))
        found.append(of_states(stamped[came], computing, activity.end_ps, holes) if len(came) else None)
    return Picture("events", found, in_hindsight=False)


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
