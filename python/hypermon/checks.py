"""Expectations against results: what `hypermon check` decides."""

from __future__ import annotations

import math
import xml.etree.ElementTree as ET
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hypermon import expressions, runner
from hypermon.errors import HypermonError
from hypermon.expressions import ExpressionError
from hypermon.result import Result
from hypermon.scenario import Case, Expectation, Scenario, Spec
from hypermon.schema import Schema, number


@dataclass(frozen=True)
class Verdict:
    """One expectation, met or not; or one run that failed."""

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


def check(
    scenarios: Sequence[Scenario], schema: Schema, jobs: int, on_done: Callable[[int], None] | None = None
) -> list[Verdict]:
    """Runs all cases of all scenarios; every setting is resolved before the first run starts."""
    planned = [(s, case, s.resolve(schema, case=case)) for s in scenarios for case in s.cases]
    with TemporaryDirectory(prefix="hypermon-check-") as folder:
        tasks = [(spec, Path(folder) / str(i)) for i, (_, _, spec) in enumerate(planned)]
        outcomes = runner.run_many(tasks, jobs, on_done)
        named: dict[str, dict[str, Result]] = {s.name: {} for s in scenarios}
        for (scenario, case, _), outcome in zip(planned, outcomes, strict=True):
            if case.label and isinstance(outcome, Result):
                named[scenario.name][case.label] = outcome
        return [
            verdict
            for (scenario, case, spec), outcome in zip(planned, outcomes, strict=True)
            for verdict in _verdicts(scenario, case, spec, outcome, named[scenario.name])
        ]


def _verdicts(
    scenario: Scenario, case: Case, spec: Spec, outcome: Result | HypermonError, named: Mapping[str, Result]
) -> list[Verdict]:
    if isinstance(outcome, HypermonError):
        got = str(outcome)
        return [Verdict(spec.scenario, case.name, "run", "completes", got, "", "", False, outcome, "", scenario.where)]
    return [judge(spec.scenario, case.name, expectation, outcome, named) for expectation in case.expect]


def evaluate(expression: str, outcome: Result, named: Mapping[str, Result] | None = None) -> Any:
    """The expression's value; `cases.NAME` are the results of the scenario's named cases."""
    return expressions.evaluate(expression, {**outcome, "cases": named or {}})


def judge(
    scenario: str, case: str, expectation: Expectation, outcome: Result, named: Mapping[str, Result] | None = None
) -> Verdict:
    """Whether one result meets one expectation, which may compare it with those of `named` cases."""

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

    try:
        got = value(expectation.of)
        if expectation.equals is not None:
            expected = value(expectation.equals)
            passed, deviation = _compare(got, expected, expectation.within, expectation.relative)
            return verdict(_with_tolerance(expected, expectation), show(got), deviation, passed)
        low = value(expectation.low) if expectation.low is not None else -math.inf
        high = value(expectation.high) if expectation.high is not None else math.inf
        bounds = [f">= {show(low)}"] * (expectation.low is not None) + [f"<= {show(high)}"] * (
            expectation.high is not None
        )
        passed = bool(low <= got <= high)
        beyond = low - got if got < low else got - high if got > high else 0
        return verdict(" and ".join(bounds), show(got), "" if passed else show(beyond), passed)
    except (ExpressionError, TypeError) as error:
        return verdict(expectation.equals or f"{expectation.low}..{expectation.high}", str(error), "", False)


def _compare(got: Any, expected: Any, within: float, relative: bool) -> tuple[bool, str]:
    if not _is_number(got) or not _is_number(expected):
        return bool(type(got) is type(expected) and got == expected), ""
    difference = got - expected
    margin = within * abs(expected) if relative else within
    deviation = f"{100 * difference / abs(expected):+.2f} %" if expected else f"{difference:+.6g}"
    return bool(abs(difference) <= margin), deviation


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _with_tolerance(expected: Any, expectation: Expectation) -> str:
    if not expectation.within:
        return show(expected)
    within = f"{number(100 * expectation.within)} %" if expectation.relative else number(expectation.within)
    return f"{show(expected)} within {within}"


def show(value: Any) -> str:
    """A value of a result in a table."""
    if isinstance(value, bool) or value is None:
        return {True: "true", False: "false", None: "null"}[value]
    if isinstance(value, float):
        return f"{value:.6g}" if abs(value) < 1e5 else f"{value:.0f}"
    return str(value)


def junit(verdicts: Sequence[Verdict]) -> str:
    """The verdicts as JUnit XML, one test case per expectation."""
    suite = ET.Element(
        "testsuite",
        name="hypermon check",
        tests=str(len(verdicts)),
        failures=str(sum(not v.passed and v.error is None for v in verdicts)),
        errors=str(sum(v.error is not None for v in verdicts)),
    )
    for v in verdicts:
        case = ET.SubElement(suite, "testcase", classname=v.scenario, name=f"{v.case}: {v.what}")
        if v.error is not None:
            ET.SubElement(case, "error", message=v.got)
        elif not v.passed:
            message = f"{v.what}: expected {v.expected}, got {v.got}"
            ET.SubElement(case, "failure", message=message).text = f"{v.kind}: {v.reason}\n{v.where}"
    ET.indent(suite)
    return '<?xml version="1.0" encoding="utf-8"?>\n' + ET.tostring(suite, encoding="unicode") + "\n"


def exit_status(verdicts: Sequence[Verdict]) -> int:
    """0; 1 if an expectation failed; 3 or 2 if a run did not complete."""
    errors = [v.error.exit_status for v in verdicts if v.error is not None]
    return max(errors) if errors else int(any(not v.passed for v in verdicts))
