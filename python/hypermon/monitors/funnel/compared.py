# SPDX-License-Identifier: BSD-3-Clause
"""The trace funnel's own results in a comparison (`hypermon._comparing.quantities.Compared`)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from hypermon._comparing.comparison import LESS
from hypermon._comparing.quantities import COST, LATENCY, Quantity
from hypermon.monitors.funnel import costs
from hypermon.report.facts import Run
from hypermon.report.repeat import values_of

LESS_IS_BETTER = frozenset(
    f"monitor.{name}" for name in ("held_s", "late_events", "stream.lost_bytes", "sink.peak_bytes")
)
DESIGNS: Mapping[str, Mapping[str, tuple[str, str, str]]] = {}


def _cost(name: str) -> Callable[[Run], float | None]:
    def cost(run: Run) -> float | None:
        return costs.TERMS[name].compute(values_of(run.result)) if run.kind == "funnel" else None

    return cost


QUANTITIES: Mapping[str, Sequence[Quantity]] = {
    "emission_share": (
        Quantity("monitor.stream.bytes", "trace stream", "B", LESS, "monitor.stream.bytes"),
        Quantity("monitor.stream.lost_bytes", "of it lost in sinks", "B", LESS, "monitor.stream.lost_bytes"),
        Quantity(
            "monitor.late_events", "events after the program's end", "events", LESS, "monitor.late_events", LATENCY
        ),
    ),
    "": (
        Quantity(
            "cost.trace_memory_bits", "memory of the trace's hardware", "bits", LESS, _cost("trace_memory_bits"), COST
        ),
        Quantity("cost.trace_wires", "wires of its links", "wires", LESS, _cost("trace_wires"), COST),
    ),
}
