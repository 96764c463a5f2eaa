# SPDX-License-Identifier: BSD-3-Clause
"""`hypermon import stream` sends events from a file through the hardware, without a program."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import csv, parquet

from hypermon import _core
from hypermon._engine import recorder
from hypermon._engine.recording import Recording
from hypermon._engine.replays import Outlet
from hypermon._engine.streams import events
from hypermon._engine.streams import run as streams
from hypermon._engine.streams.outlets import Outlets
from hypermon._engine.streams.rows import Rows, joined
from hypermon._model.schema import flat
from hypermon.errors import UserError
from hypermon.monitors.hypermon import replaying
from tests.monitors.hypermon.python.test_replay import BASE, EXAMPLES
from tests.python.little_place import SCENARIO

RANDOM = np.random.default_rng(1)
LOSING = (
    "ecb.frame_fifo_frames",
    "ecb.vector_fifo_full",
    "ecb.timestamp_policy",
    "ecb.timestamp_bits",
    "pbx.word_ns",
    "reader.stall_ns",
    "drain.destination",
    "faults.bit_error_probability",
    "faults.pbx_error_probability",
    "faults.reset_at_us",
)


def imported(path: Path, out: Path, **settings: Any) -> Recording:
    return recorder.record_spec(streams.resolve(path, settings), out)


def exported(source: Recording, path: Path) -> Path:
    """The recording as a plain stream: when each node begins to write, and the bytes."""
    costs, _ = _core.port_timing(source.spec.to_line())
    rows: dict[str, list[Any]] = {"when": [], "cpu": [], "payload": []}
    for b in source.batches():
        rows["when"] += (b.first_ps - np.array(costs)[b.node]).tolist()
        rows["cpu"] += b.node.tolist()
        nibbles = [b.data[begin:end] for begin, end in zip(b.offsets[:-1], b.offsets[1:], strict=True)]
        rows["payload"] += [(own[0::2] | own[1::2] << 4).tobytes() for own in nibbles]
    parquet.write_table(pa.table(rows), path, row_group_size=1000)
    return path


def without_causes(section: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in section.items() if key != "lost"}


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Recording:
    """A small Place on hardware that loses events."""
    return recorder.record(SCENARIO, settings=BASE, out=tmp_path_factory.mktemp("program") / "run")


@pytest.fixture(scope="module")
def stream(program: Recording, tmp_path_factory: pytest.TempPathFactory) -> Recording:
    """The same, exported and imported."""
    folder = tmp_path_factory.mktemp("stream")
    path = exported(program, folder / "place.parquet")
    columns = "time=when,node=cpu,bytes=payload"
    here = {"stream.time_unit": "ps", "stream.columns": columns} | {k: v for k, v in BASE.items() if "place" not in k}
    return imported(path, folder / "run", **here)


@pytest.mark.worker
class TestAProgramsRecordingAsAStream:
    def test_has_the_same_bursts(self, program: Recording, stream: Recording) -> None:
        for name in ("node", "first_ps", "spacing_ps", "data"):
            assert stream.to_arrow()[name].equals(program.to_arrow()[name])
        assert stream.result["stream"]["rows"] == stream.result["events"] == program.result["events"]
        assert stream.result["stream"]["delayed"] == 0

    def test_is_replayed_as_it_was_imported(self, stream: Recording) -> None:
        assert replaying.replay(stream).text == stream.result_text

    @pytest.mark.parametrize("path", LOSING)
    def test_loses_what_the_programs_events_lose(self, path: str, program: Recording, stream: Recording) -> None:
        """The same data are lost for the same causes. Whole events may differ: in a stream, those that the decoder
        cannot place count as delivered.
        """
        value, beside = EXAMPLES[path]
        settings = beside | {path: value}
        of_program, of_stream = (replaying.replay(source, settings) for source in (program, stream))
        for key in ("frames", "strobes", "aliasing", "discarded", "end_s", "first_overrun_s", "drain"):
            assert of_stream["monitor"][key] == of_program["monitor"][key]
        assert of_stream["logged_bytes"] == of_program["logged_bytes"]
        lost = {(e["stage"], e["cause"]): e for e in of_program["ledger"]["lost"]}
        not_placed = lost.pop(("decoder", "resync"))["events"]
        assert {(e["stage"], e["cause"]): e for e in of_stream["ledger"]["lost"]} == lost
        delivered = of_program["ledger"]["delivered"]
        assert of_stream["ledger"]["delivered"] == delivered | {"events": delivered["events"] + not_placed}
        if not not_placed:
            assert of_stream["timestamp_error_us"] == of_program["timestamp_error_us"]
        spec = replaying.resolve(stream, settings)
        counted = replaying.count(stream, [spec])[0]
        assert counted == {metric: flat(of_stream.to_dict())[metric] for metric in replaying.COUNTED}

    def test_without_losses_arrives_when_the_programs_events_do(self, program: Recording, stream: Recording) -> None:
        of_program, of_stream = (replaying.replay(source, {"pbx.word_ns": 100}) for source in (program, stream))
        for key in ("ledger", "latency_us", "timestamp_error_us", "rates"):
            assert without_causes(of_stream[key]) == without_causes(of_program[key])

    def test_with_words_of_several_data_loses_the_last_one(self, program: Recording, stream: Recording) -> None:
        settings = {"ecb.accumulate_bits": 32, "faults.drop_probability": 0.1, "pbx.word_ns": 100}
        lost = [replaying.replay(source, settings)["ledger"]["lost"] for source in (program, stream)]
        of_program, of_stream = ({(e["stage"], e["cause"]): e["nibbles"] for e in entries} for entries in lost)
        assert of_stream[("accumulator", "incomplete_word")] > 0
        assert of_stream == {place: n for place, n in of_program.items() if place != ("decoder", "resync")}

    @pytest.mark.parametrize(
        "setting",
        [
            {"drain.reduction": "statistics"},
            {"drain.destination": "host"},
            {"ecb.node_fifo_full": "stall"},
            {"faults.garbage_frames": 5},
            {"monitor": "software"},
        ],
    )
    def test_refuses_what_needs_a_decoder_or_a_machine(self, setting: dict[str, Any], stream: Recording) -> None:
        with pytest.raises(UserError, match=r"must be .* with workload = stream"):
            replaying.replay(stream, setting)

    def test_has_no_types_to_draw(self, stream: Recording) -> None:
        with pytest.raises(UserError, match="not decoded"):
            replaying.fates(stream, stream.spec)

    def test_is_not_replayed_with_other_ports(self, stream: Recording) -> None:
        with pytest.raises(UserError, match=r"port\.delay = 3: the data that the nodes write depend on it"):
            replaying.replay(stream, {"port.delay": 3})


@pytest.mark.worker
def test_an_event_waits_until_its_nodes_last_one_is_written(tmp_path: Path) -> None:
    path = tmp_path / "events.csv"
    path.write_text("time,node,bytes,note\n0.0,1,0x21,a\n1.0,1,0x43,b\n1,0,0x,c\n0.5,0,0x65,d\n")
    stream = imported(path, tmp_path / "run", nodes=2, **{"node.clock_drift_ppm": 0, "stream.time_unit": "us"})
    pitch = int(1e3 * (8850 + 20 * 864.5))  # ps; a byte is two data
    table = stream.to_arrow().to_pydict()
    assert table["node"] == [1, 0, 1]
    assert [ps - 8_850_000 for ps in table["first_ps"]] == [0, 500_000, 2 * pitch]
    assert table["data"] == [b"\1\2", b"\5\6", b"\3\4"]
    counts = stream.result["stream"]
    assert (counts["rows"], counts["without_data"], counts["reordered"], counts["delayed"]) == (4, 1, 1, 1)
    assert counts["max_delay_us"] == pytest.approx((2 * pitch - 1_000_000) * 1e-6)
    assert counts["ignored_columns"] == "note"
    assert stream.result["events"] == 3
    assert stream.result["event_bytes"] == 3
    # A third of the events is later than in the file; a warning says so wherever the recording or its result is
    # printed.
    warning = "delayed events: 1 of 3 waited until their node had written the previous one, by up to 51.28 us"
    assert stream.result["warnings"][0].startswith(warning)
    assert repr(stream).splitlines()[-1].startswith(f"warning: {warning}")
    assert repr(replaying.replay(stream)).splitlines()[-1].startswith(f"warning: {warning}")


@pytest.mark.worker
def test_few_delayed_events_are_no_warning(stream: Recording) -> None:
    assert "warnings" not in stream.result
    assert "warning" not in repr(stream)


@pytest.mark.worker
def test_a_stream_is_named_after_its_file(tmp_path: Path) -> None:
    import hypermon

    path = written(tmp_path / "trace.csv", [0, 1000], [0, 1], [1, 1])
    given: dict[str, Any] = {"workload": "stream", "stream": {"file": path}, "nodes": 2}
    assert hypermon.record(**given, out=tmp_path / "alone").spec.scenario == "stream/trace"
    assert hypermon.record("table2/place", **given, out=tmp_path / "over").spec.scenario == "stream/trace"


@pytest.mark.parametrize("chunk", [1, 7, 1000])
def test_ports_write_one_burst_after_the_other(chunk: int) -> None:
    n, nodes = 400, 5
    cost, pitch = RANDOM.integers(50, 60, nodes), RANDOM.integers(100, 120, nodes)
    count = RANDOM.integers(1, 5, n) * 2  # sizes of whole two-byte data
    rows = Rows(
        np.sort(RANDOM.integers(0, 50_000, n)),
        RANDOM.integers(0, nodes, n).astype(np.uint16),
        count,
        RANDOM.integers(0, 256, count.sum()).astype(np.uint8),
    )
    free, expected, delays = [0] * nodes, [], []
    for i in range(n):
        node = int(rows.node[i])
        start = max(int(rows.time_ps[i]), free[node])
        free[node] = start + int(count[i] // 2 * pitch[node])
        delays.append(start - int(rows.time_ps[i]))
        data = rows.data[rows.offsets[i] : rows.offsets[i + 1]].tobytes()
        expected.append((start + int(cost[node]), node, data))
    ports = Outlets(Outlet(8 * 2, cost, pitch, "", "", 4096))
    passed = [ports.pass_(part) for part in parts(rows, chunk)]
    rest = ports.rest()
    assert rest is not None
    got = joined([*passed, rest])
    bounds = got.offsets
    found = [(int(got.time_ps[i]), int(got.node[i]), got.data[bounds[i] : bounds[i + 1]].tobytes()) for i in range(n)]
    assert found == sorted(expected, key=lambda burst: burst[:2])
    assert ports.delayed == sum(delay > 0 for delay in delays)
    assert ports.max_delay_ps == max(delays)


def parts(rows: Rows, chunk: int) -> Iterator[Rows]:
    while len(rows):
        part, rows = rows.split(chunk)
        yield part


def written(path: Path, time: Any, node: Any, size: Any) -> Path:
    if path.suffix == ".csv":
        csv.write_csv(pa.table({"time": time, "node": node, "bytes": size}), path)
    elif path.suffix == ".parquet":
        parquet.write_table(pa.table({"time": time, "node": node, "bytes": size}), path, row_group_size=300)
    elif path.stem == "plain":
        np.save(path, np.stack([time, node, size], axis=1))
    else:
        array = np.empty(len(time), [("time", "<u8"), ("node", "u1"), ("bytes", "<i4")])
        array["time"], array["node"], array["bytes"] = time, node, size
        np.save(path, array)
    return path


@pytest.mark.worker
def test_every_kind_of_file_and_any_cut_gives_the_same_recording(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    n = 2000
    time = np.sort(RANDOM.integers(0, 40_000_000, n))
    time[100:200] = RANDOM.permutation(time[100:200])
    node, size = RANDOM.integers(0, 8, n), RANDOM.integers(1, 4, n)
    found = []
    for name in ("a.csv", "a.parquet", "a.npy", "plain.npy"):
        path = written(tmp_path / name, time, node, size)
        columns = {"stream.columns": "bytes=2"} if name == "plain.npy" else {}
        found.append(imported(path, tmp_path / "run", **columns))
    monkeypatch.setattr(events, "SORTED_ROWS", 150)
    monkeypatch.setattr("hypermon._engine.streams.event_files.ROWS", 97)
    found.append(imported(tmp_path / "a.npy", tmp_path / "cut"))
    for other in found[1:]:
        assert other.to_arrow().equals(found[0].to_arrow())
        assert other.result["fingerprint"] == found[0].result["fingerprint"]
        assert other.result["stream"]["reordered"] == np.count_nonzero(np.diff(time) < 0)


TWO = "time,node,datum\n1,0,1\n"
WRONG: Mapping[str, tuple[str, dict[str, Any], str]] = {
    "negative time": (TWO + "-5,0,1\n", {}, r"time = -5: must not be negative \(.*e.csv, line 3\)"),
    "no number": ("time,node,datum\n1.5,0,1\nnan,0,1\n", {}, r"time: is missing \(.*line 3\)"),
    "no node": (TWO + "2,8,1\n", {}, r"node = 8: must be an integer from 0 to 7; nodes = 8 \(.*line 3\)"),
    "too wide": (TWO + "2,1,16\n", {}, r"datum = 16: must be an integer from 0 to 15; port.width_bits = 4 \(.*line 3"),
    "too late": (TWO + "3000000000000000,1,1\n", {}, r"time = 3000000000000000: must be at most .* stream.begin"),
    "text": (TWO + "2,x,1\n", {}, r"node = x: must be a whole number \(.*line 3\)"),
    "no column": (TWO, {"stream.columns": "time=t"}, r"has no column t, but time, node, datum; --columns"),
    "no such name": (TWO, {"stream.columns": "tim=t"}, r"tim=t: must be NAME=COLUMN.*did you mean time"),
    "no payload": ("time,node\n1,0\n", {}, r"needs one column datum or bytes, has time, node"),
    "no events": ("time,node,datum\n", {}, r"holds no events"),
}


@pytest.mark.worker
@pytest.mark.parametrize("what", WRONG)
def test_what_is_wrong_with_a_file_is_said_with_its_row(what: str, tmp_path: Path) -> None:
    text, settings, message = WRONG[what]
    (tmp_path / "e.csv").write_text(text)
    with pytest.raises(UserError, match=message):
        imported(tmp_path / "e.csv", tmp_path / "run", **settings)
    assert [path.name for path in tmp_path.iterdir()] == ["e.csv"]


@pytest.mark.worker
def test_what_stands_too_late_to_be_sorted_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(events, "SORTED_ROWS", 10)
    monkeypatch.setattr("hypermon._engine.streams.event_files.ROWS", 10)
    times = [*range(100, 140), 101, 141]
    path = written(tmp_path / "e.npy", np.array(times), np.zeros(42, int), np.ones(42, int))
    with pytest.raises(UserError, match=r"time = 101: .* sort it by time \(.*e.npy, row 40\)"):
        imported(path, tmp_path / "run")


@pytest.mark.worker
def test_a_scenario_may_be_a_stream_and_be_swept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import hypermon

    monkeypatch.chdir(tmp_path)
    written(tmp_path / "e.csv", np.arange(500) * 1000, np.arange(500) % 8, np.ones(500, int))
    (tmp_path / "mine.yaml").write_text(
        "question: Is the frame FIFO deep enough?\n"
        f"set: {{workload: stream, stream.file: {tmp_path / 'e.csv'}, port.delay: 0}}\n"
    )
    swept = hypermon.sweep("mine.yaml", vary={"ecb.frame_fifo_frames": [4, 1024]}, out="swept")
    built = swept.to_pandas()["monitor.frames.built"]
    assert built[0] == built[1] > 0


def test_volume_is_that_of_a_naive_count() -> None:
    from hypermon._engine.streams.volume import BURST, INTERVAL_PS, Volume

    time = np.sort(RANDOM.integers(0, 200 * INTERVAL_PS, 900))
    time[500:] += 77 * INTERVAL_PS
    nibbles = RANDOM.integers(1, 30, 900)
    volume = Volume()
    for begin in range(0, 900, 41):
        volume.add(time[begin : begin + 41], nibbles[begin : begin + 41])
    series = np.bincount(time // INTERVAL_PS, nibbles)
    numbers = volume.to_json(1.0)
    assert numbers["bytes"] == nibbles.sum() // 2
    assert numbers["max_1ms_bytes_per_s"] == pytest.approx(series.max() / 2 / 1e-3)
    most = np.convolve(series, np.ones(BURST)).max()
    assert numbers["max_20ms_bytes_per_s"] == pytest.approx(most / 2 / 20e-3)
