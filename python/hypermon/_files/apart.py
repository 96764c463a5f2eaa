# SPDX-License-Identifier: BSD-3-Clause
"""Files of others that a library reads which is not ours, in a process of its own, bounded in memory and CPU time.

Such libraries (OTF2's, Arrow's readers of Parquet) are written in C and C++ and trust what a file says of itself. A
damaged or forged file may break them: their process ends then, and this one says that the file is damaged.
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
MEMORY_BYTES = 4 * GIB  # (chosen) of address space; Python, NumPy and Arrow have 1 to 2 GiB of it before they read
MEMORY_PER_BYTE = 100  # (chosen) more for each byte of the file
CPU_S = 120  # (chosen)
CPU_S_PER_MB = 30  # (chosen) more for each megabyte of the file
_CHILD = "import json, sys; sys.path[:] = json.loads(sys.argv[1]); from hypermon._files import apart; apart.main()"


class _Reader:
    """A process that calls one function of ours, and what becomes of it."""

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
                stderr=subprocess.DEVNULL,  # of the libraries; errors of ours come as an answer
                pass_fds=(answers,),
                start_new_session=True,  # Ctrl-C ends this process, which ends that one
                env={**os.environ, "OPENBLAS_NUM_THREADS": "1"},
            )
        finally:
            os.close(answers)

    def __enter__(self) -> _Reader:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()  # nothing if it has ended
        self.process.wait()
        if self.process.stdout is not None:
            self.process.stdout.close()
        os.close(self._answers)

    def answer(self) -> Any:
        """What the function returned. A UserError: what it raised, or how the process ended."""
        with os.fdopen(os.dup(self._answers), "rb") as pipe:
            said = pipe.read()
        status = self.process.wait()
        with contextlib.suppress(ValueError):
            answer = json.loads(said)
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
    """The value of one of our functions, `module:name`, of arguments and a value that JSON has.

    Args:
        path: What is read, for errors.
        kind: What it should be.
        size: Bytes of all that is read: the bounds grow with them.
    """
    with _Reader(function, arguments, path, kind, size) as reader:
        return reader.answer()


def batches(function: str, *arguments: object, path: Path, kind: str, size: int) -> Iterator[pa.RecordBatch]:
    """The record batches that one of our functions yields after the schema of them all."""
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
    """The process: the arguments of the command say what is called."""
    import resource

    function, arguments, path, kind, answers, memory, cpu_s = json.loads(sys.argv[2])
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    resource.setrlimit(resource.RLIMIT_CPU, (cpu_s, cpu_s + 5))
    out = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what a library prints
    with os.fdopen(answers, "w") as pipe:
        try:
            with files.understood(Path(path), kind):
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
