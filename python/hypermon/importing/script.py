# SPDX-License-Identifier: BSD-3-Clause
"""Program scripts: the actions of each rank of an MPI program, as NumPy arrays in one file (docs/reference/scripts.md).

The file has the format of `numpy.savez`: an uncompressed zip archive of .npy members and metadata.json. The interpreter
(sw/workloads/trace/trace.cpp) therefore reads the arrays in place.
"""

from __future__ import annotations

import contextlib
import json
import os
import struct
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hypermon._files import files
from hypermon.errors import UserError

FORMAT = "hypermon program script"
VERSION = 1
OPERATIONS = (
    "compute",
    "flops",
    "sleep",
    "event",
    "emit",
    "pcontrol",
    "wtime",
    "send",
    "ssend",
    "isend",
    "issend",
    "recv",
    "irecv",
    "sendrecv",
    "sendrecv_in",
    "wait",
    "waitall",
    "waitany",
    "test",
    "cancel",
    "iprobe",
    "probe",
    "barrier",
    "bcast",
    "reduce",
    "allreduce",
    "gather",
    "gatherv",
    "scatter",
    "scatterv",
    "allgather",
    "allgatherv",
    "alltoall",
    "alltoallv",
    "reduce_scatter",
    "scan",
    "exscan",
    "comm_dup",
    "comm_split",
    "comm_create",
    "comm_free",
    "file_open",
    "file_close",
    "file_delete",
    "file_set_size",
    "file_preallocate",
    "file_set_info",
    "file_set_view",
    "file_sync",
    "file_seek",
    "file_seek_shared",
    "read",
    "read_at",
    "read_all",
    "read_at_all",
    "read_shared",
    "read_ordered",
    "iread",
    "iread_at",
    "iread_all",
    "iread_at_all",
    "iread_shared",
    "write",
    "write_at",
    "write_all",
    "write_at_all",
    "write_shared",
    "write_ordered",
    "iwrite",
    "iwrite_at",
    "iwrite_all",
    "iwrite_at_all",
    "iwrite_shared",
)
CODES = {name: code for code, name in enumerate(OPERATIONS)}
ACTION = np.dtype(
    [
        ("operation", "|u1"),
        ("element", "|u1"),
        ("communicator", "<u2"),
        ("peer", "<i4"),
        ("tag", "<i4"),
        ("request", "<i4"),
        ("size", "<i8"),
        ("list", "<i8"),
    ]
)
RANK = np.dtype([(n, "<i8") for n in ("first", "actions", "send_bytes", "receive_bytes", "requests")])
ANY = -1  # peer or tag
NOBODY = -2  # peer
NO_COLOR = -3  # peer of comm_split
SELF = 65535  # communicator
_PACK = struct.Struct("<BBHiiiqq")

# Size of a call's send and receive buffers: `size` once, or for each rank, or from its list.
_BOTH = ("reduce", "allreduce", "scan", "exscan")
_SEND = {
    **dict.fromkeys(("send", "ssend", "isend", "issend", "sendrecv", *_BOTH), "once"),
    **dict.fromkeys(("gather", "gatherv", "allgather", "allgatherv"), "once"),
    **dict.fromkeys(("scatter", "alltoall"), "each"),
    **dict.fromkeys(("scatterv", "reduce_scatter"), "list"),
    "alltoallv": "first half",
}
_RECEIVE = {
    **dict.fromkeys(("recv", "irecv", "sendrecv_in", "bcast", *_BOTH), "once"),
    **dict.fromkeys(("scatter", "scatterv"), "once"),
    **dict.fromkeys(("gather", "allgather", "alltoall"), "each"),
    **dict.fromkeys(("gatherv", "allgatherv", "reduce_scatter"), "list"),
    "alltoallv": "second half",
}


# Accesses of files: `size` is an offset, `tag` the number of items in memory.
_READS = ("read", "read_at", "read_all", "read_at_all", "read_shared", "read_ordered")
_READS_STARTED = ("iread", "iread_at", "iread_all", "iread_at_all", "iread_shared")
_WRITES = tuple(name.replace("read", "write") for name in _READS)
_WRITES_STARTED = tuple(name.replace("read", "write") for name in _READS_STARTED)
_SEND |= dict.fromkeys(_WRITES + _WRITES_STARTED, "items")
_RECEIVE |= dict.fromkeys(_READS + _READS_STARTED, "items")
_STARTS = ("isend", "issend", "irecv", *_READS_STARTED, *_WRITES_STARTED)


@dataclass(frozen=True)
class Lost:
    """Parts of a trace that an import could not represent."""

    kind: str
    count: int
    first: str  # the first place


