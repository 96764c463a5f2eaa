# SPDX-License-Identifier: BSD-3-Clause
"""The time line of a recorded run, as `hypermon timeline` shows it: the truth and the monitor's data.

Each node has tracks for its program's states, the emitted events (the receipt of a message is caused by its send), the
lost events, and the program as decoded from the monitor's data. Levels and counts of the monitor's hardware are
statistics.
"""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from hypermon._files import scratch as scratches
from hypermon._files.scratch import Following, Scratch, Sorted, extremes
from hypermon.timelines import messages, perfetto, states
from hypermon.timelines.gathering import Gathering
from hypermon.timelines.tracks import States, Statistic, TimeLine

if TYPE_CHECKING:
    import pandas as pd
    from numpy.typing import NDArray

    from hypermon.timelines.states import Edge
    from hypermon.timelines.truth import Truth

LOSSES = "losses"  # name of a node's track of lost events


def tracks(truth: Truth) -> TimeLine:
    """Makes the whole time line. Memory does not grow with the recording: long arrays are in files."""
    found: list[States] = []
    ends = Following(_ends(truth))
    kept = Scratch()
    for node in range(truth.recording.nodes):
        path = (states.ranks_on(truth.spec, node),)
        passed = Scratch()  # holds one node's states until they have been copied to `kept`
        seen = states.delivered(truth.of_node(node))
        all_of_node = (
            _program((*path, "program"), truth.of_node(node), truth, ("emitted_ps", "done_ps"), passed),
            _events((*path, "events"), truth, node, ends, passed),
            _losses((*path, LOSSES), truth.of_node(node), passed),
            _program((*path, "program as decoded"), seen, truth, ("monitor_ps", "monitor_ps"), passed),
        )
        found += [dataclasses.replace(track.states(kept), lost=track.path[-1] == LOSSES) for track in all_of_node]
    shown = [one for one in found if len(one.begin_ps)]
    begin_ps = min([truth.recording.begin_ps, *(int(one.begin_ps[0]) for one in shown)])
    lasts = (extremes(one.end_ps) for one in shown)
    end_ps = max([truth.recording.end_ps, *(int(last[1]) for last in lasts if last is not None)])
    counters = [_statistic(one) for one in perfetto.counters(truth, None)]
    return TimeLine(tuple(shown), tuple(counters), begin_ps, end_ps)


def _statistic(one: perfetto.Counter) -> Statistic:
    times, values = np.asarray(one.times_ps, np.int64), np.asarray(one.values, np.float64)
    return Statistic((one.track, one.name), "", times, values, exact=True, limit=one.limit, lost=one.lost)


def _ends(truth: Truth) -> Sorted:
    """Returns the places of the ends of all messages with both ends in the recording."""
    places = Sorted(Scratch(), np.int64)
    for some in messages.pairs(truth):
        for end in (some.sent, some.received):
            places.add(end["place"])
    return places


class _Names:
    """Numbers the names of states in order of appearance."""

    def __init__(self) -> None:
        self._number: dict[str, int] = {}

    def numbers(self, names: Iterable[str]) -> NDArray[np.int32]:
        return np.array([self._number.setdefault(name, len(self._number)) for name in names], np.int32)

    def all(self) -> tuple[str, ...]:
        return tuple(self._number)


def _program(
    path: tuple[str, ...], events: Iterable[pd.DataFrame], truth: Truth, times: tuple[str, str], scratch: Scratch
) -> Gathering:
    track, names = Gathering(path, scratch), _Names()
    rows = _of_edges(states.edges(states.brackets(events, truth.catalogue, *times)))
    while some := list(itertools.islice(rows, scratches.ROWS)):
        begin_ps, end_ps = (np.array([row[i] for row in some], np.int64) for i in (0, 1))
        track.add(_states(path, begin_ps, end_ps, names.numbers(row[2] for row in some), names))
    return track


def _of_edges(edges: Iterable[Edge]) -> Iterator[tuple[int, int, str]]:
    """Yields begin, end and name of each state, in the order of their ends."""
    open_: list[tuple[int, str]] = []
    for edge in edges:
        if edge.name is None:
            begin, name = open_.pop()
            yield begin, edge.ps, name
        else:
            open_.append((edge.ps, edge.name))


def _events(path: tuple[str, ...], truth: Truth, node: int, ends: Following, scratch: Scratch) -> Gathering:
    track, names = Gathering(path, scratch), _Names()
    first = messages.place_of(node)
    for events in truth.of_node(node):
        both = np.zeros(len(events), np.bool_)
        both[ends.before(first + len(events))[0] - first] = True
        first += len(events)
        message = events["message"].to_numpy(np.uint64)
        sent, taken = (
            np.where(both & (events["side"] == side).to_numpy(), message, 0).astype(np.uint64)
            for side in ("send", "receive")
        )
        details = {name: events[name].to_numpy(np.int64) for name in ("arg0", "arg1", "arg2")}
        emitted, done = events["emitted_ps"].to_numpy(np.int64), events["done_ps"].to_numpy(np.int64)
        number = names.numbers(events["type"].tolist())
        track.add(_states(path, emitted, done, number, names, (sent, taken), details))
    return track


def _losses(path: tuple[str, ...], pieces: Iterable[pd.DataFrame], scratch: Scratch) -> Gathering:
    track, names = Gathering(path, scratch), _Names()
    for piece in pieces:
        events = piece[piece["lost_cause"].notna()]
        if not len(events):
            continue
        at = events["true_ps"].to_numpy(np.int64)
        causes = (f"{stage}: {cause}" for stage, cause in zip(events["lost_stage"], events["lost_cause"], strict=True))
        track.add(_states(path, at, at, names.numbers(causes), names, details={"event": events["type"].to_numpy(str)}))
    return track


def _states(
    path: tuple[str, ...],
    begin_ps: NDArray[np.int64],
    end_ps: NDArray[np.int64],
    number: NDArray[np.int32],
    names: _Names,
    ids: tuple[NDArray[np.uint64], NDArray[np.uint64]] | None = None,
    details: dict[str, NDArray[Any]] | None = None,
) -> States:
    none = np.zeros(len(begin_ps), np.uint64)
    return States(path, begin_ps, end_ps, names.all(), number, *(ids or (none, none)), details or {})
