# SPDX-License-Identifier: BSD-3-Clause
"""The user's cache of hypermon's, and texts in it that are kept between processes: what a program said of itself. A
damaged one is none.

Programs are run from the cache. Only a folder of this user that no other can write to is taken for it.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import stat
from pathlib import Path

from hypermon._files import leftovers


def cache() -> Path:
    """The cache. A relative XDG_CACHE_HOME counts for nothing (XDG Base Directory Specification)."""
    given = os.environ.get("XDG_CACHE_HOME", "")
    return (Path(given) if Path(given).is_absolute() else Path.home() / ".cache") / "hypermon"


def why_unsafe(path: Path) -> str:
    """Why what is at the path, or below it, may be somebody else's; empty: it is this user's, or not there."""
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
    """The folder, in the cache or the cache itself, for this user alone. OSError: it cannot be made."""
    missing = [one for one in (folder, *folder.parents) if not one.is_dir()]
    for one in reversed(missing):
        with contextlib.suppress(FileExistsError):  # another process was quicker
            one.mkdir(mode=0o700)


def place(kind: str, *parts: object) -> Path:
    """Where the text of a kind is kept that belongs to these parts."""
    key = hashlib.sha256("\n".join(map(str, parts)).encode()).hexdigest()[:20]
    return cache() / f"{kind}-{key}.json"


def read(path: Path) -> str | None:
    """The text that was kept there; None if there is none, or it is damaged or may be somebody else's."""
    try:
        if why_unsafe(path.parent) or why_unsafe(path):
            return None
        return opened(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None


def write(path: Path, text: str) -> None:
    """Keeps the text; where that cannot be written it only costs the time."""
    with contextlib.suppress(OSError):
        make(path.parent)
        if why_unsafe(path.parent):
            return
        with leftovers.file(path.parent, path.name, 0o600) as part:
            part.write_text(_sealed(text), encoding="utf-8")
            part.replace(path)


def _is_own_group(group: int) -> bool:
    """A group of this user alone, which has the user's name: new files are writable to it on many systems."""
    import grp  # rarely asked
    import pwd

    try:
        found, user = grp.getgrgid(group), pwd.getpwuid(os.geteuid())
    except KeyError:
        return False
    return found.gr_name == user.pw_name and not set(found.gr_mem) - {user.pw_name}


def _sealed(text: str) -> str:
    """The text after a line with its checksum."""
    return f"{hashlib.sha256(text.encode()).hexdigest()}\n{text}"


def opened(sealed: str) -> str | None:
    """The text that was sealed; None if it is damaged."""
    text = sealed.partition("\n")[2]
    return text if _sealed(text) == sealed else None
