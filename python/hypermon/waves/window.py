"""Where to look: windows of time and triggers."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from hypermon import units
from hypermon.errors import HypermonError, UserError, suggestion
from hypermon.native import _core
from hypermon.recording import Recording
from hypermon.scenario import Spec

_OCCUPANCY = re.compile(r"occupancy\s*>\s*(\d+)")


class NeverHappenedError(HypermonError):
    """A trigger does not happen in the whole run."""

    exit_status = 1


@dataclass(frozen=True)
class Window:
    """[from_ps, to_ps), with the instant that it is around, if there is one."""

    from_ps: int
    to_ps: int
    marker_ps: int | None = None
    board: int | None = None
    """Where the trigger happened."""


def time_ps(text: str, option: str) -> int:
    """A time with its unit, in whole ps."""
    try:
        value = units.parse(text, "ps")
    except ValueError as error:
        raise UserError(f"{option} {text}: {error}") from None
    if value is None or value < 0 or not re.search(r"[a-z]", text.lower().replace("e", "")):
        raise UserError(f"{option} {text}: must be a time with its unit (1.2s, 5ms, 800ns)")
    if value.denominator != 1:
        raise UserError(f"{option} {text}: must be whole ps")
    return int(value)


def around(recording: Recording, spec: Spec, at: str, pre: str, post: str) -> Window:
    """The window around a trigger or a time, of which there is only what is in the run."""
    before, after = time_ps(pre, "--pre"), time_ps(post, "--post")
    board: int | None
    if at[:1].isdigit() or at[:1] == ".":
        marker, board = time_ps(at, "--at"), None
        if marker > end_ps(recording):
            raise UserError(f"--at {at}: the run ends at {end_ps(recording) * 1e-12:.9g} s")
    else:
        marker, board = _trigger(recording, spec, at)
    return Window(max(0, marker - before), marker + max(after, 1), marker, board)


def between(recording: Recording, text: str) -> Window:
    """`1.2s..1.25s`; without a begin from 0, without an end to the end of the run."""
    begin, dots, end = (part.strip() for part in text.partition(".."))
    if not dots:
        raise UserError(f"--window {text}: must be BEGIN..END, as 1.2s..1.25s")
    from_ps = time_ps(begin, "--window") if begin else 0
    to_ps = time_ps(end, "--window") if end else end_ps(recording) + 1
    if from_ps >= end_ps(recording):
        raise UserError(f"--window {text}: the run ends at {end_ps(recording) * 1e-12:.9g} s")
    if to_ps <= from_ps:
        raise UserError(f"--window {text}: ends before it begins")
    return Window(from_ps, to_ps)


def end_ps(recording: Recording) -> int:
    """When the program had ended and nothing more was strobed."""
    last_ps = max((int(batch.first_ps[-1]) for batch in recording.batches() if len(batch)), default=0)
    return max(recording.end_ps, last_ps)


def feed(recording: Recording, to: Any) -> Any:
    """Replays until nothing more is wanted; what finish() gives."""
    for b in recording.batches():
        if to.done:
            break
        to.add(**b.columns)
    return to.finish()


def _trigger(recording: Recording, spec: Spec, at: str) -> tuple[int, int]:
    """When (ps) and on which board it first happens."""
    text = spec.to_json()
    if match := _OCCUPANCY.fullmatch(at):
        above = int(match[1])
        found = feed(recording, _core.TriggerSearch(text, above=above))
        if found is not None and not found[1]:  # in which stretch it is: now to the edge
            found = feed(recording, _core.TriggerSearch(text, above=above, watch_from_ps=found[0]))
        depth = spec.values["ecb.frame_fifo_frames"]
        never = f"a frame FIFO (ecb.frame_fifo_frames = {depth}) never holds more than {above} frames"
    else:
        cause = _cause(at)
        found = feed(recording, _core.TriggerSearch(text, cause=cause))
        never = "nothing is lost" if cause is None else f"nothing is lost by {cause}"
    if found is None:
        raise NeverHappenedError(f"--at {at}: {never} in the whole run")
    return found[0], found[2]


def _cause(at: str) -> str | None:
    if at == "first-loss":
        return None
    kind, _, cause = at.partition(":")
    if kind != "loss":
        raise UserError(f"--at {at}: must be first-loss, loss:CAUSE, occupancy>N or a time with its unit")
    if cause not in _core.loss_causes:
        near = suggestion(cause, _core.loss_causes)
        raise UserError(f"--at {at}: no such cause{near}; there are {', '.join(_core.loss_causes)}")
    return cause
