# SPDX-License-Identifier: BSD-3-Clause
"""Place: the cost of its answer, recomputed from the circuit's definition."""

from __future__ import annotations

import csv
import json
from typing import Any

import pytest

from tests.workloads.conftest import Run, Simulate
from tests.workloads.splitmix import SplitMix64, stream_seed

ROWS, COLUMNS, NETS = 8, 12, 130
CIRCUIT = {"rows": ROWS, "columns": COLUMNS, "nets": NETS}


def netlist(cells: int, nets: int, seed: int) -> list[list[int]]:
    random = SplitMix64(stream_seed(seed, 0))
    circuit = []
    for _ in range(nets):
        pins = min(2 + random.below(5), cells)
        members = [random.below(cells)]
        while len(members) < pins:
            cell = (members[0] + random.below(33) - 16) % cells
            if cell not in members:
                members.append(cell)
        circuit.append(members)
    return circuit


def wire_length(circuit: list[list[int]], slots: list[int]) -> int:
    total = 0
    for members in circuit:
        columns = [slots[cell] % COLUMNS for cell in members]
        rows = [slots[cell] // COLUMNS for cell in members]
        total += max(columns) - min(columns) + max(rows) - min(rows)
    return total


def place(answer: Run, nodes: int, **parameters: float) -> dict[str, Any]:
    return json.loads(answer("place", nodes, **CIRCUIT, **parameters).read_text())  # type: ignore[no-any-return]


@pytest.mark.parametrize(("nodes", "sequence"), [(1, 0), (2, 0), (4, 0), (8, 0), (1, 30), (2, 30), (8, 30), (8, 1)])
def test_the_cost_is_that_of_the_placement_and_lower_than_at_first(answer: Run, nodes: int, sequence: int) -> None:
    effort = {"attempts": 8000, "accepted": 1500, "temperatures": 20, "reheats": 2}
    found = place(answer, nodes, **effort, sequence_accepted=sequence, seed=4)
    assert sorted(found["slots"]) == list(range(ROWS * COLUMNS))
    assert found["cost"] == wire_length(netlist(ROWS * COLUMNS, NETS, 4), found["slots"])
    assert found["cost"] < 0.9 * found["first_cost"]


@pytest.mark.parametrize("nodes", [1, 4])
def test_effort_changes_the_rejected_moves_only(answer: Run, nodes: int) -> None:
    accepted = 1500
    runs = [place(answer, nodes, attempts=n, accepted=accepted, temperatures=50, reheats=4) for n in (6000, 12000)]
    assert [run["attempts"] for run in runs] == [6000, 12000]
    for run in runs:
        assert run["accepted"] == pytest.approx(accepted, rel=0.05)


@pytest.mark.worker
def test_in_a_sequence_nothing_is_sent_before_all_have_tried_their_share(simulate: Simulate) -> None:
    """One temperature is one sequence: all messages follow the last attempt."""

    def seconds_until_the_first_message(sequence: int) -> float:
        effort = {"attempts": 2000, "accepted": 400, "temperatures": 1, "sequence_accepted": sequence}
        spec = {"monitor": "software", "software": {"us_per_byte": 0}, "bursts": {"keep_series": True}}
        _, answer = simulate("place", 4, CIRCUIT | effort, spec)
        series = csv.DictReader((answer.parent / "bursts.csv").read_text().splitlines())
        later = (row for row in series if int(row["interval_ms"]) > 10)  # the start and the program's first clock call
        return next(1e-3 * int(row["interval_ms"]) for row in later if int(row["bytes"]) > 4 * 11)  # no ticks alone

    assert seconds_until_the_first_message(0) < 0.2
    pins_ns = 25000  # cost of each inspected pin; an attempt inspects more than 10
    assert seconds_until_the_first_message(100) > 2000 / 4 * 10 * pins_ns * 1e-9


def test_one_cell_per_node_leaves_nothing_to_exchange(answer: Run) -> None:
    found = json.loads(answer("place", 4, rows=2, columns=2, nets=3, attempts=100, accepted=50).read_text())
    assert found["accepted"] == 0
    assert found["cost"] == found["first_cost"]
