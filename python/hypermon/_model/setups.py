# SPDX-License-Identifier: BSD-3-Clause
"""Setups of monitors for comparisons, with the parameters that are varied (`Monitor.knob`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, Protocol

from hypermon._model import monitors
from hypermon._model.monitors import NOTHING, Registered


class Setup(NamedTuple):
    """How a user sets up a monitor to see when each node computes.

    Attributes:
        name: Name among the setups of the monitor, if there are several. Empty: the monitor's name suffices.
        about: One or two sentences about the setup, and about the origin of its constants.
        presets: Presets of the setup.
        settings: Parameters that select what to observe, where the default is not right. All others keep their
            defaults.
        turned: The setup's knob, from little to much observation: values by path. The parameters change together.
        vary: Search space for the best setting, as in `hypermon.tradeoffs.pareto`: by path a range (low, high), a range
            at equal ratios (low, high, "log"), or a list of values.
    """

    name: str = ""
    presets: tuple[str, ...] = ()
    settings: Mapping[str, Any] = NOTHING
    turned: Mapping[str, Sequence[Any]] = NOTHING
    vary: Mapping[str, Any] = NOTHING
    about: str = ""

    def steps(self) -> list[dict[str, Any]]:
        """Returns the settings of each step of the knob."""
        return [dict(zip(self.turned, step, strict=True)) for step in zip(*self.turned.values(), strict=True)]


class HasKnob(Protocol):
    def knob(self) -> Sequence[Setup]: ...


def find(monitor: Registered) -> tuple[Setup, ...]:
    """Returns the setups of a monitor. A monitor without any has one with its defaults, a single point of a curve."""
    return tuple(monitors.part(monitor, HasKnob.knob)) or (Setup(),)
