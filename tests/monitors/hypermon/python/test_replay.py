# SPDX-License-Identifier: BSD-3-Clause
"""For every parameter, a replay gives exactly the bytes of a co-simulation, or is refused."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from hypermon._engine import replays, runner
from hypermon._engine.recorder import record
from hypermon._engine.recording import FILE, ROWS_PER_BATCH, Recording
from hypermon._model import metrics, worker
from hypermon._model.schema import Parameter, Schema, flat
from hypermon._model.spec import LIMITS
from hypermon.errors import UserError
from hypermon.monitors.hypermon import replaying
from tests.python.little_place import LITTLE, SCENARIO

pytestmark = pytest.mark.worker

# Two boards of two inputs, and a bus that is too slow for the nodes' data: frames are lost, merged and late.
BASE: dict[str, Any] = {
    **LITTLE,
    "ecb.inputs": 2,
    "ecb.frame_fifo_frames": 8,
    "pbx.word_ns": 1500,
}

GROUP = {"reader.kind": "group"}
STALLS = GROUP | {"reader.stall_ns": 400_000, "reader.stall_every_frames": 50}
SLOW_BUILDER = {"ecb.builder_cycles": 400, "ecb.frame_fifo_frames": 64}
CFS = {"drain.destination": "cfs", "drain.memory_bytes": 16384}
STUCK = {"faults.stuck_for_ms": 40, "faults.stuck_at_ms": 10}

# For every parameter behind the ports: a value, and the other settings with which it has an effect.
EXAMPLES: Mapping[str, tuple[Any, dict[str, Any]]] = {
    "backplane.level": ("transactions", {}),
    "erb.propagation_ns": (370, {}),
    "erb.skew_ns": (300, {}),
    "erb.setup_ns": (200, {"erb.skew_ns": 300}),
    "erb.min_pulse_ns": (300, {"erb.narrowing_ns": 150}),
    "erb.narrowing_ns": (200, {"erb.min_pulse_ns": 300}),
    "erb.pulse_ns": (30_000, {}),
    "erb.seed": (5, {"erb.skew_ns": 300, "erb.setup_ns": 200}),
    "ecb.window_ns": (400, {}),
    "ecb.inputs": (4, {}),
    "ecb.node_fifo_entries": (1, SLOW_BUILDER),
    "ecb.vector_fifo_entries": (1, SLOW_BUILDER),
    "ecb.frame_fifo_frames": (2, {}),
    "ecb.builder_cycles": (40, {}),
    "ecb.accumulate_bits": (32, {}),
    "ecb.timestamp_policy": ("on_request", {}),
    "ecb.timestamp_bits": (9, {}),
    "ecb.wrap_frames": (True, {"ecb.timestamp_bits": 12}),
    "ecb.reset_skew_ns": (5000, {}),
    "ecb.node_fifo_full": ("drop", {}),
    "ecb.vector_fifo_full": ("drop_oldest", SLOW_BUILDER | {"ecb.vector_fifo_entries": 2}),
    "ecb.frame_fifo_full": ("drop_oldest", {"ecb.frame_fifo_frames": 2}),
    "ecb.level": ("transactions", {}),
    "ecb.module": ("", {}),
    "ecb.module_options": ("", {}),
    "ecb.rtl": ("", {}),
    "ecb.rtl_top": ("", {}),
    "ecb.rtl_parameters": ("", {}),
    "ecb.lockstep": ("none", {}),
    "ecb.lockstep_times": (True, {}),
    "pbx.level": ("transactions", {}),
    "pbx.word_ns": (2222, {}),
    "pbx.burst_start_ns": (700, {}),
    "pbx.register_read_ns": (1700, GROUP),
    "pbx.register_write_ns": (900_000, GROUP | {"faults.reset_at_us": 40_000}),
    "reader.kind": ("group", {"reader.frame_ns": 2000}),
    "reader.group_ns": (9000, GROUP),
    "reader.frame_ns": (3000, GROUP),
    "reader.stall_ns": (900_000, STALLS),
    "reader.stall_every_frames": (20, STALLS),
    "pbx.module": ("", {}),
    "dma.words": (0, {}),
    "dma.period_ns": (2000, {}),
    "dma.arbitration": ("drain_first", {}),
    "dma.seed": (2, {}),
    "drain.destination": ("memory", {"drain.memory_bytes": 16384}),
    "drain.memory_bytes": (20000, {"drain.destination": "memory"}),
    "drain.reduction": ("streams", {}),
    "drain.reduction_frame_us": (20, {"drain.reduction": "streams"}),
    "drain.streams_datum_us": (20, {"drain.reduction": "streams"}),
    "drain.statistics_datum_us": (20, {"drain.reduction": "statistics"}),
    "drain.statistics_period_ms": (100, {"drain.reduction": "statistics"}),
    "drain.cfs_block_bytes": (1024, CFS),
    "drain.cfs_scsi_mb_per_s": (0.3, CFS),
    "drain.cfs_disk_mb_per_s": (0.02, CFS),
    "drain.cfs_disks": (2, CFS | {"drain.cfs_disk_mb_per_s": 0.02}),
    "drain.cfs_interrupts_per_8k": (50, CFS),
    "drain.cfs_interrupt_us": (500, CFS),
    "drain.host_message_bytes": (8192, {}),
    "drain.host_send_us": (500, {}),
    "drain.keep_frames": (True, {}),
    "faults.seed": (7, {"faults.drop_probability": 0.05}),
    "faults.skew_ns": (500, {}),
    "faults.skew_first_node": (1, {"faults.skew_ns": 500}),
    "faults.skew_nodes": (3, {"faults.skew_ns": 500}),
    "faults.stuck_at_ms": (20, STUCK),
    "faults.stuck_for_ms": (60, STUCK),
    "faults.stuck_first_node": (2, STUCK),
    "faults.stuck_nodes": (2, STUCK),
    "faults.drop_probability": (0.1, {}),
    "faults.drop_first_node": (2, {"faults.drop_probability": 0.1}),
    "faults.drop_nodes": (1, {"faults.drop_probability": 0.1}),
    "faults.bit_error_probability": (0.02, {}),
    "faults.bit_error_first_node": (2, {"faults.bit_error_probability": 0.02}),
    "faults.bit_error_nodes": (1, {"faults.bit_error_probability": 0.02}),
    "faults.pbx_error_probability": (0.01, {}),
    "faults.reader_stops_at_ms": (30, {"faults.reader_stops_for_ms": 50}),
    "faults.reader_stops_for_ms": (50, {"faults.reader_stops_at_ms": 10}),
    "faults.garbage_frames": (5, {}),
    "faults.reset_at_us": (40_000, {}),
}
WITHOUT_EFFECT = {
    "ecb.node_fifo_full": "its other value feeds back to the nodes",
    "pbx.module": "no replay has modules of users",
    "ecb.module": "test_own_boards.py replays boards of users",
    "ecb.module_options": "test_own_boards.py replays boards of users",
    "ecb.rtl": "test_rtl_runs.py replays boards in Verilog",
    "ecb.rtl_top": "test_rtl_runs.py replays boards in Verilog",
    "ecb.rtl_parameters": "test_rtl_runs.py replays boards in Verilog",
    "ecb.lockstep": "test_lockstep.py replays boards of users beside the model",
    "ecb.lockstep_times": "test_lockstep.py replays boards of users beside the model",
    **dict.fromkeys(("ecb.level", "backplane.level", "pbx.level"), "no result depends on the level of detail"),
    **dict.fromkeys(
        (f"dma.{name}" for name in ("words", "period_ns", "arbitration", "seed")),
        "no replay has a second master",
    ),
    "drain.host_message_bytes": "its destination feeds back to the nodes",
    "drain.host_send_us": "its destination feeds back to the nodes",
    "drain.keep_frames": "only writes files",
}


@pytest.fixture(scope="module")
def schema() -> Schema:
    return worker.schema()


@pytest.fixture(scope="module")
def recording(tmp_path_factory: pytest.TempPathFactory) -> Recording:
    return record(SCENARIO, settings=BASE, out=tmp_path_factory.mktemp("recording") / "run")


def co_simulated(settings: Mapping[str, Any], out: Path) -> str:
    return runner.run(SCENARIO, settings=BASE | dict(settings), out=out).text


def without_spec(text: str) -> dict[str, Any]:
    result: dict[str, Any] = json.loads(text)
    del result["spec"]
    return result


def test_every_parameter_behind_the_ports_has_an_example(schema: Schema) -> None:
    behind = {p.path for p in schema.parameters.values() if p.behind_ports}
    assert set(EXAMPLES) == {path for path in behind if not path.startswith("funnel")}  # another monitor's


@pytest.mark.parametrize("path", EXAMPLES)
def test_with_other_hardware_a_replay_is_the_co_simulation(path: str, recording: Recording, tmp_path: Path) -> None:
    value, beside = EXAMPLES[path]
    replayed = replaying.replay(recording, beside | {path: value}, out=tmp_path / "replayed")
    assert replayed.text == co_simulated(beside | {path: value}, tmp_path / "run")
    for file in ("statistics.csv", "board0.hmf", "board1.hmf"):
        assert (tmp_path / "replayed" / file).exists() == (tmp_path / "run" / file).exists()
        if (tmp_path / "run" / file).exists():
            assert (tmp_path / "replayed" / file).read_bytes() == (tmp_path / "run" / file).read_bytes()
    counted = replaying.count(recording, [replaying.resolve(recording, beside | {path: value})])[0]
    of_replay = flat(replayed.to_dict())
    assert counted == {metric: of_replay[metric] for metric in replaying.COUNTED}
    changes = without_spec(replayed.text) != without_spec(replaying.replay(recording, beside).text)
    assert changes == (path not in WITHOUT_EFFECT)


def test_what_the_recorded_run_did_it_does_again(recording: Recording) -> None:
    assert replaying.replay(recording).text == recording.result_text


def test_silent_boards_tell_of_wraps_until_the_program_ends(tmp_path: Path) -> None:
    period_ps = 2**8 * 800_000
    settings = {"ecb.inputs": 1, "ecb.timestamp_bits": 8, "nodes": 4, "pingpong.repeats": 1}
    run = record("collection/pingpong", settings=settings, out=tmp_path / "run")
    wraps = settings | {"ecb.wrap_frames": True}
    co_simulation = runner.run("collection/pingpong", settings=wraps, out=tmp_path / "wraps")
    assert replaying.replay(run, wraps).text == co_simulation.text
    counted = replaying.count(run, [replaying.resolve(run, wraps)])[0]
    assert counted["monitor.frames.built"] == co_simulation["monitor"]["frames"]["built"]

    empty = 0  # derived from the nodes' writes
    for node in range(4):
        strobes: list[Any] = []
        for b in run.batches():
            for i in np.flatnonzero(b.node == node):
                strobes.append(b.first_ps[i] + b.spacing_ps[i] * np.arange(b.offsets[i + 1] - b.offsets[i]))
        times = np.concatenate(strobes)
        ends = np.arange(1, max(times[-1], run.program_end_ps) // period_ps + 1) * period_ps  # windows that wrap
        silent = ~np.isin(ends // 800_000 - 1, times // 800_000)
        empty += int(np.sum(silent & ((ends <= run.program_end_ps) | (ends <= times[-1]))))
    assert empty > 1000
    assert co_simulation["monitor"]["frames"]["built"] == run.result["monitor"]["frames"]["built"] + empty


def test_a_board_of_its_own_is_replayed(recording: Recording, tmp_path: Path) -> None:
    settings = {"ecb[1].window_ns": 1600, "ecb[1].frame_fifo_frames": 3}
    assert replaying.replay(recording, settings).text == co_simulated(settings, tmp_path / "run")


@pytest.mark.parametrize("width", [8, 16, 32])
def test_wide_ports_are_replayed(width: int, tmp_path: Path) -> None:
    base = BASE | {"port.width_bits": width}
    wide = record(SCENARIO, settings=base, out=tmp_path / "wide")
    other = {"pbx.word_ns": 4000, "ecb.window_ns": 1600}
    assert replaying.replay(wide, other).text == co_simulated(base | other, tmp_path / "run")


@pytest.mark.parametrize("path", ["life.size", "software.buffer_bytes", "simplex.problems"])
def test_what_does_not_run_does_not_matter(path: str, recording: Recording, schema: Schema, tmp_path: Path) -> None:
    settings = {path: other_value(schema.parameters[path])}
    assert replaying.replay(recording, settings).text == co_simulated(settings, tmp_path / "run")


def test_what_the_machine_tells_of_itself_is_carried_over(tmp_path: Path) -> None:
    """Network, servers and MPI-IO: no parameter behind the ports changes their results."""
    of_files = record("piosim/collective", settings={"monitor": "hypermon"}, out=tmp_path / "run")
    assert {"piosim", "mpiio"} <= set(of_files.result)
    assert replaying.replay(of_files).text == of_files.result_text


def test_counts_suffice_for_what_sweeps_keep_by_default(recording: Recording) -> None:
    """Holds with any set of monitors: a column that needs whole results would make every sweep's replays slow."""
    assert metrics.countable(metrics.default(), replays.counted([recording.spec]))


