# SPDX-License-Identifier: BSD-3-Clause
"""Frame files: a board's frames as arrays, and the events in them.

    >>> from hypermon import frames
    >>> frames.read("board0.hmf").vector
    >>> frames.decode("board0.hmf").events["time_ns"]
    >>> frames.merge(["board0.hmf", "board1.hmf"]).events

A damaged file raises FrameFileError, with the first unreadable frame, the reason, and everything before it.
"""

from __future__ import annotations

import os
import pathlib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from hypermon._files import files
from hypermon._files.scratch import Scratch, Sorted
from hypermon._model import catalogues
from hypermon._model.native import _core
from hypermon.errors import HypermonError, UserError

if TYPE_CHECKING:
    from hypermon._core import Info

Path = str | os.PathLike[str]
T = TypeVar("T")
_FRAME = ("vector", "window", "stamped", "data")
_EVENT = ("time_ns", "node", "type", "args", "delta_us", "window")


@dataclass(frozen=True)
class FrameFile:
    """All frames of a file, in order."""

    info: Info
    """Format and timing, as in the file's header."""
    vector: NDArray[np.uint32]
    """Bit i: input i has a datum in this frame."""
    window: NDArray[np.uint64]
    """Number of the window: the timestamp, unwrapped. Without a timestamp, the earliest possible window."""
    stamped: NDArray[np.bool_]
    """Whether the frame has a timestamp."""
    data: NDArray[np.uint32]
    """Data by frame and input; 0 where the vector has no bit."""

    def __len__(self) -> int:
        return len(self.vector)

    @property
    def time_ns(self) -> NDArray[np.uint64]:
        """Start of the window."""
        return self.window * np.uint64(self.info["window_ns"])


@dataclass(frozen=True)
class Decoded:
    """The events of a file, in the order of their completion."""

    info: Info
    events: NDArray[Any]
    """Fields node, type (its code, see `names`), delta_us, args (3), window, and time_ns: the time at which its first
    word was captured, according to the frame's timestamp.
    """
    damaged: NDArray[Any]
    """Data that arrived but belong to no complete event. Fields node, nibbles, first_window, last_window."""

    @property
    def names(self) -> dict[int, str]:
        """Names of the events' type codes, by the catalogue of the run."""
        return names_of(self.info)


def names_of(info: Info) -> dict[int, str]:
    """Names of the events' type codes, by the catalogue of the run."""
    return {event.code: event.name for event in catalogues.events(info["catalogue"])}


class FrameFileError(HypermonError, Generic[T]):
    """A file that cannot be read from some frame on."""

    exit_status = 1

    def __init__(self, path: Path, frame: int, reason: str, before: T) -> None:
        super().__init__(f"{os.fspath(path)}: frame {frame}: {reason}")
        self.frame = frame
        self.reason = reason
        self.before = before


def _call(function: Callable[[str], T], path: Path) -> T:
    try:
        return function(os.fspath(files.regular(pathlib.Path(path))))
    except _core.NotAFrameFileError as error:
        raise UserError(str(error)) from None


def read(path: Path) -> FrameFile:
    """Returns all frames. Raises FrameFileError[FrameFile] if the file is damaged, UserError if it is not a frame
    file.
    """
    found = _call(_core.read_frames, path)
    pieces = [found.next()]
    while len(pieces[-1]["vector"]):
        pieces.append(found.next())
    columns = cast("list[dict[str, NDArray[Any]]]", pieces)
    vector, window, stamped, data = (np.concatenate([piece[name] for piece in columns]) for name in _FRAME)
    file = FrameFile(found.info, vector, window, stamped, data)
    if found.problem is not None:
        raise FrameFileError(path, *found.problem, file)
    return file


def decode(path: Path) -> Decoded:
    """Returns all events. Raises FrameFileError[Decoded] if the file is damaged, UserError if it is not a frame
    file.
    """
    found = Events(path)
    pieces = list(found.pieces())
    events, damaged = (np.concatenate([piece[i] for piece in pieces]) for i in (0, 1))
    decoded = Decoded(found.info, events, damaged)
    if found.damage is not None:
        raise FrameFileError(path, *found.damage, decoded)
    return decoded


