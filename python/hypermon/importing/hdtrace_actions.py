# SPDX-License-Identifier: BSD-3-Clause
"""The actions of a rank, from the calls in its HDTrace trace.

A call's attributes are those of HDTrace's MPI wrapper. For receives they lack the size of the message: the action has
room for the largest message that any rank sends to this one. Attributes that hypermon's monitor adds (memoryType,
fileType) are used where they exist.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from hypermon._files.hdtrace import Entry
from hypermon.errors import UserError
from hypermon.importing import layouts
from hypermon.importing.layouts import Layout, UnknownError
from hypermon.importing.requests import Requests
from hypermon.importing.script import ANY, NOBODY, SELF, Writer

BEFORE_INIT = 64  # (chosen) number of first calls that may belong to MPI_Init
PEERS = {-1: NOBODY, -666: NOBODY, -2: ANY, -555: ANY}  # numbers of MPICH, and of SMPI
SENDS = {"Send": "send", "Rsend": "send", "Bsend": "send", "Ssend": "ssend"}
STARTS = {"Isend": "isend", "Irsend": "isend", "Ibsend": "isend", "Issend": "issend", "Irecv": "irecv"}
WAITS = ("Wait", "Waitall", "Waitany", "Waitsome")
TESTS = ("Test", "Testall", "Testany", "Testsome")
COLLECTIVES = (
    *("Barrier", "Bcast", "Reduce", "Allreduce", "Scan", "Exscan"),
    *("Gather", "Scatter", "Allgather", "Alltoall", "Gatherv", "Scatterv", "Allgatherv", "Alltoallv", "Reduce_scatter"),
)
WITH_PARTS = ("gatherv", "scatterv", "allgatherv", "alltoallv", "reduce_scatter")
RECEIVED = ("scatter", "scatterv")  # in these, a rank's own part is what it receives
HOWS = ("", "_at", "_all", "_at_all", "_shared")
STEMS = ("iread", "iwrite", "read", "write")
ACCESSES = (*(stem + how for stem in STEMS for how in HOWS), "read_ordered", "write_ordered")
ABSOLUTE = {"": "_at", "_all": "_at_all", "_shared": "_at", "_ordered": "_at_all"}
"""A call that the trace has with an absolute offset is made with one."""
SILENT = (
    "Init",
    "Init_thread",
    "Initialized",
    "Comm_rank",
    "Comm_size",
    "Comm_group",
    "Get_count",
    "Wtime",
    "Pcontrol",
)
SILENT_KINDS = ("Type_", "Group_", "Info_", "Errhandler_", "File_get_", "Comm_set_", "File_set_errhandler")
LARGEST = 2**31 - 1


@dataclass(frozen=True)
class Communicator:
    """Number of a communicator in the script, and its ranks."""

    number: int
    members: list[int]


@dataclass
class OpenFile:
    """The file view of an open file (MPI_File_set_view)."""

    displacement: int = 0
    filetype: Layout | None = None  # None: all bytes of the file


class Rank:
    """Converts the calls of one rank to actions."""

    def __init__(
        self, writer: Writer, rank: int, comms: dict[int, Communicator], type_of: Callable[[int], Layout]
    ) -> None:
        self.largest_sent: dict[int, int] = {}  # largest message to each rank
        self._writer = writer
        self._rank = rank
        self._comms = comms
        self._type_of = type_of
        self._trace = Path()
        self._line = 0
        self._computes_since: int | None = None
        self._requests = Requests()
        self._unsized: list[int] = []  # indices of receives whose size is set when all ranks have been read
        self._files: dict[int, OpenFile] = {}

    def read(self, entries: Iterable[Entry], trace: Path) -> None:
        """Reads the whole trace. A UserError names the line of an inconsistency."""
        self._trace = trace
        calls = iter(entries)
        head = list(itertools.islice(calls, BEFORE_INIT))
        begin = next((i for i, call in enumerate(head) if call.name in ("Init", "Init_thread")), -1)
        for call in itertools.chain(head[begin + 1 :] if begin >= 0 else head, calls):
            self._line = call.line
            if self._computes_since is None:
                self._computes_since = head[begin].end_ps if begin >= 0 else call.begin_ps
            if call.name == "Finalize":
                self._compute(call.begin_ps)
                return
            if self._is_silent(call):
                continue
            self._compute(call.begin_ps)
            self._issue(call)
            self._computes_since = call.end_ps

    def end(self, largest: int) -> None:
        """Completes the actions. `largest`: bytes of the largest message that any rank sends to this one."""
        for place in self._unsized:
            self._writer.change(self._rank, place, size=largest)
        left = self._requests.open()
        if left:
            self._add("waitall", values=left)

    # --- common to all calls --------------------------------------------------------------------------------------

    def _lost(self, kind: str) -> None:
        self._writer.report.add(kind, f"rank {self._rank}, line {self._line}")

    def _refuse(self, why: str) -> UserError:
        return UserError(f"{self._trace}: line {self._line}: {why}")

    def _add(self, operation: str, **fields: object) -> int:
        return self._writer.add(self._rank, operation, **fields)  # type: ignore[arg-type]

    def _compute(self, until_ps: int) -> None:
        if self._computes_since is not None and until_ps > self._computes_since:
            self._add("compute", size=until_ps - self._computes_since)

    def _is_silent(self, call: Entry) -> bool:
        """True if the call moves no data: its time counts as computing."""
        if call.name in SILENT or call.name.startswith(SILENT_KINDS):
            return True
        known = (
            *SENDS,
            *STARTS,
            *WAITS,
            *TESTS,
            *COLLECTIVES,
            "Recv",
            "Sendrecv",
            "Sendrecv_replace",
            "Probe",
            "Iprobe",
        )
        if (
            call.name in known
            or call.name.startswith("File_")
            or call.name.removeprefix("I").capitalize() in COLLECTIVES
        ):
            return False
        self._lost(f"{call.name}: its time as computing")
        return True

    def _number(self, call: Entry, name: str, default: int | None = None, most: int = 2**62) -> int:
        text = call.attributes.get(name)
        if text is None and default is not None:
            return default
        try:
            value = int(text or "")
        except ValueError:
            value = most + 1
        if not -most <= value <= most:
            raise self._refuse(f"<{call.name}> has {name} = {text!r}: must be a whole number")
        return value

    def _size(self, call: Entry, name: str = "size", default: int | None = None) -> int:
        value = self._number(call, name, default)
        if value < 0:
            raise self._refuse(f"<{call.name}> has {name} = {value}: must be 0 or more")
        return value

    def _comm(self, call: Entry) -> Communicator:
        number = self._number(call, "cid", 0)
        if number not in self._comms:
            raise self._refuse(
                f"<{call.name}> has cid = {number}: the project has no such communicator of rank {self._rank}"
            )
        return self._comms[number]

    # --- messages ---------------------------------------------------------------------------------------------------

    def _issue(self, call: Entry) -> None:
        name = call.name
        if name in SENDS:
            self._send(call, SENDS[name])
        elif name == "Recv":
            self._receive(call, "recv")
        elif name in ("Sendrecv", "Sendrecv_replace"):
            self._send(call, "sendrecv")
            self._receive(call, "sendrecv_in", "recvSize")
        elif name in STARTS:
            number = self._number(call, "rid", self._number(call, "aid", -1))
            request = self._requests.start(number)
            if name == "Irecv":
                self._receive(call, "irecv", request=request)
            else:
                self._send(call, STARTS[name], request)
        elif name in ("Probe", "Iprobe"):
            peer, tag = self._peer(call, "fromRank"), self._tag(call, "fromTag")
            if name == "Iprobe":
                self._lost("Iprobe: whether it found something, taken for not")
            self._add(name.lower(), peer=peer, tag=tag, communicator=self._comm(call).number)
        elif name in WAITS or name in TESTS:
            self._wait(call)
        elif name.startswith("File_"):
            self._file(call)
        else:
            self._collective(call)

    def _peer(self, call: Entry, name: str) -> int:
        peer = self._number(call, name)
        comm = self._comm(call)
        if peer < 0:
            return PEERS.get(peer, ANY)
        if peer >= len(comm.members):
            raise self._refuse(f"<{call.name}> has {name} = {peer}: there are ranks 0 to {len(comm.members) - 1}")
        return peer

    def _tag(self, call: Entry, name: str) -> int:
        return max(ANY, self._number(call, name, ANY, LARGEST))

    def _send(self, call: Entry, operation: str, request: int = -1) -> None:
        peer, size, comm = self._peer(call, "toRank"), self._size(call), self._comm(call)
        if peer >= 0:
            to = comm.members[peer]
            self.largest_sent[to] = max(self.largest_sent.get(to, 0), size)
        tag = max(0, self._tag(call, "toTag"))
        self._add(operation, peer=peer, tag=tag, size=size, request=request, communicator=comm.number)

    def _receive(self, call: Entry, operation: str, sized: str = "size", request: int = -1) -> None:
        peer, tag = self._peer(call, "fromRank"), self._tag(call, "fromTag")
        size = self._size(call, sized, 0)
        place = self._add(
            operation, peer=peer, tag=tag, size=size, request=request, communicator=self._comm(call).number
        )
        if sized not in call.attributes:
            self._unsized.append(place)

    def _wait(self, call: Entry) -> None:
        waits = call.name in WAITS
        numbers = [
            int(value)
            for name, attributes in call.inner
            if name.casefold() == "for"
            for value in (attributes.get("rid") or attributes.get("aid") or "",)
            if value.isdecimal()
        ]
        if not waits and not numbers:
            self._lost(f"{call.name}: what it found, taken for nothing")
            return
        if numbers:
            found = [self._requests.find(number) for number in numbers]
            requests = [request for request in found if request is not None]
        else:
            count = self._number(call, "requests", 1 if call.name == "Wait" else len(self._requests.open()))
            requests = self._requests.open()[: 1 if call.name in ("Wait", "Waitany") else count]
            if len(requests) < len(self._requests.open()):
                self._lost(f"{call.name}: its requests, taken for the oldest that are open")
        for request in requests:
            self._requests.finish(request)
        if len(requests) == 1:
            self._add("wait", request=requests[0])
        elif requests:
            self._add("waitall", values=requests)

    def _collective(self, call: Entry) -> None:
        comm = self._comm(call)
        if comm.number == SELF:
            return  # a call of a single rank: moves no data
        operation = call.name.lower()
        if call.name not in COLLECTIVES:
            operation = operation.removeprefix("i")
            self._lost(f"{call.name}: as the blocking call, at the point where it begins")
        names = ("recvSize", "size") if operation in RECEIVED else ("size", "recvSize")
        size = next((self._size(call, name) for name in names if name in call.attributes), 0)
        root = self._number(call, "rootRank", self._number(call, "root", ANY))
        if not ANY <= root < len(comm.members):
            raise self._refuse(f"<{call.name}> has the root {root}: there are ranks 0 to {len(comm.members) - 1}")
        values = None
        if operation in WITH_PARTS:
            n = len(comm.members)
            self._lost(f"{call.name}: the size of each part, taken for equal ones")
            each = size if operation in ("gatherv", "scatterv", "allgatherv") else size // n
            values = [each] * (2 * n if operation == "alltoallv" else n)
        self._add(operation, peer=root, size=size, communicator=comm.number, values=values)

    # --- files ------------------------------------------------------------------------------------------------------

    def _file(self, call: Entry) -> None:
        operation = call.name.lower().removeprefix("file_")
        if operation in ACCESSES or operation.endswith("_begin"):
            self._access(call, operation)
        elif operation == "open":
            number = self._size(call, "fid")
            self._files[number] = OpenFile()
            text = _bytes_of(call.attributes.get("name", ""), call.attributes.get("hints", ""))
            flags = self._number(call, "flags", 9, 2**16)
            self._add("file_open", peer=number, tag=flags, values=text, communicator=self._comm(call).number)
        elif operation == "delete":
            self._add("file_delete", values=_bytes_of(call.attributes.get("name", ""), ""))
        elif operation == "set_view":
            self._view(call)
        elif operation in ("close", "sync", "set_size", "preallocate"):
            size = self._size(call, "argument", self._size(call, "size", 0))
            self._add(
                f"file_{operation}", peer=self._number_of_open(call), size=0 if operation in ("close", "sync") else size
            )
        # other accesses contain their position
        elif not operation.endswith("_end") and not operation.startswith("seek"):
            self._lost(f"{call.name}: left out")

    def _number_of_open(self, call: Entry) -> int:
        number = self._size(call, "fid")
        if number not in self._files:
            raise self._refuse(f"<{call.name}> has fid = {number}: no file of that number is open")
        return number

    def _view(self, call: Entry) -> None:
        number = self._number_of_open(call)
        try:
            filetype = self._layout(call, "fileType", "filetid")
        except UnknownError as why:
            self._lost(f"{call.name}: left out: its type is not understood ({why})")
            return
        displacement = self._size(call, "displacement", 0)
        self._files[number] = OpenFile(displacement, None if filetype.is_whole else filetype)
        byte = Layout.of_bytes(1).numbers()
        view = byte if filetype.is_whole else [0, filetype.extent, *(x for run in filetype.runs for x in run)]
        values = [len(byte), *byte, len(view), *view, *_bytes_of("", call.attributes.get("hints", ""))]
        self._add("file_set_view", peer=number, size=displacement, values=values)

    def _layout(self, call: Entry, text: str, number: str) -> Layout:
        layout_text = call.attributes.get(text)
        if layout_text is None:
            return self._type_of(self._number(call, number))
        extent = self._number(call, text.replace("Type", "Extent"), -1)
        return layouts.of_text(layout_text, None if extent < 0 else extent)

    def _access(self, call: Entry, operation: str) -> None:
        if operation.endswith("_begin"):
            operation = operation.removesuffix("_begin")
            self._lost(f"{call.name}: as the blocking call, at the point where it begins")
        number = self._number_of_open(call)
        size = self._size(call)
        fields: dict[str, object] = {"peer": number, **self._memory(call, size)}
        if "offset" in call.attributes:
            at = self._size(call, "offset")
            file = self._files[number]
            fields["size"] = (
                at - file.displacement if file.filetype is None else file.filetype.below(at - file.displacement)
            )
            stem, how = _parted(operation)
            operation = stem + ABSOLUTE.get(how, how)
        if operation.startswith("i"):
            fields["request"] = self._requests.start(self._number(call, "rid", self._number(call, "aid", -1)))
        self._add(operation, **fields)

    def _memory(self, call: Entry, size: int) -> dict[str, object]:
        """Number of items, and the layout of one item."""
        count = self._number(call, "count", 1, LARGEST)
        try:
            one = self._layout(call, "memoryType", "tid")
            if one.is_whole or size == 0:
                return _contiguous(size)
            if one.size * count == size:
                return {"tag": count, "values": one.numbers()}
            why = f"{count} of {one.size} B are not {size} B"
        except UnknownError as error:
            why = str(error)
        if self._number(call, "memoryPieces", 1) > 1 or "memoryPieces" not in call.attributes:
            self._lost(f"{call.name}: the layout of its memory, taken for contiguous ({why})")
        return _contiguous(size)


def _contiguous(size: int) -> dict[str, object]:
    if size <= LARGEST:
        return {"tag": size, "element": 1}
    mib = 1 << 20
    return {"tag": 1, "values": [0, size, 0, mib, mib, size // mib, size - size % mib, size % mib, 0, 1]}


def _parted(operation: str) -> tuple[str, str]:
    """Splits the name of an access into its kind and its variant."""
    for stem in STEMS:
        if operation.startswith(stem):
            return stem, operation.removeprefix(stem)
    return operation, ""


def _bytes_of(name: str, hints: str) -> list[int]:
    """Encodes a file name and hints ("key=value;...") as in a script: texts that end in a zero byte."""
    words = [name]
    for hint in filter(None, hints.split(";")):
        key, equals, value = hint.partition("=")
        if key and equals and value:
            words += [key, value]
    return [byte for word in words for byte in (*word.encode(), 0)]
