# SPDX-License-Identifier: BSD-3-Clause
"""A time line as the page carries it: columns of whole numbers in few bytes, and what they mean.

Times are counted from the begin of their run in the coarsest unit in which all of them are whole, so that a page's
numbers (doubles) hold them exactly up to 2^53 units: 2.5 hours in picoseconds, 104 days in nanoseconds. Beyond that
they are rounded to tenfold units.

A column is the differences of its values (of ids, times and sizes these are small), each as a sign and so many bytes
as the largest one needs, the bytes of the same weight together (they compress well). Values that are no whole numbers
are doubles, byte by byte likewise. All columns stand one after the other in two blobs, both deflated: what a picture
needs, and what one asks of a single operation.
"""

from __future__ import annotations

import base64
import colorsys
import zlib
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, TypedDict

import numpy as np

from hypermon.timelines import joining
from hypermon.timelines.rows import Rows, placed

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hypermon.timelines.tracks import States, Statistic, TimeLine

EXACT = 1 << 53  # whole numbers below it are doubles
LEVEL = 6  # of the compression


class Column(TypedDict, total=False):
    """Where a column stands in its blob, and how."""

    at: int
    n: int
    width: int  # bytes a value; 0: all are 0
    form: Literal["whole", "double", "text"]
    first: int  # whole: added to the first difference
    texts: list[str]  # text: what the numbers stand for


