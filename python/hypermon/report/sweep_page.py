# SPDX-License-Identifier: BSD-3-Clause
"""The page of a sweep: the data for its template and its script."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from hypermon._engine.sweeping.conclusion import conclude
from hypermon._engine.sweeping.dataset import Sweep
from hypermon._engine.sweeping.repeats import combine_repeats
from hypermon._model import monitors, vocabulary
from hypermon._model.result import show
from hypermon._model.schema import Schema, flat
from hypermon._model.words import count, percent
from hypermon.report import repeat, rules
from hypermon.report.chart import Table
from hypermon.report.view import Tile

if TYPE_CHECKING:
    import pandas as pd

ABOUT = ("point", "repeat", "seed", "how", "status", "error")


def context(sweep: Sweep, schema: Schema) -> dict[str, Any]:
    frame, scenario = sweep.to_pandas(), str(sweep.manifest["scenario"])
    parameters, metrics, same = _columns(sweep, frame)
    ordered = sorted(parameters, key=lambda column: -len(column["choices"]))
    x, by = [*(column["path"] for column in ordered), "", ""][:2]
    return {
        "title": f"Sweep of {scenario}",
        "scenario": scenario,
        "question": f"How do losses and times of {scenario} depend on {_and(sweep.varied)}?",
        "answer": " ".join(_conclusion(sweep)),
        "base_question": sweep.manifest.get("question", ""),
        "tiles": _tiles(frame, parameters, _losses(sweep)),
        "space": _space(parameters),
        "parameters": parameters,
        "metrics": metrics,
        "costs": [column for column in parameters if column["numeric"]] + metrics,
        "cost": x,
        "cost_more": any(x in one.slower for one in vocabulary.every()),
        "same": Table("Results that are the same at every point", ("result", "value"), same, (1,)),
        "command": repeat.sweep_command(sweep.manifest, schema),
        "sweep_file": _file_of(sweep.manifest),
        "manifest": json.dumps(sweep.manifest, indent=1, ensure_ascii=False),
        "repeated": _repeats(frame) > 1,
        "sweep": _data(frame, parameters, metrics, x, by) | _together(frame, parameters, metrics),
    }


def _conclusion(sweep: Sweep) -> list[str]:
    """Returns the sentences that `hypermon sweep` ends with."""
    rows = sweep.to_arrow().to_pylist()
    monitor = None if "monitor" in sweep.varied else str(flat(sweep.manifest["base"]).get("monitor"))
    return conclude(rows, list(sweep.varied), list(sweep.metrics), monitor)


def _file_of(manifest: Mapping[str, Any]) -> str:
    """Returns the YAML file that the command reads, if it is a user's file."""
    target = str(manifest.get("asked", {}).get("target", ""))
    return target if target.endswith((".yaml", ".yml")) else ""


def _and(names: Sequence[str]) -> str:
    return (
        " and ".join(filter(None, (", ".join(names[:-1]), names[-1]))) if names else "nothing: all points are the same"
    )


def _columns(
    sweep: Sweep, frame: pd.DataFrame
) -> tuple[list[dict[str, Any]], list[dict[str, Any]], list[tuple[str, str]]]:
    """Returns the varied parameters, the results that vary, and the constant results with their values."""
    from pandas.api.types import is_bool_dtype, is_numeric_dtype

    parameters: list[dict[str, Any]] = []
    metrics: list[dict[str, Any]] = []
    same: list[tuple[str, str]] = []
    for path in (*sweep.varied, *sweep.metrics):
        values = frame[path].dropna()
        about = sweep.manifest["columns"].get(path, {})
        column = {"path": path, "unit": about.get("unit", "")}
        numeric = bool(is_numeric_dtype(values) and not is_bool_dtype(values))
        if path in sweep.varied:
            choices = sorted(_plain(values.unique()), key=lambda value: (str(type(value)), value))
            about = {"numeric": numeric, "description": about.get("description", "")}
            parameters.append({**column, "choices": choices, **about})
        elif values.nunique() > 1 and (numeric or is_bool_dtype(values)):
            metrics.append(column)
        elif values.nunique() == 1:
            same.append((path, show(_plain(values.head(1))[0])))
    own = (path for one in vocabulary.every() for path in one.metrics)
    first = dict.fromkeys((*_losses(sweep), "elapsed_s", *own))
    order = {path: i for i, path in enumerate(first)}
    metrics.sort(key=lambda column: order.get(column["path"], len(order)))
    return parameters, metrics, same


