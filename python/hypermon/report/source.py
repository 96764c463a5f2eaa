"""What a report is of: a run directory or a sweep's."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hypermon.errors import UserError
from hypermon.result import RESULT, Result

if TYPE_CHECKING:
    import pandas as pd

MANIFEST = "manifest.json"
DATASET = "results.parquet"


@dataclass(frozen=True)
class SweepData:
    """A finished sweep: its table, a row a point, and its manifest."""

    path: Path
    frame: pd.DataFrame
    manifest: Mapping[str, Any]

    @property
    def varied(self) -> list[str]:
        return [path for axis in self.manifest["space"]["vary"] for path in axis]

    @property
    def metrics(self) -> list[str]:
        return list(self.manifest["metrics"])


def open_run(path: Path) -> Result:
    """UserError if there is no whole run."""
    result = Result(path)
    try:
        complete = {"spec", "ledger", "monitor", "ranks"} <= set(result)
    except (ValueError, AttributeError):
        complete = False
    if not complete:
        raise UserError(f"{path / RESULT}: is not the result of a run, or damaged")
    return result


def open_sweep(path: Path) -> SweepData:
    import pandas as pd

    try:
        found = SweepData(
            path, pd.read_parquet(path / DATASET), json.loads((path / MANIFEST).read_text(encoding="utf-8"))
        )
        missing = {*found.varied, *found.metrics, "scenario"} - {*found.frame.columns, *found.manifest}
    except FileNotFoundError as error:
        raise UserError(f"{error.filename}: is missing: the sweep is not finished") from None
    except (ValueError, OSError, KeyError, TypeError) as error:  # pyarrow's errors are such, too
        raise UserError(f"{path}: is not a sweep, or damaged: {error}") from None
    if missing:
        raise UserError(f"{path}: is not a sweep, or damaged: {', '.join(sorted(missing))} is missing")
    return found


def open_either(path: Path) -> Result | SweepData:
    """The run or the sweep whose directory `path` is; a UserError otherwise."""
    if (path / RESULT).is_file():
        return open_run(path)
    if (path / MANIFEST).is_file():
        return open_sweep(path)
    what = "has neither result.json nor manifest.json" if path.is_dir() else "is no directory"
    raise UserError(f"{path}: {what}; give the directory of a run (hypermon run --out) or of a sweep")
