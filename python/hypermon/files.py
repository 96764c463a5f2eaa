"""Parameters that name files: `/absolute/path@sha256:<hex>`; what depends on a file changes with its content.

Declared in C++ with `file()` (hw/core/field.hpp). Users write paths, relative to the YAML file that says them or, from
a command line and from Python, to the current directory. The empty text means no file.
"""

from __future__ import annotations

import functools
import hashlib
import os
import re
from pathlib import Path

from hypermon.errors import UserError

RESOLVED = re.compile(r"(/.*)@sha256:([0-9a-f]{64})", re.DOTALL)
EACH = re.compile(r"(/.*?)@sha256:[0-9a-f]{64}(?: |$)", re.DOTALL)


class Where(str):
    """Where something was said, and the folder that relative paths start from there."""

    folder: Path

    def __new__(cls, text: str, folder: Path) -> Where:
        where = super().__new__(cls, text)
        where.folder = folder
        return where


def resolve(parameter: str, raw: object, where: str) -> str:
    """`raw`, a path or what this function returned for one, as parameters have it.

    Raises UserError: no text, no such file, not readable, or not what it was when it was resolved first.
    """
    if not isinstance(raw, str | os.PathLike):
        raise UserError(f"{parameter} = {raw}: must be the path of a file", where)
    text = os.fspath(raw)
    if not text:
        return ""
    resolved = RESOLVED.fullmatch(text)
    path = Path(resolved[1]) if resolved else _absolute(text, where)
    try:
        digest = sha256(path)
    except OSError as error:
        raise UserError(f"{parameter} = {text}: cannot be read: {error.strerror}", where) from None
    if resolved and digest != resolved[2]:
        raise UserError(f"{parameter} = {path}: its content has changed since the run was specified", where)
    return f"{path}@sha256:{digest}"


def resolve_all(parameter: str, raw: object, where: str) -> str:
    """The same of one file or of several, as a list of paths or resolved: separated by spaces then."""
    if isinstance(raw, list | tuple):  # of a YAML file's items, perhaps
        return " ".join(resolve(parameter, getattr(one, "value", one), getattr(one, "where", where)) for one in raw)
    if isinstance(raw, str) and len(EACH.findall(raw)) > 1:
        return " ".join(resolve(parameter, one.group().rstrip(" "), where) for one in EACH.finditer(raw))
    return resolve(parameter, raw, where)


def _absolute(text: str, where: str) -> Path:
    folder = where.folder if isinstance(where, Where) else Path()
    return Path(os.path.abspath(folder / Path(text).expanduser()))  # noqa: PTH100 (resolve() would follow links)


def paths(value: str) -> list[Path]:
    """The files that a resolved value names, one or several."""
    return [Path(path) for path in EACH.findall(value)]


def path_of(value: str) -> Path | None:
    """The file that a resolved value names; None for none."""
    found = RESOLVED.fullmatch(value)
    return Path(found[1]) if found else None


def sha256(path: Path) -> str:
    """Of the file's content. Remembered while the file's time and size stay."""
    status = path.stat()
    return _sha256(path, status.st_mtime_ns, status.st_size, status.st_ino)


@functools.lru_cache(maxsize=1024)
def _sha256(path: Path, _mtime_ns: int, _size: int, _inode: int) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
