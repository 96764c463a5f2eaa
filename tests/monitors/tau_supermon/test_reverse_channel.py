# SPDX-License-Identifier: BSD-3-Clause
"""The reverse channel in whole runs: the overhead stays below its limit, as the client sees it and in truth; refused
settings.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import hypermon
from hypermon.errors import UserError
from tests.monitors.tau_supermon import invariants
from tests.python.held_runs import held_run

pytestmark = [pytest.mark.worker, pytest.mark.usefixtures("worker")]
ITERATIONS = 300
LU = {"workload": "lu", "nodes": 2, "cpu.ranks_per_node": 2, "cpu.processors": 4, "lu.problem": "S",
      "lu.iterations": ITERATIONS, "machine.topology": "star", "machine.messages": "smpi", "machine.beside": 2,
      "lan.count": 1}  # fmt: skip
CLIENT = {"supermon_client.period_s": 0.002, "supermon_client.begin_s": 0, "monhole.policy": "fill_drain",
          "tau_control.interval_s": 0.1, "tau_control.most_every": 50,
          "tau.timer_us": 30, "tau.gettimeofday_us": 10, "supermon.write_us": 20}  # fmt: skip


def run(folder: Path, **settings: Any) -> Any:
    return held_run(folder, {**LU, **CLIENT, "monitor": "tau_supermon", **settings}, invariants)


def elapsed(folder: Path, **settings: Any) -> float:
    return float(hypermon.run("collection/ring", out=folder, settings={**LU, **settings})["elapsed_s"])


def judged(found: Any) -> list[float]:
    return [one["overhead_percent"] for one in found["monitor"]["control"]["intervals"]]


def test_nobody_holds_anything_by_default(tmp_path: Path) -> None:
    control = run(tmp_path / "run", **{"lu.iterations": 3})["monitor"]["control"]
    assert (control["commands"], control["intervals"], control["is_obeyed"]) == (0, [], True)
    assert "Control" not in next((tmp_path / "run/profiles").iterdir()).read_text()


@pytest.mark.parametrize("target", [2, 5])
def test_an_overhead_is_held(tmp_path: Path, target: float) -> None:
    alone = elapsed(tmp_path / "alone", monitor="none")
    found = run(tmp_path / "held", **{"tau_control.overhead_percent": target})
    control = found["monitor"]["control"]
    first, *held = judged(found)
    assert first > 2 * target  # the overhead is too large at first
    assert control["commands"] > 0
    assert len(held) > 20
    assert max(held[2:]) <= 1.05 * target
    assert min(held[2:]) >= 0.5 * target  # one routine or one dump more would exceed the limit
    assert not control["out_of_reach"]
    # In truth ranks wait for each other anyway: a part of the overhead is hidden, and the beginning was not controlled.
    assert found["elapsed_s"] / alone - 1 <= target / 100


def test_what_is_switched_off_is_called_and_not_measured(tmp_path: Path) -> None:
    found = run(tmp_path / "run", **{"tau_control.overhead_percent": 3})
    free = run(tmp_path / "free")
    off = {one["routine"] for one in found["monitor"]["control"]["off"]}
    assert off
    assert found["monitor"]["timers"] < free["monitor"]["timers"] / 2
    assert found["monitor"]["looks"] > 0 == free["monitor"]["looks"]


def test_a_target_below_what_is_left_is_out_of_reach(tmp_path: Path) -> None:
    only_dumps = {"tau_control.routines": False, "tau_control.overhead_percent": 0.1}
    control = run(tmp_path / "run", **only_dumps)["monitor"]["control"]
    assert control["out_of_reach"]
    assert control["every"] == 50
    assert control["off"] == []


def test_who_dies_on_the_way_changes_nothing_in_the_end(tmp_path: Path) -> None:
    dies = {"supermon.failures": "0.05 mon 1 0.1", "supermon.retry_ms": 5, "supermon.timeout_ms": 5}
    found = run(tmp_path / "run", **dies, **{"tau_control.overhead_percent": 20})
    assert found["monitor"]["control"]["is_obeyed"]


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"tau_control.client": 1}, "tau_control.client = 1: there are clients 0 to 0"),
        ({"supermon_client.monhole": False}, "tau_control.client = 0: must query the contents of the monholes"),
        ({"supermon_client.combine": "sum"}, "tau_control.client = 0: must query the contents of the monholes"),
        ({"tau.dump": "never"}, "needs dumps, and tau.dump is never"),
        ({"monhole.policy": "fill_k_read"}, "monhole.policy = fill_k_read: needs its K"),
    ],
)
def test_what_cannot_hold_anything_is_refused(tmp_path: Path, settings: dict[str, Any], message: str) -> None:
    with pytest.raises(UserError, match=message):
        run(tmp_path / "run", **{"tau_control.overhead_percent": 5}, **settings)
