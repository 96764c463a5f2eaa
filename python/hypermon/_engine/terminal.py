"""The terminal, if there is one."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console

_ASK_RICH = {"FORCE_COLOR", "TTY_COMPATIBLE"}  # whether something is a terminal that does not look like one


def terminal(stderr: bool = False) -> Console | None:
    """To print on, if the output is a terminal. Rich is imported for one only."""
    stream = sys.stderr if stderr else sys.stdout
    if not _ASK_RICH & os.environ.keys() and not stream.isatty():
        return None
    from rich.console import Console

    screen = Console(stderr=stderr, highlight=False, emoji=False)
    return screen if screen.is_terminal else None
