# SPDX-License-Identifier: BSD-3-Clause
"""TAU in whole runs: costs and contents of timers, to the microsecond, against the program's actions; messages to
users.
"""

from __future__ import annotations

import json
import random
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

import hypermon
from hypermon._files import tau
from hypermon.errors import SimulationError, UserError
from hypermon.monitors.tau import summaries, verdict
from tests.python import both_ways

pytestmark = [pytest.mark.worker, pytest.mark.usefixtures("worker")]
RIGHT = {
    "node.clock_drift_ppm": 0,
    "node.clock_offset_us": 0,
    "node.start_spread_us": 0,
    "machine.messages": "smpi",
    "machine.topology": "star",
}
CALLS = 3  # MPI calls besides those of iterations: Init, Comm_rank, Comm_size


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return both_ways.compiled("../../monitors/tau/brackets.c", tmp_path_factory.mktemp("program"))


def run(
    program: Path,
    out: Path,
    *arguments: object,
    monitor: str = "tau",
    nodes: int = 1,
    settings: Mapping[str, Any] | None = None,
) -> hypermon.Result:
    own = {
        key: value for key, value in (settings or {}).items() if monitor.startswith("tau") or not key.startswith("tau.")
    }
    return hypermon.run(
        program=program,
        arguments=[str(one) for one in arguments],
        out=out,
        settings={"nodes": nodes, "monitor": monitor, **RIGHT, **own},
    )


def routine(result: hypermon.Result, name: str, rank: int = 0) -> tau.Routine:
    found = tau.read(result.path / "profiles" / f"profile.{rank}.0.0").routines
    (one,) = [one for one in found if one.name == name]
    return one


def test_each_timer_costs_its_price_and_nothing_else_changes(program: Path, tmp_path: Path) -> None:
    """The section begins when MPI_Init returns: the stop of its timer comes later, and the timer of MPI_Finalize starts
    before the section's end.
    """
    bare = run(program, tmp_path / "bare", 4, 6, 10_000, monitor="none")
    timed = run(program, tmp_path / "timed", 4, 6, 10_000, settings={"tau.timer_us": 3})
    timers = 1 + 4 + 4 * 6 + CALLS  # main, iterations, kernels, MPI
    assert timed["monitor"]["timers"] == timers + 1  # MPI_Finalize
    # MPI_Init's stop and MPI_Finalize's start together make one timer
    assert round((timed["elapsed_s"] - bare["elapsed_s"]) * 1e9) == timers * 3000
    assert round(timed["monitor"]["measuring_s"] * 1e9) == timers * 3000 + 1500  # and MPI_Finalize's start
    free = run(program, tmp_path / "free", 4, 6, 10_000, settings={"tau.timer_us": 0, "tau.gettimeofday_us": 0})
    assert free["elapsed_s"] == bare["elapsed_s"]


def test_half_of_a_timer_is_in_its_own_time_and_half_in_that_around_it(program: Path, tmp_path: Path) -> None:
    result = run(program, tmp_path / "run", 1, 5, 10_000, settings={"tau.timer_us": 4, "tau.clock": "gettimeofday"})
    kernel, iteration = routine(result, "kernel"), routine(result, "iteration")
    assert kernel == ("kernel", 5, 0, 5 * 12, 5 * 12, "TAU_USER")  # 10 us of work, and 2 of each timer's 4 us
    assert iteration[1:5] == (1, 5, 5 * 2 + 2, 5 * 12 + 5 * 2 + 2)
    main = routine(result, "main")
    assert main.inclusive == iteration.inclusive + 4  # the other half of the iteration's timer, and half of its own
    application = routine(result, ".TAU application")
    assert application.calls == 1
    assert application.subroutines == CALLS + 2  # also main and MPI_Finalize
    assert routine(result, "MPI_Init()").group == "MPI"


def test_with_the_cycle_counter_a_timer_is_cheaper_by_what_its_readings_are(program: Path, tmp_path: Path) -> None:
    timers = 1 + 2 + 2 * 50 + CALLS
    elapsed = {}
    for clock in ("gettimeofday", "rdtsc"):
        result = run(
            program,
            tmp_path / clock,
            2,
            50,
            1000,
            settings={"tau.clock": clock, "tau.gettimeofday_us": 0.9, "tau.rdtsc_ns": 25},
        )
        elapsed[clock] = result["elapsed_s"]
    assert round((elapsed["gettimeofday"] - elapsed["rdtsc"]) * 1e9) == timers * 2 * (900 - 25)
    fine = routine(result, "kernel")
    assert fine.inclusive == pytest.approx(100 * (1 + 0.125), abs=100 * 1e-3)  # 0.25 us a timer, half of it inside


TWO_ON_A_NODE = {"cpu.processors": 2, "cpu.ranks_per_node": 2}


