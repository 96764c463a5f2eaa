# SPDX-License-Identifier: BSD-3-Clause
"""Lockstep (ecb.lockstep) runs a user's board beside hypermon's functional model, on the same strobes."""

from __future__ import annotations

import json
import random
import shutil
from pathlib import Path
from typing import Any

import pytest

import hypermon
from hypermon._engine import replaying
from hypermon._inputs import scenario
from hypermon._model import verdicts, worker
from hypermon._model.schema import Value
from hypermon.errors import HypermonError, UserError
from hypermon.monitors.hypermon import waves
from tests.conftest import Hypermon
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
from tests.monitors.hypermon.python.test_rtl_runs import OWN, PROGRAMS
from tests.monitors.hypermon.python.test_waves import Signals
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
    source = recorded(at(hypermon_spec(LITTLE), {}), None, tmp_path / "recorded")
    for kind in ("ecb", "bit:20"):
        wanted = at(hypermon_spec(LITTLE), board(kind) | COUNT | {"ecb.level": "transactions"})
        ran = co_simulated(wanted, None, tmp_path / f"run {kind}")
        replaying.replay_spec(source, wanted, tmp_path / f"replay {kind}")
        assert outcome(tmp_path / f"replay {kind}")["result.json"] == ran["result.json"]


def hypermon_spec(settings: dict[str, Value]) -> Any:
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


WINDOW_PS = 800_000
SLOW: dict[str, Value] = {"pbx.word_ns": 100_000, "ecb.frame_fifo_frames": 64}


def with_waves(kind: str, out: Path, settings: dict[str, Value], **wanted: Any) -> tuple[Any, waves.Waves]:
    spec = hypermon_spec(LITTLE | board(kind) | COUNT | settings)
    return waves.simulate(spec, out, waves.Wanted(**{"at": "difference", "view": "lockstep", **wanted}))


