# SPDX-License-Identifier: BSD-3-Clause
"""The knob of the trace funnel: the rate of its sink, from few pins to memory."""

from hypermon._model.setups import Setup

_RATES = (1_600_000, 400_000, 160_000, 64_000, 6_400, 64)
"""(chosen) Times for 64 bytes, ns: 40 kB/s to 1 GB/s."""
_VARY = {
    "funnel_source.fifo_bytes": (64, 1 << 20, "log"),
    "funnel_sink.burst_ns": list(_RATES),
    "funnel_source.full": ["drop", "stall"],
    "funnel_sink.buffer_bytes": (1024, 1 << 20, "log"),
    "instrumentation.catalogue": ["nx2", "mpi"],
}

SETUPS = (
    Setup(
        "coresight",
        ("funnel/coresight",),
        turned={"funnel_sink.burst_ns": _RATES},
        vary=_VARY,
        about="Trace hardware as in Arm's chips, with eight nodes as the cores of one chip. Nodes store events in the"
        " trace hardware, which sends them to memory at 1 GB/s.",
    ),
    Setup(
        "ntrace",
        ("funnel/ntrace",),
        turned={"funnel_sink.burst_ns": _RATES},
        vary=_VARY,
        about="Trace hardware as in RISC-V chips: like coresight, but it takes whole messages from the nodes in turn"
        " and builds no frames.",
    ),
)
