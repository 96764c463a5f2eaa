"""Processes that share a node's processors: what ranks get, with times derived from the rules of docs/design/cpu.md."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from hypermon._engine import runner
from hypermon._inputs import scenario
from hypermon._model import monitors, worker
from hypermon.errors import UserError
from tests.python import both_ways

pytestmark = [pytest.mark.worker, pytest.mark.usefixtures("worker")]
EXACT = 1e-6  # s: SMPI's looks at clocks, 10 ns each
SMPI = {"machine.topology": "star", "machine.messages": "smpi", "node.clock_drift_ppm": 0, "monitor": "none"}
SLICES = {"cpu.policy": "time_slices", "cpu.quantum_ms": 10, "cpu.context_switch_us": 0}


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return both_ways.compiled("processors.c", tmp_path_factory.mktemp("processors"))


class Ran:
    def __init__(self, result: Any, folder: Path) -> None:
        self.cpu = result.get("cpu")
        self.result = result
        lines = [
            line.split() for file in sorted((folder / "stdout").iterdir()) for line in file.read_text().splitlines()
        ]
        self.ends = [float(end) for _, end in sorted((int(rank), end) for rank, end in lines)]


def run(program: Path, folder: Path, arguments: str, **settings: Any) -> Ran:
    given = {path.replace("__", "."): value for path, value in settings.items()}
    values = {**SMPI, **SLICES, "nodes": 1, "workload": "program", "program.file": str(program),
              "program.arguments": arguments, **given}  # fmt: skip
    spec = scenario.find_one("collection/pingpong").resolve(worker.schema(), values)
    return Ran(runner.simulate(spec, folder), folder)


def test_two_ranks_take_turns_on_one_processor(program: Path, tmp_path: Path) -> None:
    ran = run(program, tmp_path / "run", "compute 45 45", cpu__ranks_per_node=2, cpu__context_switch_us=100)
    # MPI_Init is a barrier: rank 0 waits there for rank 1, which has the processor first: 0.1-10.1, 20.3-30.3, 40.5-50.5,
    # 60.7-70.7, 80.9-85.9 ms; rank 0 what lies between, and 86.0-91.0.
    assert ran.ends == pytest.approx([91e-3, 85.9e-3], abs=EXACT)
    assert [rank["used_s"] for rank in ran.cpu["ranks"]] == pytest.approx([45e-3, 45e-3], abs=EXACT)
    assert ran.cpu["nodes"][0]["switches"] == 10
    assert ran.cpu["nodes"][0]["switching_s"] == pytest.approx(1e-3)


def test_without_slices_a_rank_keeps_the_processor_until_it_waits(program: Path, tmp_path: Path) -> None:
    ran = run(program, tmp_path / "run", "compute 45 45", cpu__ranks_per_node=2, cpu__policy="kernel_first")
    assert ran.ends == pytest.approx([90e-3, 45e-3], abs=EXACT)  # rank 0 waits in MPI_Init for rank 1


def test_ranks_that_sleep_leave_their_processor(program: Path, tmp_path: Path) -> None:
    ran = run(program, tmp_path / "run", "sleep 45 22", cpu__ranks_per_node=3, cpu__processors=2, cpu__bind_ranks=True)
    # Ranks 0 and 2 share processor 0. Rank 2 wakes at 22 ms and goes on when rank 0's quantum ends, at 30 ms.
    assert ran.ends == pytest.approx([45e-3, 22e-3, 30e-3], abs=EXACT)


def test_a_competitor_halves_the_speed_while_it_runs(program: Path, tmp_path: Path) -> None:
    ran = run(program, tmp_path / "run", "compute 1000", competitors__nodes="all", competitors__begin_s=0.2,
              competitors__end_s=0.6)  # fmt: skip
    assert ran.ends == pytest.approx([1.2], abs=EXACT)  # 0.4 s shared: the rank had 0.2 of them
    assert ran.cpu["ranks"][0]["waited_s"] == pytest.approx(0.2)


@pytest.mark.parametrize(("threads", "bound", "processors", "share"),
                         [(1, "", 2, 1), (2, "", 2, 2 / 3), (1, "0", 2, 1), (2, "0", 1, 1 / 3)])  # fmt: skip
def test_threads_of_a_competitor_take_what_processors_are_left(
    program: Path, tmp_path: Path, threads: int, bound: str, processors: int, share: float
) -> None:
    """One rank: the NT cluster's question. Three that take turns on two processors have two thirds each."""
    ran = run(program, tmp_path / "run", "compute 900", cpu__processors=processors, competitors__nodes="0",
              competitors__threads=threads, competitors__processors=bound)  # fmt: skip
    assert ran.ends == pytest.approx([0.9 / share], abs=30e-3)  # two quanta, and the one that it may come late


