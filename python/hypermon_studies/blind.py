# SPDX-License-Identifier: BSD-3-Clause
"""What the simulator said of Table 2's hardware rows of 4 and 8 nodes while they were kept back from this project.

The numbers are data, taken once from the pages of COMMIT; today's runs have no part in them.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

from hypermon_studies import reference_data

COMMIT = "c909e81"
PAGE = "docs/validation.md"
TABLE = "docs/validation/table2.csv"
COLUMNS = ("commit", "program", "nodes", "quantity", "unit", "predicted")
OVERRUN, PEAK = "overrun", "peak frame FIFO"
_KEPT_BACK = "to be predicted"

Key = tuple[str, int, str]  # program, nodes, quantity: elapsed, logged, rate, OVERRUN or PEAK


@dataclass(frozen=True)
class Compared:
    """A blind prediction of a time or a volume beside what was published afterwards."""

    program: str
    nodes: int
    quantity: str
    predicted: float
    published: float

    @property
    def error(self) -> float:
        return self.predicted / self.published - 1


@cache
def predictions() -> dict[Key, str]:
    """All of them, as the pages of COMMIT said them."""
    rows = reference_data.rows("ipsc2_blind.csv")
    return {(row["program"], int(row["nodes"]), row["quantity"]): row["predicted"] for row in rows}


def number(program: str, nodes: int, quantity: str) -> float | None:
    """Of a cell of Table 2; None if it was published when it was predicted."""
    text = predictions().get((program, nodes, quantity))
    return None if text is None else float(text)


def compared() -> list[Compared]:
    """Times and volumes that have been published since."""
    found = []
    for (program, nodes, quantity), text in predictions().items():
        published = reference_data.table2().get((program, nodes, "hypermon", quantity))
        if published is not None:
            found.append(Compared(program, nodes, quantity, float(text), published))
    return found


def summary(cells: Iterable[Compared], within: float) -> str:
    """Two lines: times by their worst and mean, volumes as those within `within` and the others."""
    cells = list(cells)
    times = [c for c in cells if c.quantity == "elapsed"]
    volumes = [c for c in cells if c.quantity == "logged"]
    worst = max(times, key=lambda c: abs(c.error))
    mean = sum(abs(c.error) for c in times) / len(times)
    beyond = [f"{c.program} on {c.nodes} nodes {100 * c.error:+.1f} %" for c in volumes if abs(c.error) > within]
    rest = [abs(c.error) for c in volumes if abs(c.error) <= within]
    line = f"{len(rest)} of {len(volumes)} volumes within {100 * max(rest, default=0.0):.1f} %"
    return (
        f"{len(times)} times: worst {100 * worst.error:+.1f} % ({worst.program} on {worst.nodes} nodes),"
        f" mean {100 * mean:.1f} %\n{line}" + (f"; {', '.join(beyond)}" if beyond else "")
    )


def extract(table: str, page: str) -> list[tuple[str, ...]]:
    """The rows of ipsc2_blind.csv from TABLE and PAGE of COMMIT."""
    rows: list[tuple[str, ...]] = []
    for row in csv.DictReader(table.splitlines()):
        if row["status"] == _KEPT_BACK:
            unit = reference_data.UNITS[row["quantity"]]
            rows.append((COMMIT, row["program"], row["nodes"], row["quantity"], unit, row["hypermon"]))
    kept = {(program, nodes) for _, program, nodes, *_ in rows}
    # | program | overrun | nodes | first at s | peak frame FIFO | ...
    for program, overrun, nodes, peak in re.findall(r"^\| (\w+) \| (yes|no) \| (\d+) \|[^|]*\| (\d+) \|", page, re.M):
        if (program, nodes) in kept:
            rows.append((COMMIT, program, nodes, OVERRUN, "", overrun))
            rows.append((COMMIT, program, nodes, PEAK, "frames", peak))
    return rows
