# SPDX-License-Identifier: BSD-3-Clause
"""Writes a time line for the Perfetto viewer, in its protobuf format.

Each node has a track with these tracks below it:
- `program`: the states of its rank, by the true times of its events;
- `events`: every event as a slice while its node emits it; a message is a flow from its send to its receipt;
- `losses`: the events that the monitor lost, with stage and cause;
- `program as decoded`, `events as decoded`: the same from the delivered data, at the monitor's timestamps.
Counter tracks show the monitor's hardware in about a thousand intervals. They are above the nodes if data were lost.
Levels are drawn from the begin of their interval on, cumulative counts at the end of their interval.
"""

from __future__ import annotations

import bisect
from collections.abc import Iterable, Iterator, Sequence
from typing import IO, TYPE_CHECKING, Any, NamedTuple

import numpy as np

from hypermon._engine import replays
from hypermon._files.scratch import Following, Scratch, Sorted
from hypermon._model.catalogues import Event
from hypermon.errors import UserError
from hypermon.timelines import messages, states

if TYPE_CHECKING:
    import pandas as pd

    from hypermon.timelines.truth import Truth
    from hypermon.timelines.window import Window

SEQUENCE = 1  # number of the only writer, which all packets have
PACKETS_AT_ONCE = 4096
INTERVALS = 1000  # number of intervals of the counters
MOST_INTERVALS = 1_000_000
NODE_TRACKS = ("program", "events", "losses", "program as decoded", "events as decoded")


class Writer:
    """Writes packets, a few thousand at a time."""

    def __init__(self, file: IO[bytes]) -> None:
        try:
            from perfetto.protos.perfetto.trace import perfetto_trace_pb2 as protocol
        except ImportError as error:
            raise UserError(
                f"a time line for Perfetto needs the Python package perfetto (no {error.name}): pip install perfetto"
            ) from None
        self._file = file
        self._kinds = protocol.TrackEvent
        self._explicit = protocol.TrackDescriptor.EXPLICIT
        self._new_trace = protocol.Trace
        self._trace = protocol.Trace()
        self._tracks = 0
        self._packet().sequence_flags = protocol.TracePacket.SEQ_INCREMENTAL_STATE_CLEARED

    def track(self, name: str, parent: int = 0, counter: bool = False) -> int:
        """Makes a track and returns its number. Tracks of a parent are shown in the order of their creation."""
        self._tracks += 1
        descriptor = self._packet().track_descriptor
        descriptor.uuid = self._tracks
        descriptor.name = name
        descriptor.sibling_order_rank = self._tracks
        descriptor.child_ordering = self._explicit
        if parent:
            descriptor.parent_uuid = parent
        if counter:
            descriptor.counter.SetInParent()
        return self._tracks

    def begin(self, track: int, ps: int, name: str) -> Any:
        event = self._event(track, ps, self._kinds.TYPE_SLICE_BEGIN)
        event.name = name
        return event

    def end(self, track: int, ps: int) -> None:
        self._event(track, ps, self._kinds.TYPE_SLICE_END)

    def instant(self, track: int, ps: int, name: str) -> Any:
        event = self._event(track, ps, self._kinds.TYPE_INSTANT)
        event.name = name
        return event

    def counter(self, track: int, ps: int, value: float) -> None:
        event = self._event(track, ps, self._kinds.TYPE_COUNTER)
        if isinstance(value, int):
            event.counter_value = value
        else:
            event.double_counter_value = value

    def close(self) -> None:
        self._file.write(self._trace.SerializeToString(deterministic=True))
        self._trace = self._new_trace()  # a new object, because Clear() would keep the memory

    def _packet(self) -> Any:
        if len(self._trace.packet) == PACKETS_AT_ONCE:
            self.close()
        packet = self._trace.packet.add()
        packet.trusted_packet_sequence_id = SEQUENCE
        return packet

    def _event(self, track: int, ps: int, kind: int) -> Any:
        packet = self._packet()
        packet.timestamp = ps // 1000  # ns; truncation keeps the order
        event = packet.track_event
        event.track_uuid = track
        event.type = kind
        return event


def write(truth: Truth, file: IO[bytes], window: Window | None = None) -> None:
    """Writes the whole trace, or the part in the window."""
    out = Writer(file)
    flows = Following(_flows(truth, window))
    counted = list(counters(truth, window))
    has_losses = any(one.lost and any(one.values) for one in counted)
    if has_losses:  # the full FIFO explains the losses below it
        _counters(out, counted, window)
    for node in range(truth.recording.nodes):
        parent = out.track(states.ranks_on(truth.spec, node))
        program, emitted, losses, decoded_program, decoded = (out.track(name, parent) for name in NODE_TRACKS)
        _states(out, program, truth.of_node(node), truth.catalogue, ("emitted_ps", "done_ps"), window)
        _emitted(out, emitted, losses, truth, node, flows, window)
        seen = states.delivered(truth.of_node(node))
        _states(out, decoded_program, seen, truth.catalogue, ("monitor_ps", "monitor_ps"), window)
        _decoded(out, decoded, states.delivered(truth.of_node(node)), truth.spurious_of_node(node), window)
    if counted and not has_losses:
        _counters(out, counted, window)
    out.close()


def _flows(truth: Truth, window: Window | None) -> Sorted:
    """Returns the places of the ends of all messages with both ends in the window."""
    places = Sorted(Scratch(), np.int64)
    for some in messages.pairs(truth, window):
        shown = some.sent["within"] & some.received["within"]
        for end in (some.sent, some.received):
            places.add(end["place"][shown])
    return places