def test_waves_show_the_board_and_the_model_around_the_first_difference(tmp_path: Path) -> None:
    plain = run("bit:20", tmp_path / "plain", COUNT)
    result, written = with_waves("bit:20", tmp_path / "run", {}, pre="100us", post="50us")
    assert result.text == plain.text
    first = compared(result)["first"]
    begin, read = first["window"] * WINDOW_PS, round(first["time_s"] * 1e12)
    assert (written.marker_ps, written.from_ps) == (begin, begin - 10**8)
    found = Signals(written.path)
    ((seen, _),) = found["board0.lockstep.difference"]
    assert read <= seen
    assert written.to_ps == seen + 5 * 10**7
    assert [t for t, _ in found["board0.erb.line[0].strobe"] if t // WINDOW_PS == first["window"]]
    read_by = {side: found[f"board0.lockstep.{side}.frame_read"] for side in ("actual", "expected")}
    assert read_by["actual"] == read_by["expected"]
    assert read in [t for t, _ in read_by["actual"]]
    for side in ("actual", "expected"):
        stamps = dict(found[f"board0.lockstep.{side}.timestamp"])
        assert stamps[read] == first["window"]
    of_board, of_model = (words(found, f"board0.{scope}pbx") for scope in ("", "model."))
    assert of_board.keys() == of_model.keys()
    last = {t for t, _ in read_by["actual"]}  # a poll at the same time hides the last word of a frame
    assert {t for t in of_board.keys() - last if of_board[t] != of_model[t]} == {read - 2 * WINDOW_PS}  # the datum
    view = written.view.read_text()
    assert f" {begin} -1" in view
    for signal in ("board0.model.ecb.sampler.vector", "board0.lockstep.expected.vector", "board0.pbx.word"):
        assert signal in view


def words(found: Signals, bus: str) -> dict[int, int | None]:
    """Returns the words that were read from the frame FIFO, by the time of their end."""
    values = found[f"{bus}.word"]
    return {end: [v for t, v in values if t <= end][-1] for end, _ in found[f"{bus}.word_end"]}


def test_the_window_of_a_difference_is_kept_until_its_frame_is_read(tmp_path: Path) -> None:
    result, written = with_waves("bit:20", tmp_path / "run", SLOW, pre="1us", post="1us")
    first = compared(result)["first"]
    begin, read = first["window"] * WINDOW_PS, round(first["time_s"] * 1e12)
    assert read - begin > 10**9
    assert (written.marker_ps, written.from_ps) == (begin, begin - 10**6)
    assert written.to_ps > read
    assert [t for t, _ in Signals(written.path)["board0.erb.line[0].strobe"] if t // WINDOW_PS == first["window"]]


@pytest.mark.parametrize("case", range(max(1, CASES // 4)))
def test_waves_change_no_result_of_a_comparison(case: int, tmp_path: Path) -> None:
    r = random.Random(f"{SEED} waves of lockstep {case}")
    kind = r.choice(
        ["ecb", "silent", "blind", *(f"{kind}:{r.randrange(40)}" for kind in ("bit", "drop", "stamp", "report"))]
    )
    spec = at(hardware(r), board(kind) | COUNT)
    alone = co_simulated(spec, None, tmp_path / "alone")
    assert FAILURE not in alone, alone[FAILURE].decode()
    try:
        waves.simulate(spec, tmp_path / "run", waves.Wanted(at="difference", pre="20us", post="20us"))
    except waves.NothingLostError:
        assert compared(json.loads(alone["result.json"]))["differences"] == 0
    else:
        assert compared(json.loads(alone["result.json"]))["differences"] > 0
    assert (tmp_path / "run" / "result.json").read_bytes() == alone["result.json"], spec.to_line()


def test_a_replay_has_the_waves_of_the_difference(tmp_path: Path) -> None:
    source = hypermon.record(SCENARIO, settings=LITTLE, out=tmp_path / "recorded")
    chosen = board("drop:20") | COUNT
    later = waves.write(source, tmp_path / "w.vcd", chosen, at="difference", pre="100us", post="50us", view="lockstep")
    _, written = with_waves("drop:20", tmp_path / "run", {}, pre="100us", post="50us")
    assert later.path.read_bytes() == written.path.read_bytes()
    assert later.marker_ps == written.marker_ps == 192 * WINDOW_PS


def test_an_equal_board_has_no_waves_of_a_difference(hypermon: Hypermon, tmp_path: Path) -> None:
    sets = [word for path, value in (LITTLE | board("ecb") | COUNT).items() for word in ("--set", f"{path}={value}")]
    done = hypermon("run", SCENARIO, *sets, "--out", str(tmp_path / "run"), "--wave-trigger", "difference")
    assert done.returncode == 0, done.stderr
    assert "the board agrees with the model in the whole run" in done.stdout
    assert not list((tmp_path / "run").glob("waves.*"))


@pytest.mark.parametrize(
    ("lockstep", "message"),
    [
        (
            "none",
            r"--wave-trigger difference: compares a board of your own with hypermon's model; set ecb\.lockstep = ",
        ),
        ("stop", r"--wave-trigger difference: ecb\.lockstep = stop leaves no files; set ecb\.lockstep = count"),
    ],
)
def test_waves_of_a_difference_need_a_comparison_that_continues(lockstep: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(UserError, match=message):
        with_waves("ecb", tmp_path / "run", {"ecb.lockstep": lockstep})
    assert not (tmp_path / "run").exists()


@pytest.mark.skipif(shutil.which("verilator") is None, reason="verilator is not installed")
def test_waves_show_a_bug_in_verilog_beside_the_model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    for name in ("capture_board.v", "node_fifo.v"):
        text = (OWN.parent / name).read_text()
        wrong = text.replace("vectors[vector_tail] <= vector_now", "vectors[vector_tail] <= vector")
        (tmp_path / name).write_text(wrong)
    rtl: dict[str, Value] = {"nodes": 4, "ecb.rtl": str(tmp_path / "capture_board.v")}
    spec = scenario.find_one("table2/matmul").resolve(worker.schema(), PROGRAMS["matmul"] | rtl | COUNT)
    wanted = waves.Wanted(at="difference", pre="10us", post="10us", view="lockstep", path=tmp_path / "bug.fst")
    result, written = waves.simulate(spec, tmp_path / "run", wanted)
    first = compared(result)["first"]
    begin = first["window"] * WINDOW_PS
    assert written.marker_ps == begin
    found = Signals(written.path)
    (strobe,) = [t for t, _ in found[f"board0.erb.line[{first['input']}].strobe"] if t // WINDOW_PS == first["window"]]
    assert strobe >= begin + WINDOW_PS - 50_000  # in the last clock cycle
    vectors = {v for t, v in found["board0.model.ecb.sampler.vector"] if begin <= t < begin + WINDOW_PS}
    assert 1 << first["input"] in vectors
    assert "board0.own_board.capture_board.vector_tail" in found
    assert "board0.own_board.capture_board.vector" in written.view.read_text()
