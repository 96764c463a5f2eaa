# SPDX-License-Identifier: BSD-3-Clause
"""The verdict on a run under TAU."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hypermon._model.words import percent, plural


def verdict(result: Mapping[str, Any]) -> list[str]:
    """Overhead of the measurement for the busiest process, and whether profiles arrive before the end."""
    monitor = result["monitor"]
    timers = plural(monitor["timers"], "timer")
    return [
        f"The cost of {timers} was {percent(monitor['open_loop_dilation'])} of the busiest process's other CPU time.",
        *(["No profile arrives before the program's end."] if monitor["transport"] == "none" else []),
    ]
