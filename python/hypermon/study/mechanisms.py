"""`hypermon study mechanisms`: what mechanisms that were looked for after the blind comparison would make of Table 2.

Each is a scenario of its own (scenarios/mechanisms), off by default. Their constants are calibrated on cells that had
been published all along; the hardware rows of 4 and 8 nodes have no part in any.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from hypermon._engine import runner
from hypermon._inputs import scenario
from hypermon._model.result import Result
from hypermon._model.schema import Schema
from hypermon._model.spec import Spec
from hypermon.study import mechanisms_page, reference_data, table2
from hypermon.study.calibration import NODES

NAME = "mechanisms"
TODAY = "today"
TRIED = {
    "simplex": ("simplex_probe_limit", "simplex_time_limit"),
    "place": ("place_sequences", "place_short_sequences"),
}
# Place on 8 nodes under hypermon, with readers that cost something: presets and settings.
READERS: Mapping[str, tuple[tuple[str, ...], dict[str, object]]] = {
    "prototype": (("reader/prototype",), {}),
    "prototype, away for 3.5 ms": (("reader/prototype",), {"reader.stall_ns": "3.5 ms"}),
    "prototype, away for 3.9 ms": (("reader/prototype",), {"reader.stall_ns": "3.9 ms"}),
}

Key = tuple[str, str, int, str]  # program, mechanism, nodes, monitor; or a reader's name instead of the monitor


@dataclass(frozen=True)
class Row:
    """One cell of Table 2 with one mechanism."""

    program: str
    mechanism: str
    nodes: int
    monitor: str
    quantity: str
    paper: float | None
    ours: float

    @property
    def error(self) -> float | None:
        return None if self.paper is None else self.ours / self.paper - 1


def plan(schema: Schema, programs: Sequence[str] = tuple(TRIED)) -> dict[Key, Spec]:
    specs: dict[Key, Spec] = {}
    for program in programs:
        for mechanism in (TODAY, *TRIED[program]):
            found = scenario.built_in(f"table2/{program}" if mechanism == TODAY else f"{NAME}/{mechanism}")
            for nodes in NODES:
                for monitor in table2.MONITORS:
                    specs[program, mechanism, nodes, monitor] = found.resolve(
                        schema, {"nodes": nodes, "monitor": monitor}
                    )
            if program == "place":
                for reader, (presets, settings) in READERS.items():
                    board = {"nodes": 8, "monitor": "hypermon"} | settings
                    specs[program, mechanism, 8, reader] = found.resolve(schema, board, presets)
                specs[program, mechanism, 16, "software"] = _sixteen(schema, found, mechanism)
    return specs


def _sixteen(schema: Schema, found: scenario.Scenario, mechanism: str) -> Spec:
    """Place on 16 nodes; not in Table 2, so the effort is extrapolated."""
    if mechanism != TODAY:
        return found.resolve(schema, {"nodes": 16, "monitor": "software"})
    bursts = scenario.built_in("bursts/place16")
    (case,) = (case for case in bursts.cases if case.label == "nodes_16")
    return bursts.resolve(schema, case=case)


def write(out: Path, specs: Mapping[Key, Spec], jobs: int, on_done: Callable[[int], None] | None = None) -> list[Row]:
    """Writes `out`/mechanisms.csv, and `out`/mechanisms.md if all programs were run: all of it at the end."""
    with TemporaryDirectory(prefix="hypermon-study-") as folder:
        tasks = [(spec, Path(folder) / str(i)) for i, spec in enumerate(specs.values())]
        results = dict(zip(specs, runner.require(runner.run_many(tasks, jobs, on_done)), strict=True))
        rows = compare(results)
        texts = {f"{NAME}.csv": _csv(rows)}
        if {program for program, *_ in specs} == set(TRIED):
            texts[f"{NAME}.md"] = mechanisms_page.text(rows, results)
    out.mkdir(parents=True, exist_ok=True)
    for name, text in texts.items():
        partial = out / f".{name}.partial"
        partial.write_text(text, encoding="utf-8")
        partial.replace(out / name)
    return rows


def compare(results: Mapping[Key, Result]) -> list[Row]:
    """All cells of Table 2 that were run, without the rates."""
    published = reference_data.table2()
    return [
        Row(program, mechanism, nodes, monitor, quantity, published[program, nodes, monitor, quantity], ours)
        for (program, mechanism, nodes, monitor), result in results.items()
        for quantity, ours in (("elapsed", result["elapsed_s"]), ("logged", result["logged_bytes"]))
        if (program, nodes, monitor, quantity) in published
    ]


def read(text: str) -> list[Row]:
    """The rows of a mechanisms.csv."""
    return [
        Row(
            r["program"],
            r["mechanism"],
            int(r["nodes"]),
            r["monitor"],
            r["quantity"],
            float(r["paper"]) if r["paper"] else None,
            float(r["hypermon"]),
        )
        for r in csv.DictReader(text.splitlines())
    ]


def _csv(rows: Sequence[Row]) -> str:
    text = io.StringIO()
    lines = csv.writer(text, lineterminator="\n")
    lines.writerow(["program", "mechanism", "nodes", "monitor", "quantity", "paper", "hypermon", "error"])
    for r in rows:
        paper = "" if r.paper is None else f"{r.paper:.10g}"
        error = "" if r.error is None else f"{r.error:.6f}"
        lines.writerow([r.program, r.mechanism, r.nodes, r.monitor, r.quantity, paper, f"{r.ours:.10g}", error])
    return text.getvalue()
