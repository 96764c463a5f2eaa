# SPDX-License-Identifier: BSD-3-Clause
"""How fast may nodes write? Each null-loop iteration after a nibble slows the program, and spares the hardware.

What the nodes write depends on the delay, so every design is a co-simulation; the slowdown is against one run without a
monitor. Usage: python examples/tradeoffs/perturbation.py [TRIALS]
"""

import sys

from hypermon.tradeoffs import pareto

trials = int(sys.argv[1]) if len(sys.argv) > 1 else 30

front = pareto(
    "table2/place",
    vary={"port.delay": (0, 20), "ecb.frame_fifo_frames": [256, 1024, 4096]},
    objectives={"slowdown": "minimize", "loss": "minimize"},
    trials=trials,
    settings={"nodes": 16, "place.attempts": 1600, "place.accepted": 400},  # a short run
)
print(front.to_pandas().to_string(index=False))
