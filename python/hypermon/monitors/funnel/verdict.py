# SPDX-License-Identifier: BSD-3-Clause
"""The verdict on a run under the trace funnel."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hypermon._model.words import count


def verdict(result: Mapping[str, Any]) -> list[str]:
    """Returns a sentence about the largest relative FIFO occupancy."""
    spec, peaks = result["spec"], [int(source["peak_fifo_bytes"]) for source in result["monitor"]["sources"]]
    depths = [
        int({**spec["funnel_source"], **spec.get(f"funnel_source[{node}]", {})}["fifo_bytes"])
        for node in range(len(peaks))
    ]
    if not any(peaks):
        return []
    node = max(range(len(peaks)), key=lambda n: peaks[n] / depths[n])
    return [
        f"The fullest source's FIFO (node {node}) held at most {count(peaks[node])} of {count(depths[node])} bytes."
    ]
