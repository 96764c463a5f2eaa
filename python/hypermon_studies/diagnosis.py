"""`hypermon study diagnosis`: runs with known causes against what `hypermon diagnose` says of them."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory

from hypermon._engine import runner
from hypermon._files import files
from hypermon._inputs.scenario import built_in
from hypermon._model.result import Result
from hypermon._model.schema import Schema
from hypermon._model.spec import Spec
from hypermon.diagnosis import diagnose
from hypermon.diagnosis.rules import NAMED, OPEN
from hypermon.errors import UserError
from hypermon_studies import cells, diagnosis_page
from hypermon_studies.cells import Cell, Cells
from hypermon_studies.diagnosis_cases import HEALTHY, Case, Settings, drawn, training

NAME = "diagnosis"
SCENARIO = "hpvm/cholesky"  # other programs have its machine
TRAINING = "training"
HELD_OUT = (1000,)
"""Seeds of the sets that were drawn after the rules were fixed, each judged once; the last one is what counts."""
GROUPS, HEALTHY_IN_EACH = 3, 3
AT_A_TIME = 20  # runs whose directories there are
REFUSED = "refused"
HARMLESS = "harmless"
COLUMNS = (
    "set", "case", "program", "nodes", "truth", "fault", "elapsed_s", "baseline_s", "verdict", "not_ruled_out", "alone",
)  # fmt: skip


@dataclass(frozen=True)
class Outcome:
    """What became of a case.

    Attributes:
        elapsed_s, baseline_s: The simulator's, which the diagnosis does not see.
        verdict: Against the baseline, and `open_causes` that it does not rule out.
        alone: Without one.
    """

    of: str
    case: Case
    elapsed_s: float
    baseline_s: float
    verdict: str
    open_causes: str
    alone: str

    @property
    def row(self) -> str:
        """Of the table: what was done to it, or that it did no harm."""
        if self.case.truth != HEALTHY and self.elapsed_s < (1 + NAMED) * self.baseline_s:
            return f"{HARMLESS}: {self.case.truth}"
        return self.case.truth

    def values(self) -> tuple[str, ...]:
        numbers = f"{self.elapsed_s:.6f}", f"{self.baseline_s:.6f}"
        case = self.case
        about = self.of, case.name, case.program, str(case.settings["nodes"]), case.truth, case.fault
        return (*about, *numbers, self.verdict, self.open_causes, self.alone)


def sets() -> dict[str, list[Case]]:
    """By name: what the rules were written on, and what they were tried on."""
    held_out = {f"held out {seed}": list(drawn(seed, GROUPS, HEALTHY_IN_EACH)) for seed in HELD_OUT}
    return {TRAINING: list(training()), **held_out}


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
    specs = {spec.hash: spec for case in cases for spec in (_spec(case.baseline, schema), _spec(case.settings, schema))}
    tasks = [(spec, folder / key) for key, spec in specs.items()]
    results = dict(zip(specs, runner.require(runner.run_many(tasks, jobs)), strict=True))
    found = []
    for case in cases:
        run, baseline = (results[_spec(given, schema).hash] for given in (case.settings, case.baseline))
        found.append(_outcome(of, case, run, baseline))
    return found


def _spec(settings: Settings, schema: Schema) -> Spec:
    return built_in(SCENARIO).resolve(schema, dict(settings))


def _outcome(of: str, case: Case, run: Result, baseline: Result) -> Outcome:
    try:
        against = diagnose(run, baseline)
        verdict = against.verdict
        undecided = " ".join(finding.cause for finding in against.findings if finding.standing == OPEN)
    except UserError:
        verdict, undecided = REFUSED, ""
    times = float(run["elapsed_s"]), float(baseline["elapsed_s"])
    return Outcome(of, case, *times, verdict, undecided, diagnose(run).verdict)


def write(out: Path, found: Sequence[Outcome]) -> None:
    """Writes `out`/diagnosis.md and `out`/diagnosis/*, all of it at the end."""
    told = cells.text(Cells(list(_cells(found))))
    with runner.whole_folder(out / NAME, marker="cases.csv") as data:
        (data / "cases.csv").write_text(text(found), encoding="utf-8")
        (data / cells.NAME).write_text(told, encoding="utf-8")
    with files.writing(out / f"{NAME}.md") as partial:
        partial.write_text(diagnosis_page.text(found, NAME), encoding="utf-8")


def text(found: Iterable[Outcome]) -> str:
    """cases.csv: a row a case."""
    said = io.StringIO()
    lines = csv.writer(said, lineterminator="\n")
    lines.writerow(COLUMNS)
    lines.writerows(outcome.values() for outcome in found)
    return said.getvalue()


def _cells(found: Sequence[Outcome]) -> Iterable[Cell]:
    for of in dict.fromkeys(outcome.of for outcome in found):
        own = [outcome for outcome in found if outcome.of == of]
        for way in ("against a baseline", "alone"):
            said = [(o.row, o.verdict if way != "alone" else o.alone) for o in own]
            for row in sorted({row for row, _ in said}):
                for verdict in sorted({verdict for _, verdict in said}):
                    yield Cell(f"{of}, {way}", verdict, row, "runs", said.count((row, verdict)))
