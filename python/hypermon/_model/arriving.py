# SPDX-License-Identifier: BSD-3-Clause
"""Samples of a run that goes on, as far as they have arrived: what its analyst knows by then, and nothing else."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from hypermon._model.samples import COUNTERS, ROWS, ROWS_PER_BATCH, chunks

VALUES = {"raw", "length"}  # kinds of counters that are read as they are; others by how they grow
SHARES = {"timer", "percentage"}
COLUMNS = ["arrival_ps", "stamped_ps", "node", "counter", "part", "item", "value"]  # of the worker's


class Arrived(NamedTuple):
    """A sample, as the monitor knows it.

    Attributes:
        arrival_ps: When it arrived.
        node: The node that it is of.
        counter: The counter's name, with what it is of: `mpi.time[0]:MPI_Bcast`.
        value: What it showed.
        unit: The value's.
        grows: Is its growth what one looks at?
        growth: Since the sample before, in a second of the node's clock; of times, the share. None where there is none.
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
        """What one looks at; None: not known yet."""
        return self.growth if self.grows else self.value


Watch = Callable[[list[Arrived], float | None], None]
"""Is told what has arrived since the last time, and the simulated seconds by then; None: the run has ended."""


class Arriving:
    """Follows the files that the worker writes with `--watch` (SampleLog::publish)."""

    def __init__(self, folder: Path) -> None:
        self._rows, self._counters = folder / ROWS, folder / COUNTERS
        self._read = 0
        self._last: dict[tuple[int, str], tuple[int, int]] = {}  # stamp and value

    def more(self) -> list[Arrived]:
        """What has arrived since the last call, in its order."""
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
            return None  # no time has passed on a coarse clock: the next sample is compared with the one before
        self._last[node, name] = (stamp, value)
        if before is None:
            return None
        return (value - before[1]) / (stamp - before[0]) * (1 if counter["kind"] in SHARES else 1e12)


def _name(counter: Mapping[str, Any], part: int, item: int) -> str:
    which = "" if counter["of"] == "node" else f"[{part}]"
    return f"{counter['name']}{which}" + (f":{counter['items'][item]}" if counter["items"] else "")
