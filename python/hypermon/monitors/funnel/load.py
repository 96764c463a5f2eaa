# SPDX-License-Identifier: BSD-3-Clause
"""Load of the sinks: arrival rate over output rate. Above 1, no buffer suffices for ever."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hypermon._engine.load import Load
from hypermon._model.schema import flat
from hypermon._model.words import rate
from hypermon.monitors.funnel import costs

METRICS: tuple[str, ...] = ("elapsed_s", "monitor.stream.bytes", "monitor.stream.lost_bytes")


def compute(result: Mapping[str, Any]) -> Load | None:
    """Returns the mean load of the chips' sinks. None: another monitor, or the sinks are only read at the end.

    Data that sources drop do not arrive at a sink. For a design with such losses, the load is a lower bound.
    """
    spec = result["spec"]
    if spec["monitor"] != "funnel" or spec["funnel_sink"]["reads"] == "at_end" or not result["elapsed_s"]:
        return None
    come = float(result["monitor"]["stream"]["bytes"]) / float(result["elapsed_s"])
    capacity = costs.trace_bytes_per_s(flat(spec))
    never = (
        f"no buffer is enough: {rate(come, 'B')} come to the sinks on average and they send away"
        f" {rate(capacity, 'B')} at most"
    )
    return Load(come, capacity, "bytes", never)
