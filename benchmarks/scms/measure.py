# SPDX-License-Identifier: BSD-3-Clause
"""The measurements of benchmarks/scms/run."""

from __future__ import annotations

import json
import resource
import sys
import tempfile
from pathlib import Path

import hypermon

SETTINGS = {
    "nodes": 4096, "workload": "idle", "idle.duration_s": 60, "node.tick_ms": 1000, "monitor": "scms",
    "machine.topology": "star", "machine.messages": "smpi", "machine.beside": 1, "machine.beside_on_network": True,
    "scms.fanout": 64, "scms.push": "hardware.load 1", "scms_client.count": 2,
    "scms_client[0].period_s": 0.01, "scms_client[0].resources": "hardware.load",
    "scms_client[1].period_s": 10, "scms_client[1].resources": "hardware.load",
    "scms_client[1].mode": "synchronous",
}  # fmt: skip
MOST_SECONDS, MOST_BYTES = 60, 1 << 30


def main() -> int:
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "run"
        result = hypermon.run("collection/ring", out=out, settings=SETTINGS)
        memory = json.loads((out / "host.json").read_text())["max_rss_bytes"]
        monitor, sampling = result["monitor"], result["sampling"]
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu_s = used.ru_utime + used.ru_stime
    sent = sum(monitor["messages"].values())
    values = sum(client["values"] for client in monitor["clients"])
    limits = f"at most {MOST_SECONDS} s, {MOST_BYTES >> 20} MiB"
    print(f"60 simulated s: {cpu_s:.1f} s of CPU, {memory >> 20} MiB ({limits})")
    print(f"{sent:,} messages of agents, {values:,} values to clients, {sampling['taken']:,} samples")
    return int(cpu_s > MOST_SECONDS or memory > MOST_BYTES)


if __name__ == "__main__":
    sys.exit(main())
