# SPDX-License-Identifier: BSD-3-Clause
"""Small programs on machines without clock drift, under a trace funnel, and the results that follow from their events."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import hypermon
from hypermon._model import catalogues

SCENARIO = "table2/place"
STORE_NS, STORE_BYTES = 50, 4
LITTLE: dict[str, Any] = {
    "monitor": "funnel",
    "nodes": 4,
    "place.attempts": 600,
    "place.accepted": 80,
    "place.temperatures": 8,
    "place.reheats": 1,
    "node.clock_drift_ppm": 0,
    "stimulus.store_ns": STORE_NS,
    "stimulus.store_bytes": STORE_BYTES,
}
NARROW: dict[str, Any] = {"funnel_sink.burst_ns": 1.5e6, "funnel_sink.burst_bytes": 16, "funnel_sink.buffer_bytes": 128}
"""A sink of 11 kB/s behind FIFOs of 64 B: far less than the sources produce."""


def run(out: Path, **settings: Any) -> hypermon.Result:
    """`settings` are parameter paths with __ instead of the dot."""
    own = {path.replace("__", "."): value for path, value in settings.items()}
    return hypermon.run(SCENARIO, settings=LITTLE | own, out=out)


def stored(event: catalogues.Event) -> int:
    """Bytes that the event occupies: its code and its arguments, padded with zeros to whole stores."""
    return -(-event.data_bytes // STORE_BYTES) * STORE_BYTES
