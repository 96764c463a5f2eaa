# SPDX-License-Identifier: BSD-3-Clause
"""The pictures of `hypermon study piosim`, each with its numbers as CSV."""

from __future__ import annotations

from pathlib import Path

from hypermon_studies import figures
from hypermon_studies.cells import Cells
from hypermon_studies.piosim.cells import SEVERAL
from hypermon_studies.piosim.runs import AS_IT_IS, CLIENTS, WITH_SMALL_CACHE, with_cache

NAMES = ("clients",)


def draw(folder: Path, found: Cells) -> None:
    """Writes NAMES as .svg and .csv."""
    _clients(folder, found)


def _clients(folder: Path, found: Cells) -> None:
    """Times and seeks of one checkpoint, by clients and cache."""
    memories = (AS_IT_IS, WITH_SMALL_CACHE)
    times = {m: [float(found.at(SEVERAL, "checkpoint", with_cache(n, m)).ours) for n in CLIENTS] for m in memories}
    busy = {m: [float(found.at(SEVERAL, "disk busy", with_cache(n, m)).ours) for n in CLIENTS] for m in memories}
    rows = [(m, n, times[m][i], busy[m][i]) for m in memories for i, n in enumerate(CLIENTS)]
    figures.rows(folder / "clients.csv", ("cache", "clients", "longest_write_s", "disk_busy_s"), rows)
    with figures.figure(8.0, 3.2, panels=2) as (made, (left, right)):
        for memory in memories:
            left.plot(CLIENTS, times[memory], marker="o", markersize=4, label=f"cache of {memory}")
            right.plot(CLIENTS, busy[memory], marker="o", markersize=4, label=f"cache of {memory}")
        for axes, what in ((left, "s of the longest write"), (right, "s that the disk works")):
            axes.set(xlabel="clients", ylabel=what, ylim=(0, None), xlim=(0, None))
            axes.legend(fontsize=8)
        figures.save(made, folder / "clients.svg")
