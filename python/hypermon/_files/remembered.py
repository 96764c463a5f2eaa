# SPDX-License-Identifier: BSD-3-Clause
"""The user's cache for hypermon, and cached texts in it, such as the worker's description. Damaged texts are ignored.

Programs are executed from the cache. Therefore the folder must belong to this user, and nobody else may write to it.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import stat
from pathlib import Path

from hypermon._files import leftovers


def cache() -> Path:
    """Returns the folder of the cache. A relative XDG_CACHE_HOME is ignored (XDG Base Directory Specification)."""
    given = os.environ.get("XDG_CACHE_HOME", "")
    return (Path(given) if Path(given).is_absolute() else Path.home() / ".cache") / "hypermon"


def why_unsafe(path: Path) -> str:
    """Returns the reason why other users may have written to the path or below it. Empty: it is safe or missing."""
    try:
        link, status = path.lstat(), path.stat()
    except FileNotFoundError:
        return ""
    except OSError as error:
        return f"cannot be read: {error.strerror}"
    if {link.st_uid, status.st_uid} != {os.geteuid()}:
        return "belongs to another user"
    if status.st_mode & stat.S_IWOTH or (status.st_mode & stat.S_IWGRP and not _is_own_group(status.st_gid)):
        return "may be written to by other users"
    return ""


def make(folder: Path) -> None:
    """Makes the cache or a folder in it, for this user only. Raises an OSError if that fails."""
    missing = [one for one in (folder, *folder.parents) if not one.is_dir()]
    for one in reversed(missing):
        with contextlib.suppress(FileExistsError):  # made by another process in the meantime
            one.mkdir(mode=0o700)


def place(kind: str, *parts: object) -> Path:
    """Returns the file for a cached text. It is identified by its kind and the parts on which it depends."""
    key = hashlib.sha256("\n".join(map(str, parts)).encode()).hexdigest()[:20]
    return cache() / f"{kind}-{key}.json"


def read(path: Path) -> str | None:
    """Returns the cached text. None: there is none, or it is damaged, or other users may have written it."""
    try:
        if why_unsafe(path.parent) or why_unsafe(path):
            return None
        return opened(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None


def write(path: Path, text: str) -> None:
    """Caches the text. Write errors are ignored."""
    with contextlib.suppress(OSError):
        make(path.parent)
        if why_unsafe(path.parent):
            return
        with leftovers.file(path.parent, path.name, 0o600) as part:
            part.write_text(_sealed(text), encoding="utf-8")
            part.replace(path)


def _is_own_group(group: int) -> bool:
    """Is this the user's private group, which has the user's name? On many systems, new files are writable for it."""
    import grp  # imported here, because it is rarely needed
    import pwd

    try:
        found, user = grp.getgrgid(group), pwd.getpwuid(os.geteuid())
    except KeyError:
        return False
    return found.gr_name == user.pw_name and not set(found.gr_mem) - {user.pw_name}


def _sealed(text: str) -> str:
    """Returns the text with a line in front that has its checksum."""
    return f"{hashlib.sha256(text.encode()).hexdigest()}\n{text}"


def opened(sealed: str) -> str | None:
    """Returns the text without its checksum. None: it is damaged."""
    text = sealed.partition("\n")[2]
    return text if _sealed(text) == sealed else None
