# SPDX-License-Identifier: BSD-3-Clause
"""What the table of `hypermon study monitors` says of a run under a monitor: each number, and where it comes from."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from hypermon._model import monitors
from hypermon._model.cost import HasCosts
from hypermon._model.monitors import Registered
from hypermon._model.schema import Value
from hypermon.judging.judgement import ACCOUNTING

AFTER = "after the run"
WHILE = "while it runs"
NOTHING = "nothing"
SHARES = {"p50": 0.5, "p99": 0.99, "max": 1.0}
Result = Mapping[str, Any]


@dataclass(frozen=True)
class Observed:
    """A run beside the same program alone; `values`: its specification."""

    monitor: Registered
    values: Mapping[str, Value]
    result: Result
    alone: Result

    @property
    def elapsed_s(self) -> float:
        return float(self.result["elapsed_s"])

    def at(self, path: str, of: Result | None = None) -> Any:
        """None: this result has no such thing."""
        found: Any = self.result if of is None else of
        for name in path.split("."):
            found = found.get(name) if isinstance(found, Mapping) else None
        return found


def slowdown(run: Observed) -> float | None:
    base = float(run.alone["elapsed_s"])
    return 100 * (run.elapsed_s / base - 1) if base else None


def lost(run: Observed) -> float | None:
    unit = run.monitor.unit
    generated = run.at(f"ledger.generated.{unit}")
    return 100 * run.result["ledger"]["lost_total"][unit] / generated if generated else None


AGES = {
    "picture.live": (1e3, "age_s"),
    "sampling.age_us": (1e-3, ""),
    "latency_us": (1e-3, ""),
}
"""Where a result says how old what arrived was: of whatever the picture is made of; without a picture, of samples or of
events. By path: ms in what it says, and where below a quantile."""


def ages(run: Observed) -> str:
    """Which of AGES it has; empty: none."""
    if _has_picture(run):
        return "picture.live" if run.at("picture.live") else ""
    return next((path for path in AGES if run.at(path)), "")


def age_metric(run: Observed) -> str:
    """The median age, ms, as a metric of such results; empty: this one has none."""
    path = ages(run)
    if not path or run.at(f"{path}.p50") is None:
        return ""
    factor, below = AGES[path]
    return f"{factor:g} * {'.'.join(part for part in (path, 'p50', below) if part)}"


def reaches(run: Observed) -> str:
    """When what was seen comes to an analyst: while the program runs, or in what it leaves."""
    if ages(run):
        return WHILE
    return AFTER if run.at(f"ledger.delivered.{run.monitor.unit}") or _has_picture(run) else NOTHING


def _has_picture(run: Observed) -> bool:
    """Of its own: not what anybody knows who was told how much the program computed."""
    return run.at("picture.source") not in (None, ACCOUNTING)


def age(quantile: str) -> Callable[[Observed], float | None]:
    """How old what arrives is, ms. What comes after the run is as old as is left of the run (chosen: evenly spread)."""

    def of(run: Observed) -> float | None:
        path = ages(run)
        if path and (there := run.at(f"{path}.{quantile}")) is not None:
            factor, below = AGES[path]
            return factor * float(there[below] if below else there)
        return 1e3 * SHARES[quantile] * run.elapsed_s if reaches(run) in (AFTER, WHILE) else None

    return of


def stamps(run: Observed) -> float | None:
    """The larger end of the error of timestamps, of samples or of events."""
    found = run.at("sampling.timestamp_error_us") or run.at("timestamp_error_us")
    return max(abs(float(found["min"])), abs(float(found["max"]))) if found else None


def disorder(run: Observed) -> float | None:
    """Only who stamps events can have messages out of order."""
    return run.result["causality_violations"] if run.at("timestamp_error_us") else None


def cpu(run: Observed) -> float | None:
    """Of the nodes' time."""
    busy, nodes = float(run.at("footprint.nodes.cpu_s") or 0), int(run.values["nodes"])
    return 100 * busy / (nodes * run.elapsed_s) if run.elapsed_s else None


def _carried(run: Observed, of_programs: bool) -> float:
    """More than for the program alone, which may have file servers, too."""

    def carried(result: Result) -> float:
        networks = run.at("footprint.networks", result) or []
        return float(
            sum(one["bytes"] for one in networks if (one["network"] == run.values["network.name"]) == of_programs)
        )

    return carried(run.result) - carried(run.alone)


