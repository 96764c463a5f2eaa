# SPDX-License-Identifier: BSD-3-Clause
"""Versions of the compilers. They are cached, since a query takes as long as a short simulation.

A cached version is valid as long as SimGrid's script, the compiler that it runs, and the environment variables that
these read are unchanged. A program that selects the compiler itself (ccache, a script) is queried each time.
"""

from __future__ import annotations

import functools
import json
import os
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

from hypermon._files import places, remembered

READ = ("PATH", "LANG", "LANGUAGE", "LC_ALL", "LC_MESSAGES", "GCC_EXEC_PREFIX", "COMPILER_PATH")  # read by compilers
STANDS_FOR_OTHERS = ("ccache", "distcc", "icecc", "sccache")
QUESTIONS = (("-version",), ("-compiler-version", "-c"))  # -c: without it, the compiler would try to link


def find(command: str) -> str | None:
    """Finds SimGrid's compiler of that name, in the SimGrid of the package if it includes one, else on PATH."""
    brought = places.compilers()
    return shutil.which(command, path=str(brought) if brought.is_dir() else None)


@functools.cache
def query(command: str) -> str:
    """Returns the versions of SimGrid and of the compiler that `command` calls. Empty: it is not installed."""
    found = find(command)
    if found is None:
        return ""
    script = Path(found).resolve()
    environment = [(name, os.environ.get(name)) for name in (*READ, *sorted(n for n in os.environ if "SMPI_" in n))]
    place = remembered.place("compiler-output", script, environment)
    kept = remembered.read(place)
    if kept is not None:
        answer = json.loads(kept)
        if [_identity(Path(path)) for path, *_ in answer["files"]] == answer["files"]:
            return str(answer["output"])
    output = "".join(_ask([found, *question]) for question in QUESTIONS)
    compiler = compiler_behind(found)
    if compiler is not None and _answers_itself(compiler):
        files = [_identity(script), _identity(compiler)]
        remembered.write(place, json.dumps({"files": files, "output": output}))
    return output


def _ask(command: Sequence[str]) -> str:
    return subprocess.run(command, capture_output=True, encoding="utf-8", errors="backslashreplace", check=False).stdout


def compiler_behind(script: str) -> Path | None:
    """Returns the compiler that SimGrid's script runs. None: unknown or not installed."""
    words = _ask([script, "-show", "-c"]).split()
    found = shutil.which(words[0]) if words else None
    return None if found is None else Path(found)


def _answers_itself(compiler: Path) -> bool:
    file = compiler.resolve()
    if any(name in (compiler.name, file.name) for name in STANDS_FOR_OTHERS):
        return False
    with file.open("rb") as program:
        return program.read(4) == b"\x7fELF"


def _identity(path: Path) -> list[str | int]:
    """Returns the identity of the file at a path, which changes if the file is replaced or modified."""
    try:
        file = path.resolve()
        status = file.stat()
    except OSError:
        return [str(path)]
    return [str(path), str(file), status.st_mtime_ns, status.st_size, status.st_ino]
