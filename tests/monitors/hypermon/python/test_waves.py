# SPDX-License-Identifier: BSD-3-Clause
"""Waves of a replay, read by an independent reader (pywellen), by GTKWave's tools and by GTKWave itself."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import pywellen

from hypermon._engine.recorder import record
from hypermon._engine.recording import Recording
from hypermon._model.native import _core
from hypermon.errors import UserError
from hypermon.monitors.hypermon import frames as frame_files
from hypermon.monitors.hypermon import replaying, waves
from tests.conftest import Hypermon
from tests.monitors.hypermon.python.test_replay import BASE, CFS, SLOW_BUILDER, STALLS
from tests.python.little_place import SCENARIO

pytestmark = pytest.mark.worker


def needs(*programs: str) -> pytest.MarkDecorator:
    """Skips the test if the programs are missing. In CI, which installs them, the test fails."""
    missing = any(shutil.which(p) is None for p in programs) and not os.environ.get("HYPERMON_REQUIRE_GTKWAVE")
    return pytest.mark.skipif(missing, reason=f"needs {' and '.join(programs)} (Debian: gtkwave, xvfb, xauth)")


# Settings with which the frame FIFOs overrun.
SMALL = BASE | {"ecb.frame_fifo_frames": 4, "pbx.word_ns": 4000}

Transitions = list[tuple[int, int | None]]
"""Times (ps) with values; None: unknown, or an event."""


@pytest.fixture(scope="module")
def recording(tmp_path_factory: pytest.TempPathFactory, worker: Path) -> Recording:  # noqa: ARG001 (is needed)
    return record(SCENARIO, settings=SMALL, out=tmp_path_factory.mktemp("recording") / "run")


@pytest.fixture(scope="module")
def whole(recording: Recording, tmp_path_factory: pytest.TempPathFactory) -> waves.Waves:
    return write_whole(recording, {}, tmp_path_factory.mktemp("waves") / "whole.vcd")


def write_whole(recording: Recording, settings: dict[str, Any], path: Path) -> waves.Waves:
    """Waves of the whole run until all frames are drained, without the timestamps, which change most often."""
    spec = replaying.resolve(recording, settings)
    only = [s.path for s in waves.signals(spec) if not s.path.endswith("ecb.timestamp")]
    return waves.write(recording, path, settings, between=f"0s..{recording.end_ps + 10**11} ps", only=only)


class Signals(Mapping[str, Transitions]):
    """Signals of a file, each read when it is first used."""

    def __init__(self, path: Path) -> None:
        self._signals = {v.full_name: v for v in pywellen.Waveform(str(path)).all_vars()}
        self._read: dict[str, Transitions] = {}

    def __getitem__(self, path: str) -> Transitions:
        if path not in self._read:
            signal = self._signals[path]
            self._read[path] = [(t, value if isinstance(value, int) else None) for t, value in signal.tv]
        return self._read[path]

    def __iter__(self) -> Iterator[str]:
        return iter(self._signals)

    def __len__(self) -> int:
        return len(self._signals)


def boards(found: Mapping[str, Transitions], signal: str) -> list[Transitions]:
    return [found[path] for path in found if re.fullmatch(rf"board\d+\.{signal}", path)]


def happened(found: Mapping[str, Transitions], signal: str) -> int:
    """Number of occurrences of an event on all boards."""
    return sum(len(t) for t in boards(found, signal))


def last(found: Mapping[str, Transitions], signal: str) -> int:
    """The sum over the boards of a number at the end."""
    return sum(t[-1][1] or 0 for t in boards(found, signal))


HARDWARE: dict[str, dict[str, Any]] = {
    "as recorded": {},
    "one board": {"ecb.inputs": 4},
    "stalls": STALLS,
    "slow builder": SLOW_BUILDER | {"ecb.vector_fifo_entries": 1, "ecb.node_fifo_entries": 1},
    "oldest lost": {"ecb.frame_fifo_full": "drop_oldest", "ecb.frame_fifo_frames": 2},
    "memory": {"drain.destination": "memory", "drain.memory_bytes": 16384},
    "disk": CFS | {"drain.cfs_interrupt_us": 500},
    "bus errors": {"faults.pbx_error_probability": 0.001},
    "reader stops": {"faults.reader_stops_at_ms": 2.0, "faults.reader_stops_for_ms": 10.0},
    "accumulated": {"ecb.accumulate_bits": 32},
    "skewed resets": {"ecb.reset_skew_ns": 5000, "erb.propagation_ns": 370},
}


@pytest.mark.parametrize("hardware", HARDWARE)
def test_what_happens_in_the_waves_is_what_the_result_counts(
    recording: Recording, hardware: str, tmp_path: Path
) -> None:
    settings = HARDWARE[hardware]
    written = write_whole(recording, settings, tmp_path / "w.vcd")
    result = replaying.replay(recording, settings)
    monitor, found = result["monitor"], Signals(written.path)
    incomplete = sum(lost["nibbles"] for lost in result["ledger"]["lost"] if lost["cause"] == "incomplete_word")
    assert happened(found, r"erb\.line\[\d+\]\.strobe") == monitor["strobes"]
    assert happened(found, r"ecb\.frame_fifo\.frame_built") == monitor["frames"]["built"]
    assert happened(found, r"ecb\.frame_fifo\.frame_lost") == monitor["frames"]["lost"]
    assert happened(found, r"ecb\.vector_fifo\.window_lost") == monitor["windows_lost"]
    assert happened(found, r"ecb\.input\[\d+\]\.aliasing") == monitor["aliasing"]
    assert happened(found, r"ecb\.input\[\d+\]\.node_overrun") == monitor["node_overruns"]
    assert happened(found, r"pbx\.word_end") * 4 == result["logged_bytes"]
    assert last(found, r"loss\.data") == result["ledger"]["lost_total"]["nibbles"] - incomplete
    peaks = [max(v or 0 for _, v in level) for level in boards(found, r"ecb\.frame_fifo\.level")]
    assert max(peaks) == monitor["frames"]["peak_occupancy"]
    for lost in result["ledger"]["lost"]:
        cause = "node_overrun" if lost["stage"] == "node_fifo" else lost["cause"].replace("overrun", "frame_lost")
        if cause != "incomplete_word":
            assert (happened(found, rf"loss\.{cause}") > 0) == (lost["nibbles"] > 0), cause


def test_a_reset_empties_the_board_at_its_edge_and_starts_the_timestamps_again(
    recording: Recording, whole: waves.Waves, tmp_path: Path
) -> None:
    full = [t for t, v in Signals(whole.path)["board0.ecb.frame_fifo.level"] if v == 3]
    at = full[len(full) // 2] + 50_000
    settings = {"faults.reset_at_us": at / 10**6}
    found = Signals(waves.write(recording, tmp_path / "w.vcd", settings, at=f"{at}ps").path)
    lost = {loss["cause"]: loss["nibbles"] for loss in replaying.replay(recording, settings)["ledger"]["lost"]}
    assert lost["reset"] > 0
    assert any((at, None) in t for t in boards(found, r"loss\.reset"))
    for board in ("board0", "board1"):
        assert found[f"{board}.ecb.reset"] == [(at, None)]
        assert (at, 0) in found[f"{board}.ecb.timestamp"]
        assert (at + 800_000, 1) in found[f"{board}.ecb.timestamp"]  # a window later
        for level in ("ecb.node_fifo[0]", "ecb.node_fifo[1]", "ecb.vector_fifo", "ecb.frame_fifo"):
            assert held(found[f"{board}.{level}.level"], [at])[0] == 0


def test_after_everything_all_levels_are_0_and_nobody_does_anything(whole: waves.Waves) -> None:
    found = Signals(whole.path)
    for path in found:
        if path.endswith((".level", ".state", ".group", "sampler.vector")):
            assert found[path][-1][1] == 0, path


def test_the_words_on_the_bus_are_the_frames_that_the_core_delivers(
    recording: Recording, whole: waves.Waves, tmp_path: Path
) -> None:
    replaying.replay(recording, {"drain.keep_frames": True}, out=tmp_path / "run")
    found = Signals(whole.path)
    for board in ("board0", "board1"):
        word = held(found[f"{board}.pbx.word"], [t for t, _ in found[f"{board}.pbx.word_end"]])
        kept = frame_files.read(tmp_path / "run" / f"{board}.hmf")
        data, vector, stamp = word.reshape(-1, 3).T  # of two inputs: 4 bits each, their vector, the timestamp
        assert vector.tolist() == kept.vector.tolist()
        assert stamp.tolist() == kept.window.tolist()
        assert data.tolist() == (kept.data[:, 0] | kept.data[:, 1] << 4).tolist()


def held(transitions: Transitions, times: list[int]) -> np.ndarray[Any, np.dtype[np.int64]]:
    """The signal's values at these times."""
    at = np.searchsorted([t for t, _ in transitions], times, side="right") - 1
    return np.array([transitions[i][1] for i in at.tolist()])


