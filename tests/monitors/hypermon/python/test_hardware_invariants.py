# SPDX-License-Identifier: BSD-3-Clause
"""Invariants of the HYPERMON monitor's results in rare cases: streams, garbage, resets, and strobes that never arrive."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest

from hypermon._engine import runner
from hypermon._engine.streams import run as streams
from hypermon._inputs import scenario
from hypermon._model import worker as workers
from hypermon._model.spec import Spec
from tests.python.result_invariants import violations

pytestmark = [pytest.mark.worker, pytest.mark.usefixtures("worker")]


def test_every_invariant_holds_of_a_stream(tmp_path: Path) -> None:
    events = tmp_path / "events.csv"
    events.write_text("time,node,bytes\n" + "".join(f"{40_000 * i},{i % 3},0x{i:04x}\n" for i in range(200)))
    stream = streams.resolve(events, {"nodes": 4})
    assert violations(runner.simulate(stream, tmp_path / "stream"), stream) == []


def hardware(**settings: object) -> Spec:
    chosen = {"generator.events": 30, **{path.replace("__", "."): value for path, value in settings.items()}}
    return scenario.find_one("bandwidth/one_node").resolve(workers.schema(), chosen)


@pytest.mark.parametrize("bits", [8, 32, 48, 64])
def test_rates_do_not_believe_garbage(tmp_path: Path, bits: int) -> None:
    clean = runner.simulate(hardware(ecb__timestamp_bits=bits), tmp_path / "clean")
    spec = hardware(ecb__timestamp_bits=bits, faults__garbage_frames=50)
    assert runner.simulate(spec, tmp_path / "garbage")["rates"] == clean["rates"]


def test_rates_know_of_a_reset(tmp_path: Path) -> None:
    clean = runner.simulate(hardware(), tmp_path / "clean")
    middle_us = clean["elapsed_s"] / 2 * 1e6
    found = runner.simulate(hardware(faults__reset_at_us=middle_us), tmp_path / "reset")
    lost = sum(loss["nibbles"] for loss in found["ledger"]["lost"])  # all losses are of one node: one frame each
    missing = list(
        itertools.accumulate(a - b for a, b in zip(clean["rates"]["frames"], found["rates"]["frames"], strict=True))
    )
    assert lost > 0
    assert all(-1 <= frames <= lost + 1 for frames in missing)  # a frame may lie across the border of two hundredths
    assert missing[-1] == pytest.approx(lost, abs=1)
    assert found["monitor"]["strobes"] == clean["monitor"]["strobes"]


def test_garbage_that_the_bus_spoils_is_nobodys(tmp_path: Path) -> None:
    spec = hardware(faults__garbage_frames=300, faults__pbx_error_probability=0.2)
    assert violations(runner.simulate(spec, tmp_path / "run"), spec) == []  # the ledger balances


def test_a_strobe_that_never_reaches_the_board_holds_nobody(tmp_path: Path) -> None:
    faults = {"faults__drop_probability": 1.0, "faults__drop_nodes": 16}
    held_up = runner.simulate(hardware(ecb__node_fifo_full="stall", **faults), tmp_path / "stall")
    free = runner.simulate(hardware(**faults), tmp_path / "drop")
    assert held_up["monitor"]["held_s"] == 0
    assert held_up["ranks"] == free["ranks"]


@pytest.mark.parametrize("messages", ["nx2", "smpi"])
def test_the_drain_reaches_the_host_beside_either_messages(tmp_path: Path, messages: str) -> None:
    spec = hardware(machine__messages=messages, drain__destination="host", nodes=4)
    result = runner.simulate(spec, tmp_path / "run")
    assert violations(result, spec) == []
    assert result["monitor"]["drain"]["bytes_kept"] > 0
