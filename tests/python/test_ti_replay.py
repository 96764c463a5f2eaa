# SPDX-License-Identifier: BSD-3-Clause
"""On an XML machine every rank of a time-independent trace ends at the same time as in SimGrid's own replay."""

from __future__ import annotations

import os
import random
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

import hypermon
from hypermon.errors import SimulationError
from hypermon.importing import ti
from tests.python import little_traces

pytestmark = [pytest.mark.worker, pytest.mark.usefixtures("worker")]
CLUSTER = Path(__file__).resolve().parents[1] / "platforms" / "cluster.xml"
PS = 1e-12  # a result's last digit
CASES = int(os.environ.get("HYPERMON_TEST_CASES", "12"))
SCAN = r"""
#include <mpi.h>
int main(int argc, char** argv) {
  static int in[21000], out[21000];
  MPI_Init(&argc, &argv);
  for (int n = 7000; n <= 21000; n += 7000) MPI_Scan(in, out, n, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
"""

ASYNCHRONOUS = r"""
#include <mpi.h>
int main(int argc, char** argv) {
  static char in[70000], out[70000];
  int rank, ranks, which;
  MPI_Request requests[2];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  int to = (rank + 1) % ranks, from = (rank + ranks - 1) % ranks;
  MPI_Irecv(in, 70000, MPI_BYTE, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, requests);
  MPI_Issend(out, 70000, MPI_BYTE, to, 1, MPI_COMM_WORLD, requests + 1);
  MPI_Wait(requests, MPI_STATUS_IGNORE);
  MPI_Wait(requests + 1, MPI_STATUS_IGNORE);
  MPI_Irecv(in, 7000, MPI_BYTE, from, 2, MPI_COMM_WORLD, requests);
  MPI_Isend(out, 7000, MPI_BYTE, to, 2, MPI_COMM_WORLD, requests + 1);
  for (int i = 0; i < 2; ++i) MPI_Waitany(2, requests, &which, MPI_STATUS_IGNORE);
  MPI_Send_init(out, 100, MPI_INT, to, 3, MPI_COMM_WORLD, requests);
  MPI_Recv_init(in, 100, MPI_INT, from, 3, MPI_COMM_WORLD, requests + 1);
  for (int i = 0; i < 2; ++i) MPI_Start(requests + i);
  for (int i = 0; i < 2; ++i) MPI_Wait(requests + i, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return 0;
}
"""


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if shutil.which("smpirun") is None:
        pytest.skip("smpirun is not installed")
    monkeypatch.chdir(tmp_path)


def smpirun(ranks: int, *arguments: str) -> list[str]:
    """Its log: time, rank, text."""
    logs = ["--log=root.thres:error", "--log=smpi_replay.thres:verbose", "--log=root.fmt:%.17r|%a|%m%n"]
    command = ["smpirun", "-np", str(ranks), "-platform", str(CLUSTER), "--cfg=smpi/simulate-computation:no", *logs]
    if "-replay" in arguments:
        command.remove("--cfg=smpi/simulate-computation:no")
    done = subprocess.run([*command, *arguments], capture_output=True, text=True, timeout=60, check=False)
    return (done.stdout + done.stderr).splitlines() if done.returncode == 0 else []


def replayed(ranks: int, files: str) -> list[int]:
    """The end of each rank in ps; empty if SimGrid does not replay the list of files."""
    ends = {}
    for line in smpirun(ranks, "-replay", files):
        date, rank, _ = line.split("|", 2)
        ends[int(rank)] = round(float(date) / PS)
    return [ends.get(rank, 0) for rank in range(ranks)] if ends else []


def simulated(ranks: int, files: str, number: int = 0) -> list[int]:
    script = ti.read(files, f"{number}.script")
    result = hypermon.run(trace=script.path, platform=CLUSTER, settings={"monitor": "none"}, out=f"run{number}")
    assert len(result["ranks"]) == ranks
    return [round(rank["elapsed_s"] / PS) for rank in result["ranks"]]


