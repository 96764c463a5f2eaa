# SPDX-License-Identifier: BSD-3-Clause
"""An analyst's view of the processes' profiles, compared with the true activity."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import hypermon
from hypermon._files.tau import profile
from hypermon._model.activity import ACTUAL, AGES
from hypermon.monitors.tau import profiles
from tests.registered import names, needs

pytestmark = [pytest.mark.worker, pytest.mark.usefixtures("worker")]


def test_one_profile_is_a_mean_of_each_process(tmp_path: Path) -> None:
    """The share of the routines that are no MPI functions in the process's time. It includes the cost of measurement."""
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


@pytest.mark.parametrize("monitor", ["tau_nfs", "tau_supermon"])
def test_who_looks_while_it_runs_has_the_profiles_that_came_by_then(monitor: str, tmp_path: Path) -> None:
    """The latency is from taking a profile to receiving it, not that of the daemons' own samples."""
    if monitor not in names("monitors"):
        pytest.skip(f"{monitor} is not there")
    settings = {
        **{"nodes": 4, "monitor": monitor, "place.attempts": 1000, "tau.dump": "period", "tau.period_ms": 100},
        **{"tau_files.period_ms": 50, "supermon_client.period_s": 0.05, "supermon_client.begin_s": 0.05},
        **needs(monitor),
    }
    result = hypermon.run("table2/place", settings=settings, out=tmp_path / "run", activity=True)
    found = hypermon.judge(result)
    rows = profiles.read(result.path).drop_duplicates(["rank", "number"])
    ages = np.sort((rows["arrived_s"] - rows["taken_s"]).to_numpy())
    assert list(found.live) == [*AGES, ACTUAL]
    assert found.live["p50"].age_s == pytest.approx(ages[-(-len(ages) // 2) - 1])
    assert found.live["max"].age_s == pytest.approx(ages[-1])
    assert found.live[ACTUAL].age_s == pytest.approx(ages.mean())
    assert found.live[ACTUAL].error_percent > found.error_percent
    # Profiles that arrive after the run are useless during it.
    rarely = hypermon.run(
        "table2/place", settings={**settings, "tau.period_ms": 60_000}, out=tmp_path / "rarely", activity=True
    )
    assert hypermon.judge(rarely).live == {}
