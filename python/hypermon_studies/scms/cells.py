# SPDX-License-Identifier: BSD-3-Clause
"""Every number of `hypermon study scms`, with its status."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import product

from hypermon.report.calibration import CALIBRATED, PREDICTED
from hypermon_studies import blind, growth
from hypermon_studies.cells import DERIVED, UNPUBLISHED, Cell, Cells
from hypermon_studies.planned import Numbers
from hypermon_studies.scms import bands as scms_bands
from hypermon_studies.scms import runs as scms_runs
from hypermon_studies.scms.runs import (
    AGENTS,
    AS_IT_IS,
    HELD_BACK,
    KNOWN,
    NO_NAGLE,
    PERIODS,
    SMALL,
    nodes_of,
    pushed,
    tree_label,
)

TABLE_1, TABLE_2, PREDICTIONS = "Table 1", "Table 2", "predictions"
CAUSES, GROWTH, TECHNIQUES, AGES, TREES = "few nodes", "growth", "techniques", "ages", "trees"
TIME, SCMS, PCP = "time", "SCMS/RMS", "PCP"
PAPER_1 = {1: 86.0, 2: 46.0, 4: 38.0, 8: 33.0, 16: 45.0}
PAPER_2 = {SCMS: {8: 18.53, 16: 36.35}, PCP: {8: 17.20, 16: 49.39}}
FIRST, SECOND, THIRD = "Table 1", "Table 2", "Table 2, PCP"
"""Tables that are predicted for 32 and 64 nodes."""
WAYS: Mapping[str, Sequence[str]] = {FIRST: tuple(scms_runs.ASKED), SECOND: tuple(scms_runs.HANDLED)}
"""Assumptions of each table, the default first."""
CALIBRATED_BY: Mapping[tuple[str, str, int], str] = {
    (TABLE_1, TIME, 8): "scms_client.session_ms",
    (TABLE_1, TIME, 16): "scms.send_us, scms.receive_us",
    (TABLE_2, SCMS, 8): "scms.byte_ns, scms.merged_byte_ns",
    (TABLE_2, SCMS, 16): "scms.byte_ns, scms.merged_byte_ns",
    (TABLE_2, f"{SCMS}, merged bytes copied", 8): "preset scms/copied",
    (TABLE_2, f"{SCMS}, merged bytes copied", 16): "preset scms/copied",
    (TABLE_2, PCP, 8): "pcp.fetch_us",
    (TABLE_2, PCP, 16): "pcp.open_host_us",
}
"""Constants that were chosen to reproduce a cell; every other cell is predicted."""
SHAPE = {"n": "grows as n", "log2 n": "grows as log2 n"}


def all_cells(found: Numbers, parts: Sequence[str] = tuple(scms_runs.PARTS)) -> Cells:
    """Cells of the parts that were run."""
    return Cells(cell for part in parts for cell in CELLS[part](found))


def _handled(how: str) -> str:
    return SCMS if how == next(iter(scms_runs.HANDLED)) else f"{SCMS}, merged bytes {how}"


def _known(table: str, quantity: str, nodes: int, ours: float, published: float) -> Cell:
    by = CALIBRATED_BY.get((table, quantity, nodes), "")
    return Cell(table, quantity, nodes_of(nodes), "ms", ours, CALIBRATED if by else PREDICTED, published, by)


def _tables(found: Numbers) -> Iterator[Cell]:
    yield from _table_1(found)
    yield from _table_2(found)
    yield from _predictions(found)


def _table_1(found: Numbers) -> Iterator[Cell]:
    for nodes in (*SMALL, *KNOWN):
        yield _known(TABLE_1, TIME, nodes, found[scms_runs.TABLE_1, nodes_of(nodes)]["ms"], PAPER_1[nodes])


def _table_2(found: Numbers) -> Iterator[Cell]:
    model = next(iter(scms_runs.PCP_MODELS))
    for nodes in KNOWN:
        for how in scms_runs.HANDLED:
            ours = found[scms_runs.TABLE_2, f"{nodes_of(nodes)}, {how}"]["ms"]
            yield _known(TABLE_2, _handled(how), nodes, ours, PAPER_2[SCMS][nodes])
        ours = found[scms_runs.PCP, f"{nodes_of(nodes)}, {model}"]["pcp_ms"]
        yield _known(TABLE_2, PCP, nodes, ours, PAPER_2[PCP][nodes])


def _predictions(found: Numbers) -> Iterator[Cell]:
    for nodes in HELD_BACK:
        for quantity, question in ((FIRST, scms_runs.TABLE_1), (SECOND, scms_runs.TABLE_2)):
            for agents, how in product(AGENTS, WAYS[quantity]):
                case = f"{tree_label(nodes, agents)}, {how}"
                if (question, case) in found:
                    yield _prediction(quantity, nodes, case, found[question, case]["ms"])
        for model in scms_runs.PCP_MODELS:
            case = f"{nodes_of(nodes)}, {model}"
            if (scms_runs.PCP, case) in found:
                yield _prediction(THIRD, nodes, case, found[scms_runs.PCP, case]["pcp_ms"])


def _prediction(quantity: str, nodes: int, case: str, ours: float) -> Cell:
    """Prediction under an assumption, beside the released number. Only the default's prediction is blind."""
    paper = scms_bands.released(quantity, nodes)
    if paper is None:
        return Cell(PREDICTIONS, quantity, case, "ms", ours, UNPUBLISHED)
    return blind.marked("scms", Cell(PREDICTIONS, quantity, case, "ms", ours, PREDICTED, paper))


