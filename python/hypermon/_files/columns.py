# SPDX-License-Identifier: BSD-3-Clause
"""Common parts of the readers of tables in .csv, .parquet or .npy files."""

from __future__ import annotations

import mmap
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hypermon.errors import UserError, suggestion


def by_suffix(path: Path, kinds: dict[str, Callable[..., Any]]) -> Callable[..., Any]:
    if path.suffix.lower() not in kinds:
        raise UserError(f"{path}: must end in {', '.join(kinds)}{suggestion(path.suffix, kinds)}")
    return kinds[path.suffix.lower()]


def place(path: Path, index: int) -> str:
    return f"{path}, line {index + 2}" if path.suffix.lower() == ".csv" else f"{path}, row {index}"


def csv_error(path: Path, message: str) -> UserError:
    """Turns Arrow's message about a CSV file into a UserError.

    Arrow's row numbers equal line numbers: the header is row 1. Its column numbers begin with 0.
    """
    line = re.search(r"Row #(\d+)", message)
    where = f"{path}, line {line[1]}" if line else str(path)
    column = re.search(r"column #(\d+)", message)
    value = re.search(r"invalid value '(.*)'", message, re.DOTALL)
    if column and value:
        name = _header(path)[int(column[1])]
        kind = "a whole number" if "to int64" in message else "a number"
        return UserError(f"{name} = {value[1]}: must be {kind}", where)
    return UserError(f"cannot be read as CSV: {message}", where)


def _header(path: Path) -> list[str]:
    from pyarrow import csv

    with csv.open_csv(path) as opened:
        return list(opened.schema.names)


def let_go(array: NDArray[Any]) -> None:
    """Releases the pages of a `mapped` file that were read. A later access reads them again."""
    base = array.base
    if isinstance(base, mmap.mmap):
        base.madvise(mmap.MADV_DONTNEED)


def mapped(path: Path) -> NDArray[Any]:
    """Maps the array in a .npy file."""
    try:
        array = np.load(path, mmap_mode="r", allow_pickle=False)
    except OSError:
        raise
    except Exception:  # the parser of the header may raise anything
        array = None
    if not isinstance(array, np.ndarray):  # an archive of several arrays
        raise UserError(f"{path}: is not a .npy file, holds objects, or is truncated")
    return array
