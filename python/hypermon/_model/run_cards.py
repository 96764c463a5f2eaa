# SPDX-License-Identifier: BSD-3-Clause
"""The summary card of a run's result: losses, the program's run time, and the latency of the data."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hypermon._model import monitors, verdicts, vocabulary
from hypermon._model.cards import BAD, GOOD, NEUTRAL, Card
from hypermon._model.result import show
from hypermon._model.schema import flat
from hypermon._model.words import figure, percent, plural, seconds

MICRO = 1e-6


def make(result: Mapping[str, Any], place: str) -> Card:
    """Returns the card of a result. `place`: its run directory, or "memory"."""
    spec = result["spec"]
    return Card(
        title=f"Result of {result['scenario']}: {subject(spec)}",
        verdict=" ".join(verdicts.sentences(result)),
        level=level(result),
        facts=[*facts(result), ("folder", place)],
        notes=[f"warning: {warning}" for warning in result.get("warnings", ())],
    )


def subject(spec: Mapping[str, Any]) -> str:
    """Describes the run: the program, the number of nodes and the monitor."""
    by = "no monitor" if spec["monitor"] == monitors.NOBODY else f"monitor {spec['monitor']}"
    return f"{spec['workload']} on {plural(spec['nodes'], 'node')}, {by}"


def level(result: Mapping[str, Any]) -> str:
    """Returns how the verdict is coloured: by what was lost."""
    if result["spec"]["monitor"] == monitors.NOBODY:
        return NEUTRAL
    return BAD if any(result["ledger"]["lost_total"].values()) else GOOD


def facts(result: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Returns the main numbers of a result. Those that it lacks are left out."""
    found = [("elapsed", f"{show(result['elapsed_s'])} s")]
    if result["ranks"]:
        share = max(rank["monitor_s"] / rank["elapsed_s"] if rank["elapsed_s"] else 0.0 for rank in result["ranks"])
        found.append(("overhead of the busiest rank", percent(share)))
    if (latency := result.get("latency_us")) is not None:
        quantiles = (f"{seconds(MICRO * latency[key])} {name}" for key, name in (("p50", "median"), ("p99", "p99")))
        found.append(("latency", ", ".join([*quantiles, f"{seconds(MICRO * latency['max'])} at most"])))
    if (error := result.get("timestamp_error_us")) is not None:
        found.append(("timestamp error", f"{seconds(error['min'] * 1e-6)} to {seconds(error['max'] * 1e-6)}"))
    words, numbers = vocabulary.find(result["spec"]["monitor"]), flat(dict(result))
    for path in words.metrics:
        if numbers.get(path) is not None:
            label, _, unit = words.labels.get(path, path.partition(".")[2].replace(".", " ")).partition(", ")
            found.append((label, f"{figure(numbers[path])} {unit}".rstrip()))
    return found
