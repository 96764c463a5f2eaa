# SPDX-License-Identifier: BSD-3-Clause
"""Commands of HYPERMON's part that write to files."""

from __future__ import annotations

from pathlib import Path

from tests.fuzz.made import kept
from tests.monitors.hypermon.fuzzing.made import run, strobes
from tests.outputs import Writing


def strobe_file() -> Path:
    """A file of strobes."""
    folder = kept("strobes", Path.mkdir)
    file = folder / "strobes.csv"
    file.write_bytes(strobes(folder)[0])
    return file


COMMANDS = (
    Writing("frontier", lambda: [run(), "--word-ns", "222,500"], "<?xml"),
    Writing("capture", lambda: [strobe_file()], '"data0"', "frames"),
)
