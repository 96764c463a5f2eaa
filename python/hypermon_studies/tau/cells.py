# SPDX-License-Identifier: BSD-3-Clause
"""Every number of `hypermon study tau`, with its status."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

from hypermon.report.calibration import CALIBRATED, PREDICTED
from hypermon_studies import blind
from hypermon_studies.cells import DERIVED, UNPUBLISHED, Cell, Cells, Value
from hypermon_studies.planned import Numbers
from hypermon_studies.tau import runs as tau_runs
from hypermon_studies.tau.runs import (
    ACCESSES,
    ALIKE,
    CALIBRATED_AT,
    CLOCKS,
    EACH_SECOND,
    FIGURE_2,
    LENGTH,
    LENGTHS,
    MCR,
    NFS,
    NONE,
    OTHER_SERVERS,
    PER_ITERATION,
    PM,
    POLICIES,
    POLICY,
    RANKS,
    RATE,
    SHARED,
    SPREAD,
    TABLE_1,
    TOS,
    WHOLE,
    case,
    of_ranks,
    shared,
)

TIME, DILATION = "time of 250 iterations", "dilation"
PAPER_2 = {PM: 4.7, NFS: 52.71, TOS: 6.83}  # %, at 128 ranks
BY = {PM: "lu.flop_ns", NFS: "nfs.scale", TOS: "supermon.write_us"}
PAPER_MCR = {PM: 8.5, NFS: 72.6, TOS: 9.1}
PAPER_CALLS = {  # s: NFS, post mortem
    "rename": (11.75, 0.0),
    "select": (9.46, 5.94),
    "open": (8.55, 0.03),
    "writev": (4.02, 3.95),
    "read": (3.22, 3.22),
    "close": (2.50, 0.0),
    "write": (0.63, 0.60),
}
SHARE = "share of the time that NFS adds"
EXTRAPOLATED = (1024, 2048, 4096)
GROWTH = "extrapolation"
CallTimes = Mapping[str, Mapping[str, float]]
"""Seconds by way, then by system call."""


def all_cells(found: Numbers, parts: Sequence[str], calls: CallTimes | None = None) -> Cells:
    """Cells of the parts that were run, with the times of whole runs."""
    cells = [cell for part in parts if part in CELLS for cell in CELLS[part](found)]
    if TABLE_1 in parts and calls is not None:
        cells += _calls(calls)
    if FIGURE_2 in parts:
        cells += extrapolated(found)
    return Cells(blind.marked("tau", cell) for cell in cells)


def dilation(found: Numbers, part: str, with_it: str, without: str) -> float:
    """Returns the dilation in %."""
    return 100 * (found[part, with_it]["elapsed_s"] / found[part, without]["elapsed_s"] - 1)


def ranks_of(found: Numbers) -> list[int]:
    return [ranks for ranks in RANKS if (FIGURE_2, case(ranks, NONE)) in found]


def _figure_2(found: Numbers) -> Iterator[Cell]:
    for ranks in ranks_of(found):
        for way in (NONE, PM, NFS, TOS):
            key = FIGURE_2, case(ranks, way)
            seconds = found[key]["elapsed_s"]
            yield Cell(FIGURE_2, TIME, case(ranks, way), "s", seconds, UNPUBLISHED)
            if way == NONE:
                continue
            percent = dilation(found, FIGURE_2, case(ranks, way), case(ranks, NONE))
            known = ranks == CALIBRATED_AT
            yield Cell(
                FIGURE_2, DILATION, case(ranks, way), "%", percent, CALIBRATED if known else UNPUBLISHED,
                PAPER_2[way] if known else None, BY[way] if known else "",
            )  # fmt: skip
    most = max(ranks_of(found))
    for clock in CLOCKS:
        percent = dilation(found, FIGURE_2, case(most, clock), case(most, NONE))
        yield Cell(FIGURE_2, DILATION, f"{of_ranks(most)}, post mortem with {clock}", "%", percent, UNPUBLISHED)
    if len(ranks_of(found)) > 1:
        first, last = (dilation(found, FIGURE_2, case(n, NFS), case(n, NONE)) for n in (ranks_of(found)[0], most))
        faster = last / first > most / ranks_of(found)[0]
        yield Cell(FIGURE_2, "NFS's dilation grows faster than the ranks", "all", "", faster, PREDICTED, True)


def extrapolated(found: Numbers) -> Iterator[Cell]:
    """Extrapolates the time of an iteration with and without a dump to more ranks than LU of class C can have. For each
    doubling:

    - an iteration without a monitor becomes shorter by the ratio between the last two runs;
    - a dump over NFS occupies the server in proportion to the ranks: the time that NFS adds to post mortem doubles;
    - the time that timers add stays the same (2575 in an iteration), and so does the time that Supermon adds, because a
    node
      has the same number of ranks.
    """
    ranks = ranks_of(found)
    if len(ranks) < 2:
        return
    before, last = ranks[-2:]
    base = {way: found[FIGURE_2, case(last, way)]["elapsed_s"] for way in (NONE, PM, NFS, TOS)}
    shorter = base[NONE] / found[FIGURE_2, case(before, NONE)]["elapsed_s"]
    for number in EXTRAPOLATED:
        doublings = (number // last).bit_length() - 1
        alone = base[NONE] * shorter**doublings
        timers = base[PM] - base[NONE]
        added = {
            PM: timers,
            NFS: timers + (base[NFS] - base[PM]) * 2**doublings,
            TOS: base[TOS] - base[NONE],
        }
        for way, seconds in added.items():
            yield Cell(GROWTH, DILATION, case(number, way), "%", 100 * seconds / alone, DERIVED, None, "extrapolated")


def _mcr(found: Numbers) -> Iterator[Cell]:
    for way, published in PAPER_MCR.items():
        status, rests = (CALIBRATED, "lu.flop_ns of tau/mcr") if way == PM else (PREDICTED, "")
        yield Cell(MCR, DILATION, case(128, way), "%", dilation(found, MCR, way, NONE), status, published, rests)


def _lengths(found: Numbers) -> Iterator[Cell]:
    """Dilations of the iterations between two lengths. Both lengths include a run's beginning and end."""
    for what in (PM, TOS, "throttled"):
        for first, last in pairwise(LENGTHS):
            slow, quick = (
                found[LENGTH, f"{last} iterations, {of}"]["elapsed_s"]
                - found[LENGTH, f"{first} iterations, {of}"]["elapsed_s"]
                for of in (what, NONE)
            )
            yield Cell(LENGTH, DILATION, f"{first} to {last}, {what}", "%", 100 * (slow / quick - 1), UNPUBLISHED)


