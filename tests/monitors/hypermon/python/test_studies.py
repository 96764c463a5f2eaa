# SPDX-License-Identifier: BSD-3-Clause
"""Studies: their tables follow from the runs, and their files have the same bytes every time."""

from __future__ import annotations

import csv
import hashlib
from pathlib import Path

import pytest

from hypermon._files import places
from hypermon._model import worker as workers
from hypermon._model.expressions import ExpressionError
from hypermon.report import calibration
from hypermon.report.calibration import Constant
from hypermon_studies import cells, reference_data
from hypermon_studies.lessons import page as lessons_page
from hypermon_studies.lessons import study as lessons
from hypermon_studies.table2 import table as table2
from tests.conftest import Hypermon


def digests(folder: Path) -> dict[str, str]:
    files = (p for p in sorted(folder.rglob("*")) if p.is_file() and p.name != "host.json")
    return {str(p.relative_to(folder)): hashlib.sha256(p.read_bytes()).hexdigest() for p in files}


@pytest.mark.parametrize(
    ("source", "cells"),
    [
        ("calibrated on Table 2 MatMul raw, 1 to 8 nodes: C (512 KB)", {("matmul", n, "none", "elapsed") for n in (1, 2, 4, 8)}),
        ("calibrated on Table 2 raw times of Life", {("life", n, "none", "elapsed") for n in (1, 2, 4, 8)}),
        (
            "calibrated on Table 2 MatMul software times, 1 node (36.6 us per tick) and Place software, 2 nodes",
            {("matmul", 1, "software", "elapsed"), ("place", 2, "software", "elapsed"), ("place", 2, "software", "logged")},
        ),
        (
            "calibrated on Table 2 hardware times of all programs, 1 node",
            {(p, 1, "hypermon", "elapsed") for p in ("simplex", "life", "matmul", "place")},
        ),
        ("calibrated on Table 2 Simplex and Life software bytes, 2 and 8 nodes",
         {(p, n, "software", "logged") for p in ("simplex", "life") for n in (2, 8)}),
        (
            "calibrated on Table 2 software bytes of Place on 2 to 8 nodes: 7 events",
            {("place", n, "software", "logged") for n in (2, 4, 8)},
        ),
        ("calibrated on Table 2 raw time of Life on 1 node", {("life", 1, "none", "elapsed")}),
        ("assumed", set()),
    ],
)  # fmt: skip
def test_a_source_names_the_cells_it_was_calibrated_on(source: str, cells: set[object]) -> None:
    assert Constant("x", "1", "", source).cells == cells


def test_only_the_volume_of_the_run_that_overran_is_not_published() -> None:
    assert [cell for cell, value in reference_data.table2().items() if value is None] == [
        ("place", 8, "hypermon", "logged")
    ]


def test_a_miss_is_an_error_beyond_the_target() -> None:
    def cell(monitor: str, quantity: str, ours: float) -> table2.Compared:
        return table2.Compared("life", 1, monitor, quantity, 100.0, ours, calibration.PREDICTED)

    assert not cell("none", "elapsed", 101.9).missed
    assert cell("none", "elapsed", 102.1).missed
    assert cell("hypermon", "elapsed", 98.9).missed
    assert not cell("hypermon", "logged", 97.1).missed
    assert cell("hypermon", "logged", 96.9).missed
    assert not cell("hypermon", "rate", 50).missed


