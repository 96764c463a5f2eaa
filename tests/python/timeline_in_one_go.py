# SPDX-License-Identifier: BSD-3-Clause
"""The data of a time line page, computed in memory at once: hypermon.report.timeline_data must give the same for any
pieces.
"""

from __future__ import annotations

import base64
import zlib
from collections.abc import Mapping
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from hypermon.report.timeline_colours import LOSS, colours
from hypermon.report.timeline_data import EXACT, LEVEL
from hypermon.timelines.rows import _Lanes
from hypermon.timelines.tracks import States, TimeLine

if TYPE_CHECKING:
    from numpy.typing import NDArray


def packed(lines: Mapping[str, TimeLine], title: str) -> tuple[dict[str, Any], str, str]:
    """Head, picture and details."""
    picture, details = _Blob(), _Blob()
    names = sorted({name for line in lines.values() for one in line.states for name in one.names})
    begins = [min([line.begin_ps, *(int(one.begin_ps.min()) for one in line.states if len(one.id))])
              for line in lines.values()]  # fmt: skip
    unit_ps = _unit_ps(lines, begins)
    runs, tracks, statistics, ids, known = [], [], [], [], 0
    for run, (name, line) in enumerate(lines.items()):
        begin_ps = begins[run]
        own = np.unique(np.concatenate([np.zeros(1, np.uint64), *(c for s in line.states for c in (s.id, s.cause))]))[
            1:
        ]
        ids.append([details.add(h.astype(np.int64)) for h in (own >> np.uint64(32), own & np.uint64(0xFFFFFFFF))])
        for one in line.states:
            lane, depth = placed(one)
            begin = (one.begin_ps - begin_ps) // unit_ps
            track: dict[str, Any] = {"run": run, "path": list(one.path), "lanes": int(lane.max(initial=0)) + 1}
            track |= {
                "calls": _are_within_calls(one, lane, depth),
                "begin": picture.add(begin),
                "length": picture.add((one.end_ps - begin_ps) // unit_ps - begin),
                "name": picture.add(np.array([names.index(text) for text in one.names] or [0], np.int64)[one.name]),
                "lane": picture.add(lane),
                "depth": picture.add(depth),
            }
            for key in ("id", "cause"):
                column = getattr(one, key)
                places = np.where(column == 0, 0, np.searchsorted(own, column).astype(np.int64) + known + 1)
                track[key] = details.add(places)
            track["details"] = {key: details.add(np.asarray(column)) for key, column in one.details.items()}
            tracks.append(track)
        known += len(own)
        for stat in line.statistics:
            about = {"run": run, "path": list(stat.path), "unit": stat.unit, "exact": stat.exact}
            about |= {"limit": stat.limit, "lost": stat.lost}
            times = picture.add((stat.times_ps - begin_ps) // unit_ps)
            statistics.append({**about, "times": times, "values": picture.add(stat.values)})
        end = max(line.end_ps, begin_ps + 1)
        runs.append({"name": name, "begin": (begin_ps - min(begins)) / unit_ps, "end": (end - begin_ps) / unit_ps})
    head = {"title": title, "unit_ps": unit_ps, "first_ps": str(min(begins)), "runs": runs, "names": names,
            "colours": colours(names, _neighbours(lines)), "loss_colour": LOSS, "tracks": tracks, "statistics": statistics, "ids": ids}  # fmt: skip
    return head, picture.text(), details.text()


def _neighbours(lines: Mapping[str, TimeLine]) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for one in (track for line in lines.values() for track in line.states):
        names = [one.names[number] for number in one.name]
        for a, b in pairwise(names):
            if a != b:
                found.setdefault(a, set()).add(b)
                found.setdefault(b, set()).add(a)
    return found


def placed(one: States) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Lanes and depths: none where nothing overlaps, otherwise computed state by state."""
    n = len(one.begin_ps)
    lane, depth = np.zeros(n, np.int32), np.zeros(n, np.int32)
    if n and (one.begin_ps[1:] < np.maximum.accumulate(one.end_ps)[:-1]).any():
        lanes = _Lanes()
        for k in np.lexsort((-one.end_ps, one.begin_ps)).tolist():
            state = (int(column[k]) for column in (one.begin_ps, one.end_ps, one.id, one.cause))
            lane[k], depth[k] = lanes.place(*state)
    return lane, depth


class _Blob:
    def __init__(self) -> None:
        self._bytes = b""

    def add(self, values: NDArray[Any]) -> dict[str, Any]:
        if values.dtype.kind in "OUS":
            texts, numbers = np.unique(values.astype(str), return_inverse=True)
            return {**self._whole(numbers.astype(np.int64)), "form": "text", "texts": texts.tolist()}
        whole = (np.abs(values) < EXACT).all() and (values == np.trunc(values)).all() if values.dtype.kind == "f" else 1
        if not whole:
            return self._planes(np.ascontiguousarray(values, "<f8").view(np.uint8).reshape(-1, 8), "double")
        return self._whole(values.astype(np.int64))

    def text(self) -> str:
        return base64.b64encode(zlib.compress(self._bytes, LEVEL)).decode("ascii")

    def _whole(self, values: NDArray[np.int64]) -> dict[str, Any]:
        first = int(values[0]) if len(values) else 0
        steps = np.diff(values, prepend=first)
        signed = (steps << 1) ^ (steps >> 63)
        width = (int(signed.view(np.uint64).max(initial=0)).bit_length() + 7) // 8
        return {**self._planes(signed.view(np.uint8).reshape(-1, 8)[:, :width], "whole"), "first": first}

    def _planes(self, planes: NDArray[np.uint8], form: str) -> dict[str, Any]:
        column = {"at": len(self._bytes), "n": planes.shape[0], "width": planes.shape[1], "form": form}
        self._bytes += planes.T.tobytes()
        return column


def _are_within_calls(one: States, lane: NDArray[np.int32], depth: NDArray[np.int32]) -> bool:
    calls, others = (lane == 0) & (depth == 0) & (one.cause == 0), lane > 0
    if not calls.any():
        return False
    around = np.searchsorted(one.begin_ps[calls], one.begin_ps[others], "right") - 1
    return bool((around >= 0).all() and (one.end_ps[calls][around] >= one.end_ps[others]).all())


def _unit_ps(lines: Mapping[str, TimeLine], begins: list[int]) -> int:
    times = [t - b for line, b in zip(lines.values(), begins, strict=True) for one in line.states
             for t in (one.begin_ps, one.end_ps)]  # fmt: skip
    times += [s.times_ps - b for line, b in zip(lines.values(), begins, strict=True) for s in line.statistics]
    ends = [line.end_ps - b for line, b in zip(lines.values(), begins, strict=True)]
    unit = int(np.gcd.reduce(np.concatenate([*times, np.array(ends, np.int64)]))) or 1
    while max([1, *ends]) // unit >= EXACT:
        unit *= 10
    return unit
