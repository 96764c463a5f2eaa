# SPDX-License-Identifier: BSD-3-Clause
"""Recordings: what the nodes of one co-simulation wrote to their performance outlets, for replays of other hardware.

One Arrow IPC file (uncompressed, to be memory-mapped; any Arrow library opens it), a row for each burst, in the order
of their first data and then of the nodes. docs/reference/recordings.md describes the format.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import mmap
import os
import shutil
import zlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from hypermon._files import arrow, files
from hypermon._files.columns import let_go
from hypermon._model import run_cards
from hypermon._model.cards import Card, Shown
from hypermon._model.result import COLUMNS_FOLDER, RECORDING, RESULT
from hypermon._model.schema import flat
from hypermon._model.spec import Spec
from hypermon._model.words import data, plural, seconds
from hypermon.errors import DamagedError, UserError

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa

    from hypermon._core import Columns

FILE = RECORDING  # in a folder
CRC = "crc32"  # key of the schema's metadata and of every batch's
VERSION = 2
ROWS_PER_BATCH = 65536


@dataclass(frozen=True)
class Bursts:
    """Some rows of a recording: n bursts. The arrays are views of the memory-mapped file and read-only."""

    node: NDArray[np.uint16]
    """[n] The node that wrote."""
    first_ps: NDArray[np.int64]
    """[n] Its first datum at its outlet, ps, true time."""
    spacing_ps: NDArray[np.int64]
    """[n] Between its data, ps."""
    offsets: NDArray[np.int32]
    """[n + 1] Burst i has the data [offsets[i], offsets[i + 1])."""
    data: NDArray[np.uint8]
    """ceil(Outlet.bits / 8) bytes a datum, the least significant first; 4-bit data one a byte."""
    message: NDArray[np.uint64]
    """[n] Number that ties the two ends of a message together; 0: the event is none's."""
    side: NDArray[np.uint8]
    """[n] 1: the event is a message's sending, 2: its receipt, 0: neither."""

    @property
    def columns(self) -> Columns:
        """When the data leave follows from them, as hypermon._core takes it."""
        return {
            "node": self.node,
            "first_ps": self.first_ps,
            "spacing_ps": self.spacing_ps,
            "offsets": self.offsets,
            "data": self.data,
        }

    def __len__(self) -> int:
        return len(self.node)


