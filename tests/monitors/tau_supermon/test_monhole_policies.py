# SPDX-License-Identifier: BSD-3-Clause
"""The monhole's policies in whole runs agree with the closed forms that the study of the buffer uses."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from hypermon_studies.monhole.runs import FILL_DRAIN, FILL_READ, REPLACE_DRAIN, REPLACE_READ, Case, Outcome, expected
from tests.monitors.supermon import invariants
from tests.python.held_runs import held_run

pytestmark = [pytest.mark.worker, pytest.mark.usefixtures("worker")]
NODES, RANKS = 2, 4
LU = {"workload": "lu", "nodes": NODES, "cpu.ranks_per_node": 2, "cpu.processors": 4, "lu.problem": "S",
      "lu.iterations": 200, "machine.topology": "star", "machine.messages": "smpi", "machine.beside": 2,
      "lan.count": 1, "monitor": "tau_supermon", "supermon_client.begin_s": 0, "supermon.linger_s": 0.05}  # fmt: skip
ITERATION_S = 0.0161  # approximate duration of an iteration of LU; ratios are taken from the run


@pytest.mark.parametrize("reads_an_iteration", [4, 1 / 4])
@pytest.mark.parametrize(("policy", "depth"), [(REPLACE_READ, 0), (REPLACE_DRAIN, 0), (FILL_DRAIN, 0), (FILL_READ, 2)])
def test_a_whole_run_loses_and_repeats_what_the_closed_form_says(
    tmp_path: Path, policy: str, depth: int, reads_an_iteration: float
) -> None:
    asked: dict[str, Any] = {"supermon_client.period_s": ITERATION_S / reads_an_iteration, "monhole.policy": policy}
    found = held_run(tmp_path / "run", {**LU, **asked, "monhole.entries": depth}, invariants)
    told = found["monitor"]["monhole"]
    writes = Fraction(told["generated"]["entries"], RANKS)
    reads = Fraction(told["sinks"][0]["reads"], NODES)
    lost, repeated = expected(Case(policy, writes / reads, depth=depth))
    outcome = Outcome(told)
    # The client also reads before the first write and after the last: 50 ms of more than 3 s.
    assert 100 * outcome.worst_lost == pytest.approx(100 * lost, abs=1)
    assert 100 * outcome.repeated == pytest.approx(100 * repeated, abs=3)
