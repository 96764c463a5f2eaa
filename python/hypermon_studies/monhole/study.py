# SPDX-License-Identifier: BSD-3-Clause
"""`hypermon study monhole`: which policy of the monhole's buffer for which rates and how many sinks."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from hypermon_studies import cells
from hypermon_studies.cells import Cells
from hypermon_studies.monhole import cells as monhole_cells
from hypermon_studies.monhole import figures as monhole_figures
from hypermon_studies.monhole import page as monhole_page
from hypermon_studies.placing import Place

NAME = "monhole"
STEPS = len(monhole_cells.TABLES)


def place(out: Path, force: bool = False) -> Place:
    """The study's place in the folder `out`."""
    return Place(out, NAME, cells.NAME, force)


def write(out: Path, progress: Callable[[int], None] | None = None, force: bool = False) -> Cells:
    """Writes `out`/monhole.md and `out`/monhole/*, all files at the end.

    Returns:
        The content of the page.
    """
    at = place(out, force)
    at.require()
    told = cells.text(monhole_cells.all_cells(progress))
    found = cells.read(told)
    with at.data() as data:
        (data / cells.NAME).write_text(told, encoding="utf-8")
        monhole_figures.draw(data, found)
    at.page(monhole_page.text(found, NAME))
    return found
