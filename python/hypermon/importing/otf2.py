# SPDX-License-Identifier: BSD-3-Clause
"""OTF2 archives of MPI programs as program scripts.

Between MPI regions a rank computes; in the regions, the records give its actions (otf2_actions.py).
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hypermon._files.apart import call
from hypermon._files.files import keep, naming, regular, writing
from hypermon.errors import UserError
from hypermon.importing.otf2_actions import PS_PER_SECOND, Communicator, Rank
from hypermon.importing.script import SELF, Script, Writer


def read(source: str | os.PathLike[str], out: str | os.PathLike[str]) -> Script:
    """Imports the archive (its anchor file, or the folder with one) and writes the script `out`.

    OTF2's library reads it in a process of its own: a damaged archive may break it.
    """
    anchor = regular(_anchor(Path(source)))
    keep(Path(out), anchor, source)
    size = sum(regular(path).stat().st_size for path in _files(anchor))
    # The temporary folder is beside `out`, because /tmp may be too small for a long script.
    with naming(Path(out)), TemporaryDirectory(prefix=f".{Path(out).name}.", dir=Path(out).resolve().parent) as scratch:
        made = Path(scratch) / "script"
        call(f"{__name__}:write_script", str(anchor), str(made), path=anchor, kind="OTF2 archive", size=size)
        with writing(Path(out)) as partial:
            made.replace(partial)
    return Script.open(out)


def _files(anchor: Path) -> list[Path]:
    """The archive's files: `traces.def`, and one or two files for each location in the folder `traces`."""
    beside = [anchor, anchor.with_suffix(".def")]
    return [path for path in (*beside, *anchor.with_suffix("").glob("*")) if path.exists()]


def write_script(anchor: str, out: str) -> None:
    """Writes the script, in this process."""
    try:
        import otf2
    except ImportError as error:
        raise UserError(f"an OTF2 archive needs the Python package otf2 (no {error.name}): pip install otf2") from None
    done = 0
    try:
        with otf2.reader.open(anchor) as archive:
            ranks = _ranks(otf2, archive.definitions, Path(anchor))
            made_from = {"kind": "OTF2 archive", "name": Path(anchor).name}
            with Writer(out, len(ranks), made_from) as writer:
                importer = _Archive(otf2, archive, writer, ranks)
                for location, event in archive.events:
                    importer.read(location, event)
                    done += 1
                importer.end()
    except UserError:
        raise
    except Exception as error:  # the bindings raise their own kinds, and ctypes'
        raise UserError(f"{anchor}: cannot be read beyond event {done}: {error or type(error).__name__}") from None


def _anchor(source: Path) -> Path:
    if source.is_file():
        return source
    found = sorted(source.glob("*.otf2"))
    if len(found) != 1:
        raise UserError(f"{source}: must be an OTF2 archive's anchor file (*.otf2), or a folder with one")
    return found[0]


def _ranks(otf2: Any, definitions: Any, anchor: Path) -> dict[Any, int]:
    """The processes that MPI_COMM_WORLD is made of."""
    for group in definitions.groups:
        if group.group_type == otf2.GroupType.COMM_LOCATIONS and group.paradigm == otf2.Paradigm.MPI:
            return {location: rank for rank, location in enumerate(group.members)}
    raise UserError(f"{anchor}: is of no MPI program: it has no group of MPI's processes")


class _Archive:
    def __init__(self, otf2: Any, archive: Any, writer: Writer, ranks: dict[Any, int]) -> None:
        self.events = otf2.events
        self._mpi = otf2.Paradigm.MPI
        self.collectives = {
            getattr(otf2.CollectiveOp, name): name for name in vars(otf2.CollectiveOp) if name.isupper()
        }
        self._resolution = int(archive.timer_resolution)
        self._writer = writer
        self._locations = ranks
        self._ranks = [Rank(self, writer, rank) for rank in range(len(ranks))]
        self._comms = dict(self._communicators(archive.definitions))

    def _communicators(self, definitions: Any) -> Iterator[tuple[Any, Communicator]]:
        everyone = list(range(len(self._ranks)))
        number = 0
        has_world = False
        for comm in definitions.comms:
            members = [m if isinstance(m, int) else self._locations[m] for m in comm.group.members]
            if members == everyone and not has_world:
                has_world = True
                yield comm, Communicator(0, members)
            elif len(members) <= 1:  # the group of MPI_COMM_SELF has no members here
                yield comm, Communicator(SELF, members)
            else:
                number += 1
                self._writer.report.add("a communicator's creation: it is made at the beginning", str(comm.name))
                for rank in everyone:
                    ranks = members if rank in members else []
                    self._writer.add(rank, "comm_create", request=number, values=ranks)
                yield comm, Communicator(number, members)

    def communicator(self, record: Any) -> Communicator:
        comm: Communicator | None = self._comms.get(record.communicator)
        if comm is None:
            raise UserError(f"{record.communicator.name}: an inter-communicator, which a program script cannot have")
        return comm

    def read(self, location: Any, event: Any) -> None:
        rank = self._locations.get(location)
        if rank is None:
            self._writer.report.add("events of other threads: left out", str(location.name))
            return
        self._ranks[rank].read(event, event.time * PS_PER_SECOND // self._resolution)

    def is_mpi(self, region: Any) -> bool:
        return bool(region.paradigm == self._mpi)

    def end(self) -> None:
        for rank in self._ranks:
            rank.end()
