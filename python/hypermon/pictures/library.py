# SPDX-License-Identifier: BSD-3-Clause
"""Matplotlib with hypermon's settings only, so that a chart does not depend on the user or the folder."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterator, Mapping
from typing import Any

HOUSE: Any = {  # typed by Matplotlib in its newer versions only
    "svg.hashsalt": "hypermon",  # the same element ids in every run
    "svg.fonttype": "none",
    "font.size": 9,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "axes.axisbelow": True,
    "grid.color": "#dddddd",
    "legend.frameon": False,
}
STYLE: Any = {
    **HOUSE,
    "pdf.fonttype": 42,  # text stays text: journals refuse Type 3
    "lines.linewidth": 1.2,
    "lines.markersize": 4,
}
_OF_THE_SESSION = ("backend", "interactive", "toolbar", "savefig.directory")  # settings that influence no chart


def library() -> Any:
    """Returns Matplotlib without the file `matplotlibrc` of the current folder, which it reads at its first import.

    That file may be a stranger's, and could start LaTeX (`text.usetex`) or change every chart.
    """
    if "matplotlib" not in sys.modules:
        exists = os.path.exists
        os.path.exists = lambda path: path != "matplotlibrc" and exists(path)
        try:
            import matplotlib
        finally:
            os.path.exists = exists
    import matplotlib

    return matplotlib


@contextlib.contextmanager
def settings(style: Mapping[str, Any]) -> Iterator[None]:
    """Matplotlib's own settings and this style over them: nothing of a file `matplotlibrc`, or of the caller."""
    mpl = library()
    own = {name: value for name, value in mpl.rcParamsDefault.items() if name not in _OF_THE_SESSION}
    with mpl.rc_context({**own, **style}):
        yield
