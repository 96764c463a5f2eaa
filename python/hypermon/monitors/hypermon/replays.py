# SPDX-License-Identifier: BSD-3-Clause
"""HYPERMON's replays as the rest of hypermon asks for them (`hypermon._engine.replays.Replays`)."""

from __future__ import annotations

import os
from collections.abc import Hashable

from hypermon._engine.recorder import record_spec
from hypermon._engine.recording import FILE, Recording, assemble
from hypermon._model.native import _core
from hypermon._model.schema import Schema
from hypermon._model.spec import Spec
from hypermon.monitors.hypermon.replaying import (
    ACTS_BACK,
    COUNTED,
    Emissions,
    count,
    fates,
    outlet,
    replay_spec,
    require_replayable,
    resolve,
    timeline,
    why_not,
)

TRACK = "boards"
LEVELS = {"most frames in the FIFO": "peak", "fewest frames in the FIFO": "least"}  # of the fullest board
COUNTS = {"frames built": "built", "frames lost": "lost"}
INTERVAL = "interval_s"
BEHIND_FRAME_FIFO = ("ecb.frame_fifo", "pbx.", "reader.", "drain.")

__all__ = [
    "ACTS_BACK",
    "COUNTED",
    "COUNTS",
    "FILE",
    "INTERVAL",
    "LEVELS",
    "TRACK",
    "assemble",
    "count",
    "counts_apart",
    "emissions",
    "fates",
    "in_common",
    "opened",
    "outlet",
    "record_spec",
    "replay_spec",
    "require_replayable",
    "resolve",
    "timeline",
    "why_not",
]


def opened(path: str | os.PathLike[str]) -> Recording:
    return Recording(path)


def in_common(spec: Spec) -> Hashable:
    """The front of the boards, up to the frame FIFO."""
    return tuple(value for path, value in sorted(spec.values.items()) if not path.startswith(BEHIND_FRAME_FIFO))


def emissions(schema: Schema) -> Emissions:
    return Emissions(schema)


def counts_apart(spec: Spec) -> bool:
    return _core.counts_apart(spec.to_json())
