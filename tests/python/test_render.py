# SPDX-License-Identifier: BSD-3-Clause
"""Tables on a terminal have readable headings at any width."""

from __future__ import annotations

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from hypermon import _printing
from hypermon.cli import render, tables

NAMES = ["ecb.frame_fifo_frames", "pbx.word_ns", "how", "monitor.frames.lost", "monitor.frames.peak_occupancy"]
NAMES += ["monitor.drain.peak_buffer_bytes", "ledger.lost_total.events"]
ROWS = [["1048576", "800", "replay", "17180940", "1024", "5", "27763"]] * 2


def printed(monkeypatch: pytest.MonkeyPatch, width: int) -> list[str]:
    out = io.StringIO()
    terminal = Console(file=out, width=width, force_terminal=True, color_system=None, highlight=False)
    monkeypatch.setattr(render, "terminal", lambda *_: terminal)
    render.show_all(*render.fitting(NAMES, ROWS, range(7), 3))
    return out.getvalue().splitlines()


@pytest.mark.parametrize("width", [60, 80, 100, 132, 200])
def test_headings_are_broken_after_dots_only_and_no_cell_is_cut(monkeypatch: pytest.MonkeyPatch, width: int) -> None:
    lines = printed(monkeypatch, width)
    assert max(map(len, lines)) <= width
    words = [word for line in lines for word in line.split()]
    pieces = {piece for name in NAMES for piece in (name, *name.replace(".", ". ").split())}
    cells = {cell for row in ROWS for cell in row}
    assert {word for word in words if set(word) != {"─"}} <= pieces | cells
    assert {cell for cell in cells if cell in words} == cells
    tables = words.count("how")
    assert tables == words.count("1048576") / len(ROWS)  # each has the keys
    assert (tables > 1) == (width < 100)


def test_what_is_no_terminal_gets_one_table_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(render, "terminal", lambda *_: None)
    (made,) = render.fitting(NAMES, ROWS, range(7), 3)
    assert list(made.columns) == NAMES


CELLS = st.text(st.sampled_from("aZ09 .:[]/_-"), max_size=12)


def tables_of(columns: int) -> st.SearchStrategy[tables.Table]:
    row = st.lists(CELLS, min_size=columns, max_size=columns)
    right = st.frozensets(st.integers(0, columns - 1))
    headed = st.builds(tables.Table, row, st.lists(row, max_size=4), right, st.just(""))
    return headed | st.builds(
        tables.Table, st.just(()), st.lists(row, min_size=1, max_size=4), st.just(frozenset()), st.just("")
    )


TABLES = st.integers(1, 4).flatmap(tables_of)
TEXTS = st.text(st.sampled_from("aZ09 .:[]/_-\n"), max_size=40)


@given(st.lists(TEXTS | TABLES, min_size=1, max_size=5))
def test_without_rich_no_byte_is_another(parts: list[str | tables.Table]) -> None:
    assert [line.rstrip() for line in tables.plain(parts) or []] == [line.rstrip() for line in tables.by_rich(parts)]


LONG = "long " * tables.WIDTH


@pytest.mark.parametrize(
    "part",
    [
        pytest.param(LONG, id="long line"),
        pytest.param("a\tb", id="tab"),
        pytest.param("\N{GREEK SMALL LETTER MU}s", id="beyond ASCII"),
        pytest.param(tables.Table(("a",), [(LONG,)]), id="wide table"),
        pytest.param(tables.Table(("a",), [("b\nc",)]), id="lines in a cell"),
        pytest.param(tables.Table(("a",), [("b",)], title="title"), id="title"),
    ],
)
def test_what_rich_lays_out_otherwise_is_left_to_it(part: str | tables.Table) -> None:
    assert tables.plain([part]) is None


@pytest.mark.parametrize(
    ("variable", "value", "expected"), [("FORCE_COLOR", "1", True), ("TTY_COMPATIBLE", "0", False)]
)
def test_rich_is_asked_what_a_terminal_is(
    variable: str, value: str, expected: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(variable, value)
    assert (_printing.terminal() is not None) == expected
