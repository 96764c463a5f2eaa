# SPDX-License-Identifier: BSD-3-Clause
"""drain.level = words: every access of the drain program is a transaction on the PBX, and results stay what they are."""

from __future__ import annotations

import csv
import json
import os
import random
from pathlib import Path

import pytest

import hypermon
from hypermon import registers, replaying
from hypermon._engine import runner, sweeping
from hypermon._inputs import scenario
from hypermon._model import worker
from hypermon._model.schema import Value
from hypermon._model.spec import Spec
from hypermon.errors import UserError
from tests.monitors.hypermon.drawing import random_hardware
from tests.monitors.hypermon.python.test_no_road_matters import FAILURE, Outcome, co_simulated, difference
from tests.python.random_specs import random_spec
from tests.python.result_invariants import violations

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


@pytest.mark.parametrize("arbitration", ["round_robin", "drain_first", "second_first"])
def test_what_a_shared_bus_reports_holds_together_on_any_hardware(arbitration: str, tmp_path: Path) -> None:
    waited = 0.0
    for case in range(4):
        shared: dict[str, Value] = {"dma.words": 16, "dma.period_ns": 200_000, "pbx.word_ns": 800}
        shared |= {
            "pbx.register_read_ns": 0,
            "dma.arbitration": arbitration,
            "faults.reset_at_us": 0,
            LEVEL: "words",
        }
        spec = at(little(random.Random(f"{SEED} shared {case}")), shared)
        result = runner.simulate(spec, tmp_path / str(case))
        assert violations(result, spec) == [], spec.to_line()
        waited += result["monitor"]["pbx"]["drain_waited_s"]
    assert waited > 0


@pytest.mark.parametrize("reduction", ["none", "streams"])
def test_a_second_master_lets_a_drain_to_the_host_end_and_lose_nothing(reduction: str, tmp_path: Path) -> None:
    settings: dict[str, Value] = {LEVEL: "words", "nodes": 2, "generator.events": 40, "drain.destination": "host",
                                  "drain.reduction": reduction, "pbx.word_ns": 800}  # fmt: skip
    contended = {"dma.words": 16, "dma.period_ns": 200_000}
    alone = hypermon.run("bandwidth/one_node", settings=settings, out=tmp_path / "alone")
    shared = hypermon.run("bandwidth/one_node", settings=settings | contended, out=tmp_path / "shared")
    for result in (alone, shared):
        assert result["ledger"]["delivered"] == alone["ledger"]["delivered"]
        assert result["ledger"]["lost_total"]["events"] == result["ledger"]["in_flight"]["events"] == 0
    pbx = shared["monitor"]["pbx"]
    assert pbx["drain_waited_s"] > 0
    # A burst a period for as long as the program runs, and none when the last event has reached the host's message.
    last = shared["elapsed_s"] + 1e-6 * shared["latency_us"]["max"]
    assert shared["elapsed_s"] / 200e-6 <= pbx["second_bursts"] <= last / 200e-6 + 1


def test_what_only_a_bus_shows_is_refused_in_blocks_by_one_error() -> None:
    for settings, message in (
        ({"dma.words": 8}, "drain.level = blocks: must be words with dma.words = 8"),
        ({"pbx.module": __file__}, "drain.level = blocks: must be words with a pbx.module"),
        (
            {LEVEL: "words", "dma.words": 8, "dma.arbitration": "second_first", "dma.period_ns": 6400},
            "dma.period_ns = 6400: must be more than 6400",
        ),
        ({LEVEL: "words", "dma.words": 8, "pbx.register_read_ns": 5}, "pbx.register_read_ns = 5: must be 0"),
        (
            {LEVEL: "words", "dma.words": 8, "dma.arbitration": "second_first", "dma.period_ns": 6500}
            | {"pbx.burst_start_ns": 100},
            "dma.period_ns = 6500: must be more than 6500",
        ),
        ({LEVEL: "words", "dma.words": 8, "faults.reset_at_us": 20}, "faults.reset_at_us = 20.0: must be 0"),
    ):
        with pytest.raises(UserError) as refused:
            hypermon.run("bandwidth/one_node", settings=settings)
        assert message in str(refused.value)
        assert "\n" not in str(refused.value)


