# SPDX-License-Identifier: BSD-3-Clause
"""A node that its board stalls behaves on shared processors as it does alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.python.test_processors import (
    test_nx2_on_shared_processors_does_what_it_does_alone as does_what_it_does_alone,
)

STALLS = {"nodes": 4, "generator.events": 300, "ecb.node_fifo_full": "stall", "ecb.node_fifo_entries": 2}


@pytest.mark.worker
@pytest.mark.usefixtures("worker")
@pytest.mark.parametrize("policy", ["time_slices", "fair_shares"])
def test_a_node_that_is_held_is_so_as_long_on_shared_processors(tmp_path: Path, policy: str) -> None:
    does_what_it_does_alone(tmp_path, "bandwidth/one_node", STALLS, policy, "hypermon")
