# SPDX-License-Identifier: BSD-3-Clause
"""The paper's published figures (data/README.md)."""

from __future__ import annotations

import csv
from functools import cache
from importlib import resources

from hypermon.report.calibration import Cell

UNITS = {"elapsed": "s", "logged": "B", "rate": "B/s"}  # units of Table 2's quantities; rates follow from the other two


@cache
def table2() -> dict[Cell, float | None]:
    """Every cell of Table 2; None is not published: the run overran."""
    return {
        (row["program"], int(row["nodes"]), row["monitor"], row["quantity"]): float(row["value"])
        if row["value"]
        else None
        for row in rows("ipsc2_table2.csv")
    }


@cache
def bandwidth() -> dict[str, str]:
    """Rates of sections 5.1 and 6, by their subjects."""
    return {row["quantity"]: row["value"] for row in rows("ipsc2_bandwidth.csv")}


def rows(name: str) -> list[dict[str, str]]:
    """Rows of a file in data/."""
    text = (resources.files("hypermon_studies") / "data" / name).read_text(encoding="utf-8")
    return list(csv.DictReader(text.splitlines()))
