# SPDX-License-Identifier: BSD-3-Clause
"""Diagnosis by rules that are derived from the behaviour of processes: each test has processes with known times."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

import hypermon as hm
from hypermon.errors import UserError
from tests.conftest import Hypermon
from tests.python import little_samples
from tests.python.little_samples import Level

STEP = 1.0  # s: a process computes for a part of the step, and is in MPI for the rest


def turns(part: float, first: float = 0.0, step: float = STEP) -> Level:
    """Accumulated time of intervals of `part` s, each beginning `first` s after the begin of a step."""

    def level(at: float) -> float:
        whole, rest = divmod(at, step)
        return whole * part + min(max(rest - first, 0.0), part)

    return level


def less(a: Level, b: Level) -> Level:
    return lambda at: a(at) - b(at)


def whole(at: float) -> float:
    return at


def none(_at: float) -> float:
    return 0.0


def alone(compute: Level) -> dict[str, Level]:
    """An undisturbed process: it computes, and is in MPI otherwise."""
    switches = {"os.context_switches": none, "cpu.busy": compute}
    return {"cpu.user": compute, "mpi.time": less(whole, compute), **switches}


def struck(compute: Level, share: float) -> dict[str, Level]:
    """A polling process that gets a share of a processor, whether it computes or not; others on the node get the rest."""
    return {
        "cpu.user": lambda at: share * at,
        "mpi.time": less(whole, compute),
        "cpu.busy": whole,
        "os.context_switches": lambda at: 8 * at,
    }


def diagnosed(
    tmp_path: Path,
    nodes: Sequence[Mapping[str, Level]],
    elapsed: float,
    baseline: Sequence[Mapping[str, Level]] | None = None,
    before: float = 20.0,
) -> hm.Diagnosis:
    run = little_samples.run(tmp_path / "run", nodes, elapsed)
    other = None if baseline is None else little_samples.run(tmp_path / "baseline", baseline, before)
    return hm.diagnose(run, other)


HEALTHY = [alone(turns(0.7))] * 4  # 20 steps of 1 s


def standing(found: hm.Diagnosis) -> dict[str, str]:
    return {finding.cause: finding.standing for finding in found.findings}


def test_as_long_as_the_baseline_is_nothing_wrong(tmp_path: Path) -> None:
    found = diagnosed(tmp_path, HEALTHY, 20.0, HEALTHY)
    assert found.verdict == "nothing wrong"
    assert set(standing(found).values()) == {"ruled out"}


def test_more_time_with_everybody_in_mpi_is_the_network(tmp_path: Path) -> None:
    slow = [alone(turns(0.7, step=1.3))] * 4  # the same computing time, but 0.6 s instead of 0.3 s of MPI in each step
    found = diagnosed(tmp_path, slow, 26.0, HEALTHY)
    assert found.verdict == "network"
    network = found.findings[0]
    assert network.takes_s == pytest.approx(6.0, abs=0.3)
    assert standing(found) == {"network": "shown", "host": "ruled out", "balance": "ruled out"}


def test_without_a_baseline_the_network_is_not_named(tmp_path: Path) -> None:
    found = diagnosed(tmp_path, [alone(turns(0.7, step=1.3))] * 4, 26.0)
    assert found.verdict == "nothing wrong"
    assert standing(found)["network"] == "not ruled out"
    assert "--baseline" in found.findings[0].settles


def test_a_lack_of_processor_time_is_blamed_on_the_host_only(tmp_path: Path) -> None:
    """0.7 s of computing with 0.7 of a processor take 1 s, and the others wait for it. Messages take 0.3 s as before."""
    slow = [*[alone(turns(0.7, step=1.3))] * 3, struck(turns(1.0, step=1.3), 0.7)]
    found = diagnosed(tmp_path, slow, 26.0, HEALTHY)
    assert found.verdict == "host"
    assert found.findings[1].nodes == (3,)
    assert standing(found) == {"network": "ruled out", "host": "shown", "balance": "ruled out"}
    assert hm.diagnose(tmp_path / "run").verdict == "host"  # this needs no baseline


def test_the_process_that_took_the_processor_is_named(tmp_path: Path) -> None:
    """The helper gives all of the processor's time to the last item."""
    guilty = {**struck(turns(0.7), 0.5), "process.cpu": lambda at: 0.5 * at}
    items = {"process.cpu": ["program", "backup"]}
    found = hm.diagnose(little_samples.run(tmp_path / "run", [*HEALTHY[:3], guilty], 20.0, items=items))
    assert ("process.cpu", "backup took 50 % of a processor on node 3") in found.findings[1].counters


def test_a_process_that_waits_for_pages_is_a_host_where_nobody_else_is(tmp_path: Path) -> None:
    """0.7 s of computing and 0.3 s of waiting for the disk a step."""
    pages = {**alone(turns(0.7, step=1.3)), "mpi.time": less(whole, turns(1.0, step=1.3))}
    pages["memory.pages_read"] = lambda at: 30 * at
    others = {**alone(turns(0.7, step=1.3)), "memory.pages_read": none}
    found = diagnosed(tmp_path, [*[others] * 3, pages], 26.0, HEALTHY)
    assert found.verdict == "host"
    assert found.findings[1].nodes == (3,)
    assert ("memory.pages_read", "30/s for node 3's process") in found.findings[1].counters
    assert standing(found) == {"network": "ruled out", "host": "shown", "balance": "ruled out"}


