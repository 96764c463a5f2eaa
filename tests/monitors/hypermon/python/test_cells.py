# SPDX-License-Identifier: BSD-3-Clause
"""cells.csv has the values that studies compare and their status; pages are made from it."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

import pytest

from hypermon._inputs import scenario
from hypermon._model import worker as workers
from hypermon._model.schema import nested
from hypermon.errors import UserError
from hypermon.report import calibration
from hypermon_studies import cells, reference_data
from hypermon_studies.cells import Cell, Cells
from hypermon_studies.mechanisms import rows as mechanism_rows
from hypermon_studies.table2 import bandwidth
from hypermon_studies.table2 import cells as validation_cells
from hypermon_studies.table2 import page as validation_page
from hypermon_studies.table2 import table as table2

DOCS = Path(__file__).parents[4] / "docs"
FILES = [*(DOCS / "studies" / name for name in ("table2", "collection", "coverage", "lessons", "mechanisms", "merging"))]  # fmt: skip
HEAD = ",".join(cells.COLUMNS)


def read(folder: str) -> Cells:
    return cells.read((DOCS / folder / cells.NAME).read_text())


CELL = Cell("Table 1", "time", "4 nodes", "s", 2.5, calibration.PREDICTED, 2.0, "assumed")


@pytest.mark.parametrize("folder", FILES, ids=lambda folder: folder.name)
def test_what_is_read_is_what_was_written(folder: Path) -> None:
    written = (folder / cells.NAME).read_text()
    assert len(cells.read(written)) > 20
    assert cells.text(cells.read(written)) == written


def test_a_cell_is_a_number_a_fact_or_a_range() -> None:
    told = Cells(
        [
            CELL,
            dataclasses.replace(CELL, case="8 nodes", published=(2.0, 3e6), ours=7),
            Cell("Table 1", "overrun", "a, b", "", True, cells.BLIND, False),
            Cell("Table 1", 'time, "real"', "x", "s", 1 / 3),
        ]
    )
    assert cells.text(told).splitlines() == [
        HEAD,
        "Table 1,time [4 nodes],s,predicted,2,2.5,assumed",
        "Table 1,time [8 nodes],s,predicted,2 to 3000000,7,assumed",
        'Table 1,"overrun [a, b]",,blind,no,yes,',
        'Table 1,"time, ""real"" [x]",s,predicted,,0.3333333333,',
    ]
    again = list(cells.read(cells.text(told)))
    assert again[:3] == list(told)[:3]
    assert again[3].ours == 0.3333333333


def test_the_error_of_a_range_is_that_from_its_nearer_end() -> None:
    errors = [dataclasses.replace(CELL, published=(2.0, 4.0), ours=ours).error for ours in (1.0, 3.0, 5.0)]
    assert errors == [-0.5, 0.0, 0.25]


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        (
            {"status": "guessed"},
            "status guessed: must be one of calibrated, derived, predicted, to be predicted, blind",
        ),
        ({"status": "calibrated", "published": None}, "is calibrated, but nothing is published to compare with"),
        ({"status": "blind", "published": None}, "is blind, but nothing is published to compare with"),
        ({"status": "to be predicted"}, "is to be predicted, but published"),
        ({"published": True}, "is a fact in one column and a number in the other"),
        ({"published": None, "ours": True}, "a fact has no unit"),
        ({"ours": float("nan")}, "must be finite"),
        ({"published": float("inf")}, "must be finite"),
        ({"case": "4 [nodes]"}, "without ["),
        ({"quantity": ""}, "must be there"),
    ],
)
def test_a_cell_that_cannot_be_is_refused(changes: dict[str, Any], complaint: str) -> None:
    with pytest.raises(ValueError, match=r"^Table 1: ") as caught:
        dataclasses.replace(CELL, **changes)
    assert complaint in str(caught.value)


@pytest.mark.parametrize(
    ("lines", "complaint"),
    [
        ([], "columns must be table,cell,unit,status,published,ours,assumption (x.csv:1)"),
        (["table,cell"], "columns must be table,cell,unit,status,published,ours,assumption (x.csv:1)"),
        ([HEAD, "T,a [b],s,predicted,,1"], "6 columns: must be 7 (x.csv:2)"),
        ([HEAD, "T,a,s,predicted,,1,"], "cell a: must be QUANTITY [CASE] (x.csv:2)"),
        ([HEAD, "T,a [b],s,guessed,,1,"], "T: a [b]: status guessed: must be one of calibrated, derived, predicted, to be predicted, blind (x.csv:2)"),
        ([HEAD, "T,a [b],s,predicted,,one,"], "could not convert string to float: 'one' (x.csv:2)"),
        ([HEAD, "T,a [b],s,predicted,,1,", "T,a [b],s,predicted,,2,"], "T: a [b]: is there twice (x.csv:3)"),
        ([HEAD, 'T,"a [b],s,predicted,,1,'], "unexpected end of data (x.csv:2)"),
    ],
)  # fmt: skip
def test_a_file_that_is_none_is_refused_by_its_line(lines: list[str], complaint: str) -> None:
    with pytest.raises(UserError) as caught:
        cells.read("\n".join(lines), "x.csv")
    assert str(caught.value) == complaint


def test_the_reference_page_names_every_column_and_status() -> None:
    page = (DOCS / "reference" / "cells.md").read_text()
    rows = [line.split("`")[1] for line in page.splitlines() if line.startswith("| `")]
    assert tuple(rows) == (*cells.COLUMNS, *cells.STATUSES)
    assert all(f"(../{folder.relative_to(DOCS)}/{cells.NAME})" in page for folder in FILES)


# The status of a cell follows from the constants' sources.


def used() -> frozenset[calibration.Cell]:
    programs = [scenario.built_in(f"table2/{program}") for program in calibration.PROGRAMS]
    return calibration.calibrated_cells(calibration.constants(workers.schema(), programs))


@pytest.mark.worker
def test_table_2_is_calibrated_where_a_constant_says_so_and_nowhere_else() -> None:
    compared = table2.read(read("studies/table2"))
    assert len(compared) == 4 * 4 * (1 + 3 + 3)
    found = {(c.program, c.nodes, c.monitor, c.quantity) for c in compared if c.status == calibration.CALIBRATED}
    assert {cell for cell in found if cell[3] != "rate"} == used()
    rates = {(*cell[:3], "rate") for cell in used() if cell[2] != "none"}
    assert {cell for cell in found if cell[3] == "rate"} == rates


@pytest.mark.worker
def test_no_cell_that_calibration_used_is_predicted_in_any_study() -> None:
    of_mechanisms = mechanism_rows.read(read("studies/mechanisms"))
    wrong = [
        (row.mechanism, c)
        for row in of_mechanisms
        for c in (row.cell,)
        if (c.program, c.nodes, c.monitor, c.quantity) in used() and c.status != calibration.CALIBRATED
    ]
    assert wrong == []
    today = {(c.program, c.nodes, c.monitor, c.quantity): c.status for c in table2.read(read("studies/table2"))}
    shown = [row.cell for row in of_mechanisms if row.mechanism == mechanism_rows.TODAY]
    assert shown
    assert [c for c in shown if today[c.program, c.nodes, c.monitor, c.quantity] != c.status] == []
    lessons = {cell.name: cell for cell in read("studies/lessons").cells_of("lessons/wider_port")}
    assert [lessons[f"elapsed [{case}]"].status for case in ("none", "software", "bits_4")] == [
        today["place", 8, monitor, "elapsed"] for monitor in ("none", "software", "hypermon")
    ]


@pytest.mark.worker
def test_a_number_of_the_paper_that_a_parameter_was_taken_from_is_not_predicted() -> None:
    schema = workers.schema()
    assert validation_cells.taken_from(schema, "113000", "frames/s") == ["port.nibble_cost_ns"]
    assert validation_cells.taken_from(schema, "13000", "frames/s") == []
    assert validation_cells.taken_from(schema, "202000", "frames/s") == []
    rates = [cell for cell in read("studies/table2").cells_of(validation_cells.FULL_RATE) if cell.unit == "1/s"]
    assert [cell.status for cell in rates] == ["calibrated", "predicted", "predicted"]


def test_what_the_paper_does_not_give_stays_to_be_predicted() -> None:
    found = read("studies/table2")
    unknown = {(c.table, c.name) for c in found if c.status == cells.UNPUBLISHED and c.table != cells.RANGES}
    assert unknown == {
        (table, f"{prefix}hardware {quantity} [8 nodes]")
        for table, prefix in (("Table 2: place", ""), (table2.BLIND_TABLE, "place "))
        for quantity in ("logged", "rate")
    }


def test_blind_cells_are_those_of_the_data_as_they_were_said() -> None:
    found = read("studies/table2")
    blind = {(c.program, c.nodes, c.quantity): c for c in table2.read(found) if c.blind is not None}
    assert set(blind) == {(p, n, q) for p in calibration.PROGRAMS for n in (4, 8) for q in reference_data.UNITS}
    for c in blind.values():
        assert c.blind is not None
        is_predicted = f"{c.ours:.10g}" == f"{c.blind:.10g}"
        assert c.status == (
            cells.UNPUBLISHED if c.paper is None else cells.BLIND if is_predicted else calibration.PREDICTED
        )


def test_units_of_table_2_are_those_of_its_data() -> None:
    units = {row["quantity"]: row["unit"] for row in reference_data.rows("ipsc2_table2.csv")}
    assert units == {quantity: unit for quantity, unit in reference_data.UNITS.items() if quantity != "rate"}


@pytest.mark.worker
def test_the_tables_of_the_page_of_table_2_are_made_of_its_cells() -> None:
    schema = workers.schema()
    place = scenario.built_in("table2/place").resolve(schema, {"nodes": 8, "monitor": "hypermon"})
    three = scenario.built_in("bandwidth/three_nodes").resolve(schema, {"seed": bandwidth.SEEDS[0]})
    programs = [scenario.built_in(f"table2/{program}") for program in calibration.PROGRAMS]
    found = read("studies/table2")
    constants = calibration.constants(schema, programs)
    study = validation_page.Study(found, constants, nested(place.values), nested(three.values), {})
    page = (DOCS / "studies/table2.md").read_text()
    assert [section.splitlines()[0] for section in validation_page.tables(study) if section not in page] == []
    moved = Cells(dataclasses.replace(c, ours=2 * c.ours) if c.unit == "frames" else c for c in found)
    changed = [a.splitlines()[0] for a, b in zip(validation_page.tables(study), validation_page.tables(dataclasses.replace(study, cells=moved)), strict=True) if a != b]  # fmt: skip
    assert changed == [
        "## The blind comparison",
        "## What the text says",
        "## Misses",
        "## Overruns of the frame FIFO",
        "## Three nodes at full rate: under which phases they overrun",
        "## Delay 20",
    ]
