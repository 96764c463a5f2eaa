# SPDX-License-Identifier: BSD-3-Clause
"""The compressed form of a time line in a page: columns of integers, with a description.

Times are relative to the begin of their run, in the coarsest unit in which all are integers. JavaScript's numbers
(doubles) represent up to 2^53 units exactly: 2.5 hours in picoseconds, 104 days in nanoseconds. Longer time lines are
rounded to coarser units.

A column stores the differences of its values, which are small for ids, times and sizes. Each difference takes as many
bytes as the largest one. Bytes of the same significance are stored together, because they compress well. Columns of
other numbers store the bytes of doubles in the same way. All columns are in two deflated blobs: one with the data for
drawing, and one with the details of operations.
"""

from __future__ import annotations

import base64
import itertools
import tempfile
import weakref
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypedDict

import numpy as np

from hypermon._files import files
from hypermon._files import scratch as scratches
from hypermon._files.scratch import Scratch, let_go, pieces
from hypermon.report.timeline_colours import LOSS, Neighbours, colours
from hypermon.timelines import joining
from hypermon.timelines.rows import Rows, pieces_by_begin, placed
from hypermon.timelines.tracks import Texts

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hypermon.timelines.tracks import States, Statistic, TimeLine

EXACT = 1 << 53  # doubles represent all integers below it exactly
LEVEL = 6  # level of the compression
FEED = 1 << 20  # bytes that are compressed at a time


class Column(TypedDict, total=False):
    """The position and the format of a column in its blob."""

    at: int
    n: int
    width: int  # bytes per value; 0: all values are 0
    form: Literal["whole", "double", "text"]
    first: int  # for integers: added to the first difference
    texts: list[str]  # for texts: the distinct texts


Part = Callable[[slice], "NDArray[Any]"]
"""Returns a part of a column's values."""


