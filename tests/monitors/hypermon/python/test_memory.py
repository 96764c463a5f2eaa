# SPDX-License-Identifier: BSD-3-Clause
"""The memory of commands does not grow with the length of a recording.

`benchmarks/memory/run` measures all commands on a recording of 10^8 nibbles.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from hypermon._engine import recorder

pytestmark = pytest.mark.worker

MOST_GROWTH = 1.1
# Frames wait for a slow bus: 0.6 million in the shorter long recording, 2.6 million in the longer one.
DEEP = ("--set", "pbx.word_ns=1200", "--set", "ecb.frame_fifo_frames=16777216")
GROUPS = (*DEEP, "--set", "reader.kind=group", "--set", "reader.frame_ns=200")

# Runs a command with short pieces of tables, so that a short recording has many of them. Prints its peak memory.
COMMAND = """
import json, sys
from pathlib import Path
from hypermon._files import scratch
rows, memory, *sys.argv[1:] = json.loads(sys.argv[1])
scratch.ROWS, scratch.MEMORY = rows, memory
from hypermon.cli.start import main
try:
    main()
finally:
    sys.stdout.flush()
    print(Path("/proc/self/status").read_text().partition("VmHWM:")[2].split()[0], file=sys.stderr)
"""


def recorded(folder: Path, events: int) -> None:
    settings = {"nodes": 16, "generator.active": 16, "generator.events": events}
    recorder.record("bandwidth/one_node", settings=settings, out=folder / "run")


@pytest.fixture(scope="module")
def long_ones(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Recordings of 12 000, 24 000 and 48 000 events of each of 16 nodes: 1.5, 3 and 6 million nibbles."""
    folders = [tmp_path_factory.mktemp("long") for _ in range(3)]
    for folder, events in zip(folders, (12_000, 24_000, 48_000), strict=True):
        recorded(folder, events)
    return folders


@pytest.fixture(scope="module")
def short_ones(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Recordings of 500 and of 2000 events of each of 16 nodes, for commands that write a row for each event."""
    folders = [tmp_path_factory.mktemp("short") for _ in range(2)]
    for folder, events in zip(folders, (500, 2000), strict=True):
        recorded(folder, events)
    return folders


def peak_mb(folder: Path, *arguments: str, rows: int = 1 << 16, memory: int = 1 << 24) -> float:
    done = subprocess.run(
        [sys.executable, "-c", COMMAND, json.dumps([rows, memory, *arguments])],
        cwd=folder,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
    )
    assert done.returncode in (0, 1), done.stderr  # 1: no size suffices
    return int(done.stderr.split()[-1]) / 1e3


@pytest.mark.parametrize(
    "arguments",
    [
        ("replay", "run", *DEEP, "--out", "deep"),
        ("replay", "run", *GROUPS, "--out", "groups"),
        ("replay", "run", *DEEP, "--set", "ecb.frame_fifo_full=drop_oldest", "--out", "oldest"),
        ("replay", "run", *DEEP, "--set", "drain.destination=memory", "--out", "drained"),
        ("size", "run", "--set", "pbx.word_ns=1200"),
        ("sweep", "run", *DEEP[:2], "--vary", "ecb.frame_fifo_frames=1024,16777216", "--metric", "latency_us.p99", "-y"),
    ],
    ids=["deep FIFO", "reader in groups", "oldest dropped", "drain to memory", "size", "sweep"],
)  # fmt: skip
def test_memory_does_not_grow_with_waiting_frames(long_ones: list[Path], arguments: tuple[str, ...]) -> None:
    short, _, long = long_ones
    assert peak_mb(long, *arguments) < MOST_GROWTH * peak_mb(short, *arguments)


def test_memory_does_not_grow_with_the_frames_that_a_reset_clears(long_ones: list[Path]) -> None:
    # Bursts of up to 1 s wait in memory before such a board (Cut::lag()). Both runs last longer.
    _, short, long = long_ones
    arguments = ("replay", "run", *DEEP, "--set", "faults.reset_at_us=200000", "--out", "reset")
    assert peak_mb(long, *arguments) < MOST_GROWTH * peak_mb(short, *arguments)


@pytest.mark.parametrize(
    "arguments",
    [
        ("truth", "run", *DEEP),
        ("truth", "run", *DEEP, "--table", "events", "--csv"),
        ("truth", "run", *DEEP, "--table", "events", "--json"),
        ("timeline", "run", *DEEP, "-o", "line.html"),
        ("timeline", "run", *DEEP, "-o", "line.pftrace"),
        ("timeline", "run", *DEEP, "-o", "line.csv"),
    ],
    ids=["truth", "events as CSV", "events as JSON", "page", "Perfetto", "CSV"],
)
def test_memory_does_not_grow_with_the_events_of_a_recording(
    short_ones: list[Path], arguments: tuple[str, ...]
) -> None:
    short, long = (peak_mb(folder, *arguments, rows=1 << 10, memory=1 << 16) for folder in short_ones)
    assert long < MOST_GROWTH * short
