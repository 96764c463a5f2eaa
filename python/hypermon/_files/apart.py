# SPDX-License-Identifier: BSD-3-Clause
"""Reads untrusted files with third-party libraries, in a separate process with bounded memory and CPU time.

Such libraries (OTF2, Arrow's reader of Parquet) are written in C and C++ and do not validate their input fully. A
damaged or forged file may crash the separate process. hypermon then reports that the file is damaged.
"""

from __future__ import annotations

import contextlib
import importlib
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from hypermon._files import files
from hypermon.errors import HypermonError, UserError

if TYPE_CHECKING:
    import pyarrow as pa

GIB = 1 << 30
MEMORY_BYTES = 4 * GIB  # (chosen) limit of the address space; Python, NumPy and Arrow alone use 1 to 2 GiB
MEMORY_PER_BYTE = 100  # (chosen) additional address space for each byte of the file
CPU_S = 120  # (chosen) limit of the CPU time
CPU_S_PER_MB = 30  # (chosen) additional CPU time for each megabyte of the file
_CHILD = "import json, sys; sys.path[:] = json.loads(sys.argv[1]); from hypermon._files import apart; apart.main()"


class _Reader:
    """A process that calls one of hypermon's functions."""

    def __init__(self, function: str, arguments: tuple[object, ...], path: Path, kind: str, size: int) -> None:
        self._path, self._kind = path, kind
        self._cpu_s = CPU_S + CPU_S_PER_MB * size // 1_000_000
        memory = MEMORY_BYTES + MEMORY_PER_BYTE * size
        self._answers, answers = os.pipe()
        request = json.dumps([function, arguments, str(path), kind, answers, memory, self._cpu_s])
        command = [sys.executable, "-P", "-c", _CHILD, json.dumps([each for each in sys.path if each]), request]
        try:
            self.process = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,  # only libraries write there: hypermon's errors are part of the answer
                pass_fds=(answers,),
                start_new_session=True,  # Ctrl-C reaches this process only, which then ends the reader
                env={**os.environ, "OPENBLAS_NUM_THREADS": "1"},
            )
        finally:
            os.close(answers)

    def __enter__(self) -> _Reader:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()  # no effect if it has ended
        self.process.wait()
        if self.process.stdout is not None:
            self.process.stdout.close()
        os.close(self._answers)

    def answer(self) -> Any:
        """Returns the function's result. Raises a UserError if the function raised one, or if the process crashed."""
        with os.fdopen(os.dup(self._answers), "rb") as pipe:
            reply = pipe.read()
        status = self.process.wait()
        with contextlib.suppress(ValueError):
            answer = json.loads(reply)
            if "error" in answer:
                raise UserError(answer["error"])
            if status == 0:
                return answer["value"]
        raise UserError(f"{self._path}: is damaged, or no {self._kind}: {self._ending(status)}")

    def _ending(self, status: int) -> str:
        if -status == signal.SIGXCPU:
            return f"reading it takes more than {self._cpu_s} s"
        if status < 0:
            return f"the library that reads it ended with {signal.Signals(-status).name}"
        return f"the process that reads it ended with status {status}"


def call(function: str, *arguments: object, path: Path, kind: str, size: int) -> Any:
    """Calls one of hypermon's functions in a separate process and returns its result.

    Args:
        function: The function, as `module:name`. Its arguments and its result must be JSON data.
        path: The file to read, for error messages.
        kind: The expected kind of file, for error messages.
        size: Number of bytes to read. The limits grow with it.
    """
    with _Reader(function, arguments, path, kind, size) as reader:
        return reader.answer()


def batches(function: str, *arguments: object, path: Path, kind: str, size: int) -> Iterator[pa.RecordBatch]:
    """Yields the record batches of one of hypermon's functions, which first yields their schema."""
    import pyarrow as pa

    with _Reader(function, arguments, path, kind, size) as reader:
        try:
            with pa.ipc.open_stream(reader.process.stdout) as stream:
                yield from stream
        except (pa.ArrowException, OSError):
            reader.answer()
            raise
        reader.answer()


def main() -> None:
    """Main function of the separate process. The command line names the function to call."""
    import resource

    function, arguments, path, kind, answers, memory, cpu_s = json.loads(sys.argv[2])
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    resource.setrlimit(resource.RLIMIT_CPU, (cpu_s, cpu_s + 5))
    out = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # keeps output of libraries out of the answer
    with os.fdopen(answers, "w") as pipe:
        try:
            with files.untrusted_read(Path(path), kind):
                answer = {"value": _called(function, arguments, out)}
        except HypermonError as error:
            answer = {"error": str(error)}
        with contextlib.suppress(OSError):
            out.close()
        json.dump(answer, pipe)


def _called(function: str, arguments: list[object], out: IO[bytes]) -> Any:
    module, _, name = function.partition(":")
    value = getattr(importlib.import_module(module), name)(*arguments)
    if not isinstance(value, Iterator):
        return value
    import pyarrow as pa

    with pa.ipc.new_stream(out, next(value)) as stream:
        for batch in value:
            stream.write_batch(batch)
    return None
