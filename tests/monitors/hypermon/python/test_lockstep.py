# SPDX-License-Identifier: BSD-3-Clause
"""Lockstep (ecb.lockstep): a board of the user's beside hypermon's functional model, on the same strobes."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

import hypermon
from hypermon._engine import replaying
from hypermon._model import verdicts
from hypermon._model.schema import Value
from hypermon.errors import HypermonError, UserError
from tests.monitors.hypermon.python.test_no_road_matters import FAILURE, co_simulated, outcome, recorded
from tests.monitors.hypermon.python.test_own_boards import (
    CASES,
    LITTLE,
    OVERRUN,
    SCENARIO,
    SEED,
    at,
    board,
    hardware,
)
from tests.python.result_invariants import violations

pytestmark = [pytest.mark.worker, pytest.mark.usefixtures("worker")]

COUNT: dict[str, Value] = {"ecb.lockstep": "count"}


def compared(result: Any) -> Any:
    return result["monitor"]["board"]["lockstep"]


def run(kind: str, out: Path, settings: dict[str, Value]) -> Any:
    return hypermon.run(SCENARIO, settings=LITTLE | board(kind) | settings, out=out)


def without_lockstep(files: dict[str, bytes]) -> Any:
    result = json.loads(files["result.json"])
    for key in ("lockstep", "lockstep_times"):
        del result["spec"]["ecb"][key]
    result["monitor"]["board"].pop("lockstep", None)
    return result, {name: data for name, data in files.items() if name != "result.json"}


@pytest.mark.parametrize("case", range(CASES))
def test_an_equal_board_has_no_difference_and_the_comparison_changes_no_result(case: int, tmp_path: Path) -> None:
    r = random.Random(f"{SEED} lockstep {case}")
    spec = hardware(r)
    stamped = all(value == "every" for path, value in spec.values.items() if path.endswith("timestamp_policy"))
    spec = at(spec, board(r.choice(["ecb", "polled", "silent" if stamped else "ecb"])))
    alone = co_simulated(spec, None, tmp_path / "alone")
    beside = co_simulated(at(spec, COUNT), None, tmp_path / "beside")
    assert FAILURE not in alone, alone[FAILURE].decode()
    assert without_lockstep(beside) == without_lockstep(alone)
    result = json.loads(beside["result.json"])
    assert compared(result)["first"] is None, spec.to_line()
    assert compared(result)["differences"] == 0
    monitor = result["monitor"]
    assert 0 <= compared(result)["equal_frames"] <= monitor["frames"]["drained"]
    if result["spec"]["drain"]["destination"] == "discard" and not result["spec"]["faults"]["pbx_error_probability"]:
        assert compared(result)["equal_frames"] == monitor["frames"]["drained"]


@pytest.mark.parametrize(
    ("kind", "expected", "actual"),
    [
        ("bit:20", "frame with 0=0, timestamp 192", "frame with 0=1, timestamp 192"),
        ("drop:20", "frame with 0=0, timestamp 192", "frame with 1=1, timestamp 200"),
        ("stamp:10", "frame with 0=0, timestamp 136", "frame with 0=0, timestamp 140"),
        ("report:20", "no loss", "lost (frame_lost)"),
        ("drop:399", "frame with 0=0, timestamp 4008", "no frame"),
    ],
)
def test_a_planted_difference_is_found_in_its_window(kind: str, expected: str, actual: str, tmp_path: Path) -> None:
    result = run(kind, tmp_path / "run", COUNT)
    broken = violations(result, hypermon_spec(LITTLE | board(kind) | COUNT))
    assert not [rule for rule in broken if "comparison" in rule]
    found = compared(result)
    assert found["differences"] == 1
    first = found["first"]
    assert first["expected"].startswith(expected)
    assert first["actual"].startswith(actual)
    if kind.endswith(":20"):
        assert (first["window"], first["input"]) == (192, 0)
    if kind == "stamp:10":
        assert (first["window"], first["input"]) == (136, None)
    if kind == "drop:399":
        assert (first["window"], first["input"], found["equal_frames"]) == (4008, 0, 399)
    assert first["window"] * 800e-9 <= first["time_s"] < first["window"] * 800e-9 + 1e-5
    assert verdicts.sentences(result)[0].startswith(f"The first difference is in window {first['window']}")


def test_a_silent_loss_confirms_the_models_loss(tmp_path: Path) -> None:
    for kind in ("ecb", "silent"):
        result = run(kind, tmp_path / kind, OVERRUN | COUNT)
        assert result["ledger"]["lost_total"]["nibbles"] > 0
        assert compared(result)["differences"] == 0


def test_a_board_of_another_depth_differs_where_it_loses(tmp_path: Path) -> None:
    result = run("blind", tmp_path / "run", COUNT)
    assert compared(result)["equal_frames"] == 0
    assert compared(result)["differences"] == 400
    assert compared(result)["first"]["actual"] == "no frame"


def test_a_replay_compares_as_the_run_does(tmp_path: Path) -> None:
    little = {path: value for path, value in LITTLE.items() if path != "drain.level"}
    source = recorded(at(hypermon_spec(little), {}), None, tmp_path / "recorded")
    for kind in ("ecb", "bit:20"):
        wanted = at(hypermon_spec(little), LITTLE | board(kind) | COUNT)
        ran = co_simulated(wanted, None, tmp_path / f"run {kind}")
        replaying.replay_spec(source, wanted, tmp_path / f"replay {kind}")
        assert outcome(tmp_path / f"replay {kind}")["result.json"] == ran["result.json"]


def hypermon_spec(settings: dict[str, Value]) -> Any:
    from hypermon._inputs import scenario
    from hypermon._model import worker

    return scenario.find_one(SCENARIO).resolve(worker.schema(), settings, where="test_lockstep")


def test_stop_ends_the_run_at_the_first_difference(tmp_path: Path) -> None:
    equal = run("ecb", tmp_path / "equal", {"ecb.lockstep": "stop"})
    assert compared(equal)["differences"] == 0
    assert verdicts.sentences(equal)[0] == "The board agrees with the model in all 400 frames."
    with pytest.raises(HypermonError) as stopped:
        run("bit:20", tmp_path / "run", {"ecb.lockstep": "stop"})
    assert stopped.value.exit_status == 3
    message = str(stopped.value)
    assert "board 0 differs from hypermon's model in window 192, input 0: expected frame with 0=0" in message
    assert "(ecb.lockstep = stop)" in message
    assert not (tmp_path / "run").exists()


def test_times_can_be_left_out(tmp_path: Path) -> None:
    late: dict[str, Value] = {"ecb.module_options": "late"}
    with_times = run("ecb", tmp_path / "with", late | COUNT)
    assert compared(with_times)["differences"] > 0
    assert compared(with_times)["first"]["input"] is None
    without = run("ecb", tmp_path / "without", late | COUNT | {"ecb.lockstep_times": False})
    assert compared(without)["differences"] == 0


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        (
            {"ecb.module": "", "ecb.module_options": ""},
            "ecb.lockstep = count: must be none without an ecb.module or ecb.rtl",
        ),
        ({"drain.destination": "host"}, "ecb.lockstep = count: must be none with drain.destination = host"),
        ({"dma.words": 16, "dma.period_ns": 30000}, "ecb.lockstep_times = true: must be false with dma.words"),
        ({"ecb.lockstep": "none", "ecb.lockstep_times": False}, "ecb.lockstep_times = false: must be true without"),
    ],
)
def test_what_cannot_be_compared_is_refused(settings: dict[str, Value], message: str) -> None:
    with pytest.raises(UserError) as refused:
        hypermon.run(SCENARIO, settings=LITTLE | board("ecb") | COUNT | settings)
    assert message in str(refused.value)
    assert "\n" not in str(refused.value)
