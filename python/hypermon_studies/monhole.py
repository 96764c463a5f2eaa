# SPDX-License-Identifier: BSD-3-Clause
"""`hypermon study monhole`: which policy of the monhole's buffer for which rates and how many sinks."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from hypermon._engine import runner
from hypermon._files import files
from hypermon_studies import cells, monhole_cells, monhole_figures, monhole_page
from hypermon_studies.cells import Cells

NAME = "monhole"
STEPS = len(monhole_cells.TABLES)


def write(out: Path, progress: Callable[[int], None] | None = None) -> Cells:
    """Writes `out`/monhole.md and `out`/monhole/*, all of it at the end.

    Returns:
        What the page shows.
    """
    told = cells.text(monhole_cells.all_cells(progress))
    found = cells.read(told)
    with runner.whole_folder(out / NAME, marker=cells.NAME) as data:
        (data / cells.NAME).write_text(told, encoding="utf-8")
        monhole_figures.draw(data, found)
    with files.writing(out / f"{NAME}.md") as partial:
        partial.write_text(monhole_page.text(found, NAME), encoding="utf-8")
    return found
