# SPDX-License-Identifier: BSD-3-Clause
"""Activity of the ranks of users' programs: the examples, whether or not they charge their work."""

from __future__ import annotations

from pathlib import Path

import pytest

import hypermon
from hypermon._model.activity import Activity
from hypermon._model.schema import flat
from hypermon._model.spec import Spec
from tests.python import test_judging_invariants as judgements
from tests.python.test_activity import violations
from tests.registered import needs, observers

pytestmark = [pytest.mark.worker, pytest.mark.usefixtures("worker")]
EXAMPLES = Path(__file__).parents[3] / "examples"
PROGRAMS = {"own_program/heat.c": ["100", "30"], "own_folder": ["1", "50"]}
CHARGES = {"own_program/heat.c"}
"""Examples that charge their work; the code of the others takes no time."""


@pytest.mark.parametrize("name", PROGRAMS)
@pytest.mark.parametrize("monitor", ["none", *observers()[:1]])
def test_what_ranks_of_an_own_program_computed_is_what_the_result_says(name: str, monitor: str, tmp_path: Path) -> None:
    result = hypermon.run(
        program=str(EXAMPLES / name),
        arguments=PROGRAMS[name],
        settings={"nodes": 4, "monitor": monitor, **needs(monitor)},
        out=tmp_path / "run",
        activity=True,
    )
    assert violations(result, Spec(result["scenario"], flat(result["spec"]))) == []
    assert judgements.violations(result) == []
    activity = Activity(result.path)
    assert all((activity.of_rank(rank) > 0) == (name in CHARGES) for rank in range(4))
