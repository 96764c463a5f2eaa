# SPDX-License-Identifier: BSD-3-Clause
"""The predictions of numbers that were withheld from this project until they had been predicted.

COMMIT predicted Table 2's hardware rows of 4 and 8 nodes; RELEASED_COMMIT predicted numbers of the other papers. The
predictions are data, copied once from the files of these commits. Later runs do not change them.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import cache

from hypermon.errors import UserError
from hypermon.report.calibration import PREDICTED
from hypermon_studies import cells, reference_data
from hypermon_studies.cells import BLIND, Cell, Cells

COMMIT = "c909e81"
PAGE = "docs/validation.md"
TABLE = "docs/validation/table2.csv"
COLUMNS = ("commit", "program", "nodes", "quantity", "unit", "predicted")
OVERRUN, PEAK = "overrun", "peak frame FIFO"
_KEPT_BACK = "to be predicted"

RELEASED_COMMIT = "9bd8a29c"
RELEASED = "papers_blind.csv"
RELEASED_COLUMNS = ("commit", "id", "study", "table", "cell", "unit", "predicted")

Key = tuple[str, int, str]  # program, nodes, quantity: elapsed, logged, rate, OVERRUN or PEAK


@dataclass(frozen=True)
class Compared:
    """A blind prediction of a time or a volume, and the value that was published afterwards."""

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
    """Returns all predictions, as the pages of COMMIT have them."""
    rows = reference_data.rows("ipsc2_blind.csv")
    return {(row["program"], int(row["nodes"]), row["quantity"]): row["predicted"] for row in rows}


def number(program: str, nodes: int, quantity: str) -> float | None:
    """Blind prediction of a cell of Table 2; None if it was published when it was predicted."""
    text = predictions().get((program, nodes, quantity))
    return None if text is None else float(text)


def compared() -> list[Compared]:
    """Predictions of times and volumes that have been published since."""
    found = []
    for (program, nodes, quantity), text in predictions().items():
        published = reference_data.table2().get((program, nodes, "hypermon", quantity))
        if published is not None:
            found.append(Compared(program, nodes, quantity, float(text), published))
    return found


def summary(cells: Iterable[Compared], within: float) -> str:
    """Returns two lines: worst and mean error of the times, and the numbers of volumes within and outside `within`."""
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


@dataclass(frozen=True)
class Released:
    """A blind prediction of a number of another paper, and the number that was released afterwards."""

    id: str  # id of the number's row in papers.csv
    paper: str
    place: str
    says: str
    study: str
    cell: Cell  # the prediction beside the published number, with status BLIND

    @property
    def predicted(self) -> str:
        """The prediction as the file has it."""
        return cells.number(self.cell.ours)


@cache
def released() -> tuple[Released, ...]:
    """Returns all blind predictions of RELEASED_COMMIT whose numbers have been released since.

    Raises UserError: papers.csv publishes no such number.
    """
    rows = {row["id"]: row for row in reference_data.rows("papers.csv")}
    found = []
    for line, prediction in enumerate(reference_data.rows(RELEASED), start=2):
        row = rows.get(prediction["id"], {})
        published = cells.value(row.get("published", ""))
        if published is None:
            raise UserError(f"id {prediction['id']}: papers.csv publishes no number for it", f"{RELEASED}:{line}")
        quantity, _, case = prediction["cell"].removesuffix("]").partition(" [")
        cell = Cell(
            prediction["table"], quantity, case, prediction["unit"], float(prediction["predicted"]), BLIND, published
        )
        found.append(Released(prediction["id"], row["paper"], row["where"], row["says"], prediction["study"], cell))
    return tuple(found)


def is_released(study: str, cell: Cell) -> bool:
    """True for a cell of a study for which a number was released after its blind prediction."""
    return any((prediction.study, prediction.cell.key) == (study, cell.key) for prediction in released())


def marked(study: str, cell: Cell) -> Cell:
    """Returns a study's cell with the number that was released for it.

    Its status is BLIND while its value is the blind prediction, and PREDICTED if the value has changed since. A cell
    without a released number is returned unchanged.
    """
    for prediction in released():
        if (prediction.study, prediction.cell.key) == (study, cell.key):
            is_predicted = cells.number(cell.ours) == prediction.predicted
            return replace(cell, published=prediction.cell.published, status=BLIND if is_predicted else PREDICTED)
    return cell


def extract_released(
    ids: Iterable[tuple[str, str, str, str]], studies: Callable[[str], Cells]
) -> list[tuple[str, ...]]:
    """The rows of RELEASED from the cells of RELEASED_COMMIT.

    Args:
        ids: Each released number's id, study, table and cell.
        studies: The cells of a study by its name.
    """
    rows: list[tuple[str, ...]] = []
    for id, study, table, name in ids:
        (cell,) = (c for c in studies(study) if c.key == (table, name))
        rows.append((RELEASED_COMMIT, id, study, table, name, cell.unit, cells.number(cell.ours)))
    return rows
