# SPDX-License-Identifier: BSD-3-Clause
"""An analyst's view of fetched counters, compared with the true activity."""

from __future__ import annotations

from pathlib import Path

import pytest

import hypermon
from tests.registered import needs

pytestmark = [pytest.mark.worker, pytest.mark.usefixtures("worker")]


@pytest.mark.parametrize("counters", ["cpu.user", "mpi.time", "cpu.user, mpi.time", "cpu.busy, cpu.kernel"])
def test_a_finer_interval_is_a_better_picture(counters: str, tmp_path: Path) -> None:
    errors = []
    for interval in (0.5, 0.1, 0.02):
        settings = {
            "nodes": 4,
            "monitor": "pcp",
            "place.attempts": 1500,
            "pcp.interval_s": interval,
            "pcp.counters": counters,
            **needs("pcp"),
        }
        result = hypermon.run("table2/place", settings=settings, out=tmp_path / str(interval), activity=True)
        found = hypermon.judge(result)
        assert found.source == counters.removesuffix(", cpu.kernel")
        age_us = result["sampling"]["age_us"]["p50"] or 0.0
        # Latency of the samples in the program's own sections, which are nearly all samples.
        assert found.live["p50"].age_s == pytest.approx(age_us * 1e-6, rel=1e-3)
        errors.append(found.error_percent)
    assert errors == sorted(errors, reverse=True)
    assert errors[-1] < found.guess_percent
