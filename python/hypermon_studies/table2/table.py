# SPDX-License-Identifier: BSD-3-Clause
"""The cells of Table 2: the paper's value, ours, the error and what the cell was used for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from hypermon._model.result import Result
from hypermon.report.calibration import CALIBRATED, NODES, PREDICTED, PROGRAMS, Cell, Constant
from hypermon_studies import blind, reference_data
from hypermon_studies.cells import BLIND, UNPUBLISHED, Cells
from hypermon_studies.cells import Cell as Row
from hypermon_studies.reference_data import UNITS

MONITORS = ("none", "software", "hypermon")
MONITOR_NAMES = {"none": "raw", "software": "software", "hypermon": "hardware"}
NAMES = {"elapsed": "time", "logged": "logged", "rate": "rate"}
QUANTITIES = {quantity: f"{name}, {UNITS[quantity]}" for quantity, name in NAMES.items()}
BLIND_TABLE = f"blind comparison ({blind.COMMIT})"
RECORDS = "records of 24 nibbles a tick, 16 an ordinary event: derived from the published hardware bytes"
VOLUME_TARGET = 0.03  # for hardware bytes

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
    blind: float | None = None  # prediction made while the cell was kept back

    @property
    def error(self) -> float | None:
        return None if self.paper is None else self.ours / self.paper - 1

    @property
    def target(self) -> float | None:
        """Target of the project: the largest acceptable error (rates follow from the other two)."""
        if self.paper is None or self.quantity == "rate":
            return None
        return 0.02 if self.monitor != "hypermon" else 0.01 if self.quantity == "elapsed" else VOLUME_TARGET

    @property
    def missed(self) -> bool:
        return self.error is not None and self.target is not None and abs(self.error) > self.target


def compare(results: Mapping[Key, Result], calibrated: frozenset[Cell]) -> list[Compared]:
    """Returns all cells in the table's order, including rates."""
    cells = []
    for program in PROGRAMS:
        for nodes in NODES:
            for monitor in MONITORS:
                result = results[program, nodes, monitor]
                ours = {"elapsed": float(result["elapsed_s"]), "logged": float(result["logged_bytes"])}
                ours["rate"] = ours["logged"] / ours["elapsed"]
                for quantity in QUANTITIES if monitor != "none" else ("elapsed",):
                    cells.append(cell(program, nodes, monitor, quantity, ours[quantity], calibrated))
    return cells


def cell(program: str, nodes: int, monitor: str, quantity: str, ours: float, calibrated: frozenset[Cell]) -> Compared:
    """Returns our value with the paper's and its status."""
    paper = _paper(program, nodes, monitor, quantity)
    predicted = blind_prediction(program, nodes, monitor, quantity)
    found = Compared(program, nodes, monitor, quantity, paper, ours, UNPUBLISHED, predicted)
    return found if paper is None else replace(found, status=status(found, calibrated))


def blind_prediction(program: str, nodes: int, monitor: str, quantity: str) -> float | None:
    return blind.number(program, nodes, quantity) if monitor == "hypermon" else None


def predicted(cell: Compared) -> Compared:
    """The cell as a prediction that was made when the published value was known."""
    return replace(cell, status=PREDICTED)


def _paper(program: str, nodes: int, monitor: str, quantity: str) -> float | None:
    data = reference_data.table2()
    if quantity != "rate":
        return data[program, nodes, monitor, quantity]
    logged, elapsed = data[program, nodes, monitor, "logged"], data[program, nodes, monitor, "elapsed"]
    return logged / elapsed if logged is not None and elapsed is not None else None


def status(cell: Compared, calibrated: frozenset[Cell]) -> str:
    """Status of a published cell."""
    used = ("elapsed", "logged") if cell.quantity == "rate" else (cell.quantity,)  # a rate is as good as its parts
    if any((cell.program, cell.nodes, cell.monitor, part) in calibrated for part in used):
        return CALIBRATED
    # The table of that time has ten digits. A value that differs was found after the published one was known.
    return BLIND if cell.blind is not None and f"{cell.blind:.10g}" == f"{cell.ours:.10g}" else PREDICTED


def name_of(program: str) -> str:
    """Name of the program's table in cells.csv."""
    return f"Table 2: {program}"


def quantity_of(monitor: str, quantity: str) -> str:
    return f"{MONITOR_NAMES[monitor]} {NAMES[quantity]}"


def nodes_of(nodes: int) -> str:
    return f"{nodes} node{'s' * (nodes > 1)}"


def used_for(constants: Iterable[Constant], program: str, nodes: int, monitor: str, quantity: str) -> str:
    """Names the constants that were chosen with a cell."""
    parts = ("elapsed", "logged") if quantity == "rate" else (quantity,)
    names = [c.name for c in constants if any((program, nodes, monitor, part) in c.cells for part in parts)]
    return f"calibrates {', '.join(dict.fromkeys(names))}" if names else ""


def rows(cells: Iterable[Compared], constants: Sequence[Constant]) -> Iterator[Row]:
    """Rows of cells.csv: the table, then its blind predictions."""
    cells = list(cells)
    for c in cells:
        assumed = used_for(constants, c.program, c.nodes, c.monitor, c.quantity)
        if not assumed and c.monitor == "hypermon" and c.quantity != "elapsed":
            assumed = RECORDS
        quantity, case = quantity_of(c.monitor, c.quantity), nodes_of(c.nodes)
        yield Row(name_of(c.program), quantity, case, UNITS[c.quantity], c.ours, c.status, c.paper, assumed)
    for c in cells:
        if c.blind is not None:
            quantity = f"{c.program} {quantity_of(c.monitor, c.quantity)}"
            status = UNPUBLISHED if c.paper is None else BLIND
            yield Row(BLIND_TABLE, quantity, nodes_of(c.nodes), UNITS[c.quantity], c.blind, status, c.paper)


def read(cells: Cells) -> list[Compared]:
    """The cells of Table 2 that a cells.csv has."""
    found = []
    for program in PROGRAMS:
        known = {(quantity_of(m, q), UNITS[q]): (m, q) for m in MONITORS for q in NAMES}
        for row in cells.cells_of(name_of(program)):
            monitor, quantity = known[row.quantity, row.unit]
            blind_cell = cells.find(BLIND_TABLE, f"{program} {row.quantity}", row.case)
            assert not isinstance(row.published, tuple)
            found.append(
                Compared(
                    program,
                    int(row.case.split()[0]),
                    monitor,
                    quantity,
                    row.published,
                    row.ours,
                    row.status,
                    None if blind_cell is None else blind_cell.ours,
                )
            )
    return found
