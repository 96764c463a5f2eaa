# SPDX-License-Identifier: BSD-3-Clause
"""SHA256SUMS: checksums of a folder's files, in the format of `sha256sum -c SHA256SUMS`.

They are for small files that are read back. Recordings and frame files contain their own checksums.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from pathlib import Path

from hypermon._files import files
from hypermon.errors import DamagedError, UserError

FILE = "SHA256SUMS"


def write(folder: Path, names: Iterable[str]) -> None:
    """Writes the checksums of these files, atomically."""
    _write(folder, {name: _digest_of(folder / name) for name in names})


def _write(folder: Path, digests: Mapping[str, str]) -> None:
    lines = [f"{digest}  {name}\n" for name, digest in sorted(digests.items())]
    with files.writing(folder / FILE) as part:
        part.write_text("".join(lines), encoding="utf-8")


def read(folder: Path, name: str, again: str, known: str | None = None) -> bytes:
    """Returns the file's content. Raises a DamagedError if its checksum is wrong.

    `again`: advice for the message, how to make the file again. `known`: checksums that `text` has returned earlier, if
    the folder may have been replaced since. A folder without SHA256SUMS is of an older version, or not hypermon's; its
    files are not verified.
    """
    path = files.regular(folder / name)
    content = path.read_bytes()
    digests = _digests(folder) if known is None else _parsed(known)
    if digests is not None and digests.get(name) != _digest(content):
        raise DamagedError(f"{path}: is damaged: its checksum is not that in {FILE}; {again}")
    return content


def verify(folder: Path, name: str, again: str) -> None:
    """Verifies a file, which may be large, without returning its content. Otherwise like `read`."""
    path = files.regular(folder / name)
    digests = _digests(folder)
    if digests is not None and digests.get(name) != _digest_of(path):
        raise DamagedError(f"{path}: is damaged: its checksum is not that in {FILE}; {again}")


def has_file(folder: Path, name: str, again: str) -> bool:
    """Does the file exist? Raises a DamagedError if it is missing although the folder has a checksum for it."""
    if (folder / name).is_file():
        return True
    if name in listed_files(folder):
        raise DamagedError(f"{folder / name}: is missing: {FILE} names it; {again}")
    return False


def verify_all(place: Path, again: str, found: Iterable[Path] = ()) -> None:
    """Checks all files of a run directory's subfolder, or of a folder with checksums of its own.

    Args:
        place: The folder. Without any checksums for it, nothing is verified.
        again: Advice for the message: how to make the files again.
        found: The files that will be read.

    Raises:
        DamagedError: A file is missing, its checksum is wrong, or one of `found` has no checksum.
    """
    home = next((one for one in (place, place.absolute().parent) if has_checksums(one)), None)
    if home is None:
        return
    below = "" if home is place else f"{place.absolute().name}/"
    names = {name for name in listed_files(home) if name.startswith(below)}
    if not names and below:
        return
    for name in sorted(names):
        if has_file(home, name, again):
            verify(home, name, again)
    for path in found:
        if below + path.name not in names:
            raise DamagedError(f"{path}: was added later: {FILE} does not name it; remove it, or {again}")


def renew(folder: Path, names: Iterable[str]) -> None:
    """Updates the checksums of files that hypermon has changed on purpose, if the folder has checksums for them."""
    digests = _digests(folder)
    if digests is None:
        return
    digests |= {name: _digest_of(folder / name) for name in names if name in digests}
    _write(folder, digests)


def listed_files(folder: Path) -> set[str]:
    """Returns the files for which the folder has checksums, whether these are right or not."""
    return set(_digests(folder) or {})


def has_checksums(folder: Path) -> bool:
    """Does the folder have checksums?"""
    return (folder / FILE).is_file()


def text(folder: Path) -> str | None:
    """Returns the checksums as a text that identifies the folder's content. None: it has no checksums."""
    if not has_checksums(folder):
        return None
    try:
        return (folder / FILE).read_text(encoding="utf-8")
    except UnicodeDecodeError:
        return ""
    except OSError as error:
        raise UserError(f"{folder / FILE}: cannot be read: {error.strerror}") from None


def _digests(folder: Path) -> dict[str, str] | None:
    found = text(folder)
    return None if found is None else _parsed(found)


def _parsed(found: str) -> dict[str, str]:
    return {name: digest for digest, _, name in (line.partition("  ") for line in found.splitlines())}


def _digest_of(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
