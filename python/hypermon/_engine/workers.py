# SPDX-License-Identifier: BSD-3-Clause
"""Simulations: each is one process of the worker."""

from __future__ import annotations

import json
import os
import subprocess
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

from hypermon._model import worker

Progress = Callable[[float, int], None]  # simulated seconds, events so far


class Workers:
    """The worker processes that are alive, so that all of them can be ended at once."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._alive: set[subprocess.Popen[str]] = set()
        self._stopped = False

    def stop(self) -> None:
        """Ends all workers; later ones are not started."""
        with self._lock:
            self._stopped = True
            for process in self._alive:
                process.kill()

    def run(
        self,
        spec_file: Path,
        out: Path,
        progress: Progress | None = None,
        record: bool = False,
        waves: Path | None = None,
        calibrate: bool = False,
        script: bool = False,
        watch: bool = False,
        activity: int = 0,
        platform: Path | None = None,
    ) -> None:
        """One simulation into the folder `out`; returns when it is complete.

        `record`: it leaves columns as well. `waves`: a file that says which waves it leaves (hypermon.waves.running).
        `calibrate`: it measures the user's program (calibrating). `script`: it leaves what the program did.
        `activity`: it leaves when its ranks computed (hypermon._model.activity), exactly up to so many pieces of time.
        `watch`: samples that have arrived are there whenever it reports progress (hypermon._model.arriving).
        `platform`: the machine's SimGrid platform file as it was checked (hypermon._inputs.platforms.written).
        """
        command = [*worker.program(), str(spec_file), "--out", str(out), "--parent", str(os.getpid())]
        command += ["--progress"] * (progress is not None) + ["--record"] * record
        command += ["--calibrate"] * calibrate + ["--script"] * script + ["--watch"] * watch
        if activity:
            command += ["--activity", str(activity)]
        if waves is not None:
            command += ["--waves", str(waves)]
        if platform is not None:
            command += ["--platform", str(platform)]
        with self._lock:
            if self._stopped:
                raise KeyboardInterrupt
            # Its own session: Ctrl-C at the terminal reaches this process alone, which then ends the worker.
            process = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                encoding="utf-8",
                errors="backslashreplace",
                start_new_session=True,
            )
            self._alive.add(process)
        try:
            messages = _follow(process, progress)
            status = process.wait()
        finally:
            process.kill()  # on the way out of an interrupt; nothing if it has ended
            process.wait()
            if process.stderr is not None:
                process.stderr.close()
            with self._lock:
                self._alive.discard(process)
        if self._stopped:
            raise KeyboardInterrupt
        worker.judge(status, messages)


def _follow(process: subprocess.Popen[str], progress: Progress | None) -> list[str]:
    """Passes on progress reports until the worker closes stderr; returns its last other lines."""
    messages: list[str] = []
    for line in process.stderr or ():
        report = _progress(line)
        if report is None:
            messages = [*messages[-19:], line.rstrip()]
        elif progress is not None:
            progress(float(report.get("simulated_s", 0)), int(report.get("events", 0)))
    return messages


def _progress(line: str) -> dict[str, Any] | None:
    if not line.startswith('{"progress"'):
        return None
    try:
        report = json.loads(line)["progress"]
    except (ValueError, KeyError):
        return None
    return report if isinstance(report, dict) else None
