# SPDX-License-Identifier: BSD-3-Clause
"""Watches processes that a test has started."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any


def start(command: list[str], **options: Any) -> subprocess.Popen[str]:
    """Starts a process that reacts to SIGINT and SIGTERM, even if this one ignores them, as background jobs do."""

    def ready() -> None:
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, signal.SIG_DFL)

    return subprocess.Popen(command, stderr=subprocess.PIPE, text=True, preexec_fn=ready, **options)


def wait_for(what: Callable[[], bool]) -> None:
    end = time.monotonic() + 30
    while not what():
        assert time.monotonic() < end
        time.sleep(0.002)


def worker_pids(*roots: Path) -> list[int]:
    """Process numbers of the fake workers below these folders, which may appear and disappear meanwhile."""
    texts = []
    for root in roots:
        for folder, _, names in os.walk(root):  # skips folders that have disappeared
            if "pid" in names:
                with contextlib.suppress(FileNotFoundError):
                    texts.append(Path(folder, "pid").read_text())
    return [int(text) for text in texts if text]


def is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True
