# SPDX-License-Identifier: BSD-3-Clause
"""Waves of a run while it runs, kept only around a trigger: what happens before it is kept in memory for as long as it
may be wanted, and nothing is written until it happens.

Also of hardware that acts back on the nodes, which no recording can replay.
"""

from __future__ import annotations

import json
import os
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hypermon._engine import runner, wave_files
from hypermon._engine.workers import Progress
from hypermon._files import results
from hypermon._model.result import Result
from hypermon._model.spec import Spec
from hypermon.errors import UserError
from hypermon.monitors.hypermon.waves import views, window, writing
from hypermon.monitors.hypermon.waves.signals import choose, signals


@dataclass(frozen=True)
class Wanted:
    """As the options of `hypermon run` say: `at` as in `hypermon.waves.write`, or `between` instead."""

    at: str = "first-loss"
    pre: str = "5ms"
    post: str = "1ms"
    between: str | None = None
    only: tuple[str, ...] = ()
    view: str = "overview"
    path: str | os.PathLike[str] | None = None
    """A .vcd or .fst; by default waves.vcd in the run directory."""


def simulate(
    spec: Spec, out: str | os.PathLike[str], wanted: Wanted, progress: Progress | None = None, force: bool = False
) -> tuple[Result, writing.Waves]:
    """A run with its waves. The run directory is there also if a NeverHappenedError says that the trigger is not.

    `force`: the run directory is replaced whatever it holds.
    """
    if spec.values["monitor"] != "hypermon":
        raise UserError(f"monitor = {spec.values['monitor']}: only hypermon's hardware has waves")
    out = Path(out)
    path = Path(wanted.path) if wanted.path is not None else out / wave_files.VCD
    if wanted.path is not None:
        for check in (wave_files.check, views.require):
            check(path, False, "choose another one (--wave-file)")
    shown = views.load(wanted.view)
    every = signals(spec)
    chosen = choose(every, wanted.only, "--wave-signals")
    request = _request(spec, wanted)
    leaves = runner.Leaves(waves=json.dumps(request | {"wanted": chosen}))
    result = runner.simulate(spec, out, progress, leaves=leaves, force=force)
    made = out / "waves.json"
    written: dict[str, Any] | None = json.loads(made.read_text(encoding="utf-8"))
    made.unlink()
    if written is None:
        condition = window.condition(wanted.at, spec)
        raise window.none(condition, spec, "--wave-trigger", wanted.at, f", which is in {out}")
    if written["from_ps"] * 1e-12 > result["monitor"]["end_s"]:
        (out / wave_files.VCD).unlink()
        raise wave_files.NeverHappenedError(f"{wanted.between or wanted.at}: the run, which is in {out}, ended before")
    transitions = {s: n for s, n, is_wanted in zip(every, written["transitions"], chosen, strict=True) if is_wanted}
    place = window.Window(
        written["from_ps"],
        written["to_ps"],
        request.get("marker_ps", written["marker_ps"]),
        written["board"],
        not wanted.between and not window.is_time(wanted.at),
    )
    vcd = out / wave_files.VCD
    if path == vcd:
        waves = writing.place(vcd, path, transitions, place, spec, shown)
        results.add(out, waves.view.name, views.names_of(path).name)
        return result, waves
    with wave_files.scratch(path) as scratch:
        shutil.move(vcd, scratch / wave_files.VCD)
        return result, writing.place(scratch / wave_files.VCD, path, transitions, place, spec, shown)


def _request(spec: Spec, wanted: Wanted) -> dict[str, Any]:
    """What the worker is asked for (sw/monitors/hypermon/waves/run_waves.hpp)."""
    if wanted.between is not None:
        from_ps, to_ps = wave_files.interval(wanted.between, "--wave-window")
        if to_ps is None:
            raise UserError(f"--wave-window {wanted.between}: must have an end")
        return {"trigger": None, "from_ps": from_ps, "to_ps": to_ps}
    before, after = wave_files.time_ps(wanted.pre, "--pre"), max(wave_files.time_ps(wanted.post, "--post"), 1)
    if wave_files.is_time(wanted.at):
        marker = wave_files.time_ps(wanted.at, "--wave-trigger")
        return {"trigger": None, "from_ps": max(0, marker - before), "to_ps": marker + after, "marker_ps": marker}
    return {"trigger": window.condition(wanted.at, spec, "--wave-trigger"), "pre_ps": before, "post_ps": after}
