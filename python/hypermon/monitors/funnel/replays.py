# SPDX-License-Identifier: BSD-3-Clause
"""The trace funnel's replay module (`hypermon._engine.replays.Replays`).

Designs are not counted together: each needs a replay of its own, which is a pass over the recording.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import Any

import numpy as np

from hypermon._engine.recording import Recording
from hypermon._engine.replaying import applies_back_pressure, replay_spec
from hypermon._engine.replays import Outlet
from hypermon._model.native import _core
from hypermon._model.schema import flat
from hypermon._model.spec import Spec

ACTS_BACK = "funnel_source.full = stall"
COUNTED: frozenset[str] = frozenset()
LEVELS: dict[str, str] = {}
COUNTS: dict[str, str] = {}
LOST: frozenset[str] = frozenset()
INTERVAL = "interval_s"
EXPLORED: Mapping[str, str] = {
    "funnel_sink": "Sinks",
    "funnel_source": "Sources",
    "funnel_link": "Links",
    "funnel_formatter": "Formatters",
    "funnel_protocol": "Protocol",
    "funnel": "Chips",
}
UNEXPLORED: frozenset[str] = frozenset()
REFERENCE: tuple[str, tuple[str, ...]] = ("defaults", ())


def why_not(spec: Spec) -> str:
    return "full sources stall their nodes" if applies_back_pressure(spec) else ""


def require_replayable(spec: Spec) -> None:
    pass


def outlet(spec: Spec) -> Outlet:
    """Returns a node's trace port as an outlet. A datum is a store."""
    store_ps = np.array(_core.stimulus_stores(spec.to_line()), np.int64)
    return Outlet(
        bits=8 * int(spec.values["stimulus.store_bytes"]),
        first_ps=store_ps,
        pitch_ps=store_ps,
        width="8 * stimulus.store_bytes",
        pace="stimulus.store_ns",
        longest=_core.longest_message(spec.to_line()),
        length="funnel_source.fifo_bytes",
    )


def in_common(spec: Spec) -> Hashable:  # noqa: ARG001
    return None


def in_simulator(spec: Spec) -> str:  # noqa: ARG001
    return ""


def track(spec: Spec) -> str:  # noqa: ARG001
    return "chips"


def depth(spec: Spec) -> int | None:  # noqa: ARG001
    return None


def counts_apart(spec: Spec) -> bool:  # noqa: ARG001
    return False


def count(recording: Recording, specs: Sequence[Spec]) -> list[dict[str, Any]]:
    """Returns all numbers of each design, by whole replays."""
    return [flat(replay_spec(recording, spec).to_dict()) for spec in specs]


def timeline(
    recording: Recording, spec: Spec | None = None, intervals: int = 1000, *, histogram: bool = True
) -> dict[str, Any]:
    """Not called, because no design is counted together with others."""
    raise NotImplementedError
