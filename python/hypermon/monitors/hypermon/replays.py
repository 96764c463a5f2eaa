# SPDX-License-Identifier: BSD-3-Clause
"""The HYPERMON monitor's replay module (`hypermon._engine.replays.Replays`)."""

from __future__ import annotations

from collections.abc import Hashable, Mapping

from hypermon._model.native import _core
from hypermon._model.spec import Spec
from hypermon.monitors.hypermon.replaying import (
    ACTS_BACK,
    COUNTED,
    count,
    outlet,
    require_replayable,
    timeline,
    why_not,
)

__all__ = [
    "ACTS_BACK",
    "COUNTED",
    "COUNTS",
    "EXPLORED",
    "INTERVAL",
    "LEVELS",
    "LOST",
    "REFERENCE",
    "UNEXPLORED",
    "count",
    "counts_apart",
    "depth",
    "in_common",
    "in_simulator",
    "outlet",
    "require_replayable",
    "timeline",
    "track",
    "why_not",
]

LEVELS = {"most frames in the FIFO": "peak", "fewest frames in the FIFO": "least"}  # levels of the fullest board
COUNTS = {"frames built": "built", "frames lost": "lost"}
LOST = frozenset({"frames lost"})
INTERVAL = "interval_s"
EXPLORED: Mapping[str, str] = {
    "ecb": "Capture boards",
    "pbx": "Bus",
    "reader": "Reader",
    "drain": "Drain program",
    "erb": "Event regeneration boards",
}
UNEXPLORED = frozenset({"drain.keep_frames", "ecb.level", "pbx.level"})
REFERENCE: tuple[str, tuple[str, ...]] = ("prototype", ("reader/prototype",))
BEHIND_FRAME_FIFO = ("ecb.frame_fifo", "ecb.level", "backplane.level", "pbx.", "reader.", "drain.")


def in_common(spec: Spec) -> Hashable:
    """The front of the boards, up to the frame FIFO."""
    return spec.text_of(_is_front)


def _is_front(path: str) -> bool:
    return not path.startswith(BEHIND_FRAME_FIFO)


def in_simulator(spec: Spec) -> str:
    """A user's board is a SystemC module."""
    return next((path for path in ("ecb.module", "ecb.rtl") if spec.values[path]), "")


def track(spec: Spec) -> str:
    boards = -(-int(spec.values["nodes"]) // int(spec.values["ecb.inputs"]))
    return "board 0" if boards == 1 else f"boards 0 to {boards - 1}"


def depth(spec: Spec) -> int | None:
    return int(spec.values["ecb.frame_fifo_frames"])


def counts_apart(spec: Spec) -> bool:
    return _core.counts_apart(spec.native)
