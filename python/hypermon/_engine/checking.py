# SPDX-License-Identifier: BSD-3-Clause
"""`hypermon.check`: checks the expectations of scenarios from Python."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from hypermon._engine import checks
from hypermon._engine.checks import Verdict
from hypermon._inputs import listed
from hypermon._inputs import scenario as _scenario
from hypermon._inputs.scenario import Scenario
from hypermon._model import argument_checks, worker


def check(
    *scenarios: str | os.PathLike[str],
    case: str | None = None,
    keep: str | os.PathLike[str] | None = None,
    jobs: int | None = None,
    share: bool = True,
) -> list[Verdict]:
    """Runs the cases of scenarios and compares the results with the scenarios' expectations (`hypermon check`).

    Args:
        scenarios: Names, YAML files, or folders of YAML files. By default all scenarios that come with hypermon.
        case: Name of the only case to run.
        keep: A folder for the run directories, as SCENARIO/CASE. Every case then has a run of its own.
        jobs: Number of parallel runs. By default the number of CPUs.
        share: Saves runs: cases with the same specification share one run, and cases that differ only in hardware
            that does not affect the nodes are replayed from one recording. The verdicts are the same without it.

    Returns:
        A verdict for each expectation, in the scenarios' order. A run that failed has one verdict, with its `error`.

    Raises:
        UserError: A scenario or case does not exist, or a case is not valid. Raised before anything runs.

    Example:
        >>> verdicts = hypermon.check("bandwidth/one_node", case="default")
        >>> [(v.what, v.got) for v in verdicts if not v.passed]
        []
    """
    planned = checks.plan(chosen(scenarios), worker.schema(), case)
    jobs = argument_checks.jobs(jobs)
    verdicts, _ = checks.check(planned, jobs, keep=None if keep is None else Path(keep), share=share)
    return verdicts


def chosen(names: Iterable[str | os.PathLike[str]]) -> list[Scenario]:
    """Returns the scenarios that are given by name, file or folder, each once. Without any, returns all scenarios."""
    found = [scenario for name in names for scenario in _scenario.find(name)]
    return list({scenario.file: scenario for scenario in found or listed.scenarios()}.values())
