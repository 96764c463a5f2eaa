# SPDX-License-Identifier: BSD-3-Clause
"""HDTrace projects as program scripts."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from hypermon._files.hdtrace import Entry, Project, project, write_trace
from hypermon.errors import UserError
from hypermon.importing import hdtrace, layouts
from hypermon.importing.layouts import Layout
from hypermon.importing.script import OPERATIONS, Script
from tests.python.little_hdtrace import PROJECT

US = 10**6  # ps


def call(what: str, /, begin_us: int, end_us: int, inner: Any = (), **attributes: object) -> Entry:
    attributes_text = {key: str(value) for key, value in attributes.items()}
    return Entry(what, begin_us * US, end_us * US, attributes_text, inner=list(inner))


def imported(folder: Path, *ranks: list[Entry], text: str = PROJECT) -> tuple[Script, list[list[dict[str, Any]]]]:
    """The script of the project with these traces, and each rank's actions: the values that differ from an action's
    defaults.
    """
    file = folder / "little.proj"
    file.write_text(text)
    known: Project = project.read(file)
    for rank, (host, entries) in enumerate(zip(("node06", "node07"), ranks, strict=True)):
        node = next(one for one in known.walk() if one.path == (host, str(rank), "0"))
        begin = [] if any(entry.name == "Init" for entry in entries) else [call("Init", 0, 10)]
        end = [call("Finalize", 900_000, 900_001)]
        write_trace(known.file_of(node, ".trc"), begin + entries + end)
    script = hdtrace.read(file, folder / "a.script")
    arrays = script.arrays()
    defaults = {"element": 1, "communicator": 0, "peer": -1, "tag": -1, "request": -1, "size": 0, "list": -1}
    found: list[list[dict[str, Any]]] = []
    for row in arrays["ranks"]:
        found.append([])
        for action in arrays["actions"][int(row["first"]) : int(row["first"] + row["actions"])]:
            fields = {name: int(action[name]) for name in defaults if int(action[name]) != defaults[name]}
            if "list" in fields:
                place = fields["list"]
                fields["list"] = arrays["lists"][place + 1 : place + 1 + int(arrays["lists"][place])].tolist()
            found[-1].append({"is": OPERATIONS[action["operation"]], **fields})
    return script, found


def without_computing(actions: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [action for action in actions if action["is"] != "compute"]


def test_a_rank_computes_between_its_calls_from_the_end_of_mpi_init_on(tmp_path: Path) -> None:
    calls = [call("Barrier", 30, 40, cid=0), call("Type_commit", 45, 50, tid=1), call("Barrier", 100, 110, cid=0)]
    _, (first, second) = imported(tmp_path, [call("Recv", 1, 5, fromRank=1, fromTag=0, cid=0), *calls], [])
    barrier = {"is": "barrier"}
    last = {"is": "compute", "size": (900_000 - 110) * US}
    assert first[1:] == [
        *[{"is": "compute", "size": 25 * US}, barrier, {"is": "compute", "size": 60 * US}, barrier],
        last,
    ]
    assert second == [{"is": "compute", "size": (900_000 - 10) * US}]


def test_what_comes_before_mpi_init_is_mpi_s_own(tmp_path: Path) -> None:
    before = [call("Allgather", 0, 0, size=65, cid=0), call("Init", 0, 20)]
    _, (actions, _) = imported(tmp_path, [*before, call("Barrier", 30, 40, cid=0)], [])
    assert [action["is"] for action in actions] == ["compute", "barrier", "compute"]


def test_messages_have_their_ends_tags_sizes_and_requests(tmp_path: Path) -> None:
    first = [
        call("Send", 20, 21, size=50, toRank=1, toTag=3, cid=0),
        call("Isend", 30, 31, size=70, toRank=1, toTag=4, cid=0, rid=12),
        call("Irecv", 40, 41, size=8, fromRank=-555, fromTag=5, cid=0, rid=13),
        call("Waitall", 50, 60, [("For", {"rid": "12"}), ("For", {"rid": "13"})]),
        call("Sendrecv", 70, 80, size=10, toRank=1, toTag=1, fromRank=1, fromTag=2, recvSize=20, cid=0),
    ]
    second = [call("Recv", 20, 22, fromRank=0, fromTag=3, cid=0), call("Recv", 30, 31, fromRank=-1, fromTag=4, cid=0)]
    script, actions = imported(tmp_path, first, second)
    assert script.not_represented == ()
    assert without_computing(actions[0]) == [
        {"is": "send", "peer": 1, "tag": 3, "size": 50},
        {"is": "isend", "peer": 1, "tag": 4, "size": 70, "request": 0},
        {"is": "irecv", "tag": 5, "size": 8, "request": 1},
        {"is": "waitall", "list": [0, 1]},
        {"is": "sendrecv", "peer": 1, "tag": 1, "size": 10},
        {"is": "sendrecv_in", "peer": 1, "tag": 2, "size": 20},
    ]
    # The trace does not give the sizes of the messages: the buffer has room for the largest.
    assert without_computing(actions[1]) == [
        {"is": "recv", "peer": 0, "tag": 3, "size": 70},
        {"is": "recv", "peer": -2, "tag": 4, "size": 70},
    ]


def test_a_wait_that_names_no_request_takes_the_oldest_and_says_so(tmp_path: Path) -> None:
    starts = [call("Isend", 20 + i, 21 + i, size=5, toRank=1, toTag=i, cid=0) for i in range(3)]
    script, (actions, _) = imported(tmp_path, [*starts, call("Wait", 30, 31), call("Waitall", 40, 41)], [])
    assert without_computing(actions)[3:] == [{"is": "wait", "request": 0}, {"is": "waitall", "list": [1, 2]}]
    assert [(row.kind, row.count) for row in script.not_represented] == [
        ("Wait: its requests, taken for the oldest that are open", 1)
    ]


def test_collectives_have_their_own_part_and_root(tmp_path: Path) -> None:
    calls = [
        call("Bcast", 20, 21, size=4, rootRank=1, cid=0),
        call("Scatter", 30, 31, size=80, recvSize=40, root=0, cid=0),
        call("Gatherv", 40, 41, size=7, rootRank=0, cid=0),
    ]
    script, (actions, _) = imported(tmp_path, calls, [])
    assert without_computing(actions) == [
        {"is": "bcast", "peer": 1, "size": 4},
        {"is": "scatter", "peer": 0, "size": 40},
        {"is": "gatherv", "peer": 0, "size": 7, "list": [7, 7]},
    ]
    assert [row.kind for row in script.not_represented] == ["Gatherv: the size of each part, taken for equal ones"]


def test_files_have_names_hints_and_the_layout_of_memory(tmp_path: Path) -> None:
    calls = [
        call("File_open", 20, 21, cid=0, name="a", flags=5, fid=3, hints="cb_nodes=2;"),
        call("File_write_at", 30, 31, fid=3, offset=40, size=80, count=1, tid=1),
        call("File_write_all", 40, 41, fid=3, offset=120, size=24, count=3, memoryType="8 B", memoryPieces=1),
        call("File_iread_at", 50, 51, fid=3, offset=0, size=16, count=2, tid=0, rid=7),
        call("Wait", 60, 61, [("For", {"rid": "7"})]),
        call("File_close", 70, 71, fid=3),
    ]
    script, (actions, _) = imported(tmp_path, calls, [])
    assert script.not_represented == ()
    assert without_computing(actions) == [
        {"is": "file_open", "peer": 3, "tag": 5, "list": [*b"a\0cb_nodes\x002\0"]},
        # type 1: VECTOR of 10 numbers, with a stride of 810
        {"is": "write_at", "peer": 3, "size": 40, "tag": 1, "list": [0, 9 * 6480 + 8, 0, 8, 6480, 10]},
        {"is": "write_at_all", "peer": 3, "size": 120, "tag": 24},
        {"is": "iread_at", "peer": 3, "tag": 16, "request": 0},
        {"is": "wait", "request": 0},
        {"is": "file_close", "peer": 3},
    ]
    assert script.arrays()["ranks"]["send_bytes"][0] == 9 * 6480 + 8
    assert script.metadata["source"]["files"] == {"pvfs2://pvfs2/out.dat": 4096}


def test_an_offset_in_the_file_becomes_one_in_the_view(tmp_path: Path) -> None:
    view = "2 x (8 B every 24 B)"  # bytes 0 to 7 and 24 to 31 of every 48
    calls = [
        call("File_open", 20, 21, cid=0, name="a", flags=8, fid=0),
        call("File_set_view", 30, 31, fid=0, displacement=100, fileType=view, fileExtent=48),
        call("File_read_all", 40, 41, fid=0, offset=100 + 48 + 24 + 4, size=4, count=4, memoryType="1 B"),
    ]
    _, (actions, _) = imported(tmp_path, calls, [])
    _, seen, read = without_computing(actions)
    assert seen["size"] == 100
    assert seen["list"] == [6, 0, 1, 0, 1, 1, 1, 6, 0, 48, 0, 8, 24, 2, 0]
    assert read == {"is": "read_at_all", "peer": 0, "size": 16 + 8 + 4, "tag": 4}


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        (call("Send", 20, 21, size=50, toRank=2, toTag=3, cid=0), r"<Send> has toRank = 2: there are ranks 0 to 1"),
        (call("Send", 20, 21, size="x", toRank=1, toTag=3, cid=0), r"<Send> has size = 'x': must be a whole number"),
        (call("Send", 20, 21, size=-1, toRank=1, toTag=3, cid=0), r"<Send> has size = -1: must be 0 or more"),
        (call("Bcast", 20, 21, size=4, rootRank=2, cid=0), r"<Bcast> has the root 2: there are ranks 0 to 1"),
        (call("Barrier", 20, 21, cid=9), r"<Barrier> has cid = 9: the project has no such communicator of rank 0"),
        (
            call("File_write_at", 20, 21, fid=0, offset=0, size=8),
            r"<File_write_at> has fid = 0: no file of that number",
        ),
    ],
)
def test_a_call_that_makes_no_sense_is_refused_with_its_line(tmp_path: Path, wrong: Entry, says: str) -> None:
    with pytest.raises(UserError, match=rf"little_node06_0_0\.trc: line 3: {says}"):
        imported(tmp_path, [wrong], [])
    assert not (tmp_path / "a.script").exists()


def test_a_project_without_processes_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"little\.proj: its topology must have processes \(level Rank\) 0 to n - 1"):
        imported(tmp_path, [], [], text=PROJECT.replace('<Level type="Rank">', '<Level type="Layer">'))


def test_layouts_are_those_of_their_bytes_written_out() -> None:
    text = "(3 x (8 B every 24 B) at 4, 2 x (2 x (1 B every 2 B) every 10 B) at 100)"
    layout = layouts.of_text(text, 128)
    bytes_ = [o + k * s + i for o, b, s, n in layout.runs for k in range(n) for i in range(b)]
    three = [4 + 24 * k + i for k in range(3) for i in range(8)]
    assert bytes_ == [*three, 100, 102, 110, 112]
    twice = np.array([*bytes_, *(128 + at for at in bytes_)])
    assert [layout.below(at) for at in range(256)] == [int((twice < at).sum()) for at in range(256)]
    assert Layout.of_bytes(8).repeated(5, 8) == Layout.of_bytes(40)
