# SPDX-License-Identifier: BSD-3-Clause
"""MPI programs behave as the MPI standard demands, with the messages of NX/2's library or of SMPI."""

from __future__ import annotations

import functools
import json
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.python import both_ways, simgrid_releases

pytestmark = pytest.mark.worker
HERE = Path(__file__).parent
CASES = [("nx2", 1), ("nx2", 3), ("nx2", 4), ("nx2", 8), ("smpi", 3), ("smpi", 4)]
CASES += [("packets", 1), ("packets", 3), ("packets", 4), ("packets", 8)]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if shutil.which("smpicc") is None:
        pytest.skip("smpicc is not installed")
    return tmp_path_factory.mktemp("programs")


@functools.cache
def compiled(folder: Path, *names: str) -> Path:
    target = folder / f"{names[0]}.so"
    sources = [str(HERE / "programs" / f"{name}.c") for name in names]
    command = ["smpicc", "-O1", "-fPIC", "-shared", f"-I{both_ways.INCLUDE}", *sources, "-o", str(target), "-pthread"]
    subprocess.run(command, check=True)
    return target


def simulated(worker: Path, folder: Path, program: Path, ranks: int, messages: str, arguments: str = "") -> list[str]:
    """The output of each rank."""
    torus = {"machine.topology": "torus", "machine.dimensions": str(ranks)}
    if messages == "packets":
        torus |= {"packets.network": "packets"}
    out = folder / f"{program.stem}-{ranks}-{messages}"
    ended = both_ways.simulated(worker, program, ranks, messages, out, [arguments], **torus)
    assert ended.status == 0, ended.stderr
    return ended.out


@functools.cache
def from_smpirun(program: Path, ranks: int) -> list[list[str]]:
    return [comparable(lines) for lines in both_ways.on_hypercube(program, ranks)]


def comparable(lines: list[str]) -> list[str]:
    """The lines without those for which SMPI itself is wrong."""
    return [line for line in lines if "| own: " not in line]


@pytest.mark.parametrize(("messages", "ranks"), CASES)
@pytest.mark.parametrize("name", ["mpi_point_to_point", "mpi_collectives", "mpi_one_sided"])
def test_every_call_delivers_what_it_does_under_smpirun(
    worker: Path, folder: Path, name: str, messages: str, ranks: int
) -> None:
    program = compiled(folder, name)
    printed = simulated(worker, folder, program, ranks, messages)
    expected = from_smpirun(program, ranks)
    for rank in range(ranks):
        lines = printed[rank].splitlines()
        assert comparable(lines) == expected[rank]
        if messages != "smpi":  # here we can do better
            assert [line for line in lines if line.endswith("WRONG")] == []


@pytest.mark.parametrize("messages", ["nx2", "smpi", "packets"])
def test_a_programs_own_profiling_tool_sees_its_calls(worker: Path, folder: Path, messages: str) -> None:
    ranks, rounds = 4, 5
    program = compiled(folder, "mpi_small_ring", "mpi_counting_tool")
    sent = sum(4 * n for n in range(1, rounds + 1))
    for printed in simulated(worker, folder, program, ranks, messages, str(rounds)):
        total = sum(range(ranks))
        tool = f"tool: {rounds} sends of {sent} bytes, {rounds} receives, 1 reductions"
        assert printed.splitlines() == [f"sum {total}", tool]


@pytest.mark.parametrize("messages", ["nx2", "smpi", "packets"])
@pytest.mark.parametrize(("name", "cases"), [("mpi_requests", 18), ("mpi_datatypes", 16)])
def test_requests_and_datatypes_follow_mpi(worker: Path, folder: Path, name: str, cases: int, messages: str) -> None:
    """SMPI itself does not follow MPI here, so that smpirun is no reference: each program checks itself."""
    program = compiled(folder, name)
    behind_cancelled = "99" if messages == "smpi" else "6"  # tag of a message after a cancelled one with tag 6
    at_bottom = "both" if messages != "smpi" or simgrid_releases.before_4() else "sends_only"  # in MPI_Sendrecv
    for rank, printed in enumerate(simulated(worker, folder, program, 4, messages, f"{behind_cancelled} {at_bottom}")):
        lines = printed.splitlines()
        smpis = [f"{rank}| cancelled sends and receives: WRONG"] if messages == "smpi" else []
        assert [line for line in lines if not line.endswith(": right") and line not in smpis] == []
        assert len(lines) == cases
        assert all(line.startswith(f"{rank}| ") for line in lines)