def test_processes_of_a_node_wait_for_its_clock_and_others_do_not(program: Path, tmp_path: Path) -> None:
    def timed(name: str, access: float, **more: Any) -> hypermon.Result:
        return run(program, tmp_path / name, 4, 20, 300, settings={"tau.clock_access_us": access, **more})

    apart, shared = timed("apart", 0, **TWO_ON_A_NODE), timed("shared", 0.7, **TWO_ON_A_NODE)
    waited = shared["monitor"]["clock_wait_s"]
    assert apart["monitor"]["clock_wait_s"] == 0
    assert waited >= 0.7e-6  # both read it first when the program begins
    assert shared["monitor"]["measuring_s"] - waited == pytest.approx(apart["monitor"]["measuring_s"], abs=1e-12)
    assert 0.7e-6 <= shared["elapsed_s"] - apart["elapsed_s"] <= waited + 1e-9
    for more in ({}, {**TWO_ON_A_NODE, "tau.clock": "rdtsc"}):
        alone, same = (timed(f"{len(more)}_{access}", access, **more) for access in (0, 0.7))
        assert same["monitor"]["clock_wait_s"] == 0
        assert same["elapsed_s"] == alone["elapsed_s"]


def test_a_clock_of_whole_microseconds_shows_whole_microseconds(program: Path, tmp_path: Path) -> None:
    result = run(program, tmp_path / "run", 1, 1000, 1300, settings={"tau.timer_us": 0, "tau.gettimeofday_us": 0})
    kernel = routine(result, "kernel")
    assert kernel.inclusive == 1300  # some of 1 us, some of 2 us: the sum is right
    coarse = run(
        program, tmp_path / "coarse", 1, 10, 1300,
        settings={"tau.timer_us": 0, "tau.gettimeofday_us": 0, "tau.resolution_ns": 1_000_000},
    )  # fmt: skip
    assert routine(coarse, "kernel").inclusive == 0


def test_a_throttled_timer_costs_a_look_and_dilation_depends_on_iterations(program: Path, tmp_path: Path) -> None:
    limits = {"tau.throttle": True, "tau.throttle_calls": 100, "tau.throttle_us": 5, "tau.throttled_ns": 100}
    result = run(program, tmp_path / "short", 1, 1000, 1000, settings=limits)
    assert result["monitor"]["throttled"] == 1
    assert result["monitor"]["looks"] == 1000 - 101
    kernel = routine(result, "kernel [THROTTLED]")
    assert (kernel.calls, kernel.group) == (101, "TAU_DISABLE")
    assert routine(result, "iteration").subroutines == 101
    bare = run(program, tmp_path / "bare", 1, 1000, 1000, monitor="none")
    timers = 2 + 101 + CALLS
    assert round((result["elapsed_s"] - bare["elapsed_s"]) * 1e9) == timers * 2000 + (1000 - 101) * 100

    def dilation(iterations: int, **more: Any) -> float:
        timed = run(program, tmp_path / f"t{iterations}{bool(more)}", iterations, 50, 1000, settings=more)
        alone = run(program, tmp_path / f"b{iterations}{bool(more)}", iterations, 50, 1000, monitor="none")
        return float(timed["elapsed_s"]) / float(alone["elapsed_s"]) - 1

    assert dilation(40) == pytest.approx(dilation(4), rel=0.02)
    assert dilation(40, **limits) < dilation(4, **limits) / 3


def test_timers_that_still_run_at_the_end_are_named_and_warned_of(program: Path, tmp_path: Path) -> None:
    result = run(program, tmp_path / "run", 1, 1, 1000, 1, nodes=2)
    assert result["monitor"]["unstopped"] == [{"rank": rank, "routine": "main"} for rank in (0, 1)]
    (warning,) = result["warnings"]
    assert warning.startswith('2 timers still ran at MPI_Finalize, as TAU would warn: first "main" of rank 0')
    assert routine(result, "main").inclusive > routine(result, "iteration").inclusive


def test_a_process_alone_hands_over_nothing_but_its_last_profile(program: Path, tmp_path: Path) -> None:
    result = run(program, tmp_path / "run", 3, 1, 1000, nodes=4)
    monitor = result["monitor"]
    assert (monitor["transport"], monitor["dumps"], monitor["final_profiles"]) == ("none", 0, 4)
    assert result["ledger"]["generated"] == {"bytes": 0, "events": 0}
    found = tau.find(result.path)
    assert list(found) == [(rank, 0, 0) for rank in range(4)]
    for rank, path in enumerate(found.values()):
        profile = tau.read(path)
        metadata = dict(profile.metadata)
        assert metadata["Node Name"] == str(rank)
        sent = {one.name: one.calls for one in profile.routines}["MPI_Sendrecv()"]
        assert sent == 3


def test_the_same_run_writes_the_same_bytes(program: Path, tmp_path: Path) -> None:
    texts = []
    for again in range(2):
        result = run(program, tmp_path / str(again), 3, 4, 1000, nodes=2, settings={"node.clock_drift_ppm": 50})
        texts.append([path.read_bytes() for path in tau.find(result.path).values()])
    assert texts[0] == texts[1]


