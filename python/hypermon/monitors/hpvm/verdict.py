# SPDX-License-Identifier: BSD-3-Clause
"""The verdict on a run under the HPVM monitor."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hypermon._model.words import count, seconds


def verdict(result: Mapping[str, Any]) -> list[str]:
    """Returns a sentence about whether each sweep of the counters ended within its interval."""
    monitor = result["monitor"]
    made, missed = monitor["sweeps"], monitor["missed_sweeps"]
    longest, interval = seconds(monitor["longest_sweep_s"] or 0), seconds(result["spec"]["hpvm"]["interval_s"])
    if missed:
        return [
            f"{count(missed)} of {count(made + missed)} sweeps were missed: the longest took {longest}, the interval is"
            f" {interval}."
        ]
    return [f"The longest sweep took {longest} of its interval of {interval}."] if made else []
