# SPDX-License-Identifier: BSD-3-Clause
"""User code beside the program: shared objects, or their sources, that a monitor or its hardware loads.

Each source is compiled to an object of its own, with the compilers and the cache of programs. `rtl` builds a capture
board in Verilog.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Mapping
from pathlib import Path

from hypermon._files import files
from hypermon._inputs.programs import compilers, rtl, sources
from hypermon._model.schema import Value
from hypermon.errors import UserError

TAKES_LONG = rtl.FILE  # the parameter whose file takes long to build
LANGUAGES = compilers.C | compilers.CXX


def with_built_objects(
    values: Mapping[str, Value], paths: list[str], where: Callable[[str], str]
) -> Mapping[str, Value]:
    """Replaces sources in the specification by compiled objects.

    Args:
        values: Values of the parameters, by path.
        paths: The parameters that name such files.
        where: Returns the place where a parameter was given.

    Raises:
        UserError: A file is neither a source in C or C++ nor a shared object, or its compilation fails.
    """
    found = dict(values)
    for path in paths:
        found[path] = _board(values, where(path)) if path == rtl.FILE else _of_sources(path, values, where(path))
    return found


def with_known_objects(values: Mapping[str, Value], paths: list[str]) -> Mapping[str, Value]:
    """Like `with_built_objects`, but compiles nothing. Sources without an earlier object are not replaced."""
    found = dict(values)
    for path in paths:
        with contextlib.suppress(OSError, UserError):
            if path == rtl.FILE:
                found[path] = _known_board(values)
            else:
                found[path] = _resolved(path, values, "", lambda named: sources.find_build(named) or named[0])
    return found


def _of_sources(path: str, values: Mapping[str, Value], where: str) -> str:
    return _resolved(path, values, where, sources.compiled)


def _board(values: Mapping[str, Value], where: str) -> str:
    named = files.paths(str(values[rtl.FILE]))
    if len(named) != 1 or (named[0].suffix != ".so" and named[0].suffix not in rtl.SUFFIXES):
        kinds = ", ".join(sorted(rtl.SUFFIXES))
        raise UserError(f"{rtl.FILE} = {' '.join(map(str, named))}: must be one file ({kinds})", where)
    if named[0].suffix == ".so":
        return str(values[rtl.FILE])  # it was built from the parameters that the specification keeps
    return files.resolve(rtl.FILE, rtl.build_board(values, named[0], where), where)


def _known_board(values: Mapping[str, Value]) -> str:
    named = files.paths(str(values[rtl.FILE]))
    made = rtl.find_build(values, named[0]) if len(named) == 1 and named[0].suffix in rtl.SUFFIXES else None
    return files.resolve(rtl.FILE, made, "") if made else str(values[rtl.FILE])


def _resolved(path: str, values: Mapping[str, Value], where: str, compiled: Callable[[list[Path]], Path]) -> str:
    made = [_object(path, named, where, compiled) for named in files.paths(str(values[path]))]
    return files.resolve_all(path, made, where) if made else ""


def _object(path: str, named: Path, where: str, compiled: Callable[[list[Path]], Path]) -> Path:
    if named.is_dir():
        raise UserError(f"{path} = {named}: is a folder, must be sources or shared objects", where)
    if named.suffix == ".so":
        return named
    if named.suffix not in LANGUAGES:
        kinds = f"C ({', '.join(sorted(compilers.C))}) or C++ sources ({', '.join(sorted(compilers.CXX))})"
        raise UserError(f"{path} = {named}: must be {kinds}, or shared objects (.so)", where)
    try:
        return compiled([named])
    except UserError as error:
        raise UserError(f"{path} = {named}: {error}", where) from None
