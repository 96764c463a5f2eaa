# SPDX-License-Identifier: BSD-3-Clause
"""Pipelined requests and answers in `hypermon study scms`: their effect on each published number, and intervals."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from hypermon.report.calibration import CALIBRATED, PREDICTED
from hypermon_studies import blind, cell_tables
from hypermon_studies.cells import DERIVED, UNPUBLISHED, Cell, Cells, Value
from hypermon_studies.markdown import table
from hypermon_studies.papers.intervals import SCMS_PCP, SCMS_TABLE_1, SCMS_TABLE_2
from hypermon_studies.papers.left_out import LEFT_OUT
from hypermon_studies.planned import Numbers
from hypermon_studies.scms import runs as scms_runs
from hypermon_studies.scms.runs import BANDS, CALIBRATED_STEP, HELD_BACK, KNOWN, PROBES, SMALL, nodes_of, step

PIPELINING, INTERVALS = "pipelining", "intervals"
LOW, HIGH, INSIDE = "low", "high", "the paper's number is inside"
NAMES = {scms_runs.TABLE_1: SCMS_TABLE_1, scms_runs.TABLE_2: SCMS_TABLE_2}
SIZES = {SCMS_TABLE_1: (*SMALL, *KNOWN, *HELD_BACK), SCMS_TABLE_2: (*KNOWN, *HELD_BACK)}
BY = {
    (SCMS_TABLE_1, 8): "scms_client.session_ms of preset scms/pipelined",
    (SCMS_TABLE_1, 16): "scms.send_us, scms.receive_us of preset scms/pipelined",
    (SCMS_TABLE_2, 8): "scms.byte_ns of preset scms/pipelined",
    (SCMS_TABLE_2, 16): "scms.byte_ns of preset scms/pipelined",
}
LAWS = {SCMS_TABLE_1: "a + b n", SCMS_PCP: "n (a + b n)"}
BYTE_LAW = "runs with the byte's cost that gives the other number"
READ_TO_MS = 0.005  # half of the last digit of Table 2
Range = tuple[float, float]


def released(quantity: str, nodes: int) -> Value | None:
    """The paper's number of 32 nodes, which was released after its blind prediction."""
    for prediction in blind.released():
        own = prediction.cell
        if prediction.study == "scms" and own.quantity == quantity and own.case.startswith(f"{nodes_of(nodes)}, "):
            return own.published
    return None


def steps(found: Numbers, published: dict[tuple[str, int], float]) -> Iterator[Cell]:
    """Both tables with each step towards pipelined requests and answers.

    Args:
        published: The numbers of Tables 1 and 2 that were never kept back, by table and nodes.
    """
    for question, name in NAMES.items():
        for step_name in scms_runs.STEPS[question]:
            for nodes in SIZES[name]:
                key = scms_runs.PIPELINING, step(question, step_name, nodes)
                if key not in found:
                    continue
                paper = published.get((name, nodes), released(name, nodes))
                by = _calibrated_by(name, step_name, nodes)
                status = UNPUBLISHED if paper is None else CALIBRATED if by else PREDICTED
                yield Cell(
                    PIPELINING, f"{name}, {step_name}", nodes_of(nodes), "ms", found[key]["ms"], status, paper, by
                )


def _calibrated_by(name: str, step_name: str, nodes: int) -> str:
    """The constants that were chosen with a cell; those of an earlier step were chosen without the mechanism."""
    if (name, nodes) not in BY:
        return ""
    return BY[name, nodes] if step_name == CALIBRATED_STEP else "the constants without pipelining"


def intervals(found: Numbers, published: dict[tuple[str, int], float]) -> Iterator[Cell]:
    """The least and the largest time under the assumptions, for the sizes that were kept back."""
    for nodes in HELD_BACK:
        if (BANDS, f"{next(scms_runs.corners_1())[0]}, {nodes_of(nodes)}") not in found:
            continue
        of_1 = [_table_1(found, corner, readings, nodes) for corner, _, readings in scms_runs.corners_1()]
        of_2 = [_table_2(found, corner, published, nodes) for corner, *_ in scms_runs.corners_2()]
        of_pcp = [found[scms_runs.PCP, f"{nodes_of(nodes)}, {model}"]["pcp_ms"] for model in scms_runs.PCP_MODELS]
        for name, times in ((SCMS_TABLE_1, of_1), (SCMS_TABLE_2, of_2), (SCMS_PCP, of_pcp)):
            yield from _interval(name, nodes, (min(times), max(times)))


