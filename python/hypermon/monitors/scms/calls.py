# SPDX-License-Identifier: BSD-3-Clause
"""A worker that is controlled by calls: a JSON line each, with an answer. Simulated time stands still between them."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

from hypermon._model import worker
from hypermon.errors import SimulationError, UserError


class Worker:
    """A worker, from its start to its end."""

    def __init__(self, spec_file: Path, out: Path, errors: IO[str], platform: Path | None) -> None:
        command = [*worker.program(), str(spec_file), "--out", str(out), "--calls", "--parent", str(os.getpid())]
        command += ["--platform", str(platform)] if platform is not None else []
        self._errors = errors
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=errors,
            encoding="utf-8",
            errors="backslashreplace",
            start_new_session=True,
        )

    def call(self, verb: str, **arguments: object) -> dict[str, Any]:
        """Sends a call and returns its answer.

        Raises:
            UserError: The request is not valid; the session continues.
            SimulationError: The run ended before the answer arrived, or failed.
        """
        self.send(verb, **arguments)
        assert self._process.stdout is not None
        try:
            line = self._process.stdout.readline()
        except BaseException:  # an interrupt: no caller awaits the answer that is under way
            self.kill()
            raise
        if not line:
            self.wait()
            raise SimulationError("the worker ended without an answer")
        answer: dict[str, Any] = json.loads(line)
        if "error" in answer:
            raise UserError(answer["error"])
        if "ended" in answer:
            raise SimulationError(f"{verb}: the run ended at {answer['now_ps'] / 1e12:g} s, before the answer arrived")
        return answer

    def send(self, verb: str, **arguments: object) -> None:
        """A call that has no answer."""
        assert self._process.stdin is not None
        with contextlib.suppress(BrokenPipeError):  # the worker has ended: its status gives the reason
            self._process.stdin.write(json.dumps({"call": verb, **arguments}) + "\n")
            self._process.stdin.flush()

    def wait(self) -> None:
        """Waits until the worker has ended. Raises an error if it failed."""
        status = self._process.wait()
        self._errors.seek(0)
        worker.judge(status, [line.rstrip() for line in self._errors][-20:])

    def kill(self) -> None:
        self._process.kill()
        self._process.wait()
        for stream in (self._process.stdin, self._process.stdout):
            if stream is not None:
                with contextlib.suppress(BrokenPipeError):
                    stream.close()


@contextlib.contextmanager
def started(spec_file: Path, out: Path, platform: Path | None = None) -> Iterator[Worker]:
    """Runs until it is done or left. `platform`: as Workers.run has it."""
    with tempfile.TemporaryFile("w+", errors="replace") as errors:
        one = Worker(spec_file, out, errors, platform)
        try:
            yield one
        finally:
            one.kill()
