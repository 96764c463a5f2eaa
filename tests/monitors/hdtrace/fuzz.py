# SPDX-License-Identifier: BSD-3-Clause
"""Fuzz targets of HDTrace, beyond those of the general readers of its format."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

from hypermon.monitors.hdtrace import projects
from tests.fuzz import made
from tests.fuzz.target import Target
from tests.python import little_hdtrace


def shifted(file: Path) -> str:
    """A small project in which the file replaces one of the project's own, after its clocks have been corrected."""
    with tempfile.TemporaryDirectory() as folder:
        project = little_hdtrace.make(Path(folder) / "little")
        own = project.with_name("little_server0_TROVE_TROVE.stat")
        shutil.copy(file, own)
        changed = projects.fix_offsets(project, ["server0=0.5"])
        return repr([(path.name, adjustment) for path, adjustment in changed] + [own.read_bytes()])


TARGETS = (
    Target("hdtrace-header", ".stat", made.hdtrace_statistics, shifted, ("monitors.hdtrace.projects",), examples=40),
)
