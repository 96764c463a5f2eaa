# SPDX-License-Identifier: BSD-3-Clause
"""Every number of the five papers with our value: data/papers.csv, evaluated.

A row has the number's place and sentence, its kind in this project, and the origin of our value: the source (column
`from`) and the expression or the cell (column `ours`).

- `study NAME`: a cell of that study's cells.csv, as `TABLE | CELL`. `TABLE | *` stands for all published cells of the
  table. The published value and its kind come from the cell, unless the row has them. Our value in a row of kind
  `blind` is the prediction that data/papers_blind.csv has for its `id`; its note adds today's value if it differs.
- `scenario NAME`, `scenario NAME: CASE`, `scenario NAME with PRESET`, `platform NAME`: an expression over the resolved
  parameters (`spec`), their allowed values (`parameters`), the board's registers and the event catalogue. Nothing is
      run.
- `run NAME`, `run NAME: CASE`: an expression over the result of that run.
- `rows`: an expression over the values of other rows, by the names in their column `id`.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib import resources
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hypermon._engine import runner
from hypermon._inputs import scenario
from hypermon._inputs.expectations import Case
from hypermon._model import catalogues, expressions
from hypermon._model.result import Result
from hypermon._model.schema import Schema, nested
from hypermon._model.spec import Spec
from hypermon.errors import UserError, suggestion
from hypermon.monitors.hypermon import registers
from hypermon.report.calibration import CALIBRATED, PREDICTED, PROGRAMS, Constant, constants
from hypermon_studies import blind, cells
from hypermon_studies.cells import BLIND, DERIVED, UNPUBLISHED, Cell, Cells, Value
from hypermon_studies.papers import intervals, left_out, moved
from hypermon_studies.papers.intervals import Interval
from hypermon_studies.papers.left_out import Checked
from hypermon_studies.papers.moved import Moved
from hypermon_studies.table2 import misses

DATA, FILE, MOVED = "papers", "papers.csv", "moved.csv"
COLUMNS = ("paper", "where", "says", "published", "unit", "kind", "from", "ours", "note", "id")
FIELDS = ("paper", "place", "says", "published", "unit", "kind", "source", "ours", "note", "id")
"""Names of the columns in Python."""
INPUT, KEPT_BACK, NOT_SIMULATED = "input", "kept back", "not simulated"
KINDS = (INPUT, CALIBRATED, DERIVED, PREDICTED, BLIND, KEPT_BACK, NOT_SIMULATED)
COMPARED = (INPUT, CALIBRATED, DERIVED, PREDICTED, BLIND)
EVIDENCE = (PREDICTED, BLIND)
WITH_INTERVALS = (*EVIDENCE, KEPT_BACK)
ALL = "*"
FAR = 0.01  # (chosen) errors of Table 2's cells from here on have a note


@dataclass(frozen=True)
class Row:
    """One line of the file."""

    paper: str
    place: str
    says: str
    published: str
    unit: str
    kind: str
    source: str
    ours: str
    note: str
    id: str
    where: str  # in the file, for errors

    def wrong(self, why: str) -> UserError:
        return UserError(f"{self.says}: {why}", self.where)


@dataclass(frozen=True)
class Item:
    """A number or fact of a paper, with our value."""

    paper: str
    place: str
    says: str
    kind: str
    unit: str
    published: Value | str | None  # text where nothing is compared
    ours: float | bool | None
    note: str
    interval: Interval | None = None
    no_interval: str = ""  # why a prediction has no interval

    @property
    def is_inside(self) -> bool | None:
        """Does the interval contain the published number? None without either."""
        if self.interval is None or self.published is None or isinstance(self.published, str | bool):
            return None
        return self.interval.holds(self.published)

    @property
    def error(self) -> float | None:
        """Relative error against the published number; from the nearer end of a range; None without either number."""
        if self.ours is None or self.published in (None, 0) or isinstance(self.published, str | None):
            return None
        return cells.error(self.ours, self.published)

    @property
    def agrees(self) -> bool | None:
        """True if ours is the published fact; None for a number."""
        return self.published == self.ours if isinstance(self.published, bool) else None


@cache
def rows() -> tuple[Row, ...]:
    """The file, its structure checked.

    Raises UserError: what is wrong in which line.
    """
    text = (resources.files("hypermon_studies") / "data" / FILE).read_text(encoding="utf-8")
    return read(text)


def read(text: str) -> tuple[Row, ...]:
    reader = csv.reader(text.splitlines(), strict=True)
    if tuple(next(reader, ())) != COLUMNS:
        raise UserError(f"columns must be {','.join(COLUMNS)}", f"{FILE}:1")
    found: list[Row] = []
    for line in reader:
        where = f"{FILE}:{reader.line_num}"
        if len(line) != len(COLUMNS):
            raise UserError(f"{len(line)} columns: must be {len(COLUMNS)}", where)
        found.append(Row(**dict(zip(FIELDS, line, strict=True)), where=where))
        if why := _wrong(found[-1], {row.id for row in found[:-1] if row.id}):
            raise found[-1].wrong(why)
    return tuple(found)


def _wrong(row: Row, ids: set[str]) -> str:
    if not (row.paper and row.place and row.says):
        return "paper, where and says must be there"
    if row.kind and row.kind not in KINDS:
        return f"kind {row.kind}: must be one of {', '.join(KINDS)}"
    if row.kind == NOT_SIMULATED:
        return "" if row.note and not row.source else "is not simulated: a note says why, and there is nothing of ours"
    if not row.source or not row.ours:
        return "says not where ours comes from"
    if row.kind == KEPT_BACK and row.published:
        return "is kept back, but published"
    if not row.kind and not row.source.startswith("study "):
        return "says not of which kind it is"
    if row.id and row.id in ids:
        return f"id {row.id}: is there twice"
    return ""


def plan(schema: Schema) -> dict[str, Spec]:
    """Returns the runs that rows need, by the text of their column `from`."""
    return {row.source: _spec(row, schema) for row in rows() if row.source.startswith("run ")}


def evaluate(pages: Path, schema: Schema, jobs: int, on_done: Callable[[int], None] | None = None) -> list[Item]:
    """Evaluates all rows; a row for a whole table gives one item for each cell.

    Args:
        pages: The folder of the pages of studies, whose cells.csv are read.

    Raises:
        UserError: A row names an object that does not exist.
        SimulationError: A run failed.
    """
    runs = plan(schema)
    with TemporaryDirectory(prefix="hypermon-study-") as folder:
        tasks = [(spec, Path(folder) / str(i)) for i, spec in enumerate(runs.values())]
        results = runner.require(runner.run_many(tasks, jobs, on_done))
        return list(_items(pages, schema, dict(zip(runs, results, strict=True))))


def calibrated(schema: Schema) -> list[Constant]:
    """The constants that were calibrated on Table 2."""
    return constants(schema, [scenario.built_in(f"table2/{program}") for program in PROGRAMS])


def moved_of(pages: Path) -> list[Moved]:
    """The kept runs with other values of the constants."""
    return moved.read(*_text(pages / "studies" / DATA / MOVED))


def left_out_of(pages: Path, schema: Schema, runs: Sequence[Moved]) -> Checked:
    """Each number of a constant, predicted from its others."""
    hypermon, scms = (_cells(pages, name) for name in ("table2", "scms"))
    return left_out.all_of(hypermon, scms, calibrated(schema), runs)


def _items(pages: Path, schema: Schema, results: Mapping[str, Result]) -> Iterator[Item]:
    values: dict[str, Any] = {}
    ends: dict[str, Interval] = {}  # intervals of the rows in `values`
    for row in rows():
        kind, _, name = row.source.partition(" ")
        if kind == "study" and row.ours.endswith(f"| {ALL}"):
            yield from _table(row, name, _cells(pages, name))
            continue
        if kind == "study":
            item = _of_cell(row, name, _cell(row, _cells(pages, name)), _cells(pages, name))
        elif row.kind == NOT_SIMULATED:
            item = _item(row, None)
        elif kind == "run":
            item = _item(row, results[row.source].value(row.ours))
        else:
            item = _item(row, _value(row, values if row.source == "rows" else _surroundings(row, schema)))
        if item.kind in WITH_INTERVALS and kind != "study":
            item = replace(item, **_interval_fields(_of_rows(row, item, values, ends)))
        if row.id:
            values[row.id] = item.ours
        if row.id and item.interval is not None:
            ends[row.id] = item.interval
        yield item


def _interval_fields(found: intervals.Found) -> dict[str, Any]:
    """The fields of an item for an interval, or for the reason why there is none."""
    return {"interval": found} if isinstance(found, Interval) else {"no_interval": found}


def _of_rows(row: Row, item: Item, values: Mapping[str, Any], ends: Mapping[str, Interval]) -> intervals.Found:
    """The interval of an expression over other rows."""
    if isinstance(item.ours, bool):
        return intervals.A_FACT
    named = {name: end for name, end in ends.items() if re.search(rf"\b{name}\b", row.ours)}
    if row.source != "rows" or not named:
        return intervals.NOT_VARIED
    return intervals.of_expression(named, lambda corner: _value(row, {**values, **corner}))


def _table(row: Row, study: str, found: Cells) -> Iterator[Item]:
    name = row.ours.partition(" | ")[0]
    if not found.cells_of(name):
        raise row.wrong(f"the study has no table {name}")
    for cell in found.cells_of(name):
        if cell.published is not None:
            says, note = f"{row.says}: {cell.quantity}, {cell.case}", row.note or _why(cell)
            yield _of_cell(replace(row, says=says, note=note), study, cell, found)


def _why(cell: Cell) -> str:
    """Explanation of a cell of Table 2 that is far from the published number."""
    program, (monitor, quantity) = cell.table.removeprefix("Table 2: "), cell.quantity.split()
    is_far = cell.status != CALIBRATED and abs(cell.error or 0) > FAR
    return misses.why(program, monitor, quantity) if is_far else ""


def _cell(row: Row, found: Cells) -> Cell:
    table, _, name = row.ours.partition(" | ")
    for cell in found:
        if cell.key == (table, name):
            return cell
    known = [cell.name for cell in found.cells_of(table)] or [cell.table for cell in found]
    raise row.wrong(f"{row.ours}: no such cell{suggestion(name if found.cells_of(table) else table, known)}")


def _of_cell(row: Row, study: str, cell: Cell, found: Cells) -> Item:
    """Returns the item of a cell. Its kind is the cell's, unless the study has no published value for it."""
    prediction = _blind_prediction(row)
    moved = prediction is not None and cell.status == PREDICTED
    if row.kind and row.kind != KEPT_BACK and cell.published is not None and row.kind != cell.status and not moved:
        raise row.wrong(f"is {row.kind}, but {cell.status} in its study")
    if row.kind == KEPT_BACK and cell.status != UNPUBLISHED:
        raise row.wrong(f"is kept back, but {cell.status} in its study")
    published = _published(row) if row.published else cell.published
    note = row.note or (cell.assumption if cell.status == CALIBRATED else "")
    if row.kind == BLIND and prediction is None:
        raise row.wrong(f"is blind, but {blind.RELEASED} has no prediction for it")
    ours = cell.ours if prediction is None else prediction.cell.ours
    if prediction is not None and prediction.predicted != cells.number(cell.ours):
        note = f"{note}; today {cell.ours:.4g} {row.unit or cell.unit}"
    kind = row.kind or cell.status
    item = Item(row.paper, row.place, row.says, kind, row.unit or cell.unit, published, ours, note)
    return replace(item, **_interval_fields(intervals.of_cell(study, cell, found))) if kind in WITH_INTERVALS else item