def other_value(parameter: Parameter) -> Any:
    """A value that differs from the base's."""
    now = BASE.get(parameter.path, parameter.default)
    if parameter.type == "bool":
        return not now
    if parameter.type == "string" and not parameter.choices:
        return "mpi" if parameter.kind == "catalogue" else __file__
    if parameter.type == "string":  # "xml" needs a file
        return next(choice for choice in reversed(parameter.choices) if choice not in (now, "xml"))
    low, high = parameter.min or 0, parameter.max or 0
    wanted = float(now) * 2 if float(now) * 2 <= high and now else (low if low != now else high)
    return int(wanted) if parameter.type == "int" else wanted


def test_a_parameter_before_the_ports_refuses_a_replay(recording: Recording, schema: Schema) -> None:
    before = replaying.emission_parameters(recording.spec)
    running = {p.path for p in schema.parameters.values() if not p.behind_ports and not p.path.startswith(LIMITS)}
    others_monitors = {
        *("software", "hpvm", "cristian", "scms", "scms_client", "scms_plugins", "pcp", "hdtrace", "power"),
        *("tau", "tau_control", "tau_nfs", "tau_files", "ktau", "supermon", "supermon_client", "monhole", "stimulus"),
        *("funnel", "funnel_source", "funnel_protocol", "funnel_link", "funnel_formatter", "funnel_sink"),
    }
    absent = {*schema.parameter("workload", "").choices, *others_monitors} - {recording.spec.values["workload"]}
    others = {path for path in running if path.split(".")[0] in absent}
    assert set(before) == running - others
    for path in before:
        value = other_value(schema.parameters[path])
        with pytest.raises(UserError) as refused:
            replaying.replay(recording, {path: value})
        assert str(refused.value).startswith(path) or "go" in str(refused.value) or path == "nodes", path


