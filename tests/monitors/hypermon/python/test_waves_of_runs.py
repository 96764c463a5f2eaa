# SPDX-License-Identifier: BSD-3-Clause
"""Waves that a run writes while it runs (hypermon run --wave-trigger), and those of its nodes."""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from hypermon import timelines
from hypermon._engine.recorder import record
from hypermon._engine.recording import Recording
from hypermon._inputs import scenario
from hypermon._model import worker as workers
from hypermon._model.result import Result
from hypermon.errors import UserError
from hypermon.monitors.hypermon import waves
from hypermon.monitors.hypermon.waves import views
from tests.conftest import Hypermon
from tests.monitors.hypermon.python.test_own_boards import board
from tests.monitors.hypermon.python.test_replay import STALLS
from tests.monitors.hypermon.python.test_waves import SMALL, Signals, happened, write_whole
from tests.python.little_place import SCENARIO

PS = 10**12
PAGE = Path(__file__).parents[4] / "docs" / "how-to" / "debug-an-overrun.md"
HELD = {"ecb.node_fifo_full": "stall", "ecb.node_fifo_entries": 1, "ecb.builder_cycles": 400}
TO_HOST = {"drain.destination": "host", "drain.host_message_bytes": 4096}


@pytest.fixture(scope="module")
def recording(tmp_path_factory: pytest.TempPathFactory, worker: Path) -> Recording:  # noqa: ARG001 (is needed)
    return record(SCENARIO, settings=SMALL, out=tmp_path_factory.mktemp("recording") / "run")


def simulate(settings: Mapping[str, Any], out: Path, **wanted: Any) -> tuple[Result, waves.Waves]:
    spec = scenario.find_one(SCENARIO).resolve(workers.schema(), SMALL | dict(settings))
    return waves.simulate(spec, out, waves.Wanted(**wanted))


@pytest.mark.parametrize(
    "trigger", ["first-loss", "loss:frame_lost", "occupancy>3", "rank3.send", "rank0.process_end", "20ms"]
)
def test_waves_of_a_run_are_byte_for_byte_those_of_its_recording(
    recording: Recording, tmp_path: Path, trigger: str
) -> None:
    later = waves.write(recording, tmp_path / "waves.vcd", at=trigger, pre="2ms", post="1ms")
    result, written = simulate({}, tmp_path / "run", at=trigger, pre="2ms")
    assert written.path == tmp_path / "run" / "waves.vcd"
    assert written.path.read_bytes() == later.path.read_bytes()
    assert written.view.read_text() == later.view.read_text()
    assert (written.marker_ps, written.transitions) == (later.marker_ps, later.transitions)
    assert result.text == recording.result_text  # waves do not change the run
    assert not (tmp_path / "run" / "recording.arrow").exists()


@pytest.mark.parametrize("settings", [HELD, TO_HOST, HELD | STALLS], ids=["stall", "host", "stall and pauses"])
def test_hardware_that_acts_back_has_waves_that_agree_with_the_result(
    worker: Path,  # noqa: ARG001 (is needed)
    settings: dict[str, Any],
    tmp_path: Path,
) -> None:
    only = ("board*.erb", "board*.ecb.frame_fifo", "board*.ecb.input[*", "board*.loss", "board*.pbx", "rank*")
    result, written = simulate(settings, tmp_path / "run", between="0s..1.5s", only=only)
    monitor, found = result["monitor"], Signals(written.path)
    assert monitor["end_s"] < 1.5
    assert happened(found, r"erb\.line\[\d+\]\.strobe") == monitor["strobes"]
    assert happened(found, r"ecb\.frame_fifo\.frame_built") == monitor["frames"]["built"]
    assert happened(found, r"ecb\.frame_fifo\.frame_lost") == monitor["frames"]["lost"]
    assert happened(found, r"pbx\.word_end") * 4 == result["logged_bytes"]
    held = [t for path, t in found.items() if path.endswith(".held")]
    held_ps = sum(b - a for line in held for (a, v), (b, _) in pairwise(line) if v)
    assert (held_ps > 0) == (monitor["held_s"] > 0) == ("ecb.node_fifo_full" in settings)
    assert held_ps / PS == pytest.approx(monitor["held_s"], rel=1e-9, abs=1e-12)


