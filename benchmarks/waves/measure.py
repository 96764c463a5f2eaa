# SPDX-License-Identifier: BSD-3-Clause
"""See run."""

import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from hypermon._engine.recording import Recording
from hypermon._model.native import _core
from hypermon.monitors.hypermon import waves
from hypermon.monitors.hypermon.waves.window import feed

recording, work = Recording(sys.argv[1]), Path(sys.argv[2])
spec = recording.spec.to_json()


def timed(function: Callable[[], Any]) -> tuple[Any, float]:
    begin = time.perf_counter()
    value = function()
    return value, time.perf_counter() - begin


first, seconds = timed(lambda: feed(recording, _core.TriggerSearch(spec)))
print(f"first loss found                 {seconds:15.2f} s" + (f"   at {first[0] * 1e-12:.6f} s" if first else ""))
vcd, fst = work / "all.vcd", work / "all.fst"
every = [True] * len(waves.signals(recording.spec))
counts, seconds = timed(lambda: feed(recording, _core.WaveReplay(spec, str(vcd), 0, 2 * 10**12, every)))
transitions = sum(counts)
print(f"transitions                      {transitions:15,}")
print(f"VCD, transitions a second        {transitions / seconds:15,.0f}   (at least 2 million)")
_, packing = timed(lambda: subprocess.run(["vcd2fst", "-Z", vcd, fst], check=True, stdout=subprocess.DEVNULL))
print(f"FST, transitions a second        {transitions / (seconds + packing):15,.0f}")
print(f"VCD, bytes                       {vcd.stat().st_size:15,}")
print(f"FST, bytes                       {fst.stat().st_size:15,}")
print(f"FST, share of the VCD            {100 * fst.stat().st_size / vcd.stat().st_size:14.1f}%   (at most 10 %)")