@pytest.mark.usefixtures("fake")
def test_the_perturbation_table_follows_from_the_runs(hypermon: Hypermon) -> None:
    done = hypermon("study", "perturbation", "table2/place", "--set", "nodes=4", "--out", "demo")
    assert done.returncode == 0, done.stderr
    rows = {row["monitor"]: row for row in csv.DictReader(Path("demo/perturbation.csv").read_text().splitlines())}
    assert list(rows) == ["none", "software", "hypermon"]
    raw = 10 / 4 + 0.5
    charged = 1000 * 16 * (8850 + 20 * 864.5) * 1e-9  # of every node: 1000 events of 16 nibbles
    assert float(rows["none"]["elapsed s"]) == raw
    assert float(rows["hypermon"]["open loop s"]) == pytest.approx(raw + charged, abs=5e-4)
    assert float(rows["hypermon"]["slowdown %"]) == pytest.approx(100 * charged / raw, abs=5e-3)
    assert "loss ledger of hypermon" in done.stdout
    assert f"\nWithout a monitor the program takes {raw:.1f} s.\n" in done.stdout
    slowdown = f"{100 * charged / raw:.1f} %"
    assert f"\nWith the HYPERMON monitor it takes {slowdown} longer, and no event was lost.\n" in done.stdout
    assert Path("demo/hypermon/result.json").is_file()
    assert Path("demo/perturbation.png").read_bytes().startswith(b"\x89PNG")
    assert f"{100 * charged / raw:+.3g}\u202f%" in Path("demo/perturbation.svg").read_text()  # above its bar
    told = cells.read(Path("demo/cells.csv").read_text())
    assert {cell.table for cell in told} == {"table2/place"}
    for monitor, row in rows.items():
        assert f"{told.at('table2/place', 'time', monitor).ours:.3f}" == row["elapsed s"]
    # the scenario's effort is calibrated on the raw time of 4 nodes; no blind prediction is used here
    place = {cell.name: (cell.status, cell.published) for cell in told if cell.published is not None}
    assert place["time [none]"] == ("calibrated", 69.668)
    assert place["time [hypermon]"] == ("predicted", 137.145)
    assert [cell.published for cell in told if cell.quantity == "open-loop time"] == [None, None]
    before = digests(Path("demo"))
    assert hypermon("study", "perturbation", "table2/place", "--set", "nodes=4", "--out", "demo").returncode == 0
    assert digests(Path("demo")) == before
    assert sorted(p.name for p in Path.cwd().iterdir()) == ["demo"]


@pytest.mark.usefixtures("fake")
def test_a_run_with_other_settings_is_no_cell_of_table_2(hypermon: Hypermon) -> None:
    words = ("study", "perturbation", "table2/place", "--set", "nodes=4", "--set", "fake.events=7", "--out", "demo")
    assert hypermon(*words).returncode == 0
    told = list(cells.read(Path("demo/cells.csv").read_text()))
    assert {(cell.status, cell.published) for cell in told} == {("predicted", None)}


@pytest.mark.usefixtures("fake")
def test_a_failing_monitor_leaves_no_perturbation_study(hypermon: Hypermon) -> None:
    done = hypermon("study", "perturbation", "table2/place", "--set", "fake.behaviour=deadlock", "--out", "demo")
    assert (done.returncode, list(Path.cwd().iterdir())) == (3, [])


@pytest.mark.usefixtures("fake")
def test_the_page_of_table_2_shows_every_cell(hypermon: Hypermon) -> None:
    done = hypermon("study", "table2", "--out", "docs", "--jobs", "2")
    # The fake worker's numbers differ from the paper's, but every lost event is counted.
    assert (done.returncode, done.stderr) == (1, "")
    failed = [line for line in done.stdout.splitlines() if line.startswith("FAILED")]
    assert {line.split()[1] for line in failed} == {f"table2/{name}" for name in ("simplex", "life", "matmul", "place")}
    assert any(": elapsed_s: " in line for line in failed)
    assert not any("ledger." in line for line in failed)
    rows = list(csv.DictReader(Path("docs/table2/table2.csv").read_text().splitlines()))
    assert len(rows) == 4 * 4 * (1 + 3 + 3)
    lacking = [
        (c["program"], c["nodes"], c["monitor"], c["quantity"]) for c in rows if c["status"] == "to be predicted"
    ]
    assert lacking == [("place", "8", "hypermon", "logged"), ("place", "8", "hypermon", "rate")]
    assert [c["paper"] for c in rows if c["status"] == "to be predicted"] == ["", ""]
    calibrated = {(c["program"], c["nodes"], c["monitor"], c["quantity"]) for c in rows if c["status"] == "calibrated"}
    assert ("life", "1", "hypermon", "elapsed") in calibrated  # the fake worker's port.delay_iteration_ns
    assert ("place", "8", "none", "elapsed") in calibrated  # the scenario's effort
    assert ("life", "2", "hypermon", "elapsed") not in calibrated
    page = Path("docs/table2.md").read_text()
    for number in range(8, 14):
        assert f"table2/figure{number}.svg" in page
        assert Path(f"docs/table2/figure{number}.svg").read_text().startswith("<?xml")
    assert "`place.attempts at nodes = 8`" in page
    before = digests(Path("docs"))
    assert hypermon("study", "table2", "--out", "docs", "--jobs", "1").stdout == done.stdout
    assert digests(Path("docs")) == before


