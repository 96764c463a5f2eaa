"""What an analyst makes of the processes' profiles, against what happened."""

from __future__ import annotations

from pathlib import Path

import pytest

import hypermon
from hypermon._files.tau import profile
from tests.registered import needs

pytestmark = [pytest.mark.worker, pytest.mark.usefixtures("worker")]


def test_one_profile_is_a_mean_of_each_process(tmp_path: Path) -> None:
    """What its routines took that are no MPI functions, of all that it took: what measuring adds stands there, too."""
    settings = {"nodes": 4, "monitor": "tau", "place.attempts": 400, **needs("tau")}
    result = hypermon.run("table2/place", settings=settings, out=tmp_path / "run", activity=True)
    found = hypermon.judge(result)
    assert found.source == "profiles"
    for (rank, _, _), file in profile.find(result.path).items():
        routines = profile.read(file).routines
        whole = max(one.inclusive for one in routines)
        outside = sum(one.exclusive for one in routines if not one.name.startswith("MPI_"))
        assert set(found.drawn[rank].curve.slopes()[:-1].round(6)) <= {round(outside / whole, 6)}
        assert found.nodes[rank].seen_percent >= found.nodes[rank].computing_percent
