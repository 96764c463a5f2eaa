"""An analyst's picture of a run: what a monitor's data say of when each node computed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hypermon.judging.curves import Curve, of_slopes

NO_HOLES: NDArray[np.int64] = np.zeros((0, 2), np.int64)


@dataclass(frozen=True)
class Seen:
    """What is said of one node.

    Attributes:
        curve: Its rank-time of computing, by the monitor's time.
        holes: Shape (k, 2), begins and ends, ps, in order and apart: what is drawn there is not what the monitor told,
            but what an analyst must assume.
    """

    curve: Curve
    holes: NDArray[np.int64] = field(default_factory=lambda: NO_HOLES)

    def hole_ps(self, section: Curve) -> float:
        """How much of that rank-time is hole."""
        begins, ends = (section.at(edges) for edges in self.holes.T)
        return float((ends - begins).sum())


@dataclass(frozen=True)
class Picture:
    """Of all nodes.

    Attributes:
        source: What it is made of, for a person: "events", "cpu.user", "profiles".
        nodes: By node; None: the monitor says nothing of it.
        in_hindsight: What a piece of a curve says is known when the piece is over (a mean between two samples), not
            when it begins (a state).
        clock: Whose times they are.
    """

    source: str
    nodes: Sequence[Seen | None]
    in_hindsight: bool
    clock: str = "stamped"


def of_states(times_ps: ArrayLike, computing: ArrayLike, end_ps: int, holes: NDArray[np.int64] = NO_HOLES) -> Seen:
    """From each of the times on so many ranks compute; the last one holds until `end_ps`."""
    times = np.asarray(times_ps, np.int64)
    return Seen(of_slopes(np.append(times, max(end_ps, int(times[-1]) if len(times) else end_ps)), computing), holes)


def lagging(curve: Curve, age_ps: int, in_hindsight: bool, end_ps: int) -> Curve:
    """What an analyst draws while the program runs, to whom everything comes `age_ps` late: at each instant the last
    that he knows, as if it went on."""
    if not in_hindsight or len(curve.times_ps) < 2:
        return Curve(curve.times_ps + age_ps, curve.levels_ps)
    known = curve.times_ps[1:] + age_ps
    return of_slopes(np.append(known, max(int(known[-1]), end_ps)), curve.slopes())
