# SPDX-License-Identifier: BSD-3-Clause
"""Waves of recorded runs."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from hypermon._engine import wave_files
from hypermon._engine.recording import Recording
from hypermon._model import argument_checks
from hypermon._model.native import _core
from hypermon.monitors.hypermon import replaying, replays
from hypermon.monitors.hypermon.waves import modules, placing, views, window
from hypermon.monitors.hypermon.waves.signals import choose, signals


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
    print_line: Callable[[str], None] | None = None,
) -> placing.Waves:
    """Writes waves of a recorded run, with its own hardware or with other hardware (as in `hypermon.replay`).

    `at`: `first-loss`, `loss:CAUSE`, `occupancy>N` (frames in a frame FIFO), `difference` (of a user's board, with
    `ecb.lockstep`), or a time with its unit. The window begins `pre` before it and ends `post` after it. By default,
    `pre` is the time since the frame FIFO was empty, at least 100 us and at most 50 ms. It is 5 ms if the FIFO cannot
    be observed, or if `at` is a time. `between`: the window instead, such as `1.2s..1.25s`.
    `only`: globs of the signals to write.
    `view`: the view for GTKWave (`hypermon.waves.views.names`, or a YAML file).
    `out`: a .vcd or .fst file; by default waves.vcd beside the recording. An existing file is replaced only with
    `force`.
    `print_line` receives the bounds of memory and file size before users' boards are simulated.
    Raises a UserError if an argument is not valid, and a NeverHappenedError if the trigger does not happen (a
    NothingLostError if nothing is lost).
    """
    source = recording if isinstance(recording, Recording) else Recording(recording)
    path = Path(out) if out is not None else source.path.with_name("waves.vcd")
    for check in (wave_files.check, views.require):
        check(path, force, "choose another path (-o), or replace it (--force)")
    shown = views.load(view)
    spec = replaying.resolve(source, argument_checks.settings(settings, {}, write), presets)
    replaying.require_same_emissions(source, spec)
    if replays.in_simulator(spec):
        when = modules.When(at, pre, post, between, "--at", "--window")
        return modules.replay(source, spec, path, when, only, shown, print_line)
    every = signals(spec)
    wanted = choose(every, only)
    chosen = window.between(source, between) if between is not None else window.around(source, spec, at, pre, post)
    with wave_files.scratch(path) as scratch:
        vcd = scratch / wave_files.VCD
        replay = _core.WaveReplay(spec.to_json(), str(vcd), chosen.from_ps, chosen.to_ps, wanted)
        counts = window.feed(source, replay)
        transitions = {s: n for s, n, is_wanted in zip(every, counts, wanted, strict=True) if is_wanted}
        return placing.place(vcd, path, transitions, chosen, spec, shown)
