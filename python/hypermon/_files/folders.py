# SPDX-License-Identifier: BSD-3-Clause
"""Folders as inputs: which of their files count, what these are together, and copies of them.

What counts are all regular files, but those of version control (`.git`, ...) and what hypermon has left there itself:
run directories, recordings, sweeps. Of a folder that is built, neither what an earlier build has left.
Links that stay in the folder are links; others are what they lead to.
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
OF_COMPILERS = frozenset([".mod", ".smod", ".gch", ".pch"])  # of Fortran; precompiled headers
OURS = ("result.json", "manifest.json")  # beside spec.json or SHA256SUMS: folders that hypermon wrote
MOST_FILES, MOST_BYTES = 100_000, 10_000_000_000  # (chosen) not the folder that was meant
_LIBRARY = re.compile(r".+\.so(\.\d+)*")


class Entry(NamedTuple):
    """A file of a folder, or a link inside of it."""

    name: str  # from the folder
    path: Path
    link: str = ""  # where it leads


def resolve(parameter: str, raw: object, where: str) -> str:
    """As `hypermon._files.files.resolve`, of a folder and all files in it."""
    return files.resolve(parameter, raw, where, digest)


def sha256(path: Path) -> str:
    """Of a file, or of a folder that is built."""
    return digest(path, sources=True) if path.is_dir() else files.sha256(path)


def digest(folder: Path, sources: bool = False) -> str:
    """Of the names, contents and permissions to execute of what counts. `sources`: of what is built of it.

    Raises UserError: no folder, far too large, or a link out of it to another folder. OSError: not readable.
    """
    said = []
    for entry in entries(folder, sources):
        mode = "link" if entry.link else "run" if entry.path.stat().st_mode & stat.S_IXUSR else "file"
        said.append((os.fsencode(entry.name).hex(), mode, entry.link or files.sha256(entry.path)))
    return hashlib.sha256(json.dumps(said).encode()).hexdigest()


def copy(folder: Path, to: Path, sources: bool = False) -> None:
    """What counts, with its times, into `to`, which may be there: what is of the same name is replaced."""
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
    """What counts, in the order of names."""
    found: list[Entry] = []
    size = 0
    if not folder.is_dir():
        folder.stat()  # raises if nothing is there
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
    """Every folder that counts with the names in it that are no folders, or are links."""

    def fail(error: OSError) -> None:
        raise error

    for at, inner, names in os.walk(folder, onerror=fail):
        links = [name for name in inner if (Path(at) / name).is_symlink()]
        left_out = VERSION_CONTROL | (OF_BUILDS if sources else set())
        inner[:] = [name for name in sorted(inner) if name not in {*left_out, *links} and not _is_ours(Path(at) / name)]
        yield os.path.relpath(at, folder), sorted({*names, *links} - left_out)


def _is_ours(folder: Path) -> bool:
    """Did hypermon write it, as a run, a sweep, or what is left of one that failed?"""
    if leftovers.NAMES.fullmatch(folder.name):
        return True
    if folder.name.endswith("-failed"):
        return {"stdout", "stderr"} & {entry.name for entry in folder.iterdir()} != set()
    return any((folder / name).is_file() for name in OURS) and any(
        (folder / name).is_file() for name in ("spec.json", "SHA256SUMS")
    )


def _stays(link: Path, folder: Path) -> bool:
    """Does the link lead, by no absolute path, into its folder?"""
    return not link.readlink().is_absolute() and link.resolve().is_relative_to(folder.resolve())


def _is_of_build(path: Path) -> bool:
    """What compilers left in an earlier build, and the makefiles that CMake and configure have written."""
    if path.suffix in OF_COMPILERS:
        return True
    with path.open("rb") as file:
        begin = file.read(64)
    if begin.startswith(b"\x7fELF"):
        return not _LIBRARY.fullmatch(path.name)
    if path.name == "Makefile" and path.with_name("Makefile.in").exists() and path.with_name("config.status").exists():
        return True
    return begin.startswith((b"!<arch>\n", b"# CMAKE generated file"))
