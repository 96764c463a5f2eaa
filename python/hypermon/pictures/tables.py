# SPDX-License-Identifier: BSD-3-Clause
"""Results of runs as the table that a sweep is: one row a run, columns named by paths."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from hypermon._model.schema import flat
from hypermon.errors import UserError

if TYPE_CHECKING:
    import pandas as pd


def row(result: Mapping[str, Any]) -> dict[str, Any]:
    """Parameters under their paths (`node.tick_ms`), results under theirs (`elapsed_s`); no lists."""
    numbers = {key: value for key, value in result.items() if key not in {"spec", "versions"}}
    return {path: v for path, v in (flat(numbers) | flat(result["spec"])).items() if not isinstance(v, list)}


def of_runs(results: Iterable[Mapping[str, Any]]) -> pd.DataFrame:
    import pandas as pd

    return pd.DataFrame([row(result) for result in results])


def need(frame: pd.DataFrame, columns: Iterable[str], what: str) -> None:
    """UserError if a picture's columns are not there."""
    missing = [column for column in columns if column not in frame]
    if missing:
        raise UserError(f"{what}: needs {', '.join(missing)}, which these results do not have")


def finished(frame: pd.DataFrame) -> pd.DataFrame:
    """Without the points of a sweep that failed."""
    return frame[frame["status"] == "ok"] if "status" in frame else frame