class Report:
    """Collects the actions that could not be represented, by kind."""

    def __init__(self) -> None:
        self._found: dict[str, tuple[int, str]] = {}

    def add(self, kind: str, place: str) -> None:
        count, first = self._found.get(kind, (0, place))
        self._found[kind] = (count + 1, first)

    def rows(self) -> list[Lost]:
        return [Lost(kind, count, first) for kind, (count, first) in self._found.items()]


@dataclass(frozen=True)
class Script:
    """A program script, checked: `path`, the `ranks` of the program, its `actions`, what the import lost."""

    path: Path
    ranks: int
    actions: int
    not_represented: tuple[Lost, ...]
    metadata: dict[str, Any]

    @staticmethod
    def open(path: str | os.PathLike[str]) -> Script:
        """Reads the metadata and checks the whole file. A UserError gives the fault and its place."""
        path = Path(path)
        with _archive(path) as archive:
            damaged = archive.testzip()
            if damaged is not None:
                offset = archive.getinfo(damaged).header_offset
                raise UserError(f"{path}: is damaged: the checksum of {damaged}, from byte {offset} on, is another")
            metadata = json.loads(_member(archive, path, "metadata.json"))
            if metadata.get("version") != VERSION:
                known = f"this hypermon reads version {VERSION}"
                raise UserError(f"{path}: is a program script of version {metadata.get('version')}; {known}")
            ranks = _array(archive, path, "ranks")
            if ranks.dtype != RANK:
                raise UserError(f"{path}: ranks: its type is {ranks.dtype}, not {RANK}")
        lost = tuple(Lost(**row) for row in metadata["not_represented"])
        return Script(path, len(ranks), int(ranks["actions"].sum()), lost, metadata)

    @property
    def has_files(self) -> bool:
        """Does the program open files?"""
        arrays = self.arrays()
        opens = np.flatnonzero(arrays["operations"] == b"file_open")
        return bool(np.isin(arrays["actions"]["operation"], opens).any())

    @property
    def nodes(self) -> int:
        """Number of nodes of the recorded machine. One more rank may run on its host."""
        return int(self.metadata["source"].get("nodes", self.ranks))

    def arrays(self) -> dict[str, NDArray[Any]]:
        """`actions`, `ranks`, `lists`, `operations`."""
        with _archive(self.path) as archive:
            return {name: _array(archive, self.path, name) for name in ("actions", "ranks", "lists", "operations")}


@contextlib.contextmanager
def _archive(path: Path) -> Iterator[zipfile.ZipFile]:
    files.regular(path)
    with files.untrusted_read(path, "a program script"), zipfile.ZipFile(path) as archive:
        for member in archive.infolist():  # a few bytes could unpack to gigabytes
            if member.compress_type != zipfile.ZIP_STORED or member.file_size != member.compress_size:
                raise UserError(f"{path}: {member.filename}: is compressed, as nothing in a program script is")
        yield archive


def _member(archive: zipfile.ZipFile, path: Path, name: str) -> bytes:
    if name not in archive.namelist():
        raise UserError(f"{path}: is not a program script: it has no {name}")
    return archive.read(name)


def _array(archive: zipfile.ZipFile, path: Path, name: str) -> NDArray[Any]:
    _member(archive, path, f"{name}.npy")
    with archive.open(f"{name}.npy") as file:
        return np.lib.format.read_array(file, allow_pickle=False)


class Writer:
    """Writes a script, action by action; 32 bytes of memory an action.

    As a context: the file appears at its end, unless that is an error's.
    """

    def __init__(self, out: str | os.PathLike[str], ranks: int, source: dict[str, Any]) -> None:
        self.report = Report()
        self._out = Path(out)
        self._source = source
        self._actions = [bytearray() for _ in range(ranks)]
        self._lists: list[int] = []

    def add(
        self,
        rank: int,
        operation: str,
        *,
        peer: int = ANY,
        tag: int = ANY,
        request: int = -1,
        size: int = 0,
        element: int = 1,
        communicator: int = 0,
        values: Sequence[int] | None = None,
        at: int = -1,
    ) -> int:
        """Adds one action and returns its index among the rank's actions.

        `values` is a list that belongs to the action; instead, `at` gives the place of a list that was added before.
        """
        place = at if values is None else self.add_list(values)
        actions = self._actions[rank]
        actions += _PACK.pack(CODES[operation], element, communicator, peer, tag, request, size, place)
        return len(actions) // _PACK.size - 1

    def add_list(self, values: Sequence[int]) -> int:
        """Adds a list, which several actions may share, and returns its place."""
        place = len(self._lists)
        self._lists += [len(values), *values]
        return place

    def set_in_list(self, place: int, index: int, value: int) -> None:
        self._lists[place + 1 + index] = value

    def change(self, rank: int, place: int, **fields: int) -> None:
        """Sets values that were unknown when the rank's action at that place was added."""
        row = np.frombuffer(self._actions[rank], ACTION)[place : place + 1]
        for name, value in fields.items():
            row[name] = value

    def __enter__(self) -> Writer:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is None:
            blocks = [[np.frombuffer(actions, ACTION)] for actions in self._actions]
            assemble(self._out, blocks, np.array(self._lists, np.int64), self._source, self.report.rows())


