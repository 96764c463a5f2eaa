# SPDX-License-Identifier: BSD-3-Clause
"""A store of finished points on disk, addressed by their specification, so that nothing is computed twice.

A file below `points/` holds the entries of one task. Its name consists of one of the points' addresses and a hash of
its content. Files are written under a temporary name and renamed, so a sweep that is killed loses only its unfinished
tasks. Failed points are not stored; they are tried again. `recordings/` holds run directories with recordings, and
`under_way/` the folders of unfinished tasks (claims.py). Several sweeps, on several machines, may use a store at once.
"""

from __future__ import annotations

import functools
import hashlib
import json
import uuid
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from hypermon._engine.recording import Recording
from hypermon._engine.sweeping.claims import Claims
from hypermon._files import files, outputs, results
from hypermon._model import monitors, worker
from hypermon._model.activity import PICTURE
from hypermon._model.spec import Spec
from hypermon.errors import UserError
from hypermon.judging.version import version as judging_version

STORE = "store"  # name of the store in a sweep's folder
FULL = "full"  # a whole result
COUNTS = "counts"  # the numbers of a counting replay
JUDGED = "judged"  # a whole result, with the error of the monitor's data (`picture`)
DETAILS = (COUNTS, FULL, JUDGED)  # each includes those before it
COSIM = "cosim"
REPLAY = "replay"


@dataclass(frozen=True)
class Entry:
    """A point's outcome."""

    how: str
    detail: str
    result: Mapping[str, Any]  # nested as result.json, without `spec`
    wall_s: float | None = None  # host time of this execution, which is not part of a sweep's results
    error: str = ""  # not empty: the point failed
    judged_by: str = ""  # JUDGED: version of the judging code


def suffices(detail: str, needed: str) -> bool:
    """Does an entry with the first detail include everything that the second one requires?"""
    return detail in DETAILS and DETAILS.index(detail) >= DETAILS.index(needed)


class Address:
    """Addresses in the store: hashes over the specification, the versions and the worker that would simulate it.

    `recording`: the digest of the user's recording, if all points are replayed from one.
    """

    def __init__(self, versions: Mapping[str, str], recording: str = "") -> None:
        # Two builds of one version may differ, so the address includes the executables.
        executed = [worker.find().resolve(), *(plugin.resolve() for plugin in monitors.plugins())]
        digests = [_digest(file, (stat := file.stat()).st_mtime_ns, stat.st_size) for file in executed]
        given = [recording] if recording else []
        self._prefix = json.dumps([dict(versions), *digests, *given], sort_keys=True)

    def of_run(self, spec: Spec) -> str:
        return self._of(spec.scenario, spec.simulated_text)

    def of_recording(self, emissions: str) -> str:
        """Returns the address of a recording. It depends on parameters that influence the nodes' data, not on hardware.

        `emissions`: these parameters as text.
        """
        return self._of("recording", emissions)

    def _of(self, *what: str) -> str:
        return hashlib.sha256("\n".join((self._prefix, *what)).encode()).hexdigest()[:32]


@functools.cache
def _digest(program: Path, _mtime_ns: int, _size: int) -> str:
    with program.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


@functools.lru_cache(maxsize=4096)  # an optimiser evaluates one point at a time
def _read(file: Path, _mtime_ns: int) -> Mapping[str, Entry]:
    """Returns the entries of a file. A file whose content does not match the checksum in its name counts as empty."""
    try:
        content = files.regular(file).read_bytes()
        entries = {key: Entry(**entry) for key, entry in json.loads(content).items()}
        if file.name != _name_of(entries, content):
            return {}
        return {key: _as_judged_now(entry) for key, entry in entries.items()}
    except (OSError, UserError, ValueError, TypeError, AttributeError, KeyError):
        return {}


def _as_judged_now(entry: Entry) -> Entry:
    """Drops the judgement of an entry that another version of the judging code has made."""
    if entry.detail != JUDGED or entry.judged_by == judging_version(str(entry.result[PICTURE]["monitor"])):
        return entry
    result = {name: value for name, value in entry.result.items() if name != PICTURE}
    return replace(entry, detail=FULL, result=result, judged_by="")


