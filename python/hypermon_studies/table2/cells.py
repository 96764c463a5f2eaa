# SPDX-License-Identifier: BSD-3-Clause
"""Cells of the validation beyond Table 2: the frame FIFO, section 5.1, Figures 8 to 13 and section 6."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

from hypermon._model.result import Result
from hypermon._model.schema import Schema
from hypermon.report.calibration import CALIBRATED, PREDICTED, Constant
from hypermon_studies import blind, reference_data
from hypermon_studies.cells import BLIND, Cell, Cells, Value
from hypermon_studies.table2 import bandwidth, curves
from hypermon_studies.table2 import table as table2

RELEASED = f"blind comparison ({blind.RELEASED_COMMIT})"
FIFO = "overruns of the frame FIFO"
FULL_RATE = "section 5.1: full rate"
MILLION = "section 5.1: a million events"
SWEEP = "Figures 8 and 9"
SHAPES = "Figures 10 to 13"
PHASES = "three nodes at full rate"
PLACE = "section 6: event data of Place"
OVERRUN, FIRST, PEAK, BUILT, LOST, MERGED = (
    "overrun",
    "first overrun",
    "peak frame FIFO",
    "frames built",
    "frames lost",
    "merged nibbles",
)
RATE, SHARE, RUN = "frames built", "merged event data", "run"
MEAN, FULLEST, ABOVE = "mean", "fullest 20 ms", "above 2 MB/s in 20 ms"
TIME = "time"
RECORD = 10 / 7  # Figure 14's records are assumed to have 10 B where ours have 7
RECORDS = "records of 10 B where ours have 7 (assumed)"


def all_cells(
    compared: Sequence[table2.Compared],
    constants: Sequence[Constant],
    table: Mapping[table2.Key, Result],
    generator: Mapping[bandwidth.Key, Result],
    million: Mapping[str, Result],
    place16: Mapping[str, Result],
    schema: Schema,
) -> Cells:
    """Cells of the whole study, in the page's order. `place16`: Place on 16 nodes under the software monitor, by
    assumption about its moves; "" is the default.
    """
    found = Cells(table2.rows(compared, constants))
    for cells in (
        _blind_cells(),
        _released(),
        _fifo(table),
        _million(million),
        _full_rate(generator, schema),
        _phases(generator),
        _sweep(generator),
        curves.cells(SHAPES, table),
        _place(table, place16, constants),
    ):
        for cell in cells:
            found.add(cell)
    return found


def active(nodes: int) -> str:
    return f"{nodes} active node{'s' * (nodes > 1)}"


def _blind_cells() -> Iterator[Cell]:
    overrun, peak = (blind.predictions()["place", 8, quantity] for quantity in (blind.OVERRUN, blind.PEAK))
    of, case = table2.BLIND_TABLE, table2.nodes_of(8)
    yield Cell(of, f"place {OVERRUN}", case, "", overrun == "yes", BLIND, _published_overrun("place", 8))
    yield Cell(of, f"place {PEAK}", case, "frames", int(peak))


def _released() -> Iterator[Cell]:
    """The blind predictions of other papers' numbers that have been released."""
    for prediction in blind.released():
        yield replace(prediction.cell, table=RELEASED, quantity=f"{prediction.paper}: {prediction.cell.quantity}")


def _published_overrun(program: str, nodes: int) -> bool | None:
    """A volume that is not given: the run overran."""
    lacks = reference_data.table2().get((program, nodes, "hypermon", "logged"), 0.0) is None
    return True if lacks else None


def _fifo(table: Mapping[table2.Key, Result]) -> Iterator[Cell]:
    for (program, nodes, monitor), run in table.items():
        if monitor == "hypermon":
            case = f"{program}, {table2.nodes_of(nodes)}"
            published = _published_overrun(program, nodes)
            predicted = blind.predictions().get((program, nodes, blind.OVERRUN))
            as_predicted = published is not None and predicted == ("yes" if run["monitor"]["overrun"] else "no")
            yield from _board(FIFO, case, run, published, BLIND if as_predicted else PREDICTED)
            frames = run["monitor"]["frames"]
            counts = ((BUILT, frames["built"]), (LOST, frames["lost"]), (MERGED, frames["merged"]))
            for quantity, count in counts:
                unit = "nibbles" if quantity == MERGED else "frames"
                yield Cell(FIFO, quantity, case, unit, count, assumption=_reader(run))


def _reader(run: Result) -> str:
    return f"{run['spec']['reader']['kind']} reader"


def _board(
    table: str, case: str, run: Result, published: bool | None = None, status: str = PREDICTED
) -> Iterator[Cell]:
    """Overrun of the frame FIFO, its first time, and the peak occupancy."""
    monitor, assumed = run["monitor"], _reader(run)
    yield Cell(table, OVERRUN, case, "", bool(monitor["overrun"]), status, published, assumed)
    if monitor["first_overrun_s"] is not None:
        yield Cell(table, FIRST, case, "s", monitor["first_overrun_s"], assumption=assumed)
    yield Cell(table, PEAK, case, "frames", monitor["frames"]["peak_occupancy"], assumption=assumed)


def _million(runs: Mapping[str, Result]) -> Iterator[Cell]:
    """Time of emitting a million events, by monitor."""
    paper = reference_data.bandwidth()
    for case, name in bandwidth.MILLION.items():
        recorder = "hardware" if case == "port" else "software"
        seconds = float(paper[f"{recorder} record rate, 4-byte events"])
        preset = bandwidth.preset_from(case, seconds)
        status, assumed = (CALIBRATED, f"preset {preset}") if preset else (PREDICTED, "the cost of Table 2's records")
        yield Cell(MILLION, name, active(1), "s", runs[case]["elapsed_s"], status, seconds, assumed)


