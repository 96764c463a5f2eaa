# SPDX-License-Identifier: BSD-3-Clause
"""cells.csv: every number that a study compares or states, in a row with its status (docs/reference/cells.md)."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from hypermon._files import csvfile
from hypermon.errors import UserError
from hypermon.report.calibration import CALIBRATED, PREDICTED

NAME = "cells.csv"
DERIVED, UNPUBLISHED, BLIND = "derived", "to be predicted", "blind"
STATUSES = (CALIBRATED, DERIVED, PREDICTED, UNPUBLISHED, BLIND)
COLUMNS = ("table", "cell", "unit", "status", "published", "ours", "assumption")

RANGES = "other values of the assumptions"
"""Table of the runs that vary an assumption of another cell; intervals span them."""

Value = float | bool | tuple[float, float]  # a range: what is published is not always one number


@dataclass(frozen=True)
class Cell:
    """A number or fact: the `quantity` of a `case` in a `table`."""

    table: str
    quantity: str
    case: str
    unit: str
    ours: float | bool
    status: str = PREDICTED
    published: Value | None = None
    assumption: str = ""

    def __post_init__(self) -> None:
        if why := self._wrong():
            raise ValueError(f"{self.table}: {self.name}: {why}")

    @property
    def name(self) -> str:
        return f"{self.quantity} [{self.case}]"

    @property
    def key(self) -> tuple[str, str]:
        return self.table, self.name

    @property
    def error(self) -> float | None:
        """Relative error against the published number; from the nearer end if a range is published."""
        return None if self.published is None else error(self.ours, self.published)

    def under(self, assumption: str, ours: float) -> Cell:
        """Returns the cell of this number under another assumption."""
        return Cell(
            RANGES, f"{self.table}: {self.quantity}", f"{self.case}; {assumption}", self.unit, ours, UNPUBLISHED
        )

    def _wrong(self) -> str:
        if not (self.table and self.quantity and self.case) or any("[" in part for part in (self.quantity, self.case)):
            return "table, quantity and case must be there, the last two without ["
        if self.status not in STATUSES:
            return f"status {self.status}: must be one of {', '.join(STATUSES)}"
        if self.published is None and self.status in (CALIBRATED, BLIND):
            return f"is {self.status}, but nothing is published to compare with"
        if self.published is not None and self.status == UNPUBLISHED:
            return f"is {self.status}, but published"
        if self.published is not None and isinstance(self.published, bool) != isinstance(self.ours, bool):
            return "is a fact in one column and a number in the other"
        if isinstance(self.ours, bool):
            return "a fact has no unit" if self.unit else ""
        published = self.published if isinstance(self.published, tuple) else (self.published or 0,)
        return "" if all(map(math.isfinite, (self.ours, *published))) else "must be finite"


class Cells:
    """The cells of a study, in order and without repeats."""

    def __init__(self, cells: Iterable[Cell]) -> None:
        self._cells: dict[tuple[str, str], Cell] = {}
        for cell in cells:
            self.add(cell)

    def add(self, cell: Cell) -> None:
        if cell.key in self._cells:
            raise ValueError(f"{cell.table}: {cell.name}: is there twice")
        self._cells[cell.key] = cell

    def __iter__(self) -> Iterator[Cell]:
        return iter(self._cells.values())

    def __len__(self) -> int:
        return len(self._cells)

    def cells_of(self, table: str) -> list[Cell]:
        return [cell for cell in self if cell.table == table]

    def find(self, table: str, quantity: str, case: str) -> Cell | None:
        return self._cells.get((table, f"{quantity} [{case}]"))

    def at(self, table: str, quantity: str, case: str) -> Cell:
        return self._cells[table, f"{quantity} [{case}]"]

    def under_other_assumptions(self, cell: Cell) -> list[Cell]:
        """Returns the cells of this number in the runs that vary an assumption."""
        quantity, case = f"{cell.table}: {cell.quantity}", f"{cell.case}; "
        return [c for c in self.cells_of(RANGES) if c.quantity == quantity and c.case.startswith(case)]

    def cases(self, table: str) -> list[str]:
        return list(dict.fromkeys(cell.case for cell in self.cells_of(table)))


def error(ours: float | bool, published: Value) -> float | None:
    """Relative error of a number; from the nearer end if a range is published. None for facts."""
    if isinstance(published, bool):
        return None
    low, high = published if isinstance(published, tuple) else (published, published)
    return ours / min(max(ours, low), high) - 1


def number(value: float) -> str:
    """Ten digits of a number that is not whole."""
    return str(value) if isinstance(value, int) else f"{value:.10g}"


def value_to_text(value: Value | str | None) -> str:
    """Formats a number, a range or a fact for the file; text is unchanged."""
    if isinstance(value, str):
        return value
    if value is None or isinstance(value, bool):
        return "" if value is None else "yes" if value else "no"
    return " to ".join(map(number, value)) if isinstance(value, tuple) else number(value)


def text(cells: Cells) -> str:
    """The file: the same for the same cells."""
    rows = (
        (c.table, c.name, c.unit, c.status, value_to_text(c.published), value_to_text(c.ours), c.assumption)
        for c in cells
    )
    return csvfile.text([COLUMNS, *rows])


def read(written: str, name: str = NAME) -> Cells:
    """Reads the cells in a file's text.

    Raises UserError: the text has another format; the message names the line.
    """
    rows = csvfile.rows_of(written, name)
    line = 1
    try:
        if tuple(next(rows, (1, []))[1]) != COLUMNS:
            raise ValueError(f"columns must be {','.join(COLUMNS)}")
        found = Cells(())
        for line, row in rows:  # noqa: B007 (where it went wrong)
            if len(row) != len(COLUMNS):
                raise ValueError(f"{len(row)} columns: must be {len(COLUMNS)}")
            table, cell, unit, status, published, ours, assumption = row
            quantity, bracket, case = cell.removesuffix("]").partition(" [")
            if not bracket or not cell.endswith("]"):
                raise ValueError(f"cell {cell}: must be QUANTITY [CASE]")
            found.add(Cell(table, quantity, case, unit, _number(ours), status, value(published), assumption))
        return found
    except ValueError as error:
        raise UserError(str(error), f"{name}:{line}") from None


def _number(field: str) -> float | bool:
    if field in ("yes", "no"):
        return field == "yes"
    try:
        return int(field)
    except ValueError:
        return float(field)


def value(field: str) -> Value | None:
    """Parses a published number or fact. Raises ValueError if it is neither."""
    if not field:
        return None
    low, to, high = field.partition(" to ")
    return (_number(low), _number(high)) if to else _number(field)
