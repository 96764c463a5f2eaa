# SPDX-License-Identifier: BSD-3-Clause
"""Files of strobes for `hypermon capture`: columns time_ns, node, datum as CSV, Parquet or .npy; and of frames."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from hypermon._files import arrow, files, outputs, parquet
from hypermon._files.columns import by_suffix, csv_error, mapped, place
from hypermon.errors import UserError, suggestion
from hypermon.monitors.hypermon.capturing import flat_frames

if TYPE_CHECKING:
    import pyarrow as pa

COLUMNS = ("time_ns", "node", "datum")


@dataclass(frozen=True)
class Strobes:
    """A file's columns, as they stand there."""

    path: Path
    time_ns: NDArray[Any]
    node: NDArray[Any]
    datum: NDArray[Any]

    def place(self, index: int) -> str:
        """Where strobe `index` stands: its line in a CSV file, after the header; else its row."""
        return place(self.path, index)


def read(path: Path) -> Strobes:
    """Columns time_ns, node and datum of a file; others are ignored. A UserError says what is wrong with it, and where.

    .csv: with a header, a row a line. .parquet: those columns. .npy: a structured array with those fields.
    """
    reader = by_suffix(path, {".csv": _read_csv, ".parquet": _read_parquet, ".npy": _read_npy})
    with files.understood(files.regular(path), "strobes"):
        columns = reader(path)
    return Strobes(path, *columns)


def check_frames_path(path: Path) -> None:
    """A UserError if frames cannot be written there for its name."""
    _writer(path)


def write_frames(path: Path, frames: NDArray[np.void]) -> None:
    """A capture's frames as .npy (the array), .parquet or .csv (columns data0, ..., vector, timestamp, read_ns)."""
    writer = _writer(path)
    with files.writing(path) as partial:
        writer(partial, frames)


def _writer(path: Path) -> Callable[..., Any]:
    """A device or a pipe whose name does not say it gets CSV."""
    if path.suffix.lower() not in _WRITERS and outputs.is_stream(path):
        return _write_csv
    return by_suffix(path, _WRITERS)


def _require(path: Path, names: list[str]) -> None:
    for column in COLUMNS:
        if column not in names:
            hint = suggestion(column, names) if len(names) < 100 else ""
            raise UserError(f"{path}: has no column {column}, but {', '.join(names) or 'none'}{hint}")


def _read_csv(path: Path) -> list[NDArray[Any]]:
    import pyarrow as pa
    from pyarrow import csv

    try:
        table = csv.read_csv(
            path,
            csv.ReadOptions(use_threads=False),  # else errors do not say which row
            csv.ParseOptions(ignore_empty_lines=False),
            csv.ConvertOptions(column_types=dict.fromkeys(COLUMNS, pa.int64())),
        )
    except pa.ArrowInvalid as error:
        raise csv_error(path, str(error)) from None
    return _columns(path, table)


def _read_parquet(path: Path) -> list[NDArray[Any]]:
    import pyarrow as pa

    _require(path, parquet.names(path))
    batches = list(parquet.batches(path, list(COLUMNS), longest=0))
    return _columns(path, pa.Table.from_batches(batches)) if batches else [np.empty(0, np.int64) for _ in COLUMNS]


def _columns(path: Path, table: pa.Table) -> list[NDArray[Any]]:
    _require(path, table.column_names)
    arrays = []
    for name in COLUMNS:
        column = table[name]
        if column.null_count:
            index = int(np.flatnonzero(column.is_null().to_numpy())[0])
            raise UserError(f"{name}: is missing", place(path, index))
        arrays.append(arrow.view(column))
    return arrays


def _read_npy(path: Path) -> list[NDArray[Any]]:
    array = mapped(path)
    _require(path, list(array.dtype.names or ()))
    return [array[name] for name in COLUMNS]


def _write_npy(path: Path, frames: NDArray[np.void]) -> None:
    with path.open("wb") as file:
        np.save(file, frames)


def _write_parquet(path: Path, frames: NDArray[np.void]) -> None:
    from pyarrow import parquet

    parquet.write_table(_table(frames), path)


def _write_csv(path: Path, frames: NDArray[np.void]) -> None:
    from pyarrow import csv

    csv.write_csv(_table(frames), path)  # numbers under names of ours: nothing for _files.csvfile


def _table(frames: NDArray[np.void]) -> pa.Table:
    import pyarrow as pa

    return pa.table({name: arrow.numbers(column) for name, column in flat_frames(frames).items()})


_WRITERS: dict[str, Callable[..., Any]] = {".npy": _write_npy, ".parquet": _write_parquet, ".csv": _write_csv}
