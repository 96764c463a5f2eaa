"""The cells of Table 2: the paper's value, ours, the error and what the cell was used for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from hypermon._model.result import Result
from hypermon.report.calibration import CALIBRATED, NODES, PREDICTED, PROGRAMS, Cell
from hypermon_studies import blind, reference_data

MONITORS = ("none", "software", "hypermon")
MONITOR_NAMES = {"none": "raw", "software": "software", "hypermon": "hardware"}
QUANTITIES = {"elapsed": "time, s", "logged": "logged, B", "rate": "rate, B/s"}
BLIND, UNPUBLISHED = "blind", "to be predicted"
VOLUME_TARGET = 0.03  # of hardware bytes

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
    blind: float | None = None  # what was predicted while the cell was kept back

    @property
    def error(self) -> float | None:
        return None if self.paper is None else self.ours / self.paper - 1

    @property
    def target(self) -> float | None:
        """The largest error that the project wants to see here (rates follow from the other two)."""
        if self.paper is None or self.quantity == "rate":
            return None
        return 0.02 if self.monitor != "hypermon" else 0.01 if self.quantity == "elapsed" else VOLUME_TARGET

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
                    said = blind.number(program, nodes, quantity) if monitor == "hypermon" else None
                    cell = Compared(program, nodes, monitor, quantity, paper, ours[quantity], UNPUBLISHED, said)
                    cells.append(cell if paper is None else replace(cell, status=status(cell, calibrated)))
    return cells


def _paper(program: str, nodes: int, monitor: str, quantity: str) -> float | None:
    data = reference_data.table2()
    if quantity != "rate":
        return data[program, nodes, monitor, quantity]
    logged, elapsed = data[program, nodes, monitor, "logged"], data[program, nodes, monitor, "elapsed"]
    return logged / elapsed if logged is not None and elapsed is not None else None


def status(cell: Compared, calibrated: frozenset[Cell]) -> str:
    """Of a published cell."""
    used = ("elapsed", "logged") if cell.quantity == "rate" else (cell.quantity,)  # a rate is as good as its parts
    if any((cell.program, cell.nodes, cell.monitor, part) in calibrated for part in used):
        return CALIBRATED
    # Ten digits are what the table of that time has. What differs was found out knowing the published value.
    return BLIND if cell.blind is not None and f"{cell.blind:.10g}" == f"{cell.ours:.10g}" else PREDICTED
