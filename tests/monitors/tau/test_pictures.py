"""What an analyst makes of the processes' profiles, against what happened."""

from __future__ import annotations

from pathlib import Path

import pytest

import hypermon
from tests.registered import needs

pytestmark = [pytest.mark.worker, pytest.mark.usefixtures("worker")]


def test_one_profile_is_a_mean_of_each_process(tmp_path: Path) -> None:
    settings = {"nodes": 4, "monitor": "tau", "place.attempts": 400, **needs("tau")}
    result = hypermon.run("table2/place", settings=settings, out=tmp_path / "run", activity=True)
    found = hypermon.judge(result)
    assert found.source == "profiles"
    for node in found.nodes:  # what measuring and ticks take is in the routines' times, too
        assert node.computing_percent <= node.seen_percent <= node.computing_percent + 5
    assert found.error_percent <= 1.1 * found.guess_percent