@pytest.mark.parametrize("acting_back", [{"ecb.node_fifo_full": "stall"}, {"drain.destination": "host"}])
def test_hardware_that_acts_back_is_neither_recorded_nor_replayed(
    acting_back: dict[str, Any], recording: Recording, tmp_path: Path
) -> None:
    with pytest.raises(UserError, match="feed back"):
        record(SCENARIO, settings=BASE | acting_back, out=tmp_path / "run")
    assert not (tmp_path / "run").exists()
    with pytest.raises(UserError, match="feed back"):
        replaying.replay(recording, acting_back)


def test_another_monitor_is_not_recorded(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="monitor = software"):
        record(SCENARIO, settings=BASE | {"monitor": "software"}, out=tmp_path / "run")


def test_rows_are_in_order_and_hold_every_datum(recording: Recording) -> None:
    batches = list(recording.batches())
    order = [(int(t), int(n)) for b in batches for t, n in zip(b.first_ps, b.node, strict=True)]
    assert order == sorted(order)
    assert sum(int(b.offsets[-1]) for b in batches) == recording.result["ledger"]["generated"]["nibbles"]
    assert len(recording) == recording.result["events"]
    assert all(len(b) <= ROWS_PER_BATCH for b in batches)
    assert recording.to_pandas()["data"].map(len).sum() == recording.result["ledger"]["generated"]["nibbles"]


