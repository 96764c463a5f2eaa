# SPDX-License-Identifier: BSD-3-Clause
"""HDTrace projects as time lines, and time lines as HDTrace projects.

>>> from hypermon.timelines import hdtrace
>>> line = hdtrace.read(Path("runs/x/hdtrace/partdiff.proj"))
>>> line = hdtrace.read(Path("big.proj"), begin_ps=10**12, end_ps=2 * 10**12)  # no more than that is kept

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
    """The time line of a project (.proj), with all files of its folder that belong to it.

    Args:
        project: The project's file.
        begin_ps, end_ps: What touches this window, of the time line's own time; None: no limit.

    Raises:
        UserError: A file is truncated, or none of HDTrace's: which, its line or byte, what is wrong, what must be.
    """
    return load(project, begin_ps, end_ps)


def write(line: TimeLine, out: Path, force: bool = False) -> None:
    """A project of the time line, in the folder `out`, which replaces an earlier one; its name is the folder's.

    States of processes whose calls others were done for become relations: they stand in no trace. `force`: the folder
    is replaced whatever it holds.
    """
    from hypermon.timelines.hdtrace_writing import write_all

    with results.whole_folder(out, _kind(out), force=force) as folder:
        write_all(line, folder, _name(out))


def require(out: Path, force: bool = False) -> None:
    """A UserError if no project can be written there."""
    results.require(out, _kind(out), force=force)


def _kind(out: Path) -> results.Kind:
    return results.Kind("an HDTrace project", f"{_name(out)}.proj")


def _name(out: Path) -> str:
    return os.path.basename(os.path.abspath(out))  # noqa: PTH100, PTH119 (`.` has no name; resolve() follows links)


__all__ = ["read", "write"]