def _blind_prediction(row: Row) -> blind.Released | None:
    if row.kind != BLIND:
        return None
    return next((prediction for prediction in blind.released() if prediction.id == row.id), None)


def _item(row: Row, ours: Any) -> Item:
    if row.kind == NOT_SIMULATED:
        return Item(row.paper, row.place, row.says, row.kind, row.unit, row.published or None, None, row.note)
    published = _published(row)
    if isinstance(published, bool) != isinstance(ours, bool):
        raise row.wrong("is a fact in one column and a number in the other")
    return Item(row.paper, row.place, row.says, row.kind, row.unit, published, ours, row.note)


def _published(row: Row) -> Value | None:
    try:
        return cells.value(row.published)
    except ValueError:
        raise row.wrong(f"published {row.published}: must be a number, a range LOW to HIGH, yes or no") from None


def _value(row: Row, surroundings: Mapping[str, Any]) -> Any:
    try:
        return expressions.evaluate(row.ours, dict(surroundings))
    except expressions.ExpressionError as error:
        raise row.wrong(str(error)) from None


@cache
def _cells(pages: Path, name: str) -> Cells:
    return cells.read(*_text(pages / "studies" / name / cells.NAME))


def _text(file: Path) -> tuple[str, str]:
    """A file's text and name."""
    try:
        return file.read_text(encoding="utf-8"), str(file)
    except OSError as error:
        raise UserError(f"{error.strerror}; hypermon study writes it", str(file)) from None


