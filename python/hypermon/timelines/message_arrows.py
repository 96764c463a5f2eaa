# SPDX-License-Identifier: BSD-3-Clause
"""The arrows of MPI messages: which receipt belongs to which send.

MPI keeps the order of messages with the same communicator, sender, receiver and tag, so the first send belongs to the
first receive that was posted, and so on. Messages of which a trace names not every receive, such as those from any
source, have no arrows, because they could be wrong.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

from hypermon.timelines.message_records import Kind, Message, Records, steps
from hypermon.timelines.tracks import WORLD, Communicator

if TYPE_CHECKING:
    from hypermon.timelines.slices import Lane
    from hypermon.timelines.tracks import TimeLine

FIRST = 1 << 62  # number of the first arrow, above those from causes to effects
_SENT = (Kind.SEND, Kind.STARTED_SEND)
_POSTED = (Kind.RECEIVE, Kind.STARTED_RECEIVE)
_RECEIVED = (Kind.RECEIVE, Kind.RECEIVED)


class _Way(NamedTuple):
    """Properties that messages share if MPI keeps them in order. `sender` and `receiver`: ranks in MPI_COMM_WORLD."""

    program: str
    communicator: Communicator
    sender: int
    receiver: int
    tag: int


class End(NamedTuple):
    """An end of an arrow. `peer`: the rank at the other end, in MPI_COMM_WORLD."""

    number: int
    is_begin: bool
    peer: int


def tracks(lanes: Sequence[Lane]) -> Iterator[tuple[Lane, list[Lane]]]:
    """Yields the first lane of each track, with the others."""
    for _, of_track in groupby(lanes, key=lambda lane: lane.track):
        first, *others = of_track
        yield first, others


class Arrows:
    """The arrows between all processes of a time line."""

    def __init__(self, line: TimeLine, lanes: Sequence[Lane]) -> None:
        self._ranks: dict[str, set[int]] = {}  # by program, which the first element of a path names
        self._programs: dict[int, str] = {}  # by track, if it has the calls of a process
        for track, states in enumerate(line.states):
            if states.process is not None:
                ranks = self._ranks.setdefault(states.path[0], set())
                if states.process.rank not in ranks:
                    ranks.add(states.process.rank)
                    self._programs[track] = states.path[0]
        sent, posted, received = (Counter[_Way]() for _ in range(3))
        for first, others in tracks(lanes):
            if (records := self.records(first)) is None:
                continue
            for _, message in steps(first, others, records):
                if isinstance(message, Message):
                    way = self._way(first, message)
                    for counter, kinds in ((sent, _SENT), (posted, _POSTED), (received, _RECEIVED)):
                        counter[way] += message.kind in kinds
        self._first: dict[_Way, int] = {}
        number = FIRST
        for way, count in sent.items():
            if count == posted[way] == received[way]:
                self._first[way] = number
                number += count
        self._sent, self._posted = Counter[_Way](), Counter[_Way]()
        self._open: dict[tuple[int, int], int] = {}  # arrows to posted receives, by track and request

    def records(self, lane: Lane) -> Records | None:
        """Returns the builder of message records for the lane's process. None: the lane shows no calls of a process."""
        program, process = self._programs.get(lane.track), lane.states.process
        if program is None or process is None:
            return None
        ranks = self._ranks[program]
        world = Communicator(WORLD, tuple(range(len(ranks))))
        return Records(process, world, lambda communicator: ranks.issuperset(communicator.members))

    def end(self, lane: Lane, message: Message) -> End | None:
        """Returns the end of the arrow at this message. Call it once for each message of the lane, in order of time."""
        way = self._way(lane, message)
        first = self._first.get(way)
        if first is None:
            return None
        peer = message.communicator.members[message.peer]
        if message.kind in _SENT:
            self._sent[way] += 1
            return End(first + self._sent[way] - 1, True, peer)
        if message.kind is Kind.RECEIVED:
            return End(self._open.pop((lane.track, message.request)), False, peer)
        if message.kind not in _POSTED:
            return None  # a send is complete
        self._posted[way] += 1
        number = first + self._posted[way] - 1
        if message.kind is Kind.RECEIVE:
            return End(number, False, peer)
        self._open[lane.track, message.request] = number
        return None

    def _way(self, lane: Lane, message: Message) -> _Way:
        process = lane.states.process
        assert process is not None
        own, peer = process.rank, message.communicator.members[message.peer]
        sends = message.kind in (*_SENT, Kind.SENT)
        sender, receiver = (own, peer) if sends else (peer, own)
        return _Way(self._programs[lane.track], message.communicator, sender, receiver, message.tag)
