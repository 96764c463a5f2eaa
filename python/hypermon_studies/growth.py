# SPDX-License-Identifier: BSD-3-Clause
"""Growth of a time with the number of nodes n: fits of a + b n and a + b log n, and local powers."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

SHAPES: Mapping[str, Callable[[float], float]] = {"n": float, "log2 n": math.log2}


@dataclass(frozen=True)
class Fit:
    """Time = constant + slope x shape(nodes), with the least sum of squares of relative errors.

    Attributes:
        constant, slope: In the unit of the times.
        rms: Root of the mean square of the relative errors.
        worst: The largest relative error, by its magnitude.
    """

    shape: str
    constant: float
    slope: float
    rms: float
    worst: float

    def at(self, nodes: float) -> float:
        return self.constant + self.slope * SHAPES[self.shape](nodes)


def fit(nodes: Sequence[int], times: Sequence[float], shape: str) -> Fit:
    """The best fit of that shape. At least three points are needed, with times above 0."""
    import numpy as np

    if len(nodes) < 3 or len(nodes) != len(times) or min(times) <= 0:
        raise ValueError(f"{len(nodes)} nodes, {len(times)} times: there must be three or more of each, above 0")
    y = np.array(times, dtype=float)
    x = np.array([SHAPES[shape](n) for n in nodes])
    weighted = np.column_stack((1 / y, x / y))  # relative errors, so that small machines count as much as large ones
    (constant, slope), *_ = np.linalg.lstsq(weighted, np.ones_like(y), rcond=None)
    errors = (constant + slope * x) / y - 1
    worst = float(errors[np.argmax(np.abs(errors))])
    return Fit(shape, float(constant), float(slope), float(np.sqrt(np.mean(errors**2))), worst)


def powers(nodes: Sequence[int], times: Sequence[float]) -> list[float]:
    """Exponent of the growth between successive numbers of nodes. 1: proportional to the nodes; 0: constant."""
    points = list(zip(nodes, times, strict=True))
    return [math.log(b / a) / math.log(n / m) for (m, a), (n, b) in pairwise(points)]