def test_a_rank_bound_beside_a_bound_thread_has_half_though_a_processor_is_idle(program: Path, tmp_path: Path) -> None:
    ran = run(program, tmp_path / "run", "compute 900", cpu__processors=2, cpu__bind_ranks=True,
              competitors__nodes="0", competitors__processors="0")  # fmt: skip
    assert ran.ends == pytest.approx([1.8], abs=20e-3)
    assert ran.cpu["nodes"][0]["idle_s"] == pytest.approx(1.8, abs=20e-3)


def test_a_competitor_that_sleeps_takes_its_duty_alone(program: Path, tmp_path: Path) -> None:
    ran = run(program, tmp_path / "run", "compute 900", competitors__nodes="all", competitors__busy_ms=1,
              competitors__sleep_ms=99, competitors__priority=1)  # fmt: skip
    # It preempts for 1 ms in every 100: 1 ms at 0, 100, ... 900 ms.
    assert ran.ends == pytest.approx([0.910], abs=EXACT)


def test_fair_shares_follow_weights(program: Path, tmp_path: Path) -> None:
    ran = run(program, tmp_path / "run", "compute 300", cpu__policy="fair_shares", cpu__quantum_ms=1,
              competitors__nodes="all", competitors__weight=3)  # fmt: skip
    assert ran.ends == pytest.approx([1.2], abs=5e-3)


def test_a_rank_that_blocks_beside_a_competitor_waits_a_quantum_for_each_message_and_one_that_polls_does_not(
    program: Path, tmp_path: Path
) -> None:
    beside = {"nodes": 2, "competitors__nodes": "1", "cpu__context_switch_us": 100}
    exchanges = 20
    alone = run(program, tmp_path / "alone", f"exchange {exchanges} 0.01", nodes=2)
    assert alone.cpu is None
    blocks = run(program, tmp_path / "block", f"exchange {exchanges} 0.01", **beside)
    # Rank 1 leaves when it waits; the competitor's quantum and both switches pass before it answers.
    period = 10e-3 + 2 * 100e-6 + 10e-6
    assert blocks.ends[0] == pytest.approx(exchanges * period, rel=0.06)
    polls = run(program, tmp_path / "poll", f"exchange {exchanges} 0.01", cpu__waiting="poll", **beside)
    assert polls.ends[0] < alone.ends[0] + 2 * (10e-3 + 200e-6)
    assert polls.cpu["ranks"][1]["used_s"] > 5 * blocks.cpu["ranks"][1]["used_s"]  # it burns what it waits


