# SPDX-License-Identifier: BSD-3-Clause
"""Recordings: the data that the nodes of a co-simulation wrote to their performance outlets, for replays.

A recording is one Arrow IPC file, uncompressed so that it can be memory-mapped. It has a row for each burst, sorted by
the time of the burst's first datum and then by node. docs/reference/recordings.md describes the format.
"""

from __future__ import annotations

import contextlib
import hashlib
import importlib
import json
import mmap
import os
import shutil
import zlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from hypermon._files import arrow, files
from hypermon._files.columns import let_go
from hypermon._model import run_cards, verdicts, worker
from hypermon._model.cards import Card, Shown
from hypermon._model.result import COLUMNS_FOLDER, RECORDING, RESULT
from hypermon._model.schema import common_path, flat
from hypermon._model.spec import Spec
from hypermon._model.words import data, plural, seconds
from hypermon.errors import DamagedError, UserError

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa

    from hypermon._core import Columns

FILE = RECORDING  # name of the file in a run directory
CRC = "crc32"  # key of the checksum in the metadata of the schema and of every batch
VERSION = 2
ROWS_PER_BATCH = 65536


@dataclass(frozen=True)
class Bursts:
    """A part of a recording with n bursts. The arrays are read-only views of the memory-mapped file."""

    node: NDArray[np.uint16]
    """[n] The node that wrote."""
    first_ps: NDArray[np.int64]
    """[n] True time at which the burst's first datum has left the outlet, ps."""
    spacing_ps: NDArray[np.int64]
    """[n] Time between consecutive data of the burst, ps."""
    offsets: NDArray[np.int32]
    """[n + 1] Burst i consists of the bytes data[offsets[i] : offsets[i + 1]]."""
    data: NDArray[np.uint8]
    """Each datum takes ceil(Outlet.bits / 8) bytes, little-endian. A 4-bit datum takes one byte."""
    message: NDArray[np.uint64]
    """[n] Number of the message that the event belongs to, the same at sender and receiver. 0: no message."""
    side: NDArray[np.uint8]
    """[n] 1: the event marks a message's send, 2: its receipt, 0: neither."""

    @property
    def columns(self) -> Columns:
        """The columns that hypermon._core needs to replay the bursts."""
        return {
            "node": self.node,
            "first_ps": self.first_ps,
            "spacing_ps": self.spacing_ps,
            "offsets": self.offsets,
            "data": self.data,
        }

    def __len__(self) -> int:
        return len(self.node)


class Explorer(Protocol):
    """A running explorer (`Recording.explore`)."""

    address: str

    def close(self) -> None: ...
    def _repr_html_(self) -> str: ...


