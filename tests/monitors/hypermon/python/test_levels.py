# SPDX-License-Identifier: BSD-3-Clause
"""ecb.level, backplane.level, pbx.level: where there is no contention, no result depends on the level of detail."""

from __future__ import annotations

import csv
import json
import os
import random
import shutil
from pathlib import Path
from typing import Any

import pytest

import hypermon
from hypermon import registers, replaying
from hypermon._engine import runner, sweeping
from hypermon._inputs import scenario
from hypermon._model import worker
from hypermon._model.schema import Value
from hypermon._model.spec import Spec
from hypermon.errors import UserError
from hypermon.monitors.hypermon import waves
from tests.monitors.hypermon.drawing import random_hardware
from tests.monitors.hypermon.python.test_no_road_matters import FAILURE, Outcome, co_simulated, difference
from tests.python.random_specs import random_spec
from tests.python.result_invariants import violations

pytestmark = [pytest.mark.worker, pytest.mark.usefixtures("worker")]

CASES = int(os.environ.get("HYPERMON_TEST_CASES", "24"))
SEED = int(os.environ.get("HYPERMON_TEST_SEED", "1"))
CASES_IN_VERILOG = int(os.environ.get("HYPERMON_TEST_CASES", "4"))  # Verilator takes 15 s for each
LEVEL, STROBES, WORDS = "ecb.level", "backplane.level", "pbx.level"
ONE_MASTER = {"dma.words": 0}
OWN = ["functional", "transactions"]  # levels of hypermon's board in C++
EXAMPLES = Path(__file__).parents[4] / "build" / "release" / "examples"
PROBE, BOARD = EXAMPLES / "own_probe" / "own_probe.so", EXAMPLES / "own_board" / "own_board.so"
MODULES = EXAMPLES.parent / "tests" / "monitors" / "hypermon" / "boards"
needs_verilator = pytest.mark.skipif(
    # in CI it must be installed
    shutil.which("verilator") is None and not os.environ.get("HYPERMON_REQUIRE_RTL_TOOLS"),
    reason="verilator is not installed (Debian: verilator)",
)


def at(spec: Spec, settings: dict[str, Value]) -> Spec:
    derived = (STROBES, WORDS) if LEVEL in settings else ()
    kept = {path: value for path, value in spec.values.items() if value is not None and path not in derived}
    values = kept | settings
    return scenario.find_one("bandwidth/one_node").resolve(worker.schema(), values, where="test_levels")


def without_level(outcome: Outcome) -> Outcome:
    """The outcome without the level and the keys that only a board in Verilog has."""
    if FAILURE in outcome:
        return outcome
    result = json.loads(outcome["result.json"])
    for section, key in (("ecb", "level"), ("ecb", "rtl"), ("backplane", "level"), ("pbx", "level")):
        del result["spec"][section][key]
    result["monitor"].pop("board", None)
    return outcome | {"result.json": json.dumps(result, indent=1).encode()}


def little(r: random.Random) -> Spec:
    """Any hardware. One third of the specifications may feed back on the program."""
    return random_hardware(r, random_spec(r, "hypermon"), applies_back_pressure=r.random() < 1 / 3)


def covered_by_verilog(spec: Spec) -> Spec:
    """The same hardware without features that a board in Verilog lacks: docs/how-to/own-rtl.md lists them."""
    common = Spec(spec.scenario, {path: value for path, value in spec.values.items() if "[" not in path})
    refused: dict[str, Value] = {"ecb.reset_skew_ns": 0, "faults.garbage_frames": 0, "faults.reset_at_us": 0}
    word_ns = max(50, int(common.values["pbx.word_ns"]))
    return at(common, {**refused, "ecb.wrap_frames": False, "pbx.word_ns": word_ns, LEVEL: "functional", **ONE_MASTER})


