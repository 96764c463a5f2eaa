# SPDX-License-Identifier: BSD-3-Clause
"""Destinations of output: regular files, or streams (a device, a pipe, standard output).

A regular file is replaced as a whole. A stream gets the content once it is complete. Folders, sockets, disks and
symbolic links are refused. With a link, its creator instead of the user would choose the file to replace.
"""

from __future__ import annotations

import errno
import os
import re
import shutil
import stat
import sys
from collections.abc import Container
from pathlib import Path

from hypermon._printing import say
from hypermon.errors import UserError

STANDARD = Path("/dev/stdout")
"""Standard output, which is `-` on the command line."""
_STREAMS = {"/dev/stdin": 0, "/dev/stdout": 1, "/dev/stderr": 2}
_DESCRIPTOR = re.compile(r"/(?:dev|proc/(?:self|thread-self|([0-9]+)))/fd/([0-9]{1,9})")
_KINDS = {stat.S_IFDIR: "a folder", stat.S_IFLNK: "a link", stat.S_IFSOCK: "a socket", stat.S_IFBLK: "a disk"}


def is_standard(path: Path) -> bool:
    """Is the path standard output, under any of its names?"""
    return _descriptor(path) == 1


def is_stream(path: Path) -> bool:
    """Is the path a device, a pipe, or an open file of this process such as `/dev/fd/63`?"""
    if _descriptor(path) is not None:
        return True
    status = _status(path)
    return status is not None and (stat.S_ISCHR(status.st_mode) or stat.S_ISFIFO(status.st_mode))


def suffix(path: Path, known: Container[str], of_streams: str) -> str:
    """Returns the suffix, which determines the format. A stream without a known suffix gets `of_streams`."""
    return of_streams if path.suffix not in known and is_stream(path) else path.suffix


def require(path: Path, *, streams: bool = True) -> None:
    """Raises a UserError if the path cannot be written, as far as this is known in advance.

    `streams`: whether the path may be a stream.
    """
    try:
        if not streams and is_stream(path):
            raise UserError(f"{path}: is a device or a pipe; name a file")
        _require(path)
    except OSError as error:
        raise UserError(f"{path}: cannot be written: {error.strerror}") from None
    except ValueError as error:  # a null character
        raise UserError(f"{str(path)!r}: cannot be written: {error}") from None


def _require(path: Path) -> None:
    number = _descriptor(path)
    if number is not None:
        os.fstat(number)
        return
    status = require_replaceable(path)
    if status is None and not path.parent.is_dir():
        raise UserError(f"{path}: cannot be written: there is no folder {path.parent}")
    if not is_stream(path) and not os.access(path.parent, os.W_OK | os.X_OK):
        read_only = os.statvfs(path.parent).f_flag & os.ST_RDONLY
        raise UserError(
            f"{path}: cannot be written: the folder {path.parent} {'is read-only' if read_only else 'refuses it'}"
        )
    if status is not None and not os.access(path, os.W_OK):
        raise UserError(f"{path}: cannot be written: it is write-protected")


def require_replaceable(path: Path) -> os.stat_result | None:
    """Returns the status of the path. None: it does not exist. Raises a UserError if a file may not replace it."""
    status = _status(path)
    if status is None or stat.S_IFMT(status.st_mode) not in _KINDS:
        return status
    if stat.S_ISLNK(status.st_mode):
        raise UserError(f"{path}: is a link to {path.readlink()}; name a file itself")
    raise UserError(f"{path}: is {_KINDS[stat.S_IFMT(status.st_mode)]}; name a file")


def require_folder(path: Path) -> os.stat_result | None:
    """Returns the status of the path. None: it does not exist. Raises a UserError if it is no folder."""
    try:
        status = _status(path)
    except OSError as error:
        raise UserError(f"{path}: cannot be written: {error.strerror}") from None
    except ValueError as error:  # a null character
        raise UserError(f"{str(path)!r}: cannot be written: {error}") from None
    if _descriptor(path) is None and (status is None or stat.S_ISDIR(status.st_mode)):
        return status
    if status is not None and stat.S_ISLNK(status.st_mode) and _descriptor(path) is None:
        raise UserError(f"{path}: is a link to {path.readlink()}; name a folder itself")
    kind = "a file" if status is not None and stat.S_ISREG(status.st_mode) else "no folder"
    raise UserError(f"{path}: exists and is not something that hypermon wrote: it is {kind}; choose another path")


def copy_to_stream(part: Path, path: Path) -> None:
    """Copies the file into the stream. Waits until a pipe has a reader."""
    with part.open("rb") as source, os.fdopen(_opened(path), "wb") as target:
        shutil.copyfileobj(source, target)


def _opened(path: Path) -> int:
    number = _descriptor(path)
    if number is not None:
        if number == 1:
            sys.stdout.flush()
        return os.dup(number)
    status = _status(path)
    if status is None or not (stat.S_ISCHR(status.st_mode) or stat.S_ISFIFO(status.st_mode)):
        raise UserError(f"{path}: is not a device or a pipe any more")
    how = os.O_WRONLY | os.O_NOCTTY | os.O_NOFOLLOW | os.O_CLOEXEC
    if stat.S_ISFIFO(status.st_mode):
        try:
            opened = os.open(path, how | os.O_NONBLOCK)
        except OSError as error:
            if error.errno != errno.ENXIO:
                raise
            say(f"{path}: waits for a reader of the pipe", err=True)
        else:
            os.set_blocking(opened, True)
            return opened
    return os.open(path, how)


def _descriptor(path: Path) -> int | None:
    """Returns the file descriptor of this process that a path names. None: it names none."""
    text = os.fspath(path)
    if text in _STREAMS:
        return _STREAMS[text]
    found = _DESCRIPTOR.fullmatch(text)
    return int(found[2]) if found and (found[1] is None or int(found[1]) == os.getpid()) else None


def _status(path: Path) -> os.stat_result | None:
    """Returns the status of the path itself, without following links. None: it does not exist."""
    try:
        return path.lstat()
    except FileNotFoundError:
        return None
