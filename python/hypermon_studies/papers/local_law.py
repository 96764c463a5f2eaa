# SPDX-License-Identifier: BSD-3-Clause
"""Predicts each calibrated number from the others by a local law: numbers change linearly with the constants.

Without number i, least squares finds the change of the constants that brings the other simulated numbers nearest to the
published ones. The same change moves the simulated number i, which gives its prediction. The prediction interval
follows from the remaining scatter of the others and the leverage of number i.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from hypermon_studies.papers.intervals import Range, T

INSIDE = 1e-9  # (chosen) largest share of a row outside the span of the others that is rounding


@dataclass(frozen=True)
class Prediction:
    """One number, predicted from the others."""

    value: float
    interval: Range | None  # None: the others leave no degree of freedom, hence no scatter


def left_out(
    slopes: Sequence[Sequence[float]], ours: Sequence[float], published: Sequence[float]
) -> list[Prediction | None]:
    """Each number, predicted from the others; None if they do not determine it.

    Args:
        slopes: For each number, its relative change with the relative change of each constant.
        ours: The simulated numbers.
        published: The published numbers.
    """
    matrix, simulated = np.array(slopes, dtype=float), np.array(ours, dtype=float)
    lacking = np.array(published, dtype=float) / simulated - 1
    found: list[Prediction | None] = []
    for i, (row, number) in enumerate(zip(matrix, simulated, strict=True)):
        others = np.delete(matrix, i, axis=0)
        inverse = np.linalg.pinv(others)
        if np.linalg.norm(row - row @ inverse @ others) > INSIDE * np.linalg.norm(row):
            found.append(None)
            continue
        known = np.delete(lacking, i)
        change = inverse @ known
        middle = float(number * (1 + row @ change))
        free = len(known) - int(np.linalg.matrix_rank(others))
        scatter = float(np.sum((known - others @ change) ** 2))
        leverage = float(np.sum((row @ inverse) ** 2))
        half = float(number) * T[free - 1] * math.sqrt(scatter / free * (1 + leverage)) if free else None
        found.append(Prediction(middle, None if half is None else (middle - half, middle + half)))
    return found