def test_a_rank_emits_when_its_events_say_so(recording: Recording, tmp_path: Path) -> None:
    found = Signals(write_whole(recording, {}, tmp_path / "w.vcd").path)
    (state,) = {s.names for s in waves.signals(recording.spec) if s.path == "rank0.state"}
    (events,) = {s.names for s in waves.signals(recording.spec) if s.path == "rank0.event"}
    truth = timelines.events(recording)
    for node in range(recording.nodes):
        own = truth[truth["node"] == node]
        changes = found[f"rank{node}.event"]
        begun = [(t, events[v or 0]) for t, v in changes if v]
        # Two states of one kind that follow each other without a pause make one change.
        assert set(begun) <= set(zip(own["emitted_ps"], own["type"], strict=True))
        emitting = sum(b - a for (a, v), (b, _) in pairwise(found[f"rank{node}.state"]) if state[v or 0] == "emitting")
        assert emitting == (own["done_ps"] - own["emitted_ps"]).sum()


def test_a_rank_waits_from_the_switch_out_to_the_switch_in(recording: Recording, tmp_path: Path) -> None:
    found = Signals(write_whole(recording, {}, tmp_path / "w.vcd").path)
    (names,) = {s.names for s in waves.signals(recording.spec) if s.path == "rank0.state"}
    truth = timelines.events(recording)
    for node in range(recording.nodes):
        own = truth[truth["node"] == node].sort_values("emitted_ps")
        after = {t: names[v or 0] for t, v in found[f"rank{node}.state"]}
        out = own[own["type"] == "switch_out"]
        assert len(out) > 3
        # If another emission follows at once, the state between the two is not visible.
        shown = [after[t] for t in out["done_ps"] if t in after]
        assert set(shown) <= {"waiting", "emitting"}
        assert shown.count("waiting") > 3
        sends = own[(own["type"] == "syscall_entry") & (own["arg0"] == 1)]
        assert {after[t] for t in sends["done_ps"] if t in after} <= {"sending", "emitting"}


def test_ports_and_backplane_show_both_writes_of_each_datum(recording: Recording, tmp_path: Path) -> None:
    """The first write puts the datum on the lines, and 375 ns later the second one raises the strobe."""
    found = Signals(write_whole(recording, {"erb.propagation_ns": 370}, tmp_path / "w.vcd").path)
    for node in range(recording.nodes):
        written = [
            (int(first) + k * int(spacing), int(b.data[begin + k]))
            for b in recording.batches()
            for n, first, spacing, begin, end in zip(
                b.node, b.first_ps, b.spacing_ps, b.offsets, b.offsets[1:], strict=False
            )
            if n == node
            for k in range(end - begin)
        ]
        times = [t for t, _ in written]
        board, line = divmod(node, 2)
        changes = [(t - 375_000, v) for i, (t, v) in enumerate(written) if i == 0 or v != written[i - 1][1]]
        assert [(t, v) for t, v in found[f"board{board}.port[{line}].data"] if v is not None] == changes
        assert [t for t, _ in found[f"board{board}.port[{line}].strobe"]] == times
        for signal in ("strobe", "data"):  # the backplane passes both on without a delay
            assert (
                found[f"board{board}.backplane.slot[{line}].{signal}"] == found[f"board{board}.port[{line}].{signal}"]
            )
        assert [t - 370_000 for t, _ in found[f"board{board}.erb.line[{line}].strobe"]] == times


def test_faults_happen_where_the_ledger_has_them(recording: Recording, tmp_path: Path) -> None:
    faults = {"faults.drop_probability": 0.01, "faults.bit_error_probability": 0.002}
    written = write_whole(recording, faults, tmp_path / "w.vcd")
    found = Signals(written.path)
    dropped = happened(found, r"erb\.fault\.dropped_strobe")
    ports = happened(found, r"port\[\d+\]\.strobe")
    assert dropped > 50
    assert happened(found, r"erb\.line\[\d+\]\.strobe") == ports - dropped
    assert happened(found, r"erb\.fault\.bit_error") > 50


def test_every_view_shows_signals_that_there_are() -> None:
    assert {"overview", "overrun", "aliasing", "bus", "stall", "faults", "program"} <= set(views.names())
    spec = scenario.find_one(SCENARIO).resolve(workers.schema(), SMALL)
    second = scenario.find_one(SCENARIO).resolve(workers.schema(), SMALL | {"dma.words": 8})
    own = board("ecb") | {"ecb.lockstep": "count"}
    compared = scenario.find_one(SCENARIO).resolve(workers.schema(), SMALL | own)
    every = [signal for one in (spec, second, compared) for signal in waves.signals(one)]
    every.append(waves.Signal("board0.own_board.frames", "value", 8))
    for name in views.names():
        view = views.load(name)
        for group in view.groups:
            for pattern in group.patterns:
                alone = views.Group(group.title, group.colour, (pattern,), group.closed)
                assert alone.choose(every), f"{name}: {pattern}"


