# SPDX-License-Identifier: BSD-3-Clause
"""Fuzz targets of TAU, besides the profiles that any TAU writes."""

from __future__ import annotations

import io
import shutil
import tempfile
from pathlib import Path

import numpy as np

from hypermon.monitors.tau import profiles
from tests.fuzz.target import Target

ROW = [
    *((name, "<i8") for name in ("arrival_ps", "taken_ps", "inclusive_ps", "exclusive_ps")),
    *((name, "<u8") for name in ("calls", "subroutines")),
    *((name, "<u4") for name in ("number", "rank", "thread", "routine")),
]


def rows(_: Path) -> list[bytes]:
    file = io.BytesIO()
    np.save(file, np.array([(5, 4, 3, 2, 1, 0, 0, 1, 0, 0), (9, 8, 7, 6, 2, 0, 1, 1, 0, 1)], dtype=ROW))
    return [file.getvalue()]


def names(_: Path) -> list[bytes]:
    return [b'{"rows":2,"routines":["MPI_Send()","f"]}\n']


def read(own: Path, as_: str) -> str:
    """Reads a folder in which the file replaces one of the two."""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / profiles.ROWS).write_bytes(rows(own)[0])
        (Path(folder) / profiles.NAMES).write_bytes(names(own)[0])
        shutil.copy(own, Path(folder) / as_)
        return str(profiles.read(Path(folder)))


TARGETS = (
    Target("tau-rows", ".npy", rows, lambda file: read(file, profiles.ROWS), ("monitors.tau.profiles",), examples=60),
    Target("tau-names", ".json", names, lambda file: read(file, profiles.NAMES), (), examples=40),
)
