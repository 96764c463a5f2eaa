# SPDX-License-Identifier: BSD-3-Clause
"""Folders as inputs: selection of their relevant files, digests and copies.

Relevant are all regular files except those of version control (`.git`, ...) and hypermon's own outputs (run
directories, recordings, sweeps). In a folder that is built, the outputs of earlier builds are not relevant, either.
Links within the folder are treated as links; other links are replaced by their targets.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from hypermon._files import files, leftovers
from hypermon.errors import UserError

VERSION_CONTROL = frozenset([".git", ".hg", ".svn", ".bzr", "CVS"])
OF_BUILDS = frozenset(
    ["CMakeFiles", "CMakeCache.txt", "CTestTestfile.cmake", "cmake_install.cmake", "config.status", "config.log"]
)
OF_COMPILERS = frozenset([".mod", ".smod", ".gch", ".pch"])  # Fortran modules and precompiled headers
OURS = ("result.json", "manifest.json")  # beside spec.json or SHA256SUMS, they mark folders that hypermon wrote
MOST_FILES, MOST_BYTES = 100_000, 10_000_000_000  # (chosen) a larger folder is taken for a mistake
_LIBRARY = re.compile(r".+\.so(\.\d+)*")


class Entry(NamedTuple):
    """A file of a folder, or a link within it."""

    name: str  # relative to the folder
    path: Path
    link: str = ""  # target of the link; empty: a file


def resolve(parameter: str, raw: object, where: str) -> str:
    """Like `hypermon._files.files.resolve`, for a folder with all files in it."""
    return files.resolve(parameter, raw, where, digest)


def sha256(path: Path) -> str:
    """Returns the hash of a file, or of a folder that is built."""
    return digest(path, sources=True) if path.is_dir() else files.sha256(path)


def digest(folder: Path, sources: bool = False) -> str:
    """Returns the hash of the relevant files' names, contents and execute permissions.

    `sources`: ignores the outputs of earlier builds. Raises a UserError if the path is no folder, if the folder is far
    too large, or if a link leads to another folder. Raises an OSError if it is not readable.
    """
    listed = []
    for entry in entries(folder, sources):
        mode = "link" if entry.link else "run" if entry.path.stat().st_mode & stat.S_IXUSR else "file"
        listed.append((os.fsencode(entry.name).hex(), mode, entry.link or files.sha256(entry.path)))
    return hashlib.sha256(json.dumps(listed).encode()).hexdigest()


def copy(folder: Path, to: Path, sources: bool = False) -> None:
    """Copies the relevant files, with their times, into `to`. Replaces files of equal name in an existing folder."""
    to.mkdir(exist_ok=True)
    for name, _ in _walk(folder, sources):
        (to / name).mkdir(parents=True, exist_ok=True)
    for entry in entries(folder, sources):
        target = to / entry.name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.unlink(missing_ok=True)
        if entry.link:
            target.symlink_to(entry.link)
        else:
            shutil.copy2(entry.path, target)


def entries(folder: Path, sources: bool = False) -> list[Entry]:
    """Returns the relevant files, sorted by name."""
    found: list[Entry] = []
    size = 0
    if not folder.is_dir():
        folder.stat()  # raises if it does not exist
        raise UserError(f"{folder}: must be a folder")
    for name, path in _files(folder, sources):
        status = path.lstat()
        if stat.S_ISLNK(status.st_mode):
            if _stays(path, folder):
                found.append(Entry(name, path, str(path.readlink())))
                continue
            if path.is_dir():
                raise UserError(f"{path}: leads out of {folder} to another folder, must be in it")
            status = path.stat()
        if stat.S_ISREG(status.st_mode) and not (sources and _is_of_build(path)):
            found.append(Entry(name, path))
            size += status.st_size
        if len(found) > MOST_FILES or size > MOST_BYTES:
            most = f"{MOST_FILES} files or {MOST_BYTES // 10**9} GB"
            raise UserError(f"{folder}: has more than {most}: is it the folder that you mean?")
    return sorted(found, key=lambda entry: os.fsencode(entry.name))


def _files(folder: Path, sources: bool) -> Iterator[tuple[str, Path]]:
    for below, names in _walk(folder, sources):
        for name in names:
            yield os.path.normpath(Path(below) / name), folder / below / name


def _walk(folder: Path, sources: bool) -> Iterator[tuple[str, list[str]]]:
    """Yields each relevant folder with the names of the files and links in it."""

    def fail(error: OSError) -> None:
        raise error

    for at, inner, names in os.walk(folder, onerror=fail):
        links = [name for name in inner if (Path(at) / name).is_symlink()]
        left_out = VERSION_CONTROL | (OF_BUILDS if sources else set())
        inner[:] = [name for name in sorted(inner) if name not in {*left_out, *links} and not _is_ours(Path(at) / name)]
        yield os.path.relpath(at, folder), sorted({*names, *links} - left_out)


def _is_ours(folder: Path) -> bool:
    """Did hypermon write the folder, as a run, a sweep, or the remains of a failed one?"""
    if leftovers.NAMES.fullmatch(folder.name):
        return True
    if folder.name.endswith("-failed"):
        return {"stdout", "stderr"} & {entry.name for entry in folder.iterdir()} != set()
    return any((folder / name).is_file() for name in OURS) and any(
        (folder / name).is_file() for name in ("spec.json", "SHA256SUMS")
    )


def _stays(link: Path, folder: Path) -> bool:
    """Is the link relative, with a target in its own folder?"""
    return not link.readlink().is_absolute() and link.resolve().is_relative_to(folder.resolve())


def _is_of_build(path: Path) -> bool:
    """Is the file an output of an earlier build, or a makefile that CMake or configure has written?"""
    if path.suffix in OF_COMPILERS:
        return True
    with path.open("rb") as file:
        begin = file.read(64)
    if begin.startswith(b"\x7fELF"):
        return not _LIBRARY.fullmatch(path.name)
    if path.name == "Makefile" and path.with_name("Makefile.in").exists() and path.with_name("config.status").exists():
        return True
    return begin.startswith((b"!<arch>\n", b"# CMAKE generated file"))
