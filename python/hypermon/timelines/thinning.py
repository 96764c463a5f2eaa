# SPDX-License-Identifier: BSD-3-Clause
"""Limits the states of a time line for a page: neighbours that are too short to be seen apart become one state."""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from hypermon._files.scratch import Scratch, let_go
from hypermon.timelines.gathering import Gathering
from hypermon.timelines.tracks import States, TimeLine

if TYPE_CHECKING:
    from numpy.typing import NDArray

STATES = "states"
"""Detail of a state that stands for several states: their number."""
AT_ONCE = 1 << 16
"""Most states that one state stands for (chosen)."""


@dataclass(frozen=True)
class Thinned:
    """Time lines in which one state may stand for several that are shorter than `step_ps`. None: no state does."""

    lines: Mapping[str, TimeLine]
    step_ps: int | None


def thinned(lines: Mapping[str, TimeLine], most: int) -> Thinned:
    """Reduces time lines to at most `most` states in all, if possible.

    States of at least one step are kept. Shorter states become one state if they begin in the same step and no kept
    state begins or ends between them. It has the name of the states that lasted longest in total. The step is 1, 2 or 5
    times a power of ten, the shortest that suffices. It never exceeds about the length of the longest time line.
    """
    tracks = [one for line in lines.values() for one in line.states]
    if sum(len(one.begin_ps) for one in tracks) <= most:
        return Thinned(lines, None)
    longest = max(line.end_ps - line.begin_ps for line in lines.values())
    step_ps = next(step for step in _steps(longest // most) if step > longest or _left(tracks, step, most) <= most)
    return Thinned({name: _line(line, step_ps) for name, line in lines.items()}, step_ps)


def _steps(least: int) -> Iterator[int]:
    for power in itertools.count():
        yield from (factor * 10**power for factor in (1, 2, 5) if factor * 10**power >= least)


def _left(tracks: list[States], step_ps: int, enough: int) -> int:
    """Number of remaining states. Counting stops above `enough`."""
    left = 0
    for piece in itertools.chain.from_iterable(_grouped(one, step_ps) for one in tracks):
        left += len(piece.alone) + len(piece.first)
        if left > enough:
            break
    return left


def _line(line: TimeLine, step_ps: int) -> TimeLine:
    passed, kept = Scratch(), Scratch()
    tracks = []
    for one in line.states:
        gathering = Gathering(one.path, passed)
        for piece in _grouped(one, step_ps):
            gathering.add(_taken(one, piece))
            gathering.add(_together(one, piece))
            let_go(one.begin_ps, one.end_ps, one.name, one.id, one.cause)
        tracks.append(dataclasses.replace(gathering.states(kept), lost=one.lost))
    return dataclasses.replace(line, states=tuple(tracks))


class _Piece(NamedTuple):
    """A stretch of a track's states from index `begin` on. Its arrays hold indices within the stretch."""

    begin: int
    alone: NDArray[np.intp]  # states that stay as they are
    some: NDArray[np.intp]  # states that are merged in groups; the states of a group are adjacent
    first: NDArray[np.intp]  # start of each group in `some`


def _grouped(states: States, step_ps: int) -> Iterator[_Piece]:
    open_ends = np.empty(0, np.int64)  # ends of kept states after the last begin
    begun = ended = 0  # kept states
    for start in range(0, len(states.begin_ps), AT_ONCE):
        begin, end = (times[start : start + AT_ONCE] for times in (states.begin_ps, states.end_ps))
        long = end - begin >= step_ps
        ends = np.sort(np.concatenate([open_ends, end[long]]))
        short = np.flatnonzero(~long)
        at = begin[short]
        begins_before = begun + np.searchsorted(begin[long], at, "right")
        ends_before = ended + np.searchsorted(ends, at, "right")
        key = np.stack([at // step_ps, begins_before, ends_before])
        first = np.flatnonzero(np.r_[np.ones(min(1, len(short)), bool), (key[:, 1:] != key[:, :-1]).any(axis=0)])
        size = np.diff(first, append=len(short))
        single = np.repeat(size == 1, size)
        alone = np.sort(np.concatenate([np.flatnonzero(long), short[single]]))
        yield _Piece(start, alone, short[~single], np.cumsum(size[size > 1]) - size[size > 1])
        begun += int(long.sum())
        open_ends = ends[ends > begin[-1]]
        ended += len(ends) - len(open_ends)


def _taken(states: States, piece: _Piece) -> States:
    at = piece.begin + piece.alone
    return dataclasses.replace(
        states,
        begin_ps=states.begin_ps[at],
        end_ps=states.end_ps[at],
        name=states.name[at],
        id=states.id[at],
        cause=states.cause[at],
        details={key: column[at] for key, column in states.details.items()},
    )


def _together(states: States, piece: _Piece) -> States:
    """Returns one state for each group."""
    at, first = piece.begin + piece.some, piece.first
    n = len(first)
    size = np.diff(first, append=len(at))
    none = np.zeros(n, np.uint64)
    if not n:
        return States(states.path, *(np.empty(0, np.int64),) * 2, states.names, np.empty(0, np.int32), none, none)
    begin, end, name = states.begin_ps[at], states.end_ps[at], states.name[at]
    code = np.repeat(np.arange(n), size) * len(states.names) + name
    order = np.argsort(code, kind="stable")
    of_name = np.flatnonzero(np.diff(code[order], prepend=-1))  # start of each name in each group
    time = np.add.reduceat((end - begin)[order], of_name)
    count = np.diff(of_name, append=len(at))
    group, number = np.divmod(code[order][of_name], len(states.names))
    best = np.lexsort((number, -count, -time, group))
    chosen = number[best][np.flatnonzero(np.diff(group[best], prepend=-1))]
    return States(
        states.path,
        begin[first],
        np.maximum.reduceat(end, first),
        states.names,
        chosen.astype(np.int32),
        none,
        none,
        {STATES: size.astype(np.int64)},
    )
