# SPDX-License-Identifier: BSD-3-Clause
"""Samples of a running simulation that have arrived so far, which is all that the analyst knows at that time."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from hypermon._model.samples import COUNTERS, ROWS, ROWS_PER_BATCH, chunks

VALUES = {"raw", "length"}  # kinds of counters of which the value is shown; of all others the growth is shown
SHARES = {"timer", "percentage"}
COLUMNS = ["arrival_ps", "stamped_ps", "node", "counter", "part", "item", "value"]  # columns of the worker's file


class Arrived(NamedTuple):
    """A sample that has arrived.

    Attributes:
        arrival_ps: Time of arrival.
        node: The sampled node.
        counter: The counter's name with its part and item: `mpi.time[0]:MPI_Bcast`.
        value: The sampled value.
        unit: Unit of the value.
        grows: Whether the counter's growth is shown instead of its value.
        growth: Growth since the previous sample, per second of the node's clock; for times, the share of that time.
            None: there is no previous sample.
    """

    arrival_ps: int
    node: int
    counter: str
    value: int
    unit: str
    grows: bool
    growth: float | None

    @property
    def shown(self) -> float | None:
        """The number to show: the growth or the value. None: not known yet."""
        return self.growth if self.grows else self.value


Watch = Callable[[list[Arrived], float | None], None]
"""Called with newly arrived samples and the simulated time, s. The time is None once the run has ended."""


class Arriving:
    """Follows the files that the worker writes with `--watch` (SampleLog::publish)."""

    def __init__(self, folder: Path) -> None:
        self._rows, self._counters = folder / ROWS, folder / COUNTERS
        self._read = 0
        self._last: dict[tuple[int, str], tuple[int, int]] = {}  # timestamp and value of the previous sample

    def more(self) -> list[Arrived]:
        """Returns the samples that have arrived since the last call, in order of arrival."""
        if not self._counters.is_file():
            return []
        found = json.loads(self._counters.read_text(encoding="utf-8"))
        counters = {int(counter["number"]): counter for counter in found["counters"]}
        names: dict[tuple[int, int, int], str] = {}
        arrived: list[Arrived] = []
        for array in chunks(self._rows, ROWS_PER_BATCH, self._read, found["rows"]):
            for arrival, stamp, node, number, part, item, value in array[COLUMNS].tolist():
                counter, instance = counters[number], (number, part, item)
                name = names.get(instance) or names.setdefault(instance, _name(counter, part, item))
                grows = counter["kind"] not in VALUES
                growth = self._growth(node, name, stamp, value, counter) if grows else None
                arrived.append(Arrived(arrival, node, name, value, counter["unit"], grows, growth))
        self._read = found["rows"]
        return arrived

    def _growth(self, node: int, name: str, stamp: int, value: int, counter: Mapping[str, Any]) -> float | None:
        before = self._last.get((node, name))
        if before is not None and stamp <= before[0]:
            return None  # same tick of a coarse clock: the growth is computed at the next sample
        self._last[node, name] = (stamp, value)
        if before is None:
            return None
        return (value - before[1]) / (stamp - before[0]) * (1 if counter["kind"] in SHARES else 1e12)


def _name(counter: Mapping[str, Any], part: int, item: int) -> str:
    which = "" if counter["of"] == "node" else f"[{part}]"
    return f"{counter['name']}{which}" + (f":{counter['items'][item]}" if counter["items"] else "")
