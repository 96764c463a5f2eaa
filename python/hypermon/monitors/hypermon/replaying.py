# SPDX-License-Identifier: BSD-3-Clause
"""The HYPERMON monitor's replays: counts of many boards in one pass, frontiers, a FIFO over time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hypermon._engine.limits import Limits
from hypermon._engine.recording import Recording
from hypermon._engine.replaying import (
    Emissions,
    applies_back_pressure,
    emission_parameters,
    fates,
    replay,
    replay_spec,
    require_same_emissions,
    resolve,
    sensible,
)
from hypermon._engine.replays import Outlet
from hypermon._engine.streams.event_files import MOST_BYTES
from hypermon._model import worker
from hypermon._model.native import _core
from hypermon._model.schema import common_path, flat, nested
from hypermon._model.spec import Spec
from hypermon.errors import UserError

__all__ = [
    "COUNTED",
    "Emissions",
    "count",
    "emission_parameters",
    "fates",
    "frontier",
    "long_run",
    "reader_depth",
    "replay",
    "replay_spec",
    "require_same_emissions",
    "resolve",
    "sensible",
    "timeline",
    "why_not",
]


DEPTH, WORD_NS, READER = "ecb.frame_fifo_frames", "pbx.word_ns", "reader.kind"
MOST_BYTES_COUNTED = 1 << 28
"""Most memory of the FIFOs that are counted in one pass over a recording (chosen)."""


def why_not(spec: Spec) -> str:
    """Reason why only a co-simulation gives the result; empty if it depends only on the nodes' writes."""
    if applies_back_pressure(spec):
        return "the hardware feeds back to the machine"
    return "others on the PBX may delay the drain" if _core.contends(spec.native) else ""


def require_replayable(spec: Spec) -> None:
    """Raises a UserError if the result depends on anything but the nodes' writes."""
    if _core.contends(spec.native):
        raise UserError(
            "dma.words, pbx.module: a replay does not simulate other masters and modules on the PBX; use hypermon run"
        )


def outlet(spec: Spec) -> Outlet:
    """Outlet of a node's events."""
    costs, pitches = _core.port_timing(spec.to_line())
    return Outlet(
        bits=int(spec.values["port.width_bits"]),
        first_ps=np.array(costs, np.int64),
        pitch_ps=np.array(pitches, np.int64),
        width="port.width_bits",
        pace="port.nibble_cost_ns, port.delay, port.delay_iteration_ns",
        longest=MOST_BYTES,
    )


ACTS_BACK = "ecb.node_fifo_full = stall and drain.destination = host"
"""Settings that feed back on the nodes, as an error names them."""
COUNTED = frozenset(
    {
        # the program's part of the result, which is the recorded run's
        "fingerprint",
        "elapsed_s",
        "events",
        "event_bytes",
        "bursts.bytes",
        "bursts.mean_bytes_per_s",
        "bursts.max_1ms_bytes_per_s",
        "bursts.max_20ms_bytes_per_s",
        "ledger.generated.nibbles",
        "ledger.generated.events",
        # counts of the hardware
        "logged_bytes",
        "ledger.lost_total.nibbles",
        "monitor.frames.built",
        "monitor.frames.lost",
        "monitor.frames.merged",
        "monitor.frames.drained",
        "monitor.frames.peak_occupancy",
        "monitor.overrun",
        "monitor.first_overrun_s",
        "monitor.strobes",
        "monitor.aliasing",
        "monitor.node_overruns",
        "monitor.windows_lost",
        "monitor.discarded",
        "monitor.end_s",
    }
)
"""Paths into result.json of the numbers that `count` gives."""


def count(recording: Recording, specs: Sequence[Spec]) -> list[dict[str, Any]]:
    """Returns the numbers of COUNTED, by path, for each specification. They equal those of `replay`, but many are
    computed faster.

    Work that designs share is done once, in one pass over the recording and in bounded memory. Designs whose losses
    depend on more than the arrival times of frames (faults, drain programs that take time) are replayed one by one.
    """
    emissions = Emissions(worker.schema())
    recorded = emissions.text(recording.spec)
    for spec in specs:
        if emissions.text(spec) != recorded or why_not(spec):
            require_same_emissions(recording, spec)  # says why not
    apart = [i for i, spec in enumerate(specs) if _core.counts_apart(spec.native)]
    rows: dict[int, dict[str, Any]] = {}
    for some in _passes(specs, apart):
        rows |= zip(some, _count(recording, [specs[i] for i in some]), strict=True)
    for i in set(range(len(specs))).difference(apart):
        result = flat(replay_spec(recording, specs[i]).to_dict())
        rows[i] = {path: result[path] for path in COUNTED}
    return [{path: rows[i][path] for path in sorted(COUNTED)} for i in range(len(specs))]


