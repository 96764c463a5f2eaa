# SPDX-License-Identifier: BSD-3-Clause
"""Finished points on disk, by what they are: nothing is computed twice, whoever asks.

A file below `points/` holds the entries of one task and is named by one of its points and its content. It is written
under a temporary name and renamed: it is there whole or not at all, and a sweep that is killed at any instant loses no
more than what was under way. Failures are not kept: they are tried again. `recordings/` holds run directories with
recordings, `under_way/` what is not finished, by who is at it (claims.py): several sweeps, on several machines, may use
a store at once.
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
    judged_by: str = ""  # JUDGED: the version of the code that did it


def suffices(detail: str, needed: str) -> bool:
    """Has an entry of that detail all of the other's?"""
    return detail in DETAILS and DETAILS.index(detail) >= DETAILS.index(needed)


class Address:
    """Addresses in the store: hashes over the specification, the versions and the worker that would simulate it.

    `recording`: the digest of the given recording that answers all points.
    """

    def __init__(self, versions: Mapping[str, str], recording: str = "") -> None:
        # Two builds of one version may differ: what is executed is part of the address.
        executed = [worker.find().resolve(), *(plugin.resolve() for plugin in monitors.plugins())]
        digests = [_digest(file, (stat := file.stat()).st_mtime_ns, stat.st_size) for file in executed]
        given = [recording] if recording else []
        self._prefix = json.dumps([dict(versions), *digests, *given], sort_keys=True)

    def of(self, spec: Spec) -> str:
        return self._of(spec.scenario, spec.simulated_text)

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
    """The entries of a file; none of one that is damaged: its name has its checksum. Its points are computed again."""
    try:
        content = files.regular(file).read_bytes()
        entries = {key: Entry(**entry) for key, entry in json.loads(content).items()}
        if file.name != _name_of(entries, content):
            return {}
        return {key: _as_judged_now(entry) for key, entry in entries.items()}
    except (OSError, UserError, ValueError, TypeError, AttributeError, KeyError):
        return {}


def _as_judged_now(entry: Entry) -> Entry:
    """What another code has judged is a result that nobody has judged."""
    if entry.detail != JUDGED or entry.judged_by == judging_version(str(entry.result[PICTURE]["monitor"])):
        return entry
    result = {name: value for name, value in entry.result.items() if name != PICTURE}
    return replace(entry, detail=FULL, result=result, judged_by="")


def _now_in(file: Path) -> Mapping[str, Entry]:
    try:
        return _read(file.resolve(), file.stat().st_mtime_ns)
    except FileNotFoundError:  # somebody puts it there anew
        return {}


def _name_of(entries: Collection[str], content: bytes) -> str:
    return f"{min(entries)}-{hashlib.sha256(content).hexdigest()[:32]}.json"


class Store:
    """The folder; `open` before anything is written."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.points = folder / "points"
        self.recordings = folder / "recordings"
        self.under_way = folder / "under_way"
        self.claims = Claims(self.under_way)

    def open(self) -> None:
        """Makes its folders; what somebody who was killed has left under way is removed."""
        self.require()
        try:
            for folder in (self.points, self.recordings, self.under_way):
                folder.mkdir(parents=True, exist_ok=True)
                probe = folder / f"now-{uuid.uuid4().hex}"  # it may be there, and somebody else's
                probe.touch()
                probe.unlink()
            self.claims.clean()
        except OSError as error:
            raise UserError(f"{self.folder}: cannot be written to: {error.strerror}") from None

    def refuse_links(self) -> None:
        """A UserError if part of it is a link: what is deleted below it would be somebody else's."""
        for folder in (self.folder, self.points, self.recordings, self.under_way):
            if folder.is_symlink():
                raise UserError(f"{folder}: is a link: what is in it may be somebody else's; remove it")

    def require(self) -> None:
        """A UserError if the folder is there and no store, or part of it is a link."""
        self.refuse_links()
        for folder in (self.folder, self.points, self.recordings, self.under_way):
            outputs.require_folder(folder)
        if foreign := self.foreign():
            raise UserError(f"{self.folder}: exists and is no store of a sweep: {', '.join(foreign[: results.SHOWN])}")

    def foreign(self) -> list[str]:
        """What is in the folder and no part of a store, perhaps of one whose making was interrupted."""
        own = {"lock", self.points.name, self.recordings.name, self.under_way.name}
        if not self.folder.is_dir():
            return []
        found = {entry.name for entry in self.folder.iterdir()}
        if found & own == {self.under_way.name} and any(self.under_way.iterdir()):
            own.clear()  # a store has the others before it has this one
        return sorted(found - own)

    def recording(self, key: str) -> Path:
        return self.recordings / key

    def has_recording(self, key: str) -> bool:
        """Is there one that can be opened? What is in its batches shows when they are read."""
        try:
            Recording(self.recording(key))
        except UserError:
            return False
        return True

    def load(self) -> dict[str, Entry]:
        """All finished points by address."""
        entries: dict[str, Entry] = {}
        for file in sorted(self.points.glob("*.json")) if self.points.is_dir() else ():
            entries |= {
                key: e
                for key, e in _now_in(file).items()
                if key not in entries or suffices(e.detail, entries[key].detail)
            }
        return entries

    def found(self, keys: Collection[str], detail: str) -> dict[str, Entry] | None:
        """What a task of these points has put here since: all of them, with at least that detail."""
        for file in self.points.glob(f"{min(keys)}-*.json"):
            entries = _now_in(file)
            if all(key in entries and suffices(entries[key].detail, detail) for key in keys):
                return {key: entries[key] for key in keys}
        return None

    def put(self, entries: Mapping[str, Entry]) -> None:
        """Keeps those that did not fail."""
        finished = {key: vars(entry) for key, entry in sorted(entries.items()) if not entry.error}
        if not finished:
            return
        content = json.dumps(finished).encode()
        write(self.points / _name_of(finished, content), content, self.under_way)


def write(path: Path, text: str | bytes, temporary: Path) -> None:
    """The file, whole or not at all. `temporary` is a folder of the same file system.

    One that holds that already stays as it is: others may have it open.
    """
    content = text.encode() if isinstance(text, str) else text
    with files.naming(path):
        if path.is_file() and path.read_bytes() == content:
            return
        part = temporary / f"{path.name}.{uuid.uuid4().hex}"
        try:
            with part.open("xb") as file:
                file.write(content)
            files.put(part, path)
        finally:
            part.unlink(missing_ok=True)
