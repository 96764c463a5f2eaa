# SPDX-License-Identifier: BSD-3-Clause
"""Time lines for Perfetto, decoded with the classes of the `perfetto` package."""

from __future__ import annotations

import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from hypermon import timelines
from hypermon._engine import recorder, replays
from hypermon._engine.recording import Recording
from hypermon.errors import UserError
from hypermon.timelines import Truth, Window, perfetto
from hypermon.timelines.states import Bracket, Edge, clipped, edges
from tests.conftest import Hypermon
from tests.python.little_place import LITTLE, SCENARIO

LOSSY = {"pbx.word_ns": 4000, "ecb.frame_fifo_frames": 8}


class Decoded:
    """The file as a viewer understands it: by (node's track, its child), in the order of the file."""

    def __init__(self, path: Path) -> None:
        protocol = pytest.importorskip("perfetto.protos.perfetto.trace.perfetto_trace_pb2")
        trace = protocol.Trace.FromString(path.read_bytes())
        names: dict[int, tuple[str, str]] = {}
        kinds = protocol.TrackEvent
        self.slices: defaultdict[tuple[str, str], list[tuple[str, int, int, int]]] = defaultdict(list)
        """name, begin, end (ns), depth"""
        self.instants: defaultdict[tuple[str, str], list[tuple[int, str, dict[str, Any]]]] = defaultdict(list)
        self.counters: defaultdict[tuple[str, str], list[tuple[int, int]]] = defaultdict(list)
        self.flows: defaultdict[int, list[tuple[str, str, int, str]]] = defaultdict(list)
        """per flow: end (out or in), track's parent, time (ns), slice's name"""
        open_: defaultdict[tuple[str, str], list[tuple[str, int]]] = defaultdict(list)
        for packet in trace.packet:
            assert packet.trusted_packet_sequence_id
            if packet.HasField("track_descriptor"):
                track = packet.track_descriptor
                parent = names[track.parent_uuid][1] if track.parent_uuid else ""
                assert track.uuid not in names
                names[track.uuid] = (parent, track.name)
            if not packet.HasField("track_event"):
                continue
            event, ns = packet.track_event, packet.timestamp
            place = names[event.track_uuid]
            if event.type == kinds.TYPE_SLICE_BEGIN:
                assert not open_[place] or ns >= open_[place][-1][1]
                open_[place].append((event.name, ns))
                for flow in event.flow_ids:
                    self.flows[flow].append(("out", place[0], ns, event.name))
                for flow in event.terminating_flow_ids:
                    self.flows[flow].append(("in", place[0], ns, event.name))
            elif event.type == kinds.TYPE_SLICE_END:
                name, begin = open_[place].pop()
                assert ns >= begin
                self.slices[place].append((name, begin, ns, len(open_[place])))
            elif event.type == kinds.TYPE_INSTANT:
                notes = {a.name: a.string_value or a.int_value for a in event.debug_annotations}
                self.instants[place].append((ns, event.name, notes))
            else:
                assert event.type == kinds.TYPE_COUNTER
                self.counters[place].append((ns, event.counter_value))
        assert not any(open_.values())

    def all_instants(self, track: str) -> Iterator[tuple[int, str, dict[str, Any]]]:
        for (_, name), instants in self.instants.items():
            if name == track:
                yield from instants


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Recording:
    return recorder.record(SCENARIO, settings=LITTLE, out=tmp_path_factory.mktemp("recording") / "run")


@pytest.fixture(scope="module", params=[{}, LOSSY], ids=["lossless", "lossy"])
def truth(request: pytest.FixtureRequest, recorded: Recording) -> Truth:
    return timelines.truth(recorded, request.param)


@pytest.fixture(scope="module")
def decoded(truth: Truth, tmp_path_factory: pytest.TempPathFactory) -> Decoded:
    out = tmp_path_factory.mktemp("perfetto") / "all.pftrace"
    timelines.write(truth, out)
    return Decoded(out)


