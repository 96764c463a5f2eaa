# SPDX-License-Identifier: BSD-3-Clause
"""Several programs in one run, each on its own nodes and with its own MPI_COMM_WORLD, with shared networks and servers."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from hypermon import HypermonError, UserError, run

pytestmark = pytest.mark.worker
Settings = dict[str, Any]
LITTLE = {"monitor": "none", "cg.size": 16, "cg.iterations": 4, "fft.size": 16}
STAR = {"machine.topology": "star", "workload": "cg", "nodes": 4, **LITTLE}
ONE = {"neighbour.count": 1, "neighbour.nodes": 2}
WORLD = """\
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, size, sum = 0, half = 0, from;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  MPI_Comm halves, copy;
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &halves);
  MPI_Allreduce(&rank, &half, 1, MPI_INT, MPI_SUM, halves);
  MPI_Comm_dup(MPI_COMM_WORLD, &copy);
  MPI_Status status;
  int *data = calloc(1000, sizeof *data); /* a long message, from anybody */
  MPI_Request request;
  MPI_Isend(data, 1000, MPI_INT, (rank + 1) % size, 7, copy, &request);
  MPI_Recv(data, 1000, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, copy, &status);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  from = status.MPI_SOURCE;
  printf("%d of %d: %d %d %d\\n", rank, size, sum, half, from);
  MPI_Finalize();
  return argc > 1 ? atoi(argv[1]) : 0;
}
"""


def world_lines(size: int) -> list[str]:
    """The output of the program above."""
    halves = [sum(r for r in range(size) if r % 2 == part) for part in (0, 1)]
    return [f"{r} of {size}: {sum(range(size))} {halves[r % 2]} {(r - 1) % size}\n" for r in range(size)]


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if shutil.which("smpicc") is None:
        pytest.skip("smpicc is not installed")
    folder = tmp_path_factory.mktemp("world")
    (folder / "world.c").write_text(WORLD)
    subprocess.run(["smpicc", "-fPIC", "-shared", str(folder / "world.c"), "-o", str(folder / "world.so")], check=True)
    return folder / "world.so"


@pytest.mark.parametrize("messages", ["nx2", "smpi"])
def test_each_program_has_its_own_world(world: Path, messages: str, tmp_path: Path) -> None:
    programs = {"workload": "program", "program.file": world, "nodes": 3, "monitor": "none"}
    beside = {
        "neighbour.count": 2,
        "neighbour.workload": "program",
        "neighbour.file": world,
        "neighbour[0].nodes": 4,
        "neighbour[1].nodes": 5,
    }
    machine = {"machine.topology": "star", "machine.messages": messages}
    result = run(settings={**programs, **beside, **machine}, out=tmp_path / "run")
    printed = [(tmp_path / "run/stdout" / f"rank{r}.txt").read_text() for r in range(12)]
    assert printed == [*world_lines(3), *world_lines(4), *world_lines(5)]
    assert [n["nodes"] for n in result["neighbours"]] == [4, 5]
    assert len(result["ranks"]) == 3


def test_a_neighbour_has_a_rank_a_node_beside_a_program_with_several(world: Path, tmp_path: Path) -> None:
    programs = {"workload": "program", "program.file": world, "nodes": 2, "monitor": "none"}
    several = {"cpu.ranks_per_node": 2, "cpu.policy": "time_slices"}
    beside = {"neighbour.count": 1, "neighbour.workload": "program", "neighbour.file": world, "neighbour.nodes": 3}
    machine = {"machine.topology": "star", "machine.messages": "smpi"}
    result = run(settings={**programs, **several, **beside, **machine}, out=tmp_path / "run")
    printed = [(tmp_path / "run/stdout" / f"rank{r}.txt").read_text() for r in range(7)]
    assert printed == [*world_lines(4), *world_lines(3)]
    assert (len(result["ranks"]), len(result["cpu"]["nodes"]), len(result["cpu"]["ranks"])) == (4, 2, 4)
    assert result["neighbours"][0]["nodes"] == 3


@pytest.mark.parametrize("messages", ["nx2", "smpi"])
def test_programs_that_share_no_link_do_not_see_each_other(messages: str, tmp_path: Path) -> None:
    machine = {**STAR, "machine.messages": messages}
    alone = run("collection/cg", settings=machine, out=tmp_path / "alone")
    for placement in ("among", "behind"):
        beside = {**ONE, "neighbour.workload": "fft", "neighbour.placement": placement, "neighbour.arguments": "size=8"}
        result = run("collection/cg", settings={**machine, **beside}, out=tmp_path / placement)
        assert result["fingerprint"] == alone["fingerprint"]
        assert result["ranks"] == alone["ranks"]
        answer = (tmp_path / placement / "answer.txt").read_bytes()
        assert answer == (tmp_path / "alone" / "answer.txt").read_bytes()
    own = run("collection/cg", settings={**machine, "workload": "fft", "nodes": 2, "fft.size": 8}, out=tmp_path / "fft")
    neighbours = tmp_path / "behind" / "neighbour0" / "answer.txt"
    assert neighbours.read_bytes() == (tmp_path / "fft" / "answer.txt").read_bytes()
    assert own["elapsed_s"] > 0


def test_a_neighbour_starts_when_it_is_to_and_is_stopped_with_the_program_if_it_is_to(tmp_path: Path) -> None:
    late = run(
        "collection/cg",
        settings={**STAR, **ONE, "neighbour.workload": "fft", "neighbour.start_s": 2},
        out=tmp_path / "late",
    )
    begin, end, elapsed = (late["neighbours"][0][key] for key in ("begin_s", "end_s", "elapsed_s"))
    assert begin is not None
    assert end is not None
    assert begin >= 2
    assert elapsed == pytest.approx(end - begin)
    endless = {"neighbour.workload": "alltoall", "neighbour.arguments": "repeats=1000000"}
    stopped = run(
        "collection/cg", settings={**STAR, **ONE, **endless, "neighbour.until": "program_end"}, out=tmp_path / "stopped"
    )
    assert stopped["neighbours"][0]["end_s"] is None
    assert stopped["neighbours"][0]["begin_s"] is not None
    assert json.loads((tmp_path / "stopped" / "result.json").read_text())["neighbours"][0]["elapsed_s"] is None


def test_a_neighbour_that_fails_is_named(world: Path, tmp_path: Path) -> None:
    beside = {"neighbour.workload": "program", "neighbour.file": world, "neighbour.arguments": "4"}
    with pytest.raises(HypermonError, match=r"rank 4 returned status 4 \(rank 0 of neighbour 0\); rank 5 returned"):
        run("collection/cg", settings={**STAR, **ONE, **beside}, out=tmp_path / "run")


LAN = {"lan.count": 1}
MISTAKES: list[tuple[Settings, str]] = [
    ({"lan.name": "program", **LAN}, 'lan.name = "program": must be a name that no other one has'),
    (
        {"lan.count": 3, "lan[1].name": "a", "lan[2].name": "a"},
        'lan[2].name = "a": must be a name that no other one has',
    ),
    ({"lan.fan_out": 1, **LAN}, "lan.fan_out = 1: must be 0 or from 2 to 4096"),
    ({"lan[1].fan_out": 4, **LAN}, "lan[1].fan_out = 4: no such lan; lan.count = 1"),
    ({"machine.beside": 1}, "machine.beside = 1: no network reaches them"),
    (
        {"machine.beside": 1, "machine.beside_on_network": True, "machine.topology": "hypercube"},
        "machine.beside_on_network = true: must be false",
    ),
    (
        {"server.count": 1, "server.network": "myrinet", "lan.count": 2},
        'server.network = "myrinet": must be a network of the platform: program, ethernet, ethernet1',
    ),
    (
        {"server.count": 1, "server.place": "beside", "server.number": 3, "machine.beside": 2, **LAN},
        "server.place = beside, number = 3: the machine has no computer 3 beside the machine, but nodes 0 to 3, a host, "
        "computers 0 to 1 beside it",
    ),
    (
        {"server.count": 1, "server.place": "beside", "machine.beside": 2, **LAN},
        "computer 0 beside the machine is not on the program's network",
    ),
    ({"neighbour.count": 1, "neighbour.workload": "matmul"}, 'neighbour.workload = "matmul": must be one of simplex'),
    (
        {"neighbour.count": 1, "neighbour.arguments": "repeat=2"},
        "neighbour.arguments: repeat=2: workload alltoall has no such parameter, but ",
    ),
    ({"neighbour.count": 1, "neighbour.arguments": "repeats=x"}, "neighbour.arguments: repeats=x: must be int, "),
    ({"neighbour.count": 1, "neighbour.workload": "program"}, "neighbour.file: must be given with"),
    (
        {"neighbour.count": 1, "neighbour.nodes": 3, "machine.topology": "hypercube"},
        "neighbour.count = 1: with the program's own the hypercube has 7 nodes",
    ),
]


@pytest.mark.parametrize(("settings", "message"), MISTAKES)
def test_what_the_platform_does_not_have_is_said_with_what_there_is(
    settings: Settings, message: str, tmp_path: Path
) -> None:
    with pytest.raises(UserError) as error:
        run("collection/cg", settings={**STAR, **settings}, out=tmp_path / "run")
    assert message in str(error.value)
    assert not (tmp_path / "run").exists()
