"""HYPERMON's replays as the rest of hypermon asks for them (`hypermon._engine.replays.Replays`)."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from hypermon._model.native import _core
from hypermon._model.schema import Schema
from hypermon._model.spec import Spec
from hypermon.monitors.hypermon.recorder import record_spec
from hypermon.monitors.hypermon.recording import FILE, Recording, assemble
from hypermon.monitors.hypermon.replaying import (
    COUNTED,
    Emissions,
    acts_back,
    count,
    fates,
    replay_spec,
    resolve,
    timeline,
)

if TYPE_CHECKING:
    from hypermon._engine.replays import Replays

    def _is_complete(replays: Replays) -> None: ...

    from hypermon.monitors.hypermon import replays as _this

    _is_complete(_this)

__all__ = [
    "COUNTED",
    "FILE",
    "acts_back",
    "assemble",
    "count",
    "counts_apart",
    "emissions",
    "fates",
    "opened",
    "record_spec",
    "replay_spec",
    "resolve",
    "timeline",
]


def opened(path: str | os.PathLike[str]) -> Recording:
    return Recording(path)


def emissions(schema: Schema) -> Emissions:
    return Emissions(schema)


def counts_apart(spec: Spec) -> bool:
    return _core.counts_apart(spec.to_json())
