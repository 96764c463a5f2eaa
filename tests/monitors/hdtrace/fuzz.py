# SPDX-License-Identifier: BSD-3-Clause
"""Fuzz targets of HDTrace's part, beside what the general readers of its format do."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

from hypermon.monitors.hdtrace import projects
from tests.fuzz import made
from tests.fuzz.target import Target
from tests.python import little_hdtrace


def shifted(file: Path) -> str:
    """A little project with the file in the place of one of its own, whose clocks are put right."""
    with tempfile.TemporaryDirectory() as folder:
        project = little_hdtrace.make(Path(folder) / "little")
        own = project.with_name("little_server0_TROVE_TROVE.stat")
        shutil.copy(file, own)
        changed = projects.fix_offsets(project, ["server0=0.5"])
        return repr([(path.name, adjustment) for path, adjustment in changed] + [own.read_bytes()])


TARGETS = (
    Target("hdtrace-header", ".stat", made.hdtrace_statistics, shifted, ("monitors.hdtrace.projects",), examples=40),
)
