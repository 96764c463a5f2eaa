# SPDX-License-Identifier: BSD-3-Clause
"""Parameters that name files: `/absolute/path@sha256:<hex>`; what depends on a file changes with its content.

Declared in C++ with `file()` (base/field.hpp). Users write paths, relative to the YAML file that says them or, from
a command line and from Python, to the current directory. The empty text means no file. Of a file in the user's home
folder it is `~/path@sha256:<hex>`: results are handed on, and need not tell the user's name.
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
    """Where something was said, and the folder that relative paths start from there."""

    folder: Path

    def __new__(cls, text: str, folder: Path) -> Where:
        where = super().__new__(cls, text)
        where.folder = folder
        return where

    def __reduce__(self) -> tuple[type[Where], tuple[str, Path]]:
        return Where, (str(self), self.folder)


def resolve(parameter: str, raw: object, where: str, of: Callable[[Path], str] | None = None) -> str:
    """`raw`, a path or what this function returned for one, as parameters have it. `of`: its digest, if not a file's.

    Raises UserError: no text, no such file, not readable, or not what it was when it was resolved first.
    """
    if not isinstance(raw, str | os.PathLike):
        raise UserError(f"{parameter} = {raw}: must be the path of a file", where)
    text = os.fspath(raw)
    if not text:
        return ""
    resolved = RESOLVED.fullmatch(text)
    path = _expanded(resolved[1]) if resolved else _absolute(text, where)
    try:
        digest = (of or sha256)(path)
        value = named(path, digest)
    except UserError as error:
        raise UserError(f"{parameter} = {error}", where) from None
    except OSError as error:
        raise UserError(f"{parameter} = {text}: cannot be read: {error.strerror}", where) from None
    except ValueError as error:  # a null character in a path
        raise UserError(f"{parameter} = {text!r}: cannot be read: {error}", where) from None
    if resolved and digest != resolved[2]:
        raise UserError(f"{parameter} = {path}: its content has changed since the run was specified", where)
    return value


def named(path: Path, digest: str) -> str:
    """An absolute path and the digest of what is there, as parameters have them. A UserError: its name is no text."""
    value = f"{from_home(path)}@sha256:{digest}"
    if not is_text(value):
        raise UserError(f"{path}: its name is not UTF-8, and cannot stand in a specification")
    return value


def name_as_text(name: str) -> str:
    """A file's name as results and pages have it: the same in every locale, with escapes where it is no text."""
    with contextlib.suppress(UnicodeEncodeError):  # of characters that the locale does not have: it came from elsewhere
        name = os.fsencode(name).decode("utf-8", "backslashreplace")
    return one_line(name)


def is_text(value: str) -> bool:
    """Can it be written as UTF-8? Arguments and names of files that are other bytes cannot."""
    try:
        value.encode()
    except UnicodeEncodeError:
        return False
    return True


def from_home(path: str | os.PathLike[str]) -> str:
    """A path as it is handed on: below the user's home folder it begins with `~`."""
    text, home = os.fspath(path), os.environ.get("HOME", "").rstrip("/")
    for folder in (home, os.path.realpath(home)) if home.startswith("/") else ():
        if folder != "/" and text.startswith(f"{folder}/"):
            return f"~{text.removeprefix(folder)}"
    return text


def without_home(text: str) -> str:
    """A message as it is kept in results: paths below the user's home folder begin with `~`."""
    home = os.environ.get("HOME", "").rstrip("/")
    return text.replace(f"{home}/", "~/") if home.startswith("/") else text


def _expanded(path: str) -> Path:
    return Path(path).expanduser() if path.startswith("~/") else Path(path)


def resolve_all(parameter: str, raw: object, where: str, of: Callable[[Path], str] | None = None) -> str:
    """The same of one file or of several, as a list of paths or resolved: separated by spaces then."""
    if isinstance(raw, list | tuple):  # of a YAML file's items, perhaps
        return " ".join(resolve(parameter, getattr(one, "value", one), getattr(one, "where", where), of) for one in raw)
    if isinstance(raw, str) and len(EACH.findall(raw)) > 1:
        return " ".join(resolve(parameter, one.group().rstrip(" "), where, of) for one in EACH.finditer(raw))
    return resolve(parameter, raw, where, of)


def _absolute(text: str, where: str) -> Path:
    folder = where.folder if isinstance(where, Where) else Path()
    return Path(os.path.abspath(folder / Path(text).expanduser()))  # noqa: PTH100 (resolve() would follow links)


def paths(value: str) -> list[Path]:
    """The files that a resolved value names, one or several."""
    return [_expanded(path) for path in EACH.findall(value)]


def path_of(value: str) -> Path | None:
    """The file that a resolved value names; None for none."""
    found = RESOLVED.fullmatch(value)
    return _expanded(found[1]) if found else None


