# SPDX-License-Identifier: BSD-3-Clause
"""A sweep's files: results.parquet, with a row for every point, and manifest.json, which describes the sweep."""

from __future__ import annotations

import io
import json
import os
import re
import subprocess
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hypermon import __version__
from hypermon._engine.sweeping.request import Request
from hypermon._engine.sweeping.space import SEED
from hypermon._engine.sweeping.store import COSIM, Store, write
from hypermon._files import arrow, files, parquet, places, sums
from hypermon._model import metrics, words
from hypermon._model.cards import BAD, GOOD, MOST_ROWS, NEUTRAL, Card, Shown
from hypermon._model.cards import table as card_table
from hypermon._model.result import is_number, parsed, show
from hypermon._model.schema import nested
from hypermon._model.spec import Spec
from hypermon.errors import UserError

if TYPE_CHECKING:
    import pandas
    import pyarrow
    import xarray

FORMAT = 1
AGAIN = "run the sweep again, which computes nothing twice"  # advice about damaged files
RESULTS = "results.parquet"
MANIFEST = "manifest.json"
ABOUT = {
    "point": "Number of the point, from 0 on: the last varied parameter fastest, repeats of a point together.",
    "repeat": "Repeat of the point, from 0 on.",
    "seed": "The parameter seed.",
    "how": "replay: from a recording of what the nodes emit; cosim: the whole machine.",
    "status": "ok, or failed: then the metrics are empty.",
    "error": "Why it failed.",
}
MOST_SHOWN = 6  # (chosen) values of a parameter that are shown
_LOSSES = re.compile(r"^loss$|\blost\b|lost_total")  # names of metrics that count losses
Row = Mapping[str, Any]


def table(rows: Sequence[Row], request: Request) -> pyarrow.Table:
    """Returns the rows as a table with typed columns, and units and descriptions in the fields' metadata."""
    import pyarrow as pa

    kinds = {"int": pa.int64(), "float": pa.float64(), "bool": pa.bool_(), "string": pa.string()}
    own = {name: pa.string() for name in ABOUT} | {"point": pa.int64(), "repeat": pa.int64(), "seed": pa.int64()}
    fields, arrays = [], []
    for name, about in columns(request).items():
        values = [row[name] for row in rows]
        if name in own:
            kind = own[name]
        elif name in request.metrics:
            kind = _kind(values)
        else:
            kind = kinds[request.schema.parameter(name, "").type]
        fields.append(pa.field(name, kind, metadata=about))
        arrays.append(arrow.column(values, kind))
    return pa.Table.from_arrays(arrays, schema=pa.schema(fields))


def _kind(values: Iterable[object]) -> pyarrow.DataType:
    """Returns the type of a metric's column. A column without any value gets a numeric type."""
    import pyarrow as pa

    found = {type(value) for value in values if value is not None}
    if found == {bool}:
        return pa.bool_()
    if found == {int}:
        return pa.int64()
    return pa.string() if str in found else pa.float64()


def columns(request: Request) -> dict[str, dict[str, str]]:
    """Returns the unit and description of every column, in order."""
    found = {"point": {"unit": "", "description": ABOUT["point"]}}
    for path in request.space.paths:
        parameter = request.schema.parameter(path, "")
        found[path] = {"unit": parameter.unit, "description": parameter.description}
    found |= {name: {"unit": "", "description": text} for name, text in ABOUT.items() if name not in found}
    for metric in request.metrics:
        if metric in found:
            raise UserError(f"metrics: {metric}: is the name of another column; choose another name")
        found[metric] = metrics.about(metric, request.schema)
    return found


def write_all(
    folder: Path, request: Request, base: Spec, seeds: Sequence[int | None], rows: Sequence[Row], store: Store
) -> Sweep:
    """Writes both files atomically, and then their checksums. The same sweep gives the same bytes.

    The returned sweep keeps the content in memory, so later changes to the folder do not affect it.
    """
    import pyarrow.parquet as parquet

    buffer = io.BytesIO()
    parquet.write_table(table(rows, request), buffer, compression="zstd")
    write(folder / RESULTS, buffer.getvalue(), store.under_way)
    text = json.dumps(_manifest(request, base, seeds, rows), indent=1, ensure_ascii=False) + "\n"
    write(folder / MANIFEST, text, store.under_way)
    sums.write(folder, (RESULTS, MANIFEST))
    written = Sweep(folder)
    written._content = buffer.getvalue()
    return written


def _manifest(request: Request, base: Spec, seeds: Sequence[int | None], rows: Sequence[Row]) -> dict[str, Any]:
    simulated = sum(row["how"] == COSIM for row in rows)
    own = [metric for metric in request.metrics if isinstance(metric, metrics.Named)]
    named = {str(metric): metrics.definition(metric).partition(" = ")[2] for metric in own}
    return {
        "format": FORMAT,
        "scenario": request.scenario.name,
        "question": request.scenario.question,
        "base": nested(base.values),
        "asked": {
            "target": files.from_home(request.target),
            "set": {path: base.values[path] for path in sorted(request.settings)},
            "presets": list(request.presets),
            "platform": request.platform and files.from_home(request.platform),
        },
        "space": request.space.to_json(),
        "seeds": [base.values[SEED]] if seeds == (None,) else list(seeds),
        "metrics": list(request.metrics),
        **({"definitions": named} if named else {}),
        "versions": {"package": __version__, **request.schema.versions},
        "revision": revision(),
        "points": len(rows),
        "replayed": len(rows) - simulated,
        "co_simulated": simulated,
        "failed": sum(row["status"] == "failed" for row in rows),
        "columns": columns(request),
    }


