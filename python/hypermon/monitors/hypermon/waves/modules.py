# SPDX-License-Identifier: BSD-3-Clause
"""Waves that the worker writes while it simulates.

Where the boards follow SystemC's time, and where the I/O node shares the bus, the modules of the run or replay write
them. Otherwise a replay beside the run does.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hypermon._engine import replaying as engine
from hypermon._engine import wave_files
from hypermon._engine.recording import Recording
from hypermon._inputs.programs import rtl
from hypermon._model.native import _core
from hypermon._model.spec import Spec
from hypermon.errors import UserError
from hypermon.monitors.hypermon.waves import placing, views, window
from hypermon.monitors.hypermon.waves.signals import Signal

MOST_KEPT = 4_000_000
"""Changes in memory before a trigger (chosen)."""
MOST_WRITTEN = 50_000_000
"""Changes in the file (chosen)."""
BEFORE = "5 ms"
"""(chosen) Default time before the trigger, because the frame FIFO of a user's board cannot be observed."""
CHANGE_BYTES = 24  # size of a change in memory
TEXT_BYTES = 20  # size of a change in a VCD, including its share of the times
ANSWER = "waves.json"

PrintLine = Callable[[str], None]


@dataclass(frozen=True)
class When:
    """The times of the waves, as options give them; and the names of these options."""

    at: str
    pre: str | None
    post: str
    between: str | None
    at_option: str
    between_option: str


def request_of_times(spec: Spec, wanted: When) -> dict[str, Any]:
    """The times in the request to the worker (sw/monitors/hypermon/waves/run_waves.hpp)."""
    if wanted.between is not None:
        from_ps, to_ps = wave_files.interval(wanted.between, wanted.between_option)
        if to_ps is None:
            raise UserError(f"{wanted.between_option} {wanted.between}: must have an end")
        return {"trigger": None, "from_ps": from_ps, "to_ps": to_ps}
    before, after = wave_files.time_ps(wanted.pre or BEFORE, "--pre"), max(wave_files.time_ps(wanted.post, "--post"), 1)
    if wave_files.is_time(wanted.at):
        marker = wave_files.time_ps(wanted.at, wanted.at_option)
        return {"trigger": None, "from_ps": max(0, marker - before), "to_ps": marker + after, "marker_ps": marker}
    return {"trigger": window.condition(wanted.at, spec, wanted.at_option), "pre_ps": before, "post_ps": after}


def write_them(spec: Spec) -> bool:
    """Do the modules of the run itself write its waves?"""
    return _core.has_waves_of_modules(spec.to_json())


def request(spec: Spec, times: Mapping[str, Any], only: Sequence[str], print_line: PrintLine | None) -> dict[str, Any]:
    """Returns the request to the worker for waves of modules.

    `print_line` receives the bounds of memory and file size before the simulation.
    """
    board = rtl.traced(spec.values) if spec.values["ecb.rtl"] else ""
    if print_line is not None:
        print_line(
            f"waves: at most {MOST_KEPT * CHANGE_BYTES / 1e6:.0f} MB of memory before a trigger, "
            f"at most about {MOST_WRITTEN * TEXT_BYTES / 1e9:.0f} GB in the file"
        )
    own = {"only": list(only), "board_object": board, "most_kept": MOST_KEPT, "most_written": MOST_WRITTEN}
    return dict(times) | own


def replay(
    recording: Recording,
    spec: Spec,
    path: Path,
    wanted: When,
    only: Sequence[str],
    shown: views.View,
    print_line: PrintLine | None,
) -> placing.Waves:
    """Waves of a replay in the worker, with user's boards."""
    if wanted.between is not None and wanted.between.rstrip().endswith(".."):
        end_ps = wave_files.end_ps(recording) + 1
        wanted = When(wanted.at, wanted.pre, wanted.post, f"{wanted.between}{end_ps}ps", "--at", "--window")
    asked = request(spec, times := request_of_times(spec, wanted), only, print_line)
    with wave_files.scratch(path) as scratch:
        engine.replay_in_simulator(recording, spec, scratch, json.dumps(asked))
        answer = take_answer(scratch, times)
        if answer is None:
            raise window.never_happened(window.condition(wanted.at, spec), spec, "--at", wanted.at)
        if times["trigger"] is None and answer["from_ps"] > wave_files.end_ps(recording):
            end_s = wave_files.end_ps(recording) * 1e-12
            raise UserError(f"{wanted.between_option} {wanted.between or wanted.at}: the run ends at {end_s:.9g} s")
        return place(answer, scratch / wave_files.VCD, path, spec, shown, print_line)


def take_answer(folder: Path, times: Mapping[str, Any]) -> dict[str, Any] | None:
    """Takes the worker's answer out of the folder. None: the trigger never happened."""
    made = folder / ANSWER
    answer: dict[str, Any] | None = json.loads(made.read_text(encoding="utf-8"))
    made.unlink()
    if answer is not None:
        # The marker of a difference is at the begin of its window, which has no arrow.
        answer["is_event"] = times["trigger"] is not None and "difference" not in times["trigger"]
        answer["marker_ps"] = times.get("marker_ps", answer["marker_ps"])
    return answer


def place(
    answer: Mapping[str, Any], vcd: Path, path: Path, spec: Spec, shown: views.View, print_line: PrintLine | None
) -> placing.Waves:
    """Puts the worker's file in its place, with a view."""
    if print_line is not None and answer["is_cut"]:
        print_line("the waves are shorter than requested, because they have reached a bound")
    every = [
        one if isinstance(one, Signal) else Signal(one[0], one[1], one[2], tuple(one[3])) for one in answer["signals"]
    ]
    counted = zip(every, answer["transitions"], answer["wanted"], strict=True)
    transitions = {signal: n for signal, n, is_wanted in counted if is_wanted}
    place = (answer[key] for key in ("from_ps", "to_ps", "marker_ps", "board", "is_event"))
    chosen = window.Window(*place)
    return placing.place(vcd, path, transitions, chosen, spec, shown)
