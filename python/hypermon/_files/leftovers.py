# SPDX-License-Identifier: BSD-3-Clause
"""Folders that are being written, and what killed commands have left of theirs.

A folder is written as `.NAME.partial-PID` beside its place and renamed at the end. Its writer holds a lock on it, which
the system takes away when the process ends, however it ends; so whoever writes beside it later can tell what belongs to
nobody, and removes it. What cannot be locked (some network file systems) is left alone.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

from hypermon.errors import UserError

PARTIAL = "partial"  # not complete
OLD = "old"  # what was there before, until the new one has its name


def name_of(out: Path, kind: str) -> Path:
    """The temporary sibling of `out`: this process's own."""
    return out.with_name(f".{out.name}.{kind}-{os.getpid()}")


@contextlib.contextmanager
def owned(partial: Path) -> Iterator[None]:
    """Makes the folder, this process's until the end, and removes what others have left beside it."""
    try:
        partial.parent.mkdir(parents=True, exist_ok=True)
        clean(partial.parent)
        shutil.rmtree(partial, ignore_errors=True)  # left by a killed process that had the same number
        partial.mkdir()
        lock = os.open(partial, os.O_RDONLY | os.O_DIRECTORY)
    except OSError as error:
        raise UserError(f"{partial.parent}: cannot be written to: {error.strerror}") from None
    try:
        with contextlib.suppress(OSError):
            fcntl.flock(lock, fcntl.LOCK_SH)
        yield
    finally:
        os.close(lock)


def clean(folder: Path) -> None:
    """Removes from `folder` what killed processes have left there; a run that one was about to replace is put back."""
    with contextlib.suppress(OSError):
        for left in sorted(folder.iterdir()):
            name = re.fullmatch(rf"\.(.+)\.({PARTIAL}|{OLD})-(\d+)", left.name)
            if name is None or _is_alive(int(name[3])) or not left.is_dir() or left.is_symlink():
                continue
            if name[2] == OLD:
                if not (place := left.with_name(name[1])).exists():
                    left.rename(place)
                    continue
            elif _is_locked(left):
                continue
            shutil.rmtree(left, ignore_errors=True)


def _is_alive(pid: int) -> bool:
    """A process of this number, on this host: the folder may be its own, whether locked yet or not."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except (PermissionError, OverflowError):
        pass
    return True


def _is_locked(folder: Path) -> bool:
    """By a process of any host, as far as one can know."""
    try:
        lock = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    except OSError:
        return True
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return True
    finally:
        os.close(lock)
    return False
