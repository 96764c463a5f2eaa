# SPDX-License-Identifier: BSD-3-Clause
"""Converts the actions of SimGrid's time-independent traces to those of a script.

The traces lack the communicator of a collective, the tags of a sendRecv, the request that a waitAny completed, the
outcome of a test, and probes. The substitutes, which the report also names, are described at each action below.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Callable, Sequence

from hypermon.importing.requests import Requests
from hypermon.importing.script import ANY, NOBODY, Writer

ANY_SOURCE, ANY_TAG, PROC_NULL, UNDEFINED = -555, -444, -666, -333  # SimGrid's numbers
PEERS = {ANY_SOURCE: ANY, UNDEFINED: ANY, PROC_NULL: NOBODY}
# Sizes by the number of SimGrid's datatypes; the counts of all others are already bytes (Datatype::is_replayable).
ELEMENTS = {0: 8, 1: 4, 2: 1, 3: 2, 4: 8, 5: 4, 6: 1}
NOTHING = ("init", "finalize", "location", "comm_size")
COMMUNICATORS = ("comm_split", "comm_dup")
STARTED = None  # the source of a receive that was prepared: traces do not have it
MOST = 2**31 - 1  # items of a message, and tags: MPI's int
LONGEST_PS = 2**62  # limit of one computation
PS_PER_SECOND = 1e12


class RefusedError(ValueError):
    """Reason why a line is refused."""


class Line:
    """The arguments of an action, by their places. Each method refuses an argument of the wrong kind."""

    def __init__(self, words: Sequence[str], ranks: int) -> None:
        self._words = words
        self._ranks = ranks

    def __len__(self) -> int:
        return len(self._words)

    def amount(self, at: int) -> float:
        """A number of flops or seconds."""
        value = self._number(at)
        if not (value >= 0 and math.isfinite(value)):
            raise RefusedError(f"{self._words[at]} must be 0 or more")
        return value

    def count(self, at: int) -> int:
        """A number of items."""
        value = self._number(at)
        if not 0 <= value <= MOST or value != int(value):
            raise RefusedError(f"{self._words[at]} must be a number of items: a whole one from 0 to {MOST}")
        return int(value)

    def counts(self, begin: int) -> list[int]:
        """Number of items of each rank."""
        found = [self.count(at) for at in range(begin, begin + self._ranks)]
        if sum(found) > MOST:
            raise RefusedError(f"its parts are {sum(found)} items together, and may be {MOST}")
        return found

    def peer(self, at: int) -> int:
        """A rank, or SimGrid's number for any rank or for none."""
        value = self._integer(at)
        if value not in PEERS and not 0 <= value < self._ranks:
            raise RefusedError(f"there is no rank {value}, but 0 to {self._ranks - 1}")
        return value

    def root(self, at: int) -> int:
        """The root of a collective. It is rank 0 if the line does not name one."""
        value = self._integer(at) if at < len(self) else 0
        if not 0 <= value < self._ranks:
            raise RefusedError(f"there is no rank {value} to be the root, but 0 to {self._ranks - 1}")
        return value

    def tag(self, at: int) -> int:
        value = self._integer(at)
        if value != ANY_TAG and not 0 <= value <= MOST:
            raise RefusedError(f"{value} must be a tag: 0 to {MOST}, or {ANY_TAG} for any")
        return value

    def key(self) -> tuple[int, int, int]:
        """Key of a wait or a test: selects the request with these numbers."""
        return self._integer(0), self._integer(1), self._integer(2)

    def type(self, at: int) -> int | None:
        """A datatype's number; None if it is not given."""
        return self._integer(at) if at < len(self) else None

    def _integer(self, at: int) -> int:
        value = self._number(at)
        if not -MOST <= value <= MOST or value != int(value):
            raise RefusedError(f"{self._words[at]} must be a whole number of 32 bits")
        return int(value)

    def _number(self, at: int) -> float:
        if at >= len(self):
            raise RefusedError("there are too few arguments")
        word = self._words[at]
        try:
            if "_" not in word:  # float() would accept 1_000
                return float(word)
        except ValueError:
            pass
        raise RefusedError(f"{word} must be a number")


