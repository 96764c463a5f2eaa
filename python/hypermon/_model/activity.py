# SPDX-License-Identifier: BSD-3-Clause
"""The ground truth of a run, known only to the simulator: the times when each rank computed, and the fate of events.

It consists of two Arrow IPC files in the run directory, written on request (`hypermon run --activity`).
docs/design/truth.md defines computing, docs/reference/activity.md describes the columns.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from hypermon._files import files, sums
from hypermon._model.samples import chunks
from hypermon.errors import DamagedError, UserError

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa
    from numpy.typing import NDArray

FILE = "activity.arrow"
EVENTS = "events.arrow"
VERSION = "1"
PIECES = 1 << 22
"""(chosen) Largest number of intervals, of all ranks, that are kept exactly. They take 64 MB of the worker's memory."""
STATES = ("computing", "monitor")
ROWS_PER_BATCH = 65536
PICTURE = "picture"
AGES = ("p50", "p99", "max")
"""Quantiles of the latency of data that arrive while the program runs. In each case all data have this latency."""
ACTUAL = "actual"
"""The case in which each datum has its own latency."""
_ERRORS = {
    "error_percent": ("%", "Share of all node-time in which the monitor reports the wrong state: computing or not."),
    "error_s": ("s", "Time by which the monitor's report misplaces a second of computing, on average."),
    "hole_percent": ("%", "Share of all node-time for which the monitor reports no state."),
    "guess_percent": ("%", "Value of picture.error_percent for a guess that knows only the total computing time."),
    "guess_s": ("s", "Value of picture.error_s for a guess that knows only the total computing time."),
    "computing_percent": ("%", "True share of all ranks' time in which they computed."),
}
_LATENCIES = {"p50": "its median latency", "p99": "its 99th percentile of latency", "max": "its largest latency"}


def _live(age: str) -> dict[str, tuple[str, str]]:
    """Returns unit and description of the metrics of the report that a user sees while the program runs."""
    late = "each with its own latency" if age == ACTUAL else f"all with {_LATENCIES[age]}"
    latency = "Mean latency" if age == ACTUAL else _LATENCIES[age].removeprefix("its ").capitalize()
    return {
        "age_s": ("s", f"{latency} of the data that arrive while the program runs."),
        "error_percent": ("%", f"Value of picture.error_percent while the program runs, if data arrive {late}."),
        "error_s": ("s", f"Value of picture.error_s while the program runs, if data arrive {late}."),
    }


METRICS: tuple[Mapping[str, str], ...] = tuple(
    {"path": f"{PICTURE}.{name}", "unit": unit, "description": text}
    for name, (unit, text) in [
        *_ERRORS.items(),
        *((f"live.{age}.{name}", about) for age in (*AGES, ACTUAL) for name, about in _live(age).items()),
    ]
)
"""Metrics of sweeps and trade-offs that need a comparison of the run with the truth (hypermon.judging)."""
COLUMNS = {  # unit and description of the columns of FILE
    "rank": ("", "Rank that computed."),
    "state": (
        "",
        "Code that the rank's processor ran. `computing`: the program's own; `monitor`: a monitor's instead.",
    ),
    "begin_ps": ("ps", "Beginning of the interval."),
    "end_ps": ("ps", "End of the interval."),
    "time_ps": ("ps", "Time in the state within the interval: all of it, unless the file is on a grid."),
}
EVENT_COLUMNS = {  # unit and description of the columns of EVENTS
    "node": ("", "Node that emitted the event."),
    "point": ("", "Point at which the event was emitted (`hypermon events --points`)."),
    "true_ps": ("ps", "True time at which the node began to emit the event."),
    "stamped_ps": ("ps", "Timestamp of the event in the monitor's data; missing: the event was lost."),
    "arrival_ps": (
        "ps",
        "True time at which the analyst had the event; missing: it was lost, or stayed in the node until the end.",
    ),
}


class RankSpan(NamedTuple):
    """A rank of the monitored program. Times are in ps.

    Attributes:
        node: The rank's node.
        begin_ps, end_ps: The measured section.
        program_ps, monitor_ps, system_ps: CPU time within the section for the program's own code, for a monitor, and
            for MPI and the operating system. The sum is the result's `ranks[].compute_s`.
    """

    node: int
    begin_ps: int
    end_ps: int
    program_ps: int
    monitor_ps: int
    system_ps: int