class Recording(Shown):
    """A recording and the run that it is of.

    `path`: the file, or a run directory that holds one (`hypermon record`). A UserError says what is wrong with it; a
    DamagedError, now or when a batch is read first, that its checksum is another. A copy, also in another process,
    opens the same file again.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        import pyarrow as pa

        self.path = Path(path) / FILE if Path(path).is_dir() else Path(path)
        try:
            with self._readable("is no recording, or is truncated"):
                with files.regular(self.path).open("rb") as file:
                    self._map = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
                self._reader = arrow.open_file(pa.BufferReader(pa.py_buffer(self._map)))
                found = self._reader.schema
                metadata = dict(found.metadata or {})
        except OSError as error:
            hint = f"; hypermon record writes {FILE} into its run directory" if Path(path).is_dir() else ""
            raise UserError(f"{self.path}: cannot be read: {os.strerror(error.errno or 0)}{hint}") from None
        version = metadata.get(b"hypermon.recording")
        if version is None:
            raise UserError(f"{self.path}: is an Arrow file, but no recording of hypermon")
        if version != str(VERSION).encode():
            said = version.decode(errors="replace")[:20]
            raise UserError(
                f"{self.path}: is a recording of format {said}; this hypermon reads {VERSION}: record again"
            )
        self._crc = metadata.pop(CRC.encode(), b"")
        if self._crc != _hex(_crc_of_metadata(metadata)) or not found.equals(schema()):
            raise self._damaged("its description")
        self.result_text = metadata[b"result"].decode()
        self.begin_ps: int
        self.end_ps: int
        self.begin_ps, self.end_ps = json.loads(metadata[b"measured_ps"])
        self.program_end_ps = int(metadata[b"program_end_ps"])
        self._rows = int(metadata[b"rows"])
        self._verified: set[int] = set()
        if self._reader.num_record_batches != int(metadata[b"batches"]):
            raise DamagedError(f"{self.path}: is damaged: it has not all of its batches; record again")

    def __reduce__(self) -> tuple[Callable[[Path, bytes | None], Recording], tuple[Path, bytes | None]]:
        return _reopened, (self.path.absolute(), self._crc)

    def _damaged(self, what: str) -> DamagedError:
        return DamagedError(f"{self.path}: is damaged: the checksum of {what} is another; record again")

    @contextlib.contextmanager
    def _readable(self, otherwise: str) -> Iterator[None]:
        """Arrow's errors as a DamagedError; those of the operating system as they are."""
        import pyarrow as pa

        try:
            yield
        except (pa.ArrowException, ValueError, MemoryError, OverflowError) as error:
            raise DamagedError(f"{self.path}: {otherwise}: {' '.join(str(error).split())[:200]}") from None
        except OSError as error:
            if error.errno:
                raise
            raise DamagedError(f"{self.path}: {otherwise}: {error}") from None  # Arrow's own

    @cached_property
    def result(self) -> dict[str, Any]:
        """The result of the run that was recorded."""
        result: dict[str, Any] = json.loads(self.result_text)
        return result

    @cached_property
    def spec(self) -> Spec:
        """The specification of the run that was recorded."""
        return Spec(self.result["scenario"], flat(self.result["spec"]))

    @property
    def nodes(self) -> int:
        return int(self.result["spec"]["nodes"])

    def __len__(self) -> int:
        """Bursts."""
        return self._rows

    def batches(self) -> Iterator[Bursts]:
        """All bursts, in pieces of some ten thousand. Memory does not grow with their number."""
        for i in range(self._reader.num_record_batches):
            bursts = _bursts(self._batch(i))
            if len(bursts):
                yield bursts
            self._let_go()

    def _let_go(self) -> None:
        """Drops the pages of the file that were read; a later access reads them again."""
        self._map.madvise(mmap.MADV_DONTNEED)

    def _batch(self, number: int) -> pa.RecordBatch:
        """The batch, which is what was written. It is verified when it is read first: a file is never read for that
        alone."""
        with self._readable(f"batch {number} is damaged; record again"):
            batch, said = self._reader.get_batch_with_custom_metadata(number)
            if number in self._verified:
                return batch
            batch.validate()
            if dict(said or {}) != _batch_metadata(number, _bursts(batch)):
                raise self._damaged(f"batch {number}")
        self._verified.add(number)
        return batch

    def verify(self) -> None:
        """A DamagedError if any batch is not what was written; reads the whole file."""
        for number in range(self._reader.num_record_batches):
            self._batch(number)
            self._let_go()

    @cached_property
    def digest(self) -> str:
        """Hash over the description and the checksums of all batches. Equal recordings have equal digests."""
        found = hashlib.sha256(self._crc)
        for number in range(self._reader.num_record_batches):
            with self._readable(f"batch {number} is damaged; record again"):
                said = dict(self._reader.get_batch_with_custom_metadata(number)[1] or {})
            found.update(said.get(CRC.encode(), b""))
        self._let_go()
        return found.hexdigest()[:32]

    def to_arrow(self) -> pa.Table:
        """The whole table; not copied."""
        import pyarrow as pa

        batches = [self._batch(i) for i in range(self._reader.num_record_batches)]
        return pa.Table.from_batches(batches, self._reader.schema)

    def to_pandas(self) -> pd.DataFrame:
        """A row for each burst; `data` as bytes."""
        frame: pd.DataFrame = self.to_arrow().to_pandas()
        return frame

    def _card(self) -> Card:
        measured = f"{seconds((self.end_ps - self.begin_ps) * 1e-12)} of the program"
        size = data(self.path.stat().st_size) if self.path.is_file() else "gone"
        verdict, level = run_cards.losses(self.result)
        return Card(
            title=f"Recording of {self.spec.scenario}: {run_cards.subject(self.result['spec'])}",
            verdict=f"{plural(len(self), 'burst')} within {measured}. In the recorded run: {verdict}",
            level=level,
            facts=[("file", f"{self.path} ({size})")],
            notes=[f"warning: {warning}" for warning in self.result.get("warnings", ())],
        )


def _reopened(path: Path, crc: bytes | None) -> Recording:
    """A copy of a recording. A UserError if another has taken its place."""
    found = Recording(path)
    if found._crc != crc:
        raise UserError(f"{path}: is another recording by now; open it again")
    return found


def _bursts(batch: pa.RecordBatch) -> Bursts:
    column = {name: batch.column(name) for name in batch.schema.names}
    _, offsets, data = column["data"].buffers()
    n = batch.num_rows
    return Bursts(
        node=arrow.view(column["node"]),
        first_ps=arrow.view(column["first_ps"]),
        spacing_ps=arrow.view(column["spacing_ps"]),
        offsets=np.frombuffer(offsets, np.int32, n + 1),
        data=np.frombuffer(data, np.uint8) if data is not None else np.empty(0, np.uint8),
        message=arrow.view(column["message"]),
        side=arrow.view(column["side"]),
    )


def _hex(crc: int) -> bytes:
    return b"%08x" % crc


def _crc_of_metadata(metadata: Mapping[bytes, bytes]) -> int:
    """Of all keys and values, each followed by a zero byte, in the order of the keys."""
    return zlib.crc32(b"".join(part + b"\0" for key in sorted(metadata) for part in (key, metadata[key])))


def _batch_metadata(number: int, bursts: Bursts) -> dict[bytes, bytes]:
    """What a batch says of itself: its number, and the CRC-32 of its columns as they stand in Bursts."""
    crc = 0
    used = bursts.data[: bursts.offsets[-1]]  # the buffer may go on
    for column in (bursts.node, bursts.first_ps, bursts.spacing_ps, bursts.offsets, used, bursts.message, bursts.side):
        crc = zlib.crc32(np.ascontiguousarray(column).data, crc)
    return {b"batch": b"%d" % number, CRC.encode(): _hex(crc)}