def leave_one_out(name: str, times: Mapping[int, float]) -> Iterator[Cell]:
    """Predicts each of three numbers from the other two, by the law of the model."""
    # power of the number of nodes by which PCP's law must be divided to become a line
    power = 1 if name == SCMS_PCP else 0
    for nodes, paper in times.items():
        (few, first), (many, second) = ((n, t / n**power) for n, t in times.items() if n != nodes)
        ours = (first + (second - first) * (nodes - few) / (many - few)) * nodes**power
        yield Cell(LEFT_OUT, name, nodes_of(nodes), "ms", ours, DERIVED, paper, LAWS[name])


def bytes_left_out(found: Numbers, published: Mapping[tuple[str, int], float]) -> Iterator[Cell]:
    """Yields each of Table 2's two numbers, predicted with the cost of a byte that the other one gives, and the ends of
    its interval.
    """
    for model in scms_runs.LEFT_OUT_STEPS:
        corners = [corner for corner, *_ in scms_runs.left_out_corners(model)]
        name = SCMS_TABLE_2 if model == scms_runs.AS_IT_IS else f"{SCMS_TABLE_2}, {model}"
        for nodes, other in (KNOWN, KNOWN[::-1]):
            given = published[SCMS_TABLE_2, other]
            ours = _with_byte_of(found, corners[0], other, given, nodes)
            readings = given - READ_TO_MS, given + READ_TO_MS
            times = [_with_byte_of(found, corner, other, ms, nodes) for corner in corners for ms in readings]
            paper = published[SCMS_TABLE_2, nodes]
            yield Cell(LEFT_OUT, name, nodes_of(nodes), "ms", ours, DERIVED, paper, BYTE_LAW)
            for end, ms in ((LOW, min(times)), (HIGH, max(times))):
                yield Cell(LEFT_OUT, f"{name}, {end}", nodes_of(nodes), "ms", ms, UNPUBLISHED)


def _with_byte_of(found: Numbers, corner: str, given: int, ms: float, nodes: int) -> float:
    """The time of `nodes` nodes with the cost of a byte by which `given` nodes take `ms`."""
    (start, slope), (offset, rise) = (_line(found, corner, size) for size in (given, nodes))
    return offset + rise * (ms - start) / slope


def _interval(name: str, nodes: int, ours: Range) -> Iterator[Cell]:
    for end, ms in zip((LOW, HIGH), ours, strict=True):
        yield Cell(INTERVALS, f"{name}, {end}", nodes_of(nodes), "ms", ms, UNPUBLISHED)
    paper = released(name, nodes)
    if isinstance(paper, int | float):
        is_inside = ours[0] <= paper <= ours[1]
        yield Cell(INTERVALS, f"{name}: {INSIDE}", nodes_of(nodes), "", is_inside, PREDICTED, True)


def _table_1(found: Numbers, corner: str, readings: Range, nodes: int) -> float:
    """Time of Table 1 with the session that gives the reading of 8 nodes."""
    few, many = (found[BANDS, f"{corner}, {nodes_of(n)}"]["ms"] for n in (KNOWN[0], nodes))
    return readings[0] - few + many


def _table_2(found: Numbers, corner: str, published: dict[tuple[str, int], float], nodes: int) -> float:
    """Time of Table 2 with the cost of a byte that minimises the squares of relative errors on 8 and 16 nodes."""
    lines = [(_line(found, corner, size), published[SCMS_TABLE_2, size]) for size in KNOWN]
    squares = sum((slope / paper) ** 2 for (_, slope), paper in lines)
    best = sum(slope / paper * (1 - offset / paper) for (offset, slope), paper in lines) / squares
    offset, slope = _line(found, corner, nodes)
    return offset + slope * best


def _line(found: Numbers, corner: str, nodes: int) -> Range:
    """Offset and slope of the time against the cost of a byte."""
    low, high = (found[BANDS, f"{corner}, {ns:g} ns, {nodes_of(nodes)}"]["ms"] for ns in PROBES)
    slope = (high - low) / (PROBES[1] - PROBES[0])
    return low - slope * PROBES[0], slope


