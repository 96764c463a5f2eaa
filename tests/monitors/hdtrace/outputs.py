# SPDX-License-Identifier: BSD-3-Clause
"""Commands of HDTrace's part that write to files."""

from __future__ import annotations

from tests.outputs import Writing
from tests.python.writing_commands import project

COMMANDS = (Writing("hdtrace convert", lambda: [project()], "track,"),)