def _causes(found: Numbers) -> Iterator[Cell]:
    for mechanism in scms_runs.MECHANISMS:
        for nodes in (*SMALL, *KNOWN):
            ours = found[scms_runs.CAUSES, f"{nodes_of(nodes)}, {mechanism}"]["ms"]
            yield Cell(CAUSES, mechanism, nodes_of(nodes), "ms", ours, PREDICTED, PAPER_1[nodes])


def _growth(found: Numbers) -> Iterator[Cell]:
    """The times, and fits of their growth with the number of nodes."""
    times = {n: found[key]["ms"] for n in scms_runs.SIZES if (key := (scms_runs.GROWTH, nodes_of(n))) in found}
    for nodes, ms in times.items():
        yield Cell(GROWTH, TIME, nodes_of(nodes), "ms", ms, UNPUBLISHED)
    fits = {shape: growth.fit(list(times), list(times.values()), shape) for shape in growth.SHAPES}
    for shape, fit in fits.items():
        yield Cell(GROWTH, "constant", SHAPE[shape], "ms", fit.constant, UNPUBLISHED)
        yield Cell(GROWTH, "slope", SHAPE[shape], "ms", fit.slope, UNPUBLISHED)
        yield Cell(GROWTH, "error, root of the mean square", SHAPE[shape], "%", 100 * fit.rms, UNPUBLISHED)
        yield Cell(GROWTH, "largest error", SHAPE[shape], "%", 100 * fit.worst, UNPUBLISHED)
    better = fits["log2 n"].rms < fits["n"].rms
    yield Cell(GROWTH, "O(log n) fits better than O(n)", "8 to 4096 nodes", "", better, PREDICTED, True)


def _techniques(found: Numbers) -> Iterator[Cell]:
    for technique in scms_runs.OFF:
        row, freely = (found[scms_runs.TECHNIQUES, f"{technique}, {how}"] for how in (AS_IT_IS, NO_NAGLE))
        second = row["elapsed_s"]
        for quantity, unit, ours in (
            (TIME, "ms", row["ms"]),
            (f"{TIME}, {NO_NAGLE}", "ms", freely["ms"]),
            ("messages", "1/s", row["messages"] / second),
            ("bytes", "kB/s", row["bytes"] / second / 1000),
            ("root's CPU", "%", 100 * row["root_cpu_s"] / second),
        ):
            yield Cell(TECHNIQUES, quantity, technique, unit, ours, UNPUBLISHED)


def _ages(found: Numbers) -> Iterator[Cell]:
    for program in scms_runs.PROGRAMS:
        alone = found[scms_runs.AGE, pushed(program, None)]["elapsed_s"]
        for period_s in PERIODS:
            case = pushed(program, period_s)
            row = found[scms_runs.AGE, case]
            yield Cell(AGES, "age", case, "s", row["age_s"], UNPUBLISHED)
            yield Cell(AGES, "slowdown", case, "%", 100 * (row["elapsed_s"] / alone - 1), UNPUBLISHED)


def _trees(found: Numbers) -> Iterator[Cell]:
    for how in (AS_IT_IS, NO_NAGLE):
        for nodes in scms_runs.TREES:
            keys = {agents: (scms_runs.TREE, f"{tree_label(nodes, agents)}, {how}") for agents in scms_runs.FANOUTS}
            times = {agents: found[key]["ms"] for agents, key in keys.items() if key in found}
            for agents, ms in times.items():
                yield Cell(TREES, _timed(how), tree_label(nodes, agents), "ms", ms, UNPUBLISHED)
            best = min(times, key=lambda agents: times[agents])
            yield Cell(TREES, f"best agents an SMA, {how}", nodes_of(nodes), "", best, DERIVED)


def _timed(how: str) -> str:
    return TIME if how == AS_IT_IS else f"{TIME}, {how}"


def _bands(found: Numbers) -> Iterator[Cell]:
    intervals = list(scms_bands.intervals(found, _published()))
    yield from intervals
    yield from scms_bands.bytes_left_out(found, _published())
    if not intervals:
        return
    known = {FIRST: {nodes: PAPER_1[nodes] for nodes in KNOWN}, THIRD: PAPER_2[PCP]}
    for name, times in known.items():
        released = scms_bands.released(name, 32)
        assert isinstance(released, int | float)
        yield from scms_bands.leave_one_out(name, {**times, 32: float(released)})


def _published() -> dict[tuple[str, int], float]:
    of_1 = {(TABLE_1, nodes): ms for nodes, ms in PAPER_1.items()}
    return of_1 | {(TABLE_2, nodes): ms for nodes, ms in PAPER_2[SCMS].items()}


CELLS: Mapping[str, Callable[[Numbers], Iterator[Cell]]] = {
    "tables": _tables,
    scms_runs.CAUSES: _causes,
    scms_runs.GROWTH: _growth,
    scms_runs.TECHNIQUES: _techniques,
    scms_runs.AGE: _ages,
    scms_runs.TREE: _trees,
    scms_runs.PIPELINING: lambda found: scms_bands.steps(found, _published()),
    scms_runs.BANDS: _bands,
}