class Blob:
    """A sequence of columns, which are deflated as they are added."""

    def __init__(self) -> None:
        self._compress = zlib.compressobj(LEVEL)
        self._waiting = bytearray()
        self._deflated = tempfile.SpooledTemporaryFile(scratches.MEMORY or 1)  # noqa: SIM115 (closed with the blob)
        weakref.finalize(self, self._deflated.close)
        self._size = 0

    def add(self, n: int, values_of: Part) -> Column:
        """Adds a column of n numbers or indices of texts."""
        kind = values_of(slice(0, 0)).dtype.kind
        if kind in "OUS":
            return self._text(n, values_of)
        if kind == "f" and not all(_is_whole(values_of(part)) for part in pieces(n)):
            values = Scratch().room("<f8", n)
            for part in pieces(n):
                values.append(values_of(part))
            return self._planes(values.array(), 8, "double")
        return self._whole(n, lambda part: values_of(part).astype(np.int64))

    def text(self) -> Iterator[str]:
        """Yields the blob in Base64, in pieces. No column may be added afterwards."""
        self._feed(b"", last=True)
        self._deflated.seek(0)
        while piece := self._deflated.read(3 * FEED):
            yield base64.b64encode(piece).decode("ascii")

    def _text(self, n: int, values_of: Part) -> Column:
        known: set[str] = set()
        for part in pieces(n):
            known.update(np.unique(values_of(part).astype(str)).tolist())
        texts = sorted(known)
        places = np.array(texts, str)
        column = self._whole(n, lambda part: np.searchsorted(places, values_of(part).astype(str)).astype(np.int64))
        return {**column, "form": "text", "texts": texts}

    def add_texts(self, column: Texts) -> Column:
        """Adds a column of texts. Unused texts are removed."""
        used: set[int] = set()
        for part in pieces(len(column)):
            used.update(np.unique(column.number[part]).tolist())
            let_go(column.number)
        texts = sorted({column.texts[number] for number in used})
        place = {text: number for number, text in enumerate(texts)}
        places = np.array([place.get(text, 0) for text in column.texts] or [0], np.int64)
        found = self._whole(len(column), lambda part: places[column.number[part]])
        return {**found, "form": "text", "texts": texts}

    def _whole(self, n: int, values_of: Part) -> Column:
        first = last = int(values_of(slice(0, 1))[0]) if n else 0
        room = Scratch().room("<i8", n)
        widest = 0
        for part in pieces(n):
            values = values_of(part)
            steps = np.diff(values, prepend=last)
            signed = (steps << 1) ^ (steps >> 63)  # 0, -1, 1, -2, ... become 0, 1, 2, 3, ...
            widest = max(widest, int(signed.view(np.uint64).max()))
            last = int(values[-1])
            room.append(signed)
        return {**self._planes(room.array(), (widest.bit_length() + 7) // 8, "whole"), "first": first}

    def _planes(self, values: NDArray[Any], width: int, form: Literal["whole", "double"]) -> Column:
        column: Column = {"at": self._size, "n": len(values), "width": width, "form": form}
        for byte in range(width):
            for part in pieces(len(values)):
                self._feed(values[part].view(np.uint8).reshape(-1, 8)[:, byte].tobytes())
                let_go(values)
        self._size += len(values) * width
        return column

    def _feed(self, data: bytes, *, last: bool = False) -> None:
        """Compresses data in pieces of a fixed size, so that the output does not depend on the sizes of `data`."""
        self._waiting += data
        with files.naming(Path(tempfile.gettempdir())):
            while len(self._waiting) >= FEED or (last and self._waiting):
                self._deflated.write(self._compress.compress(self._waiting[:FEED]))
                del self._waiting[:FEED]
            if last:
                self._deflated.write(self._compress.flush())


def _is_whole(values: NDArray[np.float64]) -> bool:
    return bool((np.abs(values) < EXACT).all() and (values == np.trunc(values)).all())  # False with NaN


def packed(
    lines: Mapping[str, TimeLine], title: str, progress: Callable[[int], None] | None = None
) -> tuple[dict[str, Any], Blob, Blob]:
    """Returns the data of a page: the description, the blob for drawing, and the blob with details of operations.

    Args:
        lines: Time lines by name. A single one has the name "".
        progress: Called with the number of each track and statistic that is packed.
    """
    done = itertools.count()

    def tell() -> None:
        if progress is not None:
            progress(next(done))

    picture, details = Blob(), Blob()
    states = [one for line in lines.values() for one in line.states]
    names = sorted({name for one in states for name in one.names})
    begins = [begin_of(line) for line in lines.values()]
    unit_ps = _unit_ps(lines, begins)
    first = min(begins, default=0)
    number = {name: index for index, name in enumerate(names)}
    runs, tracks, statistics = [], [], []
    known = 0
    ids: list[list[Column]] = []
    neighbours = Neighbours(names)
    lost = {name for one in states if one.lost for name in one.names}
    for run, (name, line) in enumerate(lines.items()):
        begin_ps = begins[run]
        axis = _Axis(run, begin_ps, unit_ps)
        own = joining.ids(line)
        ids.append([_add(details, own, half) for half in (_upper, _lower)])
        for one in line.states:
            renamed = np.array([number[text] for text in one.names] or [0], np.int64)
            tracks.append(_track(picture, details, one, renamed, axis, own, known))
            neighbours.add(one.name, renamed)
            tell()
        known += len(own)
        for statistic in line.statistics:
            statistics.append(_statistic(picture, statistic, axis))
            tell()
        end_ps = max(line.end_ps, begin_ps + 1)
        runs.append({"name": name, "begin": (begin_ps - first) / unit_ps, "end": (end_ps - begin_ps) / unit_ps})
    head = {
        "title": title,
        "unit_ps": unit_ps,
        "first_ps": str(first),
        "runs": runs,
        "names": names,
        "colours": colours(names, neighbours.pairs, lost),
        "loss_colour": LOSS,
        "tracks": tracks,
        "statistics": statistics,
        "ids": ids,
    }
    return head, picture, details


def begin_of(line: TimeLine) -> int:
    """Returns the first time of the time line, ps."""
    return min([line.begin_ps, *(int(one.begin_ps[0]) for one in line.states if len(one.begin_ps))])


def _upper(ids: NDArray[np.uint64]) -> NDArray[np.int64]:
    """Returns the upper halves of ids, since doubles cannot represent 64 bits."""
    return (ids >> np.uint64(32)).astype(np.int64)


def _lower(ids: NDArray[np.uint64]) -> NDArray[np.int64]:
    return (ids & np.uint64(0xFFFFFFFF)).astype(np.int64)


def _add(
    blob: Blob, column: NDArray[Any] | Texts, convert: Callable[[NDArray[Any]], NDArray[Any]] = np.asarray
) -> Column:
    """Adds a column of a time line. `convert`: converts its values."""
    if isinstance(column, Texts):
        return blob.add_texts(column)

    def part(which: slice) -> NDArray[Any]:
        let_go(column)
        return convert(column[which])

    return blob.add(len(column), part)


class _Axis(NamedTuple):
    """The time axis of one run. Times are relative to `begin_ps`, in units of `unit_ps`."""

    run: int
    begin_ps: int
    unit_ps: int

    def units(self, times_ps: NDArray[np.int64]) -> NDArray[np.int64]:
        return (times_ps - self.begin_ps) // self.unit_ps


def _track(
    picture: Blob,
    details: Blob,
    states: States,
    name: NDArray[np.int64],
    axis: _Axis,
    ids: NDArray[np.uint64],
    before: int,
) -> dict[str, Any]:
    rows: Rows = placed(states)

    def length(part: slice) -> NDArray[np.int64]:
        let_go(states.begin_ps, states.end_ps)
        return axis.units(states.end_ps[part]) - axis.units(states.begin_ps[part])

    def place(column: NDArray[np.uint64]) -> NDArray[np.int64]:
        return joining.counted(column, ids, before).astype(np.int64)

    return {
        "run": axis.run,
        "path": list(states.path),
        "lanes": rows.lanes,
        "calls": _are_within_calls(states, rows),
        "begin": _add(picture, states.begin_ps, axis.units),
        "length": picture.add(len(states.begin_ps), length),
        "name": _add(picture, states.name, lambda numbers: name[numbers]),
        "lane": _add(picture, rows.lane),
        "depth": _add(picture, rows.depth),
        "id": _add(details, states.id, place),
        "cause": _add(details, states.cause, place),
        "details": {key: _add(details, column) for key, column in states.details.items()},
    }


def _are_within_calls(states: States, rows: Rows) -> bool:
    """Do all other lanes hold only states during operations of the first lane without cause, such as MPI calls?

    In this case the first lane shows the activity of the process, and a folded track shows only this lane.
    """
    last: int | None = None  # end of the latest call
    for part in pieces_by_begin(states):
        begin, end = states.begin_ps[part], states.end_ps[part]
        lane, depth, cause = rows.lane[part], rows.depth[part], states.cause[part]
        calls, others = (lane == 0) & (depth == 0) & (cause == 0), lane > 0
        around = np.searchsorted(begin[calls], begin[others], "right")
        if last is None and bool((around == 0).any()):
            return False
        ends = np.concatenate([[last or 0], end[calls]])
        if bool((ends[around] < end[others]).any()):
            return False
        last = int(ends[-1]) if last is not None or calls.any() else None
        let_go(states.begin_ps, states.end_ps, states.cause, rows.lane, rows.depth)
    return last is not None


def _statistic(picture: Blob, one: Statistic, axis: _Axis) -> dict[str, Any]:
    return {
        "run": axis.run,
        "path": list(one.path),
        "unit": one.unit,
        "exact": one.exact,
        "limit": one.limit,
        "lost": one.lost,
        "times": _add(picture, one.times_ps, axis.units),
        "values": _add(picture, one.values),
    }


def _unit_ps(lines: Mapping[str, TimeLine], begins: Sequence[int]) -> int:
    """Returns the coarsest unit in which all times are integers, or a coarser one for a very long run."""
    unit = 0
    longest = 1
    for line, begin in zip(lines.values(), begins, strict=True):
        columns = [times for one in line.states for times in (one.begin_ps, one.end_ps)]
        for times in (*columns, *(one.times_ps for one in line.statistics)):
            for part in pieces(len(times)):
                unit = int(np.gcd(unit, np.gcd.reduce(times[part] - begin)))
                let_go(times)
        unit = int(np.gcd(unit, line.end_ps - begin))
        longest = max(longest, line.end_ps - begin)
    unit = unit or 1
    while longest // unit >= EXACT:
        unit *= 10
    return unit
