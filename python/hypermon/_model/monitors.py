# SPDX-License-Identifier: BSD-3-Clause
"""The registry of monitors. Each monitor registers itself, from a folder of hypermon or from another package.

General code does not name any monitor. A folder `hypermon/monitors/<name>/` defines a `MONITOR`. A package outside of
hypermon declares its monitor in the group of entry points `hypermon.monitors`:

    [project.entry-points."hypermon.monitors"]
    poller = "my_poller:MONITOR"

A `MONITOR` is an object of a subclass of `hypermon.monitors.Monitor`. Its methods return objects of packages above this
one, and import them only when they are called, so that a registered monitor does not slow down other runs. A caller
declares the called method in a protocol and passes it to `part` or `parts`. Thus neither this module nor the caller
imports the class `Monitor`, and type checkers still know the type of the result.
"""

from __future__ import annotations

import functools
import importlib
from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from hypermon._model import entry_points
from hypermon.errors import UserError

if TYPE_CHECKING:
    import typer

GROUP = "hypermon.monitors"
"""The package with hypermon's own monitors, and the group of entry points for those of other packages."""
NOBODY = "none"
"""The value of the parameter `monitor` for a run without a monitor."""
TELLS = ("events", "time series", "profiles", "relations")
"""Kinds of data that monitors provide: events in time, quantities over time, quantities per routine, and causal
relations between events."""
NOTHING: Mapping[str, Any] = MappingProxyType({})
T = TypeVar("T")


class PlotEntry(NamedTuple):
    """A monitor's figure, with the information that `hypermon plot` lists before it loads the figure.

    Attributes:
        shows: A phrase that describes the figure.
        load: A function that returns the figure, a `hypermon.pictures.plots.Plot`.
        by: Help of the option `--by`. Empty: the figure has no such option.
        of: Help of the option `--of`. Empty: the figure has no such option.
    """

    shows: str
    load: Callable[[], Any]
    by: str = ""
    of: str = ""


class Registered:
    """The part of a monitor that needs no types of packages above this one: data, and methods that return plain types.

    Attributes:
        name: Value of the parameter `monitor`.
        unit: Unit of the monitor's ledger, beside events. Empty: the monitor sees nothing, so it loses nothing.
        own: The monitor itself records what it observes (MPI calls, operations of file systems): the nodes emit no
            events for it, and the events in its ledger are its own.
        order: Position among the monitors, where they are listed. Monitors of equal order are sorted by name.
        plugin: Shared object with the monitor's part on the nodes, which the worker loads. None: the worker has it.
        hardware: Sections of parameters of the monitor's hardware, which a platform may set.
        losses: Further losses that a sizing target may limit: by name the paths of the lost and of the whole amount,
            and their unit.
        tells: The kinds of data that the monitor provides: some of TELLS, in that order.
    """

    name: str = ""
    unit: str = ""
    own: bool = False
    order: int = 100
    plugin: Path | None = None
    hardware: tuple[str, ...] = ()
    losses: Mapping[str, tuple[str, str, str]] = NOTHING
    tells: tuple[str, ...] = ()

    def commands(self) -> Mapping[str, Callable[[typer.Typer], None]]:
        """The monitor's own commands. Each has, by its name, a function that adds it to the command line."""
        return NOTHING

    def imports(self) -> Mapping[str, Callable[[typer.Typer], None]]:
        """The monitor's own commands below `hypermon import`, in the same form."""
        return NOTHING

    def names(self) -> Mapping[str, Callable[[], object]]:
        """The monitor's own names in `import hypermon`. Each has a function that returns the named object."""
        return NOTHING

    def pages(self) -> Mapping[str, str]:
        """The monitor's own pages of docs/reference: their text by file name."""
        return NOTHING


@functools.cache
def registered() -> Mapping[str, Registered]:
    """Returns all monitors by name, in their order."""
    found = [
        *(_ours(name) for name in sorted(path.name for path in _FOLDERS.iterdir()) if _in_folder(name)),
        *_others().values(),
    ]
    names = [one.name for one in found]
    for name in names:
        if names.count(name) > 1:
            raise UserError(f"monitor {name}: is registered twice ({GROUP})")
    return {one.name: one for one in sorted(found, key=lambda one: (one.order, one.name))}


def find(name: object) -> Registered:
    """Returns the monitor of that name. A monitor that only the worker knows has just the defaults here."""
    text = str(name)
    if _in_folder(text):
        return _ours(text)  # does not import the other monitors
    return registered().get(text) or _unknown(text)


def part(monitor: Registered, method: Callable[[Any], T]) -> T:
    """Calls a method of the monitor. `method`: the method of a protocol that `hypermon.monitors.Monitor` fulfils."""
    given: T = getattr(monitor, method.__name__)()
    return given


def parts(method: Callable[[Any], T | None]) -> dict[str, T]:
    """Calls a method of each monitor. Returns the results by the monitor's name, without those that are None."""
    given = {one.name: part(one, method) for one in registered().values()}
    return {name: one for name, one in given.items() if one is not None}


def overrides(monitor: Registered, method: Callable[[Any], object]) -> bool:
    """Does the monitor's class override the method? Unlike `part`, this does not import what the method returns."""
    return getattr(type(monitor), method.__name__) is not getattr(_class(), method.__name__)


def plugins() -> tuple[Path, ...]:
    """Returns the shared objects that the worker has to load."""
    return tuple(one.plugin for one in _others().values() if one.plugin is not None)


_FOLDERS = Path(__file__).parents[1] / "monitors"


@functools.cache
def _in_folder(name: str) -> bool:
    return name.isidentifier() and (_FOLDERS / name / "__init__.py").is_file()


@functools.cache
def _ours(name: str) -> Registered:
    """Returns the monitor in a folder of hypermon."""
    one: Registered = importlib.import_module(f"{GROUP}.{name}").MONITOR
    return one


def _class() -> type[Registered]:
    """Returns `hypermon.monitors.Monitor`. It is imported here, because that package is above this module."""
    found: type[Registered] = importlib.import_module(GROUP).Monitor
    return found


def _unknown(name: str) -> Registered:
    one = _class()()
    one.name = name
    return one


@functools.cache
def _others() -> Mapping[str, Registered]:
    """Returns the monitors of packages outside of hypermon, by the names of their entry points."""
    found: dict[str, Registered] = {}
    for name, value in entry_points.find_installed(GROUP):
        module, _, attribute = value.partition(":")
        where = f"monitor {name}: {value} ({GROUP})"
        try:
            one = getattr(importlib.import_module(module), attribute or "MONITOR")
        except Exception as error:  # importing a foreign package may raise anything
            raise UserError(f"{where} cannot be imported: {type(error).__name__}: {error}") from None
        if not isinstance(one, _class()):
            raise UserError(f"{where}: must be an object of a subclass of hypermon.monitors.Monitor")
        if not one.name:
            raise UserError(f"{where}: has no name, the value of the parameter monitor")
        if one.plugin is not None and not one.plugin.is_file():
            raise UserError(f"monitor {name}: {one.plugin}: no such file; it is to be built")
        found[name] = one
    return found