def test_a_busy_neighbour_on_a_processor_of_its_own_is_nothing(tmp_path: Path) -> None:
    """Two processors: the process polls on one of them, and so has all the CPU time that it can use."""
    beside = {**struck(turns(0.7), 1.0), "cpu.busy": lambda at: 2 * at}
    assert diagnosed(tmp_path, [*HEALTHY[:3], beside], 20.0).verdict == "nothing wrong"


def test_processes_that_compute_in_turn_are_the_balance_and_not_the_network(tmp_path: Path) -> None:
    """Each is in MPI for as long as under a slow network; but whenever one is in MPI, another computes."""
    in_turn = [alone(turns(0.7, first=0.7 * i, step=3.1)) for i in range(4)]
    found = diagnosed(tmp_path, in_turn, 62.0, HEALTHY)
    assert found.verdict == "balance"
    assert standing(found)["network"] == "ruled out"
    assert hm.diagnose(tmp_path / "run").verdict == "balance"


def test_a_process_that_computes_more_than_the_others_is_the_balance(tmp_path: Path) -> None:
    uneven = [*[alone(turns(0.6, step=1.3))] * 3, alone(turns(1.0, step=1.3))]
    found = diagnosed(tmp_path, uneven, 26.0, HEALTHY)
    assert found.verdict == "balance"
    assert found.findings[2].nodes == (3,)


def test_both_a_host_and_the_network(tmp_path: Path) -> None:
    """Like the case of the host, but messages take 1.3 s instead of 0.3 s: more than the lack of a processor in MPI
    explains, which is 0.3 of it.
    """
    slow = [*[alone(turns(0.7, step=2.3))] * 3, struck(turns(1.0, step=2.3), 0.7)]
    assert diagnosed(tmp_path, slow, 46.0, HEALTHY).verdict == "network and host"


def test_others_may_wait_for_time_that_a_process_lost_in_mpi(tmp_path: Path) -> None:
    """With half a processor, 0.7 s of computing take 1.4 s. Messages take 0.6 s instead of 0.3 s, half of it without a
    processor.
    """
    slow = [*[alone(turns(0.7, step=2.0))] * 3, struck(turns(1.4, step=2.0), 0.5)]
    found = diagnosed(tmp_path, slow, 40.0, HEALTHY)
    assert found.verdict == "host"
    assert standing(found)["network"] == "not ruled out"
    assert found.findings[0].at_most_s == pytest.approx(6.0, abs=0.3)


def test_what_is_not_sampled_is_said_by_name(tmp_path: Path) -> None:
    blind = [{"cpu.user": turns(0.7), "os.context_switches": none}] * 2
    found = diagnosed(tmp_path, blind, 20.0)
    assert set(standing(found).values()) == {"cannot be said"}
    assert found.verdict == "undecided"
    assert {("mpi.time", "was not sampled")} == {text for finding in found.findings for text in finding.counters}


def test_time_in_unsampled_functions_does_not_count_as_computing(tmp_path: Path) -> None:
    partly = [{**alone(turns(0.7)), "mpi.time": none}] * 4
    found = diagnosed(tmp_path, partly, 20.0)
    assert standing(found) == {"network": "cannot be said", "host": "ruled out", "balance": "cannot be said"}


@pytest.mark.parametrize(
    ("what", "baseline", "message"),
    [
        ("too seldom", None, r"in \d+ intervals; 10 are needed"),
        ("nodes", [*HEALTHY, HEALTHY[0]], r"its nodes is 5, the run's 4: it must be the same"),
        ("work", [alone(turns(0.2))] * 4, r"a run with other work cannot be its baseline"),
    ],
)
def test_bad_input_is_one_error(
    tmp_path: Path, what: str, baseline: Sequence[Mapping[str, Level]] | None, message: str
) -> None:
    with pytest.raises(UserError, match=message):
        diagnosed(tmp_path, HEALTHY, 0.5 if what == "too seldom" else 20.0, baseline)


def test_a_baseline_of_another_program_is_refused(tmp_path: Path) -> None:
    run = little_samples.run(tmp_path / "run", HEALTHY, 20.0)
    other = little_samples.run(tmp_path / "other", HEALTHY, 20.0, workload="ring")
    with pytest.raises(UserError, match=r"its workload is ring, the run's place"):
        hm.diagnose(run, other)


def test_the_command_says_it_and_has_it_as_json(tmp_path: Path, hypermon: Hypermon) -> None:
    little_samples.run(tmp_path / "run", [*HEALTHY[:3], struck(turns(0.7), 0.5)], 20.0)
    output = hypermon("diagnose", str(tmp_path / "run")).stdout
    assert re.match(r"host: the program took 19.9 s; no baseline was given", output)
    assert "node 3's process had 50 % of the CPU" in output
    data = json.loads(hypermon("diagnose", str(tmp_path / "run"), "--json").stdout)
    assert (data["verdict"], data["findings"][1]["nodes"]) == ("host", [3])


def test_a_process_that_has_ended_is_taken_neither_for_computing_nor_for_one_that_lost_its_processor(
    tmp_path: Path,
) -> None:
    """Two processes continue for 20 s after a third, which shared its node with others, has ended at 5 s."""

    def until(end: float, level: Level) -> Level:
        return lambda at: level(min(at, end))

    beside = {name: until(5.0, level) for name, level in struck(turns(0.7), 1.0).items()} | {"cpu.busy": whole}
    found = diagnosed(tmp_path, [*HEALTHY[:2], beside], 20.0)
    assert found.verdict == "nothing wrong"
    assert found.run.together is not None
    assert found.run.together.computing_s == pytest.approx((2 * 0.7 * 20 + 0.7 * 5) / 3, rel=0.05)
