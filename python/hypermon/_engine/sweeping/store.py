"""Finished points on disk, by what they are: nothing is computed twice, whoever asks.

A file below `points/` holds the entries of one task. It is written under a temporary name and renamed: it is there
whole or not at all, and a sweep that is killed at any instant loses no more than what was under way. Failures are not
kept: they are tried again. `recordings/` holds run directories with recordings, `under_way/` what is not finished.
"""

from __future__ import annotations

import contextlib
import fcntl
import functools
import hashlib
import json
import os
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from hypermon._engine import replays
from hypermon._files import files
from hypermon._model import monitors, worker
from hypermon._model.spec import Spec
from hypermon.errors import UserError

STORE = "store"  # of a sweep, in its folder
FULL = "full"  # a whole result
COUNTS = "counts"  # what counting replays give
JUDGED = "judged"  # a whole result, and `picture`: how far the monitor's is from the truth
DETAILS = (COUNTS, FULL, JUDGED)  # each has all that the ones before have
COSIM = "cosim"
REPLAY = "replay"


@dataclass(frozen=True)
class Entry:
    """A point's outcome."""

    how: str
    detail: str
    result: Mapping[str, Any]  # nested as result.json, without `spec`
    wall_s: float | None = None  # of this one execution: no part of a sweep's results
    error: str = ""  # not empty: failed


def suffices(detail: str, needed: str) -> bool:
    """Has an entry of that detail all of the other's?"""
    return detail in DETAILS and DETAILS.index(detail) >= DETAILS.index(needed)


class Address:
    """Where things belong: a hash over the specification, the versions and the worker that would simulate it."""

    def __init__(self, versions: Mapping[str, str]) -> None:
        # Two builds of one version may differ: what is executed is part of the address.
        executed = [worker.find().resolve(), *(plugin.resolve() for plugin in monitors.plugins())]
        digests = [_digest(file, (stat := file.stat()).st_mtime_ns, stat.st_size) for file in executed]
        self._prefix = json.dumps([dict(versions), *digests], sort_keys=True)

    def of(self, spec: Spec) -> str:
        return self._of(spec.scenario, json.dumps(spec.simulated, sort_keys=True))

    def of_recording(self, emissions: str) -> str:
        """By what the nodes write depends on: the same for every sweep, whatever hardware it varies."""
        return self._of("recording", emissions)

    def _of(self, *what: str) -> str:
        return hashlib.sha256("\n".join((self._prefix, *what)).encode()).hexdigest()[:32]


@functools.cache
def _digest(program: Path, _mtime_ns: int, _size: int) -> str:
    with program.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


@functools.lru_cache(maxsize=4096)  # an optimiser asks for a point at a time
def _read(file: Path, _mtime_ns: int) -> Mapping[str, Entry]:
    """The entries of a file; none of one that is damaged: its name is its checksum. Its points are computed again."""
    try:
        content = files.regular(file).read_bytes()
        if _name_of(content) != file.name:
            return {}
        return {key: Entry(**entry) for key, entry in json.loads(content).items()}
    except (OSError, UserError, ValueError, TypeError, AttributeError):
        return {}


def _name_of(content: bytes) -> str:
    return f"{hashlib.sha256(content).hexdigest()[:32]}.json"


class Store:
    """The folder; `lock` before anything is written."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.points = folder / "points"
        self.recordings = folder / "recordings"
        self.under_way = folder / "under_way"

    @contextlib.contextmanager
    def lock(self, wait: bool = False) -> Iterator[None]:
        """One writer at a time, others wait or are refused; what a killed one left under way is removed."""
        try:
            for folder in (self.points, self.recordings, self.under_way):
                if folder.is_symlink():
                    raise UserError(f"{folder}: is a link: what is in it may be somebody else's; remove it")
                folder.mkdir(parents=True, exist_ok=True)
            file = (self.folder / "lock").open("a")
        except OSError as error:
            raise UserError(f"{self.folder}: cannot be written to: {error.strerror}") from None
        with file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
            except BlockingIOError:
                raise UserError(f"{self.folder}: another sweep is writing there") from None
            for left in self.under_way.iterdir():
                shutil.rmtree(left) if left.is_dir() and not left.is_symlink() else left.unlink()
            yield

    def is_ours(self) -> bool:
        """Is the folder a store, perhaps one whose making was interrupted? Not any folder of that name."""
        own = {"lock", self.points.name, self.recordings.name, self.under_way.name}
        return self.folder.is_dir() and not {entry.name for entry in self.folder.iterdir()} - own

    def recording(self, key: str) -> Path:
        return self.recordings / key

    def has_recording(self, key: str) -> bool:
        """Is there one that can be opened? What is in its batches shows when they are read."""
        try:
            replays.opened(self.recording(key))
        except UserError:
            return False
        return True

    def load(self) -> dict[str, Entry]:
        """All finished points by address."""
        entries: dict[str, Entry] = {}
        for file in sorted(self.points.glob("*.json")) if self.points.is_dir() else ():
            found = _read(file.resolve(), file.stat().st_mtime_ns)
            entries |= {
                key: e for key, e in found.items() if key not in entries or suffices(e.detail, entries[key].detail)
            }
        return entries

    def put(self, entries: Mapping[str, Entry]) -> None:
        """Keeps those that did not fail."""
        finished = {key: asdict(entry) for key, entry in sorted(entries.items()) if not entry.error}
        if not finished:
            return
        text = json.dumps(finished)
        write(self.points / _name_of(text.encode()), text, self.under_way)


def write(path: Path, text: str | bytes, temporary: Path) -> None:
    """The file, whole or not at all. `temporary` is a folder of the same file system."""
    part = temporary / f"{path.name}.{os.getpid()}"
    with files.naming(path):
        part.write_bytes(text.encode() if isinstance(text, str) else text)
        part.replace(path)
