# SPDX-License-Identifier: BSD-3-Clause
"""`hypermon study diagnosis`: the verdicts of `hypermon diagnose` on runs with known causes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory

from hypermon._engine import runner
from hypermon._files import csvfile
from hypermon._inputs.scenario import built_in
from hypermon._model.result import Result
from hypermon._model.schema import Schema
from hypermon._model.spec import Spec
from hypermon.diagnosis import diagnose
from hypermon.diagnosis.rules import NAMED, OPEN
from hypermon.errors import UserError
from hypermon_studies import cells
from hypermon_studies.cells import Cell, Cells
from hypermon_studies.diagnosis import page as diagnosis_page
from hypermon_studies.diagnosis.cases import HEALTHY, TRAINING, Case, Outcome, Settings, drawn, training
from hypermon_studies.placing import Place

NAME = "diagnosis"
SCENARIO = "hpvm/cholesky"  # the other programs run on its machine
HELD_OUT = 2000
"""The seed of the set that was drawn after the rules were fixed; 1000 is spent (docs/design/diagnosis.md)."""
GROUPS, HEALTHY_IN_EACH = 3, 3
AT_A_TIME = 20  # largest number of run directories at a time
REFUSED = "refused"
COLUMNS = (
    "set", "case", "program", "nodes", "truth", "fault", "elapsed_s", "baseline_s", "harm", "verdict", "not_ruled_out",
    "alone",
)  # fmt: skip


def sets() -> dict[str, list[Case]]:
    """Returns the sets of cases by name: those on which the rules were developed, and those on which they were
    tested.
    """
    return {TRAINING: list(training()), f"held out {HELD_OUT}": list(drawn(HELD_OUT, GROUPS, HEALTHY_IN_EACH))}


def judge(
    of: str, cases: Iterable[Case], schema: Schema, jobs: int, on_done: Callable[[int], None] | None = None
) -> list[Outcome]:
    """Runs cases and their baselines, a few at a time, and asks why they are slow."""
    found: list[Outcome] = []
    left = iter(cases)
    while few := list(islice(left, AT_A_TIME)):
        with TemporaryDirectory(prefix="hypermon-study-") as folder:
            found += _judge(of, few, schema, jobs, Path(folder))
        if on_done is not None:
            on_done(len(found))
    return found


def _judge(of: str, cases: Sequence[Case], schema: Schema, jobs: int, folder: Path) -> list[Outcome]:
    given = [settings for case in cases for settings in (case.baseline, case.settings, *case.apart.values())]
    specs = {spec.hash: spec for spec in (_spec(settings, schema) for settings in given)}
    tasks = [(spec, folder / key) for key, spec in specs.items()]
    results = dict(zip(specs, runner.require(runner.run_many(tasks, jobs)), strict=True))
    return [_outcome(of, case, lambda settings: results[_spec(settings, schema).hash]) for case in cases]


def _spec(settings: Settings, schema: Schema) -> Spec:
    return built_in(SCENARIO).resolve(schema, dict(settings))


def _outcome(of: str, case: Case, result: Callable[[Settings], Result]) -> Outcome:
    run, baseline = result(case.settings), result(case.baseline)
    try:
        against = diagnose(run, baseline)
        verdict = against.verdict
        undecided = " ".join(finding.cause for finding in against.findings if finding.standing == OPEN)
    except UserError:
        verdict, undecided = REFUSED, ""
    elapsed, before = float(run["elapsed_s"]), float(baseline["elapsed_s"])
    apart = {cause: float(result(settings)["elapsed_s"]) for cause, settings in case.apart.items()}
    done = {} if case.truth == HEALTHY else apart or {case.truth: elapsed}
    harm = " and ".join(cause for cause in done if done[cause] >= (1 + NAMED) * before) or HEALTHY
    return Outcome(of, case, elapsed, before, harm, verdict, undecided, diagnose(run).verdict)


def place(out: Path, force: bool = False) -> Place:
    """The study's place in the folder `out`."""
    return Place(out, NAME, "cases.csv", force)


def write(out: Path, found: Sequence[Outcome], force: bool = False) -> None:
    """Writes `out`/diagnosis.md and `out`/diagnosis/*, all files at the end."""
    told = cells.text(Cells(list(_cells(found))))
    at = place(out, force)
    with at.data() as data:
        (data / "cases.csv").write_text(text(found), encoding="utf-8")
        (data / cells.NAME).write_text(told, encoding="utf-8")
    at.page(diagnosis_page.text(found, NAME))


def text(found: Iterable[Outcome]) -> str:
    """cases.csv: a row a case."""
    return csvfile.text([COLUMNS, *(outcome.values() for outcome in found)])


def _cells(found: Sequence[Outcome]) -> Iterable[Cell]:
    for of in dict.fromkeys(outcome.of for outcome in found):
        own = [outcome for outcome in found if outcome.of == of]
        for way in ("against a baseline", "alone"):
            judged = [(o.row, o.verdict if way != "alone" else o.alone) for o in own]
            for row in sorted({row for row, _ in judged}):
                for verdict in sorted({verdict for _, verdict in judged}):
                    yield Cell(f"{of}, {way}", verdict, row, "runs", judged.count((row, verdict)))
