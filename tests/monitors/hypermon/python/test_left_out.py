# SPDX-License-Identifier: BSD-3-Clause
"""Each calibrated number is predicted from the others: local laws, and the kept runs that support them."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest
from scipy import stats  # type: ignore[import-untyped]

from hypermon._model import worker as workers
from hypermon.errors import UserError
from hypermon_studies import reference_data
from hypermon_studies.papers import left_out, local_law, moved
from hypermon_studies.papers import study as papers
from hypermon_studies.papers.left_out import Checked, LeftOut, Undetermined
from hypermon_studies.papers.moved import AS_CALIBRATED, Moved, Step
from hypermon_studies.validation import counts as published
from hypermon_studies.validation import left_out_page

DOCS = Path(__file__).parents[4] / "docs"
FOUND = published.read(DOCS)


def rows(draw: random.Random, numbers: int, constants: int) -> list[list[float]]:
    return [[draw.uniform(-1, 1) for _ in range(constants)] for _ in range(numbers)]


def test_without_scatter_each_prediction_is_the_number() -> None:
    draw = random.Random(1)
    slopes, change = rows(draw, 7, 3), [0.02, -0.01, 0.005]
    ours = [draw.uniform(1, 1000) for _ in slopes]
    exact = [n * (1 + float(np.dot(row, change))) for n, row in zip(ours, slopes, strict=True)]
    for paper, one in zip(exact, local_law.left_out(slopes, ours, exact), strict=True):
        assert one is not None
        assert one.interval is not None
        assert one.value == pytest.approx(paper, rel=1e-12)
        assert one.interval == pytest.approx((paper, paper), rel=1e-9)


def test_predictions_and_intervals_are_those_of_a_fit_without_the_number() -> None:
    """Compares with the normal equations of the other numbers, and with Student's t of SciPy."""
    draw = random.Random(2)
    for numbers, constants in ((3, 1), (6, 2), (9, 5)):
        slopes = rows(draw, numbers, constants)
        ours = [draw.uniform(1, 1000) for _ in slopes]
        paper = [n * draw.gauss(1, 0.02) for n in ours]
        for i, one in enumerate(local_law.left_out(slopes, ours, paper)):
            assert one is not None
            assert one.interval is not None
            x = np.array([row for k, row in enumerate(slopes) if k != i])
            y = np.array([p / n - 1 for k, (p, n) in enumerate(zip(paper, ours, strict=True)) if k != i])
            normal = np.linalg.inv(x.T @ x)
            change = normal @ x.T @ y
            free = numbers - 1 - constants
            variance = float(np.sum((y - x @ change) ** 2)) / free
            at = np.array(slopes[i])
            half = stats.t.ppf(0.95, free) * np.sqrt(variance * (1 + at @ normal @ at))
            middle = 1 + float(at @ change)
            assert one.value == pytest.approx(ours[i] * middle)
            assert one.interval == pytest.approx((ours[i] * (middle - half), ours[i] * (middle + half)), rel=1e-4)


def test_nine_of_ten_numbers_lie_inside_their_intervals() -> None:
    draw = random.Random(3)
    kept = 0
    for _ in range(2000):
        slopes = rows(draw, 7, 3)
        paper = [1 + float(np.dot(row, [0.02, -0.01, 0.005])) + draw.gauss(0, 0.01) for row in slopes]
        one = local_law.left_out(slopes, [1.0] * 7, paper)[0]
        assert one is not None
        assert one.interval is not None
        kept += one.interval[0] <= paper[0] <= one.interval[1]
    assert kept / 2000 == pytest.approx(0.9, abs=0.02)


