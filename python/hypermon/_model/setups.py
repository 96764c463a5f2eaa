# SPDX-License-Identifier: BSD-3-Clause
"""How a monitor is set up when it is compared with others, and what of it is turned then (`Monitor.knob`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, Protocol

from hypermon._model import monitors
from hypermon._model.monitors import NOTHING, Registered


class Setup(NamedTuple):
    """A monitor as somebody sets it up who wants to know when each node computes.

    Attributes:
        name: Among those of its monitor, where it has several; empty: the monitor itself.
        about: What somebody has who chooses it, and which of its constants were measured where: a sentence or two.
        presets: Named groups of parameters that make it.
        settings: What it is asked to watch, where that is not the default. How it watches is left at its defaults.
        turned: Its knob, from little to much: parameters by path, whose values take their steps together.
        vary: Where its best is looked for, as `hypermon.tradeoffs.pareto` has it: by path a range (low, high), one at
            equal ratios (low, high, "log"), or a list of values.
    """

    name: str = ""
    presets: tuple[str, ...] = ()
    settings: Mapping[str, Any] = NOTHING
    turned: Mapping[str, Sequence[Any]] = NOTHING
    vary: Mapping[str, Any] = NOTHING
    about: str = ""

    def steps(self) -> list[dict[str, Any]]:
        """What each step of the knob sets."""
        return [dict(zip(self.turned, step, strict=True)) for step in zip(*self.turned.values(), strict=True)]


class HasKnob(Protocol):
    def knob(self) -> Sequence[Setup]: ...


def of(monitor: Registered) -> tuple[Setup, ...]:
    """Those of a monitor; of one that says nothing the one with its defaults, which is a point and no curve."""
    return tuple(monitors.part(monitor, HasKnob.knob)) or (Setup(),)
