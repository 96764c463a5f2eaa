# SPDX-License-Identifier: BSD-3-Clause
"""`hypermon study table2`: all runs, the page, the data and the figures."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from hypermon._engine import checks, runner
from hypermon._files import csvfile
from hypermon._inputs import scenario
from hypermon._inputs.expectations import Case
from hypermon._model.result import Result
from hypermon._model.schema import Schema
from hypermon._model.spec import Spec
from hypermon.errors import UserError
from hypermon.report.calibration import NODES, PROGRAMS, calibrated_cells, constants
from hypermon_studies import cells
from hypermon_studies.placing import Place
from hypermon_studies.table2 import bandwidth, curves
from hypermon_studies.table2 import cells as validation_cells
from hypermon_studies.table2 import figures as validation_figures
from hypermon_studies.table2 import page as validation_page
from hypermon_studies.table2 import table as table2
from hypermon_studies.table2.page import Study

DATA = "table2"  # folder beside the page
BURSTS = "bursts/place16"
BY_THE_MILLISECOND = {"bursts.keep_series": True}  # no result depends on it
SCENARIOS = tuple(f"table2/{program}" for program in PROGRAMS)
"""Scenarios with expectations that the study judges. Their cases are runs of the table."""


@dataclass(frozen=True)
class Plan:
    """All runs of the study."""

    table: Mapping[table2.Key, Spec]
    generator: Mapping[bandwidth.Key, Spec]
    million: Mapping[str, Spec]  # section 5.1's million events, by case
    place16: Mapping[str, Spec]  # Place on 16 nodes under the software monitor (Figure 14), by assumption; "": default
    judged: Mapping[str, Sequence[tuple[Case, table2.Key]]]  # SCENARIOS' cases, and which run of the table each is

    def __len__(self) -> int:
        return len(self.table) + len(self.generator) + len(self.million) + len(self.place16)


@dataclass(frozen=True)
class Written:
    """Summary of the study in a line or two, and the verdicts on the expectations of SCENARIOS."""

    summary: str
    verdicts: Sequence[checks.Verdict]


def plan(schema: Schema) -> Plan:
    specs, judged = {}, {}
    for name, program in zip(SCENARIOS, PROGRAMS, strict=True):
        found = scenario.built_in(name)
        for nodes in NODES:
            for monitor in table2.MONITORS:
                specs[program, nodes, monitor] = found.resolve(schema, {"nodes": nodes, "monitor": monitor})
        judged[name] = [(case, _run_of(found.resolve(schema, case=case), specs)) for case in found.cases]
    bursts = scenario.built_in(BURSTS)
    (sixteen,) = (case for case in bursts.cases if case.label == "nodes_16")
    default = bursts.resolve(schema, case=sixteen).changed(BY_THE_MILLISECOND)
    moves = {
        validation_cells.moves_of(n): specs["place", n, "none"].values["place.attempts"]
        for n in validation_cells.FEWEST_AND_MOST_MOVES
    }
    place16 = {"": default} | {a: default.changed({"place.attempts": attempts}) for a, attempts in moves.items()}
    specs[curves.KEEPS_SERIES] = specs[curves.KEEPS_SERIES].changed(BY_THE_MILLISECOND)
    return Plan(specs, bandwidth.plan(schema), bandwidth.runs_of_a_million_events(schema), place16, judged)


def _run_of(asked: Spec, specs: Mapping[table2.Key, Spec]) -> table2.Key:
    for key, spec in specs.items():
        if spec == asked:
            return key
    raise UserError(f"{asked.scenario}: has a case that is no run of Table 2: this study cannot judge it")


def place(out: Path, force: bool = False) -> Place:
    """The study's place in the folder `out`."""
    return Place(out, DATA, "table2.csv", force)


