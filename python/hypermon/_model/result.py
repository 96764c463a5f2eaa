# SPDX-License-Identifier: BSD-3-Clause
"""A finished run: its result, and where it lies."""

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
    Keys = Mapping  # hundreds of types, which only checkers read

RESULT = "result.json"
HOST = "host.json"
BURSTS = "bursts.csv"
RECORDING = "recording.arrow"
COLUMNS_FOLDER = "recording"  # the NumPy files of the worker that the recording is made of
_OUTPUT = re.compile(r"stdout/rank([0-9]+)\.txt")
TOO_FEW = "too few samples"  # begin of a warning of the worker
AGAIN = "run again"  # what to do about a damaged one


def is_number(value: Any) -> bool:
    """Whether a value of a result can be counted with: not a word, nor yes or no."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def show(value: Any) -> str:
    """A value of a result in a table."""
    if isinstance(value, bool) or value is None:
        return {True: "true", False: "false", None: "null"}[value]
    if isinstance(value, float):
        return f"{value:.6g}" if abs(value) < 1e5 else f"{value:.0f}"
    return str(value)


def parsed(path: Path, text: str) -> dict[str, Any]:
    """The JSON object that the file holds; a UserError if it is none."""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise UserError(f"{path}: is damaged, or no JSON: {str(error)[:200]}") from None
    if not isinstance(data, dict):
        raise UserError(f"{path}: must hold a JSON object, not {type(data).__name__}")
    return data


class Result(Shown, Keys):
    """The result of a run as a mapping; top-level keys are attributes too: `r.elapsed_s`, `r["ledger"]`.

    `hypermon params result` describes the keys. A result is read when it is opened and never changes, whatever becomes
    of its run directory. Results can be copied and pickled.
    """

    def __init__(self, path: str | os.PathLike[str] | None, text: str | None = None) -> None:
        """`path`: of the run directory; None if the result is in memory only, as `text`.

        Raises:
            UserError: There is no run directory.
            DamagedError: Its result is not what was written.
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
        """Is there a run directory?"""
        return self._path is not None

    @property
    def path(self) -> Path:
        """The run directory."""
        if self._path is None:
            raise UserError("the result of a replay without `out` is in memory only: it has no run directory")
        return self._path

    @property
    def folder(self) -> Path:
        """The run directory, to read its other files. A UserError if it is gone, or holds another run by now."""
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
        """The bytes of result.json, the same for the same specification and versions."""
        return self._text

    def has_file(self, name: str) -> bool:
        """Whether the run directory has this file. A DamagedError if it had it when it was written."""
        return sums.has(self.folder, name, AGAIN)

    @property
    def output_folder(self) -> Path | None:
        """Of the files rank<N>.txt with what the ranks wrote to standard output; None if they wrote nothing."""
        folder = None if self._path is None else self.folder / "stdout"
        return folder if folder is not None and folder.is_dir() else None

    def output(self, rank: int | None = None) -> str:
        """What a rank wrote to standard output; by default all ranks' one after the other, lines marked by rank."""
        ranks = self._ranks_with_output()
        if rank is not None:
            return self._output_of(rank) if rank in ranks else ""
        lines = ((r, self._output_of(r).splitlines()) for r in ranks)
        return "".join(f"rank {r}: {line}\n" for r, text in lines for line in text)

    def _ranks_with_output(self) -> list[int]:
        """Those that wrote to standard output, though somebody may have removed their files."""
        if self._path is None:
            return []
        folder = self.folder
        names = {f"stdout/{file.name}" for file in (folder / "stdout").glob("rank*.txt")} | sums.named(folder)
        return sorted(int(found[1]) for name in names if (found := _OUTPUT.fullmatch(name)) is not None)

    def _output_of(self, rank: int) -> str:
        folder, name = self.folder, f"stdout/rank{rank}.txt"
        sums.has(folder, name, AGAIN)
        return sums.read(folder, name, AGAIN, self._sums).decode("utf-8", "replace")

    @cached_property
    def samples(self) -> Samples:
        """Values of counters that the monitor took and that reached its analyst. A UserError if there are none."""
        from hypermon._model.samples import Samples

        return Samples(self.folder, AGAIN, too_few_samples(self))

    @property
    def is_verified(self) -> bool:
        """Does the run directory have checksums? Then what is read of it is what was written."""
        return self._path is None or self._sums is not None

    @cached_property
    def _data(self) -> dict[str, Any]:
        return self.to_dict()

    @property
    def host(self) -> dict[str, Any]:
        """Wall time and memory of this one execution: not part of the result."""
        return parsed(self.path / HOST, self._host) if self._host else {}

    def value(self, expression: str) -> Any:
        """`r.value("logged_bytes / elapsed_s")`: a metric: a number of the result, a parameter, `loss`, a cost, or
        arithmetic over these.

        Raises:
            UserError: It is no such expression, or this result has no such number.
        """
        from hypermon._model import expressions

        metrics: Any = importlib.import_module("hypermon._model.metrics")  # which needs this module
        try:
            return metrics.value(expression, self._data)
        except expressions.MissingError as error:
            raise UserError(f"{error}{suggestion(error.path, _paths(self._data))}") from None
        except expressions.ExpressionError as error:
            raise UserError(str(error)) from None

    def to_dict(self) -> dict[str, Any]:
        """All of it, as JSON knows it."""
        return parsed(self._path / RESULT if self._path is not None else Path(RESULT), self.text)

    def to_pandas(self) -> pd.Series[Any]:
        """Every single number and word by its path (`ledger.lost_total.events`), the specification's under `spec.`;
        units in `attrs["units"]`.
        """
        import pandas as pd

        from hypermon._model import worker

        series: pd.Series[Any] = pd.Series(self._scalars(), dtype=object, name=self["scenario"])
        series.attrs["units"] = worker.schema().units(map(str, series.index))
        return series

    def to_arrow(self) -> pa.Table:
        """The same as a table of one row; `unit` and `description` in the metadata of each column."""
        import pyarrow as pa

        from hypermon._model import worker

        schema, table = worker.schema(), pa.Table.from_pylist([self._scalars()])
        about = [(field, schema.about(field.name)) for field in table.schema]
        fields = [f.with_metadata({"unit": of["units"], "description": of["description"]}) for f, of in about]
        return pa.Table.from_arrays(table.columns, schema=pa.schema(fields))

    def to_xarray(self) -> xr.Dataset:
        """Numbers of ranks over `rank`, a monitor's own series over their intervals' begins, the latencies'
        distribution over `upper_us` (no event of the bin took longer), all else without dimensions.

        The specification is in the attributes; `units` and `description` in those of each variable.
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
        for series, interval in vocabulary.of(self["spec"]["monitor"]).series.items():
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

    if not TYPE_CHECKING:  # hypermon._model.result_types has the keys' types

        def __getitem__(self, key: str) -> Any:
            return self._data[key]

        def __getattr__(self, name: str) -> Any:
            if name.startswith("_"):  # also asked for before there is anything: by copies and pickles
                raise AttributeError(name)
            if name in self._data:
                return self._data[name]
            raise AttributeError(f"the result has no {name}; it has {', '.join(self._data)}")

    def __getstate__(self) -> dict[str, Any]:
        """For a copy or another process, which parse the text again."""
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
        cards: Any = importlib.import_module("hypermon._model.run_cards")  # which needs this module
        card: Card = cards.of(self, str(self._path or "memory"))
        return card


def _read(folder: Path, known: str | None) -> str:
    """The text of a run directory's result."""
    try:
        return sums.read(folder, RESULT, AGAIN, known).decode("utf-8")
    except OSError as error:
        raise UserError(f"{folder}: is not a run directory: {error.strerror}") from None
    except UnicodeDecodeError:
        raise UserError(f"{folder / RESULT}: is not the result of a run: it is not UTF-8 text") from None


def _paths(tree: Any, prefix: str = "") -> Iterator[str]:
    """The paths of all values, of their groups, and of the first elements of lists."""
    if prefix:
        yield prefix
    if isinstance(tree, dict):
        for name, inner in tree.items():
            yield from _paths(inner, f"{prefix}.{name}" if prefix else name)
    elif isinstance(tree, list) and tree and isinstance(tree[0], dict):
        yield from _paths(tree[0], f"{prefix}[0]")


def too_few_samples(result: Mapping[str, Any]) -> str:
    """The warning that the monitor took fewer than two samples of a counter; empty without one."""
    return next((one for one in result.get("warnings", ()) if one.startswith(TOO_FEW)), "")


def own_numbers(result: Result) -> list[tuple[str, str]]:
    """The monitor's own numbers, of its samples, latency and timestamp error."""
    keys = ("monitor", "sampling", "latency_us", "timestamp_error_us", "causality_violations")
    return [line for key in keys if result.get(key) is not None for line in _lines(key, result[key])]


def _lines(path: str, value: Any) -> list[tuple[str, str]]:
    if isinstance(value, dict):
        return [line for key, inner in value.items() for line in _lines(f"{path}.{key}", inner)]
    return [] if isinstance(value, list) else [(path, show(value))]
