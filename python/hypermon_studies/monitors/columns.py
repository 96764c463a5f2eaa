# SPDX-License-Identifier: BSD-3-Clause
"""The columns of the table of `hypermon study monitors`: numbers of a run under a monitor, and their origin."""

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
        """Value at the path. None: the result has no such value."""
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


LATENCIES = {
    "picture.live": (1e3, "age_s"),
    "sampling.age_us": (1e-3, ""),
    "latency_us": (1e-3, ""),
}
"""Results with latencies: of the data that the error is computed from; otherwise of samples or of events. By path:
factor from the result's unit to milliseconds, and the key below a quantile.
"""


def latencies(run: Observed) -> str:
    """The path in LATENCIES that the run has; empty: none."""
    if _has_picture(run):
        return "picture.live" if run.at("picture.live") else ""
    return next((path for path in LATENCIES if run.at(path)), "")


def latency_metric(run: Observed) -> str:
    """Returns the metric of the median latency, ms, for such results; empty if this one has none."""
    path = latencies(run)
    if not path or run.at(f"{path}.p50") is None:
        return ""
    factor, below = LATENCIES[path]
    return f"{factor:g} * {'.'.join(part for part in (path, 'p50', below) if part)}"


def reaches(run: Observed) -> str:
    """Arrival of the data at an analyst: during the run, or after it."""
    if latencies(run):
        return WHILE
    return AFTER if run.at(f"ledger.delivered.{run.monitor.unit}") or _has_picture(run) else NOTHING


def _has_picture(run: Observed) -> bool:
    """True if the monitor has an estimate of its own, not the one that follows from the total computing time alone."""
    return run.at("picture.source") not in (None, ACCOUNTING)


def latency(quantile: str) -> Callable[[Observed], float | None]:
    """The latency, ms. Data that arrive after the run wait for the rest of the run (chosen: evenly spread)."""

    def latency_ms(run: Observed) -> float | None:
        path = latencies(run)
        if path and (there := run.at(f"{path}.{quantile}")) is not None:
            factor, below = LATENCIES[path]
            return factor * float(there[below] if below else there)
        return 1e3 * SHARES[quantile] * run.elapsed_s if reaches(run) in (AFTER, WHILE) else None

    return latency_ms


def stamps(run: Observed) -> float | None:
    """Largest absolute timestamp error, of samples or of events."""
    found = run.at("sampling.timestamp_error_us") or run.at("timestamp_error_us")
    return max(abs(float(found["min"])), abs(float(found["max"]))) if found else None


def disorder(run: Observed) -> float | None:
    """Causality violations. Only monitors that give events timestamps can have them."""
    return run.result["causality_violations"] if run.at("timestamp_error_us") else None


def cpu(run: Observed) -> float | None:
    """CPU time of the monitor as a share of the nodes' time, in %."""
    busy, nodes = float(run.at("footprint.nodes.cpu_s") or 0), int(run.values["nodes"])
    return 100 * busy / (nodes * run.elapsed_s) if run.elapsed_s else None


def _carried(run: Observed, of_programs: bool) -> float:
    """Increase over the run without a monitor, because the program itself may use file servers."""

    def carried(result: Result) -> float:
        networks = run.at("footprint.networks", result) or []
        return float(
            sum(one["bytes"] for one in networks if (one["network"] == run.values["network.name"]) == of_programs)
        )

    return carried(run.result) - carried(run.alone)


def hardware(run: Observed) -> dict[str, tuple[float, str]]:
    """Returns the costs of the monitor's hardware, by name, with units; empty for a monitor without hardware.

    Costs that need a synthesis of the board are left out: each takes seconds, and large boards have none.
    """
    found: dict[str, tuple[float, str]] = {}
    for name, term in monitors.part(run.monitor, HasCosts.costs).items():
        if not term.is_slow:
            with contextlib.suppress(KeyError):
                found[name] = float(term.compute(run.values)), term.unit
    return found


