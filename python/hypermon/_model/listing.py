# SPDX-License-Identifier: BSD-3-Clause
"""Catalogues: lists of entries that are displayed as a table."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from hypermon._model.cards import Card, Shown, table

if TYPE_CHECKING:
    import pandas as pd

T = TypeVar("T", bound=NamedTuple)
WIDEST = 80  # (chosen) largest number of characters of a cell at a prompt


class Catalogue(Shown, list[T]):
    """A list of entries; `to_pandas()` makes a table of them."""

    def __init__(self, what: str, entries: Iterable[T], columns: Sequence[str]) -> None:
        super().__init__(entries)
        self._what, self._columns = what, tuple(columns)

    def to_pandas(self) -> pd.DataFrame:
        """Returns a row for each entry. The columns have the names of its fields."""
        import pandas as pd

        return pd.DataFrame([entry._asdict() for entry in self])

    def _card(self) -> Card:
        rows = [[_short(str(getattr(entry, column))) for column in self._columns] for entry in self]
        return Card(f"{len(self)} {self._what}", tables=[table(self._columns, rows, more="to_pandas()")])


def _short(text: str) -> str:
    return text if len(text) <= WIDEST else f"{text[: WIDEST - 3]}..."
