# SPDX-License-Identifier: BSD-3-Clause
"""Converts the events of a file to bursts, with times in picoseconds and the data that leave the outlet.

Events that cannot be represented exactly are counted, or refused with a message that names the row.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hypermon._engine.replays import Outlet
from hypermon._engine.streams.event_files import MOST_BYTES, Chunk, EventFile, Payload
from hypermon._engine.streams.rows import Rows, joined, positions_in_groups
from hypermon._model.spec import Spec
from hypermon.errors import UserError

PS = {"ps": 1, "ns": 10**3, "us": 10**6, "ms": 10**9, "s": 10**12}
LATEST_PS = 2 * 10**18  # 23 days: below the largest time of the hardware model, with a margin for delays
# (chosen) Largest number of rows, and of bytes in them, by which an event may be out of order in the file. This bounds
# the memory.
SORTED_ROWS = 1 << 18
SORTED_BYTES = 1 << 24
PART_BYTES = 1 << 22
MADE_UP = "byte j of row i is (i + j) mod 256"


class Events:
    """The events of a stream, and the numbers of events that could not be represented exactly."""

    def __init__(self, file: EventFile, spec: Spec, outlet: Outlet) -> None:
        self.file = file
        self._nodes = int(spec.values["nodes"])
        self._unit = str(spec.values["stream.time_unit"])
        self._from_first = spec.values["stream.begin"] == "first"
        self._bytes = int(spec.values["stream.bytes"])
        self._outlet = outlet
        self._origin: Any = None
        self._out_ps = 0  # time of the last event that was returned
        self._last_ps = 0  # time of the last row that was read
        self.rows = 0
        self.rounded = 0
        self.reordered = 0
        self.empty = 0
        self.padded = 0
        self.made_up = False

    @property
    def origin(self) -> float:
        """The file's time, in its unit, that corresponds to 0 of the simulation."""
        return float(self._origin or 0)

    def in_order(self) -> Iterator[Rows]:
        """Iterates over all events in order of time. Events with equal times keep their order in the file."""
        held: list[Rows] = []
        for chunk in self._chunks():
            held.append(self._bursts(chunk))
            n = sum(map(len, held))
            if n >= 2 * SORTED_ROWS or sum(rows.data.size for rows in held) >= 2 * SORTED_BYTES:
                ready, rest = _sorted(joined(held)).split(n // 2)
                held = [rest]
                self._out_ps = int(ready.time_ps[-1])
                yield ready
        if held:
            yield _sorted(joined(held))

    def _chunks(self) -> Iterator[Chunk]:
        """Iterates over the file's rows, in parts of at most PART_BYTES. Every event has a datum or a valid size."""
        for chunk in self.file.chunks():
            self.rows = chunk.row + len(chunk.time)
            payload = chunk.payload or Payload(size=np.full(len(chunk.time), self._bytes, np.int64))
            if payload.size is None:
                yield chunk
                continue
            most = min(MOST_BYTES, self._outlet.longest)
            wrong = ~((payload.size >= 0) & (payload.size <= most)) | (payload.size % 1 != 0)
            why = f"; {self._outlet.length} allows no more" if self._outlet.length and most < MOST_BYTES else ""
            self._refuse(chunk, "bytes", wrong, f"must be an integer from 0 to {most}{why}")
            size = payload.size.astype(np.int64)
            ends = np.cumsum(size)
            self.made_up |= payload.data is None
            for rows in _cuts(ends):
                first = int(ends[rows.start] - size[rows.start])
                data = None if payload.data is None else payload.data[first : ends[rows.stop - 1]]
                yield Chunk(
                    chunk.row + rows.start, chunk.time[rows], chunk.node[rows], Payload(size=size[rows], data=data)
                )

    def _bursts(self, chunk: Chunk) -> Rows:
        time_ps = self._time_ps(chunk)
        count, data = self._data(chunk)
        rows = Rows(time_ps, self._node(chunk), count, data)
        if not count.all():
            self.empty += int(np.count_nonzero(count == 0))
            rows = rows.take(np.flatnonzero(count))
        return rows

    def _time_ps(self, chunk: Chunk) -> NDArray[np.int64]:
        time = chunk.time
        if time.dtype.kind == "f":
            time = time.astype(np.float64)
            self._refuse(chunk, "time", ~np.isfinite(time), "must be a number")
        elif time.dtype.kind == "u":
            self._refuse(chunk, "time", time > np.uint64(np.iinfo(np.int64).max), "must be below 2^63")
            time = time.astype(np.int64)
        if self._origin is None:
            self._origin = time.min() if self._from_first and len(time) else 0
        time = time - self._origin
        before = "must not be before the first event" if self._from_first else "must not be negative"
        self._refuse(chunk, "time", time < 0, before)
        scale = PS[self._unit]
        hint = "" if self._from_first else "; stream.begin = first counts from the first event on"
        self._refuse(
            chunk, "time", time > LATEST_PS // scale, f"must be at most {LATEST_PS // scale} {self._unit}{hint}"
        )
        exact = time * scale
        time_ps: NDArray[np.int64] = np.rint(exact).astype(np.int64)
        self.rounded += int(np.count_nonzero(time_ps != exact))
        late = np.diff(time_ps, prepend=self._last_ps) < 0
        if late.any():
            self.reordered += int(np.count_nonzero(late))
            limit = f"is more than {SORTED_ROWS} rows too late in the file; sort it by time"
            self._refuse(chunk, "time", time_ps < self._out_ps, limit)
        if len(time_ps):
            self._last_ps = int(time_ps[-1])
        return time_ps

    def _node(self, chunk: Chunk) -> NDArray[np.uint16]:
        wrong = ~((chunk.node >= 0) & (chunk.node < self._nodes)) | (chunk.node % 1 != 0)
        self._refuse(chunk, "node", wrong, f"must be an integer from 0 to {self._nodes - 1}; nodes = {self._nodes}")
        return chunk.node.astype(np.uint16)

    def _data(self, chunk: Chunk) -> tuple[NDArray[np.int64], NDArray[np.uint8]]:
        """Returns the number of bytes of each event's burst, and the bytes of all bursts.

        A datum takes `Outlet.datum_bytes` bytes; a 4-bit datum takes one byte.
        """
        payload = chunk.payload or Payload()
        if payload.size is None:
            return self._of_data(chunk, payload.datum)
        data = payload.data
        if data is None:
            rows = chunk.row + np.arange(len(payload.size))
            data = (np.repeat(rows, payload.size) + positions_in_groups(payload.size)).astype(np.uint8)
        return self._of_bytes(payload.size, data)

    def _of_data(self, chunk: Chunk, datum: Any) -> tuple[NDArray[np.int64], NDArray[np.uint8]]:
        most = 2**self._outlet.bits - 1
        wrong = ~((datum >= 0) & (datum <= most)) | (datum % 1 != 0)
        self._refuse(
            chunk,
            "datum",
            wrong,
            f"must be an integer from 0 to {most}; {self._outlet.width} = {self._outlet.bits}",
        )
        width = self._outlet.datum_bytes
        bytes_ = datum.astype("<u4").view(np.uint8).reshape(-1, 4)[:, :width]
        return np.full(len(datum), width, np.int64), np.ascontiguousarray(bytes_).reshape(-1)

    def _of_bytes(
        self, size: NDArray[np.int64], data: NDArray[np.uint8]
    ) -> tuple[NDArray[np.int64], NDArray[np.uint8]]:
        if self._outlet.bits == 4:
            halves = np.empty(2 * data.size, np.uint8)
            halves[0::2] = data & 0xF
            halves[1::2] = data >> 4
            return 2 * size, halves
        width = self._outlet.datum_bytes
        count = -(-size // width) * width
        if (count == size).all():
            return size, data
        self.padded += int(np.count_nonzero(count != size))
        padded = np.zeros(int(count.sum()), np.uint8)
        padded[positions_in_groups(size) + np.repeat(np.cumsum(count) - count, size)] = data
        return count, padded

    def _refuse(self, chunk: Chunk, column: str, wrong: NDArray[np.bool_], why: str) -> None:
        """Raises a UserError about the first wrong row, if there is one."""
        if not wrong.any():
            return
        row = int(np.argmax(wrong))
        payload = chunk.payload or Payload()
        held = {"time": chunk.time, "node": chunk.node, "datum": payload.datum, "bytes": payload.size}[column]
        value_text = "" if held is None else f" = {held[row]}"
        name = self.file.columns.get(column, column)
        raise UserError(f"{name}{value_text}: {why}", self.file.place(chunk.row + row))


def _cuts(ends: NDArray[np.int64]) -> Iterator[slice]:
    """Divides rows into parts of at most PART_BYTES, at least one row each. `ends`: cumulative sizes of the rows."""
    begin = done = 0
    while begin < len(ends):
        stop = max(begin + 1, int(np.searchsorted(ends, done + PART_BYTES, side="right")))
        yield slice(begin, stop)
        begin, done = stop, int(ends[stop - 1])


def _sorted(rows: Rows) -> Rows:
    if (np.diff(rows.time_ps) >= 0).all():
        return rows
    return rows.take(np.argsort(rows.time_ps, kind="stable"))
