# SPDX-License-Identifier: BSD-3-Clause
"""Completions of the shell after TAB: names of scenarios, parameters, results, machines and runs.

A completion has to be fast and silent. It reads files and caches, starts no process except the worker once for its
description, and ignores all errors.

Shells insert a candidate unquoted, and zsh evaluates it. Therefore names with other characters than letters, digits and
a few harmless ones are not offered. Without candidates, the shell completes file names itself, with quotes.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

Completion = Callable[[str], list[str]]
_HARMLESS = re.compile(r"[\w./~][\w./~+,=@%-]*")  # has no meaning for a shell and is no option


def _quietly(candidates: Callable[[str], Iterable[str]]) -> Completion:
    """Returns the candidates that begin with the typed text and have no special character. Empty after an error."""

    def complete(incomplete: str) -> list[str]:
        from hypermon.errors import HypermonError

        with contextlib.suppress(HypermonError, OSError, ValueError):
            found = candidates(incomplete)
            return [name for name in found if name.startswith(incomplete) and _HARMLESS.fullmatch(name)]
        return []

    complete.__name__ = candidates.__name__
    return complete


@_quietly
def scenario(incomplete: str) -> Iterator[str]:
    """Yields names of scenarios, and YAML files."""
    from hypermon._inputs import scenario as scenarios

    yield from scenarios.names()
    yield from _files(incomplete, (".yaml", ".yml"))


@_quietly
def scenario_or_folder(incomplete: str) -> Iterator[str]:
    from hypermon._inputs import scenario as scenarios

    names = scenarios.names()
    yield from sorted({*names, *(name.rpartition("/")[0] for name in names if "/" in name)})
    yield from _files(incomplete, (".yaml", ".yml"))


@_quietly
def parameter(_incomplete: str) -> Iterable[str]:
    """Paths of parameters."""
    from hypermon._model import worker

    return sorted(worker.schema().parameters)


@_quietly
def setting(incomplete: str) -> Iterator[str]:
    """Yields PATH= of parameters, and after that the choices of the parameter, if it has any."""
    from hypermon._model import catalogues, worker

    path, equals, _ = incomplete.partition("=")
    parameters = worker.schema().parameters
    if not equals:
        yield from (f"{name}=" for name in sorted(parameters))
    elif (known := parameters.get(path)) is not None:
        choices = ("true", "false") if known.type == "bool" else known.choices
        if known.kind == "catalogue":
            choices = tuple(catalogues.names())
        yield from (f"{path}={choice}" for choice in choices)


@_quietly
def varied(_incomplete: str) -> Iterable[str]:
    """PATH= of parameters."""
    from hypermon._model import worker

    return [f"{name}=" for name in sorted(worker.schema().parameters)]


@_quietly
def about(_incomplete: str) -> Iterable[str]:
    """Returns the arguments of `hypermon params`."""
    from hypermon._model import worker

    names = worker.schema().parameters
    return sorted({*names, *(name.partition(".")[0] for name in names), "result", "events", "code"})


@_quietly
def metric(_incomplete: str) -> Iterable[str]:
    """Keys of the result."""
    from hypermon._model import worker

    return [entry["path"] for entry in worker.schema().results]


@_quietly
def preset(_incomplete: str) -> Iterable[str]:
    from hypermon._inputs import scenario as scenarios

    return scenarios.preset_names()


@_quietly
def platform(incomplete: str) -> Iterator[str]:
    from hypermon._inputs import platforms

    yield from platforms.names()
    yield from _files(incomplete, (".yaml", ".yml", ".xml"))


@_quietly
def catalogue(incomplete: str) -> Iterator[str]:
    from hypermon._model import catalogues

    yield from catalogues.names()
    yield from _files(incomplete, (".yaml", ".yml"))


@_quietly
def run(incomplete: str) -> Iterator[str]:
    """Yields directories of runs and sweeps. Parent directories end with a slash."""
    return _folders(incomplete, ("result.json", "manifest.json", "coverage.json"))


@_quietly
def recording(incomplete: str) -> Iterator[str]:
    """Directories of recorded runs."""
    return _folders(incomplete, ("recording.arrow",))


@_quietly
def scenario_or_recording(incomplete: str) -> Iterator[str]:
    yield from scenario(incomplete)
    yield from recording(incomplete)


def _folders(incomplete: str, holding: tuple[str, ...]) -> Iterator[str]:
    for name, path in _inside(incomplete):
        if path.is_dir():
            yield name if any((path / file).is_file() for file in holding) else f"{name}/"


def _files(incomplete: str, suffixes: tuple[str, ...]) -> Iterator[str]:
    for name, path in _inside(incomplete):
        if path.suffix in suffixes:
            yield name


def _inside(incomplete: str) -> Iterator[tuple[str, Path]]:
    """Yields the entries of the folder in the typed text, each with the text to type."""
    folder, slash, _ = incomplete.rpartition("/")
    place = Path(f"{folder}{slash}").expanduser()
    for path in sorted(place.iterdir()) if place.is_dir() else ():
        if not path.name.startswith("."):
            yield f"{folder}{slash}{path.name}", path