class Recording(Shown):
    """A recording, and the run that was recorded.

    `path`: the file, or a run directory that holds it (`hypermon record`). The constructor raises a UserError if the
    file is not a usable recording. It raises a DamagedError if the checksum of the description is wrong; a wrong
    checksum of a batch raises a DamagedError when the batch is first read. A pickled copy opens the same file again,
    also in another process.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        import pyarrow as pa

        self.path = Path(path) / FILE if Path(path).is_dir() else Path(path)
        try:
            with self._readable("is not a recording, or is truncated"):
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
            version_text = version.decode(errors="replace")[:20]
            raise UserError(
                f"{self.path}: is a recording of format {version_text}; this hypermon reads {VERSION}: record again"
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
        """Turns errors of Arrow into a DamagedError. Errors of the operating system pass unchanged."""
        import pyarrow as pa

        try:
            yield
        except (pa.ArrowException, ValueError, MemoryError, OverflowError) as error:
            raise DamagedError(f"{self.path}: {otherwise}: {' '.join(str(error).split())[:200]}") from None
        except OSError as error:
            if error.errno:
                raise
            raise DamagedError(f"{self.path}: {otherwise}: {error}") from None  # without errno: raised by Arrow

    @cached_property
    def result(self) -> dict[str, Any]:
        """The result of the run that was recorded."""
        result: dict[str, Any] = json.loads(self.result_text)
        return result

    @cached_property
    def spec(self) -> Spec:
        """The specification of the run that was recorded. Raises a UserError if this hypermon has other parameters."""
        spec = Spec(self.result["scenario"], flat(self.result["spec"]))
        schema = worker.schema()
        others = sorted({common_path(path) for path in spec.values} ^ schema.parameters.keys())
        if others:
            made, here = self.result["versions"]["hypermon"], schema.versions["hypermon"]
            more = f" and {len(others) - 1} more" if others[1:] else ""
            raise UserError(
                f"{self.path}: was recorded with hypermon {made}, whose parameters are not those of this hypermon, "
                f"{here} (differing: {others[0]}{more}): record again"
            )
        return spec

    @property
    def nodes(self) -> int:
        return int(self.result["spec"]["nodes"])

    def __len__(self) -> int:
        """Number of bursts."""
        return self._rows

    def batches(self) -> Iterator[Bursts]:
        """Iterates over all bursts, in parts of at most 65536. Memory does not grow with their number."""
        for i in range(self._reader.num_record_batches):
            bursts = _bursts(self._batch(i))
            if len(bursts):
                yield bursts
            self._release_pages()

    def _release_pages(self) -> None:
        """Releases the mapped pages that were read. A later access reads them again."""
        self._map.madvise(mmap.MADV_DONTNEED)

    def _batch(self, number: int) -> pa.RecordBatch:
        """Returns a batch. Its checksum is verified when the batch is first read."""
        with self._readable(f"batch {number} is damaged; record again"):
            batch, metadata = self._reader.get_batch_with_custom_metadata(number)
            if number in self._verified:
                return batch
            batch.validate()
            if dict(metadata or {}) != _batch_metadata(number, _bursts(batch)):
                raise self._damaged(f"batch {number}")
        self._verified.add(number)
        return batch

    def verify(self) -> None:
        """Raises a DamagedError if the checksum of any batch is wrong. Reads the whole file."""
        for number in range(self._reader.num_record_batches):
            self._batch(number)
            self._release_pages()

    @cached_property
    def digest(self) -> str:
        """Returns a hash of the description and the checksums of all batches. Equal recordings have equal digests."""
        found = hashlib.sha256(self._crc)
        for number in range(self._reader.num_record_batches):
            with self._readable(f"batch {number} is damaged; record again"):
                metadata = dict(self._reader.get_batch_with_custom_metadata(number)[1] or {})
            found.update(metadata.get(CRC.encode(), b""))
        self._release_pages()
        return found.hexdigest()[:32]

    def to_arrow(self) -> pa.Table:
        """Returns the whole table, without copying it."""
        import pyarrow as pa

        batches = [self._batch(i) for i in range(self._reader.num_record_batches)]
        return pa.Table.from_batches(batches, self._reader.schema)

    def to_pandas(self) -> pd.DataFrame:
        """Returns a row for each burst. `data` is a bytes object."""
        frame: pd.DataFrame = self.to_arrow().to_pandas()
        return frame

    def explore(self, port: int = 0) -> Explorer:
        """Serves a page with sliders for the hardware, and shows it in a notebook (`hypermon explore`).

        Args:
            port: The TCP port on 127.0.0.1. 0: a free one.

        Returns:
            The explorer: its `address`, and `close()`, which ends it.

        Raises:
            UserError: Dash is not installed (`pip install hypermon[explore]`), the port cannot be used, or the
                recording's monitor has no replays.
        """
        explorer: Any = importlib.import_module("hypermon.explorer")  # imported here: it is a room above this one
        served: Explorer = explorer.serve(self, port, framed=True)
        return served

    def _card(self) -> Card:
        measured = f"{seconds((self.end_ps - self.begin_ps) * 1e-12)} of the program"
        size = data(self.path.stat().st_size) if self.path.is_file() else "gone"
        verdict = verdicts.sentences(self.result)[0]
        return Card(
            title=f"Recording of {self.spec.scenario}: {run_cards.subject(self.result['spec'])}",
            verdict=f"{plural(len(self), 'burst')} within {measured}. In the recorded run: {verdict}",
            level=run_cards.level(self.result),
            facts=[("file", f"{self.path} ({size})")],
            notes=[f"warning: {warning}" for warning in self.result.get("warnings", ())],
        )


def _reopened(path: Path, crc: bytes | None) -> Recording:
    """Opens a recording again for a copy. Raises a UserError if another recording has taken its place."""
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
    """Returns the CRC-32 of all keys and values, each followed by a zero byte, sorted by key."""
    return zlib.crc32(b"".join(part + b"\0" for key in sorted(metadata) for part in (key, metadata[key])))


def _batch_metadata(number: int, bursts: Bursts) -> dict[bytes, bytes]:
    """Returns the metadata of a batch: its number, and the CRC-32 of its columns in the order of `Bursts`."""
    crc = 0
    used = bursts.data[: bursts.offsets[-1]]  # the buffer may be longer
    for column in (bursts.node, bursts.first_ps, bursts.spacing_ps, bursts.offsets, used, bursts.message, bursts.side):
        crc = zlib.crc32(np.ascontiguousarray(column).data, crc)
    return {b"batch": b"%d" % number, CRC.encode(): _hex(crc)}


def schema() -> pa.Schema:
    """Returns the columns of the file and their types."""
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
    """Is the path a recording, or a run directory with a recording?"""
    return path.suffix == Path(FILE).suffix or (path / FILE).is_file()


def assemble(folder: Path) -> None:
    """Assembles the recording from the column files that the worker left in a run directory."""
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
    """Writes a recording batch by batch, in constant memory.

    The run's result is known only at the end but stored at the beginning of the file. The rows are therefore written
    to a temporary file first, and copied when the result is known.
    """

    def __init__(self, path: Path) -> None:
        import pyarrow as pa

        self._path = path
        self._rows = path.with_name(f".{path.name}.rows")
        self._file = pa.OSFile(str(self._rows), "wb")
        self._writer = pa.ipc.new_file(self._file, schema())
        self._written = 0

    def add(self, bursts: Bursts) -> None:
        """Appends a batch of at most ROWS_PER_BATCH bursts."""
        with files.naming(self._path):
            self._writer.write_batch(_batch(bursts, schema()))
        self._written += len(bursts)

    def close(self, result: str, begin_ps: int, end_ps: int) -> None:
        """Completes the file.

        `result`: the text of the run's result. The run was measured from `begin_ps` to `end_ps`, where its program
        ended.
        """
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
    texts = {
        "hypermon.recording": str(VERSION),
        "result": result,
        "measured_ps": json.dumps([begin_ps, end_ps]),
        "program_end_ps": str(program_end_ps),
        "rows": str(rows),
        "batches": str(batches),
    }
    metadata = {key.encode(): value.encode() for key, value in texts.items()}
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
