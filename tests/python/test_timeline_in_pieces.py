# SPDX-License-Identifier: BSD-3-Clause
"""Time lines that are longer than memory are the same to the byte, whatever the pieces in which they are processed."""

from __future__ import annotations

import errno
import itertools
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from hypermon._files import scratch
from hypermon._files.scratch import Few, Scratch
from hypermon.errors import UserError
from hypermon.report import timeline_data, timeline_page
from hypermon.timelines import States, Statistic, TimeLine, hdtrace, joining
from hypermon.timelines.gathering import Gathering
from hypermon.timelines.tracks import Texts
from hypermon.timelines.window import Window
from tests.python import little_hdtrace, timeline_in_one_go
from tests.python.pvfs_like import made, made_long

CASES = int(os.environ.get("HYPERMON_TEST_CASES", "300"))
Random = np.random.Generator


def cut_anyhow(random: Random, patch: pytest.MonkeyPatch) -> None:
    """Pieces of any length, in memory or in files, compressed in pieces of any length."""
    patch.setattr(scratch, "ROWS", int(random.choice([1, 2, 3, 7, 50, 1000])))
    patch.setattr(scratch, "STEP", int(random.choice([1, 4, 1000])))
    patch.setattr(scratch, "MEMORY", int(random.choice([0, 200, 1 << 24])))
    patch.setattr(scratch, "FEW", int(random.choice([2, 3, 5, 32])))
    patch.setattr(timeline_data, "FEED", int(random.integers(1, 3000)))


def any_states(random: Random, path: str) -> States:
    """Ties, states of zero length, nested and overlapping states; ids of all 64 bits; details of every kind."""
    n = int(random.choice([0, 1, 2, 10, 60]))
    span = int(random.choice([3, 40, 3000]))
    begin = np.sort(random.integers(-20, span, n)) * int(random.choice([1, 1000]))
    end = begin + random.integers(0, 1 + int(random.choice([0, 2, 30, 400])), n)
    if random.random() < 0.2:  # one after the other
        end = np.append(begin[1:], begin[-1:])
    ids = random.integers(0, 1 << int(random.choice([2, 6, 63])), (2, n), np.uint64) * random.integers(
        0, 2, (2, n), np.uint64
    )
    words = np.array(["", "a", "matrix.0", "ü", "z"])
    number = random.integers(0, len(words), n)
    every: dict[str, Any] = {
        "bytes": random.integers(-1, 5000, n),
        "real": random.normal(0, 1, n),
        "whole": random.integers(-9, 9, n).astype(float),
        "text": words[number],
        "object": words.astype(object)[number],
        "numbered": Texts(("not in use", *words.tolist(), "a"), (number + 1).astype(np.int32)),
    }
    details = {key: column for key, column in every.items() if random.random() < 0.5}
    names = tuple(f"name {k}" for k in range(int(random.integers(1, 5))))
    name = random.integers(0, len(names), n).astype(np.int32)
    return States((path,), begin, end, names, name, ids[0], ids[1], details)


def any_line(random: Random) -> TimeLine:
    states = tuple(any_states(random, f"track {k}") for k in range(int(random.integers(0, 4))))
    times = np.unique(random.integers(0, 3000, int(random.integers(0, 40))))
    values = random.normal(0, 9, len(times)).round(int(random.integers(0, 2)))
    end_ps = max([3000, *(int(one.end_ps.max(initial=0)) for one in states)])
    return TimeLine(states, (Statistic(("s",), "W", times, values, True),), 0, end_ps)


def test_a_page_in_pieces_is_the_page_in_one_go_to_the_byte(monkeypatch: pytest.MonkeyPatch) -> None:
    random = np.random.default_rng(21)
    lanes = 0
    for case in range(CASES):
        lines = {f"run {k}": any_line(random) for k in range(int(random.integers(1, 3)))}
        cut_anyhow(random, monkeypatch)
        head, picture, details = timeline_data.packed(lines, "t")
        found = head, "".join(picture.text()), "".join(details.text())
        assert json.dumps(found) == json.dumps(timeline_in_one_go.packed(lines, "t")), case
        lanes = max(lanes, *(track["lanes"] for track in head["tracks"]), 0)
    assert lanes > 5


def same(one: States, other: States) -> bool:
    columns = ("begin_ps", "end_ps", "name", "id", "cause")
    return (
        (one.path, one.names, one.details.keys()) == (other.path, other.names, other.details.keys())
        and all(getattr(one, key).tolist() == getattr(other, key).tolist() for key in columns)
        and all(one.details[key].tolist() == other.details[key].tolist() for key in one.details)
    )


