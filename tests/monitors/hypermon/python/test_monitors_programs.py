# SPDX-License-Identifier: BSD-3-Clause
"""Every program of the study of monitors runs on every machine of the study, and does the same work there."""

from __future__ import annotations

from pathlib import Path

import pytest

from hypermon._engine import runner
from hypermon._inputs import platforms
from hypermon._model import worker
from hypermon.errors import UserError
from hypermon_studies.monitors.programs import MACHINES, NODES, PROGRAMS, spec
from tests.registered import names

pytestmark = [pytest.mark.worker, pytest.mark.usefixtures("worker")]
THERE = [name for name, program in PROGRAMS.items() if program.workload in names("workloads")]
"""A workload or a machine may have been removed."""
ON = [name for name in MACHINES if name in platforms.names()]


@pytest.mark.parametrize("program", THERE)
def test_a_program_takes_as_much_computing_on_every_machine(program: str, tmp_path: Path) -> None:
    computing = {}
    for machine in ON:
        asked = spec(worker.schema(), program, machine, {"monitor": "none"})
        result = runner.simulate(asked, tmp_path / machine)
        ranks = result["ranks"]
        assert len(ranks) >= NODES, machine
        assert 0 < result["elapsed_s"] < 60, machine
        computing[machine] = sum(rank["compute_s"] for rank in ranks)
    most = max(computing.values())
    # a polling rank polls more often where it waits longer
    assert all(most * 0.9 <= one for one in computing.values()), computing


def test_what_is_no_program_is_refused() -> None:
    with pytest.raises(UserError, match="quicksort: must be one of simplex, life,"):
        spec(worker.schema(), "quicksort", ON[0])
