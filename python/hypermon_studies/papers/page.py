# SPDX-License-Identifier: BSD-3-Clause
"""`hypermon study papers`: every number of the five papers beside ours, as a page and as a file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

from hypermon._files import csvfile
from hypermon.errors import UserError
from hypermon.report.calibration import CALIBRATED, PREDICTED
from hypermon_studies import cell_tables, cells
from hypermon_studies.cells import Value
from hypermon_studies.markdown import table
from hypermon_studies.papers import left_out, moved
from hypermon_studies.papers import study as papers
from hypermon_studies.papers.intervals import Interval
from hypermon_studies.papers.left_out import Checked
from hypermon_studies.papers.moved import Moved
from hypermon_studies.papers.study import Item
from hypermon_studies.placing import Place

WITHIN = (0.05, 0.1)  # (chosen) shares by which evidence is counted
ROW = ("where", "what", "kind", "paper's", "ours", "error %", "interval", "note")
ITEMS = "items.csv"
LEFT_OUT = "left_out.csv"
COLUMNS = (
    "paper", "where", "says", "kind", "unit", "published", "ours", "error_percent", "low", "high", "interval", "note",
)  # fmt: skip


def place(out: Path, force: bool = False) -> Place:
    """The study's place in the folder `out`."""
    return Place(out, papers.DATA, ITEMS, force)


def write(out: Path, items: Sequence[Item], checked: Checked, runs: Sequence[Moved], force: bool = False) -> None:
    """Writes `out`/papers.md and the files items.csv, left_out.csv and moved.csv in `out`/papers.

    Args:
        checked: The numbers of which each is predicted from the others of its constants.
        runs: The numbers with other values of these constants.
    """
    at = place(out, force)
    with at.data() as data:
        (data / ITEMS).write_text(items_csv(items), encoding="utf-8")
        (data / LEFT_OUT).write_text(left_out.text(checked), encoding="utf-8")
        (data / papers.MOVED).write_text(moved.text(runs), encoding="utf-8")
    at.page(text(items))


def items_csv(items: Iterable[Item]) -> str:
    return csvfile.text([COLUMNS, *map(_cells, items)])


def _cells(i: Item) -> tuple[str, ...]:
    error = "" if i.error is None else cells.number(100 * i.error)
    published, ours = (cells.value_to_text(value) for value in (i.published, i.ours))
    ends = ("", "") if i.interval is None else (cells.number(i.interval.low), cells.number(i.interval.high))
    interval = i.no_interval if i.interval is None else f"{i.interval.origin}: {i.interval.varied}"
    return (i.paper, i.place, i.says, i.kind, i.unit, published, ours, error, *ends, interval, i.note)


def read_items(written: str, name: str = ITEMS) -> list[Item]:
    """Reads the items in a file's text.

    Raises UserError: the text has another format; the message names the line.
    """
    found = []
    rows = csvfile.rows_of(written, name)
    if tuple(next(rows, (1, []))[1]) != COLUMNS:
        raise UserError(f"columns must be {','.join(COLUMNS)}", f"{name}:1")
    for line, row in rows:
        if len(row) != len(COLUMNS):
            raise UserError(f"{len(row)} columns: must be {len(COLUMNS)}", f"{name}:{line}")
        try:
            found.append(_item(row))
        except ValueError as error:
            raise UserError(str(error), f"{name}:{line}") from None
    return found


def _item(row: Sequence[str]) -> Item:
    paper, where, says, kind, unit, published, ours, _, low, high, interval, note = row
    is_text = kind == papers.NOT_SIMULATED
    of_the_paper = (published or None) if is_text else cells.value(published)
    simulated = cells.value(ours)
    if isinstance(simulated, tuple):
        raise ValueError(f"ours {ours}: must be a number or a fact")
    origin, _, varied = interval.partition(": ")
    ends = Interval(float(low), float(high), origin, varied) if low else None
    return Item(paper, where, says, kind, unit, of_the_paper, simulated, note, ends, "" if ends else interval)


def summary(items: Iterable[Item]) -> str:
    """Number of items of each kind, and nearness of the predictions."""
    items = list(items)
    counts = Counter(item.kind for item in items)
    kinds = ", ".join(f"{counts[kind]} {kind}" for kind in papers.KINDS if counts[kind])
    evidence = [item for item in items if item.kind in papers.EVIDENCE]
    errors = [abs(item.error) for item in evidence if item.error is not None]
    near = ", ".join(f"{sum(e <= w for e in errors)} within {100 * w:.0f} %" for w in WITHIN)
    facts = [item.agrees for item in evidence if item.agrees is not None]
    return (
        f"{len(items)} numbers and facts: {kinds}\n"
        f"predicted or blind: of {len(errors)} numbers {near}; of {len(facts)} facts {sum(facts)} as published"
    )