def test_the_marker_is_at_the_first_loss(recording: Recording, tmp_path: Path) -> None:
    written = waves.write(recording, tmp_path / "w.vcd")
    first = [t[0][0] for t in boards(Signals(written.path), r"loss\.\w+") if t and t[0][1] is None]
    assert written.marker_ps == min(first)
    assert written.marker_ps == round(recording.result["monitor"]["first_overrun_s"] * 1e12)  # only frames are lost
    at = int(next(line for line in view(written) if line.startswith("*")).split()[1])
    assert written.from_ps < at < written.marker_ps  # the marker is beside the arrow


def test_the_first_view_shows_the_whole_approach_with_the_depth_above_the_ranks(
    recording: Recording, whole: waves.Waves, tmp_path: Path
) -> None:
    written = waves.write(recording, tmp_path / "w.vcd")
    marker_ps = written.marker_ps or 0
    levels = boards(Signals(whole.path), r"ecb\.frame_fifo\.level")
    assert max(int(held(level, [marker_ps])[0] or 0) for level in levels) == SMALL["ecb.frame_fifo_frames"]
    empty = min(max(t for t, v in level if v == 0 and t < marker_ps) for level in levels)
    assert marker_ps - 10**9 < written.from_ps <= max(empty, marker_ps - 10**8)
    lines = view(written)
    zoom = -float(next(line for line in lines if line.startswith("*")).split()[0][1:])
    seen_ps = 2**zoom * 1130 / 200  # GTKWave shows 200 pixels for two to the power of the zoom
    assert f"[timestart] {written.from_ps}" in lines
    assert marker_ps < written.from_ps + seen_ps
    depth = lines.index(f"-____ full: {SMALL['ecb.frame_fifo_frames']} frames ____")
    level = next(i for i, line in enumerate(lines) if line.startswith("+{frame_fifo level}"))
    rank = next(i for i, line in enumerate(lines) if line.startswith("+{rank0 state}"))
    assert depth < level < rank


