# SPDX-License-Identifier: BSD-3-Clause
"""Claims: distribute the work on a store among several processes, on several machines.

A claim is a folder below the store's `under_way/`. The process that creates the folder holds the claim and works in it.
The file `holder` in it identifies the process, which touches the file every few seconds. The claim of a dead process is
taken over: at once if the process ran on this host, otherwise after LEASE_S without a touch. Both times of this
comparison come from the file system, so the hosts' clocks need not agree.

Claims only prevent duplicate work; no result depends on them. Entries of a store are named by their content and do not
depend on the process that made them. If a claim is taken from a process that was only slow, a point is computed twice,
without further harm. The file system must create folders, and rename them to free names, atomically.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import threading
import time
import uuid
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

from hypermon.errors import HypermonError

TOUCH_S = 5  # (chosen) interval between touches
LEASE_S = 60  # (chosen) longest tolerated stall of a host; NFS clients cache attributes no longer (nfs(5), acregmax)
LOOK_S = 0.5  # (chosen) polling interval for claims of others
HOLDER = "holder"
DEAD = "dead-"
BURYING = "burying-"


class TakenError(HypermonError):
    """Another process holds the claim."""


class Claims:
    """The claims below a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    @contextlib.contextmanager
    def held(self, name: str) -> Iterator[Path]:
        """Holds the claim `name`. Gives a folder to work in, which is removed at the end.

        Raises a TakenError if another process holds the claim, or has taken it over in the meantime. In the second
        case the result or error of the work is void.
        """
        claim, holder = self.folder / name, {**_place(), "token": uuid.uuid4().hex}
        try:
            claim.mkdir()
        except FileExistsError:
            self._bury(claim)
            with _lost(claim):
                claim.mkdir()
        with _lost(claim):
            (claim / HOLDER).write_text(json.dumps(holder), encoding="utf-8")
        ended = threading.Event()
        threading.Thread(target=_touch, args=(claim / HOLDER, ended), daemon=True).start()
        taken = TakenError(f"{claim}: somebody else has taken it")
        try:
            yield claim
        except Exception as error:
            if not self._give_back(claim, holder, ended):
                raise taken from error
            raise
        except BaseException:
            self._give_back(claim, holder, ended)
            raise
        if not self._give_back(claim, holder, ended):
            raise taken

    @contextlib.contextmanager
    def awaited(self, name: str) -> Iterator[Path]:
        """Like `held`, but waits until the claim is free."""
        while True:
            with contextlib.ExitStack() as stack:
                try:
                    claim = stack.enter_context(self.held(name))
                except TakenError:
                    time.sleep(LOOK_S)
                    continue
                yield claim
                return

    def clean(self) -> None:
        """Removes the claims of dead processes."""
        for left in self.folder.iterdir():
            if left.name.startswith(DEAD) or (left.name.startswith(BURYING) and not self._is_alive(left)):
                self._retire(left)
            elif not left.name.startswith(BURYING):
                self._bury(left)

    def _give_back(self, claim: Path, holder: Mapping[str, object], ended: threading.Event) -> bool:
        """Releases the claim. Returns False if another process has taken it over."""
        ended.set()
        if _holder(claim) != holder:
            return False
        self._retire(claim)
        return True

    def _bury(self, claim: Path) -> None:
        """Removes the claim if its holder is dead.

        Only one process does this at a time. Otherwise a second one could remove the new claim of the first, which has
        the same name.
        """
        burying = claim.with_name(f"{BURYING}{claim.name}")
        try:
            burying.mkdir()
        except FileExistsError:
            return
        try:
            if not self._is_alive(claim):
                self._retire(claim)
        finally:
            with contextlib.suppress(OSError):  # removed by another process, after a long stall of this host
                burying.rmdir()

    def _retire(self, claim: Path) -> None:
        """Removes a claim's folder. It is renamed first, which frees the name even if files in it are still open."""
        dead = claim.with_name(f"{DEAD}{uuid.uuid4().hex}")
        with contextlib.suppress(FileNotFoundError):  # another process has removed it
            claim.rename(dead)
        if dead.is_symlink() or not dead.is_dir():
            dead.unlink(missing_ok=True)
        shutil.rmtree(dead, ignore_errors=True)

    def _is_alive(self, claim: Path) -> bool:
        """Is the holder of the claim alive?

        A folder without a file `holder` counts as alive for LEASE_S, since a process may be about to write the file. A
        missing folder counts as alive, too: it was released, and the name may already belong to another claim.
        """
        if claim.is_symlink():
            return False
        holder, here = _holder(claim), _place()
        if holder is not None and holder.get("host") == here["host"]:
            return _started(holder.get("process")) == holder.get("started")
        try:
            touched = _time_of(claim / HOLDER if holder is not None else claim)
        except FileNotFoundError:
            return True
        probe = self.folder / f"now-{uuid.uuid4().hex}"
        probe.touch()
        now = _time_of(probe)
        probe.unlink()
        return now - touched < LEASE_S


@contextlib.contextmanager
def _lost(claim: Path) -> Iterator[None]:
    """Turns the errors of a lost race into a TakenError: another process took over the dead holder's claim first."""
    try:
        yield
    except (FileExistsError, FileNotFoundError):
        raise TakenError(f"{claim}: somebody else is at it") from None


def _touch(holder: Path, ended: threading.Event) -> None:
    while not ended.wait(TOUCH_S):
        with contextlib.suppress(OSError):
            os.utime(holder)


def _time_of(path: Path) -> float:
    """Returns the modification time. Opening the file makes an NFS client query its server (nfs(5), close-to-open)."""
    file = os.open(path, os.O_RDONLY)
    try:
        return os.fstat(file).st_mtime
    finally:
        os.close(file)


def _holder(claim: Path) -> dict[str, object] | None:
    try:
        found = json.loads((claim / HOLDER).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    return found if isinstance(found, dict) else None


@cache
def _host() -> str:
    """Identifies the scope in which process ids are valid: this boot of this host, and this PID namespace."""
    boot = Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
    return f"{boot} {Path('/proc/self/ns/pid').readlink()}"


def _place() -> dict[str, object]:
    return {"host": _host(), "process": os.getpid(), "started": _started(os.getpid())}


def _started(process: object) -> int | None:
    """Returns the start time of a process in ticks since boot. It tells reused process ids apart. None: no process."""
    try:
        stat = Path(f"/proc/{process}/stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return None
    fields = stat.rpartition(")")[2].split()
    return None if fields[0] in "ZX" else int(fields[19])
