# SPDX-License-Identifier: BSD-3-Clause
"""Data for pictures that need a recording."""

from __future__ import annotations

from hypermon._model.result import Result
from hypermon.errors import UserError
from hypermon.monitors.hypermon import analysis
from hypermon.monitors.hypermon.recorded import Recorded


def recorded(run: Result, kind: str) -> Recorded:
    """The recorded data of a run. Raises UserError if it has no recording or its hardware has no such data."""
    if (monitor := run["spec"]["monitor"]) != "hypermon":
        raise UserError(f"{run.path}: has no {kind} of a frame FIFO; its monitor is {monitor}")
    found = analysis.analyse(run)
    if found is None:
        raise UserError(f"{run.path}: has no recording; make one with hypermon record")
    if getattr(found, kind) is None:
        raise UserError(f"{run.path}: there is no {kind} of hardware whose losses depend on more than the frames")
    return found