@pytest.mark.parametrize(("frames", "is_full"), [(4, True), (10**6, False)])
def test_a_fifo_that_stalls_the_builder_has_its_depth_above_if_it_is_full(
    recording: Recording, tmp_path: Path, frames: int, is_full: bool
) -> None:
    stalling: dict[str, Any] = {"ecb.frame_fifo_full": "stall", "ecb.frame_fifo_frames": frames}
    written = waves.write(recording, tmp_path / "w.vcd", stalling, at="occupancy>3")
    levels = boards(Signals(written.path), r"ecb\.frame_fifo\.level")
    assert (max(int(value or 0) for level in levels for _, value in level) == frames) is is_full
    assert (f"-____ full: {frames} frames ____" in view(written)) is is_full


def test_each_boards_level_has_its_own_depth_above(recording: Recording, tmp_path: Path) -> None:
    shallow = {"ecb[1].frame_fifo_frames": 2}
    written = write_whole(recording, shallow, tmp_path / "w.vcd")
    levels = boards(Signals(written.path), r"ecb\.frame_fifo\.level")
    peaks = [max(int(value or 0) for _, value in level) for level in levels]
    assert peaks == [SMALL["ecb.frame_fifo_frames"], 2]
    lines = view(written)
    assert [f"-____ full: {peak} frames ____" for peak in peaks] == [line for line in lines if "full: " in line]
    with pytest.raises(waves.NeverHappenedError, match=r"\(ecb.frame_fifo_frames = 2 or 4\) never holds more than 9"):
        waves.write(recording, tmp_path / "none.vcd", shallow, at="occupancy>9")


