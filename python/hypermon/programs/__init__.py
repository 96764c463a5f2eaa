"""The user's own MPI program: its sources become a shared object, which the worker loads for every rank.

Objects are kept below the user's cache (`cache`) and made by SimGrid's compilers (`compilers`) of one or several files
(`sources`).
"""

from __future__ import annotations

import contextlib
import os
import re
import shlex
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from hypermon import files
from hypermon.errors import UserError
from hypermon.programs.compilers import CXX, C
from hypermon.programs.sources import compiled
from hypermon.programs.sources import known as compiled_earlier
from hypermon.schema import Value, flat

__all__ = [
    "ARGUMENTS",
    "CFLAGS",
    "FILE",
    "Sources",
    "built",
    "compiled",
    "is_source",
    "known",
    "located",
    "settings",
]

FILE, ARGUMENTS, CFLAGS = "program.file", "program.arguments", "program.cflags"

Sources = str | os.PathLike[str] | Sequence[str | os.PathLike[str]]


def is_source(name: str | os.PathLike[str]) -> bool:
    """Does the name end as sources or shared objects do?"""
    return Path(name).suffix in C | CXX | {".so"}


def settings(parameters: Mapping[str, Any], arguments: Sequence[str] | None = None) -> dict[str, Any]:
    """Keyword arguments of `hypermon.run` as settings, by dotted paths.

    `program` may be a section as all others, or one or several files; `arguments` are the program's.
    """
    program = parameters.get("program")
    if program is not None and not isinstance(program, Mapping):
        parameters = {**parameters, "program": {"file": program}, "workload": "program"}
    given = flat(parameters)
    if arguments is not None:
        given[ARGUMENTS] = shlex.join(str(word) for word in arguments)
    return given


def built(values: Mapping[str, Value], where: str) -> Mapping[str, Value]:
    """The specification with the shared object in the place of the program's sources; without, if others run."""
    if values.get("workload") != "program":
        return {**values, FILE: ""} if values.get(FILE) else values
    named = files.paths(str(values[FILE]))
    if not named:
        raise UserError("program.file: must be given with workload = program", where)
    if len(named) == 1 and _is_object(named[0]):
        return values
    for path in named:
        if path.suffix not in C | CXX:
            allowed = f"C ({', '.join(sorted(C))}) or C++ sources ({', '.join(sorted(CXX))})"
            raise UserError(f"{FILE} = {path}: must be {allowed}, or one shared object built by smpicc", where)
    try:
        options = tuple(shlex.split(str(values[CFLAGS])))
    except ValueError as error:
        raise UserError(f"{CFLAGS} = {values[CFLAGS]}: {error}", where) from None
    return {**values, FILE: files.resolve(FILE, compiled(named, options), where)}


def known(values: Mapping[str, Value]) -> Mapping[str, Value]:
    """As `built`, for those who do not run it: nothing is compiled. Sources that never were stay what they are."""
    if values.get("workload") != "program":
        return {**values, FILE: ""} if values.get(FILE) else values
    named = files.paths(str(values[FILE]))
    if not named or any(path.suffix not in C | CXX for path in named):
        return values
    with contextlib.suppress(OSError, ValueError):
        made = compiled_earlier(named, shlex.split(str(values[CFLAGS])))
        return values if made is None else {**values, FILE: files.resolve(FILE, made, "")}
    return values


def located(message: str, values: Mapping[str, Value]) -> str:
    """The message of a crash with source lines in the place of offsets, where addr2line knows them."""
    object_file = files.path_of(str(values.get(FILE, "")))
    if object_file is None or shutil.which("addr2line") is None:
        return message

    def line(found: re.Match[str]) -> str:
        command = ["addr2line", "-s", "-e", str(object_file), found[1]]
        said = subprocess.run(command, capture_output=True, text=True, check=False).stdout.split()
        return f"at {said[0]}" if said and not said[0].startswith("?") else found[0]

    return re.sub(r"\(offset (0x[0-9a-f]+) in the program\)", line, message)


def _is_object(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(4) == b"\x7fELF"
