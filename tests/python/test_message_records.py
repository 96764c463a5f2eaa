# SPDX-License-Identifier: BSD-3-Clause
"""The MPI message records in an OTF2 archive of an HDTrace project, read by OTF2's own reader."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from hypermon import timelines
from hypermon._files import hdtrace
from hypermon._files.hdtrace import Communicator, Entry, Node, Project, project, write_trace
from hypermon.timelines import TimeLine, Window
from hypermon.timelines import hdtrace as projects

otf2 = pytest.importorskip("otf2")
US = 10**6  # ps
WORLD = Communicator("WORLD", tuple((rank, rank, 0) for rank in range(4)))
ODD = Communicator("", ((3, 0, 1), (1, 1, 7)))  # ranks 3 and 1, whose traces give it different numbers


class Record(NamedTuple):
    """A record, the innermost MPI region around it, and the two processes of the message."""

    kind: str
    region: str
    us: int
    own: str
    peer: str
    communicator: str
    tag: int
    length: int


def call(name: str, begin: int, end: int, inner: tuple[str, ...] = (), **attributes: int | str) -> Entry:
    """A call between two times in us. `inner` has the requests that it completes."""
    texts = {key: str(value) for key, value in attributes.items()}
    return Entry(name, begin * US, end * US, texts, inner=[("For", {"rid": number}) for number in inner])


def made(folder: Path, name: str, traces: dict[int, list[Entry]]) -> Path:
    """Writes a project of four processes, each on its own host."""
    folder.mkdir()
    nodes = tuple(
        Node((f"n{rank}",), "Hostname", (Node((f"n{rank}", str(rank)), "Rank", (Node((f"n{rank}", str(rank), "0"), "Thread"),)),))
        for rank in range(4)
    )  # fmt: skip
    made = Project(name, ("Hostname", "Rank", "Thread"), nodes, (WORLD, ODD), path=folder / f"{name}.proj")
    assert made.path is not None
    project.write(made, made.path)
    for rank in range(4):
        thread = nodes[rank].children[0].children[0]
        write_trace(made.file_of(thread, ".trc"), traces.get(rank, []))
    return made.path


def records(line: TimeLine, folder: Path) -> list[Record]:
    """Every message record of the archive made from a time line."""
    timelines.write_tracks(line, folder, "otf2")
    found: list[Record] = []
    open_: defaultdict[Any, list[str]] = defaultdict(list)
    started: dict[tuple[Any, int], Any] = {}
    with otf2.reader.open(str(folder / "traces.otf2")) as archive:
        for location, event in archive.events:
            if isinstance(event, otf2.events.Enter):
                open_[location].append(event.region.name)
                continue
            if isinstance(event, otf2.events.Leave):
                assert open_[location].pop() == event.region.name
                continue
            kind = type(event).__name__
            region = open_[location][-1] if open_[location] else ""
            own = location.name.partition(",")[0]  # if there are several lanes, the first
            if kind in ("MpiIrecvRequest", "MpiIsendComplete"):
                assert ((location, event.request_id) in started) == (kind == "MpiIsendComplete")
                started[location, event.request_id] = event
                found.append(Record(kind, region, event.time // US, own, "", "", 0, 0))
                continue
            if kind == "MpiIrecv":
                assert isinstance(started.pop((location, event.request_id)), otf2.events.MpiIrecvRequest)
            elif kind == "MpiIsend":
                started[location, event.request_id] = event
            peer = event.receiver if "send" in kind.lower() else event.sender
            members = event.communicator.group.members
            assert location in members
            length, tag, name = event.msg_length, event.msg_tag, event.communicator.name
            found.append(Record(kind, region, event.time // US, own, members[peer].name, name, tag, length))
    return found


def of(rank: int) -> str:
    return f"rank {rank}"


def test_a_call_s_records_stand_in_it_with_peer_communicator_tag_and_length(tmp_path: Path) -> None:
    traces = {
        0: [call("Send", 10, 20, toRank=1, toTag=5, size=64, cid=0), call("Recv", 20, 40, fromRank=2, fromTag=9, size=8, cid=0)],
        1: [call("Recv", 5, 30, fromRank=0, fromTag=5, size=64, cid=0), call("Ssend", 30, 30, toRank=0, toTag=1, size=2, cid=7)],
        2: [call("Send", 25, 30, toRank=0, toTag=9, size=8, cid=0), call("Send", 30, 31, toRank=-1, toTag=0, size=9, cid=0)],
        3: [call("Sendrecv", 20, 40, toRank=1, toTag=3, size=16, fromRank=1, fromTag=1, recvSize=2, cid=1)],
    }  # fmt: skip
    found = records(projects.read(made(tmp_path / "p", "p", traces)), tmp_path / "a")
    assert sorted(found) == sorted(
        [
            Record("MpiSend", "MPI_Send", 10, of(0), of(1), "MPI_COMM_WORLD", 5, 64),
            Record("MpiRecv", "MPI_Recv", 40, of(0), of(2), "MPI_COMM_WORLD", 9, 8),
            Record("MpiRecv", "MPI_Recv", 30, of(1), of(0), "MPI_COMM_WORLD", 5, 64),
            Record("MpiSend", "MPI_Ssend", 30, of(1), of(3), "", 1, 2),  # rank 0 of the odd communicator
            Record("MpiSend", "MPI_Send", 25, of(2), of(0), "MPI_COMM_WORLD", 9, 8),
            Record("MpiSend", "MPI_Sendrecv", 20, of(3), of(1), "", 3, 16),
            Record("MpiRecv", "MPI_Sendrecv", 40, of(3), of(1), "", 1, 2),
        ]
    )


def test_a_request_has_a_record_where_it_begins_and_one_in_the_call_that_completes_it(tmp_path: Path) -> None:
    traces = {
        0: [
            call("Irecv", 10, 11, fromRank=1, fromTag=4, size=100, cid=0, rid=0),
            # from any rank: the trace does not say which
            call("Irecv", 11, 12, fromRank=-2, fromTag=-1, size=50, cid=0, rid=1),
            call("Isend", 12, 12, toRank=3, toTag=6, size=7, cid=0, rid=2),
            call("Waitall", 12, 12, ("0", "1", "2")),
            call("Isend", 20, 21, toRank=2, toTag=8, size=3, cid=0, rid=0),  # its number again
            call("Test", 22, 23),  # too early
            call("Test", 24, 25, ("0",)),
            call("Isend", 30, 31, toRank=2, toTag=8, size=3, cid=0),  # from an old trace, without a request number
        ]
    }
    found = records(projects.read(made(tmp_path / "p", "p", traces)), tmp_path / "a")
    world = "MPI_COMM_WORLD"
    assert found == [
        Record("MpiIrecvRequest", "MPI_Irecv", 10, of(0), "", "", 0, 0),
        Record("MpiIsend", "MPI_Isend", 12, of(0), of(3), world, 6, 7),
        Record("MpiIrecv", "MPI_Waitall", 12, of(0), of(1), world, 4, 100),
        Record("MpiIsendComplete", "MPI_Waitall", 12, of(0), "", "", 0, 0),
        Record("MpiIsend", "MPI_Isend", 20, of(0), of(2), world, 8, 3),
        Record("MpiIsendComplete", "MPI_Test", 25, of(0), "", "", 0, 0),
        Record("MpiSend", "MPI_Isend", 30, of(0), of(2), world, 8, 3),
    ]


def test_messages_that_overlap_in_a_collective_call_are_at_its_process_in_the_call(tmp_path: Path) -> None:
    root = call("Bcast", 10, 40, size=5, rootRank=0, cid=0)
    root.nested += [
        call("Send", 10, 25, toRank=1, size=5, step=0),
        call("Send", 12, 30, toRank=2, size=5, step=1),
        call("Recv", 15, 40, fromRank=3, size=5, step=1),
    ]
    line = projects.read(made(tmp_path / "p", "p", {0: [call("Barrier", 1, 10, cid=0), root]}))
    found = records(line, tmp_path / "a")
    assert [(one.kind, one.us, one.own, one.peer, one.tag) for one in found] == [
        ("MpiSend", 10, of(0), of(1), 0),
        ("MpiSend", 12, of(0), of(2), 0),
        ("MpiRecv", 40, of(0), of(3), 0),
    ]
    assert all(one.region in ("MPI_Bcast", "MPI_Send") for one in found)


def test_two_programs_beside_each_other_have_their_own_processes(tmp_path: Path) -> None:
    lines = {
        name: projects.read(made(tmp_path / name, name, {0: [call("Send", 1, 2, toRank=1, toTag=tag, size=tag, cid=0)]}))
        for name, tag in (("a", 1), ("b", 2))
    }  # fmt: skip
    both = timelines.combine(lines)
    timelines.write_tracks(both, tmp_path / "both", "otf2")
    with otf2.reader.open(str(tmp_path / "both" / "traces.otf2")) as archive:
        (processes,) = (g for g in archive.definitions.groups if g.group_type == otf2.GroupType.COMM_LOCATIONS)
        assert len(processes.members) == 8
        sends = [(where, event) for where, event in archive.events if isinstance(event, otf2.events.MpiSend)]
        peers = [processes.members.index(event.communicator.group.members[event.receiver]) for _, event in sends]
        assert [processes.members.index(where) for where, _ in sends] == [0, 4]
        assert peers == [1, 5]


def test_a_window_keeps_the_records_of_its_calls(tmp_path: Path) -> None:
    traces = {
        0: [
            call("Irecv", 1, 2, fromRank=1, fromTag=4, size=100, cid=0, rid=0),
            call("Wait", 10, 11, ("0",)),  # completes a request that began before the window
            call("Send", 12, 13, toRank=1, toTag=5, size=64, cid=0),
        ]
    }
    made(tmp_path / "p", "p", traces)
    line = timelines.timeline(tmp_path / "p", Window(9 * US, 20 * US))
    assert [one.kind for one in records(line, tmp_path / "a")] == ["MpiSend"]


def test_a_project_that_lacks_a_process_has_the_records_of_the_communicators_that_it_has(tmp_path: Path) -> None:
    traces = {
        1: [call("Send", 1, 2, toRank=0, toTag=5, size=64, cid=7), call("Send", 2, 3, toRank=0, toTag=5, size=1, cid=0)]
    }
    path = made(tmp_path / "p", "p", traces)
    path.with_name("p_n2_2_0.trc").unlink()
    (found,) = records(projects.read(path), tmp_path / "a")
    assert (found.peer, found.length) == (of(3), 64)


def test_the_numbers_survive_being_written_as_a_project(tmp_path: Path) -> None:
    entries = [call("Irecv", 1, 2, fromRank=1, fromTag=4, size=100, cid=0, rid=3), call("Wait", 10, 11, ("3",))]
    (track, *_) = projects.read(made(tmp_path / "p", "p", {0: entries})).states
    assert {key: column[0] for key, column in track.details.items()} == {
        "bytes": 100, "from": 1, "communicator": 0, "from_tag": 4, "request": 3, "completed": "",
    }  # fmt: skip
    assert track.details["completed"][1] == "3"
    assert hdtrace  # the format's package


class Arrow(NamedTuple):
    """An arrow in a file for Perfetto: the innermost call around each end, with its process and its time in us."""

    sender: str
    send: str
    sent_us: int
    receiver: str
    receive: str
    received_us: int


def arrows(line: TimeLine, file: Path) -> list[Arrow]:
    """Every arrow of the file made from a time line. Each has both ends."""
    protocol = pytest.importorskip("perfetto.protos.perfetto.trace.perfetto_trace_pb2")
    timelines.write_tracks(line, file, "perfetto")
    names: dict[int, str] = {}
    open_: defaultdict[int, list[str]] = defaultdict(list)
    ends: defaultdict[int, dict[bool, tuple[str, str, int]]] = defaultdict(dict)
    for packet in protocol.Trace.FromString(file.read_bytes()).packet:
        if packet.HasField("track_descriptor"):
            names[packet.track_descriptor.uuid] = packet.track_descriptor.name
            continue
        event, kinds = packet.track_event, protocol.TrackEvent
        if event.type == kinds.TYPE_SLICE_BEGIN:
            open_[event.track_uuid].append(event.name)
        elif event.type == kinds.TYPE_SLICE_END:
            open_[event.track_uuid].pop()
        elif event.type == kinds.TYPE_INSTANT:
            here = names[event.track_uuid], open_[event.track_uuid][-1], packet.timestamp // 1000
            for numbers, begins in ((event.flow_ids, True), (event.terminating_flow_ids, False)):
                for number in numbers:
                    assert begins not in ends[number]
                    ends[number][begins] = here
    assert all(set(both) == {True, False} for both in ends.values())
    return sorted(Arrow(*both[True], *both[False]) for both in ends.values())


def test_perfetto_has_an_arrow_from_each_send_to_the_call_that_receives(tmp_path: Path) -> None:
    traces = {
        0: [
            call("Send", 10, 20, toRank=1, toTag=5, size=64, cid=0),
            call("Isend", 21, 22, toRank=1, toTag=5, size=8, cid=0, rid=1),
            call("Wait", 50, 60, inner=("1",)),
        ],
        1: [
            call("Irecv", 1, 2, fromRank=0, fromTag=5, size=64, cid=0, rid=1),
            call("Recv", 5, 30, fromRank=0, fromTag=5, size=8, cid=0),
            call("Wait", 31, 40, inner=("1",)),
            call("Ssend", 41, 42, toRank=0, toTag=1, size=2, cid=7),
        ],
        3: [call("Sendrecv", 20, 43, toRank=1, toTag=3, size=16, fromRank=1, fromTag=1, recvSize=2, cid=1)],
    }  # fmt: skip
    line = projects.read(made(tmp_path / "p", "p", traces))
    assert arrows(line, tmp_path / "t.pftrace") == [
        Arrow(of(0), "MPI_Isend", 21, of(1), "MPI_Recv", 30),  # the receive that was posted second
        Arrow(of(0), "MPI_Send", 10, of(1), "MPI_Wait", 40),
        Arrow(of(1), "MPI_Ssend", 41, of(3), "MPI_Sendrecv", 43),  # ranks of the odd communicator
    ]  # and none for the Sendrecv's message, which the trace does not receive


def test_messages_of_which_a_receive_is_not_known_have_no_arrows(tmp_path: Path) -> None:
    traces = {
        0: [call("Send", 10, 11, toRank=1, toTag=5, size=64, cid=0), call("Send", 12, 13, toRank=1, toTag=5, size=64, cid=0)],
        1: [call("Recv", 5, 30, fromRank=-2, fromTag=5, size=64, cid=0), call("Recv", 31, 32, fromRank=0, fromTag=5, size=64, cid=0)],
    }  # fmt: skip
    line = projects.read(made(tmp_path / "p", "p", traces))
    assert arrows(line, tmp_path / "t.pftrace") == []
