# SPDX-License-Identifier: BSD-3-Clause
"""Waves that a run's own modules write: users' boards, a second master, and modules on the bus."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

import hypermon
from hypermon._engine import wave_files
from hypermon._files import places
from hypermon._inputs import scenario
from hypermon._model import worker as workers
from hypermon._model.result import Result
from hypermon._model.schema import Value
from hypermon.errors import UserError
from hypermon.monitors.hypermon import waves
from hypermon.monitors.hypermon.waves import modules, views
from tests.conftest import Hypermon
from tests.monitors.hypermon.python.test_own_boards import EXAMPLE, LITTLE, board
from tests.monitors.hypermon.python.test_waves import Signals, boards, happened, last

pytestmark = [pytest.mark.worker, pytest.mark.usefixtures("worker")]

needs_verilator = pytest.mark.skipif(shutil.which("verilator") is None, reason="verilator is not installed")
Settings = dict[str, Value]
SCENARIO = "bandwidth/one_node"
PROBE = EXAMPLE.parents[1] / "own_probe" / "own_probe.so"
RTL = places.TREE / "hw" / "hypermon" / "rtl" / "capture_board.v"
OVERRUN: Settings = LITTLE | {
    "nodes": 4,
    "generator.active": 4,
    "ecb.inputs": 2,
    "ecb.frame_fifo_frames": 4,
    "pbx.word_ns": 5000,
    "drain.keep_frames": True,
}
SECOND: Settings = {"dma.words": 8, "dma.period_ns": 60000}
TRANSACTIONS: Settings = {"ecb.level": "transactions"}
HARDWARE: dict[str, Settings] = {
    "own board": board("ecb"),
    "silent board": board("silent"),
    "polled board": board("polled"),
    "own board and second master": board("ecb") | SECOND,
    "second master": SECOND,
    "second master first": SECOND | {"dma.arbitration": "second_first"},
    "transactions": TRANSACTIONS | {"faults.pbx_error_probability": 0.01},
    "module on the bus": {"pbx.module": str(PROBE)},
    "module and second master": SECOND | {"pbx.module": str(PROBE)},
    "faults": board("ecb") | {"faults.drop_probability": 0.05, "faults.pbx_error_probability": 0.01},
    "stalling nodes": SECOND | {"ecb.node_fifo_full": "stall", "ecb.node_fifo_entries": 1, "ecb.builder_cycles": 400},
}


@pytest.fixture(autouse=True, scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """A cache for boards, which are built once for all tests here."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
        yield


def simulate(settings: Settings, out: Path, **wanted: Any) -> tuple[Result, waves.Waves]:
    spec = scenario.find_one(SCENARIO).resolve(workers.schema(), OVERRUN | settings)
    return waves.simulate(spec, out, waves.Wanted(**wanted))


def whole(settings: Settings, out: Path) -> tuple[Result, waves.Waves]:
    return simulate(settings, out, between="0s..10s")


def files_of(run: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in run.iterdir() if file.suffix in {".hmf", ".json", ".csv"}}


@pytest.mark.parametrize("hardware", HARDWARE)
def test_waves_agree_with_the_result_which_they_do_not_change(hardware: str, tmp_path: Path) -> None:
    settings = HARDWARE[hardware]
    if "pbx.module" in settings and not PROBE.exists():
        pytest.skip("examples are not built")
    result, written = whole(settings, tmp_path / "run")
    plain = hypermon.run(SCENARIO, settings=OVERRUN | settings, out=tmp_path / "plain")
    assert result.text == plain.text
    frames = {name: data for name, data in files_of(tmp_path / "run").items() if name.endswith(".hmf")}
    assert frames
    assert frames.items() <= files_of(tmp_path / "plain").items()
    monitor, found = result["monitor"], Signals(written.path)
    lost = {(one["stage"], one["cause"]): one["nibbles"] for one in result["ledger"]["lost"]}
    dropped = sum(nibbles for (stage, _), nibbles in lost.items() if stage == "erb")
    assert happened(found, r"erb\.line\[\d+\]\.strobe") == monitor["strobes"]
    assert happened(found, r"port\[\d+\]\.strobe") == monitor["strobes"] + dropped
    assert happened(found, r"erb\.fault\.dropped_strobe") == dropped
    assert happened(found, r"pbx\.word_end") * 4 == result["logged_bytes"]
    peaks = [max(value or 0 for _, value in level) for level in boards(found, r"ecb\.frame_fifo\.level")]
    assert max(peaks) == (0 if hardware == "silent board" else monitor["frames"]["peak_occupancy"])  # as reported
    assert last(found, r"loss\.data") == result["ledger"]["lost_total"]["nibbles"] - dropped > 0
    assert (happened(found, r"loss\.unreported") > 0) == (lost.get(("board", "unreported"), 0) > 0)
    assert (happened(found, r"pbx\.error") > 0) == (lost["pbx", "bus_error"] > 0)
    assert happened(found, r"pbx\.status_read") > 0
    if "dma.words" in settings:
        starts = sum(state == 2 for t in boards(found, r"second_master\.bus") for _, state in t)
        assert 0 < starts <= monitor["pbx"]["second_bursts"] + len(peaks)
        waiting = [b - a for t in boards(found, r"io_node\.bus") for (a, state), (b, _) in pairwise(t) if state == 1]
        assert sum(waiting) / 10**12 == pytest.approx(monitor["pbx"]["drain_waited_s"], rel=1e-9)
        assert max(waiting) / 10**6 == pytest.approx(monitor["pbx"]["longest_wait_us"], rel=1e-9)


