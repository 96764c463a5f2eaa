# SPDX-License-Identifier: BSD-3-Clause
"""Pictures that monitors bring (`Monitor.pictures`)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from hypermon._model import monitors
from hypermon._model.monitors import PlotEntry
from hypermon._model.result import Result
from hypermon.errors import UserError

if TYPE_CHECKING:
    import pandas as pd


class Sources(NamedTuple):
    """The sources and options that `hypermon plot` was given.

    Attributes:
        kind: The name of the figure.
        runs: The runs.
        table: A sweep's points, or the runs as such points.
        by: The value of `--by`.
        of: The value of `--of`.
    """

    kind: str
    runs: Callable[[], Sequence[Result]]
    table: Callable[[], pd.DataFrame]
    by: str | None
    of: str | None = None

    def one(self) -> Result:
        """The run, if it is one."""
        runs = self.runs()
        if len(runs) != 1:
            raise UserError(f"{self.kind}: needs one run, {len(runs)} were given")
        return runs[0]


class Plot(NamedTuple):
    """A figure: `hypermon.pictures.<name>` is `draw`, `hypermon plot <name>` draws `draw_sources`."""

    draw: Callable[..., Any]
    draw_sources: Callable[[Sources], Any]


class HasPictures(Protocol):
    def pictures(self) -> Mapping[str, PlotEntry]: ...


def all_plots() -> Mapping[str, PlotEntry]:
    """The pictures of all monitors."""
    return {name: entry for own in monitors.parts(HasPictures.pictures).values() for name, entry in own.items()}


def find(name: str) -> Plot:
    """A monitor's plot, by name."""
    found: Plot = all_plots()[name].load()
    return found