class Blob:
    """Columns one after the other."""

    def __init__(self) -> None:
        self._parts: list[bytes] = []
        self._size = 0

    def add(self, values: NDArray[Any]) -> Column:
        """A column of numbers or texts."""
        if values.dtype.kind in "OUS":
            texts, numbers = np.unique(values.astype(str), return_inverse=True)
            return {**self._whole(numbers.astype(np.int64)), "form": "text", "texts": texts.tolist()}
        if values.dtype.kind == "f" and not _is_whole(values):
            return self._planes(np.ascontiguousarray(values, "<f8").view(np.uint8).reshape(-1, 8), "double")
        return self._whole(values.astype(np.int64))

    def deflated(self) -> str:
        """Base64 of it."""
        return base64.b64encode(zlib.compress(b"".join(self._parts), LEVEL)).decode("ascii")

    def _whole(self, values: NDArray[np.int64]) -> Column:
        first = int(values[0]) if len(values) else 0
        steps = np.diff(values, prepend=first)
        signed = (steps << 1) ^ (steps >> 63)  # 0, -1, 1, -2, ... become 0, 1, 2, 3, ...
        widest = int(signed.view(np.uint64).max(initial=0))
        planes = signed.astype("<i8").view(np.uint8).reshape(-1, 8)[:, : (widest.bit_length() + 7) // 8]
        return {**self._planes(planes, "whole"), "first": first}

    def _planes(self, planes: NDArray[np.uint8], form: Literal["whole", "double"]) -> Column:
        column: Column = {"at": self._size, "n": planes.shape[0], "width": planes.shape[1], "form": form}
        self._parts.append(planes.T.tobytes())
        self._size += planes.size
        return column


def _is_whole(values: NDArray[np.float64]) -> bool:
    return bool((np.abs(values) < EXACT).all() and (values == np.trunc(values)).all())  # False with NaN


def packed(lines: Mapping[str, TimeLine], title: str) -> tuple[dict[str, Any], str, str]:
    """What the page carries: its head, what a picture needs, and what one asks of an operation.

    Args:
        lines: Time lines beside each other, by name; one alone has none ("").
    """
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
    for run, (name, line) in enumerate(lines.items()):
        begin_ps = begins[run]
        own = joining.ids(line)
        halves = (own >> np.uint64(32), own & np.uint64(0xFFFFFFFF))  # doubles hold no 64 bits
        ids.append([details.add(half.astype(np.int64)) for half in halves])
        for one in line.states:
            renamed = np.array([number[text] for text in one.names] or [0], np.int64)[one.name]
            tracks.append(_track(picture, details, one, renamed, run, begin_ps, unit_ps, own, known))
        known += len(own)
        statistics += [_statistic(picture, one, run, begin_ps, unit_ps) for one in line.statistics]
        end_ps = max(line.end_ps, begin_ps + 1)
        runs.append({"name": name, "begin": (begin_ps - first) / unit_ps, "end": (end_ps - begin_ps) / unit_ps})
    head = {
        "title": title,
        "unit_ps": unit_ps,
        "first_ps": str(first),
        "runs": runs,
        "names": names,
        "colours": colours(names),
        "tracks": tracks,
        "statistics": statistics,
        "ids": ids,
    }
    return head, picture.deflated(), details.deflated()


def begin_of(line: TimeLine) -> int:
    """The first time of it, in ps."""
    return min([line.begin_ps, *(int(one.begin_ps.min()) for one in line.states if len(one.begin_ps))])


def _track(
    picture: Blob,
    details: Blob,
    states: States,
    name: NDArray[np.int64],
    run: int,
    begin_ps: int,
    unit_ps: int,
    ids: NDArray[np.uint64],
    before: int,
) -> dict[str, Any]:
    rows: Rows = placed(states)
    begin = (states.begin_ps - begin_ps) // unit_ps
    return {
        "run": run,
        "path": list(states.path),
        "lanes": rows.lanes,
        "calls": _are_within_calls(states, rows),
        "begin": picture.add(begin),
        "length": picture.add((states.end_ps - begin_ps) // unit_ps - begin),
        "name": picture.add(name),
        "lane": picture.add(rows.lane),
        "depth": picture.add(rows.depth),
        "id": details.add(joining.counted(states.id, ids, before).astype(np.int64)),
        "cause": details.add(joining.counted(states.cause, ids, before).astype(np.int64)),
        "details": {key: details.add(column) for key, column in states.details.items()},
    }


def _are_within_calls(states: States, rows: Rows) -> bool:
    """Do all lanes but the first hold only what happens during operations there that nothing caused, as MPI calls?

    Then the first one says what the process does, and the line shows it alone while it is folded.
    """
    calls = (rows.lane == 0) & (rows.depth == 0) & (states.cause == 0)
    others = rows.lane > 0
    if not calls.any():
        return False
    around = np.searchsorted(states.begin_ps[calls], states.begin_ps[others], "right") - 1
    return bool((around >= 0).all() and (states.end_ps[calls][around] >= states.end_ps[others]).all())


def _statistic(picture: Blob, one: Statistic, run: int, begin_ps: int, unit_ps: int) -> dict[str, Any]:
    return {
        "run": run,
        "path": list(one.path),
        "unit": one.unit,
        "exact": one.exact,
        "times": picture.add((one.times_ps - begin_ps) // unit_ps),
        "values": picture.add(one.values),
    }


def _unit_ps(lines: Mapping[str, TimeLine], begins: Sequence[int]) -> int:
    """The coarsest unit in which all times are whole numbers; in a very long run a coarser one."""
    unit = 0
    longest = 1
    for line, begin in zip(lines.values(), begins, strict=True):
        for one in line.states:
            for times in (one.begin_ps, one.end_ps):
                unit = int(np.gcd(unit, np.gcd.reduce(times - begin, initial=0)))
        for statistic in line.statistics:
            unit = int(np.gcd(unit, np.gcd.reduce(statistic.times_ps - begin, initial=0)))
        unit = int(np.gcd(unit, line.end_ps - begin))
        longest = max(longest, line.end_ps - begin)
    unit = unit or 1
    while longest // unit >= EXACT:
        unit *= 10
    return unit


# Colours of Okabe and Ito (Color Universal Design), which people with any colour vision tell apart, in five
# lightnesses (but for yellow). A name's colour follows from the name alone, unless another one of the page has it.
PALETTE = ("#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#f0e442")
KNOWN = {"computing": "#b9c2cc", "program": "#dde2e8", "idle": "#e8ebef", "waiting": "#c45a5a", "blocked": "#c45a5a"}


def colours(names: Sequence[str]) -> list[str]:
    """Of each of the names, as #rrggbb."""
    every = [*PALETTE, *(_shade(one, factor) for factor in (1.35, 0.65, 1.8, 0.45) for one in PALETTE[:-1])]
    taken: set[int] = set()
    chosen: dict[str, str] = {}
    for name in sorted(set(names) - set(KNOWN)):
        place = start = zlib.crc32(name.encode()) % len(every)
        while place in taken and len(taken) < len(every):
            place = (place + 1) % len(every)
        taken.add(place if len(taken) < len(every) else start)
        chosen[name] = every[place]
    return [KNOWN.get(name) or chosen[name] for name in names]


def _shade(colour: str, factor: float) -> str:
    """Lighter (above 1) or darker."""
    red, green, blue = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
    hue, light, saturation = colorsys.rgb_to_hls(red, green, blue)
    light = light * factor if factor < 1 else 1 - (1 - light) / factor
    return "#" + "".join(f"{round(255 * part):02x}" for part in colorsys.hls_to_rgb(hue, light, saturation))
