# SPDX-License-Identifier: BSD-3-Clause
"""Temporary files and folders beside what is being written, and those that killed commands have left.

What is written as NAME has a temporary name until it is complete: `.NAME.partial-PID-TOKEN`, whose token nobody can
foresee. The writer holds a lock on it, which the system takes away when the process ends, however it ends. A later
writer in the same folder can therefore tell what belongs to no process any more, and removes it. What cannot be locked
(some network file systems) is left alone.
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

PARTIAL = "partial"  # not complete
OLD = "old"  # what was there before, until the new one has its name
NAMES = re.compile(rf"\.(.+)\.({PARTIAL}|{OLD})-([0-9]+)(-[0-9a-f]{{8}})?", re.DOTALL)
"""Temporary names. Earlier versions had no token in those of folders."""
SHOWN = 48  # characters of a file's own name: a temporary name must not be too long where the name is not


def name_of(out: Path, kind: str) -> Path:
    """A temporary sibling of `out`, of this process alone."""
    return out.with_name(f".{out.name}.{kind}-{os.getpid()}-{os.urandom(4).hex()}")


@contextlib.contextmanager
def owned(partial: Path) -> Iterator[None]:
    """Makes the folder and holds it until the end. Removes what dead processes have left beside it."""
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
    """A temporary file in the folder, held until the end and then removed, unless it was renamed. Removes what dead
    processes have left there."""
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
    """A temporary folder beside `out`, removed at the end: for programs and libraries that choose names themselves."""
    made = name_of(out.with_name(out.name[:SHOWN]), PARTIAL)
    with owned(made):
        try:
            yield made
        finally:
            shutil.rmtree(made, ignore_errors=True)


def clean(folder: Path) -> None:
    """Removes from `folder` what dead processes of this user have left there. A result that one of them was about to
    replace is put back."""
    if any(NAMES.fullmatch(part) for part in folder.parts):
        return  # its own writer removes it as a whole
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
    """A process of this number, on this host: what it makes may be its own, whether locked yet or not."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except (PermissionError, OverflowError):
        pass
    return True


def _is_locked(path: Path, how: int) -> bool:
    """By a process of any host, as far as one can know."""
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