def _passes(specs: Sequence[Spec], which: Sequence[int]) -> Iterator[list[int]]:
    """Divides the specifications into passes over the recording. A frame FIFO that drops the oldest frame needs one
    byte for each frame of its depth.
    """
    some: list[int] = []
    size = 0
    for i in which:
        values = specs[i].values
        own = int(values["ecb.frame_fifo_frames"]) if values["ecb.frame_fifo_full"] == "drop_oldest" else 0
        if some and size + own > MOST_BYTES_COUNTED:
            yield some
            some, size = [], 0
        some.append(i)
        size += own
    if some:
        yield some


def _count(recording: Recording, specs: Sequence[Spec]) -> list[dict[str, Any]]:
    limits = [Limits(spec) for spec in specs]
    counting = _core.CountReplay([spec.native for spec in specs])
    with sensible(recording):
        counting.program_ends(recording.program_end_ps)
        for b in recording.batches():
            for limit in limits:
                limit.check(int(b.first_ps[0]), recording.end_ps)
            counting.add(**b.columns)
        columns = counting.finish()
    recorded = flat(recording.result)
    program = {path: recorded[path] for path in COUNTED if not path.startswith(("monitor.", "ledger.lost", "logged"))}
    nibbles = recording.result["spec"]["port"]["width_bits"] // 4
    lost: list[Any] = [columns["accumulating"], *(array for name, array in columns.items() if name.startswith("lost_"))]
    first = columns["first_overrun_ps"].astype(np.float64)
    first[first < 0] = np.inf
    # Sums over a design's boards; the peak and the first overrun are those of the worst, as in a full result.
    starts = np.flatnonzero(np.diff(columns["design"], prepend=-1))
    total = {
        "monitor.frames.built": columns["frames_built"],
        "monitor.frames.lost": columns["frames_lost"],
        "monitor.frames.merged": columns["merged"],
        "monitor.frames.drained": columns["drained"],
        "monitor.strobes": columns["strobes"],
        "monitor.aliasing": columns["aliasing"],
        "monitor.node_overruns": columns["node_overruns"],
        "monitor.windows_lost": columns["windows_lost"],
        "monitor.discarded": columns["discarded"],
        "logged_bytes": 4 * columns["drained"] * columns["frame_words"].astype(np.uint64),
        "ledger.lost_total.nibbles": nibbles * sum(lost),
    }
    sums = {path: np.add.reduceat(column, starts).tolist() for path, column in total.items()}
    peaks = np.maximum.reduceat(columns["peak_frame_fifo"], starts).tolist()
    ends = np.maximum.reduceat(columns["end_ps"], starts).tolist()
    firsts = np.minimum.reduceat(first, starts).tolist()
    return [
        program
        | {path: column[i] for path, column in sums.items()}
        | {
            "monitor.frames.peak_occupancy": peaks[i],
            "monitor.end_s": ends[i] * 1e-12,
            "monitor.overrun": sums["monitor.frames.lost"][i] > 0,
            "monitor.first_overrun_s": None if firsts[i] == np.inf else firsts[i] * 1e-12,
        }
        for i in range(len(specs))
    ]


def frontier(recording: Recording, word_ns: Sequence[int], spec: Spec | None = None) -> dict[str, NDArray[Any]]:
    """Computes the buffer-bandwidth frontier: the least frame FIFO without loss for each word time of the bus, in one
    pass.

    Returns arrays over the word times, with the same columns as `hypermon frontier` prints: `word_ns`;
    `bandwidth_bytes_per_s` of the reader; `least_depth` (frames), exact for an ideal reader; and `bound` (frames), that
    of network calculus with the recording's own arrival curve. Whether a depth suffices in the long run follows from
    counts: `frames_per_s` that a board builds on average, `capacity_frames_per_s` that its own reader can take (not
    finite: no limit), `load` (their ratio), and `lasts`. Values are those of the board with the largest need. `spec`:
    other hardware than that of the recording.
    """
    spec = spec or recording.spec
    boards = []
    for board in range(_boards(recording, spec)):
        try:
            points = _core.Frontier(spec.to_json(), list(word_ns), board)
            points.program_ends(recording.program_end_ps)
        except ValueError as error:
            raise UserError(str(error)) from None
        with sensible(recording):
            for b in recording.batches():
                points.add(**b.columns)
            boards.append(points.finish())
    return {
        "word_ns": boards[0]["word_ns"],
        "bandwidth_bytes_per_s": boards[0]["bytes_per_second"],
        "least_depth": np.max([points["least_depth"] for points in boards], axis=0),
        "bound": np.max([points["depth_bound"] for points in boards], axis=0),
        **long_run(recording, word_ns, spec),
    }


def long_run(recording: Recording, word_ns: Sequence[int], spec: Spec) -> dict[str, NDArray[Any]]:
    """Returns the rates of frames that a board builds and that its reader can take, on average, for each word time."""
    from hypermon.monitors.hypermon import load

    (counts,) = count(recording, [spec])
    loads = [load.of_counts(counts, nested({**spec.values, "pbx.word_ns": int(word)})) for word in word_ns]
    known = [one for one in loads if one is not None]
    return {
        "frames_per_s": np.array([one.per_s for one in known]),
        "capacity_frames_per_s": np.array([one.capacity_per_s for one in known]),
        "load": np.array([one.share for one in known]),
        "lasts": np.array([one.lasts for one in known]),
    }


