# SPDX-License-Identifier: BSD-3-Clause
"""`hypermon compare`: compares runs, or designs over a set of programs."""

from __future__ import annotations

import os
from pathlib import Path

from hypermon._comparing import designs, runs
from hypermon._comparing.answer import PICTURES, Comparison
from hypermon._comparing.comparison import Row, Subject
from hypermon._model.result import RESULT, Result
from hypermon.errors import UserError
from hypermon.report.source import open_run

__all__ = ["PICTURES", "Comparison", "Row", "Subject", "compare"]

Source = Result | str | os.PathLike[str]


def compare(*sources: Source) -> Comparison:
    """Compares runs, or designs over a set of programs (`hypermon compare`).

    Use it to see which parameters and results differ, and which run is better in which result. Runs of different
    programs are shown side by side, but not judged. All differences are relative to the first run.

    Args:
        sources: Two or more runs: `Result`s, run directories, or their result.json files. Or two or more folders of
            `hypermon study coverage`, each of one design.

    Returns:
        The differences. `print(comparison)` shows a summary, `to_dict()` returns the data that `--json` prints.

    Raises:
        UserError: A source is neither a run nor a study, there are fewer than two, or they are of different kinds.

    Example:
        >>> runs = [
        ...     hypermon.run("table2/matmul", nodes=2, monitor=monitor, matmul={"size": 16})
        ...     for monitor in ("none", "hypermon")
        ... ]
        >>> [row.path for row in hypermon.compare(*runs).parameters]
        ['monitor']
    """
    if len(sources) < 2:
        raise UserError("compare: needs two runs or more, or two designs")
    names = _names(sources)
    covered = [not isinstance(source, Result) and designs.is_one(Path(source)) for source in sources]
    if all(covered):
        folders = dict(zip(names, (Path(str(source)) for source in sources), strict=True))
        return Comparison(**vars(designs.compare(folders)))
    if any(covered):
        raise UserError(f"{names[covered.index(True)]}: is a study of coverage, {names[covered.index(False)]} a run")
    return Comparison(**vars(runs.compare(dict(zip(names, map(_result, sources), strict=True)))))


def _result(source: Source) -> Result:
    if isinstance(source, Result):
        return source
    path = Path(source)
    if path.name == RESULT or path.suffix == ".arrow":
        path = path.parent
    if not (path / RESULT).is_file():
        what = f"has no {RESULT}" if path.is_dir() else "is not a directory"
        raise UserError(f"{path}: {what}; give the directory of a run, or of hypermon study coverage")
    return open_run(path)


def _names(sources: tuple[Source, ...]) -> list[str]:
    """Returns distinct names of the sources: names of folders, whole paths if needed, numbered if these are equal."""
    paths = [_path(source) for source in sources]
    short = [path.name for path in paths]
    names = short if len(set(short)) == len(short) else [str(path) for path in paths]
    return [f"{name} ({names[:i].count(name) + 1})" if names.count(name) > 1 else name for i, name in enumerate(names)]


def _path(source: Source) -> Path:
    if isinstance(source, Result):
        return source.path if source.is_saved else Path(str(source["scenario"]).replace("/", "-"))
    path = Path(os.path.normpath(source))
    return path.parent if path.name == RESULT or path.suffix == ".arrow" else path