def answer(items: Sequence[Item]) -> str:
    evidence = [item for item in items if item.kind in papers.EVIDENCE]
    errors = [abs(item.error) for item in evidence if item.error is not None]
    near, close = (sum(error <= share for error in errors) for share in WITHIN)
    facts = [item.agrees for item in evidence if item.agrees is not None]
    return cell_tables.answer(
        f"Of {len(errors)} predicted numbers, {near} lie within {100 * WITHIN[0]:.0f} % of the published number and"
        f" {close} within {100 * WITHIN[1]:.0f} %. Of {len(facts)} predicted facts, {sum(facts)} are as published."
    )


def text(items: Sequence[Item]) -> str:
    names = list(dict.fromkeys(item.paper for item in items))
    parts = [_introduction(items), _counts(items, names), _differences(items)]
    parts += [_paper(name, [item for item in items if item.paper == name]) for name in names]
    return "\n\n".join(parts) + "\n"


def _introduction(items: Sequence[Item]) -> str:
    return f"""# Every number of the five papers

Generated by `hypermon study papers`; do not edit.

{answer(items)}

```
{summary(items)}
```

This page lists all numbers of the five papers, and all facts that can be compared, in the papers' order. The column
*ours* has the number of the simulator; where it is empty, the note says why. The simulator's numbers come from the
tables of the studies, from the parameters of a scenario, or from a short run; `hypermon_studies/data/papers.csv` names
the origin of each. The *interval* spans the results under other plausible assumptions. A prediction without a
published number, or of a published 0, has no error. Data:
[{ITEMS}]({papers.DATA}/{ITEMS}), which also names the assumptions behind each interval, or the reason why there is no
interval. [Validation](../validation.md) has a summary in one sentence, and a picture.

| kind | hypermon's number |
| --- | --- |
| {papers.INPUT} | a property of the machine or of the experiment, set by a parameter |
| {CALIBRATED} | the result of a run; a constant was chosen so that the run gives the paper's number |
| {cells.DERIVED} | computed from parameters |
| {PREDICTED} | the result of a run; the paper's number was not used to choose any constant |
| {cells.BLIND} | the result of a run that was made before this project knew the number; it does not change later |
| {papers.KEPT_BACK} | the result of a run; this project does not know the paper's number yet |
| {papers.NOT_SIMULATED} | nothing; the note says why |"""


def _counts(items: Sequence[Item], names: Sequence[str]) -> str:
    counts = Counter((item.paper, item.kind) for item in items)
    rows = [(name, *(counts[name, kind] for kind in papers.KINDS)) for name in names]
    rows.append(("all", *(sum(counts[name, kind] for name in names) for kind in papers.KINDS)))
    return "## Counts\n\n" + table(("paper", *papers.KINDS), rows, 1)


def _differences(items: Sequence[Item]) -> str:
    far = [item for item in items if item.agrees is False or (item.error is not None and abs(item.error) > WITHIN[0])]
    far.sort(key=lambda item: -abs(item.error) if item.error is not None else -1e9)
    return (
        "## Differences\n\nThe table has the facts that do not agree, then the numbers that differ by more than"
        f" {100 * WITHIN[0]:.0f} %, with the largest difference first.\n\n"
        + table(("paper", *ROW), map(_row_with_paper, far), 4)
    )


def _paper(name: str, items: Iterable[Item]) -> str:
    return f"## {name}\n\n" + table(ROW, map(_row, items), 3)


def _row_with_paper(item: Item) -> tuple[str, ...]:
    return (item.paper, *_row(item))


def _row(item: Item) -> tuple[str, ...]:
    error = "" if item.error is None else f"{100 * item.error:+.1f}"
    published, ours = (shown(value, item.unit) for value in (item.published, item.ours))
    return (item.place, cell(item.says), item.kind, published, ours, error, interval(item), cell(item.note))


def interval(item: Item) -> str:
    """The ends of an item's interval in its unit."""
    if item.interval is None:
        return ""
    return f"{shown(item.interval.low, '')} to {shown(item.interval.high, item.unit)}"


def shown(value: Value | str | None, unit: str) -> str:
    if value is None or value == "":
        return ""
    if isinstance(value, str):
        number = value
    elif isinstance(value, bool | tuple):
        number = cell_tables.value_text(value, unit)
    else:
        number = f"{value:.10g}" if abs(value) >= 1e4 or value == int(value) else f"{value:.4g}"
        number = f"{value:.0f}" if abs(value) >= 1e4 else number
    return f"{number} {unit}" if unit and not isinstance(value, bool) else number


def cell(text: str) -> str:
    """Escapes text for a table."""
    return text.replace("|", "\\|")
