# SPDX-License-Identifier: BSD-3-Clause
"""The cells of the study of mechanisms: those of Table 2 under each mechanism, and further ones of Place."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from hypermon._inputs import scenario
from hypermon._model.result import Result
from hypermon._model.schema import Schema
from hypermon.report.calibration import NODES, PREDICTED, PROGRAMS, Constant, calibrated_cells, constants
from hypermon_studies import reference_data
from hypermon_studies.cells import BLIND, UNPUBLISHED, Cell, Cells
from hypermon_studies.table2 import table as table2
from hypermon_studies.table2.bandwidth import merged_percent
from hypermon_studies.table2.cells import FULLEST, MEAN, RECORD, assumption_for_16_nodes
from hypermon_studies.table2.table import Compared, nodes_of, quantity_of

TODAY = "today"
BURSTS, WAITS, READERS = "place: 20 ms bursts", "place: beyond the monitor's own time", "place: readers"
LOST, BUSIEST, WAITING = "time lost", "busiest node emits", "waiting"
MERGED, FRAMES_A_BYTE = "merged", "frames per software byte"
OVERRUN, PEAK, FRAMES_LOST = "overrun", "peak frame FIFO", "frames lost"
CHOSEN = {  # reasons that begin with `calibrated` name cells as the sources of parameters do
    "simplex_probe_limit": "calibrated on Table 2 Simplex software bytes on 2 to 8 nodes: the limit with which they are"
    " nearest to the paper's",
    "simplex_time_limit": "calibrated on Table 2 Simplex raw on 2 to 8 nodes, Simplex software on 2 to 8 nodes and"
    " Simplex hardware on 2 nodes: the best of 27 pairs",
    "place_sequences": "the length is chosen; the rest is calibrated on raw times and software bytes of 2 to 8 nodes",
    "place_short_sequences": "chosen and calibrated like `place_sequences`",
}
KNOWING = "the mechanism was added after this number was known"

Key = tuple[str, str, int, str]  # program, mechanism, nodes, monitor; or a reader's name instead of the monitor


@dataclass(frozen=True)
class Row:
    """One cell of Table 2 with one mechanism."""

    mechanism: str
    cell: Compared
    assumption: str = ""


def rows(results: Mapping[Key, Result], schema: Schema) -> list[Row]:
    """All cells of Table 2 that were run, without the rates."""
    published, found, used = reference_data.table2(), [], {}
    for (program, mechanism, nodes, monitor), result in results.items():
        if mechanism not in used:
            used[mechanism] = _constants(schema, mechanism)
        for quantity, ours in (("elapsed", result["elapsed_s"]), ("logged", result["logged_bytes"])):
            key = program, nodes, monitor, quantity
            if key not in published:
                continue
            cell = table2.cell(*key, ours, calibrated_cells(used[mechanism]))
            if mechanism != TODAY and cell.status == BLIND:
                cell = table2.predicted(cell)
            assumed = table2.used_for(used[mechanism], *key)
            if mechanism != TODAY and cell.blind is not None:
                assumed = KNOWING
            found.append(Row(mechanism, cell, assumed))
    return found


def _constants(schema: Schema, mechanism: str) -> list[Constant]:
    found = constants(schema, [scenario.built_in(f"table2/{program}") for program in PROGRAMS])
    return found if mechanism == TODAY else [*found, *own_constants(schema, mechanism)]


def own_constants(schema: Schema, mechanism: str) -> list[Constant]:
    """Constants that a mechanism adds: those of its scenario's variants, and one for the mechanism as a whole."""
    found = scenario.built_in(f"mechanisms/{mechanism}")
    simulator = constants(schema, ())
    own = [constant for constant in constants(schema, [found]) if constant not in simulator]
    return [*own, Constant(mechanism, "", "", CHOSEN[mechanism])] if CHOSEN[mechanism].startswith("calibrated") else own


def all_cells(rows: Sequence[Row], results: Mapping[Key, Result]) -> Cells:
    """All cells, including the runs of Place beyond Table 2 if there are any."""
    found = Cells(
        Cell(
            f"{c.program}: {row.mechanism}",
            quantity_of(c.monitor, c.quantity),
            nodes_of(c.nodes),
            reference_data.UNITS[c.quantity],
            c.ours,
            c.status,
            c.paper,
            row.assumption,
        )
        for row in rows
        for c in (row.cell,)
    )
    of_place = {key: result for key, result in results.items() if key[0] == "place"}
    for cells in (_bursts(of_place), _waits(of_place), _readers(of_place)):
        for cell in cells:
            found.add(cell)
    return found


