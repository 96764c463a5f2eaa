# SPDX-License-Identifier: BSD-3-Clause
"""Worker processes. Each runs one simulation."""

from __future__ import annotations

import json
import os
import subprocess
import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hypermon._model import worker

Progress = Callable[[float, int], None]  # simulated seconds, events so far


@dataclass(frozen=True)
class Job:
    """The arguments of one worker process.

    Attributes:
        spec_file: The resolved specification.
        out: The folder for the worker's output.
        record: Whether to write the columns of a recording.
        waves: A file with the request for waveforms (the monitor's module `waves.running`).
        calibrate: Whether to measure the user's program (hypermon._engine.calibrating).
        script: Whether to write the program's script.
        watch: Whether to write the samples that have arrived before each progress report (hypermon._model.arriving).
        activity: Number of time slices up to which the ranks' activity is kept exactly (hypermon._model.activity). 0:
            no activity is written.
        platform: A checked copy of the machine's SimGrid platform file (hypermon._inputs.platforms.written).
    """

    spec_file: Path
    out: Path
    record: bool = False
    waves: Path | None = None
    calibrate: bool = False
    script: bool = False
    watch: bool = False
    activity: int = 0
    platform: Path | None = None

    def command(self, progress: bool) -> list[str]:
        """Returns the worker's command line. `progress`: whether the worker reports progress on stderr."""
        command = [*worker.program(), str(self.spec_file), "--out", str(self.out), "--parent", str(os.getpid())]
        command += ["--progress"] * progress + ["--record"] * self.record
        command += ["--calibrate"] * self.calibrate + ["--script"] * self.script + ["--watch"] * self.watch
        if self.activity:
            command += ["--activity", str(self.activity)]
        if self.waves is not None:
            command += ["--waves", str(self.waves)]
        if self.platform is not None:
            command += ["--platform", str(self.platform)]
        return command


class Workers:
    """The worker processes that are alive, so that all of them can be ended at once."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._alive: set[subprocess.Popen[str]] = set()
        self._stopped = False

    def stop(self) -> None:
        """Ends all workers and prevents new ones."""
        with self._lock:
            self._stopped = True
            for process in self._alive:
                process.kill()

    def run(self, job: Job, progress: Progress | None = None) -> None:
        """Runs one simulation to completion."""
        command = job.command(progress is not None)
        with self._lock:
            if self._stopped:
                raise KeyboardInterrupt
            # In its own session, so that Ctrl-C at the terminal reaches only this process, which then ends the worker.
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
            process.kill()  # after an interrupt; no effect if the worker has ended
            process.wait()
            if process.stderr is not None:
                process.stderr.close()
            with self._lock:
                self._alive.discard(process)
        if self._stopped:
            raise KeyboardInterrupt
        worker.judge(status, messages)


def _follow(process: subprocess.Popen[str], progress: Progress | None) -> list[str]:
    """Passes on progress reports until the worker closes stderr. Returns the last of the other lines."""
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