def test_a_loss_of_one_cause_and_a_level_are_found_to_the_edge(
    recording: Recording, whole: waves.Waves, tmp_path: Path
) -> None:
    found = Signals(whole.path)
    for above in (0, 1, 3):
        first = min(
            next((t for t, v in level if (v or 0) > above), recording.end_ps)
            for level in boards(found, r"ecb\.frame_fifo\.level")
        )
        assert waves.write(recording, tmp_path / "w.vcd", at=f"occupancy>{above}", force=True).marker_ps == first
    stops: dict[str, Any] = {"faults.reader_stops_at_ms": 30.0, "faults.reader_stops_for_ms": 10.0}
    written = waves.write(recording, tmp_path / "w.vcd", stops, at="loss:reader_stopped", force=True)
    assert written.marker_ps is not None
    assert 30 * 10**9 <= written.marker_ps < 40 * 10**9
    with pytest.raises(waves.NeverHappenedError, match="nothing is lost by bus_error in the whole run"):
        waves.write(recording, tmp_path / "w.vcd", at="loss:bus_error", force=True)
    with pytest.raises(waves.NeverHappenedError, match=r"\(ecb.frame_fifo_frames = 4\) never holds more than 4 frames"):
        waves.write(recording, tmp_path / "w.vcd", at="occupancy>4", force=True)


def test_a_window_has_the_values_at_its_begin_and_the_changes_of_the_whole_run(
    recording: Recording, whole: waves.Waves, tmp_path: Path
) -> None:
    begin, end = recording.end_ps // 3, recording.end_ps // 3 + 2 * 10**10
    part = Signals(waves.write(recording, tmp_path / "w.vcd", between=f"{begin}ps..{end}ps").path)
    assert all(part["board1.loss.frame_lost"][i] for i in range(5))
    for path, all_of_it in Signals(whole.path).items():
        expected = [(t, v) for t, v in all_of_it if begin < t < end]
        if path.endswith("loss.data"):  # counts from the begin of the waves on
            base = held(all_of_it, [begin])[0]
            expected = [(t, (v or 0) - base) for t, v in expected]
        found = [(t, v) for t, v in part[path] if t > begin]
        if (begin, None) in part[path] and len(found) > len(expected):
            found = found[1:]  # the line's value before the window is unknown, and may be equal
        assert found == expected, path
        value = next((v for t, v in part[path] if t == begin), None)
        if value is not None and not path.endswith("loss.data"):
            assert value == held(all_of_it, [begin])[0], path


def test_equal_requests_give_equal_bytes(recording: Recording, tmp_path: Path) -> None:
    suffixes = [".vcd", ".fst"] if shutil.which("vcd2fst") else [".vcd"]
    for suffix in suffixes:
        one, other = (waves.write(recording, tmp_path / name, force=True).path for name in (f"a{suffix}", f"b{suffix}"))
        assert one.read_bytes() == other.read_bytes()


def test_globs_choose_signals_and_scopes(recording: Recording, tmp_path: Path) -> None:
    only = ["board1.erb.line[1]", "*.node_fifo[0].lev?l"]
    written = waves.write(recording, tmp_path / "w.vcd", only=only)
    chosen = {"board1.erb.line[1].strobe", "board1.erb.line[1].data"}
    assert set(Signals(written.path)) == chosen | {f"board{b}.ecb.node_fifo[0].level" for b in range(2)}
    assert {s.path for s in written.transitions} == set(Signals(written.path))


@needs("vcd2fst", "fst2vcd")
def test_fst_has_the_same_transitions_and_comes_back_as_the_same_vcd(recording: Recording, tmp_path: Path) -> None:
    vcd = waves.write(recording, tmp_path / "w.vcd").path
    fst = waves.write(recording, tmp_path / "w.fst", force=True).path  # both formats have the same view
    assert Signals(fst) == Signals(vcd)
    subprocess.run(["fst2vcd", fst, "-o", tmp_path / "back.vcd"], check=True)
    assert Signals(tmp_path / "back.vcd") == Signals(vcd)


def view(written: waves.Waves) -> list[str]:
    return written.view.read_text().splitlines()


def traces(written: waves.Waves) -> Iterator[tuple[str, str]]:
    """Shown name and signal of each trace of the view."""
    for line in view(written):
        if match := re.fullmatch(r"\+\{(.*)\} (\S+?)(\[\d+:0\])?", line):
            yield match[1], match[2]


