"""The worker executable `hypermon-sim`: where it is, what it describes, and one simulation as one process."""

from __future__ import annotations

import contextlib
import functools
import json
import os
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

from hypermon import remembered
from hypermon.errors import SimulationError, UserError
from hypermon.schema import Schema

NAME = "hypermon-sim"
Progress = Callable[[float, int], None]  # simulated seconds, events so far


def find() -> Path:
    """HYPERMON_SIM, else the worker beside this Python, else on PATH."""
    given = os.environ.get("HYPERMON_SIM")
    if given:
        path = Path(given)
        if not os.access(path, os.X_OK) or path.is_dir():
            raise UserError(f"HYPERMON_SIM = {given}: is not an executable file")
        return path
    beside = Path(sys.executable).parent / NAME
    if os.access(beside, os.X_OK):
        return beside
    found = shutil.which(NAME)
    if found is None:
        raise UserError(f"{NAME} is not built: run scripts/setup, or set HYPERMON_SIM to the executable")
    return Path(found)


def schema() -> Schema:
    """What the worker describes. Remembered on disk until the executable changes."""
    path = find().resolve()
    stat = path.stat()
    return _schema(path, stat.st_mtime_ns, stat.st_size)


@functools.cache
def _schema(path: Path, mtime_ns: int, size: int) -> Schema:
    store = remembered.place("describe", path, mtime_ns, size)
    with contextlib.suppress(ValueError, KeyError, TypeError):
        kept = remembered.read(store)
        if kept is not None:
            return Schema.from_json(json.loads(kept))
    done = subprocess.run([path, "--describe"], capture_output=True, text=True, check=False)
    try:
        if done.returncode:
            raise ValueError(done.stderr.strip() or f"exit status {done.returncode}")
        described = Schema.from_json(json.loads(done.stdout))
    except (ValueError, KeyError, TypeError) as error:
        raise SimulationError(f"{path} --describe failed: {error}") from None
    remembered.write(store, done.stdout)
    return described


def kept_description() -> Path:
    """Where what the worker describes is remembered."""
    path = find().resolve()
    stat = path.stat()
    return remembered.place("describe", path, stat.st_mtime_ns, stat.st_size)


def check(spec: str) -> None:
    """A UserError if the worker would not run this specification (JSON)."""
    if "HYPERMON_SIM" not in os.environ:  # the worker that was built with hypermon._core: no process is needed
        from hypermon.native import _core

        try:
            _core.check(spec)
        except _core.BadSpecification as error:
            raise UserError(str(error)) from None
        return
    command = [str(find()), "--check", "/dev/stdin"]
    done = subprocess.run(command, input=spec, capture_output=True, text=True, check=False)
    _judge(done.returncode, done.stderr.splitlines())


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
    ) -> None:
        """One simulation into the folder `out`; returns when it is complete.

        `record`: it leaves columns as well. `waves`: a file that says which waves it leaves (hypermon.waves.running).
        `calibrate`: it measures the user's program (hypermon.calibrating). `script`: it leaves what the program did.
        """
        command = [str(find()), str(spec_file), "--out", str(out), "--parent", str(os.getpid())]
        command += ["--progress"] * (progress is not None) + ["--record"] * record
        command += ["--calibrate"] * calibrate + ["--script"] * script
        if waves is not None:
            command += ["--waves", str(waves)]
        with self._lock:
            if self._stopped:
                raise KeyboardInterrupt
            # Its own session: Ctrl-C at the terminal reaches this process alone, which then ends the worker.
            process = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                text=True,
                errors="replace",
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
        _judge(status, messages)


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


def _judge(status: int, messages: list[str]) -> None:
    if status == 0:
        return
    errors = [line.removeprefix("error: ") for line in messages if line.startswith("error: ")]
    said = "\n".join(messages)
    if status == 2:
        raise UserError(errors[-1] if errors else said or f"{NAME} refused the specification")
    if status == 3:
        raise SimulationError("\n".join(line.removeprefix("error: ") for line in messages) or "the simulation failed")
    how = f"signal {signal.Signals(-status).name}" if status < 0 else f"exit status {status}"
    raise SimulationError(f"{NAME} ended with {how}" + (f": {said}" if said else ""))
