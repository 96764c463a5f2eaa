# SPDX-License-Identifier: BSD-3-Clause
"""HDTrace projects as time lines, and time lines as HDTrace projects.

>>> from hypermon.timelines import hdtrace
>>> line = hdtrace.read(Path("runs/x/hdtrace/partdiff.proj"))
>>> line = hdtrace.read(Path("big.proj"), begin_ps=10**12, end_ps=2 * 10**12)  # keeps only this window

Times count from the begin of the earliest trace's header if they are since 1970, else as they are.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from hypermon._files import results
from hypermon.timelines.hdtrace_reading import load

if TYPE_CHECKING:
    from hypermon.timelines.tracks import TimeLine


def read(project: Path, *, begin_ps: int | None = None, end_ps: int | None = None) -> TimeLine:
    """Reads the time line of a project (.proj), with all files that belong to it.

    Args:
        project: The project's file.
        begin_ps, end_ps: Window in the time of the time line. States that touch it are read. None: no limit.

    Raises:
        UserError: A file is truncated or not valid. The message names the file, the line or byte, and the mistake.
    """
    return load(project, begin_ps, end_ps)


def write(line: TimeLine, out: Path, force: bool = False) -> None:
    """Writes a time line as a project into the folder `out`, which replaces an earlier one and names the project.

    Traces cannot hold causes, so operations with causes or effects become relations. `force`: replaces the folder even
    if it holds other files.
    """
    from hypermon.timelines.hdtrace_writing import write_all

    with results.whole_folder(out, _kind(out), force=force) as folder:
        write_all(line, folder, _name(out))


def require(out: Path, force: bool = False) -> None:
    """Raises a UserError if no project can be written to `out`."""
    results.require(out, _kind(out), force=force)


def _kind(out: Path) -> results.Kind:
    return results.Kind("an HDTrace project", f"{_name(out)}.proj")


def _name(out: Path) -> str:
    return os.path.basename(os.path.abspath(out))  # noqa: PTH100, PTH119 (`.` has no name; resolve() follows links)


__all__ = ["read", "write"]
