# SPDX-License-Identifier: BSD-3-Clause
"""The catalogues of parameters and results, from Python."""

from __future__ import annotations

from pathlib import Path

import pytest

import hypermon
from hypermon import UserError

pytestmark = pytest.mark.worker


@pytest.fixture(autouse=True)
def there(worker: Path) -> None:
    assert worker.is_file()


def test_parameters_are_found_by_path_group_and_glob() -> None:
    every = hypermon.params()
    assert len(every) > 300
    assert [one.path for one in hypermon.params("nodes")] == ["nodes"]
    group = [one.path for one in hypermon.params("node")]
    assert "node.tick_ms" in group
    assert all(path.startswith("node.") for path in group)
    assert "node.tick_ms" in [one.path for one in hypermon.params("*.tick_*")]
    frame = every.to_pandas()
    assert frame.set_index("path").loc["node.tick_ms", "unit"] == "ms"


def test_result_keys_are_found_by_path_group_and_glob() -> None:
    every = {one.path: one for one in hypermon.result_keys()}
    assert len(every) > 300
    assert every["elapsed_s"].unit == "s"
    assert [one.path for one in hypermon.result_keys("elapsed_s")] == ["elapsed_s"]
    assert {one.path.partition(".")[0] for one in hypermon.result_keys("latency_us")} == {"latency_us"}
    assert "ranks[].events" in [one.path for one in hypermon.result_keys("ranks")]
    assert "latency_us.p99" in list(hypermon.result_keys("*.p99").to_pandas()["path"])


def test_a_catalogue_shows_a_table() -> None:
    shown = repr(hypermon.params("node"))
    assert shown.splitlines()[1].split() == ["path", "default", "unit", "description"]
    assert max(map(len, shown.splitlines())) < 200


def test_what_there_is_not_is_refused_with_the_nearest() -> None:
    with pytest.raises(UserError, match=r"did you mean node\.tick_ms"):
        hypermon.params("node.tick_m")
    with pytest.raises(UserError, match="the result has no such key; did you mean elapsed_s"):
        hypermon.result_keys("elapsed")
