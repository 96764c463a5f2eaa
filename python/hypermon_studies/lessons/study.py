# SPDX-License-Identifier: BSD-3-Clause
"""`hypermon study lessons`: the questions of the paper's section 6, with numbers and their status."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hypermon._engine import checks, runner, sharing
from hypermon._files import csvfile
from hypermon._inputs import scenario
from hypermon._inputs.expectations import Case
from hypermon._model.expressions import ExpressionError
from hypermon._model.result import Result
from hypermon._model.schema import Schema, nested
from hypermon._model.spec import Spec
from hypermon.report.calibration import CALIBRATED, NODES, PREDICTED, PROGRAMS, Constant, calibrated_cells, constants
from hypermon_studies import cells, reference_data
from hypermon_studies.cells import BLIND, DERIVED, Cell, Cells
from hypermon_studies.lessons import figures as lessons_figures
from hypermon_studies.lessons import page as lessons_page
from hypermon_studies.lessons.page import PUBLISHED, QUESTIONS, Answer, Number
from hypermon_studies.placing import Place
from hypermon_studies.table2 import table as table2

DATA = "lessons"  # folder beside the page
SERIES = "bursts/place16"  # keeps its intervals, for Figure 14
MEAN = "bursts.mean_bytes_per_s"
OF_TABLE_2 = {"elapsed_s": "elapsed", "logged_bytes": "logged", MEAN: "rate", f"{MEAN} * 10 / 7": "rate"}
HARDWARE = ("port", "ecb", "erb", "pbx", "reader", "drain")
EFFORT = "place.accepted"  # Table 2's rows have its default


@dataclass(frozen=True)
class Plan:
    """All cases of the scenarios that the page shows."""

    runs: tuple[tuple[str, Case, Spec], ...]  # runs by the scenario's name in QUESTIONS
    constants: Sequence[Constant]
    effort: object
    schema: Schema

    def __len__(self) -> int:
        return len(self.runs)


def plan(schema: Schema) -> Plan:
    runs = []
    for name in dict.fromkeys(question.scenario for question in QUESTIONS):
        found = scenario.built_in(name)
        for case in found.cases:
            settings = {"bursts.keep_series": True} if name == SERIES else {}
            runs.append((name, case, found.resolve(schema, settings, case=case)))
    rows = [scenario.built_in(f"table2/{program}") for program in PROGRAMS]
    return Plan(tuple(runs), constants(schema, rows), schema.parameter(EFFORT, "").default, schema)


def place(out: Path, force: bool = False) -> Place:
    """The study's place in the folder `out`."""
    return Place(out, DATA, "lessons.csv", force)


def write(
    out: Path, runs: Plan, jobs: int, on_done: Callable[[int], None] | None = None, force: bool = False
) -> list[Answer]:
    """Writes `out`/lessons.md and `out`/lessons/*, all files at the end."""
    at = place(out, force)
    at.require()
    with TemporaryDirectory(prefix="hypermon-study-") as folder:
        wanted = [
            sharing.Run(spec, Path(folder) / str(i), checks.asks_of_program(case))
            for i, (_, case, spec) in enumerate(runs.runs)
        ]
        outcomes, _ = sharing.run_many(wanted, jobs, on_done, sharing.plan(wanted))
        results = runner.require(outcomes)
        answers = [_answer(question, runs, results) for question in QUESTIONS]
        with at.data() as data:
            (data / "lessons.csv").write_text(_csv(answers), encoding="utf-8")
            (data / cells.NAME).write_text(cells.text(Cells(_cells(answers))), encoding="utf-8")
            figures = lessons_figures.draw(data, {a.question.scenario: a.results for a in answers})
        page = lessons_page.text(answers, {name: (f"{DATA}/{file}", caption) for name, file, caption in figures}, DATA)
        at.page(page)
    return answers


