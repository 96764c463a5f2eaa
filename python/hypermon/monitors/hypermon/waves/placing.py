# SPDX-License-Identifier: BSD-3-Clause
"""Places a file of waves with its view: VCD, or FST through GTKWave's vcd2fst."""

from __future__ import annotations

import mmap
import re
from dataclasses import dataclass
from pathlib import Path

from hypermon._engine import wave_files
from hypermon._files import files
from hypermon._model.schema import Value
from hypermon._model.spec import Spec
from hypermon.monitors.hypermon.waves import views, window
from hypermon.monitors.hypermon.waves.signals import Signal

_LOSSES = (".ecb.frame_fifo.frame_lost", ".ecb.frame_fifo.oldest_lost")  # signals of a full frame FIFO


@dataclass(frozen=True)
class Waves:
    """The written files of waves."""

    path: Path
    view: Path
    """The written waves and their view. `gtkwave PATH VIEW` shows them."""
    from_ps: int
    to_ps: int
    """Changes before this time are in the file."""
    marker_ps: int | None
    """Time of the trigger, or the requested time."""
    transitions: dict[Signal, int]
    """Number of values of each signal in the file. The value at `from_ps` counts, except for events, which have none
    there.
    """


def place(
    vcd: Path, path: Path, transitions: dict[Signal, int], chosen: window.Window, spec: Spec, shown: views.View
) -> Waves:
    """Moves the VCD to `path`, converted if the name demands it, and writes the view beside it: both or none."""
    losing = {signal.board for signal, times in transitions.items() if times and signal.path.endswith(_LOSSES)}
    full = losing | _stalling(vcd, spec)
    depths = {board: int(_of_board(spec, board)["ecb.frame_fifo_frames"]) for board in full}
    made = vcd if vcd == path else wave_files.converted(vcd, path)
    window_ps = int(spec.values["ecb.window_ns"]) * 1000
    with views.writing(path, transitions, chosen, window_ps, shown, depths) as view:
        if made != path:
            files.rename_into_place(made, path)
    return Waves(path, view, chosen.from_ps, chosen.to_ps, chosen.marker_ps, transitions)


def _of_board(spec: Spec, scope: str) -> dict[str, Value]:
    return spec.component("ecb", int(scope.removeprefix("board")))


def _stalling(vcd: Path, spec: Spec) -> set[str]:
    """Returns the boards whose frame FIFO is full at some time and stalls the builder then. Others lose frames."""
    found = set()
    with vcd.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as text:
        scopes: list[str] = []
        for line in iter(text.readline, b""):
            words = line.decode().split()
            if words[:1] == ["$enddefinitions"]:
                break
            if words[:1] == ["$scope"]:
                scopes.append(words[2])
            elif words[:1] == ["$upscope"]:
                scopes.pop()
            elif scopes[1:] == ["ecb", "frame_fifo"] and words[4:5] == ["level"]:
                values = _of_board(spec, scopes[0])
                if values["ecb.frame_fifo_full"] != "stall":
                    continue
                depth = f"{int(values['ecb.frame_fifo_frames']):b}"
                value = rb"^b0*%s %s$" % (depth.encode(), re.escape(words[3].encode()))
                if re.search(value, text, re.MULTILINE):
                    found.add(scopes[0])
    return found
