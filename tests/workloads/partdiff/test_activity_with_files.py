# SPDX-License-Identifier: BSD-3-Clause
"""Activity of ranks that write files with MPI-IO, and its evaluation."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import hypermon
from hypermon._model import monitors
from hypermon._model.activity import Activity
from hypermon._model.schema import flat
from hypermon._model.spec import Spec
from tests.python import test_judging_invariants as judgements
from tests.python.test_activity import violations
from tests.registered import needs

pytestmark = [pytest.mark.worker, pytest.mark.usefixtures("worker")]
SOLVER = {
    **{"workload": "partdiff", "nodes": 4, "partdiff.interlines": 3, "partdiff.iterations": 6},
    **{"partdiff.checkpoint_every": 2, "partdiff.diagonal_every": 1},
}
SERVED = {"platform": "piosim", "settings": {"pfs.servers": 2}}
AT_ONCE = {"platform": None, "settings": {"mpiio.file_system": "ideal"}}


@pytest.mark.parametrize("access", ["independent", "collective"])
@pytest.mark.parametrize("monitor", ["none", "hdtrace"])
@pytest.mark.parametrize("files", [SERVED, AT_ONCE], ids=["served", "at once"])
def test_what_ranks_computed_that_write_files_is_what_the_result_says(
    files: dict[str, Any], monitor: str, access: str, tmp_path: Path
) -> None:
    if monitor not in monitors.registered():
        pytest.skip(f"{monitor} is not there")
    settings = {**SOLVER, **files["settings"], "partdiff.access": access, "monitor": monitor, **needs(monitor)}
    result = hypermon.run(
        "table2/matmul", platform=files["platform"], settings=settings, out=tmp_path / "run", activity=True
    )
    assert violations(result, Spec(result["scenario"], flat(result["spec"]))) == []
    assert judgements.violations(result) == []
    writes = result["mpiio"]["functions"]
    name = "MPI_File_write_at" if access == "independent" else "MPI_File_write_at_all"
    assert writes[name]["calls"] > 0
    # A rank does not compute while it writes.
    activity = Activity(result.path)
    for rank, span in enumerate(activity.ranks):
        assert 0 < activity.of_rank(rank) < span.end_ps - span.begin_ps
