# SPDX-License-Identifier: BSD-3-Clause
"""The verdict on a run under the HPVM monitor."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hypermon._model.words import count, seconds

MOST_NODES = 4  # number of nodes that are named


def verdict(result: Mapping[str, Any]) -> list[str]:
    """Returns what its rules noticed, and whether each sweep of the counters ended within its interval."""
    monitor = result["monitor"]
    made, missed = monitor["sweeps"], monitor["missed_sweeps"]
    longest, interval = seconds(monitor["longest_sweep_s"] or 0), seconds(result["spec"]["hpvm"]["interval_s"])
    zoomed = [_zoomed(rule) for rule in monitor.get("rules", ())]
    if missed:
        return [
            *zoomed,
            f"{count(missed)} of {count(made + missed)} sweeps were missed: the longest took {longest}, the interval is"
            f" {interval}.",
        ]
    return [*zoomed, *([f"The longest sweep took {longest} of its interval of {interval}."] if made else [])]


def _zoomed(rule: Mapping[str, Any]) -> str:
    if not rule["fired"]:
        return f"The rule {rule['rule']} never held."
    nodes = rule["nodes"]
    where = f"node{'s' * (len(nodes) > 1)} {', '.join(map(str, nodes[:MOST_NODES]))}"
    more = f" and {len(nodes) - MOST_NODES} more" if len(nodes) > MOST_NODES else ""
    return (
        f"The monitor zoomed in on {where}{more} after {seconds(rule['first_s'])}, when the rule {rule['rule']} first"
        f" held: {count(rule['sweeps'])} further sweeps."
    )
