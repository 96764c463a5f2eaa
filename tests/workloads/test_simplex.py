"""Simplex against scipy's dense LP solver."""

from __future__ import annotations

import json

import numpy as np
import pytest
from scipy.optimize import linprog

from tests.workloads.conftest import Run
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


def test_the_default_size_has_the_pivots_that_its_calibration_assumes(answer: Run) -> None:
    # Table 2, 1 node: (63437 B - 151.261 s / 50 ms * 11 B) / 7 B events, 2 for a clock call, 3 calls a pivot.
    events = (63437 - 151.261 / 0.05 * 11) / 7
    pivots = sum(a["pivots"] for a in json.loads(answer("simplex", 1).read_text()))
    assert pivots == pytest.approx(events / (2 * 3), rel=0.02)
