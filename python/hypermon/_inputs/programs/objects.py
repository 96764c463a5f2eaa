# SPDX-License-Identifier: BSD-3-Clause
"""User code beside the program: shared objects, or their sources, that a monitor loads.

Each source is compiled to an object of its own, with the compilers and the cache of programs.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Mapping
from pathlib import Path

from hypermon._files import files
from hypermon._inputs.programs import compilers, sources
from hypermon._model.schema import Value
from hypermon.errors import UserError

LANGUAGES = compilers.C | compilers.CXX


def built(values: Mapping[str, Value], paths: list[str], where: Callable[[str], str]) -> Mapping[str, Value]:
    """Replaces sources in the specification by compiled objects.

    Args:
        values: Values of the parameters, by path.
        paths: The parameters that name such files.
        where: Returns the place where a parameter was given.

    Raises:
        UserError: A file is neither a source in C or C++ nor a shared object, or its compilation fails.
    """
    return {**values, **{path: _resolved(path, values, where(path), sources.compiled) for path in paths}}


def known(values: Mapping[str, Value], paths: list[str]) -> Mapping[str, Value]:
    """Like `built`, but compiles nothing. Sources that have not been compiled before are not replaced."""
    found = dict(values)
    for path in paths:
        with contextlib.suppress(OSError, UserError):
            found[path] = _resolved(path, values, "", lambda named: sources.known(named) or named[0])
    return found


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