def _spec(row: Row, schema: Schema) -> Spec:
    """Specification of `... NAME`, `... NAME: CASE`, `... NAME with PRESET` or `platform NAME`."""
    kind, _, name = row.source.partition(" ")
    if kind == "platform":
        return scenario.built_in("table2/matmul", name).resolve(schema, build=False)
    if kind not in ("scenario", "run"):
        raise row.wrong(f"from {row.source}: must be study, scenario, platform, run or rows")
    name, _, preset = name.partition(" with ")
    name, _, label = name.partition(": ")
    found = scenario.built_in(name)
    return found.resolve(schema, presets=[preset] if preset else (), case=_case(row, found.cases, label), build=False)


def _case(row: Row, known: Sequence[Case], label: str) -> Case | None:
    if not label:
        return None
    for case in known:
        if case.name == label:
            return case
    raise row.wrong(f"from {row.source}: no such case{suggestion(label, [case.name for case in known])}")


def _surroundings(row: Row, schema: Schema) -> dict[str, Any]:
    """Names that an expression over parameters may use."""
    spec = _spec(row, schema)
    events = catalogues.events_of(spec)
    sizes = [event.data_bytes for event in events]
    return {
        "spec": nested(spec.values),
        "parameters": {
            path: {"default": p.default, "min": p.min, "max": p.max, "step": p.step}
            for path, p in schema.parameters.items()
        },
        "registers": {register.name: register.bits for register in registers.table()},
        "catalogue": {
            "events": len(sizes),
            "smallest_bytes": min(sizes),
            "largest_bytes": max(sizes),
            "of_four_bytes_or_more": sum(size >= 4 for size in sizes),
            "record_bytes_beside_data": min(event.sizes["software_bytes"] - event.data_bytes for event in events),
        },
    }
