# SPDX-License-Identifier: BSD-3-Clause
"""Version of the judging code. Stored judgements are valid only for the version that made them."""

from __future__ import annotations

import ast
import functools
import hashlib
import importlib.util
from collections.abc import Collection
from pathlib import Path

from hypermon._model import monitors
from hypermon._model.routines import HasProfiles
from hypermon._model.series import HasTimes
from hypermon.judging.from_events import HasEmission
from hypermon.judging.judgement import HasPicture

PARTS = (HasPicture.picture, HasProfiles.profiles, HasTimes.times, HasEmission.emission)
"""Methods of monitors that take part in making a picture."""


@functools.cache
def version(monitor: str) -> str:
    """Returns a hash of the sources by which runs of that monitor are judged.

    They are `hypermon.judging`, the monitor's modules that make its picture, and the modules of their package that
    these import. Modules that register monitors are left out, since they import everything of a monitor.
    """
    one = monitors.find(monitor)
    own = (monitors.part(one, method) for method in PARTS)
    modules = (function.__module__ for function in own if function is not None)
    registering = {monitors.GROUP, *(type(each).__module__ for each in (one, *monitors.registered().values()))}
    files = _closure((f"{__package__}.judgement", *modules), registering)
    content = [f"{name} {hashlib.sha256(file.read_bytes()).hexdigest()}" for name, file in sorted(files.items())]
    return hashlib.sha256("\n".join(content).encode()).hexdigest()[:32]


def _closure(modules: tuple[str, ...], without: Collection[str] = ()) -> dict[str, Path]:
    """Returns the files of these modules and of all modules that they import, except `without`."""
    found: dict[str, Path] = {}
    left = [(name, _folder(name.partition(".")[0])) for name in modules]
    while left:
        name, folder = left.pop()
        file = _file(name, folder)
        if name in found or name in without or file is None:
            continue
        found[name] = file
        own = name.partition(".")[0] + "."
        left += [(other, folder) for other in _imported(file, name) if other.startswith(own)]
    return found


@functools.cache
def _folder(package: str) -> Path | None:
    """Returns the folder in which Python finds the package."""
    spec = importlib.util.find_spec(package)
    if spec is None or spec.origin is None:
        return None
    return Path(spec.origin).parents[0 if spec.submodule_search_locations is None else 1]


def _file(module: str, folder: Path | None) -> Path | None:
    """Returns the file of a module. None: the name is an object in a module."""
    if folder is None:
        return None
    path = folder.joinpath(*module.split("."))
    found = (file for file in (path.with_name(f"{path.name}.py"), path / "__init__.py") if file.is_file())
    return next(found, None)


@functools.cache
def _imported(file: Path, name: str) -> tuple[str, ...]:
    """Returns the imports anywhere in a module, including imported names that may be modules."""
    package = name if file.name == "__init__.py" else name.rpartition(".")[0]
    found: list[str] = []
    for node in ast.walk(ast.parse(file.read_bytes())):
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            of = importlib.util.resolve_name("." * node.level + (node.module or ""), package)
            found += [of, *(f"{of}.{alias.name}" for alias in node.names)]
    return tuple(found)
