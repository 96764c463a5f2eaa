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
        about="The paper's boards behind a port that nodes write to 4 bits at a time, at what that takes an iPSC/2's"
        " processor, on whatever machine.",
    ),
)
