# SPDX-License-Identifier: BSD-3-Clause
"""A finished run: its result and its run directory."""

from __future__ import annotations

import contextlib
import importlib
import json
import os
import re
from collections.abc import Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hypermon._files import sums
from hypermon._model.cards import Shown
from hypermon._model.schema import flat
from hypermon.errors import UserError, suggestion

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa
    import xarray as xr

    from hypermon._model.cards import Card
    from hypermon._model.result_types import Keys
    from hypermon._model.samples import Samples
else:
    Keys = Mapping  # the real class has hundreds of types, which only type checkers need

RESULT = "result.json"
HOST = "host.json"
BURSTS = "bursts.csv"
RECORDING = "recording.arrow"
COLUMNS_FOLDER = "recording"  # the worker's NumPy files, from which the recording is made
_OUTPUT = re.compile(r"stdout/rank([0-9]+)\.txt")
TOO_FEW = "too few samples"  # begin of a warning of the worker
AGAIN = "run again"  # advice about a damaged result


def is_number(value: Any) -> bool:
    """Is a value of a result a number, and not a text or a truth value?"""
    return isinstance(value, int | float) and not isinstance(value, bool)


def show(value: Any) -> str:
    """Formats a value of a result for a table."""
    if isinstance(value, bool) or value is None:
        return {True: "true", False: "false", None: "null"}[value]
    if isinstance(value, float):
        return f"{value:.6g}" if abs(value) < 1e5 else f"{value:.0f}"
    return str(value)


def parsed(path: Path, text: str) -> dict[str, Any]:
    """Parses the JSON object in a file. Raises a UserError if it is none."""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise UserError(f"{path}: is damaged, or no JSON: {str(error)[:200]}") from None
    if not isinstance(data, dict):
        raise UserError(f"{path}: must hold a JSON object, not {type(data).__name__}")
    return data


