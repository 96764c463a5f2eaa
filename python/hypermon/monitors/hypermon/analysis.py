# SPDX-License-Identifier: BSD-3-Clause
"""Analysis of the recording in a run directory: losses and occupancy over time, and the sizes that would suffice."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from hypermon._model.result import RECORDING, Result
from hypermon.errors import UserError
from hypermon.monitors.hypermon.recorded import Recorded

if TYPE_CHECKING:
    from hypermon._engine.recording import Recording
    from hypermon._model.spec import Spec

INTERVALS = 500  # (chosen) resolution of a page, or of a column of a paper
# Word times from half the bus's peak time to four times the prototype's (HYPERMON sec. 5.1: 222, 500, 800).
WORD_NS = (111, 157, 222, 314, 400, 500, 566, 700, 800, 900, 1000, 1131, 1400, 1600, 2263, 3200)


def analyse(result: Result) -> Recorded | None:
    """Returns the analysis of the recording in the run directory. None: there is no recording."""
    if not result.is_saved or not (result.folder / RECORDING).is_file():
        return None
    from hypermon._engine.recording import Recording
    from hypermon.monitors.hypermon import frontiers, replaying

    recording = Recording(result.folder)
    words = sorted({*WORD_NS, result["spec"]["pbx"]["word_ns"]})
    timeline = frontier = None
    with contextlib.suppress(UserError):
        timeline = _overview(replaying.timeline(recording, intervals=INTERVALS**2))
    with contextlib.suppress(UserError, ValueError):  # a FIFO that drops its oldest frames has none
        frontier = frontiers.of_design(recording, words, recording.spec)
    return Recorded(
        timeline,
        timeline.pop("histogram") if timeline else None,
        frontier,
        sufficient_depth(recording, recording.spec) if result["monitor"]["frames"]["lost"] else None,
    )


def sufficient_depth(recording: Recording, design: Spec) -> int:
    """Returns a depth (frames) at which the design loses nothing of the recording."""
    from hypermon.monitors.hypermon import replaying

    return int(replaying.reader_depth(recording, [int(design.values[replaying.WORD_NS])], design)[0])


def _overview(fine: Mapping[str, Any]) -> dict[str, Any]:
    """Returns a time line in INTERVALS intervals, and as many shorter intervals around its peak."""
    import numpy as np

    begins = np.arange(0, len(fine["begin_s"]), INTERVALS)
    merged = {
        "begin_s": fine["begin_s"][begins],
        **{key: np.add.reduceat(fine[key], begins) for key in ("built", "lost")},
        "peak": np.maximum.reduceat(fine["peak"], begins),
        "least": np.minimum.reduceat(fine["least"], begins),
    }
    first = max(0, int(fine["peak_s"] / fine["interval_s"]) - INTERVALS // 2)
    near = {key: fine[key][first : first + INTERVALS] for key in merged}
    about = {"peak_s": fine["peak_s"], "around_peak": _lists(near), "histogram": _lists(fine["histogram"])}
    return _lists(merged) | about


def _lists(arrays: Mapping[str, Any]) -> dict[str, Sequence[float]]:
    """Converts arrays to JSON data."""
    return {name: array.tolist() for name, array in arrays.items() if hasattr(array, "tolist")}
