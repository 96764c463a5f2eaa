# SPDX-License-Identifier: BSD-3-Clause
"""In the long run: do frames come faster than they can be read? Then no depth of the frame FIFO is enough."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from hypermon._engine.load import Load
from hypermon._model.words import rate
from hypermon.monitors.hypermon.facts import BoardRun

# What of a result says it, beside the specification.
METRICS: tuple[str, ...] = (
    "elapsed_s",
    "monitor.frames.built",
    "monitor.frames.drained",
    "monitor.windows_lost",
    "monitor.drain.bytes_read",
    "monitor.drain.reducing_s",
    "monitor.drain.waiting_s",
)


def compute(result: Mapping[str, Any]) -> Load | None:
    """Of a result, or as much of one as METRICS and its `spec`; None if there are no frames under its monitor.

    Frames that come to the FIFO of a board; where a full one holds the builder, also the windows that were lost before
    it for that. Against those that the I/O node can read for ever: words, the reader's pauses, and what it does with
    the data (`BoardRun.service_ns`). Means over the boards.
    """
    if result["spec"]["monitor"] != "hypermon":
        return None
    run = BoardRun(result)
    come = run.built_per_s
    if run.spec["ecb"]["frame_fifo_full"] == "stall" and run.elapsed_s:
        come += float(run.monitor["windows_lost"]) / run.elapsed_s / len(run.boards)
    capacity = 1e9 / run.service_ns if run.service_ns else math.inf
    never = (
        f"no depth of the frame FIFO is enough: a board builds {rate(come, 'frames')} on average and the I/O node"
        f" reads {rate(capacity, 'frames')} at most"
    )
    return Load(come, capacity, "frames", never)


def of_counts(counts: Mapping[str, Any], spec: Mapping[str, Any]) -> Load | None:
    """The same of the counts of a replay (`replaying.COUNTED`), of hardware that a count holds for: its drain takes no
    time. `spec`: nested, perhaps with another `pbx.word_ns`: while nothing holds the builder, frames come all the same.
    """
    drain = {"bytes_read": counts["logged_bytes"], "reducing_s": 0.0, "waiting_s": 0.0}
    frames = {name: counts[f"monitor.frames.{name}"] for name in ("built", "drained")}
    monitor = {"frames": frames, "windows_lost": counts["monitor.windows_lost"], "drain": drain}
    return compute({"spec": spec, "elapsed_s": counts["elapsed_s"], "monitor": monitor})