def _states(
    out: Writer,
    track: int,
    events: Iterable[pd.DataFrame],
    catalogue: Sequence[Event],
    times: tuple[str, str],
    window: Window | None,
) -> None:
    for edge in states.clipped(states.edges(states.brackets(events, catalogue, *times)), window):
        if edge.name is None:
            out.end(track, edge.ps)
        else:
            out.begin(track, edge.ps, edge.name)


def _emitted(
    out: Writer, track: int, losses: int, truth: Truth, node: int, flows: Following, window: Window | None
) -> None:
    data = {row.name: list(row.arguments) for row in truth.catalogue}
    columns = ("type", "emitted_ps", "done_ps", "true_ps", "message", "side", "lost_stage", "lost_cause")
    args = ("arg0", "arg1", "arg2")
    first = messages.place_of(node)
    for piece in truth.of_node(node):
        flown = np.zeros(len(piece), np.bool_)
        flown[flows.before(first + len(piece))[0] - first] = True
        first += len(piece)
        inside = truth.is_within(window, piece)
        rows = zip(flown[inside].tolist(), _rows(piece[inside], (*columns, *args)), strict=True)
        for flow, (type_, emitted, done, true, message, side, stage, cause, *values) in rows:
            if window is not None:
                emitted, done = max(emitted, window.begin_ps), min(done, window.end_ps)
            event = out.begin(track, emitted, type_)
            for name, value in zip(data[type_], values, strict=False):
                annotate(event, name, value)
            if message:
                annotate(event, "message", message)
            if flow:
                (event.flow_ids if side == "send" else event.terminating_flow_ids).append(message)
            out.end(track, done)
            if isinstance(cause, str) and (window is None or window.begin_ps <= true < window.end_ps):
                annotate(out.instant(losses, true, f"{stage}: {cause}"), "event", type_)


def _decoded(
    out: Writer,
    track: int,
    events: Iterable[pd.DataFrame],
    spurious: Iterable[pd.DataFrame],
    window: Window | None,
) -> None:
    for piece in events:
        for type_, stamp, error in _rows(piece, ("type", "monitor_ps", "error_ps")):
            if _inside(stamp, window):
                annotate(out.instant(track, stamp, type_), "error_ps", error)
    for piece in spurious:
        for type_, stamp in _rows(piece, ("type", "monitor_ps")):
            if _inside(stamp, window):
                out.instant(track, stamp, f"spurious {type_}")


class Counter(NamedTuple):
    """A level or a count of the hardware. `limit`: its largest possible value. `lost`: whether it counts losses."""

    track: str  # name of the hardware
    name: str
    times_ps: list[int]
    values: list[int]
    limit: int | None
    lost: bool


def _counters(out: Writer, counted: Sequence[Counter], window: Window | None) -> None:
    parent = out.track(counted[0].track)
    for one in counted:
        _counter(out, out.track(one.name, parent, counter=True), one.times_ps, one.values, window)


def counters(truth: Truth, window: Window | None) -> Iterator[Counter]:
    """Yields the hardware's levels and counts.

    The window is divided into a thousand intervals. Yields nothing if the numbers depend on more than the recording.
    """
    own = replays.by(truth.recording)
    if not own.counts_apart(truth.spec):
        return
    end_ps = truth.recording.end_ps
    length_ps = end_ps if window is None else window.end_ps - window.begin_ps
    intervals = min(MOST_INTERVALS, -(-INTERVALS * end_ps // length_ps))
    line = own.timeline(truth.recording, truth.spec, intervals)
    interval_ps = round(line[own.INTERVAL] * 1e12)
    for name, column in (own.LEVELS | own.COUNTS).items():
        values = np.asarray(line[column], np.int64)
        if name in own.COUNTS:
            values = np.cumsum(np.concatenate([[0], values]))  # counted from the begin of the run, also within a window
        changes = np.flatnonzero(np.diff(values, prepend=-1))
        limit = own.depth(truth.spec) if name in own.LEVELS else None
        times_ps = (changes * interval_ps).tolist()
        yield Counter(own.track(truth.spec), name, times_ps, values[changes].tolist(), limit, name in own.LOST)


def _counter(out: Writer, track: int, times_ps: Sequence[int], values: Sequence[int], window: Window | None) -> None:
    """Writes a counter whose values are valid from their times on. The window starts with the value valid there."""
    if window is not None:
        before = bisect.bisect_right(times_ps, window.begin_ps)
        if before:
            out.counter(track, window.begin_ps, values[before - 1])
            times_ps, values = times_ps[before:], values[before:]
    for ps, value in zip(times_ps, values, strict=True):
        if _inside(ps, window):
            out.counter(track, ps, value)


def _inside(ps: int, window: Window | None) -> bool:
    return window is None or window.begin_ps <= ps < window.end_ps


def _rows(frame: pd.DataFrame, columns: Iterable[str]) -> Iterable[tuple[Any, ...]]:
    return zip(*(frame[column].tolist() for column in columns), strict=True)


def annotate(event: Any, name: str, value: float | str) -> None:
    """Adds an annotation to an event."""
    annotation = event.debug_annotations.add()
    annotation.name = name
    if isinstance(value, str):
        annotation.string_value = value
    elif isinstance(value, float):
        annotation.double_value = value
    elif value >= 1 << 63:
        annotation.uint_value = value
    else:
        annotation.int_value = value
