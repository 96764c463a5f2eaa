# SPDX-License-Identifier: BSD-3-Clause
"""Arrays that may be longer than memory: beyond some size in a file without a name, which goes with who made it,
however that ends.

Who works through such arrays takes them piece by piece (`pieces`), and lets go of each (`let_go`): what the operating
system has read of the file for one piece does not stay in the process. Nothing that is computed depends on how long a
piece is.
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
"""So many rows of a table are worked on at a time (chosen: the Python objects of that many states take some 10 MB)."""
STEP = 1 << 10
"""At least so many rows of a table are merged with the others' at a time (chosen)."""
MEMORY = 1 << 24
"""Bytes that one `Scratch` holds in memory before it takes a file (chosen)."""
FEW = 32
"""So many pieces become one (chosen: a thousand are written once more, 32 thousand twice)."""

Piece = TypeVar("Piece")


class _Map(mmap.mmap):
    """One of ours: nobody writes through it."""


class Scratch:
    """Room for arrays. The file is where temporary files are (the environment's TMPDIR).

    Raises:
        UserError: There is no room left, naming that folder.
    """

    def __init__(self) -> None:
        self._file: Any = None
        self._end = 0  # of the file
        self._map: _Map | None = None
        self._in_memory = 0

    def room(self, dtype: DTypeLike, most: int) -> Room:
        """For so many values at most, which are appended."""
        size = np.dtype(dtype).itemsize * most
        if self._in_memory + size <= MEMORY:
            self._in_memory += size
            return _MemoryRoom(dtype, most)
        at = self._end
        self._end += -(-size // 16) * 16
        return _FileRoom(self, at, dtype)

    def store(self, values: NDArray[Any]) -> NDArray[Any]:
        """The same values."""
        room = self.room(values.dtype, len(values))
        room.append(values)
        return room.array()

    def write(self, at: int, values: NDArray[Any]) -> None:
        """To the file. By who has the room."""
        folder = Path(tempfile.gettempdir())
        with files.naming(folder):
            if self._file is None:
                self._file = tempfile.TemporaryFile(buffering=0)  # noqa: SIM115 (closed with the last of its users)
                weakref.finalize(self, self._file.close)  # maps have descriptors of their own
            left = memoryview(np.ascontiguousarray(values).view(np.uint8))  # type: ignore[arg-type]
            while left:
                written = os.pwrite(self._file.fileno(), left, at)
                at, left = at + written, left[written:]

    def read(self, at: int, size: int) -> memoryview:
        """Of the file. It is mapped in ever larger pieces: each map takes a file descriptor."""
        if self._map is None or len(self._map) < at + size:
            longer = max(self._end, 2 * len(self._map or b""), mmap.PAGESIZE)
            os.truncate(self._file.fileno(), longer)  # takes no room on the disk
            self._map = _Map(self._file.fileno(), longer, access=mmap.ACCESS_READ)
        return memoryview(self._map)[at : at + size]


class Room:
    """Values one after the other."""

    def append(self, values: NDArray[Any]) -> None:
        """No more in all than there was asked room for."""
        raise NotImplementedError

    def array(self) -> NDArray[Any]:
        """All of them."""
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
    """Of n rows, one after the other; none of none."""
    for begin in range(0, n, ROWS):
        yield slice(begin, min(n, begin + ROWS))


def let_go(*arrays: NDArray[Any]) -> None:
    """What was read of their files leaves memory. It is read again where it is needed."""
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
    """Tables that are sorted by their first columns, as one, piece by piece: each has the rows of all tables up to some
    key, table after table. All rows of a key are in one piece."""
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
    """Pieces in the order in which they came, however many came: as soon as there are `FEW` that are made of equally
    many, they are one."""

    def __init__(self) -> None:
        self._levels: list[list[Piece]] = []  # the n-th has pieces that were joined n times: older than those before it

    def add(self, piece: Piece, join: Callable[[Sequence[Piece]], Piece]) -> None:
        """One more, which came after all others; `join` makes one of some."""
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
        """All rows in order, piece by piece. All rows of a key are in one piece."""
        for columns in merged(list(self._runs)):
            yield _sorted(columns)

    def whole(self) -> tuple[NDArray[Any], ...]:
        """All rows in order, as columns."""
        return self._joined(list(self._runs))

    def empty(self) -> tuple[NDArray[Any], ...]:
        """The columns without a row."""
        return tuple(np.empty(0, kind) for kind in self._dtypes)


def _sorted(columns: Sequence[NDArray[Any]]) -> tuple[NDArray[Any], ...]:
    order = np.argsort(columns[0], kind="stable")
    return tuple(column[order] for column in columns)


class Following:
    """Reads sorted rows up to rising keys."""

    def __init__(self, rows: Sorted) -> None:
        self._pieces = rows.pieces()
        self._left = self._none = rows.empty()

    def before(self, key: int) -> tuple[NDArray[Any], ...]:
        """All unread rows with smaller keys. `key` must not fall from call to call."""
        return self._up_to(key, "left")

    def through(self, key: Any) -> tuple[NDArray[Any], ...]:
        """All unread rows with keys up to and including `key`."""
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


def made(n: int, dtype: DTypeLike, of: Callable[[slice], NDArray[Any]], scratch: Scratch | None = None) -> NDArray[Any]:
    """An array of at most n values, made of the arrays that `of` returns for each piece of n."""
    room = (scratch or Scratch()).room(dtype, n)
    for part in pieces(n):
        room.append(of(part))
    return room.array()


def extremes(column: NDArray[Any]) -> tuple[Any, Any] | None:
    """The least and the greatest value; None: it is empty."""
    found = []
    for part in pieces(len(column)):
        values = column[part]
        found += [values.min(), values.max()]
        let_go(column)
    return (min(found), max(found)) if found else None
