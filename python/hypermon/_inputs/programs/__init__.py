# SPDX-License-Identifier: BSD-3-Clause
"""The user's MPI program. Its sources are compiled to a shared object, which the worker loads for every rank.

Objects are kept in the user's cache (`cache`). They are made by SimGrid's compilers (`compilers`) from one or several
files (`sources`), or by the build of a folder (`building`, `wrappers`, `executables`). `workspace` provides the files
in the working folder of the ranks.
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
from typing import TYPE_CHECKING, Any

from hypermon._files import files, folders
from hypermon._inputs.programs import cache, compilers
from hypermon._inputs.programs.sources import compiled
from hypermon._inputs.programs.sources import find_build as compiled_earlier
from hypermon._model.schema import Value, flat
from hypermon.errors import UserError

if TYPE_CHECKING:
    from hypermon._inputs.programs import building

__all__ = [
    "ARGUMENTS",
    "CFLAGS",
    "FILE",
    "FOLDER",
    "MAKE",
    "ROOT",
    "Sources",
    "built",
    "compiled",
    "is_source",
    "known",
    "located",
    "settings",
]

FILE, ARGUMENTS, CFLAGS = "program.file", "program.arguments", "program.cflags"
MAKE, EXECUTABLE, FOLDER = "program.make", "program.executable", "program.folder"
ROOT = "program.root"

Sources = str | os.PathLike[str] | Sequence[str | os.PathLike[str]]


def is_source(name: str | os.PathLike[str]) -> bool:
    """Does the name have the suffix of a source or a shared object?"""
    return Path(name).suffix in compilers.SUFFIXES | {".so"}


def settings(parameters: Mapping[str, Any], arguments: Sequence[str] | None = None) -> dict[str, Any]:
    """Converts keyword arguments of `hypermon.run` to settings by dotted path.

    `program`: a section like all others, or one or several files. `arguments`: arguments of the program.
    """
    program = parameters.get("program")
    if program is not None and not isinstance(program, Mapping):
        parameters = {**parameters, "program": {"file": program}, "workload": "program"}
    given = flat(parameters)
    if arguments is not None:
        given[ARGUMENTS] = shlex.join(str(word) for word in arguments)
    return given


def with_built_program(values: Mapping[str, Value], where: str) -> Mapping[str, Value]:
    """Replaces the program's sources by the compiled shared object. Without a user's program, changes nothing."""
    if values.get("workload") != "program":
        return _without(values)
    named = files.paths(str(values[FILE]))
    if not named:
        raise UserError("program.file: must be given with workload = program", where)
    if len(named) == 1 and named[0].is_dir():
        from hypermon._inputs.programs import building  # imported here, because only folders need it

        return _of_folder(values, building.build_folder(_folder(values, where)))
    if len(named) == 1 and _is_object(named[0]):
        return values  # if hypermon built the object, `values` still have the parameters of the build
    for parameter in (MAKE, EXECUTABLE, ROOT):
        if values[parameter]:
            raise UserError(f"{parameter} = {values[parameter]}: is only for a folder that is built", where)
    for path in named:
        if path.is_dir():
            raise UserError(f"{FILE} = {path}: must be the only one, a folder", where)
        if path.suffix not in compilers.SUFFIXES:
            kinds = "C ({}), C++ ({}) or Fortran sources ({})".format(
                *(", ".join(sorted(suffixes)) for suffixes in (compilers.C, compilers.CXX, compilers.FORTRAN))
            )
            raise UserError(f"{FILE} = {path}: must be {kinds}, a folder, or one shared object built by smpicc", where)
    return {**values, FILE: files.resolve(FILE, compiled(named, _options(values, where)), where)}


def with_known_build(values: Mapping[str, Value]) -> Mapping[str, Value]:
    """Like `with_built_program`, but compiles nothing, for callers that do not run the program.

    Sources that have not been compiled before are not replaced.
    """
    if values.get("workload") != "program":
        return _without(values)
    named = files.paths(str(values[FILE]))
    with contextlib.suppress(OSError, UserError):
        if len(named) == 1 and named[0].is_dir():
            from hypermon._inputs.programs import building

            found = building.find_build(_folder(values, ""))
            return values if found is None else _of_folder(values, found)
        if named and all(path.suffix in compilers.SUFFIXES for path in named):
            made = compiled_earlier(named, _options(values, ""))
            return values if made is None else {**values, FILE: files.resolve(FILE, made, "")}
    return values


def _without(values: Mapping[str, Value]) -> Mapping[str, Value]:
    return {**values, **{path: "" for path in (FILE, FOLDER, ROOT) if values.get(path)}}


def _options(values: Mapping[str, Value], where: str) -> tuple[str, ...]:
    try:
        return tuple(shlex.split(str(values[CFLAGS])))
    except ValueError as error:
        raise UserError(f"{CFLAGS} = {values[CFLAGS]}: {error}", where) from None


def _folder(values: Mapping[str, Value], where: str) -> building.Folder:
    from hypermon._inputs.programs import building

    (path,), digest = files.paths(str(values[FILE])), str(values[FILE]).rpartition(":")[2]
    make, executable = str(values[MAKE]), str(values[EXECUTABLE])
    root = files.path_of(str(values[ROOT])) or building.root_above(path)
    if path.resolve().is_relative_to(root.resolve()):
        path = root / path.resolve().relative_to(root.resolve())
    else:
        raise UserError(f"{ROOT} = {root}: must be a folder in which program.file = {path} is", where)
    if root != path:
        digest = folders.digest(root, sources=True)
    return building.Folder(path, root, digest, make, executable, _options(values, where), where)


def _of_folder(values: Mapping[str, Value], made: cache.Made) -> Mapping[str, Value]:
    """Sets the object and, unless the user gave other files, the folder's files for the ranks' working folder."""
    from hypermon._inputs.programs.workspace import FILES

    found = {**values, FILE: files.path_with_digest(made.object, made.about["object"]), ROOT: ""}
    if not values[FOLDER]:
        found[FOLDER] = files.path_with_digest(made.object.parents[1] / FILES, made.about["files"])
    return found


def located(message: str, values: Mapping[str, Value]) -> str:
    """Replaces offsets in the message of a crash by source lines, where addr2line can resolve them."""
    object_file = files.path_of(str(values.get(FILE, "")))
    if object_file is None or shutil.which("addr2line") is None:
        return message

    def line(found: re.Match[str]) -> str:
        command = ["addr2line", "-s", "-e", str(object_file), found[1]]
        resolved = subprocess.run(
            command, capture_output=True, encoding="utf-8", errors="backslashreplace", check=False
        ).stdout.split()
        if not resolved or resolved[0].startswith("?"):
            return found[0]
        return f"from {resolved[0]}" if found[0].startswith("from ") else f"at {resolved[0]}"

    # Fortran's main program has no name, so "in" or "from" is directly in front of the offset.
    return re.sub(r"(?:in |from )?\(offset (0x[0-9a-f]+) in the program\)", line, message)


def _is_object(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(4) == b"\x7fELF"