def test_states_that_come_in_pieces_are_those_that_come_at_once_sorted(monkeypatch: pytest.MonkeyPatch) -> None:
    random = np.random.default_rng(22)
    for case in range(CASES):
        one = any_states(random, "track")
        n = len(one.begin_ps)
        cut_anyhow(random, monkeypatch)
        mixed = random.permutation(n) if random.random() < 0.5 else np.arange(n)
        order = mixed[np.lexsort((-one.end_ps[mixed], one.begin_ps[mixed]))]
        gathering = Gathering(("track",), Scratch())
        cuts = np.arange(1, n) if random.random() < 0.3 else np.sort(random.integers(0, n + 1, 3))
        for places in np.split(mixed, cuts):
            gathering.add(taken(one, places))
        assert len(gathering) == n
        assert gathering.ids() == {int(number) for number in one.id if number}
        assert same(gathering.states(Scratch()), taken(one, order)), case


def test_details_that_some_pieces_lack_are_none_there_whoever_they_were_joined_with(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(scratch, "FEW", 2)
    gathering = Gathering(("track",), Scratch())
    none = np.zeros(1, np.uint64)
    every: list[dict[str, Any]] = [
        {"file": np.array(["b"])}, {}, {}, {"bytes": np.array([7])}, {"file": np.array(["a"]), "share": np.array([0.5])},
    ]  # fmt: skip
    for at, details in enumerate(every):
        begin = np.array([-at])
        gathering.add(States((), begin, begin, ("x",), np.zeros(1, np.int32), none, none, details))
    found = gathering.states(Scratch()).details
    assert {key: column.tolist() for key, column in found.items()} == {
        "bytes": [-1, 7, -1, -1, -1], "share": [0.5, -1, -1, -1, -1], "file": ["a", "", "", "", "b"],
    }  # fmt: skip
    assert list(found) == ["bytes", "share", "file"]


@pytest.mark.parametrize("count", [0, 1, 31, 32, 33, 1023, 1024, 5000])
def test_few_pieces_wait_however_many_came_in_their_order(count: int) -> None:
    few: Few[list[int]] = Few()
    written = 0

    def join(some: Sequence[list[int]]) -> list[int]:
        nonlocal written
        written += sum(map(len, some))
        return list(itertools.chain(*some))

    for number in range(count):
        few.add([number], join)
        assert len(list(few)) <= 31 * (1 + (number + 1 >= 32) + (number + 1 >= 1024))
    assert list(itertools.chain(*few)) == list(range(count))
    assert written == count // 32 * 32 + count // 1024 * 1024


def taken(one: States, places: Any) -> States:
    columns = (getattr(one, key)[places] for key in ("begin_ps", "end_ps", "name", "id", "cause"))
    begin, end, name, own, cause = columns
    details = {key: column[places] for key, column in one.details.items()}
    return States(one.path, begin, end, one.names, name, own, cause, details)


@pytest.mark.parametrize("rows", [1, 2, 5])
def test_a_project_is_read_the_same_in_pieces(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, rows: int) -> None:
    project = little_hdtrace.make(tmp_path / "one")
    whole = hdtrace.read(project)
    monkeypatch.setattr(scratch, "ROWS", rows)
    monkeypatch.setattr(scratch, "MEMORY", 0)
    found = hdtrace.read(project)
    assert len(found.states) == len(whole.states) > 0
    for a, b in zip(found.states, whole.states, strict=True):
        assert same(a, b)
        assert list(a.details) == list(b.details)
    assert (found.begin_ps, found.end_ps) == (whole.begin_ps, whole.end_ps)


def test_a_long_run_made_in_pieces_has_all_of_its_runs() -> None:
    line = made_long(2100, each=700, clients=2, servers=1)
    parts = [made(700, 2, 1, seed=seed) for seed in (1, 2, 3)]
    assert sum(len(one.id) for one in line.states) == sum(len(one.id) for part in parts for one in part.states)
    assert all((np.diff(one.begin_ps) >= 0).all() for one in line.states)


def test_texts_are_a_column_as_an_array_is() -> None:
    texts, array = Texts(("a", "bc", ""), np.array([1, 0, 2, 1], np.int32)), np.array(["bc", "a", "", "bc"])
    assert (np.asarray(texts) == array).all()
    assert ((texts == "bc") == (array == "bc")).all()
    assert (texts[0], texts[1:3].tolist(), texts[array != ""].tolist()) == ("bc", ["a", ""], ["bc", "a", "bc"])
    assert len(Texts((), np.zeros(0, np.int32))) == len(np.asarray(Texts((), np.zeros(0, np.int32)))) == 0


def test_progress_is_told_of_each_track_and_statistic(tmp_path: Path) -> None:
    line = made(70, clients=2, servers=1)
    told: list[int] = []
    timeline_page.write({"a": line, "b": line}, "t", tmp_path / "t.html", progress=told.append)
    assert told == list(range(2 * (len(line.states) + len(line.statistics))))


def test_states_that_are_not_sorted_are_refused() -> None:
    none, number = np.zeros(2, np.uint64), np.zeros(2, np.int32)
    wrong = States(("a", "b"), np.array([5, 3]), np.array([6, 6]), ("x",), number, none, none)
    with pytest.raises(ValueError, match="states of a/b are not sorted by begin"):
        timeline_data.packed({"": TimeLine((wrong,), (), 0, 9)}, "t")


@pytest.mark.parametrize("full", ["scratch", "page"])
def test_a_full_disk_leaves_neither_a_page_nor_a_part_of_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, full: str
) -> None:
    line = made(700, clients=2, servers=1)
    monkeypatch.setattr(scratch, "MEMORY", 0)

    def refuse(*_: object) -> int:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    if full == "scratch":
        monkeypatch.setattr(os, "pwrite", refuse)
    else:
        monkeypatch.setattr(timeline_page, "_texts", lambda *_: (refuse() for _ in range(2)))
    place = tempfile.gettempdir() if full == "scratch" else str(tmp_path / "page.html")
    with pytest.raises(UserError, match=f"^{place}: cannot be written: No space left on device$"):
        timeline_page.write({"": line}, "t", tmp_path / "page.html")
    assert list(tmp_path.iterdir()) == []


