# SPDX-License-Identifier: BSD-3-Clause
"""Pictures that monitors bring (`Monitor.pictures`)."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from hypermon._model import monitors
from hypermon._model.result import Result
from hypermon.errors import UserError

if TYPE_CHECKING:
    import pandas as pd


class Sources(NamedTuple):
    """What `hypermon plot` was given.

    Attributes:
        kind: Which picture.
        runs: The runs.
        table: A sweep's points, or the runs as such points.
        by: The parameter for each value of which there is a line; or what colours say.
        of: Which result is drawn.
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
            raise UserError(f"{self.kind}: is of one run, {len(runs)} were given")
        return runs[0]


class Plot(NamedTuple):
    """A picture: `hypermon.pictures.<name>` is `draw`, `hypermon plot <name>` draws `of`."""

    draw: Callable[..., Any]
    of: Callable[[Sources], Any]


def named() -> Mapping[str, str]:
    """Where the pictures of all monitors are."""
    return {name: of for one in monitors.registered().values() for name, of in one.pictures.items()}


def find(name: str) -> Plot:
    """That of a monitor."""
    module, _, attribute = named()[name].partition(":")
    found: Plot = getattr(importlib.import_module(module), attribute)
    return found
