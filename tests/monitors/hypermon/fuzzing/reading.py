# SPDX-License-Identifier: BSD-3-Clause
"""Reads files of the HYPERMON monitor as hypermon does, and returns the content as text."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import numpy as np

from hypermon._engine import recording
from hypermon._engine.streams import run as streams
from hypermon._files.columns import place
from hypermon.errors import UserError
from hypermon.monitors.hypermon import capturing, replaying, strobe_files
from hypermon.monitors.hypermon import frames as frame_files
from hypermon.monitors.hypermon.waves import views
from tests.fuzz.made import to_json
from tests.fuzz.reading import folder, run_of
from tests.monitors.hypermon.fuzzing import made


def view(file: Path) -> str:
    return to_json(dataclasses.asdict(views.load(str(file))))


def recording_(file: Path) -> str:
    found = recording.Recording(file)
    return f"{found.result_text}{to_json([found.begin_ps, found.end_ps])}{found.to_pandas().to_csv()}"


def columns(file: Path) -> str:
    """Writes a recording with any rows, replays it in C++ and counts."""
    content = np.frombuffer(file.read_bytes().ljust(4096, b"\0"), np.uint8)
    at, column = 0, {}
    for name, kind in made.COLUMNS.items():
        size = made.ROWS * np.dtype(kind).itemsize
        column[name] = content[at : at + size].copy().view(kind)
        at += size
    data = content[at:]
    offsets = np.concatenate([np.zeros(1, np.int32), np.cumsum(column["size"], dtype=np.int32).clip(0, data.size)])
    spacing = np.full(made.ROWS, 1000, np.int64)
    rows = recording.Bursts(
        column["node"], column["first_ps"], spacing, offsets, data, column["message"], column["side"]
    )
    whole = recording.Recording(made.run())
    with folder() as out:
        writer = recording.Writer(out / recording.FILE)
        writer.add(rows)
        writer.close(whole.result_text, whole.begin_ps, whole.end_ps)
        written = recording.Recording(out)
        return replaying.replay(written).text + to_json(replaying.count(written, [written.spec]))


def frames(file: Path) -> str:
    frame_files.read(file)
    summary, _ = frame_files.summary(file)
    return to_json([summary, frame_files.rows(frame_files.decode(file).events, frame_files.Events(file).names)])


def strobes(file: Path) -> str:
    board = capturing.InPieces(capturing.design(), frames=True)
    frames = 0
    for columns in strobe_files.pieces(file):
        try:
            board.add(*columns)
        except capturing.StrobeError as error:
            raise UserError(error.message, place(file, error.index)) from None
        frames += len(board.frames())
    captured = board.finish()
    assert frames + len(board.frames()) == captured.drained
    return to_json(captured.to_dict())


def stream(file: Path) -> str:
    return run_of(streams.resolve(file, {"nodes": 4}))
