# SPDX-License-Identifier: BSD-3-Clause
"""The monitors that there are: each registers itself from its own folder, or from a package of its own.

Nothing else knows one by name. A folder `hypermon/monitors/<name>/` has a `MONITOR`; a package outside of hypermon
names its own under the group of entry points `hypermon.monitors`:

    [project.entry-points."hypermon.monitors"]
    poller = "my_poller:MONITOR"

Every one is an object of a subclass of `hypermon.monitors.Monitor`. Its methods give typed objects of the rooms above
this one, and import them only when they are called, so that a registered monitor costs a run nothing. A caller declares
the method that it calls in a protocol beside the object's type, and passes that method to `part` or `parts`: so neither
this module nor the caller needs the class above, and type checkers know what the call gives.
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
"""The package with a folder for each of ours, and the group of entry points of others."""
NOBODY = "none"
"""The value of the parameter `monitor` under which nobody observes."""
TELLS = ("events", "time series", "profiles", "relations")
"""What monitors can tell: what happened when, how much of something over time, how much of it in which routine, and
what happened because of what."""
NOTHING: Mapping[str, Any] = MappingProxyType({})
T = TypeVar("T")


class PlotEntry(NamedTuple):
    """A figure that a monitor brings, as `hypermon plot` lists it before it is loaded.

    Attributes:
        shows: A phrase that says what the figure shows.
        load: A function that gives the figure, a `hypermon.pictures.plots.Plot`.
        by: Help of the option `--by`. Empty: the figure has no such option.
        of: Help of the option `--of`. Empty: the figure has no such option.
    """

    shows: str
    load: Callable[[], Any]
    by: str = ""
    of: str = ""


class Registered:
    """What needs no type of a room above: data, and methods that return plain types.

    Attributes:
        name: Value of the parameter `monitor`.
        unit: Unit of the monitor's ledger, beside events. Empty: the monitor sees nothing, so it loses nothing.
        own: The monitor itself records what it observes (MPI calls, operations of file systems): the nodes emit no
            events for it, and the events in its ledger are its own.
        order: Position among the monitors, where they are listed. Monitors of equal order are sorted by name.
        plugin: Shared object with the monitor's part on the nodes, which the worker loads. None: the worker has it.
        hardware: Sections of parameters of the monitor's hardware, which a platform may set.
        losses: Further kinds of losses that a design may be held to: by name the paths of the lost amount and of the
            whole amount, and their unit.
        tells: What an analyst learns from the monitor: some of TELLS, in that order.
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
        """The monitor's own commands: by the command's word a function that adds the command to the command line."""
        return NOTHING

    def imports(self) -> Mapping[str, Callable[[typer.Typer], None]]:
        """The monitor's own commands below `hypermon import`, in the same form."""
        return NOTHING

    def names(self) -> Mapping[str, Callable[[], object]]:
        """The monitor's own names in `import hypermon`: by the name a function that gives the module, class or
        function."""
        return NOTHING

    def pages(self) -> Mapping[str, str]:
        """The monitor's own pages of docs/reference: by file name their text."""
        return NOTHING


@functools.cache
def registered() -> Mapping[str, Registered]:
    """By name, in their order."""
    found = [
        *(_ours(name) for name in sorted(path.name for path in _FOLDERS.iterdir()) if _in_folder(name)),
        *_others().values(),
    ]
    names = [one.name for one in found]
    for name in names:
        if names.count(name) > 1:
            raise UserError(f"monitor {name}: is registered twice ({GROUP})")
    return {one.name: one for one in sorted(found, key=lambda one: (one.order, one.name))}


def of(name: object) -> Registered:
    """The monitor of that name. One that only the worker knows has nothing here but its results."""
    text = str(name)
    if _in_folder(text):
        return _ours(text)  # without looking at any other
    return registered().get(text) or _unknown(text)


def part(monitor: Registered, method: Callable[[Any], T]) -> T:
    """What the monitor's method gives. `method` is of a protocol that `hypermon.monitors.Monitor` fulfils."""
    given: T = getattr(monitor, method.__name__)()
    return given


def parts(method: Callable[[Any], T | None]) -> dict[str, T]:
    """What the method of each monitor gives, by the monitor's name. Monitors that give None are left out."""
    given = {one.name: part(one, method) for one in registered().values()}
    return {name: one for name, one in given.items() if one is not None}


def has(monitor: Registered, method: Callable[[Any], object]) -> bool:
    """Does the monitor's class override the method? Unlike `part`, this imports nothing that the method gives."""
    return getattr(type(monitor), method.__name__) is not getattr(_class(), method.__name__)


def plugins() -> tuple[Path, ...]:
    """The shared objects that the worker has to load."""
    return tuple(one.plugin for one in _others().values() if one.plugin is not None)


_FOLDERS = Path(__file__).parents[1] / "monitors"


@functools.cache
def _in_folder(name: str) -> bool:
    return name.isidentifier() and (_FOLDERS / name / "__init__.py").is_file()


@functools.cache
def _ours(name: str) -> Registered:
    """That of a folder."""
    one: Registered = importlib.import_module(f"{GROUP}.{name}").MONITOR
    return one


def _class() -> type[Registered]:
    """`hypermon.monitors.Monitor`, which is above this module."""
    found: type[Registered] = importlib.import_module(GROUP).Monitor
    return found


def _unknown(name: str) -> Registered:
    one = _class()()
    one.name = name
    return one


@functools.cache
def _others() -> Mapping[str, Registered]:
    """Those of packages outside of hypermon, by their entry points' names."""
    found: dict[str, Registered] = {}
    for name, value in entry_points.found(GROUP):
        module, _, attribute = value.partition(":")
        where = f"monitor {name}: {value} ({GROUP})"
        try:
            one = getattr(importlib.import_module(module), attribute or "MONITOR")
        except Exception as error:  # whatever another's package does when it is imported
            raise UserError(f"{where} cannot be imported: {type(error).__name__}: {error}") from None
        if not isinstance(one, _class()):
            raise UserError(f"{where}: must be an object of a subclass of hypermon.monitors.Monitor")
        if not one.name:
            raise UserError(f"{where}: has no name, the value of the parameter monitor")
        if one.plugin is not None and not one.plugin.is_file():
            raise UserError(f"monitor {name}: {one.plugin}: no such file; it is to be built")
        found[name] = one
    return found
