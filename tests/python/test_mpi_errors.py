# SPDX-License-Identifier: BSD-3-Clause
"""Wrong MPI calls are errors as MPI defines them, whatever carries the messages. The reference is smpirun
(docs/design/mpi.md).
"""

from __future__ import annotations

import contextlib
import functools
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import pytest

import hypermon
from hypermon._inputs import programs
from hypermon._model.result import Result
from hypermon.errors import SimulationError
from tests.python import both_ways, simgrid_releases

pytestmark = pytest.mark.worker
SOURCES = Path(__file__).parent / "programs"
RANKS = 3
MESSAGES = ["smpi", "nx2", "packets"]
Monitor = Literal["none", "software"]

# Calls for which SMPI 3.32 crashes or waits for ever, with MPI's error class.
CRASHES = {
    "Sendrecv to=null from=size": "MPI_ERR_RANK",
    "Sendrecv to=size from=null": "MPI_ERR_RANK",
    "Sendrecv_replace count=0 comm=null": "MPI_ERR_COMM",
    **{f"{f} requests=0": "MPI_ERR_ARG" for f in ("Waitall", "Waitany", "Waitsome", "Testall", "Testany", "Testsome")},
    "Start request=null": "MPI_ERR_REQUEST",
    "Cancel request=null": "MPI_ERR_REQUEST",
    "Request_free request=0": "MPI_ERR_REQUEST",
    "Request_get_status flag=0": "MPI_ERR_ARG",
    **{
        f"{f} result=in place": "MPI_ERR_BUFFER"
        for f in ("Scan", "Iscan", "Exscan", "Iexscan", "Reduce_scatter_block", "Ireduce_scatter_block")
    },
    "Comm_free comm=0": "MPI_ERR_ARG",
    "Comm_disconnect comm=0": "MPI_ERR_ARG",
    "Cart_create too many": "MPI_ERR_DIMS",
    "Win_free win=0": "MPI_ERR_ARG",
    # a grid does not inherit SMPI's handler: smpirun ends there
    "Cart_coords rank=99": "MPI_ERR_RANK",
    "Cart_coords n=-1": "MPI_ERR_ARG",
    "Cart_rank outside": "MPI_ERR_ARG",
    "Cart_shift direction=9": "MPI_ERR_DIMS",
    "Cart_shift direction=-1": "MPI_ERR_ARG",
}
# Errors that SMPI 3.32 detects but does not return.
LOST = {
    f"truncated {long}{f}": "MPI_ERR_IN_STATUS" if f.endswith(("all", "some")) else "MPI_ERR_TRUNCATE"
    for long in ("", "long ", "short ", "limit ")
    for f in ("Waitany", "Waitsome", "Test", "Testall", "Testany", "Testsome", "Sendrecv")
}
FAILING = {
    "send": r"MPI_Send: MPI_ERR_RANK \(param 4 dst \(=7\) cannot be < 0 or > 3\)",
    "isend": r"MPI_Isend: MPI_ERR_COUNT \(param 2 \(count\) cannot be negative\)",
    "bcast": r"MPI_Bcast: MPI_ERR_TYPE \(param 3 .*\)",
    "op": r"MPI_Allreduce: MPI_ERR_OP \(param 5 .*\)",
    "truncate": r"MPI_Recv: MPI_ERR_TRUNCATE \(more came than there is room for\)",
    "wait": r"MPI_Waitall: MPI_ERR_IN_STATUS",
    "foreign": r"MPI_Type_size: MPI_ERR_TYPE \(param 1 .*\)",
    "call": "MPI_Comm_call_errhandler: MPI_ERR_OTHER",
    "window": r"MPI_Put: MPI_ERR_RANK \(param 4 .*\)",
}
MONITORS = [("none", "nx2"), ("software", "mpi")]  # the second one has an event for every call


