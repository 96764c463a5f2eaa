# SPDX-License-Identifier: BSD-3-Clause
"""OTF2 archives of MPI programs, as Score-P writes them, become program scripts."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from hypermon.errors import UserError
from hypermon.importing import otf2 as archives
from hypermon.importing.script import SELF, Script

otf2 = pytest.importorskip("otf2")
from tests.python.little_archives import Comms, Write, archive  # noqa: E402 (needs it)


def actions(script: Script, rank: int) -> list[tuple[str, int, int]]:
    """(operation, peer, size)"""
    arrays = script.arrays()
    row = arrays["ranks"][rank]
    chosen = arrays["actions"][row["first"] : row["first"] + row["actions"]]
    return [(arrays["operations"][a["operation"]].decode(), int(a["peer"]), int(a["size"])) for a in chosen]


def test_a_rank_computes_between_its_calls_and_sends_what_the_records_say(tmp_path: Path) -> None:
    def sender(events: Any, comms: Comms, call: Any) -> None:
        call("MPI_Init", 0, 100)
        call("MPI_Comm_rank", 200, 250)
        call("MPI_Send", 1100, 1200, lambda: events.mpi_send(1150, 1, comms.world, 7, 64))
        call("MPI_Finalize", 1500, 1600)

    def receiver(events: Any, comms: Comms, call: Any) -> None:
        def receive() -> None:
            events.mpi_irecv_request(310, 42)

        call("MPI_Init", 0, 100)
        call("MPI_Irecv", 300, 320, receive)
        call("MPI_Wait", 820, 1250, lambda: events.mpi_irecv(1240, 0, comms.world, 7, 64, 42))
        call("MPI_Finalize", 1300, 1600)

    script = archives.read(archive(tmp_path / "a", sender, receiver), tmp_path / "a.script")
    ns = 1000  # ps
    assert actions(script, 0) == [
        ("compute", -1, (1100 - 100) * ns),
        ("send", 1, 64),
        ("compute", -1, (1500 - 1200) * ns),
    ]
    assert actions(script, 1) == [
        ("compute", -1, (300 - 100) * ns),
        ("irecv", 0, 64),  # known at its completion
        ("compute", -1, (820 - 320) * ns),
        ("wait", -1, 0),
        ("compute", -1, (1300 - 1250) * ns),
    ]
    assert script.not_represented == ()


def test_collectives_have_a_rank_s_bytes_out_of_those_of_all(tmp_path: Path) -> None:
    count = 3
    size = 10

    def writer(rank: int) -> Write:
        def program(events: Any, comms: Comms, call: Any) -> None:
            def end(operation: Any, root: int, sent: int, received: int) -> None:
                events.mpi_collective_begin(10)
                events.mpi_collective_end(20, operation, comms.world, root, sent, received)

            kinds = otf2.CollectiveOp
            sent = count * size if rank == 1 else 0
            call("MPI_Bcast", 5, 25, lambda: end(kinds.BCAST, 1, sent, size))
            own = size * (rank + 1)
            everything = size * sum(range(1, count + 1))

            def gather() -> None:
                events.mpi_collective_begin(40)
                events.mpi_collective_end(50, kinds.GATHERV, comms.world, 0, own, everything if rank == 0 else 0)

            call("MPI_Gatherv", 35, 55, gather)
            call("MPI_Win_fence", 60, 70)

        return program

    script = archives.read(archive(tmp_path / "a", *map(writer, range(count))), tmp_path / "a.script")
    arrays = script.arrays()
    for rank in range(count):
        assert actions(script, rank)[0] == ("bcast", 1, size)
        assert ("gatherv", 0, size * (rank + 1)) in actions(script, rank)
    assert arrays["lists"].tolist() == [count, *(size * (rank + 1) for rank in range(count))]
    [lost] = script.not_represented
    assert (lost.kind, lost.count) == ("mpi_win_fence: its time as computing", count)


def test_a_rank_sends_to_itself(tmp_path: Path) -> None:
    def program(events: Any, comms: Comms, call: Any) -> None:
        def exchange() -> None:
            events.mpi_send(20, 0, comms.self, 7, 64)
            events.mpi_recv(30, 0, comms.self, 7, 64)

        def barrier() -> None:
            events.mpi_collective_begin(50)
            events.mpi_collective_end(60, otf2.CollectiveOp.BARRIER, comms.self, 0, 0, 0)

        call("MPI_Sendrecv", 10, 40, exchange)
        call("MPI_Barrier", 50, 60, barrier)

    script = archives.read(archive(tmp_path / "a", program, program), tmp_path / "a.script")
    sent, received = [a for a in script.arrays()["actions"] if a["size"] == 64][:2]
    assert sent["communicator"] == received["communicator"] == SELF
    assert actions(script, 0)[:2] == [("sendrecv", 0, 64), ("sendrecv_in", 0, 64)]
    assert script.not_represented == ()


def test_a_damaged_archive_is_one_error(tmp_path: Path) -> None:
    anchor = archive(tmp_path / "a", lambda _events, _comms, call: call("MPI_Barrier", 0, 10))
    for name, content in (("global definitions", b"x"), ("anchor", b"no archive")):
        file = anchor if name == "anchor" else anchor.with_suffix(".def")
        file.write_bytes(content)
        with pytest.raises(UserError, match=r"traces\.otf2: cannot be read beyond event 0"):
            archives.read(anchor, tmp_path / "a.script")
    with pytest.raises(UserError, match="must be an OTF2 archive's anchor file"):
        archives.read(tmp_path, tmp_path / "a.script")


def test_an_archive_that_breaks_the_heap_of_otf2s_library_is_one_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The archive's anchor file claims 2^31 - 1 properties."""
    from tests.python.little_archives import exchange

    anchor = exchange(tmp_path / "a")
    content = anchor.read_bytes()
    monkeypatch.setenv("PYTHONMALLOC", "malloc")  # with it, the heap that the library corrupts is checked more often
    for tail in (b"\xff\xff\xff\x7f", b"\xff\xff\xff\xff", b"\x01\x00\x00\x00"):
        anchor.write_bytes(content[:-4] + tail)
        # Whether the process crashes depends on its heap; test_untrusted_files.py has an archive that always crashes
        # it.
        with pytest.raises(UserError, match=r"traces\.otf2: (is damaged, or no OTF2 archive|cannot be read)"):
            archives.read(anchor, tmp_path / "a.script")
        assert sorted(path.name for path in tmp_path.iterdir()) == ["a"]


def test_an_archive_whose_file_is_a_pipe_does_not_hang(tmp_path: Path) -> None:
    from tests.python.little_archives import exchange

    archive_ = exchange(tmp_path / "a")
    events = tmp_path / "a" / "traces" / "0.evt"
    events.unlink()
    os.mkfifo(events)
    with pytest.raises(UserError, match=r"0\.evt: is a pipe, must be a file"):
        archives.read(archive_, tmp_path / "a.script")
