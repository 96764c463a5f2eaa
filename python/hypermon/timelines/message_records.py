# SPDX-License-Identifier: BSD-3-Clause
"""The MPI message records of a process: what its calls send and receive, and when.

A blocking call sends at its begin and receives at its end. A call that does not block begins a request; a later call
completes it. A trace has no sender for a non-blocking receive from any source, which therefore has no record.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import Enum
from typing import TYPE_CHECKING, NamedTuple

from hypermon.timelines import slices

if TYPE_CHECKING:
    from hypermon.timelines.slices import Lane, Slice
    from hypermon.timelines.tracks import Communicator, Process

SENDS = ("Send", "Bsend", "Rsend", "Ssend", "Sendrecv", "Sendrecv_replace")
STARTED_SENDS = ("Isend", "Ibsend", "Irsend", "Issend")
RECEIVES = ("Recv", "Sendrecv", "Sendrecv_replace")
MPI = "MPI_"  # begins the name of each MPI call


class Kind(Enum):
    """The kinds of records, with OTF2's names for them."""

    SEND = "MpiSend"
    STARTED_SEND = "MpiIsend"
    SENT = "MpiIsendComplete"
    STARTED_RECEIVE = "MpiIrecvRequest"
    RECEIVED = "MpiIrecv"
    RECEIVE = "MpiRecv"


class Message(NamedTuple):
    """A record of a message. `peer`: the peer's rank in the communicator. `request`: the request's number."""

    kind: Kind
    peer: int
    communicator: Communicator
    tag: int
    length: int
    request: int = 0


class Step(NamedTuple):
    """The begin of a state, a message, or the end of the innermost state (None)."""

    ps: int
    what: Slice | Message | None


class Records:
    """Makes the records of a process from its calls, in their order.

    Args:
        process: The process.
        world: The program's MPI_COMM_WORLD, for messages of which the trace names no communicator.
        is_known: Whether the archive has all members of a communicator.
    """

    def __init__(self, process: Process, world: Communicator, is_known: Callable[[Communicator], bool]) -> None:
        self._process, self._world, self._is_known = process, world, is_known
        self._open: dict[str, Message] = {}  # requests, by the trace's numbers for them
        self._requests = 0

    def begin(self, call: Slice) -> Iterator[Message]:
        """Yields the records at the begin of a call."""
        name = call.name.removeprefix(MPI)
        if name in SENDS:
            yield from self._message(call, Kind.SEND, "to", "bytes")
        elif name in STARTED_SENDS:
            yield from self._started(call, Kind.STARTED_SEND, Kind.SENT, "to")
        elif name == "Irecv":
            yield from self._started(call, Kind.STARTED_RECEIVE, Kind.RECEIVED, "from")

    def end(self, call: Slice) -> Iterator[Message]:
        """Yields the records at the end of a call."""
        name = call.name.removeprefix(MPI)
        if name in RECEIVES:
            yield from self._message(call, Kind.RECEIVE, "from", "bytes" if name == "Recv" else "received_bytes")
        for number in str(call.details.get("completed", "")).split():
            if (message := self._open.pop(number, None)) is not None:
                yield message

    def _started(self, call: Slice, start: Kind, completion: Kind, side: str) -> Iterator[Message]:
        number = str(call.details.get("request", ""))
        self._open.pop(number, None)
        for message in self._message(call, start, side, "bytes"):
            if number:
                self._requests += 1
                self._open[number] = message._replace(kind=completion, request=self._requests)
                yield message._replace(request=self._requests)
            elif start is Kind.STARTED_SEND:  # an old trace, without numbers of requests
                yield message._replace(kind=Kind.SEND)

    def _message(self, call: Slice, kind: Kind, side: str, length: str) -> Iterator[Message]:
        """Yields the message, if the trace names its peer and the archive has it."""
        communicator = self._communicator(call.details)
        peer = _number(call.details, side, -1)
        if communicator is not None and 0 <= peer < len(communicator.members):
            tag, size = (max(0, _number(call.details, name, 0)) for name in (f"{side}_tag", length))
            yield Message(kind, peer, communicator, tag, size)

    def _communicator(self, details: Mapping[str, object]) -> Communicator | None:
        number = details.get("communicator")
        found = self._world if number is None else self._process.communicators.get(_number(details, "communicator", 0))
        return found if found is not None and self._is_known(found) else None


def steps(
    lane: Lane, others: Sequence[Lane], records: Records | None, flows: slices.Flows | None = None
) -> Iterator[Step]:
    """Yields the states of a lane in order of time, with the messages of the lane and of others.

    `others`: lanes of the same track. They have messages that overlap within a call of the first lane. `flows`: the
    states of the first lane get the numbers of their arrows.
    """
    own = _steps(lane, records, flows)
    if records is None:
        return own
    received = (_messages(one, records, Kind.RECEIVE) for one in others)
    sent = (_messages(one, records, Kind.SEND) for one in others)
    return heapq.merge(*received, own, *sent, key=lambda step: step.ps)


def _messages(lane: Lane, records: Records, kind: Kind) -> Iterator[Step]:
    """Yields the messages of that kind."""
    for step in _steps(lane, records):
        if isinstance(step.what, Message) and step.what.kind is kind:
            yield step


def _steps(lane: Lane, records: Records | None, flows: slices.Flows | None = None) -> Iterator[Step]:
    open_: list[Slice] = []
    for ps, state in slices.edges(lane, flows):
        if state is not None:
            open_.append(state)
            yield Step(ps, state)
            if records is not None:
                yield from (Step(ps, message) for message in records.begin(state))
            continue
        ended = open_.pop()
        if records is not None:
            yield from (Step(ps, message) for message in records.end(ended))
        yield Step(ps, None)


def _number(details: Mapping[str, object], name: str, default: int) -> int:
    value = details.get(name, default)
    return value if isinstance(value, int) else default