class Activity:
    """The times when the ranks of a run computed.

    Example:
        >>> activity = Activity(Path("runs/place8"))  # doctest: +SKIP
        >>> activity.of_node(0)  # doctest: +SKIP
    """

    def __init__(self, folder: str | os.PathLike[str], again: str = "run again with --activity") -> None:
        """Opens the file of a run directory.

        Args:
            folder: The run directory.
            again: Advice for error messages: how to make the file.

        Raises:
            UserError: The run has no such file, or the file is not hypermon's.
            DamagedError: The file's checksum is wrong.
        """
        folder = Path(folder)
        table = _opened(folder, FILE, COLUMNS, "does not say when its ranks computed", again)
        about = _about(folder / FILE, table, again)
        try:
            self.nodes, self.step_ps = int(about["nodes"]), int(about["step_ps"])
            self.ranks = tuple(RankSpan(**{name: int(rank[name]) for name in _RANK}) for rank in about["ranks"])
            program_end = int(about["end_ps"])
        except (KeyError, TypeError, ValueError):
            raise DamagedError(f"{folder / FILE}: is damaged; {again}") from None
        self._table = table
        self.begin_ps = min((rank.begin_ps for rank in self.ranks), default=0)
        self.end_ps = max((rank.end_ps for rank in self.ranks), default=program_end)
        if wrong := self._wrong():
            raise DamagedError(f"{folder / FILE}: is damaged: {wrong}; {again}")

    def _wrong(self) -> str:
        """Returns an impossible property of the data, for the message. Empty: the data are plausible."""
        if not 0 <= self.nodes < 1 << 32 or any(not 0 <= rank.node < self.nodes for rank in self.ranks):
            return "a node that there is not"
        times = [time for rank in self.ranks for time in (rank.begin_ps, rank.end_ps)]
        if any(not 0 <= time < 1 << 63 for time in (*times, self.step_ps, self.end_ps)):
            return "a time that cannot be"
        number, begin, end, time = (self._column(name) for name in ("rank", "begin_ps", "end_ps", "time_ps"))
        if not len(number):
            return ""
        if not int(number.max()) < len(self.ranks) or int(self._states.min()) < 0:
            return "a rank or a state that there is not"
        if int(begin.min()) < 0 or bool((end <= begin).any()) or bool((time <= 0).any() or (time > end - begin).any()):
            return "a piece of time that cannot be"
        return ""

    def to_arrow(self) -> pa.Table:
        """Returns all columns, each with `unit` and `description` in its metadata."""
        return self._table

    def ranks_of(self, node: int) -> int:
        """Returns the number of ranks on the node."""
        return self._per_node[node]

    def of_node(
        self, node: int, state: str = "computing"
    ) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
        """Returns the intervals of the node's ranks, rank after rank: begin, end and time in the state, ps."""
        begin, end = self._places[state][node]
        return tuple(column[begin:end] for column in self._sorted[state][:3])  # type: ignore[return-value]

    def sections_of(self, node: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Returns begin and end, ps, of the measured sections of the node's ranks. Empty sections are left out."""
        import numpy as np

        of = [(rank.begin_ps, rank.end_ps) for rank in self.ranks if rank.node == node and rank.begin_ps < rank.end_ps]
        begin, end = np.array(of, np.int64).reshape(-1, 2).T
        return begin, end

    def in_sections(self, node: int) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]:
        """Like `of_node`, but cut to each rank's measured section."""
        import numpy as np

        first, last = self._places["computing"][node]
        begin, end, time, rank = (column[first:last] for column in self._sorted["computing"])
        spans = np.array([(span.begin_ps, span.end_ps) for span in self.ranks], np.int64).reshape(-1, 2)
        low, high = np.clip(begin, *spans[rank].T), np.clip(end, *spans[rank].T)
        # An interval of a grid is cut in proportion. An interval that is computing throughout stays exact.
        inside = np.where(time == end - begin, high - low, time * ((high - low) / (end - begin)))
        kept = high > low
        return low[kept], high[kept], inside[kept]

    def of_rank(self, rank: int, state: str = "computing") -> int:
        """Returns the total time of the rank in the state, ps."""
        import numpy as np

        own = (self._column("rank") == rank) & (self._states == STATES.index(state))
        return int(self._column("time_ps")[own].sum(dtype=np.int64))

    def _column(self, name: str) -> NDArray[np.int64]:
        import numpy as np

        from hypermon._files import arrow

        return arrow.view(self._table[name]).astype(np.int64, copy=False)

    @cached_property
    def _states(self) -> NDArray[np.int64]:
        import numpy as np

        from hypermon._files import arrow

        column = self._table["state"].combine_chunks()
        words = [str(word) for word in column.dictionary.to_pylist()]
        known = np.array([STATES.index(word) if word in STATES else -1 for word in words], np.int64)
        codes = arrow.view(column.indices)
        return known[codes] if len(known) else np.zeros(0, np.int64)

    @cached_property
    def _per_node(self) -> list[int]:
        counts = [0] * self.nodes
        for rank in self.ranks:
            counts[rank.node] += 1
        return counts

    @cached_property
    def _node_of_row(self) -> NDArray[np.int64]:
        import numpy as np

        if not self.ranks:
            return np.zeros(0, np.int64)
        return np.array([rank.node for rank in self.ranks], np.int64)[self._column("rank")]

    @cached_property
    def _sorted(self) -> Mapping[str, tuple[NDArray[np.int64], ...]]:
        import numpy as np

        found = {}
        for number, state in enumerate(STATES):
            own = np.flatnonzero(self._states == number)
            order = own[np.argsort(self._node_of_row[own], kind="stable")]
            found[state] = tuple(self._column(name)[order] for name in ("begin_ps", "end_ps", "time_ps", "rank"))
        return found

    @cached_property
    def _places(self) -> Mapping[str, list[tuple[int, int]]]:
        import numpy as np

        found = {}
        for number, state in enumerate(STATES):
            counts = np.bincount(self._node_of_row[self._states == number], minlength=self.nodes)
            ends = np.cumsum(counts)
            found[state] = list(zip((ends - counts).tolist(), ends.tolist(), strict=True))
        return found