def _policies(found: Numbers) -> Iterator[Cell]:
    for name in POLICIES:
        row = found[POLICY, name]
        for quantity in ("generated", "delivered", "overwritten", "left_behind", "read_again"):
            label = quantity.replace("_", " ")
            yield Cell(POLICY, f"profiles {label}", name, "", int(row[quantity]), UNPUBLISHED)
        yield Cell(POLICY, "most that a mon keeps", name, "B", int(row["peak_bytes"]), UNPUBLISHED)


def _rates(found: Numbers) -> Iterator[Cell]:
    for way in (PM, NFS, TOS):
        for rate in (PER_ITERATION, EACH_SECOND)[: 1 if way == PM else 2]:
            percent = dilation(found, RATE, f"{way}, {rate}", NONE)
            yield Cell(RATE, DILATION, f"{way}, {rate}", "%", percent, UNPUBLISHED)


def _spread(found: Numbers) -> Iterator[Cell]:
    """Cells about an iteration with its dump."""
    nfs = found[SPREAD, NFS]
    whole = 1000 * (nfs["elapsed_s"] - found[SPREAD, PM]["elapsed_s"]) / WHOLE
    without = 1000 * (found[SPREAD, ALIKE]["elapsed_s"] - found[SPREAD, PM]["elapsed_s"]) / WHOLE
    of = f"NFS, {of_ranks(CALIBRATED_AT)}"
    yield Cell(SPREAD, "time that NFS adds to an iteration", of, "ms", whole, UNPUBLISHED)
    yield Cell(SPREAD, "time of a process in a dump, mean", of, "ms", nfs["dump_ms"], UNPUBLISHED)
    yield Cell(SPREAD, "longest minus shortest time of a process in a dump", of, "ms", nfs["spread_ms"], UNPUBLISHED)
    first_to_last = "from the first process's entry into a dump to the last one's exit"
    yield Cell(SPREAD, first_to_last, of, "ms", nfs["all_ms"], UNPUBLISHED)
    others, uneven = 100 * (1 - nfs["dump_ms"] / whole), 100 * (1 - without / whole)
    yield Cell(SPREAD, "part of the added time that is not a process's own dump", of, "%", others, DERIVED)
    yield Cell(
        SPREAD, "part of the added time that vanishes if every dump takes the mean time", of, "%", uneven, DERIVED
    )