def combinations(spec: Spec, levels: list[str]) -> list[dict[str, Value]]:
    """The levels of parts that may be combined on this hardware: docs/design/tlm.md has the table."""
    stalls = any(path.endswith(".node_fifo_full") and value == "stall" for path, value in spec.values.items())
    return [
        {LEVEL: level, STROBES: strobes, WORDS: words}
        for level in levels
        for strobes in ("functional", "transactions")
        for words in ("functional", "transactions")
        if not (strobes == "transactions" and stalls) and not (words == "functional" and level != "functional")
    ]


def require_equal(spec: Spec, levels: list[str], r: random.Random, out: Path) -> None:
    """Runs the specification at all combinations of these levels, and requires equal results."""
    first, *others = combinations(spec, levels)
    wanted = co_simulated(at(spec, first | ONE_MASTER), None, out / "first")
    assert FAILURE not in wanted, wanted[FAILURE].decode()
    for combination in others:
        found = co_simulated(at(spec, combination | ONE_MASTER), r.getrandbits(32), out / str(len(list(out.iterdir()))))
        assert difference(without_level(wanted), without_level(found)) == "", f"{combination}: {spec.to_line()}"


@pytest.mark.parametrize("case", range(CASES))
def test_levels_without_verilog_give_the_same_results_on_any_hardware(case: int, tmp_path: Path) -> None:
    r = random.Random(f"{SEED} levels {case}")
    require_equal(little(r), [level for level in levels() if level != "rtl"], r, tmp_path)


