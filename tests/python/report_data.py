# SPDX-License-Identifier: BSD-3-Clause
"""Runs and sweeps for the tests of pictures and reports: a small one of the real worker, and results made up whole."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

LOSSES = (
    ("decoder", "resync"),
    ("strobe_input", "aliasing"),
    ("node_fifo", "overrun"),
    ("strobe_vector_fifo", "window_lost"),
    ("frame_fifo", "overrun"),
    ("io_node", "memory_full"),
    ("erb", "skew"),
)
ELAPSED_S = 10.0
FRAMES = 1_000_000
NIBBLES = 1_600_000
EVENTS = 100_000
WORDS = 4  # of a frame with 16 inputs of 4 bits and a 32-bit timestamp

_SPEC: dict[str, Any] = {
    "nodes": 8,
    "seed": 1,
    "monitor": "hypermon",
    "workload": "place",
    "machine": {"topology": "hypercube", "dimensions": "", "xml": "", "messages": "nx2"},
    "network": {"short_hop_us": 10.0, "bandwidth_mb_per_s": 2.8},
    "software": {"buffer_bytes": 1000, "traces": "node", "when_full": "drop"},
    "port": {"nibble_cost_ns": 8850.0, "delay": 20, "delay_iteration_ns": 864.5, "width_bits": 4},
    "ecb": {
        "window_ns": 800,
        "inputs": 16,
        "frame_fifo_frames": 1024,
        "builder_cycles": 8,
        "timestamp_bits": 32,
        "wrap_frames": False,
        "frame_fifo_full": "drop",
    },
    "pbx": {"word_ns": 800},
    "reader": {"kind": "ideal", "frame_ns": 0, "stall_ns": 0, "stall_every_frames": 0},
    "drain": {"reduction": "none", "memory_bytes": 1000},
    "faults": {"skew_ns": 0, "drop_probability": 0.0, "skew_nodes": 1},
}
_RESULT: dict[str, Any] = {
    "scenario": "made/up",
    "spec": _SPEC,
    "elapsed_s": ELAPSED_S,
    "ranks": [{"elapsed_s": ELAPSED_S, "compute_s": 5.0, "mpi_s": 3.0, "monitor_s": 2.0, "events": EVENTS}],
    "events": EVENTS,
    "logged_bytes": 4 * WORDS * FRAMES,
    "ledger": {
        "unit": "nibbles",
        "generated": {"nibbles": NIBBLES, "events": EVENTS},
        "delivered": {"nibbles": NIBBLES, "events": EVENTS},
        "in_flight": {"nibbles": 0, "events": 0},
        "lost_total": {"nibbles": 0, "events": 0},
        "lost": [{"stage": stage, "cause": cause, "nibbles": 0, "events": 0} for stage, cause in LOSSES],
    },
    "monitor": {
        "frames": {"built": FRAMES, "lost": 0, "merged": 600_000, "drained": FRAMES, "peak_occupancy": 100},
        "first_overrun_s": None,
        "end_s": ELAPSED_S,
        "aliasing": 0,
        "node_overruns": 0,
        "windows_lost": 0,
        "discarded": 0,
        "ambiguous_silences": 0,
        "held_s": 0.0,
        "drain": {
            "bytes_read": 4 * WORDS * FRAMES,
            "bytes_kept": 0,
            "bytes_lost": 0,
            "reducing_s": 0.0,
            "waiting_s": 0.0,
        },
    },
    "latency_us": {
        "p50": 410.0,
        "p99": 800.0,
        "max": 1000.0,
        "distribution": {"upper_us": [420.0, 500.0, 1000.0], "events": [60_000, 38_000, 2_000]},
    },
    "timestamp_error_us": {"min": -0.8, "mean": -0.4, "max": 0.0},
    "causality_violations": 0,
    "rates": {"interval_s": 0.1, "frames": [FRAMES // 100] * 100},
}


def result(**changes: Any) -> dict[str, Any]:
    """A run under hypermon in which all went well, with values changed by path: `result(**{"spec.nodes": 4})`."""
    made = copy.deepcopy(_RESULT)
    for path, value in changes.items():
        *sections, name = path.split(".")
        place = made
        for section in sections:
            place = place.setdefault(section, {})
        place[name] = value
    return made


def lose(made: dict[str, Any], stage: str, cause: str, units: int, events: int) -> dict[str, Any]:
    """The same with that lost there."""
    ledger = made["ledger"]
    unit = ledger["unit"]
    entry = next(e for e in ledger["lost"] if (e["stage"], e["cause"]) == (stage, cause))
    for amounts, sign in ((entry, 1), (ledger["lost_total"], 1), (ledger["delivered"], -1)):
        amounts[unit] += sign * units
        amounts["events"] += sign * events
    return made


SMALL = {  # of Place: a tenth of a second of work for the worker, with pauses of the reader that lose frames
    "nodes": 4,
    "place.accepted": 200,
    "place.attempts": 1000,
    "reader.kind": "group",
    "reader.stall_ns": 6_000_000,
    "reader.stall_every_frames": 2000,
}
DEPTHS = (16, 128, 1024)
WORD_NS = (400, 800)
METRICS = ("ledger.lost_total.events", "monitor.frames.lost", "monitor.frames.peak_occupancy", "elapsed_s", "events")
DIED = 'the worker died: </script><b onclick="x()">&'


def run(out: Path, **settings: Any) -> Path:
    import hypermon

    return hypermon.run("table2/place", settings={**SMALL, **settings}, out=out).path or out


def sweep(out: Path) -> Path:
    """A sweep's directory from real runs; its last point failed."""
    import pandas as pd

    from hypermon._inputs.scenario import find_one
    from hypermon._model import worker
    from hypermon._model.result import Result
    from hypermon._model.schema import nested
    from hypermon.pictures.tables import row

    rows: list[dict[str, Any]] = []
    for depth in DEPTHS:
        for word_ns in WORD_NS:
            varied = {"ecb.frame_fifo_frames": depth, "pbx.word_ns": word_ns}
            about = {
                "point": len(rows),
                **varied,
                "repeat": 0,
                "seed": 1,
                "how": "replay",
                "status": "ok",
                "error": None,
            }
            if len(rows) + 1 == len(DEPTHS) * len(WORD_NS):
                rows.append(about | {"status": "failed", "error": DIED, **dict.fromkeys(METRICS)})
            else:
                numbers = row(Result(run(out / "store" / str(len(rows)), **varied)))
                rows.append(about | {metric: numbers[metric] for metric in METRICS})
    pd.DataFrame(rows).to_parquet(out / "results.parquet")
    schema = worker.schema()
    base = find_one("table2/place").resolve(schema, SMALL)
    axes = [{"ecb.frame_fifo_frames": list(DEPTHS)}, {"pbx.word_ns": list(WORD_NS)}]
    units = {path: schema.parameters[path].unit for axis in axes for path in axis} | dict.fromkeys(METRICS, "")
    manifest = {
        "format": 1,
        "points": len(rows),
        "failed": 1,
        "scenario": "table2/place",
        "question": "How deep?",
        "base": nested(base.values),
        "space": {"vary": axes, "where": [], "repeats": None},
        "metrics": list(METRICS),
        "columns": {path: {"unit": unit, "description": f"What {path} is."} for path, unit in units.items()},
    }
    (out / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
    return out
