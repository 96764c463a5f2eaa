# SPDX-License-Identifier: BSD-3-Clause
"""Excerpts: the strobes that the test bench plays, from a recording or made without one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from hypermon._engine import wave_files
from hypermon._engine.recording import Bursts, Recording
from hypermon._engine.replaying import sensible
from hypermon._model.schema import Value
from hypermon.errors import UserError
from hypermon.monitors.hypermon.rtl_project.structure import CLOCK_NS

if TYPE_CHECKING:
    from hypermon._core import Columns, Played
    from hypermon.monitors.hypermon.capturing import Design

CLOCK_PS = 1000 * CLOCK_NS
FASTEST_PS = 750_000  # least time of a node's write
LOSSES = ("aliasing", "node_overruns", "windows_lost", "frames_lost")
AFTER_LOSS_WINDOWS = 100  # (chosen) windows after the first loss that an excerpt shows
_WIDTH = "port.width_bits"


@dataclass(frozen=True)
class Excerpt:
    """Bursts of strobes at one board's inputs, by the time of their first strobe, from the begin of a window on."""

    node: NDArray[np.uint16]
    """[n] The board's input."""
    first_ps: NDArray[np.int64]
    spacing_ps: NDArray[np.int64]
    offsets: NDArray[np.int32]
    data: NDArray[np.uint8]
    flagged: NDArray[np.uint8]
    """[n] 1: the software wants a timestamp for the burst's first datum."""
    datum_bytes: int
    about: str
    """Where the strobes come from, in a sentence."""

    @property
    def strobes(self) -> int:
        return len(self.data) // self.datum_bytes

    @property
    def columns(self) -> Columns:
        return {
            "node": self.node,
            "first_ps": self.first_ps,
            "spacing_ps": self.spacing_ps,
            "offsets": self.offsets,
            "data": self.data,
        }

    def played(self, design: Design) -> Played:
        """Returns the results of the board's functional model for the strobes."""
        return design._board.play(**self.columns, flagged=self.flagged)

    def loses(self, design: Design) -> bool:
        counts: Mapping[str, Any] = self.played(design)["counts"]
        return any(counts[name] for name in LOSSES)

    def part(self, begin: int, end: int) -> Excerpt:
        """Returns the bursts from `begin` up to `end`."""
        offsets = self.offsets[begin : end + 1]
        return replace(
            self,
            node=self.node[begin:end],
            first_ps=self.first_ps[begin:end],
            spacing_ps=self.spacing_ps[begin:end],
            offsets=offsets - offsets[0],
            data=self.data[offsets[0] : offsets[-1]],
            flagged=self.flagged[begin:end],
        )

    def last(self, strobes: int) -> Excerpt:
        """Returns the bursts at the end that have at most this number of strobes together; one burst at least."""
        most = int(self.offsets[-1]) - strobes * self.datum_bytes
        begin = int(np.searchsorted(self.offsets, most))
        return self.part(min(begin, max(0, len(self.node) - 1)), len(self.node))

    def first(self, strobes: int) -> Excerpt:
        """Returns the bursts at the begin that have at most this number of strobes together; one burst at least."""
        end = int(np.searchsorted(self.offsets, strobes * self.datum_bytes, side="right")) - 1
        return self.part(0, max(end, min(1, len(self.node))))

    def from_window(self, window_ps: int) -> Excerpt:
        """Returns the excerpt with times from the begin of the window of its first strobe."""
        if not len(self.node):
            return self
        return replace(self, first_ps=self.first_ps - self.first_ps[0] // window_ps * window_ps)

    def one_burst_each(self) -> Excerpt:
        """Returns the excerpt with the data of each input in one burst at the pace of its first one.

        Pins carry one strobe of an input in a clock period. After a held strobe, two bursts could meet in one period.
        """
        order = np.sort(np.unique(self.node, return_index=True)[1])
        parts = self.offsets
        chosen = [
            np.concatenate([self.data[parts[i] : parts[i + 1]] for i in np.flatnonzero(self.node == self.node[one])])
            for one in order
        ]
        return _excerpt(
            [
                (int(self.node[one]), int(self.first_ps[one]), int(self.spacing_ps[one]), data, int(self.flagged[one]))
                for one, data in zip(order, chosen, strict=True)
            ],
            self.datum_bytes,
            f"{self.about} Each input's data are one burst, since this design can hold a node's write.",
        )


def made(design: Design, strobes: int) -> Excerpt:
    """Makes strobes without a recording, always the same ones for a design: bursts, pauses and simultaneous strobes."""
    number = _numbers()
    inputs, bits = int(design["ecb.inputs"]), int(design[_WIDTH])
    window_ps = 1000 * int(design["ecb.window_ns"])
    datum_bytes = -(-bits // 8)
    bursts: list[tuple[int, int, int, NDArray[np.uint8], int]] = []
    free = [0] * inputs
    left = strobes
    stalls = design["ecb.node_fifo_full"] == "stall"
    turn = 0
    while left > 0 and not (stalls and turn >= inputs):
        node = turn % inputs
        turn += 1
        length = max(1, strobes // inputs) if stalls else 1 + next(number) % 40
        length = min(length, left)
        left -= length
        pause = (0, window_ps, 20_000_000, 100_000_000)[next(number) % 4]
        first = free[node] + pause + next(number) % 3 * 1000
        pace = max(FASTEST_PS, (FASTEST_PS, FASTEST_PS, window_ps, 3 * window_ps)[next(number) % 4])
        data = np.array([next(number) % 256 for _ in range(length * datum_bytes)], np.uint8)
        if bits < 8:
            data &= (1 << bits) - 1
        bursts.append((node, first, pace, data, next(number) % 2))
        free[node] = first + pace * length
    bursts.sort(key=lambda burst: burst[1:2])
    return _excerpt(bursts, datum_bytes, "The strobes were made by hypermon, without a recording.")


def of_recording(
    recording: Recording, design: Design, board: int, propagation_ps: int, strobes: int, window: str | None
) -> Excerpt:
    """Takes at most this number of strobes of a board's nodes from a recording.

    `window`: the interval of the first strobes of the bursts. Without it, the excerpt ends soon after the first loss
    of the design, and begins as late as this loss allows; if nothing is lost, it is the begin of the recording.
    """
    _require_same_width(recording, design)
    first, inputs = board * int(design["ecb.inputs"]), int(design["ecb.inputs"])
    if first >= recording.nodes:
        raise UserError(f"board {board}: {recording.path} has {recording.nodes} nodes only")
    source = _Source(recording, first, inputs, propagation_ps)
    begin_ps, end_ps, lost_ps = 0, None, None
    if window is not None:
        begin_ps, end_ps = wave_files.interval(window, "--window")
    else:
        lost_ps = source.first_loss_ps(design)
        if lost_ps is not None:
            end_ps = lost_ps + AFTER_LOSS_WINDOWS * 1000 * int(design["ecb.window_ns"])
    found = source.excerpt(begin_ps, end_ps, strobes, last=lost_ps is not None)
    if not len(found.node):
        raise UserError(f"--window {window}: no node of board {board} writes a datum then")
    if lost_ps is None:
        found = found.first(strobes)
        where = f"{window}" if window is not None else "from its beginning; the design loses nothing in them"
        about = f"The strobes are those of {recording.path}, {where}."
    else:
        found, about = _around_loss(found.last(strobes), design, recording, lost_ps)
    return replace(found, about=about)


def _around_loss(found: Excerpt, design: Design, recording: Recording, lost_ps: int) -> tuple[Excerpt, str]:
    """Returns the shortest end of the excerpt in which the design still loses something, if it loses anything."""
    window_ps = 1000 * int(design["ecb.window_ns"])
    when = f"the first loss, at {lost_ps * 1e-12:.9g} s"
    end = len(found.node)
    if not found.from_window(window_ps).loses(design):
        sentence = f"The strobes are the last ones of {recording.path} before {when}. The board begins empty, and these"
        return (
            found,
            f"{sentence} strobes do not fill it: nothing is lost. More strobes (--strobes) reach back further.",
        )
    low, high = 0, end - 1  # with bursts from `low` on, it loses something
    while low < high:
        middle = (low + high + 1) // 2
        if found.part(middle, end).from_window(window_ps).loses(design):
            low = middle
        else:
            high = middle - 1
    return found.part(low, end), f"The strobes are those of {recording.path} around {when}."


@dataclass(frozen=True)
class _Source:
    """The bursts of a board's nodes in a recording, with times at the board."""

    recording: Recording
    first: int
    inputs: int
    propagation_ps: int

    def batches(self) -> Iterator[Columns]:
        for batch in self.recording.batches():
            rows = np.flatnonzero((batch.node >= self.first) & (batch.node < self.first + self.inputs))
            if len(rows):
                yield self._columns(batch, rows)

    def _columns(self, batch: Bursts, rows: NDArray[np.intp]) -> Columns:
        lengths = np.diff(batch.offsets)[rows]
        offsets = np.concatenate([np.zeros(1, np.int32), np.cumsum(lengths, dtype=np.int32)])
        at = np.repeat(batch.offsets[rows] - offsets[:-1], lengths) + np.arange(offsets[-1])
        return {
            "node": (batch.node[rows] - self.first).astype(np.uint16),
            "first_ps": batch.first_ps[rows] + self.propagation_ps,
            "spacing_ps": np.array(batch.spacing_ps[rows]),
            "offsets": offsets,
            "data": batch.data[at],
        }

    def first_loss_ps(self, design: Design) -> int | None:
        search = design._board.first_loss()
        with sensible(self.recording):
            for columns in self.batches():
                search.add(**columns)
                if search.done:
                    break
            return search.finish()

    def excerpt(self, begin_ps: int, end_ps: int | None, strobes: int, last: bool) -> Excerpt:
        """Returns at least the first or the last `strobes` strobes of the bursts that begin in the interval."""
        datum_bytes = -(-int(self.recording.spec.values[_WIDTH]) // 8)
        kept: list[Excerpt] = []
        for columns in self.batches():
            time = columns["first_ps"]
            whole = Excerpt(**columns, flagged=np.ones(len(time), np.uint8), datum_bytes=datum_bytes, about="")
            low = int(np.searchsorted(time, begin_ps))
            high = len(time) if end_ps is None else int(np.searchsorted(time, end_ps))
            if low < high:
                kept.append(whole.part(low, high))
            while last and len(kept) > 1 and sum(one.strobes for one in kept[1:]) >= strobes:
                kept.pop(0)
            if high < len(time) or (not last and sum(one.strobes for one in kept) >= strobes):
                break
        return _joined(kept, datum_bytes)


def _joined(parts: list[Excerpt], datum_bytes: int) -> Excerpt:
    if not parts:
        return _excerpt([], datum_bytes, "")
    starts = np.cumsum([0, *(int(one.offsets[-1]) for one in parts[:-1])])
    offsets = [one.offsets[:-1] + start for one, start in zip(parts, starts, strict=True)]
    return replace(
        parts[0],
        node=np.concatenate([one.node for one in parts]),
        first_ps=np.concatenate([one.first_ps for one in parts]),
        spacing_ps=np.concatenate([one.spacing_ps for one in parts]),
        offsets=np.concatenate([*offsets, [starts[-1] + parts[-1].offsets[-1]]]).astype(np.int32),
        data=np.concatenate([one.data for one in parts]),
        flagged=np.concatenate([one.flagged for one in parts]),
    )


def _excerpt(bursts: list[tuple[int, int, int, NDArray[np.uint8], int]], datum_bytes: int, about: str) -> Excerpt:
    node, first, spacing, data, flagged = zip(*bursts, strict=True) if bursts else ((), (), (), (), ())
    return Excerpt(
        node=np.array(node, np.uint16),
        first_ps=np.array(first, np.int64),
        spacing_ps=np.array(spacing, np.int64),
        offsets=np.cumsum([0, *(len(one) for one in data)], dtype=np.int32),
        data=np.concatenate(data) if data else np.empty(0, np.uint8),
        flagged=np.array(flagged, np.uint8),
        datum_bytes=datum_bytes,
        about=about,
    )


def _require_same_width(recording: Recording, design: Mapping[str, Value]) -> None:
    recorded = recording.spec.values[_WIDTH]
    if recorded != design[_WIDTH]:
        raise UserError(f"{_WIDTH} = {design[_WIDTH]}: {recording.path} was recorded with {recorded}; record again")


def _numbers() -> Iterator[int]:
    """Yields the same pseudo-random integers on every host: a linear congruential generator (MMIX's constants)."""
    state = 54
    while True:
        state = (6364136223846793005 * state + 1442695040888963407) % 2**64
        yield state >> 33
