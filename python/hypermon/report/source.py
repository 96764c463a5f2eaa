"""What a report is of: a run directory or a sweep's."""

from __future__ import annotations

from pathlib import Path

from hypermon.errors import UserError
from hypermon.result import RESULT, Result
from hypermon.sweeping.dataset import MANIFEST, Sweep


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


def open_sweep(path: Path) -> Sweep:
    """UserError if there is no whole sweep."""
    sweep = Sweep(path)
    try:
        missing = {*sweep.varied, *sweep.metrics} - {*sweep.to_pandas().columns}
    except (KeyError, TypeError) as error:
        raise UserError(f"{path}: is not a sweep, or damaged: {error}") from None
    if missing:
        raise UserError(f"{path}: is not a sweep, or damaged: {', '.join(sorted(missing))} is missing")
    return sweep


def open_either(path: Path) -> Result | Sweep:
    """The run or the sweep whose directory `path` is; a UserError otherwise."""
    if (path / RESULT).is_file():
        return open_run(path)
    if (path / MANIFEST).is_file():
        return open_sweep(path)
    what = "has neither result.json nor manifest.json" if path.is_dir() else "is no directory"
    raise UserError(f"{path}: {what}; give the directory of a run (hypermon run --out) or of a sweep")