def content(path: Path, value: str) -> bytes:
    """The bytes of the file that a resolved value names; a UserError if they are not those that were specified."""
    try:
        read = regular(path).read_bytes()
    except OSError as error:
        raise UserError(f"{path}: cannot be read: {error.strerror}") from None
    if not value.endswith(hashlib.sha256(read).hexdigest()):
        raise UserError(f"{path}: its content has changed since the run was specified")
    return read


def regular(path: Path) -> Path:
    """`path`; a UserError if something else than a file is there: a folder, or what may never end, as a device."""
    try:
        mode = path.stat().st_mode
    except (OSError, ValueError):  # ValueError: a null character
        return path  # whoever opens it says why
    if not stat.S_ISREG(mode):
        kinds = {stat.S_IFDIR: "a folder", stat.S_IFIFO: "a pipe", stat.S_IFSOCK: "a socket"}
        raise UserError(f"{path}: is {kinds.get(stat.S_IFMT(mode), 'a device')}, must be a file")
    return path


@contextlib.contextmanager
def understood(path: Path, kind: str) -> Iterator[None]:
    """Around a library that reads a file of any content: what it says of a damaged or foreign one as a UserError.

    `kind`: what the file should be.
    """
    try:
        yield
    except HypermonError:
        raise
    except Exception as error:  # libraries have their own kinds, and raise others too when a file makes no sense
        if isinstance(error, OSError) and error.errno:
            raise UserError(f"{path}: cannot be read: {os.strerror(error.errno)}") from None
        said = " ".join(str(error).split())[:200] or type(error).__name__
        raise UserError(f"{path}: cannot be read as {kind}: {said}") from None


@contextlib.contextmanager
def writing(path: Path, *, streams: bool = True) -> Iterator[Path]:
    """A temporary name to write to, which becomes `path` at the end; nothing is left of it after an error. A stream, as
    a device or a pipe, gets the content at the end, unless `streams` forbids it. A UserError says what cannot be
    written, and why."""
    outputs.require(path, streams=streams)
    if outputs.is_stream(path):
        import tempfile  # for few outputs

        folder = Path(tempfile.gettempdir())
        with naming(path), leftovers.file(folder, "output", 0o600) as part:
            with naming(folder):
                yield part
            outputs.pour(part, path)
        return
    with naming(path), leftovers.file(path.parent, path.name, 0o666) as part:
        if (before := outputs.require_replaceable(path)) is not None:
            part.chmod(stat.S_IMODE(before.st_mode))
        yield part
        put(part, path)


@contextlib.contextmanager
def writing_all(texts: Mapping[Path, str]) -> Iterator[None]:
    """Around what belongs to these files: they get their names at its end, if all of them could be written."""
    with contextlib.ExitStack() as stack:
        for path, text in texts.items():
            stack.enter_context(writing(path, streams=False)).write_text(text, encoding="utf-8")
        yield


def put(part: Path, path: Path) -> None:
    """Renames the file to `path`, where another file may be, but nothing else; also where a file system renames to no
    name that is in use."""
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
    """What the operating system refuses while `path` is written, as on a full disk, as a UserError that names it."""
    try:
        yield
    except BrokenPipeError:
        raise  # the reader has seen enough
    except OSError as error:
        said = os.strerror(error.errno) if error.errno else str(error)
        raise UserError(f"{path}: cannot be written: {said}") from None


OURS = frozenset(
    ["SHA256SUMS", "result.json", "spec.json", "host.json", "recording.arrow", "manifest.json", "results.parquet"]
)
"""What commands read of the folders of runs and of sweeps."""


def keep(out: Path, *inputs: str | os.PathLike[str] | None) -> None:
    """A UserError if what is written to `out`, a file or a folder that is replaced, would destroy one of the inputs."""
    try:
        target = out.resolve()
        sources = [Path(each).resolve() for each in inputs if each is not None]
    except (OSError, ValueError, RuntimeError):
        return  # whoever opens them says why
    for source in sources:
        if source.exists() and (target == source or target in source.parents):
            raise UserError(f"{out}: would replace {source}, which is read; choose another place (--out)")
        if source in target.parents and target.name in OURS and target.exists():
            raise UserError(f"{out}: is a part of what is read; choose another place (--out)")


def named_by(values: Mapping[str, object]) -> list[Path]:
    """The files that a specification names."""
    return [
        path for value in values.values() if isinstance(value, str) and "@sha256:" in value for path in paths(value)
    ]


def sha256(path: Path) -> str:
    """Of the file's content. Remembered while the file's time and size stay. A UserError if it is no file."""
    status = regular(path).stat()
    return _sha256(path, status.st_mtime_ns, status.st_size, status.st_ino)


@functools.lru_cache(maxsize=1024)
def _sha256(path: Path, _mtime_ns: int, _size: int, _inode: int) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
