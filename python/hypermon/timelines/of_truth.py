# SPDX-License-Identifier: BSD-3-Clause
"""A recording and what its monitor made of it, as a time line of tracks: what `hypermon timeline` shows of such a run.

Of each node its program's states, the events as it emitted them, a message's receipt caused by its sending, the events
that were lost, and the program as decoded; of the monitor's hardware its levels and counts as statistics.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from hypermon.timelines import perfetto, states
from hypermon.timelines.tracks import States, Statistic, TimeLine

if TYPE_CHECKING:
    import pandas as pd
    from numpy.typing import NDArray

    from hypermon.timelines.states import Edge
    from hypermon.timelines.truth import Truth


def tracks(truth: Truth) -> TimeLine:
    """All of it."""
    found: list[States] = []
    for node in range(truth.recording.nodes):
        path = (f"node {node}",)
        events = truth.events[truth.events["node"] == node]
        seen = events[events["monitor_ps"].notna()].astype({"monitor_ps": "int64"})
        found += [
            _program((*path, "program"), events, truth, ("emitted_ps", "done_ps")),
            _events((*path, "events"), events, truth),
            _losses((*path, "losses"), events[events["lost_cause"].notna()]),
            _program((*path, "program as decoded"), seen, truth, ("monitor_ps", "monitor_ps")),
        ]
    shown = [one for one in found if len(one.begin_ps)]
    begin_ps = min([truth.recording.begin_ps, *(int(one.begin_ps.min()) for one in shown)])
    end_ps = max([truth.recording.end_ps, *(int(one.end_ps.max()) for one in shown)])
    counters = [
        Statistic((track, name), "", np.asarray(times, np.int64), np.asarray(values, np.float64), exact=True)
        for track, name, times, values in perfetto.counters(truth, None)
    ]
    return TimeLine(tuple(shown), tuple(counters), begin_ps, end_ps)


def _program(path: tuple[str, ...], events: pd.DataFrame, truth: Truth, times: tuple[str, str]) -> States:
    return _of_edges(path, states.edges(states.brackets(events, truth.catalogue, *times)))


def _of_edges(path: tuple[str, ...], edges: Iterable[Edge]) -> States:
    rows: list[tuple[int, int, str]] = []
    open_: list[tuple[int, str]] = []
    for edge in edges:
        if edge.name is None:
            begin, name = open_.pop()
            rows.append((begin, edge.ps, name))
        else:
            open_.append((edge.ps, edge.name))
    rows.sort(key=lambda row: (row[0], -row[1]))
    begin_ps, end_ps = (np.array([row[i] for row in rows], np.int64) for i in (0, 1))
    return _made(path, begin_ps, end_ps, [row[2] for row in rows])


def _events(path: tuple[str, ...], events: pd.DataFrame, truth: Truth) -> States:
    message = events["message"].to_numpy(np.uint64)
    both = np.isin(message, truth.messages["message"].to_numpy(np.uint64))
    sent = np.where(both & (events["side"] == "send").to_numpy(), message, 0).astype(np.uint64)
    taken = np.where(both & (events["side"] == "receive").to_numpy(), message, 0).astype(np.uint64)
    details = {name: events[name].to_numpy(np.int64) for name in ("arg0", "arg1", "arg2")}
    emitted, done = events["emitted_ps"].to_numpy(np.int64), events["done_ps"].to_numpy(np.int64)
    return _made(path, emitted, done, events["type"].tolist(), (sent, taken), details)


def _losses(path: tuple[str, ...], events: pd.DataFrame) -> States:
    at = events["true_ps"].to_numpy(np.int64)
    causes = [f"{stage}: {cause}" for stage, cause in zip(events["lost_stage"], events["lost_cause"], strict=True)]
    return _made(path, at, at, causes, details={"event": events["type"].to_numpy(str)})


def _made(
    path: tuple[str, ...],
    begin_ps: NDArray[np.int64],
    end_ps: NDArray[np.int64],
    names: Sequence[str],
    ids: tuple[NDArray[np.uint64], NDArray[np.uint64]] | None = None,
    details: dict[str, NDArray[Any]] | None = None,
) -> States:
    """Sorted by begin."""
    order = np.lexsort((-end_ps, begin_ps))
    known, number = np.unique(np.asarray(names, str), return_inverse=True)
    none = np.zeros(len(begin_ps), np.uint64)
    own, cause = ids or (none, none)
    return States(
        path,
        begin_ps[order],
        end_ps[order],
        tuple(known.tolist()),
        number.astype(np.int32)[order],
        own[order],
        cause[order],
        {key: column[order] for key, column in (details or {}).items()},
    )
