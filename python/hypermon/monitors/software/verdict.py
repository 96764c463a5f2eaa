# SPDX-License-Identifier: BSD-3-Clause
"""The verdict on a run under the software monitor."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hypermon._model.words import data, seconds


def verdict(result: Mapping[str, Any]) -> list[str]:
    """The occupancy of the fullest trace buffer, or the time of its flushes."""
    software, monitor = result["spec"]["software"], result["monitor"]
    fullest = max(monitor["buffer_bytes"], default=0)
    if not fullest:
        return []
    if software["when_full"] == "flush":
        trace = monitor["trace"]
        return [
            f"Full buffers were written {trace['flushes']} times, which took {seconds(trace['flushing_s'])} in all."
        ]
    owner = "process" if software["traces"] == "process" else "node"
    return [f"The fullest {owner}'s trace buffer held {data(fullest)} of {data(software['buffer_bytes'])}."]
