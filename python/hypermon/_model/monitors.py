# SPDX-License-Identifier: BSD-3-Clause
"""The monitors that there are: each registers itself from its own folder, or from a package of its own.

Nothing else knows one by name. A folder `hypermon/monitors/<name>/` has a `MONITOR`; a package outside of hypermon
names its own under the group of entry points `hypermon.monitors`:

    [project.entry-points."hypermon.monitors"]
    poller = "my_poller:MONITOR"

What a monitor brings is named (`module` or `module:attribute`) and imported when it is asked for: that it is there
costs a run nothing.
"""

from __future__ import annotations

import functools
import importlib
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

from hypermon._model import entry_points
from hypermon.errors import UserError

GROUP = "hypermon.monitors"
"""The package with a folder for each of ours, and the group of entry points of others."""
NOBODY = "none"
"""The value of the parameter `monitor` under which nobody observes."""
TELLS = ("events", "time series", "profiles", "relations")
"""What monitors can tell: what happened when, how much of something over time, how much of it in which routine, and
what happened because of what."""
NOTHING: Mapping[str, Any] = MappingProxyType({})


class Monitor(NamedTuple):
    """A value of the parameter `monitor`, and what there is of it in Python, by the names of modules.

    Attributes:
        name: The parameter's value.
        unit: Of its ledger, beside events; empty: it sees nothing, so it loses nothing.
        own: It records what it observes itself (MPI calls, operations of file systems): the nodes emit no events for
            it, and its ledger's are its own.
        order: Among the monitors, where they are listed; equal ones by name.
        plugin: A shared object with its part on the nodes, which the worker loads; None: the worker has it.
        hardware: Sections of parameters of its hardware, which a platform may set.
        losses: Further kinds of losses that a design may be held to: by name the paths of what was lost and of all
            there was, and their unit.
        vocabulary: What the general parts say of its parameters and results (`hypermon._model.vocabulary.Vocabulary`).
        report: What a page says of its runs (`hypermon.report.view.View`).
        timeline: What stands on the time line of one of its runs: a function of a `hypermon.Result` that gives a
            `hypermon.timelines.tracks.TimeLine`, or None if the run left nothing for one.
        pictures: For papers, by the name that `hypermon plot` and `hypermon.pictures` have: module:attribute of a
            `hypermon.pictures.plots.Plot`.
        compared: Its own results in a comparison (`hypermon._comparing.quantities.Compared`).
        costs: What its hardware costs (`hypermon._engine.cost.Costs`).
        load: Whether what it has to do lasts for ever (`hypermon._engine.load.Loads`).
        replays: Runs again without a co-simulation (`hypermon._engine.replays.Replays`).
        extras: What options of its own make of `hypermon run` (`hypermon._engine.extras.Extras`).
        workloads: What runs without a program, by the value of `workload` (`hypermon._engine.runner.Workload`).
        commands: Commands of its own, by their word: each module has an `add(app)`.
        imports: The same, below `hypermon import`.
        times: Its own times of samples, beside what it stamped: of a result and of its samples (a frame) an array, ps.
        profiles: Its own profiles of the program's routines: of a result a frame of `hypermon._model.routines.COLUMNS`,
            or None if the run left none.
        names: What `import hypermon` has of it, by name: a module, or module:attribute.
        pages: A function that gives its own pages of docs/reference: by file name their text.
        tells: What an analyst learns from it: of TELLS, in that order.
        picture: When the program computed, as an analyst draws it: a function of a `hypermon.Result` and the
            `hypermon.judging.Activity` of its run that gives a `hypermon.judging.Picture`, or None if the run left
            nothing for one. Without it, a picture is made of profiles, of events or of samples.
        emission: How long a node is busy with an event that it emits, as its configuration says: a function of a
            specification's values and a row of its catalogue (`hypermon._model.catalogues.Event`) that gives us, before
            the instant that the monitor stamps and behind it, without what the catalogue says itself. Pictures made of
            events take it off.
        knob: How it is set up and what is turned when monitors are compared: some `hypermon.monitors.Setup`.
    """

    name: str
    unit: str = ""
    own: bool = False
    order: int = 100
    plugin: Path | None = None
    hardware: tuple[str, ...] = ()
    losses: Mapping[str, tuple[str, str, str]] = NOTHING
    vocabulary: str = ""
    report: str = ""
    timeline: str = ""
    pictures: Mapping[str, str] = NOTHING
    compared: str = ""
    costs: str = ""
    load: str = ""
    replays: str = ""
    extras: str = ""
    workloads: Mapping[str, str] = NOTHING
    commands: Mapping[str, str] = NOTHING
    imports: Mapping[str, str] = NOTHING
    times: str = ""
    profiles: str = ""
    names: Mapping[str, str] = NOTHING
    pages: str = ""
    tells: tuple[str, ...] = ()
    picture: str = ""
    emission: str = ""
    knob: str = ""


@functools.cache
def registered() -> Mapping[str, Monitor]:
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


def of(name: object) -> Monitor:
    """The monitor of that name. One that only the worker knows has nothing here but its results."""
    text = str(name)
    if _in_folder(text):
        return _ours(text)  # without looking at any other
    return registered().get(text) or Monitor(text)


def part(monitor: Monitor, what: str) -> Any:
    """What it has for `what` (`report`, `replays`, ...); None if it has none."""
    module, _, attribute = getattr(monitor, what).partition(":")
    if not module:
        return None
    found = importlib.import_module(module)
    return getattr(found, attribute) if attribute else found


def parts(what: str) -> dict[str, Any]:
    """Those of all monitors that have one, by the monitor's name."""
    return {one.name: part(one, what) for one in registered().values() if getattr(one, what)}


def plugins() -> tuple[Path, ...]:
    """The shared objects that the worker has to load."""
    return tuple(one.plugin for one in _others().values() if one.plugin is not None)


_FOLDERS = Path(__file__).parents[1] / "monitors"


@functools.cache
def _in_folder(name: str) -> bool:
    return name.isidentifier() and (_FOLDERS / name / "__init__.py").is_file()


@functools.cache
def _ours(name: str) -> Monitor:
    """That of a folder."""
    one: Monitor = importlib.import_module(f"{GROUP}.{name}").MONITOR
    return one


@functools.cache
def _others() -> Mapping[str, Monitor]:
    """Those of packages outside of hypermon, by their entry points' names."""
    found: dict[str, Monitor] = {}
    for name, value in entry_points.found(GROUP):
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
