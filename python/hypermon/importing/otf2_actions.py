# SPDX-License-Identifier: BSD-3-Clause
"""The actions of a rank, from its events in an OTF2 archive.

Between MPI regions a rank computes; in the regions, the records give its actions. Regions of calls that a script lacks,
and that move no data, count as computing. Bytes of collectives have Score-P's meaning: the sum over all ranks (its
scorep_mpi_coll_bytes_*).

Score-P writes the receipt of a message within the call that returns the data, and writes the requests of nonblocking
calls. Other writers do not (hypermon's own archives: docs/how-to/time-lines.md). For these, a blocking receive gets the
last receipt inside it, and a nonblocking one gets the oldest unused receipt; a wait without a record completes the
oldest open request.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from typing import Any, Protocol

from hypermon.importing.requests import Requests
from hypermon.importing.script import SELF, Writer

PS_PER_SECOND = 10**12
TESTS = ("mpi_test", "mpi_testall", "mpi_testany", "mpi_testsome")
BEGINS = ("mpi_init", "mpi_init_thread")
LOCAL = ("mpi_comm_rank", "mpi_comm_size", "mpi_get_count", "mpi_type_size", "mpi_initialized", "mpi_comm_group")
# OTF2's name of a collective: its name in scripts, and what the recorded number of bytes counts.
COLLECTIVES = {
    "BARRIER": ("barrier", "none"),
    "BCAST": ("bcast", "received"),
    "SCATTER": ("scatter", "received"),
    "GATHER": ("gather", "sent"),
    "REDUCE": ("reduce", "sent"),
    "ALLGATHER": ("allgather", "sent to each"),
    "ALLREDUCE": ("allreduce", "sent to each"),
    "ALLTOALL": ("alltoall", "sent to each"),
    "SCAN": ("scan", "sent to later"),
    "EXSCAN": ("exscan", "sent to later"),
    "GATHERV": ("gatherv", "own sent"),
    "SCATTERV": ("scatterv", "own received"),
    "ALLGATHERV": ("allgatherv", "own sent to each"),
    "REDUCE_SCATTER": ("reduce_scatter", "own received from each"),
    "REDUCE_SCATTER_BLOCK": ("reduce_scatter", "own received from each"),
    "ALLTOALLV": ("alltoallv", "unknown"),
    "ALLTOALLW": ("alltoallv", "unknown"),
}


@dataclass
class Communicator:
    number: int
    members: list[int]  # their ranks
    lists: list[int] = field(default_factory=list)  # lists of its collectives with parts, in order


@dataclass
class Region:
    """A call that is under way."""

    name: str
    enter_ps: int
    blocked: bool = False
    records: list[Any] = field(default_factory=list)


class Archive(Protocol):
    """The part of an archive that a rank's events refer to."""

    events: Any  # the types of records, as the package otf2 has them
    collectives: dict[Any, str]  # the names of OTF2's collectives

    def communicator(self, record: Any) -> Communicator: ...

    def is_mpi(self, region: Any) -> bool: ...