def _full_rate(generator: Mapping[bandwidth.Key, Result], schema: Schema) -> Iterator[Cell]:
    paper = reference_data.bandwidth()
    names = {1: "one node", 2: "two nodes"}
    for nodes in bandwidth.FULL_RATE:
        run, case = generator["rate", nodes, 0], active(nodes)
        rate: Value | None = float(paper[f"frames, {names[nodes]} at full rate"]) if nodes in names else None
        used = [] if rate is None else taken_from(schema, f"{rate:.0f}", "frames/s")
        status, assumed = (CALIBRATED, f"calibrates {', '.join(used)}") if used else (PREDICTED, "random phases")
        yield Cell(FULL_RATE, RATE, case, "1/s", bandwidth.frame_rate(run), status, rate, assumed)
        known = nodes == 3 and paper["three nodes at full rate"] == OVERRUN
        yield from _board(FULL_RATE, case, run, known or None)


def taken_from(schema: Schema, number: str, unit: str) -> list[str]:
    """The parameters that name this number of the paper as their source, thousands apart or not."""
    thousands = re.sub(r"(?<=\d)(?=(\d{3})+$)", " ?", number)
    named = re.compile(rf"(?<!\d){thousands} {re.escape(unit)}")
    return [p.path for p in schema.parameters.values() if named.search(p.source)]


def _phases(generator: Mapping[bandwidth.Key, Result]) -> Iterator[Cell]:
    for seed in bandwidth.SEEDS:
        run, case = generator["phases", 3, seed], f"seed {seed}"
        yield from _board(PHASES, case, run)
        yield Cell(PHASES, LOST, case, "frames", run["monitor"]["frames"]["lost"])
        yield Cell(PHASES, SHARE, case, "%", bandwidth.merged_percent(run))
        yield Cell(PHASES, RUN, case, "s", run["elapsed_s"])


def sweep_case(nodes: int, delay: int) -> str:
    return f"{active(nodes)}, delay {delay}"


def _sweep(generator: Mapping[bandwidth.Key, Result]) -> Iterator[Cell]:
    for nodes in bandwidth.ACTIVE:
        for delay in bandwidth.DELAYS:
            run, case = generator["sweep", nodes, delay], sweep_case(nodes, delay)
            yield Cell(SWEEP, RATE, case, "1/s", bandwidth.frame_rate(run))
            yield Cell(SWEEP, SHARE, case, "%", bandwidth.merged_percent(run))
            yield from _board(SWEEP, case, run)


FEWEST_AND_MOST_MOVES = (2, 1)
"""Numbers of nodes with the least and the greatest calibrated number of moves (place.attempts)."""


def moves_of(nodes: int) -> str:
    """The assumption that 16 nodes make as many moves as `nodes`."""
    return f"the moves of {table2.nodes_of(nodes)}"


def _place(
    table: Mapping[table2.Key, Result], place16: Mapping[str, Result], constants: Sequence[Constant]
) -> Iterator[Cell]:
    """Means follow from Table 2's times and bytes of software, where it has them."""
    paper = reference_data.bandwidth()
    runs = {4: table["place", 4, "software"], 8: table["place", 8, "software"], 16: place16[""]}
    for nodes, run in runs.items():
        published = float(paper[f"Place event data, mean, {nodes} nodes"])
        used = table2.used_for(constants, "place", nodes, "software", "rate")
        in_table = ("place", nodes, "software", "logged") in reference_data.table2()
        assumed = f"{RECORDS}; of Table 2, {used}" if used else RECORDS if in_table else assumption_for_16_nodes()
        ours = run["bursts"]["mean_bytes_per_s"] * RECORD
        status = CALIBRATED if used else PREDICTED
        cell = Cell(PLACE, MEAN, table2.nodes_of(nodes), "B/s", ours, status, published, assumed)
        yield cell
        if nodes == 16:
            yield from _under(place16, cell, lambda run: run["bursts"]["mean_bytes_per_s"] * RECORD)
    low, high = map(float, paper["Place event data, 20 ms bursts, 16 nodes"].split(" to "))
    ours = place16[""]["bursts"]["max_20ms_bytes_per_s"] * RECORD
    cell = Cell(PLACE, FULLEST, table2.nodes_of(16), "B/s", ours, PREDICTED, (low, high), assumption_for_16_nodes())
    yield cell
    yield from _under(place16, cell, lambda run: run["bursts"]["max_20ms_bytes_per_s"] * RECORD)

    def above(run: Result) -> float:
        return 100 * curves.share_of_bursts_above(run, low / RECORD)

    cell = Cell(PLACE, ABOVE, table2.nodes_of(16), "%", above(place16[""]), assumption=assumption_for_16_nodes())
    yield cell
    yield from _under(place16, cell, above)


def _under(place16: Mapping[str, Result], cell: Cell, measure: Callable[[Result], float]) -> Iterator[Cell]:
    """The number of Place on 16 nodes under the other assumptions about its moves."""
    yield from (cell.under(assumption, measure(run)) for assumption, run in place16.items() if assumption)


def assumption_for_16_nodes() -> str:
    """Assumption about Place on 16 nodes."""
    return f"{RECORDS}; effort of 8 nodes, extrapolated (chosen)"
