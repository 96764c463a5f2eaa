# SPDX-License-Identifier: BSD-3-Clause
"""Run directories with samples of a made-up program, under a monitor without a name."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import numpy as np

from hypermon._engine import runner
from hypermon._model import samples, worker
from hypermon._model.result import Result
from hypermon._model.schema import Value, nested

KINDS = {
    "cpu.user": ("ps", "timer"),
    "cpu.busy": ("ps", "percentage"),
    "mpi.time": ("ps", "timer"),
    "os.context_switches": ("switches", "rate"),
    "messages.bytes_received": ("B", "rate"),
    "memory.pages_read": ("pages", "rate"),
    "process.cpu": ("ps", "timer"),
    "queue.posted": ("receives", "length"),
}
ROW = np.dtype(
    [(name, "<i8") for name in ("true_ps", "stamped_ps", "arrival_ps", "value")]
    + [(name, "<u4") for name in ("node", "counter", "part", "item")]
)
Level = Callable[[float], float]
"""Value of a counter at a time; both in seconds."""


def run(
    folder: Path,
    nodes: Sequence[Mapping[str, Level]],
    elapsed_s: float,
    interval_s: float = 0.1,
    *,
    items: Mapping[str, Sequence[str]] | None = None,
    workload: str = "place",
    stamped_off_s: float = 0.0,
) -> Result:
    """Samples each node's counters every interval until one after the end. For counters with items, the last sample has
    them all.
    """
    folder.mkdir(parents=True)
    numbers = {name: i for i, name in enumerate(KINDS)}
    of = dict(items or {})
    rows = []
    for step in range(1, int(elapsed_s / interval_s) + 2):
        at = step * interval_s
        for node, counters in enumerate(nodes):
            for name, level in counters.items():
                scale = 1e12 if KINDS[name][0] == "ps" else 1
                last = len(of.get(name, [""])) - 1
                for item in range(last + 1):
                    value = round(level(min(at, elapsed_s)) * scale) if item == last else 0
                    when = round(at * 1e12)
                    rows.append((when, when + round(stamped_off_s * 1e12), when, value, node, numbers[name], 0, item))
    np.save(folder / samples.ROWS, np.array(rows, ROW))
    used = dict.fromkeys(name for counters in nodes for name in counters)
    described = [
        {
            "number": numbers[name],
            "name": name,
            "unit": KINDS[name][0],
            "kind": KINDS[name][1],
            "items": of.get(name, []),
        }
        for name in used
    ]
    (folder / samples.COUNTERS).write_text(json.dumps({"counters": described}))
    samples.assemble(folder)
    defaults = {path: parameter.default for path, parameter in worker.schema().parameters.items()}
    given: dict[str, Value] = {"monitor": "none", "workload": workload, "nodes": len(nodes), "cpu.waiting": "poll"}
    result = {"spec": nested(defaults | given), "scenario": "-", "ledger": {}, "monitor": {}, "ranks": []}
    (folder / "result.json").write_text(json.dumps(result))
    runner.seal(folder)
    return Result(folder)