class Result(Shown, Keys):
    """The result of a run as a mapping. Top-level keys are attributes, too: `r.elapsed_s`, `r["ledger"]`.

    `hypermon params result` describes the keys. A result is read when it is opened, and does not change when its run
    directory does. Results can be copied and pickled.
    """

    def __init__(self, path: str | os.PathLike[str] | None, text: str | None = None) -> None:
        """Opens a result.

        Args:
            path: The run directory. None: the result is in memory only.
            text: The text of the result, if it is in memory only.

        Raises:
            UserError: There is no run directory.
            DamagedError: The checksum of its result is wrong.
        """
        self._path = None if path is None else Path(path)
        self._home = None if path is None else Path(path).absolute()
        self._sums = None if self._home is None else sums.text(self._home)
        self._text = (text or "") if self._path is None else _read(self._path, self._sums)
        self._host = ""
        if self._home is not None:
            with contextlib.suppress(OSError):
                self._host = (self._home / HOST).read_text(encoding="utf-8", errors="replace")

    @property
    def is_saved(self) -> bool:
        """Whether the result has a run directory."""
        return self._path is not None

    @property
    def path(self) -> Path:
        """The run directory."""
        if self._path is None:
            raise UserError("the result of a replay without `out` is in memory only: it has no run directory")
        return self._path

    @property
    def folder(self) -> Path:
        """The run directory, to read its other files. Raises a UserError if it is gone or holds another run by now."""
        path = self.path if self.path.absolute() == self._home else self._home
        assert path is not None
        if not path.is_dir():
            raise UserError(f"{path}: the run directory is gone: only the result itself is known; {AGAIN}")
        now = sums.text(path)
        if now != self._sums or (now is None and _read(path, None) != self._text):
            raise UserError(f"{path}: the run directory holds another run by now; open it again, or {AGAIN}")
        return path

    @property
    def text(self) -> str:
        """The content of result.json. It is the same for the same specification and versions."""
        return self._text

    def has_file(self, name: str) -> bool:
        """Does the run directory have this file? Raises a DamagedError if the file was deleted after the run."""
        return sums.has_file(self.folder, name, AGAIN)

    @property
    def output_folder(self) -> Path | None:
        """Folder of the files rank<N>.txt with the ranks' standard output. None: they wrote nothing."""
        folder = None if self._path is None else self.folder / "stdout"
        return folder if folder is not None and folder.is_dir() else None

    def output(self, rank: int | None = None) -> str:
        """Returns the standard output of a rank, or by default that of all ranks in sequence, lines marked by rank."""
        ranks = self._ranks_with_output()
        if rank is not None:
            return self._output_of(rank) if rank in ranks else ""
        lines = ((r, self._output_of(r).splitlines()) for r in ranks)
        return "".join(f"rank {r}: {line}\n" for r, text in lines for line in text)

    def _ranks_with_output(self) -> list[int]:
        """Returns the ranks that wrote to standard output, even if their files were deleted since."""
        if self._path is None:
            return []
        folder = self.folder
        names = {f"stdout/{file.name}" for file in (folder / "stdout").glob("rank*.txt")} | sums.listed_files(folder)
        return sorted(int(found[1]) for name in names if (found := _OUTPUT.fullmatch(name)) is not None)

    def _output_of(self, rank: int) -> str:
        folder, name = self.folder, f"stdout/rank{rank}.txt"
        sums.has_file(folder, name, AGAIN)
        return sums.read(folder, name, AGAIN, self._sums).decode("utf-8", "replace")

    @cached_property
    def samples(self) -> Samples:
        """The counter values that the monitor sampled and that reached the analyst. Raises a UserError without any."""
        from hypermon._model.samples import Samples

        return Samples(self.folder, AGAIN, too_few_samples(self))

    @property
    def is_verified(self) -> bool:
        """Whether the run directory has checksums, against which its files are verified."""
        return self._path is None or self._sums is not None

    @cached_property
    def _data(self) -> dict[str, Any]:
        return self.to_dict()

    @property
    def host(self) -> dict[str, Any]:
        """Host time and memory of this execution. They are not part of the result."""
        return parsed(self.path / HOST, self._host) if self._host else {}

    def value(self, expression: str) -> Any:
        """Returns the value of a metric, as in `r.value("logged_bytes / elapsed_s")`.

        A metric is a number of the result, a parameter, `loss`, a cost, or arithmetic over these.

        Raises:
            UserError: The expression is not valid, or this result has no such number.
        """
        from hypermon._model import expressions

        metrics: Any = importlib.import_module("hypermon._model.metrics")  # here, because it imports this module
        try:
            return metrics.value(expression, self._data)
        except expressions.MissingError as error:
            raise UserError(f"{error}{suggestion(error.path, _paths(self._data))}") from None
        except expressions.ExpressionError as error:
            raise UserError(str(error)) from None

    def to_dict(self) -> dict[str, Any]:
        """Returns the whole result as JSON data."""
        return parsed(self._path / RESULT if self._path is not None else Path(RESULT), self.text)

    def to_pandas(self) -> pd.Series[Any]:
        """Returns every number and text by its path, as `ledger.lost_total.events`.

        Parameters have the prefix `spec.`. `attrs["units"]` has the units.
        """
        import pandas as pd

        from hypermon._model import worker

        series: pd.Series[Any] = pd.Series(self._scalars(), dtype=object, name=self["scenario"])
        series.attrs["units"] = worker.schema().units(map(str, series.index))
        return series

    def to_arrow(self) -> pa.Table:
        """Returns every number and text as a table of one row. Columns have `unit` and `description` as metadata."""
        import pyarrow as pa

        from hypermon._model import worker

        schema, table = worker.schema(), pa.Table.from_pylist([self._scalars()])
        about = [(field, schema.about(field.name)) for field in table.schema]
        fields = [f.with_metadata({"unit": of["units"], "description": of["description"]}) for f, of in about]
        return pa.Table.from_arrays(table.columns, schema=pa.schema(fields))

    def to_xarray(self) -> xr.Dataset:
        """Returns the result as a data set.

        Numbers of ranks have the dimension `rank`. Series of a monitor have the begins of their intervals, and the
        distribution of latencies has `upper_us`, the upper ends of its bins. All others have no dimension. The
        specification is in the attributes of the data set, `units` and `description` in those of each variable.
        """
        import xarray as xr

        from hypermon._model import vocabulary, worker

        ranks: list[dict[str, Any]] = [dict(rank) for rank in self["ranks"]]
        single = {path: value for path, value in self._scalars().items() if not path.startswith("spec.")}
        variables: dict[str, Any] = {path: ((), value) for path, value in single.items() if value is not None}
        if ranks:
            variables |= {f"ranks.{name}": ("rank", [rank[name] for rank in ranks]) for name in ranks[0]}
        coordinates: dict[str, Any] = {"rank": range(len(ranks))}
        described = {"upper_us": "latency_us.distribution.upper_us"}
        everything = flat(self._data)
        for series, interval in vocabulary.find(self["spec"]["monitor"]).series.items():
            if series in everything:
                along = interval.rpartition(".")[2]
                variables[series], described[along] = (along, everything[series]), interval
                coordinates[along] = [i * everything[interval] for i in range(len(everything[series]))]
        distribution = self["latency_us"]["distribution"] if "distribution" in (self["latency_us"] or {}) else None
        if distribution is not None:
            variables["latency_us.distribution.events"] = ("upper_us", distribution["events"])
            coordinates["upper_us"] = distribution["upper_us"]
        dataset = xr.Dataset(variables, coordinates, attrs=flat(self["spec"]))
        schema = worker.schema()
        for path, variable in dataset.variables.items():
            variable.attrs |= schema.about_result(described.get(str(path), str(path)))
        return dataset

    def _scalars(self) -> dict[str, Any]:
        return {path: value for path, value in flat(self._data).items() if not isinstance(value, list)}

    if not TYPE_CHECKING:  # type checkers know the keys from hypermon._model.result_types

        def __getitem__(self, key: str) -> Any:
            return self._data[key]

        def __getattr__(self, name: str) -> Any:
            if name.startswith("_"):  # copy and pickle look these up before the object has any attributes
                raise AttributeError(name)
            if name in self._data:
                return self._data[name]
            raise AttributeError(f"the result has no {name}; it has {', '.join(self._data)}")

    def __getstate__(self) -> dict[str, Any]:
        """State for copies and pickles, which parse the text again."""
        return {name: value for name, value in vars(self).items() if name not in ("samples", "_data")}

    def __iter__(self) -> Iterator[str]:
        return iter(self._data)

    def __len__(self) -> int:
        return len(self._data)

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self._data]

    def _ipython_key_completions_(self) -> list[str]:
        return list(self._data)

    def _card(self) -> Card:
        cards: Any = importlib.import_module("hypermon._model.run_cards")  # here, because it imports this module
        card: Card = cards.make(self, str(self._path or "memory"))
        return card


