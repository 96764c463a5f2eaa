# SPDX-License-Identifier: BSD-3-Clause
"""The command of the studies, and scenarios of the bandwidth of boards."""

from __future__ import annotations

import pytest

from hypermon._inputs import scenario
from tests.conftest import Hypermon


@pytest.mark.worker
@pytest.mark.usefixtures("worker")
def test_a_study_of_a_folder_of_scenarios_is_one_line_and_exit_2(hypermon: Hypermon) -> None:
    done = hypermon("study", "perturbation", "table2", "--out", "x")
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "table2: is a folder of scenarios" in done.stderr


def test_the_bandwidth_of_the_boards_has_its_scenarios() -> None:
    sweeps = ("one_node", "two_nodes", "three_nodes", "delay_sweep")
    assert set(scenario.names()) >= {f"bandwidth/{name}" for name in sweeps}
