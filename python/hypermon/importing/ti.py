"""SimGrid's time-independent traces (`smpirun -trace-ti`) as program scripts.

Lines are `RANK ACTION ARGUMENTS`; as SimGrid 3.32 writes them (its src/smpi/internals/smpi_replay.cpp reads them). They
lack the communicator of a collective, the tags of a sendRecv, the request that a waitAny completed, the outcome of a
test, and probes. What is made of that, and said in the report, is at each action below.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from hypermon.errors import UserError
from hypermon.files import keep, regular
from hypermon.importing.requests import Requests
from hypermon.importing.script import ANY, NOBODY, Script, Writer

ANY_SOURCE, ANY_TAG, PROC_NULL, UNDEFINED = -555, -444, -666, -333  # SimGrid's numbers
# By the numbers of SimGrid's datatypes; the counts of all others are bytes already (Datatype::is_replayable).
ELEMENTS = {0: 8, 1: 4, 2: 1, 3: 2, 4: 8, 5: 4, 6: 1}
NOTHING = ("init", "finalize", "location", "comm_size")
COMMUNICATORS = ("comm_split", "comm_dup")
PS_PER_SECOND = 1e12


def read(source: str | os.PathLike[str], out: str | os.PathLike[str], flops_per_s: float) -> Script:
    """Imports the trace and writes the script `out`.

    `source`: the list of the ranks' files that smpirun writes, a file of all ranks, or a folder of the ranks' files.
    `flops_per_s`: the speed of the nodes, which makes a time of each computation. A UserError names file and line.
    """
    if not flops_per_s > 0:
        raise UserError(f"flops_per_s = {flops_per_s}: must be greater than 0")
    source = Path(source)
    files = _files(source)
    keep(Path(out), source, *files)
    ranks = _ranks(files)
    made_from = {"kind": "SimGrid time-independent trace", "name": source.name, "flops_per_s": flops_per_s}
    with Writer(out, ranks, made_from) as writer:
        readers = [Rank(writer, rank, ranks, flops_per_s) for rank in range(ranks)]
        for file in files:
            for line, words in _lines(file):
                _read_line(readers, words, f"{file}, line {line}")
        for reader in readers:
            reader.end()
    return Script.open(out)


def _read_line(readers: list[Rank], words: list[str], where: str) -> None:
    if len(words) < 2:
        raise UserError(f"{' '.join(words)}: must be RANK ACTION ARGUMENTS", where)
    try:
        rank, arguments = int(words[0]), [float(word) for word in words[2:]]
        readers[rank].read(words[1], arguments, where)
    except IndexError:
        raise UserError(f"{' '.join(words)}: there are too few arguments, or too few ranks", where) from None
    except (ValueError, OverflowError):
        raise UserError(f"{' '.join(words)}: must be RANK ACTION and numbers", where) from None


def _files(source: Path) -> list[Path]:
    if source.is_dir():
        files = sorted(path for path in source.iterdir() if path.is_file() and path.suffix == ".txt")
        if not files:
            raise UserError(f"{source}: has no files *.txt, one of each rank")
        return files
    named = []
    for line, words in _lines(source):
        if len(words) != 1:
            break
        file = source.parent / words[0]
        if not file.is_file():
            raise UserError(f"{file}: no such file", f"{source}, line {line}")
        named.append(file)
    return named or [source]


def _lines(file: Path) -> Iterator[tuple[int, list[str]]]:
    try:
        with regular(file).open(encoding="ascii") as text:
            for number, line in enumerate(text, 1):
                words = line.split()
                if words and not line.startswith("#"):
                    yield number, words
    except UnicodeDecodeError as error:
        raise UserError(f"{file}: is no trace: byte {error.object[error.start]:#x} is no text") from None
    except OSError as error:
        raise UserError(f"{file}: cannot be read: {error.strerror}") from None


def _ranks(files: Sequence[Path]) -> int:
    """The ranks are 0 to n - 1, one file each or all in one."""
    found = set()
    for file in files:
        for line, words in _lines(file):
            if not (words[0].isascii() and words[0].isdecimal()):
                raise UserError(f"{words[0]}: is no rank; is this a time-independent trace?", f"{file}, line {line}")
            found.add(int(words[0]))
            if len(files) > 1:
                break
    if not found or found != set(range(len(found))):
        raise UserError(f"{files[0].parent if len(files) > 1 else files[0]}: has no actions of ranks 0 to n - 1")
    return len(found)


class Rank:
    """Makes one rank's actions of its lines."""

    def __init__(self, writer: Writer, rank: int, ranks: int, flops_per_s: float) -> None:
        self._writer = writer
        self._rank = rank
        self._ranks = ranks
        self._flops_per_s = flops_per_s
        self._default_element = 1
        self._requests = Requests()
        self._last_test: dict[int, int] = {}  # by request: the place of its last test
        self._collectives = 0  # begun as blocking ones, not yet waited for
        self._taken = 0  # open requests that a waitAny has completed, whichever they are
        self._where = ""

    def read(self, action: str, arguments: Sequence[float], where: str) -> None:
        self._where = where
        name = action.lower()
        if name in NOTHING:
            if name == "init":
                self._default_element = 8 if arguments else 1
        elif name in COMMUNICATORS:
            self._lost(f"{action}: collectives of its communicator act on all ranks")
        elif name in _ACTIONS:
            _ACTIONS[name](self, name, arguments)
        elif name[:1] == "i" and name[1:] in _COLLECTIVES:
            self._collectives += 1
            self._lost(f"{action}: as the call that blocks, where it begins")
            _ACTIONS[name[1:]](self, name[1:], arguments)
        else:
            self._lost(f"{action}: left out")

    def end(self) -> None:
        """A request that nobody waited for was complete at its last test."""
        for place in self._last_test.values():
            self._writer.change(self._rank, place, size=1)

    def _add(self, operation: str, **fields: object) -> int:
        return self._writer.add(self._rank, operation, **fields)  # type: ignore[arg-type]

    def _lost(self, kind: str) -> None:
        self._writer.report.add(kind, self._where)

    def _element(self, arguments: Sequence[float], *at: int) -> int:
        """Bytes of an item: of the datatypes there, where they are given; 1 where they differ."""
        sizes = {ELEMENTS.get(int(arguments[i]), 1) if i < len(arguments) else self._default_element for i in at}
        return sizes.pop() if len(sizes) == 1 else 1

    def _bytes(self, arguments: Sequence[float], count: int, type_: int) -> int:
        return int(arguments[count]) * self._element(arguments, type_)

    # --- the actions; `a` are the arguments after the action's name -------------------------------------------------

    def compute(self, _: str, a: Sequence[float]) -> None:
        if a[0] < 0:
            raise ValueError
        self._add("compute", size=round(a[0] / self._flops_per_s * PS_PER_SECOND))

    def sleep(self, _: str, a: Sequence[float]) -> None:
        self._lost("sleep: as computing")
        self._add("compute", size=round(a[0] * PS_PER_SECOND))

    def message(self, name: str, a: Sequence[float]) -> None:
        """send PEER TAG COUNT [TYPE]"""
        key = peer, tag = int(a[0]), int(a[1])
        request = -1
        if name.startswith("i"):
            # a wait names source, destination and tag
            ends = (peer, self._rank) if name == "irecv" else (self._rank, peer)
            request = self._requests.start((*ends, tag))
        self._add(
            name,
            peer=_peer(key[0]),
            tag=ANY if tag == ANY_TAG else tag,
            request=request,
            size=self._bytes(a, 2, 3),
            element=self._element(a, 3),
        )

    def sendrecv(self, _: str, a: Sequence[float]) -> None:
        """sendRecv COUNT DESTINATION COUNT SOURCE [TYPE TYPE]"""
        self._lost("sendRecv: its tags, taken for 0 and any")
        to = {"size": self._bytes(a, 0, 4), "element": self._element(a, 4)}
        self._add("sendrecv", peer=_peer(int(a[1])), tag=0, **to)
        of = {"size": self._bytes(a, 2, 5), "element": self._element(a, 5)}
        self._add("sendrecv_in", peer=_peer(int(a[3])), **of)

    def wait(self, _: str, a: Sequence[float]) -> None:
        request = self._requests.find((int(a[0]), int(a[1]), int(a[2])))
        if request is not None:
            self._finish(request)
            self._add("wait", request=request)
        elif self._collectives:
            self._collectives -= 1
        else:
            self._lost("wait: for a request that is not open")

    def test(self, _: str, a: Sequence[float]) -> None:
        request = self._requests.find((int(a[0]), int(a[1]), int(a[2])))
        if request is None:
            self._lost("test: of a request that is not open")
            return
        # Complete was a request's last test, if no wait comes after it.
        self._last_test[request] = self._add("test", request=request)

    def waitall(self, _: str, a: Sequence[float]) -> None:
        requests = self._requests.open()
        if int(a[0]) < len(requests) + self._collectives:
            self._lost("waitall: of some requests, taken for all that are open")
        self._collectives = 0
        for request in requests:
            self._finish(request)
        self._add("waitall", values=requests)

    def waitany(self, _: str, __: Sequence[float]) -> None:
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

    def barrier(self, name: str, _: Sequence[float]) -> None:
        self._add(name)

    def rooted(self, name: str, a: Sequence[float]) -> None:
        """bcast COUNT ROOT [TYPE]; reduce COUNT FLOPS ROOT [TYPE]"""
        at = 2 if name == "reduce" else 1
        root = int(a[at]) if at < len(a) else 0
        self._add(name, peer=root, size=self._bytes(a, 0, at + 1), element=self._element(a, at + 1))
        if name == "reduce":
            self._reduction(a[1])

    def reduction(self, name: str, a: Sequence[float]) -> None:
        """allreduce, scan, exscan COUNT FLOPS [TYPE]"""
        self._add(name, size=self._bytes(a, 0, 2), element=self._element(a, 2))
        self._reduction(a[1])

    def _reduction(self, flops: float) -> None:
        if flops > 0:
            self.compute("", (flops,))

    def parts_of_one_size(self, name: str, a: Sequence[float]) -> None:
        """gather, scatter COUNT COUNT ROOT [TYPE TYPE]; allgather, alltoall COUNT COUNT [TYPE TYPE]"""
        rooted = name in ("gather", "scatter")
        types = 3 if rooted else 2
        mine = 1 if name == "scatter" else 0  # the count that every rank has; the root's may be in place
        size = self._bytes(a, mine, types + mine) or self._bytes(a, 1 - mine, types + 1 - mine)
        root = (int(a[2]) if len(a) > 2 else 0) if rooted else ANY
        self._add(name, peer=root, size=size, element=self._element(a, types, types + 1))

    def gatherv(self, name: str, a: Sequence[float]) -> None:
        """gatherv COUNT COUNTS ROOT [TYPE TYPE]; allgatherv COUNT COUNTS [TYPE TYPE]"""
        n = self._ranks
        types = 2 + n if name == "gatherv" else 1 + n
        root = int(a[1 + n]) if name == "gatherv" else ANY
        size = self._bytes(a, 0, types)
        element = self._element(a, types, types + 1)
        self._add(name, peer=root, size=size, element=element, values=self._counts(a[1 : 1 + n], a, types + 1, element))

    def scatterv(self, name: str, a: Sequence[float]) -> None:
        """scatterv COUNTS COUNT ROOT [TYPE TYPE]"""
        n = self._ranks
        element = self._element(a, n + 2, n + 3)
        counts = self._counts(a[:n], a, n + 2, element)
        self._add(name, peer=int(a[n + 1]), size=self._bytes(a, n, n + 3), element=element, values=counts)

    def reduce_scatter(self, _: str, a: Sequence[float]) -> None:
        """reducescatter COUNTS FLOPS [TYPE]"""
        n = self._ranks
        element = self._element(a, n + 1)
        self._add("reduce_scatter", element=element, values=self._counts(a[:n], a, n + 1, element))
        self._reduction(a[n])

    def alltoallv(self, name: str, a: Sequence[float]) -> None:
        """alltoallv COUNT COUNTS COUNT COUNTS [TYPE TYPE]"""
        n = self._ranks
        types = 2 * n + 2
        element = self._element(a, types, types + 1)
        sent = self._counts(a[1 : n + 1], a, types, element)
        received = self._counts(a[n + 2 : types], a, types + 1, element)
        self._add(name, element=element, values=sent + received)

    def _counts(self, counts: Sequence[float], a: Sequence[float], type_: int, element: int) -> list[int]:
        """In elements of the action."""
        if len(counts) < self._ranks:
            raise IndexError
        return [int(count) * self._element(a, type_) // element for count in counts]


def _peer(number: int) -> int:
    return {ANY_SOURCE: ANY, UNDEFINED: ANY, PROC_NULL: NOBODY}.get(number, number)


_COLLECTIVES: dict[str, Callable[[Rank, str, Sequence[float]], None]] = {
    "barrier": Rank.barrier,
    **dict.fromkeys(("bcast", "reduce"), Rank.rooted),
    **dict.fromkeys(("allreduce", "scan", "exscan"), Rank.reduction),
    **dict.fromkeys(("gather", "scatter", "allgather", "alltoall"), Rank.parts_of_one_size),
    **dict.fromkeys(("gatherv", "allgatherv"), Rank.gatherv),
    "scatterv": Rank.scatterv,
    "reducescatter": Rank.reduce_scatter,
    "alltoallv": Rank.alltoallv,
}
_ACTIONS: dict[str, Callable[[Rank, str, Sequence[float]], None]] = {
    "compute": Rank.compute,
    "sleep": Rank.sleep,
    **dict.fromkeys(("send", "ssend", "isend", "issend", "recv", "irecv"), Rank.message),
    "sendrecv": Rank.sendrecv,
    "wait": Rank.wait,
    "test": Rank.test,
    "waitall": Rank.waitall,
    "waitany": Rank.waitany,
    **_COLLECTIVES,
}
