# SPDX-License-Identifier: BSD-3-Clause
"""Leave one out: each number on which a constant was calibrated, predicted from the others.

Some laws have a closed form. The others come from runs: the study of SCMS/RMS has runs with other costs of a byte, and
`moved` has runs of Table 2 with other values of its constants (`local_law`). Numbers that the others of their constants
do not determine are named with the reason.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from statistics import mean

from hypermon._files import csvfile
from hypermon.errors import UserError
from hypermon.report.calibration import NODES, PROGRAMS, Cell, Constant
from hypermon_studies import reference_data
from hypermon_studies.cells import Cell as StudyCell
from hypermon_studies.cells import Cells, number
from hypermon_studies.papers import intervals, local_law
from hypermon_studies.papers.intervals import SCMS_PCP, SCMS_TABLE_1, SCMS_TABLE_2, SOFTWARE_CELLS, Range, T, scatter
from hypermon_studies.papers.moved import AS_CALIBRATED, Moved, slopes
from hypermon_studies.reference_data import UNITS
from hypermon_studies.table2 import table as table2

COLUMNS = ("constant", "number", "unit", "published", "predicted", "low", "high", "law")
LEFT_OUT = "leave one out"  # question of cells that a study computes itself
LOCAL_LAW = "local law"
PREFIX = "HYPERMON, Table 2, "


@dataclass(frozen=True)
class LeftOut:
    """One number, predicted from the others of its constant."""

    constant: str
    number: str
    unit: str
    published: float
    predicted: float
    interval: Range | None  # None: a single other number has no scatter
    law: str

    @property
    def is_inside(self) -> bool | None:
        return None if self.interval is None else self.interval[0] <= self.published <= self.interval[1]


@dataclass(frozen=True)
class Undetermined:
    """One number that the others of its constants do not determine."""

    constant: str
    number: str
    why: str


@dataclass(frozen=True)
class Checked:
    """The outcome for all numbers of constants that were calibrated on several numbers."""

    predicted: Sequence[LeftOut]
    undetermined: Sequence[Undetermined]


def all_of(hypermon: Cells, scms: Cells, constants: Sequence[Constant], moved: Sequence[Moved]) -> Checked:
    """All predictions.

    Args:
        hypermon: The cells of the study of Table 2.
        scms: The cells of the study of SCMS/RMS.
        constants: The constants that were calibrated on Table 2.
        moved: Numbers of Table 2 with other values of some constants.
    """
    found = [*_matmul(hypermon), *_delays(hypermon), *_records(hypermon), *_generations(hypermon)]
    local = list(_local(constants, moved))
    found += [one for one in local if isinstance(one, LeftOut)]
    lacking = [one for one in local if isinstance(one, Undetermined)]
    return Checked([*found, *_scms(scms)], lacking)


def text(checked: Checked) -> str:
    """left_out.csv: the predictions, then the numbers that the others do not determine, with the reason as law."""
    rows: list[Sequence[str]] = [COLUMNS]
    for one in checked.predicted:
        ends = ("", "") if one.interval is None else tuple(map(number, one.interval))
        values = number(one.published), number(one.predicted), *ends
        rows.append((one.constant, one.number, one.unit, *values, one.law))
    rows += [(one.constant, one.number, *[""] * (len(COLUMNS) - 3), one.why) for one in checked.undetermined]
    return csvfile.text(rows)


def read(written: str, name: str) -> Checked:
    """Reads the text that `text` wrote."""
    found, lacking = [], []
    rows = csvfile.rows_of(written, name)
    if tuple(next(rows, (1, []))[1]) != COLUMNS:
        raise UserError(f"columns must be {','.join(COLUMNS)}", f"{name}:1")
    for _, (constant, says, unit, published, predicted, low, high, law) in rows:
        if not predicted:
            lacking.append(Undetermined(constant, says, law))
            continue
        ends = (float(low), float(high)) if low else None
        found.append(LeftOut(constant, says, unit, float(published), float(predicted), ends, law))
    return Checked(found, lacking)


def _published(found: Cells, program: str, nodes: int, quantity: str) -> float:
    published = found.at(table2.name_of(program), quantity, table2.nodes_of(nodes)).published
    assert isinstance(published, float | int)
    return published


def _matmul(found: Cells) -> Iterator[LeftOut]:
    """The time of n nodes is a + b / n: a fit by least squares to three numbers has one degree of freedom."""
    times = {n: _published(found, "matmul", n, "raw time") for n in NODES}
    for nodes, paper in times.items():
        others = {n: time for n, time in times.items() if n != nodes}
        predicted, interval = line({1 / n: time for n, time in others.items()}, 1 / nodes)
        where = f"{PREFIX}matmul: raw time, {table2.nodes_of(nodes)}"
        names = "host.bandwidth_kb_per_s, matmul.multiply_add_ns"
        yield LeftOut(names, where, "s", paper, predicted, interval, "a + b / n")


def line(points: Mapping[float, float], at: float) -> tuple[float, Range]:
    """The value at a further point of the line through some points, and its prediction interval."""
    x, y = list(points), list(points.values())
    middle, level = mean(x), mean(y)
    spread = sum((one - middle) ** 2 for one in x)
    slope = sum((one - middle) * (other - level) for one, other in zip(x, y, strict=True)) / spread
    predicted = level + slope * (at - middle)
    free = len(x) - 2
    squares = sum((other - level - slope * (one - middle)) ** 2 for one, other in zip(x, y, strict=True))
    half = T[free - 1] * math.sqrt(squares / free * (1 + 1 / len(x) + (at - middle) ** 2 / spread))
    return predicted, (predicted - half, predicted + half)


def _others(values: Sequence[float]) -> tuple[float, Range | None]:
    return mean(values), scatter(values) if len(values) > 1 else None


def _delays(found: Cells) -> Iterator[LeftOut]:
    cells = [(program, 1) for program in PROGRAMS]
    yield from _costs(found, "port.delay_iteration_ns", "hardware", cells, list(intervals.delays(found).values()))


def _records(found: Cells) -> Iterator[LeftOut]:
    yield from _costs(
        found, "software.us_per_byte", "software", SOFTWARE_CELLS, list(intervals.records(found).values())
    )


def _costs(
    found: Cells, constant: str, monitor: str, cells: Sequence[tuple[str, int]], values: Sequence[float]
) -> Iterator[LeftOut]:
    """The published time without a monitor, plus our delay by the monitor, scaled by the constant that the other
    numbers give.
    """
    for i, (program, nodes) in enumerate(cells):
        middle, ends = _others([*values[:i], *values[i + 1 :]])
        slowed, raw = (
            found.at(table2.name_of(program), f"{m} time", table2.nodes_of(nodes)).ours for m in (monitor, "raw")
        )
        base, added = _published(found, program, nodes, "raw time"), slowed - raw
        interval = None if ends is None else (base + ends[0] * added, base + ends[1] * added)
        paper = _published(found, program, nodes, f"{monitor} time")
        where = f"{PREFIX}{program}: {monitor} time, {table2.nodes_of(nodes)}"
        yield LeftOut(constant, where, "s", paper, base + middle * added, interval, "raw time + constant x events")


def _generations(found: Cells) -> Iterator[LeftOut]:
    """Bytes of n nodes: ticks as on one node, and a constant for each of both ends of n - 1 neighbourhoods."""
    logged, time = (
        {n: _published(found, "life", n, f"software {quantity}") for n in NODES} for quantity in ("logged", "time")
    )
    tick = logged[1] / time[1]
    sizes = [n for n in NODES if n > 1]
    values = [(logged[n] - n * time[n] * tick) / (2 * (n - 1)) for n in sizes]
    for i, nodes in enumerate(sizes):
        middle, ends = _others([*values[:i], *values[i + 1 :]])
        assert ends is not None
        predicted, low, high = (nodes * time[nodes] * tick + 2 * (nodes - 1) * value for value in (middle, *ends))
        where = f"{PREFIX}life: software logged, {table2.nodes_of(nodes)}"
        law = "ticks + constant x neighbours"
        yield LeftOut("life.generations", where, "B", logged[nodes], predicted, (low, high), law)


def _local(constants: Sequence[Constant], moved: Sequence[Moved]) -> Iterator[LeftOut | Undetermined]:
    """Predictions by the local law of each program. The numbers of constants with one number are not predicted."""
    ours = {one.cell: one.ours for one in moved if one.step == AS_CALIBRATED}
    for of_constant in slopes(moved).values():
        cells = list(next(iter(of_constant.values())))
        published = [_published_value(cell) for cell in cells]
        matrix = [[by_cell[cell] for by_cell in of_constant.values()] for cell in cells]
        several = [one for one in constants if one.name in of_constant and len(one.cells) > 1]
        predictions = local_law.left_out(matrix, [ours[cell] for cell in cells], published)
        for cell, paper, prediction in zip(cells, published, predictions, strict=True):
            names = ", ".join(one.name for one in several if cell in one.cells)
            if names and prediction is None:
                yield Undetermined(names, _name(cell), f"{len(of_constant)} constants, {len(cells) - 1} other numbers")
            elif names and prediction is not None:
                law = f"{LOCAL_LAW}, {len(of_constant)} constant{'s' * (len(of_constant) > 1)}"
                value, interval = prediction.value, prediction.interval
                yield LeftOut(names, _name(cell), UNITS[cell[3]], paper, value, interval, law)


def _published_value(cell: Cell) -> float:
    value = reference_data.table2()[cell]
    assert value is not None, "constants are calibrated on published numbers"
    return value


def _name(cell: Cell) -> str:
    program, nodes, monitor, quantity = cell
    return f"{PREFIX}{program}: {table2.quantity_of(monitor, quantity)}, {table2.nodes_of(nodes)}"


SCMS_CONSTANTS = {
    SCMS_TABLE_1: "scms.send_us, scms.receive_us, scms_client.session_ms",
    SCMS_TABLE_2: "scms.byte_ns, scms.merged_byte_ns",
    f"{SCMS_TABLE_2}, pipelined and calibrated": "scms.byte_ns of preset scms/pipelined",
    SCMS_PCP: "pcp.fetch_us, pcp.open_host_us",
}


def _scms(found: Cells) -> Iterator[LeftOut]:
    """Predictions of the study of SCMS/RMS, by formulas of two constants and by runs."""
    for cell in found.cells_of(LEFT_OUT):
        paper = cell.published
        if paper is None:
            continue
        assert isinstance(paper, float | int)
        where = f"SCMS/RMS, {cell.quantity}, {cell.case}"
        interval = _scms_interval(found, cell)
        yield LeftOut(SCMS_CONSTANTS[cell.quantity], where, "ms", paper, cell.ours, interval, cell.assumption)


def _scms_interval(found: Cells, cell: StudyCell) -> Range:
    low, high = (found.find(LEFT_OUT, f"{cell.quantity}, {end}", cell.case) for end in ("low", "high"))
    if low is not None and high is not None:
        return low.ours, high.ours
    others = {
        int(one.case.split()[0]): float(one.published)
        for one in found.cells_of(LEFT_OUT)
        if one.quantity == cell.quantity and one.case != cell.case and isinstance(one.published, float | int)
    }
    nodes = int(cell.case.split()[0])
    if cell.quantity == SCMS_TABLE_1:
        corners = product(*((time - 0.5, time + 0.5) for time in others.values()))
        ends = [_through(dict(zip(others, corner, strict=True)), nodes) for corner in corners]
    else:
        ends = [cell.ours, threshold(others, nodes)]
    return min(ends), max(ends)


def _through(two: Mapping[int, float], at: int) -> float:
    (few, first), (many, second) = two.items()
    return first + (second - first) * (at - few) / (many - few)


FIRST = 8  # hosts that cost PCP's client the same time each, in the law of preset pcp/threshold


def threshold(two: Mapping[int, float], at: int) -> float:
    """PCP's time of `at` hosts by the law a n + c (n - 8), from the times of two other numbers of hosts."""
    (few, first), (many, second) = two.items()
    beyond = few - FIRST, many - FIRST
    c = (second / many - first / few) / (beyond[1] / many - beyond[0] / few)
    a = (first - c * beyond[0]) / few
    return a * at + c * (at - FIRST)