class Rank:
    """Converts the events of one rank to actions."""

    def __init__(self, archive: Archive, writer: Writer, rank: int) -> None:
        self._archive = archive
        self._writer = writer
        self._rank = rank
        self._computes_since: int | None = None
        self._last_ps = 0
        self._ended = False
        self._depth = 0  # depth of nested MPI regions
        self._call: Region | None = None
        self._requests = Requests()
        self._numbers: dict[Any, int] = {}  # script requests by the archive's request numbers
        self._unknown: dict[int, int] = {}  # places of open receives whose message is not yet known
        self._receipts: deque[Any] = deque()  # receipts that no receive has used yet
        self._collectives: dict[int, int] = {}  # number of collectives with parts so far, by communicator

    def read(self, event: Any, ps: int) -> None:
        kinds = self._archive.events
        self._last_ps = ps
        if self._computes_since is None:
            self._computes_since = ps
        if isinstance(event, kinds.Enter):
            if self._archive.is_mpi(event.region):
                self._enter(event.region.name.casefold(), ps)
        elif isinstance(event, kinds.Leave):
            if self._archive.is_mpi(event.region):
                self._leave(ps)
        elif type(event).__name__.startswith("Mpi"):
            if self._call is not None:
                self._call.records.append(event)
            elif isinstance(event, kinds.MpiRecv):
                self._receipts.append(event)
            else:
                self._lost(f"{type(event).__name__}: outside MPI's regions", ps)

    def end(self) -> None:
        if not self._ended:
            self._compute(self._last_ps)
        for _ in self._unknown:
            self._lost("a receive whose message is not recorded", self._last_ps)

    def _lost(self, kind: str, ps: int) -> None:
        self._writer.report.add(kind, f"rank {self._rank}, {ps / PS_PER_SECOND:.9f} s")

    def _add(self, operation: str, **fields: Any) -> int:
        return self._writer.add(self._rank, operation, **fields)

    def _compute(self, until_ps: int) -> None:
        if self._computes_since is not None and until_ps > self._computes_since:
            self._add("compute", size=until_ps - self._computes_since)
        self._computes_since = until_ps

    def _enter(self, name: str, ps: int) -> None:
        self._depth += 1
        if self._call is None:
            self._call = Region(name, ps)
        else:
            self._call.blocked = True

    def _leave(self, ps: int) -> None:
        self._depth -= 1
        if self._depth > 0 or self._call is None:
            return
        call, self._call = self._call, None
        if call.name in BEGINS:
            self._computes_since = ps
        elif call.name == "mpi_finalize":
            self._compute(call.enter_ps)
            self._ended = True
        elif not self._ended and self._says_something(call):
            self._compute(call.enter_ps)
            self._issue(call)
            self._computes_since = ps

    def _says_something(self, call: Region) -> bool:
        issued = ("mpi_wtime", "mpi_iprobe", "mpi_probe", "mpi_recv", "mpi_irecv", "mpi_wait", "mpi_waitall")
        if call.records or call.name in issued:
            return True
        if call.name not in LOCAL:
            self._lost(f"{call.name}: its time as computing", call.enter_ps)
        return False

    def _issue(self, call: Region) -> None:
        """The actions of a call."""
        kinds = self._archive.events
        waited: list[int] = []
        earlier = len(self._receipts)
        sending = receiving = None
        for record in call.records:
            if isinstance(record, kinds.MpiSend):
                sending = record
            elif isinstance(record, kinds.MpiRecv):
                self._receipts.append(record)
            elif isinstance(record, kinds.MpiIsend):
                request = self._start(record.request_id)
                self._message("issend" if call.name == "mpi_issend" else "isend", record, record.receiver, request)
            elif isinstance(record, kinds.MpiIrecvRequest):
                request = self._start(record.request_id)
                self._unknown[request] = self._add("irecv", request=request)
            elif isinstance(record, kinds.MpiIrecv):
                for request in self._finished(record.request_id):
                    self._know(request, record)
                    waited.append(request)
            elif isinstance(record, kinds.MpiIsendComplete):
                waited += self._finished(record.request_id)
            elif isinstance(record, kinds.MpiRequestTest):
                self._add("test", request=self._numbers.get(record.request_id, -1))
            elif isinstance(record, kinds.MpiCollectiveEnd):
                self._collective(record, call)
            elif not isinstance(record, kinds.MpiCollectiveBegin):
                self._lost(f"{type(record).__name__}: left out", call.enter_ps)
        if call.name in ("mpi_recv", "mpi_sendrecv", "mpi_sendrecv_replace"):
            receiving = self._receipt(call, earlier)
            if receiving is None:
                self._lost("a receive whose message is not recorded", call.enter_ps)
        self._blocking(call, sending, receiving)
        self._other(call)
        self._wait(call, waited, earlier)

    def _blocking(self, call: Region, sending: Any, receiving: Any) -> None:
        if sending is not None and receiving is not None:
            self._message("sendrecv", sending, sending.receiver)
            self._message("sendrecv_in", receiving, receiving.sender)
        elif receiving is not None:
            self._message("recv", receiving, receiving.sender)
        elif sending is not None and call.name == "mpi_isend":  # without a request
            self._message("isend", sending, sending.receiver, self._requests.start(None))
        elif sending is not None:
            self._message("ssend" if call.name == "mpi_ssend" else "send", sending, sending.receiver)

    def _other(self, call: Region) -> None:
        """Handles calls without records."""
        if call.name == "mpi_wtime":
            self._add("wtime")
        elif call.name in ("mpi_iprobe", "mpi_probe"):
            self._lost(f"{call.name}: what it looked for, taken for any message", call.enter_ps)
            self._add(call.name.removeprefix("mpi_"))
        elif call.name == "mpi_irecv" and not call.records:
            request = self._requests.start(None)
            self._unknown[request] = self._add("irecv", request=request)

    def _wait(self, call: Region, waited: list[int], earlier: int) -> None:
        unnamed = call.name == "mpi_wait" and not waited
        if unnamed:
            waited = self._requests.open()[:1]
            if waited:
                self._lost("mpi_wait: its request, taken for the oldest that is open", call.enter_ps)
            for request in waited:
                if request in self._unknown:
                    receipt = self._receipt(call, earlier)
                    if receipt is not None:
                        self._know(request, receipt)
        for request in waited:
            self._requests.finish(request)
        if call.name in TESTS:
            for request in waited:
                self._add("test", request=request, size=1)
        elif len(waited) == 1:
            self._add("wait", request=waited[0])
        elif waited:
            self._add("waitall", values=waited)

    def _start(self, number: int) -> int:
        request = self._requests.start(number)
        self._numbers[number] = request
        return request

    def _finished(self, number: int) -> list[int]:
        """Returns the request that ends here. The list is empty if the archive does not contain the request's start."""
        return [self._numbers.pop(number)] if number in self._numbers else []

    def _know(self, request: int, receipt: Any) -> None:
        comm = self._archive.communicator(receipt)
        place = self._unknown.pop(request)
        self._writer.change(
            self._rank,
            place,
            peer=receipt.sender,
            tag=_tag(receipt.msg_tag),
            size=receipt.msg_length,
            communicator=comm.number,
        )

    def _receipt(self, call: Region, earlier: int) -> Any:
        """Returns the message that the receive took. `earlier`: number of messages that had arrived before the call."""
        if not self._receipts:
            return None
        if earlier == 0 or (call.blocked and len(self._receipts) > earlier):
            return self._receipts.pop()
        if len({receipt.sender for receipt in list(self._receipts)[:earlier]}) > 1:
            self._lost("which of several messages a receive took: the oldest", call.enter_ps)
        return self._receipts.popleft()

    def _message(self, operation: str, record: Any, peer: int, request: int = -1) -> None:
        comm = self._archive.communicator(record)
        tag = _tag(record.msg_tag)
        size = record.msg_length
        self._add(operation, peer=peer, tag=tag, size=size, request=request, communicator=comm.number)

    def _collective(self, record: Any, call: Region) -> None:
        comm = self._archive.communicator(record)
        if comm.number == SELF:
            return  # a call of a single rank: moves no data
        name = self._archive.collectives[record.collective_op]
        known = COLLECTIVES.get(name)
        if known is None:
            self._lost(f"{name.lower()}: left out", call.enter_ps)
            return
        if call.name.startswith("mpi_i"):
            self._lost(f"{call.name}: as the call that blocks, where it ends", call.enter_ps)
        operation, what = known
        n = len(comm.members)
        me = comm.members.index(self._rank)
        sent, received = record.size_sent, record.size_received
        root = record.root if record.root < n else -1
        size = {
            "received": received,
            "sent": sent or received // max(n - 1, 1),  # the root's, in place
            "sent to each": sent // n,
            "sent to later": sent // (n - me),
            "own sent": sent,
            "own received": received,
            "own sent to each": sent // n,
            "own received from each": received // n,
        }.get(what, 0)
        at = -1
        if what.startswith("own"):
            at = self._part(comm, me, size)
        elif what == "unknown":
            self._lost(f"{call.name}: the size of each part, taken for equal ones", call.enter_ps)
            at = self._writer.add_list([sent // n] * n + [received // n] * n)
        self._add(operation, peer=root, size=size, communicator=comm.number, at=at)

    def _part(self, comm: Communicator, me: int, size: int) -> int:
        """Enters the size of this rank's part into the list of the collective's ranks, and returns the list's place."""
        count = self._collectives.get(comm.number, 0)
        self._collectives[comm.number] = count + 1
        if count == len(comm.lists):
            comm.lists.append(self._writer.add_list([0] * len(comm.members)))
        self._writer.set_in_list(comm.lists[count], me, size)
        return comm.lists[count]


def _tag(tag: int) -> int:
    return tag if tag < 1 << 31 else tag - (1 << 32)