def test_profiles_of_random_programs_add_up(program: Path, tmp_path: Path) -> None:
    """For all costs of a timer: the exclusive times add up to the longest inclusive one, and the calls are the
    program's.
    """
    r = random.Random(4)
    for case in range(4):
        iterations, timers = r.randrange(1, 6), r.randrange(20)
        settings = {
            "tau.timer_us": round(r.uniform(0, 9), 3),
            "tau.gettimeofday_us": 0,
            "tau.clock": r.choice(("gettimeofday", "rdtsc")),
            "node.clock_drift_ppm": r.choice((0, 100)),
        }
        result = run(program, tmp_path / str(case), iterations, timers, r.randrange(20_000), nodes=3, settings=settings)
        for path in tau.find(result.path).values():
            routines = {one.name: one for one in tau.read(path).routines}
            application = routines[".TAU application"]
            assert sum(one.exclusive for one in routines.values()) == pytest.approx(application.inclusive, abs=1e-3)
            assert routines["iteration"].calls == iterations
            assert routines["kernel"].calls == iterations * timers if timers else "kernel" not in routines
            assert sum(one.calls for one in routines.values()) == 1 + sum(one.subroutines for one in routines.values())


def test_what_contradicts_is_refused(program: Path, tmp_path: Path) -> None:
    def refused(message: str, **settings: Any) -> None:
        with pytest.raises(UserError) as caught:
            run(program, tmp_path / "no", 1, 1, 1, settings=settings)
        assert message in str(caught.value)
        assert not (tmp_path / "no").exists()

    refused("tau.gettimeofday_us = 1.5: must be at most half of tau.timer_us = 2", **{"tau.gettimeofday_us": 1.5})
    refused(
        "tau.clock_access_us = 0.8: must be at most tau.gettimeofday_us = 0.72",
        **{"tau.clock_access_us": 0.8},
    )
    refused(
        "program.environment.TAU_TRANSPORT = pigeon: must be file or monhole",
        **{"program.environment.TAU_TRANSPORT": "pigeon"},
    )
    refused(
        "program.environment.TAU_TRANSPORT = monhole: contradicts tau.transport = file",
        **{"program.environment.TAU_TRANSPORT": "monhole", "tau.transport": "file"},
    )


def test_pprof_shows_means_and_totals(program: Path, tmp_path: Path) -> None:
    result = run(program, tmp_path / "run", 2, 3, 10_000, nodes=2, settings={"tau.timer_us": 2})
    profiles = list(summaries.read(result.path).values())
    mean = {row.name: row for row in summaries.rows(profiles)}
    total = {row.name: row for row in summaries.rows(profiles, "total")}
    assert mean["kernel"].calls == 6
    assert total["kernel"].calls == 12
    assert mean["kernel"].us_per_call == total["kernel"].us_per_call == 11  # work and half a timer
    assert mean[".TAU application"].share == 1
    assert total["kernel"].inclusive_us == 2 * mean["kernel"].inclusive_us
    for order in summaries.ORDERS:
        rows = summaries.rows(profiles, order=order)
        assert len(rows) == len(mean)
    assert [row.name for row in summaries.rows(profiles, order="name")] == sorted(mean)
    with pytest.raises(UserError, match="--sort speed: must be one of"):
        summaries.rows(profiles, order="speed")
    command = [str(Path(sys.executable).with_name("hypermon")), "tau", "pprof", str(result.path)]
    done = subprocess.run([*command, "--over", "total", "--json"], capture_output=True, text=True, check=True)
    totals = json.loads(done.stdout)
    assert (totals["threads"], totals["over"]) == (2, "total")
    assert {one["name"]: one["calls"] for one in totals["routines"]}["kernel"] == 12
    shown = subprocess.run([*command, "--node", "1"], capture_output=True, text=True, check=True).stdout
    assert "mean of 1 thread" in shown
    assert "MPI_Sendrecv()" in shown
    bad = subprocess.run([*command, "--node", "7"], capture_output=True, text=True, check=False)
    assert bad.returncode == 2
    assert "--node 7" in bad.stderr


def test_a_dump_point_outside_of_the_program_s_run_ends_it(tmp_path: Path) -> None:
    source = tmp_path / "early.c"
    source.write_text(
        "#include <hypermon.h>\n#include <mpi.h>\n"
        "int main(int argc, char** argv) { hypermon_profile_dump(); MPI_Init(&argc, &argv); MPI_Finalize(); return 0; }\n"
    )
    program = both_ways.compiled(str(source), tmp_path)
    for monitor in ("tau", "none"):
        with pytest.raises(SimulationError, match=r"rank 0 called hypermon_profile_dump\(\) before MPI_Init"):
            run(program, tmp_path / monitor, monitor=monitor)


@pytest.mark.parametrize(("transport", "says"), [("none", True), ("file", False), ("monhole", False)])
def test_the_verdict_says_when_no_profile_arrives_while_the_program_runs(transport: str, says: bool) -> None:
    found = verdict.verdict({"monitor": {"timers": 3, "open_loop_dilation": 0.1, "transport": transport}})
    assert ("No profile arrives before the program's end." in found) is says
