"""How the software monitor is turned: by the memory that its trace may take."""

from hypermon._model.setups import Setup

SETUPS = (
    Setup(
        turned={"software.buffer_bytes": tuple(1 << bits for bits in (12, 14, 16, 18, 20, 22, 24))},
        vary={"software.buffer_bytes": (1 << 12, 1 << 26, "log"), "instrumentation.catalogue": ["nx2", "mpi"]},
    ),
)
