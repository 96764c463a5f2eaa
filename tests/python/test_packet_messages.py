# SPDX-License-Identifier: BSD-3-Clause
"""MPI on a packet network (`machine.messages: packets`): algorithms of collective calls, their results and messages."""

from __future__ import annotations

import csv
import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tests.python import both_ways

pytestmark = pytest.mark.worker

CHOICES = {
    "bcast": (
        "binary_tree",
        "binary_tree_simple",
        "blockwise",
        "piped_blockwise",
        "scatter_ring",
        "scatter_barrier_ring",
        "mpich",
        "virtual",
    ),
    "reduce": ("binary_tree", "binary_tree_simple", "scatter_gather", "virtual"),
    "allreduce": ("binary_tree", "reduce_broadcast", "root_computes", "virtual"),
    "barrier": ("virtual", "direct", "binary_tree", "dissemination"),
    "gather": ("direct", "binary_tree", "virtual"),
    "scatter": ("direct", "binary_tree", "virtual"),
    "allgather": ("direct", "ring", "virtual"),
    "alltoall": ("direct", "pairwise", "virtual"),
    "scan": ("chain", "virtual"),
    "combining": ("paper", "rate"),
}


def run(worker: Path, folder: Path, program: Path, ranks: int, **settings: Any) -> tuple[both_ways.Ended, Path]:
    shape = {"machine.topology": "torus", "machine.dimensions": str(ranks), "packets.network": "packets"}
    return both_ways.simulated(worker, program, ranks, "packets", folder, **(shape | settings)), folder


def messages(folder: Path) -> list[dict[str, str]]:
    with (folder / "messages.csv").open() as file:
        return list(csv.DictReader(file))


@pytest.fixture(scope="module")
def collectives(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return both_ways.compiled("mpi_collectives.c", tmp_path_factory.mktemp("programs"))


@pytest.mark.parametrize("nth", range(8))
@pytest.mark.parametrize("ranks", [5, 8])
def test_answers_are_right_whatever_the_algorithms(
    worker: Path, tmp_path: Path, collectives: Path, nth: int, ranks: int
) -> None:
    """Each algorithm of each call occurs in one of the eight combinations, with short and with long messages."""
    chosen = {f"collectives.{call}": words[nth % len(words)] for call, words in CHOICES.items()}
    limit = {"packet_messages.eager_limit_bytes": 0 if nth % 2 else 100000}
    ended, _ = run(worker, tmp_path / "run", collectives, ranks, **chosen, **limit)
    assert ended.status == 0, ended.stderr
    expected = both_ways.on_hypercube(collectives, ranks)
    for rank in range(ranks):
        lines = ended.out[rank].splitlines()
        assert [line for line in lines if line.endswith("WRONG")] == []
        assert [line for line in lines if "| own: " not in line] == [
            line for line in expected[rank] if "| own: " not in line
        ]


SOURCE = """
#include <mpi.h>
#include <stdlib.h>
int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int bytes = atoi(argv[1]), rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  char* data = calloc(bytes, 1);
  if (rank == 0) MPI_Send(data, bytes, MPI_BYTE, 1, 0, MPI_COMM_WORLD);
  if (rank == 1) MPI_Recv(data, bytes, MPI_BYTE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Bcast(data, bytes, MPI_BYTE, 0, MPI_COMM_WORLD);
  MPI_Finalize();
}
"""


@pytest.fixture(scope="module")
def send_and_broadcast(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("programs")
    (folder / "both.c").write_text(SOURCE)
    return both_ways.compiled(str(folder / "both.c"), folder)


def test_every_message_is_listed_with_its_algorithm_and_the_call_that_sent_it(
    worker: Path, tmp_path: Path, send_and_broadcast: Path
) -> None:
    ranks, size = 8, 200_000
    ended, folder = run(
        worker, tmp_path / "run", send_and_broadcast, ranks,
        **{"program.arguments": str(size), "packet_messages.list": True, "collectives.bcast": "scatter_ring"},
    )  # fmt: skip
    assert ended.status == 0, ended.stderr
    sent = messages(folder)
    counted = Counter(m["algorithm"] for m in sent)
    assert counted == {
        "announcement": 1, "acknowledgement": 1, "rendezvous": 1,
        "scatter/binary_tree": 2 * (ranks - 1), "allgather/ring": (ranks - 1) * ranks,
    }  # fmt: skip
    one = [m for m in sent if m["algorithm"] in ("announcement", "acknowledgement", "rendezvous")]
    assert [(m["from"], m["to"], m["bytes"]) for m in one] == [
        ("0", "1", "100"),
        ("1", "0", "100"),
        ("0", "1", str(size)),
    ]
    piece = size // ranks
    data = [m for m in sent if m["algorithm"] == "scatter/binary_tree" and m["bytes"] != "20"]
    by_pair = {(int(m["from"]), int(m["to"])): int(m["bytes"]) - 20 for m in data}
    assert by_pair == {(p, c): k * piece for p, c, k in
                       [(0, 4, 4), (0, 2, 2), (0, 1, 1), (2, 3, 1), (4, 6, 2), (4, 5, 1), (6, 7, 1)]}  # fmt: skip
    assert {m["step"] for m in sent if m["algorithm"] == "allgather/ring"} == {str(s) for s in range(ranks - 1)}
    calls = {(m["from"], m["call"]) for m in sent if m["algorithm"] == "allgather/ring"}
    assert len(calls) == ranks  # one MPI_Bcast on each rank
    assert all(int(m["begin_ps"]) <= int(m["end_ps"]) for m in sent)


@pytest.mark.parametrize(
    ("carrier", "bcast", "trips"), [("nx2", "nx2/broadcast_tree", "nx2"), ("smpi", "MPI_Bcast", "MPI_Send")]
)
def test_messages_of_other_carriers_are_listed_too(
    worker: Path, tmp_path: Path, send_and_broadcast: Path, carrier: str, bcast: str, trips: str
) -> None:
    """NX/2's messages are listed by algorithm, SMPI's by the call that made them."""
    ranks, size = 4, 1000
    settings = {"machine.messages": carrier, "packets.network": "off", "packet_messages.list": True}
    ended, folder = run(
        worker, tmp_path / "run", send_and_broadcast, ranks, **settings, **{"program.arguments": str(size)}
    )
    assert ended.status == 0, ended.stderr
    sent = messages(folder)
    of_tree = sorted((m["from"], m["to"], m["bytes"]) for m in sent if m["algorithm"] == bcast)
    assert of_tree == [("0", "1", str(size)), ("0", "2", str(size)), ("2", "3", str(size))]  # binomial, both
    assert [(m["from"], m["to"], m["bytes"]) for m in sent if m["algorithm"] == trips] == [("0", "1", str(size))]
    assert all(int(m["begin_ps"]) < int(m["end_ps"]) for m in sent)


def test_the_same_run_lists_the_same_bytes(worker: Path, tmp_path: Path, send_and_broadcast: Path) -> None:
    lists = []
    for name in ("one", "other"):
        settings = {"program.arguments": "5000", "packet_messages.list": True, "collectives.barrier": "dissemination"}
        ended, folder = run(worker, tmp_path / name, send_and_broadcast, 6, **settings)
        assert ended.status == 0, ended.stderr
        lists.append((folder / "messages.csv").read_bytes())
    assert lists[0] == lists[1]


def test_nothing_is_listed_unless_asked_for(worker: Path, tmp_path: Path, send_and_broadcast: Path) -> None:
    ended, folder = run(worker, tmp_path / "run", send_and_broadcast, 2, **{"program.arguments": "1"})
    assert ended.status == 0, ended.stderr
    assert not list(folder.glob("messages*"))


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"packets.network": "off"}, 'machine.messages = "packets": needs a network of packets'),
        ({"collectives.bcast": "binomial"}, "collectives.bcast"),
    ],
)  # fmt: skip
def test_what_does_not_go_together_is_refused(
    worker: Path, tmp_path: Path, send_and_broadcast: Path, settings: dict[str, Any], message: str
) -> None:
    ended, folder = run(worker, tmp_path / "run", send_and_broadcast, 2, **({"program.arguments": "1"} | settings))
    assert ended.status == 2
    assert message in ended.stderr
    assert not (folder / "result.json").exists()


