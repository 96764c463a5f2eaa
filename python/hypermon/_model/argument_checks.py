# SPDX-License-Identifier: BSD-3-Clause
"""Checks of the arguments of public functions: numbers (also those of NumPy and pandas), settings and names."""

from __future__ import annotations

import math
import numbers
import os
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from hypermon._files import tables
from hypermon._model.schema import NUMBERED, flat, plain
from hypermon.errors import UserError, cut, suggestion


def integer(name: str, given: object, least: int, most: int | None = None) -> int:
    """Checks a count. Raises a UserError if it is no integer from `least` to `most`."""
    value = plain(given)
    found = None if isinstance(value, bool) or not isinstance(value, numbers.Integral) else int(value)
    if found is None or found < least or (most is not None and found > most):
        allowed = f"of at least {least}" if most is None else f"from {least} to {most}"
        raise UserError(f"{name} = {cut(given)}: must be an integer {allowed}")
    return found


def jobs(given: object) -> int:
    """Checks the number of parallel runs. None stands for the number of processors."""
    return integer("jobs", given, 1) if given is not None else os.cpu_count() or 1


def real(name: str, given: object, allowed: str, is_allowed: Callable[[float], bool]) -> float:
    """Checks a real number. Raises a UserError if it is not finite or not allowed. `allowed`: the condition as text."""
    value = plain(given)
    if isinstance(value, bool) or not isinstance(value, numbers.Real):
        raise UserError(f"{name} = {cut(given)}: must be {allowed}")
    found = float(value)
    if not math.isfinite(found) or not is_allowed(found):
        raise UserError(f"{name} = {cut(given)}: must be {allowed}")
    return found


def choice(name: str, given: object, choices: Iterable[str]) -> str:
    """Checks the name of a choice. Raises a UserError that suggests the nearest one."""
    known = list(choices)
    if not isinstance(given, str) or given not in known:
        raise UserError(f"{name} = {cut(given)}: must be one of {', '.join(known)}{suggestion(cut(given), known)}")
    return given


def texts(name: str, given: object) -> list[str]:
    """Checks a list of texts. A single text counts as a list of one."""
    if isinstance(given, str):
        return [given]
    if isinstance(given, Mapping) or not isinstance(given, Iterable):
        raise UserError(f"{name} = {cut(given)}: must be a list of texts")
    found = list(given)
    for one in found:
        if not isinstance(one, str):
            raise UserError(f"{name}: {cut(one)}: must be a text")
    return found


def settings(
    given: Mapping[str, Any] | None, parameters: Mapping[str, Any], function: Callable[..., Any]
) -> dict[str, Any]:
    """Merges the argument `settings` of a public function with its keyword parameters, which override it.

    Returns values by dotted path. Raises a UserError about a keyword that is neither a parameter, nor a section of
    parameters, nor an argument of the function.
    """
    if given is not None and not isinstance(given, Mapping):
        raise UserError(f"settings = {cut(given)}: must be a mapping of parameters' paths to values")
    keywords(parameters, function)
    chosen = flat(given or {}) | flat(parameters)
    return {path: _as_file(path, value) for path, value in chosen.items()}


def _as_file(path: str, value: Any) -> Any:
    """Saves a table in memory to a file, if the parameter names a file. Returns other values unchanged."""
    if not tables.is_table(value):
        return value
    from hypermon._model import worker

    known = worker.schema().parameters.get(path)
    return str(tables.kept(value)) if known is not None and known.kind == "file" else value


def keywords(parameters: Mapping[str, Any], function: Callable[..., Any]) -> None:
    """Raises a UserError about the first keyword of a public function that names no parameter."""
    from hypermon._model import worker

    known = worker.schema().parameters
    sections = {path.partition(".")[0] for path in known}
    for name in parameters:
        if name not in known and name.partition(".")[0] not in sections and not NUMBERED.fullmatch(name):
            code = function.__code__
            own = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
            hint = suggestion(name, [*own, *sections, *known])
            raise UserError(f"{name}: no such parameter{hint}", f"hypermon.{function.__name__}")
