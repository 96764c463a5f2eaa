# SPDX-License-Identifier: BSD-3-Clause
"""Display of answers: `repr` at a prompt, `_repr_html_` in a notebook. The verdict comes first."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from hypermon._printing import one_line

GOOD, BAD, NEUTRAL = "good", "bad", "neutral"
MOST_ROWS = 12  # (chosen) rows of a table that are shown
_COLOURS = {GOOD: "#2e9e5b", BAD: "#d9534f", NEUTRAL: "#8a8f98"}  # readable on white and on black
_LINE = "1px solid rgba(128,128,128,.35)"
_NUMBER = re.compile(r"[-+\u2212]?\d|[-–]$|none$|true|false|less than")
_PLAIN = str.maketrans({"\u202f": " ", "\u2212": "-", "µ": "u", "–": "-"})  # replacements for an ASCII terminal


@dataclass(frozen=True)
class Table:
    """A table of text with a header. Columns of numbers are right-aligned."""

    columns: Sequence[str]
    rows: Sequence[Sequence[str]]
    bold: frozenset[tuple[int, int]] = frozenset()  # bold cells, by row and column
    more: str = ""  # where to find the remaining rows
    folded: str = ""  # if not empty: the table is shown in a notebook only, folded under this line

    def is_right(self, column: int) -> bool:
        """Does the column hold only numbers and empty cells?"""
        cells = [row[column] for row in self.rows if row[column]]
        return bool(cells) and all(_NUMBER.match(cell) for cell in cells)


@dataclass(frozen=True)
class Card:
    """A short summary of an answer.

    Attributes:
        title: The kind of answer and its subject.
        verdict: One or two sentences.
        level: Whether the verdict is GOOD, BAD or NEUTRAL.
        facts: Short lines, each with a label.
        tables: Small tables.
        notes: Sentences at the end.
    """

    title: str
    verdict: str = ""
    level: str = NEUTRAL
    facts: Sequence[tuple[str, str]] = ()
    tables: Sequence[Table] = ()
    notes: Sequence[str] = ()

    def text(self) -> str:
        """Returns the card as plain text."""
        wide = max((len(label) for label, _ in self.facts), default=0)
        lines = [self.title, self.verdict]
        lines += [f"  {label:<{wide}}  {value}" for label, value in self.facts]
        for table in self.tables:
            if not table.folded:
                lines += _lines(table)
        lines += self.notes
        return "\n".join(one_line(line).translate(_PLAIN).rstrip() for line in lines if line)

    def html(self) -> str:
        """Returns the card as HTML whose colours follow the notebook's theme."""
        parts = [f'<div style="font-weight:600">{_text(self.title)}</div>']
        if self.verdict:
            parts.append(f'<div style="margin:.2em 0 .4em">{_text(self.verdict)}</div>')
        if self.facts:
            cells = [
                f'<tr><th style="{_CELL};text-align:left;font-weight:normal;opacity:.75">{_text(label)}</th>'
                f'<td style="{_CELL};text-align:left">{_text(value)}</td></tr>'
                for label, value in self.facts
            ]
            parts.append(f'<table style="{_TABLE}">{"".join(cells)}</table>')
        parts += [_table(table) for table in self.tables]
        parts += [f'<div style="margin-top:.4em">{_text(note)}</div>' for note in self.notes]
        border = f"border-left:4px solid {_COLOURS[self.level]};padding:.1em 0 .1em .8em;max-width:64em;overflow-x:auto"
        return f'<div class="hypermon-card" style="{border}">{"".join(parts)}</div>'


class Shown:
    """Base class of answers. Both representations are made from the answer's card."""

    def _card(self) -> Card:
        raise NotImplementedError

    def __repr__(self) -> str:
        return self._card().text()

    def _repr_html_(self) -> str:
        return self._card().html()


def table(columns: Sequence[str], rows: Iterable[Sequence[object]], more: str = "", folded: str = "") -> Table:
    """Makes a table of the first rows. `more`: where to find the remaining rows, if there are any."""
    every = list(rows)
    left = len(every) - MOST_ROWS
    shown = [tuple(map(str, row)) for row in every[:MOST_ROWS]]
    return Table(tuple(columns), shown, more=f"{left} more: {more}" if left > 0 and more else "", folded=folded)


_TABLE = "border-collapse:collapse;margin:.3em 0;border:none"
_CELL = f"padding:.15em .9em .15em 0;border:none;border-bottom:{_LINE};vertical-align:top;background:none"


def _text(text: str) -> str:
    return html.escape(one_line(text))


def _table(table: Table) -> str:
    def row(cells: Sequence[str], kind: str, number: int = -1) -> str:
        made = []
        for i, cell in enumerate(cells):
            weight = "600" if (number, i) in table.bold or kind == "th" else "normal"
            align = "right" if table.is_right(i) else "left"
            made.append(f'<{kind} style="{_CELL};text-align:{align};font-weight:{weight}">{_text(cell)}</{kind}>')
        return f"<tr>{''.join(made)}</tr>"

    body = "".join(row(cells, "td", i) for i, cells in enumerate(table.rows))
    head = row(table.columns, "th")
    made = f'<table style="{_TABLE}"><thead>{head}</thead><tbody>{body}</tbody></table>'
    if table.more:
        made += f'<div style="opacity:.75">{_text(table.more)}</div>'
    return f"<details><summary>{_text(table.folded)}</summary>{made}</details>" if table.folded else made


def _lines(table: Table) -> list[str]:
    columns = list(zip(table.columns, *table.rows, strict=True))
    formats = [f"{'>' if table.is_right(i) else '<'}{max(map(len, column))}" for i, column in enumerate(columns)]
    rows = (table.columns, *table.rows)
    lines = ["  " + "  ".join(map(format, row, formats)) for row in rows]
    return [*lines, *([f"  {table.more}"] if table.more else [])]
