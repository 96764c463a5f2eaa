# SPDX-License-Identifier: BSD-3-Clause
"""The command shown on a sweep's page repeats the sweep: it runs as printed, and gives the same bytes."""

from __future__ import annotations

import json
import re
import shlex
from html import unescape
from pathlib import Path
from typing import Any

import pytest

import hypermon as api
from hypermon import report
from hypermon._model import worker as workers
from hypermon.report.repeat import sweep_command
from tests.conftest import Hypermon

LITTLE = {"nodes": 2, "place.accepted": 20, "place.attempts": 100}
SWEEPS: dict[str, dict[str, Any]] = {
    "of other metrics, with a condition and seeds": {
        "vary": {"pbx.word_ns": [400, 800], "ecb.frame_fifo_frames": [16, 64]},
        "where": "ecb.frame_fifo_frames * pbx.word_ns < 50000",
        "repeats": [3],
        "metrics": ["monitor.frames.lost / monitor.frames.built", "latency_us.max"],
        "settings": {**LITTLE, "reader.stall_ns": 6_000_000},
        "presets": ["reader/prototype"],
    },
    "of what goes together, where a variant of the scenario sets at one point what was set for all": {
        "vary": {"nodes": [1, 2], "monitor": ["hypermon", "software"]},
        "zip": [("nodes", "monitor")],
        "metrics": ["elapsed_s"],
        "settings": {"place.accepted": 20, "place.attempts": 100},
        "platform": "ipsc2",
    },
}


@pytest.mark.worker
@pytest.mark.parametrize("name", SWEEPS)
def test_the_command_on_a_sweeps_page_gives_the_sweep_again(
    name: str,
    tmp_path: Path,
    hypermon: Hypermon,
    worker: Path,  # noqa: ARG001
) -> None:
    first = api.sweep("table2/place", **SWEEPS[name], out=tmp_path / "first")
    page = report.html(tmp_path / "first")
    text = re.search(r'<pre id="command"[^>]*>(.*?)</pre>', page)
    assert text is not None
    words = shlex.split(unescape(text[1]))
    assert words[:2] == ["hypermon", "sweep"]
    again = hypermon(*words[1:], "--yes", "-o", str(tmp_path / "again"))
    assert again.returncode == 0, again.stderr
    for file in ("results.parquet", "manifest.json"):
        assert (tmp_path / "again" / file).read_bytes() == (first.path / file).read_bytes()


@pytest.mark.worker
def test_what_a_command_line_cannot_say_has_no_command(worker: Path) -> None:  # noqa: ARG001
    schema = workers.schema()
    manifest: dict[str, Any] = {
        "asked": {"target": "table2/place", "set": {}, "presets": [], "platform": None},
        "space": {"vary": [{"program.arguments": ["1,2", "3"]}], "where": [], "repeats": None},
        "metrics": ["elapsed_s"],
    }
    assert sweep_command(manifest, schema) is None
    manifest["space"]["vary"][0]["program.arguments"] = ["1 2", "3"]
    assert sweep_command(manifest, schema) is not None
    manifest["asked"]["target"] = "no/such/scenario"
    assert sweep_command(json.loads(json.dumps(manifest)), schema) is None
