# SPDX-License-Identifier: BSD-3-Clause
"""The states of a track as properly nested begins and ends, by lane, as the formats of other tools need them."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from hypermon._files.scratch import Following, Scratch, Sorted, let_go, pieces
from hypermon.timelines.rows import Rows, order, pieces_by_begin, placed

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hypermon.timelines.tracks import States, TimeLine

NONE = -1  # stands for a missing number of a state; missing texts are empty


class Lane(NamedTuple):
    """A lane of a track: number of the track in its time line, path, and number of the lane in the track."""

    track: int
    path: tuple[str, ...]
    states: States
    rows: Rows
    number: int

    def pieces(self) -> Iterator[NDArray[np.intp]]:
        """Yields the indices of its states in the track, in order of time, in pieces of some ten thousand."""
        for part in pieces_by_begin(self.states):
            at = order(self.states, part)
            yield at[self.rows.lane[at] == self.number]
            let_go(self.rows.lane, self.states.begin_ps, self.states.end_ps)


class Slice(NamedTuple):
    """A state: its index in the track, its name, its details (with id and cause, if it has them), and the numbers of
    the arrows that leave and reach it."""

    state: int
    name: str
    details: Mapping[str, int | float | str]
    leaving: Sequence[int]
    reaching: Sequence[int]


def lanes(line: TimeLine) -> Iterator[Lane]:
    """Yields all lanes. A single lane has its track's path; several are called `TROVE, 1 of 4` and so on below it."""
    known: Counter[tuple[str, ...]] = Counter()
    for number, states in enumerate(line.states):
        known[states.path] += 1
        again = known[states.path]
        path = states.path if again == 1 else (*states.path[:-1], f"{states.path[-1]} ({again})")
        rows = placed(states)
        if rows.lanes == 1:
            yield Lane(number, path, states, rows, 0)
            continue
        for k in range(rows.lanes):
            yield Lane(number, (*path, f"{path[-1]}, {k + 1} of {rows.lanes}"), states, rows, k)


def edges(lane: Lane, flows: Flows | None = None) -> Iterator[tuple[int, Slice | None]]:
    """Yields time and state for each begin, and time and None for each end of the innermost state."""
    open_: list[int] = []
    for at in lane.pieces():
        begins, ends = lane.states.begin_ps[at].tolist(), lane.states.end_ps[at].tolist()
        for begin, end, state in zip(begins, ends, _slices(lane, at, flows), strict=True):
            while open_ and open_[-1] <= begin:
                yield open_.pop(), None
            yield begin, state
            open_.append(end)
    while open_:
        yield open_.pop(), None


def _slices(lane: Lane, at: NDArray[np.intp], flows: Flows | None) -> Iterator[Slice]:
    states = lane.states
    columns: dict[str, Any] = {"id": states.id[at], "cause": states.cause[at]}
    columns |= {name: column[at] for name, column in states.details.items()}
    rows = zip(*(column.tolist() for column in columns.values()), strict=True)
    leaving, reaching = flows.arrows(lane.track, at) if flows is not None else ({}, {})
    let_go(*states.arrays())
    for state, number, row in zip(at.tolist(), states.name[at].tolist(), rows, strict=True):
        known = dict(_known(columns, row))
        yield Slice(state, states.names[number], known, leaving.get(state, ()), reaching.get(state, ()))


def _known(names: Mapping[str, Any], row: Sequence[Any]) -> Iterator[tuple[str, int | float | str]]:
    """Yields the known properties of a state: id, cause and details."""
    for index, (name, found) in enumerate(zip(names, row, strict=True)):
        value = found.item() if hasattr(found, "item") else found
        if index < 2:
            if value:
                yield name, value
        elif value not in (NONE, "") and not (isinstance(value, float) and math.isnan(value)):
            yield name, value if isinstance(value, int | float) else str(value)


class Flows:
    """Numbers of the arrows from causes to effects, by the states that they leave and reach.

    Arrows are numbered in the order of the states that they reach. Long tables are in files.
    """

    def __init__(self, line: TimeLine) -> None:
        counts = [len(one.id) for one in line.states]
        self._first = np.cumsum([0, *counts])  # for each track, the index of its first state among those of all tracks
        scratch = Scratch()
        sources, effects = (Sorted(scratch, np.uint64, np.int64) for _ in range(2))
        for first, one in zip(self._first.tolist(), line.states, strict=False):
            for part in pieces(len(one.id)):
                for found, column in ((sources, one.id[part]), (effects, one.cause[part])):
                    at = np.flatnonzero(column)
                    found.add(column[at], at + (first + part.start))
                let_go(one.id, one.cause)
        linked = Sorted(scratch, np.int64, np.int64)  # effect, source
        following = Following(sources)
        for cause, effect in effects.pieces():
            own, source = following.through(cause[-1])
            begin, end = (np.searchsorted(own, cause, side) for side in ("left", "right"))
            counts_of = end - begin
            at = np.arange(counts_of.sum()) - np.repeat(np.cumsum(counts_of) - counts_of - begin, counts_of)
            linked.add(np.repeat(effect, counts_of), source[at])
        reaching, leaving = (Sorted(scratch, np.int64, np.int64) for _ in range(2))
        number = 1
        for effect, source in linked.pieces():
            numbers = np.arange(number, number + len(effect))
            number += len(effect)
            reaching.add(effect, numbers)
            leaving.add(source, numbers)
        self._reaching, self._leaving = (one.whole() for one in (reaching, leaving))

    def arrows(self, track: int, at: NDArray[np.intp]) -> tuple[dict[int, list[int]], dict[int, list[int]]]:
        """Arrows that leave, and arrows that reach, the given states of the track, by index."""
        if not len(at):
            return {}, {}
        first = int(self._first[track])
        begin, end = first + int(at.min()), first + int(at.max()) + 1
        found: list[dict[int, list[int]]] = []
        for places, numbers in (self._leaving, self._reaching):
            low, high = np.searchsorted(places, [begin, end])
            by_place: dict[int, list[int]] = {}
            for place, number in zip((places[low:high] - first).tolist(), numbers[low:high].tolist(), strict=True):
                by_place.setdefault(place, []).append(number)
            found.append(by_place)
            let_go(places, numbers)
        return found[0], found[1]
