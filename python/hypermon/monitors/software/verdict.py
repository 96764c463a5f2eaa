# SPDX-License-Identifier: BSD-3-Clause
"""The verdict on a run under the software monitor."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hypermon._model.words import data, percent, plural, seconds


def verdict(result: Mapping[str, Any]) -> list[str]:
    """The occupancy of the fullest trace buffer, or the time of recording, of flushes, and of the end."""
    software, monitor = result["spec"]["software"], result["monitor"]
    fullest = max(monitor["buffer_bytes"], default=0)
    if not fullest:
        return []
    if software["when_full"] == "flush":
        return _flushed(monitor["trace"], len(monitor["buffer_bytes"]) * float(result["elapsed_s"]))
    owner = "process" if software["traces"] == "process" else "node"
    return [f"The fullest {owner}'s trace buffer held {data(fullest)} of {data(software['buffer_bytes'])}."]


def _flushed(trace: Mapping[str, Any], all_s: float) -> list[str]:
    """`all_s`: total time of all processes."""
    if not all_s:
        return []
    share = percent((trace["recording_s"] + trace["flushing_s"]) / all_s)
    what = f"Recording and {plural(trace['flushes'], 'flush', 'flushes')} took {share} of the processes' time."
    return [what, f"The end of the program took another {seconds(trace['closing_s'])}."]
