"""Waves of a run while it runs: what a monitor's hardware does, edge by edge."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol, cast

from hypermon._engine.workers import Progress
from hypermon._model import monitors
from hypermon._model.result import Result
from hypermon._model.spec import Spec
from hypermon.errors import UserError


class OfRuns(Protocol):
    """A monitor's module of them (`Monitor.waves`)."""

    def of_run(
        self, spec: Spec, out: Path, progress: Progress | None = None, **wanted: Any
    ) -> tuple[Result, Callable[[], None]]:
        """A run with its waves, and what tells a person of them. `wanted`: as the options of `hypermon run` say."""


def of(spec: Spec) -> OfRuns:
    """Of the specification's monitor; of one that has them, to say why this one has none."""
    own = monitors.part(monitors.of(spec.values["monitor"]), "waves")
    some = own or next(iter(monitors.parts("waves").values()), None)
    if some is None:
        raise UserError(f"monitor = {spec.values['monitor']}: has no waves")
    return cast(OfRuns, some)
