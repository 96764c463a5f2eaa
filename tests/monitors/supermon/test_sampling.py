# SPDX-License-Identifier: BSD-3-Clause
"""Queries for some of the nodes, and samples combined on the way, in whole runs: their content and their costs."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from statistics import fmean
from typing import Any

import pytest

from hypermon.monitors.supermon import answers
from tests.monitors.supermon import invariants
from tests.python.held_runs import held_run

pytestmark = [pytest.mark.worker, pytest.mark.usefixtures("worker")]
MACHINE = {"workload": "idle", "monitor": "supermon", "machine.topology": "star", "machine.beside": 1, "lan.count": 1}
NODES = 12
COUNTERS = "cpu.kernel os.interrupts"


def run(folder: Path, **settings: Any) -> Any:
    mine = {"nodes": NODES, "idle.duration_s": 24.5, "supermon.counters": COUNTERS, "supermon.fan_out": 3}
    return held_run(folder, {**MACHINE, **mine, "supermon_client.log": True, **settings}, invariants)


def asked(folder: Path, client: int = 0) -> list[set[int]]:
    """The nodes in each answer."""
    return [set(answer.samples) for answer in answers.read(folder, client)]


def test_queries_in_turn_touch_every_node_as_often(tmp_path: Path) -> None:
    found = run(tmp_path / "run", **{"supermon_client.share": 0.25, "supermon_client.sampling": "rotate"})
    of_answers = asked(tmp_path / "run")
    assert all(len(nodes) == NODES // 4 for nodes in of_answers)
    whole = len(of_answers) - len(of_answers) % 4
    assert set(Counter(node for nodes in of_answers[:whole] for node in nodes).values()) == {whole // 4}
    (client,) = found["monitor"]["supermon"]["clients"]
    assert client["samples"] == sum(map(len, of_answers))
    assert client["missing_nodes"] == 0


def test_random_queries_depend_on_the_seed_and_the_client_and_on_nothing_else(tmp_path: Path) -> None:
    share = {"supermon_client.share": 0.5, "supermon_client.clients": 2}
    first = run(tmp_path / "first", **share)
    run(tmp_path / "again", **share, **{"supermon.fan_out": 5})
    run(tmp_path / "other", **share, seed=2)
    one, two = asked(tmp_path / "first"), asked(tmp_path / "first", 1)
    assert all(len(nodes) == NODES // 2 for nodes in one + two)
    assert one != two
    assert asked(tmp_path / "again") == one
    assert asked(tmp_path / "other") != one
    assert first["ledger"]["generated"]["samples"] == NODES // 2 * len(one + two) * len(COUNTERS.split())


def combined(folder: Path) -> list[dict[str, str]]:
    with (folder / "combined.csv").open() as file:
        return list(csv.DictReader(file))


def values_of(answer: answers.Answer, counter: str) -> list[int]:
    """Values of the counter for all nodes."""
    counters = [one for sample in answer.samples.values() for one in sample["kernel"]]
    return [int(str(value)) for one in counters if one[0] == counter for value in one[1:]]


@pytest.mark.parametrize("how", ["sum", "mean", "min", "max"])
def test_what_is_combined_is_what_the_samples_were(tmp_path: Path, how: str) -> None:
    # Two clients query at the same instants: one for samples, the other for their combination.
    both = {"supermon_client.count": 2, "supermon_client[1].combine": how, "supermon_client[1].log": False}
    still = {f"supermon.{cost}": 0 for cost in ("message_us", "parse_ns", "print_ns", "kernel_us")}
    found = run(tmp_path / "run", **both, **still, **{"node.tick_ms": 1e6})
    rows = combined(tmp_path / "run")
    of_samples = list(answers.read(tmp_path / "run"))
    assert len(rows) == len(COUNTERS.split()) * len(of_samples) > 0
    made: dict[str, Callable[[list[int]], float]] = {"sum": sum, "mean": fmean, "min": min, "max": max}
    for counter in COUNTERS.split():
        own = [row for row in rows if row["name"] == counter]
        for row, answer in zip(own, of_samples, strict=True):
            values = values_of(answer, counter)
            assert (row["how"], int(row["nodes"]), int(row["values"])) == (how, NODES, len(values))
            assert float(row["numbers"]) == pytest.approx(made[how](values))
    plain, one = found["monitor"]["supermon"]["clients"]
    assert one["combined_nodes"] == NODES * one["answers"]
    assert one["samples"] == 0
    assert one["answer_bytes"] < plain["answer_bytes"] / 4
    lost = {(loss["stage"], loss["cause"]): loss["samples"] for loss in found["ledger"]["lost"]}
    assert lost["tree", "combined"] == found["ledger"]["delivered"]["samples"]


def test_an_answer_that_is_combined_does_not_grow_with_the_nodes(tmp_path: Path) -> None:
    def answer_bytes(nodes: int, how: str) -> float:
        found = run(tmp_path / f"{how}{nodes}", nodes=nodes, **{"supermon_client.combine": how})
        (client,) = found["monitor"]["supermon"]["clients"]
        return float(client["answer_bytes"] / client["answers"])

    assert answer_bytes(48, "none") > 3 * answer_bytes(12, "none")
    assert answer_bytes(48, "max") < 1.1 * answer_bytes(12, "max")