def test_ranks_with_a_processor_each_see_smpiruns_times_to_the_bit(tmp_path: Path) -> None:
    binary = both_ways.compiled("../../platforms/programs/pingpong.c", tmp_path)
    hosts = tmp_path / "hosts"
    hosts.write_text("far0\nfar0\nfar1\nfar1\n")  # the first two by name
    theirs = both_ways.smpirun(binary, 4, platform=(str(both_ways.CLUSTER), "-hostfile", str(hosts)))
    assert theirs.returncode == 0, theirs.stderr
    values = {"monitor": "none", "workload": "program", "program.file": str(binary), "nodes": 2, "machine.topology": "xml",
              "machine.xml": str(both_ways.CLUSTER), "machine.messages": "smpi", "cpu.ranks_per_node": 2,
              "cpu.processors": 2, **SLICES}  # fmt: skip
    spec = scenario.find_one("collection/pingpong").resolve(worker.schema(), values)
    result = runner.simulate(spec, tmp_path / "run")
    ours = [line for file in (tmp_path / "run" / "stdout").iterdir() for line in file.read_text().splitlines()]
    assert sorted(ours) == sorted(theirs.stdout.splitlines())
    assert "cpu" not in result


LATE = {"competitors.nodes": "all", "competitors.begin_s": 1e5}  # the nodes are shared, with nobody yet


@pytest.mark.parametrize("monitor", monitors.registered())
@pytest.mark.parametrize("policy", ["time_slices", "fair_shares"])
@pytest.mark.parametrize(("name", "settings"), [
    ("collection/halo", {"nodes": 4, "halo.size": 16, "halo.iterations": 6}),
    ("collection/workers", {"nodes": 4, "workers.tasks": 8, "workers.points": 20}),
])  # fmt: skip
def test_nx2_on_shared_processors_does_what_it_does_alone(
    tmp_path: Path, name: str, settings: dict[str, Any], policy: str, monitor: str
) -> None:
    shared = {**LATE, "cpu.policy": policy, "cpu.quantum_ms": 0.7, "cpu.processors": 2}
    found = [
        runner.simulate(scenario.find_one(name).resolve(worker.schema(), {"monitor": monitor, **settings, **more}), out)
        for more, out in (({}, tmp_path / "alone"), (shared, tmp_path / "shared"))
    ]
    assert found[0]["fingerprint"] == found[1]["fingerprint"]
    assert found[0]["ranks"] == found[1]["ranks"]
    assert len(found[1]["cpu"]["nodes"]) == 4


@pytest.mark.parametrize(("settings", "says"), [
    ({"cpu.ranks_per_node": 2}, "cpu.ranks_per_node = 2: must be 1 with machine.messages"),
    ({"cpu.waiting": "poll"}, 'cpu.waiting = "poll": must be block with machine.messages'),
    ({"machine.messages": "smpi", "cpu.waiting": "poll", "cpu.ranks_per_node": 2},
     'cpu.waiting = "poll": must be block with cpu.policy = "kernel_first"'),
    ({"competitors.nodes": "0-9", **SLICES}, 'competitors.nodes = "0-9": must be all, or numbers of nodes from 0 to 3'),
    ({"competitors.nodes": "0,,1", **SLICES}, 'competitors.nodes = "0,,1": must be'),
    ({"competitors.nodes": "all"}, 'competitors.nodes = "all": needs cpu.policy'),
    ({"competitors.nodes": "all", "competitors.processors": "1", **SLICES},
     'competitors.processors = "1": must be numbers of a node\'s processors from 0 to 0'),
    ({"competitors.nodes": "all", "competitors.begin_s": 2.5, "competitors.end_s": 2, **SLICES},
     "competitors.end_s = 2.0: must be after competitors.begin_s = 2.5"),
    ({"competitors.nodes": "all", "competitors.busy_ms": 2, **SLICES}, "competitors.busy_ms = 2.0: must be given with"),
    ({"competitors.nodes": "all", "competitors.priority": 1, **SLICES}, "competitors.priority = 1: must be 0 or less"),
])  # fmt: skip
def test_what_a_node_cannot_do_is_refused(settings: dict[str, Any], says: str) -> None:
    with pytest.raises(UserError) as error:
        scenario.find_one("collection/pingpong").resolve(worker.schema(), {"nodes": 4, **settings})
    assert says in str(error.value)
