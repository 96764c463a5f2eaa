# SPDX-License-Identifier: BSD-3-Clause
"""An analyst's picture of a run: what a monitor's data say of when each node computed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hypermon.judging.curves import Curve, of_slopes

NO_HOLES: NDArray[np.int64] = np.zeros((0, 2), np.int64)
NEVER = 1 << 62
"""The age of what an analyst does not have while the program runs."""


@dataclass(frozen=True)
class Seen:
    """What is said of one node.

    Attributes:
        curve: Its rank-time of computing, by the monitor's time.
        holes: Shape (k, 2), begins and ends, ps, in order and apart: what is drawn there is not what the monitor told,
            but what an analyst must assume.
        told: Shape (k, 2), in order: when, by the monitor's time, what was told is of, and its age, ps, when the
            analyst had it, NEVER if that is after the run at best; None: the monitor does not say.
    """

    curve: Curve
    holes: NDArray[np.int64] = field(default_factory=lambda: NO_HOLES)
    told: NDArray[np.int64] | None = None

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


def told(times_ps: ArrayLike, ages_ps: ArrayLike) -> NDArray[np.int64]:
    """`Seen.told` of things in any order; of those of one time the oldest comes last."""
    times, ages = np.asarray(times_ps, np.int64), np.asarray(ages_ps, np.int64)
    order = np.lexsort((ages, times))
    return np.stack([times[order], ages[order]], axis=1)
