# SPDX-License-Identifier: BSD-3-Clause
"""What all pictures share: one style, axes that show zero, files that have the same bytes every time."""

from __future__ import annotations

import functools
import io
import os
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, ParamSpec

from hypermon._files import files, outputs
from hypermon.errors import UserError
from hypermon.pictures.library import STYLE, settings

# Okabe and Ito's palette, without its yellow, which is too light for lines: told apart by colour-blind readers.
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000")
MARKERS = ("o", "s", "^", "D", "v", "P", "X")  # and told apart in print without colour
FORMATS = (".svg", ".pdf", ".png")

P = ParamSpec("P")


def styled(function: Callable[P, Any]) -> Callable[P, Any]:
    """Draws in this style, whatever the caller's own is."""

    @functools.wraps(function)
    def wrapped(*args: P.args, **kwargs: P.kwargs) -> Any:
        from cycler import cycler

        with settings({**STYLE, "axes.prop_cycle": cycler(color=COLOURS)}):
            return function(*args, **kwargs)

    return wrapped


def panels(count: int = 1, width: float = 6.0, height: float = 3.6) -> tuple[Any, list[Any]]:
    """A figure and its axes side by side."""
    from hypermon.pictures.picture import Picture

    figure = Picture(figsize=(width, height), layout="constrained")
    return figure, list(figure.subplots(1, count, squeeze=False)[0])


def log2_ticks(axis: Any) -> None:
    """A logarithmic axis of powers of two, written as numbers."""
    axes = axis.axes
    (axes.set_xscale if axis.axis_name == "x" else axes.set_yscale)("log", base=2)
    axis.set_major_formatter(lambda value, _position: f"{value:.10g}")


def show_zero(axes: Any, values: Iterable[float], names_zero: str = "none") -> None:
    """A logarithmic y axis that keeps zero: linear below the smallest value that is not zero, zero named."""
    positive = [value for value in values if value > 0]
    floor = min(positive, default=1.0)
    axes.set_yscale("symlog", linthresh=floor, linscale=0.8)
    axes.set_ylim(-0.25 * floor, None if positive else floor)
    axes.axhline(0, color="#555555", linewidth=0.8, zorder=0.5)

    def text(value: float, _position: int) -> str:
        if value <= 0:
            return names_zero if value == 0 else ""
        return f"{value:g}" if value < 1e4 else f"$10^{{{len(f'{value:.0f}') - 1}}}$"

    axes.yaxis.set_major_formatter(text)


def check(path: str | os.PathLike[str]) -> Path:
    """A file that a picture can be saved to, by its name; a UserError if it is none."""
    if _format(Path(path)) not in FORMATS:
        raise UserError(f"{path}: must end with one of {', '.join(FORMATS)}")
    return Path(path)


def _format(path: Path) -> str:
    """A device or a pipe whose name does not say it gets SVG."""
    return outputs.suffix(path, FORMATS, ".svg")


def save(figure: Any, path: str | os.PathLike[str]) -> None:
    """Writes the figure whole or not at all; the suffix (.svg, .pdf, .png) says the format."""
    path = check(path)
    form, content = _format(path), io.BytesIO()  # a library that cannot write ends in many ways
    nothing = {".svg": ("Date", "Creator"), ".pdf": ("CreationDate", "Creator", "Producer"), ".png": ("Software",)}
    with settings(STYLE):
        figure.savefig(content, format=form[1:], metadata=dict.fromkeys(nothing[form]), dpi=150)
    with files.writing(path) as partial:
        partial.write_bytes(content.getbuffer())
