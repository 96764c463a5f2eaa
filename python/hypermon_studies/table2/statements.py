# SPDX-License-Identifier: BSD-3-Clause
"""The paper's statements about runs beyond Table 2 beside ours, as sentences over cells of cells.csv."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from hypermon.report.calibration import PREDICTED
from hypermon_studies import reference_data
from hypermon_studies.cells import Cell, Cells
from hypermon_studies.table2 import bandwidth, curves
from hypermon_studies.table2 import cells as of
from hypermon_studies.table2 import table as table2

RATE_TARGET = 0.01  # frames at full rate: as hardware times
MEAN_TARGET = 0.04  # event data of Figure 14, whose record format is assumed


@dataclass(frozen=True)
class Statement:
    """A sentence of the paper with a number or a fact, and the value of our run."""

    what: str
    where: str
    published: str
    ours: str
    missed: bool
    why: str = ""  # explanation of a deviation
    error: float | None = None
    target: float | None = None
    status: str = PREDICTED


def statements(cells: Cells, place8: Mapping[str, Any]) -> list[Statement]:
    """`place8`: the specification of Place on 8 nodes under hypermon."""
    two = (
        "Two nodes with random phases strobe in the same window with the probability window / pitch. The paper's"
        " rate means that they share windows more often, or that the nodes are slower. No constant was chosen with this"
        " rate."
    )
    depth = int(place8["ecb"]["frame_fifo_frames"])
    case = f"place, {table2.nodes_of(8)}"
    three = cells.at(of.FULL_RATE, of.OVERRUN, of.active(3)), cells.at(of.FULL_RATE, of.PEAK, of.active(3))
    place = cells.at(of.FIFO, of.OVERRUN, case), cells.at(of.FIFO, of.PEAK, case)
    return [
        *_million(cells),
        _frame_rate(cells.at(of.FULL_RATE, of.RATE, of.active(1)), "one node"),
        _frame_rate(cells.at(of.FULL_RATE, of.RATE, of.active(2)), "two nodes", two),
        _overrun("three nodes at full rate overrun", "sec. 5.1", *three, depth),
        _overrun("Place on 8 nodes overruns", "sec. 5.2.1, Table 2", *place, depth, _why_no_overrun(place8)),
        *_shapes(cells),
        *(_mean(cell) for cell in cells.cells_of(of.PLACE) if cell.quantity == of.MEAN),
        _bursts(cells.at(of.PLACE, of.FULLEST, table2.nodes_of(16))),
    ]


def _million(cells: Cells) -> list[Statement]:
    """Seconds that a million events take in software, by two codes, and in hardware."""
    why = (
        "Section 5.1's benchmark is another program: it ran without the instrumented NX/2 and stores an event in 3.9 us"
        " (preset software/section51). Within NX/2, a record costs 3.05 us for each byte, which follows from Table 2."
    )
    return [
        Statement(
            f"a million events of 4 B, {cell.quantity}, s",
            "sec. 5.1",
            f"{_number(cell):.1f}",
            f"{cell.ours:.1f}",
            abs(cell.error or 0) > RATE_TARGET,
            why,
            cell.error,
            RATE_TARGET,
            cell.status,
        )
        for cell in cells.cells_of(of.MILLION)
    ]


def _shapes(cells: Cells) -> list[Statement]:
    """Statements of the text about Figures 10 to 13; all are for 8 nodes."""

    def numbers(program: str) -> str:
        at = curves.case(program)
        variation, rhythm = (cells.at(of.SHAPES, name, at).ours for name in (curves.VARIATION, curves.RHYTHM))
        return f"coefficient of variation {variation:.3f}, largest peak of the autocorrelation {rhythm:.2f}"

    def statement(program: str, quantity: str, what: str, figure: int, why: str = "") -> Statement:
        cell = cells.at(of.SHAPES, quantity, curves.case(program))
        answer = "yes" if cell.ours else "no"
        return Statement(
            what,
            f"sec. 5.2.2, Figure {figure}",
            "yes",
            f"{answer}: {numbers(program)}",
            not cell.ours,
            why,
            status=cell.status,
        )

    pivots = cells.at(of.SHAPES, curves.PIVOTS, curves.case(curves.SIMPLEX))
    return [
        statement(
            curves.SIMPLEX,
            curves.PERIODIC,
            "Simplex's frame rate is periodic in 100 intervals",
            10,
            f"Each interval averages over seven pivots, so their period is not visible. In intervals of 1 ms, the"
            f" autocorrelation at the pivots' period ({pivots.assumption}) is {pivots.ours:.2f}. The cause of the"
            " slower period in the real program is not known.",
        ),
        statement(curves.LIFE, curves.CHANGES, "Life's frame rate changes substantially", 11),
        statement(curves.MATMUL, curves.HIGHEST, "MatMul's return of results stands out", 12),
        statement(
            curves.PLACE,
            curves.IRREGULAR,
            "Place's frame rate is random",
            13,
            "The simulated cooling schedule has eight coolings of equal length, each controlled to its number of"
            " accepted moves. The rate is therefore a sawtooth with a period of 12.5 intervals.",
        ),
    ]


def _number(cell: Cell) -> float:
    assert isinstance(cell.published, int | float)
    return cell.published


def _frame_rate(cell: Cell, nodes: str, why: str = "") -> Statement:
    error = cell.ours / _number(cell) - 1
    return Statement(
        f"frames/s of {nodes} at full rate",
        "sec. 5.1",
        f"{_number(cell):.0f}",
        f"{cell.ours:.0f}",
        abs(error) > RATE_TARGET,
        why,
        error,
        RATE_TARGET,
        cell.status,
    )


def _overrun(what: str, where: str, overrun: Cell, peak: Cell, depth: int, why: str = "") -> Statement:
    ours = "overrun" if overrun.ours else f"none; the frame FIFO peaks at {peak.ours} of {depth}"
    return Statement(what, where, "overrun", ours, not overrun.ours, "" if overrun.ours else why, status=overrun.status)


def _why_no_overrun(spec: Mapping[str, Any]) -> str:
    port = spec["port"]
    pitch_ns = port["nibble_cost_ns"] + port["delay"] * port["delay_iteration_ns"]
    written, read = spec["nodes"] * 1e9 / pitch_ns, bandwidth.pbx_frames_per_s(spec)
    return (
        f"The {spec['reader']['kind']} reader reads {read:.0f} frames/s, and {spec['nodes']} nodes that only emit"
        f" events write {written:.0f} data/s, so no program can make it overrun. The prototype's reader must have"
        " paused for milliseconds, and the cause is not known (scenario overrun/place8)."
    )


def _mean(cell: Cell) -> Statement:
    nodes = int(cell.case.split()[0])
    error = cell.ours / _number(cell) - 1
    why = (
        "Table 2 does not have Place on 16 nodes. Its number of moves is extrapolated from 8 nodes (chosen)."
        if nodes not in {n for _, n, _, _ in reference_data.table2()}
        else ""
    )
    return Statement(
        f"mean event data of Place on {nodes} nodes, {cell.unit}",
        "sec. 6, Figure 14",
        f"{_number(cell):.0f}",
        f"{cell.ours:.0f} in records of 10 B",
        abs(error) > MEAN_TARGET,
        why,
        error,
        MEAN_TARGET,
        cell.status,
    )


def _bursts(cell: Cell) -> Statement:
    assert isinstance(cell.published, tuple)
    low, high = cell.published
    return Statement(
        f"fullest 20 ms of Place on 16 nodes, {cell.unit}",
        "sec. 6",
        f"{low:.0f} to {high:.0f}",
        f"{cell.ours:.0f} in records of 10 B ({cell.ours / of.RECORD:.0f} in ours of 7 B)",
        cell.error != 0,
        "In these 20 ms, all 16 simulated nodes only handle updates, so the CPU time of an update limits the rate."
        " Sequences of moves between synchronisations do not change that: studies/mechanisms.md.",
        cell.error,
        0.0,
        cell.status,
    )
