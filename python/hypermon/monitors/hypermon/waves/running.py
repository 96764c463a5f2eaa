# SPDX-License-Identifier: BSD-3-Clause
"""Waves of a run while it runs, kept only around a trigger. Earlier changes stay in memory as long as they may be
needed, and nothing is written before the trigger happens.

This also works for hardware that feeds back on the nodes, which no recording can replay.
"""

from __future__ import annotations

import json
import os
import shutil
from dataclasses import dataclass
from pathlib import Path

from hypermon._engine import runner, wave_files
from hypermon._engine.workers import Progress
from hypermon._files import results
from hypermon._model.result import Result
from hypermon._model.spec import Spec
from hypermon.errors import UserError
from hypermon.monitors.hypermon.waves import modules, placing, views, window
from hypermon.monitors.hypermon.waves.signals import choose, signals


@dataclass(frozen=True)
class Wanted:
    """The request of the options of `hypermon run`: `at` as in `hypermon.waves.write`, or `between` instead."""

    at: str = "first-loss"
    pre: str = "5ms"
    post: str = "1ms"
    between: str | None = None
    only: tuple[str, ...] = ()
    view: str = "overview"
    path: str | os.PathLike[str] | None = None
    """A .vcd or .fst; by default waves.vcd in the run directory."""


def simulate(
    spec: Spec,
    out: str | os.PathLike[str],
    wanted: Wanted,
    progress: Progress | None = None,
    force: bool = False,
    print_line: modules.PrintLine | None = None,
) -> tuple[Result, placing.Waves]:
    """Runs with waves. The run directory exists even if a NeverHappenedError reports that the trigger never happened.

    `force`: replaces the run directory, whatever it contains. `print_line` receives the bounds of memory and file size
    before the simulation, if the run's own modules write the waves.
    """
    if spec.values["monitor"] != "hypermon":
        raise UserError(f"monitor = {spec.values['monitor']}: only hypermon's hardware has waves")
    out = Path(out)
    path = Path(wanted.path) if wanted.path is not None else out / wave_files.VCD
    if wanted.path is not None:
        for check in (wave_files.check, views.require):
            check(path, False, "choose another one (--wave-file)")
    shown = views.load(wanted.view)
    times = modules.request_of_times(
        spec, modules.When(wanted.at, wanted.pre, wanted.post, wanted.between, "--wave-trigger", "--wave-window")
    )
    every = signals(spec)
    by_modules = modules.write_them(spec)
    if by_modules:  # a board names its signals when it is made
        asked = modules.request(spec, times, wanted.only, print_line)
    else:
        asked = times | {"wanted": choose(every, wanted.only, "--wave-signals")}
    result = runner.simulate(spec, out, progress, leaves=runner.Leaves(waves=json.dumps(asked)), force=force)
    answer = modules.take_answer(out, times)
    if answer is None:
        condition = window.condition(wanted.at, spec)
        raise window.never_happened(condition, spec, "--wave-trigger", wanted.at, f", which is in {out}")
    vcd = out / wave_files.VCD
    if times["trigger"] is None and answer["from_ps"] * 1e-12 > result["monitor"]["end_s"]:
        vcd.unlink()
        raise wave_files.NeverHappenedError(f"{wanted.between or wanted.at}: the run, which is in {out}, ended before")
    if not by_modules:
        answer |= {"signals": every, "wanted": asked["wanted"], "is_cut": False}
    if path == vcd:
        waves = modules.place(answer, vcd, path, spec, shown, print_line)
        results.add(out, waves.view.name, views.names_of(path).name)
        return result, waves
    with wave_files.scratch(path) as scratch:
        shutil.move(vcd, scratch / wave_files.VCD)
        return result, modules.place(answer, scratch / wave_files.VCD, path, spec, shown, print_line)
