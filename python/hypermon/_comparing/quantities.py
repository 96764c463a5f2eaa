# SPDX-License-Identifier: BSD-3-Clause
"""The main quantities of a comparison, and the results of which less is better, including those of monitors."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from hypermon._comparing.comparison import LESS
from hypermon._model import monitors
from hypermon.report.facts import Run

LOSSES, PROGRAM, LATENCY, TIMESTAMPS, COST = "losses", "program", "latency", "timestamps", "data and hardware"
"""Groups of quantities that tend to change together."""


@dataclass(frozen=True)
class Quantity:
    """A main quantity. `value_of`: the path of the result, or a function of the run."""

    name: str
    label: str
    unit: str
    better: str
    value_of: str | Callable[[Run], float | None]
    group: str = LOSSES


class Compared(Protocol):
    """Interface of a monitor's module for comparisons (`Monitor.compared`)."""

    QUANTITIES: Mapping[str, Sequence[Quantity]]
    """The monitor's main quantities, by the name of the general quantity before them; "": they are the last."""
    LESS_IS_BETTER: frozenset[str]
    """Paths of further results of which less is better."""
    DESIGNS: Mapping[str, Mapping[str, tuple[str, str, str]]]
    """Further columns in comparisons of designs (`designs.COLUMNS`), by the name of the general column before them."""


class HasCompared(Protocol):
    def compared(self) -> Compared | None: ...


def _share(unit: Callable[[Run], str]) -> Callable[[Run], float | None]:
    def lost_share(run: Run) -> float | None:
        ledger, name = run.result["ledger"], unit(run)
        generated = float(ledger["generated"][name])
        return float(ledger["lost_total"][name]) / generated if generated else None

    return lost_share


def _timestamp_error(run: Run) -> float | None:
    error = run.result["timestamp_error_us"]
    return max(-float(error["min"]), float(error["max"])) if error else None


GENERAL = (
    Quantity("events", "events", "", "", "events"),
    Quantity("events_lost", "events lost", "%", LESS, _share(lambda _: "events")),
    Quantity("data_lost", "data lost", "%", LESS, _share(lambda run: run.unit)),
    Quantity("elapsed_s", "time of the program", "s", LESS, "elapsed_s", PROGRAM),
    Quantity("slowdown", "slowdown", "%", LESS, lambda run: run.slowdown, PROGRAM),
    Quantity(
        "emission_share", "busiest node's time spent emitting", "%", LESS, lambda run: run.emission_share, PROGRAM
    ),
    Quantity("latency_us.p50", "median latency", "us", LESS, "latency_us.p50", LATENCY),
    Quantity("latency_us.p99", "99th percentile of latency", "us", LESS, "latency_us.p99", LATENCY),
    Quantity("timestamp_error", "largest timestamp error", "us", LESS, _timestamp_error, TIMESTAMPS),
    Quantity("causality_violations", "messages out of order", "messages", LESS, "causality_violations", TIMESTAMPS),
    Quantity("logged_bytes", "logged data", "B", "", "logged_bytes", COST),
)


def quantities() -> tuple[Quantity, ...]:
    """Returns all main quantities, in order."""
    own = [one.QUANTITIES for one in _of_monitors()]
    found = [q for one in GENERAL for q in (one, *(mine for more in own for mine in more.get(one.name, ())))]
    return *found, *(mine for more in own for mine in more.get("", ()))


def of_designs(general: Mapping[str, tuple[str, str, str]]) -> dict[str, tuple[str, str, str]]:
    """Returns the columns in comparisons of designs, in order."""
    own = [one.DESIGNS for one in _of_monitors()]
    found: dict[str, tuple[str, str, str]] = {}
    for name, column in general.items():
        found[name] = column
        for more in own:
            found |= more.get(name, {})
    return found


@functools.cache
def less_is_better() -> frozenset[str]:
    """Returns the paths of further results of which less is better: all losses, and those of the monitors."""
    general = {"ledger.lost_total.events", "latency_us.p50", "latency_us.p99", "latency_us.max"}
    general |= {f"ledger.lost_total.{one.unit}" for one in monitors.registered().values() if one.unit}
    general |= {"causality_violations", "elapsed_s", "monitor.overrun"}
    return frozenset(general).union(*(one.LESS_IS_BETTER for one in _of_monitors()))


def _of_monitors() -> list[Compared]:
    return list(monitors.parts(HasCompared.compared).values())