@pytest.mark.parametrize(
    "more",
    [{}, {"ecb.node_fifo_full": "stall", "ecb.node_fifo_entries": 1, "ecb.builder_cycles": 400}, {"faults.reset_at_us": 400},
     {"drain.destination": "host", "drain.host_message_bytes": 400}, {"reader.kind": "group", "reader.group_ns": 3000}],
    ids=["prototype", "stall", "reset", "host", "group"],
)  # fmt: skip
def test_a_run_with_transactions_shows_the_signals_of_its_modules_as_a_functional_one(
    more: Settings, tmp_path: Path
) -> None:
    found = {}
    for level in ("functional", "transactions"):
        _, written = simulate(more | {"ecb.level": level}, tmp_path / level, between="0s..2ms")
        found[level] = Signals(written.path)
    functional, transactions = found["functional"], found["transactions"]
    assert {"board0.pbx.master", "board1.io_node.bus"} <= set(transactions) - set(functional)
    common = set(functional) & set(transactions)
    assert {path for path in common if functional[path] != transactions[path]} == set()
    assert "board0.pbx.word" in common


@pytest.mark.parametrize("hardware", ["own board", "silent board", "second master", "faults"])
def test_a_window_lies_around_the_first_loss(hardware: str, tmp_path: Path) -> None:
    _, everything = whole(HARDWARE[hardware], tmp_path / "whole")
    found = Signals(everything.path)
    first = min(t[0][0] for t in boards(found, r"loss\.(?!data)\w+") if t)
    _, written = simulate(HARDWARE[hardware], tmp_path / "run", pre="100us", post="50us")
    assert (written.marker_ps, written.from_ps, written.to_ps) == (first, max(0, first - 10**8), first + 5 * 10**7)
    part = Signals(written.path)
    before = 0
    for path in part:
        if path.startswith("rank") or path.endswith(".loss.data"):
            continue
        inside = [(t, value) for t, value in found[path] if written.from_ps < t < written.to_ps]
        assert [(t, value) for t, value in part[path] if t > written.from_ps] == inside, path
        before += sum(t < first for t, _ in inside)
    assert before > 50
    assert part["board0.loss.data"][0] == (written.from_ps, 0)
    text = written.view.read_text()
    marker = wave_files.marker_before(first, (first - written.from_ps) * 5 // 4)
    assert f" {marker} " in next(line for line in text.splitlines() if line.startswith("*"))
    assert "-board0 LOSSES" in text


@pytest.mark.parametrize("trigger", ["first-loss", "loss:frame_lost", "occupancy>2", "rank3.process_end", "250us"])
def test_a_replay_has_the_waves_of_the_run(trigger: str, tmp_path: Path) -> None:
    source = hypermon.record(SCENARIO, settings=OVERRUN, out=tmp_path / "recorded")
    later = waves.write(source, tmp_path / "w.vcd", board("ecb"), at=trigger, pre="200us", post="100us")
    _, written = simulate(board("ecb"), tmp_path / "run", at=trigger, pre="200us", post="100us")
    assert written.path.read_bytes() == later.path.read_bytes()
    assert (written.marker_ps, written.transitions) == (later.marker_ps, later.transitions)


def test_a_board_in_systemc_shows_its_own_signals(tmp_path: Path) -> None:
    if not EXAMPLE.exists():
        pytest.skip("examples are not built")
    result, written = whole({"ecb.module": str(EXAMPLE)}, tmp_path / "run")
    found = Signals(written.path)
    for number in range(2):
        frames = found[f"board{number}.own_board.frames"]
        level = found[f"board{number}.ecb.frame_fifo.level"]
        assert [v for _, v in frames] == [v for _, v in level]
    values = {(v["board"], v["key"]): v["value"] for v in result["monitor"]["board"]["values"]}
    assert last(found, r"own_board\.overruns") == values[0, "overruns"] + values[1, "overruns"] > 0
    assert "board0.own_board.newest.vector[31:0]" in written.view.read_text()


@needs_verilator
def test_a_board_in_verilog_shows_its_signals_by_hierarchy(tmp_path: Path) -> None:
    settings: Settings = {"ecb.rtl": str(RTL)}
    plain = hypermon.run(SCENARIO, settings=OVERRUN | settings, out=tmp_path / "plain")
    result, written = whole(settings, tmp_path / "run")
    assert result.text == plain.text
    found = Signals(written.path)
    assert any(re.fullmatch(r"board1\.own_board\.capture_board\.\w+.*\..*", path) for path in found)
    for number in range(2):
        top = f"board{number}.own_board.capture_board"
        waiting = [value or 0 for _, value in found[f"{top}.frames_waiting"]]
        assert max(waiting) == max(v or 0 for _, v in found[f"board{number}.ecb.frame_fifo.level"])
        strobe = [value or 0 for _, value in found[f"{top}.strobe"]]
        risen = sum((value & ~before).bit_count() for before, value in pairwise(strobe))
        lines = sum(len(t) for path, t in found.items() if re.fullmatch(rf"board{number}\.erb\.line.*strobe", path))
        assert risen == lines
    view = written.view.read_text()
    assert "capture_board.frames_waiting[" in view
    assert "capture_board.WINDOW_CYCLES" not in view  # a constant
    later = waves.write(
        hypermon.record(SCENARIO, settings=OVERRUN, out=tmp_path / "recorded"),
        tmp_path / "w.vcd",
        settings,
        between="0s..10s",
    )
    assert later.path.read_bytes() == written.path.read_bytes()


def test_bounds_make_the_window_shorter_and_are_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, hypermon: Hypermon
) -> None:
    messages: list[str] = []
    spec = scenario.find_one(SCENARIO).resolve(workers.schema(), OVERRUN | board("ecb"))
    _, long = waves.simulate(
        spec, tmp_path / "long", waves.Wanted(pre="400us", post="400us"), print_line=messages.append
    )
    assert messages == ["waves: at most 96 MB of memory before a trigger, at most about 1 GB in the file"]
    monkeypatch.setattr(modules, "MOST_KEPT", 30)
    monkeypatch.setattr(modules, "MOST_WRITTEN", 100)
    _, short = waves.simulate(
        spec, tmp_path / "short", waves.Wanted(pre="400us", post="400us"), print_line=messages.append
    )
    assert messages[-1] == "the waves are shorter than requested, because they have reached a bound"
    assert short.marker_ps == long.marker_ps is not None
    assert long.from_ps < short.from_ps < long.marker_ps < short.to_ps < long.to_ps
    assert sum(short.transitions.values()) <= 100
    sets = [word for path, value in (OVERRUN | board("ecb")).items() for word in ("--set", f"{path}={value}")]
    done = hypermon("run", SCENARIO, *sets, "--out", str(tmp_path / "cli"), "--wave-trigger", "first-loss")
    assert "waves: at most 96 MB of memory before a trigger" in done.stdout
    assert done.returncode == 0, done.stderr


