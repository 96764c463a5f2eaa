# SPDX-License-Identifier: BSD-3-Clause
"""Pictures that monitors bring (`Monitor.pictures`)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

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


class HasPictures(Protocol):
    def pictures(self) -> Mapping[str, Callable[[], Plot]]: ...


def named() -> Mapping[str, Callable[[], Plot]]:
    """The pictures of all monitors."""
    return {name: of for own in monitors.parts(HasPictures.pictures).values() for name, of in own.items()}


def find(name: str) -> Plot:
    """That of a monitor."""
    return named()[name]()
