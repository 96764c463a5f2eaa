"""`hypermon study lessons`: the questions of the paper's section 6, with numbers and where they stand."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from hypermon._engine import checks, runner
from hypermon._inputs import scenario
from hypermon._inputs.expectations import Case
from hypermon._model.expressions import ExpressionError
from hypermon._model.result import Result
from hypermon._model.schema import Schema
from hypermon._model.spec import Spec
from hypermon.report.calibration import CALIBRATED, NODES, PREDICTED, PROGRAMS, Cell, calibrated_cells, constants
from hypermon_studies import lessons_figures, lessons_page
from hypermon_studies.lessons_page import QUESTIONS, Answer, Number

DATA = "lessons"  # folder beside the page
SERIES = "bursts/place16"  # keeps its intervals, for Figure 14
EFFORT = "place.accepted"  # Table 2's rows have its default


@dataclass(frozen=True)
class Plan:
    """All cases of the scenarios that the page shows."""

    runs: tuple[tuple[str, Case, Spec], ...]  # by the scenario's name in QUESTIONS
    calibrated: frozenset[Cell]
    effort: object

    def __len__(self) -> int:
        return len(self.runs)


def plan(schema: Schema) -> Plan:
    runs = []
    for name in dict.fromkeys(question.scenario for question in QUESTIONS):
        found = scenario.built_in(name)
        for case in found.cases:
            settings = {"bursts.keep_series": True} if name == SERIES else {}
            runs.append((name, case, found.resolve(schema, settings, case=case)))
    table2 = [scenario.built_in(f"table2/{program}") for program in PROGRAMS]
    return Plan(tuple(runs), calibrated_cells(constants(schema, table2)), schema.parameter(EFFORT, "").default)


def write(out: Path, runs: Plan, jobs: int, on_done: Callable[[int], None] | None = None) -> list[Answer]:
    """Writes `out`/lessons.md and `out`/lessons/*, all of it at the end."""
    with TemporaryDirectory(prefix="hypermon-study-") as folder:
        tasks = [(spec, Path(folder) / str(i)) for i, (_, _, spec) in enumerate(runs.runs)]
        results = runner.require(runner.run_many(tasks, jobs, on_done))
        answers = [_answer(question, runs, results) for question in QUESTIONS]
        with runner.whole_folder(out / DATA, marker="lessons.csv") as data:
            (data / "lessons.csv").write_text(_csv(answers), encoding="utf-8")
            figures = lessons_figures.draw(data, {a.question.scenario: a.results for a in answers})
        page = lessons_page.text(answers, {name: (f"{DATA}/{file}", caption) for name, file, caption in figures}, DATA)
        partial = out / ".lessons.md.partial"
        partial.write_text(page, encoding="utf-8")
        partial.replace(out / "lessons.md")
    return answers


def _answer(question: lessons_page.Question, runs: Plan, results: list[Result]) -> Answer:
    runs_of = zip(runs.runs, results, strict=True)
    own = [(case, result) for (name, case, _), result in runs_of if name == question.scenario]
    named = {case.label: result for case, result in own if case.label}
    verdicts = tuple(
        checks.judge(question.scenario, case.name, expectation, result, named)
        for case, result in own
        for expectation in case.expect
    )
    rows = {
        case.name: tuple(_number(column, case, result, named, runs) for column in question.columns)
        for case, result in own
        if case.label
    }
    return Answer(question, rows, verdicts, named)


def _number(
    column: lessons_page.Column, case: Case, result: Result, named: Mapping[str, Result], runs: Plan
) -> Number | None:
    """The column's value, with where it stands; nothing if the run has no such thing."""
    try:
        value = checks.evaluate(column.of, result, named)
    except ExpressionError:
        if result["spec"]["monitor"] == "hypermon":
            raise
        value = None  # other monitors have less to tell
    if value is None:
        return None
    kinds = {e.of: e.kind for e in case.expect}
    return Number(value, CALIBRATED if _calibrated(column, result, runs) else kinds.get(column.of, PREDICTED))


def _calibrated(column: lessons_page.Column, result: Result, runs: Plan) -> bool:
    """Is this a cell of Table 2 that a constant was chosen with?"""
    spec = result["spec"]
    quantity = {"elapsed_s": "elapsed", "logged_bytes": "logged"}.get(column.of)
    cell = (spec["workload"], spec["nodes"], spec["monitor"], quantity or "")
    plain = spec["place"]["accepted"] == runs.effort and spec["nodes"] in NODES and spec["port"]["width_bits"] == 4
    return plain and cell in runs.calibrated


def _csv(answers: list[Answer]) -> str:
    text = io.StringIO()
    lines = csv.writer(text, lineterminator="\n")
    lines.writerow(["scenario", "case", "quantity", "value", "label"])
    for answer in answers:
        for case, numbers in answer.rows.items():
            for column, number in zip(answer.question.columns, numbers, strict=True):
                if number is not None:
                    value = f"{number.value:.10g}" if isinstance(number.value, float) else number.value
                    lines.writerow([answer.question.scenario, case, column.of, value, number.label])
    return text.getvalue()
