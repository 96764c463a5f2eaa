"""The monitors that there are: each registers itself from its own folder, or from a package of its own.

Nothing else knows one by name. A folder `hypermon/monitors/<name>/` has a `MONITOR`; a package outside of hypermon
names its own under the group of entry points `hypermon.monitors`:

    [project.entry-points."hypermon.monitors"]
    poller = "my_poller:MONITOR"

What a monitor brings is named by module and imported when it is asked for: that it is there costs a run nothing.
"""

from __future__ import annotations

import functools
import importlib
import json
import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from hypermon._files import remembered
from hypermon._model import entry_points
from hypermon.errors import UserError

GROUP = "hypermon.monitors"
"""The package with a folder for each of ours, and the group of entry points of others."""


@dataclass(frozen=True)
class Monitor:
    """A value of the parameter `monitor`, and what there is of it in Python. Modules are given by their names.

    Attributes:
        name: The parameter's value.
        unit: Of its ledger, beside events; empty: it sees nothing, so it loses nothing.
        order: Among the monitors, where they are listed; equal ones by name.
        plugin: A shared object with its part on the nodes, which the worker loads; None: the worker has it.
        losses: Further kinds of losses that a design may be held to: by name the paths of what was lost and of all
            there was, and their unit.
        report: What a page says of its runs (`hypermon.report.view.View`).
        compared: Its own results in a comparison (`hypermon._comparing.quantities.Compared`).
        costs: What its hardware costs (`hypermon._engine.cost.Costs`).
        load: Whether what it has to do lasts for ever (`hypermon._engine.load.Loads`).
        replays: Runs again without a co-simulation (`hypermon._engine.replays.Replays`).
        waves: Waves of its hardware while a program runs (`hypermon._engine.waves.OfRuns`).
        workloads: What runs without a program, by the value of `workload` (`hypermon._engine.runner.Workload`).
        commands: Commands of its own, by their word: each module has an `add(app)`.
        imports: The same, below `hypermon import`.
        names: What `import hypermon` has of it, by name: a module, or module:attribute.
    """

    name: str
    unit: str = ""
    order: int = 100
    plugin: Path | None = None
    losses: Mapping[str, tuple[str, str, str]] = field(default_factory=dict)
    report: str = ""
    compared: str = ""
    costs: str = ""
    load: str = ""
    replays: str = ""
    waves: str = ""
    workloads: Mapping[str, str] = field(default_factory=dict)
    commands: Mapping[str, str] = field(default_factory=dict)
    imports: Mapping[str, str] = field(default_factory=dict)
    names: Mapping[str, str] = field(default_factory=dict)


@functools.cache
def registered() -> Mapping[str, Monitor]:
    """By name, in their order."""
    found = [*_ours(), *_others().values()]
    names = [one.name for one in found]
    for name in names:
        if names.count(name) > 1:
            raise UserError(f"monitor {name}: is registered twice ({GROUP})")
    return {one.name: one for one in sorted(found, key=lambda one: (one.order, one.name))}


def of(name: object) -> Monitor:
    """The monitor of that name. One that only the worker knows has nothing here but its results."""
    return registered().get(str(name)) or Monitor(str(name))


def part(monitor: Monitor, what: str) -> Any:
    """The module that it has for `what` (`report`, `replays`, ...); None if it has none."""
    name = getattr(monitor, what)
    return importlib.import_module(name) if name else None


def parts(what: str) -> dict[str, Any]:
    """Those of all monitors that have one, by the monitor's name."""
    return {one.name: part(one, what) for one in registered().values() if getattr(one, what)}


def plugins() -> tuple[Path, ...]:
    """The shared objects that the worker has to load."""
    return tuple(one.plugin for one in _others().values() if one.plugin is not None)


def _ours() -> list[Monitor]:
    package = importlib.import_module(GROUP)
    folders = {entry.name for path in package.__path__ for entry in os.scandir(path) if _is_package(entry)}
    return [importlib.import_module(f"{GROUP}.{name}").MONITOR for name in sorted(folders)]


def _is_package(entry: os.DirEntry[str]) -> bool:
    return entry.is_dir() and (Path(entry) / "__init__.py").is_file()


@functools.cache
def _others() -> Mapping[str, Monitor]:
    """Those of packages outside of hypermon, by their entry points' names."""
    found: dict[str, Monitor] = {}
    for name, value in _entry_points():
        module, _, attribute = value.partition(":")
        try:
            one = getattr(importlib.import_module(module), attribute or "MONITOR")
        except Exception as error:  # whatever another's package does when it is imported
            said = f"{type(error).__name__}: {error}"
            raise UserError(f"monitor {name}: {value} ({GROUP}) cannot be imported: {said}") from None
        if not isinstance(one, Monitor):
            raise UserError(f"monitor {name}: {value} ({GROUP}): must be a hypermon.monitors.Monitor")
        if one.plugin is not None and not one.plugin.is_file():
            raise UserError(f"monitor {name}: {one.plugin}: no such file; it is to be built")
        found[name] = one
    return found


def _entry_points() -> list[tuple[str, str]]:
    """Name and value of each. Looked up once for as long as nothing is installed or removed: that changes the time of a
    folder on the path, and to look takes a tenth of a short run.
    """
    folders = [(path, time) for path in sys.path if (time := _changed(path))]
    kept = remembered.place("monitors", *folders)
    text = remembered.read(kept)
    if text is not None:
        return [(name, value) for name, value in json.loads(text)]
    found = entry_points.found(GROUP)
    remembered.write(kept, json.dumps(found))
    return found


def _changed(path: str) -> int:
    try:
        return Path(path).stat().st_mtime_ns
    except OSError:
        return 0
