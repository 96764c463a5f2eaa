# SPDX-License-Identifier: BSD-3-Clause
"""A user's capture board (ecb.module): hypermon's own board behind the interface gives the same results as the built-in
one.
"""

from __future__ import annotations

import functools
import json
import os
import random
from pathlib import Path
from typing import Any

import pytest

import hypermon
from hypermon._engine import replaying
from hypermon._inputs import scenario
from hypermon._model import worker
from hypermon._model.schema import Value
from hypermon._model.spec import Spec
from hypermon.errors import HypermonError, SimulationError, UserError
from tests.monitors.hypermon.drawing import random_hardware
from tests.monitors.hypermon.python.test_no_road_matters import (
    FAILURE,
    Outcome,
    co_simulated,
    difference,
    outcome,
    recorded,
)
from tests.python.random_specs import random_spec
from tests.python.result_invariants import violations

pytestmark = [pytest.mark.worker, pytest.mark.usefixtures("worker")]

CASES = int(os.environ.get("HYPERMON_TEST_CASES", "24"))
SEED = int(os.environ.get("HYPERMON_TEST_SEED", "1"))
SCENARIO = "bandwidth/one_node"
FOLDER = Path(__file__).parents[4] / "build" / "release" / "tests" / "monitors" / "hypermon" / "boards"
BOARDS = FOLDER / "test_boards.so"
EXAMPLE = FOLDER.parents[3] / "examples" / "own_board" / "own_board.so"
LITTLE: dict[str, Value] = {"nodes": 2, "generator.events": 40}

if not BOARDS.exists():
    pytest.skip("the boards of the tests are not built", allow_module_level=True)


def board(kind: str) -> dict[str, Value]:
    return {"ecb.module": str(BOARDS), "ecb.module_options": kind}


def at(spec: Spec, settings: dict[str, Value]) -> Spec:
    derived = ("pbx.level",) if "ecb.level" in settings else ()
    kept = {path: value for path, value in spec.values.items() if value is not None and path not in derived}
    values = kept | settings
    return scenario.find_one(SCENARIO).resolve(worker.schema(), values, where="test_own_boards")


def without_board(outcome: Outcome) -> Outcome:
    """The outcome without the keys that only runs with a user's board have."""
    if FAILURE in outcome:
        return outcome
    result = json.loads(outcome["result.json"])
    for key in ("module", "module_options"):
        del result["spec"]["ecb"][key]
    result["monitor"].pop("board", None)
    return outcome | {"result.json": json.dumps(result, indent=1).encode()}


def hardware(r: random.Random) -> Spec:
    """Any hardware that a user's board supports and that does not feed back."""
    return possible(random_hardware(r, random_spec(r, "hypermon")))


def possible(spec: Spec) -> Spec:
    impossible: dict[str, Value] = {"ecb.reset_skew_ns": 0, "faults.garbage_frames": 0, "faults.reset_at_us": 0}
    # A board does not know when the program ends, so that it would mark wraps for ever.
    never_ending: dict[str, Value] = {"ecb.wrap_frames": False}
    per_board = {path: False for path in spec.values if path.startswith("ecb[") and path.endswith("wrap_frames")}
    return at(spec, impossible | never_ending | per_board | {"ecb.level": "transactions", "drain.keep_frames": True})


def hardware_for(r: random.Random, spec: Spec) -> Spec:
    """Other hardware for the same program."""
    return possible(random_hardware(r, spec))


@pytest.mark.parametrize("case", range(CASES))
def test_hypermons_own_board_behind_the_interface_gives_the_same_results(case: int, tmp_path: Path) -> None:
    r = random.Random(f"{SEED} own boards {case}")
    spec = hardware(r)
    built_in = co_simulated(spec, None, tmp_path / "built_in")
    own = co_simulated(at(spec, board(r.choice(["ecb", "polled"]))), r.getrandbits(32), tmp_path / "own")
    assert FAILURE not in built_in, built_in[FAILURE].decode()
    assert difference(without_board(built_in), without_board(own)) == "", spec.to_line()
    result = json.loads(own["result.json"])
    assert (result["monitor"]["board"]["unmatched_frames"], result["monitor"]["board"]["unmatched_reports"]) == (0, 0)


