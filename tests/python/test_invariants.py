# SPDX-License-Identifier: BSD-3-Clause
"""Every key of the result holds its invariants under every monitor, fault, policy, reader, format and wrap, in random
runs and replays.

HYPERMON_TEST_RUNS   number of runs instead of CI's, each with its replays
HYPERMON_TEST_SEED   the first seed; a failure names its own: the same seed with one run repeats it
"""

from __future__ import annotations

import json
import os
import random
import re
import subprocess
from collections.abc import Collection, Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import hypermon as package
from hypermon._engine import recorder, replaying, replays, runner
from hypermon._model import worker as workers
from hypermon._model.schema import flat
from hypermon._model.spec import Spec
from tests.python.random_specs import DRAWN, random_spec
from tests.python.result_invariants import INVARIANTS, is_of_type, values_of, violations
from tests.registered import KINDS

pytestmark = [pytest.mark.worker, pytest.mark.usefixtures("worker")]
RUNS = int(os.environ.get("HYPERMON_TEST_RUNS", "60"))
SEED = int(os.environ.get("HYPERMON_TEST_SEED", "0"))
REPLAYS = 6  # for each run that can be replayed
TESTS = Path(__file__).parents[1]
BATCHES = 4  # number of tests, so that a failure does not hide all others


def missing(known: Iterable[str], held: Collection[str]) -> list[str]:
    """Keys without an invariant, each with the file in which it belongs."""
    return [f"{key}: write an invariant of it in {file_of(key)}" for key in known if key not in held]


@cache
def described() -> Mapping[str, Any]:
    asked = [*workers.program(), "--describe"]
    return dict(json.loads(subprocess.run(asked, check=True, capture_output=True, text=True).stdout))


def file_of(key: str) -> str:
    """The file with the invariants of a key: in the folder of the monitor or workload that has the key, else of the
    platform.
    """
    folders = [f"{kind}/{part['name']}" for kind in KINDS for part in described()[kind] if key in part["results"]]
    for folder in (*folders, re.split(r"[.\[]", key)[0]):
        if (TESTS / folder / "invariants.py").is_file():
            return f"tests/{folder}/invariants.py"
    return "tests/python/result_invariants.py"


def test_every_described_key_has_an_invariant() -> None:
    known = [entry["path"] for entry in workers.schema().results]
    assert missing(known, INVARIANTS) == []
    assert [f"{key}: has an invariant, but no part declares it" for key in INVARIANTS if key not in set(known)] == []


def test_a_missing_invariant_is_told_with_its_file() -> None:
    """The named file must be the one that has the key's invariants now, or that of a monitor that shares the key."""
    elsewhere = {
        key: {predicate.__module__ for predicate in predicates}
        for key, predicates in INVARIANTS.items()
        if missing([key], ()) != [f"{key}: write an invariant of it in {file_of(key)}"]
        or not any(p.__module__.split(".")[1] == file_of(key).split("/")[1] for p in predicates)
    }
    assert elsewhere == {}


def test_a_value_of_another_type_is_found() -> None:
    entries = {entry["path"]: entry for entry in workers.schema().results}
    values: list[Any] = [1, 1.5, True, None, "1"]
    assert [is_of_type(value, entries["events"]) for value in values] == [True, False, False, False, False]
    nullable = entries["neighbours[].begin_s"]
    assert [is_of_type(value, nullable) for value in values] == [True, True, False, True, False]
    result: dict[str, Any] = {"ranks": [{"events": 3}, {"events": 4}], "latency_us": None, "cpu": {"nodes": [None]}}
    assert values_of(result, "ranks[].events") == [3, 4]
    assert values_of(result, "latency_us.p50") == values_of(result, "cpu.nodes[].idle_s") == []


def held(result: Mapping[str, Any], spec: Spec, seed: int, how: str) -> list[str]:
    return [f"HYPERMON_TEST_SEED={seed}, {how}: {violation}" for violation in violations(result, spec)]


@pytest.mark.parametrize("batch", range(BATCHES))
def test_every_invariant_holds(batch: int, tmp_path: Path) -> None:
    broken = [violation for i in range(batch, RUNS, BATCHES) for violation in run_and_replay(SEED + i, tmp_path)]
    assert broken == []


def run_and_replay(seed: int, folder: Path) -> list[str]:
    """Invariants violated by a random run, or by other hardware in a replay of its recording."""
    rng = random.Random(seed)
    spec = random_spec(rng)
    how = replays.find(spec)
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