@pytest.mark.worker
def test_counts_are_those_of_the_ledger(truth: Truth, decoded: Decoded) -> None:
    ledger = truth.result["ledger"]
    bursts = [s for (_, track), slices in decoded.slices.items() if track == "events" for s in slices]
    assert len(bursts) == ledger["generated"]["events"]
    assert len(list(decoded.all_instants("events as decoded"))) == ledger["delivered"]["events"]
    lost = Counter(name for _, name, _ in decoded.all_instants("losses"))
    assert lost == {f"{at['stage']}: {at['cause']}": at["events"] for at in ledger["lost"] if at["events"]}
    frames = truth.result["monitor"]["frames"]
    assert decoded.counters["board 0", "frames built"][-1][1] == frames["built"]
    assert decoded.counters["board 0", "frames lost"][-1][1] == frames["lost"]
    assert max(level for _, level in decoded.counters["board 0", "most frames in the FIFO"]) == frames["peak_occupancy"]


@pytest.mark.worker
def test_counters_say_at_every_time_what_was_so_until_then(truth: Truth, decoded: Decoded) -> None:
    """Counts by another method: in a time line with so many intervals that every sample is at an interval's end."""
    line = replays.by(truth.recording).timeline(truth.recording, truth.spec, perfetto.INTERVALS)
    ns = round(line["interval_s"] * 1e9)
    for name in ("built", "lost"):
        counter = decoded.counters["board 0", f"frames {name}"]
        assert counter[0] == (0, 0)  # counters begin at zero
        for at, value in counter:
            assert at % ns == 0
            assert value == line[name][: at // ns].sum()
    most, fewest = (dict(decoded.counters["board 0", f"{which} frames in the FIFO"]) for which in ("most", "fewest"))
    held: dict[str, int | None] = {}
    for i in range(len(line["peak"])):
        held = {"most": most.get(i * ns, held.get("most")), "fewest": fewest.get(i * ns, held.get("fewest"))}
        assert held == {"most": line["peak"][i], "fewest": line["least"][i]}
    assert (line["least"] < line["peak"]).any()


@pytest.mark.worker
def test_times_of_bursts_and_decoded_events_are_those_of_the_table(truth: Truth, decoded: Decoded) -> None:
    for node in range(truth.recording.nodes):
        events = truth.events[truth.events["node"] == node]
        bursts = decoded.slices[f"rank {node} on node {node}", "events"]
        assert [name for name, *_ in bursts] == list(events["type"])
        assert [begin for _, begin, _, _ in bursts] == (events["emitted_ps"] // 1000).tolist()
        assert [end for _, _, end, _ in bursts] == (events["done_ps"] // 1000).tolist()
        assert all(depth == 0 for *_, depth in bursts)
        seen = events[events["monitor_ps"].notna()]
        instants = decoded.instants[f"rank {node} on node {node}", "events as decoded"]
        assert [ns for ns, _, _ in instants] == (seen["monitor_ps"] // 1000).tolist()
        assert [notes["error_ps"] for _, _, notes in instants] == seen["error_ps"].tolist()


@pytest.mark.worker
def test_every_flow_is_one_message_from_its_sending_to_its_receipt(truth: Truth, decoded: Decoded) -> None:
    messages = truth.messages.set_index("message").to_dict("index")
    assert set(decoded.flows) == set(messages)
    for message, ends in decoded.flows.items():
        (out, sender, _, sending), (into, receiver, _, receipt) = sorted(ends, reverse=True)
        assert (out, into) == ("out", "in")
        assert sender == "rank {0} on node {0}".format(messages[message]["sender"])
        assert receiver == "rank {0} on node {0}".format(messages[message]["receiver"])
        assert sending == "send_start"
        assert receipt in ("message_arrived", "data_done")


@pytest.mark.worker
def test_a_rank_is_in_a_call_from_its_entry_to_its_exit_and_computes_between_calls(
    truth: Truth, decoded: Decoded
) -> None:
    for node in range(truth.recording.nodes):
        events = truth.events[truth.events["node"] == node]
        states = decoded.slices[f"rank {node} on node {node}", "program"]
        calls = [(begin, end) for name, begin, end, depth in states if depth == 1 and name != "computing"]
        entries = events[events["type"] == "syscall_entry"]["emitted_ps"] // 1000
        exits = events[events["type"] == "syscall_exit"]["done_ps"] // 1000
        assert calls == list(zip(entries, exits, strict=True))
        blocked = [(begin, end) for name, begin, end, depth in states if name == "blocked" and depth == 2]
        out = events[events["type"] == "switch_out"]["emitted_ps"] // 1000
        into = events[events["type"] == "switch_in"]["done_ps"] // 1000
        assert blocked == list(zip(out, into, strict=True))
        assert {depth for *_, depth in states} == {0, 1, 2}
        (program,) = [(begin, end) for name, begin, end, depth in states if depth == 0]
        assert program == (events["emitted_ps"].iloc[0] // 1000, events["done_ps"].iloc[-1] // 1000)
        inner = sorted((begin, end) for _, begin, end, depth in states if depth == 1)
        assert all(a[1] == b[0] for a, b in pairwise(inner))  # without a gap


@pytest.mark.worker
def test_what_the_monitor_decoded_shows_the_same_states_if_nothing_is_lost(truth: Truth, decoded: Decoded) -> None:
    lossless = truth.result["ledger"]["lost_total"]["events"] == 0
    for node in range(truth.recording.nodes):
        real = [(name, depth) for name, _, _, depth in decoded.slices[f"rank {node} on node {node}", "program"]]
        seen = [
            (name, depth) for name, _, _, depth in decoded.slices[f"rank {node} on node {node}", "program as decoded"]
        ]
        assert (real == seen) == lossless
        if not lossless:
            continue
        events = truth.events[truth.events["node"] == node]
        entries, exits = (
            events.loc[events["type"] == type_, "monitor_ps"].to_numpy(np.int64) // 1000
            for type_ in ("syscall_entry", "syscall_exit")
        )
        slices = decoded.slices[f"rank {node} on node {node}", "program as decoded"]
        calls = [(begin, end) for name, begin, end, depth in slices if depth == 1 and name != "computing"]
        assert calls == list(zip(entries, exits, strict=True))


@pytest.mark.worker
def test_a_window_has_what_lies_in_it(truth: Truth, decoded: Decoded, tmp_path: Path) -> None:
    middle = int(truth.events["true_ps"].median())
    window = Window(middle - 20_000_000_000, middle + 20_000_000_000)
    timelines.write(truth, tmp_path / "part.pftrace", window=window)
    part = Decoded(tmp_path / "part.pftrace")
    begin_ns, end_ns = window.begin_ps // 1000, window.end_ps // 1000
    shown = truth.within(window)
    assert 0 < len(shown) < len(truth.events)
    assert sum(len(s) for (_, track), s in part.slices.items() if track == "events") == len(shown)
    for slices in part.slices.values():
        assert all(begin_ns <= begin <= end <= end_ns for _, begin, end, _ in slices)
    stamps = truth.events["monitor_ps"].dropna()
    inside = ((stamps >= window.begin_ps) & (stamps < window.end_ps)).sum()
    assert len(list(part.all_instants("events as decoded"))) == inside
    assert all(len(ends) == 2 for ends in part.flows.values())
    built = part.counters["board 0", "frames built"]
    assert built[0][0] == begin_ns  # the value at the begin is in the file
    for ns, value in built:  # between the neighbouring samples of the complete time line, which has longer intervals
        before = [v for at, v in decoded.counters["board 0", "frames built"] if at <= ns][-1]
        after = [v for at, v in decoded.counters["board 0", "frames built"] if at >= ns]
        assert before <= value <= (after or [truth.result["monitor"]["frames"]["built"]])[0]
    for node in range(truth.recording.nodes):  # the program is running at both ends
        program = [s[1:3] for s in part.slices[f"rank {node} on node {node}", "program"] if s[3] == 0]
        assert program == [(begin_ns, end_ns)]


@pytest.mark.worker
def test_the_same_time_line_has_the_same_bytes(recorded: Recording, tmp_path: Path, hypermon: Hypermon) -> None:
    files = [tmp_path / name for name in ("a.pftrace", "b.pftrace")]
    for file in files:
        made = hypermon("timeline", str(recorded.path.parent), "--window", "10ms..40ms", "-o", str(file))
        assert made.returncode == 0, made.stderr
        assert made.stdout.startswith(f"time line {file}: ")
    assert files[0].read_bytes() == files[1].read_bytes()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.pftrace", "b.pftrace"]


@pytest.mark.worker
def test_the_csv_file_is_the_table(truth: Truth, tmp_path: Path) -> None:
    timelines.write(truth, tmp_path / "events.csv", "csv")
    read = pd.read_csv(tmp_path / "events.csv", dtype=dict(truth.events.dtypes), keep_default_na=False, na_values=[""])
    for column in truth.events:
        ours, theirs = truth.events[column], read[column]
        if isinstance(ours.dtype, pd.CategoricalDtype):
            ours, theirs = ours.astype(object), theirs.astype(object)
        assert (ours.isna() == theirs.isna()).all()
        assert np.array_equal(ours.dropna(), theirs.dropna())


@pytest.mark.worker
@pytest.mark.parametrize("form", ["perfetto", "otf2"])
def test_without_its_package_a_format_is_refused(
    form: str, truth: Truth, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in ("perfetto.protos.perfetto.trace", "otf2"):
        monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(UserError, match=f"needs the Python package {form} .*: pip install {form}"):
        timelines.write(truth, tmp_path / "out", form)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.worker
def test_nothing_is_left_of_a_time_line_that_cannot_be_written(truth: Truth, tmp_path: Path) -> None:
    with pytest.raises(UserError, match="is a folder"):
        timelines.write(truth, tmp_path)
    with pytest.raises(UserError, match=r"cannot be written: there is no folder"):
        timelines.write(truth, tmp_path / "none" / "x.pftrace")
    with pytest.raises(UserError, match=r"format = perfeto: must be perfetto, csv, otf2"):
        timelines.write(truth, tmp_path / "x.pftrace", "perfeto")
    assert list(tmp_path.iterdir()) == []


def test_states_nest_whatever_events_are_missing() -> None:
    whole = [
        Bracket("nx2.process_start", 0, 5),
        Bracket("nx2.syscall_entry", 10, 12, "crecv (MPI_Recv)"),
        Bracket("nx2.switch_out", 14, 15),
        Bracket("nx2.switch_in", 20, 21),
        Bracket("nx2.syscall_exit", 22, 23, "crecv (MPI_Recv)"),
        Bracket("nx2.process_end", 30, 31),
    ]
    assert list(edges(whole)) == [
        Edge(0, "program"),
        Edge(5, "computing"),
        Edge(10, None),
        Edge(10, "crecv (MPI_Recv)"),
        Edge(14, "blocked"),
        Edge(21, None),
        Edge(23, None),
        Edge(23, "computing"),
        Edge(30, None),
        Edge(31, None),
    ]
    for missing in range(1, 2 ** len(whole)):
        depth = last = 0
        for ps, name in edges(event for i, event in enumerate(whole) if not missing >> i & 1):
            assert ps >= last
            depth, last = depth + (1 if name else -1), ps
            assert 0 <= depth <= 3
        assert depth == 0


def test_states_are_cut_at_the_windows_ends() -> None:
    all_ = [Edge(0, "a"), Edge(10, "b"), Edge(20, None), Edge(30, "c"), Edge(50, None), Edge(60, None)]
    assert list(clipped(all_, Window(15, 40))) == [
        Edge(15, "a"),
        Edge(15, "b"),
        Edge(20, None),
        Edge(30, "c"),
        Edge(40, None),
        Edge(40, None),
    ]
    assert list(clipped(all_, Window(32, 33))) == [Edge(32, "a"), Edge(32, "c"), Edge(33, None), Edge(33, None)]
    assert list(clipped(all_, Window(5, 10))) == [Edge(5, "a"), Edge(10, None)]
    assert list(clipped(all_, Window(60, 70))) == []
    assert list(clipped(all_, None)) == all_
