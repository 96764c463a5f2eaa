# SPDX-License-Identifier: BSD-3-Clause
"""The interval of each prediction of a published number, computed from the cells of the studies.

An interval has one of four origins:

- SCATTER: a constant has a value for each published number on which it was calibrated. The interval is the 90 %
  prediction interval (Student's t) of a further value. Numbers that were kept back are not used.
- ASSUMPTIONS: the runs of a study vary an assumption. The interval spans their results.
- ROUNDING: the number follows from published ones, which are rounded. The interval spans their possible values.
- EXACT: the number follows exactly from a published configuration. The interval is the number itself.

A prediction without an interval has a reason instead.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import mean, stdev

from hypermon.report.calibration import CALIBRATED, PROGRAMS
from hypermon_studies.cells import BLIND, Cell, Cells, Value
from hypermon_studies.table2 import cells as validation_cells
from hypermon_studies.table2 import table as table2

SCATTER, ASSUMPTIONS, ROUNDING, EXACT = "scatter", "assumptions", "rounding", "exact"
SCMS_TABLE_1, SCMS_TABLE_2, SCMS_PCP = "Table 1", "Table 2", "Table 2, PCP"  # quantities in the cells of the study scms
LEVEL = 0.9
T = (6.3138, 2.9200, 2.3534, 2.1318, 2.0150, 1.9432, 1.8946, 1.8595, 1.8331, 1.8125, 1.7959, 1.7823, 1.7709, 1.7613)
"""Student's t for LEVEL, two-sided, by degrees of freedom from one on; tests compare it with SciPy's."""
WIDE = 2.0

SECONDS_HALF = 0.5  # half of the last digit of a time that is published in whole seconds or milliseconds
NOT_VARIED = "no run varies an assumption behind it"
A_FACT = "is a fact, which has no interval"


@dataclass(frozen=True)
class Interval:
    """The range in which the published number should lie according to a prediction."""

    low: float
    high: float
    origin: str
    varied: str  # what is varied, as a noun phrase

    @property
    def is_wide(self) -> bool:
        """True if the ends differ by more than a factor of two."""
        return self.high > WIDE * self.low

    def holds(self, published: Value) -> bool:
        """True if the published number, or a part of a published range, lies inside."""
        low, high = published if isinstance(published, tuple) else (published, published)
        return self.low <= high and low <= self.high


Range = tuple[float, float]
Found = Interval | str  # the interval, or the reason why there is none


def scatter(values: Sequence[float]) -> Range:
    """The prediction interval of a further value.

    Args:
        values: At least two.
    """
    half = T[len(values) - 2] * stdev(values) * math.sqrt(1 + 1 / len(values))
    return mean(values) - half, mean(values) + half


def of_cell(study: str, cell: Cell, found: Cells) -> Found:
    """The interval of a cell of a study, or the reason why it has none."""
    if isinstance(cell.ours, bool):
        return A_FACT
    rule = _RULES.get(study)
    return NOT_VARIED if rule is None else rule(cell, found)


def spanned(values: Iterable[float], varied: str, origin: str = ASSUMPTIONS) -> Interval:
    known = list(values)
    return Interval(min(known), max(known), origin, varied)


def _over_assumptions(cell: Cell, found: Cells, varied: str) -> Found:
    """The span of the cell and of the same number under other assumptions."""
    others = found.under_other_assumptions(cell)
    return spanned([cell.ours, *(other.ours for other in others)], varied) if others else NOT_VARIED


def of_expression(ends: Mapping[str, Interval], evaluate: Callable[[Mapping[str, float]], float]) -> Interval:
    """The interval of an expression over numbers that have intervals: the span over all combinations of their ends."""
    names = list(ends)
    combinations = itertools.product(*((ends[name].low, ends[name].high) for name in names))
    values = [evaluate(dict(zip(names, corner, strict=True))) for corner in combinations]
    first = next(iter(ends.values()))
    return spanned(values, first.varied, first.origin)


# --- HYPERMON ------------------------------------------------------------------------------------------------------


def ratios(cells: Iterable[Cell]) -> list[float]:
    """Ratio of the published to our value, for cells that were never withheld."""
    return [
        cell.published / cell.ours
        for cell in cells
        if cell.status != BLIND and isinstance(cell.published, float | int) and cell.published
    ]


def delays(found: Cells) -> dict[str, float]:
    """Returns, for each program on one node, the ratio of the published delay by the hardware monitor to ours."""
    return {program: _delay(found, program, 1, "hardware") for program in PROGRAMS}


def records(found: Cells) -> dict[str, float]:
    """Returns, for both cells of its calibration, the ratio of the published delay by software records to ours."""
    return {f"{name}, {table2.nodes_of(n)}": _delay(found, name, n, "software") for name, n in SOFTWARE_CELLS}


SOFTWARE_CELLS = (("matmul", 1), ("place", 2))


def _delay(found: Cells, program: str, nodes: int, monitor: str) -> float:
    table, case = table2.name_of(program), table2.nodes_of(nodes)
    raw, slowed = (found.at(table, f"{name} time", case) for name in ("raw", monitor))
    published = [cell.published for cell in (slowed, raw)]
    assert isinstance(published[0], float | int)
    assert isinstance(published[1], float | int)
    return (published[0] - published[1]) / (slowed.ours - raw.ours)


def _hypermon(cell: Cell, found: Cells) -> Found:
    if cell.table.startswith("Table 2: "):
        return _table_2(cell, found)
    if (cell.table, cell.quantity) == (validation_cells.FULL_RATE, validation_cells.RATE):
        one = found.at(cell.table, cell.quantity, validation_cells.active(1)).ours
        return Interval(one, 2 * one, ASSUMPTIONS, "the phases of both nodes, from always merged to never merged")
    if cell.table == validation_cells.MILLION:
        low, high = scatter(list(records(found).values()))
        return Interval(low * cell.ours, high * cell.ours, SCATTER, "the cost of a software record")
    if cell.table == validation_cells.PLACE:
        return _over_assumptions(
            cell, found, "the number of moves on 16 nodes, from the least to the greatest calibrated one"
        )
    return NOT_VARIED


def _table_2(cell: Cell, found: Cells) -> Found:
    monitor, quantity = cell.quantity.split()
    if quantity == "rate":
        parts = (found.at(cell.table, f"{monitor} {name}", cell.case) for name in ("logged", "time"))
        size, time = (_table_2(part, found) for part in parts)
        assert isinstance(size, Interval)
        assert isinstance(time, Interval)
        return Interval(size.low / time.high, size.high / time.low, SCATTER, f"{size.varied}; {time.varied}")
    if quantity == "time":
        constant = delays(found) if monitor == "hardware" else records(found)
        raw = found.at(cell.table, "raw time", cell.case).ours
        run = scatter(ratios(one for one in found.cells_of(cell.table) if one.quantity == "raw time"))
        cost = scatter(list(constant.values()))
        added = cell.ours - raw
        name = "the port's delay" if monitor == "hardware" else "the cost of a software record"
        varied = f"the time without a monitor, and {name}"
        return Interval(run[0] * raw + cost[0] * added, run[1] * raw + cost[1] * added, SCATTER, varied)
    low, high = _software_bytes(cell.table, found)
    if monitor == "software":
        return Interval(low * cell.ours, high * cell.ours, SCATTER, "the number of events")
    per_byte = scatter([_hardware_a_byte(found, program) for program in PROGRAMS])
    varied = "the number of events, and the hardware bytes of each"
    return Interval(low * per_byte[0] * cell.ours, high * per_byte[1] * cell.ours, SCATTER, varied)


def _software_bytes(table: str, found: Cells) -> Range:
    """Returns the range from the program's calibrated cells, or from those of all programs if it has fewer than two."""
    logged = [c for c in found if c.table.startswith("Table 2: ") and c.quantity == "software logged"]
    calibrated = [cell for cell in logged if cell.status == CALIBRATED]
    own = [cell for cell in calibrated if cell.table == table]
    return scatter(ratios(own if len(own) > 1 else calibrated))


