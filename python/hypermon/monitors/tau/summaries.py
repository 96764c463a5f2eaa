# SPDX-License-Identifier: BSD-3-Clause
"""Profiles of all threads as pprof shows them: a routine's mean, or total, over threads."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from hypermon._files import tau
from hypermon.errors import UserError, suggestion

ORDERS = ("exclusive", "inclusive", "calls", "subroutines", "name")
OVER = ("mean", "total")
Thread = tuple[int, int, int]


class Row(NamedTuple):
    """A routine.

    Attributes:
        share: Inclusive time as a share of the longest inclusive time of any routine.
        exclusive_us, inclusive_us: Time in the routine without, and with, the routines that it called.
        calls, subroutines: Calls of the routine, and calls that it made. A mean may be a fraction.
        us_per_call: Inclusive time for each call.
        threads: Number of threads that called the routine.
    """

    name: str
    group: str
    share: float
    exclusive_us: float
    inclusive_us: float
    calls: float
    subroutines: float
    us_per_call: float
    threads: int


def read(folder: Path) -> dict[Thread, tau.Profile]:
    """Reads all profiles of a folder or of a run's directory."""
    found = {thread: tau.read(file) for thread, file in tau.find(folder).items()}
    metrics = sorted({one.metric for one in found.values()})
    if len(metrics) > 1:
        raise UserError(f"{folder}: its profiles are of different metrics: {', '.join(metrics)}")
    return found


def rows(profiles: Sequence[tau.Profile], over: str = "mean", order: str = "exclusive") -> list[Row]:
    """Returns a row for each routine.

    Args:
        profiles: Profiles of the threads.
        over: `mean` over all threads, including those that never called it, or `total`.
        order: Sort key of the rows: numbers descending, names alphabetically.
    """
    for word, words, what in ((over, OVER, "--over"), (order, ORDERS, "--sort")):
        if word not in words:
            raise UserError(f"{what} {word}: must be one of {', '.join(words)}{suggestion(word, words)}")
    by_name: dict[str, list[tau.Routine]] = {}
    for profile in profiles:
        for routine in profile.routines:
            by_name.setdefault(routine.name, []).append(routine)
    threads = len(profiles) if over == "mean" else 1
    longest = max((_sum(r.inclusive for r in found) / threads for found in by_name.values()), default=0.0)
    made = []
    for name, found in by_name.items():
        calls = _sum(one.calls for one in found)
        inclusive = _sum(one.inclusive for one in found)
        made.append(
            Row(
                name,
                found[0].group,
                inclusive / threads / longest if longest > 0 else 0.0,
                _sum(one.exclusive for one in found) / threads,
                inclusive / threads,
                calls / threads,
                _sum(one.subroutines for one in found) / threads,
                inclusive / calls if calls else 0.0,
                len(found),
            )
        )
    if order == "name":
        return sorted(made, key=lambda row: row.name)
    field = {"exclusive": "exclusive_us", "inclusive": "inclusive_us"}.get(order, order)
    return sorted(made, key=lambda row: (-getattr(row, field), row.name))


def _sum(numbers: Iterable[float]) -> float:
    return float(sum(numbers))
