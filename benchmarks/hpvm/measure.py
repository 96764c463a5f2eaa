# SPDX-License-Identifier: BSD-3-Clause
"""The measurements of benchmarks/hpvm/run."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

COMPUTES = Path(__file__).parents[1] / "silence/computes.c"
HYPERMON = Path(sys.executable).with_name("hypermon")
# host: 6 values on a node of two processors; mpi.time: a value for each function, mpi.sizes for each size
WATCHED = {"monitor": "hpvm", "hpvm.counters": "host mpi.time mpi.sizes", "hpvm.threads": 64}
MOST_SECONDS, MOST_BYTES = 60, 1 << 30


class Run(NamedTuple):
    cpu_s: float
    worker: int  # bytes
    command: int
    sampled: dict[str, int]
    elapsed_s: float


def words(settings: Mapping[str, object]) -> list[str]:
    return [word for path, value in settings.items() for word in ("--set", f"{path}={value}")]


def command(out: Path, settings: Mapping[str, object]) -> list[str]:
    return [str(HYPERMON), "run", "hpvm/cholesky", "--set", "nodes=64", *words(settings), "--out", str(out)]


def most_memory(pid: int) -> int:
    """Resident, so far; 0: the process has ended."""
    try:
        found = re.search(r"VmHWM:\s+(\d+)", Path(f"/proc/{pid}/status").read_text())
    except OSError:
        return 0
    return 1024 * int(found[1]) if found else 0


def measured(out: Path, settings: Mapping[str, object]) -> Run:
    process = subprocess.Popen(command(out, settings), stdout=subprocess.DEVNULL)
    most = 0
    while (ended := os.wait4(process.pid, os.WNOHANG))[0] == 0:
        most = max(most, most_memory(process.pid))
        time.sleep(0.05)
    if ended[1] != 0:
        sys.exit(ended[1])
    used = ended[2]
    result, host = (json.loads((out / f"{name}.json").read_text()) for name in ("result", "host"))
    cpu_s = used.ru_utime + used.ru_stime
    return Run(cpu_s, host["max_rss_bytes"], most, result.get("sampling", {}), result["elapsed_s"])


def instructions(out: Path, seconds: int) -> tuple[int, int]:
    """Instructions of all processes while 64 ranks compute for this time, and the number of values taken."""
    log = out.with_suffix(".log")
    counted = ["valgrind", "--tool=callgrind", "--trace-children=yes", "--callgrind-out-file=/dev/null"]
    own = [str(HYPERMON), "run", "--program", str(COMPUTES), "--np", "64", "--platform", "hpvm_nt", *words(WATCHED)]
    command = [*counted, f"--log-file={log}.%p", *own, "--out", str(out), "--", str(seconds)]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    logs = (file.read_text() for file in log.parent.glob(f"{log.name}.*"))
    taken = json.loads((out / "result.json").read_text())["sampling"]["taken"]
    return sum(int(n) for text in logs for n in re.findall(r"Collected : (\d+)", text)), taken


def main() -> int:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        size = {"cholesky.size": 19_000}
        bare = measured(folder / "none", {**size, "monitor": "none"})
        watched = measured(folder / "hpvm", {**size, **WATCHED})
        instructions(folder / "first", 1)  # compiles the program
        (few, taken), (many, more) = (instructions(folder / str(seconds), seconds) for seconds in (5, 15))
    values = watched.sampled["delivered"]
    beyond = watched.cpu_s - bare.cpu_s
    most = max(watched.worker, watched.command)
    print("monitor     simulated s    CPU s   worker MiB   command MiB   values")
    for monitor, run in (("none", bare), ("hpvm", watched)):
        print(
            f"{monitor:10}{run.elapsed_s:13.0f}{run.cpu_s:9.1f}{run.worker / 2**20:13.0f}{run.command / 2**20:14.0f}"
            f"{run.sampled.get('delivered', 0):13,}"
        )
    print(f"beyond the run without monitor: {beyond:.1f} s (at most {MOST_SECONDS})")
    print(f"a value: {1e6 * beyond / values:.2f} us, {(many - few) / (more - taken):,.0f} host instructions")
    print(f"memory: {most / 2**20:.0f} MiB (at most {MOST_BYTES / 2**20:.0f})")
    return int(beyond > MOST_SECONDS or most > MOST_BYTES)


if __name__ == "__main__":
    sys.exit(main())
