# SPDX-License-Identifier: BSD-3-Clause
"""CPU time of one co-simulation at each level of detail (benchmarks/levels/run)."""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from hypermon._inputs import scenario
from hypermon._model import worker
from hypermon._model.schema import Value

NONE, FUNCTIONAL = "no monitor", "functional"


def cpu_s(build: Path, spec: Path, out: Path) -> float:
    """Runs the worker, and returns the CPU time that it took."""
    out.mkdir(exist_ok=True)
    before = os.times()
    subprocess.run([build / "bin" / "hypermon-sim", spec, "--out", out], check=True, stdout=subprocess.DEVNULL)
    after = os.times()
    return after.children_user + after.children_system - before.children_user - before.children_system


def result_of(run: Path) -> dict[str, Any]:
    """The result without the settings and what only a board in Verilog reports."""
    result: dict[str, Any] = json.loads((run / "result.json").read_text())
    del result["spec"]
    result["monitor"].pop("board", None)
    return result


def main(build: str, accepted: str = "100", runs: str = "5") -> None:
    schema = worker.schema()
    levels = schema.parameters["ecb.level"].choices
    settings: dict[str, dict[str, Value]] = {NONE: {"monitor": "none"}}
    settings |= {level: {"ecb.level": level} for level in levels}
    program: dict[str, Value] = {"nodes": 8, "place.accepted": int(accepted), "place.attempts": 4 * int(accepted)}
    with tempfile.TemporaryDirectory() as folder:
        cpu = {}
        for name, own in settings.items():
            spec = Path(folder) / f"{name}.json"
            spec.write_text(scenario.built_in("table2/place").resolve(schema, program | own).to_json())
            cpu[name] = statistics.median(cpu_s(Path(build), spec, spec.with_suffix("")) for _ in range(int(runs)))
        results = {level: result_of(Path(folder) / level) for level in levels}
    if any(result != results[FUNCTIONAL] for result in results.values()):
        raise SystemExit("the levels differ")
    frames = results[FUNCTIONAL]["monitor"]["frames"]["drained"]
    print(f"{NONE:<14} {cpu[NONE]:>7.2f} s of CPU time")
    for level in levels:
        times, frame_us = cpu[level] / cpu[FUNCTIONAL], 1e6 * (cpu[level] - cpu[NONE]) / frames
        print(f"{level:<14} {cpu[level]:>7.2f} s, {times:.1f} times functional; monitor: {frame_us:.2f} us per frame")
    print(f"frames         {frames:>7,}")


if __name__ == "__main__":
    main(*sys.argv[1:])