@pytest.mark.parametrize("case", range(CASES // 2))
def test_a_reset_within_a_frame_ends_it_at_every_level(case: int, tmp_path: Path) -> None:
    """Words are slow, so that most resets hit a frame that is being read; the hardware feeds back on the program, so
    that the boards are advanced many times before the reset.
    """
    r = random.Random(f"{SEED} resets {case}")
    hardware = random_hardware(r, random_spec(r, "hypermon"), applies_back_pressure=True)
    reset: dict[str, Value] = {"faults.reset_at_us": round(r.uniform(50, 5000), 3), "pbx.word_ns": 20000}
    require_equal(at(hardware, {**reset, **ONE_MASTER}), OWN, r, tmp_path)


@needs_verilator
@pytest.mark.parametrize("case", range(CASES_IN_VERILOG))
def test_every_level_gives_the_same_results_on_hardware_that_the_verilog_covers(case: int, tmp_path: Path) -> None:
    r = random.Random(f"{SEED} every level {case}")
    require_equal(covered_by_verilog(little(r)), levels(), r, tmp_path)


def levels() -> list[str]:
    return list(worker.schema().parameters[LEVEL].choices)


def level_of(settings: dict[str, Value]) -> Value:
    return levels_of(settings)[0]


def levels_of(settings: dict[str, Value]) -> tuple[Value, ...]:
    spec = scenario.find_one("bandwidth/one_node").resolve(worker.schema(), settings, where="test_levels")
    return tuple(spec.values[path] for path in (LEVEL, STROBES, WORDS))


def test_strobes_and_words_have_the_level_of_the_boards_unless_they_are_given() -> None:
    functional, transactions = "functional", "transactions"
    assert levels_of({}) == (functional, functional, functional)
    assert levels_of({LEVEL: transactions}) == (transactions, transactions, transactions)
    assert levels_of({"dma.words": 8}) == (transactions, transactions, transactions)
    assert levels_of({LEVEL: transactions, STROBES: functional}) == (transactions, functional, transactions)
    assert levels_of({WORDS: transactions}) == (functional, functional, transactions)
    for stalls in ("ecb.node_fifo_full", "ecb[0].node_fifo_full"):
        assert levels_of({LEVEL: transactions, stalls: "stall"}) == (transactions, functional, transactions)
    if PROBE.exists():
        on_cheap_board: dict[str, Value] = {LEVEL: functional, "pbx.module": str(PROBE)}
        assert levels_of(on_cheap_board) == (functional, functional, transactions)


def test_a_level_that_is_not_given_is_the_one_that_the_hardware_needs() -> None:
    assert level_of({}) == "functional"
    assert level_of({"dma.words": 0}) == "functional"
    assert level_of({"dma.words": 8}) == "transactions"
    assert level_of({"dma.words": 8, LEVEL: "transactions"}) == "transactions"
    if PROBE.exists():
        assert level_of({"pbx.module": str(PROBE)}) == "transactions"
    if BOARD.exists():
        assert level_of({"ecb.module": str(BOARD)}) == "transactions"


def test_a_replay_has_the_level_that_its_own_hardware_needs(tmp_path: Path) -> None:
    little: dict[str, Value] = {"nodes": 2, "generator.events": 50}
    shared: dict[str, Value] = {**little, "dma.words": 8}
    source = hypermon.record("bandwidth/one_node", settings=shared, out=tmp_path / "shared")
    assert source.spec.values[LEVEL] == "transactions"
    alone = replaying.resolve(source, {"dma.words": 0})
    assert [alone.values[path] for path in (LEVEL, STROBES, WORDS)] == ["functional"] * 3
    assert replaying.resolve(source, {"pbx.word_ns": 900, "dma.words": 0}).values[LEVEL] == "functional"
    with pytest.raises(UserError, match=r"ecb\.level = functional: must be transactions or rtl with dma\.words"):
        replaying.resolve(source, {LEVEL: "functional"})


def test_a_sweep_has_the_level_that_each_point_needs() -> None:
    def planned(settings: dict[str, Any]) -> list[Value]:
        request = sweeping.make_request(
            "bandwidth/one_node",
            vary={"dma.words": [0, 8]},
            metrics=["latency_us.max"],
            settings={"nodes": 2, **settings},
            zips=(),
            conditions=(),
            repeats=None,
            presets=(),
        )
        return [point.spec.values[LEVEL] for point in request.points()[1]]

    assert planned({}) == ["functional", "transactions"]
    assert planned({LEVEL: "transactions"}) == ["transactions", "transactions"]
    with pytest.raises(UserError, match=r"point 1 .*ecb\.level = functional: must be transactions or rtl"):
        planned({LEVEL: "functional"})


@pytest.mark.parametrize("arbitration", ["round_robin", "drain_first", "second_first"])
def test_what_a_shared_bus_reports_holds_together_on_any_hardware(arbitration: str, tmp_path: Path) -> None:
    waited = 0.0
    for case in range(4):
        shared: dict[str, Value] = {"dma.words": 16, "dma.period_ns": 200_000, "pbx.word_ns": 800}
        shared |= {
            "pbx.register_read_ns": 0,
            "dma.arbitration": arbitration,
            "faults.reset_at_us": 0,
            LEVEL: "transactions",
        }
        spec = at(little(random.Random(f"{SEED} shared {case}")), shared)
        result = runner.simulate(spec, tmp_path / str(case))
        assert violations(result, spec) == [], spec.to_line()
        waited += result["monitor"]["pbx"]["drain_waited_s"]
    assert waited > 0


@pytest.mark.parametrize("reduction", ["none", "streams"])
def test_a_second_master_lets_a_drain_to_the_host_end_and_lose_nothing(reduction: str, tmp_path: Path) -> None:
    settings: dict[str, Value] = {LEVEL: "transactions", "nodes": 2, "generator.events": 40, "drain.destination": "host",
                                  "drain.reduction": reduction, "pbx.word_ns": 800}  # fmt: skip
    contended = {"dma.words": 16, "dma.period_ns": 200_000}
    alone = hypermon.run("bandwidth/one_node", settings=settings, out=tmp_path / "alone")
    shared = hypermon.run("bandwidth/one_node", settings=settings | contended, out=tmp_path / "shared")
    for result in (alone, shared):
        assert result["ledger"]["delivered"] == alone["ledger"]["delivered"]
        assert result["ledger"]["lost_total"]["events"] == result["ledger"]["in_flight"]["events"] == 0
    pbx = shared["monitor"]["pbx"]
    assert pbx["drain_waited_s"] > 0
    # One burst in each period while the program runs, and none after the last event has reached the host's message.
    last = shared["elapsed_s"] + 1e-6 * shared["latency_us"]["max"]
    assert shared["elapsed_s"] / 200e-6 <= pbx["second_bursts"] <= last / 200e-6 + 1


def test_what_only_a_bus_shows_is_refused_without_one_by_one_error() -> None:
    for settings, message in (
        (
            {"dma.words": 8, LEVEL: "functional"},
            "ecb.level = functional: must be transactions or rtl with dma.words = 8",
        ),
        (
            {"pbx.module": __file__, LEVEL: "functional", WORDS: "functional"},
            "pbx.level = functional: must be transactions with a pbx.module",
        ),
        (
            {LEVEL: "transactions", WORDS: "functional"},
            "pbx.level = functional: must be transactions with ecb.level = transactions",
        ),
        (
            {STROBES: "transactions", "ecb.node_fifo_full": "stall"},
            "backplane.level = transactions: must be functional with ecb.node_fifo_full = stall",
        ),
        (
            {LEVEL: "transactions", "dma.words": 8, "dma.arbitration": "second_first", "dma.period_ns": 6400},
            "dma.period_ns = 6400: must be more than 6400",
        ),
        ({LEVEL: "transactions", "dma.words": 8, "pbx.register_read_ns": 5}, "pbx.register_read_ns = 5: must be 0"),
        (
            {LEVEL: "transactions", "dma.words": 8, "dma.arbitration": "second_first", "dma.period_ns": 6500}
            | {"pbx.burst_start_ns": 100},
            "dma.period_ns = 6500: must be more than 6500",
        ),
        ({LEVEL: "transactions", "dma.words": 8, "faults.reset_at_us": 20}, "faults.reset_at_us = 20.0: must be 0"),
    ):
        with pytest.raises(UserError) as refused:
            hypermon.run("bandwidth/one_node", settings=settings)
        assert message in str(refused.value)
        assert "\n" not in str(refused.value)


def test_a_run_with_transactions_is_replayed_but_not_one_whose_bus_others_share(tmp_path: Path) -> None:
    little = {"nodes": 2, "generator.events": 50}
    source = hypermon.record("bandwidth/one_node", settings={**little, LEVEL: "transactions"}, out=tmp_path / "run")
    whole = source.result
    assert hypermon.replay(source).to_dict() == whole
    shared: dict[str, Value] = {LEVEL: "transactions", "dma.words": 8}
    with pytest.raises(UserError, match=r"dma.words, pbx.module: a replay does not simulate other masters"):
        hypermon.replay(source, shared)
    with pytest.raises(UserError, match=r"dma.words, pbx.module: a replay does not simulate other masters"):
        replaying.count(source, [at(source.spec, shared)])
    # The nodes write the same data, so that the recording of a shared bus is equally valid.
    of_shared = hypermon.record("bandwidth/one_node", settings={**little, **shared}, out=tmp_path / "shared")
    assert of_shared.result["monitor"]["pbx"]["second_bursts"] > 0
    alone: dict[str, Value] = {"dma.words": 0}
    assert hypermon.replay(of_shared, alone).to_dict()["latency_us"] == whole["latency_us"]


def test_a_sweep_co_simulates_the_points_whose_bus_others_share(tmp_path: Path) -> None:
    request = sweeping.make_request(
        "bandwidth/one_node",
        vary={"dma.words": [0, 8], "pbx.word_ns": [400, 800]},
        metrics=["latency_us.max"],
        settings={"nodes": 2, LEVEL: "transactions"},
        zips=(),
        conditions=(),
        repeats=None,
        presets=(),
    )
    made = sweeping.Prepared(request, tmp_path / "planned", jobs=1).plan
    assert list(made.cosims.values()) == ["others on the PBX may delay the drain"] * 2
    assert [len(group.members) for group in made.groups] == [2]


def test_a_users_probe_sees_every_access_of_a_whole_run_and_changes_nothing(tmp_path: Path) -> None:
    if not PROBE.exists():
        pytest.skip("examples are not built")
    settings: dict[str, Value] = {
        "nodes": 16,
        "ecb.inputs": 8,
        "generator.active": 16,
        "generator.events": 40,
        LEVEL: "transactions",
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


@pytest.mark.parametrize("strobes", ["functional", "transactions"])
def test_probes_see_the_same_beside_a_functional_board(strobes: str, tmp_path: Path) -> None:
    if not PROBE.exists():
        pytest.skip("examples are not built")
    settings: dict[str, Value] = {"nodes": 4, "generator.active": 4, "generator.events": 40, "faults.reset_at_us": 3000}
    settings |= {"faults.pbx_error_probability": 0.01, "reader.kind": "group", STROBES: strobes}
    results, probed = [], []
    for level in ("functional", "transactions"):
        out = tmp_path / level
        result = hypermon.run("bandwidth/one_node", settings={**settings, LEVEL: level, "pbx.module": PROBE}, out=out)
        results.append((result["ledger"], result["latency_us"], result["monitor"]))
        probed.append([(out / name).read_text(encoding="utf-8") for name in ("probe0.csv", "strobes0.csv")])
    assert results[0] == results[1]
    assert probed[0] == probed[1]
    accesses, written = ([dict(row) for row in csv.DictReader(text.splitlines())] for text in probed[0])
    assert all(int(row["accesses"]) > 0 for row in accesses)
    transactions, data = int(written[0]["transactions"]), int(written[0]["bytes"])
    assert (transactions == data) == (strobes == "transactions")
    assert 0 < transactions <= data


@pytest.mark.parametrize(
    ("module", "message"), [("waiting", "waits in an access"), ("active", "has the SystemC process")]
)
def test_a_module_that_needs_systemcs_time_is_refused_beside_a_functional_board(
    module: str, message: str, tmp_path: Path
) -> None:
    file = MODULES / f"{module}_module.so"
    if not file.exists():
        pytest.skip("the tests' modules are not built")
    settings: dict[str, Value] = {"nodes": 2, "generator.events": 50, "pbx.module": str(file)}

    def resolved(given: dict[str, Value]) -> Spec:
        return scenario.find_one("bandwidth/one_node").resolve(worker.schema(), given)

    refused = rf"^ecb\.level = functional: must be transactions or rtl .*{message}"
    on_host: dict[str, Value] = {"drain.destination": "host", "drain.host_message_bytes": 200}
    for feedback in ({}, on_host, {"ecb.node_fifo_full": "stall"}):
        given: dict[str, Value] = {**settings, LEVEL: "functional", **feedback}
        with pytest.raises(UserError, match=refused):
            hypermon.run("bandwidth/one_node", settings=given, out=tmp_path / "run")
        with pytest.raises(UserError, match=refused):
            waves.simulate(resolved(given), tmp_path / "run", waves.Wanted(between="0s..1s"))
        assert not (tmp_path / "run" / "result.json").exists()
    hypermon.run("bandwidth/one_node", settings=settings, out=tmp_path / "in_time")


def test_a_module_that_is_none_is_refused_by_name(tmp_path: Path) -> None:
    text = tmp_path / "text.so"
    text.write_text("no shared object")
    for file, message in (
        (text, "cannot be loaded"),
        (worker.find().resolve().parents[1] / "workloads" / "libring.so", "no HYPERMON_PBX"),
    ):
        with pytest.raises(UserError, match=rf"pbx\.module = .*{message}"):
            hypermon.run(
                "bandwidth/one_node", settings={LEVEL: "transactions", "pbx.module": file}, out=tmp_path / "run"
            )
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
