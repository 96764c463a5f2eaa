"""How much a node has computed by when, as a curve of straight pieces; and how far two such curves are apart.

Levels are rank-time, ps: a node whose R ranks all compute gains R ps in each ps. Exact for straight pieces, whatever
instants the curves bend at: how a curve is cut into pieces is in no distance.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

Times = NDArray[np.int64]
Levels = NDArray[np.float64]


@dataclass(frozen=True)
class Curve:
    """A cumulative curve; before its first time and after its last one it is flat.

    Attributes:
        times_ps: Shape (n,), ascending.
        levels_ps: Shape (n,), rank-time, not descending; the first one is 0.
    """

    times_ps: Times
    levels_ps: Levels

    def at(self, times_ps: Times) -> Levels:
        """The levels then."""
        if not len(self.times_ps):
            return np.zeros(len(times_ps))
        return np.interp(times_ps, self.times_ps, self.levels_ps)

    def slopes(self) -> NDArray[np.float64]:
        """By how many ranks the level grows, of each piece: shape (n - 1,)."""
        return np.asarray(np.diff(self.levels_ps) / np.diff(self.times_ps))

    def rises(self) -> tuple[int, int] | None:
        """When it begins to grow, and when it does so no more; None: never."""
        grown = np.flatnonzero(np.diff(self.levels_ps) > 0)
        return (int(self.times_ps[grown[0]]), int(self.times_ps[grown[-1] + 1])) if len(grown) else None


def of_pieces(begin_ps: ArrayLike, end_ps: ArrayLike, time_ps: ArrayLike | None = None) -> Curve:
    """Of pieces of time, which may overlap (several ranks'), so much of each: all, if `time_ps` is not given."""
    begin, end = np.asarray(begin_ps, np.int64), np.asarray(end_ps, np.int64)
    rate = np.ones(len(begin)) if time_ps is None else np.asarray(time_ps, np.float64) / (end - begin)
    times = np.concatenate([begin, end])
    order = np.argsort(times, kind="stable")
    at, first = np.unique(times[order], return_index=True)
    if not len(at):
        return Curve(np.zeros(0, np.int64), np.zeros(0))
    slopes = np.cumsum(np.add.reduceat(np.concatenate([rate, -rate])[order], first))[:-1]
    return Curve(at, np.concatenate([[0.0], np.cumsum(slopes * np.diff(at))]))


def of_slopes(times_ps: ArrayLike, slopes: ArrayLike) -> Curve:
    """That grows so fast between one time and the next: one slope less than times. Times that do not advance are left
    out."""
    times, rates = np.asarray(times_ps, np.int64), np.asarray(slopes, np.float64)
    grows = np.diff(times) > 0
    kept = np.concatenate([times[:1], times[1:][grows]])
    return Curve(kept, np.concatenate([np.zeros(len(kept[:1])), np.cumsum(rates[grows] * np.diff(times)[grows])]))


def of_levels(times_ps: ArrayLike, levels_ps: ArrayLike) -> Curve:
    """Through these points; of several at one time the last one holds. Levels that fall stay as they were."""
    times, levels = np.asarray(times_ps, np.int64), np.asarray(levels_ps, np.float64)
    last = np.append(np.diff(times) > 0, True)[: len(times)]
    times, levels = times[last], np.maximum.accumulate(levels[last]) if len(times) else levels
    return Curve(times, levels - levels[:1].sum())


def within(curve: Curve, begin_ps: int, end_ps: int) -> Curve:
    """What it grows between these."""
    inside = curve.times_ps[(curve.times_ps > begin_ps) & (curve.times_ps < end_ps)]
    times = np.concatenate([[begin_ps], inside, [end_ps]]).astype(np.int64)
    levels = curve.at(times)
    return Curve(times, levels - levels[0])


def on_grid(curve: Curve, step_ps: int, begin_ps: int, end_ps: int) -> Curve:
    """The same, straight between multiples of `step_ps`, and the ends: what grows in a step grows evenly in it."""
    inside = np.arange(begin_ps // step_ps + 1, -(-end_ps // step_ps), dtype=np.int64) * step_ps
    times = np.concatenate([[begin_ps], inside, [end_ps]]).astype(np.int64)
    return Curve(times, curve.at(times) - curve.at(times[:1]))


class Distance(NamedTuple):
    """Between two curves of one node.

    Attributes:
        shares_ps: The integral of how far the numbers of ranks that compute are apart: rank-time.
        levels: The integral of how far the levels are apart: rank-time by time, ps2.
    """

    shares_ps: float
    levels: float


def distance(true: Curve, seen: Curve, ranks: int, begin_ps: int, end_ps: int) -> Distance:
    """How far `seen` is from `true`, which grows between `begin_ps` and `end_ps` only.

    Shares are compared there, and what is seen is taken for 0 to `ranks` ranks: an analyst knows that no more compute.
    Levels are, until both have come to their ends.
    """
    rises = seen.rises()
    first, last = (begin_ps, end_ps) if rises is None else (min(begin_ps, rises[0]), max(end_ps, rises[1]))
    grid = np.union1d(np.union1d(true.times_ps, seen.times_ps), np.array([first, begin_ps, end_ps, last], np.int64))
    grid = grid[(grid >= first) & (grid <= last)]
    true_at, seen_at, gaps = true.at(grid), seen.at(grid), np.diff(grid).astype(np.float64)
    inside = (grid[:-1] >= begin_ps) & (grid[1:] <= end_ps)
    truly = np.diff(true_at)[inside]
    drawn = np.clip(np.diff(seen_at)[inside], 0.0, ranks * gaps[inside])
    return Distance(float(np.abs(truly - drawn).sum()), _between(true_at - seen_at, gaps))


def _between(apart: NDArray[np.float64], gaps: NDArray[np.float64]) -> float:
    """The integral of |apart|, which is straight in each gap: where it changes its sign, two triangles."""
    a, b = apart[:-1], apart[1:]
    size = np.abs(a) + np.abs(b)
    crosses = (a < 0) & (b > 0) | (a > 0) & (b < 0)
    area = np.where(crosses, (a * a + b * b) / np.where(size > 0, size, 1.0), size) / 2
    return float((area * gaps).sum())
