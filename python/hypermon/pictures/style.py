# SPDX-License-Identifier: BSD-3-Clause
"""The common style of all pictures: axes that show zero, and files with the same bytes every time."""

from __future__ import annotations

import functools
import io
import math
import os
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, ParamSpec

from hypermon._files import files, outputs
from hypermon._model.words import count
from hypermon.errors import UserError
from hypermon.pictures.library import STYLE, settings

# Okabe and Ito's palette, which colour-blind readers can tell apart, without its yellow, which is too light for lines.
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000")
MARKERS = ("o", "s", "^", "D", "v", "P", "X")  # distinguish lines in print without colour
STYLES = ("-", "--", ":")  # line styles, if there are more lines than colours
MOST_LINES = len(COLOURS) * len(STYLES)
MOST_TICKS = 8  # largest number of ticks on an axis of powers of two, so that labels do not touch
FEW = 4  # decades of an axis that has ticks at 2 and 5, too
LARGE = 1e6  # powers of ten from here on are written as such
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


def line_style(number: int) -> dict[str, Any]:
    """Colour, dashes and marker of a line. The first MOST_LINES lines differ in colour or dashes."""
    of = number % MOST_LINES
    return {
        "color": COLOURS[of % len(COLOURS)],
        "linestyle": STYLES[of // len(COLOURS)],
        "marker": MARKERS[of % len(MARKERS)],
    }


def check_line_count(names: Sequence[Any], what: str) -> None:
    """Raises a UserError if there are more lines than can be distinguished."""
    if len(names) > MOST_LINES:
        raise UserError(f"{what}: {len(names)} lines, of which at most {MOST_LINES} can be told apart; give fewer")


def log2_ticks(axis: Any, most: int = MOST_TICKS) -> None:
    """A logarithmic axis with at most `most` powers of two, written as numbers with grouped digits."""
    from matplotlib.ticker import LogLocator, NullLocator

    _logarithmic(axis, base=2)
    axis.set_major_locator(LogLocator(base=2, numticks=most))
    axis.set_minor_locator(NullLocator())
    axis.set_major_formatter(
        lambda value, _position: tick(value) if value < LARGE else f"$2^{{{round(math.log2(value))}}}$"
    )


def log_ticks(axis: Any) -> None:
    """A logarithmic axis with plain numbers at its ticks; 2 and 5 times these, too, if it covers few decades."""

    def between(value: float, _position: int) -> str:
        low, high = axis.get_view_interval()
        return tick(value) if high < 300 * low and f"{value:e}"[0] in "25" else ""

    _logarithmic(axis)
    axis.set_major_formatter(lambda value, _position: tick(value))
    axis.set_minor_formatter(between)


def _logarithmic(axis: Any, **of: Any) -> None:
    axes = axis.axes
    (axes.set_xscale if axis.axis_name == "x" else axes.set_yscale)("log", **of)


def tick(value: float) -> str:
    """Formats a tick: 0.25, 4, 65 536, 10⁷."""
    if abs(value) >= LARGE:
        exponent = round(math.log10(abs(value)))
        if abs(value) == 10**exponent:
            return f"$10^{{{exponent}}}$"
    return count(value) if abs(value) >= 1000 else f"{value:.4g}"


def show_zero(axes: Any, values: Iterable[float], names_zero: str = "none") -> None:
    """A logarithmic y axis that keeps zero: linear below the smallest value that is not zero, zero named.

    Of fewer than two decades, ticks at twos and fives are written too.
    """
    from matplotlib.ticker import FixedLocator, NullLocator

    positive = [value for value in values if value > 0]
    floor = min(positive, default=1.0)
    axes.set_yscale("symlog", linthresh=floor, linscale=0.8)
    axes.set_ylim(-0.25 * floor, None if positive else floor)
    axes.axhline(0, color="#555555", linewidth=0.8, zorder=0.5)
    axes.yaxis.set_major_locator(FixedLocator([0, *_between(floor, max(positive, default=1.0))]))
    axes.yaxis.set_minor_locator(NullLocator())
    axes.yaxis.set_major_formatter(lambda value, _position: names_zero if value == 0 else tick(value))


def _between(low: float, high: float) -> list[float]:
    """Powers of ten from `low` to `high`; of a few decades also their doubles and fivefolds."""
    decades = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    steps = (1, 2, 5) if len(decades) <= FEW else (1,)
    every = math.ceil(len(decades) / MOST_TICKS)
    return [n * 10.0**p for p in decades[::every] for n in steps if low <= n * 10.0**p <= 2 * high]


def check(path: str | os.PathLike[str]) -> Path:
    """Returns the file to which a chart is saved. Raises a UserError if its suffix is unknown."""
    if _format(Path(path)) not in FORMATS:
        raise UserError(f"{path}: must end with one of {', '.join(FORMATS)}")
    return Path(path)


def _format(path: Path) -> str:
    """Returns the format of a file's suffix. A device or a pipe without a suffix gets SVG."""
    return outputs.suffix(path, FORMATS, ".svg")


def save(figure: Any, path: str | os.PathLike[str]) -> None:
    """Writes the figure completely or not at all. The suffix (.svg, .pdf, .png) determines the format."""
    path = check(path)
    content = io.BytesIO()  # in memory, because libraries fail in many ways on a file that cannot be written
    write(figure, content, _format(path))
    with files.writing(path) as partial:
        partial.write_bytes(content.getbuffer())


def write(figure: Any, content: io.BytesIO, form: str) -> None:
    """Writes the figure in one of FORMATS, with the same bytes every time."""
    nothing = {".svg": ("Date", "Creator"), ".pdf": ("CreationDate", "Creator", "Producer"), ".png": ("Software",)}
    with settings(STYLE):
        figure.savefig(content, format=form[1:], metadata=dict.fromkeys(nothing[form]), dpi=150)
