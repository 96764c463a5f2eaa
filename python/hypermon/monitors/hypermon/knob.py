# SPDX-License-Identifier: BSD-3-Clause
"""Writing slowly is the knob of the HYPERMON monitor: slow writes disturb the nodes and spare the FIFOs."""

from hypermon._model.setups import Setup

SETUPS = (
    Setup(
        turned={"port.delay": (80, 40, 20, 10, 5, 0)},
        vary={
            "port.delay": (0, 80),
            "port.width_bits": [4, 8, 16, 32],
            "ecb.frame_fifo_frames": (16, 65536, "log"),
            "instrumentation.catalogue": ["nx2", "mpi"],
        },
        about="The boards of the HYPERMON paper. Nodes write events to a port of 4 bits. On every machine a write costs"
        " as much as on the processor of an iPSC/2.",
    ),
)
