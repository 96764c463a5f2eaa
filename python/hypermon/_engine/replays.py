# SPDX-License-Identifier: BSD-3-Clause
"""Interface of the monitors' replay modules, which simulate the monitor alone from a recording of the nodes' data."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from hypermon._engine.recording import Recording
from hypermon._model import monitors
from hypermon._model.spec import Spec
from hypermon.errors import UserError


@dataclass(frozen=True)
class Outlet:
    """The outlet through which a node writes its events, one datum of `bits` after the other.

    A datum is a half byte or a whole number of bytes.
    """

    bits: int
    first_ps: NDArray[np.int64]
    """For each node, the time from the start of an event's write until its first datum has left, ps."""
    pitch_ps: NDArray[np.int64]
    """For each node, the time between consecutive data, ps."""
    width: str
    """The parameter that sets the width of a datum."""
    pace: str
    """The parameters that set the two times."""
    longest: int
    """Size of the longest possible event, bytes."""
    length: str = ""
    """The parameter that sets the size of the longest event; empty if there is none."""

    @property
    def datum_bytes(self) -> int:
        """Size of a datum in a recording, bytes."""
        return -(-self.bits // 8)


class Replays(Protocol):
    """Interface of a monitor's replay module (`Monitor.replays`). `recorder` and `replaying` hold the common parts.

    All methods raise UserErrors, unless stated otherwise.
    """

    COUNTED: frozenset[str]
    """Paths of the results that `count` computes."""
    LEVELS: dict[str, str]
    """Columns of `timeline` with a level for each interval, by display name."""
    COUNTS: dict[str, str]
    """Columns of `timeline` with a count for each interval, by display name."""
    LOST: frozenset[str]
    """Display names of the columns of COUNTS that count losses."""
    INTERVAL: str
    """Key of `timeline` for the length of an interval, s."""
    EXPLORED: Mapping[str, str]
    """Names of the hardware whose sections of parameters the explorer varies, the most important first."""
    UNEXPLORED: frozenset[str]
    """Parameters in these sections that no number depends on."""
    REFERENCE: tuple[str, tuple[str, ...]]
    """The design that the explorer compares with: its name, and its presets over the parameters' defaults."""

    ACTS_BACK: str
    """Name, in error messages, of the cause of back-pressure on the nodes."""

    def why_not(self, spec: Spec) -> str:
        """Returns the reason why a replay cannot compute the result. Empty if it can."""

    def require_replayable(self, spec: Spec) -> None:
        """Raises a UserError if the result depends on other inputs than the nodes' data.

        Called only for specifications without back-pressure.
        """

    def outlet(self, spec: Spec) -> Outlet:
        """Returns the outlet of the nodes."""

    def in_simulator(self, spec: Spec) -> str:
        """Returns the parameter that makes a replay need SystemC, which only the worker has; empty if none does."""

    def track(self, spec: Spec) -> str:
        """Returns the name, in a time line, of the hardware that `timeline` describes."""

    def depth(self, spec: Spec) -> int | None:
        """Returns the largest possible level of LEVELS. None: they have no limit."""

    def counts_apart(self, spec: Spec) -> bool:
        """Can one pass over a recording count this design together with others?"""

    def in_common(self, spec: Spec) -> Hashable:
        """Returns a key that is equal for designs that share work when they are counted together."""

    def count(self, recording: Recording, specs: Sequence[Spec]) -> list[dict[str, Any]]:
        """Returns for each specification the numbers of COUNTED, by path."""

    def timeline(
        self, recording: Recording, spec: Spec | None = None, intervals: int = 1000, *, histogram: bool = True
    ) -> dict[str, Any]:
        """Returns the monitor's buffer occupancy over time. Without the histogram it may be computed much sooner."""


class HasReplays(Protocol):
    def replays(self) -> Replays | None: ...


def find(spec: Spec) -> Replays | None:
    """Returns the replay module of the specification's monitor. None: it has none."""
    return monitors.part(monitors.find(spec.values["monitor"]), HasReplays.replays)


def why_not(spec: Spec) -> str:
    """Returns the reason why a replay cannot compute the specification's result. Empty if it can."""
    how = find(spec)
    return f"monitor = {spec.values['monitor']}" if how is None else how.why_not(spec)


def require(spec: Spec) -> Replays:
    """Returns the replay module of the specification's monitor. Raises a UserError if it has none."""
    found = find(spec)
    if found is None:
        having = [one for one in monitors.registered().values() if monitors.overrides(one, HasReplays.replays)]
        those = ", ".join(one.name for one in having) or "no monitor here"
        raise UserError(f"monitor = {spec.values['monitor']}: only runs can be recorded under {those}")
    return found


def by(recording: Recording) -> Replays:
    """Returns the replay module of the monitor with which the recording was made."""
    found = find(recording.spec)
    if found is None:
        raise UserError(f"{recording.path}: monitor = {recording.spec.values['monitor']}: has no replays")
    return found


def counted(specs: Iterable[Spec]) -> frozenset[str]:
    """Returns the paths that counts provide for all these specifications. Monitors without replays are left out."""
    found = {str(spec.values["monitor"]): find(spec) for spec in specs}
    given = [how.COUNTED for how in found.values() if how is not None]
    return frozenset.intersection(*given) if given else frozenset()
