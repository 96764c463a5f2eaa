"""What the study of mechanisms has of Table 2: a row for each cell under each mechanism, as CSV too."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass

TODAY = "today"

Key = tuple[str, str, int, str]  # program, mechanism, nodes, monitor; or a reader's name instead of the monitor


@dataclass(frozen=True)
class Row:
    """One cell of Table 2 with one mechanism."""

    program: str
    mechanism: str
    nodes: int
    monitor: str
    quantity: str
    paper: float | None
    ours: float

    @property
    def error(self) -> float | None:
        return None if self.paper is None else self.ours / self.paper - 1


def read(text: str) -> list[Row]:
    """The rows of a mechanisms.csv."""
    return [
        Row(
            r["program"],
            r["mechanism"],
            int(r["nodes"]),
            r["monitor"],
            r["quantity"],
            float(r["paper"]) if r["paper"] else None,
            float(r["hypermon"]),
        )
        for r in csv.DictReader(text.splitlines())
    ]


def csv_of(rows: Sequence[Row]) -> str:
    """A mechanisms.csv."""
    text = io.StringIO()
    lines = csv.writer(text, lineterminator="\n")
    lines.writerow(["program", "mechanism", "nodes", "monitor", "quantity", "paper", "hypermon", "error"])
    for r in rows:
        paper = "" if r.paper is None else f"{r.paper:.10g}"
        error = "" if r.error is None else f"{r.error:.6f}"
        lines.writerow([r.program, r.mechanism, r.nodes, r.monitor, r.quantity, paper, f"{r.ours:.10g}", error])
    return text.getvalue()
