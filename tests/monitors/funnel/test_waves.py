# SPDX-License-Identifier: BSD-3-Clause
"""Waves of the trace funnel's chips must agree with replays."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import subprocess
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from hypermon import UserError
from hypermon._engine import recorder
from hypermon._engine.recording import Recording
from hypermon._engine.wave_files import NothingLostError
from hypermon.cli.app import app
from hypermon.monitors.funnel import waves
from tests.monitors.funnel.little import LITTLE, NARROW, SCENARIO
from tests.python.disks import small_disk

pytestmark = [pytest.mark.worker, pytest.mark.usefixtures("worker")]


@pytest.fixture(scope="module")
def recording(tmp_path_factory: pytest.TempPathFactory) -> Recording:
    """A recording of two chips."""
    settings: dict[str, Any] = LITTLE | NARROW | {"funnel.sources": 2}
    return recorder.record(SCENARIO, settings=settings, out=tmp_path_factory.mktemp("recorded") / "run")


def changes(path: Path) -> dict[str, list[tuple[int, int]]]:
    """Times and values of each signal."""
    names: dict[str, str] = {}
    scopes: list[str] = []
    found: dict[str, list[tuple[int, int]]] = defaultdict(list)
    now = 0
    for line in path.read_text().splitlines():
        if match := re.fullmatch(r"\$scope module (\S+) \$end", line):
            scopes.append(match[1])
        elif line == "$upscope $end":
            scopes.pop()
        elif match := re.fullmatch(r"\$var \w+ \d+ (\S+) (\S+) \$end", line):
            names[match[1]] = ".".join([*scopes, match[2]])
        elif line.startswith("#"):
            now = int(line[1:])
        elif match := re.fullmatch(r"b([01]+) (\S+)|([01])(\S+)", line):
            code, value = match[2] or match[4], int(match[1] or match[3], 2)
            found[names[code]].append((now, value))
    return found


def test_waves_of_the_whole_run_have_its_peaks_its_stores_and_its_losses(recording: Recording, tmp_path: Path) -> None:
    written = waves.write(recording, tmp_path / "w.vcd", between="0s..")
    found, result = changes(written.path), recording.result
    for node, source in enumerate(result["monitor"]["sources"]):
        own = f"chip{node // 2}.source{node % 2}."
        assert max(value for _, value in found[f"{own}fifo_bytes"]) == source["peak_fifo_bytes"]
        assert max(value for _, value in found[f"{own}link_words"]) == source["peak_link_words"]
        begun = sum(value for _, value in found[f"{own}overflowing"])
        assert begun == source["overflows"]
    stores = {path: len(times) for path, times in found.items() if path.endswith(".written")}
    rows = recording.to_pandas()
    assert stores == {
        f"chip{node // 2}.source{node % 2}.written": int((rows["node"] == node).sum()) for node in range(4)
    }
    lost = sum(len(times) for path, times in found.items() if path.endswith(".loss.source_full"))
    assert lost == result["ledger"]["lost_total"]["events"] > 0
    assert (
        max(v for path, times in found.items() if path.endswith("sink.bytes") for _, v in times)
        == (result["monitor"]["sink"]["peak_bytes"])
    )
    assert sum(written.transitions.values()) == sum(map(len, found.values()))


def test_a_stretch_begins_with_what_was_so_before_it(recording: Recording, tmp_path: Path) -> None:
    whole = changes(waves.write(recording, tmp_path / "whole.vcd", between="0s..").path)
    part = waves.write(recording, tmp_path / "part.vcd", between="30ms..31ms")
    found = changes(part.path)
    begin, end = 30 * 10**9, 31 * 10**9
    for path, times in whole.items():
        inside = [(time, value) for time, value in times if begin < time < end]
        if path.endswith(".written") or ".loss." in path:
            assert found.get(path, []) == [one for one in times if begin <= one[0] < end]
            continue
        before = [value for time, value in times if time <= begin][-1]
        settled = [value for time, value in found[path] if time <= begin][-1]
        assert settled == before, path
        assert [one for one in found[path] if one[0] > begin] == inside, path


def test_waves_are_around_the_first_loss_and_of_other_hardware(recording: Recording, tmp_path: Path) -> None:
    written = waves.write(recording, tmp_path / "w.vcd")
    first = recording.result["monitor"]["first_overrun_s"]
    assert written.marker_ps == round(first * 1e12)
    losses = [path for path in written.transitions if ".loss." in path and written.transitions[path]]
    assert losses
    assert written.marker_ps is not None
    place = re.search(r"^\*\S+ (\d+) -1", written.view.read_text(), re.MULTILINE)
    assert place is not None
    assert written.from_ps < int(place[1]) < written.marker_ps  # the marker is beside the arrow
    with pytest.raises(NothingLostError, match="nothing is lost in the whole run"):
        waves.write(recording, tmp_path / "none.vcd", {"funnel_source.fifo_bytes": 1 << 20})
    assert not (tmp_path / "none.vcd").exists()


@pytest.mark.skipif(
    not os.environ.get("HYPERMON_REQUIRE_GTKWAVE") and any(shutil.which(p) is None for p in ("gtkwave", "xvfb-run")),
    reason="needs gtkwave and xvfb-run (Debian: gtkwave, xvfb, xauth)",
)
def test_gtkwave_shows_all_that_was_asked_for_with_the_loss_among_it(recording: Recording, tmp_path: Path) -> None:
    written = waves.write(recording, tmp_path / "w.vcd", pre="60 us", post="20 us")
    script = tmp_path / "ask.tcl"
    script.write_text(
        "puts [list marker [gtkwave::getMarker] from [gtkwave::getWindowStartTime] to [gtkwave::getWindowEndTime]]\n"
        "for {set i 0} {$i < [gtkwave::getTotalNumTraces]} {incr i} "
        '{ puts "trace [gtkwave::getTraceNameFromIndex $i]" }\nexit\n'
    )
    ask = ["xvfb-run", "-a", "gtkwave", str(written.path), str(written.view), "-S", str(script)]
    output = subprocess.run(ask, capture_output=True, text=True, timeout=60, check=False, cwd="/").stdout
    place = re.search(r"^marker (\d+) from (\d+) to (\d+)$", output, re.MULTILINE)
    assert place is not None
    marker, begin, end = map(int, place.groups())
    assert begin == written.from_ps
    assert marker < (written.marker_ps or 0) < end  # a narrower window cuts off the last interval, not the loss
    shown = re.findall(r"^trace (\S.*)$", output, re.MULTILINE)
    happens = [one for one in waves.signals(recording) if one.kind != "event" or written.transitions[one.path]]
    assert {" ".join(one.path.split(".")[-2:]) for one in happens} <= set(shown)


def test_the_sources_group_says_whether_they_lose_data(recording: Recording, tmp_path: Path) -> None:
    loses = waves.write(recording, tmp_path / "loses.vcd").view.read_text()
    assert "-sources that lose data: FIFO of " in loses
    kept = waves.write(recording, tmp_path / "kept.vcd", {"funnel_source.fifo_bytes": 1 << 20}, between="0s..1us")
    assert f"-sources, without losses: FIFO of {1 << 20} bytes" in kept.view.read_text()


def test_the_command_writes_waves_and_their_view(recording: Recording, tmp_path: Path) -> None:
    out = tmp_path / "w.vcd"
    done = CliRunner().invoke(app, ["chip-waves", str(recording.path.parent), "-o", str(out)])
    assert done.exit_code == 0, done.output
    assert out.is_file()
    assert out.with_suffix(".gtkw").is_file()
    none = tmp_path / "none.vcd"
    deep = ["-s", "funnel_source.fifo_bytes=1048576", "-o", str(none)]
    good = CliRunner().invoke(app, ["chip-waves", str(recording.path.parent), *deep])
    assert (good.exit_code, good.output) == (0, "nothing is lost in the whole run: there are no waves of first-loss\n")
    assert not none.exists()
    again = CliRunner().invoke(app, ["chip-waves", str(recording.path.parent), "-o", str(out)])
    assert again.exit_code == 2
    assert "exists" in again.output


@pytest.mark.parametrize("name", ["w.gtkw", "w.vcd", ".w.gtkw.partial"])
def test_a_link_that_somebody_made_leads_nowhere(recording: Recording, tmp_path: Path, name: str) -> None:
    outside = tmp_path / "thesis.tex"
    outside.write_text("42")
    (tmp_path / "place").mkdir()
    (tmp_path / "place" / name).symlink_to("../thesis.tex" if name != "w.vcd" else "../new")
    for force in (False, True):
        with contextlib.suppress(UserError) if name.endswith(".partial") else pytest.raises(UserError, match=name):
            waves.write(recording, tmp_path / "place" / "w.vcd", force=force)
    assert (outside.read_text(), (tmp_path / "new").exists()) == ("42", False)
    assert (tmp_path / "place" / name).is_symlink()


def test_a_full_disk_leaves_no_empty_view(recording: Recording, tmp_path: Path) -> None:
    """A disk without room for a part of the waves, or for the view, must leave no files."""
    size = waves.write(recording, tmp_path / "w.vcd").path.stat().st_size
    page = os.sysconf("SC_PAGE_SIZE")
    for room in (page, size // 2, -(-size // page) * page):
        with small_disk(tmp_path / "disk", room) as disk:
            with pytest.raises(UserError, match=r"disk/w\.(vcd|gtkw): cannot be written: No space left on device$"):
                waves.write(recording, disk / "w.vcd")
            assert list(disk.iterdir()) == []