def read(cells: Cells) -> list[Row]:
    """The rows of Table 2 that a cells.csv has."""
    known = {quantity_of(m, q): (m, q) for m in table2.MONITORS for q in ("elapsed", "logged")}
    found = []
    for cell in cells:
        program, mechanism = cell.table.split(": ")
        if cell.quantity not in known:
            continue
        assert not isinstance(cell.published, tuple)
        monitor, quantity = known[cell.quantity]
        nodes = int(cell.case.split()[0])
        blind = table2.blind_prediction(program, nodes, monitor, quantity)
        compared = Compared(program, nodes, monitor, quantity, cell.published, cell.ours, cell.status, blind)
        found.append(Row(mechanism, compared, cell.assumption))
    return found


def _bursts(results: Mapping[Key, Result]) -> Iterator[Cell]:
    paper = reference_data.bandwidth()
    low, high = map(float, paper["Place event data, 20 ms bursts, 16 nodes"].split(" to "))
    mean = float(paper["Place event data, mean, 16 nodes"])
    for (_, mechanism, nodes, _), result in results.items():
        if nodes == 16:
            bursts = result["bursts"]
            ours = bursts["mean_bytes_per_s"] * RECORD
            yield Cell(BURSTS, MEAN, mechanism, "B/s", ours, PREDICTED, mean, assumption_for_16_nodes())
            ours = bursts["max_20ms_bytes_per_s"] * RECORD
            yield Cell(BURSTS, FULLEST, mechanism, "B/s", ours, PREDICTED, (low, high), assumption_for_16_nodes())


def _waits(results: Mapping[Key, Result]) -> Iterator[Cell]:
    for (program, mechanism, nodes, monitor), hardware in results.items():
        if monitor == "hypermon" and nodes > 1:
            software, raw = (results[program, mechanism, nodes, other] for other in ("software", "none"))
            case = f"{mechanism}, {nodes_of(nodes)}"
            lost = hardware["elapsed_s"] - raw["elapsed_s"]
            busiest = max(rank["monitor_s"] for rank in hardware["ranks"])
            ratio = hardware["logged_bytes"] / 16 / software["logged_bytes"]
            paper_lost, paper_ratio = published_waits(nodes)
            yield Cell(WAITS, LOST, case, "s", lost, PREDICTED, paper_lost)
            yield Cell(WAITS, BUSIEST, case, "s", busiest)
            yield Cell(WAITS, WAITING, case, "s", lost - busiest)
            yield Cell(WAITS, MERGED, case, "%", merged_percent(hardware))
            status = UNPUBLISHED if paper_ratio is None else PREDICTED
            yield Cell(WAITS, FRAMES_A_BYTE, case, "frames/B", ratio, status, paper_ratio)


def published_waits(nodes: int) -> tuple[float | None, float | None]:
    """Time that the paper's Place lost, and its frames for each byte of the software monitor. None: not published."""
    paper = reference_data.table2()
    raw, hardware = (paper["place", nodes, monitor, "elapsed"] for monitor in ("none", "hypermon"))
    software_bytes, hardware_bytes = (paper["place", nodes, m, "logged"] for m in ("software", "hypermon"))
    lost = None if raw is None or hardware is None else hardware - raw
    if software_bytes is None or hardware_bytes is None:
        return lost, None
    return lost, hardware_bytes / 16 / software_bytes


def _readers(results: Mapping[Key, Result]) -> Iterator[Cell]:
    for (_, mechanism, nodes, reader), result in results.items():
        if nodes == max(NODES) and reader not in ("none", "software"):
            monitor = result["monitor"]
            case = f"{mechanism}, {'ideal' if reader == 'hypermon' else reader}"
            yield Cell(READERS, OVERRUN, case, "", bool(monitor["overrun"]), PREDICTED, True)
            yield Cell(READERS, PEAK, case, "frames", monitor["frames"]["peak_occupancy"])
            yield Cell(READERS, FRAMES_LOST, case, "frames", monitor["frames"]["lost"])
