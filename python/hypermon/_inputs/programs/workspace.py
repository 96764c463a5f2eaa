# SPDX-License-Identifier: BSD-3-Clause
"""The working folder of the ranks: `files` in the run directory, with a copy of the files of program.folder.

At the end, files that the program has not written are removed, so that the run directory keeps only the outputs.
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

FILES = "files"  # name of the folder, in a run directory and in the cache of a built folder

_FOLDER, _ARGUMENTS = "program.folder", "program.arguments"


@contextmanager
def prepared_folder(values: Mapping[str, Value], run: Path) -> Iterator[None]:
    """Prepares the folder before the worker's run, and cleans it up afterwards. Raises a UserError if files changed."""
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
    """Warns of an argument that names a file in hypermon's current folder, but none in the ranks' working folder."""
    with suppress(ValueError, OSError):  # an unclosed quote, which the worker will report
        for word in shlex.split(arguments):
            if not Path(word).is_absolute() and Path(word).is_file() and not (place / word).exists():
                import logging  # imported here, because few runs need it

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
    """Removes unchanged files, and previously existing folders that are now empty."""
    for at, inner, names in os.walk(place, topdown=False):
        for path in (Path(at) / name for name in names + [one for one in inner if (Path(at) / one).is_symlink()]):
            if before.get(path) == _stamp(path):
                path.unlink()
        folder = Path(at)
        if (folder in before or folder == place) and not any(folder.iterdir()):
            folder.rmdir()
