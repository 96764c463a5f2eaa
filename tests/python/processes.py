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
    """A process that SIGINT and SIGTERM reach, even where this one ignores them (a job in the background does)."""

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
    """Of the fake workers below, whose folders come and go meanwhile."""
    texts = []
    for root in roots:
        for folder, _, names in os.walk(root):  # passes over what has gone
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
