# SPDX-License-Identifier: BSD-3-Clause
"""Files of waves: VCD, or FST through GTKWave's vcd2fst."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hypermon._engine import wave_files
from hypermon._engine.recording import Recording
from hypermon._files import files
from hypermon._model import asked
from hypermon._model.native import _core
from hypermon._model.spec import Spec
from hypermon.errors import UserError
from hypermon.monitors.hypermon import replaying, replays
from hypermon.monitors.hypermon.waves import views, window
from hypermon.monitors.hypermon.waves.signals import Signal, choose, signals


@dataclass(frozen=True)
class Waves:
    """What was written."""

    path: Path
    view: Path
    """What GTKWave shows of it: `gtkwave PATH VIEW`."""
    from_ps: int
    to_ps: int
    """Changes before this time are in the file."""
    marker_ps: int | None
    """The trigger, or the time that was asked for."""
    transitions: dict[Signal, int]
    """Of every signal in the file, with the value that it has at `from_ps`; events have none."""


def write(
    recording: Recording | str | os.PathLike[str],
    out: str | os.PathLike[str] | None = None,
    settings: Mapping[str, Any] | None = None,
    *,
    presets: Sequence[str] = (),
    at: str = "first-loss",
    pre: str | None = None,
    post: str = "1 ms",
    between: str | None = None,
    only: Sequence[str] = (),
    view: str = "overview",
    force: bool = False,
) -> Waves:
    """Waves of a recorded run, or of what it would have been with other hardware (as in `hypermon.replay`).

    `at`: `first-loss`, `loss:CAUSE`, `occupancy>N` (frames in a frame FIFO) or a time with its unit; from `pre` before
    it until `post` after it. By default, `pre` is the time since the frame FIFO was empty, at least 100 us and at most
    50 ms. It is 5 ms if the FIFO cannot be followed, or if `at` is a time. `between`: `1.2s..1.25s`, instead.
    `only`: globs of the signals that are wanted.
    `view`: what GTKWave shows of it (`hypermon.waves.views.names`, or a YAML file).
    `out`: a .vcd or .fst; by default waves.vcd beside the recording. A file that exists is replaced with `force` only.
    A UserError says what cannot be; a NeverHappenedError, that the trigger does not happen (NothingLostError: because
    nothing is lost).
    """
    source = recording if isinstance(recording, Recording) else Recording(recording)
    path = Path(out) if out is not None else source.path.with_name("waves.vcd")
    for check in (wave_files.check, views.require):
        check(path, force, "choose another place (-o), or have it replaced (--force)")
    shown = views.load(view)
    spec = replaying.resolve(source, asked.settings(settings, {}, write), presets)
    replaying.require_same_emissions(source, spec)
    if parameter := replays.in_simulator(spec):
        raise UserError(f"{parameter}: no waves, which are those of hypermon's own board")
    every = signals(spec)
    wanted = choose(every, only)
    chosen = window.between(source, between) if between is not None else window.around(source, spec, at, pre, post)
    with wave_files.scratch(path) as scratch:
        vcd = scratch / wave_files.VCD
        replay = _core.WaveReplay(spec.to_json(), str(vcd), chosen.from_ps, chosen.to_ps, wanted)
        counts = window.feed(source, replay)
        transitions = {s: n for s, n, is_wanted in zip(every, counts, wanted, strict=True) if is_wanted}
        return place(vcd, path, transitions, chosen, spec, shown)


def place(
    vcd: Path, path: Path, transitions: dict[Signal, int], chosen: window.Window, spec: Spec, shown: views.View
) -> Waves:
    """Moves the VCD to `path`, as what its name says, and leaves the view beside it: both or none."""
    made = vcd if vcd == path else wave_files.converted(vcd, path)
    window_ps, depth = int(spec.values["ecb.window_ns"]) * 1000, int(spec.values["ecb.frame_fifo_frames"])
    with views.writing(path, transitions, chosen, window_ps, shown, depth) as view:
        if made != path:
            files.put(made, path)
    return Waves(path, view, chosen.from_ps, chosen.to_ps, chosen.marker_ps, transitions)