def hardware(run: Observed) -> dict[str, tuple[float, str]]:
    """What its hardware costs, by name, with units; nothing where it has none."""
    found: dict[str, tuple[float, str]] = {}
    for name, term in monitors.part(run.monitor, HasCosts.costs).items():
        with contextlib.suppress(KeyError):
            found[name] = float(term.of(run.values)), term.unit
    return found


def losses(run: Observed) -> dict[str, float]:
    """Where for what how much is lost, of all there was, %."""
    unit = run.monitor.unit
    generated = run.at(f"ledger.generated.{unit}")
    entries = run.at("ledger.lost") or []
    return {
        f"{one['stage']}: {one['cause']}".replace("_", " "): 100 * one[unit] / generated
        for one in entries
        if generated and one[unit]
    }


class Column(NamedTuple):
    """A number of a run.

    Attributes:
        key: Its name in the data.
        title, unit: Above the column.
        about: What it is.
        of: Its value; None: there is no such thing of this run.
    """

    key: str
    title: str
    unit: str
    about: str
    of: Callable[[Observed], float | None]


SLOWDOWN, AGE, WORST, ERROR, LATE = "slowdown_percent", "age_p50_ms", "age_max_ms", "error_percent", "error_s"
MEMORY, LOST, HOLE = "memory_bytes", "lost_percent", "hole_percent"

COLUMNS = (
    Column(SLOWDOWN, "slowdown", "%", "Elapsed time over that of the program alone.", slowdown),
    Column(
        ERROR,
        "error",
        "%",
        "How far the analyst's picture is from when each node truly computed: of the nodes' time, what is told wrongly"
        " (docs/design/truth.md). A monitor without a picture has the guess of who knows how much was computed in all.",
        lambda run: run.at("picture.error_percent"),
    ),
    Column(
        LATE,
        "error in time",
        "s",
        "The same in time: by how much a second of computing stands wrong, on the average.",
        lambda run: run.at("picture.error_s"),
    ),
    Column(
        HOLE,
        "holes",
        "%",
        "Of the nodes' time: the monitor told nothing of it.",
        lambda run: run.at("picture.hole_percent"),
    ),
    Column(
        "guess_percent",
        "a guess's error",
        "%",
        "The error of who knows only how much was computed in all.",
        lambda run: run.at("picture.guess_percent"),
    ),
    Column(
        "live_error_percent",
        "error at once",
        "%",
        "The error of who looks while the program runs, and knows what has come so far.",
        lambda run: run.at("picture.live.actual.error_percent"),
    ),
    Column(AGE, "age, median", "ms", "Of what reaches the analyst, when it does.", age("p50")),
    Column("age_p99_ms", "age, p99", "ms", "The same: 99 of 100 are no older.", age("p99")),
    Column(WORST, "age, worst", "ms", "The same: none is older.", age("max")),
    Column(LOST, "lost", "%", "Of what the monitor was to see, in its own unit.", lost),
    Column("volume_bytes", "volume", "B", "What it logs or hands on.", lambda run: run.at("logged_bytes")),
    Column("stamp_error_us", "timestamps", "us", "The largest error of a timestamp.", stamps),
    Column("disorder", "out of order", "messages", "Messages received before they were sent, by its stamps.", disorder),
    Column(
        MEMORY,
        "memory",
        "B",
        "Buffers and daemons' working sets, on the node that has most.",
        lambda run: float(run.at("footprint.nodes.fullest_memory_bytes") or 0),
    ),
    Column("cpu_percent", "daemons' CPU", "%", "Of the nodes' time.", cpu),
    Column(
        "others_cpu_s",
        "CPU elsewhere",
        "s",
        "CPU time of daemons on other computers than the nodes.",
        lambda run: float(run.at("footprint.others.cpu_s") or 0),
    ),
    Column(
        "program_network_bytes",
        "program's network",
        "B",
        "What it sends over the network of the program's messages.",
        lambda run: _carried(run, of_programs=True),
    ),
    Column(
        "other_network_bytes",
        "other networks",
        "B",
        "What it sends over networks beside that one.",
        lambda run: _carried(run, of_programs=False),
    ),
    Column(
        "stored_bytes",
        "storage",
        "B",
        "What it writes to disks, file servers and the shared file system.",
        lambda run: float(run.at("footprint.stored_bytes") or 0),
    ),
)
BY_KEY = {column.key: column for column in COLUMNS}
NEEDED = ("picture.error_percent",)
"""Metrics that results of the study must have beside what is in all."""


def numbers(run: Observed) -> dict[str, float | None]:
    """Every column's."""
    return {column.key: column.of(run) for column in COLUMNS}
