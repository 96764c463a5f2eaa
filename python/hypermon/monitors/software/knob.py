# SPDX-License-Identifier: BSD-3-Clause
"""Setups of the software monitor: they vary the memory for its traces, also in the manner of Score-P, whose processes
trace themselves and write full buffers to the machine's file servers, if it has any.
"""

from hypermon._model.setups import Setup

BUFFERS = tuple(1 << bits for bits in (12, 14, 16, 18, 20, 22, 24))
RANGE = (1 << 12, 1 << 26, "log")

SETUPS = (
    Setup(
        turned={"software.buffer_bytes": BUFFERS},
        vary={"software.buffer_bytes": RANGE, "instrumentation.catalogue": ["nx2", "mpi"]},
        about="The operating system writes its events into a buffer in each node's memory. The analyst reads them"
        " after the run. On every machine a write costs as much as on the processor of an iPSC/2.",
    ),
    Setup(
        "otf2",
        presets=("software/otf2",),
        turned={"software.buffer_bytes": BUFFERS},
        vary={"software.buffer_bytes": RANGE, "software.write_bytes": RANGE, "software.clocks": ["none", "linear"]},
        about="Each process writes a trace of itself, as with Score-P. It writes full buffers in the format OTF2 to"
        " file servers.",
    ),
    Setup(
        "otf2_memory",
        presets=("software/otf2_memory",),
        turned={"software.buffer_bytes": BUFFERS},
        vary={"software.buffer_bytes": RANGE, "software.clocks": ["none", "linear"]},
        about="Processes keep their OTF2 traces in memory until the end of the run, on machines without file servers.",
    ),
)
