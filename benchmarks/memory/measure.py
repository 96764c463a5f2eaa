# SPDX-License-Identifier: BSD-3-Clause
"""Measures peak memory of commands over a recording (benchmarks/memory/run)."""

from __future__ import annotations

import argparse
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from hypermon._engine.recording import Recording

HYPERMON = Path(sys.executable).with_name("hypermon")
NODES, NIBBLES = 16, 8  # NIBBLES: of an event
MOST_MB = 1000
SLOW = "--set pbx.word_ns=1200"
DEEP = f"{SLOW} --set ecb.frame_fifo_frames=16777216"
GROUPS = f"{DEEP} --set reader.kind=group --set reader.group_ns=2000 --set reader.frame_ns=200"
OLDEST = f"{DEEP} --set ecb.frame_fifo_full=drop_oldest"

# Arguments by name. Commands run in the folder, which has the recorded run `run`.
COMMANDS = {
    "replay": "replay run --out again",
    "replay, slow bus, deep FIFO": f"replay run {DEEP} --out deep",
    "replay, slow bus, deep FIFO, reader in groups": f"replay run {GROUPS} --out groups",
    "replay, slow bus, deep FIFO, oldest dropped": f"replay run {OLDEST} --out oldest",
    "replay, slow bus, deep FIFO, drain to memory": f"replay run {DEEP} --set drain.destination=memory --out drained",
    "replay, frames kept": "replay run --set drain.keep_frames=true --out kept --force",
    "frames": "frames kept/board0.hmf",
    "frames --events --csv": "frames kept/board0.hmf --events --csv",
    "size, slow bus": f"size run {SLOW}",
    "size, slow bus, reader in groups": f"size run {SLOW} --set reader.kind=group --set reader.group_ns=2000",
    "frontier": "frontier run",
    "sweep, counts": f"sweep run {SLOW} --vary ecb.frame_fifo_frames=1024:1048576:log2 --out counts -y",
    "sweep, whole results": f"sweep run {SLOW} --vary ecb.frame_fifo_frames=1024,16777216 --metric latency_us.p99"
    " --out whole -y",
    "tradeoffs": "tradeoffs run --vary ecb.frame_fifo_frames=1024:65536:log --minimize ledger.lost_total.events"
    " --minimize latency_us.p99 --trials 4",
    "report": "report run --out report.html",
    "report, slow bus, deep FIFO": "report deep --out deep.html",
    "plot occupancy": "plot occupancy run --out occupancy.svg",
    "compare": "compare run deep",
    "truth": f"truth run {DEEP}",
    "truth --table events --csv": f"truth run {DEEP} --table events --csv",
    "truth --table events --json": f"truth run {DEEP} --table events --json",
    "timeline, page": f"timeline run {DEEP} -o line.html",
    "timeline, Perfetto": f"timeline run {DEEP} -o line.pftrace",
    "timeline, CSV": f"timeline run {DEEP} -o line.csv",
    "timeline, OTF2": f"timeline run {DEEP} --format otf2 -o line.otf2",
    "timeline, two beside each other, CSV": "timeline run deep-run -o both.csv",
    "timeline, two beside each other, Perfetto": "timeline run deep-run -o both.pftrace",
    "waves": f"waves run {SLOW} --at first-loss --out waves.vcd --force",
    "capture": "capture strobes.npy",
    "capture --frames": "capture strobes.npy --frames frames.parquet",
}


def command(text: str, folder: Path) -> tuple[int, float, float, int, str]:
    """Exit status, peak resident memory in MB, CPU seconds, instructions (0: not known), last line of stderr."""
    counts = folder / "instructions"
    perf = ["perf", "stat", "-x", ",", "-o", str(counts), "-e", "instructions:u"] if shutil.which("perf") else []
    full = [*perf, str(HYPERMON), *shlex.split(text)]
    before = os.times()
    with (folder / "stderr").open("wb") as stderr:
        running = subprocess.Popen(full, cwd=folder, stdout=subprocess.DEVNULL, stderr=stderr)
        peak = watched(running)
    after = os.times()
    cpu = after.children_user + after.children_system - before.children_user - before.children_system
    found = re.search(r"^(\d+),", counts.read_text(), re.MULTILINE) if counts.is_file() else None
    end = (folder / "stderr").read_text(errors="replace").strip().splitlines()[-1:]
    return running.returncode, peak / 1e6, cpu, int(found[1]) if found else 0, " ".join(end)


