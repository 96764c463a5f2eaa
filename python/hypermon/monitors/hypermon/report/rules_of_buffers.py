# SPDX-License-Identifier: BSD-3-Clause
"""Rules about the boards' FIFOs and the memory behind them, with advice."""

from __future__ import annotations

import math

from hypermon._model.words import count, data, nanoseconds, percent, plural, rate, seconds, three_digits
from hypermon.monitors.hypermon import load
from hypermon.monitors.hypermon.facts import EDGE_NS, BoardRun
from hypermon.monitors.hypermon.report.rules_of_nodes import of_each_board
from hypermon.report.rules import BUSY, GOOD, LIMIT, PROBLEM, Finding


def frame_fifo_margin(run: BoardRun) -> Finding | None:
    """Part of the frame FIFO that was never used.

    The peak plus one certainly suffices: a frame that arrives at the edge at which another one leaves meets the level
    before that edge (contract section 1), but the peak is counted after it.
    """
    frames = run.monitor["frames"]
    if frames["lost"] or not frames["built"]:
        return None
    peak, depth = frames["peak_occupancy"], run.depth
    used = peak / depth
    text = f"At its fullest the frame FIFO held {count(peak)} of {plural(depth, 'frame')} ({percent(used)})"
    if used > BUSY:
        return Finding(
            LIMIT,
            "The frame FIFO was nearly full",
            f"{text}. Any longer pause of the reader loses frames.",
            "A deeper frame FIFO (ecb.frame_fifo_frames), a faster bus (pbx.word_ns), or shorter pauses of the reader "
            "(reader.stall_ns).",
        )
    return Finding(
        GOOD,
        f"Margin of the frame FIFO: {three_digits(depth / peak)} times what it needed",
        f"{text}. With everything else the same, a depth of {count(min(depth, peak + 1))} would have lost nothing.",
    )


def frame_fifo_overrun(run: BoardRun) -> Finding | None:
    frames = run.monitor["frames"]
    if not frames["lost"]:
        return None
    began = run.monitor["first_overrun_s"]
    first = f", first after {seconds(began)}" if began is not None else ""
    text = (
        f"{count(frames['lost'])} of {plural(frames['built'], 'frame')} ({percent(frames['lost'] / frames['built'])}) "
        f"found the frame FIFO of {plural(run.depth, 'frame')} full{first}."
    )
    return Finding(PROBLEM, "The frame FIFO overflowed", text, _against_overrun(run))


def _against_overrun(run: BoardRun) -> str:
    word = run.spec["pbx"]["word_ns"]
    reader = run.spec["reader"]
    long_run = load.compute(run.result)
    if long_run is not None and not long_run.lasts:
        needed = word / long_run.share
        return (
            f"To lose nothing, use PBX words of less than {nanoseconds(needed)} instead of {nanoseconds(word)} "
            "(pbx.word_ns), or build fewer frames: with a wider port (port.width_bits) or with selective timestamps "
            "(ecb.timestamp_policy). No depth is enough in the long run: a board builds "
            f"{rate(long_run.per_s, 'frames')} on average and the I/O node reads "
            f"{rate(long_run.capacity_per_s, 'frames')} at most."
        )
    demand, capacity = run.built_per_s, 1e9 / run.service_ns if run.service_ns else math.inf
    exact = (
        reader["kind"] == "ideal" and run.spec["drain"]["reduction"] == "none" and not run.monitor["drain"]["waiting_s"]
    )
    if run.recorded is not None and exact:
        least = run.recorded.least_depth(word)
        slowest = run.recorded.slowest_word_ns(run.depth)
        ways = [f"a depth of {plural(least, 'frame')} (ecb.frame_fifo_frames)"] if least is not None else []
        if slowest is not None and slowest < word:
            ways.append(f"words of {nanoseconds(slowest)} at this depth (pbx.word_ns)")
        if ways:
            return f"The recording shows exactly: {' or '.join(ways)} would have lost nothing."
    if reader["kind"] == "group" and reader["stall_ns"] and reader["stall_every_frames"]:
        most, come = (per_s * reader["stall_ns"] * 1e-9 for per_s in (run.most_per_s, run.fullest_per_s))
        depth = f"about {count(_power_of_two(most))} would hold them (an estimate; ecb.frame_fifo_frames)"
        if run.recorded is not None and run.recorded.enough is not None:
            depth = f"{count(run.recorded.enough)} would have lost nothing (exact: recorded; ecb.frame_fifo_frames)"
        return (
            f"A depth of {depth}, or pauses well under "
            f"{seconds(run.depth / run.most_per_s)} (reader.stall_ns): the reader stays away for "
            f"{nanoseconds(reader['stall_ns'])} after every {plural(reader['stall_every_frames'], 'frame')}. At most "
            f"{plural(most, 'frame')} can arrive in this time; {count(come)} do in the busiest hundredth of the run."
        )
    if run.recorded is not None and run.recorded.enough is not None:
        depth = plural(run.recorded.enough, "frame")
        return f"The recording shows exactly: a depth of {depth} (ecb.frame_fifo_frames) would have lost nothing."
    return (
        f"A deeper frame FIFO (ecb.frame_fifo_frames): the I/O node could read "
        f"{three_digits(capacity / demand)} times what "
        "comes on average, so the losses are bursts. hypermon record this run and report again to see which depth "
        "would have sufficed."
    )