def written(lines: Sequence[Sequence[str]], one_file: bool) -> str:
    """The list of files."""
    shutil.rmtree("traces", ignore_errors=True)
    Path("traces").mkdir()
    files = [[line for of_rank in lines for line in of_rank]] if one_file else lines
    for number, content in enumerate(files):
        Path(f"traces/{number}.txt").write_text("# a comment\n\n" + "\n".join(content) + "\n")
    Path("traces/list").write_text("".join(f"traces/{number}.txt\n" for number in range(len(files))))
    return "traces/list"


def test_ranks_end_when_they_do_under_simgrids_replay() -> None:
    r = random.Random(20221003)
    compared = 0
    for case in range(CASES):
        ranks = r.choice((2, 3, 4, 5, 8, 13, 14))  # more than 12: some share a host
        files = written(little_traces.trace(r, ranks, 8), one_file=case % 2 == 0)
        wanted = replayed(ranks, files)
        if not wanted:  # some of SMPI's algorithms do not accept all numbers of ranks
            with pytest.raises(SimulationError, match="uncaught exception"):
                simulated(ranks, files, case)
            continue
        assert simulated(ranks, files, case) == wanted, f"case {case}: {files}"
        compared += 1
    assert compared > CASES / 2


def traced(ranks: int, text: str) -> int:
    """Writes the program's trace to a.trace, and returns its end in ps."""
    Path("a.c").write_text(text)
    subprocess.run(["smpicc", "a.c", "-o", "a"], check=True)
    options = ("--cfg=smpi/display-timing:yes", "--log=smpi_utils.thres:info", "--log=smpi.thres:info")
    lines = smpirun(ranks, "-trace-ti", "-trace-file", "a.trace", *options, "./a")
    (end,) = {round(float(line.split("|")[0]) / PS) for line in lines if "Simulated time" in line}
    return end


def test_a_scan_takes_its_original_time_which_simgrids_replay_does_not() -> None:
    original = traced(8, SCAN)
    assert max(simulated(8, "a.trace")) == original
    assert max(replayed(8, "a.trace")) != original


def test_an_asynchronous_trace_that_simgrid_does_not_replay_takes_its_original_time() -> None:
    original = traced(5, ASYNCHRONOUS)
    assert replayed(5, "a.trace") == []
    assert max(simulated(5, "a.trace")) == original


def test_requests_that_nobody_waits_for_end_the_trace_as_simgrids_replay_does() -> None:
    lines = [["0 init", "0 isend 1 0 100000 6"], ["1 init", "1 irecv 0 0 100000 6"]]
    files = written(lines, one_file=False)
    output = smpirun(2, "-replay", files)
    (end,) = {round(float(line.split("|")[0]) / PS) for line in output if "Simulation time" in line}
    assert end > 0
    assert max(simulated(2, files)) == end


def test_flops_need_a_machine_whose_hosts_have_a_speed() -> None:
    files = written([["0 init", "0 compute 1e6"]], one_file=True)
    script = ti.read(files, "flops.script")
    with pytest.raises(SimulationError, match="the program computes in flops, and the machine's nodes have no speed"):
        hypermon.run(trace=script.path, settings={"monitor": "none"}, out="run")
    at_speed = ti.read(files, "time.script", flops_per_s=1e9)
    assert hypermon.run(trace=at_speed.path, settings={"monitor": "none"}, out="run")["ranks"][0]["compute_s"] > 0


def test_flops_take_a_monitors_interrupts_on_top() -> None:
    files = written([["0 init", "0 compute 1e9"]], one_file=True)
    script = ti.read(files, "flops.script")
    elapsed = {}
    for monitor in ("none", "software"):
        settings = {"monitor": monitor, "node.clock_drift_ppm": 0}
        elapsed[monitor] = hypermon.run(trace=script.path, platform=CLUSTER, settings=settings, out=monitor)[
            "elapsed_s"
        ]
    assert elapsed["none"] == pytest.approx(0.5)  # the first host's speed is 2e9
    assert 0.5 < elapsed["software"] < 0.51
