# SPDX-License-Identifier: BSD-3-Clause
"""OTF2 archives, read by otf2-print (Debian: otf2-tools), which is independent of hypermon."""

from __future__ import annotations

import filecmp
import os
import re
import shutil
import subprocess
from collections import defaultdict
from pathlib import Path
from typing import NamedTuple

import pytest

from hypermon import timelines
from hypermon._engine import recorder
from hypermon.errors import UserError
from hypermon.timelines import Truth, Window
from hypermon.timelines.otf2 import ANCHOR
from tests.python.little_place import LITTLE, SCENARIO

pytestmark = pytest.mark.worker

RECORD = re.compile(r"(?P<kind>ENTER|LEAVE|MPI_SEND|MPI_RECV) +(?P<rank>\d+) +(?P<ps>\d+) +(?P<rest>.*)")
MESSAGE = re.compile(
    r'(?:Receiver|Sender): (?P<peer>\d+) .*Communicator: "MPI_COMM_WORLD".* Tag: (?P<tag>\d+), Length: (?P<length>\d+)'
)


class Record(NamedTuple):
    kind: str
    rank: int
    ps: int
    rest: str


def print_archive(folder: Path, *options: str) -> str:
    tool = shutil.which("otf2-print")
    if tool is None:
        if os.environ.get("HYPERMON_REQUIRE_OTF2"):
            pytest.fail("HYPERMON_REQUIRE_OTF2 is set, but otf2-print is not installed (Debian: otf2-tools)")
        pytest.skip("otf2-print is not installed (Debian: otf2-tools)")
    run = subprocess.run([tool, *options, str(folder / ANCHOR)], capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    assert run.stderr == ""
    return run.stdout


def records(folder: Path) -> list[Record]:
    lines = print_archive(folder).partition("=== Events ===")[2].splitlines()[3:]
    matches = [RECORD.fullmatch(line) for line in lines if line]
    assert all(matches)
    return [Record(m["kind"], int(m["rank"]), int(m["ps"]), m["rest"]) for m in matches if m]


@pytest.fixture(scope="module")
def truth(tmp_path_factory: pytest.TempPathFactory) -> Truth:
    recorded = recorder.record(SCENARIO, settings=LITTLE, out=tmp_path_factory.mktemp("otf2") / "run")
    return timelines.truth(recorded)


@pytest.fixture(scope="module")
def archive(truth: Truth, tmp_path_factory: pytest.TempPathFactory) -> Path:
    pytest.importorskip("otf2")
    out = tmp_path_factory.mktemp("otf2") / "archive"
    timelines.write(truth, out, "otf2")
    return out


def test_every_message_is_a_send_and_a_receive_record(truth: Truth, archive: Path) -> None:
    ends: defaultdict[str, list[tuple[int, int, int, int]]] = defaultdict(list)
    for record in records(archive):
        if record.kind.startswith("MPI_"):
            message = MESSAGE.match(record.rest)
            assert message is not None, record
            ends[record.kind].append((record.ps, record.rank, int(message["peer"]), int(message["length"])))
            assert message["tag"] == "0"
    by_side = {side: truth.events[truth.events["side"] == side].set_index("message") for side in ("send", "receive")}
    sends, receipts = [], []
    for message, sender, receiver in truth.messages[["message", "sender", "receiver"]].itertuples(index=False):
        sent, received = by_side["send"].loc[message], by_side["receive"].loc[message]
        length = sent["arg0"] % 2**24  # the event of the receipt has the same source and length
        assert received["arg0"] % 2**24 == length
        sends.append((sent["emitted_ps"], sender, receiver, length))
        receipts.append((received["done_ps"], receiver, sender, length))
    assert ends == {"MPI_SEND": sorted(sends), "MPI_RECV": sorted(receipts)}


def test_regions_are_the_calls_from_entry_to_exit_and_nest(truth: Truth, archive: Path) -> None:
    calls: dict[int, list[tuple[int, int]]] = {rank: [] for rank in range(truth.recording.nodes)}
    open_: dict[int, list[tuple[str, int]]] = {rank: [] for rank in calls}
    for kind, rank, ps, rest in records(archive):
        if kind == "ENTER":
            open_[rank].append((rest, ps))
        elif kind == "LEAVE":
            region, begin = open_[rank].pop()
            assert region == rest
            if '"MPI_' in region:
                calls[rank].append((begin, ps))
        elif kind == "MPI_SEND":
            assert '"MPI_Send"' in open_[rank][-1][0] or '"MPI_Isend"' in open_[rank][-1][0]
    assert not any(open_.values())
    for rank, found in calls.items():
        events = truth.events[truth.events["node"] == rank]
        entries = events.loc[events["type"] == "syscall_entry", "emitted_ps"]
        exits = events.loc[events["type"] == "syscall_exit", "done_ps"]
        assert found == list(zip(entries, exits, strict=True))


def test_the_communicator_is_all_ranks_in_picoseconds(truth: Truth, archive: Path) -> None:
    definitions = print_archive(archive, "-G")
    assert f"Ticks per Seconds: {10**12}" in definitions
    group = re.search(
        r'GROUP .*Name: "MPI_COMM_WORLD".*Type: COMM_GROUP, Paradigm: MPI.*?(\d+) Members: (.*)', definitions
    )
    assert group is not None
    assert int(group[1]) == truth.recording.nodes
    assert re.search(r'COMM +\d+ +Name: "MPI_COMM_WORLD"', definitions)


def test_a_window_has_whole_messages_and_whole_regions(truth: Truth, tmp_path: Path) -> None:
    pytest.importorskip("otf2")
    middle = int(truth.events["true_ps"].median())
    window = Window(middle - 20_000_000_000, middle + 20_000_000_000)
    timelines.write(truth, tmp_path / "part", "otf2", window)
    found = records(tmp_path / "part")
    assert all(window.begin_ps <= record.ps <= window.end_ps for record in found)
    kinds = [record.kind for record in found]
    assert kinds.count("ENTER") == kinds.count("LEAVE") > 0
    assert kinds.count("MPI_SEND") == kinds.count("MPI_RECV") > 0


def test_the_same_archive_has_the_same_bytes(truth: Truth, archive: Path, tmp_path: Path) -> None:
    again = tmp_path / "again"
    timelines.write(truth, again, "otf2")
    files = sorted(path.relative_to(archive) for path in archive.rglob("*") if path.is_file())
    assert files == sorted(path.relative_to(again) for path in again.rglob("*") if path.is_file())
    _, differ, errors = filecmp.cmpfiles(archive, again, map(str, files), shallow=False)
    assert (differ, errors) == ([], [])
    middle = int(truth.events["true_ps"].median())
    timelines.write(truth, tmp_path / "part", "otf2", Window(0, middle))
    # the two archives have different identifiers
    assert (tmp_path / "part" / ANCHOR).read_bytes() != (archive / ANCHOR).read_bytes()


def test_a_folder_that_is_not_ours_is_left_alone(truth: Truth, tmp_path: Path) -> None:
    pytest.importorskip("otf2")
    (tmp_path / "mine.txt").write_text("keep")
    with pytest.raises(UserError, match="exists and is not something that hypermon wrote"):
        timelines.write(truth, tmp_path, "otf2")
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]
