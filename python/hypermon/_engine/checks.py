# SPDX-License-Identifier: BSD-3-Clause
"""Comparison of results with expectations, for `hypermon check`."""

from __future__ import annotations

import contextlib
import math
import re
import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hypermon._engine import runner, sharing
from hypermon._engine.sharing import Spent
from hypermon._files import files
from hypermon._files.files import from_home
from hypermon._inputs.expectations import Case, Expectation, compared_with
from hypermon._inputs.scenario import Scenario
from hypermon._model import expressions, worker
from hypermon._model.expressions import ExpressionError, MissingError
from hypermon._model.result import Result, is_number, show
from hypermon._model.schema import Schema, number
from hypermon._model.spec import Spec
from hypermon.errors import HypermonError, UserError, cut, suggestion

OF_THE_HARDWARE = frozenset(
    {"logged_bytes", "ledger", "monitor", "latency_us", "timestamp_error_us", "causality_violations", "rates"}
)
"""Keys of a result that a replay computes. It copies all other keys from the recorded run."""
_OF_ANOTHER = re.compile(r"cases\.\w+\.(\w+)")


@dataclass(frozen=True)
class Verdict:
    """The outcome of one expectation, or of one run that failed."""

    scenario: str
    case: str
    what: str
    expected: str
    got: str
    deviation: str
    kind: str
    passed: bool
    error: HypermonError | None = None
    reason: str = ""
    where: str = ""
    again: str = ""  # the command that repeats the case
    run: Path | None = None  # its run directory, if it is kept
    wall_s: float = 0.0  # host time of the run


@dataclass(frozen=True)
class Planned:
    """A case to run."""

    scenario: Scenario
    number: int  # position of the case in its scenario
    case: Case
    spec: Spec
    judged: bool  # False: run only because another case's expectation refers to it

    def folder(self, below: Path) -> Path:
        """Returns the case's folder, for example `table2/place/03-nodes_2-monitor_software`."""
        words = re.sub(r"[^A-Za-z0-9.+-]+", "_", self.case.name.replace(" ", "-"))
        return below / self.scenario.name / f"{self.number:02d}-{words[:60]}"


def asks_of_program(case: Case) -> bool:
    """Does an expectation compare this case's program with another case's? A replay would copy the program's numbers.

    Such a case is co-simulated, since equality would be true by construction.
    """
    texts = [text for expectation in case.expect for text in expectation.expressions]
    of_another = [_OF_ANOTHER.match(path) for text in texts for path in expressions.paths(text)]
    return any(match[1] not in OF_THE_HARDWARE for match in of_another if match)


def check(
    planned: Sequence[Planned],
    jobs: int,
    on_done: Callable[[int], None] | None = None,
    keep: Path | None = None,
    *,
    share: bool = True,
    force: bool = False,
) -> tuple[list[Verdict], Spent]:
    """Runs the planned cases, `jobs` at a time, and returns their verdicts and the number of runs of each kind.

    `keep`: a folder for the run directories, as SCENARIO/CASE; each case then has a run of its own. `share`: cases
    share runs where that changes no result (`sharing`). `force`: replaces run directories even if they hold other
    files.
    """
    if keep:
        for p in planned:
            runner.require_folder(p.folder(keep), force)
        with files.naming(keep):
            keep.mkdir(parents=True, exist_ok=True)
    with contextlib.nullcontext(keep) if keep else TemporaryDirectory(prefix="hypermon-check-") as folder:
        runs = [sharing.Run(p.spec, p.folder(Path(folder)), asks_of_program(p.case), force) for p in planned]
        shared = sharing.plan(runs) if share and not keep else sharing.APART
        outcomes, spent = sharing.run_many(runs, jobs, on_done, shared)
        named: dict[int, dict[str, Result]] = {id(p.scenario): {} for p in planned}
        for p, outcome in zip(planned, outcomes, strict=True):
            if p.case.label and isinstance(outcome, Result):
                named[id(p.scenario)][p.case.label] = outcome
        verdicts = [
            replace(
                verdict,
                again=shlex.join(("hypermon", "check", from_home(p.scenario.target), "--case", p.case.name)),
                run=outcome.path if keep and isinstance(outcome, Result) else None,
                wall_s=outcome.host.get("wall_s", 0.0) if isinstance(outcome, Result) else 0.0,
            )
            for p, outcome in zip(planned, outcomes, strict=True)
            if p.judged
            for verdict in _verdicts(p, outcome, named[id(p.scenario)], kept=keep is not None)
        ]
    return verdicts, spent


def plan(scenarios: Sequence[Scenario], schema: Schema, case: str | None = None) -> list[Planned]:
    """Resolves all cases, or those named `case` and the cases that they are compared with, before any run starts.

    Raises a UserError if a case is not valid. An expectation that refers to an unknown result fails later, when it is
    evaluated.
    """
    planned = []
    for scenario in scenarios:
        judged = [c for c in scenario.cases if case in (None, c.name)]
        needed = {label for c in judged for label in compared_with(c)}
        for n, c in enumerate(scenario.cases, 1):
            if c in judged or c.label in needed:
                planned.append(Planned(scenario, n, c, scenario.resolve(schema, case=c), c in judged))
    if not planned and case is not None:
        known = [c.name for scenario in scenarios for c in scenario.cases]
        raise UserError(
            f"--case {cut(case)}: no such case{suggestion(case, known) or '; there are ' + ', '.join(known)}"
        )
    return planned


