# SPDX-License-Identifier: BSD-3-Clause
"""Arrow's arrays of values, and values of Arrow's arrays.

`pyarrow.array()` and `Array.to_numpy()` first import pandas, to see whether what they have is pandas': a third of a
second of CPU. What is made here of buffers is the same without it, and numbers are not copied.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    import pyarrow as pa


def numbers(values: NDArray[Any], missing: NDArray[np.bool_] | None = None) -> pa.Array:
    """Of integers or floats; `missing`: those that have none."""
    import pyarrow as pa

    there = None if missing is None or not missing.any() else _bits(~missing)
    buffers = [there, pa.py_buffer(np.ascontiguousarray(values))]
    return pa.Array.from_buffers(pa.from_numpy_dtype(values.dtype), len(values), buffers)


def texts(values: Sequence[str | None]) -> pa.Array:
    """None: it has none."""
    import pyarrow as pa

    encoded = [(value or "").encode() for value in values]
    ends = np.cumsum([0, *map(len, encoded)], dtype=np.int64)
    if ends[-1] > np.iinfo(np.int32).max:
        raise OverflowError("texts of more than 2 GiB")
    buffers = [_there(values), pa.py_buffer(ends.astype(np.int32)), pa.py_buffer(b"".join(encoded))]
    return pa.Array.from_buffers(pa.string(), len(encoded), buffers)


def column(values: Sequence[Any], kind: pa.DataType) -> pa.Array:
    """Of Python's values, None where there is none; `kind`: of 64-bit integers or floats, booleans, or texts."""
    import pyarrow as pa

    if kind == pa.string():
        return texts(values)
    flat = np.array([0 if value is None else value for value in values], kind.to_pandas_dtype())
    data = _bits(flat) if kind == pa.bool_() else pa.py_buffer(flat)
    return pa.Array.from_buffers(kind, len(flat), [_there(values), data])


def view(array: pa.Array | pa.ChunkedArray) -> NDArray[Any]:
    """What `to_numpy()` gives. Integers and floats are not copied, if none is missing and they are one chunk."""
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
    """64-bit integers, with `value` for those that are missing."""
    return view(array.fill_null(numbers(np.array([value], np.int64))[0]))


def _bits(values: NDArray[np.bool_]) -> pa.Buffer:
    import pyarrow as pa

    return pa.py_buffer(np.packbits(values, bitorder="little"))


def _there(values: Sequence[object]) -> pa.Buffer | None:
    if None not in values:
        return None
    return _bits(np.array([value is not None for value in values]))
