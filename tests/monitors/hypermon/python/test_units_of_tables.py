# SPDX-License-Identifier: BSD-3-Clause
"""Tables of recordings name their units."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import hypermon


@pytest.mark.worker
@pytest.mark.usefixtures("worker")
def test_tables_say_their_units(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    little: Any = {"nodes": 2, "matmul": {"size": 16}}
    recording = hypermon.record("table2/matmul", **little)
    truth = hypermon.truth(recording)
    for table in (truth.events, truth.messages, truth.spurious, truth.summary(), truth.violations()):
        units = table.attrs["units"]
        assert list(units) == list(table.columns)
        assert all(
            unit == ("ps" if name.endswith("_ps") else "us" if name.endswith("_us") else "")
            for name, unit in units.items()
        )
    frontier = hypermon.frontier(recording, "500,1000")
    assert frontier.attrs["units"] == {
        "word_ns": "ns", "bandwidth_bytes_per_s": "B/s", "least_depth": "frames", "bound": "frames",
        "frames_per_s": "frames/s", "capacity_frames_per_s": "frames/s", "load": "", "lasts": "",
            "reader_depth": "frames",
    }  # fmt: skip
    assert list(frontier.columns) == list(frontier.attrs["units"])
    result = hypermon.run("table2/matmul", out="run", **little)
    units = result.to_pandas().attrs["units"]
    assert list(units) == list(result.to_pandas().index)
    assert (units["elapsed_s"], units["spec.node.tick_ms"], units["ledger.lost_total.nibbles"]) == (
        "s",
        "ms",
        "nibbles",
    )
    arrow = result.to_arrow().schema
    assert {name: arrow.field(name).metadata[b"unit"].decode() for name in arrow.names} == units
    assert all(arrow.field(name).metadata[b"description"] for name in arrow.names)
    sized = hypermon.size(recording, vary={"ecb.window_ns": [800, 400]}, targets={"latency_p99": "1s"}).to_pandas()
    assert sized.attrs["units"] == {
        "ecb.window_ns": "ns", "seed": "", "loss": "", "data_lost": "", "events_lost": "", "latency_p99": "us", "load": ""
    }  # fmt: skip
    sweep = hypermon.sweep("table2/matmul", vary={"pbx.word_ns": "500,1000"}, metrics=["elapsed_s"], **little)
    assert sweep.to_pandas().attrs["units"] == {name: c["unit"] for name, c in sweep.manifest["columns"].items()}
    fields = sweep.to_arrow().schema
    assert fields.field("pbx.word_ns").metadata[b"unit"] == b"ns"
    assert {name: of.attrs["units"] for name, of in sweep.to_xarray().variables.items()} == {
        "pbx.word_ns": "ns", "status": "", "elapsed_s": "s",
    }  # fmt: skip
