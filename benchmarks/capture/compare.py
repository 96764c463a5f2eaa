# SPDX-License-Identifier: BSD-3-Clause
"""Wall times of hypermon.capture() and of its limit, in turns; medians, and their ratios. See `run`.

counts  limit.cpp's loop / capture(...)
frames  (that loop + copying the frames' bytes) / capture(..., frames=True). The copy goes to memory that has been
        written to before; the frames go to new memory, which the system has to clear first.
"""

from __future__ import annotations

import ctypes
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import hypermon

STROBES = 16_000_000
ROUNDS = 7
COUNTS = ("frames_built", "frames_lost", "merged", "aliasing", "peak_frame_fifo", "drained", "end_ns")
Strobes = tuple[NDArray[np.int64], NDArray[np.uint8], NDArray[np.uint32]]


def in_order(times: list[NDArray[np.float64]], random: np.random.Generator) -> Strobes:
    """Nodes' strobes, merged."""
    all_times = np.concatenate(times).astype(np.int64)
    nodes = np.repeat(np.arange(len(times), dtype=np.uint8), [len(node) for node in times])
    order = np.argsort(all_times, kind="stable")
    data = random.integers(0, 16, len(order), np.uint32)
    return all_times[order], nodes[order], data


def steady(nodes: int, pitch_ns: float) -> Strobes:
    """Each node writes at its pitch all the time, with a random phase and a clock that is wrong by up to 100 ppm."""
    random = np.random.default_rng(1)
    pitches = pitch_ns * (1 + random.uniform(-1e-4, 1e-4, nodes))
    return in_order([random.uniform(0, p) + np.arange(STROBES // nodes) * p for p in pitches], random)


def events(nodes: int, pitch_ns: float) -> Strobes:
    """Events of 16 data with random gaps between them that take 40 % of the time."""
    random = np.random.default_rng(2)

    def node() -> NDArray[np.float64]:
        n = STROBES // nodes // 16
        starts = np.cumsum(pitch_ns * 16 + random.uniform(0, pitch_ns * 16 * 4 / 3, n))
        return (starts[:, None] + np.arange(16) * pitch_ns).ravel()

    return in_order([node() for _ in range(nodes)], random)


CASES: dict[str, tuple[Callable[[], Strobes], bool]] = {  # and whether the ratio must reach its limit
    "8 nodes at 26.14 us": (lambda: steady(8, 26_140), True),
    "16 nodes at 26.14 us": (lambda: steady(16, 26_140), True),
    "8 nodes, events": (lambda: events(8, 26_140), True),
    "16 nodes, events": (lambda: events(16, 26_140), True),
    "16 nodes at 760 ns": (lambda: steady(16, 760), False),
}


def load(build: Path) -> Callable[[Strobes], dict[str, int]]:
    (file,) = (build / "benchmarks" / "capture").glob("libbenchmark_capture_limit.*")
    loop = ctypes.CDLL(str(file)).capture_limit
    loop.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t, ctypes.c_void_p]
    loop.restype = None

    def limit(strobes: Strobes) -> dict[str, int]:
        counts = np.zeros(len(COUNTS), np.int64)
        times, nodes, _ = strobes
        loop(times.ctypes.data, nodes.ctypes.data, len(times), counts.ctypes.data)
        return dict(zip(COUNTS, counts.tolist(), strict=True))

    return limit


def measure(strobes: Strobes, limit: Callable[[Strobes], dict[str, int]]) -> dict[str, float]:
    design = hypermon.design("hypermon")
    counts = limit(strobes)
    captured = hypermon.capture(design, *strobes, frames=True)
    if any(captured.to_dict()[name] != counts[name] for name in COUNTS):
        raise SystemExit(f"other counts:\n{counts}\n{captured}")
    assert captured.frames is not None
    source = captured.frames.view(np.uint8)
    target = source.copy()
    parts: dict[str, Callable[[], Any]] = {
        "limit": lambda: limit(strobes),
        "counts": lambda: hypermon.capture(design, *strobes),
        "copy": lambda: np.copyto(target, source),
        "frames": lambda: hypermon.capture(design, *strobes, frames=True),
    }
    seconds: dict[str, list[float]] = {name: [] for name in parts}
    for _ in range(ROUNDS):
        for name, part in parts.items():
            begin = time.perf_counter()
            result = part()
            seconds[name].append(time.perf_counter() - begin)
            del result
    return {name: statistics.median(values) for name, values in seconds.items()} | {"megabytes": source.nbytes / 1e6}


def main() -> int:
    limit = load(Path(sys.argv[1]))
    short = False
    print(
        f"{'':22}{'limit':>10}{'counts':>10}{'ratio':>7}{'frames':>9}{'copy':>8}{'limit+copy':>12}{'frames':>9}{'ratio':>7}"
    )
    print(f"{'':22}{'M/s':>10}{'M/s':>10}{'':>7}{'MB':>9}{'ms':>8}{'ms':>12}{'ms':>9}")
    for name, (make, required) in CASES.items():
        strobes = make()
        t = measure(strobes, limit)
        rate = len(strobes[0]) / 1e6
        allowed = t["limit"] + t["copy"]
        counts, frames = t["limit"] / t["counts"], allowed / t["frames"]
        short |= required and min(counts, frames) < 0.6
        print(
            f"{name:22}{rate / t['limit']:10.0f}{rate / t['counts']:10.0f}{counts:7.2f}{t['megabytes']:9.0f}"
            f"{1e3 * t['copy']:8.1f}{1e3 * allowed:12.1f}{1e3 * t['frames']:9.1f}{frames:7.2f}"
        )
    print("at least 0.6 is wanted of 8 and 16 nodes at the prototype's pitch")
    return int(short)


sys.exit(main())
