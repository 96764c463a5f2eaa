# SPDX-License-Identifier: BSD-3-Clause
"""The states of a track lane by lane, as begins and ends that are properly nested: what other tools' formats have."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from hypermon.timelines.rows import order, placed

if TYPE_CHECKING:
    from hypermon.timelines.tracks import States, TimeLine

NONE = -1  # a detail that a state has not got, if it is a number; an empty text otherwise


class Lane(NamedTuple):
    """A track's lane: the track's number in its time line, its path, and the states, in order of time."""

    track: int
    path: tuple[str, ...]
    states: list[int]


def lanes(line: TimeLine) -> Iterator[Lane]:
    """Of a track with one lane its own path, otherwise `line 1`, `line 2`, ... below it. All paths differ."""
    known: Counter[tuple[str, ...]] = Counter()
    for number, states in enumerate(line.states):
        known[states.path] += 1
        again = known[states.path]
        path = states.path if again == 1 else (*states.path[:-1], f"{states.path[-1]} ({again})")
        rows = placed(states)
        at = order(states)
        if rows.lanes == 1:
            yield Lane(number, path, at.tolist())
            continue
        for k in range(rows.lanes):
            yield Lane(number, (*path, f"line {k + 1}"), at[rows.lane[at] == k].tolist())


def edges(states: States, among: list[int]) -> Iterator[tuple[int, int]]:
    """Time and state as it begins; time and -1 as the innermost one ends."""
    open_: list[int] = []
    begins, ends = states.begin_ps[among].tolist(), states.end_ps[among].tolist()
    for state, begin, end in zip(among, begins, ends, strict=True):
        while open_ and open_[-1] <= begin:
            yield open_.pop(), -1
        yield begin, state
        open_.append(end)
    while open_:
        yield open_.pop(), -1


def details(states: States, state: int) -> Iterator[tuple[str, int | float | str]]:
    """What is known of one: id, cause, and its details."""
    for name, number in (("id", int(states.id[state])), ("cause", int(states.cause[state]))):
        if number:
            yield name, number
    for name, column in states.details.items():
        value = column[state].item() if hasattr(column[state], "item") else column[state]
        if value not in (NONE, "") and not (isinstance(value, float) and math.isnan(value)):
            yield name, value if isinstance(value, int | float) else str(value)


class Flows:
    """Arrows from causes to effects: numbers, at the state that they leave and at the one that they reach."""

    def __init__(self, line: TimeLine) -> None:
        counts = [len(one.id) for one in line.states]
        track = np.repeat(np.arange(len(counts)), counts)
        state = np.concatenate([np.arange(count) for count in counts] or [np.empty(0, np.int64)])
        ids, causes = (
            np.concatenate([getattr(one, column) for one in line.states] or [np.empty(0, np.uint64)])
            for column in ("id", "cause")
        )
        sources = np.flatnonzero(ids)
        sources = sources[np.argsort(ids[sources], kind="stable")]
        effects = np.flatnonzero(causes)
        first = np.searchsorted(ids[sources], causes[effects], "left")
        last = np.searchsorted(ids[sources], causes[effects], "right")
        self.leaving: dict[tuple[int, int], list[int]] = {}
        self.reaching: dict[tuple[int, int], list[int]] = {}
        number = 0
        places = list(zip(track.tolist(), state.tolist(), strict=True))
        for effect, a, b in zip(effects.tolist(), first.tolist(), last.tolist(), strict=True):
            for source in sources[a:b].tolist():
                number += 1
                self.leaving.setdefault(places[source], []).append(number)
                self.reaching.setdefault(places[effect], []).append(number)