@pytest.mark.parametrize("case", range(max(1, CASES // 3)))
def test_a_replay_with_a_board_gives_what_a_run_with_it_gives(case: int, tmp_path: Path) -> None:
    r = random.Random(f"{SEED} replays {case}")
    spec = hardware(r)
    source = recorded(at(spec, {"ecb.level": "functional"}), None, tmp_path / "recorded")
    wanted = at(hardware_for(r, spec), board("ecb"))
    run = co_simulated(wanted, None, tmp_path / "run")
    assert FAILURE not in run, run[FAILURE].decode()
    replaying.replay_spec(source, wanted, tmp_path / "replay")
    assert difference(run, outcome(tmp_path / "replay")) == "", wanted.to_line()


def test_a_replay_with_a_board_that_fails_is_refused_by_one_error(tmp_path: Path) -> None:
    source = hypermon.record(SCENARIO, settings=LITTLE, out=tmp_path / "run")
    with pytest.raises(SimulationError, match="board 0 is not empty"):
        hypermon.replay(source, board("stuck"), out=tmp_path / "stuck")
    with pytest.raises(UserError, match="has made no board"):
        hypermon.replay(source, board("none"), out=tmp_path / "none")
    assert not (tmp_path / "stuck").exists()
    assert not (tmp_path / "none").exists()
    blind = hypermon.replay(source, board("blind"), out=tmp_path / "blind")
    spec = replaying.resolve(source, board("blind"))
    (counted,) = hypermon.replaying.count(source, [spec])
    assert counted["ledger.lost_total.nibbles"] == blind["ledger"]["generated"]["nibbles"] > 0
    with pytest.raises(UserError, match=r"ecb\.module: runs in SystemC, where a replay"):
        replaying.fates(source, spec)


def lost(result: Any) -> dict[tuple[str, str], tuple[int, int]]:
    return {
        (loss["stage"], loss["cause"]): (loss["nibbles"], loss["events"])
        for loss in result["ledger"]["lost"]
        if loss["nibbles"] or loss["events"]
    }


UNREPORTED = ("board", "unreported")
OVERRUN: dict[str, Value] = {"nodes": 4, "generator.active": 4, "ecb.frame_fifo_frames": 4, "pbx.word_ns": 5000}


def test_losses_that_a_board_does_not_report_are_found_in_its_frames(tmp_path: Path) -> None:
    told = hypermon.run(SCENARIO, settings=LITTLE | OVERRUN | board("ecb"), out=tmp_path / "told")
    silent = hypermon.run(SCENARIO, settings=LITTLE | OVERRUN | board("silent"), out=tmp_path / "silent")
    assert lost(told).keys() == {("frame_fifo", "overrun")}
    assert lost(silent) == {UNREPORTED: lost(told)["frame_fifo", "overrun"]}
    assert silent["ledger"]["delivered"] == told["ledger"]["delivered"]
    assert silent["latency_us"] == told["latency_us"]


def test_the_examples_board_holds_what_hypermons_own_loses(tmp_path: Path) -> None:
    if not EXAMPLE.exists():
        pytest.skip("examples are not built")
    settings = LITTLE | {"nodes": 8, "generator.active": 8, "generator.events": 100}
    shallow = settings | {"ecb.vector_fifo_entries": 1, "ecb.builder_cycles": 60, "ecb.frame_fifo_frames": 16384}
    built_in = hypermon.run(SCENARIO, settings=shallow, out=tmp_path / "built_in")
    assert ("strobe_vector_fifo", "window_lost") in lost(built_in)
    own = hypermon.run(SCENARIO, settings=shallow | {"ecb.module": str(EXAMPLE)}, out=tmp_path / "own")
    assert lost(own) == {}
    values = {value["key"]: value["value"] for value in own["monitor"]["board"]["values"]}
    assert values == {"most_frames": own["monitor"]["frames"]["peak_occupancy"], "overruns": 0}
    full = settings | {"ecb.module": str(EXAMPLE), "ecb.frame_fifo_frames": 64}
    overrun = hypermon.run(SCENARIO, settings=full, out=tmp_path / "full")
    assert ("frame_fifo", "overrun") in lost(overrun)
    assert UNREPORTED not in lost(overrun)
    assert overrun["monitor"]["board"]["unmatched_reports"] == 0
    with pytest.raises(UserError, match=r"own_board\.so: this board has no ecb\.module_options"):
        hypermon.run(SCENARIO, settings=full | {"ecb.module_options": "deep"}, out=tmp_path / "options")


def test_a_board_without_frames_loses_everything(tmp_path: Path) -> None:
    result = hypermon.run(SCENARIO, settings=LITTLE | board("blind"), out=tmp_path / "run")
    generated = result["ledger"]["generated"]
    assert lost(result) == {UNREPORTED: (generated["nibbles"], generated["events"])}
    assert generated["nibbles"] > 0
    assert result["ledger"]["delivered"] == {"nibbles": 0, "events": 0}


def test_frames_that_no_node_wrote_are_counted(tmp_path: Path) -> None:
    result = hypermon.run(SCENARIO, settings=LITTLE | board("inventive"), out=tmp_path / "run")
    monitor = result["monitor"]
    assert monitor["board"]["unmatched_frames"] == monitor["frames"]["drained"] > 0
    by_chance = result["ledger"]["delivered"]["nibbles"]  # right in value and window
    assert monitor["garbage_nibbles"] == 16 * monitor["frames"]["drained"] - by_chance
    assert result["ledger"]["delivered"]["events"] == 0
    assert lost(result)[UNREPORTED][0] == result["ledger"]["generated"]["nibbles"] - by_chance


@pytest.mark.parametrize(
    ("kind", "message"),
    [
        ("full", "is not empty at .* after the last strobe: for one second it has delivered no data of a node"),
        ("endless", "is not empty at .* after the last strobe: for one second it has delivered no data of a node"),
        ("stuck", "is not empty at .* after the last strobe: nothing more will happen in it"),
    ],
)
def test_a_board_that_never_empties_ends_the_run_by_name(kind: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(HypermonError, match=rf"ecb\.module = .*test_boards\.so: board 0 {message}"):
        hypermon.run(SCENARIO, settings=LITTLE | board(kind), out=tmp_path / "run")
    assert not (tmp_path / "run" / "result.json").exists()


def test_a_board_that_refuses_its_registers_is_named(tmp_path: Path) -> None:
    with pytest.raises(HypermonError, match=r"test_boards\.so: board 0 refuses a read of the register status"):
        hypermon.run(SCENARIO, settings=LITTLE | board("deaf"), out=tmp_path / "run")


@pytest.mark.parametrize(
    ("parameter", "file", "message"),
    [
        (
            "ecb.module",
            "test_boards_old.so",
            r"built for hypermon 0\.1\.0 \(headers 0123456789ab, C\+\+ ABI 1016\), "
            r"must be \d+\.\d+\.\d+ \(headers [0-9a-f]{12}, C\+\+ ABI \d+\): build it again",
        ),
        ("pbx.module", "test_boards_old.so", r"built for hypermon of unknown version, must be \d.*: build it again"),
        (
            "ecb.module",
            "test_boards_other_systemc.so",
            r"built for SystemC 2\.2\.0-Accellera, must be \d.*: build it again",
        ),
        (
            "pbx.module",
            "test_boards_other_systemc.so",
            r"built for SystemC 2\.2\.0-Accellera, must be \d.*: build it again",
        ),
        ("ecb.module", "test_boards_missing_systemc.so", r"built for SystemC 2\.2\.0, must be \d.*: build it again"),
        ("pbx.module", "test_boards_missing_systemc.so", r"built for SystemC 2\.2\.0, must be \d.*: build it again"),
        (
            "ecb.module",
            "../../../../workloads/libring.so",
            r"no HYPERMON_OWN_BOARD in it \(docs/how-to/own-board\.md\)",
        ),
    ],
)
def test_an_object_that_was_built_for_another_program_is_refused_by_name(
    parameter: str, file: str, message: str, tmp_path: Path
) -> None:
    settings = LITTLE | {parameter: str((FOLDER / file).resolve())}
    with pytest.raises(UserError, match=rf"{parameter} = .*{message}"):
        hypermon.run(SCENARIO, settings=settings, out=tmp_path / "run")
    assert not (tmp_path / "run" / "result.json").exists()


@pytest.mark.parametrize("inputs", [16, 1])
def test_a_board_that_holds_strobes_slows_the_nodes_down(inputs: int, tmp_path: Path) -> None:
    settings = LITTLE | {"generator.active": 2, "ecb.inputs": inputs, "ecb.node_fifo_full": "stall", "port.delay": 0}
    free = hypermon.run(SCENARIO, settings=settings | board("blind"), out=tmp_path / "blind")
    slow = hypermon.run(SCENARIO, settings=settings | board("slow"), out=tmp_path / "slow")
    assert free["monitor"]["held_s"] == 0
    strobes = slow["ledger"]["generated"]["nibbles"]
    pitch = worker.schema().parameters["port.nibble_cost_ns"].default
    bursts = slow["ledger"]["generated"]["events"]
    # Each strobe of a burst, except the first, waits for the rest of 20 us after its pitch.
    least = (strobes - bursts) * (20e-6 - float(str(pitch)) * 1e-9 * 1.001)
    assert least <= slow["monitor"]["held_s"] <= strobes * 20e-6
    assert slow["elapsed_s"] > free["elapsed_s"]


def test_a_board_that_holds_a_strobe_for_ever_ends_the_run_by_name(tmp_path: Path) -> None:
    settings = LITTLE | {"ecb.node_fifo_full": "stall"} | board("closed")
    message = r"board 0 holds the strobe of input 0 at 1\.\d+ s: for one second it has delivered no data of a node"
    with pytest.raises(HypermonError, match=rf"ecb\.module = .*test_boards\.so: {message}"):
        hypermon.run(SCENARIO, settings=settings, out=tmp_path / "run")
    assert not (tmp_path / "run" / "result.json").exists()


@pytest.mark.parametrize("case", range(max(1, CASES // 3)))
def test_messages_to_the_host_are_those_of_the_built_in_board(case: int, tmp_path: Path) -> None:
    r = random.Random(f"{SEED} host {case}")
    host: dict[str, Value] = {"drain.destination": "host", "drain.host_message_bytes": r.choice((101, 400, 4096))}
    spec = hardware(r)
    while (
        spec.values["machine.messages"] == "smpi"
    ):  # each event of the boards' would change the last bit of later times
        spec = hardware(r)
    spec = at(spec, host)
    built_in = co_simulated(spec, None, tmp_path / "built_in")
    own = co_simulated(at(spec, board(r.choice(["ecb", "polled"]))), r.getrandbits(32), tmp_path / "own")
    assert FAILURE not in built_in, built_in[FAILURE].decode()
    assert difference(without_board(built_in), without_board(own)) == "", spec.to_line()


def test_a_function_that_makes_no_board_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"ecb\.module = .*test_boards\.so: has made no board"):
        hypermon.run(SCENARIO, settings=LITTLE | board("none"), out=tmp_path / "run")


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"ecb.level": "functional"}, "ecb.level = functional: must be transactions with an ecb.module"),
        ({"ecb.level": "rtl"}, "ecb.level = rtl: must be transactions with an ecb.module"),
        ({"ecb.reset_skew_ns": 500}, "ecb.reset_skew_ns = 500: must be 0 with an ecb.module"),
        ({"faults.garbage_frames": 5}, "faults.garbage_frames = 5: must be 0 with an ecb.module"),
        ({"faults.reset_at_us": 5}, "faults.reset_at_us = 5.0: must be 0 with an ecb.module"),
        ({"ecb.module": ""}, "ecb.module_options = ecb: must be empty without an ecb.module"),
    ],
)
def test_what_a_board_of_the_users_cannot_have_is_refused(settings: dict[str, Value], message: str) -> None:
    with pytest.raises(UserError) as refused:
        hypermon.run(SCENARIO, settings=LITTLE | board("ecb") | settings)
    assert message in str(refused.value)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("is_replay", [False, True], ids=["run", "replay"])
@pytest.mark.parametrize(
    ("kind", "message"),
    [
        ("mute", r"board 0 is not empty at .* s, after the last strobe: .*; it has never said that a frame waits \("),
        ("hiding", r"board 0 has never said that a frame waits \(frame_waits\(\)\), but its status register says so"),
    ],
)
def test_a_board_that_never_says_that_a_frame_waits_ends_the_run(
    kind: str, message: str, is_replay: bool, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    source = hypermon.record(SCENARIO, settings=LITTLE, out=tmp_path / "source")
    act = functools.partial(hypermon.replay, source, board(kind))
    if not is_replay:
        act = functools.partial(hypermon.run, SCENARIO, settings=LITTLE | board(kind))
    with pytest.raises(SimulationError, match=message):
        act(out=out)
    assert not (out / "result.json").exists()


def test_results_of_boards_that_report_nothing_hold_together(tmp_path: Path) -> None:
    for kind in ("silent", "blind"):
        settings = LITTLE | OVERRUN | board(kind)
        spec = scenario.find_one(SCENARIO).resolve(worker.schema(), settings, where="here")
        result = json.loads(co_simulated(spec, None, tmp_path / kind)["result.json"])
        assert violations(result, spec) == [], kind
