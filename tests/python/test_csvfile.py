# SPDX-License-Identifier: BSD-3-Clause
"""hypermon's CSV files: texts that a spreadsheet would take for formulas are escaped, and every writer uses the same
function.
"""

from __future__ import annotations

import ast
import csv
import io
from pathlib import Path

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hypermon._files import csvfile
from hypermon.errors import UserError

SOURCES = Path(__file__).resolve().parents[2] / "python"
FORMULAS = ["=1+1", "+1+1", "-1+1", "@SUM(A1)", "\t=1", "\n=1", "=cmd|' /C calc'!A0", "\uff1d1", "-", "+a", "'=1"]


def first_cells(text: str) -> list[str]:
    return [row[0] for row in csv.reader(io.StringIO(text, newline=""))]


@pytest.mark.parametrize("text", FORMULAS)
def test_a_text_that_begins_as_a_formula_does_has_an_apostrophe_before_it(text: str) -> None:
    written = csvfile.text([[text]])
    assert first_cells(written) == [text if text == "-" else f"'{text}"]
    assert [row for _, row in csvfile.rows_of(csvfile.text([[text.replace("\n", "")]]), "x")] == [
        [text.replace("\n", "")]
    ]


@pytest.mark.parametrize(
    "value", [-1, -1.5, "-1.5", "+3", "-1e-05", "-inf", "nan", "-0.5 to 3", 0, None, "a=b", "it's"]
)
def test_numbers_and_plain_texts_stay_what_they_are(value: object) -> None:
    assert first_cells(csvfile.text([[value, "x"]])) == ["" if value is None else str(value)]


def test_control_characters_are_escapes() -> None:
    assert first_cells(csvfile.text([["a\x1b[31m\r"]])) == [r"a\u001b[31m\u000d"]
    assert first_cells(csvfile.text([["\r=1"]])) == [r"\u000d=1"]


@given(st.lists(st.lists(st.text(st.sampled_from("'=+-@1.e a,;\"\t"), min_size=1), min_size=1, max_size=3), max_size=4))
def test_what_is_read_back_is_what_was_written(rows: list[list[str]]) -> None:
    assert [row for _, row in csvfile.rows_of(csvfile.text(rows), "x")] == rows


def test_what_is_no_csv_is_an_error_with_its_line() -> None:
    with pytest.raises(UserError, match=r"\(cells\.csv:2\)"):
        list(csvfile.rows_of('a,b\n"a"b\n', "cells.csv"))


def test_a_table_is_safe_in_its_texts_and_its_heads(tmp_path: Path) -> None:
    frame = pd.DataFrame({"=n": [-1.5, 2.0], "x": ["=1", None], "y": pd.Categorical(["-a", "b"])})
    file = tmp_path / "table.csv"
    csvfile.write_frame(frame, file)
    assert file.read_text() == "'=n,x,y\n-1.5,'=1,'-a\n2.0,,b\n"
    assert frame["x"][0] == "=1"  # not the caller's


def writers(source: str) -> list[str]:
    calls = (ast.unparse(node.func) for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call))
    return [
        name for name in calls if name in ("csv.writer", "csv.DictWriter", "csv.write_csv") or name.endswith(".to_csv")
    ]


def test_every_csv_goes_through_one_writer() -> None:
    assert writers("csv.writer(x)\nframe.to_csv(y)\ncsv.DictWriter(z)\ncsv.write_csv(t)") != []
    own = {"_files/csvfile.py", "monitors/hypermon/strobe_files.py"}  # the second writes numbers under names of ours
    files = [path for path in SOURCES.glob("hypermon*/**/*.py") if not str(path).endswith(tuple(own))]
    assert {str(path): found for path in files if (found := writers(path.read_text(encoding="utf-8")))} == {}
