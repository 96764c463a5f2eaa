# SPDX-License-Identifier: BSD-3-Clause
"""Processes that share a node's processors: the ranks' times, derived from the rules of docs/design/cpu.md."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from hypermon._engine import runner
from hypermon._inputs import scenario
from hypermon._model import worker
from hypermon.errors import UserError
from tests.python import both_ways
from tests.registered import observers

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
    # MPI_Init is a barrier: rank 0 waits there for rank 1, which gets the processor first: 0.1-10.1, 20.3-30.3,
    # 40.5-50.5, 60.7-70.7, 80.9-85.9 ms. Rank 0 gets the intervals between, and 86.0-91.0.
    assert ran.ends == pytest.approx([91e-3, 85.9e-3], abs=EXACT)
    assert [rank["used_s"] for rank in ran.cpu["ranks"]] == pytest.approx([45e-3, 45e-3], abs=EXACT)
    assert ran.cpu["nodes"][0]["switches"] == 10
    assert ran.cpu["nodes"][0]["switching_s"] == pytest.approx(1e-3)


def test_without_slices_a_rank_keeps_the_processor_until_it_waits(program: Path, tmp_path: Path) -> None:
    ran = run(program, tmp_path / "run", "compute 45 45", cpu__ranks_per_node=2, cpu__policy="kernel_first")
    assert ran.ends == pytest.approx([90e-3, 45e-3], abs=EXACT)  # rank 0 waits in MPI_Init for rank 1


def test_ranks_that_sleep_leave_their_processor(program: Path, tmp_path: Path) -> None:
    ran = run(program, tmp_path / "run", "sleep 45 22", cpu__ranks_per_node=3, cpu__processors=2, cpu__bind_ranks=True)
    # Ranks 0 and 2 share processor 0. Rank 2 wakes at 22 ms and continues when rank 0's quantum ends, at 30 ms.
    assert ran.ends == pytest.approx([45e-3, 22e-3, 30e-3], abs=EXACT)


def test_a_competitor_halves_the_speed_while_it_runs(program: Path, tmp_path: Path) -> None:
    ran = run(program, tmp_path / "run", "compute 1000", competitor__count=1, competitor__begin_s=0.2,
              competitor__end_s=0.6)  # fmt: skip
    assert ran.ends == pytest.approx([1.2], abs=EXACT)  # 0.4 s are shared: the rank got 0.2 s of them
    assert ran.cpu["ranks"][0]["waited_s"] == pytest.approx(0.2)


@pytest.mark.parametrize(("threads", "bound", "processors", "share"),
                         [(1, "", 2, 1), (2, "", 2, 2 / 3), (1, "0", 2, 1), (2, "0", 1, 1 / 3)])  # fmt: skip
def test_threads_of_a_competitor_take_what_processors_are_left(
    program: Path, tmp_path: Path, threads: int, bound: str, processors: int, share: float
) -> None:
    """One rank, as on the NT cluster. Three threads that share two processors in turn have two thirds each."""
    ran = run(program, tmp_path / "run", "compute 900", cpu__processors=processors, competitor__count=1, competitor__nodes="0",
              competitor__threads=threads, competitor__processors=bound)  # fmt: skip
    assert ran.ends == pytest.approx([0.9 / share], abs=30e-3)  # two quanta, and the one by which it may be late


def test_a_rank_bound_beside_a_bound_thread_has_half_though_a_processor_is_idle(program: Path, tmp_path: Path) -> None:
    ran = run(program, tmp_path / "run", "compute 900", cpu__processors=2, cpu__bind_ranks=True,
              competitor__count=1, competitor__nodes="0", competitor__processors="0")  # fmt: skip
    assert ran.ends == pytest.approx([1.8], abs=20e-3)
    assert ran.cpu["nodes"][0]["idle_s"] == pytest.approx(1.8, abs=20e-3)


def test_a_competitor_that_sleeps_takes_its_duty_alone(program: Path, tmp_path: Path) -> None:
    ran = run(program, tmp_path / "run", "compute 900", competitor__count=1, competitor__busy_ms=1,
              competitor__sleep_ms=99, competitor__priority=1)  # fmt: skip
    # It preempts for 1 ms in every 100: 1 ms at 0, 100, ... 900 ms.
    assert ran.ends == pytest.approx([0.910], abs=EXACT)


def test_fair_shares_follow_weights(program: Path, tmp_path: Path) -> None:
    ran = run(program, tmp_path / "run", "compute 300", cpu__policy="fair_shares", cpu__quantum_ms=1,
              competitor__count=1, competitor__weight=3)  # fmt: skip
    assert ran.ends == pytest.approx([1.2], abs=5e-3)


def test_kinds_of_competitors_come_and_go_each_for_itself(program: Path, tmp_path: Path) -> None:
    ran = run(program, tmp_path / "run", "compute 1000", competitor__count=2, competitor__begin_s=0.2,
              competitor__end_s=0.6, **{"competitor[1].begin_s": 0.4, "competitor[1].end_s": 0.8})  # fmt: skip
    # The rank gets the whole processor until 0.2 s, half until 0.4, a third until 0.6, half until 0.8, then all of it.
    done = 0.2 + 0.2 / 2 + 0.2 / 3 + 0.2 / 2
    assert ran.ends == pytest.approx([0.8 + 1 - done], abs=3 * 10e-3)  # a quantum at each change


def test_a_kind_of_competitors_is_on_its_nodes_alone(program: Path, tmp_path: Path) -> None:
    ran = run(program, tmp_path / "run", "compute 900 600 900", nodes=3, competitor__count=2, competitor__nodes="0",
              **{"competitor[1].nodes": "1", "competitor[1].threads": 2})  # fmt: skip
    assert ran.ends == pytest.approx([1.8, 1.8, 0.9], abs=40e-3)  # MPI_Init waits for the latest rank
    assert ran.cpu["nodes"][2] is None  # no rank is there


ON_TWO = {"cpu__processors": 2, "competitor__count": 1}


@pytest.mark.parametrize(("settings", "share"), [
    ({"competitor__threads": 2, "competitor__processors": "0-1"}, 2 / 3),  # three threads share two processors in turn
    ({"competitor__threads": 1, "competitor__processors": "0-1", "cpu__rank_processors": "0"}, 1),
    ({"competitor__threads": 1, "competitor__processors": "0-1", "cpu__rank_processors": "0", "competitor__bind": True},
     1 / 2),
    # both threads are on one processor, and the rank has the other
    ({"competitor__threads": 2, "competitor__processors": "0"}, 1),
    ({"competitor__threads": 1, "cpu__rank_processors": "1", "competitor__processors": "1"}, 1 / 2),
    ({"competitor__threads": 1, "cpu__rank_processors": "0-1", "competitor__processors": "1"}, 1),
])  # fmt: skip
def test_affinities_say_who_meets_whom(program: Path, tmp_path: Path, settings: dict[str, Any], share: float) -> None:
    ran = run(program, tmp_path / "run", "compute 900", **ON_TWO, **settings)
    assert ran.ends == pytest.approx([0.9 / share], abs=30e-3)


def test_ranks_that_may_run_on_one_processor_of_two_share_it(program: Path, tmp_path: Path) -> None:
    ran = run(program, tmp_path / "run", "compute 45 45", cpu__ranks_per_node=2, cpu__processors=2,
              cpu__rank_processors="1")  # fmt: skip
    assert ran.ends == pytest.approx([90e-3, 85e-3], abs=EXACT)  # as on one processor; rank 1 gets it first
    assert ran.cpu["nodes"][0]["idle_s"] == pytest.approx(90e-3, abs=EXACT)


FIRST = {"competitor__priority": 1, "competitor__threads": 1}


@pytest.mark.parametrize(("settings", "rank"), [
    ({**FIRST, "cpu__processors": 1}, 0),
    ({**FIRST, "cpu__processors": 2, "competitor__processors": "1", "cpu__rank_processors": "1"}, 0),
    # Threads for 0, and for 0 or 1: they fit on both, one each.
    ({**FIRST, "cpu__processors": 2, "competitor__count": 2, "competitor[1].processors": "0"}, 0),
    ({**FIRST, "cpu__processors": 2, "cpu__ranks_per_node": 2, "cpu__bind_ranks": True,
      "competitor__processors": "1"}, 1),
])  # fmt: skip
def test_threads_that_could_leave_a_rank_no_processor_for_ever_are_refused(
    program: Path, tmp_path: Path, settings: dict[str, Any], rank: int
) -> None:
    with pytest.raises(UserError, match=rf"must be 0 or less: .* leave rank {rank} no processor of node 0"):
        run(program, tmp_path / "run", "compute 1", **{"competitor__count": 1, **settings})


def test_threads_that_leave_every_rank_a_processor_go_first(program: Path, tmp_path: Path) -> None:
    free: dict[str, dict[str, Any]] = {
        "other": {"competitor__processors": "1", "cpu__rank_processors": "0"},
        "both_there": {"competitor__processors": "1", "competitor__threads": 2},
        "ends": {"competitor__processors": "0", "cpu__rank_processors": "0", "competitor__end_s": 0.001},
    }
    for name, settings in free.items():
        ran = run(program, tmp_path / name, "compute 30", **{**FIRST, **ON_TWO, **settings})
        assert ran.ends[0] <= 0.031 + EXACT


def test_a_rank_that_blocks_beside_a_competitor_waits_a_quantum_for_each_message_and_one_that_polls_does_not(
    program: Path, tmp_path: Path
) -> None:
    beside = {"nodes": 2, "competitor__count": 1, "competitor__nodes": "1", "cpu__context_switch_us": 100}
    exchanges = 20
    alone = run(program, tmp_path / "alone", f"exchange {exchanges} 0.01", nodes=2)
    assert alone.cpu is None
    blocks = run(program, tmp_path / "block", f"exchange {exchanges} 0.01", **beside)
    # Rank 1 leaves when it waits; the competitor's quantum and both switches pass before it answers.
    period = 10e-3 + 2 * 100e-6 + 10e-6
    assert blocks.ends[0] == pytest.approx(exchanges * period, rel=0.06)
    polls = run(program, tmp_path / "poll", f"exchange {exchanges} 0.01", cpu__waiting="poll", **beside)
    assert polls.ends[0] < alone.ends[0] + 2 * (10e-3 + 200e-6)
    assert polls.cpu["ranks"][1]["used_s"] > 5 * blocks.cpu["ranks"][1]["used_s"]  # it uses CPU time while it waits


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


LATE = {"competitor.count": 1, "competitor.begin_s": 1e5}  # the nodes are shared, but the competitor has not begun


# other monitors' daemons may have a processor to themselves
@pytest.mark.parametrize("monitor", ["none", *observers()])
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
    ({"competitor.count": 1, "competitor.nodes": "0-9", **SLICES},
     'competitor.nodes = "0-9": must be all, or numbers of nodes from 0 to 3'),
    ({"competitor.count": 1, "competitor.nodes": "0,,1", **SLICES}, 'competitor.nodes = "0,,1": must be'),
    ({"competitor.count": 1}, 'competitor.count = 1: needs cpu.policy'),
    ({"competitor.count": 1, "competitor.processors": "1", **SLICES},
     'competitor.processors = "1": must be numbers of a node\'s processors from 0 to 0'),
    ({"competitor.count": 1, "competitor.begin_s": 2.5, "competitor.end_s": 2, **SLICES},
     "competitor.end_s = 2.0: must be after competitor.begin_s = 2.5"),
    ({"competitor.count": 1, "competitor.busy_ms": 2, **SLICES}, "competitor.busy_ms = 2.0: must be given with"),
    ({"competitor.count": 2, "competitor[1].end_s": 2, "competitor[1].begin_s": 2, **SLICES},
     "competitor[1].end_s = 2.0: must be after competitor[1].begin_s = 2.0"),
    ({"competitor.count": 1, "competitor[1].threads": 2, **SLICES}, "no such competitor; competitor.count = 1"),
    ({"competitors.nodes": "all", **SLICES}, "competitors.nodes: no such parameter; did you mean competitor.nodes?"),
    ({"competitor.count": 1, "competitor.priority": 1, **SLICES}, "competitor.priority = 1: must be 0 or less"),
    ({"cpu.processors": 2, "cpu.rank_processors": "2", **SLICES},
     'cpu.rank_processors = "2": must be numbers of a node\'s processors from 0 to 1'),
    ({"machine.messages": "smpi", "cpu.waiting": "poll", "cpu.ranks_per_node": 2, "cpu.processors": 2,
      "cpu.rank_processors": "1"}, 'cpu.waiting = "poll": must be block with cpu.policy = "kernel_first"'),
])  # fmt: skip
def test_what_a_node_cannot_do_is_refused(settings: dict[str, Any], says: str) -> None:
    with pytest.raises(UserError) as error:
        scenario.find_one("collection/pingpong").resolve(worker.schema(), {"nodes": 4, **settings})
    assert says in str(error.value)
