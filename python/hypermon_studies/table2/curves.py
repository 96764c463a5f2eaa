# SPDX-License-Identifier: BSD-3-Clause
"""Shapes of Figures 10 to 14: are our curves periodic, irregular, rising where the paper's are?"""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator, Mapping
from statistics import median

from hypermon._model import shapes
from hypermon._model.result import Result
from hypermon.report.calibration import PREDICTED, PROGRAMS
from hypermon_studies.cells import Cell
from hypermon_studies.table2 import table as table2

NODES = 8
REPEATS = 0.5  # (chosen) autocorrelation from which on a curve repeats itself
SUBSTANTIALLY = 1.5  # (chosen) highest by lowest rate
RETURN = 3  # intervals in which MatMul's results go to the host: 0.733 s (Table 2) take 2.3 intervals
SIMPLEX, LIFE, MATMUL, PLACE = PROGRAMS
VARIATION, RHYTHM = "coefficient of variation", "largest peak of the autocorrelation"
PERIODIC, IRREGULAR, CHANGES, HIGHEST = (
    "periodic",
    "irregular",
    "changes substantially",
    "last intervals are the highest",
)
PIVOTS = "autocorrelation at the pivots' period, 1 ms intervals"
KEEPS_SERIES = (SIMPLEX, NODES, "hypermon")  # the run of Table 2 whose event data are recorded for each millisecond


def case(program: str) -> str:
    return f"{program}, {table2.nodes_of(NODES)}"


def cells(name: str, table: Mapping[table2.Key, Result]) -> Iterator[Cell]:
    """`name`: of the cells' table."""
    frames = {program: table[program, NODES, "hypermon"]["rates"]["frames"] for program in PROGRAMS}
    rhythms = {program: shapes.largest_autocorrelation_peak(rates) for program, rates in frames.items()}
    for program, rates in frames.items():
        yield Cell(name, VARIATION, case(program), "", shapes.variation(rates))
        yield Cell(name, RHYTHM, case(program), "", rhythms[program])

    def fact(quantity: str, program: str, ours: bool) -> Cell:
        return Cell(name, quantity, case(program), "", ours, PREDICTED, True)

    simplex = table[KEEPS_SERIES]
    yield fact(PERIODIC, SIMPLEX, rhythms[SIMPLEX] >= REPEATS)
    period = round(1e3 * simplex["elapsed_s"] / _pivots(simplex))
    at_pivots = shapes.autocorrelation(_volume(simplex), period)
    yield Cell(name, PIVOTS, case(SIMPLEX), "", at_pivots, assumption=f"{period} ms a pivot")
    yield fact(CHANGES, LIFE, max(frames[LIFE]) >= SUBSTANTIALLY * min(frames[LIFE]))
    last = min(frames[MATMUL][-RETURN:])
    yield fact(HIGHEST, MATMUL, last > max(frames[MATMUL][:-RETURN]) and last >= 2 * median(frames[MATMUL]))
    yield fact(IRREGULAR, PLACE, rhythms[PLACE] < REPEATS)


def share_of_bursts_above(run: Result, bytes_per_s: float) -> float:
    """Share of all intervals of 20 ms, one beginning at each millisecond of the run, in which event data arrive faster
    than that.
    """
    volume = _volume(run)
    sums = [sum(volume[:20])]
    for leaves, comes in zip(volume, volume[20:], strict=False):
        sums.append(sums[-1] - leaves + comes)
    return sum(one / 20e-3 > bytes_per_s for one in sums) / len(sums)


def _pivots(run: Result) -> int:
    return sum(answer["pivots"] for answer in json.loads((run.path / "answer.txt").read_text(encoding="utf-8")))


def _volume(run: Result) -> list[int]:
    """Bytes of event data in each millisecond of a run that keeps them (bursts.keep_series)."""
    with (run.path / "bursts.csv").open(encoding="utf-8", newline="") as file:
        found = {int(row["interval_ms"]): int(row["bytes"]) for row in csv.DictReader(file)}
    return [found.get(i, 0) for i in range(max(found) + 1)]