class Rank:
    """Converts the lines of one rank to actions."""

    def __init__(self, writer: Writer, rank: int, ranks: int, flops_per_s: float | None) -> None:
        self.ranks = ranks
        self._writer = writer
        self._rank = rank
        self._flops_per_s = flops_per_s
        self._default_element = 1
        self._requests = Requests()
        self._last_test: dict[int, int] = {}  # place of the last test, by request
        self._collectives = 0  # number of nonblocking collectives that were begun as blocking ones and not yet awaited
        self._taken = 0  # open requests that a waitAny has completed, whichever they are
        self._where = ""

    def read(self, action: str, a: Line, where: str) -> None:
        """Converts an action. Raises a RefusedError with the reason if that is impossible."""
        self._where = where
        name = action.lower()
        if name in NOTHING:
            if name == "init":
                self._default_element = 8 if len(a) else 1
        elif name in COMMUNICATORS:
            self._lost(f"{action}: collectives of its communicator act on all ranks")
        elif name in _ACTIONS:
            _ACTIONS[name](self, name, a)
        elif name[:1] == "i" and name[1:] in _COLLECTIVES:
            self._collectives += 1
            self._lost(f"{action}: as the blocking call, at the point where it begins")
            _ACTIONS[name[1:]](self, name[1:], a)
        else:
            self._lost(f"{action}: left out")

    def end(self) -> None:
        """Ends the rank's trace. A request without a wait was complete at its last test, or else completes here."""
        for place in self._last_test.values():
            self._writer.change(self._rank, place, size=1)
        left = [request for request in self._requests.open() if request not in self._last_test]
        if left:
            self._add("waitall", values=left)

    def _add(self, operation: str, **fields: object) -> int:
        return self._writer.add(self._rank, operation, **fields)  # type: ignore[arg-type]

    def _lost(self, kind: str) -> None:
        self._writer.report.add(kind, self._where)

    def _element(self, a: Line, *at: int) -> int:
        """Size of an item in bytes, from the datatypes at these positions. If they differ, each byte is an item."""
        types = [a.type(i) for i in at]
        sizes = {self._default_element if type_ is None else ELEMENTS.get(type_, 1) for type_ in types}
        return sizes.pop() if len(sizes) == 1 else 1

    def _bytes(self, a: Line, count: int, type_: int) -> int:
        return a.count(count) * self._element(a, type_)

    # --- the actions; `a` are the arguments after the action's name -------------------------------------------------

    def compute(self, _: str, a: Line) -> None:
        """compute FLOPS"""
        self._compute(a.amount(0))

    def _compute(self, flops: float) -> None:
        if self._flops_per_s is None:
            self._add("flops", size=_bits(flops))
            return
        ps = flops / self._flops_per_s * PS_PER_SECOND
        if ps > LONGEST_PS:
            raise RefusedError(f"at {self._flops_per_s} flops/s these are more than {LONGEST_PS / PS_PER_SECOND:.0f} s")
        self._add("compute", size=round(ps))

    def sleep(self, _: str, a: Line) -> None:
        """sleep SECONDS"""
        if a.amount(0) > LONGEST_PS / PS_PER_SECOND:
            raise RefusedError(f"a sleep may be {LONGEST_PS / PS_PER_SECOND:.0f} s")
        self._add("sleep", size=_bits(a.amount(0)))

    def message(self, name: str, a: Line) -> None:
        """send PEER TAG COUNT [TYPE]"""
        peer, tag = a.peer(0), a.tag(1)
        if "send" in name and PEERS.get(peer) == ANY:
            raise RefusedError(f"{peer} must be a rank to send to")
        if "send" in name and tag == ANY_TAG:
            raise RefusedError(f"{tag} must be a tag to send with")
        size, element = self._bytes(a, 2, 3), self._element(a, 3)
        request = -1
        if name.startswith("i"):
            # a wait names source, destination and tag
            ends = (peer, self._rank) if name == "irecv" else (self._rank, peer)
            request = self._requests.start((*ends, tag))
        script_tag = ANY if tag == ANY_TAG else tag
        self._add(name, peer=PEERS.get(peer, peer), tag=script_tag, request=request, size=size, element=element)

    def start(self, name: str, a: Line) -> None:
        """Start DESTINATION TAG BYTES [TYPE], of a persistent request: a receive's destination is the rank itself."""
        to, tag, size = a.peer(0), a.tag(1), a.count(2)
        if to != self._rank and (PEERS.get(to) == ANY or tag == ANY_TAG):
            raise RefusedError("a prepared send must have a rank to send to, and a tag")
        if to == self._rank:
            self._lost(f"{name.capitalize()}: from whom it receives, taken for any")
            request = self._requests.start((STARTED, self._rank, tag))
            self._add("irecv", tag=ANY if tag == ANY_TAG else tag, request=request, size=size)
        else:
            request = self._requests.start((self._rank, to, tag))
            self._add("isend", peer=PEERS.get(to, to), tag=tag, request=request, size=size)

    def sendrecv(self, _: str, a: Line) -> None:
        """sendRecv COUNT DESTINATION COUNT SOURCE [TYPE TYPE]"""
        to, of = a.peer(1), a.peer(3)
        if PEERS.get(to) == ANY:
            raise RefusedError(f"{to} must be a rank to send to")
        sent = {"size": self._bytes(a, 0, 4), "element": self._element(a, 4)}
        received = {"size": self._bytes(a, 2, 5), "element": self._element(a, 5)}
        self._lost("sendRecv: its tags, taken for 0 and any")
        self._add("sendrecv", peer=PEERS.get(to, to), tag=0, **sent)
        self._add("sendrecv_in", peer=PEERS.get(of, of), **received)

    def wait(self, _: str, a: Line) -> None:
        """wait SOURCE DESTINATION TAG"""
        request = self._open(a)
        if request is not None:
            self._finish(request)
            self._add("wait", request=request)
        elif self._collectives:
            self._collectives -= 1
        else:
            self._lost("wait: for a request that is not open")

    def test(self, _: str, a: Line) -> None:
        """test SOURCE DESTINATION TAG"""
        request = self._open(a)
        if request is None:
            self._lost("test: of a request that is not open")
            return
        # Complete was a request's last test, if no wait comes after it.
        self._last_test[request] = self._add("test", request=request)

    def _open(self, a: Line) -> int | None:
        """The open request with the line's source, destination and tag."""
        source, destination, tag = a.key()
        found = self._requests.find((source, destination, tag))
        return self._requests.find((STARTED, destination, tag)) if found is None else found

    def waitall(self, _: str, a: Line) -> None:
        """waitall [COUNT]"""
        requests = self._requests.open()
        if len(a) and a.count(0) < len(requests) + self._collectives:
            self._lost("waitall: of some requests, taken for all that are open")
        self._collectives = 0
        for request in requests:
            self._finish(request)
        self._add("waitall", values=requests)

    def waitany(self, _: str, __: Line) -> None:
        """waitAny COUNT"""
        self._lost("waitAny: which request it was, taken for whichever is complete")
        self._add("waitany", values=self._requests.open())
        self._taken += 1
        self._all_taken()

    def _finish(self, request: int) -> None:
        self._requests.finish(request)
        self._last_test.pop(request, None)
        self._all_taken()

    def _all_taken(self) -> None:
        requests = self._requests.open()
        if len(requests) <= self._taken:
            self._taken = 0
            for request in requests:
                self._finish(request)

    def barrier(self, name: str, _: Line) -> None:
        self._add(name)

    def rooted(self, name: str, a: Line) -> None:
        """bcast COUNT [ROOT [TYPE]]; reduce COUNT FLOPS [ROOT [TYPE]]"""
        at = 2 if name == "reduce" else 1
        flops = a.amount(1) if name == "reduce" else 0
        self._add(name, peer=a.root(at), size=self._bytes(a, 0, at + 1), element=self._element(a, at + 1))
        self._reduction(flops)

    def reduction(self, name: str, a: Line) -> None:
        """allreduce, scan, exscan COUNT FLOPS [TYPE]"""
        flops = a.amount(1)
        self._add(name, size=self._bytes(a, 0, 2), element=self._element(a, 2))
        self._reduction(flops)

    def _reduction(self, flops: float) -> None:
        if flops > 0:
            self._compute(flops)

    def parts_of_one_size(self, name: str, a: Line) -> None:
        """gather, scatter COUNT COUNT [ROOT [TYPE TYPE]]; allgather, alltoall COUNT COUNT [TYPE TYPE]"""
        rooted = name in ("gather", "scatter")
        types = 3 if rooted else 2
        # Index of the count that is valid on every rank. The other one may be 0 on the root (MPI_IN_PLACE).
        mine = 1 if name == "scatter" else 0
        sizes = [self._bytes(a, 0, types), self._bytes(a, 1, types + 1)]
        root = a.root(2) if rooted else ANY
        self._add(name, peer=root, size=sizes[mine] or sizes[1 - mine], element=self._element(a, types, types + 1))

    def gatherv(self, name: str, a: Line) -> None:
        """gatherv COUNT COUNTS [ROOT [TYPE TYPE]]; allgatherv COUNT COUNTS [TYPE TYPE]"""
        n = self.ranks
        types = 2 + n if name == "gatherv" else 1 + n
        root = a.root(1 + n) if name == "gatherv" else ANY
        size = self._bytes(a, 0, types)
        element = self._element(a, types, types + 1)
        self._add(name, peer=root, size=size, element=element, values=self._counts(a, 1, types + 1, element))

    def scatterv(self, name: str, a: Line) -> None:
        """scatterv COUNTS COUNT [ROOT [TYPE TYPE]]"""
        n = self.ranks
        element = self._element(a, n + 2, n + 3)
        counts = self._counts(a, 0, n + 2, element)
        self._add(name, peer=a.root(n + 1), size=self._bytes(a, n, n + 3), element=element, values=counts)

    def reduce_scatter(self, _: str, a: Line) -> None:
        """reducescatter COUNTS FLOPS [TYPE]"""
        n = self.ranks
        flops, element = a.amount(n), self._element(a, n + 1)
        self._add("reduce_scatter", element=element, values=self._counts(a, 0, n + 1, element))
        self._reduction(flops)

    def alltoallv(self, name: str, a: Line) -> None:
        """alltoallv COUNT COUNTS COUNT COUNTS [TYPE TYPE]"""
        n = self.ranks
        types = 2 * n + 2
        element = self._element(a, types, types + 1)
        sent = self._counts(a, 1, types, element)
        received = self._counts(a, n + 2, types + 1, element)
        self._add(name, element=element, values=sent + received)

    def _counts(self, a: Line, begin: int, type_: int, element: int) -> list[int]:
        """The ranks' counts, converted to elements of the action's type."""
        counts = [count * self._element(a, type_) // element for count in a.counts(begin)]
        if sum(counts) > MOST:
            raise RefusedError(f"its parts are {sum(counts)} bytes together, of types that differ, and may be {MOST}")
        return counts


def _bits(number: float) -> int:
    """A script's encoding of a number that is not whole."""
    (bits,) = struct.unpack("<q", struct.pack("<d", number))
    return int(bits)


_COLLECTIVES: dict[str, Callable[[Rank, str, Line], None]] = {
    "barrier": Rank.barrier,
    **dict.fromkeys(("bcast", "reduce"), Rank.rooted),
    **dict.fromkeys(("allreduce", "scan", "exscan"), Rank.reduction),
    **dict.fromkeys(("gather", "scatter", "allgather", "alltoall"), Rank.parts_of_one_size),
    **dict.fromkeys(("gatherv", "allgatherv"), Rank.gatherv),
    "scatterv": Rank.scatterv,
    "reducescatter": Rank.reduce_scatter,
    "alltoallv": Rank.alltoallv,
}
_ACTIONS: dict[str, Callable[[Rank, str, Line], None]] = {
    "compute": Rank.compute,
    "sleep": Rank.sleep,
    **dict.fromkeys(("send", "ssend", "isend", "issend", "recv", "irecv"), Rank.message),
    "start": Rank.start,
    "sendrecv": Rank.sendrecv,
    "wait": Rank.wait,
    "test": Rank.test,
    "waitall": Rank.waitall,
    "waitany": Rank.waitany,
    **_COLLECTIVES,
}
