# SPDX-License-Identifier: BSD-3-Clause
"""The measurements of benchmarks/stream/run."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import numpy as np

# 8 events a millisecond on a board, one a node, of 8 bytes: 16 nibbles of 8.85 us, so a node writes 14 % of the time.
NODES = 8
SPACING_NS = 125_000
EVENT = np.dtype([("time", "<i8"), ("node", "<u2")])
ROWS = 1 << 20
DESIGNS = [{"ecb.frame_fifo_frames": 1 << i} for i in range(4, 12)]


def make(path: Path, events: int) -> None:
    random = np.random.default_rng(1)
    with path.open("wb") as file:
        np.lib.format.write_array_header_1_0(
            file, {"descr": np.lib.format.dtype_to_descr(EVENT), "fortran_order": False, "shape": (events,)}
        )
        for begin in range(0, events, ROWS):
            rows = np.arange(begin, min(begin + ROWS, events))
            array = np.empty(len(rows), EVENT)
            array["time"] = rows * SPACING_NS + random.integers(0, SPACING_NS, len(rows))
            array["node"] = rows % NODES
            file.write(array.tobytes())


def do(step: str, folder: Path) -> None:
    """One step, in this process."""
    from hypermon._engine import recorder, recording
    from hypermon._engine.streams import run as streams
    from hypermon.monitors.hypermon import replaying

    if step == "import":
        settings = {"nodes": NODES, "stream.bytes": 8, "port.delay": 0}
        recorder.record_spec(streams.resolve(folder / "events.npy", settings), folder / "run")
    source = recording.Recording(folder / "run")
    if step == "replay":
        result = replaying.replay(source, {"pbx.word_ns": 500})
        assert result["events"] == len(source)
    if step == "counts":
        rows = replaying.count(source, [replaying.resolve(source, design) for design in DESIGNS])
        assert len({row["monitor.frames.built"] for row in rows}) == 1


class Peak(threading.Thread):
    """Of this process' anonymous memory, looked at every 20 ms."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self.mb = 0.0

    def run(self) -> None:
        while True:
            status = Path("/proc/self/status").read_text()
            line = next(line for line in status.splitlines() if line.startswith("RssAnon"))
            self.mb = max(self.mb, int(line.split()[1]) / 1024)
            time.sleep(0.02)


def main() -> int:
    if sys.argv[1] == "--step":
        peak = Peak()
        peak.start()
        began = time.monotonic()
        do(sys.argv[2], Path(sys.argv[3]))
        print(time.monotonic() - began, peak.mb)
        return 0
    memory: dict[str, list[float]] = {}
    print("events        step     s        events/s   anonymous memory")
    for millions in map(int, sys.argv[1:]):
        with tempfile.TemporaryDirectory() as name:
            folder, events = Path(name), millions * 1_000_000
            make(folder / "events.npy", events)
            for step in ("import", "replay", "counts"):
                command = [sys.executable, __file__, "--step", step, name]
                fields = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()
                seconds, mb = map(float, fields)
                memory.setdefault(step, []).append(mb)
                print(f"{events:>12,}  {step}  {seconds:7.1f}  {events / seconds:10,.0f}  {mb:8.0f} MB", flush=True)
    ratios = {step: most[-1] / most[0] for step, most in memory.items()}
    print("memory, last against first:", ", ".join(f"{step} {ratio:.2f}" for step, ratio in ratios.items()))
    return int(max(ratios.values()) > 1.1)


if __name__ == "__main__":
    sys.exit(main())
