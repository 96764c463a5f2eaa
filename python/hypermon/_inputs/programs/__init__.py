# SPDX-License-Identifier: BSD-3-Clause
"""The user's own MPI program: its sources become a shared object, which the worker loads for every rank.

Objects are kept below the user's cache (`cache`) and made by SimGrid's compilers (`compilers`) of one or several files
(`sources`), or by the build of a folder (`building`, `wrappers`, `executables`). `workspace`: the files that they find.
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
from hypermon._inputs.programs.sources import known as compiled_earlier
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
    """Does the name end as sources or shared objects do?"""
    return Path(name).suffix in compilers.SUFFIXES | {".so"}


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
        return _without(values)
    named = files.paths(str(values[FILE]))
    if not named:
        raise UserError("program.file: must be given with workload = program", where)
    if len(named) == 1 and named[0].is_dir():
        from hypermon._inputs.programs import building  # for folders only

        return _of_folder(values, building.built(_folder(values, where)))
    if len(named) == 1 and _is_object(named[0]):
        return values  # of a folder or of sources, perhaps: how it was made stays in the specification
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


def known(values: Mapping[str, Value]) -> Mapping[str, Value]:
    """As `built`, for those who do not run it: nothing is compiled. Sources that never were stay what they are."""
    if values.get("workload") != "program":
        return _without(values)
    named = files.paths(str(values[FILE]))
    with contextlib.suppress(OSError, UserError):
        if len(named) == 1 and named[0].is_dir():
            from hypermon._inputs.programs import building

            found = building.known(_folder(values, ""))
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
    """The object, and the folder's files as what the ranks find, if nobody says other ones."""
    from hypermon._inputs.programs.workspace import FILES

    found = {**values, FILE: files.named(made.object, made.about["object"]), ROOT: ""}
    if not values[FOLDER]:
        found[FOLDER] = files.named(made.object.parents[1] / FILES, made.about["files"])
    return found


def located(message: str, values: Mapping[str, Value]) -> str:
    """The message of a crash with source lines in the place of offsets, where addr2line knows them."""
    object_file = files.path_of(str(values.get(FILE, "")))
    if object_file is None or shutil.which("addr2line") is None:
        return message

    def line(found: re.Match[str]) -> str:
        command = ["addr2line", "-s", "-e", str(object_file), found[1]]
        said = subprocess.run(
            command, capture_output=True, encoding="utf-8", errors="backslashreplace", check=False
        ).stdout.split()
        return f"at {said[0]}" if said and not said[0].startswith("?") else found[0]

    return re.sub(r"\(offset (0x[0-9a-f]+) in the program\)", line, message)


def _is_object(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(4) == b"\x7fELF"