@pytest.fixture(autouse=True, scope="module")
def cache(worker: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:  # noqa: ARG001 (goes with it)
    if shutil.which("smpicc") is None:
        pytest.skip("smpicc is not installed")
    with contextlib.chdir(tmp_path_factory.mktemp("errors")):
        yield


@functools.cache
def compiled(name: str) -> Path:
    return programs.compiled([SOURCES / f"{name}.c"], ("-w",))


def simulated(
    name: str, messages: str, arguments: list[str], monitor: Monitor = "none", catalogue: str = "nx2"
) -> Result:
    return hypermon.run(
        program=compiled(name), nodes=RANKS, monitor=monitor, instrumentation={"catalogue": catalogue},
        machine={"messages": messages, "topology": "torus", "dimensions": str(RANKS)},
        packets={"network": "packets" if messages == "packets" else "off"}, arguments=arguments,
        out=f"{name}-{messages}-{monitor}-{'-'.join(arguments)[:40]}",
    )  # fmt: skip


def printed(result: Result) -> list[str]:
    """Lines of all ranks, in the order of ranks."""
    return [line for rank in range(RANKS) for line in result.output(rank).splitlines()]


@functools.cache
def from_smpirun(name: str, *arguments: str) -> list[str]:
    """Lines of all ranks, in the order of ranks."""
    words = [word.replace(" ", "+") for word in arguments]
    return [line for of_rank in both_ways.on_hypercube(compiled(name), RANKS, *words) for line in of_rank]


def classes(lines: list[str]) -> dict[str, set[str]]:
    """The error classes that each call returned on any rank."""
    found: dict[str, set[str]] = {}
    for line in lines:
        name, colon, value = line[3:].partition(": ")
        if colon and value.startswith("MPI_"):
            found.setdefault(name, set()).add(value)
    return found


@pytest.mark.parametrize(("monitor", "catalogue"), MONITORS)
@pytest.mark.parametrize("messages", MESSAGES)
def test_a_wrong_call_returns_the_class_that_it_returns_under_smpirun(
    messages: str, monitor: Monitor, catalogue: str
) -> None:
    lines = printed(simulated("mpi_errors", messages, ["all"], monitor, catalogue))
    assert [line for line in lines if "OVERWRITTEN" in line] == []
    ours = classes(lines)
    theirs = classes(from_smpirun("mpi_errors", "all", *CRASHES))
    assert ours.keys() == theirs.keys() | CRASHES.keys()
    assert len(theirs) > 700
    refused = simgrid_releases.refused_by_smpi_alone()
    assert {name: theirs[name] for name in refused} == {name: {value} for name, value in refused.items()}
    passed = {} if messages == "smpi" else dict.fromkeys(refused, "MPI_SUCCESS")
    for name, values in ours.items():
        own = {**CRASHES, **LOST, **passed}.get(name)
        assert values == ({own} if own is not None else theirs[name]), name
    assert all(theirs[name] == {"MPI_SUCCESS"} for name in LOST)  # as long as SMPI does not return them


@pytest.mark.parametrize("messages", MESSAGES)
@pytest.mark.parametrize("seed", ["1", "2"])
def test_random_calls_return_what_they_do_under_smpirun(messages: str, seed: str) -> None:
    theirs = from_smpirun("mpi_random_errors", seed)
    assert printed(simulated("mpi_random_errors", messages, [seed])) == theirs
    assert len({line.partition(": ")[2] for line in theirs}) > 7  # classes


@pytest.mark.parametrize("messages", MESSAGES)
@pytest.mark.parametrize("how", FAILING)
def test_an_error_ends_the_run_and_says_where(messages: str, how: str) -> None:
    source = (SOURCES / "mpi_failing.c").read_text().splitlines()
    with pytest.raises(SimulationError) as failed:
        simulated("mpi_failing", messages, [how])
    message = str(failed.value)
    found = re.match(
        rf"the program failed: rank 1 failed in {FAILING[how]}, called from main\S* at \S+:(\d+)\n", message
    )
    assert found is not None, message
    function = FAILING[how].partition(":")[0]
    assert function in source[int(found[1]) - 1]
    [kept] = re.findall(r"what the ranks wrote: (\S+)/stdout", message)
    assert [(Path(kept) / f"stdout/rank{r}.txt").read_text() for r in range(RANKS)] == [
        f"rank {r} is here\n" for r in range(RANKS)
    ]


@pytest.mark.parametrize("messages", MESSAGES)
def test_only_the_handler_of_what_a_call_concerns_counts(messages: str) -> None:
    assert simulated("mpi_failing", messages, ["nothing"]).output(0) == "rank 0 is here\n"


@pytest.mark.parametrize(("monitor", "catalogue"), MONITORS)
@pytest.mark.parametrize("messages", MESSAGES)
def test_handlers_are_told_of_the_programs_objects(messages: str, monitor: Monitor, catalogue: str) -> None:
    comms = ["world", "self", "dup", "split", "cart"]  # the last three inherited the handler

    def told(handle: str, name: str, code: str, returned: str | None = None) -> list[str]:
        return [f"handler: {handle} MPI_ERR_{code}", f"{name}: {returned or f'MPI_ERR_{code}'}"]

    expected = [
        *["first: fatal", "main thread: 1", "query: as provided"],
        *[line for comm in comms for line in told(comm, comm, "RANK")],
        *told("world", "no communicator", "COMM"),
        *told("dup", "call", "OTHER", "MPI_SUCCESS"),
        *["old names: MPI_SUCCESS", "quiet: MPI_ERR_RANK", "quiet call: MPI_SUCCESS"],
        *told("cart", "wait", "TRUNCATE"),
        *told("world", "waitall", "IN_STATUS"),
        *told("window", "put", "RANK"),
        *told("window", "window call", "ASSERT", "MPI_SUCCESS"),
        *told("world", "type", "TYPE"),
    ]
    alone = [f"alone: MPI_ERR_{code}" for code in ("RANK", "TYPE", "BUFFER", "ROOT", "OP", "RANK")]
    sums = ["sum: right"] * 2
    result = simulated("mpi_handlers", messages, [], monitor, catalogue)
    for rank in range(RANKS):
        mine = [*expected, *(alone if rank == 1 else []), *sums]
        assert result.output(rank).splitlines() == [f"{rank}| {line}" for line in mine]
