# SPDX-License-Identifier: BSD-3-Clause
"""`hypermon study mechanisms`: Table 2 with mechanisms that were examined after the blind comparison.

Each mechanism is a scenario (scenarios/mechanisms) and is off by default. Their constants are calibrated on cells that
had been published from the beginning; the hardware rows of 4 and 8 nodes are not used.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from hypermon._engine import runner
from hypermon._inputs import scenario
from hypermon._model.schema import Schema
from hypermon._model.spec import Spec
from hypermon.report.calibration import NODES
from hypermon_studies import cells
from hypermon_studies.mechanisms import page as mechanisms_page
from hypermon_studies.mechanisms import rows as mechanism_rows
from hypermon_studies.mechanisms.rows import TODAY, Key, Row
from hypermon_studies.placing import Place
from hypermon_studies.table2 import table as table2

NAME = "mechanisms"
TRIED = {
    "simplex": ("simplex_probe_limit", "simplex_time_limit"),
    "place": ("place_sequences", "place_short_sequences"),
}
# Place on 8 nodes under hypermon, with readers that take time: presets and settings.
READERS: Mapping[str, tuple[tuple[str, ...], dict[str, object]]] = {
    "prototype": (("reader/prototype",), {}),
    "prototype, away for 3.5 ms": (("reader/prototype",), {"reader.stall_ns": "3.5 ms"}),
    "prototype, away for 3.9 ms": (("reader/prototype",), {"reader.stall_ns": "3.9 ms"}),
}


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


def place(out: Path, force: bool = False) -> Place:
    """The study's place in the folder `out`."""
    return Place(out, NAME, cells.NAME, force)


def write(
    out: Path,
    specs: Mapping[Key, Spec],
    schema: Schema,
    jobs: int,
    on_done: Callable[[int], None] | None = None,
    force: bool = False,
) -> list[Row]:
    """Writes `out`/mechanisms/cells.csv, and `out`/mechanisms.md if all programs were run: all of it at the end."""
    at = place(out, force)
    at.require()
    with TemporaryDirectory(prefix="hypermon-study-") as folder:
        tasks = [(spec, Path(folder) / str(i)) for i, spec in enumerate(specs.values())]
        results = dict(zip(specs, runner.require(runner.run_many(tasks, jobs, on_done)), strict=True))
        told = cells.text(mechanism_rows.all_cells(mechanism_rows.rows(results, schema), results))
    found = cells.read(told)
    with at.data() as data:
        (data / cells.NAME).write_text(told, encoding="utf-8")
    if {program for program, *_ in specs} == set(TRIED):
        at.page(mechanisms_page.text(found))
    return mechanism_rows.read(found)