def write(
    out: Path,
    runs: Plan,
    schema: Schema,
    jobs: int,
    on_done: Callable[[int], None] | None = None,
    force: bool = False,
) -> Written:
    """Writes `out`/table2.md and `out`/table2/*: all files at the end, so that a failure leaves the old page."""
    at = place(out, force)
    at.require()
    with TemporaryDirectory(prefix="hypermon-study-") as folder:
        # Order of the runs: the longest first.
        specs = [*runs.place16.values(), *runs.table.values(), *runs.million.values(), *runs.generator.values()]
        tasks = [(spec, Path(folder) / str(i)) for i, spec in enumerate(specs)]
        done = runner.require(runner.run_many(tasks, jobs, on_done))
        place16 = dict(zip(runs.place16, done, strict=False))
        results = done[len(place16) :]
        found = constants(schema, [scenario.built_in(name) for name in SCENARIOS])
        table = dict(zip(runs.table, results, strict=False))
        million = dict(zip(runs.million, results[len(runs.table) :], strict=False))
        generator = dict(zip(runs.generator, results[len(runs.table) + len(runs.million) :], strict=True))
        compared = table2.compare(table, calibrated_cells(found))
        told = cells.text(validation_cells.all_cells(compared, found, table, generator, million, place16, schema))
        study = Study(
            cells=cells.read(told),
            constants=found,
            place8=table["place", 8, "hypermon"]["spec"],
            three=generator["phases", 3, bandwidth.SEEDS[0]]["spec"],
            versions=results[0]["versions"],
        )
        with at.data() as data:
            (data / cells.NAME).write_text(told, encoding="utf-8")
            (data / "table2.csv").write_text(_table2_csv(compared), encoding="utf-8")
            (data / "bandwidth.csv").write_text(_bandwidth_csv(generator), encoding="utf-8")
            (data / "rates.csv").write_text(_rates_csv(table), encoding="utf-8")
            figures = validation_figures.draw(data, table, generator)
        text = validation_page.text(study, [(f"{DATA}/{name}", caption) for name, caption in figures], DATA)
        at.page(text)
        return Written(validation_page.summary(study.table2), _verdicts(runs, table))


def _verdicts(runs: Plan, table: Mapping[table2.Key, Result]) -> list[checks.Verdict]:
    found: list[checks.Verdict] = []
    for name, cases_of in runs.judged.items():
        found += checks.judge_all(name, [(case, table[key]) for case, key in cases_of])
    return found


def _table2_csv(compared: Sequence[table2.Compared]) -> str:
    rows: list[list[object]] = [
        ["program", "nodes", "monitor", "quantity", "paper", "hypermon", "error", "status", "blind"]
    ]
    for c in compared:
        paper = "" if c.paper is None else f"{c.paper:.10g}"
        error = "" if c.error is None else f"{c.error:.6f}"
        predicted = "" if c.blind is None else f"{c.blind:.10g}"
        rows.append([c.program, c.nodes, c.monitor, c.quantity, paper, f"{c.ours:.10g}", error, c.status, predicted])
    return csvfile.text(rows)


def _bandwidth_csv(results: Mapping[bandwidth.Key, Result]) -> str:
    rows: list[list[object]] = [
        ["active", "delay", "seed", "frames_per_s", "merged_percent", "frames_lost", "peak_occupancy"]
    ]
    for result in results.values():
        spec, frames = result["spec"], result["monitor"]["frames"]
        rows.append(
            [
                spec["generator"]["active"],
                spec["port"]["delay"],
                spec["seed"],
                f"{bandwidth.frame_rate(result):.1f}",
                f"{bandwidth.merged_percent(result):.4f}",
                frames["lost"],
                frames["peak_occupancy"],
            ]
        )
    return csvfile.text(rows)


def _rates_csv(results: Mapping[table2.Key, Result]) -> str:
    rows: list[list[object]] = [["program", "nodes", "interval", "start_s", "frames"]]
    for (program, nodes, monitor), result in results.items():
        if monitor == "hypermon":
            interval = result["rates"]["interval_s"]
            for i, frames in enumerate(result["rates"]["frames"]):
                rows.append([program, nodes, i, f"{i * interval:.6f}", frames])
    return csvfile.text(rows)
