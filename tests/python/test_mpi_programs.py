# SPDX-License-Identifier: BSD-3-Clause
"""Any MPI program gets what MPI promises, whoever carries its messages: NX/2's library or SMPI itself."""

from __future__ import annotations

import functools
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.python import both_ways

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
    subprocess.run(["smpicc", "-O1", "-fPIC", "-shared", *sources, "-o", str(target)], check=True)
    return target


def simulated(worker: Path, folder: Path, program: Path, ranks: int, messages: str, arguments: str = "") -> list[str]:
    """What each rank printed."""
    torus = {"machine.topology": "torus", "machine.dimensions": str(ranks)}
    if messages == "packets":
        torus |= {"packets.network": "packets"}
    out = folder / f"{program.stem}-{ranks}-{messages}"
    ended = both_ways.simulated(worker, program, ranks, messages, out, [arguments], **torus)
    assert ended.status == 0, ended.said
    return ended.out


@functools.cache
def from_smpirun(program: Path, ranks: int) -> list[list[str]]:
    return [comparable(lines) for lines in both_ways.on_hypercube(program, ranks)]


def comparable(lines: list[str]) -> list[str]:
    """Without what SMPI itself gets wrong."""
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