def _answer(question: lessons_page.Question, runs: Plan, results: list[Result]) -> Answer:
    runs_of = zip(runs.runs, results, strict=True)
    own = [(case, result) for (name, case, _), result in runs_of if name == question.scenario]
    named = {case.label: result for case, result in own if case.label}
    verdicts = tuple(checks.judge_all(question.scenario, own))
    rows = {
        case.name: tuple(_number(question, column, case, result, named, runs) for column in question.columns)
        for case, result in own
        if case.label
    }
    units = tuple(column.unit_in(runs.schema) for column in question.columns)
    return Answer(question, rows, units, verdicts, named)


def _number(
    question: lessons_page.Question,
    column: lessons_page.Column,
    case: Case,
    result: Result,
    named: Mapping[str, Result],
    runs: Plan,
) -> Number | None:
    """Returns the column's value with its status; nothing if the run has no such value."""
    try:
        value = checks.evaluate(column.of, result, named)
    except ExpressionError:
        if result["spec"]["monitor"] == "hypermon":
            raise
        value = None  # other monitors lack this value
    if value is None:
        return None
    compared = [e for e in case.expect if e.of == column.of]
    kind = compared[-1].kind if compared else PREDICTED
    expected = next((e for e in compared if e.kind == PUBLISHED and e.equals is not None), None)
    paper_value = (
        None if expected is None or expected.equals is None else checks.evaluate(expected.equals, result, named)
    )
    status, assumed = (DERIVED if kind == DERIVED else PREDICTED), "; ".join(e.reason for e in compared if e.reason)
    if row := _of_table2(column, result, value, runs):
        status, published = row.status, row.paper if paper_value is None else paper_value
        assumed = table2.used_for(runs.constants, row.program, row.nodes, row.monitor, row.quantity) or assumed
    else:
        published = paper_value
    cell = Cell(
        question.scenario, column.title, case.name, column.unit_in(runs.schema), value, status, published, assumed
    )
    return Number(cell, status if status in (CALIBRATED, BLIND) else kind)


def _of_table2(column: lessons_page.Column, result: Result, value: float, runs: Plan) -> table2.Compared | None:
    """Returns the value as a cell of Table 2; None if Table 2 has no such cell."""
    spec, quantity = result["spec"], OF_TABLE_2.get(column.of)
    plain = spec["place"]["accepted"] == runs.effort and spec["nodes"] in NODES and spec["port"]["width_bits"] == 4
    row = spec["workload"], spec["nodes"], spec["monitor"]
    if not plain or quantity is None or (*row, "elapsed") not in reference_data.table2():
        return None
    if spec["monitor"] == "none" and quantity != "elapsed":
        return None
    if spec["monitor"] == "hypermon" and not _same_hardware(spec, runs.schema):
        return None
    return table2.cell(*row, quantity, value, calibrated_cells(runs.constants))


def _same_hardware(spec: Mapping[str, Any], schema: Schema) -> bool:
    """True if the hardware is that of Table 2's run with the same program and nodes."""
    found = scenario.built_in(f"table2/{spec['workload']}")
    row = nested(found.resolve(schema, {"nodes": spec["nodes"], "monitor": "hypermon"}).values)
    return all(spec.get(part) == row.get(part) for part in HARDWARE)


def _cells(answers: Sequence[Answer]) -> Iterator[Cell]:
    """Cells of the runs' results. Values of parameters are not cells."""
    for answer in answers:
        for row in answer.rows.values():
            for column, number in zip(answer.question.columns, row, strict=True):
                if number is not None and not column.of.startswith("spec."):
                    yield number.cell


def _csv(answers: list[Answer]) -> str:
    lines: list[list[object]] = [["scenario", "case", "quantity", "value", "label"]]
    for answer in answers:
        for case, numbers in answer.rows.items():
            for column, number in zip(answer.question.columns, numbers, strict=True):
                if number is not None:
                    ours = number.cell.ours
                    value = f"{ours:.10g}" if isinstance(ours, float) else ours
                    lines.append([answer.question.scenario, case, column.of, value, number.label])
    return csvfile.text(lines)
