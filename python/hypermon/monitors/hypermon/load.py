# SPDX-License-Identifier: BSD-3-Clause
"""Load of the frame FIFO in the long run: if frames arrive faster than they can be read, no depth suffices."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from hypermon._engine.load import Load
from hypermon._model.words import rate
from hypermon.monitors.hypermon.facts import BoardRun

# Results from which, with the specification, the load is computed.
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
    """Returns the load of a result, of which METRICS and `spec` suffice. None: no frames, or another monitor.

    The load is the rate of frames that arrive at a board's FIFO divided by the largest rate at which the I/O node can
    read them. If a full FIFO stalls the builder, windows that were lost for that reason count as arrivals. Reading
    includes the words, the reader's pauses, and the processing of the data (`BoardRun.service_ns`). Rates are means
    over the boards.
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
    """Computes the load from the counts of a replay (`replaying.COUNTED`), for hardware whose drain takes no time.

    `spec` is nested, and may have another `pbx.word_ns`: as long as nothing stalls the builder, the arrivals do not
    depend on it.
    """
    drain = {"bytes_read": counts["logged_bytes"], "reducing_s": 0.0, "waiting_s": 0.0}
    frames = {name: counts[f"monitor.frames.{name}"] for name in ("built", "drained")}
    monitor = {"frames": frames, "windows_lost": counts["monitor.windows_lost"], "drain": drain}
    return compute({"spec": spec, "elapsed_s": counts["elapsed_s"], "monitor": monitor})
