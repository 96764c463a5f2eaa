# SPDX-License-Identifier: BSD-3-Clause
"""Every key of the result, under every monitor, fault, policy, reader, format and wrap: random runs and replays.

HYPERMON_TEST_RUNS   how many runs instead of CI's, each with its replays
HYPERMON_TEST_SEED   the first seed; a failure names its own: the same seed with one run repeats it
"""

from __future__ import annotations

import os
import random
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

import hypermon as package
from hypermon._engine import recorder, replaying, replays, runner
from hypermon._model import worker as workers
from hypermon._model.schema import flat
from hypermon._model.spec import Spec
from tests.python.random_specs import DRAWN, random_spec
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
    if how is None or how.why_not(spec):
        return held(runner.simulate(spec, folder / str(seed)), spec, seed, "run")
    recorded = recorder.record_spec(spec, folder / str(seed))
    broken = held(recorded.result, spec, seed, "recorded run")
    again = replaying.replay_spec(recorded, spec)
    if again.text != recorded.result_text:
        broken.append(f"HYPERMON_TEST_SEED={seed}: its replay is not the run")
    for n in range(REPLAYS):
        other = DRAWN[str(spec.values["monitor"])].random_hardware(rng, spec)
        broken += held(replaying.replay_spec(recorded, other), other, seed, f"replay {n}")
    return broken


def test_every_invariant_holds_of_a_program_of_ones_own(tmp_path: Path) -> None:
    program = tmp_path / "rests.c"
    program.write_text(
        "#include <mpi.h>\n#include <hypermon.h>\nint main(int argc, char** argv) {\n  MPI_Init(&argc, &argv);\n"
        "  hypermon_charge(1000, 1e6);\n  MPI_Barrier(MPI_COMM_WORLD);\n  MPI_Finalize();\n  return 0;\n}\n"
    )
    own = package.run(program=str(program), nodes=2, out=tmp_path / "own")
    assert held(own, Spec(own["scenario"], flat(own["spec"])), 0, "program") == []
    assert own["program"]["charges"] == 2
