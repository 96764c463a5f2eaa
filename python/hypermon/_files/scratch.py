# SPDX-License-Identifier: BSD-3-Clause
"""Arrays that may be larger than memory. Large ones are kept in an unnamed file, which disappears with its process.

Such arrays are processed in pieces (`pieces`). `let_go` releases the pages of a piece that were read from the file. No
result depends on the size of a piece.
"""

from __future__ import annotations

import mmap
import os
import tempfile
import weakref
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, Generic, Literal, TypeVar

import numpy as np
from numpy.typing import DTypeLike, NDArray

from hypermon._files import files

ROWS = 1 << 16
"""(chosen) Rows of a piece. The Python objects of as many states take about 10 MB."""
STEP = 1 << 10
"""(chosen) Least number of rows of a table that are merged at a time."""
MEMORY = 1 << 24
"""(chosen) Bytes that a `Scratch` keeps in memory before it uses a file."""
FEW = 32
"""(chosen) Number of pieces that are joined into one. Each of a thousand pieces is then copied once, each of 32
thousand twice."""

Piece = TypeVar("Piece")


class _Map(mmap.mmap):
    """A read-only map of a scratch file. The class tells these maps from others."""


class Scratch:
    """Storage for arrays. Its file is in the folder of temporary files (TMPDIR).

    Raises:
        UserError: The disk is full. The message names the folder.
    """

    def __init__(self) -> None:
        self._file: Any = None
        self._end = 0  # end of the used part of the file
        self._map: _Map | None = None
        self._in_memory = 0

    def room(self, dtype: DTypeLike, most: int) -> Room:
        """Reserves room for up to `most` values, which are appended later."""
        size = np.dtype(dtype).itemsize * most
        if self._in_memory + size <= MEMORY:
            self._in_memory += size
            return _MemoryRoom(dtype, most)
        at = self._end
        self._end += -(-size // 16) * 16
        return _FileRoom(self, at, dtype)

    def store(self, values: NDArray[Any]) -> NDArray[Any]:
        """Stores an array. Returns an array with the same values."""
        room = self.room(values.dtype, len(values))
        room.append(values)
        return room.array()

    def write(self, at: int, values: NDArray[Any]) -> None:
        """Writes values to the file. Called only by the `Room` that owns this part of the file."""
        folder = Path(tempfile.gettempdir())
        with files.naming(folder):
            if self._file is None:
                self._file = tempfile.TemporaryFile(buffering=0)  # noqa: SIM115 (closed with the last of its users)
                weakref.finalize(self, self._file.close)  # the maps keep their own descriptors
            left = memoryview(np.ascontiguousarray(values).view(np.uint8))  # type: ignore[arg-type]
            while left:
                written = os.pwrite(self._file.fileno(), left, at)
                at, left = at + written, left[written:]

    def read(self, at: int, size: int) -> memoryview:
        """Reads from the file. It is mapped in pieces of growing size, because each map uses a file descriptor."""
        if self._map is None or len(self._map) < at + size:
            longer = max(self._end, 2 * len(self._map or b""), mmap.PAGESIZE)
            os.truncate(self._file.fileno(), longer)  # sparse: uses no space on the disk
            self._map = _Map(self._file.fileno(), longer, access=mmap.ACCESS_READ)
        return memoryview(self._map)[at : at + size]


class Room:
    """A reserved part of a `Scratch`, to which values are appended."""

    def append(self, values: NDArray[Any]) -> None:
        """Appends values. Their total number must not exceed the reservation."""
        raise NotImplementedError

    def array(self) -> NDArray[Any]:
        """Returns all appended values."""
        raise NotImplementedError


class _MemoryRoom(Room):
    def __init__(self, dtype: DTypeLike, most: int) -> None:
        self._values = np.empty(most, dtype)
        self._size = 0

    def append(self, values: NDArray[Any]) -> None:
        self._values[self._size : self._size + len(values)] = values
        self._size += len(values)

    def array(self) -> NDArray[Any]:
        return self._values[: self._size]


class _FileRoom(Room):
    def __init__(self, scratch: Scratch, at: int, dtype: DTypeLike) -> None:
        self._scratch, self._at, self._dtype = scratch, at, np.dtype(dtype)
        self._size = 0

    def append(self, values: NDArray[Any]) -> None:
        self._scratch.write(self._at + self._size, values.astype(self._dtype, copy=False))
        self._size += len(values) * self._dtype.itemsize

    def array(self) -> NDArray[Any]:
        if not self._size:
            return np.empty(0, self._dtype)
        return np.frombuffer(self._scratch.read(self._at, self._size), self._dtype)


def pieces(n: int) -> Iterator[slice]:
    """Yields the pieces of n rows. There are none for n = 0."""
    for begin in range(0, n, ROWS):
        yield slice(begin, min(n, begin + ROWS))


def let_go(*arrays: NDArray[Any]) -> None:
    """Releases the pages of the arrays' files that were read. A later access reads them again."""
    maps = {}
    for array in arrays:
        base: Any = array
        while isinstance(base, np.ndarray):
            base = base.base
        if isinstance(base, memoryview):
            base = base.obj
        if isinstance(base, _Map):
            maps[id(base)] = base
    for one in maps.values():
        one.madvise(mmap.MADV_DONTNEED)


def merged(runs: Sequence[tuple[NDArray[Any], ...]]) -> Iterator[tuple[NDArray[Any], ...]]:
    """Merges tables that are sorted by their first columns. Yields pieces.

    A piece has the rows of all tables up to some key, table after table. All rows with the same key are in one piece.
    """
    runs = [run for run in runs if len(run[0])]
    if not runs:
        return
    step = max(STEP, ROWS // len(runs))
    at = np.zeros(len(runs), np.int64)
    sizes = np.array([len(run[0]) for run in runs])

    def reached(i: int) -> Any:
        return runs[i][0][min(at[i] + step, sizes[i]) - 1]

    first = np.array([run[0][0] for run in runs])
    reach = np.array([reached(i) for i in range(len(runs))])
    while (left := at < sizes).any():
        cutoff = reach[left].min()
        taken = []
        for i in np.flatnonzero(left & (first <= cutoff)).tolist():
            end = int(at[i] + np.searchsorted(runs[i][0][at[i] :], cutoff, "right"))
            taken.append(tuple(column[at[i] : end] for column in runs[i]))
            at[i] = end
            if end < sizes[i]:
                first[i], reach[i] = runs[i][0][end], reached(i)
        yield tuple(np.concatenate(columns) for columns in zip(*taken, strict=True))
        let_go(*(column for columns in taken for column in columns))


class Few(Generic[Piece]):
    """A list of pieces that stays short. `FEW` pieces of the same level are joined into one of the next level."""

    def __init__(self) -> None:
        self._levels: list[list[Piece]] = []  # level n: pieces that were joined n times, older than those below

    def add(self, piece: Piece, join: Callable[[Sequence[Piece]], Piece]) -> None:
        """Appends a piece. `join`: joins several pieces into one."""
        for level in self._levels:
            level.append(piece)
            if len(level) < FEW:
                return
            piece = join(level)
            level.clear()
        self._levels.append([piece])

    def __iter__(self) -> Iterator[Piece]:
        for level in reversed(self._levels):
            yield from level


class Sorted:
    """Sorts rows of several columns by the first column, stably. Rows can be added in any order."""

    def __init__(self, scratch: Scratch, *dtypes: DTypeLike) -> None:
        self._scratch, self._dtypes = scratch, dtypes
        self._runs = Few[tuple[NDArray[Any], ...]]()

    def add(self, *columns: NDArray[Any]) -> None:
        """Adds rows, as columns of equal length."""
        self._runs.add(tuple(self._scratch.store(column) for column in _sorted(columns)), self._joined)

    def _joined(self, some: Sequence[tuple[NDArray[Any], ...]]) -> tuple[NDArray[Any], ...]:
        rooms = [self._scratch.room(kind, sum(len(run[0]) for run in some)) for kind in self._dtypes]
        for columns in merged(some):
            for room, column in zip(rooms, _sorted(columns), strict=True):
                room.append(column)
        return tuple(room.array() for room in rooms)

    def pieces(self) -> Iterator[tuple[NDArray[Any], ...]]:
        """Yields all rows in order, in pieces. All rows with the same key are in one piece."""
        for columns in merged(list(self._runs)):
            yield _sorted(columns)

    def whole(self) -> tuple[NDArray[Any], ...]:
        """Returns all rows in order, as columns."""
        return self._joined(list(self._runs))

    def empty(self) -> tuple[NDArray[Any], ...]:
        """Returns the columns without any row."""
        return tuple(np.empty(0, kind) for kind in self._dtypes)


def _sorted(columns: Sequence[NDArray[Any]]) -> tuple[NDArray[Any], ...]:
    order = np.argsort(columns[0], kind="stable")
    return tuple(column[order] for column in columns)


class Following:
    """Reads sorted rows up to increasing keys."""

    def __init__(self, rows: Sorted) -> None:
        self._pieces = rows.pieces()
        self._left = self._none = rows.empty()

    def before(self, key: int) -> tuple[NDArray[Any], ...]:
        """Returns all unread rows with smaller keys. `key` must not decrease between calls."""
        return self._up_to(key, "left")

    def through(self, key: Any) -> tuple[NDArray[Any], ...]:
        """Returns all unread rows with keys up to and including `key`."""
        return self._up_to(key, "right")

    def _up_to(self, key: Any, side: Literal["left", "right"]) -> tuple[NDArray[Any], ...]:
        found = [self._none]
        while True:
            end = int(np.searchsorted(self._left[0], key, side))
            found.append(tuple(column[:end] for column in self._left))
            self._left = tuple(column[end:] for column in self._left)
            if len(self._left[0]):
                break
            following = next(self._pieces, None)
            if following is None:
                break
            self._left = following
        return tuple(np.concatenate(columns) for columns in zip(*found, strict=True))


def array_by_pieces(
    dtype: DTypeLike, values_of: Callable[..., NDArray[Any]], *columns: NDArray[Any], scratch: Scratch | None = None
) -> NDArray[Any]:
    """Makes an array piece by piece from columns of equal length, whose pages are released.

    `values_of`: takes a piece of each column, and returns at most as many values.
    """
    room = (scratch or Scratch()).room(dtype, len(columns[0]))
    for part in pieces(len(columns[0])):
        room.append(values_of(*(column[part] for column in columns)))
        let_go(*columns)
    return room.array()


def extremes(column: NDArray[Any]) -> tuple[Any, Any] | None:
    """Returns the least and the greatest value. None: the column is empty."""
    found = []
    for part in pieces(len(column)):
        values = column[part]
        found += [values.min(), values.max()]
        let_go(column)
    return (min(found), max(found)) if found else None
