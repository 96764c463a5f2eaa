# SPDX-License-Identifier: BSD-3-Clause
"""A time line of tracks as files for other tools, read back by those tools' own readers; excerpts, and comparisons."""

from __future__ import annotations

import dataclasses
import filecmp
import os
import re
import shutil
import subprocess
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from hypermon import timelines
from hypermon.errors import UserError
from hypermon.timelines import States, Statistic, TimeLine, Window
from hypermon.timelines.rows import placed
from tests.python.pvfs_like import made

US = 10**6
LANE = r"/[^/]+, \d+ of \d+$"  # a line for simultaneous operations


@pytest.fixture(scope="module")
def line() -> TimeLine:
    """A time line with overlapping operations and with calls around requests."""
    found = made(700, clients=3, servers=2)
    assert max(placed(one).lanes for one in found.states) > 1
    assert any(placed(one).depth.any() for one in found.states)
    return found


def rows(line: TimeLine) -> Counter[tuple[str, str, int, int]]:
    """Track, name, begin and end in ns of every state."""
    return Counter(
        ("/".join(one.path), one.names[number], int(begin) // 1000, int(end) // 1000)
        for one in line.states
        for number, begin, end in zip(one.name, one.begin_ps, one.end_ps, strict=True)
    )


def arrows(line: TimeLine) -> Counter[tuple[str, str]]:
    """Pairs of names: a cause, and its effect."""
    of = {int(own): one.names[n] for one in line.states for own, n in zip(one.id, one.name, strict=True) if own}
    return Counter(
        (of[int(cause)], one.names[n])
        for one in line.states
        for cause, n in zip(one.cause, one.name, strict=True)
        if cause
    )


class Perfetto:
    """The file as the viewer reads it."""

    def __init__(self, path: Path) -> None:
        protocol = pytest.importorskip("perfetto.protos.perfetto.trace.perfetto_trace_pb2")
        names: dict[int, str] = {0: ""}
        self.slices: Counter[tuple[str, str, int, int]] = Counter()
        self.counters: defaultdict[str, list[tuple[int, float]]] = defaultdict(list)
        self.notes: list[dict[str, Any]] = []
        leave: defaultdict[int, list[str]] = defaultdict(list)
        reach: defaultdict[int, list[str]] = defaultdict(list)
        open_: defaultdict[int, list[tuple[str, int]]] = defaultdict(list)
        for packet in protocol.Trace.FromString(path.read_bytes()).packet:
            if packet.HasField("track_descriptor"):
                track = packet.track_descriptor
                names[track.uuid] = f"{names[track.parent_uuid]}/{track.name}"
            if not packet.HasField("track_event"):
                continue
            event, ns = packet.track_event, packet.timestamp
            if event.type == protocol.TrackEvent.TYPE_SLICE_BEGIN:
                assert not open_[event.track_uuid] or open_[event.track_uuid][-1][1] <= ns
                open_[event.track_uuid].append((event.name, ns))
                self.notes.append(
                    {a.name: a.string_value or a.int_value or a.uint_value for a in event.debug_annotations}
                )
                for flow in event.flow_ids:
                    leave[flow].append(event.name)
                for flow in event.terminating_flow_ids:
                    reach[flow].append(event.name)
            elif event.type == protocol.TrackEvent.TYPE_SLICE_END:
                name, begin = open_[event.track_uuid].pop()
                place = re.sub(LANE, "", names[event.track_uuid])
                self.slices[(place.removeprefix("/"), name, begin, ns)] += 1
            else:
                assert event.type == protocol.TrackEvent.TYPE_COUNTER
                self.counters[names[event.track_uuid]].append((ns, event.double_counter_value))
        assert not any(open_.values())
        assert leave.keys() == reach.keys()
        self.arrows = Counter((leave[flow][0], reach[flow][0]) for flow in leave)
        self.lanes = Counter(re.sub(LANE, "", name) for name in names.values() if re.search(LANE, name))


def test_perfetto_shows_every_state_nested_or_in_lines_with_arrows_and_statistics(
    line: TimeLine, tmp_path: Path
) -> None:
    timelines.write_tracks(line, tmp_path / "a.pftrace")
    found = Perfetto(tmp_path / "a.pftrace")
    assert found.slices == rows(line)
    assert found.arrows == arrows(line)
    for one in line.states:
        lanes = placed(one).lanes
        assert found.lanes["/" + "/".join(one.path)] == (lanes if lanes > 1 else 0)
    exact, sampled = line.statistics[0], line.statistics[1]
    assert found.counters["/" + "/".join(exact.path)] == [
        (int(t) // 1000, float(v)) for t, v in zip(exact.times_ps, exact.values, strict=True)
    ]
    assert (
        found.counters["/" + "/".join(sampled.path) + " (W)"]
        == [  # a mean holds from the previous time until its own
            (int(t) // 1000, float(v)) for t, v in zip(sampled.times_ps[:-1], sampled.values[1:], strict=True)
        ]
    )
    writes = [notes for notes in found.notes if "file" in notes]
    assert Counter(notes["file"] for notes in writes) == Counter(
        str(text) for one in line.states for text in one.details["file"] if text
    )
    assert all(notes["bytes"] % 4096 == 0 and notes["id"] for notes in writes)
    timelines.write_tracks(line, tmp_path / "b.pftrace")
    assert filecmp.cmp(tmp_path / "a.pftrace", tmp_path / "b.pftrace", shallow=False)


def test_otf2_has_every_state_every_statistic_and_what_caused_what(line: TimeLine, tmp_path: Path) -> None:
    tool = shutil.which("otf2-print")
    if tool is None:
        if os.environ.get("HYPERMON_REQUIRE_OTF2"):
            pytest.fail("HYPERMON_REQUIRE_OTF2 is set, but otf2-print is not installed (Debian: otf2-tools)")
        pytest.skip("otf2-print is not installed (Debian: otf2-tools)")
    timelines.write_tracks(line, tmp_path / "a", "otf2")
    printed = subprocess.run([tool, str(tmp_path / "a" / "traces.otf2")], capture_output=True, text=True, check=True)
    assert printed.stderr == ""
    open_: defaultdict[str, list[tuple[str, int]]] = defaultdict(list)
    slices: Counter[tuple[str, int, int]] = Counter()
    metrics, ids, causes = 0, Counter[int](), Counter[int]()
    for text in printed.stdout.splitlines():
        if match := re.match(r'(ENTER|LEAVE) +(\d+) +(\d+) +Region: "([^"]*)"', text):
            kind, where, ps, name = match.groups()
            if kind == "ENTER":
                open_[where].append((name, int(ps)))
            else:
                begun, begin = open_[where].pop()
                assert begun == name
                slices[(name, begin, int(ps))] += 1
        elif text.startswith("METRIC "):
            metrics += 1
        ids.update(int(number) for number in re.findall(r'\("id" <\d+>; UINT64; (\d+)\)', text))
        causes.update(int(number) for number in re.findall(r'\("cause" <\d+>; UINT64; (\d+)\)', text))
    assert slices == Counter(
        (one.names[number], int(begin), int(end))
        for one in line.states
        for number, begin, end in zip(one.name, one.begin_ps, one.end_ps, strict=True)
    )
    assert metrics == sum(len(one.times_ps) for one in line.statistics)
    assert ids == Counter(int(own) for one in line.states for own in one.id if own)
    assert causes == Counter(int(own) for one in line.states for own in one.cause if own)


def test_a_table_has_a_row_for_each_state(line: TimeLine, tmp_path: Path) -> None:
    timelines.write_tracks(line, tmp_path / "a.csv", "csv")
    table = pd.read_csv(tmp_path / "a.csv")
    assert len(table) == sum(len(one.begin_ps) for one in line.states)
    last = line.states[-1]
    own = table[table["track"] == " / ".join(last.path)]
    assert own["begin_ps"].tolist() == last.begin_ps.tolist()
    assert own["file"].tolist() == last.details["file"].tolist()
    assert table["file"].isna().sum() == (table["name"] == "computing").sum()


def test_an_unknown_format_is_named_with_those_that_there_are(line: TimeLine, tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"format = perfeto: must be perfetto, csv, otf2; .*perfetto"):
        timelines.write_tracks(line, tmp_path / "a", "perfeto")
    assert not list(tmp_path.iterdir())


def little() -> TimeLine:
    """Three states, two statistics."""
    begin, end = np.array([0, 40, 90], np.int64), np.array([30, 80, 90], np.int64)
    ids = np.array([5, 6, 0], np.uint64)
    track = States(("t",), begin, end, ("x",), np.zeros(3, np.int32), ids, np.array([0, 5, 0], np.uint64))
    times, values = np.array([10, 50, 70], np.int64), np.array([1.0, 2.0, 3.0])
    return TimeLine(
        (track,), (Statistic(("e",), "", times, values, True), Statistic(("s",), "", times, values, False)), 0, 100
    )


def test_a_window_cuts_states_and_keeps_what_an_exact_statistic_is_at_its_begin() -> None:
    cut = timelines.cut(little(), Window(20, 60))
    (track,) = cut.states
    assert list(zip(track.begin_ps.tolist(), track.end_ps.tolist(), strict=True)) == [(20, 30), (40, 60)]
    assert track.id.tolist() == [5, 6]
    exact, sampled = cut.statistics
    assert (exact.times_ps.tolist(), exact.values.tolist()) == ([20, 50], [1.0, 2.0])
    assert (sampled.times_ps.tolist(), sampled.values.tolist()) == ([50], [2.0])
    assert (cut.begin_ps, cut.end_ps) == (20, 60)
    # intervals that end at 80 are outside
    assert timelines.cut(little(), Window(80, 95)).states[0].begin_ps.tolist() == [90]


def test_a_window_outside_is_refused_with_what_there_is() -> None:
    for window in (Window(101, 200), Window(2 * 10**12, 3 * 10**12)):
        with pytest.raises(UserError, match=r"--window .*: nothing is there; the time line is 0s..1e-10s"):
            timelines.cut(little(), window)


def test_times_below_0_are_moved_where_a_format_has_none(tmp_path: Path) -> None:
    early = timelines.combine({"early": little()}, align=False)
    early = TimeLine(
        tuple(dataclasses.replace(one, begin_ps=one.begin_ps - 30_000, end_ps=one.end_ps) for one in early.states),
        early.statistics, -30_000, early.end_ps,
    )  # fmt: skip
    timelines.write_tracks(early, tmp_path / "a.pftrace")
    assert min(begin for _, _, begin, _ in Perfetto(tmp_path / "a.pftrace").slices) == 0
    timelines.write_tracks(early, tmp_path / "a", "otf2")


def test_time_lines_beside_each_other_begin_together_and_keep_their_relations_apart() -> None:
    line = little()
    late = timelines.combine({"": line}, align=False)
    assert late.states[0].begin_ps.tolist() == [0, 40, 90]
    moved = timelines.TimeLine(
        tuple(States(one.path, one.begin_ps + 500, one.end_ps + 500, one.names, one.name, one.id, one.cause) for one in line.states),
        (), 500, 600,
    )  # fmt: skip
    both = timelines.combine({"a": line, "b": moved})
    assert [one.path for one in both.states] == [("a", "t"), ("b", "t")]
    assert both.states[1].begin_ps.tolist() == [0, 40, 90]
    assert (both.begin_ps, both.end_ps) == (0, 100)
    a, b = both.states
    assert not {*a.id.tolist()} & {*b.id.tolist()} - {0}
    assert b.cause[1] == b.id[0] != 0
    assert timelines.combine({"a": line, "b": moved}, align=False).states[1].begin_ps.tolist() == [500, 540, 590]
