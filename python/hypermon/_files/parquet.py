# SPDX-License-Identifier: BSD-3-Clause
"""Reads untrusted Parquet files in a separate process (`apart`), with bounds on the unpacked size.

Files are read in parts, so memory does not grow with them.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from hypermon._files import apart
from hypermon.errors import UserError

if TYPE_CHECKING:
    import pyarrow as pa

ROWS = 65536  # (chosen) rows of a part
PART_BYTES = 64 << 20  # (chosen) most bytes of texts and binary values in a part
FREE_ROWS, ROWS_PER_BYTE = 10_000_000, 1000  # (chosen) most rows of a file; regular columns compress very well


def names(path: Path) -> list[str]:
    """Returns the names of the file's columns."""
    found: list[str] = apart.call(f"{__name__}:names_here", str(path), path=path, kind="Parquet file", size=_size(path))
    return found


def batches(path: Path, columns: list[str], longest: int) -> Iterator[pa.RecordBatch]:
    """Yields the columns in parts. Raises a UserError if a value is longer than `longest`, or at too many rows."""
    arguments = (str(path), columns, longest)
    return apart.batches(f"{__name__}:batches_here", *arguments, path=path, kind="Parquet file", size=_size(path))


def table(content: bytes, rows: object) -> pa.Table:
    """Reads a whole file from memory. Raises a ValueError if it lacks `rows` rows or has too long texts."""
    import pyarrow as pa
    from pyarrow import parquet

    own = _dictionary_columns(parquet.ParquetFile(pa.BufferReader(content)).schema_arrow)
    file = parquet.ParquetFile(pa.BufferReader(content), read_dictionary=own)
    if file.metadata.num_rows != rows:
        raise ValueError(f"has {file.metadata.num_rows} rows instead of {rows}")
    # Not read_table(), because a thread of its scanner may hold the content until Python exits, which then aborts.
    found = file.read(use_threads=False)
    for name in own:
        at = found.column_names.index(name)
        if sum(int(_lengths(chunk).sum()) for chunk in found.column(at).chunks) > PART_BYTES:
            raise ValueError(f"{name}: its texts are more than {PART_BYTES >> 20} MiB")
        field = found.schema.field(at)
        kind = field.type.value_type
        found = found.set_column(at, field.with_type(kind), found.column(at).cast(kind))
    return found


def names_here(path: str) -> list[str]:
    """Like `names`, but in this process."""
    from pyarrow import parquet

    return list(parquet.read_schema(path).names)


def batches_here(path: str, columns: list[str], longest: int) -> Iterator[Any]:
    """Yields the schema and then the batches, like `batches` but in this process."""
    import pyarrow as pa
    from pyarrow import parquet

    own = [name for name in _dictionary_columns(parquet.ParquetFile(path).schema_arrow) if name in columns]
    file = parquet.ParquetFile(path, read_dictionary=own)
    rows = file.metadata.num_rows
    if rows > FREE_ROWS + ROWS_PER_BYTE * _size(Path(path)):
        raise UserError(f"{path}: has {rows} rows in {_size(Path(path))} bytes, which no file of measurements has")
    fields = [file.schema_arrow.field(name) for name in columns]
    yield pa.schema([f.with_type(f.type.value_type) if pa.types.is_dictionary(f.type) else f for f in fields])
    first = 0
    for batch in file.iter_batches(_rows(file, columns), columns=columns, use_threads=False):
        rows_at_once = max(1, batch.num_rows)
        for name in own:
            lengths = _lengths(batch.column(name))
            too_long = np.flatnonzero(lengths > longest)
            if len(too_long):
                message = f"{name}: has {lengths[too_long[0]]} bytes, and may have {longest}"
                raise UserError(message, f"{path}, row {first + int(too_long[0])}")
            rows_at_once = min(rows_at_once, 1 + batch.num_rows * PART_BYTES // max(1, int(lengths.sum())))
        for begin in range(0, batch.num_rows, rows_at_once):
            part = batch.slice(begin, rows_at_once)
            arrays = [part.column(name) for name in columns]
            plain = [one.dictionary_decode() if pa.types.is_dictionary(one.type) else one for one in arrays]
            yield pa.record_batch(plain, columns)
        first += batch.num_rows


def _size(path: Path) -> int:
    return path.stat().st_size


def _rows(file: Any, columns: list[str]) -> int:
    """Returns the number of rows of a part, which is smaller if rows have lists of many values."""
    metadata = file.metadata
    values = 0
    for group in range(metadata.num_row_groups):
        for at in range(metadata.num_columns):
            column = metadata.row_group(group).column(at)
            if column.path_in_schema.partition(".")[0] in columns:
                values = max(values, column.num_values // max(1, metadata.row_group(group).num_rows))
    return max(1, ROWS // max(1, values // 4096))


def _dictionary_columns(schema: Any) -> list[str]:
    """Returns the columns of texts and binary values. They are read as indices of distinct values, since a long value
    may be repeated in a million rows."""
    import pyarrow as pa

    kinds = (pa.types.is_string, pa.types.is_binary, pa.types.is_large_string, pa.types.is_large_binary)
    return [field.name for field in schema if any(kind(field.type) for kind in kinds)]


def _lengths(array: Any) -> NDArray[np.int64]:
    """Returns the size of each value of a column of distinct values, bytes. 0 for missing values.

    Works on the buffers, because pyarrow's own conversions would import pandas (hypermon._files.arrow).
    """
    import pyarrow as pa

    values, indices = array.dictionary, array.indices
    if not len(values):
        return np.zeros(len(array), np.int64)
    large = pa.types.is_large_string(values.type) or pa.types.is_large_binary(values.type)
    ends = np.frombuffer(values.buffers()[1], np.int64 if large else np.int32, len(values) + 1 + values.offset)
    of_values = np.diff(ends[values.offset :]).astype(np.int64)
    there, numbers = indices.buffers()
    chosen = np.frombuffer(numbers, np.int32, len(array) + indices.offset)[indices.offset :]
    if there is None:
        return of_values[chosen]
    valid = np.unpackbits(np.frombuffer(there, np.uint8), bitorder="little")[indices.offset :][: len(array)]
    return np.where(valid, of_values[np.where(valid, chosen, 0)], 0)
