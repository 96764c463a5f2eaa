# SPDX-License-Identifier: BSD-3-Clause
"""What the paper's text says of runs beyond Table 2, beside ours: sentences over cells of cells.csv."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from hypermon.report.calibration import PREDICTED
from hypermon_studies import bandwidth, reference_data, table2
from hypermon_studies import validation_cells as of
from hypermon_studies.cells import Cell, Cells

RATE_TARGET = 0.01  # frames at full rate: as hardware times
MEAN_TARGET = 0.04  # event data of Figure 14, whose record format is assumed


@dataclass(frozen=True)
class Statement:
    """One sentence of the paper with a number or a fact, and what our run says."""

    what: str
    where: str
    published: str
    ours: str
    missed: bool
    why: str = ""  # what we know of a miss
    error: float | None = None
    target: float | None = None
    status: str = PREDICTED


def statements(cells: Cells, place8: Mapping[str, Any]) -> list[Statement]:
    """`place8`: the specification of Place on 8 nodes under hypermon."""
    two = (
        "Two nodes that strobe at random phases share a window with probability window / pitch. The paper's rate"
        " means more coincidence than chance, or slower nodes; it is not fitted."
    )
    depth = int(place8["ecb"]["frame_fifo_frames"])
    case = f"place, {table2.nodes_of(8)}"
    three = cells.at(of.FULL_RATE, of.OVERRUN, of.active(3)), cells.at(of.FULL_RATE, of.PEAK, of.active(3))
    place = cells.at(of.FIFO, of.OVERRUN, case), cells.at(of.FIFO, of.PEAK, case)
    return [
        _frame_rate(cells.at(of.FULL_RATE, of.RATE, of.active(1)), "one node"),
        _frame_rate(cells.at(of.FULL_RATE, of.RATE, of.active(2)), "two nodes", two),
        _overrun("three nodes at full rate overrun", "sec. 5.1", *three, depth),
        _overrun("Place on 8 nodes overruns", "sec. 5.2.1, Table 2", *place, depth, _why_no_overrun(place8)),
        *(_mean(cell) for cell in cells.of(of.PLACE) if cell.quantity == of.MEAN),
        _bursts(cells.at(of.PLACE, of.FULLEST, table2.nodes_of(16))),
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
        f"The {spec['reader']['kind']} reader reads {read:.0f} frames/s, and {spec['nodes']} nodes that do nothing else"
        f" write {written:.0f} data/s: no program makes it overrun. The prototype's reader was away for milliseconds,"
        " why is not known (scenario overrun/place8)."
    )


def _mean(cell: Cell) -> Statement:
    nodes = int(cell.case.split()[0])
    error = cell.ours / _number(cell) - 1
    why = (
        "Place on 16 nodes is not in Table 2: its effort here is that of 8 nodes, extrapolated (chosen)."
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
        "In these 20 ms our 16 nodes do nothing but handle updates: the CPU time of an update bounds them. Sequences of"
        " moves between synchronisations do not change that: studies/mechanisms.md.",
        cell.error,
        0.0,
        cell.status,
    )
