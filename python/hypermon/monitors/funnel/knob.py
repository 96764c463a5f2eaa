"""How the trace funnel is turned: by what each source's FIFO holds, behind a sink that is too slow for all of it."""

from hypermon._model.setups import Setup

_SLOW_SINK = {"funnel_sink.burst_bytes": 64, "funnel_sink.burst_ns": 400_000, "funnel_sink.buffer_bytes": 1024}
"""160 kB/s: a debug port of few pins, of which the FIFOs have to bridge the bursts (chosen)."""
_DEPTHS = tuple(1 << bits for bits in (6, 8, 10, 12, 14, 16, 18))
_VARY = {
    "funnel_source.fifo_bytes": (64, 1 << 20, "log"),
    "funnel_source.full": ["drop", "stall"],
    "funnel_sink.buffer_bytes": (1024, 1 << 20, "log"),
    "instrumentation.catalogue": ["nx2", "mpi"],
}

SETUPS = (
    Setup("coresight", ("funnel/coresight",), _SLOW_SINK, {"funnel_source.fifo_bytes": _DEPTHS}, _VARY),
    Setup("ntrace", ("funnel/ntrace",), _SLOW_SINK, {"funnel_source.fifo_bytes": _DEPTHS[1:]}, _VARY),
)
