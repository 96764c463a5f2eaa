# SPDX-License-Identifier: BSD-3-Clause
"""HPVM's rules: the counters that are read of a node while the rule's condition holds for its samples."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import hypermon
from tests.monitors.hpvm.naive import Naive
from tests.monitors.hpvm.test_hpvm import QUIET, compare, drawn, run

pytestmark = [pytest.mark.worker, pytest.mark.usefixtures("worker")]
ACTING = (3, 6, 13, 21, 36)  # seeds whose rules become active, and whose outcome does not depend on a few microseconds


@pytest.mark.parametrize("seed", ACTING)
def test_rules_make_it_collect_what_a_naive_monitor_with_them_collects(tmp_path: Path, seed: int) -> None:
    design, settings = drawn(seed, rules=1 + seed % 2)
    naive = Naive(design)
    assert any(naive.fired)
    assert not naive.is_close
    result = run(tmp_path / "run", **settings)
    compare(naive, result, off=6)
    rules = result["monitor"]["rules"]
    assert [rule["fired"] for rule in rules] == naive.fired
    for rule, thread, first in zip(rules, naive.threads[1:], naive.first, strict=True):
        assert rule["first_s"] == (None if first is None else pytest.approx(first * 1e-6, abs=6e-6))
        assert rule["missed_sweeps"] == pytest.approx(thread.missed, abs=1)  # counts the last sweep
        values = sum(count for _, count in thread.sweeps.queries)
        assert rule["missed_samples"] == pytest.approx(thread.missed_nodes * values, abs=design.nodes * values)


DISTURBED = {
    "workload": "place", "nodes": 3, "cpu.policy": "time_slices", "cpu.quantum_ms": 10, "competitor.count": 1,
    "competitor.nodes": "1", "competitor.begin_s": 2.1, "competitor.end_s": 4.1, "hpvm.counters": "cpu.busy",
    "hpvm.interval_s": 0.5, **QUIET,
}  # fmt: skip


def busy(result: Any, node: int) -> tuple[Any, Any]:
    """Times at which the node's cpu.busy was read, and its share since the previous reading."""
    frame = result.samples.to_pandas()
    own = frame[(frame["counter"] == "cpu.busy") & (frame["node"] == node)]
    return own["true_ps"].to_numpy()[1:] / 1e12, np.diff(own["value"]) / np.diff(own["stamped_ps"])


def test_a_node_is_read_more_often_while_its_condition_holds_and_no_other(tmp_path: Path) -> None:
    settings = DISTURBED | {"workload": "idle", "idle.duration_s": 6, "hpvm.rules": "cpu.busy > 0.5 0.1 cpu.busy"}
    result = run(tmp_path / "run", **settings)
    [rule] = result["monitor"]["rules"]
    assert (rule["fired"], rule["nodes"]) == (1, [1])
    assert rule["first_s"] == pytest.approx(2.5, abs=0.02)  # the first sample that shows it: 0.4 s of 0.5 s
    dates, shares = busy(result, 1)
    # from the next sweep until a sample shows that the competitor has ended: the one after 4.1 s
    assert dates[(dates > 2.55) & (dates < 4.45)] == pytest.approx(
        sorted([*np.arange(2.6, 4.25, 0.1), 3.0, 3.5, 4.0]), abs=0.02
    )
    assert shares[(dates > 2.55) & (dates < 4.05)].min() > 0.5
    assert np.diff(busy(result, 0)[0]) == pytest.approx(0.5, abs=0.02)
    assert rule["sweeps"] == 17


REFUSED = [
    ("cpu.usr < 0.8 0.2 host", "hpvm.rules = cpu.usr: no such counter; did you mean cpu.user?"),
    ("host < 0.8 0.2 host", "hpvm.rules = host: no such counter; did you mean "),
    ("cpu.busy < 0.8 0.2 hots", "hpvm.rules = hots: no such counter or set; did you mean host?"),
    ("cpu.busy < 0.8 0.2", "hpvm.rules = cpu.busy < 0.8 0.2: must be like cpu.user < 0.8 0.2 host"),
    ("cpu.busy = 0.8 0.2 host", "must be like cpu.user < 0.8 0.2 host"),
    ("cpu.busy < much 0.2 host", "must be like cpu.user < 0.8 0.2 host"),
    ("cpu.busy < 0.8 0.2 host;;", "hpvm.rules = : must be like"),
    ("cpu.busy < 0.8 0 host", "the interval must be from 1e-6 to 1000000 s"),
    (
        "cpu.kernel < 0.8 0.2 host",
        "cpu.kernel < 0.8 0.2 host: its counter must be one of those polled by hpvm.counters = cpu.busy",
    ),
    ("cpu.busy < 0.8 1e-4 host", "while it is so on all 3 nodes, a sweep of them takes 0.00"),
    ("cpu.busy < 0.8 0.2 mpi.time:MPI_Bcst", "mpi.time has no such item; did you mean mpi.time:MPI_Bcast?"),
]


@pytest.mark.parametrize(("rules", "message"), REFUSED)
def test_a_rule_that_cannot_be_is_one_clear_error(tmp_path: Path, rules: str, message: str) -> None:
    with pytest.raises(hypermon.UserError) as caught:
        run(tmp_path / "run", **DISTURBED, **{"hpvm.rules": rules})
    assert message in str(caught.value)
    assert not (tmp_path / "run").exists()


def test_a_rule_needs_its_counter_in_every_phase_and_an_item_in_what_is_read(tmp_path: Path) -> None:
    rule = {"hpvm.rules": "cpu.busy > 0.5 0.1 host"}
    with pytest.raises(hypermon.UserError, match=r"one of those polled by hpvm\.schedule = cpu\.kernel, because"):
        run(tmp_path / "run", **DISTURBED, **rule, **{"hpvm.schedule": "2 1 cpu.kernel"})
    item = {"hpvm.counters": "mpi.time:MPI_Bcast", "hpvm.rules": "mpi.time:MPI_Reduce > 0.5 0.1 host"}
    with pytest.raises(hypermon.UserError, match=r"one of those polled by hpvm\.counters = mpi\.time:MPI_Bcast"):
        run(tmp_path / "run", **{**DISTURBED, **item})


def test_rules_that_the_network_cannot_carry_together_are_refused_or_missed(tmp_path: Path) -> None:
    # 3 answers of 100 + 65536 B take 60 ms at 3.3 MB/s: one rule fits into 0.1 s, two do not
    rule = "cpu.busy > -1 0.1 cpu.busy"
    settings = {**DISTURBED, "workload": "idle", "idle.duration_s": 5, "hpvm.counter_bytes": 65536,
                "hpvm.interval_s": 2, "lan.bandwidth_mb_per_s": 3.3}  # fmt: skip
    [one] = run(tmp_path / "one", **settings, **{"hpvm.rules": rule})["monitor"]["rules"]
    assert (one["fired"], one["missed_sweeps"]) == (3, 0)
    with pytest.raises(hypermon.UserError, match=r"a sweep of them takes 0\.1[0-9]* s at least beside the others"):
        run(tmp_path / "two", **settings, **{"hpvm.rules": f"{rule}; {rule}"})
    missed = {"hpvm.rules": f"{rule}; {rule}", "hpvm.too_slow": "miss"}
    rules = run(tmp_path / "missed", **settings, **missed)["monitor"]["rules"]
    assert all(rule["missed_sweeps"] > 0 for rule in rules)
    assert all(rule["missed_samples"] == 3 * rule["missed_sweeps"] for rule in rules)