def reader_depth(recording: Recording, word_ns: Sequence[int], spec: Spec | None = None) -> NDArray[np.int64]:
    """Depth (frames) of the frame FIFO at which the reader in use loses nothing, for each word time of the bus.

    The depth is the peak occupancy of the deepest possible FIFO plus one. A frame that arrives at the clock edge at
    which another frame leaves needs the additional place. For an ideal reader, `frontier` has the least depth.
    """
    spec = spec or recording.spec
    depth = worker.schema().parameters[DEPTH]
    deepest = {path: depth.parse(depth.max, DEPTH) for path in spec.values if common_path(path) == DEPTH}
    words = [path for path in spec.values if common_path(path) == WORD_NS]
    designs = [Spec(spec.scenario, {**spec.values, **deepest, **dict.fromkeys(words, int(word))}) for word in word_ns]
    return np.array([one["monitor.frames.peak_occupancy"] + 1 for one in count(recording, designs)], dtype=np.int64)


def timeline(
    recording: Recording, spec: Spec | None = None, intervals: int = 1000, *, histogram: bool = True
) -> dict[str, Any]:
    """Computes the level of the frame FIFO over time: arrays over about `intervals` equal intervals from time 0 on.

    The arrays are `begin_s`; `built` and `lost` (frames); `lost_data` (data in lost frames); `peak`, the largest level
    of the fullest board's FIFO; and `least`, the smallest level of that board. Further results are `interval_s`;
    `peak_s`, the time at which the fullest FIFO first reached its peak of the whole run; and `histogram`, the
    `share_of_time` for each number of `frames` in a FIFO, over all boards. If a FIFO held 65 536 frames or more,
    neighbouring levels share a bin, which has the lowest level. With `histogram` = False, `histogram` and `peak_s`,
    which take most of the time, are left out.
    """
    spec = spec or recording.spec
    length_ns = max(1, -(-recording.end_ps // (1000 * 50 * intervals))) * 50
    boards = []
    for board in range(_boards(recording, spec)):
        line = _core.TimeLine(spec.to_json(), length_ns, board, histogram)
        with sensible(recording):
            line.program_ends(recording.program_end_ps)
            for b in recording.batches():
                line.add(**b.columns)
            boards.append(line.finish())
    most = _level([line["most"] for line in boards])
    peak = most.max(axis=0)
    found = {
        "begin_s": np.arange(len(peak)) * length_ns * 1e-9,
        "interval_s": length_ns * 1e-9,
        "built": _level([line["frames_built"] for line in boards]).sum(axis=0),
        "lost": _level([line["frames_lost"] for line in boards]).sum(axis=0),
        "lost_data": _level([line["lost"] for line in boards]).sum(axis=0),
        "peak": peak,
        "least": np.take_along_axis(_level([line["least"] for line in boards]), most.argmax(axis=0)[None], axis=0)[0],
    }
    if histogram:
        fullest = int(most.max(axis=1).argmax())
        found |= {"peak_s": boards[fullest]["peak_ns"] * 1e-9, "histogram": _histogram(boards)}
    return found


def _histogram(boards: Sequence[_core.Intervals]) -> dict[str, NDArray[Any]]:
    """Returns the share of time for each number of frames in a FIFO, over all boards."""
    width = max(line["histogram_frames"] for line in boards)
    time = _level([_binned(line["histogram_ns"], width // line["histogram_frames"]) for line in boards]).sum(axis=0)
    return {"frames": np.arange(len(time)) * width, "share_of_time": time / max(1, np.sum(time))}


def _binned(values: NDArray[Any], together: int) -> NDArray[Any]:
    """Sums over `together` neighbours."""
    return np.add.reduceat(values, np.arange(0, len(values), together))


def _level(rows: Sequence[NDArray[Any]]) -> NDArray[Any]:
    """Joins rows of different lengths to one array with at least one column, with zeros after the shorter ones."""
    longest = max(1, *(len(row) for row in rows))
    return np.stack([np.pad(row, (0, longest - len(row))) for row in rows])


def _boards(recording: Recording, spec: Spec) -> int:
    """Number of boards. Raises UserError if their frames depend on more than the times of the nodes' writes."""
    if spec.values["monitor"] != "hypermon":
        raise UserError(f"monitor = {spec.values['monitor']}: has no frame FIFO; must be hypermon")
    require_same_emissions(recording, spec)
    if not _core.counts_apart(spec.native):
        raise UserError(
            "ecb.frame_fifo_full = stall, ecb.module, ecb.rtl, erb.skew_ns, faults and drain programs that take time: "
            "the frame FIFO cannot be followed apart from them; use hypermon replay"
        )
    return -(-int(spec.values["nodes"]) // int(spec.values["ecb.inputs"]))
