# SPDX-License-Identifier: BSD-3-Clause
"""Whether a run answers its scenario's question, and the answer in numbers.

A scenario marks the expectations that answer its question. An expectation that refers to other cases needs their runs;
a run of one case then has no answer, whatever it lost.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping
from dataclasses import dataclass

from hypermon._engine import checks
from hypermon._inputs import expectations
from hypermon._inputs.expectations import MISSED, Case, Expectation
from hypermon._inputs.scenario import Scenario
from hypermon._model.result import Result
from hypermon._model.schema import Schema, Value
from hypermon._model.words import figure
from hypermon.errors import UserError
from hypermon.report import rules
from hypermon.report.chart import Table

_NUMBER = re.compile(r"-?\d+\.\d+(?:e[+-]?\d+)?")


@dataclass(frozen=True)
class Answer:
    """The part of a scenario's answer that one run holds."""

    is_given: bool = True  # the run by itself answers the question, or a part of it
    is_whole: bool = True
    level: str = rules.GOOD  # of the verdict's mark, if nothing was lost and no finding is worse
    case: str = ""  # name of the run's case; empty: the run is no case, or the only one
    cases: int = 1
    command: str = ""  # compares all cases; empty if there is only one
    numbers: Table | None = None
    summary: str = ""


def find(found: Scenario | None, result: Result, values: Mapping[str, Value], schema: Schema) -> Answer:
    """Returns the answer. A run without a scenario answers its page's own question about losses and slowdown."""
    if found is None:
        return Answer()
    case = _case(found, values, schema)
    asked = case.expect if case is not None else [one for other in found.cases for one in other.expect]
    answering = [one for one in asked if one.answers and not expectations.cases_of(one)]
    judged = [checks.judge(found.name, "", one, result) for one in answering] if case is not None else []
    several = len(found.cases) > 1
    whole = len(answering) == sum(one.answers for other in found.cases for one in other.expect)
    missed = sum(one.kind == MISSED for one in judged)
    met = sum(one.passed and one.kind != MISSED for one in judged)
    level = rules.LIMIT if met < len(judged) else rules.GOOD
    return Answer(
        is_given=bool(answering),
        is_whole=whole,
        level=rules.FACT if several and (case is None or not whole) else level,
        case=case.name if case is not None and several else "",
        cases=len(found.cases),
        command=f"hypermon check {shlex.quote(found.target)} --all" if several else "",
        numbers=_table(list(zip(answering, judged, strict=False))),
        summary=f"{met} of {len(judged)} as expected" + (f", {missed} not as in the paper" if missed else ""),
    )


def _case(found: Scenario, values: Mapping[str, Value], schema: Schema) -> Case | None:
    """Returns the case whose parameters the run has. None: the run is no case of the scenario."""
    for case in found.cases:
        try:
            same = dict(found.resolve(schema, case=case, build=False).values) == dict(values)
        except UserError:
            continue  # a case whose program cannot be found here
        if same:
            return case
    return None


def _table(judged: list[tuple[Expectation, checks.Verdict]]) -> Table | None:
    rows = [
        (wanted.of, _short(verdict.got), _expected(verdict), wanted.reason or "an earlier version's result")
        for wanted, verdict in judged
        if verdict.error is None
    ]
    return Table("The answer in numbers", ("quantity", "this run", "expected", "reason"), rows, ()) if rows else None


def _expected(verdict: checks.Verdict) -> str:
    if verdict.kind == MISSED:
        return f"{_short(verdict.expected)}; the paper differs"
    return f"{_short(verdict.expected)}{'' if verdict.passed else ' (missed)'}"


def _short(text: str) -> str:
    """Rounds the numbers of a text to four digits."""
    return _NUMBER.sub(lambda found: figure(float(f"{float(found[0]):.4g}")), text)
