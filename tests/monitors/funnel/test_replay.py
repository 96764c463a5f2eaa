# SPDX-License-Identifier: BSD-3-Clause
"""Replays, streams, sweeps and sizes from recordings of the trace funnel must equal co-simulations."""

from __future__ import annotations

import os
import random
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from pyarrow import parquet

import hypermon
from hypermon import UserError
from hypermon._engine import recorder, replaying
from hypermon._engine.recording import Recording
from hypermon._engine.streams import run as streams
from hypermon._model.spec import Spec
from tests.monitors.funnel.drawing import random_hardware
from tests.monitors.funnel.little import LITTLE, NARROW, SCENARIO, STORE_NS

pytestmark = [pytest.mark.worker, pytest.mark.usefixtures("worker")]
CASES = int(os.environ.get("HYPERMON_TEST_CASES", "6"))
DEPTH = "funnel_source.fifo_bytes"


@pytest.fixture(scope="module")
def recording(tmp_path_factory: pytest.TempPathFactory) -> Recording:
    return recorder.record(SCENARIO, settings=LITTLE | NARROW, out=tmp_path_factory.mktemp("recorded") / "run")


def co_simulated(spec: Spec, out: Path) -> str:
    from hypermon._engine import runner

    return runner.simulate(spec, out).text


def test_a_replay_is_the_run(recording: Recording) -> None:
    assert replaying.replay(recording).text == recording.result_text


def test_a_replay_on_other_hardware_is_a_run_on_it(recording: Recording, tmp_path: Path) -> None:
    for case in range(CASES):
        other = random_hardware(random.Random(case), recording.spec)
        replayed = replaying.replay_spec(recording, other).text
        assert replayed == co_simulated(other, tmp_path / f"{case}"), f"random_hardware(random.Random({case}))"


def test_how_a_replay_is_cut_is_in_no_result(recording: Recording, tmp_path: Path) -> None:
    from hypermon import _core

    for case in range(CASES):
        other = random_hardware(random.Random(1000 + case), recording.spec)
        whole = replaying.replay_spec(recording, other).text
        run = _core.Replay(other.to_json(), str(tmp_path), cut=case)
        assert replaying._feed(run, recording, other) == whole


def test_what_nodes_store_depends_on_the_trace_port_alone(recording: Recording) -> None:
    own = {path for path in replaying.emission_parameters(recording.spec) if path.startswith(("stimulus", "funnel"))}
    assert own == {"stimulus.store_ns", "stimulus.store_bytes"}
    with pytest.raises(UserError, match=r"^stimulus\.store_ns = 80\.0: the data that the nodes write depend on it"):
        replaying.replay(recording, {"stimulus.store_ns": 80.0})


def test_sources_that_hold_are_neither_recorded_nor_replayed(recording: Recording, tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"funnel_source\.full = stall feed back"):
        recorder.record(SCENARIO, settings=LITTLE | {"funnel_source.full": "stall"}, out=tmp_path / "run")
    with pytest.raises(UserError, match="feed back"):
        replaying.replay(recording, {"funnel_source[1].full": "stall"})


def as_stream(recording: Recording, path: Path) -> Path:
    """The recording as a stream: when each node begins to store, and its bytes."""
    rows = recording.to_pandas()
    table = {"time": rows["first_ps"] - STORE_NS * 1000, "node": rows["node"], "bytes": rows["data"]}
    parquet.write_table(pa.table({name: pa.array(column) for name, column in table.items()}), path)
    return path


def test_a_stream_of_what_nodes_stored_meets_the_same_hardware(recording: Recording, tmp_path: Path) -> None:
    file = as_stream(recording, tmp_path / "events.parquet")
    settings: dict[str, Any] = {
        path: value for path, value in recording.spec.values.items() if path.startswith("funnel")
    }
    settings |= {"monitor": "funnel", "nodes": 4, "node.clock_drift_ppm": 0, "stream.time_unit": "ps"}
    stream = recorder.record_spec(streams.resolve(file, settings), tmp_path / "stream")
    assert stream.result["ledger"] == recording.result["ledger"]
    for key in ("logged_bytes", "latency_us", "timestamp_error_us"):
        assert stream.result[key] == recording.result[key], key
    late = stream.result["monitor"].pop("late_events"), recording.result["monitor"]["late_events"]
    assert late[0] >= late[1], "a stream ends with its last event, a program later"
    own = {key: value for key, value in recording.result["monitor"].items() if key != "late_events"}
    assert stream.result["monitor"] == own
    assert replaying.replay(stream).text == Recording(tmp_path / "stream").result_text


def test_a_stream_s_events_fit_into_every_source(tmp_path: Path) -> None:
    file = tmp_path / "events.csv"
    file.write_text("time,node,bytes\n0,0,5000\n")
    spec = streams.resolve(file, {"monitor": "funnel", "nodes": 2})
    with pytest.raises(UserError, match=r"bytes = 5000: must be an integer from 0 to \d+; funnel_source\.fifo_bytes"):
        recorder.record_spec(spec, tmp_path / "run")
    with pytest.raises(UserError, match=r"funnel_source\.full = stall: must be drop with workload = stream"):
        recorder.record_spec(
            streams.resolve(file, {"monitor": "funnel", "funnel_source.full": "stall"}), tmp_path / "run"
        )


def test_sweeps_of_what_is_behind_the_stores_are_replays_and_are_right(tmp_path: Path) -> None:
    metrics = ["ledger.lost_total.events", "latency_us.p99", "monitor.sink.peak_bytes"]
    found = hypermon.sweep(
        SCENARIO,
        vary={DEPTH: [64, 256], "funnel_link.hold": [1, 4]},
        settings=LITTLE | NARROW,
        metrics=metrics,
        out=tmp_path / "sweep",
        progress=lambda *_: None,
    )
    rows = found.to_pandas()
    assert set(rows["how"]) == {"replay"}
    one = rows[(rows[DEPTH] == 256) & (rows["funnel_link.hold"] == 1)].iloc[0]
    alone = hypermon.run(
        SCENARIO, settings=LITTLE | NARROW | {DEPTH: 256, "funnel_link.hold": 1}, out=tmp_path / "alone"
    )
    assert one["ledger.lost_total.events"] == alone["ledger"]["lost_total"]["events"]
    assert one["latency_us.p99"] == alone["latency_us"]["p99"]
    assert one["monitor.sink.peak_bytes"] == alone["monitor"]["sink"]["peak_bytes"]


def test_size_finds_the_least_fifo_without_loss(recording: Recording) -> None:
    found = hypermon.size(recording, vary=DEPTH)
    assert found.reached
    depth = int(found.settings[DEPTH])

    def lost(fifo_bytes: int) -> int:
        result = replaying.replay(recording, {DEPTH: fifo_bytes})
        return int(result["ledger"]["lost_total"]["events"])

    assert lost(depth) == 0
    assert lost(depth - 1) > 0
