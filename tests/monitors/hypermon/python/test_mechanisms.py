# SPDX-License-Identifier: BSD-3-Clause
"""The study of mechanisms: they are off by default, no blind cell is used for a choice, and rows follow from the runs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from hypermon._inputs import scenario
from hypermon._model import worker as workers
from hypermon._model.result import Result
from hypermon.report.calibration import constants
from hypermon_studies import blind, cells
from hypermon_studies.mechanisms import page as mechanisms_page
from hypermon_studies.mechanisms import rows as mechanism_rows
from hypermon_studies.mechanisms import study as mechanisms
from tests.conftest import Hypermon

MINE = [name for name in scenario.names() if name.startswith("mechanisms/")]
PARAMETERS = ("simplex.poll_limit", "simplex.poll_limit_us", "place.sequence_accepted")


def test_the_study_shows_every_scenario_of_a_mechanism() -> None:
    shown = {f"mechanisms/{name}" for tried in mechanisms.TRIED.values() for name in tried}
    assert shown == set(MINE)


@pytest.mark.worker
def test_mechanisms_are_off_by_default_and_in_table_2() -> None:
    schema = workers.schema()
    for path in PARAMETERS:
        assert schema.parameter(path, "").default == 0
        for program in mechanisms.TRIED:
            assert scenario.find_one(f"table2/{program}").resolve(schema).values[path] == 0


@pytest.mark.worker
def test_no_constant_of_a_mechanism_was_chosen_with_a_blind_cell() -> None:
    kept_back = {(program, nodes, "hypermon", quantity) for program, nodes, quantity in blind.predictions()}
    found = constants(workers.schema(), [scenario.find_one(name) for name in MINE])
    efforts = [c for c in found if c.name.startswith("place.attempts")]
    assert len(efforts) == 2 * 3
    found += [c for name in mechanism_rows.CHOSEN for c in mechanism_rows.own_constants(workers.schema(), name)]
    assert [c.name for c in found if not c.cells or c.cells & kept_back] == []
    limit = {c.name: len(c.cells) for c in found if c.name.startswith("simplex_")}
    assert limit == {"simplex_probe_limit": 3, "simplex_time_limit": 3 + 2 * 3 + 2}


def run(**keys: Any) -> Result:
    return Result(None, json.dumps(keys))


@pytest.mark.worker
def test_rows_are_the_cells_of_table_2_and_keep_blind_cells_apart() -> None:
    results = {
        ("place", "today", 4, "hypermon"): run(elapsed_s=137.145 * 1.02, logged_bytes=149195680),
        ("place", "today", 8, "hypermon"): run(elapsed_s=102.221, logged_bytes=1),  # it overran: no volume is published
        ("place", "today", 8, "prototype"): run(elapsed_s=1.0, logged_bytes=1),
        ("place", "today", 4, "none"): run(elapsed_s=69.668 * 0.97, logged_bytes=0),
    }
    rows = mechanism_rows.rows(results, workers.schema())
    assert [(r.cell.nodes, r.cell.monitor, r.cell.quantity, r.cell.status) for r in rows] == [
        (4, "hypermon", "elapsed", "predicted"),  # not the blind prediction
        (4, "hypermon", "logged", "predicted"),
        (8, "hypermon", "elapsed", "predicted"),
        (8, "hypermon", "logged", "to be predicted"),
        (4, "none", "elapsed", "calibrated"),
    ]
    assert rows[3].cell.error is None
    assert mechanisms_page.summary(rows) == "place, today: blind cells within 2.0 %, others 3.0 %"


@pytest.mark.worker
def test_with_a_mechanism_no_cell_is_blind_even_if_it_comes_out_as_said() -> None:
    predicted = blind.number("simplex", 4, "elapsed")
    assert predicted is not None
    results = {
        ("simplex", mechanism, 4, "hypermon"): run(elapsed_s=predicted, logged_bytes=1)
        for mechanism in ("today", "simplex_probe_limit")
    }
    today, limited = (row for row in mechanism_rows.rows(results, workers.schema()) if row.cell.quantity == "elapsed")
    assert (today.cell.status, limited.cell.status) == ("blind", "predicted")
    assert limited.assumption == mechanism_rows.KNOWING


def test_the_page_is_made_of_its_cells() -> None:
    """All runs take minutes: CI repeats those of Simplex; this test checks the page."""
    studies = Path(__file__).parents[4] / "docs" / "studies"
    found = cells.read((studies / "mechanisms" / "cells.csv").read_text())
    assert mechanisms_page.text(found) == (studies / "mechanisms.md").read_text()


@pytest.mark.worker
def test_a_program_without_mechanisms_is_refused(hypermon: Hypermon, tmp_path: Path) -> None:
    done = hypermon("study", "mechanisms", "--program", "life", "--out", str(tmp_path / "x"))
    assert (done.returncode, list(tmp_path.iterdir())) == (2, [])
    assert "--program = life: must be one of simplex, place" in done.stderr