def _hardware_a_byte(found: Cells, program: str) -> float:
    table, case = table2.name_of(program), table2.nodes_of(1)
    hardware, software = (ratios([found.at(table, f"{m} logged", case)])[0] for m in ("hardware", "software"))
    return hardware / software


# --- HPVM ----------------------------------------------------------------------------------------------------------


def _hpvm(cell: Cell, found: Cells) -> Found:
    if cell.table == "disturbed runs" and cell.case.startswith("no "):
        undisturbed = [c for c in found.cells_of(cell.table) if c.quantity == cell.quantity and "no " in c.case]
        return spanned([c.ours for c in undisturbed], "the trunks, without a neighbour or a competitor")
    if cell.table == "disturbed runs":
        kind = " trunks of " if cell.case.startswith("trunks of ") else " thread"
        alike = [c.ours for c in found.cells_of(cell.table) if c.quantity == cell.quantity and kind in f" {c.case}"]
        if len(alike) < 2:
            return NOT_VARIED
        neighbour = "the trunks, and the neighbour's load and place"
        return spanned(alike, neighbour if kind == " trunks of " else "the competing process, and where it may run")
    if cell.table == "overhead" and " every " in cell.case:
        nodes = cell.case.rpartition(", ")[2]
        polled = [c for c in found.cells_of(cell.table) if c.quantity == cell.quantity and " every " in c.case]
        costs = [c.ours for c in polled if c.case.endswith(f", {nodes}")]
        return spanned(costs, "10 to 200 counters, and 0.1 to 5 s between sweeps")
    if (cell.table, cell.quantity) == ("Figure 2", "elapsed"):
        eight = found.at(cell.table, cell.quantity, "8 nodes").published
        assert isinstance(eight, float | int)
        ends = (cell.ours * (eight + half) / eight for half in (-SECONDS_HALF, SECONDS_HALF))
        return spanned(ends, "the published time of 8 nodes, in whole seconds", ROUNDING)
    if cell.table == "overhead":
        return _over_assumptions(cell, found, "0.1 to 10 us of instrumentation for a message on each side")
    return _over_assumptions(cell, found, "the CPU time of other processes, up to 2 % on one node or on each")


