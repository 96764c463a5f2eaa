"""Pictures that have the same bytes every time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

COLOURS = ("#1b6ca8", "#d1495b", "#2e8b57", "#8e5ea2", "#c77f0a", "#4d4d4d", "#17a2a2", "#a0522d")


@contextmanager
def figure(width: float = 7.0, height: float = 4.0, panels: int = 1) -> Iterator[tuple[Any, Sequence[Any]]]:
    """A Matplotlib figure with its axes, drawn without a display."""
    import matplotlib as mpl

    mpl.use("Agg")
    import matplotlib.pyplot as plt
    from cycler import cycler

    style: Any = {  # typed by Matplotlib in its newer versions only
        "svg.hashsalt": "hypermon",  # the same element ids in every run
        "svg.fonttype": "none",
        "font.size": 9,
        "axes.prop_cycle": cycler(color=COLOURS),
        "axes.spines.top": False,
        "axes.spines.right": False,
        "axes.grid": True,
        "axes.axisbelow": True,
        "grid.color": "#dddddd",
        "legend.frameon": False,
    }
    with plt.rc_context(style):
        made, axes = plt.subplots(1, panels, figsize=(width, height), squeeze=False, layout="constrained")
        try:
            yield made, list(axes[0])
        finally:
            plt.close(made)


def save(made: Any, path: Path) -> None:
    """Writes SVG or PNG, by the suffix, without dates and versions."""
    metadata = {"Date": None, "Creator": None} if path.suffix == ".svg" else {"Software": None}
    made.savefig(path, metadata=metadata, dpi=150)
