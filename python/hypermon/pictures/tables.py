# SPDX-License-Identifier: BSD-3-Clause
"""Results of runs as the table that a sweep is: one row a run, columns named by paths."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from hypermon._model import worker
from hypermon._model.schema import common_path, flat
from hypermon._model.spec import LIMITS
from hypermon.errors import UserError

if TYPE_CHECKING:
    import pandas as pd

SEED = "seed"


def row(result: Mapping[str, Any]) -> dict[str, Any]:
    """Parameters under their paths (`node.tick_ms`), results under theirs (`elapsed_s`); no lists."""
    numbers = {key: value for key, value in result.items() if key not in {"spec", "versions"}}
    return {path: v for path, v in (flat(numbers) | flat(result["spec"])).items() if not isinstance(v, list)}


def of_runs(results: Iterable[Mapping[str, Any]]) -> pd.DataFrame:
    import pandas as pd

    return pd.DataFrame([row(result) for result in results])


def need(frame: pd.DataFrame, columns: Iterable[str], what: str) -> None:
    """Raises a UserError if a chart's columns are missing."""
    missing = [column for column in columns if column not in frame]
    if missing:
        raise UserError(f"{what}: needs {', '.join(missing)}, which these results do not have")


def finished(frame: pd.DataFrame) -> pd.DataFrame:
    """Returns the table without failed points of a sweep."""
    return frame[frame["status"] == "ok"] if "status" in frame else frame


def differing_parameters(frame: pd.DataFrame, by: Sequence[str]) -> list[str]:
    """Parameters that differ between rows with equal values of `by`. Such rows are different designs, not repeats."""
    parameters = worker.schema().parameters
    paths = [str(name) for name in frame.columns if common_path(str(name)) in parameters]
    varied = [path for path in paths if path != SEED and not path.startswith(LIMITS) and path not in by]
    varied = [path for path in varied if frame[path].nunique(dropna=False) > 1]
    if not by:
        return varied
    groups = frame.groupby(list(by), dropna=False, sort=False)
    return [path for path in varied if (groups[path].nunique(dropna=False) > 1).any()]
