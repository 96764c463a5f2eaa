# SPDX-License-Identifier: BSD-3-Clause
"""Opens the subjects of reports: run directories and sweeps."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from hypermon._model.result import RESULT, Result
from hypermon.errors import UserError

if TYPE_CHECKING:
    from hypermon._engine.sweeping.dataset import Sweep


@contextlib.contextmanager
def sensible(*sources: Result | Sweep | None) -> Iterator[None]:
    """Raises a UserError about implausible data, which a run or sweep without checksums may have."""
    try:
        yield
    except (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError) as error:
        strange = [source for source in sources if source is not None and not source.is_verified]
        if not strange:
            raise
        reason = f"{type(error).__name__}: {error}"[:200]
        raise UserError(f"{strange[0].path}: is not the result of a run or a sweep, or damaged ({reason})") from None


def open_run(path: Path) -> Result:
    """Opens a run. Raises a UserError if it is missing or incomplete."""
    result = Result(path)
    try:
        complete = {"spec", "ledger", "monitor", "ranks"} <= set(result)
    except (ValueError, AttributeError):
        complete = False
    if not complete:
        raise UserError(f"{path / RESULT}: is not the result of a run, or damaged")
    return result


def open_sweep(path: Path) -> Sweep:
    """Opens a sweep. Raises a UserError if it is missing or incomplete."""
    from hypermon._engine.sweeping.dataset import Sweep

    sweep = Sweep(path)
    try:
        missing = {*sweep.varied, *sweep.metrics} - {*sweep.to_pandas().columns}
    except (AttributeError, KeyError, TypeError) as error:
        raise UserError(f"{path}: is not a sweep, or damaged: {error}") from None
    if missing:
        raise UserError(f"{path}: is not a sweep, or damaged: {', '.join(sorted(map(str, missing)))} is missing")
    return sweep


def open_either(path: Path) -> Result | Sweep:
    """Opens the run or the sweep in the directory `path`. Raises a UserError if it is neither."""
    if (path / RESULT).is_file():
        return open_run(path)
    from hypermon._engine.sweeping.dataset import MANIFEST

    if (path / MANIFEST).is_file():
        return open_sweep(path)
    what = "has neither result.json nor manifest.json" if path.is_dir() else "is not a directory"
    raise UserError(f"{path}: {what}; give the directory of a run (hypermon run --out) or of a sweep")
