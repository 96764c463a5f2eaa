# SPDX-License-Identifier: BSD-3-Clause
"""Programs that wait by looking at a clock, by asking MPI or by reading a window: simulated time passes, under NX/2 as under SMPI."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.python import both_ways
from tests.python.both_ways import Ended

pytestmark = pytest.mark.worker
LOOK = {"nx2": 130e-6, "smpi": 10e-9}  # os.syscall_us; SimGrid's smpi/wtime
TEST = 4e-6  # os.test_us
FREE_READS = 1000
WAIT = 2e-3
CLOCKS = ["wtime", "realtime", "monotonic", "raw", "process", "gettimeofday", "clock", "timespec_get", "getrusage",
          "steady", "system"]  # fmt: skip
OF_SMPIRUN = ["wtime", "realtime", "monotonic", "raw", "process", "gettimeofday"]  # it has no others


@pytest.fixture(scope="module")
def polling(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return both_ways.compiled("polling.cpp", tmp_path_factory.mktemp("polling"))


@pytest.fixture(scope="module")
def sampling(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return both_ways.compiled("sampling.c", tmp_path_factory.mktemp("sampling"))


def seen(line: str) -> tuple[int, float]:
    """Looks and seconds of what a rank wrote."""
    found = re.fullmatch(r"\d+: (\d+) looks, ([\d.]+) s\n", line)
    assert found is not None, line
    return int(found[1]), float(found[2])


def good(ended: Ended) -> list[str]:
    assert ended.status == 0, ended.stderr
    return ended.out


@pytest.mark.parametrize("clock", CLOCKS)
@pytest.mark.parametrize("messages", ["nx2", "smpi"])
def test_a_loop_over_any_clock_ends_when_its_time_is_over(
    worker: Path, polling: Path, tmp_path: Path, messages: str, clock: str
) -> None:
    each = LOOK[messages]
    for line in good(both_ways.simulated(worker, polling, 2, messages, tmp_path / "run", [clock, str(WAIT)])):
        looks, seconds = seen(line)
        assert seconds == pytest.approx((looks + 2) * each, abs=each + 2e-9)  # with the first, and MPI_Wtime
        assert WAIT - 2e-6 <= seconds <= WAIT + 3 * each  # getrusage has microseconds


@pytest.mark.parametrize("clock", OF_SMPIRUN)
def test_with_smpis_messages_a_loop_ends_where_it_does_under_smpirun(
    worker: Path, polling: Path, tmp_path: Path, clock: str
) -> None:
    theirs = both_ways.smpirun(polling, 2, clock, "1e-4")
    ours = both_ways.simulated(worker, polling, 2, "smpi", tmp_path / "run", [clock, "1e-4"])
    assert sorted(good(ours)) == sorted(line + "\n" for line in theirs.stdout.splitlines())


@pytest.mark.parametrize(("messages", "ranks"), [("nx2", 2), ("smpi", 1)])
@pytest.mark.parametrize("clock", ["time", "times"])
def test_clocks_that_count_seconds_or_hundredths_move_too(
    worker: Path, polling: Path, tmp_path: Path, messages: str, ranks: int, clock: str
) -> None:
    wait = {"time": 1.0, "times": 0.1}[clock]
    for line in good(both_ways.simulated(worker, polling, ranks, messages, tmp_path / "run", [clock, str(wait)])):
        looks, seconds = seen(line)
        assert wait - 0.01 <= seconds <= wait + 3 * LOOK[messages]
        assert looks + 2 == pytest.approx(seconds / LOOK[messages], rel=1e-3)


def test_what_a_look_takes_may_be_said(worker: Path, polling: Path, tmp_path: Path) -> None:
    settings = {"smpi.clock_cost": "1e-5"}
    for line in good(both_ways.simulated(worker, polling, 2, "smpi", tmp_path / "1", ["clock", "0.01"], **settings)):
        looks, seconds = seen(line)
        assert looks == pytest.approx(1000, abs=1)
        assert seconds == pytest.approx(0.01 + 2e-5, abs=1.1e-5)
    refused = both_ways.simulated(
        worker, polling, 2, "smpi", tmp_path / "2", ["clock", "1"], **{"smpi.clock_cost": "soon"}
    )
    assert (refused.status, refused.stderr) == (
        2,
        'error: smpi.clock_cost = "soon": must be a number of seconds, 0 or more\n',
    )


def test_looks_that_take_no_time_are_found_to_be_work_without_end(worker: Path, polling: Path, tmp_path: Path) -> None:
    settings = {"smpi.clock_cost": "0", "limits.steps_at_once": 5000}
    ended = both_ways.simulated(worker, polling, 2, "smpi", tmp_path / "run", ["clock", "1"], **settings)
    assert ended.status == 3
    assert "rank 0 has read clocks more often than limits.steps_at_once allows" in ended.stderr


@pytest.mark.parametrize("call", ["get_status", "test", "iprobe"])
@pytest.mark.parametrize("messages", ["nx2", "smpi"])
def test_asking_for_a_message_ends_when_it_comes(
    worker: Path, polling: Path, tmp_path: Path, messages: str, call: str
) -> None:
    written = good(both_ways.simulated(worker, polling, 2, messages, tmp_path / "run", [call]))
    assert 0.01 < seen(written[0])[1] < 0.02
    if messages == "smpi":
        theirs = both_ways.smpirun(polling, 2, call).stdout.splitlines(keepends=True)
        assert sorted(written) == sorted(theirs)


@pytest.mark.parametrize("call", ["lock", "flush", "flush_local", "rget", "sync"])
@pytest.mark.parametrize("messages", ["nx2", "smpi", "packets"])
def test_reading_the_own_window_ends_when_another_rank_has_written(
    worker: Path, polling: Path, tmp_path: Path, messages: str, call: str
) -> None:
    settings = {"packets.network": "packets"} if messages == "packets" else {}
    # Without time for a read, the run would end here.
    written = good(
        both_ways.simulated(
            worker, polling, 2, messages, tmp_path / "run", ["window", call],
            **settings, **{"limits.steps_at_once": 50_000},
        )
    )  # fmt: skip
    reads, seconds = seen(written[0])
    assert 0.01 < seconds < 0.02
    assert reads == pytest.approx(FREE_READS + seconds / TEST, rel=0.2)  # the rest of the time are other calls


@pytest.mark.parametrize("messages", ["nx2", "smpi"])
@pytest.mark.parametrize("macro", ["local", "global", "flops", "delay"])
def test_sampling_macros_bring_no_host_time_into_a_result(
    worker: Path, sampling: Path, tmp_path: Path, messages: str, macro: str
) -> None:
    runs = [good(both_ways.simulated(worker, sampling, 2, messages, tmp_path / run, [macro])) for run in "12"]
    results = [(tmp_path / run / "result.json").read_bytes() for run in "12"]
    assert runs[0] == runs[1]
    assert results[0] == results[1]
    if macro in ("local", "global"):
        assert all(line.startswith("100 rounds") for line in runs[0])  # all of the loop
    elif messages == "smpi":
        theirs = both_ways.smpirun(sampling, 2, macro)
        assert sorted(runs[0]) == sorted(theirs.stdout.splitlines(keepends=True))
    else:
        took = {"flops": 3e9 / 1e9, "delay": 3 * 20e3 / 1e9}[macro]  # a node has 1 Gflop/s, SMPI's host 20 kflop/s
        assert float(runs[0][0].split()[2]) == pytest.approx(took + 130e-6, rel=1e-3)