MISSING = ("stamped_ps", "arrival_ps")
"""Columns in which values may be missing."""
_RANK = ("node", "begin_ps", "end_ps", "program_ps", "monitor_ps", "system_ps")


def events(folder: Path, again: str = "run again with --activity") -> pa.Table:
    """Returns the fate of the events that begin or end states, with the columns EVENT_COLUMNS.

    Raises:
        UserError: The run has no such file, or the file is not hypermon's.
        DamagedError: The file's checksum is wrong.
    """
    return _opened(folder, EVENTS, EVENT_COLUMNS, "has no events of a monitor", again)


def assemble(folder: Path) -> None:
    """Makes the files from the worker's output in a run directory, if there is any."""
    if (folder / "activity.npy").is_file():
        about = json.loads((folder / "activity.json").read_text(encoding="utf-8"))
        _convert(folder, "activity", FILE, COLUMNS, {"state": STATES}, about)
    if (folder / "events.npy").is_file():
        points = json.loads((folder / "events.json").read_text(encoding="utf-8"))["points"]
        _convert(folder, "events", EVENTS, EVENT_COLUMNS, {"point": points}, {})


def _convert(
    folder: Path,
    name: str,
    file: str,
    columns: Mapping[str, tuple[str, str]],
    words: Mapping[str, Any],
    about: Mapping[str, Any],
) -> None:
    import numpy as np
    import pyarrow as pa

    from hypermon._files import arrow

    schema = _schema(columns).with_metadata({f"hypermon.{name}": VERSION, "about": json.dumps(about)})
    column_of = {"point": "type"}

    def batch(rows: NDArray[np.void]) -> pa.RecordBatch:
        arrays = []
        for column in schema.names:
            values = rows[column_of.get(column, column)]
            if column in words:
                codes, dictionary = arrow.numbers(values.astype(np.int32)), arrow.texts(words[column])
                arrays.append(pa.DictionaryArray.from_arrays(codes, dictionary))
            else:
                missing = values == -1 if column in MISSING else None
                arrays.append(arrow.numbers(values, missing))
        return pa.record_batch(arrays, schema=schema)

    rows = folder / f"{name}.npy"
    with (
        files.naming(folder / file),
        pa.OSFile(str(folder / file), "wb") as out,
        pa.ipc.new_file(out, schema) as writer,
    ):
        for array in _all(rows):
            writer.write_batch(batch(array))
    rows.unlink()
    (folder / f"{name}.json").unlink()


def _schema(columns: Mapping[str, tuple[str, str]]) -> pa.Schema:
    import pyarrow as pa

    text = pa.dictionary(pa.int32(), pa.string())
    types = {"rank": pa.uint32(), "node": pa.uint32(), "state": text, "point": text}
    return pa.schema(
        [
            pa.field(column, types.get(column, pa.int64()), metadata={"unit": unit, "description": description})
            for column, (unit, description) in columns.items()
        ]
    )


def _all(rows: Path) -> Iterator[NDArray[np.void]]:
    yield from chunks(rows, ROWS_PER_BATCH)


def _opened(folder: Path, file: str, columns: Mapping[str, tuple[str, str]], without: str, again: str) -> pa.Table:
    import pyarrow as pa

    from hypermon._files import arrow

    path = folder / file
    if not sums.has_file(folder, file, again):
        raise UserError(f"{folder}: {without}; {again}")
    sums.verify(folder, file, again)
    try:
        with pa.memory_map(str(files.regular(path))) as source:
            opened = arrow.open_file(source)
            table = pa.Table.from_batches(
                [opened.get_batch(i) for i in range(opened.num_record_batches)], opened.schema
            )
        table.validate(full=True)
    except (pa.ArrowException, ValueError, MemoryError, OverflowError, OSError) as error:
        reason = " ".join(str(error).split())[:200]
        raise DamagedError(f"{path}: is not a file of this kind, or is damaged: {reason}; {again}") from None
    key = f"hypermon.{file.partition('.')[0]}".encode()
    if (table.schema.metadata or {}).get(key) != VERSION.encode() or table.schema.names != list(columns):
        raise UserError(f"{path}: is an Arrow file, but not of this hypermon; {again}")
    if table.schema.types != _schema(columns).types:
        raise DamagedError(f"{path}: is damaged: other types of columns; {again}")
    if any(table[name].null_count for name in columns if name not in MISSING):
        raise DamagedError(f"{path}: is damaged: missing values; {again}")
    return table


def _about(path: Path, table: pa.Table, again: str) -> dict[str, Any]:
    try:
        about = json.loads(table.schema.metadata[b"about"])
    except (KeyError, ValueError):
        about = None
    if not isinstance(about, dict) or not isinstance(about.get("ranks"), list):
        raise DamagedError(f"{path}: is damaged; {again}")
    return about
