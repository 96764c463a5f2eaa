# SPDX-License-Identifier: BSD-3-Clause
"""SHA256SUMS: what files of a folder were when they were written, as `sha256sum -c SHA256SUMS` checks it too.

For small files that are read back. Recordings and frame files carry checksums of their own.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from pathlib import Path

from hypermon._files import files
from hypermon.errors import DamagedError, UserError

FILE = "SHA256SUMS"


def write(folder: Path, names: Iterable[str]) -> None:
    """Of those files; the file itself appears whole."""
    lines = [f"{_digest_of(folder / name)}  {name}\n" for name in sorted(names)]
    with files.writing(folder / FILE) as part:
        part.write_text("".join(lines), encoding="utf-8")


def read(folder: Path, name: str, again: str, known: str | None = None) -> bytes:
    """The file's content. A DamagedError if it is not what was written; `again`: how to have it made again.

    `known`: the checksums as `text` gave them before, if the folder may have been replaced since.
    A folder without SHA256SUMS is not of this version, or not of hypermon: what it holds is taken as it is.
    """
    path = files.regular(folder / name)
    content = path.read_bytes()
    said = _said(folder) if known is None else _parsed(known)
    if said is not None and said.get(name) != _digest(content):
        raise DamagedError(f"{path}: is damaged: its checksum is not that in {FILE}; {again}")
    return content


def verify(folder: Path, name: str, again: str) -> None:
    """As `read`, of a file that may be large: only a DamagedError if it is not what was written."""
    path = files.regular(folder / name)
    said = _said(folder)
    if said is not None and said.get(name) != _digest_of(path):
        raise DamagedError(f"{path}: is damaged: its checksum is not that in {FILE}; {again}")


def named(folder: Path) -> set[str]:
    """The files whose checksums the folder has, damaged or not."""
    return set(_said(folder) or {})


def is_there(folder: Path) -> bool:
    """Does the folder say what its files are?"""
    return (folder / FILE).is_file()


def text(folder: Path) -> str | None:
    """The checksums, as a text that tells one content of the folder from another; None if it has none."""
    if not is_there(folder):
        return None
    try:
        return (folder / FILE).read_text(encoding="utf-8")
    except UnicodeDecodeError:
        return ""
    except OSError as error:
        raise UserError(f"{folder / FILE}: cannot be read: {error.strerror}") from None


def _said(folder: Path) -> dict[str, str] | None:
    found = text(folder)
    return None if found is None else _parsed(found)


def _parsed(found: str) -> dict[str, str]:
    return {name: digest for digest, _, name in (line.partition("  ") for line in found.splitlines())}


def _digest_of(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