def test_a_words_run_is_replayed_but_not_one_whose_bus_others_share(tmp_path: Path) -> None:
    little = {"nodes": 2, "generator.events": 50}
    source = hypermon.record("bandwidth/one_node", settings={**little, LEVEL: "words"}, out=tmp_path / "run")
    whole = source.result
    assert hypermon.replay(source).to_dict() == whole
    shared: dict[str, Value] = {LEVEL: "words", "dma.words": 8}
    with pytest.raises(UserError, match=r"drain.level = words: what others on the PBX"):
        hypermon.replay(source, shared)
    with pytest.raises(UserError, match=r"drain.level = words: what others on the PBX"):
        replaying.count(source, [at(source.spec, shared)])
    # The nodes write the same, so what is recorded of a shared bus is as good.
    of_shared = hypermon.record("bandwidth/one_node", settings={**little, **shared}, out=tmp_path / "shared")
    assert of_shared.result["monitor"]["pbx"]["second_bursts"] > 0
    alone: dict[str, Value] = {"dma.words": 0}
    assert hypermon.replay(of_shared, alone).to_dict()["latency_us"] == whole["latency_us"]


def test_a_sweep_co_simulates_the_points_whose_bus_others_share(tmp_path: Path) -> None:
    request = sweeping.asked(
        "bandwidth/one_node",
        vary={"dma.words": [0, 8], "pbx.word_ns": [400, 800]},
        metrics=["latency_us.max"],
        settings={"nodes": 2, LEVEL: "words"},
        zips=(),
        conditions=(),
        repeats=None,
        presets=(),
    )
    made = sweeping.Prepared(request, tmp_path / "planned", jobs=1).plan
    assert list(made.cosims.values()) == ["others on the PBX may delay the drain"] * 2
    assert [len(group.members) for group in made.groups] == [2]


PROBE = Path(__file__).parents[4] / "build" / "release" / "examples" / "own_probe" / "own_probe.so"


def test_a_users_probe_sees_every_access_of_a_whole_run_and_changes_nothing(tmp_path: Path) -> None:
    if not PROBE.exists():
        pytest.skip("examples are not built")
    settings: dict[str, Value] = {
        "nodes": 16,
        "ecb.inputs": 8,
        "generator.active": 16,
        "generator.events": 40,
        LEVEL: "words",
    }
    plain = hypermon.run("bandwidth/one_node", settings=settings, out=tmp_path / "plain")
    probed = hypermon.run("bandwidth/one_node", settings={**settings, "pbx.module": PROBE}, out=tmp_path / "probed")
    for key in ("ledger", "latency_us", "monitor"):
        assert probed[key] == plain[key]
    seen = 0
    for board in range(2):
        with (tmp_path / "probed" / f"probe{board}.csv").open(encoding="utf-8") as file:
            rows = {row["register"]: row for row in csv.DictReader(file)}
        assert rows["status"]["accesses"] == rows["frame_count"]["accesses"]
        assert (rows["frame_fifo"]["least_ns"], rows["frame_fifo"]["most_ns"]) == ("800", "800")
        seen += int(rows["frame_fifo"]["accesses"])
    assert 4 * seen == plain["logged_bytes"] > 0
    shared = hypermon.run(
        "bandwidth/one_node", settings={**settings, "pbx.module": PROBE, "dma.words": 8}, out=tmp_path / "shared"
    )
    assert shared["latency_us"]["max"] > plain["latency_us"]["max"]


def test_a_module_that_is_none_is_refused_by_name(tmp_path: Path) -> None:
    text = tmp_path / "text.so"
    text.write_text("no shared object")
    for file, message in (
        (text, "cannot be loaded"),
        (worker.find().resolve().parents[1] / "workloads" / "libring.so", "no HYPERMON_PBX"),
    ):
        with pytest.raises(UserError, match=rf"pbx\.module = .*{message}"):
            hypermon.run("bandwidth/one_node", settings={LEVEL: "words", "pbx.module": file}, out=tmp_path / "run")
        assert not (tmp_path / "run" / "result.json").exists()


def test_registers_decode_as_the_hardware_does() -> None:
    status = registers.find("status")
    assert (status.offset, status.address, status.bits, status.access) == (4, 0x1004, 4, "ro")
    assert status.decode(0b1010) == {
        "frame_overrun": 0, "node_overrun": 1, "vector_overrun": 0, "frame_available": 1,
    }  # fmt: skip
    with pytest.raises(UserError, match="status = 16: must be 0 to 15"):
        status.decode(16)
    with pytest.raises(UserError, match="no register frames; must be one of control, status, frame_count, frame_fifo"):
        registers.find("frames")
