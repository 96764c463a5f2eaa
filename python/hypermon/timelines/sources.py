# SPDX-License-Identifier: BSD-3-Clause
"""Sources of time lines: runs, recordings and HDTrace projects."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from hypermon._engine import replaying
from hypermon._engine.recording import FILE, Recording
from hypermon._engine.replays import HasReplays
from hypermon._model import monitors
from hypermon._model.result import RESULT, Result
from hypermon._model.samples import FILE as SAMPLES
from hypermon.errors import UserError
from hypermon.timelines import from_samples, from_truth, hdtrace, joining
from hypermon.timelines.truth import of_spec

if TYPE_CHECKING:
    from hypermon.timelines.tracks import TimeLine
    from hypermon.timelines.truth import Truth
    from hypermon.timelines.window import Window

PROJECT = ".proj"


def timeline(source: str | os.PathLike[str], window: Window | None = None) -> TimeLine:
    """Reads the time line of a run, a recording, or an HDTrace project.

    Args:
        source: A run directory, a recording, a project's file or its folder.
        window: The part of the time line to return. By default all of it.

    Returns:
        For a run, the data that its monitor recorded, or its samples. For a recorded run, the truth and the data of its
        monitor.

    Raises:
        UserError: The source has no time line, or is damaged.

    Example:
        >>> line = timelines.timeline("runs/checkpoint")  # doctest: +SKIP
        >>> [" ".join(one.path) for one in line.states]  # doctest: +SKIP
    """
    path = Path(source)
    found = project(path)
    if found is not None:
        if window is None:
            return hdtrace.read(found)
        line = hdtrace.read(found, begin_ps=window.begin_ps, end_ps=window.end_ps)  # keeps only this window
        return joining.cut(line if joining.touches(line, window) else hdtrace.read(found), window)
    if (path / RESULT).is_file() and not is_recorded(path):
        result = Result(path)
        own = of_monitor(result)
        if own is not None:
            return joining.cut(own, window)
        if result.has_file(SAMPLES):
            return joining.cut(from_samples.statistics(result), window)
        known = monitors.registered().values()
        others = [one.name for one in known if monitors.overrides(one, HasTimeline.timeline)]
        others += [f"{one.name} (hypermon record)" for one in known if monitors.overrides(one, HasReplays.replays)]
        those = f"; these do: {', '.join(others)}" if others else ""
        raise UserError(f"{path}: has no time line: its monitor, {result['spec']['monitor']}, leaves none{those}")
    return joining.cut(from_truth.tracks(truth_of(path)), window)


class HasTimeline(Protocol):
    def timeline(self) -> Callable[[Result], TimeLine | None] | None: ...


def of_monitor(result: Result) -> TimeLine | None:
    """Returns the data that the run's monitor has recorded (`Monitor.timeline`). None: it does not record any."""
    own = monitors.part(monitors.find(result["spec"]["monitor"]), HasTimeline.timeline)
    return own(result) if own is not None else None


def is_recorded(path: Path) -> bool:
    """Is the path a recording, or the directory of a recorded run?"""
    return path.name == FILE or (path / FILE).is_file()


def truth_of(path: Path, settings: Mapping[str, Any] | None = None, presets: Sequence[str] = ()) -> Truth:
    """Replays a recording, with its own hardware or with changed parameters."""
    source = Recording(path)
    return of_spec(source, replaying.resolve(source, settings or {}, presets, where="--set"))


def project(path: Path) -> Path | None:
    """Returns the HDTrace project at the path, or the only one in the folder."""
    if path.suffix == PROJECT:
        return path
    if not path.is_dir() or (path / RESULT).is_file():
        return None
    found = sorted(path.glob(f"*{PROJECT}"))
    if len(found) > 1:
        raise UserError(f"{path}: has {len(found)} HDTrace projects; name one: {', '.join(one.name for one in found)}")
    return found[0] if found else None
