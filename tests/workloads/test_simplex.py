# SPDX-License-Identifier: BSD-3-Clause
"""Simplex against scipy's dense LP solver."""

from __future__ import annotations

import json

import numpy as np
import pytest
from scipy.optimize import linprog

from tests.workloads.conftest import Run, Simulate
from tests.workloads.splitmix import SplitMix64, stream_seed


def program(constraints: int, variables: int, seed: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    random = SplitMix64(seed)
    a = np.array([0.1 + random.uniform() for _ in range(constraints * variables)]).reshape(variables, constraints).T
    b = np.array([variables * (0.5 + 0.2 * random.uniform()) for _ in range(constraints)])
    c = np.array([1 + 0.2 * random.uniform() for _ in range(variables)])
    return a, b, c


@pytest.mark.parametrize("nodes", [1, 2, 8])
def test_objective_and_solution_are_the_optimum(answer: Run, nodes: int) -> None:
    problems, constraints, variables, instance = 3, 25, 33, 5
    size = {"problems": problems, "constraints": constraints, "variables": variables}
    answers = json.loads(answer("simplex", nodes, instance=instance, **size).read_text())
    assert len(answers) == problems
    for i, found in enumerate(answers):
        a, b, c = program(constraints, variables, stream_seed(instance, i))
        best = linprog(-c, A_ub=a, b_ub=b, method="highs")
        assert best.status == 0
        x = np.array(found["x"])
        assert found["pivots"] > 0
        assert found["objective"] == pytest.approx(-best.fun, rel=1e-9)
        assert c @ x == pytest.approx(found["objective"], rel=1e-9)
        assert (x >= -1e-9).all()
        assert (a @ x <= b + 1e-9).all()


def test_pivots_and_digits_do_not_depend_on_the_number_of_nodes(answer: Run) -> None:
    texts = {
        answer("simplex", nodes, instance=2, problems=2, constraints=30, variables=30).read_text() for nodes in (1, 4)
    }
    assert len(texts) == 1


@pytest.mark.parametrize("limit", [{"poll_limit": 2}, {"poll_limit_us": 400}])
def test_a_node_that_stops_polling_gets_the_same_pivot_columns(answer: Run, limit: dict[str, float]) -> None:
    size = {"instance": 2, "problems": 1, "constraints": 30, "variables": 30}
    without = answer("simplex", 4, **size).read_text()
    assert answer("simplex", 4, **size, **limit).read_text() == without


def events_and_pivots(simulate: Simulate, **limit: float) -> tuple[int, int]:
    """Events and pivots of a program on 2 nodes whose pivot column arrives 25 ms after the wait for it began; events
    take no time.
    """
    size = {"instance": 2, "problems": 1, "constraints": 25, "variables": 30, "ratio_ns": 1e6, "poll_ns": 0}
    spec = {"monitor": "software", "software": {"us_per_byte": 0}}
    result, output = simulate("simplex", 2, size | limit, spec)
    # the ticks of the longer runs would count as well
    ticks = sum(int(rank["elapsed_s"] / (result["spec"]["node"]["tick_ms"] * 1e-3)) for rank in result["ranks"])
    return result["events"] - ticks, sum(a["pivots"] for a in json.loads(output.read_text()))


@pytest.mark.worker
def test_a_limit_by_count_ends_polling_after_so_many_probes(simulate: Simulate) -> None:
    few, pivots = events_and_pivots(simulate, poll_limit=3)
    many, _ = events_and_pivots(simulate, poll_limit=10)
    assert pivots > 10
    # one of two nodes waits in each pivot; a probe has two events; each node may have one tick more or less
    assert many - few == pytest.approx(2 * (10 - 3) * pivots, abs=4)


@pytest.mark.worker
def test_a_limit_by_the_clock_ends_polling_at_the_first_reading_beyond_it(simulate: Simulate) -> None:
    short, pivots = events_and_pivots(simulate, poll_limit_us=500)
    long, _ = events_and_pivots(simulate, poll_limit_us=1000)
    # an unsuccessful probe and the clock call after it take 2 x 130 us: 2 pairs reach 500 us, 4 reach 1000 us
    assert long - short == pytest.approx(4 * (4 - 2) * pivots, abs=4)


def test_the_default_size_has_the_pivots_that_its_calibration_assumes(answer: Run) -> None:
    # Table 2, 1 node: (63437 B - 151.261 s / 50 ms * 11 B) / 7 B events, 2 for a clock call, 3 calls a pivot.
    events = (63437 - 151.261 / 0.05 * 11) / 7
    pivots = sum(a["pivots"] for a in json.loads(answer("simplex", 1).read_text()))
    assert pivots == pytest.approx(events / (2 * 3), rel=0.02)
