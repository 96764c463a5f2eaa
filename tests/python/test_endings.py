# SPDX-License-Identifier: BSD-3-Clause
"""Ends of the program's processes, and the files that they leave, are the same for each rank as under smpirun."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import hypermon
from hypermon.errors import SimulationError
from tests.python import both_ways

pytestmark = pytest.mark.worker
BOTH = pytest.mark.parametrize("messages", ["nx2", "smpi"])
AT_EXIT = ["static object", "destructor"]  # output of a rank that has registered no handler


@pytest.fixture(scope="module")
def endings(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return both_ways.compiled("endings.cpp", tmp_path_factory.mktemp("endings"))


@pytest.fixture(scope="module")
def reader(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return both_ways.compiled("input.cpp", tmp_path_factory.mktemp("input"))


def lines(written: str) -> list[str]:
    return [line for line in written.splitlines() if line not in AT_EXIT]


@BOTH
@pytest.mark.parametrize(
    ("how", "message"),
    [
        ("status", "rank 1 returned status 4 before MPI_Finalize"),
        ("exit", "rank 1 called exit(3) before MPI_Finalize"),
        ("all", "ranks 1 to 3 returned status 1; ranks 4 to 7 returned status 2"),
    ],
)
def test_all_ranks_run_to_their_end_then_the_status_of_each_is_said(
    worker: Path, endings: Path, tmp_path: Path, messages: str, how: str, message: str
) -> None:
    ended = both_ways.simulated(worker, endings, 8, messages, tmp_path / "run", [how])
    assert ended.status == 3
    assert ended.stderr.startswith(f"error: the program failed: {message}\n")
    others = [rank for rank in range(8) if how == "all" or rank != 1]
    assert [lines(ended.out[rank]) for rank in others] == [[f"rank {rank} goes on"] for rank in others]
    assert not (tmp_path / "run" / "result.json").exists()
    theirs = both_ways.smpirun(endings, 8, how)
    assert theirs.returncode != 0
    went_on = [line for line in theirs.stdout.splitlines() if line.endswith("goes on")]
    assert sorted(went_on) == sorted(f"rank {rank} goes on" for rank in others)


@pytest.mark.parametrize("messages", ["nx2", "packets"])
def test_ranks_that_wait_for_one_that_has_ended_are_deadlocked(
    worker: Path, endings: Path, tmp_path: Path, messages: str
) -> None:
    settings = {"packets.network": "packets"} if messages == "packets" else {}
    alone = both_ways.simulated(worker, endings, 4, messages, tmp_path / "alone", ["alone"], **settings)
    assert alone.status == 3
    assert "the program deadlocked" in alone.stderr
    assert "mistake of hypermon" not in alone.stderr
    assert alone.stderr.count("waits for MPI_Barrier\n") == 3
    assert "\n  rank 0 called exit(3) before MPI_Finalize\n" in alone.stderr
    sent = both_ways.simulated(worker, endings, 2, messages, tmp_path / "sent", ["sent"], **settings)
    assert sent.status == 3
    assert lines(sent.out[0]) == ["sent"]
    assert "rank 0 waits for MPI_Send to rank 1, tag 0" in sent.stderr
    assert "rank 1 returned status 4 before MPI_Finalize" in sent.stderr


def test_a_message_of_smpis_to_a_rank_that_has_ended_is_told_as_such(
    worker: Path, endings: Path, tmp_path: Path
) -> None:
    alone = both_ways.simulated(worker, endings, 4, "smpi", tmp_path / "alone", ["alone_late"])
    assert alone.status == 3
    assert "sent a message to a rank that had ended in MPI_Barrier, called from main" in alone.stderr
    assert "\n  rank 0 called exit(3) before MPI_Finalize\n" in alone.stderr


@BOTH
def test_who_waits_for_a_rank_that_has_ended_is_said_with_how_that_ended(
    worker: Path, endings: Path, tmp_path: Path, messages: str
) -> None:
    ended = both_ways.simulated(worker, endings, 2, messages, tmp_path / "run", ["missed"])
    assert ended.status == 3
    assert "the program deadlocked" in ended.stderr
    assert "rank 0 waits for MPI_Recv" in ended.stderr
    assert "\n  rank 1 returned status 4 before MPI_Finalize\n" in ended.stderr
    assert "rank 1 waits" not in ended.stderr


@BOTH
def test_what_runs_at_exit_prints_into_the_ranks_own_output(
    worker: Path, endings: Path, tmp_path: Path, messages: str
) -> None:
    ended = both_ways.simulated(worker, endings, 4, messages, tmp_path / "run", ["handlers"])
    assert ended.status == 0, ended.stderr
    in_order = ["thread-local object", "on_exit 0 text", "atexit", "static object", "destructor"]
    assert [written.splitlines() for written in ended.out] == [in_order] * 4
    theirs = both_ways.smpirun(endings, 4, "handlers").stdout.splitlines()
    assert sorted(theirs) == sorted(in_order * 4)


@BOTH
@pytest.mark.parametrize(
    ("how", "child", "status"),
    [
        ("fork exit", [], "status 5"),
        ("fork _exit", [], "status 6"),
        ("fork main", [], "status 7"),
        ("fork vfork", [], "status 7"),
        ("fork sleep", [], "status 0"),
        ("fork crash", [], "signal 6"),
        ("fork exec", ["another program"], "status 0"),
        ("fork MPI", [], "status 3"),
    ],
)
def test_a_child_ends_with_its_own_status_and_the_ranks_go_on(
    worker: Path, endings: Path, tmp_path: Path, messages: str, how: str, child: list[str], status: str
) -> None:
    ended = both_ways.simulated(worker, endings, 2, messages, tmp_path / "run", [f"'{how}'"])
    assert ended.status == 0, ended.stderr
    assert [lines(written) for written in ended.out] == [["before", "in the child", *child, f"child: {status}"]] * 2
    if how == "fork MPI":
        assert all(
            "error: MPI_Barrier in a child of fork: only its parent is a rank" in written for written in ended.error
        )


@BOTH
def test_what_other_programs_write_is_the_ranks_output(
    worker: Path, endings: Path, tmp_path: Path, messages: str
) -> None:
    ended = both_ways.simulated(worker, endings, 2, messages, tmp_path / "run", ["programs"])
    assert ended.status == 0, ended.stderr
    expected = ["by system", "system: 3", "to cat", "popen: 4", "read back", "spawned", "child: status 0"]
    assert [lines(written) for written in ended.out] == [expected] * 2
    assert ended.error == ["an error\n"] * 2


@BOTH
def test_freopen_leads_a_ranks_output_to_a_file(worker: Path, endings: Path, tmp_path: Path, messages: str) -> None:
    ended = both_ways.simulated(worker, endings, 2, messages, tmp_path / "run", ["freopen", str(tmp_path / "file")])
    assert ended.status == 0, ended.stderr
    assert ended.out == ["before\n"] * 2
    assert ended.error == ["stderr\n"] * 2
    for rank in (0, 1):
        assert lines((tmp_path / f"file{rank}").read_text()) == [f"printf {rank}", "cout", "write"]


@pytest.mark.parametrize(
    ("messages", "how"),
    [("nx2", how) for how in ("fgets", "getchar", "getc_unlocked", "read", "fread", "scanf", "getline", "cin")]
    + [("smpi", "fgets")],
)
def test_rank_0_reads_program_input_and_the_others_nothing(
    worker: Path, reader: Path, tmp_path: Path, messages: str, how: str
) -> None:
    text = tmp_path / "input.txt"
    text.write_text("12 34\nlast\n")
    settings = {"program.input": f"{text}@sha256:{both_ways.digest(text)}"}
    ended = both_ways.simulated(worker, reader, 2, messages, tmp_path / "run", [how], **settings)
    assert (ended.status, ended.out) == (0, ["12 34\nlast\n", ""])
    without = both_ways.simulated(worker, reader, 2, messages, tmp_path / "without", [how])
    assert (without.status, without.out) == (0, ["", ""])


def test_program_input_is_a_file_of_the_specification(
    worker: Path,  # noqa: ARG001 (says that it is built)
    reader: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("numbers.txt").write_text("1\n")
    program = {"file": reader, "arguments": "fgets", "input": "numbers.txt"}
    settings = {"nodes": 2, "monitor": "none", "workload": "program"}
    first = hypermon.run(program=program, settings=settings)
    Path("numbers.txt").write_text("2\n")
    second = hypermon.run(program=program, settings=settings)
    assert (first.output(0), second.output(0)) == ("1\n", "2\n")
    assert first.path != second.path  # another specification


def test_the_command_says_that_its_own_input_is_not_the_programs(
    worker: Path,  # noqa: ARG001 (says that it is built)
    reader: Path,
    tmp_path: Path,
) -> None:
    (tmp_path / "in.txt").write_text("1\n")
    command = [sys.executable, "-c", "from hypermon.cli import main; main()", "run", "--program", str(reader)]
    command += ["--np", "2", "--set", "monitor=none"]

    def warnings(stdin: str, out: str, *more: str) -> str:
        with Path(stdin).open() as file:
            done = subprocess.run(
                [*command, *more, "--out", str(tmp_path / out), "--", "fgets"],
                stdin=file, capture_output=True, text=True, check=True,
            )  # fmt: skip
        return done.stderr

    warning = "warning: the program does not read standard input: --set program.input=FILE gives it to rank 0\n"
    assert warnings(str(tmp_path / "in.txt"), "1") == warning
    assert warnings(os.devnull, "2") == ""
    assert warnings(str(tmp_path / "in.txt"), "3", "--set", f"program.input={tmp_path / 'in.txt'}") == ""


def test_a_failed_runs_output_of_all_ranks_is_kept(
    worker: Path,  # noqa: ARG001 (says that it is built)
    endings: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SimulationError, match="ranks 1 to 3 returned status 1") as failed:
        hypermon.run(
            program={"file": endings, "arguments": "all"}, workload="program", nodes=4, monitor="none", out="r"
        )
    assert "its last lines on standard output:\n    rank 1 goes on\n" in str(failed.value)
    assert [lines(Path(f"r-failed/stdout/rank{r}.txt").read_text()) for r in range(4)] == [
        [f"rank {r} goes on"] for r in range(4)
    ]
