# SPDX-License-Identifier: BSD-3-Clause
"""Which of the board's parameters decide how much it loses? Screened by Morris, apportioned by Sobol.

The program runs once; every design is a replay. Usage: python examples/tradeoffs/sensitivity.py [SAMPLES]
"""

import sys

from hypermon.tradeoffs import morris, sobol

samples = int(sys.argv[1]) if len(sys.argv) > 1 else 64

scenario = "table2/place"
settings = {"nodes": 16, "place.attempts": 1600, "place.accepted": 400}  # a short run
vary = {
    "ecb.frame_fifo_frames": (16, 4096, "log"),
    "ecb.window_ns": [400, 800, 1600],
    "ecb.node_fifo_entries": (1, 64),
    "pbx.word_ns": (222, 1600),
}

screened = morris(scenario, vary, "loss", settings=settings, trajectories=max(2, samples // 4))
print(screened.summary())
print(screened.table.to_string(float_format="%.4f"))

found = sobol(scenario, vary, "loss", settings=settings, samples=samples)
print(found.summary())
print(found.table.to_string(float_format="%.3f"))
print(*found.notes)
