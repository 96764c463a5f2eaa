"""The cells of Table 2: the paper's value, ours, the error and what the cell was used for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from hypermon.result import Result
from hypermon.study import reference_data
from hypermon.study.calibration import NODES, PROGRAMS, Cell

MONITORS = ("none", "software", "hypermon")
QUANTITIES = {"elapsed": "time, s", "logged": "logged, B", "rate": "rate, B/s"}
CALIBRATED, PREDICTED, KEPT_BACK = "calibrated", "predicted", "to be predicted"

Key = tuple[str, int, str]  # program, nodes, monitor


@dataclass(frozen=True)
class Compared:
    """One cell."""

    program: str
    nodes: int
    monitor: str
    quantity: str
    paper: float | None
    ours: float
    status: str

    @property
    def error(self) -> float | None:
        return None if self.paper is None else self.ours / self.paper - 1

    @property
    def target(self) -> float | None:
        """The largest error that the project wants to see here (rates follow from the other two)."""
        if self.paper is None or self.quantity == "rate":
            return None
        return 0.02 if self.monitor != "hypermon" else 0.01 if self.quantity == "elapsed" else 0.03

    @property
    def missed(self) -> bool:
        return self.error is not None and self.target is not None and abs(self.error) > self.target


def compare(results: Mapping[Key, Result], calibrated: frozenset[Cell]) -> list[Compared]:
    """All cells, rates included, in the table's order."""
    cells = []
    for program in PROGRAMS:
        for nodes in NODES:
            for monitor in MONITORS:
                result = results[program, nodes, monitor]
                ours = {"elapsed": float(result["elapsed_s"]), "logged": float(result["logged_bytes"])}
                ours["rate"] = ours["logged"] / ours["elapsed"]
                for quantity in QUANTITIES if monitor != "none" else ("elapsed",):
                    paper = _paper(program, nodes, monitor, quantity)
                    status = _status(program, nodes, monitor, quantity, calibrated) if paper is not None else KEPT_BACK
                    cells.append(Compared(program, nodes, monitor, quantity, paper, ours[quantity], status))
    return cells


def _paper(program: str, nodes: int, monitor: str, quantity: str) -> float | None:
    data = reference_data.table2()
    if quantity != "rate":
        return data[program, nodes, monitor, quantity]
    logged, elapsed = data[program, nodes, monitor, "logged"], data[program, nodes, monitor, "elapsed"]
    return logged / elapsed if logged is not None and elapsed is not None else None


def _status(program: str, nodes: int, monitor: str, quantity: str, calibrated: frozenset[Cell]) -> str:
    used = ("elapsed", "logged") if quantity == "rate" else (quantity,)  # a rate is as good as its parts
    return CALIBRATED if any((program, nodes, monitor, part) in calibrated for part in used) else PREDICTED