def _now_in(file: Path) -> Mapping[str, Entry]:
    try:
        return _read(file.resolve(), file.stat().st_mtime_ns)
    except FileNotFoundError:  # another process is replacing it
        return {}


def _name_of(entries: Collection[str], content: bytes) -> str:
    return f"{min(entries)}-{hashlib.sha256(content).hexdigest()[:32]}.json"


class Store:
    """A store in a folder. Call `open` before anything is written."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.points = folder / "points"
        self.recordings = folder / "recordings"
        self.under_way = folder / "under_way"
        self.claims = Claims(self.under_way)

    def open(self) -> None:
        """Makes the store's folders, and removes unfinished work of dead processes."""
        self.require()
        try:
            for folder in (self.points, self.recordings, self.under_way):
                folder.mkdir(parents=True, exist_ok=True)
                probe = folder / f"now-{uuid.uuid4().hex}"  # the folder may exist, but not be writable
                probe.touch()
                probe.unlink()
            self.claims.clean()
        except OSError as error:
            raise UserError(f"{self.folder}: cannot be written to: {error.strerror}") from None

    def refuse_links(self) -> None:
        """Raises a UserError if a folder of the store is a symbolic link, since deletions would affect its target."""
        for folder in (self.folder, self.points, self.recordings, self.under_way):
            if folder.is_symlink():
                raise UserError(f"{folder}: is a link, which may lead to another user's files; remove it")

    def require(self) -> None:
        """Raises a UserError if the folder exists and is no store, or if a part of it is a symbolic link."""
        self.refuse_links()
        for folder in (self.folder, self.points, self.recordings, self.under_way):
            outputs.require_folder(folder)
        if foreign := self.foreign():
            raise UserError(
                f"{self.folder}: exists and is not a store of a sweep: {', '.join(foreign[: results.SHOWN])}"
            )

    def foreign(self) -> list[str]:
        """Returns the names in the folder that are no part of a store. A store may be incomplete after an interrupt."""
        own = {"lock", self.points.name, self.recordings.name, self.under_way.name}
        if not self.folder.is_dir():
            return []
        found = {entry.name for entry in self.folder.iterdir()}
        if found & own == {self.under_way.name} and any(self.under_way.iterdir()):
            own.clear()  # a store's `under_way` is created last
        return sorted(found - own)

    def recording(self, key: str) -> Path:
        return self.recordings / key

    def has_recording(self, key: str) -> bool:
        """Does a recording exist that can be opened? Its batches are verified only when they are read."""
        try:
            Recording(self.recording(key))
        except UserError:
            return False
        return True

    def load(self) -> dict[str, Entry]:
        """Returns all finished points by address."""
        entries: dict[str, Entry] = {}
        for file in sorted(self.points.glob("*.json")) if self.points.is_dir() else ():
            entries |= {
                key: e
                for key, e in _now_in(file).items()
                if key not in entries or suffices(e.detail, entries[key].detail)
            }
        return entries

    def found(self, keys: Collection[str], detail: str) -> dict[str, Entry] | None:
        """Returns all these points, if a task has stored them together with at least this detail. None: it has not."""
        for file in self.points.glob(f"{min(keys)}-*.json"):
            entries = _now_in(file)
            if all(key in entries and suffices(entries[key].detail, detail) for key in keys):
                return {key: entries[key] for key in keys}
        return None

    def put(self, entries: Mapping[str, Entry]) -> None:
        """Stores the entries that did not fail."""
        finished = {key: vars(entry) for key, entry in sorted(entries.items()) if not entry.error}
        if not finished:
            return
        content = json.dumps(finished).encode()
        write(self.points / _name_of(finished, content), content, self.under_way)


def write(path: Path, text: str | bytes, temporary: Path) -> None:
    """Writes a file atomically. `temporary`: a folder on the same file system.

    A file that already has this content is not replaced, since other processes may have it open.
    """
    content = text.encode() if isinstance(text, str) else text
    with files.naming(path):
        if path.is_file() and path.read_bytes() == content:
            return
        part = temporary / f"{path.name}.{uuid.uuid4().hex}"
        try:
            with part.open("xb") as file:
                file.write(content)
            files.rename_into_place(part, path)
        finally:
            part.unlink(missing_ok=True)