def test_a_number_that_alone_shows_a_constant_is_not_predicted() -> None:
    """Only the first number depends on the second constant. The others are predicted, if necessary without scatter."""
    slopes = [[1.0, 0.5], [1.0, 0.0], [0.9, 0.0], [1.1, 0.0]]
    first, *others = local_law.left_out(slopes, [1.0] * 4, [1.03, 1.02, 1.01, 1.02])
    assert first is None
    assert all(one is not None and one.interval is not None for one in others)
    alone = local_law.left_out([[1.0], [2.0]], [10.0, 5.0], [10.1, 5.0])
    assert [(one.value, one.interval) for one in alone if one] == [(10.0, None), (pytest.approx(5.1), None)]


A, B = ("simplex", 1, "none", "elapsed"), ("simplex", 2, "none", "elapsed")


def runs(a: float, b: float) -> list[Moved]:
    """Numbers of 100 s and 50 s. Each step of 10 % changes the first number by `a`; one step changes the second by `b`."""
    steps = [Step("p.x", 10 * (1 + change), change) for change in (-0.2, -0.1, 0.1, 0.2)]
    found = [Moved(AS_CALIBRATED, A, 100), Moved(AS_CALIBRATED, B, 50)]
    for step in steps:
        found += [Moved(step, A, 100 + 10 * a * step.change), Moved(step, B, 50 + (b if step.change == 0.2 else 0))]
    return found


def test_slopes_are_relative_and_deviations_are_those_from_their_line() -> None:
    assert moved.slopes(runs(5, 0)) == {"simplex": {"p.x": {A: pytest.approx(0.5), B: 0}}}
    assert moved.deviations(runs(5, 0)) == {"p.x": pytest.approx(0)}
    # Only the step of 0.2 changes the number, by 0.1: the slope is 0.1 * 0.2 / (2 * (0.2^2 + 0.1^2)), which leaves
    # sqrt(1 - 0.2^2 / 0.1)
    assert moved.slopes(runs(0, 5)) == {"simplex": {"p.x": {A: 0, B: pytest.approx(0.2)}}}
    assert moved.deviations(runs(0, 5)) == {"p.x": pytest.approx(0.6**0.5)}


@pytest.mark.worker
def test_each_constant_with_several_numbers_is_checked() -> None:
    checked = FOUND.checked
    named = [one.constant for one in checked.predicted] + [one.constant for one in checked.undetermined]
    known = {name for names in named for name in names.split(", ")}
    several = [one.name for one in papers.calibrated(workers.schema()) if len(one.cells) > 1]
    assert len(several) > 10
    assert set(several) <= known
    assert {"scms.byte_ns", "scms.merged_byte_ns"} <= known


@pytest.mark.worker
def test_the_kept_predictions_follow_from_the_kept_runs() -> None:
    checked = papers.left_out_of(DOCS, workers.schema(), papers.moved_of(DOCS))
    assert left_out.text(checked) == (DOCS / "studies/papers/left_out.csv").read_text()


@pytest.mark.worker
def test_the_kept_runs_are_those_of_the_plan_and_the_shortest_come_out_again() -> None:
    schema = workers.schema()
    specs = moved.plan(schema)
    assert {(one.step, *one.cell[:3]) for one in FOUND.moved} == set(specs)
    short = {key: spec for key, spec in specs.items() if key[1:] == ("simplex", 2, "none")}
    steps = [key[0] for key in short]
    assert {step.constant for step in steps} == {"", *moved.GROUPS["simplex"]}
    again = {(one.step.constant, one.step.value): one.ours for one in moved.measure(short, schema, 1)}
    kept = {
        (one.step.constant, one.step.value): one.ours
        for one in FOUND.moved
        if one.cell == ("simplex", 2, "none", "elapsed")
    }
    assert again == kept


def test_the_calibrated_numbers_of_the_kept_runs_are_those_of_table_2() -> None:
    lines = (DOCS / "studies/table2/table2.csv").read_text().splitlines()[1:]
    table = {tuple(line.split(",")[:4]): float(line.split(",")[5]) for line in lines}
    for one in FOUND.moved:
        if one.step == AS_CALIBRATED:
            program, nodes, monitor, quantity = one.cell
            assert one.ours == table[program, str(nodes), monitor, quantity]