def test_only_some_signals_are_written_and_unknown_ones_refused(tmp_path: Path) -> None:
    _, written = whole(board("ecb"), tmp_path / "run")
    _, few = simulate(board("ecb"), tmp_path / "few", between="0s..10s", only=("board1.pbx", "*.level"))
    found, all_ = Signals(few.path), Signals(written.path)
    assert found.keys() == {p for p in all_ if p.startswith("board1.pbx.") or p.endswith(".level")}
    assert all(found[path] == all_[path] for path in found)
    with pytest.raises(UserError, match=r"--wave-signals board7: no such signal"):
        simulate(board("ecb"), tmp_path / "none", only=("board7",))
    assert not (tmp_path / "none").exists()


@pytest.mark.parametrize(("view", "more"), [("own_board", SECOND), ("lockstep", {"ecb.lockstep": "count"})])
def test_every_view_of_modules_shows_signals_that_there_are(view: str, more: Settings) -> None:
    spec = scenario.find_one(SCENARIO).resolve(workers.schema(), OVERRUN | board("ecb") | more)
    every = [*waves.signals(spec), waves.Signal("board0.own_board.frames", "value", 8)]
    for group in views.load(view).groups:
        for pattern in group.patterns:
            alone = views.Group(group.title, group.colour, (pattern,), group.closed)
            assert alone.choose(every), pattern