def watched(running: subprocess.Popen[bytes]) -> int:
    """Largest resident memory of the process and its descendants, sampled 50 times a second."""
    most = 0
    while running.poll() is None:
        most = max(most, sum(resident(pid) for pid in family(running.pid)))
        time.sleep(0.02)
    return most


def family(pid: int) -> Iterator[int]:
    yield pid
    try:
        threads = list(Path(f"/proc/{pid}/task").iterdir())
        children = [int(child) for one in threads for child in (one / "children").read_text().split()]
    except OSError:  # it has ended
        return
    for child in children:
        yield from family(child)


def resident(pid: int) -> int:
    try:
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGESIZE")
    except (OSError, IndexError):
        return 0


def prepare(folder: Path, events: int) -> None:
    """Makes the recording, and the file of its strobes for `hypermon capture`."""
    if not (folder / "run").is_dir():
        settings = f"--set generator.active=16 --set nodes={NODES} --set generator.events={events}"
        subprocess.run(
            [HYPERMON, "record", "bandwidth/one_node", *shlex.split(settings), "--out", "run"],
            cwd=folder,
            stdout=subprocess.DEVNULL,
            check=True,
        )
    if not (folder / "deep-run").exists():
        (folder / "deep-run").symlink_to("run")
    if not (folder / "strobes.npy").is_file():
        strobes(folder)


def strobes(folder: Path) -> None:
    """Writes the strobes of all nodes in order of time, merged piece by piece."""
    recording = Recording(folder / "run")
    kind = np.dtype([("time_ns", "<i8"), ("node", "u1"), ("datum", "<u4")])
    waiting = np.empty(0, kind)
    total = sum(int(b.offsets[-1]) for b in recording.batches())
    made = np.lib.format.open_memmap(folder / "strobes.npy", "w+", kind, (total,))
    at = 0
    for b in recording.batches():
        n = np.diff(b.offsets)
        of = np.repeat(np.arange(len(b)), n)
        some = np.empty(len(of), kind)
        some["time_ns"] = (b.first_ps[of] + (np.arange(len(of)) - b.offsets[of]) * b.spacing_ps[of]) // 1000
        some["node"], some["datum"] = b.node[of], b.data[: b.offsets[-1]] & 15
        waiting = np.concatenate([waiting, some])
        waiting = waiting[np.argsort(waiting["time_ns"], kind="stable")]
        ready = int(np.searchsorted(waiting["time_ns"], int(b.first_ps[-1]) // 1000))
        made[at : at + ready] = waiting[:ready]
        at += ready
        waiting = waiting[ready:]
    made[at:] = waiting


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--events", type=int, default=800_000)
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--only", default="")
    asked = parser.parse_args()
    wrong = 0
    with tempfile.TemporaryDirectory() as temporary:
        folder = asked.folder or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        prepare(folder, asked.events)
        nibbles = NODES * NIBBLES * asked.events
        print(f"{nibbles:.3g} nibbles, recording {(folder / 'run/recording.arrow').stat().st_size / 1e6:.0f} MB\n")
        print("| command | peak memory, MB | CPU, s | instructions a nibble |\n| --- | --: | --: | --: |")
        for name, text in COMMANDS.items():
            if asked.only not in name:
                continue
            status, peak, cpu, instructions, last_line = command(text, folder)
            count = f"{instructions / nibbles:.0f}" if instructions else ""
            failed = status not in (0, 1)  # 1: size has no answer
            print(
                f"| {name} | {peak:.0f} | {cpu:.0f} | {count} |{f' FAILED: {last_line}' if failed else ''}", flush=True
            )
            wrong += failed or peak >= MOST_MB
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