def text(found: Cells) -> str:
    """The section of the page."""
    if not found.cells_of(INTERVALS):
        return "Not computed: `hypermon study scms --predict` does."
    return f"""According to sections 3.3 and 3.4 of the paper, an SMA merges replies, and also sends replies while
others still arrive ([pipelined answers](../design/scms.md#pipelined-answers)). Pipelined requests and pipelined
answers are off by default. The rows *as it is* show the default model. The rows *pipelined and calibrated* have both
mechanisms, with one set of constants for both tables, calibrated on 8 and 16 nodes. The mechanisms were added after
the numbers of 32 nodes were known, but no constant was chosen with those numbers. The tables have the time in ms, and
in brackets the error against the paper in %:

{_steps(found, SCMS_TABLE_1)}

{_steps(found, SCMS_TABLE_2)}

The intervals below span the results of *pipelined and calibrated*, and of PCP, under all combinations of these
assumptions:

| assumption | range | source |
| --- | --- | --- |
| Table 1's times of 8 and 16 nodes | 0.5 ms around each | the table has whole ms |
| receiving a message takes | as long as sending it, to four times as long | *(chosen)*; the sum is calibrated |
| information of a node | 10.5 to 11.5 K, K of 1000 to 1024 B | "about 11 Kbytes" (sec. 4) |
| a byte of a merged answer costs | 10 ns, or as much as any byte | sec. 2: "only delivers"; sec. 3.4: "splitted" |
| a part of an answer | one reply, or 32 KB | half of a socket's buffer of 64 KB *(chosen)* |
| open hosts that raise PCP's cost | all, or only those beyond the eighth | [PCP](../design/pcp.md) |

In each combination the constants are calibrated on 8 and 16 nodes. Two assumptions are not varied: requests are
pipelined, and an SMA has 16 agents. With 32 nodes, any number from 16 to 31 agents gives the same tree.

{_intervals(found)}

Two models, those of Table 1 and of PCP in Table 2, have two constants each and three published numbers. Each number is
also computed from the other two by the model's formula, which is in the column "rests on" (n is the number of nodes):

{cell_tables.table_of([cell for cell in found.cells_of(LEFT_OUT) if cell.assumption in LAWS.values()])}

The cost of a byte is calibrated on two times of Table 2, those of 8 and of 16 nodes. Each of the two times is also
predicted from the other one: the cost of a byte is calibrated on the other time alone. The interval spans the rounding
of that other time and the assumptions above about receiving, the information of a node, merged bytes and, with
pipelining, parts of an answer:

{_bytes_left_out(found)}"""


def _bytes_left_out(found: Cells) -> str:
    rows = []
    for cell in found.cells_of(LEFT_OUT):
        if cell.assumption == BYTE_LAW:
            low, high = (found.at(LEFT_OUT, f"{cell.quantity}, {end}", cell.case).ours for end in (LOW, HIGH))
            assert isinstance(cell.published, int | float)
            where = "inside" if low <= cell.published <= high else "outside"
            paper = cell_tables.value_text(cell.published, "ms")
            rows.append((cell.quantity, cell.case, paper, f"{cell.ours:.2f}", f"{low:.2f} to {high:.2f}", where))
    return table(("number", "case", "paper, ms", "ours, ms", "interval, ms", "paper's number"), rows, 2)


def _steps(found: Cells, name: str) -> str:
    rows: list[Sequence[str]] = []
    of = [cell for cell in found.cells_of(PIPELINING) if cell.quantity.startswith(f"{name}, ")]
    papers = {
        cell.case: "kept back" if cell.published is None else cell_tables.value_text(cell.published, "") for cell in of
    }
    rows.append(("paper", *papers.values()))
    for quantity in dict.fromkeys(cell.quantity for cell in of):
        own = [cell for cell in of if cell.quantity == quantity]
        rows.append((quantity.removeprefix(f"{name}, "), *map(_time, own)))
    return table((name, *papers), rows, 1)


def _time(cell: Cell) -> str:
    return f"{cell.ours:.1f}" + ("" if cell.error is None else f" ({100 * cell.error:+.0f})")


def _intervals(found: Cells) -> str:
    rows = []
    for cell in found.cells_of(INTERVALS):
        name, _, end = cell.quantity.rpartition(", ")
        if end != LOW:
            continue
        high = found.at(INTERVALS, f"{name}, {HIGH}", cell.case)
        inside = found.find(INTERVALS, f"{name}: {INSIDE}", cell.case)
        paper = released(name, int(cell.case.split()[0]))
        wide = "wider than a factor of two" if high.ours > 2 * cell.ours else ""
        rows.append(
            (
                name,
                cell.case,
                "kept back" if paper is None else cell_tables.value_text(paper, "ms"),
                f"{cell.ours:.1f} to {high.ours:.1f}",
                "" if inside is None else "inside" if inside.ours else "outside",
                wide,
            )
        )
    return table(("number", "case", "paper, ms", "interval, ms", "paper's number", "note"), rows, 2)
