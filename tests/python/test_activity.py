# SPDX-License-Identifier: BSD-3-Clause
"""The times at which ranks compute, which runs write on request: sums, order, the grid; and nothing else changes.

HYPERMON_TEST_RUNS   number of random runs instead of CI's
HYPERMON_TEST_SEED   the first seed
"""

from __future__ import annotations

import os
import random
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import hypermon as package
from hypermon._engine import runner
from hypermon._files import results, sums
from hypermon._model import activity as activities
from hypermon._model.activity import EVENTS, FILE, PIECES, Activity
from hypermon._model.result import Result
from hypermon._model.spec import Spec
from hypermon.errors import DamagedError, UserError
from hypermon.judging.curves import curve_from_pieces
from tests.python.random_specs import random_spec
from tests.registered import observers

pytestmark = [pytest.mark.worker, pytest.mark.usefixtures("worker")]
RUNS = int(os.environ.get("HYPERMON_TEST_RUNS", "24"))
SEED = int(os.environ.get("HYPERMON_TEST_SEED", "0"))
BATCHES = 4
SMPIS_NS = 1000
"""ps: with SMPI's messages, SimGrid ends a rank's computing early by at most this."""


@pytest.mark.parametrize("batch", range(BATCHES))
def test_what_ranks_computed_is_what_the_result_says(batch: int, tmp_path: Path) -> None:
    broken = []
    for seed in range(SEED + batch, SEED + RUNS, BATCHES):
        spec = random_spec(random.Random(seed))
        result = runner.simulate(spec, tmp_path / "run", leaves=runner.Leaves(activity=PIECES))
        broken += [f"HYPERMON_TEST_SEED={seed}: {violation}" for violation in violations(result, spec)]
    assert broken == []


def violations(result: Result, spec: Spec) -> list[str]:
    """Faults in the activity of a run."""
    activity = Activity(result.path)
    found = []
    exact = spec.values["machine.messages"] != "smpi"
    pieces = of_ranks(activity)
    for rank, (span, of) in enumerate(zip(activity.ranks, result["ranks"], strict=True)):
        computed = span.program_ps + span.monitor_ps + span.system_ps
        off = abs(round(of["compute_s"] * 1e12) - computed)
        if off > (0 if exact else SMPIS_NS * (1 + len(pieces[rank, "computing"]))):
            found.append(f"rank {rank}: compute_s is {of['compute_s']}, its parts sum up to {computed} ps")
        if round(of["elapsed_s"] * 1e12) != span.end_ps - span.begin_ps:
            found.append(f"rank {rank}: another section than the result's")
        own = np.concatenate([pieces[rank, state] for state in activities.STATES])
        own = own[np.argsort(own[:, 0], kind="stable")]
        if (own[:, 1] <= own[:, 0]).any() or (own[1:, 0] < own[:-1, 1]).any():
            found.append(f"rank {rank}: pieces overlap, or are empty")
        if (own[:, 2] != own[:, 1] - own[:, 0]).any() or activity.step_ps:
            found.append(f"rank {rank}: not exact")
        inside = np.clip(pieces[rank, "computing"][:, :2], span.begin_ps, span.end_ps)
        missing = span.program_ps - int((inside[:, 1] - inside[:, 0]).sum())
        if abs(missing) > (0 if exact else SMPIS_NS * (1 + len(inside))):
            found.append(f"rank {rank}: computed {span.program_ps} ps, its pieces are {missing} ps less")
    return found


def of_ranks(activity: Activity) -> dict[tuple[int, str], Any]:
    """Begin, end and time of each rank's pieces in each state: shape (n, 3)."""
    frame = activity.to_arrow().to_pandas()
    columns = ["begin_ps", "end_ps", "time_ps"]
    return {
        (rank, state): frame.loc[(frame["rank"] == rank) & (frame["state"] == state), columns].to_numpy(np.int64)
        for rank in range(len(activity.ranks))
        for state in activities.STATES
    }


def test_nothing_of_a_run_moves_because_it_is_watched(tmp_path: Path) -> None:
    for seed in range(4):
        spec = random_spec(random.Random(seed))
        plain = runner.simulate(spec, tmp_path / "plain")
        watched = runner.simulate(spec, tmp_path / "watched", leaves=runner.Leaves(activity=PIECES))
        assert watched.text == plain.text
        for file in sorted(plain.path.rglob("*")):
            own = file.relative_to(plain.path)
            if file.is_file() and file.name not in ("host.json", sums.FILE, results.LIST):
                assert (watched.path / own).read_bytes() == file.read_bytes(), own
        more = {file.name for file in watched.path.iterdir()} - {file.name for file in plain.path.iterdir()}
        assert FILE in more
        assert more <= {FILE, EVENTS}
        again = runner.simulate(spec, tmp_path / "again", leaves=runner.Leaves(activity=PIECES))
        for name in more:
            assert (again.path / name).read_bytes() == (watched.path / name).read_bytes()


