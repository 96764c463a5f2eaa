# SPDX-License-Identifier: BSD-3-Clause
"""Tables in the style of Rich. Without a terminal Rich is mostly avoided, which saves a fifth of a short run's time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from hypermon._printing import console, escaped, one_line

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.table import Table as RichTable

WIDTH = 500  # characters per line if the output is no terminal
_GAP = "  "


class Table(NamedTuple):
    """A table. `right`: the columns with numbers. Without headings, the first column has the style of headings."""

    columns: Sequence[str]
    rows: Sequence[Sequence[str]]
    right: frozenset[int] = frozenset()
    title: str = ""

    def rich(self, lined: bool) -> RichTable:
        """Converts the table for Rich. `lined`: with a line below the heading."""
        from rich import box
        from rich.table import Table as RichTable
        from rich.text import Text

        made = RichTable(
            box=box.SIMPLE_HEAD if lined and self.columns else None,
            pad_edge=False,
            title=Text(one_line(self.title)) if self.title else None,
            title_justify="left",
            title_style="bold",
            show_header=bool(self.columns),
            header_style="bold",
        )
        for i, column in enumerate(self.columns):
            made.add_column(Text(escaped(column)), justify="right" if i in self.right else "left", overflow="fold")
        for row in self.rows:
            made.add_row(*(Text(escaped(cell), "" if i or self.columns else "bold") for i, cell in enumerate(row)))
        return made

    def plain(self) -> Iterator[str]:
        """Yields the lines of the table, without wrapping."""
        rows = [self.columns, *self.rows] if self.columns else self.rows
        widths = [max(map(len, cells)) for cells in zip(*rows, strict=True)]
        for row in rows:
            cells = zip(row, widths, strict=True)
            yield _GAP.join(
                cell.rstrip().rjust(width) if i in self.right else cell.ljust(width)
                for i, (cell, width) in enumerate(cells)
            )


def rich(part: RenderableType | Table, lined: bool) -> RenderableType:
    if isinstance(part, Table):
        return part.rich(lined)
    return escaped(part) if isinstance(part, str) else part  # Rich drops some control characters


def plain(parts: Sequence[RenderableType | Table]) -> list[str] | None:
    """Returns the lines of the output without a terminal.

    None: the parts need Rich because of wrapping, titles, or characters of other widths than 1.
    """
    lines: list[str] = []
    for part in parts:
        if isinstance(part, Table) and not part.title and all(map(_is_simple, _cells(part))):
            lines += part.plain()
        elif isinstance(part, str):
            lines += part.split("\n")
        else:
            return None
    return lines if all(_is_simple(line) and len(line) <= WIDTH for line in lines) else None


def by_rich(parts: Sequence[RenderableType | Table]) -> list[str]:
    """Returns the lines of the output without a terminal, made by Rich."""
    out = console(width=WIDTH)
    with out.capture() as capture:
        out.print(*(rich(part, False) for part in parts), sep="\n", markup=False)
    return capture.get().splitlines()


def _cells(table: Table) -> Iterator[str]:
    yield from table.columns
    for row in table.rows:
        yield from row


def _is_simple(text: str) -> bool:
    return text.isascii() and text.isprintable()