def _read(folder: Path, known: str | None) -> str:
    """Returns the text of a run directory's result."""
    try:
        return sums.read(folder, RESULT, AGAIN, known).decode("utf-8")
    except OSError as error:
        raise UserError(f"{folder}: is not a run directory: {error.strerror}") from None
    except UnicodeDecodeError:
        raise UserError(f"{folder / RESULT}: is not the result of a run: it is not UTF-8 text") from None


def _paths(tree: Any, prefix: str = "") -> Iterator[str]:
    """Returns the paths of all values, of their groups, and of the first elements of lists."""
    if prefix:
        yield prefix
    if isinstance(tree, dict):
        for name, inner in tree.items():
            yield from _paths(inner, f"{prefix}.{name}" if prefix else name)
    elif isinstance(tree, list) and tree and isinstance(tree[0], dict):
        yield from _paths(tree[0], f"{prefix}[0]")


def too_few_samples(result: Mapping[str, Any]) -> str:
    """Returns the warning that the monitor took fewer than two samples of a counter. Empty without one."""
    return next((one for one in result.get("warnings", ()) if one.startswith(TOO_FEW)), "")


def own_numbers(result: Result) -> list[tuple[str, str]]:
    """Returns the main numbers of a monitor that records by itself: its samples, latency and timestamp error."""
    keys = ("monitor", "sampling", "latency_us", "timestamp_error_us", "causality_violations")
    return [line for key in keys if result.get(key) is not None for line in _lines(key, result[key])]


def _lines(path: str, value: Any) -> list[tuple[str, str]]:
    if isinstance(value, dict):
        return [line for key, inner in value.items() for line in _lines(f"{path}.{key}", inner)]
    return [] if isinstance(value, list) else [(path, show(value))]