def test_a_grid_has_of_each_step_what_the_pieces_have(tmp_path: Path) -> None:
    for seed in range(6):
        spec = random_spec(random.Random(seed))
        exact = Activity(runner.simulate(spec, tmp_path / "exact", leaves=runner.Leaves(activity=PIECES)).path)
        coarse = Activity(runner.simulate(spec, tmp_path / "coarse", leaves=runner.Leaves(activity=60)).path)
        if coarse.step_ps == 0:
            assert coarse.to_arrow().equals(exact.to_arrow())
            continue
        assert coarse.to_arrow().num_rows <= 2 * max(60, 4 * len(exact.ranks))
        found = of_ranks(coarse)
        for of, pieces in of_ranks(exact).items():
            wanted: dict[int, int] = {}
            for begin, end, _ in pieces.tolist():
                for step in range(begin // coarse.step_ps, (end - 1) // coarse.step_ps + 1):
                    low, high = step * coarse.step_ps, (step + 1) * coarse.step_ps
                    wanted[low] = wanted.get(low, 0) + min(end, high) - max(begin, low)
            assert {begin: time for begin, _, time in found[of].tolist()} == wanted


def test_shared_processors_compute_for_one_rank_at_a_time(tmp_path: Path) -> None:
    """With four ranks on a node with two processors, at most two compute at once, and the others wait."""
    result = package.run(
        "table2/matmul",
        nodes=2,
        monitor="none",
        matmul={"size": 24},
        cpu={"ranks_per_node": 4, "processors": 2, "policy": "fair_shares", "quantum_ms": 1},
        machine={"messages": "smpi"},
        out=tmp_path / "run",
        activity=True,
    )
    activity = Activity(result.path)
    for node in range(activity.nodes):
        assert activity.ranks_of(node) == 4
        assert curve_from_pieces(*activity.of_node(node)).slopes().max() == 2
    assert violations(result, Spec(result["scenario"], {"machine.messages": "smpi"})) == []


def test_an_interrupt_is_where_it_was(tmp_path: Path) -> None:
    """Ticks take the program's processor: each leaves a gap as long as the emission of the event, which belongs to the
    monitor.
    """
    if not observers():
        pytest.skip("no monitor carries events")
    settings = {"nodes": 2, "monitor": observers()[0], "matmul.size": 32}
    result = package.run("table2/matmul", settings=settings, out=tmp_path / "run", activity=True)
    activity = Activity(result.path)
    pieces = of_ranks(activity)
    ticks = result["spec"]["node"]["tick_ms"] * 1e9
    gaps = [
        (int(kept[0]), int(kept[1]))
        for kept in pieces[0, "monitor"]
        if any(int(one[1]) == int(kept[0]) for one in pieces[0, "computing"])
        and any(int(one[0]) == int(kept[1]) for one in pieces[0, "computing"])
    ]
    assert gaps
    between = np.diff([begin for begin, _ in gaps]) / ticks
    assert np.allclose(between, between.round(), atol=1e-3)  # the crystal's drift


@pytest.mark.parametrize("monitor", observers())
def test_every_event_of_a_monitor_is_there_once(monitor: str, tmp_path: Path) -> None:
    """There are as many events as the ledger counts as generated; exactly the lost ones have no stamp."""
    settings = {"nodes": 4, "monitor": monitor, "place.attempts": 300}
    result = package.run("table2/place", settings=settings, out=tmp_path / "run", activity=True)
    events = activities.events(result.path).to_pandas()
    assert len(events) == result["ledger"]["generated"]["events"]
    assert events["stamped_ps"].isna().sum() == result["ledger"]["lost_total"]["events"]
    assert set(events["point"]) > {
        "nx2.syscall_entry",
        "nx2.syscall_exit",
        "nx2.switch_out",
        "nx2.switch_in",
        "nx2.tick",
    }
    counts = events["point"].value_counts()
    assert counts["nx2.syscall_entry"] == counts["nx2.syscall_exit"]
    assert counts["nx2.process_start"] == counts["nx2.process_end"] == 4


def test_what_is_not_there_or_is_damaged_is_said(tmp_path: Path) -> None:
    plain = package.run("table2/matmul", nodes=2, matmul={"size": 16}, monitor="none", out=tmp_path / "plain")
    with pytest.raises(UserError, match=re.escape("run again with --activity")):
        Activity(plain.path)
    if not observers():
        pytest.skip("no monitor carries events")
    settings = {"nodes": 2, "matmul.size": 16, "monitor": observers()[0]}
    run = package.run("table2/matmul", settings=settings, out=tmp_path / "run", activity=True)
    file = run.path / FILE
    content = file.read_bytes()
    file.write_bytes(content[:-8])
    with pytest.raises(DamagedError, match="its checksum is not that"):
        Activity(run.path)
    (run.path / sums.FILE).unlink()
    with pytest.raises(DamagedError, match="is damaged"):
        Activity(run.path)
    file.write_bytes((run.path / EVENTS).read_bytes())
    with pytest.raises(UserError, match="is an Arrow file, but not of this hypermon"):
        Activity(run.path)


def test_an_empty_machine_has_an_empty_activity(tmp_path: Path) -> None:
    settings = {"workload": "idle", "idle.duration_s": 0.3, "nodes": 2}
    result = package.run("table2/matmul", settings=settings, out=tmp_path / "run", activity=True)
    activity = Activity(result.path)
    assert activity.ranks == ()
    assert activity.end_ps == round(result["elapsed_s"] * 1e12)
    with pytest.raises(UserError, match="no program ran"):
        package.judge(result)
