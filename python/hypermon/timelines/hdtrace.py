# SPDX-License-Identifier: BSD-3-Clause
"""HDTrace projects as time lines, and time lines as HDTrace projects.

>>> from hypermon.timelines import hdtrace
>>> line = hdtrace.read(Path("runs/x/hdtrace/partdiff.proj"))
>>> line = hdtrace.read(Path("big.proj"), begin_ps=10**12, end_ps=2 * 10**12)  # no more than that is kept

Times count from the begin of the earliest trace's header if they are since 1970, else as they are.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

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


def write(line: TimeLine, out: Path) -> None:
    """A project of the time line, in the folder `out`, which is replaced; its name is the folder's.

    States of processes whose calls others were done for become relations: they stand in no trace.
    """
    from hypermon._engine import runner
    from hypermon.timelines.hdtrace_writing import write_all

    with runner.whole_folder(out, marker=f"{out.name}.proj") as folder:
        write_all(line, folder, out.name)


__all__ = ["read", "write"]
