# SPDX-License-Identifier: BSD-3-Clause
"""The terminal output of a run: the answer first, and the program's output as under mpirun."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import hypermon as api
from hypermon._engine import runner
from hypermon._engine.following import PIECE_BYTES, Following
from hypermon._inputs import scenario as scenarios
from hypermon._model import monitors, verdicts
from hypermon._model import worker as workers

Hypermon = Callable[..., "subprocess.CompletedProcess[str]"]
SMALL = ["table2/place", "--set", "nodes=2", "--set", "place.attempts=400", "--set", "place.accepted=100"]
PROGRAM = r"""
#include <mpi.h>
#include <stdio.h>
int main(int c, char** v) {
  int rank;
  MPI_Init(&c, &v);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  printf("out %d \a\xff\n", rank);
  fprintf(stderr, "err %d\n", rank);
  return MPI_Finalize();
}
"""


def result(monitor: str, generated: int, lost: int, own: int, ranks: list[dict[str, float]]) -> dict[str, Any]:
    unit = monitors.find(monitor).unit
    return {
        "spec": {"monitor": monitor},
        "elapsed_s": 3.0,
        "ranks": ranks,
        "ledger": {
            "unit": unit,
            "generated": {"events": generated, unit: 10 * generated},
            "lost_total": {"events": lost, unit: own},
        },
    }


@pytest.mark.parametrize(
    ("generated", "lost", "own", "sentences"),
    [
        (1000, 0, 0, ["No event was lost."]),
        (1000, 250, 2500, ["250 of 1\u202f000\u202fevents (25\u202f%) were lost."]),
        (1000, 0, 1, ["No event was lost, but 1\u202fnibble was."]),
        (0, 0, 0, []),
    ],
)
def test_losses_come_first(generated: int, lost: int, own: int, sentences: list[str]) -> None:
    assert verdicts.losses(result("hypermon", generated, lost, own, [])) == sentences


@pytest.mark.parametrize(
    ("unobserved_s", "sentence"),
    [
        (1.5, "The program ran 2 times as long as without a monitor."),
        (2.97, "The program ran 1.01\u202f% longer than without a monitor."),
        (3.0, "The program ran as long as without a monitor."),
        (4.0, "The program ran 25\u202f% shorter than without a monitor."),
        (None, "Emitting events took 20\u202f% of the busiest node's time."),
    ],
)
def test_a_slowdown_is_said_as_a_factor_or_in_percent(unobserved_s: float | None, sentence: str) -> None:
    ranks = [{"monitor_s": 0.1, "elapsed_s": 1.0}, {"monitor_s": 0.2, "elapsed_s": 1.0}]
    assert verdicts.slowdown(result("hypermon", 1, 0, 0, ranks), unobserved_s) == [sentence]


def test_every_monitor_of_ours_has_a_verdict() -> None:
    without = {
        name
        for name, one in monitors.registered().items()
        if monitors.part(one, verdicts.HasVerdict.verdict) is None and type(one).__module__.startswith("hypermon.")
    }
    assert without == {"none"}


@pytest.mark.worker
def test_the_terminal_and_the_page_say_the_same(tmp_path: Path, hypermon: Hypermon, monkeypatch: Any) -> None:
    monkeypatch.chdir(tmp_path)
    for monitor in ("hypermon", "software", "hpvm", "pcp", "scms", "supermon", "tau", "hdtrace", "funnel"):
        done = hypermon("run", *SMALL, "--set", f"monitor={monitor}", "--out", "run")
        assert done.returncode == 0, done.stderr
        verdict = " ".join(verdicts.sentences(api.Result("run")))
        assert done.stdout.splitlines()[2] == verdict.replace("\u202f", " ").replace("\u00b5", "u")
        assert hypermon("report", "run", "--out", "page.html").returncode == 0
        page = Path("page.html").read_text()
        assert [s for s in verdicts.sentences(api.Result("run")) if s.replace("'", "&#39;") not in page] == []


@pytest.mark.worker
def test_the_answer_comes_first_and_is_short_unless_all_is_wanted(
    tmp_path: Path, hypermon: Hypermon, monkeypatch: Any
) -> None:
    monkeypatch.chdir(tmp_path)
    alone = hypermon("run", *SMALL).stdout
    title, question, verdict, *rest = alone.splitlines()
    assert title == "table2/place: place on 2 nodes, monitor hypermon"
    assert question.startswith("Question: ")
    assert re.fullmatch(
        r"No event was lost\. The frame FIFO held at most \d+ of 1 024 frames\. Emitting events took .* time\.", verdict
    )
    numbers, following = "\n".join(rest).split("\nNext:\n")
    assert len(numbers.strip().splitlines()) <= 12
    assert "monitor.frames.built" not in alone
    commands = [line.strip() for line in following.splitlines() if line.startswith("  hypermon ")]
    unobserved = next(command for command in commands if "monitor=none" in command)
    for command in commands:  # the suggested commands work
        assert hypermon(*command.split()[1:]).returncode == 0
    assert "monitor.frames.built" in hypermon("run", *SMALL, "--all").stdout
    assert unobserved not in hypermon("run", *SMALL).stdout
    times = [api.run("table2/place", nodes=2, monitor=monitor, place={"attempts": 400, "accepted": 100}).elapsed_s
             for monitor in ("hypermon", "none")]  # fmt: skip
    assert f"The program ran {times[0] / times[1]:.3g} times as long" in hypermon("run", *SMALL).stdout


@pytest.mark.worker
@pytest.mark.skipif(shutil.which("smpicc") is None, reason="smpicc is not installed")
def test_a_users_program_writes_to_the_terminal_as_under_mpirun(tmp_path: Path, monkeypatch: Any) -> None:
    def raw(*words: str) -> subprocess.CompletedProcess[bytes]:
        command = [sys.executable, "-c", "from hypermon.cli import main; main()", *words]
        return subprocess.run(command, capture_output=True, check=True)

    monkeypatch.chdir(tmp_path)
    Path("loud.c").write_text(PROGRAM)
    out, err = (b"out 0 \a\xff\nout 1 \a\xff\n", b"err 0\nerr 1\n")
    words = ["run", "--program", "loud.c", "--np", "2"]
    done = raw(*words)
    assert done.stdout.startswith(out)
    assert err in done.stderr
    done = raw(*words, "--json")
    json.loads(done.stdout)
    assert out in done.stderr
    assert err in done.stderr
    done = raw(*words, "--quiet")
    assert b"out 0" not in done.stdout
    assert b"err 0" not in done.stderr


LONG = r"""
#include <mpi.h>
#include <stdio.h>
int main(int c, char** v) {
  MPI_Init(&c, &v);
  puts("begin");
  for (int i = 0; i < 100000; ++i) MPI_Barrier(MPI_COMM_WORLD);
  puts("end");
  return MPI_Finalize();
}
"""


@pytest.mark.worker
@pytest.mark.usefixtures("worker")
@pytest.mark.skipif(shutil.which("smpicc") is None, reason="smpicc is not installed")
def test_what_ranks_write_is_seen_while_they_run(tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.chdir(tmp_path)
    Path("long.c").write_text(LONG)
    settings: dict[str, object] = {"workload": "program", "program.file": "long.c", "nodes": 2, "monitor": "none"}
    spec = scenarios.find_or_program(None, settings).resolve(workers.schema(), settings)
    told: list[bytes] = []
    leaves = runner.Leaves(output=lambda _, data: told.append(data))
    runner.simulate(spec, tmp_path / "run", lambda *_: None, leaves=leaves)
    assert b"".join(told).count(b"begin\n") == b"".join(told).count(b"end\n") == 2
    assert told[:2] == [b"begin\n", b"begin\n"]  # each rank's line, before it continued


def test_what_is_written_is_told_in_whole_lines_once(tmp_path: Path) -> None:
    told: list[tuple[str, bytes]] = []
    following = Following(tmp_path, lambda stream, data: told.append((stream, data)))
    following.more()
    (tmp_path / "stdout").mkdir()
    rank = tmp_path / "stdout" / "rank10.txt"
    rank.write_bytes(b"one\ntw")
    (tmp_path / "stdout" / "rank2.txt").write_bytes(b"two\n")
    following.more()
    following.more()
    assert told == [("stdout", b"two\n"), ("stdout", b"one\n")]  # in the order of the ranks
    with rank.open("ab") as file:
        file.write(b"o\nend")
    following.more()
    following.more(ended=True)
    following.more(ended=True)
    assert told[2:] == [("stdout", b"two\n"), ("stdout", b"end")]


def test_a_line_longer_than_a_piece_is_told_whole(tmp_path: Path) -> None:
    told: list[bytes] = []
    following = Following(tmp_path, lambda _, data: told.append(data))
    (tmp_path / "stderr").mkdir()
    text = b"x" * (2 * PIECE_BYTES + 5) + b"\n"
    (tmp_path / "stderr" / "rank0.txt").write_bytes(text)
    following.more(ended=True)
    assert b"".join(told) == text