def _plain(values: Any) -> list[Any]:
    """Converts NumPy's scalars to JSON data. Missing and non-finite values become null."""
    found = [value.item() if hasattr(value, "item") else value for value in values]
    return [None if isinstance(value, float) and not math.isfinite(value) else value for value in found]


def _losses(sweep: Sweep) -> list[str]:
    """Returns the results that count losses, the most informative ones first."""
    kind = str(sweep.manifest["base"].get("monitor", ""))
    here = [monitors.find(kind), *monitors.registered().values()]
    units = [f"ledger.lost_total.{one.unit}" for one in here if one.unit]
    return ["ledger.lost_total.events", *units, *(lost for one in here for lost, _, _ in one.losses.values())]


def _tiles(frame: pd.DataFrame, parameters: Sequence[Mapping[str, Any]], losses: Sequence[str]) -> list[Tile]:
    failed = int((frame["status"] == "failed").sum()) if "status" in frame else 0
    tiles = [Tile("Points", count(len(frame)), f"over {len(parameters)} parameter{'s' * (len(parameters) != 1)}")]
    if "how" in frame:
        ways = frame["how"].value_counts()
        tiles.append(Tile("Replayed", count(int(ways.get("replay", 0))), "from a recording, exact"))
        tiles.append(Tile("Co-simulated", count(int(ways.get("cosim", 0))), "the program itself was run"))
    tiles.append(
        Tile(
            "Failed",
            count(failed),
            "see the table of points" if failed else "every point has a result",
            level=rules.PROBLEM if failed else rules.GOOD,
        )
    )
    lost = next((path for path in losses if path in frame), "")
    if lost:
        clean = int((frame[lost] == 0).sum())
        tiles.append(
            Tile("Without any loss", count(clean), f"{percent(clean / len(frame))} of the points" if len(frame) else "")
        )
    return tiles


def _space(parameters: Sequence[Mapping[str, Any]]) -> Table:
    rows = []
    for column in parameters:
        values = [show(value) for value in column["choices"]]
        listed = ", ".join(values) if len(values) <= 12 else f"{', '.join(values[:4])}, … {', '.join(values[-2:])}"
        rows.append((column["path"], column["unit"], str(len(values)), listed, column["description"]))
    return Table("What was varied", ("parameter", "unit", "values", "which", "meaning"), rows, (2,))


def _repeats(frame: pd.DataFrame) -> int:
    """Returns the largest number of repeats of any point."""
    return int(frame["repeat"].max()) + 1 if "repeat" in frame and len(frame) else 1


def _together(
    frame: pd.DataFrame, parameters: Sequence[Mapping[str, Any]], metrics: Sequence[Mapping[str, Any]]
) -> dict[str, Any]:
    """Combines the repeats of each point, if there are any: their number, means and halves of confidence intervals."""
    if _repeats(frame) == 1 or "status" not in frame:
        return {}
    paths = [column["path"] for column in metrics]
    found = combine_repeats(frame, [column["path"] for column in parameters], paths)
    columns = [*(column["path"] for column in parameters), "repeats", *(p for m in paths for p in (m, f"{m} ±"))]
    lists = [_plain(found[column]) for column in columns]
    return {"together": {"columns": columns, "rows": [list(row) for row in zip(*lists, strict=True)]}}


def _data(
    frame: pd.DataFrame, parameters: Sequence[Mapping[str, Any]], metrics: Sequence[Mapping[str, Any]], x: str, by: str
) -> dict[str, Any]:
    about = [{"path": path} for path in ABOUT if path in frame]
    columns = [*about, *({k: v for k, v in c.items() if k != "description"} for c in [*parameters, *metrics])]
    lists = [_plain(frame[column["path"]]) for column in columns]
    return {
        "columns": columns,
        "rows": [list(row) for row in zip(*lists, strict=True)],
        "parameters": [column["path"] for column in parameters],
        "metrics": [column["path"] for column in metrics],
        "metric": metrics[0]["path"] if metrics else "",
        "x": x,
        "by": by,
    }
