# SPDX-License-Identifier: BSD-3-Clause
"""CSV files. The writer prevents spreadsheets from taking a text for a formula.

A text that begins like a formula and is not a number gets an apostrophe in front. `rows_of` removes it again.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator
from typing import IO, TYPE_CHECKING, Any

from hypermon._printing import escaped
from hypermon.errors import UserError

if TYPE_CHECKING:
    import pandas as pd

_FORMULA = re.compile("'*[=+\\-@\t\r\n\uff1d\uff0b\uff0d\uff20]")  # last four: full-width forms, which Excel accepts
_ONE = r"[-+]?(?:(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?|inf|nan)"
_NUMBER = re.compile(f"-|{_ONE}(?: to {_ONE})?", re.ASCII)  # `-`: a missing value


def cell(value: object) -> object:
    """Returns a value as it is written. Texts get no control characters and are protected from being formulas."""
    if not isinstance(value, str):
        return value
    text = escaped(value)
    return f"'{text}" if _FORMULA.match(text) and not _NUMBER.fullmatch(text) else text


def write_rows(file: IO[str], rows: Iterable[Iterable[object]]) -> None:
    """Writes rows to an open file of text."""
    csv.writer(file, lineterminator="\n").writerows([cell(value) for value in row] for row in rows)


def text(rows: Iterable[Iterable[object]]) -> str:
    """Returns the rows as the text of a file."""
    out = io.StringIO()
    write_rows(out, rows)
    return out.getvalue()


def rows_of(written: str, name: str) -> Iterator[tuple[int, list[str]]]:
    """Yields the rows of a file that `text` wrote, each with the number of its last line.

    Raises a UserError with `name:line` if the text is no CSV.
    """
    lines = csv.reader(io.StringIO(written, newline=""), strict=True)
    try:
        for row in lines:
            yield lines.line_num, [each[1:] if each[:1] == "'" and _FORMULA.match(each) else each for each in row]
    except csv.Error as error:
        raise UserError(str(error), f"{name}:{lines.line_num or 1}") from None


def write_frame(frame: pd.DataFrame, file: Any, *, header: bool = True, float_format: str | None = None) -> None:
    """Writes a table without its index to a path or an open file."""
    safe = frame.set_axis([cell(name) for name in frame.columns], axis=1)
    for at, kind in enumerate(frame.dtypes):
        if kind.kind not in "biuf":
            known = {each: cell(each) for each in frame.iloc[:, at].unique() if isinstance(each, str)}
            changed = {before: after for before, after in known.items() if before != after}
            if changed:
                safe.isetitem(at, [changed.get(each, each) for each in frame.iloc[:, at]])
    safe.to_csv(file, index=False, header=header, lineterminator="\n", float_format=float_format)
