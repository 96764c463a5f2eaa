# SPDX-License-Identifier: BSD-3-Clause
"""What a monitor's own options of `hypermon run` ask for beside the result: waves of its hardware, say."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Protocol

from hypermon._model import monitors

if TYPE_CHECKING:  # every command line has the options: it waits for nothing else
    from pathlib import Path

    from hypermon._engine.workers import Progress
    from hypermon._model.result import Result
    from hypermon._model.spec import Spec

Wanted = Mapping[str, Any]


class Extras(Protocol):
    """A monitor's module of them (`Monitor.extras`)."""

    OPTIONS: Mapping[str, Any]
    """By name the annotation, as Typer has it; without a value each is None."""
    WHAT: str
    """What they ask for, in a word."""

    def wanted(self, *_: Any, **options: Any) -> Wanted | None:
        """What these options, by their names in OPTIONS, ask for; None: nothing. A UserError says what cannot be
        asked."""

    def run(
        self, spec: Spec, out: Path, progress: Progress | None, wanted: Wanted, force: bool
    ) -> tuple[Result, Callable[[], None]]:
        """A run with that, and what tells a person of it. `force`: `out` is replaced whatever it holds. A UserError if
        this monitor has none of it."""


class HasExtras(Protocol):
    def extras(self) -> Extras | None: ...


def every() -> list[Extras]:
    """Of all monitors that have such."""
    return list(monitors.parts(HasExtras.extras).values())
