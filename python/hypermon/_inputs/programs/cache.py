# SPDX-License-Identifier: BSD-3-Clause
"""Earlier builds in the user's cache. They are found by a key, and used only if they and their inputs are unchanged.

An entry is a folder `KEY-INPUTS` with the object and a description of its inputs. It appears atomically and never
changes.
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import json
import os
import shutil
import stat
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from hypermon._files import files, leftovers, remembered, sums
from hypermon.errors import UserError

ABOUT = "program.json"  # description of an object's inputs, with checksums


def folder() -> Path:
    """Returns the folder of the builds, which are executed. Raises a UserError if other users may write to it."""
    for place in (cache := remembered.cache(), cache / "programs"):
        if why := remembered.why_unsafe(place):
            raise UserError(f"{place}: {why}; programs that run are kept there: remove it, or set XDG_CACHE_HOME")
    return cache / "programs"


def key(parts: Sequence[object]) -> str:
    """Returns the key of a build, computed from everything that is known before it."""
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:16]


class Made(NamedTuple):
    """An object, with its description from the build."""

    object: Path
    about: Mapping[str, Any]


def kept(of: str) -> Made | None:
    """Returns the object that was built earlier under this key, if it and its inputs are unchanged."""
    for made in sorted(folder().glob(f"{of}-*/{ABOUT}")):
        if remembered.why_unsafe(made.parent) or remembered.why_unsafe(made):
            continue
        about = _about(made)
        if about is not None and remembered.why_unsafe(made.parent / about["name"]):
            continue
        if about is None or not _is_still(made.parent / about["name"], about["object"]):
            shutil.rmtree(made.parent, ignore_errors=True)  # damaged
        elif all(_is_still(Path(path), digest) for path, digest in about["headers"].items()):
            return Made(made.parent / about["name"], about)
    return None


def about(made: Path) -> Mapping[str, Any]:
    """Returns the description of an object in the cache. Raises a UserError if there is none, or it is damaged."""
    found = _about(made.parent / ABOUT)
    if found is None:
        raise UserError(f"{made}: is not in the cache of programs any more; run again")
    return found


@contextlib.contextmanager
def work() -> Iterator[Path]:
    """Makes a folder to build in, which is removed at the end. Raises a UserError if the cache cannot be written."""
    try:
        remembered.make(folder())
        with leftovers.scratch(folder() / "program") as made:
            yield made
    except OSError as error:
        raise UserError(f"{folder()}: cannot be written to: {error.strerror}") from None


@contextlib.contextmanager
def work_of(of: str) -> Iterator[Path]:
    """Like `work`, but with a path that depends only on the key, since builds write their path into files.

    Other processes with the same key wait.
    """
    made = folder() / f".{of}.build"
    try:
        remembered.make(folder())
        how = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC
        with os.fdopen(os.open(folder() / f".{of}.lock", how, 0o600), "wb") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            try:
                shutil.rmtree(made, ignore_errors=True)  # left by a killed process
                made.mkdir()
                yield made
            finally:
                shutil.rmtree(made, ignore_errors=True)
    except OSError as error:
        raise UserError(f"{error.filename or folder()}: {error.strerror}") from None


def keep(of: str, made: Path, name: str, headers: Mapping[str, str], about: Mapping[str, object]) -> Made:
    """Adds the folder `made` with the object `name`. `headers`: digests of the inputs that the build has found."""
    description = {**about, "name": name, "object": files.sha256(made / name), "headers": dict(headers)}
    (made / ABOUT).write_text(json.dumps(description, indent=1) + "\n", encoding="utf-8")
    sums.write(made, [ABOUT])
    for path in (made, *made.rglob("*")):
        if not path.is_symlink():
            path.chmod(stat.S_IMODE(path.stat().st_mode) & ~(stat.S_IWGRP | stat.S_IWOTH))
    final = folder() / f"{of}-{key(sorted(headers.items()))}"
    if not final.exists():
        try:
            made.rename(final)
        except OSError:  # another process has added it
            if not final.exists():
                raise
    return Made(final / name, description)


def _about(file: Path) -> dict[str, Any] | None:
    """Returns the description of an object. None: it is damaged."""
    try:
        about: dict[str, Any] = json.loads(sums.read(file.parent, file.name, ""))
    except (OSError, UserError, ValueError):
        return None
    return about


def _is_still(path: Path, digest: str) -> bool:
    try:
        return files.sha256(path) == digest
    except OSError:
        return False
