# SPDX-License-Identifier: BSD-3-Clause
"""Rules about the resolution of windows and timestamps, with advice."""

from __future__ import annotations

from hypermon._model.words import nanoseconds, plural, seconds
from hypermon.monitors.hypermon.facts import EDGE_NS, BoardRun
from hypermon.report.rules import GOOD, LIMIT, PROBLEM, Finding


def aliasing(run: BoardRun) -> Finding | None:
    lost = run.monitor["aliasing"]
    window = max(int(board["window_ns"]) for board in run.boards)
    pitch = run.pitch_ns
    if not lost:
        return None
    came = plural(lost, "datum", "data")
    text = f"{came} came as a node's second in one window of {nanoseconds(window)}"
    if pitch >= window:
        return Finding(
            PROBLEM,
            "Strobes were lost to aliasing",
            f"{text}, although a node writes every {nanoseconds(pitch)} at most.",
            "No injected faults: only they can do that (faults.skew_ns).",
        )
    fits = int(pitch // EDGE_NS * EDGE_NS)
    return Finding(
        PROBLEM,
        "Nodes write faster than the windows pass",
        f"{text}: a node may write every {nanoseconds(pitch)}, a window catches one datum of each node.",
        f"Windows of at most {nanoseconds(fits)} (ecb.window_ns), or slower writes (port.delay).",
    )


def timestamps_wrap(run: BoardRun) -> Finding | None:
    bits, window = min((int(board["timestamp_bits"]), int(board["window_ns"])) for board in run.boards)
    period = 2.0**bits * window * 1e-9
    silences = run.monitor["ambiguous_silences"]
    wraps = int(run.elapsed_s // period)
    if silences:
        return Finding(
            PROBLEM,
            "Timestamps cannot be told apart",
            f"In {plural(silences, 'silence')} the {bits}-bit timestamp, which repeats every {seconds(period)}, may "
            "have wrapped more often than the decoder could tell.",
            "More bits (ecb.timestamp_bits), or an empty frame at every wrap (ecb.wrap_frames).",
        )
    if not wraps or run.spec["ecb"]["wrap_frames"]:
        return None
    return Finding(
        LIMIT,
        f"Timestamps wrapped {plural(wraps, 'time')}",
        f"{bits} bits of {nanoseconds(window)} repeat every {seconds(period)}. The order of the frames told the wraps "
        "apart in this run; a silence as long as that would not.",
        "An empty frame at every wrap removes the doubt (ecb.wrap_frames).",
    )


def one_clock(run: BoardRun) -> Finding | None:
    """Timestamps that only their resolution limits."""
    error = run.result["timestamp_error_us"]
    if error is None or run.result["causality_violations"]:
        return None
    window = max(int(board["window_ns"]) for board in run.boards)
    if max(-error["min"], error["max"]) > window * 1e-3:
        return None
    return Finding(
        GOOD,
        "Timestamps are as good as their resolution",
        f"They differ from true time by {seconds(error['min'] * 1e-6)} to {seconds(error['max'] * 1e-6)}: a window is "
        f"{nanoseconds(window)}. No message was received before it was sent.",
    )