def assemble(
    out: Path,
    blocks: Sequence[Iterable[NDArray[Any]]],
    lists: NDArray[np.int64],
    source: dict[str, Any],
    not_represented: Sequence[Lost] = (),
    operations: Sequence[str] = OPERATIONS,
) -> None:
    """Writes the file from the actions of all ranks; if this fails, no file remains. `source`: origin of the actions.

    `operations`: the names of the operations, by the codes in the actions.
    """
    kept = [list(of_rank) for of_rank in blocks]
    ranks = np.zeros(len(kept), RANK)
    ranks["actions"] = [sum(len(block) for block in of_rank) for of_rank in kept]
    ranks["first"] = np.cumsum(ranks["actions"]) - ranks["actions"]
    for rank, of_rank in enumerate(kept):
        for block in of_rank:
            _measure(ranks[rank : rank + 1], block, lists, len(kept), operations)
    metadata = {
        "format": FORMAT,
        "version": VERSION,
        "source": source,
        "not_represented": [vars(row) for row in not_represented],
    }
    with files.writing(out, streams=False) as partial, zipfile.ZipFile(partial, "w") as archive:
        with _new(archive, "actions.npy") as file:
            _header(file, ACTION, int(ranks["actions"].sum()))
            for block in (block for of_rank in kept for block in of_rank):
                file.write(np.ascontiguousarray(block).tobytes())
        for name, array in (("ranks", ranks), ("lists", lists), ("operations", np.array(operations, "S16"))):
            with _new(archive, f"{name}.npy") as file:
                _header(file, array.dtype, len(array))
                file.write(array.tobytes())
        with _new(archive, "metadata.json") as file:
            file.write(json.dumps(metadata, indent=1).encode())


def _new(archive: zipfile.ZipFile, name: str) -> Any:
    # without a date, so that equal scripts have equal bytes
    return archive.open(zipfile.ZipInfo(name), "w", force_zip64=True)


def _header(file: Any, dtype: np.dtype[Any], items: int) -> None:
    descr = np.lib.format.dtype_to_descr(dtype)
    np.lib.format.write_array_header_1_0(file, {"descr": descr, "fortran_order": False, "shape": (items,)})


def _measure(
    row: NDArray[Any], block: NDArray[Any], lists: NDArray[np.int64], ranks: int, operations: Sequence[str]
) -> None:
    """Computes the buffers and requests that the block's calls need."""
    for code in np.unique(block["operation"]).tolist():
        calls = block[block["operation"] == code]
        operation = operations[code]
        if operation in _STARTS:
            row["requests"] = np.maximum(row["requests"], calls["request"].max() + 1)
        for column, needs in (("send_bytes", _SEND), ("receive_bytes", _RECEIVE)):
            how = needs.get(operation)
            if how is None:
                continue
            if how in ("once", "each"):
                most = int(calls["size"].max()) * (ranks if how == "each" else 1)
            elif how == "items":
                most = max(_span(call, lists) for call in np.unique(calls[["tag", "element", "list"]]))
            else:
                most = max(_sum(call, lists, how) for call in calls)
            row[column] = np.maximum(row[column], most)


def _span(call: Any, lists: NDArray[np.int64]) -> int:
    """Size of the memory that a file access reads or writes, from its first to its last byte, with gaps."""
    items, place = int(call["tag"]), int(call["list"])
    if place < 0 or items == 0:
        return items * int(call["element"])
    _, extent, *runs = lists[place + 1 : place + 1 + int(lists[place])].tolist()
    ends = [o + b + max(0, (n - 1) * s) for o, b, s, n in zip(*(runs[i::4] for i in range(4)), strict=True) if n > 0]
    return max(ends, default=0) + max(0, (items - 1) * int(extent))


def _sum(call: Any, lists: NDArray[np.int64], how: str) -> int:
    if call["list"] < 0:
        return 0
    begin = int(call["list"]) + 1
    values = lists[begin : begin + int(lists[begin - 1])]
    half = len(values) // 2
    chosen = {"list": values, "first half": values[:half], "second half": values[half:]}[how]
    return int(chosen.sum()) * int(call["element"])
