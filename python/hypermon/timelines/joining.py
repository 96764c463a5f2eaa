"""A stretch of a time line, and several beside each other."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from hypermon.timelines.tracks import States, Statistic, TimeLine

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hypermon.timelines.window import Window


def cut(line: TimeLine, window: Window | None) -> TimeLine:
    """What lies in the window; states that only begin or end in it are cut."""
    if window is None:
        return line
    states = tuple(_states(one, window) for one in line.states)
    statistics = tuple(_statistic(one, window) for one in line.statistics)
    return TimeLine(states, statistics, max(line.begin_ps, window.begin_ps), min(line.end_ps, window.end_ps))


def _states(one: States, window: Window) -> States:
    begins, ends = one.begin_ps, one.end_ps
    over = (ends < window.begin_ps) | ((ends == window.begin_ps) & (begins < ends))
    inside = (begins < window.end_ps) & ~over
    return dataclasses.replace(
        one,
        begin_ps=np.maximum(one.begin_ps[inside], window.begin_ps),
        end_ps=np.minimum(one.end_ps[inside], window.end_ps),
        name=one.name[inside],
        id=one.id[inside],
        cause=one.cause[inside],
        details={key: column[inside] for key, column in one.details.items()},
    )


def _statistic(one: Statistic, window: Window) -> Statistic:
    """Of an exact one also the value that holds at the window's begin."""
    first, end = np.searchsorted(one.times_ps, [window.begin_ps, window.end_ps])
    if one.exact and first > 0 and (first == len(one.times_ps) or one.times_ps[first] > window.begin_ps):
        times = np.concatenate([[window.begin_ps], one.times_ps[first:end]])
        return dataclasses.replace(one, times_ps=times, values=one.values[first - 1 : end])
    return dataclasses.replace(one, times_ps=one.times_ps[first:end], values=one.values[first:end])


def beside(lines: Mapping[str, TimeLine], *, align: bool = True) -> TimeLine:
    """One of several: the first element of each path is the name of what it is of.

    Ids stay those of their own time line: where another one has the same, they are counted on.

    Args:
        align: All begin at 0; otherwise at the times that they have.
    """
    states: list[States] = []
    statistics: list[Statistic] = []
    begins, ends = [0], [0]
    known = np.uint64(0)
    for name, line in lines.items():
        by = line.begin_ps if align else 0
        most = max([np.uint64(0), *(ids.max(initial=0) for one in line.states for ids in (one.id, one.cause))])
        for one in line.states:
            states.append(
                dataclasses.replace(
                    one,
                    path=(name, *one.path),
                    begin_ps=one.begin_ps - by,
                    end_ps=one.end_ps - by,
                    id=_counted(one.id, known),
                    cause=_counted(one.cause, known),
                )
            )
        for stat in line.statistics:
            statistics.append(dataclasses.replace(stat, path=(name, *stat.path), times_ps=stat.times_ps - by))
        known += most
        begins.append(line.begin_ps - by)
        ends.append(line.end_ps - by)
    return TimeLine(tuple(states), tuple(statistics), min(begins[1:], default=0), max(ends))


def _counted(ids: NDArray[np.uint64], known: np.uint64) -> NDArray[np.uint64]:
    """From `known` on; 0 stays."""
    return np.where(ids == 0, ids, ids + known)