@pytest.mark.parametrize("settings", [{}, STALLS, {"ecb.inputs": 4}])
def test_the_view_shows_what_is_in_the_file(recording: Recording, settings: dict[str, Any], tmp_path: Path) -> None:
    written = waves.write(recording, tmp_path / "w.vcd", settings)
    found = Signals(written.path)
    shown = [signal for _, signal in traces(written)]
    assert len(set(shown)) == len(shown)
    assert set(shown) == {path for path, transitions in found.items() if transitions}
    filters = {tmp_path / line.split(" ", 1)[1] for line in view(written) if line.startswith("^1 ")}
    assert filters == set((tmp_path / "w.names").iterdir())


def test_states_and_registers_have_names(recording: Recording, tmp_path: Path) -> None:
    lines = view(waves.write(recording, tmp_path / "w.vcd", only=["board0.io_node.state", "board0.ecb.status"]))
    names = {}
    for name, *_, trace in zip(lines, lines[1:], lines[2:], strict=False):
        if name.startswith("^1 "):
            text = (tmp_path / name.split(" ", 1)[1]).read_text()
            names[trace.split()[-1]] = [line.split("?")[2] for line in text.splitlines()]
    assert names["board0.io_node.state[2:0]"][:2] == ["idle", "reading"]
    assert names["board0.ecb.status[3:0]"][0b1001] == "frame_overrun+frame_available"


@needs("gtkwave", "vcd2fst", "xvfb-run")
@pytest.mark.parametrize("suffix", [".vcd", ".fst"])
def test_gtkwave_shows_every_trace_of_the_view_with_the_marker_at_the_trigger(
    recording: Recording, tmp_path: Path, suffix: str
) -> None:
    written = waves.write(recording, tmp_path / f"w{suffix}")
    script = tmp_path / "ask.tcl"
    script.write_text(
        "puts [list state [gtkwave::getTraceValueAtMarkerFromName {io_node state}]]\n"
        "puts [list marker [gtkwave::getMarker] from [gtkwave::getWindowStartTime] to [gtkwave::getWindowEndTime]]\n"
        "for {set i 0} {$i < [gtkwave::getTotalNumTraces]} {incr i} "
        '{ puts "trace [gtkwave::getTraceNameFromIndex $i]" }\nexit\n'
    )
    ask = ["xvfb-run", "-a", "gtkwave", str(written.path), str(written.view), "-S", str(script)]
    output = subprocess.run(ask, capture_output=True, text=True, timeout=60, check=False, cwd="/").stdout
    shown = re.findall(r"^trace (\S.*)$", output, re.MULTILINE)
    wanted = [name for name, _ in traces(written)]
    assert [name for name in shown if name in wanted] == wanted
    # its names are found, whatever the working folder of GTKWave is
    assert re.search(r"^state reading$", output, re.MULTILINE)
    place = re.search(r"^marker (\d+) from (\d+) to (\d+)$", output, re.MULTILINE)
    assert place is not None
    marker, begin, end = map(int, place.groups())
    assert begin == written.from_ps
    assert begin < marker < (written.marker_ps or 0) < end  # the marker does not hide the arrow of the loss


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            {"at": "first"},
            "--at first: must be first-loss, loss:CAUSE, occupancy>N, rankN.EVENT, difference or a time with its unit",
        ),
        ({"at": "loss:alising"}, "--at loss:alising: no such cause; did you mean aliasing?"),
        ({"at": "900s"}, "--at 900s: the run ends at "),
        ({"at": "5"}, "--at 5: must be a time with its unit"),
        ({"at": "1ms", "pre": "3 B"}, "--pre 3 B: wrong unit B"),
        ({"between": "1s"}, "--window 1s: must be BEGIN..END"),
        ({"between": "900s..901s"}, "--window 900s..901s: the run ends at "),
        ({"between": "2ms..1ms"}, "--window 2ms..1ms: ends before it begins"),
        (
            {"only": ["board0.ecb.frme_fifo"]},
            "--signals board0.ecb.frme_fifo: no such signal; did you mean board0.ecb.fr",
        ),
        ({"settings": {"nodes": 8}}, "nodes = 8: the data that the nodes write depend on it"),
        ({"out": "w.ghw"}, "w.ghw: must end with .vcd or .fst"),
        ({"out": "not/there/w.vcd"}, "not/there/w.vcd: cannot be written: there is no folder"),
    ],
)
def test_what_cannot_be_is_said(
    recording: Recording, arguments: dict[str, Any], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UserError) as error:
        waves.write(recording, **({"out": "w.vcd"} | arguments))
    assert str(error.value).startswith(message)
    assert not list(tmp_path.iterdir())  # nothing half-written


