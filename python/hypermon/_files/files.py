# SPDX-License-Identifier: BSD-3-Clause
"""Parameters that name files. Their value is `/absolute/path@sha256:<hex>`, so it changes with the file's content.

They are declared in C++ with `file()` (base/field.hpp). Users write paths, which are relative to the YAML file in which
they stand or, on a command line and in Python, to the current directory. The empty text means no file. Files in the
user's home folder are written as `~/path@sha256:<hex>`, so that results that are passed on do not contain the user's
name.
"""

from __future__ import annotations

import contextlib
import errno
import functools
import hashlib
import os
import re
import stat
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from hypermon._files import leftovers, outputs
from hypermon._printing import one_line
from hypermon.errors import HypermonError, UserError

RESOLVED = re.compile(r"(~?/.*)@sha256:([0-9a-f]{64})", re.DOTALL)
EACH = re.compile(r"(~?/.*?)@sha256:[0-9a-f]{64}(?: |$)", re.DOTALL)


class Where(str):
    """The place of a value in a file or command line, with the folder to which its relative paths refer."""

    folder: Path

    def __new__(cls, text: str, folder: Path) -> Where:
        where = super().__new__(cls, text)
        where.folder = folder
        return where

    def __reduce__(self) -> tuple[type[Where], tuple[str, Path]]:
        return Where, (str(self), self.folder)


def resolve(parameter: str, raw: object, where: str, digest_of: Callable[[Path], str] | None = None) -> str:
    """Resolves a path to a parameter's value. `raw`: a path, or a value that is already resolved.

    `digest_of`: computes the digest, if it is not that of a file. Raises a UserError if `raw` is no text, if the file
    does not exist or is not readable, or if it has changed since it was first resolved.
    """
    if not isinstance(raw, str | os.PathLike):
        raise UserError(f"{parameter} = {raw}: must be the path of a file", where)
    text = os.fspath(raw)
    if not text:
        return ""
    resolved = RESOLVED.fullmatch(text)
    path = _expanded(resolved[1]) if resolved else _absolute(text, where)
    try:
        digest = (digest_of or sha256)(path)
        value = path_with_digest(path, digest)
    except UserError as error:
        raise UserError(f"{parameter} = {error}", where) from None
    except OSError as error:
        raise UserError(f"{parameter} = {text}: cannot be read: {error.strerror}", where) from None
    except ValueError as error:  # the path has a null character
        raise UserError(f"{parameter} = {text!r}: cannot be read: {error}", where) from None
    if resolved and digest != resolved[2]:
        raise UserError(f"{parameter} = {path}: its content has changed since the run was specified", where)
    return value


def path_with_digest(path: Path, digest: str) -> str:
    """Returns a parameter's value for an absolute path and a digest. Raises a UserError if the name is not UTF-8."""
    value = f"{from_home(path)}@sha256:{digest}"
    if not is_text(value):
        raise UserError(f"{path}: its name is not UTF-8, and cannot stand in a specification")
    return value


def name_as_text(name: str) -> str:
    """Returns a file's name for results and pages, the same in every locale. Bytes that are no text are escaped."""
    with contextlib.suppress(UnicodeEncodeError):  # the locale lacks a character of the name
        name = os.fsencode(name).decode("utf-8", "backslashreplace")
    return one_line(name)


def is_text(value: str) -> bool:
    """Can the value be written as UTF-8? Arguments and file names may have other bytes."""
    try:
        value.encode()
    except UnicodeEncodeError:
        return False
    return True


def from_home(path: str | os.PathLike[str]) -> str:
    """Returns a path for results that are passed on. A path below the user's home folder begins with `~`."""
    text, home = os.fspath(path), os.environ.get("HOME", "").rstrip("/")
    for folder in (home, os.path.realpath(home)) if home.startswith("/") else ():
        if folder != "/" and text.startswith(f"{folder}/"):
            return f"~{text.removeprefix(folder)}"
    return text


def without_home(text: str) -> str:
    """Returns a message for results. Paths in it that lie below the user's home folder begin with `~`."""
    home = os.environ.get("HOME", "").rstrip("/")
    return text.replace(f"{home}/", "~/") if home.startswith("/") else text


def _expanded(path: str) -> Path:
    return Path(path).expanduser() if path.startswith("~/") else Path(path)


def resolve_all(parameter: str, raw: object, where: str, of: Callable[[Path], str] | None = None) -> str:
    """Like `resolve`, for one or several files. `raw`: a list of paths, or resolved values separated by spaces."""
    if isinstance(raw, list | tuple):  # its elements may be Items of a YAML file
        return " ".join(resolve(parameter, getattr(one, "value", one), getattr(one, "where", where), of) for one in raw)
    if isinstance(raw, str) and len(EACH.findall(raw)) > 1:
        return " ".join(resolve(parameter, one.group().rstrip(" "), where, of) for one in EACH.finditer(raw))
    return resolve(parameter, raw, where, of)


def _absolute(text: str, where: str) -> Path:
    folder = where.folder if isinstance(where, Where) else Path()
    return Path(os.path.abspath(folder / Path(text).expanduser()))  # noqa: PTH100 (resolve() would follow links)


def paths(value: str) -> list[Path]:
    """Returns the files that a resolved value names."""
    return [_expanded(path) for path in EACH.findall(value)]