def mistake(expectation: Expectation, schema: Schema) -> UserError | None:
    """Returns an error about the first path of an expectation that no result has. None: all paths exist."""
    for text in expectation.expressions:
        for path in expressions.paths(text):
            if path != "cases":
                try:
                    schema.result_key(_of_any_case(path), expectation.where)
                except UserError as error:
                    return error
    return None


def _of_any_case(path: str) -> str:
    """Removes the case's name from a path: `cases.drop.elapsed_s` becomes `elapsed_s`."""
    return re.sub(r"^cases\.\w+\.?", "", path) or "scenario"


def _verdicts(
    planned: Planned, outcome: Result | HypermonError, named: Mapping[str, Result], kept: bool
) -> list[Verdict]:
    name, case = planned.spec.scenario, planned.case
    if isinstance(outcome, HypermonError):
        message, _, rest = str(outcome).partition(runner.WHAT_THEY_WROTE)
        got = str(outcome) if kept else message + (f"{runner.WHAT_THEY_WROTE} is kept by --keep DIR" if rest else "")
        return [Verdict(name, case.name, "run", "completes", got, "", "", False, outcome, "", planned.scenario.where)]
    return [judge(name, case.name, expectation, outcome, named) for expectation in case.expect]


def evaluate(expression: str, outcome: Result, named: Mapping[str, Result] | None = None) -> Any:
    """Evaluates an expression over a result. `cases.NAME` refers to the results of the scenario's named cases."""
    return expressions.evaluate(expression, {**outcome, "cases": named or {}})


def judge_all(scenario: str, results: Sequence[tuple[Case, Result]]) -> list[Verdict]:
    """Judges all expectations of a scenario's cases. Expectations may refer to other cases."""
    named = {case.label: result for case, result in results if case.label}
    return [judge(scenario, case.name, wanted, result, named) for case, result in results for wanted in case.expect]


def judge(
    scenario: str, case: str, expectation: Expectation, outcome: Result, named: Mapping[str, Result] | None = None
) -> Verdict:
    """Judges one expectation against one result. The expectation may refer to the results of `named` cases."""

    def value(expression: str) -> Any:
        return evaluate(expression, outcome, named)

    def verdict(expected: str, got: str, deviation: str, passed: bool) -> Verdict:
        return Verdict(
            scenario,
            case,
            expectation.of,
            expected,
            got,
            deviation,
            expectation.kind,
            passed,
            reason=expectation.reason,
            where=expectation.where,
        )

    expected_text = expectation.equals or f"{expectation.low}..{expectation.high}"
    if (error := mistake(expectation, worker.schema())) is not None:
        return replace(verdict(expected_text, str(error), "", False), error=error)
    try:
        got = value(expectation.of)
        if expectation.equals is not None:
            expected = value(expectation.equals)
            passed, deviation = _compare(got, expected, expectation.within, expectation.relative)
            return verdict(_with_tolerance(expected, expectation), show(got), deviation, passed)
        low = value(expectation.low) if expectation.low is not None else -math.inf
        high = value(expectation.high) if expectation.high is not None else math.inf
        for what, bound in (("", got), ("min: ", low), ("max: ", high)):
            if not is_number(bound):
                raise ExpressionError(f"{what}{_shortly(bound)} is not a number")
        bounds = [f">= {show(low)}"] * (expectation.low is not None) + [f"<= {show(high)}"] * (
            expectation.high is not None
        )
        passed = bool(low <= got <= high)
        beyond = low - got if got < low else got - high if got > high else 0
        return verdict(" and ".join(bounds), show(got), "" if passed else show(beyond), passed)
    except ExpressionError as error:
        failed = verdict(expected_text, str(error), "", False)
        if isinstance(error, MissingError) and not worker.schema().describes_result(_of_any_case(error.path)):
            return replace(failed, error=UserError(str(error), expectation.where))  # misspelt: no run has it
        return failed


def _shortly(value: Any) -> str:
    if isinstance(value, Mapping):
        return "an object"
    return "a list" if isinstance(value, list) else cut(show(value))


def _compare(got: Any, expected: Any, within: float, relative: bool) -> tuple[bool, str]:
    if not is_number(got) or not is_number(expected):
        return bool(type(got) is type(expected) and got == expected), ""
    difference = got - expected
    margin = within * abs(expected) if relative else within
    deviation = f"{100 * difference / abs(expected):+.2f} %" if expected else f"{difference:+.6g}"
    return bool(abs(difference) <= margin), deviation


def _with_tolerance(expected: Any, expectation: Expectation) -> str:
    if not expectation.within:
        return show(expected)
    within = f"{number(100 * expectation.within)} %" if expectation.relative else number(expectation.within)
    return f"{show(expected)} within {within}"


def exit_status(verdicts: Sequence[Verdict]) -> int:
    """Returns the exit status: 0 if all passed, 1 if an expectation failed, 3 or 2 if a run did not complete."""
    errors = [v.error.exit_status for v in verdicts if v.error is not None]
    return max(errors) if errors else int(any(not v.passed for v in verdicts))
