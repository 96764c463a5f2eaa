# SPDX-License-Identifier: BSD-3-Clause
"""Program scripts: the worker records a run and repeats it."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

import hypermon
from hypermon._model import monitors
from hypermon.errors import UserError
from hypermon.importing import ti
from hypermon.importing.script import SELF, Script, Writer
from tests.registered import needs, observers

pytestmark = pytest.mark.usefixtures("worker")
OBSERVER = observers()[-1]
"""A monitor that sees something, if there is one."""
EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "trace"
LIFE = {"nodes": 4, "life.generations": 6}
PLACE = {"nodes": 4, "place.attempts": 400, "place.accepted": 100}
PROGRAMS = ("pingpong", "ring", "alltoall", "halo", "workers", "wavefront", "cg", "fft")
COLLECTION = [(f"collection/{program}", {"nodes": 4}) for program in PROGRAMS]


def run(out: Path, **arguments: Any) -> dict[str, Any]:
    result = hypermon.run(out=out, **arguments)
    return {key: result[key] for key in ("elapsed_s", "fingerprint", "events")}


@pytest.mark.worker
def test_a_script_computes_and_sends_for_as_long_as_it_says(tmp_path: Path) -> None:
    with Writer(tmp_path / "a.script", 2, {"kind": "test"}) as writer:
        for rank in (0, 1):
            writer.add(rank, "compute", size=2 * 10**9)  # 2 ms
        writer.add(0, "send", peer=1, tag=3, size=50)
        writer.add(1, "recv", tag=3, size=50)
    machine = {"monitor": "none", "node.start_spread_us": 0, "node.clock_drift_ppm": 0, "os.syscall_us": 0.1}
    script = tmp_path / "a.script"
    whole = hypermon.run(trace=script, settings=machine, out=tmp_path / "1")
    half = hypermon.run(trace=script, settings={**machine, "trace.compute_factor": 0.5}, out=tmp_path / "2")
    assert [rank["compute_s"] for rank in whole["ranks"]] == pytest.approx([2e-3, 2e-3])
    assert whole["elapsed_s"] - half["elapsed_s"] == pytest.approx(1e-3)


@pytest.mark.worker
def test_a_script_needs_as_many_nodes_as_it_has_ranks(tmp_path: Path) -> None:
    with Writer(tmp_path / "a.script", 2, {"kind": "test"}) as writer:
        writer.add(0, "wtime")
    with pytest.raises(UserError, match=r"nodes = 4: must be 2, the ranks of trace\.file"):
        hypermon.run(trace=tmp_path / "a.script", nodes=4, out=tmp_path / "run")


@pytest.fixture(scope="module")
def ring(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, float]:
    """A time-independent trace of the example, and the simulated seconds that smpirun reports."""
    if shutil.which("smpirun") is None:
        pytest.skip("smpirun is not installed")
    folder = tmp_path_factory.mktemp("ring")
    subprocess.run(["smpicc", "-O2", EXAMPLE / "ring.c", "-o", folder / "ring"], check=True)
    command: list[str | Path] = [
        "smpirun",
        "-np",
        "4",
        "-platform",
        EXAMPLE / "cluster.xml",
        "-trace-ti",
        "-trace-file",
        "ring.trace",
    ]
    command += ["--cfg=smpi/simulate-computation:no", "--cfg=smpi/display-timing:yes", "./ring"]
    stderr = subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True).stderr
    [line] = [line for line in stderr.splitlines() if "Simulated time" in line]
    return folder / "ring.trace", float(line.split("Simulated time:")[1].split()[0])


@pytest.mark.worker
def test_a_time_independent_trace_takes_as_long_on_simgrid_s_platform_as_its_program(
    ring: tuple[Path, float], tmp_path: Path
) -> None:
    trace, seconds = ring
    script = ti.read(trace, tmp_path / "ring.script", flops_per_s=1e9)  # the platform's speed
    assert script.not_represented == ()
    machine = {"machine.topology": "xml", "machine.xml": EXAMPLE / "cluster.xml", "machine.messages": "smpi"}
    plain = {"monitor": "none", "node.clock_drift_ppm": 0, "node.start_spread_us": 0}
    result = hypermon.run(trace=script.path, settings={**machine, **plain}, out=tmp_path / "run")
    assert result["elapsed_s"] == pytest.approx(seconds, rel=1e-3)


@pytest.mark.worker
@pytest.mark.parametrize(("scenario", "settings"), [("table2/life", LIFE), ("table2/place", PLACE), *COLLECTION])
@pytest.mark.parametrize("monitor", monitors.registered())
def test_a_script_under_the_monitor_of_its_recording_is_the_run_itself(
    scenario: str, settings: dict[str, Any], monitor: str, tmp_path: Path
) -> None:
    script = tmp_path / "a.script"
    program = run(
        tmp_path / "1",
        scenario=scenario,
        settings={**settings, **needs(monitor), "monitor": monitor},
        script_out=script,
    )
    # The machine is that of the recording. Under an observing monitor, the fingerprint covers all events and their
    # times.
    assert run(tmp_path / "2", trace=script) == program


@pytest.mark.worker
def test_a_program_that_does_not_look_at_the_time_is_the_same_under_another_monitor(tmp_path: Path) -> None:
    script = tmp_path / "life.script"
    run(tmp_path / "1", scenario="table2/life", settings={**LIFE, "monitor": "none"}, script_out=script)
    program = run(tmp_path / "2", scenario="table2/life", settings={**LIFE, "monitor": OBSERVER})
    assert program["events"] > 0
    assert run(tmp_path / "3", trace=script, settings={"monitor": OBSERVER}) == program


@pytest.mark.worker
@pytest.mark.parametrize(
    ("program", "lost"),
    [
        ("mpi_point_to_point", "MPI_Bsend: as an MPI_Isend without a wait"),
        ("mpi_collectives", "MPI_Ibarrier: as the blocking call, at the point where it begins"),
    ],
)
def test_what_a_script_cannot_say_is_told_and_the_rest_of_the_program_runs_to_its_end(
    program: str, lost: str, tmp_path: Path
) -> None:
    source = Path(__file__).parent / "programs" / f"{program}.c"
    script = tmp_path / "a.script"
    hypermon.run(program=source, nodes=4, monitor="none", out=tmp_path / "1", script_out=script)
    told = {kind.kind: kind.count for kind in Script.open(script).not_represented}
    assert told[lost] > 0
    assert hypermon.run(trace=script, out=tmp_path / "2")["elapsed_s"] > 0


@pytest.mark.worker
def test_a_rank_speaks_to_itself_and_numbers_of_communicators_are_used_again(tmp_path: Path) -> None:
    source = tmp_path / "alone.c"
    source.write_text("""
        #include <mpi.h>
        int main(int argc, char** argv) {
          MPI_Init(&argc, &argv);
          int rank, mine = 1, got = 0;
          MPI_Comm_rank(MPI_COMM_WORLD, &rank);
          for (int i = 0; i < 3; ++i) {
            MPI_Comm made;
            MPI_Sendrecv(&mine, 1, MPI_INT, 0, 1, &got, 1, MPI_INT, 0, 1, MPI_COMM_SELF, MPI_STATUS_IGNORE);
            MPI_Comm_split(MPI_COMM_WORLD, rank == 1 ? MPI_UNDEFINED : 0, 0, &made); /* none for rank 1 */
            if (made != MPI_COMM_NULL) MPI_Barrier(made);
            if (made != MPI_COMM_NULL) MPI_Comm_free(&made);
            MPI_Comm_dup(MPI_COMM_SELF, &made);
            MPI_Allreduce(&mine, &got, 1, MPI_INT, MPI_SUM, made);
            MPI_Comm_free(&made);
          }
          return MPI_Finalize();
        }
    """)
    script = tmp_path / "a.script"
    program = run(tmp_path / "1", program=source, nodes=4, settings={"monitor": OBSERVER}, script_out=script)
    assert Script.open(script).not_represented == ()
    assert set(Script.open(script).arrays()["actions"]["communicator"]) == {0, 1, SELF}
    assert run(tmp_path / "2", trace=script) == program