MISMATCHED = """
#include <mpi.h>
int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, one = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) MPI_Barrier(MPI_COMM_WORLD);
  else MPI_Bcast(&one, 1, MPI_INT, 0, MPI_COMM_WORLD);
  MPI_Finalize();
}
"""
STUCK = """
#include <mpi.h>
int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, one = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) MPI_Recv(&one, 1, MPI_INT, 1, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Finalize();
}
"""


@pytest.mark.parametrize(
    ("source", "message"),
    [
        (MISMATCHED, "rank 1 calls MPI_Bcast where another rank of its communicator calls MPI_Barrier"),
        (STUCK, "rank 0 waits for MPI_Recv from rank 1, tag 5"),
    ],
    ids=["mismatched", "stuck"],
)
def test_a_program_that_cannot_go_on_is_told_why(worker: Path, tmp_path: Path, source: str, message: str) -> None:
    (tmp_path / "wrong.c").write_text(source)
    ended, _ = run(worker, tmp_path / "run", both_ways.compiled(str(tmp_path / "wrong.c"), tmp_path), 2)
    assert ended.status == 3
    assert message in ended.stderr


def test_on_an_ideal_network_only_the_steps_are_left(worker: Path, tmp_path: Path, send_and_broadcast: Path) -> None:
    """Steps of rank 1: two in MPI_Recv, one in MPI_Bcast, one more inside it, and one when the message has arrived."""
    ended, folder = run(
        worker, tmp_path / "run", send_and_broadcast, 2, **{"program.arguments": "10", "packets.network": "ideal"}
    )
    assert ended.status == 0, ended.stderr
    assert json.loads((folder / "result.json").read_text())["elapsed_s"] == pytest.approx(5 * 1.001e-6)
