# SPDX-License-Identifier: BSD-3-Clause
"""Cuts time lines to a window, and combines several time lines."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from hypermon._files import scratch as scratches
from hypermon._files.scratch import Few, Scratch, array_by_pieces, let_go, merged, pieces
from hypermon.errors import UserError
from hypermon.timelines.tracks import States, Statistic, Texts, TimeLine

if TYPE_CHECKING:
    from hypermon.timelines.window import Window


def cut(line: TimeLine, window: Window | None) -> TimeLine:
    """Returns the part of a time line in the window. States that extend beyond it are cut.

    Raises:
        UserError: The window is outside of the time line.
    """
    if window is None:
        return line
    if not touches(line, window):
        wanted, there = (f"{begin / 1e12:g}s..{end / 1e12:g}s" for begin, end in (_of(window), _of(line)))
        raise UserError(f"--window {wanted}: nothing is there; the time line is {there}")
    scratch = Scratch()  # one for all tracks: each scratch keeps its first arrays in memory
    states = tuple(_states(one, window, scratch) for one in line.states)
    statistics = tuple(_statistic(one, window) for one in line.statistics)
    return TimeLine(states, statistics, max(line.begin_ps, window.begin_ps), min(line.end_ps, window.end_ps))


def touches(line: TimeLine, window: Window) -> bool:
    """Does the window overlap the time line?"""
    return window.begin_ps <= line.end_ps and window.end_ps > line.begin_ps


def _of(one: Window | TimeLine) -> tuple[int, int]:
    return one.begin_ps, one.end_ps


def _states(one: States, window: Window, scratch: Scratch) -> States:
    def inside(begin_ps: NDArray[np.int64], end_ps: NDArray[np.int64]) -> NDArray[np.bool_]:
        over = (end_ps < window.begin_ps) | ((end_ps == window.begin_ps) & (begin_ps < end_ps))
        shown: NDArray[np.bool_] = (begin_ps < window.end_ps) & ~over
        return shown

    def cut(of: Callable[[Any], Any], column: NDArray[Any]) -> NDArray[Any]:
        return array_by_pieces(
            column.dtype,
            lambda values, begin_ps, end_ps: of(values[inside(begin_ps, end_ps)]),
            column,
            one.begin_ps,
            one.end_ps,
            scratch=scratch,
        )

    def kept(column: Any) -> Any:
        if isinstance(column, Texts):
            return Texts(column.texts, kept(column.number))
        if column.dtype.hasobject:  # such columns are always in memory
            shown = [inside(one.begin_ps[part], one.end_ps[part]) for part in pieces(len(column))]
            return column[np.concatenate(shown or [np.empty(0, np.bool_)])]
        return cut(lambda values: values, column)

    return dataclasses.replace(
        one,
        begin_ps=cut(lambda times_ps: np.maximum(times_ps, window.begin_ps), one.begin_ps),
        end_ps=cut(lambda times_ps: np.minimum(times_ps, window.end_ps), one.end_ps),
        name=kept(one.name),
        id=kept(one.id),
        cause=kept(one.cause),
        details={key: kept(column) for key, column in one.details.items()},
    )


def _statistic(one: Statistic, window: Window) -> Statistic:
    """Cuts a statistic to the window. An exact one keeps the value that is valid at the window's begin."""
    first, end = np.searchsorted(one.times_ps, [window.begin_ps, window.end_ps])
    if one.exact and first > 0 and (first == len(one.times_ps) or one.times_ps[first] > window.begin_ps):
        times = np.concatenate([[window.begin_ps], one.times_ps[first:end]])
        return dataclasses.replace(one, times_ps=times, values=one.values[first - 1 : end])
    return dataclasses.replace(one, times_ps=one.times_ps[first:end], values=one.values[first:end])


