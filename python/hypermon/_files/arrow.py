# SPDX-License-Identifier: BSD-3-Clause
"""Conversions between Arrow and NumPy, and Arrow files.

`pyarrow.array()` and `Array.to_numpy()` import pandas to check for pandas objects, which costs a third of a second of
CPU time. The functions here work on buffers, give the same without pandas, and do not copy numbers.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    import pyarrow as pa


def numbers(values: NDArray[Any], missing: NDArray[np.bool_] | None = None) -> pa.Array:
    """Makes an array of integers or floats. `missing`: marks missing values."""
    import pyarrow as pa

    there = None if missing is None or not missing.any() else _bits(~missing)
    buffers = [there, pa.py_buffer(np.ascontiguousarray(values))]
    return pa.Array.from_buffers(pa.from_numpy_dtype(values.dtype), len(values), buffers)


def texts(values: Sequence[str | None]) -> pa.Array:
    """Makes an array of texts. None stands for a missing value."""
    import pyarrow as pa

    encoded = [(value or "").encode() for value in values]
    ends = np.cumsum([0, *map(len, encoded)], dtype=np.int64)
    if ends[-1] > np.iinfo(np.int32).max:
        raise OverflowError("texts of more than 2 GiB")
    buffers = [_there(values), pa.py_buffer(ends.astype(np.int32)), pa.py_buffer(b"".join(encoded))]
    return pa.Array.from_buffers(pa.string(), len(encoded), buffers)


def column(values: Sequence[Any], kind: pa.DataType) -> pa.Array:
    """Makes an array of Python values. None stands for a missing value.

    `kind`: the type, which is 64-bit integers or floats, booleans, or texts.
    """
    import pyarrow as pa

    if kind == pa.string():
        return texts(values)
    flat = np.array([0 if value is None else value for value in values], kind.to_pandas_dtype())
    data = _bits(flat) if kind == pa.bool_() else pa.py_buffer(flat)
    return pa.Array.from_buffers(kind, len(flat), [_there(values), data])


def view(array: pa.Array | pa.ChunkedArray) -> NDArray[Any]:
    """Like `to_numpy()`. Integers and floats are not copied if none is missing and they form one chunk."""
    import pyarrow as pa

    if isinstance(array, pa.ChunkedArray):
        array = array.combine_chunks()
    if array.null_count or not (pa.types.is_integer(array.type) or pa.types.is_floating(array.type)):
        return np.asarray(array.to_numpy(zero_copy_only=False))
    kind = np.dtype(array.type.to_pandas_dtype())
    if not len(array):
        return np.empty(0, kind)
    return np.frombuffer(array.buffers()[1], kind, len(array), array.offset * kind.itemsize)


def filled(array: pa.Array | pa.ChunkedArray, value: int) -> NDArray[Any]:
    """Returns 64-bit integers, with `value` in the place of missing ones."""
    return view(array.fill_null(numbers(np.array([value], np.int64))[0]))


def _bits(values: NDArray[np.bool_]) -> pa.Buffer:
    import pyarrow as pa

    return pa.py_buffer(np.packbits(values, bitorder="little"))


def _there(values: Sequence[object]) -> pa.Buffer | None:
    if None not in values:
        return None
    return _bits(np.array([value is not None for value in values]))


def open_file(source: pa.NativeFile) -> pa.RecordBatchFileReader:
    """Opens an Arrow file, whose batches must not be compressed. Raises a ValueError if they are.

    This protects against a few bytes that unpack to gigabytes. hypermon writes uncompressed batches. pyarrow does not
    report compression before it unpacks a batch, so this function reads Arrow's metadata itself (the flatbuffers
    Footer, Message and RecordBatch).
    """
    import pyarrow as pa

    try:
        if any(map(_is_compressed, _batches(source))):
            raise ValueError("is compressed, as no file of hypermon is")
    except (struct.error, IndexError):
        raise ValueError("its footer makes no sense") from None
    found = pa.ipc.open_file(source)
    for field in found.schema:
        if field.type.num_buffers < 2 or field.type in (pa.binary(0), pa.list_(pa.int8(), 0)):
            raise ValueError(f"{field.name}: a column of {field.type} takes no bytes for any number of rows")
    return found


def _batches(source: pa.NativeFile) -> Iterator[bytes]:
    """Yields the metadata of all batches, including those of dictionaries."""
    size = source.size()
    (length,) = struct.unpack("<i", source.read_at(4, size - 10))
    if not 0 < length <= size - 10:
        raise IndexError
    footer = source.read_at(length, size - 10 - length)
    table = _followed(footer, 0)
    for number in (2, 3):  # dictionaries, recordBatches
        at = _field(footer, table, number)
        if at is None:
            continue
        vector = _followed(footer, at)
        (count,) = struct.unpack_from("<I", footer, vector)
        for block in range(count):
            offset, metadata = struct.unpack_from("<qi", footer, vector + 4 + 24 * block)
            yield source.read_at(metadata, offset)


def _is_compressed(message: bytes) -> bool:
    data = message[8 if message[:4] == b"\xff\xff\xff\xff" else 4 :]
    table = _followed(data, 0)
    kind, header = _field(data, table, 1), _field(data, table, 2)
    if kind is None or header is None:
        raise IndexError
    batch = _followed(data, header)
    if data[kind] == 2:  # a dictionary, which contains its batch
        inner = _field(data, batch, 1)
        if inner is None:
            raise IndexError
        batch = _followed(data, inner)
    return _field(data, batch, 3) is not None


def _followed(data: bytes, at: int) -> int:
    (offset,) = struct.unpack_from("<I", data, at)
    return at + int(offset)


def _field(data: bytes, table: int, number: int) -> int | None:
    """Returns the offset of a field of a table. None: the field is absent, so it has its default."""
    (back,) = struct.unpack_from("<i", data, table)
    vtable = table - int(back)
    if vtable < 0:
        raise IndexError
    (size,) = struct.unpack_from("<H", data, vtable)
    if 4 + 2 * number >= size:
        return None
    (offset,) = struct.unpack_from("<H", data, vtable + 4 + 2 * number)
    return table + int(offset) if offset else None
