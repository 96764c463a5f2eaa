# SPDX-License-Identifier: BSD-3-Clause
"""Who does which piece of work of a store that several processes, machines and people use at once.

A claim is a folder below the store's `under_way/`: whoever makes it has it, and works in it. Its file `holder` says who
that is and is touched every few seconds. A claim whose holder has died is taken over: at once if it was a process of
this host, after LEASE_S without a touch otherwise. The ages are differences of times that the file system itself gave,
so clocks need not agree.

Claims only keep work from being done twice. No result depends on them: what a store holds is named by what it is and
the same whoever made it, so where a claim is taken from somebody who was only slow, a point is computed twice, no more.
Nothing is asked of the file system but that making a folder and renaming one to a name that is free happen once.
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

TOUCH_S = 5  # (chosen)
LEASE_S = 60  # (chosen) a host may stand still for so long; NFS's clients keep attributes no longer (nfs(5), acregmax)
LOOK_S = 0.5  # (chosen) between looks at what others do
HOLDER = "holder"
DEAD = "dead-"
BURYING = "burying-"


class TakenError(HypermonError):
    """Somebody else is at it."""


class Claims:
    """The claims below a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    @contextlib.contextmanager
    def held(self, name: str) -> Iterator[Path]:
        """A folder to work in, while nobody else has `name`; it is gone afterwards.

        Raises TakenError: somebody else has it; or has taken it meanwhile, when what the work gave or raised is void.
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
        """As `held`, as soon as nobody else has it."""
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
        """Removes what those have left who have died."""
        for left in self.folder.iterdir():
            if left.name.startswith(DEAD) or (left.name.startswith(BURYING) and not self._is_alive(left)):
                self._retire(left)
            elif not left.name.startswith(BURYING):
                self._bury(left)

    def _give_back(self, claim: Path, holder: Mapping[str, object], ended: threading.Event) -> bool:
        """Was it still held?"""
        ended.set()
        if _holder(claim) != holder:
            return False
        self._retire(claim)
        return True

    def _bury(self, claim: Path) -> None:
        """Removes it if who held it is dead. One at a time: the next who has the name would be taken for the dead."""
        burying = claim.with_name(f"{BURYING}{claim.name}")
        try:
            burying.mkdir()
        except FileExistsError:
            return
        try:
            if not self._is_alive(claim):
                self._retire(claim)
        finally:
            with contextlib.suppress(OSError):  # this host stood still for long, and others have cleaned up
                burying.rmdir()

    def _retire(self, claim: Path) -> None:
        """The name is free at once, even where files of the folder are open somewhere and stay a while."""
        dead = claim.with_name(f"{DEAD}{uuid.uuid4().hex}")
        with contextlib.suppress(FileNotFoundError):  # somebody else has
            claim.rename(dead)
        if dead.is_symlink() or not dead.is_dir():
            dead.unlink(missing_ok=True)
        shutil.rmtree(dead, ignore_errors=True)

    def _is_alive(self, claim: Path) -> bool:
        """A file or a folder without a holder, which somebody may be about to write, has as long as a holder.

        What is gone has been given back, and its name may already be another's: nobody has died.
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
    """Two have seen that a holder was dead, and the other was first."""
    try:
        yield
    except (FileExistsError, FileNotFoundError):
        raise TakenError(f"{claim}: somebody else is at it") from None


def _touch(holder: Path, ended: threading.Event) -> None:
    while not ended.wait(TOUCH_S):
        with contextlib.suppress(OSError):
            os.utime(holder)


def _time_of(path: Path) -> float:
    """By opening it, which makes a client of NFS ask its server (nfs(5), close-to-open)."""
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
    """Where numbers of processes mean the same: this boot of this host, this container."""
    boot = Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
    return f"{boot} {Path('/proc/self/ns/pid').readlink()}"


def _place() -> dict[str, object]:
    return {"host": _host(), "process": os.getpid(), "started": _started(os.getpid())}


def _started(process: object) -> int | None:
    """When, in ticks since the boot: a number of a process is given again. None: there is none."""
    try:
        said = Path(f"/proc/{process}/stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return None
    fields = said.rpartition(")")[2].split()
    return None if fields[0] in "ZX" else int(fields[19])