def revision() -> str:
    """Returns the revision of the source tree that this package is in. `unknown` for an installed package."""
    root = places.TREE
    if not ((root / ".git").exists() and (root / "python" / "hypermon").is_dir()):
        return "unknown"
    command = ["git", "-C", str(root), "describe", "--always", "--dirty", "--abbrev=40", "--exclude=*"]
    try:
        done = subprocess.run(command, capture_output=True, encoding="utf-8", errors="backslashreplace", check=True)
    except (OSError, subprocess.CalledProcessError):
        return "unknown"
    return done.stdout.strip()


class Sweep(Shown):
    """The answer of `hypermon.sweep`. `hypermon.Sweep(path)` opens a finished sweep again.

    `to_arrow()` and `to_pandas()` have a row for every point. `to_xarray()` has a dimension for every parameter.
    `manifest["columns"]` has units and descriptions. A sweep object does not change when its folder does.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        """`path`: the sweep's folder. Raises a UserError if it holds no sweep, or one of another format."""
        self.path = Path(path)
        self._home = self.path.absolute()
        self._sums = sums.text(self._home)  # read now, so that later changes to the folder are detected
        self._content = b""  # the results file, if it is in memory
        form = self.manifest.get("format")
        if form != FORMAT or not {"space", "metrics", "columns"} <= set(self.manifest):
            raise UserError(f"{self.path}: is a sweep of format {form}: this version reads {FORMAT}")

    @cached_property
    def manifest(self) -> dict[str, Any]:
        """The content of manifest.json: base specification, space, versions, revision, seeds and columns."""
        try:
            text = sums.read(self._home, MANIFEST, AGAIN, self._sums).decode("utf-8")
        except OSError as error:
            raise UserError(f"{self.path}: is not a finished sweep: {error.strerror}") from None
        except UnicodeDecodeError:
            raise UserError(f"{self.path / MANIFEST}: is not a manifest of a sweep: it is not UTF-8 text") from None
        return parsed(self.path / MANIFEST, text)

    @property
    def varied(self) -> list[str]:
        """The paths of the parameters that differ between points."""
        return [path for axis in self.manifest["space"]["vary"] for path in axis]

    @property
    def metrics(self) -> list[str]:
        return list(self.manifest["metrics"])

    def to_arrow(self) -> pyarrow.Table:
        """Returns a row for every point, in order. The fields have units and descriptions as metadata."""
        import pyarrow as pa

        try:
            return parquet.table(self._content or self._read_results(), self.manifest.get("points"))
        except (OSError, pa.ArrowException, ValueError) as error:
            reason = " ".join(str(error).split())[:200]
            raise UserError(f"{self.path / RESULTS}: cannot be read: {reason}; {AGAIN}") from None

    def _read_results(self) -> bytes:
        if sums.text(self._home) != self._sums:
            raise UserError(f"{self.path}: the folder is gone, or holds another sweep by now; open it again")
        return sums.read(self._home, RESULTS, AGAIN, self._sums)

    @property
    def is_verified(self) -> bool:
        """Whether the folder has checksums, against which its files are verified."""
        return self._sums is not None

    def to_pandas(self) -> pandas.DataFrame:
        """Returns a row for every point, in order. `attrs["units"]` has the columns' units."""
        frame: pandas.DataFrame = self.to_arrow().to_pandas()
        frame.attrs["units"] = {name: column["unit"] for name, column in self.manifest["columns"].items()}
        return frame

    def over_repeats(self) -> pandas.DataFrame:
        """Returns a row for every point, with its repeats combined.

        `repeats` is the number of repeats with a result. Each numeric metric has its mean and, in the column
        `METRIC ±`, half of the mean's 95 % confidence interval (Student's t); NaN if there are fewer than two repeats.
        A metric that is true or false has the share of true values, without an interval.
        """
        import pyarrow as pa

        from hypermon._engine.sweeping import repeats

        table = self.to_arrow()
        kinds = {metric: table.schema.field(metric).type for metric in self.metrics}
        numbers = [metric for metric, kind in kinds.items() if not pa.types.is_string(kind)]
        made = repeats.combine_repeats(table.to_pandas(), self.varied, numbers)
        return made.drop(columns=[f"{metric} ±" for metric in numbers if pa.types.is_boolean(kinds[metric])])

    @property
    def failed(self) -> pandas.DataFrame:
        """Returns the failed points, with their errors."""
        frame = self.to_pandas()
        return frame[frame["status"] == "failed"]

    def to_xarray(self) -> xarray.Dataset:
        """Returns the metrics over the varied parameters, one dimension each, and over `repeat`.

        Every dimension has an index, so that `sel` finds values. The parameters of a zip share one dimension, which has
        the name of the first one; all of them have an index. A point that a condition left out is missing: NaN in
        numbers, None in texts and truth values, "" in `status`. Units and descriptions are attributes.
        """
        import numpy as np
        import xarray

        frame = self.to_pandas()
        space = self.manifest["space"]
        about = {
            name: {"units": column["unit"], "description": column["description"]}
            for name, column in self.manifest["columns"].items()
        }
        coords: dict[str, Any] = {}
        dims: dict[str, int] = {}
        places = []  # the index of each point, along each dimension
        for axis in space["vary"]:
            name, values = next(iter(axis.items()))  # without duplicates
            dims[name] = len(values)
            coords |= {path: (name, own, about[path]) for path, own in axis.items()}
            places.append(frame[name].map({value: i for i, value in enumerate(values)}).to_numpy(int))
        if space["repeats"] is not None:
            dims["repeat"] = len(self.manifest["seeds"])
            coords["repeat"] = ("repeat", list(range(dims["repeat"])), about["repeat"])
            places.append(frame["repeat"].to_numpy(int))
        data: dict[str, Any] = {}
        shape = tuple(dims.values())
        whole = len(frame) == int(np.prod(shape))
        for name in ("status", *self.metrics):
            values = frame[name].to_numpy()
            if whole:
                filled = values.reshape(shape)
            else:
                numeric = values.dtype.kind in "iuf"
                filled = np.full(
                    shape, np.nan if numeric else "" if name == "status" else None, float if numeric else object
                )
                filled[tuple(places)] = values
            data[name] = (tuple(dims), filled, about[name])
        found = xarray.Dataset(data, coords, attrs={"scenario": self.manifest["scenario"]})
        for path in (path for axis in space["vary"] for path in list(axis)[1:]):
            found = found.set_xindex(path)
        return found

    def __len__(self) -> int:
        return int(self.manifest["points"])

    def _card(self) -> Card:
        m = self.manifest
        varied = [
            (path, f"{words.plural(len(values), 'value')}: {_ends(values)} {m['columns'][path]['unit']}".rstrip())
            for axis in m["space"]["vary"]
            for path, values in axis.items()
        ]
        if m["space"]["repeats"] is not None:
            varied.append(("repeats", str(len(m["seeds"]))))
        how = f"{m['replayed']} replayed, {m['co_simulated']} co-simulated"
        title = f"Sweep of {m['scenario']}: {words.plural(m['points'], 'point')} ({how})"
        failed = f"{m['failed']} of {words.plural(m['points'], 'point')} failed." if m["failed"] else ""
        try:
            found = self.to_arrow().to_pydict()
        except UserError as error:  # the folder is gone, but the manifest is in memory
            return Card(title, str(error), BAD, [*varied, ("folder", str(self.path))])
        lossless = _lossless({metric: found[metric] for metric in self.metrics})
        every = not failed and lossless.startswith("No ")
        return Card(
            title=title,
            verdict=" ".join(filter(None, (failed, lossless))),
            level=BAD if failed else GOOD if every else NEUTRAL,
            facts=[*varied, ("folder", str(self.path))],
            tables=[
                card_table(
                    ("metric", "least", "median", "greatest", "unit"),
                    [_spread(metric, found[metric], m["columns"][metric]["unit"]) for metric in self.metrics],
                    more="sweep.metrics",
                ),
                card_table(
                    (*self.varied, *self.metrics),
                    [
                        [show(found[name][i]) for name in (*self.varied, *self.metrics)]
                        for i in range(min(len(self), MOST_ROWS))
                    ],
                    folded=f"The first {min(len(self), MOST_ROWS)} points; sweep.to_pandas() has all",
                ),
            ],
        )


def _ends(values: Sequence[object]) -> str:
    """Lists the values. Of many values, lists the first and the last ones."""
    shown = [show(value) for value in values]
    return ", ".join(shown) if len(shown) <= MOST_SHOWN else f"{shown[0]} to {shown[-1]}"


def _lossless(columns: Mapping[str, Sequence[Any]]) -> str:
    """Describes how many points lose nothing, by the first metric that counts losses. Empty without such a metric."""
    for metric, values in columns.items():
        if _LOSSES.search(metric) and all(value is None or is_number(value) for value in values):
            known = [value for value in values if value is not None]
            without = sum(value == 0 for value in known)
            if known:
                if without == len(known):
                    return f"No point has losses ({metric})."
                return f"{without} of {words.plural(len(known), 'point')} have no losses ({metric})."
    return ""


def _spread(metric: str, values: Sequence[Any], unit: str) -> tuple[str, ...]:
    known = sorted(value for value in values if is_number(value))
    if known:
        return metric, show(known[0]), show(known[(len(known) - 1) // 2]), show(known[-1]), unit
    truths = [value for value in values if isinstance(value, bool)]
    truths_text = f"true in {sum(truths)} of {len(truths)}" if truths else "none"
    return metric, "", truths_text, "", unit
