# SPDX-License-Identifier: BSD-3-Clause
"""Samples: counter values that a monitor read on the nodes and that reached the analyst.

They are in one Arrow IPC file in the run directory, with a row for each sample, in order of arrival.
docs/reference/samples.md describes the columns.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hypermon._files import files, sums
from hypermon.errors import DamagedError, UserError

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd
    import pyarrow as pa
    from numpy.typing import NDArray

FILE = "samples.arrow"
VERSION = "1"
ROWS = "samples.npy"  # the worker's files: the samples and the description of the counters
COUNTERS = "samples.json"
ROWS_PER_BATCH = 65536
COLUMNS = {  # unit and description of the file's columns
    "true_ps": ("ps", "True time at which the sample was taken."),
    "stamped_ps": ("ps", "Time of the sample in the monitor's data."),
    "arrival_ps": ("ps", "True time at which an analyst could see the sample."),
    "node": ("", "Node whose counter was sampled."),
    "counter": ("", "Name of the counter; `hypermon counters` describes it."),
    "part": ("", "Number of the process, processor or interface in the node."),
    "item": (
        "",
        "Item of the counter: MPI function, size class, user counter or routine; empty: the counter has no items.",
    ),
    "value": ("the counter's", "Value of the sample."),
    "unit": ("", "Unit of the value."),
}


class Samples:
    """The samples of a run that reached an analyst.

    Example:
        >>> frame = hypermon.Result(Path(".../run")).samples.to_pandas()  # doctest: +SKIP
    """

    def __init__(self, folder: Path, again: str = "run again", why_none: str = "") -> None:
        """Opens the file of a run directory.

        Args:
            folder: The run directory.
            again: Advice for error messages: how to repeat the run.
            why_none: Reason for error messages, in case there are no samples.

        Raises:
            UserError: The run has no samples, or the file is not hypermon's.
            DamagedError: The file's checksum is wrong.
        """
        import pyarrow as pa

        from hypermon._files import arrow

        path = folder / FILE
        if not sums.has_file(folder, FILE, again):
            raise UserError(f"{folder}: has no samples: {why_none or 'its monitor takes none'}")
        sums.verify(folder, FILE, again)
        try:
            with pa.memory_map(str(files.regular(path))) as source:
                table_file = arrow.open_file(source)
                self._table = pa.Table.from_batches(
                    [table_file.get_batch(i) for i in range(table_file.num_record_batches)], table_file.schema
                )
            self._table.validate(full=True)
        except (pa.ArrowException, ValueError, MemoryError, OverflowError, OSError) as error:
            reason = " ".join(str(error).split())[:200]
            raise DamagedError(f"{path}: is not a file of samples, or is damaged: {reason}; {again}") from None
        metadata = self._table.schema.metadata or {}
        if metadata.get(b"hypermon.samples") != VERSION.encode() or self._table.schema.names != list(COLUMNS):
            raise UserError(f"{path}: is an Arrow file, but no samples of this hypermon; {again}")

    def __len__(self) -> int:
        return int(self._table.num_rows)

    def to_arrow(self) -> pa.Table:
        """Returns all columns, each with `unit` and `description` in its metadata."""
        return self._table

    def to_pandas(self) -> pd.DataFrame:
        """Returns a row for each sample. `attrs["units"]` has the columns' units."""
        frame: pd.DataFrame = self._table.to_pandas()
        frame.attrs["units"] = {name: unit for name, (unit, _) in COLUMNS.items()}
        return frame

    def __repr__(self) -> str:
        return f"<Samples, {len(self)} of them>"


def assemble(folder: Path) -> None:
    """Makes the file from the worker's output in a run directory, if there is any."""
    rows, counters = folder / ROWS, folder / COUNTERS
    if not rows.is_file():
        return
    import pyarrow as pa

    found = json.loads(counters.read_text(encoding="utf-8"))["counters"]
    names = {int(c["number"]): c for c in found}
    items, places = _numbered(names)
    with (
        files.naming(folder / FILE),
        pa.OSFile(str(folder / FILE), "wb") as file,
        pa.ipc.new_file(file, _schema(found)) as writer,
    ):
        for array in chunks(rows, ROWS_PER_BATCH):
            writer.write_batch(_batch(array, found, items, places))
    rows.unlink()
    counters.unlink()


def chunks(rows: Path, size: int, begin: int = 0, end: int | None = None) -> Iterator[NDArray[np.void]]:
    """Reads the worker's rows from `begin` up to `end`, or up to the last one, in parts of `size` rows."""
    import numpy as np

    with rows.open("rb") as file:
        np.lib.format.read_magic(file)
        _, _, row = np.lib.format.read_array_header_1_0(file)
        file.seek(begin * row.itemsize, 1)
        while end is None or begin < end:
            array = np.fromfile(file, row, size if end is None else min(size, end - begin))
            if not len(array):
                return
            begin += len(array)
            yield array


def _numbered(counters: Mapping[int, Mapping[str, Any]]) -> tuple[list[str], dict[int, NDArray[np.int32]]]:
    """Returns the distinct names of all items, and for each counter the indices of its items among them.

    A counter without items has a single item with an empty name.
    """
    import numpy as np

    names = {"": 0}
    for counter in counters.values():
        for item in counter["items"]:
            names.setdefault(item, len(names))
    places = {n: np.array([names[item] for item in c["items"]] or [0], np.int32) for n, c in counters.items()}
    return list(names), places


def _schema(counters: Sequence[Mapping[str, Any]]) -> pa.Schema:
    import pyarrow as pa

    words = pa.dictionary(pa.int32(), pa.string())
    types = {"node": pa.uint32(), "part": pa.uint32(), "counter": words, "item": words, "unit": words}
    fields = [
        pa.field(name, types.get(name, pa.int64()), False, {"unit": unit, "description": text})
        for name, (unit, text) in COLUMNS.items()
    ]
    shown = [{key: value for key, value in counter.items() if key != "items"} for counter in counters]
    return pa.schema(fields, {"hypermon.samples": VERSION, "counters": json.dumps(shown)})


def _batch(
    rows: NDArray[np.void],
    counters: Sequence[Mapping[str, Any]],
    items: Sequence[str],
    places: Mapping[int, NDArray[np.int32]],
) -> pa.RecordBatch:
    import numpy as np
    import pyarrow as pa

    from hypermon._files import arrow

    number = np.asarray(rows["counter"])
    order = np.full(max(places) + 1, 0, np.int32)
    order[[c["number"] for c in counters]] = np.arange(len(counters), dtype=np.int32)
    item = np.zeros(len(rows), np.int32)
    for counter, place in places.items():
        of = number == counter
        item[of] = place[np.asarray(rows["item"])[of]] if len(place) > 1 else place[0]
    units = list(dict.fromkeys(c["unit"] for c in counters))  # distinct, because pandas refuses duplicate categories
    unit = np.array([units.index(c["unit"]) for c in counters], np.int32)
    words = {
        "counter": (order[number], [c["name"] for c in counters]),
        "item": (item, list(items)),
        "unit": (unit[order[number]], units),
    }
    schema = _schema(counters)
    columns = [
        pa.DictionaryArray.from_arrays(arrow.numbers(words[name][0]), arrow.texts(words[name][1]))
        if name in words
        else arrow.numbers(rows[name])
        for name in schema.names
    ]
    return pa.record_batch(columns, schema=schema)
