# SPDX-License-Identifier: BSD-3-Clause
"""What comes with hypermon: scenarios, platforms, counters, as `hypermon.scenarios`, `platforms` and `counters`."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:  # the command that lists one does not wait for the other's module
    from hypermon._inputs.platforms import Platform
    from hypermon._inputs.scenario import Scenario


def scenarios() -> list[Scenario]:
    """The scenarios that there are, each with its question, cases and expectations (`hypermon scenarios`).

    Returns:
        All of them, by name: of the source tree or the installed package, or of the folder that `HYPERMON_SCENARIOS`
        names.

    Raises:
        UserError: A file among them is no scenario.

    Example:
        >>> found = {scenario.name: scenario for scenario in hypermon.scenarios()}
        >>> found["collection/halo"].question
        'Does a halo exchange with its receives posted beforehand overrun the board, although it reads its mean rate?'
    """
    from hypermon._inputs import scenario as _scenario

    return [_scenario.built_in(name) for name in _scenario.names()]


class Counter(NamedTuple):
    """What the simulated system counts.

    Attributes:
        name: By which monitors ask for it.
        unit: Of its values.
        kind: How its numbers are to be read: raw, rate, timer, percentage, distribution, length.
        of: What has a counter of its own: node, process, processor or interface.
        by: What each counts apart; empty: nothing.
        description: What it counts.
        source: Who keeps it.
    """

    name: str
    unit: str
    kind: str
    of: str
    by: str
    description: str
    source: str


def counters() -> list[Counter]:
    """The counters that the simulated system keeps for monitors that read them (`hypermon counters`).

    Returns:
        All of them, with units.

    Raises:
        SimulationError: The worker, which keeps them, cannot be asked.

    Example:
        >>> {counter.name: counter.unit for counter in hypermon.counters()}["os.context_switches"]
        'switches'
    """
    from hypermon._model import worker

    return [Counter(**counter) for counter in worker.schema().counters]


def platforms() -> list[Platform]:
    """The machines that come with hypermon (`hypermon platforms`).

    Returns:
        All of them, by name, with description, sources and what each sets.

    Raises:
        UserError: A file among them is no platform.

    Example:
        >>> [platform.name for platform in hypermon.platforms() if "iPSC/2" in platform.description]
        ['ipsc2', 'torus64']
    """
    from hypermon._inputs import platforms as _platforms

    return [_platforms.find(name, "") for name in _platforms.names()]
