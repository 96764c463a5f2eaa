# SPDX-License-Identifier: BSD-3-Clause
"""The folder that the ranks work in: `files` of the run directory, with a copy of program.folder's files.

What the program has not written is taken away again at the end: the run directory keeps what is its own.
"""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

from hypermon._files import files, folders
from hypermon._model.schema import Value
from hypermon.errors import UserError, cut

FILES = "files"  # the folder of them: of a run, and of a folder that was built

_FOLDER, _ARGUMENTS = "program.folder", "program.arguments"


@contextmanager
def around(values: Mapping[str, Value], run: Path) -> Iterator[None]:
    """Around the worker's run into that folder. A UserError if the files are not those that were specified."""
    if values.get("workload") != "program":
        yield
        return
    place = run / FILES
    named = str(values.get(_FOLDER, ""))
    source = files.path_of(named)
    with files.naming(place):
        place.mkdir()
        if source is not None:
            folders.copy(source, place)
    if source is not None and folders.digest(place) != named.rpartition(":")[2]:
        raise UserError(f"{_FOLDER} = {source}: its content has changed since the run was specified")
    _warn_of_files_elsewhere(str(values.get(_ARGUMENTS, "")), place)
    before = _state(place)
    try:
        yield
    finally:
        _take_away(place, before)


def _warn_of_files_elsewhere(arguments: str, place: Path) -> None:
    """An argument that names a file where hypermon was called, and none where the program works."""
    with suppress(ValueError, OSError):  # a quote that is not closed: the worker says so
        for word in shlex.split(arguments):
            if not Path(word).is_absolute() and Path(word).is_file() and not (place / word).exists():
                import logging  # which few runs wait for

                logging.getLogger(__name__).warning(
                    "%s = %s: is a file here, and none where the program works: an absolute path is, and "
                    "program.folder=. gives it the files of this folder",
                    _ARGUMENTS,
                    cut(word),
                )


def _state(place: Path) -> dict[Path, tuple[int, int, int]]:
    paths = (Path(at) / name for at, inner, names in os.walk(place) for name in (*inner, *names))
    return {path: _stamp(path) for path in paths}


def _stamp(path: Path) -> tuple[int, int, int]:
    status = path.lstat()
    return status.st_ino, status.st_size, status.st_mtime_ns


def _take_away(place: Path, before: Mapping[Path, tuple[int, int, int]]) -> None:
    """What is as it was, and folders that were there and hold nothing else."""
    for at, inner, names in os.walk(place, topdown=False):
        for path in (Path(at) / name for name in names + [one for one in inner if (Path(at) / one).is_symlink()]):
            if before.get(path) == _stamp(path):
                path.unlink()
        folder = Path(at)
        if (folder in before or folder == place) and not any(folder.iterdir()):
            folder.rmdir()
