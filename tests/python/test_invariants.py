"""Every key of the result, under every monitor, fault, policy, reader, format and wrap: random runs and replays.

HYPERMON_TEST_RUNS   how many runs instead of CI's, each with its replays
HYPERMON_TEST_SEED   the first seed; a failure names its own: the same seed with one run repeats it
"""

from __future__ import annotations

import itertools
import os
import random
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

import hypermon as package
from hypermon._engine import replays, runner
from hypermon._inputs import scenario
from hypermon._model import worker as workers
from hypermon._model.schema import flat
from hypermon._model.spec import Spec
from hypermon.monitors.hypermon.streams import run as streams
from tests.python.random_specs import random_hardware, random_spec
from tests.python.result_invariants import INVARIANTS, violations

pytestmark = [pytest.mark.worker, pytest.mark.usefixtures("worker")]
RUNS = int(os.environ.get("HYPERMON_TEST_RUNS", "60"))
SEED = int(os.environ.get("HYPERMON_TEST_SEED", "0"))
REPLAYS = 6  # of each run that can be replayed
BATCHES = 4  # tests, so that a failure does not hide all others


def test_every_described_key_has_an_invariant() -> None:
    described = {entry["path"] for entry in workers.schema().results}
    assert set(INVARIANTS) == described


def held(result: Mapping[str, Any], spec: Spec, seed: int, how: str) -> list[str]:
    return [f"HYPERMON_TEST_SEED={seed}, {how}: {said}" for said in violations(result, spec)]


@pytest.mark.parametrize("batch", range(BATCHES))
def test_every_invariant_holds(batch: int, tmp_path: Path) -> None:
    broken = [said for i in range(batch, RUNS, BATCHES) for said in run_and_replay(SEED + i, tmp_path)]
    assert broken == []


def run_and_replay(seed: int, folder: Path) -> list[str]:
    """What does not hold of a random run, and of other hardware over its recording."""
    rng = random.Random(seed)
    spec = random_spec(rng)
    how = replays.of(spec)
    if how is None or how.acts_back(spec):
        return held(runner.simulate(spec, folder / "run"), spec, seed, "run")
    recorded = how.record_spec(spec, folder / "run")
    broken = held(recorded.result, spec, seed, "recorded run")
    again = how.replay_spec(recorded, spec)
    if again.text != recorded.result_text:
        broken.append(f"HYPERMON_TEST_SEED={seed}: its replay is not the run")
    for n in range(REPLAYS):
        other = random_hardware(rng, spec)
        broken += held(how.replay_spec(recorded, other), other, seed, f"replay {n}")
    return broken


def test_every_invariant_holds_of_a_stream_and_of_a_program_of_ones_own(tmp_path: Path) -> None:
    events = tmp_path / "events.csv"
    events.write_text("time,node,bytes\n" + "".join(f"{40_000 * i},{i % 3},0x{i:04x}\n" for i in range(200)))
    stream = streams.resolve(events, {"nodes": 4})
    program = tmp_path / "rests.c"
    program.write_text(
        "#include <mpi.h>\n#include <hypermon.h>\nint main(int argc, char** argv) {\n  MPI_Init(&argc, &argv);\n"
        "  hypermon_charge(1000, 1e6);\n  MPI_Barrier(MPI_COMM_WORLD);\n  MPI_Finalize();\n  return 0;\n}\n"
    )
    own = package.run(program=str(program), nodes=2, out=tmp_path / "own")
    own_spec = Spec(own["scenario"], flat(own["spec"]))
    broken = held(runner.simulate(stream, tmp_path / "stream"), stream, 0, "stream") + held(own, own_spec, 0, "program")
    assert broken == []
    assert own["program"]["charges"] == 2


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
    lost = sum(loss["nibbles"] for loss in found["ledger"]["lost"])  # of one node: a frame each
    missing = list(
        itertools.accumulate(a - b for a, b in zip(clean["rates"]["frames"], found["rates"]["frames"], strict=True))
    )
    assert lost > 0
    assert all(-1 <= frames <= lost + 1 for frames in missing)  # a frame may lie across a border of hundredths
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