def test_the_same_run_gives_the_same_recording(recording: Recording, tmp_path: Path) -> None:
    again = record(SCENARIO, settings=BASE, out=tmp_path / "again")
    assert again.path.read_bytes() == recording.path.read_bytes()


def test_a_truncated_recording_says_so(recording: Recording, tmp_path: Path) -> None:
    whole = recording.path.read_bytes()
    for size in (0, 5, 1000, len(whole) // 2, len(whole) - 1):
        (tmp_path / FILE).write_bytes(whole[:size])
        with pytest.raises(UserError, match="truncated"):
            Recording(tmp_path)


def test_other_files_are_no_recordings(recording: Recording, tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"nowhere.*No such file"):
        Recording(tmp_path / "nowhere")
    with pytest.raises(UserError, match="hypermon record"):
        Recording(tmp_path)
    for metadata, message in (
        ({}, "no recording of hypermon"),
        ({"hypermon.recording": "99"}, "format 99"),
    ):
        file = tmp_path / "other.arrow"
        table = recording.to_arrow().replace_schema_metadata(metadata)
        with pa.ipc.new_file(str(file), table.schema) as writer:
            writer.write_table(table)
        with pytest.raises(UserError, match=message):
            Recording(file)


def test_many_designs_at_once_count_what_each_does_alone(recording: Recording) -> None:
    specs = [
        replaying.resolve(recording, {"ecb.window_ns": window, "ecb.frame_fifo_frames": depth, "pbx.word_ns": word})
        for window in (200, 800, 1600)
        for depth in (1, 5, 300)
        for word in (222, 1500, 4000)
    ]
    together = replaying.count(recording, specs)
    for spec, row in zip(specs, together, strict=True):
        full = flat(replaying.replay_spec(recording, spec).to_dict())
        assert row == {metric: full[metric] for metric in replaying.COUNTED}


def test_the_frontier_is_the_least_depth_that_loses_nothing(recording: Recording) -> None:
    points = replaying.frontier(recording, [500, 800, 1500, 4000])
    assert (points["least_depth"] <= points["bound"]).all()
    assert (np.diff(points["least_depth"]) >= 0).all()
    for word, depth in zip(points["word_ns"].tolist(), points["least_depth"].tolist(), strict=True):
        lost = [
            replaying.replay(recording, {"pbx.word_ns": word, "ecb.frame_fifo_frames": d})["monitor"]["frames"]["lost"]
            for d in (depth, depth - 1)
            if d > 0
        ]
        assert lost[0] == 0
        assert all(less > 0 for less in lost[1:])


def test_the_time_line_adds_up_to_the_counts(recording: Recording) -> None:
    result = replaying.replay(recording, {"pbx.word_ns": 4000})
    frames = result["monitor"]["frames"]
    line = replaying.timeline(recording, replaying.resolve(recording, {"pbx.word_ns": 4000}), intervals=50)
    assert len(line["begin_s"]) >= 50  # the last frames are read after the end
    assert line["built"].sum() == frames["built"]
    assert line["lost"].sum() == frames["lost"] > 0
    assert line["lost_data"].sum() == result["ledger"]["lost_total"]["nibbles"]
    assert line["peak"].max() == frames["peak_occupancy"] == line["histogram"]["frames"][-1]
    assert line["histogram"]["share_of_time"].sum() == pytest.approx(1)
    assert (line["least"] <= line["peak"]).all()
    at = int(line["peak_s"] / line["interval_s"])
    assert line["peak"][:at].max(initial=0) < line["peak"][at] == frames["peak_occupancy"]


@pytest.mark.parametrize("design", [{}, {"reader.kind": "group"} | STALLS, {"ecb.frame_fifo_full": "drop_oldest"}])
def test_the_time_line_without_a_histogram_has_the_same_intervals(
    recording: Recording, design: dict[str, object]
) -> None:
    for settings in (design, design | {"pbx.word_ns": 4000}):
        spec = replaying.resolve(recording, settings)
        whole = replaying.timeline(recording, spec, intervals=333)
        short = replaying.timeline(recording, spec, intervals=333, histogram=False)
        assert whole.keys() - short.keys() == {"peak_s", "histogram"}
        for name, values in short.items():
            assert np.array_equal(values, whole[name]), name
    assert whole["lost_data"].sum() > 0


def test_what_cannot_be_followed_apart_is_said(recording: Recording) -> None:
    spec = replaying.resolve(recording, {"faults.drop_probability": 0.1})
    with pytest.raises(UserError, match="hypermon replay"):
        replaying.timeline(recording, spec)
    with pytest.raises(UserError, match="hypermon replay"):
        replaying.frontier(recording, [800], spec)
    with pytest.raises(UserError, match="the reader be ideal"):
        replaying.frontier(recording, [800], replaying.resolve(recording, {"reader.kind": "group"} | STALLS))


def test_a_result_opens_as_pandas_xarray_and_arrow(recording: Recording) -> None:
    result = replaying.replay(recording)
    series = result.to_pandas()
    assert series["ledger.generated.nibbles"] == result["ledger"]["generated"]["nibbles"]
    assert series["spec.place.attempts"] == BASE["place.attempts"]
    assert result.to_arrow().to_pylist()[0]["monitor.frames.built"] == result["monitor"]["frames"]["built"]
    data = result.to_xarray()
    assert data["ranks.events"].sel(rank=2) == result["ranks"][2]["events"]
    assert data["rates.frames"].sum() == pytest.approx(sum(result["rates"]["frames"]))
    assert data["latency_us.distribution.events"].sum() == result["ledger"]["delivered"]["events"]
    assert data["upper_us"][-1] == data["latency_us.max"]
    assert data["elapsed_s"] == result["elapsed_s"]
    units = {name: data[name].attrs["units"] for name in data}
    assert (units["elapsed_s"], units["ranks.events"], units["rates.frames"]) == ("s", "events", "frames")
    assert (units["ledger.lost_total.nibbles"], units["ledger.lost_total.events"]) == ("nibbles", "events")
    assert data["interval_s"].attrs["units"] == "s"
    assert all(data[name].attrs["description"] for name in data)
    assert data.attrs["place.attempts"] == BASE["place.attempts"]
