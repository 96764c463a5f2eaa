# SPDX-License-Identifier: BSD-3-Clause
"""Tables of the studies' pages."""

from __future__ import annotations

from collections.abc import Iterable, Sequence


def table(columns: Sequence[str], rows: Iterable[Sequence[object]], right: int = 0) -> str:
    """Markdown; the columns from `right` on hold numbers."""
    rule = ["---" if i < right else "--:" for i in range(len(columns))]
    return "\n".join("| " + " | ".join(str(cell) for cell in line) + " |" for line in (columns, rule, *rows))