def test_what_was_written_is_read_again() -> None:
    assert moved.read(moved.text(FOUND.moved), "moved.csv") == list(FOUND.moved)
    checked = left_out.read(left_out.text(FOUND.checked), "left_out.csv")
    assert checked.predicted == list(FOUND.checked.predicted)
    assert checked.undetermined == list(FOUND.checked.undetermined)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("a,b\n", "columns must be constant,value"),
        (f"{','.join(moved.COLUMNS)}\np.x,1\n", "2 columns: must be 8 (moved.csv:2)"),
        (f"{','.join(moved.COLUMNS)}\np.x,1,0.1,life,two,none,elapsed,1\n", "'two' (moved.csv:2)"),
    ],
)
def test_damaged_runs_are_refused_by_their_line(text: str, complaint: str) -> None:
    with pytest.raises(UserError) as caught:
        moved.read(text, "moved.csv")
    assert complaint in str(caught.value)


def test_each_number_outside_its_interval_has_one_reason() -> None:
    missed = [one.number for one in FOUND.checked.predicted if one.is_inside is False]
    explained = {subject: left_out_page.outside(FOUND.checked, subject) for subject in left_out_page.REASONS}
    assert all(explained.values())
    assert sorted(one.number for numbers in explained.values() for one in numbers) == sorted(missed)
    page = left_out_page.text(FOUND.checked, FOUND.moved)
    for subject, (_, reason) in left_out_page.REASONS.items():
        assert f"| {subject} | {len(explained[subject])} | {reason} |" in page


def test_the_reasons_give_the_numbers_of_the_data() -> None:
    """Simplex: errors of both volumes of 2 nodes, and the signs of their slopes. SCMS: 2 t(8) - t(16)."""
    simplex = {one.cell: one.ours for one in FOUND.moved if one.step == AS_CALIBRATED and one.cell[0] == "simplex"}
    hardware, software = (("simplex", 2, monitor, "logged") for monitor in ("hypermon", "software"))
    table = reference_data.table2()
    assert simplex[hardware] > (table[hardware] or 0)
    assert simplex[software] < (table[software] or 0)
    for by_cell in moved.slopes(FOUND.moved)["simplex"].values():
        assert by_cell[hardware] * by_cell[software] > 0
    sixteen = {one.number: one for one in FOUND.checked.predicted if one.number.endswith(", 16 nodes")}
    fixed = [
        2 * 18.53 - value
        for value in (
            36.35,
            sixteen["SCMS/RMS, Table 2, 16 nodes"].predicted,
            sixteen["SCMS/RMS, Table 2, pipelined and calibrated, 16 nodes"].predicted,
        )
    ]
    assert [round(ms, 1) for ms in fixed] == [0.7, 1.7, 3.3]


def test_the_page_counts_and_says_whether_the_goal_is_reached() -> None:
    inside = LeftOut("a.b", "x", "s", 2.0, 2.5, (1.0, 3.0), "law")
    outside = LeftOut("a.c", "y", "s", 2.0, 2.5, (2.2, 3.0), "law")
    bare = LeftOut("a.d", "z", "s", 2.0, 2.5, None, "law")
    page = left_out_page.text(Checked([inside, outside, bare], [Undetermined("e.f", "n", "too few")]), runs(5, 0))
    text = " ".join(page.split())
    assert "1 of 2 such predictions lie inside their interval, 50 %. The goal of 90 % is missed." in text
    assert "Predictions without an interval: 1. Numbers that the others do not determine: 1." in text
    assert "| n | `e.f` | too few |" in page
    assert "| y | `a.c` | law | 2 s | 2.5 s | +25.00 | **2.2 to 3 s** |" in page
    assert "| raw time, 1 node | +0.500 |" in page
    assert "The goal of 90 % is reached." in " ".join(left_out_page.text(Checked([inside], []), runs(5, 0)).split())
