# SPDX-License-Identifier: BSD-3-Clause
"""Facts about a run's hardware, such as the load of its parts, derived from the result alone."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from hypermon._model import monitors, verdicts


@dataclass(frozen=True)
class Run:
    """A result, with optional data: the monitor's data from a recording, and the same run without a monitor."""

    result: Mapping[str, Any]
    recorded: Any = None
    baseline: Mapping[str, Any] | None = None

    @property
    def spec(self) -> Mapping[str, Any]:
        spec: Mapping[str, Any] = self.result["spec"]
        return spec

    @property
    def monitor(self) -> Mapping[str, Any]:
        found: Mapping[str, Any] = self.result["monitor"]
        return found

    @property
    def kind(self) -> str:
        return str(self.spec["monitor"])

    @property
    def is_observed(self) -> bool:
        return self.kind != monitors.NOBODY

    @property
    def elapsed_s(self) -> float:
        return float(self.result["elapsed_s"])

    def singles(self) -> dict[str, Any]:
        """Parameters of single components, by path."""
        own = {key: values for key, values in self.spec.items() if re.fullmatch(r"\w+\[\d+\]", key)}
        return {f"{one}.{name}": value for one, values in own.items() for name, value in values.items()}

    # The nodes' side.

    @property
    def busiest(self) -> int:
        """The rank that spent most time on emitting events."""
        ranks = self.result["ranks"]
        return max(range(len(ranks)), key=lambda rank: float(ranks[rank]["monitor_s"]))

    @property
    def emission_share(self) -> float:
        """Share of its time that the busiest rank spent on emitting events. 0 without a program."""
        if not self.result["ranks"]:
            return 0.0
        rank = self.result["ranks"][self.busiest]
        return float(rank["monitor_s"]) / float(rank["elapsed_s"]) if rank["elapsed_s"] else 0.0

    @property
    def slowdown(self) -> float | None:
        if self.baseline is None or not self.is_observed or not self.baseline["elapsed_s"]:
            return None
        return self.elapsed_s / float(self.baseline["elapsed_s"]) - 1

    # The ledger.

    @property
    def unit(self) -> str:
        return str(self.result["ledger"]["unit"])

    @property
    def counted_in(self) -> str:
        return verdicts.counted_in(self.result)

    def lost(self, stage: str, cause: str) -> int:
        """Losses at a stage for a cause, in the monitor's unit."""
        entries = self.result["ledger"]["lost"]
        return sum(int(e[self.unit]) for e in entries if (e["stage"], e["cause"]) == (stage, cause))

    @property
    def anything_lost(self) -> bool:
        total = self.result["ledger"]["lost_total"]
        return bool(total[self.unit] or total["events"])


def open_loop(raw: Mapping[str, Any], observed: Mapping[str, Any]) -> float:
    """Estimates the run time without simulating: the unobserved time plus the busiest node's monitor time."""
    return float(raw["elapsed_s"]) + max((float(rank["monitor_s"]) for rank in observed["ranks"]), default=0.0)
