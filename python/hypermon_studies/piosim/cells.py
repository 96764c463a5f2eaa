# SPDX-License-Identifier: BSD-3-Clause
"""Every number of `hypermon study piosim`, with its status."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from hypermon.report.calibration import CALIBRATED, PREDICTED
from hypermon_studies.cells import DERIVED, UNPUBLISHED, Cell, Cells
from hypermon_studies.piosim import runs as piosim_runs
from hypermon_studies.piosim.runs import (
    ALGORITHMS,
    AS_IT_IS,
    AT_77,
    CACHES,
    CLIENTS,
    OTHER_MACHINES,
    TIED,
    TIED_CLIENTS,
    TIES,
    WITH_SMALL_CACHE,
    case_label,
    clients_of,
    with_cache,
)
from hypermon_studies.planned import Numbers

PAPER, REAL, SCHEDULERS, SEVERAL, TIE = "simulation", "machine", "schedulers", "clients", "ties"
ENERGY, BROADCAST = "energy", "broadcast"
SWEEPS, CHECKPOINTS, HEADERS = 20, 4, 3
RUN, CHECKPOINT, DIAGONAL, NUMBER = "whole run", "checkpoint", "diagonal", "4 bytes"
OPERATIONS, MERGED, REQUESTS = "disk operations", "packets merged at a checkpoint's start", "requests of a diagonal"
BY = "partdiff.point_ns"
PENDING, STALLS = "operations pending in TROVE at once", "stalls: all 8 buffers wait for TROVE"
WITHOUT, WITH = "without the hint", "with the hint"
GAIN = "gained by the hint"


def all_cells(
    found: Numbers, parts: Sequence[str] = tuple(piosim_runs.PARTS), recorded: Mapping[str, Any] | None = None
) -> Cells:
    """Cells of the parts that were run. `recorded`: result of the run that HDTrace recorded."""
    cells = [cell for part in parts if part in CELLS for cell in CELLS[part](found)]
    return Cells((*cells, *([] if recorded is None else _energy(recorded))))


def _energy(recorded: Mapping[str, Any]) -> Iterator[Cell]:
    power = recorded["monitor"]["power"]
    for phase in power["phases"]:
        case = phase["phase"].removeprefix("MPI_")
        yield Cell(ENERGY, "time", case, "s", phase["time_s"], UNPUBLISHED)
        yield Cell(ENERGY, "energy", case, "J", phase["joules"], UNPUBLISHED)
        yield Cell(ENERGY, "mean power", case, "W", phase["mean_w"], UNPUBLISHED)
    client = "the client, whole run"
    for quantity, key in (("energy", "joules"), ("energy, metered", "metered_joules")):
        yield Cell(ENERGY, quantity, client, "J", power[key], UNPUBLISHED)
    yield Cell(ENERGY, "energy, estimated from utilisation", client, "J", power["estimated_joules"], UNPUBLISHED)
    yield Cell(ENERGY, "energy", "the server, whole run", "J", power["server_joules"], UNPUBLISHED)
    means = {phase["phase"]: phase["mean_w"] for phase in power["phases"]}
    less = 1 - means["MPI_File_write_at"] / means["computing"]
    yield Cell(ENERGY, "less power in MPI than when it computes", "mean of the client", "%", 100 * less, DERIVED)


def _paper(found: Numbers) -> Iterator[Cell]:
    run, checkpoint, diagonals = (found[piosim_runs.PAPER, case] for case in ("run", "checkpoint", "diagonals"))
    case = "one client, one server"
    yield Cell(PAPER, RUN, case, "s", run["elapsed_s"], CALIBRATED, 37.1, BY)
    yield Cell(PAPER, CHECKPOINT, case, "s", run["longest_s"], PREDICTED, 7.3)
    yield Cell(PAPER, DIAGONAL, case, "ms", 1000 * diagonals["longest_s"], PREDICTED, 3.01)
    yield Cell(PAPER, NUMBER, case, "ms", 1000 * diagonals["shortest_s"], PREDICTED, 1.02)
    yield Cell(PAPER, OPERATIONS, case, "", int(run["operations"]), PREDICTED, 20482)
    yield Cell(PAPER, MERGED, case, "", int(checkpoint["joined"]), PREDICTED, 22)
    yield Cell(PAPER, "packets of a checkpoint", case, "", int(checkpoint["packets"]), UNPUBLISHED)
    yield Cell(PAPER, "average seeks", case, "", int(run["seeks"]), UNPUBLISHED)


def _real(found: Numbers) -> Iterator[Cell]:
    """The machine's cells, and its predictions under other assumptions."""
    cells = list(_machine(found))
    yield from cells
    row = found[piosim_runs.REAL, piosim_runs.SLOW_DISK]
    yield Cell(REAL, PENDING, piosim_runs.SLOW_DISK, "", int(row["pending"]), PREDICTED, 8)
    yield Cell(REAL, STALLS, piosim_runs.SLOW_DISK, "", int(row["stalls"]), UNPUBLISHED)
    for assumption in OTHER_MACHINES:
        for cell, other in zip(cells, _machine(found, f"; {assumption}"), strict=True):
            yield cell.under(assumption, other.ours)


