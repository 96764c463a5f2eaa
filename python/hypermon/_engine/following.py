# SPDX-License-Identifier: BSD-3-Clause
"""Follows the standard output and standard error of a run's ranks during the run."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

STREAMS = ("stdout", "stderr")
PIECE_BYTES = 1 << 20  # (chosen) largest read

Told = Callable[[str, bytes], None]
"""Called with the name of the stream and whole lines that a rank wrote."""


class Following:
    """Reads the new lines of the files `stdout/rank<N>.txt` and `stderr/rank<N>.txt` of a run directory."""

    def __init__(self, folder: Path, tell: Told) -> None:
        self._folder = folder
        self._tell = tell
        self._read: dict[Path, int] = {}

    def more(self, ended: bool = False) -> None:
        """Passes on the whole lines written since the last call; once the run has ended, also an incomplete line."""
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