def combine(lines: Mapping[str, TimeLine], *, align: bool = True) -> TimeLine:
    """Combines several time lines. The first element of each path is the name of its time line.

    Ids are renumbered from 1, because they may be the same in several time lines.

    Args:
        lines: The time lines by name.
        align: Shifts all time lines so that they begin at 0. Otherwise they keep their times.
    """
    states: list[States] = []
    statistics: list[Statistic] = []
    moved = []
    known = 0
    scratch = Scratch()  # one for all tracks: each scratch keeps its first arrays in memory
    for name, line in lines.items():
        shifted = _moved(line, line.begin_ps if align else 0, scratch)
        moved.append(shifted)
        own = ids(line)
        for one in shifted.states:
            new_id, new_cause = (_counted(column, own, known, scratch) for column in (one.id, one.cause))
            states.append(dataclasses.replace(one, path=(name, *one.path), id=new_id, cause=new_cause))
        statistics += [dataclasses.replace(one, path=(name, *one.path)) for one in shifted.statistics]
        known += len(own)
    begin_ps, end_ps = min((one.begin_ps for one in moved), default=0), max((one.end_ps for one in moved), default=0)
    return TimeLine(tuple(states), tuple(statistics), begin_ps, end_ps)


def without_root(line: TimeLine) -> TimeLine:
    """Removes the first element of all paths, if all have the same one and no path consists of it alone."""
    paths = [*(one.path for one in line.states), *(one.path for one in line.statistics)]
    if len({path[0] for path in paths}) != 1 or min(map(len, paths)) < 2:
        return line
    return dataclasses.replace(
        line,
        states=tuple(dataclasses.replace(one, path=one.path[1:]) for one in line.states),
        statistics=tuple(dataclasses.replace(one, path=one.path[1:]) for one in line.statistics),
    )


def from_zero(line: TimeLine) -> TimeLine:
    """Shifts a time line with negative times so that it begins at 0, for formats without negative times."""
    times = [*(one.begin_ps for one in line.states), *(one.times_ps for one in line.statistics)]
    first = min([0, *(int(one[0]) for one in times if len(one))])
    return _moved(line, first, Scratch())


def _moved(line: TimeLine, by: int, scratch: Scratch) -> TimeLine:
    """Returns the time line with `by` as its time 0."""
    if by == 0:
        return line

    def moved(times_ps: NDArray[np.int64]) -> NDArray[np.int64]:
        return array_by_pieces(np.int64, lambda some_ps: some_ps - by, times_ps, scratch=scratch)

    return TimeLine(
        tuple(dataclasses.replace(one, begin_ps=moved(one.begin_ps), end_ps=moved(one.end_ps)) for one in line.states),
        tuple(dataclasses.replace(one, times_ps=moved(one.times_ps)) for one in line.statistics),
        line.begin_ps - by,
        line.end_ps - by,
    )


def ids(line: TimeLine) -> NDArray[np.uint64]:
    """Returns all ids of its states and their causes, ascending, without 0."""
    scratch = Scratch()
    runs = Few[NDArray[np.uint64]]()
    for one in line.states:
        for part in pieces(len(one.id)):
            found = np.unique(np.concatenate([one.id[part], one.cause[part]]))
            runs.add(scratch.store(found[found != 0]), lambda some: _union(some, scratch))
            let_go(one.id, one.cause)
    return _union(list(runs), Scratch())


def _union(some: Sequence[NDArray[np.uint64]], scratch: Scratch) -> NDArray[np.uint64]:
    """Returns the union of sorted arrays without duplicates."""
    room = scratch.room(np.uint64, sum(map(len, some)))
    for (group,) in merged([(one,) for one in some]):
        room.append(np.unique(group))
    return room.array()


def _counted(
    column: NDArray[np.uint64], among: NDArray[np.uint64], before: int, scratch: Scratch
) -> NDArray[np.uint64]:
    """Like `counted`, for a column that may be in a file."""
    return array_by_pieces(np.uint64, lambda some: counted(some, among, before), column, scratch=scratch)


def counted(column: NDArray[np.uint64], among: NDArray[np.uint64], before: int) -> NDArray[np.uint64]:
    """Renumbers ids by their positions in `among`, from `before` + 1 on. 0 stays 0. Only `column` must be in memory."""
    wanted, back = np.unique(column, return_inverse=True)
    places = np.zeros(len(wanted), np.uint64)
    begin = int(np.searchsorted(wanted, np.uint64(0), "right"))
    while begin < len(wanted):
        at = int(np.searchsorted(among, wanted[begin]))
        part = among[at : at + scratches.ROWS]
        end = int(np.searchsorted(wanted, part[-1], "right"))
        places[begin:end] = np.searchsorted(part, wanted[begin:end]) + (before + 1 + at)
        let_go(among)
        begin = end
    return places[back]
