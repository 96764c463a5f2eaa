"""drain.level = words: every access of the drain program is a transaction on the PBX, and results stay what they are."""

from __future__ import annotations

import json
import os
import random
from pathlib import Path

import pytest

from hypermon import scenario, worker
from hypermon.scenario import Spec
from hypermon.schema import Value
from tests.python.random_specs import random_hardware, random_spec
from tests.python.test_no_cut_matters import FAILURE, Outcome, co_simulated, difference

pytestmark = [pytest.mark.worker, pytest.mark.usefixtures("worker")]

CASES = int(os.environ.get("HYPERMON_TEST_CASES", "24"))
SEED = int(os.environ.get("HYPERMON_TEST_SEED", "1"))
LEVEL = "drain.level"
ONE_MASTER = {"dma.words": 0}


def at(spec: Spec, settings: dict[str, Value]) -> Spec:
    values = {path: value for path, value in spec.values.items() if value is not None} | settings
    return scenario.find_one("bandwidth/one_node").resolve(worker.schema(), values, where="test_words")


def without_level(outcome: Outcome) -> Outcome:
    if FAILURE in outcome:
        return outcome
    result = json.loads(outcome["result.json"])
    del result["spec"]["drain"]["level"]
    return outcome | {"result.json": json.dumps(result, indent=1).encode()}


def little(r: random.Random) -> Spec:
    """Any hardware; every third acts back on the program, if it may."""
    return random_hardware(r, random_spec(r, "hypermon"), acts_back=r.random() < 1 / 3)


@pytest.mark.parametrize("case", range(CASES))
def test_words_and_blocks_give_the_same_results_on_any_hardware(case: int, tmp_path: Path) -> None:
    r = random.Random(f"{SEED} words {case}")
    spec = little(r)
    blocks = co_simulated(at(spec, {LEVEL: "blocks", **ONE_MASTER}), None, tmp_path / "blocks")
    words = co_simulated(at(spec, {LEVEL: "words", **ONE_MASTER}), r.getrandbits(32), tmp_path / "words")
    assert FAILURE not in blocks, blocks[FAILURE].decode()
    assert difference(without_level(blocks), without_level(words)) == "", spec.to_line()
