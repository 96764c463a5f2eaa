# SPDX-License-Identifier: BSD-3-Clause
"""Follows what the ranks of a run write to standard output and standard error, while the run goes on."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

STREAMS = ("stdout", "stderr")
PIECE_BYTES = 1 << 20  # (chosen) read at a time

Told = Callable[[str, bytes], None]
"""Gets the name of the stream and whole lines that a rank wrote."""


class Following:
    """The files `stdout/rank<N>.txt` and `stderr/rank<N>.txt` of a run directory, from one look to the next."""

    def __init__(self, folder: Path, tell: Told) -> None:
        self._folder = folder
        self._tell = tell
        self._read: dict[Path, int] = {}

    def more(self, ended: bool = False) -> None:
        """Tells what was written since the last call: whole lines, and once the run has ended also the rest."""
        for stream in STREAMS:
            for file in sorted((self._folder / stream).glob("rank*.txt"), key=lambda file: (len(file.name), file.name)):
                for piece in self._new(file, ended):
                    self._tell(stream, piece)

    def _new(self, file: Path, ended: bool) -> Iterator[bytes]:
        at = self._read.get(file, 0)
        with file.open("rb") as opened:
            opened.seek(at)
            while piece := opened.read(PIECE_BYTES):
                whole = piece if ended or len(piece) == PIECE_BYTES else piece[: piece.rfind(b"\n") + 1]
                if not whole:
                    break
                at += len(whole)
                yield whole
        self._read[file] = at
