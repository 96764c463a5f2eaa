# SPDX-License-Identifier: BSD-3-Clause
"""Files of strobes for `hypermon capture`: columns time_ns, node, datum as CSV, Parquet or .npy; and of frames."""

from __future__ import annotations

import contextlib
import io
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from hypermon._files import arrow, files, outputs, parquet, scratch
from hypermon._files.columns import by_suffix, csv_error, let_go, mapped, place
from hypermon.errors import UserError, suggestion
from hypermon.monitors.hypermon.capturing import flat_frames

if TYPE_CHECKING:
    import pyarrow as pa

COLUMNS = ("time_ns", "node", "datum")
BLOCK = 1 << 22  # bytes in a piece of a CSV file (chosen)
ROW_GROUP = 1 << 20  # rows; the default of pyarrow


Columns = list[NDArray[Any]]  # arrays in the order of COLUMNS


def pieces(path: Path) -> Iterator[Columns]:
    """Columns time_ns, node and datum of a file, piece by piece; other columns are ignored. Raises a UserError with
    the fault and its place.

    .csv: with a header, a row a line. .parquet: those columns. .npy: a structured array with those fields.
    """
    reader = by_suffix(path, {".csv": _read_csv, ".parquet": _read_parquet, ".npy": _read_npy})
    with files.untrusted_read(files.regular(path), "strobes"):
        yield from reader(path)


def check_frames_path(path: Path) -> None:
    """A UserError if frames cannot be written there for its name."""
    _writer(path)


@contextlib.contextmanager
def frames_written(path: Path) -> Iterator[Callable[[NDArray[np.void]], None]]:
    """Writes a capture's frames piece by piece, as .npy (the array), .parquet or .csv (columns data0, ..., vector,
    timestamp, read_ns). The file is written in full or not at all."""
    writer = _writer(path)
    with files.writing(path) as partial, writer(partial) as write:
        yield write


def _writer(path: Path) -> Callable[..., Any]:
    """Returns the writer for a file's suffix. A device or a pipe without a suffix gets CSV."""
    if path.suffix.lower() not in _WRITERS and outputs.is_stream(path):
        return _csv
    return by_suffix(path, _WRITERS)


def _require(path: Path, names: list[str]) -> None:
    for column in COLUMNS:
        if column not in names:
            hint = suggestion(column, names) if len(names) < 100 else ""
            raise UserError(f"{path}: has no column {column}, but {', '.join(names) or 'none'}{hint}")


def _read_csv(path: Path) -> Iterator[Columns]:
    import pyarrow as pa
    from pyarrow import csv

    read = csv.ReadOptions(use_threads=False, block_size=BLOCK)  # with threads, errors do not name the row
    parse = csv.ParseOptions(ignore_empty_lines=False)
    try:
        with csv.open_csv(path, read, parse, _as_texts()) as file:
            names = file.schema.names
        _require(path, names)
        convert = csv.ConvertOptions(column_types=dict.fromkeys(COLUMNS, pa.int64()), include_columns=list(COLUMNS))
        with csv.open_csv(path, read, parse, convert) as file:
            yield from _columns(path, file)
    except pa.ArrowInvalid as error:
        raise csv_error(path, str(error)) from None


def _as_texts() -> Any:
    """Options with which the header of any file can be read."""
    from pyarrow import csv

    return csv.ConvertOptions(check_utf8=False, strings_can_be_null=True)


def _read_parquet(path: Path) -> Iterator[Columns]:
    _require(path, parquet.names(path))
    yield from _columns(path, parquet.batches(path, list(COLUMNS), longest=0))


def _columns(path: Path, batches: Iterable[pa.RecordBatch]) -> Iterator[Columns]:
    before = 0
    for batch in batches:
        arrays = []
        for name in COLUMNS:
            column = batch.column(name)
            if column.null_count:
                index = before + int(np.flatnonzero(column.is_null().to_numpy(zero_copy_only=False))[0])
                raise UserError(f"{name}: is missing", place(path, index))
            arrays.append(arrow.view(column))
        before += len(batch)
        yield arrays


def _read_npy(path: Path) -> Iterator[Columns]:
    array = mapped(path)
    _require(path, list(array.dtype.names or ()))
    for part in scratch.pieces(len(array)):
        yield [np.ascontiguousarray(array[name][part]) for name in COLUMNS]
        let_go(array)


Write = Callable[[NDArray[np.void]], None]


@contextlib.contextmanager
def _npy(path: Path) -> Iterator[Write]:
    """Writes the bytes that numpy.save writes for all frames at once."""
    written, dtype = 0, np.dtype([])
    with path.open("wb") as file:

        def write(frames: NDArray[np.void]) -> None:
            nonlocal written, dtype
            if not file.tell():
                dtype = frames.dtype
                file.write(_header(0, dtype))
            file.write(np.ascontiguousarray(frames).tobytes())
            written += len(frames)

        yield write
        header = _header(written, dtype)
        if len(header) != len(_header(0, dtype)):
            raise AssertionError("the length of NumPy's header depends on the number of rows")
        file.seek(0)
        file.write(header)


def _header(rows: int, dtype: np.dtype[Any]) -> bytes:
    header = {"descr": np.lib.format.dtype_to_descr(dtype), "fortran_order": False, "shape": (rows,)}
    text = io.BytesIO()
    np.lib.format.write_array_header_1_0(text, header)
    return text.getvalue()


@contextlib.contextmanager
def _parquet(path: Path) -> Iterator[Write]:
    """Writes the bytes that pyarrow writes for a table of all frames."""
    from pyarrow import parquet

    waiting: list[NDArray[np.void]] = []
    with contextlib.ExitStack() as open_:
        writer: Any = None

        def put(frames: NDArray[np.void]) -> None:
            nonlocal writer
            table = _table(frames)
            if writer is None:
                writer = open_.enter_context(parquet.ParquetWriter(path, table.schema))
            writer.write_table(table, ROW_GROUP)

        def write(frames: NDArray[np.void]) -> None:
            waiting.append(frames)
            while sum(map(len, waiting)) >= ROW_GROUP:
                together = np.concatenate(waiting)
                put(together[:ROW_GROUP])
                waiting[:] = [together[ROW_GROUP:]]

        yield write
        rest = np.concatenate(waiting)
        if len(rest) or writer is None:
            put(rest)


@contextlib.contextmanager
def _csv(path: Path) -> Iterator[Write]:
    from pyarrow import csv

    with contextlib.ExitStack() as open_:
        writer: Any = None

        def write(frames: NDArray[np.void]) -> None:
            nonlocal writer
            table = _table(frames)
            if writer is None:
                writer = open_.enter_context(csv.CSVWriter(path, table.schema))
            writer.write_table(table)  # only numbers, under hypermon's own names: no need for _files.csvfile

        yield write


def _table(frames: NDArray[np.void]) -> pa.Table:
    import pyarrow as pa

    return pa.table({name: arrow.numbers(column) for name, column in flat_frames(frames).items()})


_WRITERS: dict[str, Callable[[Path], Any]] = {".npy": _npy, ".parquet": _parquet, ".csv": _csv}