def bytes_in_memory(line: TimeLine) -> int:
    """Bytes of times, ids and causes that are in memory rather than in a file."""
    found = 0
    for array in (array for one in line.states for array in (one.begin_ps, one.end_ps, one.id, one.cause)):
        base: Any = array
        while isinstance(base, np.ndarray) and base.base is not None:
            base = base.base
        found += 0 if isinstance(base, memoryview) else array.nbytes
    return found


def test_all_tracks_share_the_memory_of_one_scratch(monkeypatch: pytest.MonkeyPatch) -> None:
    """If each track had its own scratch file, its first arrays would stay in memory: a gigabyte for two runs of 16
    nodes.
    """
    number, ids = np.zeros(100, np.int32), np.arange(1, 101, dtype=np.uint64)
    times = np.arange(5, 505, 5)
    tracks = tuple(States((f"node {n}",), times, times + 1, ("x",), number, ids, ids) for n in range(20))
    line = TimeLine(tracks, (), 5, 501)
    assert bytes_in_memory(line) == 20 * 4 * 800
    monkeypatch.setattr(scratch, "MEMORY", 4000)
    assert 0 < bytes_in_memory(joining.combine({"a": line, "b": line})) <= 4000
    assert 0 < bytes_in_memory(joining.cut(line, Window(50, 400))) <= 4000


ROOT = Path(__file__).resolve().parents[2]
MEASURED = """
import json, sys
from pathlib import Path
from hypermon._files import scratch
from hypermon.report import timeline_data, timeline_page
from tests.python.pvfs_like import made_long
scratch.MEMORY, scratch.ROWS, timeline_data.FEED = 0, 1 << 14, 1 << 14
timeline_page.write({"": made_long(int(sys.argv[1]), each=2_000)}, "t", Path(sys.argv[2]))
print(Path("/proc/self/status").read_text().partition("VmHWM:")[2].split()[0])
"""


def peak_mb(events: int, page: Path) -> float:
    """Peak memory of a separate process that writes such a page. `getrusage` would report pytest's, if that is larger."""
    command = [sys.executable, "-c", MEASURED, str(events), str(page)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return float(done.stdout) / 1e3


def test_memory_does_not_grow_with_the_states(tmp_path: Path) -> None:
    """300 000 more states would take 30 MB if all were in memory at once, and 39 MB if the 150 pieces of each track
    waited.
    """
    peak = [peak_mb(events, tmp_path / "page.html") for events in (40_000, 340_000)]
    assert peak[1] - peak[0] < 12, peak
    assert list(tmp_path.iterdir()) == [tmp_path / "page.html"]  # no temporary file is left


def file_pages_mb() -> float:
    """Megabytes of files that are mapped into this process and resident in memory."""
    return int(Path("/proc/self/status").read_text().partition("RssFile:")[2].split()[0]) / 1e3


@pytest.mark.parametrize(
    "work",
    [
        lambda line: joining.combine({"one": line, "other": line}),
        lambda line: joining.cut(line, Window(1, 1 << 62)),
    ],
    ids=["two lines", "a window"],
)
def test_what_was_read_of_a_scratch_file_does_not_stay_in_memory(work: Callable[[TimeLine], TimeLine]) -> None:
    n = 1 << 21
    kept = Scratch()
    column = np.arange(n, dtype=np.int64)
    begin, ids = kept.store(column - 5), kept.store(column.astype(np.uint64))
    states = States(("run", "one"), begin, begin, ("a",), kept.store(np.zeros(n, np.int32)), ids, ids)
    line = TimeLine((states,), (), -5, n)
    before = file_pages_mb()
    done = work(line)
    assert file_pages_mb() < before + 12  # each column has 16 MB
    assert len(done.states[0].begin_ps) >= n - 8
