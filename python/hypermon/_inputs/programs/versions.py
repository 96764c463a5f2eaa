# SPDX-License-Identifier: BSD-3-Clause
"""What the compilers say of themselves, remembered until they change: asking takes as long as a short simulation.

An answer is kept with the files that gave it: SimGrid's script and the compiler that it runs. It holds while these are
the same files, under the same environment as far as they read it. What stands for a compiler that it looks up itself
(ccache, a script) is asked each time.
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

READ = ("PATH", "LANG", "LANGUAGE", "LC_ALL", "LC_MESSAGES", "GCC_EXEC_PREFIX", "COMPILER_PATH")  # by compilers
STANDS_FOR_OTHERS = ("ccache", "distcc", "icecc", "sccache")
QUESTIONS = (("-version",), ("-compiler-version", "-c"))  # -c: it would link nothing otherwise


def find(command: str) -> str | None:
    """SimGrid's compiler of that name: of the SimGrid that the package brings, if it does, else on PATH."""
    brought = places.compilers()
    return shutil.which(command, path=str(brought) if brought.is_dir() else None)


@functools.cache
def of(command: str) -> str:
    """What SimGrid's compiler `command` says of SimGrid and of the compiler behind it; nothing if it is not there."""
    found = find(command)
    if found is None:
        return ""
    script = Path(found).resolve()
    environment = [(name, os.environ.get(name)) for name in (*READ, *sorted(n for n in os.environ if "SMPI_" in n))]
    place = remembered.place("compiler", script, environment)
    kept = remembered.read(place)
    if kept is not None:
        answer = json.loads(kept)
        if [_identity(Path(path)) for path, *_ in answer["files"]] == answer["files"]:
            return str(answer["said"])
    said = "".join(_ask([found, *question]) for question in QUESTIONS)
    compiler = behind(found)
    if compiler is not None and _answers_itself(compiler):
        files = [_identity(script), _identity(compiler)]
        remembered.write(place, json.dumps({"files": files, "said": said}))
    return said


def _ask(command: Sequence[str]) -> str:
    return subprocess.run(command, capture_output=True, encoding="utf-8", errors="backslashreplace", check=False).stdout


def behind(script: str) -> Path | None:
    """The compiler that the script runs; None if it does not say, or is not there."""
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
    """Of the file that a path leads to: another one, or a changed one, has another."""
    try:
        file = path.resolve()
        status = file.stat()
    except OSError:
        return [str(path)]
    return [str(path), str(file), status.st_mtime_ns, status.st_size, status.st_ino]
