# SPDX-License-Identifier: BSD-3-Clause
"""The HYPERMON monitor's own results in a comparison (`hypermon._comparing.quantities.Compared`)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from hypermon._comparing.comparison import LESS
from hypermon._comparing.quantities import COST, TIMESTAMPS, Quantity
from hypermon._engine import load
from hypermon.monitors.hypermon import costs
from hypermon.report.facts import Run
from hypermon.report.repeat import values_of

LESS_IS_BETTER = frozenset(
    f"monitor.{name}"
    for name in (
        "frames.lost",
        "aliasing",
        "node_overruns",
        "windows_lost",
        "discarded",
        "spurious_events",
        "falsified_events",
        "garbage_nibbles",
        "ambiguous_silences",
        "impossible_frames",
        "held_s",
        "drain.bytes_lost",
    )
)

DESIGNS: Mapping[str, Mapping[str, tuple[str, str, str]]] = {
    "lost_events_share": {
        "frames_lost": ("frames lost", "frames", LESS),
        "aliasing": ("lost to aliasing", "nibbles", LESS),
    },
    "slowdown": {"peak_frame_fifo": ("peak of the frame FIFO", "frames", "")},
}


def _load(run: Run) -> float | None:
    found = load.compute(run.result)
    return found.share if found else None


def _cost(name: str) -> Callable[[Run], float | None]:
    def cost(run: Run) -> float | None:
        return costs.TERMS[name].compute(values_of(run.result)) if run.kind == "hypermon" else None

    return cost


QUANTITIES: Mapping[str, Sequence[Quantity]] = {
    "emission_share": (
        Quantity("monitor.frames.built", "frames built", "frames", "", "monitor.frames.built"),
        Quantity("monitor.frames.lost", "frames lost", "frames", LESS, "monitor.frames.lost"),
        Quantity(
            "monitor.frames.peak_occupancy", "peak of the frame FIFO", "frames", "", "monitor.frames.peak_occupancy"
        ),
        Quantity("load", "load of the reader in the long run", "%", LESS, _load),
    ),
    "causality_violations": (
        Quantity(
            "monitor.ambiguous_silences", "ambiguous silences", "", LESS, "monitor.ambiguous_silences", TIMESTAMPS
        ),
    ),
    "": (
        Quantity("cost.memory_bits", "memory on the boards", "bits", LESS, _cost("memory_bits"), COST),
        Quantity(
            "cost.bandwidth_bytes_per_s", "bandwidth of the buses", "B/s", LESS, _cost("bandwidth_bytes_per_s"), COST
        ),
    ),
}
