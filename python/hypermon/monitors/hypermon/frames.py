# SPDX-License-Identifier: BSD-3-Clause
"""Frame files: a board's frames as arrays, and the events that they hold.

    >>> from hypermon import frames
    >>> frames.read("board0.hmf").vector
    >>> frames.decode("board0.hmf").events["time_ns"]
    >>> frames.merge(["board0.hmf", "board1.hmf"]).events

A damaged file raises FrameFileError, which knows the first frame that could not be read, why, and everything before.
"""

from __future__ import annotations

import os
import pathlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from hypermon._files import files
from hypermon._model import catalogues
from hypermon._model.native import _core
from hypermon.errors import HypermonError, UserError

if TYPE_CHECKING:
    from hypermon._core import Info

Path = str | os.PathLike[str]
T = TypeVar("T")


@dataclass(frozen=True)
class FrameFile:
    """All frames of a file, in order."""

    info: Info
    """Format and timing, as in the file's header."""
    vector: NDArray[np.uint32]
    """Bit i: input i has a datum in this frame."""
    window: NDArray[np.uint64]
    """Number of the window: the timestamp, unwrapped. Without one, the first window that it can be."""
    stamped: NDArray[np.bool_]
    """Does the frame carry a timestamp?"""
    data: NDArray[np.uint32]
    """By frame and input; 0 where the vector has no bit."""

    def __len__(self) -> int:
        return len(self.vector)

    @property
    def time_ns(self) -> NDArray[np.uint64]:
        """Start of the window."""
        return self.window * np.uint64(self.info["window_ns"])


@dataclass(frozen=True)
class Decoded:
    """The events of a file, in the order in which they were complete."""

    info: Info
    events: NDArray[Any]
    """Fields node, type (its code, see `names`), delta_us, args (3), window, time_ns: when its first word was
    captured, as the frame's timestamp says."""
    damaged: NDArray[Any]
    """What arrived and belongs to no whole event. Fields node, nibbles, first_window, last_window."""

    @property
    def names(self) -> dict[int, str]:
        """Names of the events' type codes, by the catalogue of the run."""
        return {event.code: event.name for event in catalogues.events(self.info["catalogue"])}


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
    """All frames. Raises FrameFileError[FrameFile] if the file is damaged, UserError if it is no frame file."""
    raw = _call(_core.read_frames, path)
    file = FrameFile(raw["info"], raw["vector"], raw["window"], raw["stamped"], raw["data"])
    if raw["problem"] is not None:
        raise FrameFileError(path, *raw["problem"], file)
    return file


def decode(path: Path) -> Decoded:
    """All events. Raises FrameFileError[Decoded] if the file is damaged, UserError if it is no frame file."""
    raw = _call(_core.decode_frames, path)
    decoded = Decoded(raw["info"], raw["events"], raw["damaged"])
    if raw["problem"] is not None:
        raise FrameFileError(path, *raw["problem"], decoded)
    return decoded


def merge(paths: Sequence[Path]) -> Decoded:
    """The events of several boards in one order: by time, then by node; those of a node as they came.

    Each board counts windows from its own reset (ecb.reset_skew_ns), and a time is known to a window. `info` is the
    first board's. A damaged file raises FrameFileError[Decoded]; what is before the damage is merged with the others.
    """
    if not paths:
        raise UserError("no frame file to merge")
    found = [intact(decode, path) for path in paths]
    if any(decoded.info["catalogue"] != found[0][0].info["catalogue"] for decoded, _ in found):
        raise UserError(f"{', '.join(os.fspath(path) for path in paths)}: of runs with different event catalogues")
    events = np.concatenate([decoded.events for decoded, _ in found])
    order = np.lexsort((events["node"], events["time_ns"]))  # stable
    merged = Decoded(found[0][0].info, events[order], np.concatenate([decoded.damaged for decoded, _ in found]))
    for path, (_, damage) in zip(paths, found, strict=True):
        if damage is not None:
            raise FrameFileError(path, damage.frame, damage.reason, merged)
    return merged


def intact(function: Callable[[Path], T], path: Path) -> tuple[T, FrameFileError[T] | None]:
    """What `function` (read or decode) gives of a file, whole or up to the damage, and the damage."""
    try:
        return function(path), None
    except FrameFileError as error:
        return error.before, error


def summary(file: FrameFile, decoded: Decoded) -> dict[str, Any]:
    """What a person wants to know first, as JSON knows it."""
    frames = len(file)
    data = int(np.unpackbits(file.vector.view(np.uint8)).sum())
    filled = int(np.count_nonzero(file.vector))
    codes, counts = np.unique(decoded.events["type"], return_counts=True)
    return {
        "format": {**file.info, "catalogue": catalogues.name_of(file.info["catalogue"])},
        "frames": frames,
        "first_ns": int(file.time_ns[0]) if frames else None,
        "last_ns": int(file.time_ns[-1]) if frames else None,
        "merged_share": (data - filled) / data if data else 0.0,
        "events": {decoded.names[int(code)]: int(count) for code, count in zip(codes, counts, strict=True)},
        "damaged_nibbles": int(decoded.damaged["nibbles"].sum()),
    }


COLUMNS = ("time_ns", "node", "type", "arg0", "arg1", "arg2", "delta_us", "window")


def rows(decoded: Decoded) -> list[tuple[int | str, ...]]:
    """The events as rows of COLUMNS."""
    names = decoded.names
    return [
        (
            int(e["time_ns"]),
            int(e["node"]),
            names[int(e["type"])],
            *(int(arg) for arg in e["args"]),
            int(e["delta_us"]),
            int(e["window"]),
        )
        for e in decoded.events
    ]
