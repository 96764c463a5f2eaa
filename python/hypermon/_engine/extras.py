# SPDX-License-Identifier: BSD-3-Clause
"""Outputs beside the result that a monitor's own options of `hypermon run` request, such as hardware waveforms."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Protocol

from hypermon._model import monitors

if TYPE_CHECKING:  # every command loads this module for the options, so imports at run time would slow all of them
    from pathlib import Path

    from hypermon._engine.workers import Progress
    from hypermon._model.result import Result
    from hypermon._model.spec import Spec

Wanted = Mapping[str, Any]


class Extras(Protocol):
    """Interface of a monitor's module of extra outputs (`Monitor.extras`)."""

    OPTIONS: Mapping[str, Any]
    """Typer annotation of each option, by the option's name. The default of every option is None."""
    WHAT: str
    """A word for the requested output."""

    def wanted(self, *_: Any, **options: Any) -> Wanted | None:
        """Returns the request that these options make, by their names in OPTIONS. None: no request.

        Raises a UserError if the options are not valid.
        """

    def run(
        self, spec: Spec, out: Path, progress: Progress | None, wanted: Wanted, force: bool
    ) -> tuple[Result, Callable[[], None]]:
        """Runs with the requested output. Returns the result and a function that prints a message about the output.

        `force`: replaces `out` even if it holds other files. Raises a UserError if this monitor has no such output.
        """


class HasExtras(Protocol):
    def extras(self) -> Extras | None: ...


def every() -> list[Extras]:
    """Returns the modules of extra outputs of all monitors that have one."""
    return list(monitors.parts(HasExtras.extras).values())
