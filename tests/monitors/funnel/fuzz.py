# SPDX-License-Identifier: BSD-3-Clause
"""Fuzz targets of the trace funnel: rows of a recording or of a stream, with any content."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from hypermon._engine import recorder, recording, replaying
from hypermon._engine.streams import run as streams
from tests.fuzz.made import SCENARIO, SETTINGS, kept
from tests.fuzz.reading import folder, run_of
from tests.fuzz.target import TABLE_WORDS, Target

EXTRA = {"monitor": "funnel"}
COLUMNS = {"node": "<u2", "first_ps": "<i8", "size": "u1", "message": "<u8", "side": "u1"}
ROWS = 40


def run() -> Path:
    """A recorded run's directory."""
    return kept("funnel", lambda out: recorder.record(SCENARIO, settings=SETTINGS | EXTRA, out=out))


def recordings(_: Path) -> list[bytes]:
    return [(run() / recording.FILE).read_bytes()]


def columns(_: Path) -> list[bytes]:
    """The first rows of a recording: one column after the other, then the data."""
    table = recording.Recording(run()).to_arrow().slice(0, ROWS)
    data = [row.as_py() for row in table["data"]]
    own = {"size": [len(row) for row in data]}
    return [b"".join([*(np.array(own.get(n) or table[n], kind).tobytes() for n, kind in COLUMNS.items()), *data])]


def events(_: Path) -> list[bytes]:
    return [b"time,node,bytes\n" + b"".join(b"%d,%d,%d\n" % (100 * i, i % 4, i % 20) for i in range(20))]


def read_recording(file: Path) -> str:
    return replaying.replay(recording.Recording(file)).text


def read_columns(file: Path) -> str:
    """Writes a recording with any rows and replays it in C++."""
    content = np.frombuffer(file.read_bytes().ljust(4096, b"\0"), np.uint8)
    at, column = 0, {}
    for name, kind in COLUMNS.items():
        size = ROWS * np.dtype(kind).itemsize
        column[name] = content[at : at + size].copy().view(kind)
        at += size
    data = content[at:]
    offsets = np.concatenate([np.zeros(1, np.int32), np.cumsum(column["size"], dtype=np.int32).clip(0, data.size)])
    spacing = np.full(ROWS, 1000, np.int64)
    rows = recording.Bursts(
        column["node"], column["first_ps"], spacing, offsets, data, column["message"], column["side"]
    )
    whole = recording.Recording(run())
    with folder() as out:
        writer = recording.Writer(out / recording.FILE)
        writer.add(rows)
        writer.close(whole.result_text, whole.begin_ps, whole.end_ps)
        return replaying.replay(recording.Recording(out)).text


def read_events(file: Path) -> str:
    return run_of(streams.resolve(file, {"nodes": 4, **EXTRA}))


TARGETS = (
    Target("funnel-recording", ".arrow", recordings, read_recording, ("_engine.recording",), sealed=True, examples=60),
    Target("funnel-columns", ".bin", columns, read_columns, (), examples=60),
    Target("funnel-events", ".csv", events, read_events, ("_engine.streams.event_files", "_engine.streams.run", "_files.columns"), words=TABLE_WORDS),
)  # fmt: skip