class Events:
    """The events of a file, in pieces of some ten thousand. Raises a UserError if it is no frame file."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._found = _call(_core.decode_frames, path)
        self.info = self._found.info

    @property
    def names(self) -> dict[int, str]:
        return names_of(self.info)

    def pieces(self) -> Iterator[tuple[NDArray[Any], NDArray[Any]]]:
        """Pieces of `Decoded.events` and `Decoded.damaged`. Can be read once."""
        while (piece := self._found.next()) is not None:
            yield piece

    @property
    def damage(self) -> tuple[int, str] | None:
        """The first unreadable frame and the reason; valid after the last piece."""
        return self._found.problem


def merge(paths: Sequence[Path]) -> Decoded:
    """Merges the events of several boards by time, then by node. Events of one node keep their order.

    Each board counts windows from its own reset (ecb.reset_skew_ns), so that a time is known only to a window. `info`
    is that of the first board. A damaged file raises FrameFileError[Decoded]; the events before the damage are merged
    with the others.
    """
    merged = Merged(paths)
    events = np.concatenate([*merged.pieces(), np.empty(0, merged.dtype)])
    decoded = Decoded(merged.info, events, np.concatenate(merged.damaged))
    if merged.damage is not None:
        raise FrameFileError(*merged.damage, decoded)
    return decoded


class Merged:
    """The events of several boards in one order (`merge`), in pieces of some ten thousand. Memory does not grow with
    their number.

    Attributes:
        damage: Path of the first damaged file, its first unreadable frame, and the reason.
    """

    def __init__(self, paths: Sequence[Path]) -> None:
        if not paths:
            raise UserError("no frame file to merge")
        files_ = [Events(path) for path in paths]
        self.info = files_[0].info
        if any(one.info["catalogue"] != self.info["catalogue"] for one in files_):
            raise UserError(f"{', '.join(os.fspath(path) for path in paths)}: of runs with different event catalogues")
        self.damaged: list[NDArray[Any]] = []
        self.damage: tuple[Path, int, str] | None = None
        self._rows: Sorted | None = None
        kept = Scratch()
        for one in files_:
            for events, damaged in one.pieces():
                self.damaged.append(kept.store(damaged))
                self.dtype = events.dtype
                if self._rows is None:
                    self._rows = Sorted(Scratch(), np.int64, self.dtype)
                self._rows.add(events["time_ns"].astype(np.int64), events)
            if one.damage is not None and self.damage is None:
                self.damage = (one.path, *one.damage)

    def pieces(self) -> Iterator[NDArray[Any]]:
        """Pieces of `Decoded.events`."""
        for time_ns, events in self._rows.pieces() if self._rows is not None else ():
            yield events[np.lexsort((events["node"], time_ns))]  # stable

    @property
    def names(self) -> dict[int, str]:
        return names_of(self.info)


def intact(function: Callable[[Path], T], path: Path) -> tuple[T, FrameFileError[T] | None]:
    """Result of `function` (read or decode) for a file, whole or up to the damage, and the damage."""
    try:
        return function(path), None
    except FrameFileError as error:
        return error.before, error


def summary(path: Path) -> tuple[dict[str, Any], FrameFileError[None] | None]:
    """Summary of a file up to its damage, as JSON values, and the damage."""
    file, decoded = _call(_core.read_frames, path), Events(path)
    frames = data = filled = 0
    first = last = None
    while len((piece := file.next())["vector"]):
        vector, window = piece["vector"], piece["window"]
        frames += len(vector)
        data += int(np.unpackbits(vector.view(np.uint8)).sum())
        filled += int(np.count_nonzero(vector))
        last = int(window[-1] * np.uint64(file.info["window_ns"]))
        first = int(window[0] * np.uint64(file.info["window_ns"])) if first is None else first
    counts: Counter[int] = Counter()
    damaged_nibbles = 0
    for events, damaged in decoded.pieces():
        codes, numbers = np.unique(events["type"], return_counts=True)
        counts.update(dict(zip(codes.tolist(), numbers.tolist(), strict=True)))
        damaged_nibbles += int(damaged["nibbles"].sum())
    names = names_of(decoded.info)
    damage = FrameFileError(path, *decoded.damage, None) if decoded.damage is not None else None
    return {
        "format": {**file.info, "catalogue": catalogues.name_of(file.info["catalogue"])},
        "frames": frames,
        "first_ns": first,
        "last_ns": last,
        "merged_share": (data - filled) / data if data else 0.0,
        "events": {names[code]: counts[code] for code in sorted(counts)},
        "damaged_nibbles": damaged_nibbles,
    }, damage


COLUMNS = ("time_ns", "node", "type", "arg0", "arg1", "arg2", "delta_us", "window")


def rows(events: NDArray[Any], names: Mapping[int, str]) -> list[tuple[int | str, ...]]:
    """The events as rows of COLUMNS."""
    time_ns, node, code, args, delta_us, window = (events[name].tolist() for name in _EVENT)
    return [
        (t, n, names[c], *a, d, w) for t, n, c, a, d, w in zip(time_ns, node, code, args, delta_us, window, strict=True)
    ]
