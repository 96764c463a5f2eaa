# SPDX-License-Identifier: BSD-3-Clause
"""Machine-readable results of `hypermon check`: JSON and JUnit XML."""

from __future__ import annotations

import itertools
import xml.etree.ElementTree as ET
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from hypermon._engine.checks import Verdict
from hypermon._engine.sharing import Spent
from hypermon._files.files import from_home, without_home
from hypermon._printing import escaped


def to_json(verdicts: Sequence[Verdict], spent: Spent) -> dict[str, Any]:
    """Returns the verdicts as JSON data. docs/how-to/check-in-ci.md describes the keys."""
    return {
        "passed": sum(v.passed for v in verdicts),
        "failed": sum(not v.passed for v in verdicts),
        "runs": asdict(spent),
        "cases": [_case(list(group)) for _, group in itertools.groupby(verdicts, key=lambda v: (v.scenario, v.again))],
    }


def _case(verdicts: Sequence[Verdict]) -> dict[str, Any]:
    first = verdicts[0]
    ran = first.what != "run" or first.error is None
    return {
        "scenario": first.scenario,
        "case": first.case,
        "passed": all(v.passed for v in verdicts),
        "error": None if ran else str(first.error),
        "wall_s": first.wall_s if ran else None,
        "run": str(first.run) if first.run else None,
        "again": first.again,
        "expectations": [_expectation(v) for v in verdicts] if ran else [],
    }


def _expectation(verdict: Verdict) -> dict[str, Any]:
    file, line = place(verdict.where)
    return {
        "of": verdict.what,
        "expected": verdict.expected,
        "got": verdict.got,
        "deviation": verdict.deviation,
        "kind": verdict.kind,
        "reason": verdict.reason,
        "passed": verdict.passed,
        "file": file,
        "line": line,
    }


def place(where: str) -> tuple[str, int]:
    """Splits `scenarios/a.yaml, line 3` into file and line. A file in the current folder gets a relative path."""
    file, _, line = where.rpartition(", line ")
    here = f"{Path.cwd()}/"
    return file.removeprefix(here) if file.startswith(here) else from_home(file), int(line)


def junit(verdicts: Sequence[Verdict]) -> str:
    """Returns the verdicts as JUnit XML, one test case per expectation. The run's time is divided among them."""
    suite = ET.Element(
        "testsuite",
        name="hypermon check",
        tests=str(len(verdicts)),
        failures=str(sum(not v.passed and v.error is None for v in verdicts)),
        errors=str(sum(v.error is not None for v in verdicts)),
    )
    total_s = 0.0
    for _, group in itertools.groupby(verdicts, key=lambda v: (v.scenario, v.again)):
        of_case = list(group)
        total_s += of_case[0].wall_s
        for v in of_case:
            suite.append(_testcase(v, of_case[0].wall_s / len(of_case)))
    suite.set("time", f"{total_s:.4f}")
    for element in suite.iter():  # XML does not allow most control characters, not even escaped
        element.text = element.text and escaped(without_home(element.text))
        for name, value in element.items():
            element.set(name, escaped(without_home(value)))
    ET.indent(suite)
    return '<?xml version="1.0" encoding="utf-8"?>\n' + ET.tostring(suite, encoding="unicode") + "\n"


def _testcase(verdict: Verdict, time_s: float) -> ET.Element:
    file, line = place(verdict.where)
    case = ET.Element(
        "testcase",
        classname=verdict.scenario,
        name=f"{verdict.case}: {verdict.what}",
        time=f"{time_s:.4f}",
        file=file,
        line=str(line),
    )
    if verdict.error is not None:
        ET.SubElement(case, "error", message=verdict.got).text = f"again: {verdict.again}"
    elif not verdict.passed:
        message = f"{verdict.what}: expected {verdict.expected}, got {verdict.got}"
        failure = ET.SubElement(case, "failure", message=message)
        failure.text = f"{verdict.kind}: {verdict.reason}\n{verdict.where}\nagain: {verdict.again}"
    return case
