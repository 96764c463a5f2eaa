# SPDX-License-Identifier: BSD-3-Clause
"""The messages of a recording: pairs of a send event and a receive event, however far apart they are.

Both ends carry the message's number. They are sorted by it, in files where they are many, so that memory does not grow
with the recording.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from hypermon._files.scratch import Scratch, Sorted
from hypermon.errors import UserError

if TYPE_CHECKING:
    import pandas as pd

    from hypermon._engine.recording import Recording
    from hypermon._model.catalogues import Event
    from hypermon.timelines.window import Window

LENGTH_BITS = 24  # bits of the length in an argument peer_and_length
ROW_BITS = 40  # bits of the event's number in `place`, enough for 10^12 events of a node
_END = {
    "row": np.int64,  # row of the event in the recording
    "place": np.int64,  # node, and number of the event among the node's events
    "true_ps": np.int64,
    "emitted_ps": np.int64,
    "done_ps": np.int64,
    "monitor_ps": np.int64,
    "software_ps": np.int64,
    "seen": np.bool_,  # whether the monitor delivered it
    "within": np.bool_,  # whether it is in the window
    "length": np.int64,  # length of the message; 0: the send event has no length
}


@dataclass(frozen=True)
class Pairs:
    """Messages with both ends: their numbers, and the columns of each end."""

    message: NDArray[np.uint64]
    sent: dict[str, NDArray[Any]]
    received: dict[str, NDArray[Any]]

    @property
    def flight_ps(self) -> NDArray[np.int64]:
        flight: NDArray[np.int64] = self.received["true_ps"] - self.sent["true_ps"]
        return flight

    @property
    def software_flight_ps(self) -> NDArray[np.int64]:
        flight: NDArray[np.int64] = self.received["software_ps"] - self.sent["software_ps"]
        return flight

    @property
    def monitor_flight_ps(self) -> NDArray[np.int64]:
        """Flight times by the monitor's timestamps, ps. 0 where an end was lost."""
        flight: NDArray[np.int64] = np.where(self.seen, self.received["monitor_ps"] - self.sent["monitor_ps"], 0)
        return flight

    @property
    def seen(self) -> NDArray[np.bool_]:
        """True where the monitor delivered both ends."""
        seen: NDArray[np.bool_] = self.sent["seen"] & self.received["seen"]
        return seen

    def __getitem__(self, which: NDArray[Any]) -> Pairs:
        ends = ({name: column[which] for name, column in end.items()} for end in (self.sent, self.received))
        return Pairs(self.message[which], *ends)


def place_of(node: int) -> int:
    """Returns the place of the node's first event."""
    return node << ROW_BITS


def node_of(place: NDArray[np.int64]) -> NDArray[np.int64]:
    """Returns the nodes of events at these places."""
    return place >> ROW_BITS


class Seen(Protocol):
    """The part of `Truth` that this module needs: a recording's events and their fates in a monitor."""

    @property
    def recording(self) -> Recording:
        """The recording."""

    @property
    def catalogue(self) -> tuple[Event, ...]:
        """The catalogue of the events."""

    def pieces(self) -> Iterator[pd.DataFrame]:
        """Yields the events, in tables of some ten thousand rows."""

    def is_within(self, window: Window | None, events: pd.DataFrame) -> NDArray[np.bool_]:
        """True for each event whose emission lies at least partly in the window."""


def pairs(truth: Seen, window: Window | None = None) -> Iterator[Pairs]:
    """Yields all messages with both ends in the recording, sorted by number, in pieces.

    Raises:
        UserError: Two sends, or two receipts, have the same number.
    """
    ends = Sorted(Scratch(), np.uint64, np.bool_, *_END.values())
    for events, row, place in _placed(truth):
        at = np.flatnonzero((events["side"] != "none").to_numpy())
        if len(at):
            ends.add(*_ends(events.iloc[at], row[at], place[at], truth, window))
    for message, is_receipt, *columns in ends.pieces():
        order = np.lexsort((is_receipt, message))
        message, is_receipt = message[order], is_receipt[order]
        same = message[1:] == message[:-1]
        if twice := np.flatnonzero(same & (is_receipt[1:] == is_receipt[:-1])).tolist():
            reason = f"message {message[twice[0]]} is sent or received twice"
            raise UserError(f"{truth.recording.path}: has data that no node writes: {reason}")
        both = np.flatnonzero(same)
        found = dict(zip(_END, columns, strict=True))
        sent, received = ({name: column[order[both + i]] for name, column in found.items()} for i in (0, 1))
        yield Pairs(message[both], sent, received)


def _placed(truth: Seen) -> Iterator[tuple[pd.DataFrame, NDArray[np.int64], NDArray[np.int64]]]:
    """Yields all events, with their rows and places."""
    row = 0
    before = np.zeros(truth.recording.nodes, np.int64)  # number of events of each node so far
    for events in truth.pieces():
        node = events["node"].to_numpy(np.int64)
        order = np.argsort(node, kind="stable")
        counts = np.bincount(node, minlength=len(before))
        number = np.empty(len(node), np.int64)
        number[order] = np.arange(len(node)) - np.repeat(np.cumsum(counts) - counts, counts)
        yield events, row + np.arange(len(node)), (node << ROW_BITS) + before[node] + number
        row += len(node)
        before += counts


def _ends(
    events: pd.DataFrame, row: NDArray[np.int64], place: NDArray[np.int64], truth: Seen, window: Window | None
) -> list[NDArray[Any]]:
    seen = events["monitor_ps"].notna().to_numpy()
    is_receipt = (events["side"] == "receive").to_numpy()
    times = ("true_ps", "emitted_ps", "done_ps")
    return [
        events["message"].to_numpy(np.uint64),
        is_receipt,
        row,
        place,
        *(events[name].to_numpy(np.int64) for name in times),
        events["monitor_ps"].to_numpy(np.int64, na_value=0),
        events["software_ps"].to_numpy(np.int64),
        seen,
        truth.is_within(window, events),
        np.where(is_receipt, 0, _lengths(events, truth.catalogue)),
    ]


def _lengths(sends: pd.DataFrame, catalogue: Sequence[Event]) -> NDArray[np.int64]:
    """Returns the lengths of the messages. 0 if their events have none."""
    lengths = np.zeros(len(sends), np.int64)
    for row in catalogue:
        of_row = (sends["type"] == row.name).to_numpy()
        if column := row.argument("bytes"):
            lengths[of_row] = sends[column].to_numpy(np.int64)[of_row]
        elif column := row.argument("peer_and_length"):
            lengths[of_row] = sends[column].to_numpy(np.int64)[of_row] & ((1 << LENGTH_BITS) - 1)
    return lengths