REDUCTIONS = {
    "MPI_Reduce": 6, "MPI_Ireduce": 6, "MPI_Iallreduce": 6, "MPI_Iscan": 6, "MPI_Iexscan": 3,
    "MPI_Ireduce_scatter": 6, "MPI_Ireduce_scatter_block": 6,
}  # fmt: skip


@pytest.mark.parametrize("messages", ["nx2", "smpi", "packets"])
@pytest.mark.parametrize("function", REDUCTIONS)
def test_reductions_that_smpi_gets_wrong_are_refused(
    worker: Path, folder: Path, tmp_path: Path, messages: str, function: str
) -> None:
    """Reductions of derived datatypes with SMPI's messages."""
    program = compiled(folder, "mpi_derived_reductions")
    torus = {"machine.topology": "torus", "machine.dimensions": "3"}
    if messages == "packets":
        torus |= {"packets.network": "packets"}
    ended = both_ways.simulated(worker, program, 3, messages, tmp_path / "run", [function], **torus)
    if messages == "packets" or function == "MPI_Reduce":
        assert ended.status == 0, ended.stderr
        assert ended.out == ["", "", f"{REDUCTIONS[function]} {REDUCTIONS[function]}\n"]
    else:
        assert ended.status == 3
        assert f" called {function} with a derived datatype, for which SMPI 3.32 gives wrong results: " in ended.stderr


@pytest.mark.parametrize(
    ("messages", "unmodelled", "warned"),
    [
        ("nx2", {"MPI_Comm_dup": 2, "MPI_Fetch_and_op": 1, "MPI_Iallreduce": 2, "MPI_Put": 1, "MPI_Win_create": 2,
                 "MPI_Win_fence": 6, "MPI_Win_free": 2}, "MPI_Iallreduce (2), MPI_Put (1)"),
        ("packets", {"MPI_Comm_dup": 2, "MPI_Fetch_and_op": 1, "MPI_Put": 1, "MPI_Win_create": 2, "MPI_Win_fence": 6,
                     "MPI_Win_free": 2},
         "MPI_Put (1), MPI_Win_create (2)"),
        ("smpi", None, ""),
    ],
)  # fmt: skip
def test_calls_that_the_machine_has_no_model_of_are_counted(
    worker: Path, folder: Path, messages: str, unmodelled: dict[str, int] | None, warned: str
) -> None:
    program = compiled(folder, "mpi_put")
    simulated(worker, folder, program, 2, messages)
    result = json.loads((folder / f"mpi_put-2-{messages}" / "result.json").read_text())
    shutil.rmtree(folder / f"mpi_put-2-{messages}")
    if unmodelled is None:
        assert "unmodelled_calls" not in result
        assert "warnings" not in result
        return
    assert {one["function"]: one["calls"] for one in result["unmodelled_calls"]} == unmodelled
    (warning,) = result["warnings"]
    assert warned in warning
    assert "MPI_Comm_dup" not in warning


@pytest.mark.parametrize("messages", ["nx2", "smpi", "packets"])
@pytest.mark.parametrize(("asked", "given"), [(0, 0), (1, 1), (3, 1)])
def test_a_rank_may_have_threads_that_do_not_call_mpi(
    worker: Path, folder: Path, messages: str, asked: int, given: int
) -> None:
    printed = simulated(worker, folder, compiled(folder, "mpi_put"), 2, messages, str(asked))
    shutil.rmtree(folder / f"mpi_put-2-{messages}")
    assert all(f"level {given} {given}, sum 5050, " in lines for lines in printed)
    assert "window 5, " in printed[1]


def test_initialisation_takes_no_time_on_packets(worker: Path, folder: Path) -> None:
    printed = simulated(worker, folder, compiled(folder, "mpi_put"), 8, "packets")
    shutil.rmtree(folder / "mpi_put-8-packets")
    assert all(lines.endswith("begin 0\n") for lines in printed)
