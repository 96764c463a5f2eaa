# SPDX-License-Identifier: BSD-3-Clause
"""SHA256SUMS: what files of a folder were when they were written, as `sha256sum -c SHA256SUMS` checks it too.

For small files that are read back. Recordings and frame files carry checksums of their own.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from pathlib import Path

from hypermon._files import files
from hypermon.errors import DamagedError, UserError

FILE = "SHA256SUMS"


def write(folder: Path, names: Iterable[str]) -> None:
    """Of those files; the file itself appears whole."""
    _write(folder, {name: _digest_of(folder / name) for name in names})


def _write(folder: Path, digests: Mapping[str, str]) -> None:
    lines = [f"{digest}  {name}\n" for name, digest in sorted(digests.items())]
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


def has(folder: Path, name: str, again: str) -> bool:
    """Whether the file is there. A DamagedError if the folder's checksums name it and it is gone."""
    if (folder / name).is_file():
        return True
    if name in named(folder):
        raise DamagedError(f"{folder / name}: is missing: {FILE} names it; {again}")
    return False


def verify_all(place: Path, again: str, found: Iterable[Path] = ()) -> None:
    """Checks all files of a run directory's subfolder, or of a folder with checksums of its own.

    Args:
        place: The folder. One that no checksums name is taken as it is.
        again: How to have its files made again, for the message.
        found: The files that will be read.

    Raises:
        DamagedError: A file is missing or is not what was written, or one of `found` has no checksum.
    """
    home = next((one for one in (place, place.absolute().parent) if is_there(one)), None)
    if home is None:
        return
    below = "" if home is place else f"{place.absolute().name}/"
    names = {name for name in named(home) if name.startswith(below)}
    if not names and below:
        return
    for name in sorted(names):
        if has(home, name, again):
            verify(home, name, again)
    for path in found:
        if below + path.name not in names:
            raise DamagedError(f"{path}: was added later: {FILE} does not name it; remove it, or {again}")


def renew(folder: Path, names: Iterable[str]) -> None:
    """Writes new checksums of these files, which hypermon has changed on purpose, where the folder names them."""
    said = _said(folder)
    if said is None:
        return
    said |= {name: _digest_of(folder / name) for name in names if name in said}
    _write(folder, said)


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
