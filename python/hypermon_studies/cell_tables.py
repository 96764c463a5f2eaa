# SPDX-License-Identifier: BSD-3-Clause
"""Cells of a study as tables of its page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from hypermon.report.calibration import PREDICTED
from hypermon_studies.cells import BLIND, STATUSES, Cell, Cells, Value, number
from hypermon_studies.markdown import table, wrapped

COLUMNS = ("quantity", "case", "status", "rests on", "paper", "hypermon", "error %")
UNKNOWN = "Not explained."


def summary(found: Cells) -> str:
    """Number of cells of each status."""
    counts = Counter(cell.status for cell in found)
    return "\n".join(f"{status}: {counts[status]} cells" for status in STATUSES if counts[status])


def answer(text: str) -> str:
    """The answer in bold at the top of a page."""
    return wrapped(f"**{text}**")


def predictions(cells: Iterable[Cell]) -> tuple[list[Cell], list[Cell]]:
    """The predicted numbers that are published, and the predicted facts."""
    predicted = [c for c in cells if c.published is not None and c.status in (PREDICTED, BLIND)]
    facts = [c for c in predicted if isinstance(c.published, bool)]
    return [c for c in predicted if not isinstance(c.published, bool)], facts


def agreement(cells: Iterable[Cell], target: float) -> str:
    """Numbers of predictions that agree with the paper, and the worst prediction."""
    numbers, facts = predictions(cells)
    near = sum(not is_off(c, target) for c in numbers)
    right = sum(c.ours == c.published for c in facts)
    return (
        f"The simulator predicts {near} of {len(numbers)} numbers of the paper within {100 * target:g} %"
        + (f", and {right} of {len(facts)} facts" if facts else "")
        + f". {farthest(numbers)}"
    )


def farthest(cells: Iterable[Cell]) -> str:
    """The prediction that differs most from the published number."""
    far = max((c for c in predictions(cells)[0] if c.published != 0), key=lambda c: abs(c.error or 0))
    return (
        f"The worst prediction differs by {100 * (far.error or 0):+.3g} %: {far.quantity} ({far.case}), published"
        f" {value_text(far.published, far.unit)} {far.unit}, predicted {value_text(far.ours, far.unit)} {far.unit}."
    )


def under_other_assumptions(found: Cells) -> str:
    """The numbers that were also computed under other assumptions: a row for each, a column for each assumption."""
    varied = {cell: found.under_other_assumptions(cell) for cell in found}
    varied = {cell: others for cell, others in varied.items() if others}
    names = list(dict.fromkeys(_assumption(other) for others in varied.values() for other in others))
    rows = []
    for cell, others in varied.items():
        values = {_assumption(other): value_text(other.ours, other.unit) for other in others}
        number = f"{cell.quantity}, {cell.unit}" if cell.unit else cell.quantity
        rows.append((f"{number}: {cell.case}", value_text(cell.ours, cell.unit), *(values.get(n, "") for n in names)))
    return table(("number", "as assumed", *names), rows, 1)


def _assumption(cell: Cell) -> str:
    return cell.case.rpartition("; ")[2]


def value_text(value: Value | None, unit: str) -> str:
    if isinstance(value, tuple):
        return " to ".join(value_text(end, unit) for end in value)
    if value is None or isinstance(value, bool):
        return "" if value is None else "yes" if value else "no"
    if isinstance(value, int) or value == 0:
        return number(value)
    return f"{value:.3g}" if abs(value) < 1 else f"{value:.2f}" if unit in ("%", "s", "ms") else f"{value:.1f}"


def error(cell: Cell) -> str:
    if cell.published in (None, 0) or isinstance(cell.published, bool):
        return ""
    return f"{100 * (cell.error or 0):+.2f}"


def table_of(cells: Iterable[Cell]) -> str:
    """A table with a row for each cell, with its error against the published number."""
    rows = [
        (
            f"{c.quantity}, {c.unit}" if c.unit else c.quantity,
            c.case,
            c.status,
            c.assumption,
            value_text(c.published, c.unit),
            value_text(c.ours, c.unit),
            error(c),
        )
        for c in cells
    ]
    return table(COLUMNS, rows, 4)


def is_off(cell: Cell, target: float) -> bool:
    """Is a published number missed by more than the target, or a published fact not reproduced?"""
    if cell.published is None or isinstance(cell.published, bool):
        return cell.published is not None and cell.ours != cell.published
    return cell.published != 0 and abs(cell.error or 0) > target


def misses(cells: Iterable[Cell], why: Mapping[tuple[str, str], str]) -> str:
    """A table with a row for each missed cell. `why` has reasons by table and quantity."""
    rows = [
        (
            f"{c.quantity} [{c.case}]",
            why.get((c.table, c.quantity), UNKNOWN),
            value_text(c.published, c.unit),
            value_text(c.ours, c.unit),
            error(c),
        )
        for c in cells
    ]
    return table(("what", "why", "paper", "hypermon", "error %"), rows, 2)