def schema() -> pa.Schema:
    """Columns and types of the file."""
    import pyarrow as pa

    fields = {
        "node": pa.uint16(),
        "first_ps": pa.int64(),
        "spacing_ps": pa.int64(),
        "data": pa.binary(),
        "message": pa.uint64(),
        "side": pa.uint8(),
    }
    return pa.schema([pa.field(name, kind, nullable=False) for name, kind in fields.items()])


def is_recording(path: Path) -> bool:
    """Is it one, or a run directory with one?"""
    return path.suffix == Path(FILE).suffix or (path / FILE).is_file()


def assemble(folder: Path) -> None:
    """Makes the recording of the columns that the worker left in a run directory."""
    import pyarrow as pa

    columns = folder / COLUMNS_FOLDER
    measured = json.loads((columns / "measured.json").read_text(encoding="utf-8"))
    array = {name: np.load(columns / f"{name}.npy", mmap_mode="r") for name in (*schema().names, "bytes")}
    result = (folder / RESULT).read_text(encoding="utf-8")
    begins = range(0, len(array["node"]), ROWS_PER_BATCH)
    target = _whole_schema(result, **measured, rows=len(array["node"]), batches=len(begins))
    first = 0
    with (
        files.naming(folder / FILE),
        pa.OSFile(str(folder / FILE), "wb") as file,
        pa.ipc.new_file(file, target) as writer,
    ):
        for number, begin in enumerate(begins):
            rows = {name: array[name][begin : begin + ROWS_PER_BATCH] for name in array}
            offsets = np.concatenate([np.zeros(1, np.int32), np.cumsum(rows.pop("bytes"), dtype=np.int32)])
            rows["data"] = array["data"][first : first + int(offsets[-1])]
            first += int(offsets[-1])
            bursts = Bursts(offsets=offsets, **{name: np.ascontiguousarray(column) for name, column in rows.items()})
            writer.write_batch(_batch(bursts, target), custom_metadata=_batch_metadata(number, bursts))
            for column in array.values():
                let_go(column)
    shutil.rmtree(columns)


class Writer:
    """Writes a recording batch by batch, in memory that does not grow with it.

    The run that it is of is known at the end only, but stands at the beginning: the rows are written twice.
    """

    def __init__(self, path: Path) -> None:
        import pyarrow as pa

        self._path = path
        self._rows = path.with_name(f".{path.name}.rows")
        self._file = pa.OSFile(str(self._rows), "wb")
        self._writer = pa.ipc.new_file(self._file, schema())
        self._written = 0

    def add(self, bursts: Bursts) -> None:
        """At most ROWS_PER_BATCH, after those before."""
        with files.naming(self._path):
            self._writer.write_batch(_batch(bursts, schema()))
        self._written += len(bursts)

    def close(self, result: str, begin_ps: int, end_ps: int) -> None:
        """`result`: the run's, as text; it was measured from `begin_ps` to `end_ps`, when its program ended."""
        with files.naming(self._path):
            self._close(result, begin_ps, end_ps)

    def _close(self, result: str, begin_ps: int, end_ps: int) -> None:
        import pyarrow as pa

        self._writer.close()
        self._file.close()
        with pa.OSFile(str(self._rows)) as source:
            rows = pa.ipc.open_file(source)
            target = _whole_schema(result, begin_ps, end_ps, end_ps, self._written, rows.num_record_batches)
            with pa.OSFile(str(self._path), "wb") as file, pa.ipc.new_file(file, target) as writer:
                for i in range(rows.num_record_batches):
                    batch = rows.get_batch(i)
                    again = pa.record_batch(batch.columns, schema=target)
                    writer.write_batch(again, custom_metadata=_batch_metadata(i, _bursts(batch)))
        self._rows.unlink()


def _whole_schema(result: str, begin_ps: int, end_ps: int, program_end_ps: int, rows: int, batches: int) -> pa.Schema:
    said = {
        "hypermon.recording": str(VERSION),
        "result": result,
        "measured_ps": json.dumps([begin_ps, end_ps]),
        "program_end_ps": str(program_end_ps),
        "rows": str(rows),
        "batches": str(batches),
    }
    metadata = {key.encode(): value.encode() for key, value in said.items()}
    return schema().with_metadata(metadata | {CRC.encode(): _hex(_crc_of_metadata(metadata))})


def _batch(bursts: Bursts, target: pa.Schema) -> pa.RecordBatch:
    import pyarrow as pa

    columns = [
        pa.Array.from_buffers(field.type, len(bursts), [None, pa.py_buffer(bursts.offsets), pa.py_buffer(bursts.data)])
        if field.name == "data"
        else arrow.numbers(getattr(bursts, field.name))
        for field in target
    ]
    return pa.record_batch(columns, schema=target)
