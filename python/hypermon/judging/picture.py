# SPDX-License-Identifier: BSD-3-Clause
"""An analyst's picture of a run: the times when each node computed, according to a monitor's data."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hypermon.judging.curves import Curve, curve_from_slopes

NO_HOLES: NDArray[np.int64] = np.zeros((0, 2), np.int64)
NEVER = 1 << 62
"""Latency of data that do not arrive while the program runs."""


@dataclass(frozen=True)
class NodePicture:
    """The picture of one node.

    Attributes:
        curve: Cumulative rank-time of computing over the monitor's time.
        holes: Intervals in which the curve is an assumption, without data of the monitor. Shape (k, 2): begin and end,
            ps, sorted and disjoint.
        arrivals: Arrivals of data. Shape (k, 2), sorted: the monitor's time to which the data refer, and their
            latency, ps, which is NEVER if they do not arrive during the run. None: unknown.
    """

    curve: Curve
    holes: NDArray[np.int64] = field(default_factory=lambda: NO_HOLES)
    arrivals: NDArray[np.int64] | None = None

    def hole_ps(self, section: Curve) -> float:
        """Returns the rank-time of the section that lies in holes, ps."""
        begins, ends = (section.at(edges) for edges in self.holes.T)
        return float((ends - begins).sum())


@dataclass(frozen=True)
class Picture:
    """The picture of all nodes.

    Attributes:
        source: Data from which it is made, as a text: "events", "cpu.user", "profiles".
        nodes: Pictures of the nodes. None: the monitor has no data of the node.
        in_hindsight: Whether a piece of a curve becomes known at its end (a mean between two samples), not at its
            begin (a state).
        clock: Clock of the times.
    """

    source: str
    nodes: Sequence[NodePicture | None]
    in_hindsight: bool
    clock: str = "stamped"


def node_picture_from_states(
    times_ps: ArrayLike, computing: ArrayLike, end_ps: int, holes: NDArray[np.int64] = NO_HOLES
) -> NodePicture:
    """Makes the picture of a node. From each time on, a number of ranks compute, at the last one until `end_ps`."""
    times = np.asarray(times_ps, np.int64)
    return NodePicture(
        curve_from_slopes(np.append(times, max(end_ps, int(times[-1]) if len(times) else end_ps)), computing), holes
    )


def sort_arrivals(times_ps: ArrayLike, ages_ps: ArrayLike) -> NDArray[np.int64]:
    """Sorts arrivals for `NodePicture.arrivals`: by time, and by latency if times are equal."""
    times, ages = np.asarray(times_ps, np.int64), np.asarray(ages_ps, np.int64)
    order = np.lexsort((ages, times))
    return np.stack([times[order], ages[order]], axis=1)