def _shared(found: Numbers) -> Iterator[Cell]:
    ranks = sorted({int(name.split()[0]) for part, name in found if part == SHARED})
    for access, preset in ACCESSES.items():
        for number in ranks:
            without = shared(number, NONE, access)
            for way in (PM, NFS, TOS):
                name = shared(number, way, access)
                if (SHARED, name) not in found:
                    continue
                percent = dilation(found, SHARED, name, without)
                if number == CALIBRATED_AT:
                    rests = f"{BY[way]} of {preset}" if way == PM else BY[way]
                    yield Cell(SHARED, DILATION, name, "%", percent, CALIBRATED, PAPER_2[way], rests)
                else:
                    yield Cell(SHARED, DILATION, name, "%", percent, PREDICTED, _released(case(number, way)))


def _released(name: str) -> Value | None:
    """The published dilation of a case of Figure 2 that was kept back at first."""
    key = Cell(FIGURE_2, DILATION, name, "%", 0.0).key
    return next((said.cell.published for said in blind.released() if said.cell.key == key), None)


def _calls(calls: CallTimes) -> Iterator[Cell]:
    paper = {call: nfs - pm for call, (nfs, pm) in PAPER_CALLS.items()}
    published = _shares(paper)
    ours, *others = (_shares(_less(calls, way)) for way in (NFS, *OTHER_SERVERS))
    for call in PAPER_CALLS:
        for way in (NFS, PM):
            yield Cell(
                TABLE_1, "time in it, all processes", f"{call}, {way}", "s", calls[way].get(call, 0.0), UNPUBLISHED
            )
        cell = Cell(TABLE_1, SHARE, call, "%", ours[call], PREDICTED, published[call], "nfs.*_us")
        yield cell
        for assumption, shares in zip(OTHER_SERVERS, others, strict=True):
            yield cell.under(assumption, shares[call])


def _less(calls: CallTimes, way: str) -> dict[str, float]:
    """Time of each system call, less that of a run post mortem."""
    return {call: calls[way].get(call, 0.0) - calls[PM].get(call, 0.0) for call in PAPER_CALLS}


def _shares(seconds: Mapping[str, float]) -> dict[str, float]:
    """Returns the share of each call in the total, in %."""
    whole = sum(seconds.values())
    return {call: 100 * s / whole for call, s in seconds.items()}


CELLS: Mapping[str, Callable[[Numbers], Iterator[Cell]]] = {
    tau_runs.FIGURE_2: _figure_2,
    tau_runs.MCR: _mcr,
    tau_runs.LENGTH: _lengths,
    tau_runs.POLICY: _policies,
    tau_runs.RATE: _rates,
    tau_runs.SPREAD: _spread,
    tau_runs.SHARED: _shared,
}


def times_of(result: Mapping[str, Any]) -> dict[str, float]:
    """Time of each system call of all processes in a run under TAU, in s."""
    return {row["call"]: row["time_s"] for row in result["monitor"]["system_calls"]}
