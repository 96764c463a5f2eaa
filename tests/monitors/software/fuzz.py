# SPDX-License-Identifier: BSD-3-Clause
"""Fuzz targets of the software monitor's part."""

from __future__ import annotations

import io
import shutil
import tempfile
from pathlib import Path

import numpy as np

from hypermon.monitors.software import traces
from tests.fuzz.target import Target


def rows(_: Path) -> list[bytes]:
    file = io.BytesIO()
    np.save(file, np.array([(5, 6, -1, 4, 0, 0), (7, 8, 90, 4, 0, 1)], dtype=list(traces.ROW)))
    return [file.getvalue()]


def read(own: Path) -> str:
    with tempfile.TemporaryDirectory() as folder:
        shutil.copy(own, Path(folder) / traces.FILE)
        return str(traces.read(Path(folder)))


TARGETS = (Target("software-trace", ".npy", rows, read, ("monitors.software.traces",), examples=60),)
