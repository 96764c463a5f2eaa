# SPDX-License-Identifier: BSD-3-Clause
"""Lists: `hypermon.scenarios`, `platforms`, `counters`, and the catalogues of parameters and results."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from hypermon.errors import UserError, suggestion

if TYPE_CHECKING:  # imported late at run time, so that each command loads only the modules that it needs
    from hypermon._inputs.platforms import Platform
    from hypermon._inputs.scenario import Scenario
    from hypermon._model.listing import Catalogue
    from hypermon._model.schema import Parameter


def scenarios() -> list[Scenario]:
    """Lists the scenarios, each with its question, cases and expectations (`hypermon scenarios`).

    Returns:
        All scenarios, sorted by name. They come from the source tree or the installed package, or from the folder in
        `HYPERMON_SCENARIOS`.

    Raises:
        UserError: A file in the folder is no scenario.

    Example:
        >>> found = {scenario.name: scenario for scenario in hypermon.scenarios()}
        >>> found["collection/halo"].question
        'Does a halo exchange with its receives posted beforehand overrun the board, although it reads its mean rate?'
    """
    from hypermon._inputs import scenario as _scenario

    return [_scenario.built_in(name) for name in _scenario.names()]


class Counter(NamedTuple):
    """A counter of the simulated system.

    Attributes:
        name: Name by which monitors request it.
        unit: Unit of its values.
        kind: Interpretation of its values: raw, rate, timer, percentage, distribution, length.
        of: The parts that have a counter each: node, process, processor or interface.
        by: The items that each counter counts separately. Empty: none.
        description: The counted quantity.
        source: The component that maintains the counter.
    """

    name: str
    unit: str
    kind: str
    of: str
    by: str
    description: str
    source: str


def counters() -> list[Counter]:
    """Lists the counters of the simulated system that monitors can read (`hypermon counters`).

    Returns:
        All counters, with units.

    Raises:
        SimulationError: The worker, which implements the counters, does not run.

    Example:
        >>> {counter.name: counter.unit for counter in hypermon.counters()}["os.context_switches"]
        'switches'
    """
    from hypermon._model import worker

    return [Counter(**counter) for counter in worker.schema().counters]


def platforms() -> list[Platform]:
    """Lists the machines that come with hypermon (`hypermon platforms`).

    Returns:
        All platforms, sorted by name, with descriptions, sources and parameters.

    Raises:
        UserError: A file in the folder is no platform.

    Example:
        >>> [platform.name for platform in hypermon.platforms() if "iPSC/2" in platform.description]
        ['ipsc2', 'torus64']
    """
    from hypermon._inputs import platforms as _platforms

    return [_platforms.find(name, "") for name in _platforms.names()]


def params(pattern: str = "*") -> Catalogue[Parameter]:
    """Returns the catalogue of parameters: units, defaults, allowed values, sources (`hypermon params`).

    Use it to find the parameters that can be set or varied. A prompt and a notebook display it as a table.

    Args:
        pattern: A path (`node.tick_ms`), a group (`node`), or a glob (`*.tick_*`).

    Returns:
        The parameters, in the order of the reference page. `to_pandas()` makes a table of them.

    Raises:
        UserError: No parameter has such a path. The message suggests the nearest one.

    Example:
        >>> [(found.path, found.default, found.unit) for found in hypermon.params("node.tick_ms")]
        [('node.tick_ms', 50.0, 'ms')]
    """
    from hypermon._model import worker
    from hypermon._model.listing import Catalogue

    found = worker.schema().select(pattern)
    return Catalogue("parameters", found, ("path", "default", "unit", "description"))


class ResultKey(NamedTuple):
    """A key of results.

    Attributes:
        path: Path of the key, for use in metrics.
        unit: Unit of its values. Empty: no unit.
        description: Meaning of the key.
        may_be_null: Whether some results have None instead of a value.
    """

    path: str
    unit: str
    description: str
    may_be_null: bool


def result_keys(pattern: str = "*") -> Catalogue[ResultKey]:
    """Returns the catalogue of results: the keys that a result can have (`hypermon params result`).

    Use it to find the numbers for metrics. The keys of a result depend on its monitor.

    Args:
        pattern: A path (`elapsed_s`), a group (`ledger`), or a glob (`*.p99`).

    Returns:
        The keys, in the order of the reference page. `to_pandas()` makes a table of them.

    Raises:
        UserError: No key has such a path. The message suggests the nearest one.

    Example:
        >>> [(found.path, found.unit) for found in hypermon.result_keys("elapsed_s")]
        [('elapsed_s', 's')]
    """
    import fnmatch

    from hypermon._model import worker
    from hypermon._model.listing import Catalogue

    keys = [
        ResultKey(key["path"], key.get("unit") or "", key["description"], bool(key["may_be_null"]))
        for key in worker.schema().results
    ]
    found = [
        key
        for key in keys
        if key.path == pattern
        or key.path.startswith((f"{pattern}.", f"{pattern}["))
        or fnmatch.fnmatchcase(key.path, pattern.replace("[", "[[]"))
    ]
    if not found:
        raise UserError(f"{pattern}: the result has no such key{suggestion(pattern, [key.path for key in keys])}")
    return Catalogue("result keys", found, ("path", "unit", "description"))
