"""What comes with hypermon: its scenarios and its platforms, as `hypermon.scenarios` and `hypermon.platforms`."""

from __future__ import annotations

from typing import TYPE_CHECKING

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
        'What does a halo exchange with its receives posted beforehand ask of a monitor?'
    """
    from hypermon._inputs import scenario as _scenario

    return [_scenario.built_in(name) for name in _scenario.names()]


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
