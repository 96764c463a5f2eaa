# SPDX-License-Identifier: BSD-3-Clause
"""Tables and paragraphs of the studies' pages."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Sequence


def table(columns: Sequence[str], rows: Iterable[Sequence[object]], right: int = 0) -> str:
    """Formats a table as Markdown. The columns from `right` on have numbers."""
    rule = ["---" if i < right else "--:" for i in range(len(columns))]
    return "\n".join("| " + " | ".join(str(cell) for cell in line) + " |" for line in (columns, rule, *rows))


def wrapped(text: str) -> str:
    """A paragraph in lines of 118 characters."""
    return textwrap.fill(text, 118, break_long_words=False, break_on_hyphens=False)
