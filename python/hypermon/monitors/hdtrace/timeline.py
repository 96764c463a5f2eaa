# SPDX-License-Identifier: BSD-3-Clause
"""What the nodes of a run have recorded, on one time axis."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from hypermon._model.result import Result

if TYPE_CHECKING:
    from hypermon.timelines.tracks import TimeLine


def project(result: Result) -> Path | None:
    """The project's file of the run; None: the run has none."""
    if not result.is_saved:
        return None
    name = str(result["monitor"]["project"])
    return result.folder / name if result.has_file(name) else None


def timeline(result: Result) -> TimeLine | None:
    """Of the run's project; None without one."""
    from hypermon.timelines import hdtrace

    path = project(result)
    return None if path is None else hdtrace.read(path)