def _power_of_two(frames: float) -> int:
    return int(2 ** math.ceil(math.log2(max(1.0, frames))))


def builder(run: BoardRun) -> Finding | None:
    """Is the frame builder as fast as the windows?"""
    if not run.monitor["frames"]["built"]:
        return None
    window = min(int(board["window_ns"]) for board in run.boards)
    text = (
        f"It needs {nanoseconds(run.builder_ns)} a frame and is busy {percent(run.builder_busy)} of the time"
        f"{of_each_board(run)}"
    )
    if run.builder_ns <= window:
        return Finding(
            GOOD, "The frame builder keeps up with any traffic", f"{text}; a window lasts {nanoseconds(window)}."
        )
    return Finding(
        LIMIT,
        "The frame builder is slower than the windows",
        f"{text}, but a window lasts only {nanoseconds(window)}: bursts longer than the FIFOs before it lose windows.",
        f"A builder of at most {window // EDGE_NS} cycles (ecb.builder_cycles), or windows of "
        f"{nanoseconds(run.builder_ns)} (ecb.window_ns).",
    )


def builder_overrun(run: BoardRun) -> Finding | None:
    """Losses before the builder: it does not empty the node FIFOs and the strobe-vector FIFO in time."""
    overruns, windows = run.monitor["node_overruns"], run.monitor["windows_lost"]
    if not overruns and not windows:
        return None
    text = (
        f"{plural(overruns, 'datum', 'data')} found a full node FIFO and {plural(windows, 'window')} "
        f"a full strobe-vector FIFO, with {plural(run.monitor['discarded'], 'nibble')}. "
        f"The builder needs {nanoseconds(run.builder_ns)} a frame."
    )
    if run.spec["ecb"]["frame_fifo_full"] == "stall":
        change = "The frame FIFO holds the builder when it is full (ecb.frame_fifo_full): "
        long_run = load.compute(run.result)
        if long_run is None or long_run.lasts:
            change += "make it deeper, or read faster."
        else:
            change += (
                f"read faster. {percent(long_run.share)} of what can be read comes: in the long run no depth is enough."
            )
    else:
        change = "Make the builder as fast as the windows (ecb.builder_cycles, ecb.window_ns), or these FIFOs deeper."
    return Finding(PROBLEM, "The FIFOs before the frame builder overflowed", text, change)


def memory_full(run: BoardRun) -> Finding | None:
    lost = run.monitor["drain"]["bytes_lost"]
    if not lost:
        return None
    kept = run.monitor["drain"]["bytes_kept"]
    return Finding(
        PROBLEM,
        "The I/O node's memory was full",
        f"{data(lost)} of {data(lost + kept)} found no room in {data(run.spec['drain']['memory_bytes'])}.",
        f"More memory (drain.memory_bytes): {'about ' * (len(run.boards) > 1)}{data((lost + kept) / len(run.boards))} "
        "an I/O node would hold it all; or write it away (drain.destination), or reduce it first (drain.reduction).",
    )
