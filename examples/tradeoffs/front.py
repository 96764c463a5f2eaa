# SPDX-License-Identifier: BSD-3-Clause
"""Which boards are worth building for Place on 16 nodes: loss, memory and latency against bandwidth.

The program runs once; every design is a replay. Usage: python examples/tradeoffs/front.py [TRIALS]
"""

import sys

from hypermon.tradeoffs import pareto

trials = int(sys.argv[1]) if len(sys.argv) > 1 else 200

front = pareto(
    "table2/place",
    vary={
        "ecb.frame_fifo_frames": (16, 65536, "log"),
        "ecb.window_ns": [400, 800, 1600],
        "pbx.word_ns": (222, 800),
    },
    objectives={
        "loss": "minimize",
        "latency_us.p99": "minimize",
        "cost.memory_bits": "minimize",
        "cost.bandwidth_bytes_per_s": "minimize",
    },
    trials=trials,
    settings={"nodes": 16, "place.attempts": 1600, "place.accepted": 400},  # a short run
)
print(front.summary())
print(front.to_pandas().to_string(index=False))
