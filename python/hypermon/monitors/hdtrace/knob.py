# SPDX-License-Identifier: BSD-3-Clause
"""The knob of HDTrace: the size of its buffers, which are written to a disk while the program waits."""

from hypermon._model.setups import Setup

SETUPS = (
    Setup(
        turned={"hdtrace.buffer_bytes": tuple(1 << bits for bits in (24, 22, 20, 18, 16, 14))},
        vary={
            "hdtrace.buffer_bytes": (1 << 12, 1 << 26, "log"),
            "hdtrace.nested": [True, False],
            "hdtrace.layers": [True, False],
            "hdtrace.sample_ms": [0, 100, 1000],
        },
        about="A wrapper of MPI writes the calls of each process, and which call waits for which, to files on the"
        " node's disk.",
    ),
)
