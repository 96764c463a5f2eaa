# SPDX-License-Identifier: BSD-3-Clause
"""The table of a comparison of runs, for the terminal and the page."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from hypermon._comparing.comparison import Differences, Row


def columns(found: Differences) -> tuple[str, ...]:
    two = len(found.names) == 2
    return ("result", *found.names, *(["difference"] if two else []), "better")


def cells(found: Differences, row: Row) -> tuple[str, ...]:
    """Returns a row's cells under `columns`. Only two runs have a difference."""
    difference = [row.difference(1)] if len(found.names) == 2 else []
    return (row.label, *map(row.cell, row.values), *difference, ", ".join(found.names[i] for i in row.best))


def with_groups(rows: Iterable[Row]) -> Iterator[tuple[str, Row]]:
    """Yields each row with the name of its group, which is empty where the row above has the same group."""
    above = ""
    for row in rows:
        yield (row.group if row.group != above else ""), row
        above = row.group


def equal(rows: Sequence[Row]) -> str:
    """Returns a sentence about the results that are equal, with their values. Empty: there are none."""
    same = [row for row in rows if row.is_equal]
    found = [f"{row.label} {row.cell(row.values[0])}" for row in same]
    return f"Equal within 0.1 %: {', '.join(found)}." if found else ""
