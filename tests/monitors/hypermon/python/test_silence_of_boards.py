# SPDX-License-Identifier: BSD-3-Clause
"""Memory does not grow during silence, whatever state boards and their reader keep."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.python.test_silence import COMPUTES, grows_by_little

pytestmark = [pytest.mark.worker, pytest.mark.usefixtures("worker")]

LOSES_ALL = {"faults.stuck_for_ms": 1e9, "faults.stuck_nodes": 1}  # no strobe of the node arrives
NEVER_READS = {"reader.kind": "group", "faults.reader_stops_at_ms": 1.0, "faults.reader_stops_for_ms": 1e9}


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("computes.c").write_text(COMPUTES)


@pytest.mark.parametrize(
    "settings",
    [LOSES_ALL, NEVER_READS, {"bursts.keep_series": True, "drain.keep_frames": True}],
    ids=["stuck", "unread", "files"],
)
def test_memory_does_not_grow_with_ticks(settings: dict[str, object]) -> None:
    grows_by_little({"monitor": "hypermon", **settings})