def test_a_view_is_chosen_by_its_name_or_is_a_file_of_ones_own(recording: Recording, tmp_path: Path) -> None:
    shown = waves.write(recording, tmp_path / "a.vcd", view="bus").view.read_text()
    assert "-board0 PBX" in shown
    assert "LOSSES" not in shown
    own = tmp_path / "own.yaml"
    own.write_text(
        "about: mine\nwindows: {before: 3, after: 2}\n"
        "groups:\n  - {title: all ranks, colour: green, signals: [rank*]}\n"
    )
    assert "-all ranks" in waves.write(recording, tmp_path / "b.vcd", view=str(own)).view.read_text()
    own.write_text(own.read_text().replace("green", "pink"))
    with pytest.raises(UserError, match=r"colour = pink: must be one of red, .*own\.yaml, line 4"):
        waves.write(recording, tmp_path / "c.vcd", view=str(own))
    assert not (tmp_path / "c.vcd").exists()
    with pytest.raises(UserError, match="--view ovrrun: no such view; did you mean overrun"):
        waves.write(recording, tmp_path / "c.vcd", view="ovrrun")


def test_the_command_runs_and_says_where_the_waves_are(
    hypermon: Hypermon,
    worker: Path,  # noqa: ARG001 (is needed)
    tmp_path: Path,
) -> None:
    sets = [word for path, value in SMALL.items() for word in ("--set", f"{path}={value}")]
    out = ["--out", str(tmp_path / "run")]
    done = hypermon("run", SCENARIO, *sets, *out, "--wave-trigger", "first-loss", "--wave-signals", "*.level")
    assert done.returncode == 0, done.stderr
    assert re.search(r"^waves .*run/waves\.vcd: \d+ transitions", done.stdout, re.MULTILINE)
    good = hypermon("run", SCENARIO, *sets, *out, "--wave-trigger", "loss:window_lost")
    assert (good.returncode, good.stderr) == (0, "")
    assert good.stdout.endswith(": there are no waves of loss:window_lost\n")
    assert "fingerprint" in good.stdout  # the run's summary is printed as usual
    there = tmp_path / "there.vcd"
    there.touch()
    refused = hypermon("run", SCENARIO, *sets, *out, "--wave-trigger", "first-loss", "--wave-file", str(there))
    assert refused.returncode == 2
    assert refused.stderr == f"error: {there}: exists; choose another one (--wave-file)\n"
    assert (tmp_path / "run" / "result.json").is_file()
    assert not (tmp_path / "run" / "waves.vcd").exists()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--pre", "1ms"], "--pre: describes waves; request them with --wave-trigger or --wave-window"),
        (["--wave-window", "1s..2s", "--post", "1ms"], "--wave-window and --post: only one of them"),
        (["--wave-window", "1s.."], "--wave-window 1s..: must have an end"),
        (["--wave-trigger", "rank9.send"], "--wave-trigger rank9.send: there are ranks 0 to 3"),
        (["--wave-trigger", "rank1.sand"], "--wave-trigger rank1.sand: no such event"),
        (["--wave-trigger", "first-loss", "--wave-signals", "bord0"], "--wave-signals bord0: no such signal"),
        (["--wave-trigger", "first-loss", "--set", "monitor=none"], "only hypermon's hardware has waves"),
        (["--wave-trigger", "first-loss", "--wave-file", "w.txt"], "w.txt: must end with .vcd or .fst"),
    ],
)
def test_what_cannot_be_is_said_before_anything_runs(
    hypermon: Hypermon, tmp_path: Path, options: list[str], message: str
) -> None:
    answer = hypermon("run", SCENARIO, "--set", "nodes=4", "--out", str(tmp_path / "run"), *options)
    assert answer.returncode == 2
    assert message in answer.stderr
    assert not (tmp_path / "run").exists()


def test_the_stalls_of_the_documented_example_are_in_its_first_view(hypermon: Hypermon, tmp_path: Path) -> None:
    command = re.search(r"^hypermon (run .*--wave-view stall.*?)$", PAGE.read_text().replace("\\\n", " "), re.MULTILINE)
    assert command is not None
    arguments = command[1].replace("'", "").split()
    arguments[arguments.index("--out") + 1] = str(tmp_path / "run")
    done = hypermon(*arguments)
    assert done.returncode == 0, done.stderr
    lines = (tmp_path / "run" / "waves.gtkw").read_text().splitlines()
    begin = int(next(line for line in lines if line.startswith("[timestart]")).split()[1])
    zoom = -float(next(line for line in lines if line.startswith("*")).split()[0][1:])
    end = begin + 2**zoom * 1130 / 200  # GTKWave shows 200 pixels for two to the power of the zoom
    held = [found for path, found in Signals(tmp_path / "run" / "waves.vcd").items() if path.endswith(".held")]
    assert len(held) == 8
    for one in held:
        assert len([t for t, value in one if value and begin < t < end]) > 5
