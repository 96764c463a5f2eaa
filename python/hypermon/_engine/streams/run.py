# SPDX-License-Identifier: BSD-3-Clause
"""Runs without a program: a stream of events (time, node, datum or bytes) goes directly to the hardware.

A specification with `workload = stream` names the file and its format. The run is one pass over the file in constant
memory. Each event becomes a burst at its node's outlet. The bursts go through the hardware model and, on request, into
a recording, which can be used like any other recording.
"""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from hypermon._engine import recording, replays
from hypermon._engine.limits import Limits
from hypermon._engine.replays import Outlet
from hypermon._engine.streams.event_files import EventFile
from hypermon._engine.streams.events import MADE_UP, Events
from hypermon._engine.streams.outlets import Outlets
from hypermon._engine.streams.rows import Rows
from hypermon._engine.streams.volume import Volume
from hypermon._engine.workers import Progress
from hypermon._files import files, places
from hypermon._inputs.scenario import Scenario
from hypermon._model import worker
from hypermon._model.native import _core
from hypermon._model.result import HOST, RESULT
from hypermon._model.schema import nested
from hypermon._model.spec import Spec
from hypermon.errors import UserError

WORKLOAD = "stream"
MANY = 0.01  # (chosen) share of delayed events above which the result has a warning


def resolve(file: Path, settings: Mapping[str, object], presets: Sequence[str] = (), where: str = "--set") -> Spec:
    """Returns the specification of a stream: the defaults, overridden by presets and settings."""
    scenario = Scenario(f"stream/{files.name_as_text(file.stem)}", places.scenarios(), "", (), ())
    chosen = {"workload": WORKLOAD, "stream.file": str(file), **settings}
    return scenario.resolve(worker.schema(), chosen, presets, where=where)


def simulate(spec: Spec, out: Path, record: bool, progress: Progress | None = None) -> None:
    """Runs a stream. Writes the result, and the recording if `record`, into a run directory."""
    started = time.monotonic()
    file = _open(spec)
    outlet = replays.require(spec).outlet(spec)
    events = Events(file, spec, outlet)
    run = _Run(spec, outlet, out / recording.FILE if record else None, out)
    for rows in events.in_order():
        run.take(rows)
        if progress is not None and len(rows):
            progress(float(rows.time_ps[-1]) * 1e-12, events.rows)
    result = run.finish(events)
    (out / RESULT).write_text(result, encoding="utf-8")
    (out / HOST).write_text(json.dumps({"wall_s": time.monotonic() - started}) + "\n", encoding="utf-8")


def _open(spec: Spec) -> EventFile:
    path = files.path_of(str(spec.values["stream.file"]))
    if path is None:
        raise UserError("stream.file: is missing: a stream's events come from a file")
    return EventFile(path, str(spec.values["stream.columns"]), sized=bool(spec.values["stream.bytes"]))


