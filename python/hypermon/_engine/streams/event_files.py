# SPDX-License-Identifier: BSD-3-Clause
"""Reads files of events in chunks: CSV, Parquet and .npy, with any column names.

Memory does not grow with the file: CSV is parsed incrementally, Parquet is read by row groups, .npy is mapped.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from hypermon._files import arrow, files, parquet
from hypermon._files.columns import by_suffix, csv_error, mapped, place
from hypermon.errors import UserError, suggestion

if TYPE_CHECKING:
    import pyarrow as pa

ROWS = 65536  # (chosen) rows of a chunk
MOST_BYTES = 4096  # largest event, as for the parameter stream.bytes
CSV_BLOCK = 4 << 20  # (chosen) bytes parsed at a time
PAYLOADS = ("datum", "bytes")
NAMES = ("time", "node", *PAYLOADS)

_WHOLE = re.compile(r"[+-]?\d{1,18}", re.ASCII)


def _whole(text: str) -> int:
    if not _WHOLE.fullmatch(text):
        raise ValueError(text)
    return int(text)


@dataclass(frozen=True)
class Payload:
    """The content of n events: either `datum` [n], or `size` [n] bytes each.

    `data` holds the bytes of all events in sequence, if the file has them.
    """

    datum: NDArray[Any] | None = None
    size: NDArray[Any] | None = None
    data: NDArray[np.uint8] | None = None


@dataclass(frozen=True)
class Chunk:
    """Consecutive rows of a file."""

    row: int
    """Number of the first row, from 0."""
    time: NDArray[Any]
    node: NDArray[Any]
    payload: Payload | None
    """None: the file has no column for it, or the column is not read."""


class EventFile:
    """A file of events. A wrong file raises a UserError that names the place of the mistake."""

    def __init__(self, path: Path, columns: str = "", sized: bool = False) -> None:
        """`columns`: the file's column names, as in "time=t,node=cpu". `sized`: the events' content is not read."""
        self.path = path
        files.regular(path)
        self._chunks = by_suffix(path, {".csv": self._csv, ".parquet": self._parquet, ".npy": self._npy})
        chosen = _chosen(columns)
        with files.untrusted_read(path, "events"):
            self._names = by_suffix(path, {".csv": _csv_names, ".parquet": parquet.names, ".npy": _npy_names})(path)
        self.columns = self._columns(chosen, sized)
        """The columns to read: the file's name of each, by hypermon's name."""
        self.ignored = [name for name in self._names if name not in self.columns.values()]

    def _columns(self, chosen: Mapping[str, str], sized: bool) -> dict[str, str]:
        by_place = {"time": "0", "node": "1"} if self._names[0] == "0" else {}
        found = {}
        for name in NAMES[:2]:
            found[name] = chosen.get(name, by_place.get(name, name))
            if found[name] not in self._names:
                hint = suggestion(found[name], self._names) or f"; --columns {name}=... says which it is"
                raise UserError(f"{self.path}: has no column {found[name]}, but {', '.join(self._names)}{hint}")
        if sized:
            return found
        named = {name: chosen[name] for name in PAYLOADS if name in chosen}
        there = named or {name: name for name in PAYLOADS if name in self._names}
        if len(there) != 1:
            raise UserError(
                f"{self.path}: needs one column datum or bytes, has {', '.join(self._names)}; say which with "
                "--columns datum=... or bytes=..., or give all events --bytes N"
            )
        for name in there.values():
            if name not in self._names:
                raise UserError(f"{self.path}: has no column {name}{suggestion(name, self._names)}")
        return found | there

    def place(self, row: int) -> str:
        return place(self.path, row)

    def chunks(self) -> Iterator[Chunk]:
        """Iterates over all rows."""
        with files.untrusted_read(self.path, "events"):
            yield from self._chunks()

    def _csv(self) -> Iterator[Chunk]:
        import pyarrow as pa
        from pyarrow import csv

        kinds = {self.columns["node"]: pa.int64()}
        if "datum" in self.columns:
            kinds[self.columns["datum"]] = pa.int64()
        if "bytes" in self.columns:
            kinds[self.columns["bytes"]] = pa.string()
        if _has_whole_times(self.path, self._names.index(self.columns["time"])):
            kinds[self.columns["time"]] = pa.int64()
        else:
            kinds[self.columns["time"]] = pa.float64()
        row = 0
        try:
            with csv.open_csv(
                self.path,
                csv.ReadOptions(use_threads=False, block_size=CSV_BLOCK),  # with threads, errors do not name the row
                csv.ParseOptions(ignore_empty_lines=False),
                csv.ConvertOptions(column_types=kinds, include_columns=list(self.columns.values())),
            ) as batches:
                for batch in batches:
                    yield from self._of_arrow(row, batch)
                    row += batch.num_rows
        except pa.ArrowInvalid as error:
            raise csv_error(self.path, str(error)) from None

    def _parquet(self) -> Iterator[Chunk]:
        row = 0
        longest = 2 * MOST_BYTES + len("0x")  # in hexadecimal digits
        for batch in parquet.batches(self.path, list(self.columns.values()), longest):
            yield from self._of_arrow(row, batch)
            row += batch.num_rows

    def _of_arrow(self, first: int, batch: pa.RecordBatch) -> Iterator[Chunk]:
        for begin in range(0, batch.num_rows, ROWS):
            row, part = first + begin, batch.slice(begin, ROWS)
            arrays = {name: part.column(theirs) for name, theirs in self.columns.items()}
            for name, array in arrays.items():
                if array.null_count:
                    missing = int(np.flatnonzero(array.is_null().to_numpy(zero_copy_only=False))[0])
                    raise UserError(f"{self.columns[name]}: is missing", self.place(row + missing))
            payload = None
            if "datum" in arrays:
                payload = Payload(datum=self._numbers("datum", arrays["datum"]))
            elif "bytes" in arrays:
                payload = self._bytes(row, arrays["bytes"])
            yield Chunk(row, self._numbers("time", arrays["time"]), self._numbers("node", arrays["node"]), payload)

    def _numbers(self, name: str, array: pa.Array) -> NDArray[Any]:
        import pyarrow as pa

        if pa.types.is_timestamp(array.type):
            raise UserError(f"{self.path}: column {self.columns[name]} holds dates: give times as numbers")
        return self._checked(name, arrow.view(array))

    def _checked(self, name: str, values: NDArray[Any]) -> NDArray[Any]:
        if values.dtype.kind not in "iuf":
            raise UserError(f"{self.path}: column {self.columns[name]} holds {values.dtype}: must be numbers")
        return values

    def _bytes(self, row: int, array: pa.Array) -> Payload:
        """Returns the content of a column `bytes`.

        Integers are numbers of bytes. Text is hexadecimal (in CSV with 0x in front). Binary values and lists are the
        bytes themselves.
        """
        import pyarrow as pa
        from pyarrow import compute

        types = pa.types
        if types.is_string(array.type) or types.is_large_string(array.type):
            return self._text(row, array.to_pylist())
        if types.is_list(array.type) or types.is_large_list(array.type):
            size = compute.list_value_length(array).to_numpy().astype(np.int64)
            return Payload(size=size, data=self._in_a_byte(array.flatten().to_numpy(zero_copy_only=False), row))
        if types.is_binary(array.type) or types.is_large_binary(array.type) or types.is_fixed_size_binary(array.type):
            size = compute.binary_length(array).to_numpy().astype(np.int64)
            return Payload(size=size, data=np.frombuffer(b"".join(array.to_pylist()), np.uint8))
        return Payload(size=self._numbers("bytes", array))

    def _text(self, row: int, texts: list[str]) -> Payload:
        if self.path.suffix.lower() == ".csv" and not texts[0].lower().startswith("0x"):
            try:
                return Payload(size=np.array([_whole(text) for text in texts], np.int64))
            except ValueError:
                wrong = next(i for i, text in enumerate(texts) if not _WHOLE.fullmatch(text))
                raise UserError(
                    f"{self.columns['bytes']} = {texts[wrong]}: must be a number of bytes, or in every row 0x and "
                    "hexadecimal digits",
                    self.place(row + wrong),
                ) from None
        data = []
        for i, text in enumerate(texts):
            try:
                data.append(bytes.fromhex(text[2:] if text[:2] in ("0x", "0X") else text))
            except ValueError:
                raise UserError(
                    f"{self.columns['bytes']} = {text}: must be hexadecimal digits, two a byte", self.place(row + i)
                ) from None
        size = np.fromiter(map(len, data), np.int64, len(data))
        return Payload(size=size, data=np.frombuffer(b"".join(data), np.uint8))

    def _in_a_byte(self, values: NDArray[Any], row: int) -> NDArray[np.uint8]:
        if values.size and (values.dtype.kind not in "iu" or values.min() < 0 or values.max() > 255):
            raise UserError(
                f"{self.columns['bytes']}: lists must be of integers from 0 to 255", f"{self.place(row)} ff."
            )
        return values.astype(np.uint8)

    def _npy(self) -> Iterator[Chunk]:
        array = _mapped(self.path)
        for row in range(0, len(array), ROWS):
            part = array[row : row + ROWS]
            column = {
                name: np.ascontiguousarray(part[theirs] if part.dtype.names else part[:, int(theirs)])
                for name, theirs in self.columns.items()
            }
            payload = None
            if "datum" in column:
                payload = Payload(datum=self._checked("datum", column["datum"]))
            elif "bytes" in column:
                held = column["bytes"]
                if held.ndim == 2 and held.dtype.kind in "iu":
                    size = np.full(len(held), held.shape[1], np.int64)
                    payload = Payload(size=size, data=self._in_a_byte(held.reshape(-1), row))
                elif held.dtype.kind in "SV":
                    size = np.full(len(held), held.dtype.itemsize, np.int64)
                    payload = Payload(size=size, data=held.view(np.uint8).reshape(-1))
                else:
                    payload = Payload(size=self._checked("bytes", held))
            yield Chunk(row, self._checked("time", column["time"]), self._checked("node", column["node"]), payload)


def _chosen(columns: str) -> dict[str, str]:
    """Parses column names such as "time=t,node=cpu"."""
    chosen: dict[str, str] = {}
    for pair in filter(None, (pair.strip() for pair in columns.split(","))):
        ours, equals, theirs = (part.strip() for part in pair.partition("="))
        if not equals or not theirs or ours not in NAMES or ours in chosen:
            raise UserError(
                f"stream.columns = {columns}: {pair}: must be NAME=COLUMN, each NAME of {', '.join(NAMES)} once"
                f"{suggestion(ours, NAMES)}"
            )
        chosen[ours] = theirs
    if "datum" in chosen and "bytes" in chosen:
        raise UserError(f"stream.columns = {columns}: an event holds either a datum or bytes")
    return chosen


def _csv_names(path: Path) -> list[str]:
    import pyarrow as pa
    from pyarrow import csv

    try:
        with csv.open_csv(path, csv.ReadOptions(use_threads=False)) as opened:
            return list(opened.schema.names)
    except pa.ArrowInvalid as error:
        raise csv_error(path, str(error)) from None


def _has_whole_times(path: Path, column: int) -> bool:
    """Is the time in the first row an integer? Then all times must be integers, or they would be rounded silently."""
    import csv

    with path.open(newline="", encoding="utf-8") as file:
        rows = csv.reader(file)
        next(rows)
        first = next(rows, None)
    return first is not None and column < len(first) and re.fullmatch(r"[+-]?\d+", first[column].strip()) is not None


def _npy_names(path: Path) -> list[str]:
    array = _mapped(path)
    return list(array.dtype.names) if array.dtype.names else [str(i) for i in range(array.shape[1])]


def _mapped(path: Path) -> NDArray[Any]:
    array = mapped(path)
    if array.ndim != (1 if array.dtype.names else 2):
        raise UserError(f"{path}: must be a structured array, or one of two dimensions with a column for each value")
    return array
