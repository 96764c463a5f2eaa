# SPDX-License-Identifier: BSD-3-Clause
"""Temporary files and folders of outputs, and the removal of those that killed commands have left.

An output NAME has the temporary name `.NAME.partial-PID-TOKEN` until it is complete. The token is unpredictable. The
writer holds a lock on the file, which the system releases when the process ends in any way. A later writer in the same
folder therefore recognises and removes abandoned files. Files that cannot be locked (on some network file systems) are
left alone.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import re
import shutil
import stat
from collections.abc import Iterator
from pathlib import Path

PARTIAL = "partial"  # an incomplete output
OLD = "old"  # the previous output, until the new one has its name
NAMES = re.compile(rf"\.(.+)\.({PARTIAL}|{OLD})-([0-9]+)(-[0-9a-f]{{8}})?", re.DOTALL)
"""Temporary names. Earlier versions had no token in those of folders."""
SHOWN = 48  # (chosen) characters of the output's name in a temporary name, which must not become too long


def name_of(out: Path, kind: str) -> Path:
    """Returns a temporary name beside `out`, for this process only."""
    return out.with_name(f".{out.name}.{kind}-{os.getpid()}-{os.urandom(4).hex()}")


@contextlib.contextmanager
def owned(partial: Path) -> Iterator[None]:
    """Makes the folder and locks it until the end. Removes leftovers of dead processes beside it."""
    partial.parent.mkdir(parents=True, exist_ok=True)
    clean(partial.parent)
    partial.mkdir()
    lock = os.open(partial, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    try:
        with contextlib.suppress(OSError):
            fcntl.flock(lock, fcntl.LOCK_SH)
        yield
    finally:
        os.close(lock)


@contextlib.contextmanager
def file(folder: Path, name: str, mode: int) -> Iterator[Path]:
    """Makes a temporary file in the folder. It is locked until the end, and removed then unless it was renamed.

    Also removes leftovers of dead processes in the folder.
    """
    clean(folder)
    made = name_of(folder / name[:SHOWN], PARTIAL)
    lock = os.open(made, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, mode)
    try:
        with contextlib.suppress(OSError):
            fcntl.flock(lock, fcntl.LOCK_SH)
        yield made
    finally:
        with contextlib.suppress(OSError):
            made.unlink(missing_ok=True)
        os.close(lock)


@contextlib.contextmanager
def scratch(out: Path) -> Iterator[Path]:
    """Makes a temporary folder beside `out`, removed at the end, for tools that choose file names themselves."""
    made = name_of(out.with_name(out.name[:SHOWN]), PARTIAL)
    with owned(made):
        try:
            yield made
        finally:
            shutil.rmtree(made, ignore_errors=True)


def clean(folder: Path) -> None:
    """Removes leftovers of this user's dead processes from `folder`.

    If a process died while it replaced a result, the previous result is restored.
    """
    if any(NAMES.fullmatch(part) for part in folder.parts):
        return  # a temporary folder, which its own writer removes
    with contextlib.suppress(OSError):
        for left in sorted(Path(entry.path) for entry in os.scandir(folder) if NAMES.fullmatch(entry.name)):
            with contextlib.suppress(OSError):
                _clean(left)


def _clean(left: Path) -> None:
    name, status = NAMES.fullmatch(left.name), left.lstat()
    if name is None or status.st_uid != os.geteuid() or _is_alive(int(name[3])):
        return
    if stat.S_ISREG(status.st_mode):
        if name[4] and name[2] == PARTIAL and not _is_locked(left, os.O_RDWR):
            left.unlink()
        return
    if not stat.S_ISDIR(status.st_mode):
        return
    if name[2] == OLD:
        if not os.path.lexists(place := left.with_name(name[1])):
            left.rename(place)
            return
    elif _is_locked(left, os.O_RDONLY | os.O_DIRECTORY):
        return
    shutil.rmtree(left, ignore_errors=True)


def _is_alive(pid: int) -> bool:
    """Is there a process with this number on this host? A new file of it may not be locked yet."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except (PermissionError, OverflowError):
        pass
    return True


def _is_locked(path: Path, how: int) -> bool:
    """Is the file locked by a process, on any host, as far as the file system tells?"""
    try:
        lock = os.open(path, how | os.O_NOFOLLOW | os.O_CLOEXEC)
    except OSError:
        return True
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return True
    finally:
        os.close(lock)
    return False