class _Run:
    """The hardware model, and statistics of the data that the nodes wrote."""

    def __init__(self, spec: Spec, outlet: Outlet, recorded: Path | None, out: Path) -> None:
        self._spec = spec
        self._limits = Limits(spec)
        self._datum_bytes = outlet.datum_bytes
        self._halves = outlet.bits // 4
        self._cost_ps, self._pitch_ps = outlet.first_ps, outlet.pitch_ps
        self.outlets = Outlets(outlet)
        self._hardware = _core.Replay(spec.to_json(), str(out))
        self._writer = recording.Writer(recorded) if recorded is not None else None
        self._hashes = [hashlib.blake2b(digest_size=8) for _ in range(4)]
        self._events = np.zeros(len(outlet.pitch_ps), np.int64)
        self._data = np.zeros(len(outlet.pitch_ps), np.int64)
        self._volume = Volume()
        self._begin_ps: int | None = None
        self._end_ps = 0

    def take(self, rows: Rows) -> None:
        """Adds rows, in order of time."""
        self._write(self.outlets.pass_(rows))

    def _write(self, rows: Rows) -> None:
        for part in _parts(rows):
            self._limits.check(int(part.time_ps[0]))
            offsets = part.offsets.astype(np.int32)
            none = np.zeros(len(part), np.uint64)
            side = np.zeros(len(part), np.uint8)
            self._hardware.add(
                node=part.node, first_ps=part.time_ps, offsets=offsets, data=part.data, message=none, side=side
            )
            if self._writer is not None:
                spacing = self._pitch_ps[part.node]
                self._writer.add(recording.Bursts(part.node, part.time_ps, spacing, offsets, part.data, none, side))
            for column, value in zip(self._hashes, (part.node, part.time_ps, part.count, part.data), strict=True):
                column.update(np.ascontiguousarray(value).data)
            self._count(part)

    def _count(self, rows: Rows) -> None:
        data = rows.count // self._datum_bytes
        start = rows.time_ps - self._cost_ps[rows.node]
        if self._begin_ps is None:
            self._begin_ps = int(start.min())
        self._end_ps = max(self._end_ps, int((start + data * self._pitch_ps[rows.node]).max()))
        self._volume.add(start, data * self._halves)
        self._events += np.bincount(rows.node, minlength=len(self._events))
        self._data += np.bincount(rows.node, data, minlength=len(self._data)).astype(np.int64)

    def finish(self, events: Events) -> str:
        """Completes the run and returns the text of its result."""
        if (rest := self.outlets.rest()) is not None:
            self._write(rest)
        if self._begin_ps is None:
            raise UserError(f"{events.file.path}: holds no events")
        elapsed_s = (self._end_ps - self._begin_ps) * 1e-12
        writing = self._data * self._pitch_ps * 1e-12
        ranks = [
            {
                "elapsed_s": elapsed_s,
                "compute_s": max(0.0, elapsed_s - own),
                "mpi_s": 0.0,
                "monitor_s": own,
                "events": n,
            }
            for own, n in zip(writing.tolist(), self._events.tolist(), strict=True)
        ]
        program = {
            "scenario": self._spec.scenario,
            "spec": nested(self._spec.values),
            "versions": dict(worker.schema().versions),
            "fingerprint": hashlib.blake2b(b"".join(h.digest() for h in self._hashes), digest_size=8).hexdigest(),
            "elapsed_s": elapsed_s,
            "ranks": ranks,
            "events": int(self._events.sum()),
            "event_bytes": self._volume.halves // 2,
            "bursts": self._volume.to_json(elapsed_s),
            "stream": _represented(events, self.outlets),
        }
        delayed, of = self.outlets.delayed, int(self._events.sum())
        if delayed > MANY * of:
            program["warnings"] = [
                f"delayed events: {delayed} of {of} waited until their node had written the previous one, by up to"
                f" {self.outlets.max_delay_ps * 1e-6:.6g} us, so they are later than in the file"
            ]
        measured = self._begin_ps, self._end_ps
        self._hardware.program_ends(self._end_ps)
        result = self._hardware.finish(
            recorded=json.dumps(program), scenario=self._spec.scenario, begin_ps=measured[0], end_ps=measured[1]
        )
        if self._writer is not None:
            self._writer.close(result, *measured)
        return result


def _represented(events: Events, outlets: Outlets) -> dict[str, Any]:
    """Returns the result's section "stream": the numbers of rows that were read, changed or delayed."""
    return {
        "rows": events.rows,
        "without_data": events.empty,
        "contents": MADE_UP if events.made_up else "as in the file",
        "begin": events.origin,
        "rounded_times": events.rounded,
        "reordered": events.reordered,
        "padded": events.padded,
        "delayed": outlets.delayed,
        "max_delay_us": outlets.max_delay_ps * 1e-6,
        "ignored_columns": ", ".join(events.file.ignored),
    }


MEANING = {
    "rows": "rows in the file",
    "without_data": "events without data, which are left out",
    "contents": "source of the events' contents",
    "begin": "time in the file that became 0",
    "rounded_times": "events with times rounded to whole picoseconds",
    "reordered": "rows earlier than the row before; they were sorted by time",
    "padded": "events that do not fill their last datum; they were padded with 0",
    "delayed": "events that waited until their node had written the previous one",
    "max_delay_us": "longest such wait of an event, us",
    "ignored_columns": "columns of the file that a stream does not use",
}
"""Keys of the result's section "stream"."""


def _parts(rows: Rows) -> Iterator[Rows]:
    """Divides the rows into batches of a recording."""
    while len(rows):
        part, rows = rows.split(recording.ROWS_PER_BATCH)
        yield part