def test_a_missing_vcd2fst_names_its_package(
    recording: Recording, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(UserError, match="vcd2fst, which is not installed: Debian and Ubuntu have it in the package"):
        waves.write(recording, tmp_path / "w.fst")


def test_the_command(recording: Recording, hypermon: Hypermon, tmp_path: Path) -> None:
    run = str(recording.path.parent)
    done = hypermon("waves", run, "--at", "first-loss", "--pre", "1ms", "-o", str(tmp_path / "w.vcd"))
    assert done.returncode == 0, done.stderr
    first = recording.result["monitor"]["first_overrun_s"]
    assert f"marker at {first:.12f}".rstrip("0") + " s" in done.stdout
    assert f"gtkwave {tmp_path / 'w.vcd'} {tmp_path / 'w.gtkw'}" in done.stdout
    never = hypermon("waves", run, "--at", "occupancy>99999", "-o", str(tmp_path / "never.vcd"))
    assert (never.returncode, never.stdout) == (1, "")
    assert never.stderr.startswith("error: --at occupancy>99999: a frame FIFO ")
    both = hypermon("waves", run, "--at", "1ms", "--window", "1ms..2ms")
    assert (both.returncode, both.stderr) == (2, "error: --window and --at: only one of them\n")


def test_that_nothing_is_lost_is_good_news(recording: Recording, hypermon: Hypermon, tmp_path: Path) -> None:
    out = tmp_path / "w.vcd"
    good = hypermon("waves", str(recording.path.parent), "--at", "loss:bus_error", "-o", str(out))
    assert (good.returncode, good.stderr) == (0, "")
    assert good.stdout == "nothing is lost by bus_error in the whole run: there are no waves of loss:bus_error\n"
    with pytest.raises(waves.NothingLostError, match=r"^nothing is lost in the whole run"):
        waves.write(recording, out, {"ecb.frame_fifo_frames": 1 << 20, "pbx.word_ns": 50})
    assert not list(tmp_path.iterdir())


def test_waves_and_views_that_are_there_are_replaced_only_if_told_so(
    recording: Recording, hypermon: Hypermon, tmp_path: Path
) -> None:
    asked = ["waves", str(recording.path.parent), "--pre", "1ms", "-o", str(tmp_path / "w.vcd")]
    assert hypermon(*asked).returncode == 0
    for file in ("w.vcd", "w.gtkw"):
        kept = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
        again = hypermon(*asked)
        assert again.returncode == 2
        assert again.stderr == f"error: {tmp_path / file}: exists; choose another path (-o), or replace it (--force)\n"
        assert {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()} == kept
        (tmp_path / "w.vcd").unlink(missing_ok=True)  # only the view may have been changed by hand
    assert hypermon(*asked, "--force").returncode == 0
    assert hypermon(*asked, "-f").returncode == 0


def test_a_viewer_without_a_display_is_not_opened(
    recording: Recording, hypermon: Hypermon, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    viewer = tmp_path / "gtkwave"
    viewer.write_text("#!/bin/sh\necho Usage: gtkwave; exit 0\n")  # as GTKWave does in this case
    viewer.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    asked = ["waves", str(recording.path.parent), "--pre", "1ms", "--open", "-o", str(tmp_path / "w.vcd")]
    monkeypatch.delenv("DISPLAY", raising=False)
    refused = hypermon(*asked)
    assert (refused.returncode, refused.stdout) == (2, "")
    assert refused.stderr.startswith("error: --open: GTKWave needs a display, and DISPLAY is not set")
    assert not (tmp_path / "w.vcd").exists()
    monkeypatch.setenv("DISPLAY", ":98765")
    ended = hypermon(*asked)
    assert ended.returncode == 2
    assert ended.stderr == f"error: --open: {viewer} ended at once, with status 0; DISPLAY is :98765\n"
    viewer.write_text("#!/bin/sh\nsleep 3\n")
    assert hypermon(*asked, "--force").returncode == 0


def test_every_cause_of_losses_has_an_event(recording: Recording) -> None:
    paths = {s.path for s in waves.signals(recording.spec)}
    assert {f"board0.loss.{cause}" for cause in _core.loss_causes} < paths