def losses(run: Observed) -> dict[str, float]:
    """Lost share of all data by place and cause, in %."""
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
        title, unit: Heading of the column.
        about: Description of the number.
        of: Function for its value. None: the run has no such value.
    """

    key: str
    title: str
    unit: str
    about: str
    compute: Callable[[Observed], float | None]


SLOWDOWN, ERROR, LATE = "slowdown_percent", "error_percent", "error_s"
LATENCY, WORST = "latency_p50_ms", "latency_max_ms"
MEMORY, LOST, HOLE = "memory_bytes", "lost_percent", "hole_percent"

COLUMNS = (
    Column(SLOWDOWN, "slowdown", "%", "Increase of the elapsed time over the program without a monitor.", slowdown),
    Column(
        ERROR,
        "error",
        "%",
        "Share of the nodes' time that the monitor's data report wrongly: as computing instead of waiting, or the other"
        " way round (docs/design/truth.md). For a monitor that reports no times it equals the error of a guess.",
        lambda run: run.at("picture.error_percent"),
    ),
    Column(
        LATE,
        "error in time",
        "s",
        "Time by which the monitor's data misplace a second of computing, on average.",
        lambda run: run.at("picture.error_s"),
    ),
    Column(
        HOLE,
        "holes",
        "%",
        "Share of the nodes' time about which the monitor reports nothing.",
        lambda run: run.at("picture.hole_percent"),
    ),
    Column(
        "guess_percent",
        "error of a guess",
        "%",
        "Error of an analyst who knows only each node's total computing time.",
        lambda run: run.at("picture.guess_percent"),
    ),
    Column(
        "live_error_percent",
        "error during the run",
        "%",
        "Error of an analyst who watches the running program, and so knows only the data that have already arrived.",
        lambda run: run.at("picture.live.actual.error_percent"),
    ),
    Column(
        LATENCY,
        "latency, median",
        "ms",
        "Time from an event or a reading until the analyst has it. Data that arrive after the run wait for its end.",
        latency("p50"),
    ),
    Column("latency_p99_ms", "latency, p99", "ms", "Latency that 99 of 100 data do not exceed.", latency("p99")),
    Column(WORST, "latency, worst", "ms", "Largest latency.", latency("max")),
    Column(LOST, "lost", "%", "Share of the events, samples or profiles that are lost.", lost),
    Column("volume_bytes", "volume", "B", "Data that the monitor logs.", lambda run: run.at("logged_bytes")),
    Column("stamp_error_us", "timestamps", "us", "The largest error of a timestamp.", stamps),
    Column(
        "disorder",
        "out of order",
        "messages",
        "Messages that are received before they are sent, by the monitor's timestamps.",
        disorder,
    ),
    Column(
        MEMORY,
        "memory",
        "B",
        "Buffers and working sets of daemons, on the node with the largest sum.",
        lambda run: float(run.at("footprint.nodes.fullest_memory_bytes") or 0),
    ),
    Column("cpu_percent", "daemons' CPU", "%", "CPU time of daemons, as a share of the nodes' time.", cpu),
    Column(
        "others_cpu_s",
        "CPU elsewhere",
        "s",
        "CPU time of daemons on computers other than the nodes.",
        lambda run: float(run.at("footprint.others.cpu_s") or 0),
    ),
    Column(
        "program_network_bytes",
        "program's network",
        "B",
        "Data that the monitor sends over the network of the program's messages.",
        lambda run: _carried(run, of_programs=True),
    ),
    Column(
        "other_network_bytes",
        "other networks",
        "B",
        "Data that the monitor sends over other networks.",
        lambda run: _carried(run, of_programs=False),
    ),
    Column(
        "stored_bytes",
        "storage",
        "B",
        "Data that the monitor writes to disks, file servers and the shared file system.",
        lambda run: float(run.at("footprint.stored_bytes") or 0),
    ),
)
BY_KEY = {column.key: column for column in COLUMNS}
NEEDED = ("picture.error_percent",)
"""Metrics that results of the study must have besides the usual ones."""


def numbers(run: Observed) -> dict[str, float | None]:
    """Metrics of all columns."""
    return {column.key: column.compute(run) for column in COLUMNS}
