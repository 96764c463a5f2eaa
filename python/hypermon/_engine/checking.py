# SPDX-License-Identifier: BSD-3-Clause
"""`hypermon.check`: the scenarios' expectations from Python."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from hypermon._engine import checks
from hypermon._engine.checks import Verdict
from hypermon._inputs import listed
from hypermon._inputs import scenario as _scenario
from hypermon._inputs.scenario import Scenario
from hypermon._model import asked, worker


def check(
    *scenarios: str | os.PathLike[str],
    case: str | None = None,
    keep: str | os.PathLike[str] | None = None,
    jobs: int | None = None,
    share: bool = True,
) -> list[Verdict]:
    """Runs the cases of scenarios and compares the results with what is expected of them (`hypermon check`).

    Args:
        scenarios: Names, YAML files or folders of them; none: all that come with hypermon.
        case: Only the case of this name.
        keep: A folder that gets the run directories, SCENARIO/CASE in it; then each case has its own run.
        jobs: Runs at a time; by default as many as there are CPUs.
        share: Cases with the same specification are one run, and those that differ only in hardware that the nodes do
            not notice are replayed over one. No verdict depends on it.

    Returns:
        A verdict for each expectation, in the scenarios' order; of a run that failed one, with its `error`.

    Raises:
        UserError: There is no such scenario or case, or a case cannot be: before anything runs.

    Example:
        >>> verdicts = hypermon.check("bandwidth/one_node", case="default")
        >>> [(v.what, v.got) for v in verdicts if not v.passed]
        []
    """
    planned = checks.plan(chosen(scenarios), worker.schema(), case)
    jobs = asked.jobs(jobs)
    verdicts, _ = checks.check(planned, jobs, keep=None if keep is None else Path(keep), share=share)
    return verdicts


def chosen(names: Iterable[str | os.PathLike[str]]) -> list[Scenario]:
    """The scenarios of names, files and folders, each once; all, if there are none."""
    found = [scenario for name in names for scenario in _scenario.find(name)]
    return list({scenario.file: scenario for scenario in found or listed.scenarios()}.values())