LESSON = """\
question: q
set: {workload: place, nodes: 8, fake.events: 100}
cases:
  - name: none
    set: {monitor: none}
    expect: [{of: elapsed_s, is: 1.75, within: 0.001, kind: published, source: Table 0}]
  - name: hardware
    expect:
      - {of: elapsed_s, min: cases.none.elapsed_s, kind: derived, because: monitors take time}
      - {of: events, is: 799, kind: golden}
  - set: {nodes: 4}
    expect: [{of: events, is: 400, kind: derived, because: 100 each}]
"""


def built_in_lesson(monkeypatch: pytest.MonkeyPatch) -> None:
    """The built-in scenarios, and `q`."""
    Path("scenarios").mkdir()
    for inside in places.scenarios().iterdir():
        (Path("scenarios") / inside.name).symlink_to(inside)
    Path("scenarios/q.yaml").write_text(LESSON)
    monkeypatch.setenv("HYPERMON_SCENARIOS", str(Path("scenarios").absolute()))


@pytest.mark.usefixtures("fake")
def test_a_lesson_says_where_each_number_stands(monkeypatch: pytest.MonkeyPatch) -> None:
    built_in_lesson(monkeypatch)
    columns = (
        lessons_page.Column("time", "elapsed_s", 2),
        lessons_page.Column("slower %", "100 * (elapsed_s / cases.none.elapsed_s - 1)", 1),
        lessons_page.Column("events", "events"),
        lessons_page.Column("overrun", "monitor.overrun"),
    )
    question = lessons_page.Question("Why?", "q", columns, "Because.")
    monkeypatch.setattr(lessons, "QUESTIONS", (question,))
    out = Path("docs")
    out.mkdir()
    found = lessons.write(out, lessons.plan(workers.schema()), jobs=2)
    assert lessons_page.summary(found) == "1 questions; of 4 expectations 1 failed"
    charged = 100 * 16 * (8850 + 20 * 864.5) * 1e-9
    page = (out / "lessons.md").read_text()
    # Place's effort was calibrated on the raw row of 8 nodes; the monitor none cannot overrun
    assert "| `none` | 1.75 *c* | 0.0 | 800 |  |" in page
    assert f"| `hardware` | {1.75 + charged:.2f} *d* | {100 * charged / 1.75:.1f} | 800 *g* | no |" in page
    assert "| `hardware` | `events` | 799 | 800 **fails** | golden |" in page
    assert "| `nodes=4` | `events` | 400 | 400 | derived | 100 each |" in page
    rows = list(csv.DictReader((out / "lessons" / "lessons.csv").read_text().splitlines()))
    assert [(r["case"], r["quantity"], r["label"]) for r in rows if r["quantity"] == "elapsed_s"] == [
        ("none", "elapsed_s", "calibrated"),
        ("hardware", "elapsed_s", "derived"),
    ]
    before = digests(out)
    lessons.write(out, lessons.plan(workers.schema()), jobs=1)
    assert digests(out) == before


@pytest.mark.usefixtures("fake")
def test_a_column_that_a_run_cannot_fill_stops_the_study(monkeypatch: pytest.MonkeyPatch) -> None:
    built_in_lesson(monkeypatch)
    question = lessons_page.Question("Why?", "q", (lessons_page.Column("x", "elapsd_s"),), "Because.")
    monkeypatch.setattr(lessons, "QUESTIONS", (question,))
    with pytest.raises(ExpressionError, match="elapsd_s"):
        lessons.write(Path("docs"), lessons.plan(workers.schema()), jobs=2)
    assert not Path("docs").exists()