def _machine(found: Numbers, assumption: str = "") -> Iterator[Cell]:
    ranges = {"lists": (63.0, 78.0), "hint": (3.0, 3.5)}
    diagonals = {}
    for hinted, case in (("lists", WITHOUT), ("hint", WITH)):
        alone, run = (found[piosim_runs.REAL, f"{what}, {hinted}{assumption}"] for what in ("diagonals", "run"))
        diagonals[hinted] = alone["longest_s"]
        yield Cell(REAL, DIAGONAL, case, "ms", 1000 * alone["longest_s"], PREDICTED, ranges[hinted])
        yield Cell(REAL, REQUESTS, case, "", round(alone["lists"] / SWEEPS), PREDICTED, 126 if hinted == "lists" else 0)
        published = hinted == "lists"
        yield _measured(CHECKPOINT, case, run["longest_s"], (8.17, 10.6) if published else None)
        yield _measured(RUN, case, run["elapsed_s"], 46.8 if published else None)
    case = piosim_runs.CHECKPOINT_ALONE
    row = found[piosim_runs.REAL, f"{case}{assumption}"]
    yield Cell(REAL, PENDING, case, "", int(row["pending"]), UNPUBLISHED)
    yield Cell(REAL, STALLS, case, "", int(row["stalls"]), UNPUBLISHED)
    yield Cell(REAL, GAIN, "of a diagonal's time", "", diagonals["lists"] / diagonals["hint"], PREDICTED, 20.0)


def _measured(what: str, case: str, seconds: float, published: float | tuple[float, float] | None) -> Cell:
    return Cell(REAL, what, case, "s", seconds, UNPUBLISHED if published is None else PREDICTED, published)


def _broadcast(found: Numbers) -> Iterator[Cell]:
    for case in (*ALGORITHMS, AT_77):
        row = found[piosim_runs.BROADCAST, case]
        yield Cell(BROADCAST, "100 MiB to 8 ranks", case, "s", row["elapsed_s"], UNPUBLISHED)
        yield Cell(BROADCAST, "messages of the network", case, "", int(row["messages"]), UNPUBLISHED)


def _schedulers(found: Numbers) -> Iterator[Cell]:
    for clients in (1, 4):
        for what in CACHES:
            case = with_cache(clients, what)
            row = found[piosim_runs.SCHEDULERS, case]
            yield Cell(SCHEDULERS, "checkpoint", case, "s", row["longest_s"], UNPUBLISHED)
            yield Cell(SCHEDULERS, "disk busy", case, "s", row["busy_s"], UNPUBLISHED)
            yield Cell(SCHEDULERS, "disk operations", case, "", int(row["operations"]), UNPUBLISHED)
            yield Cell(SCHEDULERS, "average seeks", case, "", int(row["seeks"]), UNPUBLISHED)
    times = [found[piosim_runs.SCHEDULERS, with_cache(1, what)]["longest_s"] for what in CACHES if what != "no cache"]
    gains = max(times) / min(times) - 1 > 0.001
    yield Cell(SCHEDULERS, "an I/O scheduler gains something", clients_of(1), "", gains, PREDICTED, False)


def _clients(found: Numbers) -> Iterator[Cell]:
    for memory in (AS_IT_IS, WITH_SMALL_CACHE):
        for clients in CLIENTS:
            case = with_cache(clients, memory)
            row = found[piosim_runs.SEVERAL, case]
            yield Cell(SEVERAL, "checkpoint", case, "s", row["longest_s"], UNPUBLISHED)
            yield Cell(SEVERAL, "average seeks", case, "", int(row["seeks"]), UNPUBLISHED)
            yield Cell(SEVERAL, "disk busy", case, "s", row["busy_s"], UNPUBLISHED)
            yield Cell(SEVERAL, "interface stopped", case, "s", row["stopped_s"], UNPUBLISHED)
    seeks = [found[piosim_runs.SEVERAL, with_cache(clients, AS_IT_IS)]["seeks"] for clients in CLIENTS]
    yield Cell(
        SEVERAL, "several clients cause more seeks", "against one", "", min(seeks[1:]) > seeks[0], PREDICTED, True
    )


def _ties(found: Numbers) -> Iterator[Cell]:
    for what in TIED:
        for clients in TIED_CLIENTS:
            times = [found[piosim_runs.TIE, case_label(clients, what, first)]["elapsed_s"] for first in TIES]
            for first, elapsed_s in zip(TIES, times, strict=True):
                yield Cell(TIE, "whole run", case_label(clients, what, first), "s", elapsed_s, UNPUBLISHED)
            moved = 100 * abs(times[1] / times[0] - 1)
            yield Cell(TIE, "moved by the order of ties", f"{clients_of(clients)}, {what}", "%", moved, DERIVED)


CELLS: Mapping[str, Callable[[Numbers], Iterator[Cell]]] = {
    piosim_runs.PAPER: _paper,
    piosim_runs.REAL: _real,
    piosim_runs.BROADCAST: _broadcast,
    piosim_runs.SCHEDULERS: _schedulers,
    piosim_runs.SEVERAL: _clients,
    piosim_runs.TIE: _ties,
}
