# SPDX-License-Identifier: BSD-3-Clause
"""HDTrace's files are read according to the format, written back unchanged, and refused with the place of the fault."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from hypermon._files import hdtrace
from hypermon._files.hdtrace import project as projects
from hypermon._files.hdtrace import times
from hypermon.errors import UserError
from hypermon.timelines import hdtrace as timeline
from hypermon.timelines.tracks import States, TimeLine
from tests.python import little_hdtrace as little

MS = 10**9  # ps


@pytest.fixture
def proj(tmp_path: Path) -> Path:
    return little.make(tmp_path / "little")


def track(line: TimeLine, *path: str) -> States:
    return next(one for one in line.states if one.path == ("little", *path))


def rows(one: States) -> list[tuple[str, int, int]]:
    names = [one.names[number] for number in one.name]
    return list(zip(names, one.begin_ps.tolist(), one.end_ps.tolist(), strict=True))


def test_times_are_exact_whatever_their_form() -> None:
    assert times.parse("0.336446") == 336446 * 10**6
    assert times.parse("1246362518") == 1246362518 * 10**12
    assert times.parse("-0.5s") == -500 * MS
    assert times.parse("2.5ms") == 5 * MS // 2
    assert [times.parse(text) for text in ("", "1.", ".5", "1e3", "+1", "1.2.3", "１")] == [None] * 7
    assert times.stamp(336446 * 10**6 + 999_999) == "0.336446"
    assert times.text(-1_500_000_000_000) == "-1.5"


def test_a_project_s_tree_types_communicators_and_files_are_read(proj: Path) -> None:
    project = projects.read(proj)
    assert [node.path for node in project.walk()] == [
        ("node06",), ("node06", "0"), ("node06", "0", "0"), ("node07",), ("node07", "1"), ("node07", "1", "0"),
        ("server0",), ("server0", "TROVE"),
    ]  # fmt: skip
    assert [node.level for node in project.walk()][-3:] == ["Thread", "Hostname", "Layer"]
    assert project.communicators == (hdtrace.Communicator("WORLD", ((0, 0, 0), (1, 1, 0))),)
    assert [one.combiner for one in project.datatypes[0]] == ["NAMED", "VECTOR", "STRUCT"]
    assert project.datatypes[0][1].attributes["stride"] == "810"
    assert project.datatypes[0][2].parts == ((0, 0, 1), (1, 8, 1))
    assert project.files == (hdtrace.File("pvfs2://pvfs2/out.dat", 4096, "64K"),)
    assert project.groups == ("Energy", "TROVE")


def test_a_project_is_written_as_it_is_read(proj: Path, tmp_path: Path) -> None:
    project = projects.read(proj)
    projects.write(project, tmp_path / "again.proj")
    again = projects.read(tmp_path / "again.proj")
    assert again.path == tmp_path / "again.proj"
    for name in ("name", "levels", "nodes", "communicators", "datatypes", "files", "groups", "description"):
        assert getattr(again, name) == getattr(project, name)


def test_states_are_nested_as_the_trace_says(proj: Path) -> None:
    entries = list(hdtrace.read_trace(proj.with_name("little_node06_0_0.trc")))
    assert [one.name for one in entries] == ["File_open", "Allreduce", "File_write_at"]
    reduce = entries[1]
    assert [one.name for one in reduce.nested] == ["Send", "Bcast"]
    assert [one.name for one in reduce.nested[1].nested] == ["Recv"]
    assert reduce.line == 10
    assert reduce.begin_ps == little.BEGIN_S * 10**12 + 200 * MS


def test_a_trace_is_written_to_the_byte_as_the_format_s_library_writes_it(tmp_path: Path) -> None:
    source = tmp_path / "source.trc"
    source.write_text(little.RANK0)
    hdtrace.write_trace(tmp_path / "copy.trc", hdtrace.read_trace(source), little.BEGIN_S)
    assert (tmp_path / "copy.trc").read_text() == little.RANK0


def test_the_time_line_counts_from_the_earliest_header(proj: Path) -> None:
    line = timeline.read(proj)
    assert rows(track(line, "node06", "rank 0"))[0] == ("MPI_File_open", 100 * MS, 150 * MS)
    # One second later by its header, but 0.9 s earlier by its own time.
    assert rows(track(line, "node07", "rank 1"))[0] == ("MPI_Allreduce", 100 * MS, 1200 * MS + 70 * 10**6)
    assert line.begin_ps == 50 * MS  # time of the statistics' first entry
    assert line.end_ps == 3250 * MS


def test_a_call_s_file_is_the_name_that_it_was_opened_by(proj: Path) -> None:
    one = track(timeline.read(proj), "node06", "rank 0")
    written = one.names.index("MPI_File_write_at")
    place = int(np.flatnonzero(one.name == written)[0])
    assert one.details["file"][place] == "pvfs2://pvfs2/out.dat"
    assert (one.details["bytes"][place], one.details["offset"][place]) == (80, 512)
    assert one.details["offset"][0] == -1


def test_relations_lead_from_the_disk_to_the_call(proj: Path) -> None:
    line = timeline.read(proj)
    process, trove = track(line, "node06", "rank 0"), track(line, "server0", "TROVE")
    assert rows(trove) == [("bstream_write", 1600 * MS, 2000 * MS), ("seek", 1700 * MS, 1800 * MS)]
    call = process.id[process.names.index("MPI_File_write_at") == process.name][0]
    assert call != 0
    assert trove.cause.tolist() == [call, trove.id[0]]


def test_statistics_say_what_they_are(proj: Path) -> None:
    line = timeline.read(proj)
    found = {one.path[1:]: one for one in line.statistics}
    power, pending = found["node06", "Energy", "P"], found["server0", "TROVE", "pending"]
    assert (power.unit, power.exact, power.values.tolist()) == ("W", False, [120.5, 130.25])
    assert (pending.unit, pending.exact, pending.values.tolist()) == ("", True, [1.0, 0.0])
    assert pending.times_ps.tolist() == [1600 * MS, 2000 * MS]


def test_statistics_are_written_as_they_are_read(proj: Path, tmp_path: Path) -> None:
    base = little.BEGIN_S
    source = proj.with_name("little_node06_Energy.stat")
    group = hdtrace.read_statistics(source, base)
    hdtrace.write_statistics(tmp_path / "copy.stat", ["node06"], group)
    again = hdtrace.read_statistics(tmp_path / "copy.stat")
    assert again.begin_ps == group.begin_ps == 0
    assert again.columns == group.columns
    assert again.times_ps.tolist() == group.times_ps.tolist()
    assert all(np.array_equal(again.values[name], group.values[name]) for name in group.values)


def test_relations_are_written_as_they_are_read(proj: Path, tmp_path: Path) -> None:
    source = hdtrace.read_relations(proj.with_name("little_server0_TROVE.rel"))
    hdtrace.write_relations(tmp_path / "copy.rel", source, little.BEGIN_S)
    again = hdtrace.read_relations(tmp_path / "copy.rel")
    for one, other in zip(source.operations, again.operations, strict=True):
        assert (one.token, one.cause, one.begin_ps, one.end_ps) == (
            other.token, other.cause, other.begin_ps, other.end_ps,
        )  # fmt: skip
        assert one.states == other.states


def test_a_window_keeps_what_touches_it(proj: Path) -> None:
    whole = timeline.read(proj)
    part = timeline.read(proj, begin_ps=1550 * MS, end_ps=1650 * MS)
    assert rows(track(part, "node06", "rank 0")) == [("MPI_File_write_at", 1500 * MS, 2500 * MS)]
    assert rows(track(part, "server0", "TROVE")) == [("bstream_write", 1600 * MS, 2000 * MS)]
    assert sum(len(one.begin_ps) for one in whole.states) > sum(len(one.begin_ps) for one in part.states)


BAD: dict[str, tuple[str, Callable[[str], str], str]] = {
    "cut": ("little_node06_0_0.trc", lambda text: text[:300], "line 6: the file ends within <Program>"),
    "foreign": ("little.proj", lambda _: "<html></html>", "line 1: begins with <html>: must be <Application>"),
    "no XML": ("little.proj", lambda _: "PK\x03\x04", "line 1: "),
    "entity": (
        "little.proj",
        lambda text: "<!DOCTYPE a [<!ENTITY b 'c'>]>" + text.partition("?>")[2],
        "line 1: has a document type",
    ),
    "backwards": (
        "little_node07_1_0.trc",
        lambda text: text.replace("end='2.250000'", "end='1.250000'"),
        "line 3: <Finalize> ends before it begins",
    ),
    "no time": (
        "little_node07_1_0.trc",
        lambda text: text.replace("time='2.000000'", "time='soon'"),
        "line 3: <Finalize> has time = 'soon': must be decimal seconds",
    ),
    "nested alone": (
        "little_node07_1_0.trc",
        lambda text: text.replace("</Program>", "<Nested></Nested></Program>").replace(
            "<Nested>", "<Nested><A time='1' end='2'/>"
        ),
        "line 4: <Nested> is in no state",
    ),
    "unknown operation": (
        "little_server0_TROVE.rel",
        lambda text: text.replace('<s name="seek" t="1"', '<s name="seek" t="7"'),
        "line 3: operation 7, which no <rel> has made",
    ),
    "ends twice": (
        "little_server0_TROVE.rel",
        lambda text: text.replace('<un t="1"', '<e t="1"'),
        "line 3: a state of operation 1 ends that has not begun",
    ),
    "scope": (
        "little_server0_TROVE.rel",
        lambda text: text.replace("node06:4711:0:0", "node06:4711"),
        "line 2: <rel> has r = 'node06:4711': must be host:process:topology:number",
    ),
    "twice": (
        "little.proj",
        lambda text: text.replace('name="node07"', 'name="node06"'),
        "line 23: <Node> 'node06' is there twice",
    ),
}


@pytest.mark.parametrize("name", BAD)
def test_what_is_wrong_is_refused_with_file_and_line(proj: Path, name: str) -> None:
    file, spoil, message = BAD[name]
    path = proj.with_name(file)
    path.write_text(spoil(path.read_text()))
    with pytest.raises(UserError) as caught:
        timeline.read(proj)
    assert str(caught.value).startswith(f"{path}: {message}")


BAD_BYTES: dict[str, tuple[Callable[[bytes], bytes], str]] = {
    "cut in an entry": (lambda data: data[:-3], "the file ends within an entry: 13 of its 16 B are there"),
    "cut in the header": (lambda data: data[:100], "byte 100: the file ends within its header of"),
    "foreign": (lambda _: b"\x7fELF\x02\x01\x01", "byte 0: begins with"),
    "type": (lambda data: data.replace(b"FLOAT", b"COMPL"), "line 5: <Value> has type = 'COMPL': must be INT32"),
    "order": (
        lambda data: data[:-16] + (little.BEGIN_S - 1).to_bytes(4, "big") + data[-12:],
        "the entry's time is before that of the one before",
    ),
}


@pytest.mark.parametrize("name", BAD_BYTES)
def test_damaged_statistics_are_refused_with_file_and_byte(proj: Path, name: str) -> None:
    spoil, message = BAD_BYTES[name]
    path = proj.with_name("little_node06_Energy.stat")
    path.write_bytes(spoil(path.read_bytes()))
    with pytest.raises(UserError) as caught:
        timeline.read(proj)
    assert str(caught.value).startswith(f"{path}: ")
    assert message in str(caught.value)


def test_a_time_line_written_as_a_project_reads_back_the_same(proj: Path, tmp_path: Path) -> None:
    line = timeline.read(proj)
    timeline.write(line, tmp_path / "again" / "little")
    again = timeline.read(tmp_path / "again" / "little" / "little.proj")
    before, after = ({one.path: one for one in each.states} for each in (line, again))
    assert before.keys() == after.keys()
    for path, one in before.items():
        assert rows(one) == rows(after[path])
        for column in ("bytes", "offset", "file"):
            if column in one.details:
                assert one.details[column].tolist() == after[path].details[column].tolist()
    trove, process = (after["little", *path] for path in (("server0", "TROVE"), ("node06", "rank 0")))
    assert trove.cause[0] in process.id
    assert trove.cause[1] == trove.id[0]
    values = {one.path: one.values.tolist() for one in again.statistics}
    assert values == {one.path: one.values.tolist() for one in line.statistics}


def test_a_project_s_times_count_from_what_there_is(tmp_path: Path) -> None:
    """Without traces, times count from the relations; without these, from the statistics: a meter alone is a project,
    too.
    """
    path = little.make(tmp_path)
    whole = {"/".join(one.path): one.times_ps.tolist() for one in timeline.read(path).statistics}
    assert len(whole) == 3
    for kind in (".trc", ".rel"):
        for file in tmp_path.glob(f"*{kind}"):
            file.unlink()
        found = timeline.read(path)
        assert {"/".join(one.path): one.times_ps.tolist() for one in found.statistics} == whole
        assert bool(found.states) == (kind == ".trc")