def path_of(value: str) -> Path | None:
    """Returns the file that a resolved value names. None: it names no file."""
    found = RESOLVED.fullmatch(value)
    return _expanded(found[1]) if found else None


def content(path: Path, value: str) -> bytes:
    """Returns the content of the file that a resolved value names. Raises a UserError if it has changed."""
    try:
        read = regular(path).read_bytes()
    except OSError as error:
        raise UserError(f"{path}: cannot be read: {error.strerror}") from None
    if not value.endswith(hashlib.sha256(read).hexdigest()):
        raise UserError(f"{path}: its content has changed since the run was specified")
    return read


def regular(path: Path) -> Path:
    """Returns `path`. Raises a UserError if it is no regular file, such as a folder, or a device that may never end."""
    try:
        mode = path.stat().st_mode
    except (OSError, ValueError):  # ValueError: a null character
        return path  # opening it will report the error
    if not stat.S_ISREG(mode):
        kinds = {stat.S_IFDIR: "a folder", stat.S_IFIFO: "a pipe", stat.S_IFSOCK: "a socket"}
        raise UserError(f"{path}: is {kinds.get(stat.S_IFMT(mode), 'a device')}, must be a file")
    return path


@contextlib.contextmanager
def untrusted_read(path: Path, kind: str) -> Iterator[None]:
    """Turns the errors of a library that reads an untrusted file into a UserError.

    `kind`: the expected kind of file.
    """
    try:
        yield
    except HypermonError:
        raise
    except Exception as error:  # libraries may raise anything for a malformed file
        if isinstance(error, OSError) and error.errno:
            raise UserError(f"{path}: cannot be read: {os.strerror(error.errno)}") from None
        reason = " ".join(str(error).split())[:200] or type(error).__name__
        raise UserError(f"{path}: cannot be read as {kind}: {reason}") from None


@contextlib.contextmanager
def writing(path: Path, *, streams: bool = True) -> Iterator[Path]:
    """Gives a temporary file to write to, which is renamed to `path` at the end, or removed after an error.

    A stream, such as a device or a pipe, gets the content at the end. `streams`: whether `path` may be one. Raises a
    UserError if the file cannot be written.
    """
    outputs.require(path, streams=streams)
    if outputs.is_stream(path):
        import tempfile  # imported here, because few outputs need it

        folder = Path(tempfile.gettempdir())
        with naming(path), leftovers.file(folder, "output", 0o600) as part:
            with naming(folder):
                yield part
            outputs.copy_to_stream(part, path)
        return
    with naming(path), leftovers.file(path.parent, path.name, 0o666) as part:
        if (before := outputs.require_replaceable(path)) is not None:
            part.chmod(stat.S_IMODE(before.st_mode))
        yield part
        rename_into_place(part, path)


@contextlib.contextmanager
def writing_all(texts: Mapping[Path, str]) -> Iterator[None]:
    """Writes these files. They get their names at the end of the block, and only if all of them could be written."""
    with contextlib.ExitStack() as stack:
        for path, text in texts.items():
            stack.enter_context(writing(path, streams=False)).write_text(text, encoding="utf-8")
        yield


def rename_into_place(part: Path, path: Path) -> None:
    """Renames the file to `path`, which may be an existing file but nothing else.

    Also works on file systems that do not rename to an existing name.
    """
    outputs.require_replaceable(path)
    try:
        part.replace(path)
    except OSError as error:
        if error.errno not in (errno.EBUSY, errno.EEXIST, errno.ETXTBSY):
            raise
        path.unlink(missing_ok=True)
        part.replace(path)


@contextlib.contextmanager
def naming(path: Path) -> Iterator[None]:
    """Turns errors of the operating system, such as a full disk, into a UserError that names `path`."""
    try:
        yield
    except BrokenPipeError:
        raise  # the reader of a pipe has ended
    except OSError as error:
        reason = os.strerror(error.errno) if error.errno else str(error)
        raise UserError(f"{path}: cannot be written: {reason}") from None


OURS = frozenset(
    ["SHA256SUMS", "result.json", "spec.json", "host.json", "recording.arrow", "manifest.json", "results.parquet"]
)
"""The files that commands read in the folders of runs and of sweeps."""


def keep(out: Path, *inputs: str | os.PathLike[str] | None) -> None:
    """Raises a UserError if writing to `out`, a file or a folder, would destroy one of the inputs."""
    try:
        target = out.resolve()
        sources = [Path(each).resolve() for each in inputs if each is not None]
    except (OSError, ValueError, RuntimeError):
        return  # opening them will report the error
    for source in sources:
        if source.exists() and (target == source or target in source.parents):
            raise UserError(f"{out}: would replace {source}, which is read; choose another path (--out)")
        if source in target.parents and target.name in OURS and target.exists():
            raise UserError(f"{out}: is a part of what is read; choose another path (--out)")


def named_by(values: Mapping[str, object]) -> list[Path]:
    """Returns the files that a specification names."""
    return [
        path for value in values.values() if isinstance(value, str) and "@sha256:" in value for path in paths(value)
    ]


def sha256(path: Path) -> str:
    """Returns the hash of a file's content. It is cached until the file's time or size changes.

    Raises a UserError if the path is no file.
    """
    status = regular(path).stat()
    return _sha256(path, status.st_mtime_ns, status.st_size, status.st_ino)


@functools.lru_cache(maxsize=1024)
def _sha256(path: Path, _mtime_ns: int, _size: int, _inode: int) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