# --- SCMS/RMS ------------------------------------------------------------------------------------------------------


def _scms(cell: Cell, found: Cells) -> Found:
    if cell.table == "predictions":
        nodes = cell.case.partition(", ")[0]
        alike = [
            c.ours
            for c in found.cells_of(cell.table)
            if c.quantity == cell.quantity and c.case.startswith(f"{nodes}, ")
        ]
        varied = {
            SCMS_TABLE_1: "4 to 64 agents an SMA, and the order of requests",
            SCMS_TABLE_2: "4 to 64 agents an SMA, and the cost of a merged byte",
            SCMS_PCP: "the cause of PCP's growing cost",
        }
        return spanned(alike, varied[cell.quantity])
    if (cell.table, cell.quantity) == ("Table 1", "time"):
        count = float(cell.case.split()[0])
        published = (found.at(cell.table, cell.quantity, table2.nodes_of(n)).published for n in (8, 16))
        known = [time for time in published if isinstance(time, float | int)]
        ends = itertools.product(*((time - SECONDS_HALF, time + SECONDS_HALF) for time in known))
        times = (few + (many - few) / 8 * (count - 8) for few, many in ends)
        return spanned(times, "the published times of 8 and 16 nodes, in whole milliseconds", ROUNDING)
    return NOT_VARIED


# --- TAU over Supermon ---------------------------------------------------------------------------------------------

WAITING_SHARE = 0.01  # of preset nfs/waiting: each waiting call makes the server slower by this share
ATLAS_RANKS = 8  # a node


def _tau(cell: Cell, found: Cells) -> Found:
    low, high = (found.find(cell.table, cell.quantity, f"{cell.case}, {end}") for end in ("low", "high"))
    if low is not None and high is not None:
        return Interval(low.ours, high.ours, ASSUMPTIONS, "the share of gettimeofday in the cost of a timer")
    ranks, _, way = cell.case.partition(" ranks, ")
    if cell.quantity != "dilation" or cell.table not in ("figure2", "mcr"):
        return _over_assumptions(cell, found, "the file server's speed, threads and slowdown by waiting calls")
    if (cell.table, way) == ("figure2", "NFS"):
        waiting = [int(n) / ATLAS_RANKS - 1 for n in (ranks, "128")]  # one directory change a node, less the served one
        slower = (1 + WAITING_SHARE * waiting[0]) / (1 + WAITING_SHARE * waiting[1])
        varied = "whether waiting calls make the server slower (preset nfs/waiting)"
        return Interval(cell.ours, cell.ours * slower, ASSUMPTIONS, varied)
    known = found.at(cell.table, cell.quantity, "128 ranks, post mortem").published
    assert isinstance(known, float | int)
    ends = (cell.ours * (known + half) / known for half in (-0.05, 0.05))
    return spanned(ends, "the published dilation of 128 ranks, with one decimal", ROUNDING)


# --- HDTrace -------------------------------------------------------------------------------------------------------

RATE = 67.0  # MiB/s of a network link, published in whole MiB/s


def _piosim(cell: Cell, found: Cells) -> Found:
    if cell.quantity == "checkpoint":
        fixed = 0.0
    elif cell.quantity == "diagonal" and cell.case == "one client, one server":
        fixed = found.at(cell.table, "4 bytes", cell.case).ours
    elif cell.table == "simulation":
        return Interval(cell.ours, cell.ours, EXACT, "nothing: it follows from the published configuration")
    else:
        return _over_assumptions(cell, found, "the latency of the machine's edges, and when a buffer is free")
    ends = (fixed + (cell.ours - fixed) * RATE / (RATE + half) for half in (-SECONDS_HALF, SECONDS_HALF))
    return spanned(ends, "the published rate of a network link, in whole MiB/s", ROUNDING)


_RULES: Mapping[str, Callable[[Cell, Cells], Found]] = {
    "table2": _hypermon,
    "hpvm": _hpvm,
    "scms": _scms,
    "tau": _tau,
    "piosim": _piosim,
}
