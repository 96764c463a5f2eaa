"""Tables on a terminal: headings that can be read whatever its width."""

from __future__ import annotations

import io

import pytest
from rich.console import Console

from hypermon.cli import render

NAMES = ["ecb.frame_fifo_frames", "pbx.word_ns", "how", "monitor.frames.lost", "monitor.frames.peak_occupancy"]
NAMES += ["monitor.drain.peak_buffer_bytes", "ledger.lost_total.events"]
ROWS = [["1048576", "800", "replay", "17180940", "1024", "5", "27763"]] * 2


def printed(monkeypatch: pytest.MonkeyPatch, width: int) -> list[str]:
    out = io.StringIO()
    terminal = Console(file=out, width=width, force_terminal=True, color_system=None, highlight=False)
    monkeypatch.setattr(render, "console", lambda *_: terminal)
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
    monkeypatch.setattr(render, "console", lambda *_: Console(file=io.StringIO(), width=500))
    (made,) = render.fitting(NAMES, ROWS, range(7), 3)
    assert [column.header for column in made.columns] == NAMES
