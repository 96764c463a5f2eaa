# SPDX-License-Identifier: BSD-3-Clause
"""Pictures of studies, in the style of all pictures."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from hypermon._files import csvfile
from hypermon.pictures.library import HOUSE, library, settings
from hypermon.pictures.style import save
from hypermon_studies.cells import number

__all__ = ["COLOURS", "figure", "frame_rates", "rows", "save"]

COLOURS = ("#1b6ca8", "#d1495b", "#2e8b57", "#8e5ea2", "#c77f0a", "#4d4d4d", "#17a2a2", "#a0522d")


@contextmanager
def figure(
    width: float = 7.0, height: float = 4.0, panels: int = 1, rows: int = 1
) -> Iterator[tuple[Any, Sequence[Any]]]:
    """A Matplotlib figure with its axes, `panels` in each of its `rows`, drawn without a display."""
    library().use("Agg")
    import matplotlib.pyplot as plt
    from cycler import cycler

    with settings({**HOUSE, "axes.prop_cycle": cycler(color=COLOURS)}):
        made, axes = plt.subplots(rows, panels, figsize=(width, height), squeeze=False, layout="constrained")
        try:
            yield made, list(axes.flat)
        finally:
            plt.close(made)


def frame_rates(axes: Any, results: Mapping[int, Mapping[str, Any]]) -> None:
    """Frames captured per second in each hundredth of the run, by number of nodes."""
    for nodes, result in results.items():
        interval = result["rates"]["interval_s"]
        rates = [frames / interval for frames in result["rates"]["frames"]]
        axes.plot(range(1, len(rates) + 1), rates, linewidth=1, label=f"{nodes} ({result['elapsed_s']:.1f} s)")
    axes.set(xlabel="interval (hundredths of the run)", ylabel="frames/s", ylim=(0, None))


def rows(file: Path, columns: Sequence[str], values: Iterable[Sequence[str | float]]) -> None:
    """Writes the numbers of a picture as CSV."""
    with file.open("w", newline="", encoding="utf-8") as out:
        numbered = ([one if isinstance(one, str) else number(one) for one in row] for row in values)
        csvfile.write_rows(out, [columns, *numbered])
