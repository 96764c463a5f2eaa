# SPDX-License-Identifier: BSD-3-Clause
"""Places a file of waves with its view: VCD, or FST through GTKWave's vcd2fst."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from hypermon._engine import wave_files
from hypermon._files import files
from hypermon._model.spec import Spec
from hypermon.monitors.hypermon.waves import views, window
from hypermon.monitors.hypermon.waves.signals import Signal


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
    made = vcd if vcd == path else wave_files.converted(vcd, path)
    window_ps, depth = int(spec.values["ecb.window_ns"]) * 1000, int(spec.values["ecb.frame_fifo_frames"])
    with views.writing(path, transitions, chosen, window_ps, shown, depth) as view:
        if made != path:
            files.rename_into_place(made, path)
    return Waves(path, view, chosen.from_ps, chosen.to_ps, chosen.marker_ps, transitions)
