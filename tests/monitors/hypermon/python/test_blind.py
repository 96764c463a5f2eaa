# SPDX-License-Identifier: BSD-3-Clause
"""The blind comparison: predictions stay as they were published, even if the simulator changes."""

from __future__ import annotations

import csv
import hashlib
import subprocess
from dataclasses import replace
from importlib import resources
from pathlib import Path

import pytest

from hypermon._inputs import scenario
from hypermon._model import worker as workers
from hypermon.report import calibration
from hypermon_studies import blind, cells, reference_data
from hypermon_studies.papers import study as papers
from hypermon_studies.table2 import cells as validation_cells
from hypermon_studies.table2 import misses
from hypermon_studies.table2 import table as table2
from hypermon_studies.table2.statements import Statement

ROOT = Path(__file__).parents[4]
FILE = resources.files("hypermon_studies") / "data" / "ipsc2_blind.csv"


RELEASED = resources.files("hypermon_studies") / "data" / blind.RELEASED


def shown(path: str, commit: str = blind.COMMIT) -> str:
    command = ["git", "-C", str(ROOT), "show", f"{commit}:{path}"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        pytest.skip(f"the history does not reach back to {commit}")
    return done.stdout


def test_the_blind_predictions_are_those_of_the_pages_of_their_commit() -> None:
    kept = [tuple(row[name] for name in blind.COLUMNS) for row in csv.DictReader(FILE.read_text().splitlines())]
    assert kept == blind.extract(shown(blind.TABLE), shown(blind.PAGE))


def test_the_blind_predictions_are_never_edited() -> None:
    """This test needs no git history: the digest is that of the file made from the commit's pages."""
    assert (
        hashlib.sha256(FILE.read_bytes()).hexdigest()
        == "91aac33d3588ad721f3e2910bdc71ce6585697b5d5d99c699c8527d2bf5b3afe"
    )


def test_the_released_predictions_are_those_of_the_cells_of_their_commit() -> None:
    def cells_then(study: str) -> cells.Cells:
        return cells.read(shown(f"docs/studies/{study}/cells.csv", blind.RELEASED_COMMIT))

    kept = [
        tuple(row[name] for name in blind.RELEASED_COLUMNS) for row in csv.DictReader(RELEASED.read_text().splitlines())
    ]
    assert kept == blind.extract_released([(row[1], row[2], row[3], row[4]) for row in kept], cells_then)


def test_the_released_predictions_are_never_edited() -> None:
    """This test needs no git history. A prediction whose number is released later is added together with a new digest."""
    assert (
        hashlib.sha256(RELEASED.read_bytes()).hexdigest()
        == "40a596091e09bf5ad4485e0b2411a84e8bf7768b84e77f591eb959e1db1ff9ac"
    )


def test_every_blind_number_of_the_other_papers_has_its_prediction() -> None:
    in_list = {row.id for row in papers.rows() if row.kind == cells.BLIND}
    assert in_list == {prediction.id for prediction in blind.released()}
    assert {
        prediction.id: (prediction.cell.published, round(prediction.cell.ours, 2)) for prediction in blind.released()
    } == {
        "contention": (150, 111.80),
        "least32": (68, 93.79),
        "scms32": (45.69, 94.28),
        "pcp32": (147.71, 158.73),
        "post_mortem512": (24.6, 17.07),
    }


def test_the_validation_page_has_the_released_predictions_as_they_were() -> None:
    found = cells.read((ROOT / "docs/studies/table2/cells.csv").read_text())
    shown = {c.case: (c.status, c.published, c.ours) for c in found.cells_of(validation_cells.RELEASED)}
    assert shown == {s.cell.case: (cells.BLIND, s.cell.published, s.cell.ours) for s in blind.released()}


def test_a_released_number_is_blind_only_while_ours_is_the_prediction() -> None:
    prediction = next(s for s in blind.released() if s.id == "pcp32")
    today = replace(prediction.cell, published=None, status=cells.UNPUBLISHED)
    assert blind.marked("scms", today) == prediction.cell
    moved = blind.marked("scms", replace(today, ours=150.0))
    assert (moved.status, moved.published, moved.ours) == (calibration.PREDICTED, 147.71, 150.0)
    assert blind.marked("tau", today) == today
    other = replace(today, case=today.case.replace("32", "64"))
    assert blind.marked("scms", other) == other


@pytest.mark.worker
def test_the_list_of_the_papers_keeps_the_prediction_when_the_simulator_moves(monkeypatch: pytest.MonkeyPatch) -> None:
    row = next(row for row in papers.rows() if row.id == "scms32")
    prediction = next(s for s in blind.released() if s.id == "scms32")
    moved = cells.Cells([blind.marked("scms", replace(prediction.cell, ours=50.0, status=calibration.PREDICTED))])
    monkeypatch.setattr(papers, "rows", lambda: (row,))
    monkeypatch.setattr(papers, "_cells", lambda *_: moved)
    (item,) = papers.evaluate(ROOT / "docs", workers.schema(), 1)
    assert (item.kind, item.published, item.ours) == (cells.BLIND, 45.69, prediction.cell.ours)
    assert item.note.endswith("; today 50 ms")


def test_every_hardware_cell_of_4_and_8_nodes_was_predicted_blind() -> None:
    kept_back = {key for key in blind.predictions() if key[2] in reference_data.UNITS}
    assert kept_back == {
        (p, n, q) for p in ("simplex", "life", "matmul", "place") for n in (4, 8) for q in reference_data.UNITS
    }


def test_the_summary_follows_from_predictions_and_published_values() -> None:
    def cell(program: str, quantity: str, predicted: float) -> blind.Compared:
        return blind.Compared(program, 4, quantity, predicted, 100.0)

    times = [cell("a", "elapsed", 96), cell("b", "elapsed", 102)]
    volumes = [cell("a", "logged", 99), cell("b", "logged", 102), cell("c", "logged", 120)]
    assert blind.summary(times + volumes, within=0.03) == (
        "2 times: worst -4.0 % (a on 4 nodes), mean 3.0 %\n2 of 3 volumes within 2.0 %; c on 4 nodes +20.0 %"
    )


def test_a_cell_is_blind_only_while_our_value_is_what_was_said_then() -> None:
    predicted = blind.number("life", 8, "elapsed")
    published = reference_data.table2()["life", 8, "hypermon", "elapsed"]
    assert predicted is not None
    assert published is not None
    cell = table2.Compared("life", 8, "hypermon", "elapsed", published, predicted, cells.UNPUBLISHED, predicted)
    assert table2.status(cell, frozenset()) == cells.BLIND
    assert table2.status(replace(cell, ours=published), frozenset()) == calibration.PREDICTED
    assert table2.status(cell, frozenset({("life", 8, "hypermon", "elapsed")})) == calibration.CALIBRATED


def test_misses_are_the_cells_beyond_their_targets_and_the_statements_that_do_not_come_out() -> None:
    good = table2.Compared("life", 1, "none", "elapsed", 100.0, 101.0, calibration.PREDICTED)
    bad = replace(good, ours=103.0)
    statement = Statement("Place on 8 nodes overruns", "Table 2", "overrun", "none", missed=True, why="Because.")
    found = misses.misses([good, bad], [statement, replace(statement, missed=False)])
    assert [(m.what, m.published, m.ours) for m in found] == [
        ("life on 1 node: raw time, s", "100.000", "103.000"),
        ("Place on 8 nodes overruns", "overrun", "none"),
    ]
    assert [m.why for m in found] == [misses.UNKNOWN, "Because."]


@pytest.mark.worker
def test_every_calibrated_constant_names_cells_and_none_that_were_predicted_blind() -> None:
    scenarios = [scenario.find_one(f"table2/{p}") for p in calibration.PROGRAMS]
    found = calibration.constants(workers.schema(), scenarios)
    kept_back = {(program, nodes, "hypermon", quantity) for program, nodes, quantity in blind.predictions()}
    assert found
    assert [c.name for c in found if not c.cells or c.cells & kept_back] == []
