# SPDX-License-Identifier: BSD-3-Clause
"""Windows of time, and triggers that place them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, TypedDict

import numpy as np

from hypermon._engine import replays
from hypermon._engine.recording import Recording
from hypermon._engine.wave_files import NeverHappenedError, NothingLostError, end_ps, interval, is_time, time_ps
from hypermon._model import catalogues
from hypermon._model.native import _core
from hypermon._model.spec import Spec
from hypermon.errors import UserError, suggestion
from hypermon.monitors.hypermon import replaying

_OCCUPANCY = re.compile(r"occupancy\s*>\s*(\d{1,18})", re.ASCII)
_RANK = re.compile(r"rank(\d{1,9})\.(\w+)", re.ASCII)
_SHORT = {"send": "send_start", "receive": "receive_posted"}


@dataclass(frozen=True)
class Window:
    """[from_ps, to_ps), with the instant that it is around, if there is one."""

    from_ps: int
    to_ps: int
    marker_ps: int | None = None
    board: int | None = None
    """Board at which the trigger happened."""
    is_event: bool = False
    """Is the instant that of a trigger, which has an arrow in the waves?"""


_STEP_PS = 50_000_000  # (chosen) length of the intervals in which an empty frame FIFO is searched
_MOST_STEPS = 1_000_000
_LEAST_APPROACH_PS, _APPROACH_PS, _MOST_APPROACH_PS = 10**8, 5 * 10**9, 50 * 10**9  # (chosen)


def approach_ps(recording: Recording, spec: Spec, marker_ps: int) -> int:
    """Returns the time before the marker since which no board's frame FIFO was empty, or 5 ms where it is unknown."""
    own = replays.find(spec)
    if own is None or not own.counts_apart(spec):
        return _APPROACH_PS
    steps = min(_MOST_STEPS, max(1, end_ps(recording) // _STEP_PS))
    line = own.timeline(recording, spec, steps)
    step_ps = round(line[own.INTERVAL] * 1e12)
    empty = np.flatnonzero(line["least"][: marker_ps // step_ps] == 0)
    since_ps = marker_ps - (int(empty[-1]) * step_ps if len(empty) else 0)
    return min(max(since_ps, _LEAST_APPROACH_PS), _MOST_APPROACH_PS)


def around(recording: Recording, spec: Spec, at: str, pre: str | None, post: str) -> Window:
    """Returns the window around a trigger or a time, limited to the run."""
    before = None if pre is None else time_ps(pre, "--pre")
    after = time_ps(post, "--post")
    board: int | None
    if is_time(at):
        marker, board = time_ps(at, "--at"), None
        if marker > end_ps(recording):
            raise UserError(f"--at {at}: the run ends at {end_ps(recording) * 1e-12:.9g} s")
    else:
        marker, board = _trigger(recording, spec, at)
        before = approach_ps(recording, spec, marker) if before is None else before
    before = _APPROACH_PS if before is None else before
    return Window(max(0, marker - before), marker + max(after, 1), marker, board, not is_time(at))


def between(recording: Recording, text: str) -> Window:
    """`1.2s..1.25s`; without a begin from 0, without an end to the end of the run."""
    from_ps, to_ps = interval(text, "--window")
    if from_ps >= end_ps(recording):
        raise UserError(f"--window {text}: the run ends at {end_ps(recording) * 1e-12:.9g} s")
    return Window(from_ps, end_ps(recording) + 1 if to_ps is None else to_ps)


def feed(recording: Recording, to: Any) -> Any:
    """Replays until no more data are needed. Returns the result of finish()."""
    with replaying.sensible(recording):
        to.program_ends(recording.program_end_ps)
        for b in recording.batches():
            if to.done:
                break
            to.add(**b.columns)
        return to.finish()


class Condition(TypedDict, total=False):
    """Condition of a trigger: a cause of losses, a level of a frame FIFO or a node's event; without any: every loss."""

    cause: str
    above: int
    event: tuple[int, str]


class ConditionOfModules(Condition, total=False):
    """Condition in waves of modules, which may also be the first difference between a user's board and the model."""

    difference: bool


def condition(at: str, spec: Spec, option: str = "--at") -> ConditionOfModules:
    """Parses `at`. Raises UserError if it is no condition."""
    if at == "first-loss":
        return {}
    if at == "difference":
        _require_comparison(spec, f"{option} {at}")
        return {"difference": True}
    if match := _OCCUPANCY.fullmatch(at):
        return {"above": int(match[1])}
    if match := _RANK.fullmatch(at):
        return {"event": _event(int(match[1]), match[2], spec, f"{option} {at}")}
    kind, _, cause = at.partition(":")
    if kind != "loss":
        raise UserError(
            f"{option} {at}: must be first-loss, loss:CAUSE, occupancy>N, rankN.EVENT, difference or a time with its "
            "unit"
        )
    if cause not in _core.loss_causes:
        near = suggestion(cause, _core.loss_causes)
        raise UserError(f"{option} {at}: no such cause{near}; there are {', '.join(_core.loss_causes)}")
    return {"cause": cause}


def never(condition: Condition, spec: Spec) -> str:
    """Message that the condition never becomes true."""
    if "above" in condition:
        own = (value for path, value in spec.values.items() if re.fullmatch(r"ecb(\[\d+\])?\.frame_fifo_frames", path))
        depths = " or ".join(map(str, sorted({int(depth) for depth in own})))
        return f"a frame FIFO (ecb.frame_fifo_frames = {depths}) never holds more than {condition['above']} frames"
    if "event" in condition:
        return "rank {} never emits {}".format(*condition["event"])
    if "difference" in condition:
        return "the board agrees with the model"
    return f"nothing is lost by {condition['cause']}" if "cause" in condition else "nothing is lost"


def never_happened(condition: Condition, spec: Spec, option: str, at: str, where: str = "") -> NeverHappenedError:
    """The error to raise. `where`: information about the run for its text."""
    message = f"{never(condition, spec)} in the whole run{where}"
    if condition.keys() <= {"cause", "difference"}:
        return NothingLostError(f"{message}: there are no waves of {at}")
    return NeverHappenedError(f"{option} {at}: {message}")


def _require_comparison(spec: Spec, where: str) -> None:
    lockstep = spec.values["ecb.lockstep"]
    if lockstep == "none":
        raise UserError(f"{where}: compares a board of your own with hypermon's model; set ecb.lockstep = count")
    if lockstep == "stop":
        raise UserError(f"{where}: ecb.lockstep = stop leaves no files; set ecb.lockstep = count")


def _event(rank: int, name: str, spec: Spec, where: str) -> tuple[int, str]:
    nodes = int(spec.values["nodes"])
    if rank >= nodes:
        raise UserError(f"{where}: there are ranks 0 to {nodes - 1}")
    names = [row.name for row in catalogues.events_of(spec)]
    event = name if name in names else _SHORT.get(name, name)
    if event not in names:
        raise UserError(f"{where}: no such event{suggestion(event, names)}; there are {', '.join(names)}")
    return rank, event


def _trigger(recording: Recording, spec: Spec, at: str) -> tuple[int, int]:
    """Time (ps) and board of the condition's first occurrence."""
    text = spec.to_json()
    wanted: Condition = condition(at, spec)
    found = feed(recording, _core.TriggerSearch(text, **wanted))
    if found is not None and not found[1]:  # the stretch is known; now find the edge in it
        found = feed(recording, _core.TriggerSearch(text, **wanted, watch_from_ps=found[0]))
    if found is None:
        raise never_happened(wanted, spec, "--at", at)
    return found[0], found[2]
