# SPDX-License-Identifier: BSD-3-Clause
"""Replays: what a monitor gives again from a recording of one run, without simulating the program once more."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
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
    """What a node's events leave it through: data of `bits`, in bytes whole or a half."""

    bits: int
    first_ps: NDArray[np.int64]
    """By node: from the beginning of an event's writing until its first datum has left, ps."""
    pitch_ps: NDArray[np.int64]
    """By node: from one datum to the next, ps."""
    width: str
    """The parameter that says the width."""
    pace: str
    """Those that say the times."""
    longest: int
    """Bytes of the longest event."""
    length: str = ""
    """The parameter that says that, if one does."""

    @property
    def datum_bytes(self) -> int:
        """Of a datum in a recording."""
        return -(-self.bits // 8)


class Replays(Protocol):
    """A monitor's module of what is its own of them (`Monitor.replays`); the rest is `recorder` and `replaying`. Errors
    are UserErrors unless it says otherwise."""

    COUNTED: frozenset[str]
    """Paths of the results that `count` gives."""
    TRACK: str
    """What a time line calls the hardware that `timeline` is of."""
    LEVELS: dict[str, str]
    """What of it has a level in each interval, by name the column of `timeline`."""
    COUNTS: dict[str, str]
    """What of it is counted in each."""
    INTERVAL: str
    """What `timeline` calls their length, s."""

    ACTS_BACK: str
    """What makes the hardware act back on the nodes, as an error names it."""

    def why_not(self, spec: Spec) -> str:
        """Why only a co-simulation gives the result, not a replay; empty if a replay does."""

    def require_replayable(self, spec: Spec) -> None:
        """A UserError if the result depends on more than what the nodes write, though nothing acts back on them."""

    def outlet(self, spec: Spec) -> Outlet:
        """What a node's events leave through."""

    def counts_apart(self, spec: Spec) -> bool:
        """Does one pass over a recording count this design with many others?"""

    def in_common(self, spec: Spec) -> Hashable:
        """Equal for designs of which counting them together computes a part only once."""

    def count(self, recording: Recording, specs: Sequence[Spec]) -> list[dict[str, Any]]:
        """Of each specification the numbers of COUNTED, by their paths."""

    def timeline(self, recording: Recording, spec: Spec | None = None, intervals: int = 1000) -> dict[str, Any]:
        """Its buffer's level over time."""


class HasReplays(Protocol):
    def replays(self) -> Replays | None: ...


def of(spec: Spec) -> Replays | None:
    """The replays of the specification's monitor; None if it has none."""
    return monitors.part(monitors.of(spec.values["monitor"]), HasReplays.replays)


def why_not(spec: Spec) -> str:
    """Why only a co-simulation gives the specification's result, not a replay; empty if a replay does."""
    how = of(spec)
    return f"monitor = {spec.values['monitor']}" if how is None else how.why_not(spec)


def require(spec: Spec) -> Replays:
    """The same; a UserError if it has none."""
    found = of(spec)
    if found is None:
        having = [one for one in monitors.registered().values() if monitors.has(one, HasReplays.replays)]
        those = ", ".join(one.name for one in having) or "no monitor here"
        raise UserError(f"monitor = {spec.values['monitor']}: nodes write what can be recorded under {those}")
    return found


def by(recording: Recording) -> Replays:
    """Those of the monitor that the recording was made under."""
    found = of(recording.spec)
    if found is None:
        raise UserError(f"{recording.path}: monitor = {recording.spec.values['monitor']}: has no replays")
    return found


def counted(specs: Iterable[Spec]) -> frozenset[str]:
    """What counts give of all these, whichever monitors they have; of those without replays there are none."""
    found = {str(spec.values["monitor"]): of(spec) for spec in specs}
    given = [how.COUNTED for how in found.values() if how is not None]
    return frozenset.intersection(*given) if given else frozenset()
