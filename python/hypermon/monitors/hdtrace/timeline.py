# SPDX-License-Identifier: BSD-3-Clause
"""The time line of a run under HDTrace."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from hypermon._model.result import Result

if TYPE_CHECKING:
    from hypermon.timelines.tracks import TimeLine


def project(result: Result) -> Path | None:
    """Returns the run's project file. None: it has none."""
    if not result.is_saved:
        return None
    name = str(result["monitor"]["project"])
    return result.folder / name if result.has_file(name) else None


def timeline(result: Result) -> TimeLine | None:
    """Returns the time line of the run's project. None: it has none."""
    from hypermon.timelines import hdtrace

    path = project(result)
    return None if path is None else hdtrace.read(path)
